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
                              "entry); set max_memory_bytes to allow them",
                              (long long)n, (long long)entries,
                              fri_words(entries, "entry", "entries"), FREE_VERTICES, PER_ENTRY);
    return fri_reserve_check(ctx, "the graph", fri_bytes(n + 1, sizeof(int64_t)));
}

#define FAIL(status, ...) fri_input_fail(ctx, status, text, at, __VA_ARGS__)

fr_status fri_check_counts(fr_ctx *ctx, const fri_input *text, const char *at, int64_t n, int64_t m,
                           fri_edge_words edges) {
    if (n > INT32_MAX)
        return FAIL(FR_RANGE, "%lld vertices exceed the maximum of 2147483647", (long long)n);
    if (m > INT64_C(1) << 40)
        return FAIL(FR_RANGE, "%lld %s exceed the maximum of 2^40", (long long)m, edges.many);
    return FR_OK;
}

fr_status fri_check_size(fr_ctx *ctx, const fri_input *text, const char *at, int64_t n, int64_t m,
                         const char *body, int line_bytes, fri_edge_words edges) {
    const int64_t bytes = (int64_t)(text->data + text->size - body);
    fr_status status = fri_check_counts(ctx, text, at, n, m, edges);
    if (status)
        return status;
    if (!text->rest && m > (bytes + 1) / line_bytes) /* of a head the lines are counted only */
        return FAIL(FR_FORMAT, "%lld %s %s declared; the remaining %lld bytes are too few",
                    (long long)m, fri_words(m, edges.one, edges.many), fri_words(m, "is", "are"),
                    (long long)bytes);
    return fri_sparse_check(ctx, text, at, n, m);
}

fr_status fri_check_declared(fr_ctx *ctx, const fri_input *text, const char *at, int64_t declared,
                             int64_t found, fri_edge_words edges) {
    if (declared == found)
        return FR_OK;
    return FAIL(FR_FORMAT, "%lld %s %s declared, %lld %s", (long long)declared,
                fri_words(declared, edges.one, edges.many), fri_words(declared, "is", "are"),
                (long long)found, fri_words(found, "follows", "follow"));
}
