#!/bin/bash
# skips.sh finds every skip in ctest's logs and refuses what CI does not allow: neither a missing tool nor a
# build that does not suit the test.
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/last" <<'END'
1/4 Testing: with_gpu
skip: no GPU can be used: no NVIDIA driver is installed
2/4 Testing: partly
skipped: bzip2 -c m.mtx
Test Passed.
3/4 Testing: silent
Test Passed.
4/4 Testing: whole
no skip: here
5/5 Testing: sanitized
skip: a limit of the address space keeps this build from starting
END
cat >"$work/printed" <<'END'
1/4 Test  #1: with_gpu .........................***Skipped   0.01 sec
2/4 Test  #2: partly ...........................   Passed    0.01 sec
3/4 Test #13: silent ...........................***Skipped   0.01 sec
END
same() { # NAME EXPECTED SAID
    [ "$2" = "$3" ] || { printf '%s: not\n%s\nbut\n%s\n' "$1" "$2" "$3"; exit 1; }
}
gpu='with_gpu: no GPU can be used: no NVIDIA driver is installed'
others=$'partly: bzip2 -c m.mtx\nsanitized: a limit of the address space keeps this build from starting'$'\n''silent: no reason given'
same all "$gpu"$'\n'"$others" "$("$here/skips.sh" "$work/last" "$work/printed")"
code=0
said=$("$here/skips.sh" --refused "$work/last" "$work/printed") || code=$?
same refused "$others" "$(sed 1d <<<"$said")"
same 'exit code' 1 "$code"
sed -i -e '/partly/,/^skipped/d' -e '/sanitized/,$d' "$work/last"
"$here/skips.sh" --refused "$work/last"
