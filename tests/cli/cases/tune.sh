#!/bin/bash
# fringe tune, and auto with and without what it found.
export XDG_CACHE_HOME=$PWD/cache
cache=cache/fringe/tuning.tsv
grid=grid2d:rows=30,cols=30
fast=(--seconds 0.3 --sources 3)
# What does not depend on who was the fastest.
summary_of() { grep -E '^(graph|size|bfs|sssp|cache file|  auto  )|[(]exit' | steady | sed -e "s|$PWD|HERE|" -e 's|  *TIME.*| TIME|'; }
strategy() { grep '^strategy' | steady | sed -E 's/auto [0-9.]+/auto T/; s/cheapest way.*/.../'; }

echo "tune: nothing before"
fringe bfs $grid -s 0 --explain | strategy
run fringe tune $grid "${fast[@]}" | summary_of
run fringe tune $grid "${fast[@]}" --weights random:1,9 -q
echo "findings: $(cut -f1,2,5 $cache | sort | tr '\t\n' ' ;')"
fringe tune $grid --seconds 0.3 --weights random:1,9 --problem sssp -s 3,4 -q
echo "findings: $(cut -f1,2,5 $cache | sort | tr '\t\n' ' ;')"
ls -A cache/fringe

echo "auto takes it"
tuned() { # STRATEGY KNOBS, in place of what was found
    awk -F'\t' -v OFS='\t' -v s="$1" -v k="$2" 'NR > 2 && $1 == "bfs" { $6 = s; $7 = k; $8 = 1000; $9 = 2500 } 1' \
        $cache >edited.tsv
}
tuned direction-optimizing alpha=30
cp edited.tsv $cache
fringe bfs $grid -s 0 --verify --explain | grep -E '^(strategy|verified)'
fringe bfs grid2d:rows=30,cols=31 -s 0 --explain | strategy # one alike
fringe bfs kronecker:scale=10 -s 0 --explain | strategy
fringe bfs $grid -s 0 --no-tuning-cache --explain | strategy
fringe bfs $grid -s 0 --strategy serial --explain | strategy
fringe bfs $grid -s 0 -j 1 --explain | strategy # this machine with another number of threads
fringe bfs $grid -s 0 -q --explain | grep ^why
fringe bfs $grid -s 0 --json | grep -oE '"(strategy|strategy_asked|why)":"[^"]*"' | sed 's/,"mteps.*//' | sort -u
fringe path $grid -s 0 -t 2 --json | grep -oE '"strategy":"[^"]*"'
fringe path $grid -s 0 -t 2 --json --no-tuning-cache | grep -oE '"strategy":"[^"]*"'
mv $cache mine.tsv
fringe bfs $grid -s 0 --tuning-cache mine.tsv --explain | strategy
fringe bfs $grid -s 0 --explain | strategy
run fringe bfs $grid -s 0 --tuning-cache none.tsv -q
fringe bfs $grid -s 0 --tuning-cache none.tsv --explain | strategy
run fringe bfs $grid -s 0 --tuning-cache mine.tsv --no-tuning-cache

echo "bench does not unless asked"
bench() { fringe bench $grid --sources 2 --strategies auto --backend cpu --json "$@" | grep -oE '"why":"[^"]{7}' ; }
mv mine.tsv $cache
bench
bench --tuning-cache $cache
fringe bench --suite smoke --only grid-30 --sources 2 --strategies auto --backend cpu | grep -oE '"why":"[^";]{7}'

echo "a tuning cache that is no good is said and left"
bad() { fringe bfs $grid -s 0 --verify --explain 2>&1 | grep -E '^(fringe|strategy|verified)' | sed -E -e "s|$PWD|HERE|" -e 's/(tsv:4:)[0-9]+/\1COLUMN/' -e 's/cheapest way.*/.../'; }
tuned quick ""
cp edited.tsv $cache
bad
tuned direction-optimizing alpha=0.5
cp edited.tsv $cache
bad
sed '1s/1$/7/' edited.tsv >$cache
bad
fringe tune $grid "${fast[@]}" --problem bfs 2>&1 >/dev/null | sed "s|$PWD|HERE|"
head -1 $cache
head -c 100 edited.tsv >$cache
bad
echo "not mine" >$cache
bad
run fringe tune $grid "${fast[@]}" 2>&1 | sed "s|$PWD|HERE|"
cat $cache
fringe bfs $grid -s 0 -q # -q: not a word

echo "refused"
run fringe tune
run fringe tune $grid --seconds 0
run fringe tune $grid -s 1 --sources 2
run fringe tune $grid --sources 65
run fringe tune $grid -s 900 --tuning-cache p.tsv
run fringe tune negative.gr -s 1 --tuning-cache q.tsv --problem sssp -q --seconds 0.1
run fringe tune cycle.gr -s 1 --tuning-cache p.tsv --problem sssp -q
run fringe tune $grid "${fast[@]}" --tuning-cache none/p.tsv -q
run env -u HOME -u XDG_CACHE_HOME "$FRINGE" tune $grid 2>&1 | sed 's|^\$.*fringe tune|$ fringe tune|'
ls p.tsv 2>&1

echo "interrupted"
"$FRINGE" tune kronecker:scale=19 --weights random:1,9 --problem sssp --seconds 600 --tuning-cache late.tsv >said.log 2>err.log &
pid=$!
handles_interrupt $pid
sleep 2
kill -INT $pid
wait $pid
echo "exit $?"
sed -E 's/^fringe: (interrupted|cancelled).*/fringe: interrupted/' err.log
for file in late.tsv*; do # whole, or not there
    [ ! -e "$file" ] || [ "$(head -1 "$file")" = "fringe tuning cache 1" ] || echo "$file is half-written"
done
# a tuning cache that cannot be written is refused before anything is measured
run fringe tune eight.gr --seconds 0.1 --tuning-cache no/such/folder.tsv
