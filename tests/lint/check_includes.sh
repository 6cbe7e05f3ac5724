#!/bin/bash
# The direction of #include: a folder of src/ sees only base < io, gen < graph < core < cpu, cuda
# < tune, or cpu < ranks, to its left; src/cuda/ranks also sees ranks; papers sees what cuda sees and itself; verify sees base and graph; cli, bench/*.c and examples see the public
# headers and their own folder. Every quoted include names its folder ("graph/graph.h").
set -u
declare -A sees=(
    [base]='base'
    [io]='base io'
    [gen]='base gen'
    [graph]='base io gen graph'
    [ranks]='base io gen graph core cpu ranks'
    [core]='base io gen graph core'
    [cpu]='base io gen graph core cpu'
    [cuda]='base io gen graph core cuda'
    [tune]='base io gen graph core cpu cuda tune'
    [verify]='base graph verify'
)
bad=0 seen=0

complain() {
    echo "$1"
    bad=1
}

# file:line:#include "target"
while IFS=: read -r file line include; do
    seen=$((seen + 1))
    target=${include#*\"} target=${target%%\"*}
    folder=${file#src/} folder=${folder%%/*}
    case $file in
    src/cuda/ranks/*) allowed="${sees[cuda]} ranks" ;;
    papers/*) allowed="${sees[cuda]} papers" ;;
    src/*) allowed=${sees[$folder]:-} ;;
    *) allowed='' ;;
    esac
    case $target in fringe.h | fringe_measures.h | fringe_ranks.h | fringe_tune.h | bench/microbench/microbench.h) continue ;; esac
    case $file in
    include/*) complain "$file:$line: the public header includes $target" ;;
    src/* | papers/*)
        [ -n "$allowed" ] || complain "$file: folder src/$folder has no place in the order of includes"
        to=${target%%/*}
        case " $allowed " in
        *" $to "*) ;;
        *) complain "$file:$line: $folder may not include $target (it sees: $allowed)" ;;
        esac
        [ -f "src/$target" ] || [ -f "$target" ] || complain "$file:$line: there is no src/$target"
        ;;
    cli/* | examples/*)
        { [[ $target == cli/* ]] && [ -f "$target" ]; } || [ -f "$(dirname "$file")/$target" ] ||
            complain "$file:$line: ${file%%/*} sees only the public headers, not $target"
        ;;
    esac
done < <(git ls-files 'src/*.[ch]' 'src/*.cu' 'src/*.cuh' 'papers/*.[ch]' 'papers/*.cu' 'papers/*.cuh' ':!papers/lab' 'include/*.h' 'cli/*.[ch]' 'examples/*.[ch]' |
    xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"')

[ "$seen" -gt 20 ] || complain "only $seen includes were read: is this a git checkout?"
exit $bad
