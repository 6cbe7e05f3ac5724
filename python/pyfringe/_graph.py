"""The class Graph: construction from arrays, files, generators and other packages, and the graph's contents."""

from __future__ import annotations

import html
import os
import threading
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from pyfringe import _arrays, _convert, _coordinates, _device, _handles, _keys, _tables, _vertices
from pyfringe._arrays import DTYPES, Array, Int32Array, Int64Array
from pyfringe._core import LIGHT, Call, Progress, c_string, c_text, members, struct, taken
from pyfringe._fringe import ffi, lib
from pyfringe._handles import EngineName, Handle, load_options, new_handle
from pyfringe.errors import FringeError, InvalidError, NoSuchFileError, NotFoundError



class Components(NamedTuple):
    """Components, numbered in the order of their smallest vertices."""

    count: int  # type: ignore[assignment]  # instead of tuple.count
    label: Int32Array
    """The component of each vertex: int32, shape (n,)."""
    size: Int32Array
    """The vertices of each component: int32, shape (count,)."""


class Cycle(NamedTuple):
    """A negative cycle ``vertices[0] -> vertices[1] -> ... -> vertices[0]``."""

    vertices: list[int]
    weight: float


_loading = threading.RLock()  # held while the first use of an unpickled graph reads it


def _renew_lock() -> None:
    global _loading
    _loading = threading.RLock()  # a thread that held it does not exist after a fork


os.register_at_fork(after_in_child=_renew_lock)


