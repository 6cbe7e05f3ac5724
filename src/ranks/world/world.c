/* Opens a world, exchanges bytes between its ranks, and agrees on statuses. */
#include "ranks/world/world.h"

#include "base/rng.h"
#include "base/sized.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- exchanges ----------------------------------------------------------------------------- */

fr_status fri_world_break(fr_world *w, const char *why) {
    w->broken = true;
    return fri_fail(w->ctx, FR_RANK, "rank %d on %s: %.300s", w->rank, w->host, why);
}

static fr_status broken(fr_world *w) { return fri_world_break(w, w->comm ? w->comm->why : ""); }

static int64_t from_others(const fr_world *w, const int *counts, size_t width) {
    int64_t sum = 0;
    for (int r = 0; r < w->size; r++)
        sum += r == w->rank ? 0 : counts[r];
    return sum * (int64_t)width;
}

fr_status fri_world_allgather(fr_world *w, const void *mine, void *all, const int *counts,
                              size_t width) {
    if (!w->comm) {
        memcpy(all, mine, (size_t)counts[0] * width);
        return FR_OK;
    }
    if (w->broken || !w->comm->calls->allgather(w->comm, mine, all, counts, width))
        return broken(w);
    w->bytes_received += from_others(w, counts, width);
    return FR_OK;
}

fr_status fri_world_alltoall(fr_world *w, const void *out, const int *out_counts, void *in,
                             const int *in_counts, size_t width) {
    if (!w->comm) {
        memcpy(in, out, (size_t)out_counts[0] * width);
        return FR_OK;
    }
    if (w->broken || !w->comm->calls->alltoall(w->comm, out, out_counts, in, in_counts, width))
        return broken(w);
    w->bytes_received += from_others(w, in_counts, width);
    return FR_OK;
}

static const int *equal_counts(fr_world *w, int count) {
    for (int r = 0; r < w->size; r++)
        w->counts[r] = count;
    return w->counts;
}

fr_status fri_world_allgather_equal(fr_world *w, const void *mine, void *all, int count,
                                    size_t width) {
    return fri_world_allgather(w, mine, all, equal_counts(w, count), width);
}

fr_status fri_world_allgather_each(fr_world *w, const void *mine, void *all, int bytes) {
    return fri_world_allgather_equal(w, mine, all, bytes, 1);
}

fr_status fri_world_alltoall_each(fr_world *w, const int *out, int *in) {
    const int *ones = equal_counts(w, 1);
    return fri_world_alltoall(w, out, ones, in, ones, sizeof *out);
}

static fr_status reduce(fr_world *w, int64_t *values, int count, bool takes_max) {
    int64_t *all = w->scratch;
    fr_status status = fri_world_allgather_each(w, values, all, count * (int)sizeof *values);
    for (int i = 0; !status && i < count; i++)
        for (int r = 0; r < w->size; r++) {
            int64_t value = all[r * count + i], so_far = r ? values[i] : 0;
            values[i] = !r          ? value
                        : takes_max ? FRI_MAX(so_far, value)
                                    : (int64_t)((uint64_t)so_far + (uint64_t)value);
        }
    return status;
}

fr_status fri_world_sum(fr_world *w, int64_t *values, int count) {
    return reduce(w, values, count, false);
}

fr_status fri_world_max(fr_world *w, int64_t *values, int count) {
    return reduce(w, values, count, true);
}

/* ---- agreement ----------------------------------------------------------------------------- */

typedef struct agreement {
    int32_t status;
    char call[32];
    uint64_t arguments;
    char host[FRI_HOST_BYTES];
    char message[376];
} agreement;

static fr_status first_failure(fr_world *w, const agreement *all) {
    for (int r = 1; r < w->size; r++)
        if (strcmp(all[r].call, all[0].call) != 0)
            return fri_fail(w->ctx, FR_INVALID, "rank %d on %s calls %s while rank 0 calls %s", r,
                            all[r].host, all[r].call, all[0].call);
    bool failed = false; /* a rank that refuses its arguments reports why: skip comparing them */
    for (int r = 0; r < w->size; r++)
        failed |= all[r].status != FR_OK;
    for (int r = 1; r < w->size && !failed; r++)
        if (all[r].arguments != all[0].arguments)
            return fri_fail(w->ctx, FR_INVALID,
                            "rank %d on %s has other arguments for %s than rank 0", r, all[r].host,
                            all[0].call);
    bool alike = true; /* as for a file that no rank can read, or a failure on which they agreed */
    for (int r = 1; r < w->size; r++)
        alike &= all[r].status == all[0].status && !strcmp(all[r].message, all[0].message);
    for (int r = 0; r < w->size; r++) {
        if (!all[r].status)
            continue;
        const char *why = *all[r].message ? all[r].message : fr_status_message(all[r].status);
        if (alike)
            return fri_fail(w->ctx, all[r].status, "%s", why);
        return fri_fail(w->ctx, all[r].status, "rank %d on %s: %s", r, all[r].host, why);
    }
    return FR_OK;
}

fr_status fri_world_begin(fr_world *w, const char *call, uint64_t arguments, fr_status status) {
    agreement mine = {.status = status, .arguments = arguments};
    if (w->broken || status == FR_RANK)
        return broken(w);
    snprintf(mine.call, sizeof mine.call, "%s", call);
    snprintf(mine.host, sizeof mine.host, "%s", w->host);
    if (status)
        snprintf(mine.message, sizeof mine.message, "%.375s", w->ctx->message);
    fr_status exchanged = fri_world_allgather_each(w, &mine, w->scratch, sizeof mine);
    return exchanged ? exchanged : first_failure(w, w->scratch);
}

