/* The options of all commands. A group of a command lists those that it has, by name, in commands.c. How to add an
 * option: docs/architecture.md, "Add an option". */
#include "fringe_measures.h"
#include "cli/cli.h"
#include "suggest.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(settings, field)

static const choice id_bases[] = {{"auto", 0}, {"0", 1}, {"1", 2}, {0}};
static const choice ids[] = {
    {"integers", FR_IDS_INTEGERS}, {"strings", FR_IDS_STRINGS}, {"auto", FR_IDS_AUTO}, {0}};
static const choice types[] = {{"auto", FR_TYPE_NONE},   {"int32", FR_TYPE_I32},
                               {"int64", FR_TYPE_I64},   {"float32", FR_TYPE_F32},
                               {"float64", FR_TYPE_F64}, {0}};
static const choice float_types[] = {{"float32", FR_TYPE_F32}, {"float64", FR_TYPE_F64}, {0}};
static const choice separators[] = {
    {"auto", 0},    {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'},
    {"blank", ' '}, {"bar", '|'},   {"colon", ':'},     {0}};
static const choice decimals[] = {{"point", '.'}, {"comma", ','}, {0}};
static const choice backends[] = {
    {"any", FR_BACKEND_ANY}, {"cpu", FR_BACKEND_CPU}, {"cuda", FR_BACKEND_CUDA}, {0}};
static const choice parent_rules[] = {
    {"any", FR_PARENT_ANY}, {"min-id", FR_PARENT_MIN_ID}, {"nearest", FR_PARENT_NEAREST}, {0}};
static const choice parent_columns[] = {{"any", 1 + FR_PARENT_ANY},
                                        {"min-id", 1 + FR_PARENT_MIN_ID},
                                        {"nearest", 1 + FR_PARENT_NEAREST},
                                        {0}};
static const choice problems[] = {{"bfs", 1 + FR_PROBLEM_BFS}, {"sssp", 1 + FR_PROBLEM_SSSP}, {0}};
static const choice algorithms[] = {{"auto", FR_ROUTE_AUTO},
                                    {"bidirectional", FR_ROUTE_BIDIRECTIONAL},
                                    {"astar", FR_ROUTE_ASTAR},
                                    {"alt", FR_ROUTE_ALT},
                                    {0}};
static const choice component_kinds[] = {{"all", 0},
                                         {"largest", 1 + FR_COMPONENTS_WEAK},
                                         {"largest-strong", 1 + FR_COMPONENTS_STRONG},
                                         {0}};
static const choice shells[] = {
    {"bash", SHELL_BASH}, {"zsh", SHELL_ZSH}, {"fish", SHELL_FISH}, {0}};
const choice measures[] = {{"betweenness", MEASURE_BETWEENNESS},
                           {"closeness", MEASURE_CLOSENESS},
                           {"harmonic", MEASURE_HARMONIC},
                           {"eccentricity", MEASURE_ECCENTRICITY},
                           {"diameter", MEASURE_DIAMETER},
                           {"both", MEASURE_BOTH},
                           {0}};

/* Of rows with the same name a command has the one that it is named in, else the first. */
static const option_row rows[] = {
    /* ---- the graph ---- */
    {"input-format", 0, "NAME",
     "read GRAPH in this format (see 'fringe list formats'); default: detected by content, then by "
     "suffix",
     OPTION_TEXT, AT(load.format)},
    {"id-base", 0, "auto|0|1", "the smallest id in the file; auto: that of the format",
     OPTION_CHOICE, AT(load.id_base), .choices = id_bases},
    {"ids", 0, "integers|strings|auto",
     "edge lists: the kind of the ids (default integers); strings are kept as the names of the "
     "vertices; auto: strings if the second line has one",
     OPTION_CHOICE, AT(load.ids), .choices = ids},
    {"source-column", 0, "NAME|K",
     "edge lists: the column of the sources, by its name in the first line or its number (default: "
     "the one with a name that is known, such as source, from or u, else 1)",
     OPTION_TEXT, AT(load.source_column)},
    {"target-column", 0, "NAME|K", "the same for the targets (target, to, v, ...; else 2)",
     OPTION_TEXT, AT(load.target_column)},
    {"weight-column", 0, "NAME|K",
     "the same for the weights (weight, cost, length, ...; without names of columns 3 if there is "
     "one; none with --source-column or --target-column)",
     OPTION_TEXT, AT(load.weight_column)},
    {"separator", 0, "auto|comma|semicolon|tab|blank|bar|colon",
     "edge lists: what divides the columns; auto: a tab, a semicolon, a comma or blanks, the first "
     "of these that the first line has",
     OPTION_CHOICE, AT(load.separator), .choices = separators},
    {"decimal", 0, "point|comma", "edge lists: the decimal sign of weights (default point)",
     OPTION_CHOICE, AT(load.decimal), .choices = decimals},
    {"cache", 0, NULL,
     "keep a binary copy next to the input file and read it while it is up to date", OPTION_TRUE,
     AT(load.cache)},
    {"directed", 0, NULL, "read each entry as one directed edge, whatever the file declares",
     OPTION_VALUE, AT(load.direction), FR_DIRECTION_DIRECTED},
    {"undirected", 0, NULL, "read each entry as an edge in both directions", OPTION_VALUE,
     AT(load.direction), FR_DIRECTION_UNDIRECTED},
    {"simple", 0, NULL, "drop self-loops and parallel edges", OPTION_TRUE, AT(simple)},
    {"drop-loops", 0, NULL, "drop self-loops", OPTION_TRUE, AT(load.drop_loops)},
    {"drop-parallel", 0, NULL, "of parallel edges keep the one of minimum weight", OPTION_TRUE,
     AT(load.drop_parallel)},
    {"weights", 0, "file|none|random:LO,HI|KIND:NUMBERS",
     "file: the weights in the file; none: every edge counts 1; random: uniform in LO..HI "
     "(integers if both are), the same for u-v and v-u; potential:LO,HI,P: the same plus the "
     "difference of the potentials, in 0..P, of its ends, so that some weights are negative but no "
     "cycle is; exponential:MEAN, lognormal:MEDIAN,SIGMA: lengths most of which are short "
     "(float64; "
     "integers are rounded up)",
     OPTION_WEIGHTS, AT(load)},
    {"weight-type", 0, "auto|int32|int64|float32|float64",
     "type of the weights; auto: int32 if all fit, else int64 if all fit, else float64",
     OPTION_CHOICE, AT(load.weight_type), .choices = types},
    {"seed", 0, "S", "seed of random weights and random sources (default 0)", OPTION_SEED,
     AT(load.seed)},
    {"seed", 0, "S", "seed of the edges, their weights and the search keys (default 0)",
     OPTION_SEED, AT(load.seed), .only = "graph500"},
    {"seed", 0, "S", "seed of the bootstrap samples (default 0)", OPTION_SEED, AT(load.seed),
     .only = "bench compare"},
    {"component", 0, "all|largest|largest-strong",
     "keep only the largest weakly or strongly connected component; vertices keep their ids if the "
     "format of OUT holds ids",
     OPTION_CHOICE, AT(component), .choices = component_kinds},
    /* ---- the machine ---- */
    {"threads", 'j', "N", "number of threads; 0: all that this process may use (default 0)",
     OPTION_INT, AT(threads), 0, 0, 4096},
    {"max-memory", 0, "SIZE",
     "use at most this much memory, for example 8G or 500M (default: the memory of the machine)",
     OPTION_BYTES, AT(max_memory)},
    {"device", 0, "N", "index of the GPU (default 0)", OPTION_INT, AT(device), 0, 0, 1024},
    {"max-gpu-mem", 0, "SIZE",
     "use at most this much GPU memory, for example 8G or 500M (default: all that is free)",
     OPTION_BYTES, AT(max_gpu_memory)},
    {"ranks", 0, NULL,
     "run as one of the ranks that mpirun or srun starts, each with a part of the graph, on CPU "
     "cores, or with --backend cuda on a GPU per rank",
     OPTION_TRUE, AT(ranks)},
    {"rank-timeout", 0, "SECONDS",
     "end when another rank does not answer for this long (default 600)", OPTION_DOUBLE,
     AT(rank_timeout), 0, 0.1, 1e6},
    /* ---- the query ---- */
    {"problem", 0, "bfs|sssp", "the problem (default bfs)", OPTION_CHOICE, AT(problem),
     .choices = problems},
    {"problem", 0, "bfs|sssp", "the problem that RESULT solves; default: by its header",
     OPTION_CHOICE, AT(problem), .choices = problems, .only = "verify"},
    {"problem", 0, "bfs|sssp", "the problem (default bfs, and also sssp if the graph has weights)",
     OPTION_CHOICE, AT(problem), .choices = problems, .only = "tune"},
    {"problem", 0, "bfs|sssp", "only this kernel (default both)", OPTION_CHOICE, AT(problem),
     .choices = problems, .only = "graph500"},
    {"source", 's', "ID[,ID...]", "start vertices; several are merged into one traversal",
     OPTION_IDS, AT(sources)},
    {"source", 's', "ID", "the first vertex", OPTION_IDS, AT(sources), .only = "path"},
    {"source", 's', "ID[,ID...]",
     "the sources; default: the vertices of value 0 that are their own parent", OPTION_IDS,
     AT(sources), .only = "verify"},
    {"source", 's', "ID[,ID...]", "measure one traversal from each of these", OPTION_IDS,
     AT(sources), .only = "tune"},
    {"source", 's', "ID[,ID...]", "solve only from these sources, a row each, in this order",
     OPTION_IDS, AT(sources), .only = "apsp"},
    {"sources", 0, "N",
     "N random sources that have edges (see --seed), one traversal each; prints the quantiles of "
     "the rate",
     OPTION_INT64, AT(random_sources), 0, 1, 1e9},
    {"sources", 0, "N", "solve only from N random sources (see --seed)", OPTION_INT64,
     AT(random_sources), 0, 1, 1e9, .only = "apsp"},
    {"sources", 0, "N", "random sources, the same for every strategy (default 16)", OPTION_INT64,
     AT(random_sources), 0, 1, 1e9, .only = "bench"},
    {"sources", 0, "N", "random sources to measure from (default 5; see --seed)", OPTION_INT64,
     AT(random_sources), 0, 1, 1e9, .only = "tune"},
    {"sources", 0, "N", "number of search keys (default 64, as a submission requires)",
     OPTION_INT64, AT(random_sources), 0, 1, 1e9, .only = "graph500"},
    {"sources-file", 0, "FILE", "read the sources from FILE, one per line; '-' is standard input",
     OPTION_TEXT, AT(sources_file)},
    {"sources-file", 0, "FILE",
     "read sources from FILE, one per line; '-' is standard input: the distance from each source "
     "to "
     "each target, as with --pairs",
     OPTION_TEXT, AT(sources_file), .only = "path"},
    {"targets-file", 0, "FILE", "read the targets from FILE, one per line; '-' is standard input",
     OPTION_TEXT, AT(targets_file)},
    {"target", 't', "ID", "the last vertex", OPTION_IDS, AT(targets)},
    {"targets", 't', "ID[,ID...]",
     "stop once all of these are settled, and print their levels or distances", OPTION_IDS,
     AT(targets)},
    {"targets", 't', "ID[,ID...]", "solve only for these targets, a column each, in this order",
     OPTION_IDS, AT(targets), .only = "apsp"},
    {"targets", 't', "ID[,ID...]", "the traversal stopped once these were settled", OPTION_IDS,
     AT(targets), .only = "verify"},
    {"max-level", 0, "L", "stop after level L", OPTION_INT, AT(max_level), 0, 0, 2147483647},
    {"max-distance", 0, "D", "stop at distance D", OPTION_DOUBLE, AT(max_distance), 0, 0, 1e308},
    {"max-distance", 0, "D[,D...]",
     "stop at distance D; of several, at the greatest, and FILE has the vertices within it only "
     "and "
     "the column 'band': the smallest limit that the distance does not exceed",
     OPTION_LIMITS, AT(max_distance), 0, 0, 1e308, .only = "sssp"},
    {"max-distance", 0, "D", "pairs farther than D count as unreached", OPTION_DOUBLE,
     AT(max_distance), 0, 0, 1e308, .only = "apsp"},
    {"parents", 0, "any|min-id|nearest",
     "which of several valid parents: min-id, the smallest, or nearest, the one nearest to the "
     "source, are the same on every run (default any)",
     OPTION_CHOICE, AT(parent_rule), .choices = parent_rules},
    {"parents", 0, "any|min-id|nearest",
     "add the column 'parent', to .npz the matrix 'parents': the vertex before the last on a "
     "shortest path; of several any one, the smallest, or the nearest to the source",
     OPTION_CHOICE, AT(parent_column), .choices = parent_columns, .only = "apsp"},
    {"closed-vertices", 0, "FILE",
     "close the vertices in FILE, one per line: no edge begins or ends there", OPTION_TEXT,
     AT(closed_vertices)},
    {"closed-edges", 0, "FILE",
     "close the edges in FILE, a line 'SOURCE TARGET' each: all parallel ones, and in an "
     "undirected graph both directions",
     OPTION_TEXT, AT(closed_edges)},
    {"reverse", 0, NULL,
     "traverse the edges backwards: values are those *to* the sources, a parent is the next vertex "
     "on the way to the source",
     OPTION_TRUE, AT(reverse)},
    {"reverse", 0, NULL, "traverse the edges backwards: a row has the distances *to* its source",
     OPTION_TRUE, AT(reverse), .only = "apsp"},
    {"reverse", 0, NULL, "RESULT was made with --reverse", OPTION_TRUE, AT(reverse),
     .only = "verify"},
    {"mark-negative-cycles", 0, NULL,
     "do not stop at a negative cycle: vertices that one reaches get -inf, the others their "
     "distance",
     OPTION_TRUE, AT(mark_negative_cycles)},
    {"mark-negative-cycles", 0, NULL,
     "-inf marks vertices that a negative cycle reaches; in a .npy file of integers the minimum of "
     "the type",
     OPTION_TRUE, AT(mark_negative_cycles), .only = "verify"},
    {"dist-type", 0, "auto|int32|int64|float32|float64",
     "type of the distances; auto: that of the weights, and one of 64 bits if a sum overflows",
     OPTION_CHOICE, AT(dist_type), .choices = types},
    {"dist-type", 0, "float32|float64",
     "type in which the distances were summed, which sets the tolerance; default: by the file and "
     "the weights; integers must be exact",
     OPTION_CHOICE, AT(dist_type), .choices = float_types, .only = "verify"},
    {"dist-type", 0, "float32|float64", "type of the distances (default float32)", OPTION_CHOICE,
     AT(dist_type), .choices = float_types, .only = "graph500"},
    {"strong", 0, NULL, "strongly connected: each vertex reaches each other one", OPTION_TRUE,
     AT(strong)},
    {"measure", 0, "betweenness|closeness|harmonic|both|eccentricity|diameter",
     "what to compute (default betweenness); both: closeness and harmonic in one pass",
     OPTION_CHOICE, AT(measure), .choices = measures},
    {"samples", 0, "K", "betweenness: estimate from K random sources, which --seed selects",
     OPTION_INT64, AT(samples), 0, 1, INT32_MAX},
    {"normalized", 0, NULL, "betweenness: divide by the number of pairs", OPTION_TRUE,
     AT(normalized)},
    {"reached-only", 0, NULL, "closeness: without the factor for the part that reaches the vertex",
     OPTION_TRUE, AT(reached_only)},
    {"first", 0, "V", "closeness and harmonic: only the vertices from number V on, from 0",
     OPTION_INT64, AT(first_vertex), 0, 0, INT32_MAX},
    {"count", 0, "N", "closeness and harmonic: only N vertices, by default all from --first on",
     OPTION_INT64, AT(vertex_count), 0, 1, INT32_MAX},
    {"checkpoint", 0, "FILE",
     "closeness and harmonic: keep finished scores in FILE, from which the same command continues "
     "after an interruption; standard error gets a line for each time",
     OPTION_TEXT, AT(checkpoint)},
    {"checkpoint-every", 0, "N", "keep them after every N vertices (default: about a minute's)",
     OPTION_INT64, AT(checkpoint_every), 0, 1, INT32_MAX},
    {"reached-only", 0, NULL, "write the vertices that are reached, not all", OPTION_TRUE,
     AT(reached_only), .only = "bfs,sssp"},
    /* ---- a router ---- */
    {"algorithm", 0, "auto|bidirectional|astar|alt",
     "search between the two vertices only, on the CPU, without negative weights: Dijkstra from "
     "both ends, A* with --coordinates, or A* with landmarks; auto: what the options below need, "
     "without them a traversal (see 'Search')",
     OPTION_CHOICE, AT(algorithm), .choices = algorithms},
    {"coordinates", 0, "FILE",
     "read the coordinates of the vertices from FILE, DIMACS .co or the array xy of an .npz; the "
     "vertex nearest to a point is then given as @X,Y",
     OPTION_TEXT, AT(coordinates)},
    {"coordinates", 0, "FILE",
     "read the coordinates of the vertices from FILE, DIMACS .co or the array xy of an .npz; the "
     "vertex nearest to a point is then given as @X,Y, and the file of -o has the columns x and y",
     OPTION_TEXT, AT(coordinates), .only = "bfs,sssp"},
    {"coordinates", 0, "FILE",
     "read the coordinates of the vertices from FILE, DIMACS .co or the array xy of an .npz, for "
     "astar; the vertex nearest to a point is then given as @X,Y, and the file of -o for one path "
     "has a line for each vertex, with x and y",
     OPTION_TEXT, AT(coordinates), .only = "path"},
    {"landmarks", 0, "K", "number of landmarks of alt (default 16)", OPTION_INT, AT(landmarks), 0,
     1, 64},
    {"paths", 0, "K", "the K shortest paths without a repeated vertex", OPTION_INT64,
     AT(path_count), 0, 1, 1e9},
    {"pairs", 0, "FILE",
     "in place of -s and -t: the distances of the pairs in FILE, a line 'SOURCE TARGET' each; "
     "hundreds take less time with --landmarks 16",
     OPTION_TEXT, AT(pairs)},
    {"routes", 0, NULL, "also the vertices of the route of each pair", OPTION_TRUE, AT(routes)},
    /* ---- how it is solved ---- */
    {"strategy", 0, "NAME", "the strategy (see 'fringe list'; default auto)", OPTION_TEXT,
     AT(strategy)},
    {"strategy", 0, "NAME[,NAME]",
     "the strategy for BFS, for SSSP or one for each (see 'fringe list'; default auto)",
     OPTION_TEXT, AT(strategy), .only = "graph500"},
    {"strategies", 0, "NAME[,NAME...]", "only these strategies", OPTION_TEXT, AT(strategies)},
    {"strategies", 0, "NAME[,NAME...]", "compare these strategies (default auto)", OPTION_TEXT,
     AT(strategies), .only = "bench roofline"},
    {"backend", 0, "any|cpu|cuda", "the device (default any)", OPTION_CHOICE, AT(backend),
     .choices = backends},
    {"backend", 0, "any|cpu|cuda", "the device (default any: the CPU, and the GPU if there is one)",
     OPTION_CHOICE, AT(backend), .choices = backends, .only = "tune"},
    {"devices", 0, "all|N[,N...]",
     "divide a traversal among these GPUs of this host where that is expected to be faster "
     "(strategy multi-device)",
     OPTION_TEXT, AT(devices)},
    {"devices", 0, "all|N[,N...]",
     "divide the rows among these GPUs of this host, each of which holds the graph (default: one)",
     OPTION_TEXT, AT(devices), .only = "apsp"},
    {"devices", 0, "all|N[,N...]",
     "divide the vertices of closeness and harmonic among these GPUs of this host, each of which "
     "holds the graph (default: one)",
     OPTION_TEXT, AT(devices), .only = "centrality"},
    {"knob", 'k', "NAME=VALUE", "set a knob of the strategy; may be repeated", OPTION_KNOB,
     AT(knobs)},
    {"tuning-cache", 0, "FILE",
     "the tuning cache, written by 'fringe tune', that auto reads (default fringe/tuning.tsv in "
     "$XDG_CACHE_HOME or ~/.cache)",
     OPTION_TEXT, AT(tuning_cache)},
    {"tuning-cache", 0, "FILE",
     "let auto read this tuning cache, written by 'fringe tune'; default: bench reads no tuning "
     "cache",
     OPTION_TEXT, AT(tuning_cache), .only = "bench"},
    {"tuning-cache", 0, "FILE",
     "where to store the result (default fringe/tuning.tsv in $XDG_CACHE_HOME or ~/.cache)",
     OPTION_TEXT, AT(tuning_cache), .only = "tune"},
    {"no-tuning-cache", 0, NULL, "auto reads no tuning cache", OPTION_TRUE, AT(no_tuning_cache)},
    {"verify", 0, NULL,
     "check the answer by its properties, without a second traversal; exit 1 if wrong", OPTION_TRUE,
     AT(verify)},
    {"verify", 0, NULL, "check the answer by its properties; exit 1 if wrong", OPTION_TRUE,
     AT(verify), .only = "components"},
    {"verify-rows", 0, "R", "check R random rows instead of all; implies --verify", OPTION_INT64,
     AT(verify_rows), 0, 1, 1e9},
    {"explain", 0, NULL, "print why the strategy was chosen, and the cost of each level",
     OPTION_TRUE, AT(explain)},
    {"counters", 0, NULL,
     "count edges, queue entries, duplicates and atomics, as far as the strategy can; on a GPU "
     "only in the build of `make counting`",
     OPTION_TRUE, AT(counters)},
    /* ---- measuring ---- */
    {"repeat", 0, "R", "solve R times from each source (default 1)", OPTION_INT64, AT(repeat), 0, 1,
     1e6},
    {"warmup", 0, "W", "solve W times before timing starts (default 0)", OPTION_INT64, AT(warmup),
     0, 0, 1e6},
    {"suite", 0, "NAME",
     "in place of GRAPH: the graphs of a suite (gpu, gpu-sssp, bfs, sssp, smoke, smoke-sssp), as "
     "JSON lines; auto: the graphs of gpu, or with --problem sssp of gpu-sssp, and the regret of "
     "auto against the best other strategy; microbench: no graphs, but the peak rates of the GPU, "
     "or of the CPU",
     OPTION_TEXT, AT(suite)},
    {"only", 0, "NAME[,NAME...]", "only these graphs of the suite", OPTION_TEXT, AT(only)},
    {"graphs", 0, "DIR",
     "the folder with the files of the suite (cnr-2000, osm-moscow-roads, terrain-alps-energy-neg)",
     OPTION_TEXT, AT(graphs)},
    {"time-limit", 0, "SECONDS", "time limit of a strategy on a graph (default 5)", OPTION_DOUBLE,
     AT(time_limit), 0, 0.001, 1e6},
    {"seconds", 0, "S", "time for each problem and device (default 10)", OPTION_DOUBLE,
     AT(time_limit), 0, 0.001, 1e6},
    {"max-regression", 0, "PERCENT",
     "--suite auto: exit 1 if auto is slower than the best strategy by more", OPTION_DOUBLE,
     AT(max_regression), 0, 0.001, 1e6},
    {"max-regression", 0, "PERCENT", "how much slower B may be (default 5)", OPTION_DOUBLE,
     AT(max_regression), 0, 0.001, 1e6, .only = "bench compare"},
    {"confidence", 0, "PERCENT", "confidence of the intervals (default 95)", OPTION_DOUBLE,
     AT(confidence), 0, 50, 99.9},
    {"scale", 0, "S", "2^S vertices, S from 1 to 30", OPTION_INT, AT(scale), 0, 1, 30},
    {"edge-factor", 0, "E", "edges per vertex (default 16, as a submission requires)", OPTION_INT,
     AT(edge_factor), 0, 1, 1024},
    /* ---- the output ---- */
    {"report", 0, "FILE",
     "also write an HTML page of tables and plots to FILE; for its level profiles one more "
     "traversal of each strategy runs, which is not timed",
     OPTION_TEXT, AT(report)},
    {"output", 'o', "FILE",
     "write the answer to FILE, '-' is standard output; the suffix is the format: .tsv (also "
     "without "
     "a suffix), .csv, .json, .ndjson, .npy (NumPy records) or .npz (arrays ids, values, parents "
     "and sources)",
     OPTION_TEXT, AT(out)},
    {"output", 'o', "FILE",
     "write the distances to FILE, '-' is standard output; the suffix is the format: .tsv (also "
     "without a suffix), .csv, .json or .ndjson with a line per pair, .npy (a NumPy matrix without "
     "ids) or .npz (the matrix values, and the ids of its rows and columns: sources, targets)",
     OPTION_TEXT, AT(out), .only = "apsp"},
    {"output", 'o', "FILE",
     "write 'vertex<TAB>distance' lines to FILE, '-' is standard output; with the options of "
     "'Queries' 'path<TAB>distance<TAB>vertices' lines, with --pairs "
     "'source<TAB>target<TAB>distance' lines; the suffix is the format, as for 'fringe sssp'; not "
     ".npy and .npz where a line has a list of vertices",
     OPTION_TEXT, AT(out), .only = "path"},
    {"output", 'o', "OUT", "the file to write, '-' is standard output", OPTION_TEXT, AT(out),
     .only = "convert,gen"},
    {"output", 'o', "FILE",
     "write 'vertex<TAB>component' lines to FILE, '-' is standard output; the suffix is the "
     "format, "
     "as for 'fringe sssp'",
     OPTION_TEXT, AT(out), .only = "components"},
    {"output", 'o', "FILE",
     "write 'vertex<TAB>score' lines to FILE, '-' is standard output; the suffix is the format, as "
     "for 'fringe sssp'",
     OPTION_TEXT, AT(out), .only = "centrality"},
    {"format", 0, "tsv|csv|json|ndjson|npy|npz",
     "the format, whatever the suffix of FILE; default: by the suffix", OPTION_TEXT, AT(format)},
    {"format", 0, "tsv|csv|json|ndjson|npy|npz|graphalytics",
     "the format, whatever the suffix of FILE; default: by the suffix", OPTION_TEXT, AT(format),
     .only = "bfs,sssp"},
    {"format", 0, "NAME",
     "write this format (see 'fringe list formats'), whatever the suffix of OUT; default: by the "
     "suffix; required for standard output",
     OPTION_TEXT, AT(format), .only = "convert,gen"},
    {"stream", 0, NULL,
     "compute the matrix in a file, FILE.npy.tmp until it is complete, so that it need not fit "
     "into GPU or host memory: with floyd-warshall on a GPU, or without a GPU some rows at a time "
     "on the CPU; after an interrupt the same command resumes from FILE.npy.part",
     OPTION_TRUE, AT(stream)},
    {"json", 0, NULL,
     "print one JSON object and nothing else on standard output; after a failure it has the "
     "status, exit code and message",
     OPTION_TRUE, AT(json)},
    {"json", 0, NULL,
     "print one JSON object per line and nothing else on standard output; after a failure the last "
     "line has the status, exit code and message",
     OPTION_TRUE, AT(json), .only = "bench,bench roofline"},
    {"quiet", 'q', NULL, "print no summary and no progress", OPTION_TRUE, AT(quiet)},
    {"help", 'h', NULL, "print this help and exit", OPTION_TRUE, AT(help)},
    {"man", 0, "COMMAND", "print the manual page of COMMAND ('fringe': the top page)", OPTION_TEXT,
     AT(man)},
    {"completion", 0, "bash|zsh|fish", "print the completion of this shell", OPTION_CHOICE,
     AT(completion), .choices = shells},
};

const char *any_option_name_at(const void *unused, int i) {
    (void)unused;
    return i < (int)(sizeof rows / sizeof *rows) ? rows[i].name : NULL;
}

const option_row *option_next(const command *c, const char **names) {
    const option_row *found = NULL;
    const char *name = *names + strspn(*names, " ");
    const size_t length = strcspn(name, " ");
    *names = name + length;
    if (length == 0)
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0 &&
            (rows[i].only ? has_word(rows[i].only, ",", c->name) : !found))
            found = &rows[i];
    if (!found)
        abort(); /* commands.c lists an option that is not here */
    return found;
}
