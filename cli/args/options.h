/* The option tables of all commands. Included only by commands.c. How to add an option:
 * docs/architecture.md, "Add an option". */
#ifndef CLI_OPTION_ROWS_H
#define CLI_OPTION_ROWS_H

#include "fringe_measures.h"
#include "cli/args/measures.h"

#include <stddef.h>

#define AT(field) offsetof(settings, field)
#define END                                                                                        \
    { 0 }

static const choice id_bases[] = {{"auto", 0}, {"0", 1}, {"1", 2}, {0}};
static const choice ids[] = {
    {"integers", FR_IDS_INTEGERS}, {"strings", FR_IDS_STRINGS}, {"auto", FR_IDS_AUTO}, {0}};
static const choice weight_types[] = {{"auto", FR_TYPE_NONE},   {"int32", FR_TYPE_I32},
                                      {"int64", FR_TYPE_I64},   {"float32", FR_TYPE_F32},
                                      {"float64", FR_TYPE_F64}, {0}};
static const choice dist_types[] = {{"auto", FR_TYPE_NONE},   {"int32", FR_TYPE_I32},
                                    {"int64", FR_TYPE_I64},   {"float32", FR_TYPE_F32},
                                    {"float64", FR_TYPE_F64}, {0}};
static const choice separators[] = {
    {"auto", 0},    {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'},
    {"blank", ' '}, {"bar", '|'},   {"colon", ':'},     {0}};
static const choice decimals[] = {{"point", '.'}, {"comma", ','}, {0}};
static const choice backends[] = {
    {"any", FR_BACKEND_ANY}, {"cpu", FR_BACKEND_CPU}, {"cuda", FR_BACKEND_CUDA}, {0}};
static const choice parent_rules[] = {
    {"any", FR_PARENT_ANY}, {"min-id", FR_PARENT_MIN_ID}, {"nearest", FR_PARENT_NEAREST}, {0}};
static const choice problems[] = {{"bfs", 1 + FR_PROBLEM_BFS}, {"sssp", 1 + FR_PROBLEM_SSSP}, {0}};

static const option_row reading[] = {
    {"input-format", 0, "NAME",
     "read GRAPH in this format (see 'fringe list formats'); default: detected by content, then by "
     "suffix",
     OPTION_TEXT, AT(load.format)},
    {"id-base", 0, "auto|0|1", "the smallest id in the file; auto: that of the format",
     OPTION_CHOICE, AT(load.id_base), 0, 0, 0, id_bases},
    {"ids", 0, "integers|strings|auto",
     "edge lists: the kind of the ids (default integers); strings are kept as the names of the "
     "vertices; auto: strings if the second line has one",
     OPTION_CHOICE, AT(load.ids), 0, 0, 0, ids},
    {"source-column", 0, "NAME|K",
     "edge lists: the column of the sources, by its name in the first line or its number (default: "
     "the one with a name that is known, such as source, from or u, else 1)",
     OPTION_TEXT, AT(load.source_column)},
    {"target-column", 0, "NAME|K", "the same for the targets (target, to, v, ...; else 2)",
     OPTION_TEXT, AT(load.target_column)},
    {"weight-column", 0, "NAME|K",
     "the same for the weights (weight, cost, length, ...; without names of columns 3 if there is "
     "one; "
     "none with --source-column or --target-column)",
     OPTION_TEXT, AT(load.weight_column)},
    {"separator", 0, "auto|comma|semicolon|tab|blank|bar|colon",
     "edge lists: what divides the columns; auto: a tab, a semicolon, a comma or blanks, the first "
     "of "
     "these that the first line has",
     OPTION_CHOICE, AT(load.separator), 0, 0, 0, separators},
    {"decimal", 0, "point|comma", "edge lists: the decimal sign of weights (default point)",
     OPTION_CHOICE, AT(load.decimal), 0, 0, 0, decimals},
    {"cache", 0, NULL,
     "keep a binary copy next to the input file and read it while it is up to date", OPTION_TRUE,
     AT(load.cache)},
    END};

static const option_row shaping[] = {
    {"directed", 0, NULL, "read each entry as one directed edge, whatever the file declares",
     OPTION_VALUE, AT(load.direction), FR_DIRECTION_DIRECTED},
    {"undirected", 0, NULL, "read each entry as an edge in both directions", OPTION_VALUE,
     AT(load.direction), FR_DIRECTION_UNDIRECTED},
    {"simple", 0, NULL, "drop self-loops and parallel edges", OPTION_TRUE, AT(simple)},
    {"drop-loops", 0, NULL, "drop self-loops", OPTION_TRUE, AT(load.drop_loops)},
    {"drop-parallel", 0, NULL, "of parallel edges keep the one of minimum weight", OPTION_TRUE,
     AT(load.drop_parallel)},
    {"weights", 0, "file|none|random:LO,HI|potential:LO,HI,P",
     "file: the weights in the file; none: every edge counts 1; random: uniform in LO..HI "
     "(integers "
     "if both are), the same for u-v and v-u; potential: the same plus the difference of the "
     "potentials, in 0..P, of its ends, so that some weights are negative but no cycle is",
     OPTION_WEIGHTS, AT(load)},
    {"weight-type", 0, "auto|int32|int64|float32|float64",
     "type of the weights; auto: int32 if all fit, else int64 if all fit, else float64",
     OPTION_CHOICE, AT(load.weight_type), 0, 0, 0, weight_types},
    {"seed", 0, "S", "seed of random weights and random sources (default 0)", OPTION_SEED,
     AT(load.seed)},
    END};

static const option_row machine[] = {
    {"threads", 'j', "N", "number of threads; 0: all that this process may use (default 0)",
     OPTION_INT, AT(threads), 0, 0, 4096},
    {"max-memory", 0, "SIZE",
     "use at most this much memory, for example 8G or 500M (default: the memory of the machine)",
     OPTION_BYTES, AT(max_memory)},
    {"device", 0, "N", "index of the GPU (default 0)", OPTION_INT, AT(device), 0, 0, 1024},
    {"max-gpu-mem", 0, "SIZE",
     "use at most this much GPU memory, for example 8G or 500M (default: all that is free)",
     OPTION_BYTES, AT(max_gpu_memory)},
    END};

#define ROW_SOURCE                                                                                 \
    {                                                                                              \
        "source", 's', "ID[,ID...]", "start vertices; several are merged into one traversal",      \
            OPTION_IDS, AT(sources)                                                                \
    }
#define ROW_SOURCES(text)                                                                          \
    { "sources", 0, "N", text, OPTION_INT64, AT(random_sources), 0, 1, 1e9 }
#define ROW_TARGETS                                                                                \
    { "targets", 't', "ID[,ID...]", "stop once all of these are settled", OPTION_IDS, AT(targets) }
#define ROW_MAX_LEVEL                                                                              \
    { "max-level", 0, "L", "stop after level L", OPTION_INT, AT(max_level), 0, 0, 2147483647 }
#define ROW_MAX_DISTANCE                                                                           \
    { "max-distance", 0, "D", "stop at distance D", OPTION_DOUBLE, AT(max_distance), 0, 0, 1e308 }
#define CLOSED_ROWS                                                                                \
    {"closed-vertices",                                                                            \
     0,                                                                                            \
     "FILE",                                                                                       \
     "close the vertices in FILE, one per line: no edge begins or ends there",                     \
     OPTION_TEXT,                                                                                  \
     AT(closed_vertices)},                                                                         \
    {                                                                                              \
        "closed-edges", 0, "FILE",                                                                 \
            "close the edges in FILE, a line 'SOURCE TARGET' each: all parallel ones, and in an "  \
            "undirected graph both directions",                                                    \
            OPTION_TEXT, AT(closed_edges)                                                          \
    }
#define ROW_DIST_TYPE                                                                              \
    {                                                                                              \
        "dist-type", 0, "auto|int32|int64|float32|float64",                                        \
            "type of the distances; auto: that of the weights, and one of 64 bits if a sum "       \
            "overflows",                                                                           \
            OPTION_CHOICE, AT(dist_type), 0, 0, 0, dist_types                                      \
    }
#define ROW_STRATEGY                                                                               \
    {                                                                                              \
        "strategy", 0, "NAME", "the strategy (see 'fringe list'; default auto)", OPTION_TEXT,      \
            AT(strategy)                                                                           \
    }
#define ROW_BACKEND                                                                                \
    {                                                                                              \
        "backend", 0, "any|cpu|cuda", "the device (default any)", OPTION_CHOICE, AT(backend), 0,   \
            0, 0, backends                                                                         \
    }
#define ROW_KNOB                                                                                   \
    {                                                                                              \
        "knob", 'k', "NAME=VALUE", "set a knob of the strategy; may be repeated", OPTION_KNOB,     \
            AT(knobs)                                                                              \
    }
#define ROW_TUNING_CACHE(text)                                                                     \
    { "tuning-cache", 0, "FILE", text, OPTION_TEXT, AT(tuning_cache) }
#define TUNING_CACHE_ROWS                                                                          \
    ROW_TUNING_CACHE("the tuning cache, written by 'fringe tune', that auto reads (default "       \
                     "fringe/tuning.tsv in $XDG_CACHE_HOME or ~/.cache)"),                         \
    {                                                                                              \
        "no-tuning-cache", 0, NULL, "auto reads no tuning cache", OPTION_TRUE, AT(no_tuning_cache) \
    }
#define ROW_PARENTS                                                                                \
    {                                                                                              \
        "parents", 0, "any|min-id|nearest",                                                        \
            "which of several valid parents: min-id, the smallest, or nearest, the one nearest "   \
            "to "                                                                                  \
            "the source, are the same on every run (default any)",                                 \
            OPTION_CHOICE, AT(parent_rule), 0, 0, 0, parent_rules                                  \
    }
#define ROW_REVERSE(text)                                                                          \
    { "reverse", 0, NULL, text, OPTION_TRUE, AT(reverse) }
#define REVERSE_TEXT                                                                               \
    "traverse the edges backwards: values are those *to* the sources, a parent is the next "       \
    "vertex "                                                                                      \
    "on the way to the source"
#define ROW_MARK_NEGATIVE_CYCLES(text)                                                             \
    { "mark-negative-cycles", 0, NULL, text, OPTION_TRUE, AT(mark_negative_cycles) }
#define ROW_VERIFY                                                                                 \
    {                                                                                              \
        "verify", 0, NULL,                                                                         \
            "check the answer by its properties, without a second traversal; exit 1 if wrong",     \
            OPTION_TRUE, AT(verify)                                                                \
    }
#define ROW_EXPLAIN                                                                                \
    {                                                                                              \
        "explain", 0, NULL, "print why the strategy was chosen, and the cost of each level",       \
            OPTION_TRUE, AT(explain)                                                               \
    }
#define ROW_COUNTERS                                                                               \
    {                                                                                              \
        "counters", 0, NULL,                                                                       \
            "count edges, queue entries, duplicates and atomics, as far as the strategy can; on "  \
            "a GPU only in the build of `make counting`",                                          \
            OPTION_TRUE, AT(counters)                                                              \
    }
#define ROW_JSON                                                                                   \
    {                                                                                              \
        "json", 0, NULL,                                                                           \
            "print one JSON object and nothing else on standard output; after a failure it has "   \
            "the status, exit code and message",                                                   \
            OPTION_TRUE, AT(json)                                                                  \
    }
#define ROW_JSON_LINES                                                                             \
    {                                                                                              \
        "json", 0, NULL,                                                                           \
            "print one JSON object per line and nothing else on standard output; after a failure " \
            "the last line has the status, exit code and message",                                 \
            OPTION_TRUE, AT(json)                                                                  \
    }
#define OUT_FORMAT_TEXT                                                                            \
    "write this format (see 'fringe list formats'), whatever the suffix of OUT; default: by the "  \
    "suffix; required for standard output"
#define ROW_QUIET                                                                                  \
    { "quiet", 'q', NULL, "print no summary and no progress", OPTION_TRUE, AT(quiet) }
#define ROW_HELP                                                                                   \
    { "help", 'h', NULL, "print this help and exit", OPTION_TRUE, AT(help) }
#define TIMING_ROWS                                                                                \
    {"repeat", 0, "R", "solve R times from each source (default 1)", OPTION_INT64, AT(repeat),     \
     0,        1, 1e6},                                                                            \
    {                                                                                              \
        "warmup", 0, "W", "solve W times before timing starts (default 0)", OPTION_INT64,          \
            AT(warmup), 0, 0, 1e6                                                                  \
    }

#define RANDOM_TEXT                                                                                \
    "N random sources that have edges (see --seed), one traversal each; prints the quantiles of "  \
    "the rate"

#define ROW_SEVERAL_GPUS                                                                           \
    {                                                                                              \
        "devices", 0, "all|N[,N...]",                                                              \
            "divide a traversal among these GPUs of this host where that is expected to be "       \
            "faster (strategy multi-device)",                                                      \
            OPTION_TEXT, AT(devices)                                                               \
    }

static const option_row bfs_rows[] = {ROW_SOURCE,
                                      ROW_SOURCES(RANDOM_TEXT),
                                      ROW_REVERSE(REVERSE_TEXT),
                                      ROW_TARGETS,
                                      ROW_MAX_LEVEL,
                                      CLOSED_ROWS,
                                      ROW_PARENTS,
                                      ROW_STRATEGY,
                                      ROW_BACKEND,
                                      ROW_SEVERAL_GPUS,
                                      ROW_KNOB,
                                      TUNING_CACHE_ROWS,
                                      TIMING_ROWS,
                                      ROW_VERIFY,
                                      ROW_EXPLAIN,
                                      ROW_COUNTERS,
                                      END};

static const option_row sssp_rows[] = {
    ROW_SOURCE,
    ROW_SOURCES(RANDOM_TEXT),
    ROW_REVERSE(REVERSE_TEXT),
    ROW_TARGETS,
    ROW_MAX_DISTANCE,
    CLOSED_ROWS,
    ROW_DIST_TYPE,
    ROW_PARENTS,
    ROW_MARK_NEGATIVE_CYCLES("do not stop at a negative cycle: vertices that one reaches get -inf, "
                             "the others their distance"),
    ROW_STRATEGY,
    ROW_BACKEND,
    ROW_SEVERAL_GPUS,
    ROW_KNOB,
    TUNING_CACHE_ROWS,
    TIMING_ROWS,
    ROW_VERIFY,
    ROW_EXPLAIN,
    ROW_COUNTERS,
    END};

static const option_row ranks_rows[] = {
    {"ranks", 0, NULL,
     "run as one of the ranks that mpirun or srun starts, each with a part of the graph, on CPU "
     "cores, or with --backend cuda on a GPU per rank",
     OPTION_TRUE, AT(ranks)},
    {"rank-timeout", 0, "SECONDS",
     "end when another rank does not answer for this long (default 600)", OPTION_DOUBLE,
     AT(rank_timeout), 0, 0.1, 1e6},
    END};

static const choice parent_columns[] = {{"any", 1 + FR_PARENT_ANY},
                                        {"min-id", 1 + FR_PARENT_MIN_ID},
                                        {"nearest", 1 + FR_PARENT_NEAREST},
                                        {0}};
static const option_row apsp_rows[] = {
    {"sources-list", 's', "ID[,ID...]", "solve only from these sources, in this order", OPTION_IDS,
     AT(sources)},
    ROW_SOURCES("solve only from N random sources (see --seed)"),
    {"targets", 't', "ID[,ID...]", "solve only for these targets, a column each, in this order",
     OPTION_IDS, AT(targets)},
    {"max-distance", 0, "D", "pairs farther than D count as unreached", OPTION_DOUBLE,
     AT(max_distance), 0, 0, 1e308},
    {"parents", 0, "any|min-id|nearest",
     "add the column 'parent': the vertex before the last on a shortest path; of several any one, "
     "the "
     "smallest, or the nearest to the source",
     OPTION_CHOICE, AT(parent_column), 0, 0, 0, parent_columns},
    CLOSED_ROWS,
    ROW_REVERSE("traverse the edges backwards: a row has the distances *to* its source"),
    ROW_DIST_TYPE,
    ROW_STRATEGY,
    ROW_BACKEND,
    {"devices", 0, "all|N[,N...]",
     "divide the rows among these GPUs of this host, each of which holds the graph (default: one)",
     OPTION_TEXT, AT(devices)},
    ROW_KNOB,
    ROW_VERIFY,
    {"verify-rows", 0, "R", "check R random rows instead of all; implies --verify", OPTION_INT64,
     AT(verify_rows), 0, 1, 1e9},
    ROW_EXPLAIN,
    ROW_COUNTERS,
    END};

static const option_row path_rows[] = {
    {"source", 's', "ID", "the first vertex", OPTION_IDS, AT(sources)},
    {"target", 't', "ID", "the last vertex", OPTION_IDS, AT(targets)},
    CLOSED_ROWS,
    ROW_STRATEGY,
    ROW_BACKEND,
    ROW_KNOB,
    TUNING_CACHE_ROWS,
    ROW_VERIFY,
    END};

static const choice algorithms[] = {{"auto", FR_ROUTE_AUTO},
                                    {"bidirectional", FR_ROUTE_BIDIRECTIONAL},
                                    {"astar", FR_ROUTE_ASTAR},
                                    {"alt", FR_ROUTE_ALT},
                                    {0}};
static const option_row route_rows[] = {
    {"algorithm", 0, "auto|bidirectional|astar|alt",
     "search between the two vertices only, on the CPU, without negative weights: Dijkstra from "
     "both "
     "ends, A* with --coordinates, or A* with landmarks; auto: what the options below need, "
     "without them a traversal (see 'Search')",
     OPTION_CHOICE, AT(algorithm), 0, 0, 0, algorithms},
    {"coordinates", 0, "FILE", "read the coordinates of the vertices from FILE (DIMACS .co)",
     OPTION_TEXT, AT(coordinates)},
    {"landmarks", 0, "K", "number of landmarks of alt (default 16)", OPTION_INT, AT(landmarks), 0,
     1, 64},
    {"paths", 0, "K", "the K shortest paths without a repeated vertex", OPTION_INT64,
     AT(path_count), 0, 1, 1e9},
    {"pairs", 0, "FILE",
     "in place of -s and -t: the distances of the pairs in FILE, a line 'SOURCE TARGET' each",
     OPTION_TEXT, AT(pairs)},
    END};

static const choice float_types[] = {{"float32", FR_TYPE_F32}, {"float64", FR_TYPE_F64}, {0}};

static const option_row verify_rows[] = {
    {"problem", 0, "bfs|sssp", "the problem that RESULT solves; default: by its header",
     OPTION_CHOICE, AT(problem), 0, 0, 0, problems},
    {"source", 's', "ID[,ID...]",
     "the sources; default: the vertices of value 0 that are their own parent", OPTION_IDS,
     AT(sources)},
    ROW_REVERSE("RESULT was made with --reverse"),
    {"targets", 't', "ID[,ID...]", "the traversal stopped once these were settled", OPTION_IDS,
     AT(targets)},
    ROW_MAX_LEVEL,
    ROW_MAX_DISTANCE,
    CLOSED_ROWS,
    ROW_MARK_NEGATIVE_CYCLES(
        "-inf marks vertices that a negative cycle reaches; in a .npy file of integers the minimum "
        "of the type"),
    {"dist-type", 0, "float32|float64",
     "type in which the distances were summed, which sets the tolerance; default: by the file and "
     "the weights; integers must be exact",
     OPTION_CHOICE, AT(dist_type), 0, 0, 0, float_types},
    END};

static const option_row bench_rows[] = {
    {"problem", 0, "bfs|sssp", "the problem (default bfs)", OPTION_CHOICE, AT(problem), 0, 0, 0,
     problems},
    {"strategies", 0, "NAME[,NAME...]", "only these strategies", OPTION_TEXT, AT(strategies)},
    ROW_SOURCES("random sources, the same for every strategy (default 16)"),
    ROW_BACKEND,
    ROW_DIST_TYPE,
    ROW_TUNING_CACHE(
        "let auto read this tuning cache, written by 'fringe tune'; default: bench reads "
        "no tuning cache"),
    TIMING_ROWS,
    END};

static const option_row suite_rows[] = {
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
    {"max-regression", 0, "PERCENT",
     "--suite auto: exit 1 if auto is slower than the best strategy by more", OPTION_DOUBLE,
     AT(max_regression), 0, 0.001, 1e6},
    END};

static const option_row tune_rows[] = {
    {"problem", 0, "bfs|sssp", "the problem (default bfs, and also sssp if the graph has weights)",
     OPTION_CHOICE, AT(problem), 0, 0, 0, problems},
    {"seconds", 0, "S", "time for each problem and device (default 10)", OPTION_DOUBLE,
     AT(time_limit), 0, 0.001, 1e6},
    {"backend", 0, "any|cpu|cuda", "the device (default any: the CPU, and the GPU if there is one)",
     OPTION_CHOICE, AT(backend), 0, 0, 0, backends},
    {"source", 's', "ID[,ID...]", "measure one traversal from each of these", OPTION_IDS,
     AT(sources)},
    ROW_SOURCES("random sources to measure from (default 5; see --seed)"),
    ROW_DIST_TYPE,
    ROW_TUNING_CACHE("where to store the result (default fringe/tuning.tsv in $XDG_CACHE_HOME or "
                     "~/.cache)"),
    END};

static const option_row graph500_rows[] = {
    {"scale", 0, "S", "2^S vertices, S from 1 to 30", OPTION_INT, AT(scale), 0, 1, 30},
    {"edge-factor", 0, "E", "edges per vertex (default 16, as a submission requires)", OPTION_INT,
     AT(edge_factor), 0, 1, 1024},
    {"seed", 0, "S", "seed of the edges, their weights and the search keys (default 0)",
     OPTION_SEED, AT(load.seed)},
    ROW_SOURCES("number of search keys (default 64, as a submission requires)"),
    {"problem", 0, "bfs|sssp", "only this kernel (default both)", OPTION_CHOICE, AT(problem), 0, 0,
     0, problems},
    {"strategy", 0, "NAME[,NAME]",
     "the strategy for BFS, for SSSP or one for each (see 'fringe list'; default auto)",
     OPTION_TEXT, AT(strategy)},
    ROW_BACKEND,
    {"dist-type", 0, "float32|float64", "type of the distances (default float32)", OPTION_CHOICE,
     AT(dist_type), 0, 0, 0, float_types},
    END};

static const option_row compare_rows[] = {
    {"max-regression", 0, "PERCENT", "how much slower B may be (default 5)", OPTION_DOUBLE,
     AT(max_regression), 0, 0.001, 1e6},
    {"confidence", 0, "PERCENT", "confidence of the intervals (default 95)", OPTION_DOUBLE,
     AT(confidence), 0, 50, 99.9},
    {"seed", 0, "S", "seed of the bootstrap samples (default 0)", OPTION_SEED, AT(load.seed)},
    END};

static const option_row roofline_rows[] = {{"strategies", 0, "NAME[,NAME...]",
                                            "compare these strategies (default auto)", OPTION_TEXT,
                                            AT(strategies)},
                                           END};

static const option_row bench_output[] = {{"report", 0, "FILE",
                                           "also write an HTML page of tables and plots to FILE; "
                                           "for its level profiles one more traversal "
                                           "of each strategy runs, which is not timed",
                                           OPTION_TEXT, AT(report)},
                                          ROW_JSON_LINES,
                                          ROW_HELP,
                                          END};

static const option_row result_file[] = {
    {"output", 'o', "FILE",
     "write the answer to FILE, '-' is standard output; if the name ends in .npy, as a NumPy array",
     OPTION_TEXT, AT(out)},
    {"format", 0, "tsv|graphalytics|npy",
     "the format, whatever the suffix of FILE; default: npy for .npy, else tsv", OPTION_TEXT,
     AT(format)},
    ROW_JSON,
    ROW_QUIET,
    ROW_HELP,
    END};

static const option_row matrix_file[] = {
    {"output", 'o', "FILE",
     "write the distances to FILE, '-' is standard output; if the name ends in .npy, as a NumPy "
     "matrix",
     OPTION_TEXT, AT(out)},
    {"format", 0, "tsv|npy",
     "the format, whatever the suffix of FILE; default: npy for .npy, else tsv", OPTION_TEXT,
     AT(format)},
    {"stream", 0, NULL,
     "compute the matrix in a file, FILE.npy.tmp until it is complete, so that it need not fit "
     "into GPU "
     "or host memory: with floyd-warshall on a GPU, or without a GPU some rows at a time on the "
     "CPU; "
     "after an interrupt the same command resumes from FILE.npy.part",
     OPTION_TRUE, AT(stream)},
    ROW_JSON,
    ROW_QUIET,
    ROW_HELP,
    END};

static const option_row path_file[] = {
    {"output", 'o', "FILE",
     "write 'vertex<TAB>distance' lines to FILE, '-' is standard output; with the options of "
     "'Queries' 'path<TAB>distance<TAB>vertices' lines, with --pairs "
     "'source<TAB>target<TAB>distance' lines; if the name ends in .npy, as a NumPy array, except "
     "with --paths",
     OPTION_TEXT, AT(out)},
    ROW_JSON,
    ROW_QUIET,
    ROW_HELP,
    END};

static const option_row report[] = {ROW_JSON, ROW_QUIET, ROW_HELP, END};
static const option_row json_report[] = {ROW_JSON, ROW_HELP, END};
static const option_row json_lines_report[] = {ROW_JSON_LINES, ROW_HELP, END};

static const option_row graph_file[] = {
    {"output", 'o', "OUT", "the file to write, '-' is standard output", OPTION_TEXT, AT(out)},
    {"format", 0, "NAME", OUT_FORMAT_TEXT, OPTION_TEXT, AT(format)},
    ROW_JSON,
    ROW_QUIET,
    ROW_HELP,
    END};

static const choice component_kinds[] = {{"all", 0},
                                         {"largest", 1 + FR_COMPONENTS_WEAK},
                                         {"largest-strong", 1 + FR_COMPONENTS_STRONG},
                                         {0}};
static const option_row part_rows[] = {
    {"component", 0, "all|largest|largest-strong",
     "keep only the largest weakly or strongly connected component; vertices keep their ids if the "
     "format of OUT holds ids",
     OPTION_CHOICE, AT(component), 0, 0, 0, component_kinds},
    END};

static const option_row cycle_rows[] = {ROW_STRATEGY, ROW_BACKEND, ROW_KNOB, ROW_VERIFY, END};

static const option_row component_rows[] = {
    {"strong", 0, NULL, "strongly connected: each vertex reaches each other one", OPTION_TRUE,
     AT(strong)},
    ROW_BACKEND,
    {"verify", 0, NULL, "check the answer by its properties; exit 1 if wrong", OPTION_TRUE,
     AT(verify)},
    END};

static const option_row label_file[] = {{"output", 'o', "FILE",
                                         "write 'vertex<TAB>component' lines to FILE, '-' is "
                                         "standard output; a NumPy array of the same "
                                         "records if the name ends in .npy",
                                         OPTION_TEXT, AT(out)},
                                        ROW_JSON,
                                        ROW_QUIET,
                                        ROW_HELP,
                                        END};

static const option_row centrality_rows[] = {
    {"measure", 0, "betweenness|closeness|harmonic|eccentricity|diameter",
     "what to compute (default betweenness)", OPTION_CHOICE, AT(measure), 0, 0, 0, measures},
    {"samples", 0, "K", "betweenness: estimate from K random sources, which --seed selects",
     OPTION_INT64, AT(samples), 0, 1, INT32_MAX, NULL},
    {"normalized", 0, NULL, "betweenness: divide by the number of pairs", OPTION_TRUE,
     AT(normalized)},
    {"reached-only", 0, NULL, "closeness: without the factor for the part that reaches the vertex",
     OPTION_TRUE, AT(reached_only)},
    ROW_BACKEND,
    END};

static const option_row score_file[] = {
    {"output", 'o', "FILE",
     "write 'vertex<TAB>score' lines to FILE, '-' is standard output; a NumPy array of the same "
     "records if the name ends in .npy",
     OPTION_TEXT, AT(out)},
    ROW_JSON,
    ROW_QUIET,
    ROW_HELP,
    END};

static const option_row help_rows[] = {
    {"man", 0, "COMMAND", "print the manual page of COMMAND ('fringe': the top page)", OPTION_TEXT,
     AT(man)},
    {"completion", 0, NULL, "print the bash completion", OPTION_TRUE, AT(completion)},
    ROW_HELP,
    END};

#endif
