/* Times text -> edges -> CSR: bench_load FILE...
 *
 * One JSON line per file, on one thread and on all; medians of five runs. "parse_s" is text to edges, "build_s"
 * edges to a sorted symmetric CSR without loops and parallel edges, "load_s" both by fr_graph_load; the file
 * is in the page cache after the first run. "peak_per_csr" is the peak memory in addition to the file, as a
 * multiple of the finished CSR. bench/load.py makes files and runs it. */
#include "graph/graph.h"
#include "turns.h"

enum { RUNS = 5 };

static const fr_load_options options = {
    .direction = FR_DIRECTION_UNDIRECTED, .drop_loops = true, .drop_parallel = true};

typedef struct {
    const char *path;
    int threads;
    double build[RUNS], megabytes, peak;
} file;

static size_t csr_bytes(const fr_csr *csr) {
    return ((size_t)csr->n + 1) * 8 + (size_t)csr->m * (4 + fr_type_size(csr->weight_type));
}

/* The two halves; returns the seconds of the first and keeps the seconds of the second. */
static double parse_and_build(void *what, int round) {
    file *f = what;
    fr_ctx *ctx = open_threads(f->threads);
    fri_input text;
    fri_edge_list edges = {0};
    fr_graph *graph = fri_graph_new(ctx, f->path);
    const double begin = now_ms();
    need(ctx, fri_input_open(ctx, f->path, &text));
    const fri_format *format;
    need(ctx, fri_format_detect(ctx, &text, &format));
    if (!graph || !format->read)
        give_up("the file is no list of edges");
    need(ctx, format->read(ctx, &text, &options, &edges));
    const double parsed = now_ms();
    f->megabytes = (double)text.size / 1e6;
    fri_input_close(&text);
    const double again = now_ms();
    need(ctx, fri_graph_build(ctx, &edges, &options, graph));
    f->build[round < 0 ? 0 : round] = 1e-3 * (now_ms() - again);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return 1e-3 * (parsed - begin);
}

static double load(void *what, int round) {
    file *f = what;
    fr_ctx *ctx = open_threads(f->threads);
    (void)round;
    const double begin = now_ms();
    fr_graph *graph = open_graph(ctx, f->path, &options);
    const double seconds = 1e-3 * (now_ms() - begin);
    f->peak = (double)fr_ctx_peak_bytes(ctx) / (double)csr_bytes(fr_graph_csr(graph));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
    return seconds;
}

static void time_file(const char *path, int threads) {
    file f = {.path = path, .threads = threads};
    turn turns[] = {{.run = parse_and_build, .what = &f}, {.run = load, .what = &f}};
    take_turns(turns, 2, RUNS, 0);
    line_begin();
    line_text("file", strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
    line_number("megabytes", f.megabytes);
    line_text("program", "fringe");
    line_count("threads", threads);
    line_spread("parse_s", turns[0].values, RUNS);
    line_spread("build_s", f.build, RUNS);
    line_spread("load_s", turns[1].values, RUNS);
    line_number("peak_per_csr", f.peak);
    line_end();
    turns_free(turns, 2);
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs("usage: bench_load FILE...\n", stderr);
        return 2;
    }
    fr_ctx *ctx = open_threads(0);
    const int all = fr_ctx_threads(ctx);
    fr_ctx_free(ctx);
    for (int i = 1; i < argc; i++)
        for (int threads = 1; threads <= all; threads += FRI_MAX(1, all - 1))
            time_file(argv[i], threads);
    return 0;
}
