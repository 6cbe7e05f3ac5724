"""graph-tool for compare.py, in Debian's Python, whose NumPy it was built for.

usage: graph_tool_server.py FOLDER     reads graph.npz there; answers lines "PROBLEM SOURCE" by "WALL_MS PROCESSOR_MS"
and writes the distances to answer.npy
"""

import sys
import time

import numpy as np

try:
    import graph_tool
    import graph_tool.topology
except ImportError:
    sys.exit(0)

folder = sys.argv[1]
graph_tool.openmp_set_num_threads(1)
given = np.load(f"{folder}/graph.npz")
begin = time.perf_counter()
graph = graph_tool.Graph(directed=True)
graph.add_vertex(int(given["n"]))
graph.add_edge_list(np.column_stack([given["row"], given["column"]]))
weights = graph.new_edge_property("double", vals=given["data"])
print((time.perf_counter() - begin) * 1e3, flush=True)
for line in sys.stdin:
    problem, source = line.split()
    wall, processor = time.perf_counter(), time.process_time()
    found = graph_tool.topology.shortest_distance(graph, graph.vertex(int(source)), weights=weights if problem == "sssp" else None)
    times = (time.perf_counter() - wall) * 1e3, (time.process_time() - processor) * 1e3
    np.save(f"{folder}/answer.npy", np.asarray(found.a, dtype=np.float64))
    print(*times, flush=True)
