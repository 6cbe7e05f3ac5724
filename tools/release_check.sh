#!/bin/bash
# What RELEASING.md asks for and a script can see: a line for each check, "ok", "NO" or "skipped" and why. Exit 1 if one
# says NO.
# usage: tools/release_check.sh [versions|changelog|placeholders|tree|tag|abi|documents|samples...]    default: all
#   environment: BUILD (build)
# shellcheck disable=SC2317 # the last loop calls the functions
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
build=${BUILD:-build}
version=$(sed -nE 's/^project\(fringe VERSION ([0-9.]+) .*/\1/p' CMakeLists.txt)
all=(versions changelog placeholders tree tag abi documents samples)
[ $# -gt 0 ] || set -- "${all[@]}"

# Each prints why it says no.
versions() {
    local place found
    while read -r place found; do
        [ "$found" = "$version" ] || echo "CMakeLists.txt has $version, $place ${found:-none}"
    done < <(
        echo include/fringe.h "$(sed -nE 's/^#define FR_VERSION +"(.*)"/\1/p' include/fringe.h)"
        echo FR_VERSION_MAJOR.. "$(sed -nE 's/^#define FR_VERSION_(MAJOR|MINOR|PATCH) +([0-9]+)$/\2/p' include/fringe.h | paste -sd.)"
        echo python/pyproject.toml "$(sed -nE 's/^version = "(.*)"/\1/p' python/pyproject.toml)"
        echo python/pyfringe/__init__.py "$(sed -nE 's/^__version__ = "(.*)"/\1/p' python/pyfringe/__init__.py)"
        echo debian/changelog "$(sed -nE '1s/^fringe \(([^)]*)\).*/\1/p' debian/changelog)"
        echo CHANGELOG.md "$(sed -nE 's/^## ([0-9.]+).*/\1/p' CHANGELOG.md | head -1)"
        echo CITATION.cff "$(sed -nE 's/^version: //p' CITATION.cff)"
    )
}
changelog() {
    grep -qE "^## ${version//./\\.}, [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || echo "CHANGELOG.md has no line \"## $version, YEAR-MONTH-DAY\""
    ! tr '\n' ' ' <README.md | grep -qF 'is not released yet' || echo "README.md says that a version is not released yet"
}
placeholders() { git grep -lF fringe.invalid -- debian python | sed 's/$/ has fringe.invalid, no address/'; }
tree() { git status --porcelain | sed 's/^/not committed: /'; }
tag() { git tag --list "v$version" | sed 's/$/ exists already/'; }
abi() { tests/lint/check_abi.sh "$build"; }
documents() { tools/site.sh --build-only; }
samples() { # of README; of C; of the migration pages and the notebooks
    tests/lint/bare_root.sh readme && ctest --test-dir "$build" -R '^example_' --no-tests=error && tools/test_python.sh
}

bad=0
for check; do
    declare -F "$check" >/dev/null || { echo "NO       $check is no check: ${all[*]}" && bad=1 && continue; }
    said=$("$check" 2>&1)
    code=$?
    case $check in versions | changelog | placeholders | tree | tag) [ -z "$said" ] && code=0 || code=1 ;; esac
    case $code in
    0) echo "ok       $check" ;;
    77) echo "skipped  $check: $(grep -m 1 '^skip: ' <<<"$said")" ;;
    *) printf 'NO       %s\n%s\n' "$check" "$(tail -20 <<<"$said" | sed 's/^/         /')" && bad=1 ;;
    esac
done
exit $bad
