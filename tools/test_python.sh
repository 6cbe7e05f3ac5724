#!/bin/bash
# Builds the Python package of python/ and runs its tests in build/python/venv: the types, the examples
# of the documentation, the package's own tests, and those of SciPy and NetworkX with it.
# Without PyPI: "skip: ...", exit 77.
# usage: [PYTHON_CUDA=GPU] tools/test_python.sh [PYTEST_ARGS...]    PYTHON_CUDA: FRINGE_CUDA of the build,
# OFF by default: kernels take minutes to compile; "-k gpu" runs the tests that need a GPU
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
home=$PWD/build/python
venv=$home/venv log=$home/pip.log
export OMP_WAIT_POLICY=passive PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
mkdir -p "$home"

skip() {
    echo "skip: $1"
    exit 77
}

# The virtual environment, made anew when the list of packages has changed.
install_packages() {
    cmp -s python/requirements-test.txt "$home/installed" && return
    python3 -m venv --clear "$venv" >"$log" 2>&1 || skip "no virtual environment (Debian's python3-venv); see $log"
    if ! "$venv/bin/pip" install -q --retries 2 --timeout 30 -r python/requirements-test.txt >"$log" 2>&1; then
        cat "$log"
        grep -qE 'NewConnectionError|ConnectTimeout|Name or service|Network is unreachable|ProxyError' "$log" &&
            skip "PyPI cannot be reached for python/requirements-test.txt"
        return 1
    fi
    cp python/requirements-test.txt "$home/installed"
}

build_package() {
    PATH=$venv/bin:$PATH "$venv/bin/pip" install -q --no-build-isolation --no-deps --no-index --force-reinstall \
        -C build-dir="$home/build" -C cmake.define.FRINGE_CUDA="${PYTHON_CUDA:-OFF}" ./python >"$log" 2>&1 || { cat "$log"; return 1; }
}

command -v python3 >/dev/null || skip "python3 is not installed"
install_packages || exit 1
[ -e "$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')/Python.h" ] ||
    skip "no Python.h (Debian's python3-dev)"
build_package || exit 1
cd "$home" || exit 1 # so that the installed package is imported
tests=$OLDPWD/python
"$venv/bin/mypy" --config-file "$tests/pyproject.toml" -p pyfringe || exit 1
package=$("$venv/bin/python" -c 'import pyfringe; print(pyfringe.__path__[0])') || exit 1
# the last lines name what pytest skipped as the rest of the suite does
"$venv/bin/python" -X faulthandler -m pytest -q -rs -p no:cacheprovider --rootdir "$tests" \
    --doctest-modules --doctest-glob='*.md' "$package" "$tests/tests" "$OLDPWD/docs/python.md" "$@" |
    sed -E 's/^SKIPPED \[[0-9]+\] [^ ]+ /skip: /' || exit 1
[ $# = 0 ] || exit 0 # only some tests were asked for
"$tests/../tests/random/random_calls.sh" --count 25
