/* The rounds of the bucket engine, of delta-step (delta_stepping.c) and of what windows leave (spira_window.c). */
#include "cpu/sssp/typed/given.h"

enum { SHORT_ROW = 16 };

static void lower_all(fri_delta_engine *s, fri_buckets *buckets, fri_candidates *list, int count) {
    const int lowered = fri_delta_lower_all(s, list, count);
    for (int i = 0; i < lowered; i++) {
        __builtin_prefetch(&s->offsets[list->v[i]]); /* it is soon read */
        fri_delta_put(s, buckets, list->v[i], list->sum[i]);
    }
    buckets->relaxed += lowered;
}

/* Keeps the entries that are valid, without a branch for each; returns how many they are. */
static int valid_entries(const fri_delta_engine *s, fri_bucket_entry *entry, int count) {
    int valid = 0;
    for (int i = 0; i < count; i++) {
        const fri_bucket_entry e = entry[i];
        __builtin_prefetch(&s->offsets[e.v]);
        entry[valid] = e;
        valid += !dist_less(fri_delta_load(s->dist, e.v), e.d);
    }
    return valid;
}

/* Apart from the short rows, whose registers it would take. Threads without work get parts. */
static __attribute__((noinline)) void relax_long_row(fri_delta_engine *s, fri_buckets *buckets,
                                                     int32_t u, dist_t d, int64_t begin,
                                                     int64_t end) {
    fri_given_work row = {0, u, d, begin, end};
    while (row.begin < row.end) {
        if (s->shared)
            fri_given_offer_edges(s, &row);
        end = s->shared ? FRI_MIN(row.begin + FRI_ROW_PART, row.end) : row.end;
        buckets->relaxed += fri_delta_relax_csr(s, buckets, u, d, row.begin, end);
        buckets->examined += end - row.begin;
        row.begin = end;
    }
}

/* Lists the edges of a short row, and up to FRI_BLOCK - 1 that follow it and do not count: blocks are copied without a
 * branch for each edge. */
static inline void list_row(const fri_delta_engine *s, fri_candidates *list, int listed,
                            fri_bucket_entry from, int64_t begin, int degree) {
    static const weight_t ones[SHORT_ROW] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const int32_t *targets = s->targets + begin;
    const weight_t *weights = s->weights ? s->weights + begin : ones;
    const dist_t *dist = s->dist;
    for (int at = 0; at < degree; at += FRI_BLOCK) {
        dist_t sum[FRI_BLOCK]; /* apart, so that vectors are copied */
        for (int i = 0; i < FRI_BLOCK; i++)
            __builtin_prefetch(&dist[targets[at + i]]);
        for (int i = 0; i < FRI_BLOCK; i++)
            sum[i] = dist_sum(from.d, weights[at + i]);
        memcpy(&list->v[listed + at], &targets[at], FRI_BLOCK * sizeof *targets);
        memcpy(&list->sum[listed + at], sum, sizeof sum);
    }
    for (int i = 0; s->parent && i < degree; i++)
        list->from[listed + i] = from.v;
}

/* Two lines of targets and of weights: where a short row is, or the rows of the vertices that follow. */
FRI_PREFETCHER prefetch_short_row(const fri_delta_engine *s, int32_t u) {
    const int64_t e = s->offsets[u];
    if (s->targets) { /* NULL: there are no edges */
        __builtin_prefetch(s->targets + e);
        __builtin_prefetch(s->targets + e + SHORT_ROW / 2 - 1);
    }
    if (s->weights) {
        __builtin_prefetch(s->weights + e);
        __builtin_prefetch(s->weights + e + SHORT_ROW / 2 - 1);
    }
}

