#!/bin/bash
# No object of the library calls exit. nvcc makes such a call of every __device__ function that host
# code calls, without a word; the host's executor cannot see it, since there all functions are the
# host's. usage: check_exits.sh OBJECT_DIRECTORY...
set -u
mapfile -t objects < <(find "$@" -name '*.o' 2>/dev/null)
kernels=$(printf '%s\n' "${objects[@]}" | grep -c '\.cu\.o$')
[ "$kernels" -gt 0 ] || { echo "skip: no .cu file is compiled in $* (no nvcc, or nothing built yet)"; exit 77; }
echo "$kernels compiled .cu files, ${#objects[@]} objects"
mapfile -t bad < <(nm -A -u "${objects[@]}" | sed -nE 's/:.* U _?exit$//p' | sort -u)
[ ${#bad[@]} -gt 0 ] || exit 0
for object in "${bad[@]}"; do
    echo "$object calls exit: host code calls a __device__ function from:"
    objdump -dr -C "$object" | sed -n -E '/^[0-9a-f]+ <.*>:$/{s/^[0-9a-f]+ <(.*)>:$/  \1/;h};/R_[A-Z0-9_]+[[:space:]]+_?exit/{g;p}' | sort -u
done
exit 1
