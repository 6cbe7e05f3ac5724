/* Breadth-first search in the order of a queue, as SciPy and NetworkX define it.
 *
 * Idea: a level with few edges is visited by one thread. The edges of a larger one are cut into as
 *   many contiguous parts as there are threads. A thread lists the vertices of its part that were
 *   not seen before the level, each at its first occurrence, and marks them in a bitmap of its own.
 *   A vertex belongs to the first part that lists it. The lists without what an earlier part lists,
 *   one after the other, are then in the order of the queue, whatever the number of threads.
 *   One thread marks the vertices by their parents, which it has to write anyway, and enters them in the
 *   bitmap before a level that threads share; where the parents do not stay in the cache, it marks them in
 *   the bitmap, which does. In a short row, as on roads, a branch for each edge is predicted wrong too often:
 *   new or not, the vertex is written behind the queue.
 * Memory: a bitmap; for each thread another and two lists of up to n vertices.
 */
#include "small.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_THREADS = 8, /* memory limits the gain of more, and their lists take 8 n bytes each */
    SHARED_EDGES = 1 << 18, /* of a level that threads share */
    LINES = 4,              /* of a row that is prefetched */
    AHEAD = 12,             /* rows prefetched ahead of the one that is read */
    SHORT_ROW = 3,          /* edges; longer rows take as long or longer without branches */
    CACHED = 1 << 18,       /* vertices whose parents stay in the cache */
    SAMPLES = 64,           /* rows whose first targets tell whether a graph is local */
    NEAR = 1 << 12          /* numbers up to which a target is near */
};

/* What one thread has of a shared level. */
typedef struct {
    int64_t first, last;          /* queue positions of its rows */
    int64_t first_edge, end_edge; /* where it begins in its first row, and ends in its last one */
    uint64_t *seen;
    int32_t *vertex, *parent;
    int64_t count;
} part;

typedef struct {
    int32_t n;
    const pf_rows *rows, *back;
    int32_t *order, *parent;
    uint64_t *seen;
    int64_t words, count;
    int64_t marked; /* order[0 .. marked) are in `seen` */
    int by_parent;  /* vertices without a parent are new; else those that are not in `seen` */
    int32_t none;   /* the parent of such a vertex; sources are their own until the end */
    int is_damaged, threads;
    part parts[MAX_THREADS];
} search;

static inline int64_t degree_in(const pf_rows *rows, int32_t u) {
    int64_t begin, end;
    return rows && pf_row_of(rows, u, &begin, &end) ? end - begin : 0;
}

static inline int64_t degree(const search *s, int32_t u) {
    return degree_in(s->rows, u) + degree_in(s->back, u);
}

/* Where the vertices found go: parents by vertex, or by place in the list. */
typedef struct {
    uint64_t *seen;
    int32_t *vertex, *parent;
    int by_vertex;
} sink;

/* Edges `from` to `to` of a row, or to its end, for a list of `count` entries; returns its new length, or
 * -1 for a damaged row or a target that is no vertex. */
static inline int64_t visit_row(pf_rows rows, int32_t n, int32_t u, int64_t from, int64_t to,
                                sink to_list, int64_t count) {
    int64_t first, last;
    if (!pf_row_of(&rows, u, &first, &last))
        return -1;
    const int32_t *end = rows.targets + (to < last - first ? first + to : last);
    for (const int32_t *target = rows.targets + first + from; target < end; target++) {
        const uint32_t v = (uint32_t)*target;
        if (v >= (uint32_t)n)
            return -1;
        const uint64_t word = to_list.seen[v >> 6], bit = UINT64_C(1) << (v & 63);
        if (word & bit)
            continue;
        to_list.seen[v >> 6] = word | bit;
        to_list.parent[to_list.by_vertex ? v : (uint64_t)count] = u;
        to_list.vertex[count++] = (int32_t)v;
    }
    return count;
}

/* The same for a vertex with a row in each of two CSRs. */
static int64_t visit_both(const search *s, int32_t u, int64_t from, int64_t to, sink to_list,
                          int64_t count) {
    const int64_t out = degree_in(s->rows, u), split = from < out ? from : out;
    count = visit_row(*s->rows, s->n, u, split, to < out ? to : out, to_list, count);
    return count < 0 ? count
                     : visit_row(*s->back, s->n, u, from - split, to > out ? to - out : 0, to_list,
                                 count);
}

/* The row that is read AHEAD rows later: its place now, its edges half as far ahead. gcc drops calls
 * of a function that does nothing but prefetch, unless it inlines them first. */
__attribute__((always_inline)) static inline void prefetch(pf_rows rows, const int32_t *order,
                                                           int64_t at, int64_t end) {
    if (at + AHEAD < end)
        __builtin_prefetch((const char *)rows.offsets +
                           (size_t)order[at + AHEAD] * (size_t)rows.width);
    if (at + AHEAD / 2 >= end)
        return;
    const int32_t u = order[at + AHEAD / 2];
    int64_t begin, end_of_row;
    pf_row_of(&rows, u, &begin, &end_of_row);
    for (int64_t e = begin; e < end_of_row && e < begin + LINES * 16; e += 16)
        __builtin_prefetch(&rows.targets[e]);
}