fr_status fri_world_agree(fr_world *w, fr_status status) {
    return fri_world_begin(w, "", 0, status);
}

uint64_t fri_hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++)
        hash = fri_mix64(hash ^ at[i]);
    return hash;
}

uint64_t fri_hash_text(uint64_t hash, const char *text) {
    return text ? fri_hash_bytes(hash, text, strlen(text) + 1) : fri_mix64(hash);
}

/* Hashes member by member, because a struct also has padding and addresses. */
uint64_t fri_hash_load_options(const fr_load_options *o) {
    const uint64_t whole[] = {
        (uint64_t)o->direction, o->drop_loops,          o->drop_parallel,         o->cache,
        (uint64_t)o->id_base,   (uint64_t)o->weights,   (uint64_t)o->weight_type, o->seed,
        (uint64_t)o->ids,       (uint64_t)o->separator, (uint64_t)o->decimal};
    const double real[] = {o->weight_low, o->weight_high, o->potential_max};
    uint64_t hash = fri_hash_bytes(fri_hash_text(0, o->format), whole, sizeof whole);
    hash = fri_hash_bytes(hash, real, sizeof real);
    hash = fri_hash_text(fri_hash_text(hash, o->source_column), o->target_column);
    return fri_hash_text(hash, o->weight_column);
}

_Static_assert(sizeof(agreement) >= FRI_SUM_MAX * sizeof(int64_t), "scratch holds both");

/* ---- opening ------------------------------------------------------------------------------- */

/* The first exchange. Its size is the same in every version. */
typedef struct version_record {
    char version[48];
    uint64_t byte_order, agreement_bytes;
    char host[FRI_HOST_BYTES];
} version_record;

static fr_status compare(fr_world *w, const version_record *all) {
    for (int r = 1; r < w->size; r++) {
        if (strncmp(all[r].version, all[0].version, sizeof all[r].version) != 0)
            return fri_fail(w->ctx, FR_INVALID,
                            "rank %d on %s runs version %.47s of the library, rank 0 on %s version "
                            "%.47s",
                            r, all[r].host, all[r].version, all[0].host, all[0].version);
        if (all[r].byte_order != all[0].byte_order ||
            all[r].agreement_bytes != all[0].agreement_bytes)
            return fri_fail(w->ctx, FR_INVALID,
                            "rank %d on %s is a machine of another kind than rank 0 on %s", r,
                            all[r].host, all[0].host);
    }
    return FR_OK;
}

_Static_assert(sizeof(agreement) >= sizeof(version_record), "scratch holds both");

static fr_status exchange_versions(fr_world *w, const char *version) {
    version_record mine = {.byte_order = 0x0102030405060708u, .agreement_bytes = sizeof(agreement)};
    snprintf(mine.version, sizeof mine.version, "%s", version);
    memcpy(mine.host, w->host, sizeof mine.host);
    fr_status status = fri_world_allgather_each(w, &mine, w->scratch, sizeof mine);
    const version_record *all = w->scratch;
    for (int r = 0; !status && r < w->size; r++) {
        bool here = strcmp(all[r].host, w->host) == 0;
        w->host_ranks += here;
        w->host_rank += here && r < w->rank;
    }
    return status ? status : compare(w, all);
}

fr_status fri_world_open_with(fr_ctx *ctx, fri_comm *comm, const char *version, fr_world **out) {
    fr_world *w = fri_calloc(ctx, sizeof *w);
    int size = comm ? comm->size : 1;
    int *counts = w ? fri_alloc(ctx, (size_t)size * sizeof *counts) : NULL;
    void *scratch = counts ? fri_alloc(ctx, (size_t)size * sizeof(agreement)) : NULL;
    if (!scratch) {
        fri_free(counts);
        fri_free(w);
        if (comm)
            comm->calls->close(comm, true);
        return FR_NOMEM;
    }
    *w = (fr_world){.ctx = ctx,
                    .comm = comm,
                    .rank = comm ? comm->rank : 0,
                    .size = size,
                    .counts = counts,
                    .scratch = scratch};
    if (gethostname(w->host, sizeof w->host - 1))
        snprintf(w->host, sizeof w->host, "an unnamed host");
    fr_status status = exchange_versions(w, version);
    if (status)
        fr_world_close(w);
    else
        *out = w;
    return status;
}

int fr_world_rank(const fr_world *w) { return w ? w->rank : 0; }
int fr_world_size(const fr_world *w) { return w ? w->size : 0; }
int fr_world_host_ranks(const fr_world *w) { return w ? w->host_ranks : 0; }

void fr_world_close(fr_world *w) {
    if (!w)
        return;
    if (w->device_comm)
        w->device_comm->calls->close(w->device_comm, w->broken);
    if (w->comm)
        w->comm->calls->close(w->comm, w->broken);
    fri_free(w->counts);
    fri_free(w->scratch);
    fri_free(w);
}

void fr_world_abort(fr_world *w, int exit_code) {
    if (w && w->comm)
        w->comm->calls->abort(w->comm, exit_code);
}
