#!/bin/bash
# Builds the Python package of python/ and runs its tests in build/python/venv: the types (mypy, pyright), the
# examples of the documentation, the notebooks, the package's own tests, and SciPy's and NetworkX's with it.
# Without PyPI: "skip: ...", exit 77.
# usage: [PYTHON_CUDA=GPU] [VARIANT=asan|oldest] [PYTHON=python3.14t] tools/test_python.sh
#            [--packages-only | --build-only | --brief | PYTEST_ARGS...]
#   --brief: the package's own tests and SciPy's alone
#   PYTHON_CUDA: FRINGE_CUDA of the build, OFF by default: kernels take minutes to compile; "-k gpu" runs the
#     tests that need a GPU
#   VARIANT, in build/python-VARIANT: asan: under AddressSanitizer and UndefinedBehaviorSanitizer, whose
#     run time is loaded into Python; oldest: with the oldest packages that pyproject.toml allows
#   PYTHON: the interpreter, in build/python-PYTHON; a free-threaded one gets a module of its own ABI, and the packages
#     that have a wheel for it; the tests of the others are skipped, and so are the types, which do not depend on it
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
variant=${VARIANT:-} python=${PYTHON:-python3}
home=$PWD/build/python${variant:+-$variant}${PYTHON:+-${PYTHON##*/}}
requirements=python/requirements-test.txt
[ "$variant" != oldest ] || requirements=python/requirements-oldest.txt
venv=$home/venv log=$home/pip.log
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 # and pip compiles nothing: 20 s of processor time
mkdir -p "$home"

skip() {
    echo "skip: $1"
    exit 77
}

# Installs each package that has a wheel for a free-threaded Python, and writes a line for each of the others.
install_wheels() {
    local package
    : >"$home/missing"
    grep -vE '^(#|mypy|pyright|nodejs)' "$requirements" | while read -r package; do
        "$venv/bin/pip" install -q --no-compile --retries 2 --timeout 30 --only-binary :all: "$package" \
            >>"$log" 2>&1 && continue
        echo "skip: tests with $package, which has no wheel for $python" >>"$home/missing"
        case $package in cffi=* | ninja=* | numpy=* | pytest=* | scikit-build-core=*) return 1 ;; esac
    done
}

install_all() {
    if [ -n "$free_threaded" ]; then
        install_wheels
    else
        "$venv/bin/pip" install -q --no-compile --retries 2 --timeout 30 -r "$requirements" >"$log" 2>&1
    fi
}

# Makes the virtual environment again if the list of packages has changed.
install_packages() {
    cmp -s "$requirements" "$home/installed" && return
    "$python" -m venv --clear "$venv" >"$log" 2>&1 || skip "no virtual environment (Debian's python3-venv); see $log"
    if ! install_all; then
        cat "$log"
        grep -qE 'NewConnectionError|ConnectTimeout|Name or service|Network is unreachable|ProxyError' "$log" &&
            skip "PyPI cannot be reached for $requirements"
        return 1
    fi
    cp "$requirements" "$home/installed"
}

# Where build/ has the same library, as in `make test`, the module links it.
build_package() {
    local built=''
    if [ -z "$variant${PYTHON_CUDA:-}" ] && grep -qs '^FRINGE_CUDA:STRING=OFF' build/CMakeCache.txt; then
        built=$PWD/build
        cmake --build "$built" --target fringe_static >"$log" 2>&1 || { cat "$log"; return 1; }
    fi
    PATH=$venv/bin:$PATH "$venv/bin/pip" install -q --no-compile --no-build-isolation --no-deps --no-index \
        --force-reinstall --config-settings=build-dir="$home/build" --config-settings=cmake.define.FRINGE_CUDA="${PYTHON_CUDA:-OFF}" \
        --config-settings=cmake.define.FRINGE_SANITIZE="$sanitize" \
        --config-settings=cmake.define.PYFRINGE_BUILT="$built" ./python >"$log" 2>&1 || { cat "$log"; return 1; }
}

# The package's own errors, and whether every public symbol has a known type.
check_pyright() {
    export PYRIGHT_PYTHON_IGNORE_WARNINGS=1
    "$venv/bin/pyright" -p "$tests/pyproject.toml" --pythonpath "$venv/bin/python" "$package" || return 1
    PATH=$venv/bin:$PATH "$venv/bin/pyright" --ignoreexternal --verifytypes pyfringe >"$log"
    grep 'completeness score: 100%' "$log" || { cat "$log"; return 1; }
}

sanitize='' preload='' # what the tests' Python loads before all else
if [ "$variant" = asan ]; then
    sanitize=address,undefined preload=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
    # Python itself keeps memory until it ends; tests ask for more memory than there is
    export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1
fi
command -v "$python" >/dev/null || skip "$python is not installed"
free_threaded=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("Py_GIL_DISABLED") or "")')
install_packages || exit 1
[ -z "$free_threaded" ] || cat "$home/missing"
[ -e "$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')/Python.h" ] ||
    skip "no Python.h (Debian's python3-dev)"
[ "${1:-}" != --packages-only ] || exit 0
build_package || exit 1
[ "${1:-}" = --build-only ] && exit
cd "$home" || exit 1 # so that the installed package is imported
tests=$OLDPWD/python
brief=''
[ "${1:-}" != --brief ] || { brief=1; shift; }
[ -n "$brief$variant$free_threaded" ] || "$venv/bin/mypy" --config-file "$tests/pyproject.toml" -p pyfringe || exit 1
export LD_PRELOAD=$preload PYTHONPYCACHEPREFIX=$home/pycache # what is imported is compiled once, not beside its source
unset PYTHONDONTWRITEBYTECODE
package=$("$venv/bin/python" -c 'import pyfringe; print(pyfringe.__path__[0])') || exit 1
[ -n "$brief$variant$free_threaded" ] || check_pyright || exit 1
# the last lines name what pytest skipped as the rest of the suite does
documents=("$package" "$OLDPWD/docs/python.md")
[ -z "$brief" ] && [ "$variant" != oldest ] || documents=() # NumPy 1 prints numbers in another way
ignored=()
for name in ${brief:+networkx random_networkx random_csgraph documents}; do ignored+=("--ignore=$tests/tests/test_$name.py"); done
"$venv/bin/python" -X faulthandler -m pytest -q -rs -p no:cacheprovider --rootdir "$tests" \
    --doctest-modules --doctest-glob='*.md' "$tests/tests" "${documents[@]}" "${ignored[@]}" "$@" |
    sed -E 's/^SKIPPED \[[0-9]+\] [^ ]+ /skip: /'
