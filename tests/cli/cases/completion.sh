#!/bin/bash
# The completion for bash offers the strategies of the problem, each once, and formats to write.
eval "$(fringe help --completion)"
complete_words() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _fringe
    printf '%s\n' "${COMPREPLY[@]}"
}
for command in bfs sssp apsp path bench graph500; do
    option=--strategy
    [ $command = bench ] && option=--strategies
    words=$(complete_words fringe $command $option "")
    echo "$command: $(sort <<<"$words" | uniq -d | wc -l) twice"
    for problem in serial dijkstra johnson auto; do
        grep -qx $problem <<<"$words" && echo "  $problem"
    done
done
complete_words fringe convert --format "" | grep -x 'mtx\|fringe' | sort
fringe list formats | awk '$2 != "*" && NR > 1 { print $1 }' | while read -r name; do
    complete_words fringe convert --format "$name" | grep -qx "$name" && echo "offers $name, which cannot be written"
done
complete_words fringe convert --out ""
true
