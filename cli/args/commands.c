/* The table of all commands, with the names of their options, whose rows are in options.c. help.c prints --help, the
 * manual pages and the completion from these tables, and parse.c reads the command line with them. */
#include "cli/cli.h"

#include <string.h>

#define MACHINE                                                                                    \
    { "Machine", "threads max-memory device max-gpu-mem" }
#define SHAPING                                                                                    \
    {"The graph", "directed undirected simple drop-loops drop-parallel weights weight-type seed"}, \
        MACHINE
#define LOADING                                                                                    \
    {"Reading the file", "input-format id-base ids source-column target-column weight-column "     \
                         "separator decimal cache"},                                               \
        SHAPING
#define RANKS                                                                                      \
    { "Several processes", "ranks rank-timeout" }
#define RUNS                                                                                       \
    "strategy backend devices knob tuning-cache no-tuning-cache repeat warmup verify explain "     \
    "counters"

#define ABOUT_GRAPH                                                                                \
    "GRAPH is a file, plain or compressed, in any format of 'fringe list formats'. '-' is "        \
    "standard input. If no file has that name, GRAPH is the description of a generated graph, "    \
    "for example 'kronecker:scale=20,seed=1' (see 'fringe list generators'). Vertices are named "  \
    "by the ids of the file."

#define ABOUT_RESULT                                                                               \
    "The suffix of FILE is its format. A .csv file has the same cells; in .json and .ndjson, "     \
    "objects of the same names, what is not reached is null. A .npy file is a NumPy array of "     \
    "records (vertex, value, parent), a .npz file has the arrays ids, values, parents, sources. "  \
    "The file is written under a temporary name and renamed when it is complete. "

#define ABOUT_RATE                                                                                 \
    "Rates are in millions of traversed edges per second (MTEPS): the edges of the reached part "  \
    "divided by the traversal time. An edge in both directions counts once, as in Graph500. "      \
    "With several runs, --json prints the run of median time, and all runs in 'runs'."

