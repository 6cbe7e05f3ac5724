/* Times text -> edges -> CSR.
 *
 *   bench_load make FOLDER [SCALE]   writes a Kronecker graph (16 edges a vertex) as text, once per
 *                                    undirected edge: by.el in the order of its vertices, mixed.el,
 *                                    mixed.mtx, mixed.wel in random order
 *   bench_load time FILE...          medians of five runs, on one thread and on all
 *
 * "parse" is text to edges, "build" edges to a sorted symmetric CSR without loops and parallel
 * edges, "load" both by fr_graph_load; the file is in the page cache after the first run. "peak" is
 * and the peak memory in addition to the file, as a multiple of the finished CSR.
 */
#include "base/rng.h"
#include "graph/graph.h"
#include "micro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5 };

/* ---- make ---- */

typedef struct {
    int32_t u, v;
} edge;

static void write_edges(const char *folder, const char *name, const char *head, const edge *edges,
                        int64_t m, int32_t base, bool weights) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (!f) {
        perror(path);
        exit(4);
    }
    fputs(head, f);
    for (int64_t i = 0; i < m; i++) {
        fprintf(f, "%d %d", edges[i].u + base, edges[i].v + base);
        if (weights)
            fprintf(f, " %d", 1 + (int)(fri_random(3, (uint64_t)i) % 255));
        putc('\n', f);
    }
    if (fclose(f)) {
        perror(path);
        exit(4);
    }
}

static void make(fr_ctx *ctx, const char *folder, const char *scale) {
    char text[128];
    snprintf(text, sizeof text, "kronecker:scale=%s,edge_factor=16,seed=1", scale);
    fr_load_options o = {
        .direction = FR_DIRECTION_UNDIRECTED, .drop_loops = true, .drop_parallel = true};
    fr_graph *graph;
    need(ctx, fr_graph_generate(ctx, text, &o, &graph));
    const fr_csr *csr = fr_graph_csr(graph);
    edge *edges = malloc((size_t)(csr->m / 2 + 1) * sizeof *edges);
    int64_t m = 0;
    for (int32_t u = 0; edges && u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++)
            if (u < csr->targets[e])
                edges[m++] = (edge){u, csr->targets[e]};
    if (!edges || m == 0)
        exit(4);
    write_edges(folder, "by.el", "", edges, m, 0, false);
    for (int64_t i = m - 1; i > 0; i--) {
        int64_t j = (int64_t)fri_random_below(fri_random(2, (uint64_t)i), (uint64_t)i + 1);
        edge other = edges[j];
        edges[j] = edges[i];
        edges[i] = other;
    }
    snprintf(text, sizeof text,
             "%%%%MatrixMarket matrix coordinate pattern symmetric\n%d %d %lld\n", csr->n, csr->n,
             (long long)m);
    write_edges(folder, "mixed.el", "", edges, m, 0, false);
    write_edges(folder, "mixed.mtx", text, edges, m, 1, false);
    write_edges(folder, "mixed.wel", "", edges, m, 0, true);
    free(edges);
    fr_graph_free(graph);
}

/* ---- time ---- */

typedef struct {
    double parse, build, load, megabytes, peak;
} figures;

static double seconds(int64_t since) { return (double)(fri_now_ns() - since) / 1e9; }

static size_t csr_bytes(const fr_csr *csr) {
    return ((size_t)csr->n + 1) * 8 + (size_t)csr->m * (4 + fr_type_size(csr->weight_type));
}

/* Times the two halves separately. */
static void run_halves(const char *path, int threads, const fr_load_options *o, figures *f) {
    fr_ctx *ctx;
    need(NULL, fr_ctx_new(&(fr_ctx_options){.threads = threads}, &ctx));
    fri_input text;
    fri_edge_list edges = {0};
    fr_graph *graph = fri_graph_new(ctx, path);
    int64_t begin = fri_now_ns();
    need(ctx, fri_input_open(ctx, path, &text));
    const fri_format *format;
    need(ctx, fri_format_detect(ctx, &text, &format));
    if (!graph || !format->read) {
        fprintf(stderr, "bench_load: %s is no list of edges\n", path);
        exit(3);
    }
    need(ctx, format->read(ctx, &text, o, &edges));
    f->parse = seconds(begin);
    f->megabytes = (double)text.size / 1e6;
    fri_input_close(&text);
    begin = fri_now_ns();
    need(ctx, fri_graph_build(ctx, &edges, o, graph));
    f->build = seconds(begin);
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void run_whole(const char *path, int threads, const fr_load_options *o, figures *f) {
    fr_ctx *ctx;
    need(NULL, fr_ctx_new(&(fr_ctx_options){.threads = threads}, &ctx));
    fr_graph *graph;
    int64_t begin = fri_now_ns();
    need(ctx, fr_graph_load(ctx, path, o, &graph));
    f->load = seconds(begin);
    f->peak = (double)fr_ctx_peak_bytes(ctx) / (double)csr_bytes(fr_graph_csr(graph));
    fr_graph_free(graph);
    fr_ctx_free(ctx);
}

static void time_file(const char *path, int threads) {
    const fr_load_options o = {
        .direction = FR_DIRECTION_UNDIRECTED, .drop_loops = true, .drop_parallel = true};
    double parse[RUNS], build[RUNS], load[RUNS];
    figures f = {0};
    for (int r = 0; r < RUNS; r++) {
        run_halves(path, threads, &o, &f);
        run_whole(path, threads, &o, &f);
        parse[r] = f.parse;
        build[r] = f.build;
        load[r] = f.load;
    }
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    double p = median(parse, RUNS);
    printf("%-16s %6.0f %7d %8.3f %9.0f %8.3f %8.3f %6.2f\n", name, f.megabytes, threads, p,
           f.megabytes / p / threads, median(build, RUNS), median(load, RUNS), f.peak);
    fflush(stdout);
}

int main(int argc, char **argv) {
    fr_ctx *ctx;
    if (argc < 3 || fr_ctx_new(NULL, &ctx)) {
        fprintf(stderr, "bench_load make FOLDER [SCALE] | bench_load time FILE...\n");
        return 2;
    }
    int all = fr_ctx_threads(ctx);
    if (strcmp(argv[1], "make") == 0)
        make(ctx, argv[2], argc > 3 ? argv[3] : "20");
    else {
        printf("file                 MB threads  parse s MB/s/core  build s   load s peak/CSR\n");
        for (int i = 2; i < argc; i++)
            for (int threads = 1; threads <= all; threads += FRI_MAX(1, all - 1))
                time_file(argv[i], threads);
    }
    fr_ctx_free(ctx);
    return 0;
}
