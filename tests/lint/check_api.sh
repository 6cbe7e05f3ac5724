#!/bin/bash
# tools/api_reference.py finds every public function in the headers, and tests/unit/test_null.c calls every one
# that takes a pointer, except those that write numbers to the caller's characters.
set -u
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
code=0
functions=$(cat include/*.h | tr '\n' ' ' | grep -oE 'FR_API [^;]*;' | grep -E '\([^)]*(\*|int index)' | sed -E 's/^[^(]*\b(fr_[a-z0-9_]+)\(.*/\1/')
[ "$(wc -l <<<"$functions")" -gt 100 ] || { echo "the functions of include/ were not found"; code=1; }
for function in $functions; do
    [[ $function == fr_put_* ]] || grep -q "\b$function(" tests/unit/test_null.c ||
        { echo "tests/unit/test_null.c does not call $function with NULL"; code=1; }
done
python3 -B tools/api_reference.py >/dev/null || code=1
exit $code
