"""Conversion of a caller's vertices and edges: numbers, names, masks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pyfringe import _arrays, _tables
from pyfringe._arrays import Array
from pyfringe._core import Call, c_text
from pyfringe._fringe import ffi, lib
from pyfringe.errors import NotFoundError

if TYPE_CHECKING:
    from pyfringe._graph import Graph


def _names_in(values: Any) -> list[Any] | None:
    """Returns the values as a list if the first one is a string; None for anything else."""
    if isinstance(values, str):
        return [values]
    if isinstance(values, (list, tuple)):
        return list(values) if values and isinstance(values[0], str) else None
    if isinstance(values, (int, np.integer)):
        return None
    array = _arrays.unmasked("vertices", values)
    if array.dtype.kind in "iufb" or array.ndim != 1 or not array.size or not isinstance(array[0], str):
        return None
    return list(array)


def vertices(graph: Graph, what: str, values: Any) -> Array:
    """Returns one vertex or several, by number, by name or by NetworkX node, as an int32 array."""
    if graph._places is not None:
        return find(graph, what, _nodes_in(graph._places, values))
    if type(values) is int:
        return _arrays.vertices(what, values)
    names = _names_in(values)
    if names is None:
        return _arrays.vertices(what, values)
    return find(graph, what, names)


def find(graph: Graph, what: str, names: list[Any]) -> Array:
    """Returns the vertices with these names, ids of a table or NetworkX nodes."""
    made = np.empty(len(names), np.int32)
    if (places := graph._places) is not None:
        node = None
        try:
            if len(names) > 64 and isinstance(places, _tables.SortedIds):
                return places.find(_arrays.integers(f"{what} vertices", names, 64))
            for i, node in enumerate(names):
                made[i] = places[node]
        except (KeyError, TypeError) as error:
            node = error.args[0] if len(names) > 64 and isinstance(error, KeyError) else node
            reason = f"there is no node {node!r}; the graph takes the ids of its table or its NetworkX nodes, id(v) of vertex v"
            raise NotFoundError(f"{what} vertices: {reason}") from None
        return made
    if not graph._is_named():
        raise TypeError(f"{what} vertices must be integers: the vertices of this graph have no names")
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"{what} vertices must all be names, or all integers")
    found = ffi.new("int32_t *")
    with Call(work=graph.handle.work) as ctx:
        for i, name in enumerate(names):
            ctx.check(lib.fr_graph_find_vertex(ctx.pointer, graph.handle.pointer, c_text("a name", name), found))
            made[i] = found[0]
    return made


def existing(graph: Graph, what: str, values: Any, numbers: bool = False) -> Array:
    """The same, checked against the graph; `numbers`: they are numbers already."""
    made = _arrays.vertices(what, values) if numbers else vertices(graph, what, values)
    wrong = made[(made < 0) | (made >= graph.n)]
    if wrong.size:
        raise missing("vertex", int(wrong[0]), graph.n)
    return made


def is_single(graph: Graph, value: Any) -> bool:
    """Returns whether a caller gave one vertex, not a list of one."""
    try:
        return isinstance(value, str) or np.ndim(value) == 0 or (graph._places is not None and value in graph._places)
    except (TypeError, ValueError):
        return False


def vertex(graph: Graph, what: str, value: Any) -> int:
    """Returns one vertex by number, name or NetworkX node; the caller checks a number against the graph."""
    by_name = isinstance(value, str) or graph._places is not None
    return int(find(graph, what, [value])[0]) if by_name else _arrays.vertex(what, value)


def _nodes_in(places: Mapping[Any, int], values: Any) -> list[Any]:
    """Returns the nodes that a caller gave: a single one, or all of a container that is no node itself."""
    try:
        if values in places:
            return [values]
    except TypeError:  # a list, an array
        pass
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        return [values]
    if hasattr(values, "to_pylist"):  # of Arrow
        return values.to_pylist()  # type: ignore[no-any-return]
    if hasattr(values, "dtype"):  # NumPy's numbers, and a Series' numbers, as Python's
        return _arrays.listed(_arrays.unmasked("vertices", values))
    return list(values)


def missing(what: str, number: int, count: int) -> NotFoundError:
    """Returns the exception for a vertex that a graph of `count` vertices does not have."""
    numbers = f"vertices are 0 to {count - 1}" if count else "the graph has no vertices"
    return NotFoundError(f"{what} {number} does not exist: {numbers}")


def _packed(mask: Array) -> Array:
    """Returns a mask as the library's words of bits."""
    words = np.zeros((mask.size + 63) // 64, np.uint64)
    bits = np.packbits(mask, bitorder="little")
    words.view(np.uint8)[: bits.size] = bits
    return words


def _with_bits(count: int, what: str, numbers: Array) -> Array:
    """Returns words of `count` bits in which the bits with these numbers are set."""
    wrong = numbers[(numbers < 0) | (numbers >= count)]
    if wrong.size:
        raise NotFoundError(f"{what} {wrong[0]} does not exist: they are 0 to {count - 1}")
    words = np.zeros((count + 63) // 64, np.uint64)
    places = numbers.astype(np.uint64)
    np.bitwise_or.at(words, (places >> np.uint64(6)).astype(np.int64), np.uint64(1) << (places & np.uint64(63)))
    return words


def mask(what: str, values: Any, count: int) -> Array | None:
    """Returns a mask of booleans as an array; None for anything else."""
    if isinstance(values, (str, list, tuple, range)) and not (values and isinstance(values[0], (bool, np.bool_))):
        return None
    array = _arrays.unmasked(what, values)
    if array.dtype != np.bool_ or not array.ndim:
        return None
    if array.shape != (count,):
        raise ValueError(f"{what}: a mask must have shape ({count},), not {array.shape}")
    return array


class Closed(NamedTuple):
    """What a query or a filter leaves out: the words of bits of fr_query."""

    vertices: Array | None
    edges: Array | None

    def pointers(self) -> list[Any]:
        return [_arrays.pointer(words) for words in self]


def closed(graph: Graph, vertices: Any, edges: Any) -> Closed:
    """What a caller gave as closed_vertices and closed_edges."""
    return Closed(_closed_vertices(graph, vertices), _closed_edges(graph, edges))


def _closed_vertices(graph: Graph, values: Any) -> Array | None:
    if values is None:
        return None
    bits = mask("closed_vertices", values, graph.n)
    return _with_bits(graph.n, "closed vertex", vertices(graph, "closed", values)) if bits is None else _packed(bits)


def _closed_edges(graph: Graph, values: Any) -> Array | None:
    if values is None:
        return None
    bits = mask("closed_edges", values, graph.m)
    if bits is not None:
        return _packed(bits)
    if graph._places is not None and (pairs := _pairs_of_nodes(values)) is not None:
        return _pairs(graph, pairs)
    array = _arrays.unmasked("closed_edges", values)
    if array.ndim == 2:
        if array.shape[1] != 2:
            raise ValueError(f"closed_edges must be a mask, numbers of edges, or pairs of shape (k, 2), not {array.shape}")
        return _pairs(graph, _arrays.listed(array))
    if array.ndim == 0:
        array = array.reshape(1)
    return _with_bits(graph.m, "stored edge", _arrays.integers("closed_edges", array, 64))


def _pairs_of_nodes(values: Any) -> list[Any] | None:
    """Returns pairs of NetworkX nodes, which an array would not keep: ("a", 1) would be two strings."""
    pairs = list(values) if hasattr(values, "__iter__") and not hasattr(values, "dtype") else []
    return pairs if pairs and all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs) else None


def _pairs(graph: Graph, pairs: list[Any]) -> Array:
    flat = [end for pair in pairs for end in pair]
    ends = vertices(graph, "closed", flat) if graph._places is None else find(graph, "closed", flat)
    handle, csr = graph._rows()
    words = np.zeros((csr.m + 63) // 64, np.uint64)
    wrong = lib.pf_close_pairs(handle.pointer, len(pairs), _arrays.pointer(ends), _arrays.pointer(words))
    if wrong >= 0:
        u, v = pairs[wrong]
        raise NotFoundError(f"closed_edges: there is no edge {u!r} -> {v!r}")
    return words
