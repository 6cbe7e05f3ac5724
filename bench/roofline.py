"""The least time that a device's measured limits allow a traversal: what `fringe bench roofline` prints.

docs/measuring.md has the formulas; cli/bench/roofline.c is the same for the command.
"""

import math


class Limits:
    """The lines of `fringe bench --suite microbench` for one device."""

    def __init__(self, lines):
        self.lines = [line for line in lines if "value" in line]
        self.barriers = [line for line in self.lines if line["microbench"].endswith("-barrier")]
        grids = [line["width"] for line in self.barriers if line["microbench"] == "grid-barrier"]
        self.whole = min(grids) if grids else max((line["width"] for line in self.barriers), default=0)

    def usable(self):
        return self.whole > 0 and {"copy", "gather", "probe"} <= {line["microbench"] for line in self.lines}

    def rate(self, name, size):
        """Between two sizes the time of an access goes with the size's logarithm."""
        rates = {line["bytes"]: line["value"] for line in self.lines if line["microbench"] == name}
        below = max((b for b in rates if b <= size), default=min(rates))
        above = min((b for b in rates if b >= size), default=max(rates))
        if above <= below:
            return rates[below]
        part = math.log(size / below) / math.log(above / below)
        return 1 / ((1 - part) / rates[below] + part / rates[above])


def bound_ns(line, limits):
    """None where the line does not say what work there was: builds before it was counted."""
    work = line.get("min_work")
    if not work or not work["vertices"]:
        return None
    bfs = line.get("problem", "bfs") == "bfs"
    n, offset = line["graph"]["n"], 4 if line["graph"]["m"] < 2**32 else 8
    accesses = work["edge_checks"] if bfs else work["edges"]
    size = 8 * n + offset * work["vertices"] + (4 if bfs else 8) * accesses
    rate = limits.rate("probe", n / 8) if bfs else limits.rate("gather", 4 * n)
    bytes_ns, accesses_ns = size * 1e9 / limits.rate("copy", 0), accesses * 1e9 / rate
    if not bfs:
        return max(bytes_ns, accesses_ns)
    layers = [(min(x["width"] / limits.whole, 1), x["value"]) for x in limits.barriers]
    return min(max(bytes_ns / share, accesses_ns / share, work["levels"] * ns) for share, ns in layers)
