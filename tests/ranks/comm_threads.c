#include "ranks/comm_threads.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { USUAL_TIMEOUT_S = 60 };

typedef struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int size, arrived;
    int64_t turn;
    bool over; /* a rank has returned early or waited too long */
    struct member *members;
} meeting;

typedef struct threads_comm {
    fri_comm base;
    meeting *m;
    const ranks_run *run;
    double timeout_s;
    int64_t turn, copied, waited_ns;
} threads_comm;

/* A copy of what a rank sends in one meeting: the numbers of entries for each rank, then the entries. */
typedef struct message {
    int *counts;
    size_t room; /* of the entries, in bytes */
} message;

typedef struct member {
    const ranks_run *run;
    meeting *m;
    int rank;
    ranks_fn fn;
    void *user;
    message posted[2]; /* in even and in odd turns: one is still read when the next is posted */
} member;

int64_t ranks_cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Waits for all ranks; returns false if one does not arrive. */
static bool barrier(threads_comm *c) {
    meeting *m = c->m;
    int64_t begin = ranks_cpu_ns();
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)c->timeout_s;
    until.tv_nsec += (long)((c->timeout_s - (double)(time_t)c->timeout_s) * 1e9);
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&m->lock);
    int64_t turn = m->turn;
    const bool last = ++m->arrived == m->size;
    if (last) {
        m->arrived = 0;
        m->turn++;
    }
    while (m->turn == turn && !m->over)
        if (pthread_cond_timedwait(&m->changed, &m->lock, &until) == ETIMEDOUT) {
            m->over = m->turn == turn;
            pthread_cond_broadcast(&m->changed);
        }
    bool good = m->turn != turn;
    pthread_mutex_unlock(&m->lock);
    if (last) /* unlocked, or each would wake to wait for the lock */
        pthread_cond_broadcast(&m->changed);
    c->waited_ns += ranks_cpu_ns() - begin;
    if (!good)
        snprintf(c->base.why, sizeof c->base.why, "no answer from another rank");
    return good;
}

static void post(const meeting *m, message *to, const void *out, const int *counts, size_t bytes) {
    const size_t head = (size_t)m->size * sizeof *counts;
    if (!to->counts || bytes > to->room) {
        free(to->counts);
        to->counts = malloc(head + bytes);
        to->room = bytes;
    }
    if (!to->counts)
        abort();
    memcpy(to->counts, counts, head);
    if (bytes)
        memcpy(to->counts + m->size, out, bytes);
}

/* The others have read what a rank posts when all meet once more: one meeting for each exchange. `skips`: the entries
 * for the ranks before this one come first. */
static bool exchange(threads_comm *c, const void *out, const int *out_counts, size_t out_bytes,
                     void *in, const int *in_counts, size_t width, bool skips) {
    const int rank = c->base.rank, odd = c->turn++ % 2;
    member *members = c->m->members;
    const int64_t begin = ranks_cpu_ns();
    post(c->m, &members[rank].posted[odd], out, out_counts, out_bytes);
    c->waited_ns += ranks_cpu_ns() - begin;
    if (!barrier(c))
        return false;
    char *at = in;
    for (int r = 0; r < c->m->size; r++) {
        const int *counts = members[r].posted[odd].counts;
        size_t skipped = 0, bytes = (size_t)in_counts[r] * width;
        for (int q = 0; skips && q < rank; q++)
            skipped += (size_t)counts[q] * width;
        if (counts[skips ? rank : r] != in_counts[r])
            abort(); /* MPI would write past the end */
        if (bytes)
            memcpy(at, (const char *)(counts + c->m->size) + skipped, bytes);
        c->copied += r == rank ? 0 : (int64_t)bytes;
        at += bytes;
    }
    return true;
}

static bool allgather(fri_comm *comm, const void *mine, void *all, const int *counts,
                      size_t width) {
    threads_comm *c = (threads_comm *)comm;
    if (!exchange(c, mine, counts, (size_t)counts[comm->rank] * width, all, counts, width, false))
        return false;
    if (c->run->falsify)
        c->run->falsify(all, counts, width);
    return true;
}

static bool alltoall(fri_comm *comm, const void *out, const int *out_counts, void *in,
                     const int *in_counts, size_t width) {
    size_t count = 0;
    for (int r = 0; r < comm->size; r++)
        count += (size_t)out_counts[r];
    return exchange((threads_comm *)comm, out, out_counts, count * width, in, in_counts, width,
                    true);
}

static void leave(fri_comm *comm, bool failed) {
    meeting *m = ((threads_comm *)comm)->m;
    pthread_mutex_lock(&m->lock);
    m->over |= failed;
    pthread_cond_broadcast(&m->changed);
    pthread_mutex_unlock(&m->lock);
    free(comm);
}

static void end_all(fri_comm *comm, int exit_code) {
    (void)comm;
    (void)exit_code;
}

static const fri_comm_calls calls = {allgather, alltoall, end_all, leave};

int64_t ranks_waited_ns(const fr_world *world) { return ((threads_comm *)world->comm)->waited_ns; }

int64_t ranks_bytes_copied(const fr_world *world) { return ((threads_comm *)world->comm)->copied; }

static void *run_rank(void *arg) {
    const member *me = arg;
    const ranks_run *run = me->run;
    bool last = me->rank == run->size - 1;
    fr_ctx_options options = last && run->options ? *run->options : (fr_ctx_options){.threads = 1};
    options.threads = options.threads ? options.threads : 1;
    fr_ctx *ctx = NULL;
    fr_world *world = NULL;
    threads_comm *c = calloc(1, sizeof *c);
    if (!c || fr_ctx_new(&options, &ctx))
        abort();
    ctx->teams = FRI_TEAMS_ALL; /* also of small graphs */
    *c = (threads_comm){{&calls, me->rank, run->size, ""}, me->m, run, USUAL_TIMEOUT_S, 0, 0, 0};
    const char *version = last && run->odd_version ? run->odd_version : FR_VERSION;
    fr_status status = fri_world_open_with(ctx, &c->base, version, &world);
    if (run->opened)
        run->opened[me->rank] = status;
    else if (status)
        abort();
    if (!status) {
        c->timeout_s = run->timeout_s > 0 ? run->timeout_s : USUAL_TIMEOUT_S;
        me->fn(ctx, world, me->user);
    } else if (run->refusals)
        snprintf(run->refusals[me->rank], sizeof *run->refusals, "%s", fr_ctx_error(ctx));
    fr_world_close(world);
    fr_ctx_free(ctx);
    return NULL;
}

void ranks_start(const ranks_run *run, ranks_fn fn, void *user) {
    pthread_t *threads = calloc((size_t)run->size, sizeof *threads);
    member *members = calloc((size_t)run->size, sizeof *members);
    meeting m = {.size = run->size, .members = members};
    if (!threads || !members)
        abort();
    pthread_mutex_init(&m.lock, NULL);
    pthread_cond_init(&m.changed, NULL);
    for (int r = 0; r < run->size; r++) {
        members[r] = (member){.run = run, .m = &m, .rank = r, .fn = fn, .user = user};
        if (pthread_create(&threads[r], NULL, run_rank, &members[r]))
            abort();
    }
    for (int r = 0; r < run->size; r++)
        pthread_join(threads[r], NULL);
    for (int r = 0; r < run->size; r++)
        free(members[r].posted[0].counts), free(members[r].posted[1].counts);
    pthread_mutex_destroy(&m.lock);
    pthread_cond_destroy(&m.changed);
    free(threads);
    free(members);
}
