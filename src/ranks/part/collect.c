/* Collects the results of any range of vertices from the ranks that own them.
 *
 * On P ranks a rank owns every P-th vertex of a range, so the ranks send their values in the order
 * of the vertices, and the receiver interleaves them. */
#include "base/sized.h"
#include "ranks/part/part.h"

#include <string.h>

/* A range of vertices, or the own indices of one rank in it: `count` from `first` on. */
typedef struct range {
    int64_t first, count;
} range;

static range owned(const fr_part *p, range of, int rank) {
    int64_t ranks = p->world->size, end = of.first + of.count;
    int64_t first = (of.first - rank + ranks - 1) / ranks;
    int64_t last = (end - rank + ranks - 1) / ranks; /* vertices rank + P * index below end */
    return (range){first, last - first};
}

typedef struct collector {
    const fr_part *p;
    range *wanted; /* [ranks] */
    int *out, *in; /* [ranks] */
    char *sent;    /* capacity for values of 8 bytes, the widest ones */
    char *got;
} collector;

/* Collects one array of the result: own -> out. */
static fr_status exchange(const collector *c, const void *own, void *out, size_t width) {
    fr_world *w = c->p->world;
    size_t at = 0;
    for (int r = 0; r < w->size; r++) {
        range mine = owned(c->p, c->wanted[r], w->rank);
        for (int64_t i = mine.first; i < mine.first + mine.count; i++, at += width)
            memcpy(c->sent + at, (const char *)own + (size_t)i * width, width);
    }
    fr_status status = fri_world_alltoall(w, c->sent, c->out, c->got, c->in, width);
    at = 0;
    for (int r = 0; !status && r < w->size; r++) {
        range its = owned(c->p, c->wanted[w->rank], r);
        int64_t place = its.first * w->size + r - c->wanted[w->rank].first;
        for (int64_t i = 0; i < its.count; i++, at += width)
            memcpy((char *)out + (size_t)(place + i * w->size) * width, c->got + at, width);
    }
    return status;
}

static fr_status open_collector(fr_ctx *ctx, collector *c, range wanted) {
    fr_world *w = c->p->world;
    size_t ranks = (size_t)w->size;
    c->wanted = fri_alloc(ctx, ranks * sizeof *c->wanted);
    c->out = fri_alloc(ctx, ranks * sizeof *c->out);
    c->in = fri_alloc(ctx, ranks * sizeof *c->in);
    fr_status status = fri_world_agree(w, c->wanted && c->out && c->in ? FR_OK : FR_NOMEM);
    if (!status)
        status = fri_world_allgather_each(w, &wanted, c->wanted, sizeof wanted);
    if (status)
        return status;
    int64_t sent = 0, got = 0;
    for (int r = 0; r < w->size; r++) {
        c->out[r] = (int)owned(c->p, c->wanted[r], w->rank).count;
        c->in[r] = (int)owned(c->p, wanted, r).count;
        sent += c->out[r];
        got += c->in[r];
    }
    c->sent = fri_alloc(ctx, fri_bytes(sent, sizeof(int64_t)));
    c->got = fri_alloc(ctx, fri_bytes(got, sizeof(int64_t)));
    return fri_world_agree(w, c->sent && c->got ? FR_OK : FR_NOMEM);
}

static fr_status check_range(fr_ctx *ctx, const fr_part *p, range wanted) {
    if (wanted.first < 0 || wanted.count < 0 || wanted.first > p->n - wanted.count)
        return fri_fail(ctx, FR_INVALID, "there are no vertices %lld to %lld",
                        (long long)wanted.first, (long long)(wanted.first + wanted.count - 1));
    return FR_OK;
}

fr_status fr_part_collect(fr_ctx *ctx, const fr_part *part, const fr_part_result *own,
                          int64_t first, int64_t count, fr_part_result *out) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!part)
        return fri_fail(ctx, FR_INVALID, "collecting needs a part");
    fr_world *w = part->world;
    fr_part_result from = {0}, to = {0};
    collector c = {.p = part};
    range wanted = {first, count};
    fr_status status = FRI_SIZED_CHECK(ctx, fr_part_result, own);
    if (!status)
        status = FRI_SIZED_READ(ctx, fr_part_result, own, &from);
    if (!status)
        status = FRI_SIZED_READ(ctx, fr_part_result, out, &to);
    if (!status)
        status = check_range(ctx, part, wanted);
    /* all ranks must exchange the same arrays: those that rank 0 asks for */
    const struct {
        const void *own;
        void *out;
        size_t width;
    } arrays[] = {{from.level, to.level, sizeof *from.level},
                  {from.dist, to.dist, sizeof(int64_t)},
                  {from.parent, to.parent, sizeof *from.parent}};
    uint64_t given = (from.level ? 1 : 0) + (from.dist ? 2 : 0) + (from.parent ? 4 : 0);
    for (int i = 0; i < 3 && !status; i++)
        if (arrays[i].own && !arrays[i].out && count)
            status = fri_fail(ctx, FR_INVALID, "an array of `out` is missing");
    status = fri_world_begin(w, "fr_part_collect", given, status);
    if (!status)
        status = open_collector(ctx, &c, wanted);
    for (int i = 0; i < 3 && !status; i++)
        if (arrays[i].own)
            status = exchange(&c, arrays[i].own, arrays[i].out, arrays[i].width);
    fri_free(c.wanted);
    fri_free(c.out);
    fri_free(c.in);
    fri_free(c.sent);
    fri_free(c.got);
    return status;
}
