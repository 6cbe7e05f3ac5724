"""Tries an installed pyfringe: what it holds, a graph from each kind of file that lies here, verified answers.

usage: try_python.py BACKENDS    the backends that the build is to have: cpu or cpu,cuda
Where there is a GPU, it answers too.
"""

import glob
import shutil
import sys

import pyfringe as fr

compilers = [name for name in ("cc", "gcc", "clang", "nvcc") if shutil.which(name)]
backends = sorted({strategy["backend"] for strategy in fr.strategies()})
print(f"pyfringe {fr.version()} on Python {sys.version.split()[0]}, backends {', '.join(backends)}; compilers here: {compilers}")
assert ",".join(backends) == sys.argv[1], f"{sys.argv[1]} was expected"

graph = fr.Graph.generate("kronecker:scale=12,seed=1")
assert fr.bfs(graph, 0, verify=True).level.max() > 1
for device in fr.devices()[:1]:
    assert fr.bfs(graph, 0, engine="cuda", verify=True).level.max() > 1
    assert fr.sssp(graph, 0, engine="cuda", unit=True, verify=True).dist.size == graph.n
    print(f"  answers verified on {device.name}")
read = []
for path in sorted(glob.glob("eight.*") + glob.glob("*.gr.zst")):
    try:
        graph = fr.Graph.load(path)
    except fr.FringeError as error:
        assert "libarchive" in str(error), error
        print(f"  {path}: {error}")
        continue
    assert fr.sssp(graph, 0, verify=True).dist[0] == 0
    read.append(path)
print(f"  {len(read)} files read, answers verified: {' '.join(read)}")
