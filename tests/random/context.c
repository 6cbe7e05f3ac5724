/* Contexts: the options of the frame, and contexts that later cases use again. */
#include "base/base.h"
#include "case.h"
#include "device.h"
#include "frame.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char *const backends[] = {"any", "cpu", "cuda", NULL};
static const char *const ways[] = {
#define RI_WAY_NAME(name, text) text,
    RI_WAYS(RI_WAY_NAME)
#undef RI_WAY_NAME
        NULL};

const ri_option ri_frame_options[] = {
    [RI_BACKEND] = {.name = "backend", .kind = RI_NAME, .names = backends, .least = 1},
    [RI_THREADS] = {.name = "threads"},
    [RI_GPUS] = {.name = "gpus"},
    [RI_MAX_MEMORY] = {.name = "max_memory_kib"},
    [RI_MAX_GPU] = {.name = "max_gpu_kib"},
    [RI_ALLOCATOR] = {.name = "allocator"},
    [RI_PROGRESS] = {.name = "progress"},
    [RI_MADE_BY] = {.name = "made_by", .kind = RI_NAME, .names = ways},
    [RI_MADE_DETAIL] = {.name = "made_detail"},
};

void ri_draw_frame(ri_case *c, ri_rng *rng) {
    ri_setting *of = c->of[0];
    of[RI_THREADS].number = ri_chance(rng, 50) ? 1 : ri_below(rng, 5);
    if (ri_device_count() > 1 && ri_chance(rng, 15))
        of[RI_GPUS].number = ri_between(rng, 1, ri_device_count() < 3 ? ri_device_count() : 3);
    if (ri_chance(rng, 3))
        of[RI_MAX_MEMORY].number = INT64_C(16) << ri_below(rng, 12);
    if (ri_have_gpu() && ri_chance(rng, 5))
        of[RI_MAX_GPU].number = INT64_C(16) << ri_below(rng, 12);
    if (ri_chance(rng, 5) && !of[RI_GPUS].number)
        of[RI_ALLOCATOR].number = 1;
    if (ri_chance(rng, 5))
        of[RI_PROGRESS].number = ri_chance(rng, 50) ? 1 : ri_between(rng, 2, 6);
    if (ri_chance(rng, 50))
        of[RI_MADE_BY].number = ri_below(rng, (int64_t)(sizeof ways / sizeof *ways) - 1);
    of[RI_MADE_DETAIL].number = ri_between(rng, 1, 1 << 30);
}

/* ---- an allocator and a progress function ------------------------------------------------------------ */

/* Of one context. An allocator is called from one thread only. */
static struct hooks {
    pthread_t caller;
    int64_t held;
    bool other_thread;
    int64_t calls, cancel_at; /* progress; 0: never */
    bool cancelled;
} hooks;

static void *hook_alloc(void *user, size_t bytes) {
    struct hooks *h = user;
    h->held++;
    h->other_thread |= !pthread_equal(h->caller, pthread_self());
    return malloc(bytes);
}

static void hook_free(void *user, void *block) {
    struct hooks *h = user;
    h->held -= block != NULL;
    h->other_thread |= !pthread_equal(h->caller, pthread_self());
    free(block);
}

static int hook_progress(void *user, const char *phase, int64_t done, int64_t total) {
    struct hooks *h = user;
    (void)phase, (void)done, (void)total;
    h->other_thread |= !pthread_equal(h->caller, pthread_self());
    if (h->cancel_at && ++h->calls >= h->cancel_at)
        h->cancelled = true;
    return h->cancelled;
}

bool ri_is_excused(const ri_case *c, fr_status status) {
    return (status == FR_CANCELLED && hooks.cancelled) ||
           (status == FR_NOMEM && (ri_at(c, -1, RI_MAX_MEMORY) || ri_at(c, -1, RI_MAX_GPU)));
}

/* ---- contexts ---------------------------------------------------------------------------------------- */

