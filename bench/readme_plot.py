"""Draws README's plot: times of fringe and of other programs on one GPU, one row per graph, as SVG."""

import math
from html import escape

ROW, TOP, LEFT, WIDTH, GAP = 26, 58, 176, 330, 34  # pixels: a row, the heads, row labels, a panel, between panels
LOW, HIGH = -1.3, 3.2  # log10 of ms at the ends of the axis
FRINGE, OTHER, CUGRAPH, INK, SOFT = "#1f5fa8", "#c0561b", "#6b5b95", "#1b1f24", "#d8dde4"


def x_of(ms, left):
    return left + (math.log10(ms) - LOW) / (HIGH - LOW) * WIDTH


def text(x, y, words, anchor="start", size=12, weight="normal"):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
        f'font-weight="{weight}" fill="{INK}">{escape(words)}</text>'
    )


def mark(shape, x, y, color, title, hollow=False):
    fill = f'fill="#fff" stroke="{color}" stroke-width="2"' if hollow else f'fill="{color}"'
    points = f"{x:.1f},{y - 6:.1f} {x + 6:.1f},{y:.1f} {x:.1f},{y + 6:.1f} {x - 6:.1f},{y:.1f}"
    place = f'cx="{x:.1f}" cy="{y:.1f}" r="5"' if shape == "circle" else f'points="{points}"'
    return f"<{shape} {place} {fill}><title>{escape(title)}</title></{shape}>"


def axis(left, bottom):
    parts = []
    for power, words in ((-1, "0.1 ms"), (0, "1 ms"), (1, "10 ms"), (2, "100 ms"), (3, "1 s")):
        x = x_of(10**power, left)
        parts.append(f'<line x1="{x:.1f}" y1="{TOP - 8}" x2="{x:.1f}" y2="{bottom}" stroke="{SOFT}"/>')
        parts.append(text(x, bottom + 16, words, "middle", 11))
    return parts


def panel(peers, graphs, problem, left, bottom):
    parts = [text(left, TOP - 18, problem.upper(), weight="bold", size=13), *axis(left, bottom)]
    for row, graph in enumerate(graphs):
        y = TOP + ROW * (row + 0.5)
        ours, other, name, call, cugraph = peers.times(problem, graph)
        parts += [
            mark("polygon", x_of(cugraph, left), y, CUGRAPH, f"cuGraph, whole call: {cugraph:.3g} ms", True),
            mark("circle", x_of(call, left), y, FRINGE, f"fringe, whole call: {call:.3g} ms", True),
            mark("polygon", x_of(other, left), y, OTHER, f"{name}, traversal: {other:.3g} ms"),
            mark("circle", x_of(ours, left), y, FRINGE, f"fringe, traversal: {ours:.3g} ms"),
        ]
    return parts


def legend(y):
    items = [
        ("circle", FRINGE, False, "fringe, traversal"),
        ("polygon", OTHER, False, "fastest other program, traversal"),
        ("circle", FRINGE, True, "fringe, whole call"),
        ("polygon", CUGRAPH, True, "cuGraph, whole call"),
    ]
    parts, x = [], 14
    for shape, color, hollow, words in items:
        parts += [mark(shape, x, y - 4, color, words, hollow), text(x + 11, y, words)]
        x += 40 + 6.4 * len(words)
    return parts


def draw(peers, graphs):
    """graphs: {name in the lines: words}."""
    bottom = TOP + ROW * len(graphs)
    width, height = LEFT + 2 * WIDTH + GAP + 20, bottom + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" role="img">',
        "<title>BFS and SSSP on one NVIDIA H200, milliseconds on a logarithmic axis</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        *legend(20),
    ]
    for row, words in enumerate(graphs.values()):
        parts.append(text(LEFT - 10, TOP + ROW * (row + 0.5) + 4, words, "end"))
    for i, problem in enumerate(("bfs", "sssp")):
        parts += panel(peers, graphs, problem, LEFT + i * (WIDTH + GAP), bottom)
    return "\n".join([*parts, "</svg>"]) + "\n"
