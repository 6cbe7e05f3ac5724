/* Windows on rows sorted by weight, which spira_window.c describes: what it shares with SSSP on ranks
 * (ranks/typed/sssp.c).
 *
 * A window begins with a scan of the records, which continues the rows whose next edge is below the
 * bound. Vertices lowered enter the queue; a round then pushes from them.
 * On ranks rows are those of slots, and vertices that are lowered are own indices: row_dist and dist
 * are not the same array. */
#ifndef FRI_CPU_SSSP_TYPED_WINDOW_H
#define FRI_CPU_SSSP_TYPED_WINDOW_H

#include "cpu/sssp/typed/delta_engine.h"

#include <string.h>

enum { FRI_WINDOW_BLOCK = 64, FRI_WINDOW_GRAIN = 256 };

/* A reached vertex with unexamined edges. */
typedef struct {
    int64_t at; /* its next edge */
    int32_t v;
    int32_t left; /* its edges from there on; INT32_MAX: that many or more */
} fri_row_record;

static inline fri_row_record fri_window_record(int32_t v, int64_t at, int64_t row_end) {
    return (fri_row_record){at, v, (int32_t)FRI_MIN(row_end - at, INT32_MAX)};
}

/* Per thread. A thread reserves blocks of a shared array and writes to its own block. */
typedef struct {
    _Alignas(FRI_CACHE_LINE) int64_t record, record_end; /* own block of records */
    int64_t entry, entry_end;                            /* own block of the queue */
    int64_t relaxed, examined;
    int64_t before;        /* examined at the start of the part */
    int64_t reached_edges; /* in-edges of reached vertices */
    dist_t next_sum;       /* smallest `next_sum` of this window's records */
    bool full;             /* an entry or record was dropped */
    int listed;            /* of one thread that is alone: edges that it has still to relax */
    fri_candidates list;
} fri_window_worker;

typedef struct {
    fri_delta_engine *delta_engine;
    dist_t *row_dist;          /* distances of the vertices of the rows */
    fri_window_worker *worker; /* [threads] */
    fri_row_record *records;
    dist_t *next_sums; /* [records] the distance through edge `at`; infinity: none, unused */
    fri_bucket_entry *queue[2]; /* a round reads one and writes the other */
    int64_t record_cap, queue_cap;
    dist_t bound, width; /* the bound and its step */
    double pull;         /* the knob */
    int64_t old;         /* records at the start of the window */
    int64_t visits;
    int64_t reached, paced; /* in-edges of reached vertices; edges reported to the pace */
    int64_t pushed;         /* edges examined in the window so far */
    int in;                 /* the queue that the next round reads */
    enum { FRI_WINDOW_NEXT, FRI_WINDOW_PULL, FRI_WINDOW_FLUSH, FRI_WINDOW_FINISHED } next;
    bool has_begun, scans; /* the part in progress is the scan of a window */
    _Alignas(FRI_CACHE_LINE) int64_t record_count;
    _Alignas(FRI_CACHE_LINE) int64_t scanned;
    struct { /* of each queue */
        _Alignas(FRI_CACHE_LINE) int64_t count;
        int64_t taken;
    } entries[2];
} fri_window;

/* Reserves a block of a shared array for one thread; false: the array is full. Arrays are longer
 * than their cap by a block per thread, because all threads may pass the check at once. */
static inline bool fri_window_reserve(int64_t *at, int64_t *end, int64_t *count, int64_t cap) {
    if (__atomic_load_n(count, __ATOMIC_RELAXED) >= cap)
        return false;
    *at = __atomic_fetch_add(count, FRI_WINDOW_BLOCK,
                             __ATOMIC_RELAXED); /* relaxed: barriers order the rest */
    *end = *at + FRI_WINDOW_BLOCK;
    return true;
}

static inline void fri_window_enqueue(fri_window *w, fri_window_worker *p, int out, int32_t v,
                                      dist_t d) {
    if (p->entry == p->entry_end &&
        !fri_window_reserve(&p->entry, &p->entry_end, &w->entries[out].count, w->queue_cap))
        p->full = true;
    else
        w->queue[out][p->entry++] = (fri_bucket_entry){v, d};
}

