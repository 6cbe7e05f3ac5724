/* A breadth-first traversal on the CPU: memory, sources, the loop over levels, the end. */
#include "cpu/bfs/state.h"

#include <string.h>

static int64_t hub_capacity(const fri_job *job) { return job->csr.m / FRI_BFS_HUB + 1; }

size_t fri_bfs_state_bytes(const fri_job *job, int32_t n) {
    size_t bitmap = fri_align_line(fri_bitmap_bytes(n)), workers = (size_t)job->in->threads;
    size_t front = fri_align_line(fri_bitmap_bytes(job->csr.n));
    size_t blocks = (size_t)fri_bfs_blocks(fri_bitmap_words(n));
    size_t worker = fri_align_line(sizeof(fri_bfs_worker)) + bitmap + fri_align_line(blocks) +
                    fri_align_line(fri_bytes(FRI_BFS_BUFFER, sizeof(int32_t)));
    return fri_align_line(sizeof(fri_bfs)) + 2 * bitmap + 2 * front + workers * worker +
           fri_align_line(fri_bytes((int64_t)n + 1, sizeof(int32_t))) +
           fri_align_line(fri_bytes(hub_capacity(job), sizeof(int32_t)));
}

/* The queue follows the rest of the state, as many traversals use only its start. */
static void carve(fri_bfs *b, char **at) {
    const fri_job *job = b->job;
    size_t bitmap = fri_bitmap_bytes(b->n), blocks = (size_t)fri_bfs_blocks(b->words);
    size_t front = (size_t)b->front_words * sizeof *b->front;
    b->no_in = fri_carve(at, bitmap);
    b->visited = fri_carve(at, bitmap);
    b->front = fri_carve(at, front);
    b->next = fri_carve(at, front);
    b->hubs = fri_carve(at, fri_bytes(hub_capacity(job), sizeof(int32_t)));
    b->workers = fri_carve(at, (size_t)job->in->threads * fri_align_line(sizeof(fri_bfs_worker)));
    for (int i = 0; i < job->in->threads; i++) {
        uint64_t *found = fri_carve(at, bitmap);
        uint8_t *touched = fri_carve(at, blocks);
        int32_t *buffer = fri_carve(at, fri_bytes(FRI_BFS_BUFFER, sizeof(int32_t)));
        b->workers[i] = (fri_bfs_worker){.found = found, .touched = touched, .buffer = buffer};
    }
    b->queue = fri_carve(at, fri_bytes((int64_t)b->n + 1, sizeof(int32_t)));
}

/* The largest degree of `count` vertices from `first`, or `maximum`. Without branches, as degrees are
 * irregular. */
static inline int64_t max_degree_of(const int64_t *offsets, int64_t first, int64_t count,
                                    int64_t maximum) {
    for (int64_t v = first; v < first + count; v++)
        maximum = FRI_MAX(maximum, offsets[v + 1] - offsets[v]);
    return maximum;
}

static inline uint64_t empty_rows(const int64_t *offsets, int64_t first, int64_t count) {
    uint64_t word = 0;
    for (int64_t i = 0; i < count; i++)
        word |= (uint64_t)(offsets[first + i + 1] == offsets[first + i]) << i;
    return word;
}

static inline void narrow(const int64_t *offsets, int64_t first, int64_t count,
                          uint32_t *narrowed) {
    for (int64_t v = first; narrowed && v < first + count; v++)
        narrowed[v] = (uint32_t)offsets[v];
}

/* What a pass over the offsets reads and fills; NULL: nothing. */
typedef struct {
    const int64_t *out, *in;
    uint32_t *out32, *in32;
    fri_bfs *b;
    int64_t none, maximum; /* atomic: vertices without in-edges, the largest degree */
} offset_pass;

/* A word of vertices: returns those without in-edges, and raises *maximum to their degrees. */
static inline __attribute__((always_inline)) uint64_t read_word(const offset_pass *p, int64_t first,
                                                                int64_t count, int64_t *maximum) {
    *maximum = max_degree_of(p->out, first, count, *maximum);
    narrow(p->out, first, count, p->out32);
    narrow(p->in, first, count, p->in32);
    return p->in ? empty_rows(p->in, first, count) : 0;
}

