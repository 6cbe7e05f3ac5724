/* Memory with a limit, a peak and huge pages. Each block stores its heap and size in a header one
 * cache line before it, so that freeing needs no context. */
#include "base/heap.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HEADER = FRI_CACHE_LINE };
/* Blocks of at least this size are mapped separately and ask for huge pages. */
static const size_t MAP_FROM = (size_t)4 << 20;
static const size_t HUGE_PAGE = (size_t)2 << 20;

struct fri_heap {
    fr_alloc_fn alloc;
    fr_free_fn release;
    void *user;
    size_t limit;
    atomic_size_t current, peak;
    atomic_size_t owners; /* the context and every live block */
};

typedef struct {
    fri_heap *heap;
    void *base;    /* what the allocator returned */
    size_t bytes;  /* bytes counted against the limit */
    size_t mapped; /* bytes mapped from base; 0: allocated by the allocator */
} header;
_Static_assert(sizeof(header) <= HEADER, "the header fits before the block");

/* Physical memory, or the control group's limit if that is smaller. */
static size_t machine_bytes(void) {
    size_t bytes = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    const char *limits[] = {"/sys/fs/cgroup/memory.max",
                            "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        FILE *f = fopen(limits[i], "r");
        if (!f)
            continue;
        unsigned long long v = 0;
        if (fscanf(f, "%llu", &v) == 1 && v > 0 && v < bytes)
            bytes = (size_t)v;
        fclose(f);
    }
    return bytes;
}

fri_heap *fri_heap_new(const fr_ctx_options *options) {
    fri_heap *heap = calloc(1, sizeof *heap);
    if (!heap)
        return NULL;
    if (options) {
        heap->alloc = options->alloc;
        heap->release = options->free;
        heap->user = options->alloc_user;
        heap->limit = options->max_memory_bytes;
    }
    if (!heap->limit)
        heap->limit = machine_bytes();
    atomic_init(&heap->owners, 1);
    return heap;
}

void fri_heap_release(fri_heap *heap) {
    if (heap && atomic_fetch_sub(&heap->owners, 1) == 1)
        free(heap);
}

size_t fri_heap_peak(const fri_heap *heap) { return atomic_load(&heap->peak); }
size_t fri_heap_limit(const fri_heap *heap) { return heap->limit; }
bool fri_heap_is_callers(const fri_heap *heap) { return heap->alloc != NULL; }

static header *header_of(void *block) { return (header *)((char *)block - HEADER); }

/* How a block is to be: `small`: bytes at its start without huge pages. */
typedef struct {
    bool zero;
    size_t small;
} block_kind;

/* Starts the mapping on a 2 MB boundary, so that the first huge page is not lost. */
static void *map_block(size_t bytes, size_t small, size_t *mapped) {
    size_t whole = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    if (whole < bytes || whole + HUGE_PAGE < whole)
        return NULL;
    char *p = mmap(NULL, whole + HUGE_PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    size_t skip = (HUGE_PAGE - (uintptr_t)p % HUGE_PAGE) % HUGE_PAGE;
    if (skip)
        munmap(p, skip);
    if (HUGE_PAGE - skip)
        munmap(p + skip + whole, HUGE_PAGE - skip);
    small = FRI_MIN(small, bytes) / HUGE_PAGE * HUGE_PAGE;
    /* hints: their failure only costs speed */
    if (small)
        madvise(p + skip, small, MADV_NOHUGEPAGE);
    if (small < whole)
        madvise(p + skip + small, whole - small, MADV_HUGEPAGE);
    *mapped = whole;
    return p + skip;
}

static void count(fri_heap *heap, size_t bytes) {
    size_t now = atomic_fetch_add(&heap->current, bytes) + bytes;
    size_t peak = atomic_load(&heap->peak);
    while (now > peak && !atomic_compare_exchange_weak(&heap->peak, &peak, now))
        ;
}

static void *allocate(fri_heap *heap, size_t bytes, block_kind kind) {
    if (bytes > SIZE_MAX - 2 * HEADER)
        return NULL;
    size_t whole = bytes + 2 * HEADER, mapped = 0;
    char *base;
    if (heap->alloc)
        base = heap->alloc(heap->user, whole);
    else if (whole >= MAP_FROM)
        base = map_block(whole, kind.small, &mapped);
    else
        base = kind.zero ? calloc(1, whole) : malloc(whole); /* calloc does not touch fresh pages */
    if (!base)
        return NULL;
    char *block = base + HEADER;
    block += (FRI_CACHE_LINE - (uintptr_t)block % FRI_CACHE_LINE) % FRI_CACHE_LINE;
    *header_of(block) = (header){heap, base, bytes, mapped};
    atomic_fetch_add(&heap->owners, 1);
    count(heap, bytes);
    if (kind.zero && heap->alloc) /* otherwise it is already zero */
        memset(block, 0, bytes);
    return block;
}

fri_size_text fri_size(size_t bytes) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    fri_size_text out;
    double value = (double)bytes;
    int unit = 0;
    for (; value >= 1023.5; unit++) /* a value that would round to 1024 gets the next unit */
        value /= 1024;
    int places = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    snprintf(out.text, sizeof out.text, "%.*f %s", places, value, units[unit]);
    return out;
}

