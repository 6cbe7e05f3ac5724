/* Which layer of `auto` takes a level: blocks, shared memory and limits of cluster and crew; what
 * is found out of a graph before. */
#ifndef FRI_AUTO_PLAN_CUH
#define FRI_AUTO_PLAN_CUH

#include "cuda/bfs/auto_hot.cuh"
#include "cuda/bfs/auto_start.cuh"
#include "cuda/bfs/auto_thin.cuh"
#include "cuda/bfs_queues.h"
#include "cuda/prim/clocked.cuh"

enum {
    KNOB_CLUSTER,
    KNOB_SMALL,
    KNOB_DIRECTION,
    KNOB_BLOCK,
    KNOB_THREADS,
    KNOB_BIAS,
    KNOB_PARTS,
    KNOB_MIDDLE,
    KNOB_CREW
};

static const int DEFAULT_THREADS = 512, LEAST_ROOM = 1024, THIN_SPANS = 1024, MEAN_ROW = 3,
                 LEAST_MEAN = 5, MOST_MEAN = 7, HUBS = 8, ROW_CREW = 768, FILL_BLOCK = 256,
                 WIDE_DEGREE = 8, WIDEST_THIN = 128;
/* A crew's block: bytes that it gets unasked, less static arrays; entries of rows. */
static const int CREW_BYTES = 46 << 10, CREW_ROOM = 1024;

static int64_t queue_room(const fri_gpu *g) { return (int64_t)g->n + g->m / SPAN + 1; }
static bool has_part(const fri_gpu *g, int part) { return (int)g->job->knob[KNOB_PARTS] & part; }

/* log2 of a row's targets, 0: no rows. Eight where they are no more than 1.2 times the graph. */
static int row_bits(const fri_gpu *g) {
    const bool few = g->m <= (int64_t)MEAN_ROW * g->n, some = g->m <= (int64_t)MOST_MEAN * g->n;
    const bool wide = g->job->csr.symmetric && some && g->m >= (int64_t)LEAST_MEAN * g->n;
    return !has_part(g, PART_ROWS) ? 0 : few ? 2 : wide ? 3 : 0;
}
static size_t rows_bytes(const fri_gpu *g) {
    const int bits = row_bits(g);
    return bits ? fri_line(fri_bytes(g->n, sizeof(int32_t) << bits)) : 0;
}

static size_t heads_bytes(const fri_gpu *g) {
    return has_part(g, PART_HEADS) ? fri_line(fri_bytes(g->n, sizeof(int32_t))) : 0;
}

namespace {
/* What the blocks of cluster or crew hold in shared memory. */
struct near_plan {
    int blocks, threads, room;
    bool is_crew, has_map;
    size_t bytes;
};

/* Of a solver: what the device found out about the graph, and its cluster. */
struct holding {
    facts graph;
    near_plan near;
    uint32_t serial;   /* the next mark, see take_marks */
    fri_clocked whole; /* the grid's first launch, from event to event */
};
} // namespace

static holding *held(const fri_gpu *g) { return (holding *)g->state; }
static bool has_rows(const fri_gpu *g) {
    return rows_bytes(g) && held(g)->graph.widest <= (uint32_t)WIDEST_ROW;
}

/* Whether pushes mind hot words: on small graphs, but for those of short rows. */
static bool is_hot(const fri_gpu *g) {
    return has_part(g, PART_HOT) && has_part(g, PART_MAP) && has_part(g, PART_EVEN) &&
           words_of(g->n) <= HOT_WORDS && held(g)->graph.widest > (uint32_t)SHORT;
}

/* Whether the first level is for the cluster: graphs with hubs are through after few levels, and on
 * small ones a block takes thin levels within the grid's launch. */
static bool starts_thin(const fri_gpu *g) {
    static_assert(WIDEST_THIN <= SPAN, "a source is one entry");
    return !is_hot(g) && g->m <= (int64_t)WIDE_DEGREE * g->n &&
           held(g)->graph.widest <= (uint32_t)WIDEST_THIN;
}

/* Where degrees are even no in-neighbour is likelier than another. */
static bool has_heads(const fri_gpu *g) {
    return heads_bytes(g) &&
           (double)held(g)->graph.widest * (double)g->n > (double)HUBS * (double)g->m;
}

/* Threads per block: no more than the graph can keep busy. */
static int block_of(const fri_gpu *g, int knob, int most) {
    int64_t threads = (int64_t)fri_job_knob(g->job, knob, (double)FRI_MIN(g->n / 16, most));
    return (int)FRI_MAX(threads / FRI_WARP * FRI_WARP, FRI_WARP);
}

/* Bytes a block may ask for, beside static arrays. */
static size_t shared_limit(const fri_gpu *g) {
    return FRI_MAX(g->shared_optin, (size_t)48 << 10) - 2048;
}

static int crew_blocks(const fri_gpu *g) { return FRI_MIN(g->multiprocessors, (int)MOST_CREW); }

