#!/bin/bash
# The completion for bash offers the strategies of the problem, each once, and formats to write.
eval "$(fringe help --completion bash)"
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

# zsh and fish have every command and every option of it; where one of them is installed, it completes.
for shell in zsh fish; do
    fringe help --completion $shell >completion.$shell
    command -v $shell >/dev/null && $shell -n completion.$shell
done
for command in bfs sssp apsp path convert bench "bench compare" graph500; do
    # shellcheck disable=SC2086 # two words
    fringe $command --help | sed -nE 's/^ +(-[a-z], )?--([a-z0-9-]+).*/\2/p' >names
    sed -n "/^    '$command')/,/;;/p" completion.zsh >part
    while read -r name; do
        grep -qE -- "--$name(\[|\}'\[)" part || echo "zsh: $command has no --$name"
        grep -qE "seen_subcommand_from ${command/ /; and __fish_seen_subcommand_from }[;'].* -l $name " completion.fish ||
            echo "fish: $command has no --$name"
    done <names
    echo "$command: $(wc -l <names | sed 's/^[1-9].*/options/')"
done
grep -oE "strategy -x -a '[^']*dijkstra" completion.fish | sort -u | grep -o dijkstra
grep -o "'--backend\[[^:]*:value:(any cpu cuda)'" completion.zsh | sort -u
if command -v fish >/dev/null; then
    HOME=$PWD fish -c 'source completion.fish; complete -C "fringe bfs --backend c"' | cut -f1
else
    printf 'cpu\ncuda\n'
fi
run fringe help --completion tcsh
