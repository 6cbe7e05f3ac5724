/* THE tables: every command, and every option (cli/args/options.h). --help, the manual pages and
 * the completion are printed from them (help.c), and the command line is read by them
 * (cli/args/parse.c). */
#include "options.h"

#define SHAPING                                                                                    \
    {"The graph", shaping}, { "Machine", machine }
#define LOADING {"Reading the file", reading}, SHAPING

#define ABOUT_GRAPH                                                                                \
    "GRAPH is a file, plain or compressed, or - (standard input), in any format that 'fringe "     \
    "list formats' names, or, "                                                                    \
    "when no file has that name, the description of a generated graph as "                         \
    "'kronecker:scale=20,seed=1' (see 'fringe list generators'); '-' is standard input. Vertices " \
    "are named by the file's own ids."

#define ABOUT_RESULT                                                                               \
    "A name ending in .npy gets a NumPy array of records (vertex, value, parent). The file is "    \
    "written under another name and renamed, so that it is whole or not there. "

#define ABOUT_RATE                                                                                 \
    "Rates are in millions of traversed edges per second: the edges of the part that was "         \
    "reached, by the time of the traversal alone; in an undirected graph an edge counts once, as " \
    "in Graph500. With several runs --json gives the run of median time and all of them under "    \
    "'runs'."

