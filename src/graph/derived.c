/* Data derived from a graph; see graph/derived.h. */
#include "graph/derived.h"

#include "base/heap.h"

#include <pthread.h>

typedef struct {
    fri_derived_blocks made;
    bool is_made;
    int64_t users;
} entry;

struct fri_derived {
    pthread_mutex_t mutex;
    int64_t owners;
    bool knows_weights;
    fri_weight_stats weights;
    fri_symmetry symmetry;
    const int64_t *degree_of; /* offsets of the CSR to which edge_degree belongs; NULL: none */
    double edge_degree;
    entry entries[FRI_DERIVED_COUNT];
};

static void free_blocks(const fri_derived_blocks *blocks) {
    for (size_t i = 0; i < sizeof blocks->block / sizeof *blocks->block; i++)
        fri_free((void *)(uintptr_t)blocks->block[i]);
}

/* The caller holds the mutex. Removes an entry without users; the caller then frees its blocks. */
static bool detach(entry *e, fri_derived_blocks *out) {
    if (!e->is_made || e->users)
        return false;
    *out = e->made;
    *e = (entry){0};
    return true;
}

fri_derived *fri_derived_new(fr_ctx *ctx) {
    fri_derived *d = fri_calloc(ctx, sizeof *d);
    if (!d)
        return NULL;
    d->owners = 1;
    pthread_mutex_init(&d->mutex, NULL); /* default attributes: glibc cannot fail */
    return d;
}

void fri_derived_release(fri_derived *d) {
    if (!d)
        return;
    pthread_mutex_lock(&d->mutex);
    bool is_last = --d->owners == 0;
    pthread_mutex_unlock(&d->mutex);
    if (!is_last)
        return;
    for (int kind = 0; kind < FRI_DERIVED_COUNT; kind++)
        free_blocks(&d->entries[kind].made);
    pthread_mutex_destroy(&d->mutex);
    fri_free(d);
}

fri_derived_use fri_derived_open(fr_ctx *ctx, fri_derived *d) {
    pthread_mutex_lock(&d->mutex);
    d->owners++;
    pthread_mutex_unlock(&d->mutex);
    return (fri_derived_use){.of = d, .shares = !fri_heap_is_callers(ctx->heap)};
}

void fri_derived_close(fri_derived_use *use) {
    if (!use->of)
        return;
    pthread_mutex_lock(&use->of->mutex);
    for (int kind = 0; kind < FRI_DERIVED_COUNT; kind++)
        use->of->entries[kind].users -= use->holds[kind];
    pthread_mutex_unlock(&use->of->mutex);
    for (int kind = 0; kind < FRI_DERIVED_COUNT; kind++)
        free_blocks(&use->own[kind]);
    fri_derived_release(use->of);
    *use = (fri_derived_use){0};
}

/* The caller holds the mutex. */
static void hold(fri_derived_use *use, fri_derived_kind kind, fri_derived_blocks *out) {
    entry *e = &use->of->entries[kind];
    e->users += !use->holds[kind];
    use->holds[kind] = true;
    *out = e->made;
}

bool fri_derived_take(fri_derived_use *use, fri_derived_kind kind, fri_derived_blocks *out) {
    if (use->own[kind].block[0]) {
        *out = use->own[kind];
        return true;
    }
    pthread_mutex_lock(&use->of->mutex);
    bool found = use->of->entries[kind].is_made;
    if (found)
        hold(use, kind, out);
    pthread_mutex_unlock(&use->of->mutex);
    return found;
}

void fri_derived_give(fri_derived_use *use, fri_derived_kind kind, fri_derived_blocks *blocks) {
    entry *e = &use->of->entries[kind];
    fri_derived_blocks late = {{NULL}};
    if (!use->shares) {
        use->own[kind] = *blocks;
        return;
    }
    pthread_mutex_lock(&use->of->mutex);
    if (e->is_made)
        late = *blocks;
    else
        e->made = *blocks;
    e->is_made = true;
    hold(use, kind, blocks);
    pthread_mutex_unlock(&use->of->mutex);
    free_blocks(&late);
}

bool fri_derived_trim(fri_derived *d) {
    bool any = false;
    for (int kind = 0; kind < FRI_DERIVED_COUNT; kind++) {
        fri_derived_blocks unused;
        pthread_mutex_lock(&d->mutex);
        bool detached = detach(&d->entries[kind], &unused);
        pthread_mutex_unlock(&d->mutex);
        if (detached)
            free_blocks(&unused);
        any |= detached;
    }
    return any;
}

bool fri_derived_weights(fri_derived *d, fri_weight_stats *out) {
    pthread_mutex_lock(&d->mutex);
    bool known = d->knows_weights;
    if (known)
        *out = d->weights;
    pthread_mutex_unlock(&d->mutex);
    return known;
}

void fri_derived_set_weights(fri_derived *d, fri_weight_stats stats) {
    pthread_mutex_lock(&d->mutex);
    d->weights = stats;
    d->knows_weights = true;
    pthread_mutex_unlock(&d->mutex);
}

fri_symmetry fri_derived_symmetry(fri_derived *d) {
    pthread_mutex_lock(&d->mutex);
    fri_symmetry symmetry = d->symmetry;
    pthread_mutex_unlock(&d->mutex);
    return symmetry;
}

void fri_derived_set_symmetry(fri_derived *d, fri_symmetry symmetry) {
    pthread_mutex_lock(&d->mutex);
    d->symmetry = symmetry;
    pthread_mutex_unlock(&d->mutex);
}

bool fri_derived_edge_degree(fri_derived *d, const int64_t *offsets, double *out) {
    pthread_mutex_lock(&d->mutex);
    bool known = offsets && d->degree_of == offsets;
    if (known)
        *out = d->edge_degree;
    pthread_mutex_unlock(&d->mutex);
    return known;
}

void fri_derived_set_edge_degree(fri_derived *d, const int64_t *offsets, double degree) {
    pthread_mutex_lock(&d->mutex);
    d->degree_of = offsets;
    d->edge_degree = degree;
    pthread_mutex_unlock(&d->mutex);
}
