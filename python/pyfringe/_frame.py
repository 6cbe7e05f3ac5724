"""Results as tables: data frames, and files of text, JSON, NumPy, Parquet and Arrow."""

from __future__ import annotations

import csv
import io
import json
import os
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from pyfringe._ask import APSP, BFS
from pyfringe._arrays import Array
from pyfringe._core import c_text

if TYPE_CHECKING:
    from pyfringe._result import Result

Library = Literal["pandas", "polars", "arrow"]
Format = Literal["tsv", "csv", "json", "ndjson", "npy", "npz", "parquet", "arrow", "graphalytics"]


class Column(NamedTuple):
    values: Array
    missing: Array | None = None  # a mask

    def as_list(self, missing: Any = None) -> list[Any]:
        values: list[Any] = self.values.tolist()
        if self.missing is not None:
            for i in np.flatnonzero(self.missing).tolist():
                values[i] = missing
        return values

    def kept(self, rows: Array) -> Column:
        return Column(self.values[rows], None if self.missing is None else self.missing[rows])


Table = dict[Any, Column]


def _ids(result: Result) -> Array:
    """Returns the ids of all vertices as an array, of objects if they are no integers."""
    ids = result.graph.ids
    return ids if isinstance(ids, np.ndarray) else np.fromiter(ids, object, len(ids))


def value_name(result: Result) -> str:
    return "level" if result.problem == BFS else "distance"


def values_of(result: Result, float_distances: bool) -> tuple[Array, Array | None, Array]:
    """Returns (values, the mask of missing ones, the mask of reached ones)."""
    values: Array = result._values
    if result.problem == BFS:
        reached = values >= 0
    else:
        reached = values != (np.inf if values.dtype.kind == "f" else np.iinfo(values.dtype).max)
    if float_distances:
        lowest = values == np.iinfo(values.dtype).min if values.dtype.kind == "i" and result.query.mark_negative_cycles else False
        values = np.where(lowest, -np.inf, np.where(reached, values.astype(np.float64), np.inf))
    return values, None if values.dtype.kind == "f" else ~reached, reached


def _rows(result: Result, ids: Array) -> tuple[Array, Array]:
    """Returns the ids of the sources and of the columns of a result with rows."""
    sources, targets = result.query.sources, result.query.targets if result.problem == APSP else None
    return ids if sources is None else ids[sources], ids if targets is None else ids[targets]


def long_table(result: Result, row: int | None, reached_only: bool, float_distances: bool) -> Table:
    """Returns a line for each vertex, or for each pair of a source and a vertex."""
    result._need_values("tabulate")
    ids = _ids(result)
    values, missing, reached = values_of(result, float_distances)
    parent: Any = result.parent
    xy: Any = result.graph.coordinates
    made: Table = {}
    columns: Any = ids
    if values.ndim == 2:
        sources, columns = _rows(result, ids)
        if xy is not None and result.problem == APSP and result.query.targets is not None:
            xy = xy[result.query.targets]
        if row is None:
            xy = None if xy is None else np.tile(xy, (sources.size, 1))
            made["source"] = Column(np.repeat(sources, columns.size))
            columns = np.tile(columns, sources.size)
        else:
            values, reached = values[row], reached[row]
            missing, parent = (None if a is None else a[row] for a in (missing, parent))
    elif row is not None:
        raise ValueError(f"the result has no rows, and row= is {row}")
    made["vertex"] = Column(columns)
    made[value_name(result)] = Column(values.ravel(), None if missing is None else missing.ravel())
    if parent is not None:
        before = parent.ravel()
        made["parent"] = Column(ids[before], before < 0) if ids.size else Column(before, before < 0)
    made["reached"] = Column(reached.ravel())
    if xy is not None:
        made |= {"x": Column(xy[:, 0]), "y": Column(xy[:, 1])}
    if reached_only:
        rows = np.flatnonzero(reached.ravel())
        made = {name: column.kept(rows) for name, column in made.items()}
    return made


def wide_table(result: Result, float_distances: bool) -> Table:
    """Returns a line for each source, with a column for each vertex."""
    result._need_values("tabulate")
    if result._values.ndim != 2:
        raise ValueError("a wide table is for a result with a row for each source: of apsp, bfs_each or sssp_each")
    sources, columns = _rows(result, _ids(result))
    values, missing, _ = values_of(result, float_distances)
    made: Table = {"source": Column(sources)}
    for i, id in enumerate(columns.tolist()):
        made[id] = Column(values[:, i], None if missing is None else missing[:, i])
    return made


def _as_pandas(table: Table) -> Any:
    import pandas

    def one(column: Column) -> Any:
        if column.missing is None:
            return column.values
        if column.values.dtype.kind != "O":
            return pandas.arrays.IntegerArray(np.ascontiguousarray(column.values), np.ascontiguousarray(column.missing))
        return column.as_list()

    return pandas.DataFrame({name: one(column) for name, column in table.items()})


