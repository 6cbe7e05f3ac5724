"""The statistics of the surrogates, and their distance from the papers' graphs."""

import math

from .lines import graph_of, provenance
from .page import given
from .run import key_of

HEADS = ["graph", "", "V, M", "E, M", "diameter", "mean degree", "deviation", "maximum degree", "distance"]
DISTANCE = """Distance: how far the surrogate is from the paper's graph, the root mean square of ln(surrogate / paper)
    over vertices, edges, diameter, deviation + 1 and maximum degree: 0.7 is a factor of 2 on average."""


def facts_of(lines, surrogate):
    return lines.job(f"facts/{key_of(surrogate)}")


def distance(line, vertices, edges, diameter, deviation, max_degree):
    """Returns the root mean square of the logarithms of the ratios; vertices and edges are in millions."""
    pairs = [(line["n"] * 1e-6, vertices), (line["m"] * 1e-6, edges), (line["diameter_lower_bound"], diameter),
             (line["degree_stddev"] + 1, deviation + 1), (line["degree_max"], max_degree)]  # fmt: skip
    return math.sqrt(sum(math.log(a / b) ** 2 for a, b in pairs) / len(pairs))


def rows_of(lines, surrogate, published):
    """Returns the rows of the paper's graph and of its surrogate. published: vertices and edges in millions,
    diameter, mean degree, deviation, maximum degree."""
    line = facts_of(lines, surrogate)
    rows = [[surrogate.original, "published", *(given(x) for x in published), ""]]
    if line:
        vertices, edges, diameter, _, deviation, max_degree = published
        rows.append([
            graph_of(line), "surrogate", f"{line['n'] * 1e-6:.3g}", f"{line['m'] * 1e-6:.3g}",
            f">= {line['diameter_lower_bound']}", f"{line['degree_mean']:.1f}", f"{line['degree_stddev']:.1f}",
            line["degree_max"], f"{distance(line, vertices, edges, diameter, deviation, max_degree):.2f}",
        ])  # fmt: skip
    return rows, line


def table(page, lines, graphs):
    """graphs: (surrogate, published statistics). Returns the lines."""
    rows, used = [], []
    for surrogate, published in graphs:
        found, line = rows_of(lines, surrogate, published)
        rows += found
        used.append(line)
    page.table(HEADS, rows)
    page.paragraph(f"""E counts stored edges, an undirected one twice. Diameters are lower bounds from three
        traversals. {DISTANCE} {provenance(used)}""")  # fmt: skip
    return used
