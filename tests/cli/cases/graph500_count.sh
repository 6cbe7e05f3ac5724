#!/bin/bash
# The edges of each key's component, counted again from the list of the edges.
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
for seed in 1 2 3; do
    fringe gen "kronecker:scale=7,edge_factor=2,seed=$seed" --directed -q -o edges.mtx
    fringe graph500 --scale 7 --edge-factor 2 --seed "$seed" --json >out.json
    python3 - <<'END'
import json
edges = [tuple(int(word) - 1 for word in line.split()[:2]) for line in open("edges.mtx") if line[0].isdigit()][1:]
home = {v: v for e in edges for v in e}
def find(v):
    while home[v] != v: v = home[v]
    return v
for u, v in edges: home[find(u)] = find(v)
o = json.load(open("out.json"))
busy = {v for u, w in edges if u != w for v in (u, w)}
counted = [sum(find(u) == find(key) for u, v in edges) for key in o["keys"]]
print(len(edges), "edges,", o["nbfs"], "keys, all different:", len(set(o["keys"])) == o["nbfs"],
      "all with an edge:", set(o["keys"]) <= busy, "counts agree:",
      counted == o["bfs"]["nedges"] == o["sssp"]["nedges"], "several counts:", len(set(counted)) > 1)
mean = sum(t / e for t, e in zip(o["bfs"]["times"], o["bfs"]["nedges"])) / o["nbfs"]
print("harmonic mean:", abs(o["bfs"]["TEPS"]["harmonic_mean"] * mean - 1) < 1e-9)
END
done