def _as_arrow(table: Table) -> Any:
    import pyarrow

    def one(values: Array) -> Array:  # pyarrow takes no objects that are NumPy's days
        days = values.dtype.kind == "O" and all(isinstance(id, np.datetime64) for id in values)
        return np.array(values.tolist()) if days and values.size else values

    columns = {str(name): pyarrow.array(one(column.values), mask=column.missing) for name, column in table.items()}
    return pyarrow.table(columns)


def _as_polars(table: Table) -> Any:
    import polars

    return polars.from_arrow(_as_arrow(table))


_LIBRARIES = {"pandas": _as_pandas, "arrow": _as_arrow, "polars": _as_polars}


def as_frame(table: Table, library: str) -> Any:
    if library not in _LIBRARIES:
        raise ValueError(f"library is one of {', '.join(_LIBRARIES)}, not {library!r}")
    try:
        return _LIBRARIES[library](table)
    except ImportError as error:
        raise ImportError(f"a table of {library} needs the package {error.name}: pip install {error.name}") from None


def _lines(table: Table) -> tuple[list[Any], list[list[Any]]]:
    """Returns the names and the texts of a file, as the library writes them: no parent is -1 unless a vertex is."""
    del table["reached"]
    no_parent = "" if "-1" in map(str, table["vertex"].values.tolist()) else "-1"
    missing = {"level": -1, "distance": "inf", "parent": no_parent}
    return list(table), [column.as_list(missing.get(name)) for name, column in table.items()]


def _delimited(separator: str) -> Any:
    def write(table: Table, file: Any) -> None:
        text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
        writer = csv.writer(text, delimiter=separator, lineterminator="\n")
        names, columns = _lines(table)
        writer.writerow(names)
        writer.writerows(zip(*columns, strict=True))
        text.detach()

    return write


def _json(begin: str, between: str, end: str) -> Any:
    def write(table: Table, file: Any) -> None:
        del table["reached"]
        columns = [[None if value == np.inf else value for value in column.as_list()] for column in table.values()]
        rows = (dict(zip(table, line, strict=True)) for line in zip(*columns, strict=True))
        file.write((begin + between.join(json.dumps(row, ensure_ascii=False, default=str) for row in rows) + end).encode())

    return write


def _write_npz(table: Table, file: Any) -> None:
    arrays: dict[str, Any] = {}
    for name, column in table.items():
        values = column.values
        if values.dtype.kind == "O":
            listed = column.as_list("")
            if not all(isinstance(id, str) for id in listed):
                raise ValueError("an .npz file takes ids that are all integers or all strings")
            values = np.array(listed, np.str_)
        elif column.missing is not None:
            values = np.where(column.missing, -1 if name != "distance" else np.iinfo(values.dtype).max, values)
        arrays[name] = values
    np.savez(file, **arrays)


def _write_parquet(table: Table, file: Any) -> None:
    from pyarrow import parquet

    parquet.write_table(_as_arrow(table), file)


def _write_arrow(table: Table, file: Any) -> None:
    from pyarrow import feather

    feather.write_feather(_as_arrow(table), file, compression="uncompressed")


WRITERS: dict[str, Any] = {
    "tsv": _delimited("\t"), "csv": _delimited(","), "json": _json("[", ",\n", "]\n"),
    "ndjson": _json("", "\n", "\n"), "npz": _write_npz, "parquet": _write_parquet, "arrow": _write_arrow,
}  # fmt: skip
NATIVE = ("tsv", "npy", "graphalytics")  # of the library


def format_of(path: str, format: str | None) -> str:
    """Returns the format of a file: the one given, else by its suffix; text without one."""
    if format is not None:
        c_text("format", format)
    known = (*WRITERS, *NATIVE)
    suffix = os.path.splitext(path)[1][1:]
    chosen = format or suffix.lower() or "tsv"
    if chosen not in known or (format is None and chosen == "graphalytics"):
        names = ", ".join("." + name for name in (*WRITERS, "npy"))
        reason = f"format {format!r} is unknown" if format else f"there is no format for the suffix .{suffix}"
        raise ValueError(f"{reason}; results are written as {names}, or as format=\"graphalytics\"")
    return chosen


def to_bytes(table: Table, format: str) -> bytes:
    file = io.BytesIO()
    try:
        WRITERS[format](table, file)
    except ImportError as error:
        raise ImportError(f"a .{format} file needs pyarrow: pip install pyarrow ({error})") from None
    return file.getvalue()


def write_file(path: str, content: bytes) -> None:
    """Writes a file that has a temporary name until it is complete."""
    part = f"{path}.{os.getpid()}.part"
    try:
        with open(part, "xb") as file:
            file.write(content)
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise
