"""The description of the backend, which NetworkX reads at import; so this module imports nothing."""

from __future__ import annotations

from typing import Any

LENGTHS = """single_source_shortest_path_length single_target_shortest_path_length all_pairs_shortest_path_length
    dijkstra_path_length single_source_dijkstra_path_length multi_source_dijkstra_path_length
    all_pairs_dijkstra_path_length bellman_ford_path_length single_source_bellman_ford_path_length
    all_pairs_bellman_ford_path_length shortest_path_length has_path descendants ancestors descendants_at_distance
    negative_edge_cycle floyd_warshall_numpy average_shortest_path_length"""
PATHS = """single_source_shortest_path single_target_shortest_path all_pairs_shortest_path bidirectional_shortest_path
    dijkstra_path single_source_dijkstra single_source_dijkstra_path multi_source_dijkstra
    multi_source_dijkstra_path all_pairs_dijkstra all_pairs_dijkstra_path bidirectional_dijkstra bellman_ford_path
    single_source_bellman_ford single_source_bellman_ford_path all_pairs_bellman_ford_path johnson
    find_negative_cycle shortest_path predecessor dijkstra_predecessor_and_distance
    bellman_ford_predecessor_and_distance"""
MEASURES = """eccentricity diameter radius center periphery barycenter closeness_centrality harmonic_centrality
    betweenness_centrality
    wiener_index global_efficiency connected_components number_connected_components is_connected
    node_connected_component weakly_connected_components number_weakly_connected_components is_weakly_connected
    strongly_connected_components number_strongly_connected_components is_strongly_connected"""
ORDER = "bfs_edges bfs_tree bfs_predecessors bfs_successors bfs_layers"
FUNCTIONS = (*LENGTHS.split(), *PATHS.split(), *MEASURES.split(), *ORDER.split())


def get_info() -> dict[str, Any]:
    """Returns the description for the entry point ``networkx.backend_info``."""
    return {
        "backend_name": "fringe",
        "project": "pyfringe",
        "package": "pyfringe",
        "short_summary": "Shortest paths and breadth-first search by the C library fringe",
        "functions": {name: {} for name in FUNCTIONS},
        "default_config": {},
    }
