/* The steps of a level for WORDS words per vertex and one instruction set (TARGET); see multi_bfs.c. Included by
 * kernels_*.c once per number of words; the vectors are the compiler's.
 */
#include "cpu/multi_bfs/steps.h"

#ifndef LANES
#define JOINED(a, b) a##b
#define JOIN(a, b)   JOINED(a, b)
#define LANES        (WORDS < VECTOR_WORDS ? WORDS : VECTOR_WORDS) /* of a vector */
#define PARTS        (WORDS / LANES)
#define FOR_PARTS    for (int p = 0; p < PARTS; p++)
enum { AHEAD = 16 }; /* edges by which a line is fetched before it is used */
#endif
#define lanes       JOIN(lanes_, WORDS)
#define vec         JOIN(vec_, WORDS)
#define any         JOIN(any_, WORDS)
#define without     JOIN(without_, WORDS)
#define gather      JOIN(gather_, WORDS)
#define tally       JOIN(tally_, WORDS)
#define finish      JOIN(finish_, WORDS)
#define settle_word JOIN(settle_word_, WORDS)
#define pull        JOIN(pull_, WORDS)
#define send        JOIN(send_, WORDS)
#define push_vertex JOIN(push_vertex_, WORDS)
#define push        JOIN(push_, WORDS)
#define settle      JOIN(settle_, WORDS)

/* WORDS words in vectors that a register of the instruction set holds. */
typedef uint64_t lanes __attribute__((vector_size(8 * LANES), may_alias));
typedef struct {
    lanes part[PARTS];
} vec;

static inline TARGET bool any(const vec *v) {
    lanes bits = v->part[0];
    for (int p = 1; p < PARTS; p++)
        bits |= v->part[p];
    uint64_t word = bits[0];
    for (int k = 1; k < LANES; k++)
        word |= bits[k];
    return word != 0;
}

/* The bits of `of` that are not in `seen`. */
static inline TARGET vec without(const vec *of, const vec *seen) {
    vec out;
    FOR_PARTS out.part[p] = of->part[p] & ~seen->part[p];
    return out;
}

/* Gathers the missing bits of v from its in-neighbors; true if there are new ones. */
static inline TARGET bool gather(fri_multi_bfs *s, fri_multi_bfs_worker *l, int32_t v) {
    const vec *visit = (const vec *)s->visit;
    vec missing = without((const vec *)s->alive, (const vec *)s->seen + v), got = {0};
    int64_t e = s->in.offsets[v];
    const int64_t first = e, end = s->in.offsets[v + 1];
    const int32_t *targets = s->in.targets;
    if (!any(&missing)) {
        fri_multi_bfs_close_vertex(s, l, v);
        return false;
    }
    for (; e < end; e++) {
        const int32_t u = targets[e];
        if (e + AHEAD < s->in_edges)
            __builtin_prefetch(visit + targets[e + AHEAD]);
        if (!fri_bit_get(s->active, u))
            continue; /* saves reading a cache line */
        vec gained;
        FOR_PARTS {
            gained.part[p] = visit[u].part[p] & missing.part[p];
            got.part[p] |= gained.part[p];
            missing.part[p] ^= gained.part[p];
        }
        if (s->parent)
            fri_multi_bfs_put_parents(s, (const uint64_t *)&gained, WORDS, v, u);
        if (!any(&missing)) {
            e++;
            break;
        }
    }
    l->examined += e - first;
    ((vec *)s->next)[v] = got;
    return any(&got);
}

static inline TARGET void tally(fri_multi_bfs_counters *c, vec carry) {
    int plane = 0;
    for (uint32_t taken = c->taken++; taken & 1; taken >>= 1, plane++) {
        vec *digit = (vec *)c->digit[plane];
        const vec *waiting = (const vec *)c->waiting[plane];
        FOR_PARTS {
            const lanes a = digit->part[p], b = waiting->part[p], either = a ^ b;
            digit->part[p] = either ^ carry.part[p];
            carry.part[p] = (a & b) | (either & carry.part[p]);
        }
    }
    *(vec *)c->waiting[plane] = carry;
}

/* Marks v's new bits as seen; true if it belongs to the next frontier. Only this member processes v. */
static inline TARGET bool finish(fri_multi_bfs *s, fri_multi_bfs_worker *l, int32_t v) {
    vec *seen = (vec *)s->seen + v, *alive = (vec *)l->alive, *all = (vec *)l->fresh;
    const vec fresh = ((const vec *)s->next)[v];
    FOR_PARTS seen->part[p] |= fresh.part[p];
    FOR_PARTS all->part[p] |= fresh.part[p];
    const vec missing = without((const vec *)s->alive, seen);
    if (!any(&missing))
        fri_multi_bfs_close_vertex(s, l, v);
    if (s->counters)
        tally(s->counters, fresh);
    const int64_t edges = s->out.offsets[v + 1] - s->out.offsets[v];
    if (!edges)
        return false;
    FOR_PARTS alive->part[p] |= fresh.part[p];
    l->edges += edges;
    l->vertices++;
    return true;
}

