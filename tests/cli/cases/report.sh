#!/bin/bash
# The page of bench --report: well formed, nothing from elsewhere, its numbers those of the run.
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
cat >look.py <<'END'
import re, sys, xml.etree.ElementTree as tree
text = open(sys.argv[1], encoding="utf-8").read()
page = tree.fromstring(text.split("\n", 1)[1])  # all but <!DOCTYPE html>
words = lambda e: " ".join(" ".join(e.itertext()).split())
print("starts as HTML:", text.startswith("<!DOCTYPE html>\n"),
      "| from elsewhere:", re.findall(r"https?:|//|src=|@import|url\(|<script|<link", text))
targets = {e.get("id") for e in page.iter() if e.get("id")}
print("links lead somewhere:", all(a.get("href")[1:] in targets for a in page.iter("a")))
for h in page.iter("h2"): print("heading:", words(h))
for s in page.iter("section"):
    print(*map(words, s.findall("p")[:1]), "|", len(list(s.iter("svg"))), "drawings,",
          len(list(s.iter("details"))), "rows with levels")
    for drawing in s.iter("svg"):
        box = [float(x) for x in drawing.get("viewBox").split()]
        ends = [(float(e.get("x")) + float(e.get("width")), float(e.get("y")) + float(e.get("height")))
                for e in drawing.iter("rect")]
        ends += [tuple(map(float, p.split(","))) for l in drawing.iter("polyline")
                 for p in l.get("points").split()]
        if not all(0 <= x <= box[2] and 0 <= y <= box[3] for x, y in ends): print("outside its box")
END
look() { python3 look.py "$@"; }
one=(--strategies 'serial,auto' --backend cpu --sources 3)
fringe bench --suite smoke "${one[@]}" --report suite.html >lines.jsonl
echo "exit $?"
look suite.html
# The page has the medians of the lines, and the levels add up to what was reached.
python3 - <<'END'
import json, re, xml.etree.ElementTree as tree
def short(ns):
    for unit in "ns", "us", "ms", "s":
        if ns < 1000 or unit == "s": break
        ns /= 1000
    return f"{ns:.{0 if unit == 'ns' or ns >= 100 else 1 if ns >= 10 else 2}f} {unit}"
page = tree.fromstring(open("suite.html").read().split("\n", 1)[1])
lines = [json.loads(l) for l in open("lines.jsonl")]
for section, of in zip(page.iter("section"), ("kron10", "grid-30", "path-200")):
    rows = [l for l in lines if l["case"] == of]
    table = section.findall("div/table")[0].findall("tr")[1:]
    print(of, [r[3].text for r in table] == [short(l["traverse_ns"]["median"]) for l in rows])
    serial = section.findall("details")[0]
    print(" levels:", sum(int(r[2].text.replace(",", "")) for r in serial.find("div/table").findall("tr")[1:]) > 0,
          [len(p.get("points").split()) for p in serial.iter("polyline")])
END

# Names are text, whatever they hold; a long run of levels is thinned; SSSP has its buckets.
cp eight.gr '<b>&"'\''.gr'
cp eight.gr $'bad\xff\x01.gr'
fringe bench '<b>&"'\''.gr' $'bad\xff\x01.gr' path:n=5000 "${one[@]}" --report names.html >/dev/null
look names.html
grep -o 'points="[^"]*"' names.html | awk '{ print NF " points" }' | sort -u
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
grep -o 'Breadth-first search on\|Shortest paths on' sssp.html
