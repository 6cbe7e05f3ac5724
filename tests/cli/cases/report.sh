#!/bin/bash
# The page of bench --report: one file, nothing from elsewhere, its JSON equal to the run's. report_browser looks at
# what its script draws.
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
cat >look.py <<'END'
import json, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
print("starts as HTML:", text.startswith("<!DOCTYPE html>\n"), "| scripts:", text.count("<script"), text.count("</script>"),
      "| from elsewhere:", re.findall(r"https?:|//|src=|@import|url\(|<link", text))
page = json.loads(re.search(r'id="data">([^<]*)</script>', text)[1])
print(page["problem"], sorted(page["cpu"]) if "cpu" in page else "")
for graph in page["graphs"]:
    print(*(ascii(graph[key]) for key in ("name", "note", "n", "m", "undirected", "sources", "seed", "skipped") if key in graph),
          "|", [(row["strategy"], row["verdict"], len(row.get("run_ns", []))) for row in graph.get("rows", [])])
    for profile in (row["profile"] for row in graph.get("rows", []) if row.get("profile", {}).get("levels")):
        assert len(profile["points"]) == min(profile["levels"], 400)
        assert profile["left_out"] or profile["levels"] == profile["spans"][-1][2] + 1
        assert page["problem"] == "sssp" or max(p[3] for p in profile["points"]) <= sum(s[3] for s in profile["spans"]) <= graph["n"]
END
look() { python3 look.py "$@"; }
one=(--strategies 'serial,auto' --backend cpu --sources 3)
fringe bench --suite smoke "${one[@]}" --report suite.html >lines.jsonl
echo "exit $?"
look suite.html
# The page has the medians of the lines.
python3 - <<'END'
import json, re
page = json.loads(re.search(r'id="data">([^<]*)</script>', open("suite.html").read())[1])
lines = [json.loads(line) for line in open("lines.jsonl")]
rows = [row for graph in page["graphs"] for row in graph["rows"]]
print("the same times:", [row["traverse_ns"] for row in rows] == [line["traverse_ns"] for line in lines if "traverse_ns" in line])
END

# Names are text, whatever they hold; a long run of levels is thinned; SSSP has its buckets.
cp eight.gr '<b>&"'\''.gr'
cp eight.gr $'bad\xff\x01.gr'
fringe bench '<b>&"'\''.gr' $'bad\xff\x01.gr' path:n=5000 "${one[@]}" --report names.html >/dev/null
look names.html
fringe bench grid2d:rows=40,cols=40 --weights random:1,100 --problem sssp --backend cpu --sources 2 \
    --report sssp.html >/dev/null
look sssp.html

# The page has the reason for a row without times; an option that nothing matches is reported at once.
fringe bench --suite gpu --only moscow --report none.html >/dev/null
look none.html
run fringe bench eight.mtx --report -
run fringe bench eight.mtx --report no/such/folder.html
echo old >kept.html
"$FRINGE" bench grid2d:rows=3000,cols=3000 --backend cpu --report kept.html >/dev/null 2>&1 &
pid=$!
handles_interrupt $pid
sleep 0.5
kill -INT $pid
wait $pid
echo "exit $?, $(cat kept.html), $(find . -name '*kept.html*' | wc -l) file"
# The page of a suite for SSSP is about shortest paths.
fringe bench --suite smoke-sssp --strategies dijkstra --backend cpu --sources 3 --only grid-30 --report sssp.html >/dev/null
echo "exit $?"
look sssp.html | sed -n 2p
