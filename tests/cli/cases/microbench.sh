#!/bin/bash
# What a device can do at most, how far times are from that, and what auto loses.
fields() { grep -oE '"(microbench|bytes|width|unit|skipped)":("[^"]*"|[0-9]+)' | paste -sd' ' | sed 's/ "microbench/\n"microbench/g'; }
fringe bench --suite microbench --backend cpu --max-mem 20M >own.jsonl
fields <own.jsonl
grep -c '"device":{"kind":"cpu","name":"[^"]*","threads":2}.*"value":[0-9.]*[1-9]' own.jsonl
run fringe bench --suite microbench --backend cpu --max-mem 1M
run fringe bench --suite microbench --only kron21
run fringe bench eight.gr --max-regression 3
run fringe bench --suite smoke --max-regression 3

# Bounds of lines whose numbers are round: 1 TB/s, 100 G reads/s, 200 G probes/s.
limit() { echo "{\"device\":{\"kind\":\"cuda\",\"name\":\"$1\"},\"microbench\":\"$2\",\"unit\":\"u\",$3}"; }
{
    limit H copy '"bytes":1073741824,"value":1e12'
    limit H gather '"bytes":65536,"value":4e11'
    limit H gather '"bytes":4000000,"value":1e11'
    limit H probe '"bytes":262144,"value":2e11'
    limit H block-barrier '"width":1,"value":10'
    limit H cluster-barrier '"width":10,"value":200'
    limit H cluster-barrier '"width":20,"skipped":"why"'
    limit H grid-barrier '"width":100,"value":1000'
    limit H grid-barrier '"width":200,"value":1100'
} >microbench.jsonl
line() { # CASE PROBLEM STRATEGY N WORK MEDIAN [DEVICE [MORE]]
    printf '{"graph":{"name":"%s","n":%s,"m":99,"hash":"%s"},"device":{"kind":"cuda","name":"%s"},' "$1" "$4" "$1" "${7:-H}"
    printf '"case":"%s","problem":"%s","strategy":"%s","backend":"cuda","knobs":{},"runs":9%s,' "$1" "$2" "$3" "${8:-}"
    printf '%s"traverse_ns":{"min":1,"quartile1":%s,"median":%s,"quartile3":%s,"max":999999999}}\n' "${5:+\"min_work\":$5,}" "$6" "$6" "$6"
}
work() { echo "{\"levels\":$1,\"vertices\":$2,\"edges\":$3,\"edge_checks\":$4}"; }
{
    line bytes bfs auto 1000000 "$(work 5 500000 9000000 500000)" 24000    # 12 us: 8 n + 4 + 4
    line looks bfs auto 1000000 "$(work 5 1000000 90000000 8000000)" 88000 # 44 us of bytes, 40 of probes
    line deep bfs auto 100000 "$(work 1000 100000 400000 400000)" 400000   # a cluster: 200 us
    line deep bfs other 100000 "$(work 1000 100000 400000 400000)" 800000
    line chain bfs auto 1000 "$(work 1000 1000 1000 1000)" 100000 # a block: 10 us
    line sssp sssp auto 1000000 "$(work 1000 1000000 1000000 1)" 40000 # 20 us: 8 n + 4 + 8
    line reads sssp auto 1000000 "$(work 9 1000000 64000000 1)" 1280000 # 640 us; 524 of bytes
    line old bfs auto 1000 "" 100
    line else bfs auto 1000 "$(work 1 1 1 1)" 100 Z
    line part bfs auto 1000 "$(work 1 1 1 1)" 100 H ',"variant":"without it"'
    line deep bfs auto 100000 "$(work 1000 100000 400000 400000)" 900000 H ',"variant":"without it"' # replaces nothing
    echo '{"suite":"x","case":"y","skipped":"no such file"}'
    echo '{"suite":"auto","kind":"regret","case":"all"}'
} >results.jsonl
run fringe bench roofline results.jsonl microbench.jsonl
run fringe bench roofline results.jsonl microbench.jsonl --strategies other
fringe bench roofline results.jsonl microbench.jsonl --json --strategies other
grep -v '"probe"' microbench.jsonl >less.jsonl
run fringe bench roofline results.jsonl less.jsonl
for bad in '{"microbench":' '{"microbench":"copy"}' "$(limit H copy '"value":0')"; do
    { cat microbench.jsonl; echo "$bad"; } >bad.jsonl
    run fringe bench roofline results.jsonl bad.jsonl
done
run fringe bench roofline results.jsonl missing.jsonl
# What bench writes is read.
fringe bench --suite smoke --strategies auto --backend cpu --sources 2 >smoke.jsonl
fringe bench roofline smoke.jsonl own.jsonl | sed -E 's/ +[0-9.]+ [num]s +[a-z]+ +[0-9a-z]+ .*/ .../; 1d; s/: .*/: N/'

# Regret: a line a graph, the worst; the exit code follows the factor.
mkdir files && cp eight.gr files/osm-moscow-roads.gr
moscow=(--suite auto --only moscow --graphs files --backend cpu --sources 5)
fringe bench "${moscow[@]}" --max-regression 0.001 >auto.jsonl 2>auto.txt
code=$?
grep -oE '"kind":"regret","problem":"bfs","backend":"cpu","case":"[a-z]+"' auto.jsonl
grep -oE '"graphs":1,"worst":.*"worst_case":"moscow"' auto.jsonl | sed 's/:[0-9.e+-]*,/:N,/2'
factor=$(grep -oE '"factor":[0-9.e+-]+' auto.jsonl | cut -d: -f2)
awk -v f="$factor" -v code="$code" 'BEGIN { exit (f > 1.00001) != code }' || echo "factor $factor, exit $code"
sed -E 's/[0-9.]+/N/g; s/ +/ /g; /auto is .* slower/d; s/ [num]?s / TIME /g; s/(TIME.*TIME) [a-z]+/\1 ROW/' auto.txt
fringe bench "${moscow[@]}" --max-regression 1e6 --problem sssp 2>&1 | grep -c '"kind":"regret","problem":"sssp"'
fringe bench "${moscow[@]}" --strategies auto 2>&1 | tail -1
