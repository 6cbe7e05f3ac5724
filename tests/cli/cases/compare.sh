#!/bin/bash
# What one run of bench lost against another: joined lines, intervals, exit codes.
line() { # GRAPH STRATEGY TIMES [MORE]: as `fringe bench --suite` writes it
    local sources
    sources=$(seq -s, 1 "$(tr -cd , <<<"$3," | wc -c)")
    printf '{"graph":{"name":"%s","n":9,"m":9,"hash":"%s"},"device":{"kind":"cpu","name":"Z1","threads":2},' "$1" "h$1"
    printf '"problem":"bfs","strategy":"%s","backend":"cpu","knobs":{"k":1.0},"verification":"right",' "$2"
    printf '"run_ns":[%s],"run_sources":[%s]%s}\n' "$3" "$sources" "${4:-}"
}
old() { # GRAPH STRATEGY RUNS QUARTILE MEDIAN QUARTILE: before runs were listed
    printf '{"graph":{"name":"%s","hash":"h%s"},"device":{"kind":"cuda","name":"H"},"problem":"bfs",' "$1" "$1"
    printf '"strategy":"%s","backend":"cuda","runs":%s,' "$2" "$3"
    printf '"traverse_ns":{"min":1,"quartile1":%s,"median":%s,"quartile3":%s,"max":999999999}}\n' "$4" "$5" "$6"
}
{
    line grid fast 1000,2000,4000,8000,16000,32000
    line grid slow 1000,1100,1200,1300,1400,1500
    line grid few 1000,1100,1200
    line web fast 100000,100000,100000,100000,100000
    old city scan 16 950000 1000000 1050000
    old city queue 16 500000 1000000 1500000
    line grid gone 10,10
    echo '{"suite":"x","case":"y","skipped":"no such file"}'
} >a.jsonl
{
    echo
    line grid fast 1010,2020,4040,8080,16160,32320 # pairs: 1 % each, though the runs differ much
    line grid slow 1200,1320,1440,1560,1680,1800
    line grid few 1000,1100,1200
    line web fast 99000,99000,99000,99000,99000
    line web fast 90000,90000,90000,90000,90000 ',"knobs":{"k":1,"new":5}'
    old city scan 16 1150000 1200000 1250000
    old city queue 16 600000 1200000 1800000
    line web new 10,10
} >b.jsonl
run fringe bench compare a.jsonl a.jsonl
run fringe bench compare a.jsonl b.jsonl
rows() { grep -E '^([$]|  c|fringe)'; }
run fringe bench compare a.jsonl b.jsonl --max-regression 25 | rows
run fringe bench compare a.jsonl b.jsonl --max-regression 18 --confidence 60 | rows
fringe bench compare a.jsonl b.jsonl --json 2>&1 | sed 's/},/},\n/g'

# Drawn from other sources, each side by itself; the samples follow from the seed.
line noisy s 100,140,90,130,110,160,95,120,105,125 >one.jsonl
line noisy s 150,121,166,110,190,141,133,178,127,160 | sed 's/sources":\[1,/sources":[99,/' >two.jsonl
fringe bench compare one.jsonl two.jsonl | grep noisy -A2
fringe bench compare one.jsonl two.jsonl --seed 7 | grep noisy -A2
fringe bench compare one.jsonl two.jsonl --max-regression 10 >/dev/null 2>&1
echo "exit $?"

# Not joined: another graph of the name, device, number of threads, knob, backend.
line g s 1,1,1,1,1 >one.jsonl
for change in s/hg/other/ s/Z1/Z2/ s/threads\":2/threads\":4/ s/1.0/2.0/ s/backend\":\"cpu/backend\":\"cuda/; do
    sed "$change" one.jsonl >other.jsonl
    fringe bench compare one.jsonl other.jsonl >/dev/null 2>&1
    echo "$change: exit $?"
done
# Without times: the reason is printed next to what the other file has.
sed 's/"run_ns.*/"skipped":"too large"}/' one.jsonl >skipped.jsonl
run fringe bench compare one.jsonl skipped.jsonl
sed 's/"right"/"wrong"/' one.jsonl >wrong.jsonl
run fringe bench compare one.jsonl wrong.jsonl | grep -vE '^[AB]|ratio|^$'

run fringe bench compare one.jsonl
run fringe bench compare one.jsonl one.jsonl --max-regression much
run fringe bench compare one.jsonl one.jsonl --confidence 100
run fringe bench compare one.jsonl missing.jsonl
bad() { { cat one.jsonl; echo "$1"; } >bad.jsonl; run fringe bench compare one.jsonl bad.jsonl; }
bad '{"graph": '
bad '[1, 2]'
bad '{"graph":{"name":"g"}}'
bad "$(line g s 5,0,5)"
bad "$(line g s '5,"six"')"
bad "$(old g s 5 9 8 7)"
bad '{"graph":{"name":"g"},"problem":"bfs","strategy":"s","min_ns":1}'

# What bench writes is read, from both its forms.
fringe bench eight.mtx --strategies serial --sources 6 --json >own.jsonl
fringe bench compare own.jsonl own.jsonl | grep -c 'serial .* 1.000  1.000 to 1.000'
fringe bench --suite smoke --only grid-30 --strategies serial --sources 6 >own.jsonl
fringe bench compare own.jsonl own.jsonl | grep -c 'serial .* 1.000  1.000 to 1.000'
grep -o '"run_sources":.*\],' own.jsonl | tr -cd , | wc -c
# The times of the first answer and of a call, where both lines have them.
sed -E 's/"first_ns":[0-9]+/"first_ns":2000/; s/("call_ns":\{.*"median":)[0-9]+(.*"run_ns")/\1500\2/' own.jsonl >known.jsonl
sed 's/"first_ns":2000/"first_ns":3000/' known.jsonl >later.jsonl
fringe bench compare known.jsonl later.jsonl | grep -c 'serial .* 1.500   1.000   1.000  1.000 to 1.000'
fringe bench compare known.jsonl later.jsonl --json | grep -o '"first_ratio":1.5,"call_ratio":1.0'
sed 's/"first_ns":2000,//' known.jsonl >older.jsonl
fringe bench compare older.jsonl later.jsonl | grep -c 'serial .* -   1.000   1.000  1.000 to 1.000'
# A call takes at least as long as its traversal.
sed -E 's/.*"call_ns":\{"min":([0-9]+).*/\1/' own.jsonl >call
sed -E 's/.*"traverse_ns":\{"min":([0-9]+).*/\1/' own.jsonl >traverse
[ "$(cat call)" -ge "$(cat traverse)" ] && echo "call >= traversal"
# a table in place of lines
fringe bench path:n=50 --strategies serial --backend cpu --sources 3 >table.jsonl
sed -E 's/ +/ /g; s/[0-9.]+ (ns|us|ms)/TIME/g; s/TIME [0-9.e+]+ right/TIME RATE right/' table.jsonl
run fringe bench compare table.jsonl one.jsonl 2>&1 | sed 's/([^()]*);/(...);/'
