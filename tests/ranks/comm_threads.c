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
    bool over;         /* a rank has returned early or waited too long */
    const void **mine; /* [size] what each has posted */
    const int **counts;
} meeting;

typedef struct threads_comm {
    fri_comm base;
    meeting *m;
    const ranks_run *run;
    double timeout_s;
    int64_t copied, waited_ns;
} threads_comm;

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
    if (++m->arrived == m->size) {
        m->arrived = 0;
        m->turn++;
        pthread_cond_broadcast(&m->changed);
    }
    while (m->turn == turn && !m->over)
        if (pthread_cond_timedwait(&m->changed, &m->lock, &until) == ETIMEDOUT) {
            m->over = m->turn == turn;
            pthread_cond_broadcast(&m->changed);
        }
    bool good = m->turn != turn;
    pthread_mutex_unlock(&m->lock);
    c->waited_ns += ranks_cpu_ns() - begin;
    if (!good)
        snprintf(c->base.why, sizeof c->base.why, "no answer from another rank");
    return good;
}

static void copy(threads_comm *c, void *to, const void *from, size_t bytes, int rank) {
    if (bytes)
        memcpy(to, from, bytes);
    c->copied += rank == c->base.rank ? 0 : (int64_t)bytes;
}

static bool allgather(fri_comm *comm, const void *mine, void *all, const int *counts,
                      size_t width) {
    threads_comm *c = (threads_comm *)comm;
    c->m->mine[comm->rank] = mine;
    if (!barrier(c))
        return false;
    char *at = all;
    for (int r = 0; r < comm->size; at += (size_t)counts[r] * width, r++)
        copy(c, at, c->m->mine[r], (size_t)counts[r] * width, r);
    if (c->run->falsify)
        c->run->falsify(all, counts, width);
    return barrier(c);
}

static bool alltoall(fri_comm *comm, const void *out, const int *out_counts, void *in,
                     const int *in_counts, size_t width) {
    threads_comm *c = (threads_comm *)comm;
    c->m->mine[comm->rank] = out;
    c->m->counts[comm->rank] = out_counts;
    if (!barrier(c))
        return false;
    char *at = in;
    for (int r = 0; r < comm->size; r++) {
        size_t skipped = 0, bytes = (size_t)in_counts[r] * width;
        for (int q = 0; q < comm->rank; q++)
            skipped += (size_t)c->m->counts[r][q] * width;
        if (c->m->counts[r][comm->rank] != in_counts[r])
            abort(); /* MPI would write past the end */
        copy(c, at, (const char *)c->m->mine[r] + skipped, bytes, r);
        at += bytes;
    }
    return barrier(c);
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

typedef struct member {
    const ranks_run *run;
    meeting *m;
    int rank;
    ranks_fn fn;
    void *user;
} member;

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
    ctx->whole_teams = true; /* also of small graphs */
    *c = (threads_comm){{&calls, me->rank, run->size, ""}, me->m, run, USUAL_TIMEOUT_S, 0, 0};
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
    meeting m = {.size = run->size};
    pthread_t *threads = calloc((size_t)run->size, sizeof *threads);
    member *members = calloc((size_t)run->size, sizeof *members);
    m.mine = calloc((size_t)run->size, sizeof *m.mine);
    m.counts = calloc((size_t)run->size, sizeof *m.counts);
    if (!threads || !members || !m.mine || !m.counts)
        abort();
    pthread_mutex_init(&m.lock, NULL);
    pthread_cond_init(&m.changed, NULL);
    for (int r = 0; r < run->size; r++) {
        members[r] = (member){run, &m, r, fn, user};
        if (pthread_create(&threads[r], NULL, run_rank, &members[r]))
            abort();
    }
    for (int r = 0; r < run->size; r++)
        pthread_join(threads[r], NULL);
    pthread_mutex_destroy(&m.lock);
    pthread_cond_destroy(&m.changed);
    free(threads);
    free(members);
    free(m.mine);
    free(m.counts);
}
