#!/bin/bash
# Builds the documentation site into build/site/html, with warnings as errors, and looks at each page in a browser,
# as wide as a desk and as a telephone. Without PyPI or chromium: "skip: ...", exit 77.
# usage: tools/site.sh [--build-only]
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
home=$PWD/build/site
log=$home/site.log
export NO_MKDOCS_2_WARNING=1 PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
mkdir -p "$home"

skip() {
    echo "skip: $1"
    exit 77
}

# The virtual environment, made anew when the list of packages has changed.
install_packages() {
    cmp -s tools/site/requirements.txt "$home/installed" && return
    python3 -m venv --clear "$home/venv" >"$log" 2>&1 || skip "no virtual environment (Debian's python3-venv); see $log"
    if ! "$home/venv/bin/pip" install -q --retries 2 --timeout 30 -r tools/site/requirements.txt >"$log" 2>&1; then
        cat "$log"
        grep -qE 'NewConnectionError|ConnectTimeout|Name or service|Network is unreachable|ProxyError' "$log" &&
            skip "PyPI cannot be reached for tools/site/requirements.txt"
        return 1
    fi
    cp tools/site/requirements.txt "$home/installed"
}

command -v python3 >/dev/null || skip "python3 is not installed"
install_packages || exit 1
"$home/venv/bin/mkdocs" build --quiet --strict || exit 1
echo "$(find "$home/html" -name '*.html' | wc -l) pages below $home/html"
[ "${1:-}" = --build-only ] && exit
command -v chromium >/dev/null || skip "chromium is not installed"
exec python3 tools/site/look.py "$home/html"
