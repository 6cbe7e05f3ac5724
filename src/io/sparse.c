/* The number of vertices that a file with few entries may have.
 *
 * Idea: a header, or one large id, can request any number of vertices in a few bytes. The vertices
 *   of real graphs have entries, so the allocation is bounded by the number of entries instead of a
 *   number that may be wrong.
 */
#include "io/sparse.h"
#include "base/text/number.h"

enum { FREE_VERTICES = 1 << 22, PER_ENTRY = 16 }; /* 32 MB of offsets; 128 bytes per entry */

bool fri_sparse_fits(const fr_ctx *ctx, int64_t n, int64_t entries) {
    return ctx->limit_given || n <= FREE_VERTICES + PER_ENTRY * entries;
}

fr_status fri_sparse_check(fr_ctx *ctx, const fri_input *text, const char *at, int64_t n,
                           int64_t entries) {
    if (!fri_sparse_fits(ctx, n, entries))
        return fri_input_fail(ctx, FR_NOMEM, text, at,
                              "%lld vertices are too many for %lld %s (at most %d plus %d per "
                              "entry); set --max-memory (max_memory_bytes) to allow them",
                              (long long)n, (long long)entries,
                              fri_words(entries, "entry", "entries"), FREE_VERTICES, PER_ENTRY);
    return fri_reserve_check(ctx, "the graph", fri_bytes(n + 1, sizeof(int64_t)));
}