enum { KEPT = 4, DEFERRED = 64 };
static struct kept {
    fr_ctx *ctx;
    int64_t threads, gpus;
} kept[KEPT];
static bool current_is_kept;
static struct deferred {
    void (*free_it)(void *);
    void *object;
} deferred[DEFERRED];
static int deferred_count;

void ri_frame_begin(void) {
    deferred_count = 0;
    current_is_kept = false;
    hooks = (struct hooks){.caller = pthread_self()};
}

static bool is_plain(const ri_case *c) {
    return !ri_at(c, -1, RI_MAX_MEMORY) && !ri_at(c, -1, RI_MAX_GPU) &&
           !ri_at(c, -1, RI_ALLOCATOR) && !ri_at(c, -1, RI_PROGRESS);
}

fr_ctx *ri_context(ri_case *c) {
    const int devices[] = {0, 1, 2, 3};
    int64_t gpus = ri_at(c, -1, RI_GPUS);
    const int64_t threads = ri_at(c, -1, RI_THREADS);
    if (c->ctx)
        return c->ctx;
    gpus = gpus > ri_device_count() ? ri_device_count() : gpus;
    ri_device_seed((uint64_t)ri_at(c, -1, RI_MADE_DETAIL));
    struct kept *k = &kept[(threads + gpus) % KEPT];
    const bool plain = is_plain(c) && c->number;
    if (plain && k->ctx && k->threads == threads && k->gpus == gpus && c->number % 16) {
        current_is_kept = true;
        return c->ctx = k->ctx;
    }
    fr_ctx_options options = FR_INIT(fr_ctx_options);
    options.threads = (int)threads;
    options.max_memory_bytes = (size_t)ri_at(c, -1, RI_MAX_MEMORY) << 10;
    options.max_gpu_bytes = (size_t)ri_at(c, -1, RI_MAX_GPU) << 10;
    if (gpus)
        options.devices = devices, options.device_count = gpus;
    if (ri_at(c, -1, RI_ALLOCATOR) && !gpus)
        options.alloc = hook_alloc, options.free = hook_free, options.alloc_user = &hooks;
    if (ri_at(c, -1, RI_PROGRESS)) {
        options.progress = hook_progress, options.progress_user = &hooks;
        hooks.cancel_at = ri_at(c, -1, RI_PROGRESS) - 1;
    }
    RI_OK(c, fr_ctx_new(&options, &c->ctx));
    if (threads % 2) /* levels of small graphs have teams, too, of several sizes */
        c->ctx->teams = FRI_TEAMS_ALL;
    if (plain) {
        fr_ctx_free(k->ctx);
        *k = (struct kept){c->ctx, threads, gpus};
        current_is_kept = true;
    }
    return c->ctx;
}

void ri_defer(ri_case *c, void (*free_it)(void *), void *object) {
    RI_CHECK(c, deferred_count < DEFERRED, "the test keeps too many objects");
    deferred[deferred_count++] = (struct deferred){free_it, object};
}

void ri_frame_end(ri_case *c) {
    while (deferred_count) {
        deferred_count--;
        deferred[deferred_count].free_it(deferred[deferred_count].object);
    }
    if (!current_is_kept)
        fr_ctx_free(c->ctx);
    c->ctx = NULL;
    RI_CHECK(c, !hooks.other_thread, "a callback came from another thread");
    RI_CHECK(c, !hooks.held, "%lld blocks of the allocator are not freed", (long long)hooks.held);
}

void ri_frame_abandon(ri_case *c) {
    for (int i = 0; i < KEPT; i++)
        if (kept[i].ctx == c->ctx)
            kept[i].ctx = NULL;
    c->ctx = NULL;
    c->blocks = NULL;
}

void ri_forget_contexts(void) {
    for (int i = 0; i < KEPT; i++)
        fr_ctx_free(kept[i].ctx);
}
