#!/bin/bash
# Cross-compiles the wheel of the Python package for 64-bit Arm, without GPU code, into build/wheel-arm64/dist/, in a
# Debian root that also has arm64's libraries; installs it in a Debian of arm64 without compilers and tries it there
# under qemu: tools/try_python.py and tests of python/tests that need no more than NumPy. As root, 10 minutes.
# usage: tools/build_wheel_arm64.sh [PYTEST_ARGS...]    in place of the three files below: tests/test_api.py
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. tools/debian_root.sh
home=$PWD/build/wheel-arm64
. tools/wheel_steps.sh
why=$(root_refused)
[ -z "$why" ] || skip "$why"
work=$(mktemp -d)
emulator=''
trap '[ -z "$emulator" ] || emulate_end; rm -rf --one-file-system "$work"' EXIT

# What pip installs in the two roots, which have no network.
download() {
    local platforms=() i
    for i in $(seq 17 36); do platforms+=(--platform "manylinux_2_${i}_aarch64"); done # up to Debian 12's glibc
    pip_quietly "$venv/bin/pip" download -q --only-binary :all: -d "$work/build" -r python/requirements-wheel.txt &&
        pip_quietly "$venv/bin/pip" download -q --only-binary :all: "${platforms[@]}" --python-version 3.11 -d "$work/try" \
            pip numpy==2.4.6 cffi==2.1.1 "$(grep ^pytest== python/requirements-test.txt)"
}

# pip sees the platform that _PYTHON_HOST_PLATFORM names; Python's own headers choose the processor's pyconfig.h.
build_wheel() {
    local root=$work/host
    root_make "$root" "python3-dev,python3-venv,cmake,ninja-build,$(tools/setup.sh --list arm64 arm64-wheel | paste -sd,)" --architectures=amd64,arm64 \
        --dpkgopt='path-include=/usr/share/doc/*/copyright' --dpkgopt='path-include=/usr/share/doc/libgomp1' || return 1
    mkdir "$root/fringe" && git archive HEAD | tar -x -C "$root/fringe" && mv "$work/build" "$root/needs" || return 1
    # shellcheck disable=SC2016 # the root's shell expands it
    root_run "$root" 'cd /fringe && python3 -m venv /v && /v/bin/pip install -q --no-index --find-links /needs -r python/requirements-wheel.txt &&
        ln -s /usr/bin/aarch64-linux-gnu-strip /v/bin/strip && export PATH=/v/bin:$PATH _PYTHON_HOST_PLATFORM=linux-aarch64 &&
        pip wheel -v --no-build-isolation --no-deps --no-index -w /raw --config-settings=wheel.build-tag=0cpu --config-settings=cmake.define.CMAKE_TOOLCHAIN_FILE=/fringe/cmake/aarch64.cmake \
            --config-settings=cmake.define.PYFRINGE_STATIC_ARCHIVE=ON --config-settings=cmake.define.FRINGE_CUDA=OFF ./python &&
        auditwheel repair --strip -w /dist /raw/*.whl' >"$log" 2>&1 || { tail -40 "$log" | cut -c 1-400; return 1; }
    rm -rf "$home/dist"
    cp -r "$root/dist" "$home/dist"
}

# Checks what auditwheel reported: the libraries that each file asks for, the newest version of glibc.
check_needs() {
    local root=$work/host
    # shellcheck disable=SC2016 # the root's shell expands it
    root_run "$root" 'mkdir /unpacked && cd /unpacked && /v/bin/python -m zipfile -e /dist/*.whl . && for file in pyfringe/*.so pyfringe.libs/*; do
        echo "$file $(aarch64-linux-gnu-readelf -h "$file" | sed -n "s/ *Machine: *//p") $(aarch64-linux-gnu-readelf -V "$file" |
            grep -oE "GLIBC_[0-9.]+" | sort -uV | tail -1): $(aarch64-linux-gnu-readelf -d "$file" | sed -n "s/.*(NEEDED).*\[\(.*\)\]/\1/p" | xargs)"; done' |
        tee "$home/needs" || return 1
    # the name has manylinux_2_NN, and no file may need a later glibc
    python3 - "$1" "$home/needs" <<'END'
import re, sys

limit = int(re.search(r"manylinux_2_(\d+)_aarch64\.whl$", sys.argv[1])[1])
allowed = re.compile(r"lib(c|m)\.so\.6|ld-linux-aarch64\.so\.1|lib(bz2|gomp|nettle)-[0-9a-f]+\.so[.0-9]+")
lines = open(sys.argv[2], encoding="ascii").read().splitlines()
for line in lines:
    name, machine, version, *libraries = line.split()
    assert machine == "AArch64", line
    assert int(version.rstrip(":").split(".")[1]) <= limit, line
    assert all(allowed.fullmatch(library) for library in libraries), line
assert len(lines) == 4, "the module, libbz2, libgomp and libnettle were expected"
END
}

# Tests that need other packages than NumPy skip themselves.
try_wheel() { # WHEEL PYTEST_ARGS...
    local root=$work/arm64 wheel=$1
    shift
    emulate_begin "$work/host" || { echo "skip: programs of arm64 cannot run here: binfmt_misc in a user namespace needs Linux 6.7"; return; }
    # extracted, not configured: no script of a package has to run under qemu
    root_make "$root" "python3,libstdc++6,dash,coreutils" --architectures=arm64 --variant=extract || return 1
    mkdir "$root"/{try,proc,root} && cp -r tools/try_python.py python/tests data/amsterdam-roads.gr.zst tests/data/eight.{mtx,tar}.* "$wheel" "$work"/try/*.whl "$root/try" || return 1
    emulate root_run "$root" "cd /try && uname -m && python3 \$(echo pip-*.whl)/pip install -q --no-index --find-links . --target /site pyfringe pytest &&
        export PYTHONPATH=/site PYTHONDONTWRITEBYTECODE=1 && python3 try_python.py cpu &&
        python3 -m pytest -q -rs -p no:cacheprovider $* 2>&1" | sed -E 's/^SKIPPED \[[0-9]+\] [^ ]+ /skip: /'
}

make_tools && download && build_wheel || exit 1
wheel=$(echo "$home"/dist/*.whl)
check_wheel "$wheel" && check_needs "$wheel" || exit 1
[ $# != 0 ] || set -- tests/test_batches.py tests/test_names.py tests/test_bad_input.py
try_wheel "$wheel" "$@"
