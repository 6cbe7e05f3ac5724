#!/bin/bash
# The first commands on a bare Debian. Roots are made of nothing but apt's own packages and groups of
# tools/packages.txt, the repository's HEAD is cloned into each, and there, without network:
#   build      the group "build": make demo and the line that it ends with; tools/setup.sh names a further package
#   readme     README as it is printed: each command, the programs in C and Python; make install for one user
#   test       "build" and "test": the quick checks of the sources, a few quick tests of each kind, none skipped
#   test-all   these and "test-all": slow checks, the tests of bench/, clang's sanitizers, none skipped
# Needs root and mmdebstrap; 8 minutes on two cores. The packages come from this machine's apt sources.
# usage: bare_root.sh [build|readme|test|test-all...]    environment: WITHOUT="PACKAGE...": a list without these
# shellcheck disable=SC2317 # the last loop calls the functions
set -u
cd "$(dirname "$0")/../.." || exit 1
groups=("$@")
[ $# -gt 0 ] || groups=(build readme test test-all)

skip() {
    echo "skip: $1"
    exit 77
}
. tools/debian_root.sh
why=$(root_refused)
[ -z "$why" ] || skip "$why"
work=$(mktemp -d)
# What mmdebstrap mounts is in namespaces of its own: nothing here can remove a file of this machine.
trap 'rm -rf --one-file-system "$work"' EXIT

packages() { # GROUP...: the packages of these groups, as mmdebstrap takes them
    # shellcheck disable=SC2086 # words
    tools/setup.sh --list "$@" | grep -vxF -f <(printf '%s\n' none ${WITHOUT:-}) | paste -sd,
}

make_root() { # DIRECTORY PACKAGES
    root_make "$1" "$2" && git clone -q . "$1/fringe" || return 1
    local package
    for package in ${WITHOUT:-}; do sed -i "/^[a-z-]* *$package /d" "$1/fringe/tools/packages.txt"; done
}

inside() { # ROOT COMMAND: in the clone there
    root_run "$1" "cd /fringe && $2"
}

has_lines() { # FILE PATTERN TIMES: at least TIMES lines match
    [ "$(grep -cE "$2" "$1")" -ge "$3" ] || { cat "$1"; echo "fewer than $3 lines match \"$2\""; return 1; }
}

try_build() { # ROOT
    ! inside "$1" 'command -v nvcc' || { echo "nvcc is installed, although no package of the list has it"; return 1; }
    inside "$1" 'make demo' >"$work/output" || { cat "$work/output"; return 1; }
    ! grep '^setup:' "$work/output" || { echo "make demo wants to install something"; return 1; }
    has_lines "$work/output" '^verified +the answer is right' 2 && has_lines "$work/output" '^built in [0-9]+ s: ' 1 &&
        tail -1 "$work/output" || return 1
    inside "$1" "$(tail -1 "$work/output") && cd / && fringe --version" || { echo "the last line of make demo is no way to it"; return 1; }
    inside "$1" 'echo "build absent" >>tools/packages.txt && ! setpriv --reuid 1000 --clear-groups tools/setup.sh build' >"$work/output" &&
        has_lines "$work/output" 'please have these packages installed: apt-get install absent$' 1
}

# The packages for pip come from a folder; a program finds the library without LD_LIBRARY_PATH.
try_readme() { # ROOT
    python3 -m venv "$work/venv" && "$work/venv/bin/pip" download -q --only-binary :all: -d "$1/wheels" numpy \
        -r python/requirements-wheel.txt || return 1
    cat >"$1/programs.sh" <<'END'
set -ex
tools/readme_part.sh c >depth.c
eval "$(tools/readme_part.sh cc)"
./a.out data/amsterdam-roads.gr.zst
END
    # shellcheck disable=SC2016 # the root's shells expand it; PATH is that of a login
    inside "$1" 'export PATH=/usr/local/bin:$PATH PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels &&
        tools/readme_part.sh commands >/commands && sh -ex /commands && sh /programs.sh &&
        tools/readme_part.sh python | .venv/bin/python' >"$work/output" || { cat "$work/output"; return 1; }
    has_lines "$work/output" '^verified +the answer is right' 1 && has_lines "$work/output" 'has depth [0-9]+$' 1 &&
        has_lines "$work/output" '^\[ *0 ' 1 || return 1
    # shellcheck disable=SC2016 # the root's shells expand it
    inside "$1" 'xargs rm <build/install_manifest.txt && ! command -v fringe && chown -R 1000:1000 . && mkdir -m 777 /home/user &&
        setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/home/user sh -c "make install PREFIX=\$HOME/.local >/tmp/said &&
            eval \"\$(grep export /tmp/said)\" && fringe --version && sh /programs.sh"' >"$work/output" || { cat "$work/output"; return 1; }
    has_lines "$work/output" 'has depth [0-9]+$' 1
}

suite() { # ROOT GROUPS TARGETS CTEST_ARGS: nothing of the groups is missing, and no test is skipped for that
    inside "$1" "tools/setup.sh $2" >"$work/output"
    [ ! -s "$work/output" ] || { cat "$work/output"; return 1; }
    inside "$1" "cmake -S . -B build -G Ninja -DFRINGE_TESTS=ON && ninja -C build $3" >"$work/output" ||
        { tail -30 "$work/output"; return 1; }
    inside "$1" "ctest --test-dir build -j 2 --output-on-failure $4" >"$work/output" || { cat "$work/output"; return 1; }
    grep 'tests passed' "$work/output"
    tests/lint/skips.sh --refused "$1/fringe/build/Testing/Temporary/LastTest.log" "$work/output"
}

try_test() { # ROOT
    suite "$1" 'build test' 'fringe_pages fringe_shared test_executor test_context test_formats test_input' \
        "-R '^(lint_|simt_executor|test_(context|formats|input)|cli_(help|packed|npy|json|report)\$)' -LE 'slow|plain'"
}

try_test-all() { # ROOT; lint_cppcheck and bench_test_papers take too long
    local clang='clang -fsanitize=fuzzer,address,undefined -fopenmp -x c -o /tmp/probe -'
    echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' |
        inside "$1" "$clang" || { echo "clang lacks sanitizers, the fuzzer or OpenMP"; return 1; }
    suite "$1" 'build test test-all' 'fringe_pages fringe_shared fringe_static' \
        "-R '^(lint_|bench_|cli_report_browser)' -E 'lint_cppcheck|bench_test_papers'"
}

code=0
for group in "${groups[@]}"; do
    begin=$SECONDS
    more=''
    case $group in
    build) list=build ;;
    readme) list=build more=,python3-dev,python3-venv,pkg-config ;; # of pip and of README's line of cc
    test) list='build test' ;;
    *) list='build test test-all' ;;
    esac
    # shellcheck disable=SC2086 # words
    make_root "$work/$group" "$(packages $list)$more" || exit 1
    made=$((SECONDS - begin))
    "try_$group" "$work/$group" || { echo "a Debian with the packages \"$group\": FAILED"; code=1; }
    echo "a Debian with the packages \"$group\": root $made s, commands $((SECONDS - begin - made)) s"
    rm -rf --one-file-system "${work:?}/$group"
done
exit $code
