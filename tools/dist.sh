#!/bin/bash
# `make dist`: what a release gives away, of HEAD, in dist/: the source archive, the sdist and wheels, Debian's packages,
# a bill of materials (SPDX) and SHA256SUMS. Each is tried in a bare Debian by the script that builds it. What cannot be
# built here is said at the end, with the reason.
# usage: tools/dist.sh [source|wheel|wheel-arm64|deb...]    default: all
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
version=$(sed -nE 's/^project\(fringe VERSION ([0-9.]+) .*/\1/p' CMakeLists.txt)
parts=("$@")
[ $# -gt 0 ] || parts=(source wheel wheel-arm64 deb)
changed=$(git status --porcelain)
[ -z "$changed" ] || { printf 'make dist: the wheels are built of the tree, which differs from HEAD:\n%s\n' "$changed"; exit 1; }
rm -rf dist && mkdir dist || exit 1

source_archive() { git archive --prefix="fringe-$version/" HEAD | gzip -9n >"dist/fringe-$version.tar.gz"; }

# What docs/python.md says; a call of one function that glibc changed later, such as hypot, raises it.
serves_glibc() { ls dist/*manylinux_2_34_"$1".whl || { echo "no wheel is for glibc 2.34:" dist/*.whl; return 1; }; }

build() { # PART: its files, into dist/
    case $1 in
    source) source_archive ;;
    wheel) tools/setup.sh build test wheel && tools/build_wheel.sh sdist && cp build/wheel/dist/* dist/ && serves_glibc "$(uname -m)" ;;
    wheel-arm64) tools/build_wheel_arm64.sh && cp build/wheel-arm64/dist/* dist/ && serves_glibc aarch64 ;;
    deb) tools/setup.sh build test deb && tools/build_deb.sh && cp build/deb/*.deb dist/ ;;
    *) echo "there is no part $1" && false ;;
    esac
}

code=0
absent=''
for part in "${parts[@]}"; do
    said=$(build "$part" 2>&1)
    case $? in
    0) absent+=$(grep '^skip: ' <<<"$said" | sort -u | sed "s/^skip: /  left out, $part: /;s/\$/\\\\n/" | tr -d '\n') ;; # of what was built
    77) absent+="  not built, $part: $(grep -m 1 '^skip: ' <<<"$said" | cut -c 7-)\n" ;;
    *) tail -20 <<<"$said" && absent+="  FAILED, $part\n" && code=1 ;;
    esac
done
tools/bill_of_materials.py dist >"dist/fringe-$version.spdx.json" || code=1
(cd dist && sums=$(sha256sum -- *) && echo "$sums" >SHA256SUMS) || code=1
(cd dist && ls -s -h -- *)
[ -z "$absent" ] || printf "%b" "$absent"
exit $code