static inline void fri_window_append(fri_window *w, fri_window_worker *p, fri_row_record r,
                                     dist_t next_sum) {
    if (p->record == p->record_end) {
        if (!fri_window_reserve(&p->record, &p->record_end, &w->record_count, w->record_cap)) {
            p->full = true;
            return;
        }
        for (int64_t i = p->record; i < p->record_end; i++)
            w->next_sums[i] = DIST_INF;
    }
    w->next_sums[p->record] = next_sum;
    w->records[p->record++] = r;
}

/* Relaxes the edges that are listed. */
static inline void fri_window_relax_listed(fri_window *w, fri_window_worker *p, int out) {
    const int lowered = fri_delta_lower_all(w->delta_engine, &p->list, p->listed);
    for (int i = 0; i < lowered; i++)
        fri_window_enqueue(w, p, out, p->list.v[i], p->list.sum[i]);
    p->relaxed += lowered;
    p->listed = 0;
}

/* Ends what a thread adds to a queue: the rest of its block becomes unused entries, so that readers need no end of it. */
static inline void fri_window_close_queue(fri_window *w, fri_window_worker *p, int out) {
    fri_window_relax_listed(w, p, out);
    for (; p->entry < p->entry_end; p->entry++)
        w->queue[out][p->entry] = (fri_bucket_entry){-1, DIST_INF};
}

/* Whether the window should end early. Member 0 checks for cancellation. */
static inline bool fri_window_halt(fri_window *w, const fri_window_worker *p) {
    fri_delta_engine *s = w->delta_engine;
    int64_t work = 0;
    if (p == w->worker) {
        work = p->examined - w->paced + FRI_WINDOW_BLOCK;
        w->paced = p->examined;
    }
    return fri_pace_stop_team(&s->pace, p == w->worker, work, w->reached);
}

/* Relaxes the edges of a row from `at` up to the bound; returns the first edge beyond it. */
static inline int64_t fri_window_push(fri_window *w, fri_window_worker *p, int out,
                                      fri_bucket_entry from, int64_t at, int64_t row_end) {
    fri_delta_engine *s = w->delta_engine;
    const edge_t *edges = s->edges;
    const dist_t bound = w->bound;
    int64_t begin = at;
    for (; at < row_end; at++) {
        dist_t sum = dist_sum(from.d, edges[at].w);
        if (!dist_less(sum, bound))
            break;
        int32_t t = edges[at].v;
        if (!s->shared) {
            __builtin_prefetch(&s->dist[t]);
            if (p->listed == FRI_CANDIDATES)
                fri_window_relax_listed(w, p, out);
            p->list.sum[p->listed] = sum;
            p->list.v[p->listed] = t;
            p->list.from[p->listed++] = from.v;
            continue;
        }
        __builtin_prefetch(&s->dist[edges[at + 8].v]);
        if (!fri_delta_lower(s, t, sum, from.v))
            continue;
        p->relaxed++;
        fri_window_enqueue(w, p, out, t, sum);
    }
    p->examined += at - begin;
    return at;
}

/* The distance through edge `at` of a row, at which the edge matters; DIST_INF: never. */
static inline dist_t fri_window_edge_distance(const fri_delta_engine *s, dist_t d, int64_t at,
                                              int64_t row_end) {
    if (at == row_end)
        return DIST_INF;
    dist_t sum = dist_sum(d, s->edges[at].w);
    return dist_less(sum, DIST_INF) ? sum : DIST_INF;
}

/* Adds the record of a row whose next edge matters at next_sum. */
static inline void fri_window_add(fri_window *w, fri_window_worker *p, fri_row_record r,
                                  dist_t next_sum) {
    if (next_sum == DIST_INF)
        return;
    fri_window_append(w, p, r, next_sum);
    p->next_sum = FRI_MIN(p->next_sum, next_sum);
}