const command commands[] = {
    {.name = "bfs",
     .arguments = "GRAPH",
     .summary = "breadth-first levels and parents from a source",
     .about = ABOUT_GRAPH "\n\nFILE gets the header 'vertex<TAB>level<TAB>parent' and one line per "
                          "vertex, ordered by id. Unreached vertices have level -1 and parent -1; "
                          "the source is its own parent. " ABOUT_RESULT "\n\n" ABOUT_RATE,
     .run = cmd_traverse,
     .fixed = 1 + FR_PROBLEM_BFS,
     .groups = {{"Traversal",
                 "source sources-file sources reverse targets targets-file coordinates "
                 "max-level reached-only closed-vertices closed-edges parents " RUNS},
                RANKS,
                LOADING,
                {"Output", "output format json quiet help"}},
     .examples = {{"fringe bfs web.mtx.gz -s 17 -o levels.tsv",
                   "Writes levels and parents from vertex 17 to a file."},
                  {"fringe bfs kronecker:scale=20,seed=1 --sources 16 --verify",
                   "Runs 16 traversals of a generated graph and checks each."},
                  {"mpirun -n 4 fringe bfs web.fringe -s 17 --ranks -o levels.npy",
                   "Divides the graph among four processes, on one host or several."}}},
    {.name = "sssp",
     .arguments = "GRAPH",
     .summary = "shortest distances and parents from a source",
     .about = ABOUT_GRAPH
     "\n\nFILE gets the header 'vertex<TAB>distance<TAB>parent' and one line per vertex, ordered "
     "by id. Unreached vertices have distance inf and parent -1; the source is its own parent. In "
     "a .npy file of integers, the distance of an unreached vertex is the maximum of the "
     "type. " ABOUT_RESULT
     "\n\nWeights may be negative. If a negative cycle is reachable, the command prints it and "
     "exits with 1. With --mark-negative-cycles it writes FILE, too: vertices that a negative "
     "cycle reaches have distance -inf (in a .npy file of integers the minimum of the type) and "
     "parent -1. If a sum of weights overflows int32 or float32, distances are computed in int64 "
     "or float64, and the summary says so.\n\n" ABOUT_RATE,
     .run = cmd_traverse,
     .fixed = 1 + FR_PROBLEM_SSSP,
     .groups = {{"Traversal",
                 "source sources-file sources reverse targets targets-file coordinates "
                 "max-distance reached-only closed-vertices "
                 "closed-edges dist-type parents mark-negative-cycles " RUNS},
                RANKS,
                LOADING,
                {"Output", "output format json quiet help"}},
     .examples = {{"fringe sssp rome99.gr -s 1 -o distances.tsv",
                   "Writes distances from vertex 1 to a file."},
                  {"fringe sssp kronecker:scale=18 --weights random:1,255 --sources 16",
                   "Runs 16 traversals of a generated graph with random weights."}}},
    {.name = "apsp",
     .arguments = "GRAPH",
     .summary = "distances between all pairs of vertices, or from chosen sources",
     .about = ABOUT_GRAPH
     "\n\nFILE gets the header 'source<TAB>vertex<TAB>distance' and one line per pair, the "
     "same cells with the suffix .csv, and objects with .json and .ndjson; with .npy FILE is the "
     "matrix, with .npz the matrix 'values' with the ids of its rows and columns, 'sources' and "
     "'targets'. Unreached vertices have distance inf, in JSON null, in a matrix of "
     "integers the maximum of the type. With --parents, .npz has the matrix 'parents', too. Each "
     "row is written as soon as those before it are, with --verify, and with parents in .npz, all "
     "at the end. Without weights every edge counts 1.",
     .run = cmd_apsp,
     .fixed = 1 + FR_PROBLEM_APSP,
     .groups = {{"Solving",
                 "source sources-file sources targets targets-file coordinates max-distance "
                 "parents "
                 "closed-vertices closed-edges reverse "
                 "dist-type strategy backend devices knob verify verify-rows explain counters"},
                LOADING,
                {"Output", "output format stream json quiet help"}},
     .examples = {{"fringe apsp karate.graph -o distances.npy",
                   "Writes the whole matrix for NumPy."},
                  {"fringe apsp rome99.gr -s 1,7,9 -o -", "Prints three rows on standard output."},
                  {"fringe apsp rome99.gr -s 1,7,9 -t 40,41 -o pairs.tsv",
                   "Writes six distances, from three vertices to two."}}},
    {.name = "path",
     .arguments = "GRAPH",
     .summary = "a shortest path between two vertices",
     .about = ABOUT_GRAPH "\n\nPrints the path of minimum weight, or the path of fewest edges if "
                          "the graph has no weights or with --weights none.",
     .run = cmd_path,
     .groups = {{"Search", "source target closed-vertices closed-edges strategy backend knob "
                           "tuning-cache no-tuning-cache verify"},
                {"Queries",
                 "algorithm coordinates landmarks paths pairs sources-file targets-file routes"},
                LOADING,
                {"Output", "output format json quiet help"}},
     .examples = {{"fringe path rome99.gr -s 1 -t 3353",
                   "Prints the shortest path from 1 to 3353."},
                  {"fringe path rome99.gr -s 1 -t 3353 --paths 3",
                   "Prints the three shortest paths."},
                  {"fringe path rome99.gr --pairs trips.txt --landmarks 16 -o distances.tsv",
                   "Writes the distances of many pairs."}}},
    {.name = "info",
     .arguments = "GRAPH",
     .summary = "statistics of a graph: size, weights, degrees, components, diameter",
     .about = ABOUT_GRAPH,
     .run = cmd_info,
     .groups = {LOADING, {"Output", "json help"}},
     .examples = {{"fringe info web.mtx.gz", "Prints all statistics on one screen."},
                  {"fringe info grid2d:rows=100,cols=100 --json", "Prints them as JSON."}}},
    {.name = "components",
     .arguments = "GRAPH",
     .summary = "connected components: their number, sizes and labels",
     .about =
         ABOUT_GRAPH "\n\nFILE gets the header 'vertex<TAB>component' and one line per vertex, "
                     "ordered by id. Components are numbered from 0 in the order of their smallest "
                     "vertices. Without --strong the direction of edges is ignored. They are found "
                     "on the device that is expected to answer first, or on the one of --backend.",
     .run = cmd_components,
     .groups = {{"Components", "strong backend verify"},
                LOADING,
                {"Output", "output format json quiet help"}},
     .examples = {{"fringe components web.mtx.gz", "Prints their number and a histogram."},
                  {"fringe components web.mtx.gz --strong -o labels.tsv",
                   "Writes the strongly connected component of each vertex."}}},
    {.name = "centrality",
     .arguments = "GRAPH",
     .summary = "betweenness, closeness, harmonic centrality, eccentricity or diameter",
     .about = ABOUT_GRAPH
     "\n\nFILE gets the header 'vertex<TAB>MEASURE' and one line per vertex, ordered by id. "
     "Definitions as in NetworkX: betweenness without end points, of a pair once in an "
     "undirected graph; closeness and harmonic centrality from distances to the vertex; "
     "eccentricity from distances from it. In a graph that is not connected, eccentricity, "
     "diameter and radius are those of the pairs that have a path; 'fringe convert --component "
     "largest' keeps the largest component. Weights are distances; --weights none counts edges. "
     "With --samples the summary has a bound of the error. Measures run on the device that is "
     "expected to answer first, or on that of --backend; eccentricities and the diameter of float "
     "weights run on the CPU.",
     .run = cmd_centrality,
     .groups = {{"Centrality", "measure samples normalized reached-only first count checkpoint "
                               "checkpoint-every backend devices"},
                LOADING,
                {"Output", "output format json quiet help"}},
     .examples =
         {{"fringe centrality karate.graph --normalized -o betweenness.tsv",
           "Writes the betweenness of every vertex."},
          {"fringe centrality web.mtx.gz --samples 1000 --json",
           "Estimates it from 1000 random sources."},
          {"fringe centrality web.mtx.gz --measure both --checkpoint part "
           "-o scores.tsv",
           "Computes closeness and harmonic; after an interruption the same command continues."},
          {"fringe centrality web.mtx.gz --measure diameter",
           "Prints the exact diameter and radius."}}},
    {.name = "cycle",
     .arguments = "GRAPH",
     .summary = "a negative cycle anywhere in a graph",
     .about = ABOUT_GRAPH
     "\n\nPrints the vertices of a cycle whose weights sum to less than 0 and exits with 1; exits "
     "with 0 if the graph has none. 'fringe sssp' finds only a cycle that its sources reach.",
     .run = cmd_cycle,
     .groups = {{"Search", "strategy backend knob verify"}, LOADING, {"Output", "json quiet help"}},
     .examples = {{"fringe cycle rates.csv", "Prints a negative cycle, if there is one."}}},
    {.name = "convert",
     .arguments = "IN [OUT]",
     .summary = "read a graph in one format, write it in another",
     .about = "IN is a file, or the description of a generated graph as for 'fringe gen'. The "
              "options below change the graph that is written to OUT; -o may name OUT too. OUT is "
              "written under a temporary name and renamed when it is complete.",
     .run = cmd_convert,
     .groups = {{"A part", "component"}, LOADING, {"Output", "output format json quiet help"}},
     .examples = {{"fringe convert web.txt.zst web.fringe --undirected --simple",
                   "Writes an undirected binary copy, which loads fast."},
                  {"fringe convert web.txt core.mtx --component largest-strong",
                   "Writes the largest strongly connected component."}}},
    {.name = "gen",
     .arguments = "DESCRIPTION",
     .summary = "generate a graph and write it",
     .about = "DESCRIPTION is the name of a generator and its parameters, for example "
              "'kronecker:scale=20,seed=1'; 'fringe list generators' lists all. The graph does not "
              "depend on the number of threads.",
     .run = cmd_gen,
     .groups = {SHAPING, {"Output", "output format json quiet help"}},
     .examples = {{"fringe gen kronecker:scale=16,seed=1 -o k16.mtx",
                   "Writes a Graph500 graph as Matrix Market."}}},
    {.name = "verify",
     .arguments = "GRAPH RESULT",
     .summary = "check the result of any program",
     .about = ABOUT_GRAPH
     "\n\nRESULT is a file in the format of 'fringe bfs' or 'fringe sssp' (TSV with its header, "
     "with or without the parent column; .npy), or the 'vertex value' lines of LDBC Graphalytics, "
     "written by any program; '-' is standard input. Give the loading options with which it was "
     "made. The exit code is 0 if the result is correct and 1 if it is not.",
     .run = cmd_verify,
     .groups = {{"Checking", "problem source reverse targets max-level max-distance "
                             "closed-vertices closed-edges mark-negative-cycles dist-type"},
                LOADING,
                {"Output", "json quiet help"}},
     .examples = {{"fringe verify rome99.gr distances.tsv -s 1",
                   "Checks the distances from vertex 1."}}},
    {.name = "list",
     .arguments = "[strategies|formats|generators|devices]",
     .summary = "the strategies with their knobs, the formats, the generators, the GPUs",
     .about = "Without an argument, prints all but the GPUs, whose drivers take a while to start.",
     .run = cmd_list,
     .groups = {{"Output", "json help"}},
     .examples = {{"fringe list strategies", "Prints the values of --strategy and --knob."}}},
    {.name = "bench",
     .arguments = "[GRAPH...]",
     .summary = "run every strategy on graphs from the same sources, check and time it",
     .about = ABOUT_GRAPH
     "\n\nPrints a table of medians with the quartiles of the traversals; with --json one JSON "
     "object per line for every graph and strategy, as 'bench compare' reads them. A "
     "suite always prints JSON lines, one for every graph and strategy: the times to prepare, "
     "upload and traverse from random sources that reach a tenth of the graph, after one warm-up "
     "(see --warmup). The first answer is checked. If a graph or strategy is left out, \"skipped\" "
     "has the reason. The suite 'auto' also prints, on standard error, a table of auto's regret: "
     "its time divided by the time of the best other strategy. The suite 'microbench' has no "
     "graphs: "
     "it measures copies, random reads, atomics, launches, barriers and uploads. " ABOUT_RATE,
     .run = cmd_bench,
     .groups = {{"Measuring",
                 "problem strategies sources backend dist-type tuning-cache repeat warmup"},
                {"A suite of graphs", "suite only graphs time-limit max-regression"},
                LOADING,
                {"Output", "report json help"}},
     .examples = {{"fringe bench grid2d:rows=500,cols=500 rome99.gr",
                   "Measures all BFS strategies on two graphs."},
                  {"fringe bench --suite gpu --backend cuda --graphs DIR >gpu.jsonl",
                   "Measures all GPU strategies on the graphs of the suite."},
                  {"fringe bench --suite auto --graphs DIR --max-regression 5 >auto.jsonl",
                   "Exits 1 if auto is more than 5 % slower than the best strategy."},
                  {"fringe bench kronecker:scale=18 --report k18.html",
                   "Writes a page with the times and the profile of each level."}}},
    {.name = "bench compare",
     .arguments = "A.jsonl B.jsonl",
     .summary = "compare two runs of bench and report regressions",
     .about =
         "A.jsonl and B.jsonl hold lines of 'fringe bench --json' or '--suite'. Two lines are "
         "compared if problem, graph, strategy, variant, backend, device and knobs agree; a knob "
         "that only one line names has its default in the other. The last of several equal lines "
         "counts. Prints the ratio of the median times, B to A, with its confidence interval, and "
         "the geometric mean of the ratios; lists the lines that only one file has.\n\n"
         "Intervals are bootstrapped: 2000 samples of the runs are drawn with replacement, and the "
         "ratio is computed for each; if both lines list the same sources, pairs of runs are "
         "drawn. Lines of builds that did not list the runs have only quartiles: the standard "
         "error of the median is then 0.93 times the distance of the quartiles divided by the "
         "square root of the number of runs, and the interval, on a logarithmic scale, is marked "
         "'~'. With fewer than five runs there is no interval.\n\n"
         "Exits 1 if a whole interval is above the permitted regression.",
     .run = cmd_compare,
     .groups = {{"Comparing", "max-regression confidence seed"}, {"Output", "json help"}},
     .examples = {{"fringe bench compare before.jsonl after.jsonl --max-regression 3",
                   "Exits 1 if a strategy became more than 3 % slower."}}},
    {.name = "bench roofline",
     .arguments = "RESULTS.jsonl MICROBENCH.jsonl",
     .summary = "compare measured times with the roofline of the device",
     .about =
         "RESULTS.jsonl holds lines of 'fringe bench --suite', MICROBENCH.jsonl those of 'fringe "
         "bench --suite microbench' on the same device. For each graph on which auto was measured, "
         "prints the lower bound of the time, the resource that sets it, the median time and the "
         "ratio. The bound is the maximum of three times: the bytes that a traversal must move "
         "divided by the copy bandwidth; its random accesses divided by their measured rate; for "
         "BFS the number of levels times the cost of a barrier. \"min_work\" in the lines of a "
         "suite is the work of a traversal; docs/benchmarking.md has the formulas.\n\nExits 3 if "
         "MICROBENCH.jsonl has no line for the device of any result.",
     .run = cmd_roofline,
     .groups = {{"Comparing", "strategies"}, {"Output", "json help"}},
     .examples = {{"fringe bench --suite microbench >microbench.jsonl",
                   "Measures the peak rates of the GPU, or of the CPU."},
                  {"fringe bench roofline gpu.jsonl microbench.jsonl",
                   "Compares the times of auto with the bound."}}},
    {.name = "tune",
     .arguments = "GRAPH",
     .summary = "find the fastest strategy and knobs on this device, for auto to use",
     .about = ABOUT_GRAPH
     "\n\nMeasures every strategy that can solve the problem on this device, then tunes the knobs "
     "of the best one or two, one after the other. The measure is the median time of a traversal, "
     "without preparation and transfers to and from a GPU. Answers are checked; a gain of less "
     "than 3 % is ignored. The result is stored in the tuning cache, a text file, under the device "
     "(for a CPU also the number of threads), the problem and the graph. From then on auto uses it "
     "in 'fringe bfs', 'sssp' and 'path', on this graph and on similar ones: the same direction, "
     "and size, maximum degree and weights of the same order. --explain reports this, "
     "--no-tuning-cache ignores the cache. Of the other commands only bench reads a tuning cache, "
     "with --tuning-cache.\n\nAfter an interrupt the best configuration found so far is stored.",
     .run = cmd_tune,
     .groups = {{"Measuring", "problem seconds backend source sources dist-type tuning-cache"},
                LOADING,
                {"Output", "json quiet help"}},
     .examples = {{"fringe tune web.mtx.gz", "Tunes BFS, and SSSP if there are weights."},
                  {"fringe tune kronecker:scale=20,seed=1 --backend cuda --seconds 30",
                   "Tunes BFS on the GPU only, for half a minute."}}},
    {.name = "graph500",
     .arguments = "",
     .summary = "run the Graph500 benchmark and print its results",
     .about =
         "Generates 2^SCALE vertices and their edge tuples in random order (not timed), builds the "
         "graph from them (kernel 1: construction_time, which includes the preparation of each "
         "solver and the upload to the GPU), draws 64 search keys that have an edge, runs BFS from "
         "each (kernel 2), then shortest paths with weights in [0, 1) (kernel 3), and checks every "
         "answer. The graph itself is checked once against the tuples, so that the checks of the "
         "answers are valid for the tuples. A traversal ends when levels or distances, and "
         "parents, are in the memory of the device that ran it; 'mean_transfer' is the download "
         "from a GPU. TEPS count the tuples of the traversed component, self-loops and parallel "
         "edges included.\n\nPrints the lines of the reference code, with the same names, then "
         "fringe's own lines, from 'seed' on. If a check fails, the command prints no results and "
         "exits with 1.",
     .run = cmd_graph500,
     .groups = {{"The procedure",
                 "scale edge-factor seed sources problem strategy backend dist-type"},
                RANKS,
                MACHINE,
                {"Output", "json help"}},
     .examples = {{"fringe graph500 --scale 20",
                   "Runs both kernels with the strategies that auto chooses."},
                  {"fringe graph500 --scale 24 --backend cuda --problem bfs",
                   "Runs kernel 2 only, on the GPU."},
                  {"srun -n 64 fringe graph500 --scale 28 --ranks",
                   "Runs both kernels on 64 ranks."}}},
    {.name = "doctor",
     .arguments = "",
     .summary = "report cores, memory, libraries and GPUs, or why no GPU is used",
     .about = "Exits 0 also if no GPU can be used: the CPU strategies need none. 'GPU used' gives "
              "every reason; for scripts, --json has it as gpu_used and why_no_gpu.",
     .run = cmd_doctor,
     .groups = {MACHINE, {"Output", "json help"}},
     .examples = {{"fringe doctor", "Reports why a GPU is not used."}}},
    {.name = "help",
     .arguments = "[COMMAND]...",
     .summary = "print the help of a command",
     .about = "The same as 'fringe COMMAND --help'.",
     .run = cmd_help,
     .max_args = 2,
     .hidden = true,
     .groups = {{"Output", "man completion help"}},
     .examples = {{"fringe help bfs", "Prints the arguments and options of bfs."}}},
    {0}};

const command *command_find(const char *name, const char *next) {
    const command *found = NULL;
    size_t length = strlen(name);
    for (const command *c = commands; c->name; c++) {
        const char *rest = c->name + length;
        if (strncmp(c->name, name, length) != 0)
            continue;
        if (*rest == ' ' && next && strcmp(rest + 1, next) == 0)
            return c;
        if (!*rest)
            found = c;
    }
    return found;
}
