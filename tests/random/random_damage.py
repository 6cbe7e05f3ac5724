"""Files that no reader may take for a graph, and why."""

import os

# (suffix, text, why)
TABLE = (
    (".txt", "1 2\n2 3\n3 4 5\n4 5\n", "a line with a column more"),
    (".txt", "1 2 5\n2 3\n3 4 5\n", "a line with a column less"),
    (".csv", "1,2,5\n2,3,1,7\n", "a line with a column more"),
    (".txt", "x1 2\n2 3\n", "a first line with a number is no line of names"),
    (".txt", "source 2\n2 3\n", "a first line with a number is no line of names"),
    (".txt", "source target weight\n1 2\n2 3\n", "names of more columns than there are"),
    (".csv", "source,target\n1,2,3\n", "names of fewer columns than there are"),
    (".txt", "(1,2)\n(2,3)\n", "junk"),
    (".txt", "1 2\nx y\n2 3\n", "names behind the first line"),
    (".txt", "1 2 nan\n2 3 1\n", "a weight that is no number"),
    (".wel", "0 1 inf\n1 2 1\n", "a weight that is not finite"),
    (".wel", "0 1 1e400\n1 2 1\n", "a weight beyond double"),
    (".wel", "0 1 9223372036854775808\n1 2 1\n", "a whole weight beyond int64"),
    (".el", "0 -1\n", "a vertex below 0"),
    (".gr", "p sp 3 2\na 1 2 3\n", "fewer arcs than were said"),
    (".gr", "p sp 3 1\na 1 2 3\na 2 3 4\n", "more arcs than were said"),
    (".gr", "p sp 3 1\na 1 4 3\n", "a vertex beyond the last"),
    (".gr", "p sp 3 1\na 0 1 3\n", "a vertex before the first"),
    (".gr", "a 1 2 3\np sp 3 1\n", "an arc before the head"),
    (".mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n", "fewer entries than were said"),
    (".mtx", "%%MatrixMarket matrix coordinate pattern general\n3 4 1\n1 2\n", "not square"),
    (".mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2 2.5\n", "a fraction among integers"),
    (".mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 4\n", "a column beyond the last"),
    (".graph", "2 1\n2\n", "a missing line of a vertex that has an edge"),
    (".graph", "2 1\n2\n3\n", "a vertex beyond the last"),
)


def put(rng, folder, formats):
    """Writes one of them, with a byte order mark and CRLF at times; (its path, why)."""
    suffix, text, why = rng.choice(TABLE)
    if rng.random() < 0.3:
        text = text.replace("\n", "\r\n")
    if rng.random() < 0.2:
        text = "\ufeff" + text
    path = os.path.join(folder, "damaged" + suffix)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return path, why
