/* Levels from many sources at once: one bit per source in the words of every vertex.
 *
 * Source: M. Then, M. Kaufmann, F. Chirigati, T.-A. Hoang-Vu, K. Pham, A. Kemper, T. Neumann, H. T.
 *   Vo: The more the merrier: efficient multi-source graph traversal, VLDB 2014, sections 3 and 4.
 * Idea: searches from many sources reach the same vertices at nearly the same time. With 64 to 512
 *   of them in 1 to 8 words per vertex, one access to an edge serves all: next[v] |= visit[u] and
 *   not seen[v]. Bottom-up a vertex stops once its edges have delivered all missing bits.
 * Differs: the direction is chosen per level by edges. The active vertices are a bitmap with a summary, a bit
 *   per word, so that a level of few vertices reads n / 1024 entries and not n. A pull does not wait for the
 *   bits of sources that have ended, and skips vertices without in-edges and complete ones by a bitmap. The
 *   new bits of 64 vertices go to the user's function, which writes rows or adds up levels.
 * Threads: a team shares a search, with three barriers a level, and claims bits by an atomic or; or each
 *   thread has a search of its own (fri_multi_bfs_alone), without either.
 * Scratch: per vertex 24 bytes per word, and 0.5.
 * Work: at most (n + m) words per level; as many levels as the deepest source needs.
 */
#include "cpu/multi_bfs/steps.h"

#include "core/strategy.h"

static const fri_member ALONE = {.count = 1};

/* ---- memory ------------------------------------------------------------------------------- */

static size_t state_bytes(int32_t n, int words) {
    return fri_align_line(fri_bytes((int64_t)n * words, sizeof(uint64_t)));
}

static int64_t chunks_of(int64_t n) {
    return (fri_bitmap_words(n) + FRI_MULTI_BFS_CHUNK - 1) / FRI_MULTI_BFS_CHUNK;
}

static size_t summary_bytes(int32_t n) {
    return fri_align_line(fri_bytes(chunks_of(n), sizeof(uint16_t)));
}

size_t fri_multi_bfs_bytes(int32_t n, int words, int members) {
    return fri_align_line(sizeof(fri_multi_bfs)) + 3 * state_bytes(n, words) +
           4 * fri_align_line(fri_bitmap_bytes(n)) + 3 * summary_bytes(n) +
           (size_t)members * fri_align_line(sizeof(fri_multi_bfs_worker));
}

fri_multi_bfs *fri_multi_bfs_carve(char **at, int32_t n, int words, int members) {
    fri_multi_bfs *s = fri_carve(at, sizeof *s);
    *s = (fri_multi_bfs){.dirty = true, .words = words, .pull = FRI_MULTI_BFS_PULL};
    uint64_t **const states[] = {&s->seen, &s->visit, &s->next},
                     **const maps[] = {&s->active, &s->touched, &s->reached, &s->open};
    uint16_t **const summaries[] = {&s->active_words, &s->touched_words, &s->reached_words};
    for (int i = 0; i < 3; i++)
        *states[i] = fri_carve(at, state_bytes(n, words));
    for (int i = 0; i < 3; i++)
        *summaries[i] = fri_carve(at, summary_bytes(n));
    for (int i = 0; i < 4; i++)
        *maps[i] = fri_carve(at, fri_bitmap_bytes(n));
    s->workers = fri_carve(at, (size_t)members * sizeof *s->workers);
    for (int i = 0; i < members; i++)
        s->workers[i] = (fri_multi_bfs_worker){0};
    return s;
}

/* ---- the beginning ------------------------------------------------------------------------ */

/* The vertices of a word that have in-edges. */
static uint64_t with_in_edges(const fri_multi_bfs *s, int64_t word) {
    const int64_t *offsets = s->in.offsets, first = word * 64, last = FRI_MIN(first + 64, s->out.n);
    uint64_t bits = 0;
    for (int64_t v = first; offsets && v < last; v++)
        bits |= (uint64_t)(offsets[v + 1] > offsets[v]) << (v - first);
    return bits;
}

