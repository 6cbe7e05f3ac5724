#!/bin/bash
# fringe tune, and auto with and without what it found.
export XDG_CACHE_HOME=$PWD/cache
profile=cache/fringe/profile.tsv
grid=grid2d:rows=30,cols=30
fast=(--seconds 0.3 --sources 3)
# What does not depend on who was the fastest.
told() { grep -E '^(graph|size|bfs|sssp|profile|  auto  )|^exit' | steady | sed -e "s|$PWD|HERE|" -e 's/TIME .*/TIME/'; }
strategy() { grep '^strategy' | steady | sed -E 's/auto [0-9.]+/auto T/; s/cheapest way.*/.../'; }

echo "tune: nothing before"
fringe bfs $grid -s 0 | strategy
run fringe tune $grid "${fast[@]}" | told
run fringe tune $grid "${fast[@]}" --weights random:1,9 -q
echo "findings: $(cut -f1,2,5 $profile | sort | tr '\t\n' ' ;')"
fringe tune $grid --seconds 0.3 --weights random:1,9 --problem sssp -s 3,4 -q
echo "findings: $(cut -f1,2,5 $profile | sort | tr '\t\n' ' ;')"
ls -A cache/fringe

echo "auto takes it"
tuned() { # STRATEGY KNOBS, in place of what was found
    awk -F'\t' -v OFS='\t' -v s="$1" -v k="$2" 'NR > 2 && $1 == "bfs" { $6 = s; $7 = k; $8 = 1000; $9 = 2500 } 1' \
        $profile >edited.tsv
}
tuned beamer alpha=30
cp edited.tsv $profile
fringe bfs $grid -s 0 --verify | grep -E '^(strategy|verified)'
fringe bfs grid2d:rows=30,cols=31 -s 0 | strategy # one alike
fringe bfs kronecker:scale=10 -s 0 | strategy
fringe bfs $grid -s 0 --no-profile | strategy
fringe bfs $grid -s 0 --strategy serial | strategy
fringe bfs $grid -s 0 -j 1 | strategy # this machine with another number of threads
fringe bfs $grid -s 0 -q --explain | grep ^why
fringe bfs $grid -s 0 --json | grep -oE '"(strategy|strategy_asked|why)":"[^"]*"' | sed 's/,"mteps.*//' | sort -u
fringe path $grid -s 0 -t 2 --json | grep -oE '"strategy":"[^"]*"'
fringe path $grid -s 0 -t 2 --json --no-profile | grep -oE '"strategy":"[^"]*"'
mv $profile mine.tsv
fringe bfs $grid -s 0 --profile mine.tsv | strategy
fringe bfs $grid -s 0 | strategy
run fringe bfs $grid -s 0 --profile none.tsv -q
fringe bfs $grid -s 0 --profile none.tsv | strategy
run fringe bfs $grid -s 0 --profile mine.tsv --no-profile

echo "bench does not unless asked"
bench() { fringe bench $grid --sources 2 --strategies auto --backend cpu --json "$@" | grep -oE '"why":"[^"]{9}' ; }
mv mine.tsv $profile
bench
bench --profile $profile
fringe bench --suite smoke --only grid-30 --sources 2 --strategies auto --backend cpu | grep -oE '"why":"[^";]{9}'

echo "a profile that is no good is said and left"
bad() { fringe bfs $grid -s 0 --verify 2>&1 | grep -E '^(fringe|strategy|verified)' | sed -E -e "s|$PWD|HERE|" -e 's/cheapest way.*/.../'; }
tuned quick ""
cp edited.tsv $profile
bad
tuned beamer alpha=0.5
cp edited.tsv $profile
bad
sed '1s/1$/7/' edited.tsv >$profile
bad
fringe tune $grid "${fast[@]}" --problem bfs 2>&1 >/dev/null | sed "s|$PWD|HERE|"
head -1 $profile
head -c 100 edited.tsv >$profile
bad
echo "not mine" >$profile
bad
run fringe tune $grid "${fast[@]}" 2>&1 | sed "s|$PWD|HERE|"
cat $profile
fringe bfs $grid -s 0 -q # -q: not a word

echo "refused"
run fringe tune
run fringe tune $grid --seconds 0
run fringe tune $grid -s 1 --sources 2
run fringe tune $grid --sources 65
run fringe tune $grid -s 900 --profile p.tsv
run fringe tune negative.gr -s 1 --profile q.tsv --problem sssp -q --seconds 0.1
run fringe tune cycle.gr -s 1 --profile p.tsv --problem sssp -q
run fringe tune $grid "${fast[@]}" --profile none/p.tsv -q
run env -u HOME -u XDG_CACHE_HOME "$FRINGE" tune $grid 2>&1 | sed 's|^\$.*fringe tune|$ fringe tune|'
ls p.tsv 2>&1

echo "interrupted"
"$FRINGE" tune kronecker:scale=19 --weights random:1,9 --problem sssp --seconds 600 --profile late.tsv >said.log 2>err.log &
pid=$!
sleep 2
kill -INT $pid
wait $pid
echo "exit $?"
sed -E 's/^fringe: (interrupted|cancelled).*/fringe: interrupted/' err.log
for file in late.tsv*; do # whole, or not there
    [ ! -e "$file" ] || [ "$(head -1 "$file")" = "fringe profile 1" ] || echo "$file is half-written"
done
