/* The suites of fringe bench --suite, as data.
 *
 * `gpu`: the graphs by which the speed of the GPU strategies is judged: Graph500's Kronecker
 * graphs, a uniform graph, R-MAT graphs of the size of soc-LiveJournal1 and wiki-Talk, a lattice
 * similar to roads, a cube, a web crawl and the roads of a city. `bfs`: the graphs of the papers
 * from which the BFS strategies come. Files of their collections are not fetched: the surrogate of
 * each is the generated graph whose kind, n, m and degrees are closest. UIUC-BFS, Tables 1 and 3
 * (regular grids, scale-free); BFS-4K, Tables 1 and 2 (18 graphs); the study, Tables 1 and 2 (10
 * graphs). A graph that two papers share is listed once. `gpu-sssp`: the graphs of `gpu` with
 * weights 1..255, with variants of auto that switch off or change one part each. `sssp`: the kinds
 * of graph of H-BF's Tables 1 to 3 with weights; the last ones have some negative weights. The
 * variants of hbf, each with one technique switched off, are Table 3 and Fig. 9. */
#include "fringe_tune.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#define LIVE_JOURNAL "rmat:scale=23,edges=72000000,n=4847571,seed=1"
#define WIKI_TALK    "rmat:scale=22,edges=5400000,n=2394385,seed=1"
#define FAN_OUT      "rmat:scale=22,edges=5400000,n=2394385,a=0.54,b=0.29,c=0.11,d=0.06,seed=1"
#define ROADS(side)  "grid2d:rows=" #side ",cols=" #side ",keep=0.7,seed=1"

static const suite_graph smoke[] = {
    {"kron10", "kronecker:scale=10,seed=1", SUITE_UNDIRECTED, "a small power law"},
    {"grid-30", "grid2d:rows=30,cols=30", SUITE_AS_MADE, "a small grid"},
    {"path-200", "path:n=200", SUITE_AS_MADE, "as many levels as vertices"},
    {0}};

static const suite_graph gpu[] = {
    {"kron21", "kronecker:scale=21,edge_factor=16,seed=1", SUITE_UNDIRECTED, "Graph500, scale 21"},
    {"uniform", "uniform:n=2000000,edges=64000000,seed=1", SUITE_UNDIRECTED, "random.2Mv.128Me"},
    {"lj-like", LIVE_JOURNAL, SUITE_SIMPLE, "soc-LiveJournal1"},
    {"wiki-like", WIKI_TALK, SUITE_SIMPLE, "wiki-Talk"},
    {"lattice", ROADS(1400), SUITE_AS_MADE, "roads, about 2070 levels"},
    {"grid3d", "grid3d:x=215,y=215,z=215", SUITE_AS_MADE, "a regular mesh, about 487 levels"},
    {"cnr-2000", "cnr-2000", SUITE_UNDIRECTED, "a web crawl"},
    {"moscow", "osm-moscow-roads", SUITE_AS_MADE, "a city's roads"},
    {"kron24", "kronecker:scale=24,edge_factor=16,seed=1", SUITE_UNDIRECTED, "Graph500, scale 24"},
    {0}};