/* Pushes from a vertex reached in this window and adds its record. */
static inline void fri_window_reach(fri_window *w, fri_window_worker *p, int out,
                                    fri_bucket_entry from) {
    fri_delta_engine *s = w->delta_engine;
    int64_t begin = s->offsets[from.v], row_end = s->offsets[from.v + 1];
    int64_t at = fri_window_push(w, p, out, from, begin, row_end);
    dist_t next_sum = fri_window_edge_distance(s, from.d, at, row_end);
    fri_window_add(w, p, fri_window_record(from.v, at, row_end), next_sum);
}

/* Continues the row of an old record whose next edge is below the bound; returns its next_sum. */
static inline dist_t fri_window_resume(fri_window *w, fri_window_worker *p, fri_row_record *r,
                                       dist_t sum) {
    const fri_delta_engine *s = w->delta_engine;
    const dist_t d = fri_delta_load(w->row_dist, r->v);
    if (dist_sum(d, s->edges[r->at].w) != sum)
        return DIST_INF; /* corrected within its window: a newer record exists */
    int64_t row_end = r->left < INT32_MAX ? r->at + r->left : s->offsets[r->v + 1];
    const int64_t at = fri_window_push(w, p, 0, (fri_bucket_entry){r->v, d}, r->at, row_end);
    *r = fri_window_record(r->v, at, row_end);
    return fri_window_edge_distance(s, d, at, row_end);
}

/* Continues the records that are due; their accesses to memory overlap. */
static inline void fri_window_resume_all(fri_window *w, fri_window_worker *p, int64_t first,
                                         const uint8_t *due, int count) {
    const fri_delta_engine *s = w->delta_engine;
    fri_row_record *records = &w->records[first];
    dist_t *next_sums = &w->next_sums[first];
    for (int c = 0; c < count; c++) {
        const fri_row_record *r = &records[due[c]];
        fri_prefetch_edges(&s->edges[r->at]);
        __builtin_prefetch(&w->row_dist[r->v]);
    }
    for (int c = 0; c < count; c++)
        __builtin_prefetch(&s->dist[s->edges[records[due[c]].at].v]);
    for (int c = 0; c < count; c++) {
        dist_t *next_sum = &next_sums[due[c]];
        *next_sum = fri_window_resume(w, p, &records[due[c]], *next_sum);
        p->next_sum = FRI_MIN(p->next_sum, *next_sum);
    }
}

static inline void fri_window_scan(fri_window *w, fri_window_worker *p) {
    const dist_t bound = w->bound;
    int64_t begin, end;
    while (!fri_window_halt(w, p) &&
           fri_team_next_chunk(&w->scanned, w->old, FRI_WINDOW_GRAIN, &begin, &end)) {
        uint8_t due[FRI_WINDOW_GRAIN];
        int count = 0;
        dist_t min = p->next_sum;
        const dist_t *next_sums = &w->next_sums[begin];
        for (int i = 0; i < end - begin; i++) {
            const bool is_due = dist_less(next_sums[i], bound);
            due[count] = (uint8_t)i;
            count += is_due;
            min = is_due ? min : FRI_MIN(min, next_sums[i]);
        }
        p->next_sum = min;
        fri_window_resume_all(w, p, begin, due, count);
    }
}

/* Advances the bound; false: it cannot advance. */
static inline bool fri_window_next(fri_window *w, dist_t next_sum) {
    dist_t base = FRI_MAX(w->bound, next_sum);
    dist_t end = (dist_t)(base < DIST_INF - w->width ? base + w->width : DIST_INF);
    if (!(end > next_sum))
        return false; /* a float width that vanishes when added to the distance */
    w->bound = end;
    memset(w->entries, 0, sizeof w->entries);
    w->scanned = 0;
    w->old = w->record_count;
    w->visits += w->record_count;
    return true;
}

/* The smallest distance of an unreached vertex through its in-edges, and its parent there. */
typedef struct {
    dist_t d;
    int32_t parent;
} fri_pulled;

