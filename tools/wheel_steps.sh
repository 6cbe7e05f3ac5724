# shellcheck shell=bash
# shellcheck disable=SC2154 # home
# What the scripts that build wheels have in common; they set `home`, their folder, before they read it.
#   skip REASON               prints it and ends the script with 77
#   pip_quietly PIP ARG...    what pip says, on failure only; PyPI out of reach is a skip
#   make_tools                the virtual environment $venv of python/requirements-wheel.txt
#   check_wheel WHEEL         prints its size and its libraries; too large, or a shared libarchive: fails
venv=$home/venv log=$home/log limit=60 # megabytes of 10^6 bytes
export PIP_DISABLE_PIP_VERSION_CHECK=1 PYTHONDONTWRITEBYTECODE=1
mkdir -p "$home"

skip() {
    echo "skip: $1"
    exit 77
}

pip_quietly() { # PIP ARGS...
    "$@" >"$log" 2>&1 && return
    cat "$log"
    grep -qE 'NewConnectionError|ConnectTimeout|Name or service|Network is unreachable|ProxyError' "$log" && skip "PyPI cannot be reached"
    return 1
}

make_tools() {
    cmp -s python/requirements-wheel.txt "$home/installed" && return
    python3 -m venv --clear "$venv" >"$log" 2>&1 || skip "no virtual environment (Debian's python3-venv); see $log"
    pip_quietly "$venv/bin/pip" install --retries 2 --timeout 30 -r python/requirements-wheel.txt || return 1
    cp python/requirements-wheel.txt "$home/installed"
}

check_wheel() { # WHEEL
    local bytes
    bytes=$(stat -c %s "$1")
    printf '%s: %s.%s MB\n' "${1##*/}" $((bytes / 1000000)) $((bytes / 100000 % 10))
    python3 -m zipfile -l "$1" | awk '/\.so/ { printf "  %6.1f MB %s\n", $NF / 1e6, $1 }'
    [ "$bytes" -le $((limit * 1000000)) ] || { echo "more than $limit MB"; return 1; }
    ! python3 -m zipfile -l "$1" | grep -iE '(icu|xml|archive).*\.so' || { echo "libarchive was to be static"; return 1; }
}
