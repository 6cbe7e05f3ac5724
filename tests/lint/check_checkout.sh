#!/bin/bash
# A checkout whose path has the names of this tree's folders is built from the same files. usage: check_checkout.sh SOURCE_DIR
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What is built in a checkout PATH, without the path.
files() { # PATH
    mkdir -p "$work/$1" && ln -s "$source" "$work/$1/fringe"
    cmake -S "$work/$1/fringe" -B "$work/$1/build" -G Ninja -DFRINGE_CUDA=OFF >"$work/log" 2>&1 ||
        cat "$work/log"
    sed "s#$work/$1##g; s#${1//\//_}##g" "$work/$1/build/build.ninja" | tr ' ' '\n' | grep '[.][coau]*$' | sort | uniq -c
}

source=$1
files plain >"$work/plain.list"
files src/cuda/papers/conformance/typed >"$work/named.list"
twice=$(ninja -C "$work/plain/build" -t query tests/simt/libfringe_simt.a | sed -n 's#.*/src/\(.*[.]o\)$#\1#p' | grep -v /typed/ | sort | uniq -d)
[ -z "$twice" ] || echo "in libfringe_simt.a twice: $twice"
[ -z "$twice" ] && grep -q 'test_bfs[.]c' "$work/plain.list" && diff "$work/plain.list" "$work/named.list"