static const suite_graph bfs[] = {
    {"grid6-1M", "grid6:rows=1000,cols=1000", SUITE_AS_MADE, "UIUC-BFS Table 1, 1M"},
    {"grid6-4M", "grid6:rows=2000,cols=2000", SUITE_AS_MADE, "UIUC-BFS Table 1, between 2M and 5M"},
    {"grid6-10M", "grid6:rows=3163,cols=3163", SUITE_AS_MADE, "UIUC-BFS Table 1, 10M"},
    {"scale-free-1M", "scale-free:n=1000000,seed=1", SUITE_AS_MADE, "UIUC-BFS Table 3"},
    {"copurchase", "rmat:n=410236,edges=3500000,a=0.45,b=0.22,c=0.22,seed=1", SUITE_SIMPLE,
     "BFS-4K amazon0505"},
    {"web-0.9M", "rmat:n=916428,edges=5300000,a=0.5,b=0.2,c=0.2,seed=1", SUITE_SIMPLE,
     "BFS-4K web-Google"},
    {"youtube-like", "rmat:n=1134890,edges=2990000,directed=0,seed=1", SUITE_UNDIRECTED,
     "BFS-4K and study com-youtube"},
    {"skitter-like", "rmat:n=1696415,edges=11100000,directed=0,seed=1", SUITE_UNDIRECTED,
     "BFS-4K as-skitter"},
    {"roads-2M", ROADS(1400), SUITE_AS_MADE, "BFS-4K and study roadNet-CA"},
    {"lj-like", LIVE_JOURNAL, SUITE_SIMPLE, "BFS-4K soc-LiveJournal1"},
    {"forest-fire", "forest-fire:n=1000000,f=0.35,b=0.32,seed=1", SUITE_UNDIRECTED,
     "BFS-4K Gen-ForestFire"},
    {"small-world", "small-world:n=2000000,k=20,p=0.3,seed=1", SUITE_UNDIRECTED,
     "BFS-4K Gen-SmallWorld (20 edges a vertex)"},
    {"long-roads", "grid2d:rows=8000,cols=600,keep=0.7,seed=1", SUITE_AS_MADE,
     "BFS-4K europe.osm (a tenth of its vertices, a third of its depth)"},
    {"flat-mesh", "grid2d:rows=2300,cols=2300,keep=0.9,seed=1", SUITE_AS_MADE,
     "BFS-4K hugebubbles-00020 (a quarter of its vertices)"},
    {"kkt-mesh", "grid3d:x=202,y=202,z=202", SUITE_AS_MADE, "BFS-4K nlpkkt160 (fewer neighbors)"},
    {"stiff-mesh", "random-geometric:n=900000,degree=81,seed=1", SUITE_AS_MADE, "BFS-4K audikw1"},
    {"dna-mesh", "small-world:n=5200000,k=18,p=0.01,seed=1", SUITE_UNDIRECTED, "BFS-4K cage15"},
    {"power-mesh", "grid3d:x=128,y=128,z=128,keep=0.95,seed=1", SUITE_AS_MADE,
     "BFS-4K kkt_power (without its hubs)"},
    {"copapers-like", "rmat:n=434102,edges=16000000,a=0.45,b=0.22,c=0.22,directed=0,seed=1",
     SUITE_UNDIRECTED, "BFS-4K coPapersCiteseer"},
    {"kron20", "kronecker:scale=20,edge_factor=48,seed=1", SUITE_UNDIRECTED,
     "BFS-4K kron_g500-logn20"},
    {"kron21", "kronecker:scale=21,edge_factor=43,seed=1", SUITE_UNDIRECTED,
     "study kron_g500-logn21"},
    {"uniform-2M", "uniform:n=2000000,edges=128000000,directed=1,seed=1", SUITE_SIMPLE,
     "BFS-4K random.2Mv.128Me"},
    {"rmat-2M", "rmat:n=2000000,edges=128000000,a=0.45,b=0.15,c=0.15,d=0.25,seed=1", SUITE_SIMPLE,
     "BFS-4K rmat.2Mv.128Me"},
    {"orkut-like", "rmat:n=3072441,edges=106000000,a=0.48,b=0.2,c=0.2,directed=0,seed=1",
     SUITE_UNDIRECTED, "study soc-orkut"},
    {"web-129k", "rmat:n=129632,edges=11700000,a=0.5,b=0.2,c=0.2,directed=0,seed=1",
     SUITE_UNDIRECTED, "study web-uk-2005"},
    {"door-mesh", "random-geometric:n=415863,degree=47,seed=1", SUITE_AS_MADE, "study msdoor"},
    {"internet-26k", "rmat:n=26475,edges=53400,directed=0,seed=1", SUITE_UNDIRECTED,
     "study as-caida"},
    {"peers-6k", "uniform:n=6301,edges=20777,directed=1,seed=1", SUITE_SIMPLE,
     "study p2p-Gnutella08"},
    {"wiki-like", WIKI_TALK, SUITE_SIMPLE, "study wiki-Talk"},
    {"wiki-1M", "rmat:n=1140149,edges=3309592,seed=1", SUITE_SIMPLE, "study wiki-talk-temporal"},
    {0}};