/* Entries of a chunk on the rows of the CSR. */
static void process_csr(fri_delta_engine *s, fri_buckets *buckets, fri_bucket_entry *entry,
                        int count) {
    enum { AHEAD = 8 };
    const int64_t *offsets = s->offsets;
    const int64_t last = s->m - SHORT_ROW;
    fri_candidates list;
    int listed = 0;
    count = valid_entries(s, entry, count);
    buckets->visited += count;
    for (int i = 0; i < FRI_MIN(AHEAD, count); i++)
        prefetch_short_row(s, entry[i].v);
    for (int i = 0; i < count; i++) {
        if (i + AHEAD < count)
            prefetch_short_row(s, entry[i + AHEAD].v);
        const int32_t u = entry[i].v;
        const dist_t d = entry[i].d;
        const int64_t begin = offsets[u];
        const int64_t degree = offsets[u + 1] - begin;
        if (degree > SHORT_ROW || begin > last) {
            relax_long_row(s, buckets, u, d, begin, begin + degree);
            continue;
        }
        if (listed + (int)degree > FRI_CANDIDATES) {
            lower_all(s, buckets, &list, listed);
            listed = 0;
        }
        list_row(s, &list, listed, entry[i], begin, (int)degree);
        listed += (int)degree;
        buckets->examined += degree;
    }
    lower_all(s, buckets, &list, listed);
}

/* The same on rows of interleaved edges. */
static void process_edges(fri_delta_engine *s, fri_buckets *buckets, const fri_bucket_entry *entry,
                          uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (i + 4 < count)
            __builtin_prefetch(&s->offsets[entry[i + 4].v]);
        if (i + 2 < count)
            fri_delta_prefetch_row(s, entry[i + 2].v);
        if (fri_delta_load(s->dist, entry[i].v) == entry[i].d) {
            fri_delta_relax_row(s, buckets, entry[i].v, entry[i].d);
            buckets->visited++;
        }
    }
}

static void process(fri_delta_engine *s, fri_buckets *buckets, fri_bucket_entry *entry, int count) {
    if (s->edges)
        process_edges(s, buckets, entry, (uint32_t)count);
    else
        process_csr(s, buckets, entry, count);
}

/* Moves entries of a list's first chunk to `slice`: all, or FRI_SLICE of a last one, so that the rest can be given. */
static int take_slice(fri_delta_engine *s, fri_buckets *buckets, uint32_t *list,
                      fri_bucket_entry *slice, bool alone) {
    const uint32_t number = *list;
    fri_bucket_chunk *chunk = fri_bucket_chunk_at(&s->pool, number);
    const bool all = alone || chunk->next || chunk->count < FRI_SLICE;
    const uint32_t count = all ? chunk->count : FRI_SLICE;
    chunk->count -= count;
    memcpy(slice, (const fri_bucket_entry *)(const void *)(chunk + 1) + chunk->count,
           count * sizeof *slice);
    if (!chunk->count) {
        *list = chunk->next;
        fri_bucket_chunk_release(buckets, chunk, number);
    }
    return (int)count;
}