/* A vertex that pulls at the same time may give a value that decreases later: it then pushes. */
static inline void fri_window_pull_edge(const dist_t *row_dist, fri_pulled *best, int32_t from,
                                        weight_t w) {
    dist_t d = fri_delta_load(row_dist, from);
    dist_t sum = d == DIST_INF ? DIST_INF : dist_sum(d, w);
    if (dist_less(sum, best->d))
        *best = (fri_pulled){sum, from};
}

/* In-edges e to end, sorted by weight and padded; returns those examined. */
static inline int64_t fri_window_pull_sorted(const dist_t *row_dist, const edge_t *edges, int64_t e,
                                             int64_t end, fri_pulled *best) {
    const int64_t begin = e;
    for (; e < end && dist_less((dist_t)edges[e].w, best->d); e++) {
        __builtin_prefetch(&row_dist[edges[e + 8].v]);
        fri_window_pull_edge(row_dist, best, edges[e].v, edges[e].w);
    }
    return e - begin;
}

/* ---- memory -------------------------------------------------------------------------------- */

/* A width as a distance: at least 1 for integers, positive for floats. */
static inline dist_t fri_dist_width(double width) {
#if DIST_IS_INTEGER
    const int maximum = 8 * (int)sizeof(dist_t) - 2;
    return width < 1 ? 1 : width < ldexp(1, maximum) ? (dist_t)width : (dist_t)1 << maximum;
#else
    return (dist_t)width > 0 ? (dist_t)width : 1;
#endif
}

/* With what all threads together may take beyond the cap. */
static inline int64_t fri_window_capacity(int64_t cap, int threads) {
    return cap + FRI_WINDOW_BLOCK * ((int64_t)threads + 2);
}

static inline int64_t fri_window_record_cap(int64_t rows) { return rows + rows / 2; }

/* rows: that have edges; n: vertices that are lowered. */
static inline size_t fri_window_bytes(int64_t rows, int64_t n, int threads, int queues) {
    const int64_t records = fri_window_capacity(fri_window_record_cap(rows), threads);
    const int64_t entries = fri_window_capacity(n, threads);
    return fri_align_line(sizeof(fri_window)) +
           fri_align_line(fri_bytes(threads, sizeof(fri_window_worker))) +
           fri_align_line(fri_bytes(records, sizeof(fri_row_record))) +
           fri_align_line(fri_bytes(records, sizeof(dist_t))) +
           (size_t)queues * fri_align_line(fri_bytes(entries, sizeof(fri_bucket_entry)));
}

/* Before a query. */
static inline void fri_window_begin(fri_window *w) {
    w->bound = w->width;
    w->has_begun = w->scans = false;
    w->next = FRI_WINDOW_NEXT;
    w->reached = w->visits = w->paced = w->old = w->record_count = w->scanned = w->pushed = 0;
    memset(w->entries, 0, sizeof w->entries);
    memset(w->worker, 0, fri_bytes(w->delta_engine->job->in->threads, sizeof *w->worker));
}

/* Takes fri_window_bytes of scratch. */
static inline fri_window *fri_window_create(fri_delta_engine *s, int64_t rows, int queues,
                                            double width, char **scratch) {
    const int threads = s->job->in->threads;
    fri_window *w = fri_carve(scratch, sizeof *w);
    *w = (fri_window){
        .delta_engine = s, .record_cap = fri_window_record_cap(rows), .queue_cap = s->n};
    const int64_t records = fri_window_capacity(w->record_cap, threads);
    const int64_t entries = fri_window_capacity(s->n, threads);
    w->worker = fri_carve(scratch, fri_bytes(threads, sizeof *w->worker));
    w->records = fri_carve(scratch, fri_bytes(records, sizeof *w->records));
    w->next_sums = fri_carve(scratch, fri_bytes(records, sizeof *w->next_sums));
    for (int i = 0; i < queues; i++)
        w->queue[i] = fri_carve(scratch, fri_bytes(entries, sizeof(fri_bucket_entry)));
    w->width = fri_dist_width(width);
    fri_window_begin(w);
    return w;
}

#endif
