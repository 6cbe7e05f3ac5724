"""Edge tables whose vertices have ids of any kind: the numbering of ids, and columns of data frames and of files."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from pyfringe import _arrays
from pyfringe._arrays import Array

Ids = Any  # an ascending array of int64, a list of other ids in the order of the vertices, or None: 0 .. n-1


class SortedIds(Mapping[Any, int]):
    """The vertex of each id of an ascending array, found by bisection: a dict would take a hundred bytes an id."""

    def __init__(self, ids: Array) -> None:
        self.ids = ids

    def __getitem__(self, id: Any) -> int:
        if isinstance(id, (int, np.integer)) and not isinstance(id, bool):
            at = bisect_left(self.ids, int(id))
            if at < self.ids.size and self.ids[at] == id:
                return at
        raise KeyError(id)

    def find(self, ids: Array) -> Array:
        """Returns the vertices of several ids; raises KeyError with the first one that has none."""
        at = np.minimum(np.searchsorted(self.ids, ids), self.ids.size - 1)
        wrong = np.flatnonzero(self.ids[at] != ids)
        if wrong.size:
            raise KeyError(int(ids[wrong[0]]))
        return at.astype(np.int32)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.ids.tolist())

    def __len__(self) -> int:
        return int(self.ids.size)


class Column(NamedTuple):
    """A column of ids: integers, or the distinct ids in the order of their first appearance and a code for each row."""

    what: str  # its name in messages
    integers: Array | None
    distinct: list[Any]
    codes: Array

    @property
    def size(self) -> int:
        return int(self.codes.size if self.integers is None else self.integers.size)


def _no_id(what: str, row: int) -> ValueError:
    return ValueError(f"{what}: the id in row {row} (from 0) is missing; leave such rows out (dropna)")


def _is_missing(id: Any) -> bool:
    return id is None or type(id).__name__ in ("NAType", "NaTType") or (isinstance(id, (float, np.datetime64)) and id != id)


def _of_codes(what: str, codes: Array, distinct: list[Any]) -> Column:
    """From the codes of a categorical column, some of whose categories may not appear."""
    missing = np.flatnonzero(codes < 0)
    if missing.size:
        raise _no_id(what, int(missing[0]))
    used = np.zeros(len(distinct), bool)
    used[codes] = True
    if not used.all():
        codes = (np.cumsum(used) - 1)[codes]
        distinct = [id for id, kept in zip(distinct, used.tolist(), strict=True) if kept]
    return Column(what, None, distinct, codes)


def _of_arrow(what: str, values: Any) -> Column | None:
    """From an Arrow column; None for one of numbers without missing ones."""
    if values.null_count:
        raise _no_id(what, values.is_null().to_pylist().index(True))
    if str(values.type).startswith(("int", "uint", "float", "double", "halffloat", "bool")):
        return None
    if hasattr(values, "combine_chunks"):
        values = values.combine_chunks()
    encoded = values.dictionary_encode()
    return _of_codes(what, np.asarray(encoded.indices), encoded.dictionary.to_pylist())


def _of_list(what: str, ids: list[Any]) -> Column:
    places = dict(zip(distinct := list(dict.fromkeys(ids)), range(len(ids)), strict=False))
    if any(map(_is_missing, distinct)):
        raise _no_id(what, next(row for row, id in enumerate(ids) if _is_missing(id)))
    return Column(what, None, distinct, np.fromiter(map(places.__getitem__, ids), np.int64, len(ids)))


def numeric(what: str, values: Any) -> Any:
    """Returns a pandas column with a mask as an array of numbers; anything else as it is."""
    dtype: Any = getattr(values, "dtype", None)
    if isinstance(dtype, np.dtype) or getattr(dtype, "kind", "O") not in "iuf" or not hasattr(values, "isna"):
        return values
    missing = np.flatnonzero(values.isna())
    if missing.size:
        raise ValueError(f"{what}: row {missing[0]} (from 0) has no number; leave such rows out (dropna)")
    return values.to_numpy(dtype=np.float64 if dtype.kind == "f" else np.int64)


def column(what: str, values: Any) -> Column:
    """Returns a caller's column of ids: a list, an array, a column of pandas, Arrow or Polars; a Column as it is."""
    if isinstance(values, Column):
        return values
    if hasattr(values, "to_arrow"):  # Polars
        values = values.to_arrow()
    if hasattr(values, "dictionary_encode") and (made := _of_arrow(what, values)) is not None:
        return made
    values = numeric(what, values)
    if hasattr(values, "factorize") and values.dtype.kind not in "iufb":  # pandas
        codes, distinct = values.factorize()
        return _of_codes(what, codes, distinct.tolist())
    if isinstance(values, (list, tuple)) and any(isinstance(id, (str, tuple)) for id in values):
        return _of_list(what, list(values))
    array = _arrays.vector(what, values)
    if array.dtype.kind in "OUSM" or (array.dtype == np.uint64 and array.size and array.max() >= 2**63):
        return _of_list(what, _arrays.listed(array))
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise _no_id(what, int(np.flatnonzero(np.isnan(array))[0]))
    return Column(what, _arrays.indices(what, array), [], np.empty(0, np.int64))


