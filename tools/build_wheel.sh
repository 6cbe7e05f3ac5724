#!/bin/bash
# Builds the wheel and the sdist of the Python package for other machines, into build/wheel/dist/, and tries the
# wheel where there is no compiler. GPU code for every architecture of a release is in it where nvcc is found;
# the build tag in the file's name says which: 0cpu, or 1cuda and the version of CUDA.
# Without PyPI: "skip: ...", exit 77.
# usage: [WHEEL_CUDA=AUTO|ON|OFF] tools/build_wheel.sh [sdist]
#   sdist: also builds the sdist, without GPU code, in a bare Debian; as root, 2 minutes
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. tools/debian_root.sh
home=$PWD/build/wheel
. tools/wheel_steps.sh

cuda_tag() { # 1cuda13.0 as 1cuda130 where the build will have GPU code, else 0cpu
    local nvcc
    nvcc=${CUDACXX:-$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc)}
    if [ "${WHEEL_CUDA:-AUTO}" = OFF ] || [ -z "$nvcc" ]; then
        echo 0cpu
    else
        "$nvcc" --version | sed -nE 's/.*release ([0-9]+)\.([0-9]+).*/1cuda\1\2/p'
    fi
}

build_wheel() { # TAG
    local options=(--config-settings=build-dir="$home/build-$1" --config-settings=wheel.build-tag="$1"
        --config-settings=cmake.define.PYFRINGE_STATIC_ARCHIVE=ON
        --config-settings=cmake.define.FRINGE_CUDA="${WHEEL_CUDA:-AUTO}"
        --config-settings=cmake.define.FRINGE_CUDA_ARCHITECTURES=release)
    rm -rf "$home/raw" "$home/dist"
    PATH=$venv/bin:$PATH pip_quietly "$venv/bin/pip" wheel -v --no-build-isolation --no-deps -w "$home/raw" "${options[@]}" ./python || return 1
    grep -m 1 -oE 'GPU strategies: .*' "$log"
    PATH=$venv/bin:$PATH "$venv/bin/auditwheel" repair --strip -w "$home/dist" "$home"/raw/*.whl >"$log" 2>&1 || { cat "$log"; return 1; }
    (cd python && "$venv/bin/python" -c 'import sys; sys.path.insert(0, "build_backend"); import fringe_backend as b; b.build_sdist(sys.argv[1])' \
        "$home/dist") >"$log" 2>&1 || { cat "$log"; return 1; }
}

# The wheel with NumPy and cffi in a virtual environment of its own, with nothing else on the PATH.
try_wheel() { # WHEEL BACKENDS
    local bare=$home/bare
    pip_quietly "$venv/bin/pip" download -q --only-binary :all: -d "$home/needs" 'numpy>=2' 'cffi>=2' || return 1
    python3 -m venv --clear "$bare" &&
        env -i PATH="$bare/bin" "$bare/bin/pip" install -q --no-index --find-links "$home/needs" "$1" || return 1
    cp tools/try_python.py data/amsterdam-roads.gr.zst tests/data/eight.{mtx,tar}.* "$bare" &&
        (cd "$bare" && env -i PATH="$bare/bin" bin/python -I try_python.py "$2")
}

# The sdist in a Debian that has only what docs/python.md asks for, without network.
try_sdist() {
    local why root
    why=$(root_refused)
    [ -z "$why" ] || { echo "skip: the sdist is not built in a bare Debian: $why"; return; }
    root=$(mktemp -d)
    # shellcheck disable=SC2064 # expanded now
    trap "rm -rf --one-file-system '$root'" EXIT
    pip_quietly "$venv/bin/pip" download -q --only-binary :all: -d "$home/needs" -r python/requirements-wheel.txt || return 1
    root_make "$root/debian" python3-dev,python3-venv,gcc,libc6-dev,cmake,ninja-build || return 1
    mkdir "$root/debian/try" && cp "$home"/needs/*.whl "$home"/dist/*.tar.gz tools/try_python.py tests/data/eight.mtx{,.gz} "$root/debian/try" || return 1
    root_run "$root/debian" 'cd /try && python3 -m venv v && v/bin/pip install -q --no-index --find-links . pyfringe*.tar.gz &&
        v/bin/python -I try_python.py cpu'
}

command -v python3 >/dev/null || skip "python3 is not installed"
make_tools || exit 1
tag=$(cuda_tag)
build_wheel "$tag" || exit 1
wheel=$(echo "$home"/dist/*.whl)
check_wheel "$wheel" || exit 1
backends=cpu
[ "$tag" = 0cpu ] && echo "skip: the wheel has no GPU code: ${WHEEL_CUDA:+WHEEL_CUDA=$WHEEL_CUDA or }nvcc is not found" || backends=cpu,cuda
try_wheel "$wheel" $backends || exit 1
[ "${1:-}" != sdist ] || try_sdist