/* visit_row by parents, of a row of one CSR; order: [n + 1]. */
static inline int64_t visit_by_parent(pf_rows rows, int32_t n, int32_t none, int32_t u,
                                      int32_t *restrict order, int32_t *restrict parent,
                                      int64_t count) {
    int64_t first, last;
    if (!pf_row_of(&rows, u, &first, &last))
        return -1;
    const int is_short = last - first <= SHORT_ROW;
    for (int64_t e = first; e < last; e++) {
        const uint32_t v = (uint32_t)rows.targets[e];
        if (v >= (uint32_t)n)
            return -1;
        const int32_t old = parent[v], is_new = old == none;
        order[count] = (int32_t)v;
        if (is_short)
            parent[v] = old ^ ((old ^ u) & -is_new);
        else
            parent[v] = is_new ? u : old;
        count += is_new;
    }
    return count;
}

/* The rows from queue position `head` to `end`, or to the end of the queue if that is earlier. */
static void visit_by_parents(search *s, int64_t head, int64_t end) {
    const pf_rows rows = *s->rows;
    const int32_t n = s->n, none = s->none;
    int64_t count = s->count;
    for (int64_t i = head; i < end && i < count; i++) { /* count: -1 if damaged */
        prefetch(rows, s->order, i, count);
        count = visit_by_parent(rows, n, none, s->order[i], s->order, s->parent, count);
    }
    s->is_damaged = count < 0;
    s->count = count;
}

static void visit_by_bitmap(search *s, int64_t head, int64_t end) {
    const sink to_list = {s->seen, s->order, s->parent, 1};
    const pf_rows rows = *s->rows; /* copies: the stores below could change what `s` points to */
    const int32_t *order = s->order, n = s->n;
    const int has_back = s->back != NULL;
    int64_t count = s->count;
    for (int64_t i = head; i < end && i < count; i++) { /* count: -1 if damaged */
        prefetch(rows, order, i, count);
        const int32_t u = order[i];
        count = has_back ? visit_both(s, u, 0, degree(s, u), to_list, count)
                         : visit_row(rows, n, u, 0, INT64_MAX, to_list, count);
    }
    s->is_damaged = count < 0;
    s->count = count;
}

static void visit_alone(search *s, int64_t head, int64_t end) {
    if (s->by_parent)
        visit_by_parents(s, head, end);
    else
        visit_by_bitmap(s, head, end);
}

/* ---- shared levels ---- */

/* Cuts the level into parts of about `edges` / threads edges. */
static void cut(search *s, int64_t head, int64_t end, int64_t edges) {
    int64_t at = head, passed = 0; /* edges of the rows before `at` */
    int64_t row = degree(s, s->order[at]);
    part *before = NULL;
    for (int k = 0; k < s->threads; k++) {
        const int64_t wanted = edges / s->threads * k;
        while (at + 1 < end && passed + row <= wanted) {
            passed += row;
            row = degree(s, s->order[++at]);
        }
        part *p = &s->parts[k];
        p->first = at;
        p->first_edge = wanted - passed;
        if (before) {
            before->last = at;
            before->end_edge = p->first_edge;
        }
        before = p;
    }
    before->last = end - 1;
    before->end_edge = degree(s, s->order[end - 1]);
}

/* Lists what the part finds. */
static void list_part(search *s, part *p) {
    memcpy(p->seen, s->seen, (size_t)s->words * sizeof *p->seen);
    const sink to_list = {p->seen, p->vertex, p->parent, 0};
    const pf_rows rows = *s->rows;
    int64_t count = 0;
    for (int64_t i = p->first; i <= p->last && count >= 0; i++) {
        prefetch(rows, s->order, i, p->last);
        const int32_t u = s->order[i];
        const int64_t from = i == p->first ? p->first_edge : 0;
        const int64_t to = i == p->last ? p->end_edge : degree(s, u);
        count = s->back ? visit_both(s, u, from, to, to_list, count)
                        : visit_row(rows, s->n, u, from, to, to_list, count);
    }
    p->count = count;
}

/* Some words: `seen` of each part becomes what was seen before it, `seen` of the search all. */
static void merge_words(search *s, int64_t first, int64_t end) {
    for (int64_t w = first; w < end; w++) {
        uint64_t before = s->seen[w];
        for (int k = 0; k < s->threads; k++) {
            const uint64_t own = s->parts[k].seen[w];
            s->parts[k].seen[w] = before;
            before |= own;
        }
        s->seen[w] = before;
    }
}

/* Drops what an earlier part lists. */
static void drop_seen(part *p) {
    int64_t kept = 0;
    for (int64_t i = 0; i < p->count; i++) {
        const int32_t v = p->vertex[i];
        p->vertex[kept] = v;
        p->parent[kept] = p->parent[i];
        kept += !(p->seen[v >> 6] >> (v & 63) & 1);
    }
    p->count = kept;
}