class Graph(_coordinates.Located, _convert.Converted, _keys.Keyed):
    """A graph in compressed sparse rows, held by the C library.

    Vertices are 0 .. n-1. The class methods make graphs. A graph does not change, and any number of
    threads may use it at a time.

    Examples
    --------
    >>> import pyfringe as fr
    >>> g = fr.Graph.from_edges([0, 1, 2], [1, 2, 3], [5, 1, 1])
    >>> g
    <pyfringe.Graph: 4 vertices, 3 edges, int64 weights>
    >>> g.indptr, g.indices, g.data
    (array([0, 1, 2, 3, 3]), array([1, 2, 3], dtype=int32), array([5, 1, 1]))
    """

    __slots__ = ("__weakref__", "_content", "_edge_keys", "_handle", "_place_of", "_weights", "labels")

    _handle: Handle | None
    _content: bytes | None  # of a graph that was unpickled and not used since: the file that its first use reads
    _edge_keys: _keys.Keys | None
    _place_of: Mapping[Any, int] | None  # of `labels`; empty if they are the vertices' own numbers; None: not made yet
    _weights: dict[str, Any]  # by name: an array in the order of `indices`, from the first use on a handle; with keys in that of the input
    labels: Any
    """The id of each vertex of a graph from a table with ids, or the node of one from NetworkX: a list, or an ascending
    array of int64; else None."""

    def __init__(self) -> None:
        raise TypeError("a graph is made by a class method, such as Graph.from_csr, from_edges, load or generate")

    # ---- construction ----

    @classmethod
    def _of(
        cls, handle: Handle | None, labels: Any = None, content: bytes | None = None,
        places: _coordinates.Places | None = None, weights: dict[str, Any] | None = None, keys: _keys.Keys | None = None,
    ) -> Graph:  # fmt: skip
        graph = cls.__new__(cls)
        graph._handle = handle
        graph._content = content
        graph._edge_keys = keys
        graph._place_of = None
        graph._places_xy = places
        graph._weights = {} if weights is None else weights
        graph.labels = labels
        return graph

    @classmethod
    def from_csr(
        cls, indptr: Any, indices: Any, data: Any = None, *, copy: bool | None = None, symmetric: bool = False,
    ) -> Graph:  # fmt: skip
        """Makes a graph from the arrays of a CSR matrix.

        Rows may be in any order and contain parallel edges. Arrays in the library's own format are
        borrowed, not copied: `indptr` int64, `indices` int32, `data` int32, int64, float32 or float64, each
        contiguous, each row sorted by target and then by weight. Do not change them while the graph is
        in use. An array of another type is copied; if a row is not sorted, all arrays are copied and sorted.

        Parameters
        ----------
        indptr : array_like of int, shape (n + 1,)
            Row u holds the edges ``indptr[u]:indptr[u + 1]``.
        indices : array_like of int, shape (m,)
            Targets of the edges.
        data : array_like, shape (m,), optional
            Weights. Without them each edge has weight 1.
        copy : bool, optional
            None copies arrays that are not in the format above, True always copies, False raises
            ValueError if a copy would be needed.
        symmetric : bool
            States that each edge is stored in both directions; this is checked.

        Examples
        --------
        >>> Graph.from_csr([0, 2, 2, 2], [2, 1])
        <pyfringe.Graph: 3 vertices, 2 edges>
        """
        if any(_device.is_on_device(a) for a in (indptr, indices, data)):
            raise TypeError("from_csr takes arrays in host memory; Graph.from_device_csr takes those in a GPU's")
        offsets, targets = _arrays.indices("indptr", indptr), _arrays.indices("indices", indices)
        weights = None if data is None else _arrays.weights(data, targets.size)
        if offsets.size < 1 or offsets.size > 2**31:
            raise ValueError("indptr must have an entry more than there are vertices: 1 to 2^31")
        arrays = [offsets, targets, weights]
        if copy is False:
            given = (indptr, indices, data)
            fits = offsets.dtype == np.int64 and targets.dtype == np.int32
            if not fits or any(a is not None and a is not b for a, b in zip(arrays, given, strict=True)):
                raise ValueError("copy=False: an array does not have the library's type or is not contiguous")
            return cls._of(_handles.borrow(arrays, symmetric))
        if not copy and (narrow := _handles.borrowable(offsets, targets)):
            try:
                return cls._of(_handles.borrow([*narrow, weights], symmetric))
            except InvalidError as error:
                if "is not sorted" not in str(error):
                    raise
        if not symmetric:
            return cls._of(_handles.from_rows(arrays, bool(copy)))
        ordered = cls._of(_handles.from_rows(arrays, True))  # fr_graph_from_arrays makes directed graphs of rows
        return cls._of(_handles.borrow([ordered.indptr, ordered.indices, ordered.data], True))

    @classmethod
    def from_device_csr(
        cls, indptr: Any, indices: Any, data: Any = None, *, symmetric: bool = False, stream: int | None = None
    ) -> Graph:
        """Makes a graph from the arrays of a CSR matrix in a GPU's memory, without a copy.

        The GPU of ``config.device`` checks the arrays; they must be in its memory. They are borrowed: do not
        change them while the graph is in use. `bfs` and `sssp` on the GPU use them. Functions on the CPU,
        and `indptr`, `indices`, `data`, `save` and ``verify=True``, copies the rows to the host once.

        Parameters
        ----------
        indptr, indices, data : array with the CUDA array interface or DLPack
            Of CuPy, PyTorch, Numba, JAX or cuGraph, each contiguous: `indptr` int32 or int64, `indices` int32,
            `data` int32, int64, float32 or float64. Each row ascends by target and then by weight.
        symmetric : bool
            States that each edge is stored in both directions; this is checked.
        stream : int, optional
            The address of the CUDA stream after whose work the arrays are read; by default what the arrays
            say (CuPy's and PyTorch's current stream), else the default stream.

        Raises
        ------
        DeviceError
            There is no GPU, or the package was built without GPU code.
        """
        return cls._of(_handles.device_rows(indptr, indices, data, bool(symmetric), stream))

    @classmethod
    def from_edges(
        cls, src: Any, dst: Any, weights: Any = None, *, n: int | None = None, ids: Any = None, directed: bool = True,
        drop_parallel: bool = False, drop_loops: bool = False, coordinates: Any = None, edge_keys: Any = None,
    ) -> Graph:  # fmt: skip
        """Makes a graph from edges ``src[i] -> dst[i]`` in any order (COO); the arrays are copied.

        Parameters
        ----------
        src, dst : array_like, shape (m,)
            Integers below 2^31 are numbers of vertices; int32 and int64 are read without conversion. Strings,
            larger integers, categories and other hashable objects are ids: the graph keeps them in `ids` and takes
            them as sources, targets and closed vertices. Columns of pandas, Arrow or Polars tables are accepted.
        weights : array_like, shape (m,), optional
            Or several with names, a mapping: the graph has the first ones, and `with_weights` takes a name.
        n : int, optional
            The number of vertices; by default the largest vertex plus 1. Not with ids.
        ids : bool or array_like, optional
            True: integers are ids, too, so that gaps between them make no vertices. False: all are numbers. An array:
            the ids of all vertices in their order, also of those without edges. By default vertices are in the
            ascending order of integer ids, and of other ids in that of their first appearance in `src`, then `dst`.
        directed : bool
            False stores each edge in both directions.
        drop_parallel : bool
            Keeps only the lightest of parallel edges.
        drop_loops : bool
            Drops edges from a vertex to itself.
        coordinates : array_like, mapping, table or path, optional
            As for `coordinates`.
        edge_keys : array_like, shape (m,), optional
            What tells parallel edges apart, such as numbers of lines: `path_edges` returns those of a path.

        Examples
        --------
        >>> Graph.from_edges([0, 1], [1, 2], [0.5, 2.0], directed=False)
        <pyfringe.Graph: 3 vertices, 4 edges, symmetric, float64 weights>
        >>> import pyfringe as fr
        >>> g = Graph.from_edges(["Rome", "Bonn"], ["Bonn", "Oslo"], [9, 4])
        >>> r = fr.sssp(g, "Rome")
        >>> g.ids, r.dist[g.vertex("Oslo")], r.path_to("Oslo", ids=True)
        (['Rome', 'Bonn', 'Oslo'], np.int64(13), ['Rome', 'Bonn', 'Oslo'])
        >>> Graph.from_edges([3006896, 46303], [46303, 12], ids=True).ids
        array([     12,   46303, 3006896])
        """
        ends = [_tables.column(*given) for given in (("src", src), ("dst", dst))]
        if ends[0].size != ends[1].size:
            raise ValueError(f"src and dst must have the same length, not {ends[0].size} and {ends[1].size}")
        labels: Any = None
        sources: Any
        targets: Any
        given = [end.integers for end in ends]
        if ids is None:
            large = n is None and any(a is not None and a.size and a.dtype != np.int32 and a.max() >= 2**31 for a in given)
            ids = large or (n is None and any(a is None for a in given))
        if ids is not False:
            if n is not None:
                raise ValueError("n is for vertices that are numbers; with ids, ids= lists all vertices")
            numbering = _tables.Numbering(ids)
            for end in ends:
                numbering.add(end)
            (sources, targets), n, labels = numbering.finish()
        else:
            for end in ends:
                if end.integers is None:
                    raise TypeError(f"{end.what} must be integers with ids=False or n=")
            sources, targets = given
        return cls._of_arrays(
            sources, targets, weights, n, labels, coordinates, edge_keys,
            direction="directed" if directed else "undirected", drop_parallel=bool(drop_parallel),
            drop_loops=bool(drop_loops),
        )  # fmt: skip

    @classmethod
    def _of_arrays(
        cls, sources: Array, targets: Array, weights: Any, n: int | None, labels: Any, coordinates: Any = None,
        keys: Any = None, **options: Any,
    ) -> Graph:  # fmt: skip
        """From edges between numbers of vertices; options: members of fr_load_options."""
        if keys is not None or isinstance(weights, Mapping):
            return cls._of_columns(sources, targets, weights, keys, n, labels, coordinates, **options)
        if sources.dtype != targets.dtype:
            sources, targets = sources.astype(np.int64), targets.astype(np.int64)
        values = None if weights is None else _tables.weights("weights", weights, sources.size)
        if n is None:
            n = int(max(sources.max(), targets.max())) + 1 if sources.size else 0
            least = int(min(sources.min(), targets.min())) if sources.size else 0
            if least < 0:
                raise ValueError(f"{least} is no number of a vertex; ids=True takes all integers as ids")
        if not 0 <= n < 2**31:
            raise ValueError(f"n must be 0 to 2^31 - 1, not {n}; ids=True gives a vertex only to the integers that appear")
        given = {"sources": sources, "targets": targets, "weights": values}
        made = cls._of(_handles.from_arrays(n, given, {"vertex_type": targets.dtype}, **options), labels)
        made.coordinates = coordinates
        return made

    @classmethod
    def _of_columns(cls, sources: Array, targets: Array, weights: Any, keys: Any, *others: Any, **options: Any) -> Graph:
        """The same with keys or a mapping of weights: rows are sorted with the numbers of the edges in place of weights."""
        several = isinstance(weights, Mapping)
        if several and (not weights or options["drop_parallel"]):
            raise ValueError("several weights need a name each, and drop_parallel=True one weight, which says what is lightest")
        columns = weights if several else {} if weights is None else {"weights": weights}
        given = {name: _tables.weights(name, values, sources.size) for name, values in columns.items()}
        rank = np.arange(sources.size)
        if options["drop_parallel"] and given:  # which keeps the smallest number
            rank = np.argsort(given["weights"], kind="stable")
        numbered = cls._of_arrays(sources[rank], targets[rank], np.arange(sources.size), *others, **options)
        order: Any = rank[numbered.data]
        if keys is not None:
            numbered._edge_keys = _keys.Keys(order, _keys.column(keys, sources.size))
        if several:
            numbered._weights = given if keys is not None else {name: values[order] for name, values in given.items()}
            return numbered.with_weights(next(iter(given)))
        return numbered.with_weights(given["weights"][order] if given else None)

    @classmethod
    def from_pandas(
        cls, table: Any, source: Any = "source", target: Any = "target", weight: Any = None, *, ids: Any = True,
        directed: bool = True, drop_parallel: bool = False, drop_loops: bool = False, coordinates: Any = None, edge_key: Any = None,
    ) -> Graph:  # fmt: skip
        """Makes a graph from a table with a row for each edge; `from_arrow` and `from_polars` are the same function.

        Parameters
        ----------
        table : DataFrame of pandas or Polars, or Table of Arrow
        source, target : str
            The columns with the ids of the ends: integers, strings or categories.
        weight : str or list of str, optional
            The column of weights, or several, of which `with_weights` takes one by name; None: each edge has weight 1.
        ids, directed, drop_parallel, drop_loops, coordinates
            As for `from_edges`; here integers are ids by default. Where they are 0 .. n-1, id and number are the same.
        edge_key : str, optional
            The column of `edge_keys`.

        Examples
        --------
        >>> import pandas as pd
        >>> import pyfringe as fr
        >>> roads = pd.DataFrame({"from": ["Rome", "Bonn"], "to": ["Bonn", "Oslo"], "km": [9, 4]})
        >>> g = Graph.from_pandas(roads, "from", "to", "km")
        >>> fr.distances(g, ["Rome"], ["Oslo"])
        array([[13]])
        """
        ends = [_tables.column(name, _tables.pick(table, name)) for name in (source, target)]
        names = weight if isinstance(weight, list) else [] if weight is None else [weight]
        weights: Any = {name: _tables.weights(name, _tables.pick(table, name), ends[0].size) for name in names}
        return cls.from_edges(
            ends[0], ends[1], weights if isinstance(weight, list) else weights.get(weight), ids=ids, directed=directed, drop_parallel=drop_parallel,
            drop_loops=drop_loops, coordinates=coordinates, edge_keys=None if edge_key is None else _tables.pick(table, edge_key),
        )  # fmt: skip

    from_arrow = from_pandas
    from_polars = from_pandas

    @classmethod
    def from_parquet(
        cls, path: str | os.PathLike[str], source: str = "source", target: str = "target", weight: str | None = None, *,
        directed: bool = True, drop_parallel: bool = False, drop_loops: bool = False, coordinates: Any = None,
    ) -> Graph:  # fmt: skip
        """Makes a graph from a Parquet file with a row for each edge, read by pyarrow in batches of a million rows.

        Only the three columns are read. Parameters are as for `from_pandas`; all ends are ids.
        """
        sources, targets, weights, n, labels = _tables.read_parquet(path, source, target, weight)
        return cls._of_arrays(
            sources, targets, weights, n, labels, coordinates, direction="directed" if directed else "undirected", drop_parallel=bool(drop_parallel),
            drop_loops=bool(drop_loops),
        )  # fmt: skip

    @classmethod
    def from_scipy(cls, matrix: Any, *, directed: bool = True, symmetric: bool = False) -> Graph:
        """Makes a graph from a SciPy sparse array or matrix; stored zeros are edges of weight 0.

        Parameters
        ----------
        matrix : sparse array, shape (n, n)
            Of a CSR array with sorted rows the indices and data are borrowed. Entries of a COO array at the same
            place are summed, as in SciPy; in a CSR array they are parallel edges.
        directed : bool
            False stores each entry in both directions.
        symmetric : bool
            States that the matrix is symmetric, which saves `path`, `Router` and many searches the reversed rows. It is
            checked, which takes some times as long as the rest.
        """
        if not hasattr(matrix, "tocsr"):
            raise TypeError(f"from_scipy takes a sparse array, not {type(matrix).__name__}")
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"a graph needs a square matrix, not one of shape {matrix.shape}")
        csr = matrix.tocsr()
        used = slice(int(csr.indptr[-1]))  # the arrays may have room behind the last row
        indices, data = csr.indices[used], csr.data[used]
        if directed:
            if symmetric and not csr.has_sorted_indices:
                csr = csr.sorted_indices()
                indices, data = csr.indices[used], csr.data[used]
            return cls.from_csr(csr.indptr, indices, data, symmetric=symmetric)
        source = _arrays.row_numbers(csr.indptr, indices.dtype)
        return cls.from_edges(source, indices, data, n=matrix.shape[0], directed=False)

    @classmethod
    def from_networkx(cls, graph: Any, weight: Any = "weight") -> Graph:
        """Makes a graph from a NetworkX graph, which takes nodes as sources, targets and closed vertices.

        Parameters
        ----------
        graph : networkx.Graph
            A graph of any of the four classes; only the lightest of parallel edges is kept, the first of equally light
            ones, with its key (`path_edges`).
        weight : str or callable, optional
            The edge attribute that holds weights; an edge without it has weight 1, and a warning says so if no edge
            has an attribute that is not called "weight". Or NetworkX's function: ``weight(u, v, attributes)`` is a number, or None for no edge. None: no
            weights.

        Returns
        -------
        Graph
            Vertex i is the i-th node: ``labels[i]``, ``id(i)``; with `coordinates` if all nodes have numbers x and y.
            Arguments are nodes, also where those are integers;
            results have an entry for each vertex, and ``vertex(node)`` is its place.

        Examples
        --------
        >>> import networkx as nx
        >>> import pyfringe as fr
        >>> g = fr.Graph.from_networkx(nx.path_graph([30, 20, 10]))
        >>> r = fr.bfs(g, 10)
        >>> r.level, r.level[g.vertex(20)], [g.id(v) for v in r.path_to(30)]
        (array([2, 1, 0], dtype=int32), np.int32(1), [10, 20, 30])
        """
        from pyfringe._nx_graph import graph_arrays, lightest_keys

        if not hasattr(graph, "_adj"):
            raise TypeError(f"a networkx graph is needed, not {type(graph).__name__}")
        labels, indptr, indices, weights = graph_arrays(graph, weight)
        rows = indptr, indices, weights
        try:
            made = cls.from_csr(*rows, symmetric=not graph.is_directed())
        except InvalidError:
            if not callable(weight):
                raise
            made = cls.from_csr(*rows)  # the function has other values for the opposite edges
        made.labels = labels
        if graph.is_multigraph() and not callable(weight):
            order = np.lexsort((indices, _arrays.row_numbers(indptr)))
            made._edge_keys = _keys.Keys(order, lightest_keys(graph, weight))
        made._places_xy = _coordinates.of_attributes((node.get("x"), node.get("y")) for node in graph.nodes.values())
        return made

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, progress: Progress | None = None, coordinates: Any = None, **options: Any
    ) -> Graph:
        """Reads a graph file of any known format, compressed or not.

        Parameters
        ----------
        path : path
        progress : callable, optional
            ``progress(phase, done, total)``, every 50 ms; a true result cancels.
        coordinates : path, mapping, table or array_like, optional
            As for `coordinates`, for example "roads.co".
        **options
            Members of ``fr_load_options``: format, direction ("directed", "undirected"), drop_loops,
            drop_parallel, cache, id_base, weights ("none", "random", "potential", "exponential" of mean
            ``weight_low``, "lognormal" of median ``weight_low`` and sigma ``weight_high``), source_column,
            target_column and weight_column (names or numbers from 1 on), ids ("integers"; "strings": the
            vertices of an edge list have names; "auto": what the file has), separator (what divides the columns of
            an edge list), decimal (the decimal sign of its weights), weight_type (a dtype), weight_low, weight_high,
            potential_max, seed.

        Notes
        -----
        With names, vertices are numbered in the order of their first appearance; `names` lists them, and
        sources, targets and closed vertices may be given by name.
        """
        read, _ = load_options(options)
        try:
            made = cls._of(new_handle(lib.fr_graph_load, os.fsencode(path), read, progress=progress))
        except NotFoundError as error:
            raise NoSuchFileError(str(error)) from None
        made.coordinates = coordinates
        return made

    @classmethod
    def from_bytes(cls, data: Any, *, progress: Progress | None = None, **options: Any) -> Graph:
        """Reads a graph from the bytes of a file, compressed or not, for example from a network.

        Parameters
        ----------
        data : bytes-like
        progress, **options
            As for `load`, without cache. format None: detected from the content.

        Examples
        --------
        >>> Graph.from_bytes(b"id,from,to,cost\\n1,0,1,5\\n2,1,2,7\\n").data
        array([5, 7], dtype=int32)
        >>> Graph.from_bytes(b"Rome Bonn 9\\nBonn Oslo 4\\n", ids="strings").names
        ['Rome', 'Bonn', 'Oslo']
        """
        content = memoryview(data).cast("B")
        read, _ = load_options(options)
        given = ffi.from_buffer(content) if content.nbytes else ffi.new("char[1]")
        return cls._of(new_handle(lib.fr_graph_load_memory, given, content.nbytes, read, progress=progress))

    @classmethod
    def generate(cls, description: str, *, progress: Progress | None = None, **options: Any) -> Graph:
        """Makes a graph from a generator's description.

        Parameters
        ----------
        description : str
            ``"kronecker:scale=20,seed=1"``; `generators` names all.
        progress, **options
            As for `load`.

        Examples
        --------
        >>> Graph.generate("grid2d:rows=3,cols=4")
        <pyfringe.Graph: 12 vertices, 34 edges, symmetric>
        """
        read, _ = load_options(options)
        return cls._of(new_handle(lib.fr_graph_generate, c_text("description", description), read, progress=progress))

    # ---- contents ----

    @property
    def handle(self) -> Handle:
        """The handle of the C library's graph, for the modules of this package."""
        handle = self._handle
        if handle is not None:
            return handle
        with _loading:
            if self._content is not None:
                self._handle = type(self).from_bytes(self._content, format="fringe")._handle
                self._content = None
            if self._handle is None:
                raise FringeError("the graph is closed")
            return self._handle

    def close(self) -> None:
        """Frees the graph as soon as no solver and no view of its arrays uses it; later calls raise FringeError."""
        with _loading:
            self._handle = self._content = None
            self._weights = {}

    def __enter__(self) -> Graph:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def n(self) -> int:
        """The number of vertices."""
        return int(lib.fr_graph_vertex_count(self.handle.pointer))

    @property
    def m(self) -> int:
        """The number of stored edges; an undirected edge counts twice."""
        return int(lib.fr_graph_edge_count(self.handle.pointer))

    @property
    def symmetric(self) -> bool:
        """Whether every edge is known to be stored in both directions with the same weight."""
        return bool(lib.fr_graph_is_symmetric(self.handle.pointer))

    @property
    def weight_dtype(self) -> np.dtype[Any] | None:
        """The type of the weights; None without weights."""
        return DTYPES.get(lib.fr_graph_weight_type(self.handle.pointer))

    @property
    def name(self) -> str:
        """The file's name, the generator's description, or how the graph was made."""
        handle = self.handle
        return str(ffi.string(lib.fr_graph_name(handle.pointer)).decode("utf-8", "replace"))

    @property
    def note(self) -> str | None:
        """What the reader of the file assumed, if anything."""
        handle = self.handle
        text = lib.fr_graph_note(handle.pointer)
        return None if text == ffi.NULL else str(ffi.string(text).decode("utf-8", "replace"))

    @property
    def hash(self) -> int:
        """A hash of vertices, edges, weights and ids."""
        handle, _ = self._rows()  # rows that are on a GPU are copied: without them the hash is 0
        return int(lib.fr_graph_hash(handle.pointer))

    def _rows(self) -> tuple[Handle, Any]:
        """Returns (handle, fr_csr), with the rows in host memory, as long as the handle lives."""
        handle = self.handle  # another thread may close the graph meanwhile
        handle.call(lib.fr_graph_check, work=handle.work // LIGHT)
        return handle, lib.fr_graph_csr(handle.pointer)

    @property
    def indptr(self) -> Int64Array:
        """Row u holds the edges ``indptr[u]:indptr[u + 1]``: int64, read-only, no copy."""
        handle, csr = self._rows()
        return _arrays.view(csr.offsets, csr.n + 1, np.int64, handle)

    @property
    def indices(self) -> Int32Array:
        """Targets of the edges: int32, read-only, no copy."""
        handle, csr = self._rows()
        return _arrays.view(csr.targets, csr.m, np.int32, handle)

    @property
    def data(self) -> Array | None:
        """Weights of the edges, read-only, no copy; None without weights."""
        handle, csr = self._rows()
        dtype = DTYPES.get(csr.weight_type)
        return None if dtype is None else _arrays.view(csr.weights, csr.m, dtype, handle)

    def id(self, vertex: Any) -> Any:
        """Returns the id of a vertex (of the file or the table, its name, or its NetworkX node), or those of several.

        Parameters
        ----------
        vertex : int or array_like of int
            Numbers, such as those of a path.

        Examples
        --------
        >>> g = Graph.from_edges(["Rome", "Bonn"], ["Bonn", "Oslo"])
        >>> g.id(2), g.id([0, 2])
        ('Oslo', ['Rome', 'Oslo'])
        """
        if np.ndim(vertex):
            return [self.id(v) for v in _arrays.vertices("the", vertex).tolist()]
        v = _arrays.vertex("the", vertex)
        if not 0 <= v < self.n:
            raise _vertices.missing("vertex", v, self.n)
        if self.labels is not None:
            return self.labels[v].item() if isinstance(self.labels, np.ndarray) else self.labels[v]
        if not self._is_named():
            return int(lib.fr_graph_id(self.handle.pointer, v))
        handle, _ = self._rows()
        return str(ffi.string(lib.fr_graph_vertex_name(handle.pointer, v)).decode())

    @property
    def ids(self) -> Any:
        """The ids of all vertices: an array of int64, or the list of other ids, names or NetworkX nodes."""
        if self.labels is not None:
            return self.labels.copy() if isinstance(self.labels, np.ndarray) else list(self.labels)
        if self._is_named():
            return self.names
        made = np.empty(self.n, np.int64)
        lib.pf_ids(self.handle.pointer, _arrays.pointer(made))
        return made

    def _is_named(self) -> bool:
        return self.n > 0 and lib.fr_graph_vertex_name(self.handle.pointer, 0) != ffi.NULL

    @property
    def names(self) -> list[str] | None:
        """The names of the vertices, of a graph read with ``ids="strings"``; None without names.

        Examples
        --------
        >>> g = Graph.from_bytes(b"Rome Bonn\\nBonn Oslo\\n", ids="strings")
        >>> import pyfringe as fr
        >>> r = fr.bfs(g, "Rome")
        >>> dict(zip(g.names, r.level.tolist())), [g.id(v) for v in r.path_to("Oslo")]
        ({'Rome': 0, 'Bonn': 1, 'Oslo': 2}, ['Rome', 'Bonn', 'Oslo'])
        """
        if not self._is_named():
            return None
        handle, _ = self._rows()
        text = ffi.new("char[]", lib.pf_names(handle.pointer, ffi.NULL))
        lib.pf_names(handle.pointer, text)
        return bytes(ffi.buffer(text)).decode().split("\0")[:-1]

    def vertex(self, id: Any) -> int:
        """Returns the vertex with an id of the file or the table, with a name, or of a NetworkX node.

        Examples
        --------
        >>> g = Graph.from_bytes(b"10 20\\n20 40\\n", format="snap")
        >>> g.ids, g.vertex(40), g.id(2)
        (array([10, 20, 40]), 2, 40)
        """
        if self._places is not None or (isinstance(id, str) and self._is_named()):
            return int(_vertices.find(self, "the", [id])[0])
        try:
            number = int(id)
        except (TypeError, ValueError, OverflowError):
            raise NotFoundError(f"no vertex has the id {id!r}: ids are integers") from None
        is_id = abs(number) < 2**63 and (number == id or isinstance(id, str))
        v = int(lib.fr_graph_vertex(self.handle.pointer, number)) if is_id else -1
        if v < 0:
            raise NotFoundError(f"no vertex has the id {id}")
        return v

    @property
    def _places(self) -> Mapping[Any, int] | None:
        """The vertex of each id of a table or NetworkX node; None if arguments are numbers or names of vertices."""
        if self.labels is None:
            return None
        if self._place_of is None and isinstance(self.labels, np.ndarray):
            self._place_of = _tables.SortedIds(self.labels)
        elif self._place_of is None:
            own = all(type(node) is int and node == v for v, node in enumerate(self.labels))
            self._place_of = {} if own else {node: v for v, node in enumerate(self.labels)}
        return self._place_of or None

    def __len__(self) -> int:
        """The number of vertices."""
        return self.n

    def __bool__(self) -> bool:
        return True  # also without vertices: `if graph:` asks whether there is a graph

    def degree(self, vertices: Any = None) -> Any:
        """Returns the number of edges that begin at a vertex, at several, or (None) at each.

        Examples
        --------
        >>> g = Graph.from_edges([0, 0, 1], [1, 2, 2])
        >>> g.degree(), g.degree(0), g.degree([1, 2])
        (array([2, 1, 0]), 2, array([1, 0]))
        """
        if vertices is None:
            return np.diff(self.indptr)
        wanted = _vertices.existing(self, "the", vertices)
        begin = self.indptr
        degrees = begin[wanted + 1] - begin[wanted]
        return int(degrees[0]) if _vertices.is_single(self, vertices) else degrees

    def neighbors(self, vertex: Any) -> Int32Array:
        """Returns the vertices to which edges of a vertex lead, ascending; parallel edges repeat one.

        Examples
        --------
        >>> g = Graph.from_edges(["a", "a"], ["c", "b"])
        >>> g.neighbors("a"), g.id(g.neighbors("a"))
        (array([1, 2], dtype=int32), ['c', 'b'])
        """
        v = int(_vertices.existing(self, "the", [_vertices.vertex(self, "the", vertex)], numbers=True)[0])
        begin = self.indptr
        return self.indices[begin[v] : begin[v + 1]]

    def edges(self) -> tuple[Int32Array, Int32Array, Array | None]:
        """Returns the stored edges as arrays (sources, targets, weights): numbers of vertices; weights may be None.

        An undirected edge is there in both directions; ``u <= v`` selects one.

        Examples
        --------
        >>> u, v, w = Graph.from_edges([0, 0, 1], [1, 2, 2], [5, 6, 7]).edges()
        >>> u, v, w
        (array([0, 0, 1], dtype=int32), array([1, 2, 2], dtype=int32), array([5, 6, 7]))
        """
        return _arrays.row_numbers(self.indptr), self.indices, self.data

    def stats(self) -> dict[str, Any]:
        """Computes degrees, the range of weights, components and a lower bound of the diameter.

        Returns
        -------
        dict
            The members of ``fr_graph_stats``.

        Examples
        --------
        >>> stats = Graph.generate("grid2d:rows=3,cols=4").stats()
        >>> stats["components"], stats["degree_max"], stats["diameter_lower_bound"]
        (1, 4, 5)
        """
        out = struct("fr_graph_stats")
        self.handle.call(lib.fr_graph_compute_stats, out)
        return members(out) | {"weight_type": self.weight_dtype}

    def _derived(self, function: Any, *arguments: Any, borrows: bool = True) -> Graph:
        """Returns the graph that a function of the library makes from this one."""
        handle = self.handle
        keep = handle if borrows else None
        made = new_handle(function, handle.pointer, *arguments, work=handle.work, keep=keep)
        return Graph._of(made, self.labels, places=self._places_xy)

    def reverse(self) -> Graph:
        """Returns the graph with each edge reversed; a symmetric graph is its own reverse.

        ``reverse=True`` of `bfs` and `sssp` does the same for a single traversal.

        Examples
        --------
        >>> Graph.from_edges([0, 0], [1, 2]).reverse().indices
        array([0, 0], dtype=int32)
        """
        if self.symmetric:
            return self
        return self._derived(lib.fr_graph_transpose)

    def with_weights(self, weights: Any) -> Graph:
        """Returns a graph with the same edges and other weights, without copying the structure.

        Parameters
        ----------
        weights : array_like, shape (m,), str, or None
            In the order of `indices`; one of `weight_names`; None: no weights.

        Returns
        -------
        Graph
            Symmetric if this graph is and both directions of every edge have the same weight.

        Examples
        --------
        >>> g = Graph.from_edges([0, 1], [1, 2], [5, 7])
        >>> g.with_weights([0.5, 1.5]).data, g.with_weights(None).data
        (array([0.5, 1.5]), None)
        >>> g = Graph.from_edges([0, 1], [1, 2], {"km": [5, 7], "hours": [0.5, 0.1]})
        >>> g.data, g.with_weights("hours").data, g.weight_names
        (array([5, 7]), array([0.5, 0.1]), ['km', 'hours'])
        """
        if isinstance(weights, str):
            if self._edge_keys is None:
                return Graph._of(self._named_handle(weights), self.labels, places=self._places_xy, weights=self._weights)
            made = self.with_weights(self._named(weights)[self._edge_keys.edges])
            made._weights = self._weights
            return made
        values = None if weights is None else _arrays.weights(weights, self.m)
        dtype = _arrays.type_of(None if values is None else values.dtype)
        made = self._derived(lib.fr_graph_set_weights, _arrays.pointer(values), dtype)
        if self._edge_keys is not None:
            made._edge_keys = self._edge_keys.with_weights(self, values)
        return made

    @property
    def weight_names(self) -> list[str]:
        """The names of the weights of a graph made with several; those that it has are not told."""
        return list(self._weights)

    def _named(self, name: str) -> Any:
        if name not in self._weights:
            known = ", ".join(map(repr, self._weights)) or "none; graphs that reverse, filter and subgraph make have none"
            raise ValueError(f"there are no weights {name!r}; the names are {known}")
        return self._weights[name]

    def _named_handle(self, name: str) -> Handle:
        kept = self._named(name)
        if not isinstance(kept, Handle):
            kept = self._weights[name] = self.with_weights(kept).handle
        return kept

    def filter(self, closed_vertices: Any = None, closed_edges: Any = None) -> Graph:
        """Returns the graph without closed vertices and edges; vertices keep their numbers, a closed one is isolated.

        `bfs`, `sssp`, `apsp` and `Solver.solve` take the same arguments for a single query.

        Parameters
        ----------
        closed_vertices : mask, array_like of int, or names, optional
            All edges that begin or end at these are left out. A mask: bool, shape (n,).
        closed_edges : mask, array_like of int, or array_like of shape (k, 2), optional
            A mask of the stored edges: bool, shape (m,), in the order of `indices`; their numbers, which `edge`
            finds; or pairs of vertices, each of which closes all parallel edges. Of an undirected graph either
            direction closes both.

        Examples
        --------
        >>> g = Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3])
        >>> g.filter(closed_vertices=[1]).indices, g.filter(closed_edges=[(0, 2)]).indices
        (array([2, 3], dtype=int32), array([1, 3, 3], dtype=int32))
        """
        return self._without(_vertices.closed(self, closed_vertices, closed_edges))

    def _without(self, closed: _vertices.Closed) -> Graph:
        """Does `filter` with the C library's words of bits."""
        return self._derived(lib.fr_graph_filter, *closed.pointers())

    def subgraph(self, vertices: Any) -> Graph:
        """Returns the subgraph induced by some vertices: all edges with both ends among them.

        Its vertices are in the order of this graph and keep their ids and labels.

        Parameters
        ----------
        vertices : array_like of int, names or nodes
            In any order; repeated vertices are ignored. Or a mask: bool, shape (n,).

        Examples
        --------
        >>> part = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0]).subgraph([3, 1, 2])
        >>> part.indices, part.ids
        (array([1, 2], dtype=int32), array([1, 2, 3]))
        """
        mask = _vertices.mask("vertices", vertices, self.n)
        wanted = _vertices.vertices(self, "the", vertices) if mask is None else np.flatnonzero(mask).astype(np.int32)
        kept = np.empty(self.n, np.int32)
        given = _arrays.pointer(wanted), wanted.size, _arrays.pointer(kept)
        part = self._derived(lib.fr_graph_subgraph, *given, borrows=False)
        left = np.flatnonzero(kept >= 0)
        if self._places_xy is not None:
            part._places_xy = _coordinates.Places(self._places_xy.xy[left])
        if self.labels is not None:
            part.labels = self.labels[left] if isinstance(self.labels, np.ndarray) else [self.labels[v] for v in left.tolist()]
        return part

    def components(self, kind: Literal["weak", "strong"] = "weak", *, engine: EngineName = "auto") -> Components:
        """Computes weak or strong components; their numbers are the same on every run and engine.

        Parameters
        ----------
        kind : {"weak", "strong"}
        engine : {"auto", "cpu", "cuda"}
            Where to run; "auto" chooses by predicted time.

        Examples
        --------
        >>> g = Graph.from_edges([0, 1, 3], [1, 0, 2])
        >>> g.components()
        Components(count=2, label=array([0, 0, 1, 1], dtype=int32), size=array([2, 2], dtype=int32))
        >>> g.components("strong").count
        3
        """
        size = np.empty(self.n, np.int32)
        count, label = self.handle.components(kind, engine, size)
        return Components(count, label, size[:count].copy())

    def negative_cycle(self) -> Cycle | None:
        """Returns a negative cycle anywhere in the graph, or None.

        Examples
        --------
        >>> Graph.from_edges([0, 1, 2], [1, 2, 1], [1, -3, 2]).negative_cycle()
        Cycle(vertices=[1, 2], weight=-1.0)
        """
        cycle, length, weight = np.empty(self.n, np.int32), ffi.new("int32_t *"), ffi.new("double *")
        with Call(work=self.handle.work) as ctx:
            status = lib.fr_negative_cycle(
                ctx.pointer, self.handle.pointer, ffi.NULL, _arrays.pointer(cycle), length, weight
            )  # fmt: skip
            ctx.check(lib.FR_OK if status == lib.FR_NEGATIVE_CYCLE else status)
        return Cycle(cycle[: length[0]].tolist(), float(weight[0])) if length[0] else None

    @classmethod
    def from_igraph(cls, graph: Any, weight: str | None = "weight", *, ids: str | None = "name") -> Graph:
        """Makes a graph from an ``igraph.Graph``.

        Parameters
        ----------
        graph : igraph.Graph
        weight : str, optional
            The edge attribute that holds weights; without the attribute, and with None, there are no weights.
        ids : str, optional
            The vertex attribute that holds the ids; without it, and with None, vertices are numbers, as in igraph.
        """
        ends, values, labels = _convert.igraph_arrays(graph, weight, ids)
        made = cls.from_edges(ends[0], ends[1], values, n=graph.vcount(), directed=graph.is_directed())
        made.labels = labels
        if {"x", "y"} <= set(graph.vs.attributes()):
            made._places_xy = _coordinates.of_attributes(zip(graph.vs["x"], graph.vs["y"], strict=True))
        return made

    def save(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the graph to a file; `format` None: by the suffix.

        A file has the names or ids of a file that was read, not the ids of a table and not NetworkX nodes: pickle
        keeps those.
        """
        self.handle.call(lib.fr_graph_write, os.fsencode(path), c_string("format", format))

    def to_bytes(self, format: str = "fringe") -> bytes:
        """Returns the content of the file that `save` would write.

        Parameters
        ----------
        format : str
            A writable name of `formats`.

        Examples
        --------
        >>> g = Graph.from_edges([0, 1], [1, 2], [5, 7])
        >>> Graph.from_bytes(g.to_bytes()).hash == g.hash
        True
        """
        content, size = ffi.new("void **"), ffi.new("size_t *")
        self.handle.call(lib.fr_graph_write_memory, c_text("format", format), content, size)
        return taken(content, size)

    def __reduce__(self) -> tuple[Any, ...]:
        content = self._content
        weights = {name: Graph._of(kept).data if isinstance(kept, Handle) else kept for name, kept in self._weights.items()}
        return _restore, (self.to_bytes() if content is None else content, self.labels, self.coordinates, weights, self._edge_keys)

    def _size(self) -> str:
        words = [f"{self.n:,} {'vertex' if self.n == 1 else 'vertices'}", f"{self.m:,} edge{'' if self.m == 1 else 's'}"]
        if self.symmetric:
            words.append("symmetric")
        if self.weight_dtype is not None:
            words.append(f"{self.weight_dtype.name} weights")
        return ", ".join(words)

    def __repr__(self) -> str:
        return f"<pyfringe.Graph: {'closed' if self._is_closed() else self._size()}>"

    def _is_closed(self) -> bool:
        return self._handle is None and self._content is None

    def _repr_html_(self) -> str:
        if self._is_closed():
            return "<b>pyfringe.Graph</b>: closed"
        return f"<b>pyfringe.Graph</b> {html.escape(self.name)}: {html.escape(self._size())}"


def _restore(
    content: bytes, labels: Any, xy: Array | None = None, weights: dict[str, Any] | None = None, keys: _keys.Keys | None = None
) -> Graph:
    """Unpickles a graph without reading it: an exception here would end a worker of a pool, again and again."""
    return Graph._of(None, labels, content, None if xy is None else _coordinates.Places(xy), weights, keys)


def check_graph(graph: Any) -> None:
    if not isinstance(graph, Graph):
        raise TypeError(f"the first argument must be a pyfringe.Graph, not {type(graph).__name__}")