static void read_words(fri_member me, void *arg, int64_t begin, int64_t end) {
    offset_pass *p = arg;
    const int32_t n = p->b->n;
    int64_t none = 0, maximum = 0;
    (void)me;
    for (int64_t w = begin; w < end; w++) {
        const int64_t first = w * 64, count = FRI_MIN(64, n - first);
        const uint64_t word =
            count == 64 ? read_word(p, first, 64, &maximum) /* a constant: vector instructions */
                        : read_word(p, first, count, &maximum) | ~UINT64_C(0) << count;
        none += __builtin_popcountll(word);
        p->b->no_in[w] = word;
    }
    __atomic_fetch_add(&p->none, none, __ATOMIC_RELAXED); /* the team's end publishes both */
    int64_t seen = __atomic_load_n(&p->maximum, __ATOMIC_RELAXED);
    while (seen < maximum && !__atomic_compare_exchange_n(&p->maximum, &seen, maximum, true,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Finds what a strategy needs to know of all rows in one pass, which reads each offset from memory once. */
static void pass_over_offsets(fri_bfs *b, offset_pass *p) {
    enum { GRAIN = 256 };
    fri_team_loop(b->job->ctx, fri_job_threads(b->job, b->n), b->words, GRAIN, read_words, p);
    narrow(p->out, b->n, 1, p->out32);
    narrow(p->in, b->n, 1, p->in32);
    b->with_in = 64 * b->words - p->none;
    b->max_degree = p->maximum;
}

int64_t fri_bfs_find_no_in(fri_bfs *b, int64_t begin, int64_t end) {
    const int64_t *in = b->in.offsets64;
    int64_t found = 0;
    for (int64_t w = begin; w < end; w++) {
        const int64_t first = w * 64, count = FRI_MIN(64, b->n - first);
        const uint64_t empty =
            count == 64 ? empty_rows(in, first, 64) : empty_rows(in, first, count);
        b->no_in[w] = empty & ~b->visited[w];
        b->visited[w] |= empty;
        found += __builtin_popcountll(b->no_in[w]);
    }
    return found;
}

void fri_bfs_set_in_edges(fri_bfs *b) {
    const fri_job *job = b->job;
    b->has_in = job->csr.symmetric || job->in_edges.offsets != job->csr.offsets;
    b->in = (fri_bfs_csr){NULL, job->in_edges.offsets, job->in_edges.targets};
    if (b->in.offsets64 == b->out.offsets64)
        b->in.offsets32 = b->out.offsets32;
}

void fri_bfs_read_offsets(fri_bfs *b, uint32_t *out32, uint32_t *in32) {
    const bool same = b->in.offsets64 == b->out.offsets64;
    offset_pass pass = {.out = b->out.offsets64,
                        .in = b->has_in ? b->in.offsets64 : NULL,
                        .out32 = out32,
                        .in32 = same ? NULL : in32,
                        .b = b};
    pass_over_offsets(b, &pass);
    b->has_read = true;
    if (out32)
        b->out.offsets32 = out32;
    b->in.offsets32 = same ? b->out.offsets32 : in32;
}

fri_bfs *fri_bfs_prepare(fri_job *job, int32_t n, void *memory, void **extra) {
    char *at = memory;
    fri_bfs *b = fri_carve(&at, sizeof *b);
    *b = (fri_bfs){.job = job,
                   .n = n,
                   .words = fri_bitmap_words(n),
                   .front_words = fri_bitmap_words(job->csr.n),
                   .max_degree = INT64_MAX,
                   .share = fri_share_new(job->ctx)};
    b->out = (fri_bfs_csr){NULL, job->csr.offsets, job->csr.targets};
    fri_bfs_set_in_edges(b);
    carve(b, &at);
    *extra = at;
    return b;
}

void fri_bfs_enter_source(fri_bfs *b, int32_t s) {
    if (b->level[s] == 0)
        return; /* a repeated source */
    b->level[s] = 0;
    if (b->parent)
        b->parent[s] = s;
    b->left_vertices -= !(b->knows_no_in && fri_bit_get(b->no_in, s));
    fri_bit_set(b->visited, s);
    b->queue[b->tail++] = b->base + s;
    if (b->job->target_map && fri_bit_get(b->job->target_map, s))
        b->targets_left--;
}

/* Vertices without in-edges, as far as they are known, and the bits past n count as visited. */
static void begin_visited(fri_bfs *b) {
    const size_t bytes = (size_t)b->words * sizeof *b->visited;
    b->knows_no_in = b->has_read;
    if (b->knows_no_in) {
        memcpy(b->visited, b->no_in, bytes);
        return;
    }
    b->with_in = b->n;
    memset(b->visited, 0, bytes);
    if (b->n % 64)
        b->visited[b->words - 1] = ~UINT64_C(0) << b->n % 64;
}

void fri_bfs_begin(fri_bfs *b) {
    const fri_job *job = b->job;
    b->counted = b->out;
    b->level = job->out->level;
    b->parent = job->out->parent;
    begin_visited(b);
    b->is_bitmap = b->reuse_partition = b->is_local = b->is_abandoned = false;
    b->is_finishing = b->is_serial = b->is_ordered = false;
    fri_share_restart(&b->share);
    b->local_from = INT32_MAX;
    b->depth = 0;
    b->head = b->tail = 0;
    b->left_vertices = b->with_in;
    b->left_edges = job->csr.m;
    b->targets_left = job->target_count;
    b->status = FR_OK;
    b->pace = fri_pace_begin(job->ctx, "traversing", b->with_in);
    b->paced = 0;
    b->step = FRI_BFS_DONE;
}

/* Makes the sources the frontier of level 0. */
static void enter_sources(fri_bfs *b) {
    const fri_job *job = b->job;
    for (int64_t i = 0; i < job->in->query.source_count; i++)
        b->level[job->in->query.sources[i]] = -1;
    for (int64_t i = 0; i < job->in->query.source_count; i++)
        fri_bfs_enter_source(b, job->in->query.sources[i]);
}

/* Whether the traversal is complete. */
static bool is_over(const fri_bfs *b) {
    const fr_query *query = &b->job->in->query;
    return b->vertices == 0 || b->left_vertices == 0 ||
           (b->job->target_map && b->targets_left <= 0) ||
           (query->max_level && b->depth >= query->max_level);
}

/* Reports progress, but not on each of many small levels. */
static bool poll_level(fri_bfs *b) {
    int64_t seen = b->with_in - b->left_vertices, all = seen + b->job->csr.m - b->left_edges;
    fri_pace_stop(&b->pace, all - b->paced + 1, seen);
    b->paced = all;
    b->status = b->pace.status;
    return b->status == FR_OK;
}

void fri_bfs_poll(fri_bfs *b, int64_t work, int64_t total) {
    if (fri_pace_stop(&b->pace, work, b->with_in - b->left_vertices))
        __atomic_store_n(&b->cursor, total, __ATOMIC_RELAXED); /* nothing is left to take */
}

int64_t fri_bfs_edges(fri_bfs *b) {
    if (b->edges >= 0)
        return b->edges;
    const fri_bfs_csr counted = b->counted;
    const int32_t *queue = b->queue, base = b->base;
    int64_t edges = 0;
    if (counted.offsets32) /* the width is asked once, as this runs before each small level */
        for (int64_t i = b->head, end = b->tail; i < end; i++) {
            const uint32_t *row = counted.offsets32 + (queue[i] - base);
            edges += row[1] - row[0];
        }
    else
        for (int64_t i = b->head, end = b->tail; i < end; i++) {
            const int64_t *row = counted.offsets64 + (queue[i] - base);
            edges += row[1] - row[0];
        }
    return b->edges = edges;
}

static void take_serial(fri_bfs *b, fri_member me) {
    (void)me;
    fri_bfs_serial_level(b);
}

/* The steps that all members execute, by fri_bfs_step. */
static const struct {
    void (*take)(fri_bfs *b, fri_member me);
    const char *method; /* NULL: a conversion, or a level that is closed already */
} steps[] = {
    [FRI_BFS_SERIAL] = {take_serial, NULL},
    [FRI_BFS_PUSH_QUEUE] = {fri_bfs_push_queue, "top-down queue"},
    [FRI_BFS_PUSH_BITMAP] = {fri_bfs_push_bitmap, "top-down bitmap"},
    [FRI_BFS_PULL] = {fri_bfs_pull, "bottom-up"},
    [FRI_BFS_LOCAL] = {fri_bfs_local, "local"},
    [FRI_BFS_TO_BITMAP] = {fri_bfs_to_bitmap, NULL},
    [FRI_BFS_TO_QUEUE] = {fri_bfs_to_queue, NULL},
    [FRI_BFS_TO_LOCAL] = {fri_bfs_to_local, NULL},
    [FRI_BFS_FROM_LOCAL] = {fri_bfs_from_local, NULL},
};

fri_bfs_step fri_bfs_step_of(const fri_bfs *b, fri_bfs_method method) {
    static const fri_bfs_step step[] = {
        [FRI_METHOD_SERIAL] = FRI_BFS_SERIAL,
        [FRI_METHOD_QUEUE] = FRI_BFS_PUSH_QUEUE,
        [FRI_METHOD_BITMAP] = FRI_BFS_PUSH_BITMAP,
        [FRI_METHOD_PULL] = FRI_BFS_PULL,
    };
    if (method <= FRI_METHOD_QUEUE && b->is_bitmap)
        return FRI_BFS_TO_QUEUE;
    if (method == FRI_METHOD_PULL && !b->is_bitmap)
        return FRI_BFS_TO_BITMAP;
    return step[method];
}

/* Adds up the counts of the level that ended; tests whether the parts are about even and each a
 * single piece. */
static fri_bfs_worker collect(fri_bfs *b) {
    fri_bfs_worker sum = {0};
    b->reuse_partition = b->step == FRI_BFS_PUSH_QUEUE || b->step == FRI_BFS_LOCAL;
    int64_t maximum = 0, entries = b->queue_end - b->next_head;
    for (int i = 0; i < b->job->in->threads; i++) {
        fri_bfs_worker *worker = &b->workers[i];
        b->reuse_partition &= worker->flushes == 1; /* a member appended once */
        worker->flushes = 0;
        maximum = FRI_MAX(maximum, worker->to - worker->from);
        sum.vertices += worker->vertices;
        sum.edges += worker->edges;
        sum.examined += worker->examined;
        sum.targets += worker->targets;
        sum.no_in += worker->no_in;
        worker->vertices = worker->edges = worker->examined = worker->targets = worker->no_in = 0;
    }
    b->reuse_partition &= maximum * b->last_members <= entries + entries / 4 + 64;
    return sum;
}

/* Moves the frontier to the start of the queue, without the entries of a lower level. */
static void compact_frontier(fri_bfs *b) {
    int64_t count = 0;
    for (int64_t i = b->head; i < b->tail; i++) {
        const int32_t v = b->queue[i];
        b->queue[count] = v;
        count += b->level[v] == b->depth;
    }
    b->queue_end = b->vertices = count;
    b->edges = -1;
}

/* Before the first window, and after the last one, where the frontier may turn out to be empty. */
static void close_local(fri_bfs *b) {
    b->is_local = b->step == FRI_BFS_TO_LOCAL;
    compact_frontier(b);
    if (b->is_local)
        b->local_from = FRI_MIN(b->local_from, b->depth);
    if (!b->is_local && !b->vertices)
        b->depth = 0; /* the last window may have ended before its end */
    for (int i = 0; i < b->job->in->threads; i++)
        if (b->is_local)
            b->workers[i].deepest = b->depth;
        else if (!b->vertices)
            b->depth = FRI_MAX(b->depth, b->workers[i].deepest);
}

static void close_conversion(fri_bfs *b) {
    b->is_bitmap = b->step == FRI_BFS_TO_BITMAP;
    b->reuse_partition = false;
    if (b->step == FRI_BFS_TO_LOCAL || b->step == FRI_BFS_FROM_LOCAL)
        close_local(b);
    b->head = 0;
    b->tail = b->is_bitmap ? 0 : b->queue_end;
}

/* After some levels at a time. */
static void close_window(fri_bfs *b, const fri_bfs_worker *sum) {
    b->job->out->stats.edges_examined += sum->examined;
    if (b->is_abandoned) /* none of them */
        return;
    b->head = b->next_head;
    b->tail = b->queue_end;
    b->left_edges -= sum->edges;
    b->left_vertices -= sum->vertices;
    b->vertices = b->tail - b->head;
    b->edges = -1;
    b->targets_left -= sum->targets;
    b->depth = b->window_end;
}

static void close_level(fri_bfs *b) {
    fri_bfs_worker sum = collect(b);
    if (b->job->told.levels)
        fri_job_level_expected(b->job, steps[b->step].method, b->vertices, sum.examined,
                               fri_now_ns() - b->level_begin_ns, b->expected_ns);
    if (b->step == FRI_BFS_LOCAL) {
        close_window(b, &sum);
        return;
    }
    if (b->step == FRI_BFS_PUSH_QUEUE) {
        b->head = b->next_head;
        b->tail = b->queue_end;
    } else {
        uint64_t *front = b->front;
        b->front = b->next;
        b->next = front;
        b->is_bitmap = true;
        b->head = b->tail = 0;
    }
    b->left_edges -= b->edges;
    b->left_vertices -= sum.vertices + sum.no_in;
    b->with_in -= sum.no_in;
    b->knows_no_in |= b->step == FRI_BFS_PULL && !b->pace.status; /* it has seen every vertex */
    b->vertices = sum.vertices;
    b->edges = sum.edges;
    b->targets_left -= sum.targets;
    b->job->out->stats.edges_examined += sum.examined;
    b->depth += sum.vertices > 0;
}

/* Where the queue of the next level begins: after the frontier, or at the start again once that is far
 * behind and has room for a vertex per edge. A traversal of many small levels then uses little memory. */
static int64_t place_next_queue(fri_bfs *b) {
    int64_t most = b->edges;
    if (b->is_local) { /* frontiers take turns in the halves, as their entries may be more than all vertices */
        const bool first = b->head >= b->n / 2;
        b->window_room = first ? b->n / 2 : b->n;
        return first ? 0 : b->n / 2;
    }
    if (b->is_ordered || b->head < FRI_BFS_REUSE || (most < 0 && b->max_degree > b->head))
        return b->tail;
    if (most < 0)
        most = b->vertices * b->max_degree;
    return most <= b->head ? 0 : b->tail;
}

/* Before a step: goes on in the own queue if `order`, which has no entry more than n, might have too little room, or the
 * levels are not in order. */
static void leave_order(fri_bfs *b) {
    if (b->queue == b->own_queue ||
        (b->is_ordered && b->left_vertices / FRI_MAX(b->max_degree, 1) > b->vertices))
        return;
    memcpy(b->own_queue + b->head, b->queue + b->head,
           (size_t)(b->tail - b->head) * sizeof *b->queue);
    b->placed = b->head;
    b->queue = b->own_queue;
}

/* Executes levels of one thread at once, unless more threads may join soon; returns the next step of a team, or the end. */
static fri_bfs_step next_step(fri_bfs *b) {
    fri_bfs_step step = FRI_BFS_DONE;
    while (!is_over(b) && poll_level(b)) {
        step = b->policy(b);
        b->is_serial &= step == FRI_BFS_SERIAL;
        b->is_ordered &= b->is_serial;
        leave_order(b);
        b->next_head = place_next_queue(b);
        if (step != FRI_BFS_SERIAL || b->most < b->job->in->threads)
            break;
        fri_bfs_serial_level(b);
        step = FRI_BFS_DONE;
    }
    b->status = b->pace.status; /* the last level may have been cancelled, too */
    if (step == FRI_BFS_DONE && b->is_local)
        step = FRI_BFS_FROM_LOCAL;
    b->cursor = b->merge_cursor = b->hub_count = 0;
    b->queue_end = step == FRI_BFS_PUSH_QUEUE || step == FRI_BFS_LOCAL ? b->next_head : b->tail;
    if (b->job->told.levels)
        b->level_begin_ns = fri_now_ns();
    return step;
}

/* Writes -1 for those of 64 entries whose bits are set in `none`. */
static void clear_entries(int32_t *at, uint64_t none) {
    typedef int32_t four __attribute__((vector_size(16), aligned(4), may_alias));
    const four bit = {1, 2, 4, 8};
    for (int i = 0; i < 64; i += 4, none >>= 4) {
        const int32_t some = (int32_t)(none & 15);
        *(four *)(void *)(at + i) |= ((four){some, some, some, some} & bit) == bit;
    }
}

/* Writes -1 for the vertices of a word, the first of which is `base`, whose bits are set in `none`. */
static void clear_unreached(fri_bfs *b, int64_t base, uint64_t none) {
    enum { FEW = 8 }; /* each by itself takes less time than all 64 */
    if (base + 64 <= b->n && __builtin_popcountll(none) > FEW) {
        clear_entries(b->level + base, none);
        if (b->parent)
            clear_entries(b->parent + base, none);
        return;
    }
    for (; none; none &= none - 1) {
        const int64_t v = base + __builtin_ctzll(none);
        if (v >= b->n)
            return;
        b->level[v] = -1;
        if (b->parent)
            b->parent[v] = -1;
    }
}

/* Writes -1 for vertices that were not reached, and the entries of the sources. */
static void finish(fri_bfs *b, fri_member me) {
    int64_t first, end;
    fri_team_static_range(me, b->words, FRI_BFS_WORDS, &first, &end);
    for (int64_t w = first; w < end; w++)
        clear_unreached(b, w * 64, ~b->visited[w] | (b->knows_no_in ? b->no_in[w] : 0));
    fri_team_barrier(me); /* a source without in-edges was just overwritten */
    if (b->parent && b->local_from < INT32_MAX) {
        fri_bfs_local_parents(b, me);
        fri_team_barrier(me); /* it reads the levels of sources */
    }
    for (int64_t i = 0; me.index == 0 && i < b->job->in->query.source_count; i++) {
        int32_t s = b->job->in->query.sources[i];
        b->level[s] = 0;
        if (b->parent)
            b->parent[s] = s;
    }
}

/* How many members the end gets, which reads a bitmap and writes what was not reached, and parents of local levels; or a
 * conversion to local levels or back. */
static int pass_members(fri_bfs *b) {
    const double cleared = 0.5, edge = 4, level = 0.5; /* nanoseconds */
    double ns = cleared * (double)(b->words + b->n - b->with_in + b->left_vertices);
    if (b->step != FRI_BFS_DONE)
        ns = level * b->n;
    else if (b->parent && b->local_from < INT32_MAX)
        ns += edge * (double)b->job->csr.m;
    return fri_share_threads(&b->share, (fri_work){ns, ns}, b->most);
}

/* Member 0, between steps. */
static int decide(void *arg, int most, fri_part_time last) {
    fri_bfs *b = arg;
    b->last = last;
    b->last_members = last.members;
    if (b->is_finishing)
        return 0;
    if (b->step != FRI_BFS_DONE && steps[b->step].method)
        close_level(b);
    else if (b->step >= FRI_BFS_TO_BITMAP)
        close_conversion(b);
    b->most = b->members = most;
    b->step = b->next_step(b);
    if (b->step == FRI_BFS_SERIAL)
        b->members = 1;
    b->is_finishing = b->step == FRI_BFS_DONE;
    if (b->is_finishing || b->step >= FRI_BFS_TO_LOCAL)
        b->members = pass_members(b);
    fri_share_note(&b->share, b->members);
    return b->members;
}

static void part(fri_member me, void *arg) {
    fri_bfs *b = arg;
    if (b->is_finishing)
        finish(b, me);
    else
        steps[b->step].take(b, me);
}

/* Derives the counts of the query from what the levels have counted: a pass over all vertices costs as
 * much as a small traversal. */
static void count_reached(fri_bfs *b) {
    fri_job *job = b->job;
    fr_stats *stats = &job->out->stats;
    int64_t last = b->vertices ? fri_bfs_edges(b) : 0; /* of a frontier that was not expanded */
    stats->reached = b->with_in - b->left_vertices;
    for (int64_t i = 0; b->knows_no_in && i < job->in->query.source_count; i++)
        stats->reached += fri_bit_get(b->no_in, job->in->query.sources[i]);
    stats->reached_edges = job->csr.m - b->left_edges + last;
    job->told.counted_reached = true;
}

void fri_bfs_run(fri_bfs *b) {
    b->vertices = b->tail;
    b->edges = -1;
    b->job->out->stats.threads = fri_team_parts(b->job->ctx, b->job->in->threads, decide, part, b);
}

static void end_order(fri_bfs *b) {
    fri_job *job = b->job;
    if (b->is_ordered && b->queue == b->own_queue)
        memcpy(job->out->order + b->placed, b->queue + b->placed,
               (size_t)(b->tail - b->placed) * sizeof *b->queue);
    b->queue = b->own_queue;
    job->told.ordered = b->is_ordered;
    job->told.has_starts = b->is_serial && job->level_start;
}

fr_status fri_bfs_traverse(fri_bfs *b) {
    fri_job *job = b->job;
    const int64_t begin_ns = fri_now_ns();
    b->next_step = next_step;
    fri_bfs_begin(b);
    b->is_serial = true;
    b->is_ordered = job->out->order && job->in->query.source_count == 1;
    b->moved = b->placed = 0;
    b->own_queue = b->queue;
    b->queue = b->is_ordered ? job->out->order : b->queue;
    enter_sources(b);
    if (job->level_start) {
        job->level_start[0] = 0;
        job->level_start[1] = (int32_t)b->tail;
    }
    fri_bfs_run(b);
    job->out->stats.levels = b->depth;
    count_reached(b);
    if (!b->status)
        fri_share_query(&b->share, job->out->stats.reached_edges, fri_now_ns() - begin_ns);
    end_order(b);
    return b->status ? b->status : b->pace.status; /* cancelled within the last level */
}