static const suite_graph sssp[] = {
    {"moscow", "osm-moscow-roads", SUITE_AS_MADE | SUITE_FILE, "USA-road-d.CAL, real weights"},
    {"lattice", ROADS(1400), SUITE_AS_MADE, "USA-road-d.CAL"},
    {"long-roads", "grid2d:rows=8000,cols=600,keep=0.7,seed=1", SUITE_AS_MADE,
     "asia.osm (two fifths of its vertices, a quarter of its depth)"},
    {"triangles", "grid6:rows=1024,cols=1024", SUITE_AS_MADE, "delaunay n20"},
    {"grid3d", "grid3d:x=128,y=128,z=128", SUITE_AS_MADE, "a FEM mesh"},
    {"door-mesh", "random-geometric:n=415863,degree=47,seed=1", SUITE_AS_MADE, "msdoor, Fig. 9"},
    {"circuit", "small-world:n=3500000,k=6,p=0.01,seed=1", SUITE_UNDIRECTED, "circuit5M dc"},
    {"rmat-3M", "rmat:n=3000000,edges=20000000,a=0.45,b=0.15,c=0.15,d=0.25,seed=1", SUITE_SIMPLE,
     "rmat.3Mv.20Me"},
    {"flickr-like", "rmat:n=820878,edges=9837214,seed=1", SUITE_SIMPLE, "flickr"},
    {"scale-free", "scale-free:n=1000000,seed=1", SUITE_AS_MADE, "a power law"},
    {"uniform-2M", "uniform:n=2000000,edges=128000000,directed=1,seed=1", SUITE_SIMPLE,
     "random 2Mv.128Me"},
    {"flat-negative", "grid2d:rows=2140,cols=2140,keep=0.75,seed=1", SUITE_AS_MADE | SUITE_NEGATIVE,
     "hugetrace 00000, Table 3"},
    {"wiki-negative", FAN_OUT, SUITE_SIMPLE | SUITE_NEGATIVE, "wiki-talk, Table 3"},
    {"skitter-negative", "rmat:n=1696415,edges=11100000,directed=0,seed=1",
     SUITE_UNDIRECTED | SUITE_NEGATIVE, "as-Skitter, Table 3"},
    {"uniform-negative", "uniform:n=2000000,edges=128000000,directed=1,seed=1",
     SUITE_SIMPLE | SUITE_NEGATIVE, "random 2Mv.128Me, Table 3"},
    {"alps-negative", "terrain-alps-energy-neg", SUITE_AS_MADE | SUITE_FILE,
     "energy over terrain, real negative weights"},
    {0}};

/* Each part of auto switched off, and other values of its constants. */
static const suite_variant parts_of_auto[] = {{"auto", "no-pull", "pull_divisor=0"},
                                              {"auto", "pull-16", "pull_divisor=16"},
                                              {"auto", "no-hops", "hops=0"},
                                              {"auto", "hops-12", "hops=12"},
                                              {"auto", "hops-24", "hops=24"},
                                              {"auto", "no-adapt", "adapt=0"},
                                              {"auto", "no-packed", "pack_parents=0"},
                                              {"auto", "test-always", "test=2"},
                                              {"auto", "low-1056", "advance_below=1056"},
                                              {"auto", "low-8448", "advance_below=8448"},
                                              {"auto", "cut-128", "block_queue_limit=128"},
                                              {"auto", "no-crowd", "shrink_above=1e9"},
                                              {"auto", "block-256", "grid_threads=256"},
                                              {0}};

/* "plain" is H-BF without its optimizations, Table 3. */
static const suite_variant without[] = {
    {"hbf", "no-classes", "classes=0"},
    {"hbf", "no-dup", "dup=0"},
    {"hbf", "no-cache", "cache=0"},
    {"hbf", "no-staging", "staging=0"},
    {"hbf", "no-warp-load", "work=0"},
    {"hbf", "no-virtual-warps", "width=32"},
    {"hbf", "no-children", "child=0"},
    {"hbf", "no-children-nor-warps", "width=1,child=0,hub=0"},
    {"hbf", "plain", "classes=0,dup=0,cache=0,staging=0,work=0,width=1,child=0,hub=0"},
    {"hbf", "look-each-round", "rounds=1"},
    {"workfront-sweep", "look-each-round", "rounds=1"},
    {"near-far", "look-each-round", "rounds=1"},
    {"topology-bf", "look-each-round", "rounds=1"},
    {0}};

static const suite_graph smoke_sssp[] = {
    {"kron10", "kronecker:scale=10,seed=1", SUITE_UNDIRECTED, "a small power law"},
    {"grid-30", "grid2d:rows=30,cols=30", SUITE_AS_MADE | SUITE_NEGATIVE, "a small grid"},
    {0}};

const suite suites[] = {
    {"gpu", "the graphs by which speed on a GPU is judged", gpu, FR_PROBLEM_BFS},
    {"auto", "the graphs of gpu: the regret of auto against the best strategy", gpu, FR_PROBLEM_BFS,
     .regret = true},
    {"auto", "the graphs of gpu-sssp: the same", gpu, FR_PROBLEM_SSSP, .parents = true,
     .regret = true},
    {"gpu-sssp",
     "the graphs of gpu with weights 1..255; variants of auto without each of its parts", gpu,
     FR_PROBLEM_SSSP, parts_of_auto, .parents = true},
    {"bfs", "surrogates for the graphs of the papers of the BFS strategies", bfs, FR_PROBLEM_BFS},
    {"sssp", "surrogates for the graphs of H-BF's tables; variants of hbf without each technique",
     sssp, FR_PROBLEM_SSSP, without},
    {"smoke", "three small graphs, to test the command", smoke, FR_PROBLEM_BFS},
    {"smoke-sssp", "two small graphs with weights", smoke_sssp, FR_PROBLEM_SSSP, without},
    {0}};

