#!/bin/bash
# Cross-compiles HEAD for 64-bit Arm in a Debian root that also has arm64's libraries, and runs the unit and
# conformance tests of the CPU and the command there under qemu, which does not reorder memory accesses and so finds no
# missing barrier. Needs root; about an hour on two cores.
# usage: tools/test_aarch64.sh [CTEST_ARGS...]    for example -LE conformance
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. tools/debian_root.sh
why=$(root_refused)
[ -z "$why" ] || { echo "skip: $why"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/debian

packages=cmake,ninja-build,$(tools/setup.sh --list arm64 | paste -sd,)
root_make "$root" "$packages" --architectures=amd64,arm64 || exit 1
mkdir "$root/fringe" && git archive HEAD | tar -x -C "$root/fringe" || exit 1

tests=$(git ls-files 'tests/unit/test_*.c' 'tests/conformance/test_*.c' | sed 's|.*/||; s|\.c$||' | grep -vx test_progress)
echo "skip: test_progress: it times reports, and emulation takes many times as long"
targets=${tests//$'\n'/ } names=${tests//$'\n'/|}
root_run "$root" "cd /fringe && cmake -S . -B build -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DFRINGE_CUDA=OFF \
    -DFRINGE_TESTS=ON -DFRINGE_WERROR=ON && ninja -C build fringe fringe_shared $targets" >"$work/log" ||
    { tail -20 "$work/log" | cut -c 1-400; exit 1; }
root_run "$root" 'cd /fringe && qemu-aarch64-static build/fringe --version &&
    qemu-aarch64-static build/fringe sssp data/amsterdam-roads.gr.zst -s 1 --verify' || exit 1
root_run "$root" "cd /fringe && ctest --test-dir build -j $(nproc) --timeout 7200 --output-on-failure -R '^($names)\$' $*"
