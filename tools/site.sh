#!/bin/bash
# Builds the documentation site into build/site/html, with the plots of the papers and with warnings as errors, and
# looks at each page in a browser, as wide as a desk and as a telephone. Without PyPI or chromium: "skip: ...", exit 77.
# usage: tools/site.sh [--build-only]
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
home=$PWD/build/site
log=$home/site.log
requirements=(tools/site/requirements.txt bench/requirements.txt)
export NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
mkdir -p "$home"

skip() {
    echo "skip: $1"
    exit 77
}

# The virtual environment, made anew when the lists of packages have changed.
install_packages() {
    cat "${requirements[@]}" | cmp -s - "$home/installed" && return
    python3 -m venv --clear "$home/venv" >"$log" 2>&1 || skip "no virtual environment (Debian's python3-venv); see $log"
    if ! "$home/venv/bin/pip" install -q --retries 2 --timeout 30 "${requirements[@]/#/-r}" >"$log" 2>&1; then
        cat "$log"
        grep -qE 'NewConnectionError|ConnectTimeout|Name or service|Network is unreachable|ProxyError' "$log" &&
            skip "PyPI cannot be reached for ${requirements[*]}"
        return 1
    fi
    cat "${requirements[@]}" >"$home/installed"
}

# The plots take 10 s: drawn anew when a line or a script has changed.
draw_plots() {
    [ -n "$(find papers/lab papers/pages -newer "$home/drawn" 2>&1)" ] || return 0
    "$home/venv/bin/python" papers/lab/draw.py --check --plots build/site/plots >"$log" 2>&1 || { cat "$log"; return 1; }
    touch "$home/drawn"
}

# With --quiet, --strict would count no warning.
build() { "$home/venv/bin/mkdocs" build --strict >"$log" 2>&1 || { grep -E '^(WARNING|ERROR)|^Aborted|Error' "$log"; return 1; }; }

refuses_dead_links() { # in a clone that has two
    rm -rf "$home/fault" && git clone -q -s . "$home/fault" && mkdir -p "$home/fault/build/site" &&
        cp -r "$home/plots" "$home/fault/build/site" && echo '[a](nowhere.md) [b](faq.md#nowhere)' >>"$home/fault/docs/faq.md" &&
        ! (cd "$home/fault" && build) >"$home/refused" && [ "$(grep -c "^WARNING.*nowhere" "$home/refused")" = 2 ] ||
        { cat "$home/refused"; echo "dead links are not refused"; return 1; }
    rm -rf "$home/fault"
}

command -v python3 >/dev/null || skip "python3 is not installed"
install_packages || exit 1
draw_plots || exit 1
build || exit 1
echo "$(find "$home/html" -name '*.html' | wc -l) pages below $home/html"
[ "${1:-}" = --build-only ] && exit
refuses_dead_links || exit 1
command -v chromium >/dev/null || skip "chromium is not installed"
exec python3 tools/site/look.py "$home/html"