static void append(search *s, int64_t to, const part *p) {
    memcpy(s->order + to, p->vertex, (size_t)p->count * sizeof *p->vertex);
    for (int64_t i = 0; i < p->count; i++)
        s->parent[p->vertex[i]] = p->parent[i];
}

static void mark_in_bitmap(search *s) {
    for (; s->by_parent && s->marked < s->count; s->marked++) {
        const int32_t v = s->order[s->marked];
        s->seen[v >> 6] |= UINT64_C(1) << (v & 63);
    }
}

static void visit_shared(search *s, int64_t head, int64_t end, int64_t edges) {
    mark_in_bitmap(s);
    cut(s, head, end, edges);
#pragma omp parallel num_threads(s->threads)
    for (int k = omp_get_thread_num(); k < s->threads; k += omp_get_num_threads())
        list_part(s, &s->parts[k]);
    for (int k = 0; k < s->threads; k++)
        s->is_damaged |= s->parts[k].count < 0;
    if (s->is_damaged)
        return;
#pragma omp parallel for schedule(static) num_threads(s->threads)
    for (int64_t w = 0; w < s->words; w += 64)
        merge_words(s, w, w + 64 < s->words ? w + 64 : s->words);
#pragma omp parallel for schedule(static, 1) num_threads(s->threads)
    for (int k = 0; k < s->threads; k++)
        drop_seen(&s->parts[k]);
    int64_t at[MAX_THREADS];
    for (int k = 0; k < s->threads; k++) {
        at[k] = s->count;
        s->count += s->parts[k].count;
    }
    s->marked = s->count;
#pragma omp parallel for schedule(static, 1) num_threads(s->threads)
    for (int k = 0; k < s->threads; k++)
        append(s, at[k], &s->parts[k]);
}

static int64_t edges_of(const search *s, int64_t head, int64_t end) {
    int64_t edges = 0;
    for (int64_t i = head; i < end; i++)
        edges += degree(s, s->order[i]);
    return edges;
}

/* Memory of the threads; without it the search has one. */
static void open_parts(search *s) {
    const size_t list = (size_t)s->n * sizeof(int32_t), map = (size_t)s->words * sizeof(uint64_t);
    for (int k = 0; k < s->threads; k++) {
        part *p = &s->parts[k];
        p->seen = malloc(map + 2 * list);
        if (!p->seen) {
            s->threads = 1;
            return;
        }
        p->vertex = (int32_t *)(p->seen + s->words);
        p->parent = p->vertex + s->n;
    }
}

static void visit_levels(search *s) {
    for (int64_t head = 0, end = s->count; head < end && !s->is_damaged;
         head = end, end = s->count) {
        const int64_t edges = edges_of(s, head, end);
        if (edges < SHARED_EDGES || edges < s->words)
            visit_alone(s, head, end);
        else
            visit_shared(s, head, end, edges);
    }
}

/* Whether many edges lead to near numbers, as on roads and grids: then most of the parents that a search
 * reads next are in the cache, in a graph of any size. */
static int is_local(const pf_rows *rows, int32_t n) {
    int near = 0;
    for (int i = 0; i < SAMPLES; i++) {
        const int64_t u = (int64_t)n * i / SAMPLES;
        int64_t begin, end;
        if (pf_row_of(rows, (int32_t)u, &begin, &end) && begin < end)
            near += llabs(rows->targets[begin] - u) <= NEAR;
    }
    return near >= SAMPLES / 4;
}

int64_t pf_bfs_order(int32_t n, const pf_rows *rows, const pf_rows *back, const int32_t *sources,
                     int32_t source_count, int32_t none, int threads, int32_t *order,
                     int32_t *parent) {
    if (!pf_ends_are_valid(rows, n) || (back && !pf_ends_are_valid(back, n)))
        return PF_DAMAGED;
    search s = {.n = n, .rows = rows, .back = back, .order = order, .parent = parent, .none = none};
    s.by_parent = !back && (n <= CACHED || is_local(rows, n));
    s.words = ((int64_t)n + 63) / 64;
    s.threads = threads < MAX_THREADS ? threads : MAX_THREADS;
    s.seen = calloc((size_t)s.words, sizeof *s.seen);
    if (!s.seen)
        return PF_NO_MEMORY;
    if (s.threads > 1)
        open_parts(&s);
    for (int32_t v = 0; v < n; v++)
        parent[v] = none;
    for (int32_t i = 0; i < source_count; i++) {
        order[s.count++] = sources[i];
        s.seen[sources[i] >> 6] |= UINT64_C(1) << (sources[i] & 63);
        parent[sources[i]] = sources[i];
    }
    if (s.threads > 1)
        visit_levels(&s);
    else
        visit_alone(&s, 0, n);
    for (int32_t i = 0; i < source_count; i++)
        parent[sources[i]] = none;
    free(s.seen);
    for (int k = 0; k < MAX_THREADS; k++)
        free(s.parts[k].seen);
    return s.is_damaged ? PF_DAMAGED : s.count;
}
