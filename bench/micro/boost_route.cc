/* A* and Dijkstra of the Boost Graph Library on a road network, compared with fr_router.
 *
 * usage: boost_route GRAPH.gr COORDINATES.co PAIRS     (uncompressed; PAIRS: lines "source target")
 * Prints "source target distance" per pair, then on stderr the mean and median times of a query: A* with the
 * lower bound of fr_router (straight length times the smallest ratio of weight to length), and Dijkstra
 * that stops at the target. Compiled by bench/boost_route.sh. */
#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

struct Weight {
    long long value;
};
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Weight>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

struct Found {};
/* Stops a search at the target. */
struct Stop : boost::default_astar_visitor {
    Vertex target;
    explicit Stop(Vertex t) : target(t) {}
    template <class G> void examine_vertex(Vertex v, const G &) {
        if (v == target)
            throw Found();
    }
};

struct Roads {
    Graph graph;
    std::vector<double> x, y;
    double ratio = 0; /* the smallest weight per unit of straight length */
};

static double length_between(const Roads &r, Vertex u, Vertex v) {
    return std::hypot(r.x[u] - r.x[v], r.y[u] - r.y[v]);
}

static Roads read_roads(const char *graph_path, const char *place_path) {
    Roads r;
    std::vector<std::pair<size_t, size_t>> edges;
    std::vector<Weight> weights;
    std::string line, word;
    size_t n = 0, u, v;
    long long w;
    for (std::ifstream in(graph_path); std::getline(in, line);) {
        std::istringstream words(line);
        if (line[0] == 'p')
            words >> word >> word >> n;
        if (line[0] == 'a' && words >> word >> u >> v >> w) {
            edges.push_back({u - 1, v - 1});
            weights.push_back({w});
        }
    }
    r.graph = Graph(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(),
                    weights.begin(), n);
    r.x.resize(n);
    r.y.resize(n);
    for (std::ifstream in(place_path); std::getline(in, line);)
        if (line[0] == 'v')
            std::sscanf(line.c_str(), "v %zu", &v),
                std::sscanf(line.c_str(), "v %*u %lf %lf", &r.x[v - 1], &r.y[v - 1]);
    r.ratio = std::numeric_limits<double>::infinity();
    for (size_t e = 0; e < edges.size(); e++) {
        double length = length_between(r, edges[e].first, edges[e].second);
        if (length > 0)
            r.ratio = std::min(r.ratio, (double)weights[e].value / length);
    }
    return r;
}

/* Arrays are made for each query, as boost's interface does by default. */
static long long search(const Roads &r, Vertex source, Vertex target, bool bounds) {
    size_t n = boost::num_vertices(r.graph);
    std::vector<long long> dist(n), rank(n);
    double ratio = bounds ? r.ratio * (1 - 1e-9) : 0;
    auto index = boost::get(boost::vertex_index, r.graph);
    try {
        boost::astar_search(
            r.graph, source,
            [&](Vertex v) { return (long long)(ratio * length_between(r, v, target)); },
            boost::visitor(Stop(target))
                .weight_map(boost::get(&Weight::value, r.graph))
                .distance_map(boost::make_iterator_property_map(dist.begin(), index))
                .rank_map(boost::make_iterator_property_map(rank.begin(), index))
                .distance_inf(std::numeric_limits<long long>::max()));
    } catch (const Found &) {
        return dist[target];
    }
    return -1;
}

int main(int argc, char **argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: boost_route GRAPH.gr COORDINATES.co PAIRS\n");
        return 2;
    }
    const Roads roads = read_roads(argv[1], argv[2]);
    std::vector<double> times[2];
    size_t s, t;
    for (std::ifstream in(argv[3]); in >> s >> t;) {
        long long dist[2];
        for (int bounds = 0; bounds < 2; bounds++) {
            auto begin = std::chrono::steady_clock::now();
            dist[bounds] = search(roads, s - 1, t - 1, bounds);
            std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
            times[bounds].push_back(took.count());
        }
        if (dist[0] != dist[1]) {
            std::fprintf(stderr, "A* and Dijkstra differ from %zu to %zu\n", s, t);
            return 1;
        }
        if (dist[1] < 0)
            std::printf("%zu\t%zu\tinf\n", s, t);
        else
            std::printf("%zu\t%zu\t%lld\n", s, t, dist[1]);
    }
    for (int bounds = 0; bounds < 2; bounds++) {
        std::sort(times[bounds].begin(), times[bounds].end());
        double sum = 0;
        for (double one : times[bounds])
            sum += one;
        std::fprintf(stderr, "boost %s mean_us %.1f median_us %.1f\n",
                     bounds ? "astar" : "dijkstra", sum / (double)times[bounds].size(),
                     times[bounds].empty() ? 0 : times[bounds][times[bounds].size() / 2]);
    }
}