const command commands[] = {
    {.name = "bfs",
     .arguments = "GRAPH",
     .summary = "breadth-first levels and parents from a source",
     .about = ABOUT_GRAPH
     "\n\nFILE gets the header 'vertex<TAB>level<TAB>parent' and a line per "
     "vertex in the order of ids. What was not reached has level -1 and parent -1; the "
     "source is its own parent. " ABOUT_RESULT "\n\n" ABOUT_RATE,
     .run = cmd_traverse,
     .min_args = 1,
     .max_args = 1,
     .fixed = 1 + FR_PROBLEM_BFS,
     .groups = {{"Traversal", bfs_rows}, LOADING, {"Output", result_file}},
     .examples = {{"fringe bfs web.mtx.gz -s 17 -o levels.tsv",
                   "Levels and parents from vertex 17 into a file."},
                  {"fringe bfs kronecker:scale=20,seed=1 --sources 16 --verify",
                   "16 traversals of a generated graph, each of them checked."}}},
    {.name = "sssp",
     .arguments = "GRAPH",
     .summary = "shortest distances and parents from a source",
     .about = ABOUT_GRAPH
     "\n\nFILE gets the header 'vertex<TAB>distance<TAB>parent' and a line "
     "per vertex in the order of ids. What was not reached has distance inf and parent "
     "-1; the source is its own parent. In a .npy file an integer distance that was not "
     "reached is the greatest of its type. " ABOUT_RESULT "\n\nWeights may be negative. "
     "A negative cycle that can be reached is printed, and the exit code is 1. With "
     "--mark-negative-cycles FILE is written all the same: what a negative cycle reaches has "
     "distance -inf "
     "(in a .npy file of integers the least of their type) and parent -1. "
     "Sums of integer weights that leave int32 are held in int64, and this is said."
     "\n\n" ABOUT_RATE,
     .run = cmd_traverse,
     .min_args = 1,
     .max_args = 1,
     .fixed = 1 + FR_PROBLEM_SSSP,
     .groups = {{"Traversal", sssp_rows}, LOADING, {"Output", result_file}},
     .examples = {{"fringe sssp rome99.gr -s 1 -o distances.tsv",
                   "Distances from vertex 1 into a file."},
                  {"fringe sssp kronecker:scale=18 --weights random:1,255 --sources 16",
                   "16 traversals of a generated graph with random weights."}}},
    {.name = "apsp",
     .arguments = "GRAPH",
     .summary = "distances between all pairs of vertices, or from chosen rows",
     .about = ABOUT_GRAPH
     "\n\nFILE gets the header 'source<TAB>vertex<TAB>distance' and a line "
     "per pair; a name ending in .npy gets the matrix. What was not reached has distance "
     "inf, in a .npy matrix of integers the greatest of its type. Rows are written while "
     "they are finished. Without weights every edge counts 1.",
     .run = cmd_apsp,
     .min_args = 1,
     .max_args = 1,
     .fixed = 1 + FR_PROBLEM_APSP,
     .groups = {{"Solving", apsp_rows}, LOADING, {"Output", matrix_file}},
     .examples = {{"fringe apsp karate.graph -o distances.npy", "The whole matrix for NumPy."},
                  {"fringe apsp rome99.gr -s 1,7,9 -o -", "Three rows on standard output."},
                  {"fringe apsp rome99.gr -s 1,7,9 -t 40,41 -o pairs.tsv",
                   "From three vertices to two: six distances."}}},
    {.name = "path",
     .arguments = "GRAPH",
     .summary = "a shortest path between two vertices",
     .about = ABOUT_GRAPH "\n\nThe path of least weight, or of fewest edges where there are no "
                          "weights or with --weights none.",
     .run = cmd_path,
     .min_args = 1,
     .max_args = 1,
     .groups = {{"Search", path_rows}, LOADING, {"Output", path_file}},
     .examples = {{"fringe path rome99.gr -s 1 -t 3353", "The shortest way from 1 to 3353."}}},
    {.name = "info",
     .arguments = "GRAPH",
     .summary = "what a graph is like: size, weights, degrees, components, diameter",
     .about = ABOUT_GRAPH,
     .run = cmd_info,
     .min_args = 1,
     .max_args = 1,
     .groups = {LOADING, {"Output", json_report}},
     .examples = {{"fringe info web.mtx.gz", "Everything in one screen."},
                  {"fringe info grid2d:rows=100,cols=100 --json", "The same for a program."}}},
    {.name = "convert",
     .arguments = "IN [OUT]",
     .summary = "read a graph in one format, write it in another",
     .about = "IN is a file, or the description of a generated graph as for 'fringe gen'. What the "
              "options below change is changed in OUT, which may be given by -o too. OUT is "
              "written under another name and "
              "renamed, so that it is whole or not there.",
     .run = cmd_convert,
     .min_args = 1,
     .max_args = 2,
     .groups = {LOADING, {"Output", graph_file}},
     .examples = {{"fringe convert web.txt.zst web.fringe --undirected --simple",
                   "A binary copy that opens at once, made undirected."}}},
    {.name = "gen",
     .arguments = "DESCRIPTION",
     .summary = "make a graph and write it",
     .about = "DESCRIPTION is the name of a generator and its parameters, "
              "'kronecker:scale=20,seed=1'; 'fringe list generators' names them all. The same "
              "description gives the same graph on any number of threads.",
     .run = cmd_gen,
     .min_args = 1,
     .max_args = 1,
     .groups = {SHAPING, {"Output", graph_file}},
     .examples = {{"fringe gen kronecker:scale=16,seed=1 -o k16.mtx",
                   "A Graph500 graph as Matrix Market."}}},
    {.name = "verify",
     .arguments = "GRAPH RESULT",
     .summary = "check the result of any program",
     .about = ABOUT_GRAPH
     "\n\nRESULT is what 'fringe bfs' or 'fringe sssp' writes (TSV with its "
     "header, with or without the column of parents; .npy), or 'vertex value' lines as "
     "LDBC Graphalytics has them, from any program. Give the loading options under which "
     "it was made. Exits 0 when it is right and 1 when it is not.",
     .run = cmd_verify,
     .min_args = 2,
     .max_args = 2,
     .groups = {{"Checking", verify_rows}, LOADING, {"Output", report}},
     .examples = {{"fringe verify rome99.gr distances.tsv -s 1", "Is this the answer from 1?"}}},
    {.name = "list",
     .arguments = "[strategies|formats|generators]",
     .summary = "the strategies with their knobs, the formats, the generators",
     .about = "Without an argument, all three.",
     .run = cmd_list,
     .min_args = 0,
     .max_args = 1,
     .groups = {{"Output", json_report}},
     .examples = {{"fringe list strategies", "What --strategy and --knob take."}}},
    {.name = "bench",
     .arguments = "[GRAPH...]",
     .summary = "run every strategy on graphs from the same sources, check and time it",
     .about = ABOUT_GRAPH
     "\n\nPrints a table; with --json one JSON object a line for every graph "
     "and strategy. A suite is always JSON lines, one for every graph and BFS strategy: times "
     "to prepare, upload and traverse from random sources that reach a tenth of "
     "the graph (one warm-up unless --warmup says otherwise), the first answer "
     "checked; what is left out says why in \"skipped\". The suite 'auto' also prints a table of "
     "what auto loses on standard error. The suite 'microbench' has no graphs: it measures "
     "copying, "
     "random reads, atomics, launches, barriers and uploads. " ABOUT_RATE,
     .run = cmd_bench,
     .min_args = 0,
     .max_args = 1000000,
     .groups = {{"Measuring", bench_rows},
                {"A suite of graphs", suite_rows},
                LOADING,
                {"Output", bench_output}},
     .examples = {{"fringe bench grid2d:rows=500,cols=500 rome99.gr",
                   "All rows for BFS on two graphs."},
                  {"fringe bench --suite gpu --backend cuda --graphs DIR >gpu.jsonl",
                   "All strategies for the GPU on the suite's graphs."},
                  {"fringe bench --suite auto --graphs DIR --max-regression 5 >auto.jsonl",
                   "Fails where auto is more than 5 % behind the best strategy."},
                  {"fringe bench kronecker:scale=18 --report k18.html",
                   "A page with the times, and what each level was like."}}},
    {.name = "bench compare",
     .arguments = "A.jsonl B.jsonl",
     .summary = "tell whether one run of bench is slower than another",
     .about =
         "A.jsonl and B.jsonl hold lines of 'fringe bench --json' or '--suite'. Lines are joined "
         "when problem, graph, strategy, backend, device and knobs agree; a knob that only one "
         "of them names counts as the other's default, and of several lines the last counts. "
         "Prints the ratio of the median times, B to A, with its confidence interval, and the "
         "geometric mean of the ratios; names what only one of them has.\n\n"
         "Intervals are bootstrapped: 2000 times the runs are drawn again, with "
         "replacement, and the ratio is taken anew; where both lines name the same "
         "sources, pairs of runs are drawn. Lines from before the runs were listed have "
         "quartiles alone: there the "
         "median's deviation is taken as 0.93 times the distance of the quartiles by the root of "
         "the runs, and the interval, on a logarithmic scale, is marked '~'. Below five runs "
         "there is none.\n\n"
         "Exits 1 when a whole interval lies past the permitted loss.",
     .run = cmd_compare,
     .min_args = 2,
     .max_args = 2,
     .groups = {{"Comparing", compare_rows}, {"Output", json_report}},
     .examples = {{"fringe bench compare before.jsonl after.jsonl --max-regression 3",
                   "Fails when a row lost more than 3 %."}}},
    {.name = "bench roofline",
     .arguments = "RESULTS.jsonl MICROBENCH.jsonl",
     .summary = "tell how far times are from what the device's limits allow",
     .about =
         "RESULTS.jsonl holds lines of 'fringe bench --suite', MICROBENCH.jsonl those of 'fringe "
         "bench "
         "--suite microbench' on the same device. For each graph that auto was measured on, prints "
         "the "
         "bound, what it comes from, the median time and the ratio. The bound is the largest of "
         "three times: the bytes that must cross memory by the copy bandwidth; the random accesses "
         "by their measured rate; for BFS the levels by the cheapest barrier. The work of a "
         "traversal stands in the suite's lines as \"min_work\"; docs/measuring.md has the "
         "formulas."
         "\n\nExits 3 when no line has its device among the limits.",
     .run = cmd_roofline,
     .min_args = 2,
     .max_args = 2,
     .groups = {{"Comparing", roofline_rows}, {"Output", json_lines_report}},
     .examples = {{"fringe bench --suite microbench >microbench.jsonl",
                   "What the GPU, or the CPU, can do at most."},
                  {"fringe bench roofline gpu.jsonl microbench.jsonl",
                   "How near auto comes to it."}}},
    {.name = "tune",
     .arguments = "GRAPH",
     .summary = "measure which strategy and knobs are fastest here, for auto to take",
     .about = ABOUT_GRAPH
     "\n\nMeasures every strategy that can solve the problem on this device, then, of the best one "
     "or two, one knob after the other, by the median time of a traversal (preparing and the way "
     "to "
     "and from a GPU are not in it). Answers are checked; what is less than 3 % faster "
     "counts as no faster. The finding is kept in the tuning cache, a text file, under the device "
     "(of a "
     "CPU also the number of threads), the problem and the graph. From then on auto takes it in "
     "'fringe bfs', 'sssp' and 'path', on this graph and on those alike: of its order of size, "
     "greatest degree and weights, and its direction. --explain says so, --no-tuning-cache leaves "
     "it. "
     "Of the other commands bench alone reads a tuning cache, when asked.\n\nInterrupted, what was "
     "found so far is kept.",
     .run = cmd_tune,
     .min_args = 1,
     .max_args = 1,
     .groups = {{"Measuring", tune_rows}, LOADING, {"Output", report}},
     .examples = {{"fringe tune web.mtx.gz", "BFS, and SSSP if there are weights."},
                  {"fringe tune kronecker:scale=20,seed=1 --backend cuda --seconds 30",
                   "BFS on the GPU alone, for half a minute."}}},
    {.name = "graph500",
     .arguments = "",
     .summary = "run the Graph500 benchmark and print its results",
     .about =
         "Makes 2^SCALE vertices and their edge tuples in random order (not counted), builds the "
         "graph from them (kernel 1: construction_time, with what each solver prepares, the way to "
         "the GPU included), draws 64 keys that have an edge, runs BFS from each (kernel 2), "
         "then shortest paths by weights in [0, 1) (kernel 3), and checks every answer. Once, the "
         "graph is checked against the tuples, so that the checks of the answers hold for these. "
         "A traversal's time ends when levels or distances, and parents, are in the memory of the "
         "device that ran; the way from a GPU to the host is 'mean_transfer'. TEPS count the "
         "tuples of the component that was traversed, loops and parallel ones included."
         "\n\nPrints what the reference code prints, in its spelling, then fringe's own lines, "
         "from "
         "'seed' on. Exits 1, without results, when a check fails.",
     .run = cmd_graph500,
     .min_args = 0,
     .max_args = 0,
     .groups = {{"The procedure", graph500_rows}, {"Machine", machine}, {"Output", json_report}},
     .examples = {{"fringe graph500 --scale 20", "Both kernels with what auto chooses."},
                  {"fringe graph500 --scale 24 --backend cuda --problem bfs",
                   "Kernel 2 alone on the GPU."}}},
    {.name = "doctor",
     .arguments = "",
     .summary = "what was found here: cores, memory, libraries, GPUs or why none is used",
     .about = "Exits 0 also when there is no GPU: the CPU strategies need none.",
     .run = cmd_doctor,
     .min_args = 0,
     .max_args = 0,
     .groups = {{"Machine", machine}, {"Output", json_report}},
     .examples = {{"fringe doctor", "Why is my GPU not used?"}}},
    {.name = "help",
     .arguments = "[COMMAND]...",
     .summary = "print the help of a command",
     .about = "The same as 'fringe COMMAND --help'.",
     .run = cmd_help,
     .min_args = 0,
     .max_args = 2,
     .hidden = true,
     .groups = {{"Output", help_rows}},
     .examples = {{"fringe help bfs", "What bfs takes."}}},
    {0}};