/* Clears all arrays, which were never used or which a search left that ended early: those before `open`. */
static void clear_all(fri_multi_bfs *s, fri_member me) {
    int64_t begin, end;
    fri_team_static_range(me, (char *)s->open - (char *)s->seen, FRI_CACHE_LINE, &begin, &end);
    memset((char *)s->seen + begin, 0, (size_t)(end - begin));
    fri_team_static_range(me, fri_bitmap_words(s->out.n), 8, &begin, &end);
    for (int64_t w = begin; w < end; w++)
        s->open[w] = with_in_edges(s, w);
}

/* Clears what the last search, which ended by itself, has reached. */
static void clear_reached(fri_multi_bfs *s, fri_member me) {
    int64_t begin, end;
    fri_team_static_range(me, chunks_of(s->out.n), 1, &begin, &end);
    for (int64_t c = begin; c < end; c++)
        for (unsigned b = fri_multi_bfs_take_words(s->reached_words, c); b; b &= b - 1) {
            const int64_t w = c * FRI_MULTI_BFS_CHUNK + __builtin_ctz(b);
            for (uint64_t r = s->reached[w]; r; r &= r - 1)
                memset(s->seen + (w * 64 + __builtin_ctzll(r)) * s->held, 0,
                       (size_t)s->held * sizeof(uint64_t));
            s->open[w] |= s->reached[w] & with_in_edges(s, w);
            s->reached[w] = 0;
        }
}

static void choose(fri_multi_bfs *s) {
    s->pulls = s->in.offsets && (s->pulls_only || (double)s->left < s->pull * (double)s->edges);
    memset(s->cursor, 0, sizeof s->cursor);
}

/* Ends a level: what was found is the next frontier. By one member. */
static void close_level(fri_multi_bfs *s, fri_member me) {
    /* relaxed: it is only set; the calling thread sets it */
    const bool stopped = s->pace && __atomic_load_n(&s->pace->status, __ATOMIC_RELAXED);
    int64_t found = 0;
    s->vertices = s->edges = 0;
    memset(s->alive, 0, sizeof s->alive);
    memset(s->fresh, 0, sizeof s->fresh);
    for (int i = 0; i < me.count; i++) {
        fri_multi_bfs_worker *l = &s->workers[i];
        for (int k = 0; k < FRI_MULTI_BFS_WORDS; k++) {
            s->alive[k] |= l->alive[k];
            s->fresh[k] |= l->fresh[k];
        }
        found += l->found;
        s->vertices += l->vertices;
        s->edges += l->edges;
        s->left -= l->left;
        s->examined += l->examined;
        *l = (fri_multi_bfs_worker){0};
    }
    uint64_t *const visit = s->visit, *const active = s->active;
    uint16_t *const words = s->active_words;
    s->visit = s->next;
    s->next = visit;
    s->active = s->touched;
    s->touched = active;
    s->active_words = s->touched_words;
    s->touched_words = words;
    if (found)
        s->depth = FRI_MAX(s->depth, s->level);
    s->dirty = s->vertices > 0 || stopped;
    if (s->level_done)
        s->level_done(s);
    s->over = !s->vertices || stopped || (s->limit > 0 && (double)(s->level + 1) > s->limit);
    s->cut = !s->over && s->most_levels && s->level == s->most_levels;
    s->over |= s->cut;
    s->level++;
    choose(s);
}

static void enter_sources(fri_multi_bfs *s, const int32_t *source, int32_t count) {
    memset(s->alive, 0, sizeof s->alive);
    for (int32_t i = 0; i < count; i++) {
        const uint64_t bit = UINT64_C(1) << (i % 64);
        s->next[(int64_t)source[i] * s->words + i / 64] |= bit;
        s->alive[i / 64] |= bit;
        fri_multi_bfs_touch(s, source[i], false);
        if (s->parent)
            s->parent[(int64_t)i * s->out.n + source[i]] = source[i];
    }
    s->level = 0;
    s->left = s->in_edges = s->in.offsets ? s->in.offsets[s->in.n] : 0;
    s->dirty = true;
    s->held = s->words;
    memset(s->cursor, 0, sizeof s->cursor);
}