const char *suite_name_at(const void *unused, int i) {
    (void)unused;
    return i == 0 ? "microbench" : suites[i - 1].name;
}

const suite *suite_find(const char *name, int problem) {
    const suite *other = NULL;
    for (const suite *s = suites; s->name; s++) {
        if (strcmp(s->name, name) != 0)
            continue;
        if (!problem || problem == 1 + (int)s->problem)
            return s;
        other = s;
    }
    return other;
}

static bool is_word(const char *word, const char *text, size_t length) {
    return word && strlen(word) == length && strncmp(word, text, length) == 0;
}

static bool is_alias(const char *name, const char *alias, size_t length) {
    fr_strategy_info strategy = {0};
    for (int i = 0; fr_strategy_get(i, &strategy); i++)
        if (strcmp(strategy.name, name) == 0 && is_word(strategy.alias, alias, length))
            return true;
    return false;
}

bool suite_lists(const char *list, const char *name) {
    if (!list)
        return true;
    for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
        size_t length = strcspn(at, ",");
        if (is_word(name, at, length) || is_alias(name, at, length))
            return true;
    }
    return false;
}

int suite_check_only(const suite *s, const char *list) {
    for (const char *at = list; at && *at; at += strcspn(at, ","), at += *at == ',') {
        size_t length = strcspn(at, ","), used = 0;
        const suite_graph *g = s->graphs;
        while (g->name && !is_word(g->name, at, length))
            g++;
        if (g->name)
            continue;
        char names[1024] = "";
        for (g = s->graphs; g->name && used < sizeof names; g++)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     g->name);
        return cli_usage("--only names '%.*s', and the suite '%s' has only %s", (int)length, at,
                         s->name, names);
    }
    return CLI_OK;
}

/* ---- names of strategies, refused before anything is measured, in the words of fr_solver_new ---- */

fr_status strategy_refusal(fr_problem problem, fr_backend backend, const char *name, char **why) {
    fr_ctx *ctx = NULL;
    fr_graph *graph = NULL;
    fr_solver *solver = NULL;
    fr_solver_options options = {.strategy = name, .backend = backend};
    fr_status status = fr_ctx_new(NULL, &ctx);
    if (!status)
        status = fr_graph_generate(ctx, "path:n=1", NULL, &graph);
    if (!status)
        status = fr_solver_new(ctx, graph, problem, &options, &solver);
    *why =
        cli_format("%s", ctx && status ? cli_words(fr_ctx_error(ctx)) : fr_status_message(status));
    fr_solver_free(solver);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return status;
}

int strategy_fail(fr_status status, const char *why) {
    return status == FR_INVALID ? cli_usage("%s", why) : cli_fail(status, "%s", why);
}

bool strategy_next(const char *list, fr_problem problem, fr_backend backend, int *at,
                   fr_strategy_info *out) {
    *out = (fr_strategy_info){0};
    while (fr_strategy_get((*at)++, out))
        if (out->problem == problem && (!backend || out->backend == backend) &&
            suite_lists(list, out->name))
            return true;
    return false;
}

static bool runs(const char *list, fr_problem problem, fr_backend backend) {
    fr_strategy_info strategy;
    return strategy_next(list, problem, backend, &(int){0}, &strategy);
}

static int refuse(fr_problem problem, fr_backend backend, const char *name) {
    char *why;
    fr_status status = strategy_refusal(problem, backend, name, &why);
    int code = strategy_fail(status, why);
    free(why);
    return code;
}

int suite_check_strategies(const char *list, fr_problem problem, fr_backend backend) {
    char *names = cli_format("%s", list ? list : "auto"), *rest = names;
    bool any = runs(list, problem, backend);
    int code = CLI_OK;
    for (char *name; !code && (name = strsep(&rest, ","));) {
        bool after_last_comma = !*name && !rest && name > names;
        if (!after_last_comma && !runs(name, problem, any ? FR_BACKEND_ANY : backend))
            code = refuse(problem, backend, name);
    }
    free(names);
    return code;
}