/* Ends the level for the vertices of a word that got bits. */
static TARGET void settle_word(fri_multi_bfs *s, fri_member me, int64_t word, uint64_t came) {
    fri_multi_bfs_worker *l = &s->workers[me.index];
    const vec none = {0};
    uint64_t kept = 0;
    for (uint64_t b = came; b; b &= b - 1) {
        const int i = __builtin_ctzll(b);
        kept |= (uint64_t)finish(s, l, (int32_t)(word * 64 + i)) << i;
    }
    if (s->take)
        s->take(s, me, word, came);
    for (uint64_t b = came & ~kept; b; b &= b - 1)
        ((vec *)s->next)[word * 64 + __builtin_ctzll(b)] = none;
    fri_multi_bfs_note(s, l, word, came, kept);
}

static TARGET void pull(fri_multi_bfs *s, fri_member me) {
    fri_multi_bfs_worker *l = &s->workers[me.index];
    for (int64_t begin, end; fri_multi_bfs_chunks(s, me, 0, &begin, &end);) {
        const int64_t last = FRI_MIN(end * FRI_MULTI_BFS_CHUNK, fri_bitmap_words(s->out.n));
        for (int64_t w = begin * FRI_MULTI_BFS_CHUNK; w < last; w++) {
            uint64_t came = 0;
            for (uint64_t b = s->open[w]; b; b &= b - 1) {
                const int i = __builtin_ctzll(b);
                came |= (uint64_t)gather(s, l, (int32_t)(w * 64 + i)) << i;
            }
            if (came)
                settle_word(s, me, w, came);
        }
    }
}

/* Passes u's bits to v. */
static inline TARGET void send(fri_multi_bfs *s, const vec *from, int32_t u, int32_t v,
                               const bool team) {
    vec bits = without(from, (const vec *)s->seen + v), *next = (vec *)s->next + v;
    if (!any(&bits))
        return;
    if (team) {
        /* atomic: other threads pass bits to v too; the vertex that sets a bit first is the parent */
        for (int k = 0; k < WORDS; k++)
            bits.part[k / LANES][k % LANES] = fri_multi_bfs_claim(s->next + (int64_t)v * WORDS + k,
                                                                  bits.part[k / LANES][k % LANES]);
    } else {
        if (s->parent)
            bits = without(&bits, next);
        FOR_PARTS next->part[p] |= bits.part[p];
    }
    if (s->parent)
        fri_multi_bfs_put_parents(s, (const uint64_t *)&bits, WORDS, v, u);
    fri_multi_bfs_touch(s, v, team);
}

static inline TARGET void push_vertex(fri_multi_bfs *s, fri_multi_bfs_worker *l, int32_t u,
                                      const bool team) {
    const vec from = ((const vec *)s->visit)[u], none = {0};
    const int64_t last = s->out.offsets[u + 1];
    l->examined += last - s->out.offsets[u];
    for (int64_t e = s->out.offsets[u]; e < last; e++) {
        if (e + AHEAD / 2 < last) {
            __builtin_prefetch((const vec *)s->seen + s->out.targets[e + AHEAD / 2]);
            __builtin_prefetch((const vec *)s->next + s->out.targets[e + AHEAD / 2], 1);
        }
        send(s, &from, u, s->out.targets[e], team);
    }
    ((vec *)s->visit)[u] = none;
}

static TARGET void push(fri_multi_bfs *s, fri_member me) {
    fri_multi_bfs_worker *l = &s->workers[me.index];
    for (int64_t begin, end; fri_multi_bfs_chunks(s, me, 0, &begin, &end);)
        for (int64_t c = begin; c < end; c++)
            for (unsigned b = fri_multi_bfs_take_words(s->active_words, c); b; b &= b - 1) {
                const int64_t w = c * FRI_MULTI_BFS_CHUNK + __builtin_ctz(b);
                for (uint64_t a = s->active[w]; a; a &= a - 1)
                    push_vertex(s, l, (int32_t)(w * 64 + __builtin_ctzll(a)), me.count > 1);
                s->active[w] = 0;
            }
}

static TARGET void settle(fri_multi_bfs *s, fri_member me) {
    for (int64_t begin, end; fri_multi_bfs_chunks(s, me, 1, &begin, &end);)
        for (int64_t c = begin; c < end; c++)
            for (unsigned b = fri_multi_bfs_take_words(s->touched_words, c); b; b &= b - 1) {
                const int64_t w = c * FRI_MULTI_BFS_CHUNK + __builtin_ctz(b);
                settle_word(s, me, w, s->touched[w]);
            }
}

static const fri_multi_bfs_kernels JOIN(kernels_, WORDS) = {push, settle, pull};
