/* Multi-source BFS on CPU cores: a bit per source and vertex, up to 512 sources in a search. One search for
 * all users: rows of all pairs (cpu/apsp), closeness and eccentricities (cpu/centrality); see multi_bfs.c.
 *
 * Use: fill `out`, `in`, `take` and `user` of a search from fri_multi_bfs_carve, then call
 *   fri_multi_bfs_begin and fri_multi_bfs_run with each member of a team; or, of one from fri_multi_bfs_new,
 *   `take` and `user`, and call fri_multi_bfs_alone. */
#ifndef FRI_CPU_MULTI_BFS_H
#define FRI_CPU_MULTI_BFS_H

#include "base/bitmap.h"
#include "base/pace.h"
#include "base/team.h"
#include "graph/graph.h"

/* Default of `pull`. */
#define FRI_MULTI_BFS_PULL 2
enum {
    FRI_MULTI_BFS_WORDS = 8,                        /* maximum per vertex: a cache line */
    FRI_MULTI_BFS_WIDTH = 64 * FRI_MULTI_BFS_WORDS, /* sources */
    FRI_MULTI_BFS_CHUNK = 16 /* words of a bitmap that a member takes at a time */
};

/* What a member of the team found in a level. */
typedef struct {
    _Alignas(FRI_CACHE_LINE) uint64_t alive[FRI_MULTI_BFS_WORDS]; /* sources of the next frontier */
    uint64_t fresh[FRI_MULTI_BFS_WORDS];                          /* sources of new bits */
    int64_t found;           /* words of vertices that got bits */
    int64_t vertices, edges; /* of these, those with out-edges are the next frontier; their edges */
    int64_t left;            /* in-edges of vertices that became complete */
    int64_t examined, paced; /* edges; of these known to the pace */
} fri_multi_bfs_worker;

/* How many vertices of a level each source has found: a binary number per source, bit-sliced. A plane has the
 * digits of weight 2^p, and until there are two words to add to them the one that waits, so that a vertex
 * costs a full adder. */
enum { FRI_MULTI_BFS_PLANES = 32 };
typedef struct {
    _Alignas(FRI_CACHE_LINE) uint64_t digit[FRI_MULTI_BFS_PLANES][FRI_MULTI_BFS_WORDS];
    uint64_t waiting[FRI_MULTI_BFS_PLANES][FRI_MULTI_BFS_WORDS];
    uint32_t taken; /* vertices; plane p has a waiting word where bit p is set */
} fri_multi_bfs_counters;

typedef struct fri_multi_bfs fri_multi_bfs;

struct fri_multi_bfs {
    /* Set by the user. The graph is that of all its searches; in.offsets NULL: no in-edges, so every level is
     * pushed. */
    fr_csr out, in;
    int words;   /* per vertex: 1, 4 or 8, at most those of the carving */
    double pull; /* pull where in-edges of incomplete vertices < this * frontier's edges */
    fri_multi_bfs_counters *counters; /* of a search by one member, read by level_done; or NULL */
    bool pulls_only;                  /* parents are the first in-neighbors that have a bit */
    int32_t *parent; /* [sources][n] or NULL: the vertex that a bit came from is written */
    /* Gets the new bits of up to 64 vertices, of the level s->level, 0 for the sources: bit i of `vertices`:
     * of vertex v = word * 64 + i, at s->next + v * s->words. Each vertex comes once a level. NULL: nothing. */
    void (*take)(fri_multi_bfs *s, fri_member me, int64_t word, uint64_t vertices);
    void (*level_done)(fri_multi_bfs *s); /* after each level, by one member; NULL: none */
    void *user;
    double limit;        /* levels beyond are not searched; 0: none */
    int64_t most_levels; /* the same, but `cut` says whether there are more; 0: none */
    fri_pace *pace;      /* or NULL; `caller`: member 0 is the thread that called the library */
    bool caller;
    int64_t done;  /* for the pace */
    bool portable; /* for tests: only the instructions that every processor of its kind has */

    /* Set by the search. */
    int64_t level; /* of the bits that are being found */
    int64_t depth; /* the deepest level that has a vertex; only raised */
    _Alignas(FRI_CACHE_LINE) uint64_t alive[FRI_MULTI_BFS_WORDS]; /* sources with a frontier */
    uint64_t fresh[FRI_MULTI_BFS_WORDS]; /* sources that have found a vertex in the last level */
    uint64_t *seen, *visit, *next; /* [n * words] all bits; those of the frontier; of the next */
    uint64_t *active, *touched;    /* bitmaps: vertices whose visit, next is not zero */
    uint64_t *reached, *open;      /* bitmaps: with a bit in seen; with in-edges and incomplete */
    /* a bit for each word of these that is not zero */
    uint16_t *active_words, *touched_words, *reached_words;
    fri_multi_bfs_worker *workers;
    int64_t vertices, edges, left, examined; /* of the last level; examined: only added to */
    int64_t in_edges;                        /* in.offsets[n] */
    int held;                                /* words of the last search */
    bool pulls, over, dirty, cut;
    _Alignas(FRI_CACHE_LINE) int64_t cursor[3];
};

static inline int fri_multi_bfs_words_for(int64_t sources) {
    return sources <= 64 ? 1 : sources <= 256 ? 4 : FRI_MULTI_BFS_WORDS;
}

/* Bytes of a search of up to `words` words on a graph of n vertices by `members` threads. */
size_t fri_multi_bfs_bytes(int32_t n, int words, int members);
/* A search in *at, which is advanced by as many bytes. */
fri_multi_bfs *fri_multi_bfs_carve(char **at, int32_t n, int words, int members);

/* Level 0: the sources, which may repeat; bit i belongs to source[i]. By all members, which wait. */
void fri_multi_bfs_begin(fri_multi_bfs *s, fri_member me, const int32_t *source, int32_t count);
/* All further levels. By all members. */
void fri_multi_bfs_run(fri_multi_bfs *s, fri_member me);

/* `count` searches, each by one thread, in one block, for fri_free. */
fr_status fri_multi_bfs_new(fr_ctx *ctx, const fr_csr *out, const fr_csr *in, int words, int count,
                            fri_multi_bfs ***searches);
/* All levels, by the calling thread. */
void fri_multi_bfs_alone(fri_multi_bfs *s, const int32_t *source, int32_t count);

#endif