static bool is_allowed(const fri_heap *heap, size_t bytes) {
    return bytes <= heap->limit && atomic_load(&heap->current) <= heap->limit - bytes;
}

static bool frees_idle(fr_ctx *ctx) { return ctx->free_idle && ctx->free_idle(ctx); }

fr_status fri_reserve_check(fr_ctx *ctx, const char *what, size_t bytes) {
    fri_heap *heap = ctx->heap;
    if (is_allowed(heap, bytes) || (frees_idle(ctx) && is_allowed(heap, bytes)))
        return FR_OK;
    size_t held = atomic_load(&heap->current);
    return fri_fail(ctx, FR_NOMEM,
                    "not enough memory: %s needs %s in addition to %s in use, and the limit is %s; "
                    "max_memory_bytes sets the limit",
                    what, fri_size(bytes).text, fri_size(held).text, fri_size(heap->limit).text);
}

static fr_status no_block(fr_ctx *ctx, size_t bytes) {
    return fri_fail(
        ctx, FR_NOMEM,
        "not enough memory: the system cannot allocate %s (its limits: ulimit -v, control groups)",
        fri_size(bytes).text);
}

static void *checked(fr_ctx *ctx, size_t bytes, block_kind kind) {
    if (fri_reserve_check(ctx, "an array", bytes))
        return NULL;
    void *block = allocate(ctx->heap, bytes, kind);
    if (!block && frees_idle(ctx))
        block = allocate(ctx->heap, bytes, kind);
    if (!block)
        no_block(ctx, bytes);
    return block;
}

void *fri_alloc(fr_ctx *ctx, size_t bytes) { return checked(ctx, bytes, (block_kind){0}); }
void *fri_calloc(fr_ctx *ctx, size_t bytes) {
    return checked(ctx, bytes, (block_kind){.zero = true});
}
void *fri_alloc_sparse(fr_ctx *ctx, size_t bytes, size_t small) {
    return checked(ctx, bytes, (block_kind){.small = small});
}

void fri_free(void *block) {
    if (!block)
        return;
    header h = *header_of(block);
    atomic_fetch_sub(&h.heap->current, h.bytes);
    if (h.mapped)
        munmap(h.base, h.mapped);
    else if (h.heap->alloc)
        h.heap->release(h.heap->user, h.base);
    else
        free(h.base);
    fri_heap_release(h.heap);
}

/* A mapped block grows by remapping its pages, without copying bytes. */
static void *grow_mapped(fr_ctx *ctx, header *h, size_t bytes) {
    size_t mapped;
    char *base = map_block(bytes + 2 * HEADER, 0, &mapped);
    if (!base ||
        mremap(h->base, h->mapped, h->mapped, MREMAP_MAYMOVE | MREMAP_FIXED, base) != base) {
        if (base)
            munmap(base, mapped);
        no_block(ctx, bytes);
        return NULL;
    }
    header *moved = header_of(base + HEADER);
    *moved = (header){moved->heap, base, bytes, mapped};
    return base + HEADER;
}

void *fri_grow(fr_ctx *ctx, void *block, size_t bytes) {
    header *h = block ? header_of(block) : NULL;
    if (!h || !h->mapped || bytes <= h->bytes) {
        void *fresh = fri_alloc(ctx, bytes);
        if (fresh && h) {
            memcpy(fresh, block, FRI_MIN(bytes, h->bytes));
            fri_free(block);
        }
        return fresh;
    }
    size_t more = bytes - h->bytes;
    if (bytes > SIZE_MAX - 2 * HEADER || fri_reserve_check(ctx, "a growing array", more))
        return NULL;
    void *grown = grow_mapped(ctx, h, bytes);
    if (grown)
        count(ctx->heap, more);
    return grown;
}

void fri_trim(void *block, size_t bytes) {
    header *h = header_of(block);
    if (!h->mapped || bytes >= h->bytes)
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t keep = (HEADER + bytes + page - 1) / page * page;
    if (keep >= h->mapped)
        return;
    munmap((char *)h->base + keep, h->mapped - keep);
    h->mapped = keep;
    atomic_fetch_sub(&h->heap->current, h->bytes - bytes);
    h->bytes = bytes;
}

size_t fri_bytes(int64_t count, size_t size) {
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, &bytes))
        return SIZE_MAX;
    return bytes;
}