/* The crew: a block a multiprocessor; the rest of its shared memory stays L1. */
static near_plan plan_crew(const fri_gpu *g) {
    const int bits = has_rows(g) ? row_bits(g) : 0;
    near_plan p = {crew_blocks(g), block_of(g, KNOB_CREW, bits ? ROW_CREW : THIN_THREADS)};
    const size_t entry = near_bytes(1, bits), tried = sizeof(int32_t) << TRIED_BITS;
    const size_t limit = FRI_MIN(shared_limit(g), (size_t)CREW_BYTES);
    const bool fits = bits && tried + CREW_ROOM * entry <= shared_limit(g);
    p.is_crew = true;
    p.threads =
        FRI_MAX(p.threads, bits ? 2 * FRI_WARP : FRI_WARP); /* one warp may take from others */
    p.room = fits ? CREW_ROOM : (int)((limit - tried) / entry);
    p.room = (int)FRI_MIN((int64_t)p.room, queue_room(g));
    p.bytes = (size_t)p.room * entry + tried;
    return p;
}

static near_plan plan_near(const fri_gpu *g, int blocks) {
    near_plan p = {blocks, block_of(g, KNOB_THREADS, DEFAULT_THREADS)};
    const size_t entry = near_bytes(1, has_rows(g) ? row_bits(g) : 0);
    const size_t limit = shared_limit(g);
    size_t map = fri_bytes(words_of(g->n) / p.blocks + 1, sizeof(uint32_t));
    p.has_map = has_part(g, PART_NEAR) && map + LEAST_ROOM * entry <= limit;
    map = p.has_map ? map : 0;
    p.room = (int)FRI_MIN((limit - map) / entry, (size_t)MOST_ROOM);
    p.room = (int)FRI_MIN((int64_t)p.room, queue_room(g));
    p.bytes = (size_t)p.room * entry + map;
    return p;
}

/* The greatest cluster, a power of two, that the chip can place. */
template <class O> static near_plan choose_near(const fri_gpu *g) {
    int wanted = (int)fri_job_knob(g->job, KNOB_CLUSTER, FRI_MIN(16, g->multiprocessors));
    near_plan p = plan_near(g, 1);
    for (int blocks = 2; blocks <= wanted && g->compute_capability >= 90; blocks *= 2) {
        near_plan more = plan_near(g, blocks);
        if (!fri_cluster_fits(has_rows(g) ? thin_kernel<O, row_cluster> : thin_kernel<O, cluster>,
                              (unsigned)blocks, (unsigned)more.threads, more.bytes))
            break;
        p = more;
    }
    return p;
}

/* Entries up to which each layer serves: a change of layer takes as long as ten levels, and a crew
 * is as fast as a cluster from about 1,000 entries on, from 2,000 with rows of eight. */
template <class O> static void set_limits(const fri_gpu *g, world<O> *w) {
    const near_plan near = held(g)->near, crew = plan_crew(g);
    const int64_t all = (int64_t)near.room * near.blocks, its = (int64_t)crew.room * crew.blocks;
    w->middle = (int32_t)FRI_MIN((int64_t)g->job->knob[KNOB_MIDDLE], its / 2);
    int fair = w->row_bits == 3 ? 2 * THIN_SPANS : THIN_SPANS;
    fair = w->row_bits == 2 || !w->middle ? near.blocks * near.threads : fair;
    w->small = (int32_t)fri_job_knob(g->job, KNOB_SMALL, fair);
    w->small = (int32_t)FRI_MIN((int64_t)w->small, all / 2);
}

/* Facts, into words, which must be zero; the bitmap of empty rows unless it is NULL. */
template <class O>
static void look_at_offsets(fri_gpu *g, const fri_gpu_csr &csr, uint32_t *closed) {
    const unsigned blocks = fri_gpu_blocks(g->n, FILL_BLOCK);
    FRI_LAUNCH((facts_kernel<O>), FRI_MIN(blocks, 8 * (unsigned)g->multiprocessors), FILL_BLOCK, 0,
               g->stream, fri_rows_of<O>(csr), g->n, closed, (facts *)g->words);
}

static fr_status read_facts(fri_gpu *g, facts *to) {
    FRI_GPU_TRY(fri_gpu_read_words(g, 0, (int)(sizeof(facts) / sizeof(int32_t))));
    memcpy(to, g->host_words, sizeof(facts));
    return FR_OK;
}

/* Heads and rows, where this graph has them. */
template <class O> static void look_at_edges(fri_gpu *g, const world<O> &w) {
    const unsigned blocks = fri_gpu_blocks(g->n, FILL_BLOCK);
    if (has_heads(g))
        FRI_LAUNCH((heads_kernel<O>), blocks, FILL_BLOCK, 0, g->stream, w.out, w.in, w.n, w.heads);
    if (has_rows(g))
        FRI_LAUNCH((rows_kernel<O>), blocks * (1u << (row_bits(g) - 2)), FILL_BLOCK, 0, g->stream,
                   w.out, w.n, row_bits(g), w.rows);
}

#endif