static const fri_multi_bfs_kernels *kernels_for(const fri_multi_bfs *s) {
#ifdef __x86_64__
    if (!s->portable && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
        __builtin_cpu_supports("bmi"))
        return fri_multi_bfs_kernels_avx2(s->words);
#endif
    return fri_multi_bfs_kernels_portable(s->words);
}

void fri_multi_bfs_begin(fri_multi_bfs *s, fri_member me, const int32_t *source, int32_t count) {
    if (s->dirty)
        clear_all(s, me);
    else
        clear_reached(s, me);
    fri_team_barrier(me); /* all arrays are cleared */
    if (me.index == 0)
        enter_sources(s, source, count);
    fri_team_barrier(me); /* the sources are entered */
    kernels_for(s)->settle(s, me);
    fri_team_barrier(me); /* the sources are seen */
    if (me.index == 0)
        close_level(s, me);
}

/* ---- the levels --------------------------------------------------------------------------- */

/* Clears the old frontier, which becomes the next one; a push has done so. */
static void retire(fri_multi_bfs *s, fri_member me) {
    for (int64_t begin, end; fri_multi_bfs_chunks(s, me, 2, &begin, &end);)
        for (int64_t c = begin; c < end; c++)
            for (unsigned b = fri_multi_bfs_take_words(s->active_words, c); b; b &= b - 1) {
                const int64_t w = c * FRI_MULTI_BFS_CHUNK + __builtin_ctz(b);
                for (uint64_t a = s->active[w]; a; a &= a - 1)
                    memset(s->visit + (w * 64 + __builtin_ctzll(a)) * s->words, 0,
                           (size_t)s->words * sizeof(uint64_t));
                s->active[w] = 0;
            }
}

static void run_level(fri_multi_bfs *s, fri_member me, const fri_multi_bfs_kernels *kernels) {
    if (s->pulls) {
        kernels->pull(s, me);
        fri_team_barrier(me); /* no thread reads the old frontier any more */
        retire(s, me);
    } else {
        kernels->push(s, me);
        fri_team_barrier(me); /* all bits are passed on */
        kernels->settle(s, me);
    }
}

/* A level that a team would take longer to share than to wait for. */
static bool is_small(const fri_multi_bfs *s) {
    enum { SMALL = 1 << 12 }; /* edges of the frontier */
    return !s->over && !s->pulls && s->edges < SMALL;
}

/* At most n levels, and one that finds nothing: each other one reaches a vertex from a source for the first time. The
 * pace and the limits end it earlier (close_level). */
void fri_multi_bfs_run(fri_multi_bfs *s, fri_member me) {
    const fri_multi_bfs_kernels *kernels = kernels_for(s);
    for (;;) {
        while (me.index == 0 && me.count > 1 && is_small(s)) {
            run_level(s, ALONE, kernels);
            close_level(s, ALONE);
        }
        fri_team_barrier(me); /* direction, level and end are set */
        if (s->over)
            return;
        run_level(s, me, kernels);
        fri_team_barrier(me); /* all parts of the level are done */
        if (me.index == 0)
            close_level(s, me);
    }
}

fr_status fri_multi_bfs_new(fr_ctx *ctx, const fr_csr *out, const fr_csr *in, int words, int count,
                            fri_multi_bfs ***searches) {
    const size_t list = fri_align_line(fri_bytes(count, sizeof **searches));
    char *at = fri_alloc(ctx, list + (size_t)count * fri_multi_bfs_bytes(out->n, words, 1));
    *searches = at ? fri_carve(&at, list) : NULL;
    for (int i = 0; *searches && i < count; i++) {
        (*searches)[i] = fri_multi_bfs_carve(&at, out->n, words, 1);
        (*searches)[i]->out = *out;
        (*searches)[i]->in = *in;
    }
    return *searches ? FR_OK : FR_NOMEM;
}

void fri_multi_bfs_alone(fri_multi_bfs *s, const int32_t *source, int32_t count) {
    fri_multi_bfs_begin(s, ALONE, source, count);
    fri_multi_bfs_run(s, ALONE);
}