def weights(what: str, values: Any, count: int) -> Array:
    """Returns a caller's column of weights as an array of a weight type."""
    return _arrays.weights(numeric(what, values), count, what=what)


def _number_integers(values: Array) -> tuple[Array, Ids]:
    """Returns (vertices, ids) of integers: the ids ascend."""
    if not values.size:
        return values, None
    low, high = int(values.min()), int(values.max())
    if high - low < 4 * values.size + 1024:  # a mark for each possible id is faster than sorting
        marks = np.zeros(high - low + 1, bool)
        marks[values - low] = True
        ids = np.flatnonzero(marks) + low
        vertices = values - low if ids.size == marks.size else (np.cumsum(marks, dtype=np.int32) - 1)[values - low]
    else:
        ids, vertices = np.unique(values, return_inverse=True)
    own = ids[0] == 0 and ids.size == high + 1
    return vertices, None if own else ids.astype(np.int64, copy=False)


class Numbering:
    """Numbers the ids of columns as they come."""

    def __init__(self, ids: Any = None) -> None:
        self.given = ids is not None and not isinstance(ids, bool)
        self.columns: list[Array] = []  # of integers as they are, else of vertices
        self.places: dict[Any, int] | None = None  # the vertex of each id; None while all are integers
        if self.given:
            first = column("ids", ids)
            listed = first.distinct if first.integers is None else first.integers.tolist()
            self.places = dict(zip(listed, range(len(listed)), strict=True))
            if len(self.places) != first.size:
                raise ValueError("ids: an id appears twice")

    def add(self, added: Column) -> None:
        if self.places is None and added.integers is not None:
            self.columns.append(added.integers)
            return
        if self.places is None:  # the first column that is not of integers
            earlier, self.columns, self.places = self.columns, [], {}
            for integers in earlier:
                self.add(Column("", integers, [], integers))
        places = self.places
        if added.integers is not None:
            added = _of_list(added.what, added.integers.tolist())
        if self.given and (unknown := [id for id in added.distinct if id not in places]):
            raise ValueError(f"{added.what}: {unknown[0]!r} is not among ids")
        found = [places.setdefault(id, len(places)) for id in added.distinct]
        self.columns.append(np.array(found, np.int32)[added.codes])

    def finish(self) -> tuple[list[Array], int, Ids]:
        """Returns (the columns as vertices, their number, the ids)."""
        if self.places is not None:
            own = all(type(id) is int and id == v for id, v in self.places.items())
            return self.columns, len(self.places), None if own else list(self.places)
        ends = np.cumsum([part.size for part in self.columns])[:-1]
        vertices, ids = _number_integers(np.concatenate(self.columns)) if self.columns else (np.empty(0, np.int32), None)
        n = len(ids) if ids is not None else int(vertices.max()) + 1 if vertices.size else 0
        return np.split(vertices.astype(np.int32, copy=False), ends), n, ids


def pick(table: Any, name: Any) -> Any:
    """Returns a column of a data frame of pandas or Polars, or of an Arrow table or batch."""
    dtype = getattr(table, "dtype", None)  # of a NumPy array of records
    names = list(getattr(table, "column_names", None) or getattr(dtype, "names", None) or table.columns)
    if name not in names:
        raise ValueError(f"there is no column {name!r}; the columns are {', '.join(map(repr, names))}")
    return table[name]


def read_parquet(path: str | os.PathLike[str], source: str, target: str, weight: str | None) -> tuple[Any, Any, Any, int, Ids]:
    """Returns (sources, targets, weights, n, ids) of a Parquet file, of which a batch of rows is read at a time."""
    try:
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise ImportError("from_parquet needs pyarrow: pip install pyarrow") from None
    numbering, parts = Numbering(), []
    wanted = [source, target] + ([] if weight is None else [weight])
    with ParquetFile(os.fspath(path)) as file:
        for name in wanted:
            if name not in file.schema_arrow.names:
                raise ValueError(f"there is no column {name!r}; the columns are {', '.join(file.schema_arrow.names)}")
        for batch in file.iter_batches(1 << 20, columns=list(dict.fromkeys(wanted))):
            for name in (source, target):
                numbering.add(column(name, batch[name]))
            if weight is not None:
                parts.append(weights(weight, batch[weight], batch.num_rows))
    columns, n, ids = numbering.finish()
    sources, targets = (np.concatenate(columns[side::2]) if columns else np.empty(0, np.int32) for side in (0, 1))
    return sources, targets, None if weight is None else np.concatenate(parts or [np.empty(0, np.int32)]), n, ids