uint32_t fri_delta_take(fri_buckets *buckets, uint32_t slot) {
    uint32_t number = buckets->head[slot];
    buckets->head[slot] = 0;
    if (slot < FRI_BUCKETS)
        buckets->used[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
    return number;
}

void fri_delta_refill(fri_delta_engine *s, fri_buckets *buckets) {
    uint32_t number = fri_delta_take(buckets, FRI_FAR_BUCKET);
    buckets->far_min = INT64_MAX;
    while (number) {
        fri_bucket_chunk *chunk = fri_bucket_chunk_at(&s->pool, number);
        const fri_bucket_entry *entry = (const fri_bucket_entry *)(const void *)(chunk + 1);
        for (uint32_t i = 0; i < chunk->count; i++)
            if (fri_delta_load(s->dist, entry[i].v) == entry[i].d)
                fri_delta_put(s, buckets, entry[i].v, entry[i].d);
        uint32_t next = chunk->next;
        fri_bucket_chunk_release(buckets, chunk, number);
        number = next;
    }
}

/* Whether a thread has examined more edges in the round than so many. */
static bool has_more(const fri_buckets *mine, int64_t edges) {
    return mine->examined - mine->before > edges;
}

/* Works on chunks of a bucket; returns those that it leaves: alone, if they are worth more threads, or if the query ends. */
static uint32_t work_on(fri_delta_engine *s, fri_buckets *mine, uint32_t list, bool alone) {
    fri_bucket_entry slice[CHUNK_ENTRIES];
    while (list && !fri_delta_halt(s, mine)) {
        if (alone && s->threads > 1 && has_more(mine, fri_sssp_enough(1)))
            break; /* if others did not come, it does not ask for them too often */
        const int count = take_slice(s, mine, &list, slice, alone);
        if (!alone)
            fri_given_offer(s, mine, &list);
        process(s, mine, slice, count);
    }
    return list;
}

/* A chunk of the common list, where others find more. */
static void work_on_chunk(fri_delta_engine *s, fri_buckets *mine, uint32_t number) {
    fri_bucket_entry slice[CHUNK_ENTRIES];
    process(s, mine, slice, take_slice(s, mine, &number, slice, true));
}

static void work_on_given(fri_delta_engine *s, fri_buckets *mine, fri_given_work given) {
    if (given.begin < given.end && fri_delta_load(s->dist, given.u) == given.d)
        relax_long_row(s, mine, given.u, given.d, given.begin, given.end);
    work_on(s, mine, given.list, false);
}

/* Ends the round with a bucket, once order matters more than barriers. */
static void end_with(fri_delta_engine *s, int64_t bucket) {
    int64_t end = fri_delta_end(s);
    while (bucket + 1 < end && !__atomic_compare_exchange_n(&s->end, &end, bucket + 1, true,
                                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

/* Puts the rest of a bucket back. */
static void put_back(fri_delta_engine *s, fri_buckets *mine, int64_t bucket, uint32_t list) {
    const uint32_t slot = (uint32_t)(bucket % FRI_BUCKETS);
    uint32_t *last = &mine->head[slot];
    while (*last)
        last = &fri_bucket_chunk_at(&s->pool, *last)->next;
    *last = list;
    fri_bit_set(mine->used, slot);
}

/* Works on the entries of its own bins, the smallest bucket first. */
static void work_on_bins(fri_delta_engine *s, fri_buckets *mine, bool alone) {
    for (int64_t bucket; (bucket = fri_buckets_min(mine)) < fri_delta_end(s);) {
        if (has_more(mine, s->enough))
            end_with(s, bucket);
        const uint32_t list = fri_delta_take(mine, (uint32_t)(bucket % FRI_BUCKETS));
        const uint32_t left = work_on(s, mine, list, alone);
        if (left) {
            put_back(s, mine, bucket, left);
            return;
        }
    }
}

/* Moves the chunks of a bin that the round's buckets have to the common list. */
static void publish(fri_delta_engine *s, fri_buckets *buckets) {
    buckets->base = s->bucket;
    if (buckets->far_min < s->end)
        fri_delta_refill(s, buckets);
    for (int64_t bucket; (bucket = fri_buckets_min(buckets)) < s->end;) {
        uint32_t number = fri_delta_take(buckets, (uint32_t)(bucket % FRI_BUCKETS));
        int64_t chunks = 0;
        for (uint32_t c = number; c; c = fri_bucket_chunk_at(&s->pool, c)->next)
            chunks++;
        int64_t at = __atomic_fetch_add(&s->work_count, chunks, __ATOMIC_RELAXED);
        while (number) {
            fri_bucket_chunk *chunk = fri_bucket_chunk_at(&s->pool, number);
            s->work[at++] = number;
            number = chunk->next;
            chunk->next = 0;
        }
    }
    buckets->least = fri_buckets_min(buckets);
}

/* Moves chunks to the common list, unless their thread keeps them. One thread alone leaves those of its own bins. */
static void publish_all(fri_delta_engine *s, fri_member me) {
    for (int t = me.index; t < s->threads; t += me.count) {
        const bool keeps = t == me.index && (me.count == 1 || s->keeps);
        if (s->buckets[t].least < s->end && !keeps)
            publish(s, &s->buckets[t]);
    }
    fri_team_barrier(me); /* the list is complete */
}

/* One member of a round. */
static void run_round(fri_delta_engine *s, fri_member me) {
    fri_buckets *mine = &s->buckets[me.index];
    const bool alone = me.count == 1;
    int64_t at, end;
    if (s->publishes || me.count < s->members)
        publish_all(s, me);
    mine->base = s->bucket;
    if (mine->far_min < fri_delta_end(s))
        fri_delta_refill(s, mine);
    mine->before = mine->examined;
    while (!fri_delta_halt(s, mine) &&
           fri_team_next_chunk(&s->work_taken, s->work_count, 1, &at, &end))
        work_on_chunk(s, mine, s->work[at]);
    work_on_bins(s, mine, alone);
    for (fri_given_work given; !alone && fri_given_await(s, me, &given);) {
        work_on_given(s, mine, given);
        work_on_bins(s, mine, false);
    }
    mine->least = fri_buckets_min(mine);
}

/* Whether all targets are nearer than the bucket: it and later buckets are then not needed. */
static bool targets_settled(fri_delta_engine *s, int64_t bucket) {
    const fr_query *q = &s->job->in->query;
    if (q->target_count == 0)
        return false;
    for (; s->next_target < q->target_count; s->next_target++) {
        dist_t d = s->dist[q->targets[s->next_target]];
        if (d == DIST_INF || fri_delta_bucket(s, d) >= bucket)
            return false;
    }
    return true;
}

/* The least expected time of an edge with up to `most` threads, if a bucket has `rate` edges, and how many threads. */
static double least_edge_ns(const fri_delta_engine *s, int64_t rate, int most, int *best) {
    fri_share_choice choice = fri_share_first(s->share->scale * fri_delta_work(1).alone, 1);
    for (int k = 2; k < 2 * most; k *= 2) {
        const int threads = FRI_MIN(k, most);
        const double edges = (double)(rate * fri_sssp_span(s->span, rate, threads));
        const double ns =
            fri_share_ns(s->share, fri_delta_work(edges).shared, threads) / FRI_MAX(edges, 1);
        fri_share_try(s->share, &choice, threads, ns, edges);
    }
    *best = choice.threads;
    return choice.ns;
}

/* How many threads the next round gets, by the edges of a bucket in the last one. */
static int choose_members(const fri_delta_engine *s, int64_t rate, int most) {
    int all, awake;
    const double ns = least_edge_ns(s, rate, most, &all),
                 awake_ns = least_edge_ns(s, rate, FRI_MIN(most, s->share->largest), &awake);
    const double edges = (double)(rate * fri_sssp_span(s->span, rate, all));
    all = fri_share_varied(s->share, all, most);
    return fri_share_wakes(s->share, all, (awake_ns - ns) * edges) ? all : awake;
}

/* Member 0, after a round: records a level if levels are requested. */
static void report_round(fri_delta_engine *s, const char *choice) {
    fri_job *job = s->job;
    if (!job->told.levels)
        return;
    int64_t visited = 0, examined = 0, now = fri_now_ns();
    for (int t = 0; t < job->in->threads; t++) {
        visited += s->buckets[t].visited;
        examined += s->buckets[t].examined;
    }
    if (s->rounds)
        fri_job_level(job, choice, visited - s->visited, examined - s->examined, now - s->since);
    s->since = now;
    s->visited = visited;
    s->examined = examined;
}

void fri_delta_record(fri_delta_engine *s, int64_t edges, fri_part_time last) {
    enum { FEW = 64, MANY = 1 << 15 }; /* of a thread */
    if (edges >= FEW && edges / last.members <= MANY)
        fri_share_record(s->share, fri_delta_work((double)edges), last.members, last, s->began_ns);
    else if (last.members == 1)
        fri_share_alone(s->share, (double)(fri_now_ns() - s->began_ns));
}

/* After the last round: its edges and its time, and what follows from them for the next one. */
static void plan_round(fri_delta_engine *s, int most, fri_part_time last) {
    int64_t examined = 0;
    for (int t = 0; t < s->threads; t++)
        examined += s->buckets[t].examined;
    const int64_t edges = examined - s->counted;
    last.busy_ns -= s->waited_ns;
    if (s->began_ns)
        fri_delta_record(s, edges, last);
    s->members = choose_members(s, edges / s->span, most);
    s->span = fri_sssp_span(s->span, edges / s->span, s->members);
    s->enough = fri_sssp_enough(s->members);
    fri_share_note(s->share, s->members);
    s->counted = examined;
    s->began_ns = fri_now_ns();
}

/* The smallest bucket of any bin; *dropped: the pool was empty. */
static int64_t smallest_bucket(const fri_delta_engine *s, bool *dropped) {
    int64_t least = INT64_MAX;
    *dropped = false;
    for (int t = 0; t < s->threads; t++) {
        least = FRI_MIN(least, s->buckets[t].least);
        *dropped |= s->buckets[t].overflow;
    }
    return least;
}

/* Before a round: whether the traversal ends. */
static bool is_over(fri_delta_engine *s) {
    report_round(s, s->doing);
    s->doing = "bucket";
    s->rounds++;
    if (fri_delta_halt(s, s->buckets)) {
        s->status = s->pace.status;
        return true;
    }
    return s->bucket == INT64_MAX || targets_settled(s, s->bucket) || s->bucket > s->last_bucket;
}

/* Whose chunks the next round moves to the common list: those of threads that were not in the last one. */
static void plan_list(fri_delta_engine *s, int before) {
    s->keeps = before >= s->members;
    s->publishes = !s->keeps;
    for (int t = s->members; t < s->threads; t++)
        s->publishes |= s->buckets[t].least < s->end;
    s->work_count = s->work_taken = s->waited_ns = 0;
    fri_given_reset(&s->given, s->members);
}

int fri_delta_engine_decide(fri_delta_engine *s, int most, fri_part_time last) {
    bool dropped;
    const int64_t bucket = smallest_bucket(s, &dropped);
    if (s->stage == FRI_DELTA_ROUND)
        s->span = s->end - s->bucket; /* it may have ended early */
    const int before = s->stage == FRI_DELTA_ROUND ? last.members : 0;
    s->stage = dropped ? FRI_DELTA_REBUILD : FRI_DELTA_ROUND;
    if (dropped)
        return most;
    s->bucket = bucket;
    if (is_over(s))
        return 0;
    if (s->threads > 1)
        plan_round(s, most, last);
    s->end = s->bucket + s->span;
    s->shared = s->members > 1;
    plan_list(s, before);
    return s->members;
}

void fri_delta_rebuild(fri_delta_engine *s, fri_member me, int64_t bucket) {
    fri_buckets *buckets = &s->buckets[me.index];
    int64_t begin, end;
    fri_team_barrier(me); /* no thread allocates any more */
    if (me.index == 0)
        s->pool.taken = 1;
    for (int t = me.index; t < s->job->in->threads; t += me.count)
        fri_buckets_reset(&s->buckets[t], bucket);
    fri_team_barrier(me); /* the pool is complete again */
    fri_team_static_range(me, s->n, 1024, &begin, &end);
    for (int64_t v = begin; v < end; v++)
        if (s->dist[v] != DIST_INF && fri_delta_bucket(s, s->dist[v]) >= bucket)
            fri_delta_put(s, buckets, (int32_t)v, s->dist[v]);
}

int fri_delta_engine_begin(fri_delta_engine *s, int most) {
    const double ns = (s->parent ? 1 : 0.5) * s->n; /* two or four bytes a nanosecond */
    s->stage = FRI_DELTA_FILL;
    return fri_share_threads(s->share, (fri_work){ns, ns}, most);
}

void fri_delta_engine_part(fri_delta_engine *s, fri_member me) {
    if (s->stage == FRI_DELTA_FILL)
        fri_delta_engine_clear(s, me);
    else if (s->stage == FRI_DELTA_REBUILD) {
        fri_delta_rebuild(s, me, s->bucket);
        s->buckets[me.index].least = fri_buckets_min(&s->buckets[me.index]);
    } else
        run_round(s, me);
}

void fri_delta_engine_clear_thread(fri_delta_engine *s, int thread) {
    fri_buckets *buckets = &s->buckets[thread];
    fri_buckets_reset(buckets, 0);
    buckets->examined = buckets->relaxed = buckets->visited = 0;
}

void fri_delta_engine_clear(fri_delta_engine *s, fri_member me) {
    int64_t begin, end;
    fri_team_static_range(me, s->n, 4096, &begin, &end);
    for (int64_t v = begin; v < end; v++)
        s->dist[v] = DIST_INF;
    for (int64_t v = begin; s->parent && v < end; v++)
        s->parent[v] = -1;
    for (int t = me.index; t < s->job->in->threads; t += me.count)
        fri_delta_engine_clear_thread(s, t);
}

FRI_SSSP_FUNCTION(size_t, fri_sssp_delta_bytes, (const fri_job *job, double pool), (job, pool)) {
    uint32_t chunks =
        fri_chunk_pool_size(job->csr.n, job->in->threads, sizeof(fri_bucket_entry), pool);
    return fri_align_line(fri_bytes(job->in->threads, sizeof(fri_buckets))) +
           fri_align_line(fri_bytes(job->in->threads, sizeof(fri_given_box))) +
           fri_align_line(fri_bitmap_bytes(job->in->threads)) +
           fri_align_line(fri_bytes(chunks, sizeof(uint32_t))) +
           fri_align_line(fri_bytes(chunks, FRI_CHUNK_BYTES)) +
           fri_align_line(sizeof(fri_delta_engine)) + fri_sssp_finish_bytes(job);
}

void fri_delta_set_width(fri_delta_engine *s, double width) {
#if DIST_IS_INTEGER
    const int maximum = 8 * (int)sizeof(dist_t) - 2;
    for (s->shift = 0; s->shift < maximum && ldexp(2, s->shift) <= width;)
        s->shift++;
#else
    s->inverse = 1 / width;
#endif
    s->last_bucket = fri_delta_bucket(s, (dist_t)query_limit(s->job));
}

fri_delta_engine *fri_delta_engine_create(fri_job *job, const edge_t *rows, double width,
                                          double pool, fri_share *share, char **scratch) {
    uint32_t chunks =
        fri_chunk_pool_size(job->csr.n, job->in->threads, sizeof(fri_bucket_entry), pool);
    fri_delta_engine *s = fri_carve(scratch, sizeof *s);
    *s = (fri_delta_engine){.job = job,
                            .dist = job->out->dist,
                            .parent = job->out->parent,
                            .offsets = job->csr.offsets,
                            .edges = rows,
                            .targets = job->csr.targets,
                            .weights = job->csr.weights,
                            .n = job->csr.n,
                            .m = job->csr.m,
                            .shared = job->in->threads > 1,
                            .pace = fri_pace_begin(job->ctx, "traversing", 0),
                            .threads = job->in->threads,
                            .own = fri_share_new(job->ctx),
                            .members = 1,
                            .enough = INT64_MAX,
                            .span = 1};
    s->share = share ? share : &s->own;
    fri_share_restart(s->share);
    s->query_began_ns = fri_now_ns();
    s->buckets = fri_carve(scratch, fri_bytes(job->in->threads, sizeof *s->buckets));
    for (int t = 0; t < job->in->threads; t++) /* a thread that does not come counts nothing */
        s->buckets[t].examined = s->buckets[t].relaxed = s->buckets[t].visited = 0;
    s->given.box = fri_carve(scratch, fri_bytes(job->in->threads, sizeof *s->given.box));
    s->given.wants = fri_carve(scratch, fri_bitmap_bytes(job->in->threads));
    for (int t = 0; t < job->in->threads; t++)
        s->given.box[t].full = false;
    s->work = fri_carve(scratch, fri_bytes(chunks, sizeof *s->work));
    s->pool = (fri_chunk_pool){.chunks = fri_carve(scratch, fri_bytes(chunks, FRI_CHUNK_BYTES)),
                               .count = chunks,
                               .taken = 1};
    fri_delta_set_width(s, width);
    return s;
}

fr_status fri_delta_engine_finish(fri_delta_engine *s) {
    fri_job *job = s->job;
    for (int t = 0; t < job->in->threads; t++) {
        job->out->stats.edges_examined += s->buckets[t].examined;
        job->out->stats.relaxations += s->buckets[t].relaxed;
    }
    job->out->stats.levels = s->rounds;
    if (!s->status)
        fri_share_query(s->share, job->out->stats.edges_examined, fri_now_ns() - s->query_began_ns);
    snprintf(job->told.why, sizeof job->told.why, "%s", fri_share_text(s->share).text);
    return s->status ? s->status : fri_sssp_finish(job, s->pool.chunks);
}
