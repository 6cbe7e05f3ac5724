#!/bin/bash
# clang-format would change nothing.
set -u
command -v clang-format >/dev/null || { echo "skip: clang-format is not installed"; exit 77; }
version=$(clang-format --version | sed -E 's/.*version ([0-9]+).*/\1/')
[ "$version" = 14 ] || { echo "skip: clang-format $version is not Debian 12's 14; layouts differ by version"; exit 77; }
git ls-files -z '*.c' '*.h' | xargs -0 clang-format --dry-run -Werror
