#include "core/idle_solvers.h"

#include "base/heap.h"

#include <pthread.h>
#include <stdlib.h>

/* Allocated by malloc: it belongs to a context and to graphs, which may outlive each other. */
struct fri_idle_solvers {
    pthread_mutex_t lock;
    int owners; /* atomic: the context and the graphs that refer to it */
    int count;
    fr_solver *idle[FRI_MAX_IDLE_SOLVERS]; /* the latest last */
};

/* The lists that have held solvers of a graph: its attachment, the head of a chain. */
typedef struct idle_link {
    fri_attachment attachment;
    struct idle_link *next; /* atomic */
    struct fri_idle_solvers *list;
} idle_link;

static void leave(struct fri_idle_solvers *list) {
    if (__atomic_sub_fetch(&list->owners, 1, __ATOMIC_ACQ_REL))
        return;
    pthread_mutex_destroy(&list->lock);
    free(list);
}

/* Takes the i-th solver out of the list, which is locked. */
static fr_solver *take_out(struct fri_idle_solvers *list, int i) {
    fr_solver *solver = list->idle[i];
    list->count--;
    for (; i < list->count; i++)
        list->idle[i] = list->idle[i + 1];
    return solver;
}

/* Frees the solvers of a graph, or all; returns how many. */
static int drop(struct fri_idle_solvers *list, const fr_graph *graph) {
    pthread_mutex_lock(&list->lock);
    const int before = list->count;
    for (int i = before; i-- > 0;)
        if (!graph || list->idle[i]->job.in->graph == graph)
            fr_solver_free(take_out(list, i));
    const int dropped = before - list->count;
    pthread_mutex_unlock(&list->lock);
    return dropped;
}

static bool free_idle(fr_ctx *ctx) { return drop(ctx->idle_solvers, NULL) > 0; }

static void free_all(struct fri_idle_solvers *list) {
    drop(list, NULL);
    leave(list);
}

static struct fri_idle_solvers *list_of(fr_ctx *ctx) {
    if (ctx->idle_solvers || fri_heap_is_callers(ctx->heap))
        return ctx->idle_solvers;
    struct fri_idle_solvers *list = calloc(1, sizeof *list);
    if (!list)
        return NULL;
    pthread_mutex_init(&list->lock, NULL);
    list->owners = 1;
    ctx->idle_solvers = list;
    ctx->free_idle_solvers = free_all;
    ctx->free_idle = free_idle;
    return list;
}

static void free_links(fri_attachment *self, const fr_graph *graph) {
    idle_link *next;
    for (idle_link *link = (idle_link *)(void *)self; link; link = next) {
        next = link->next;
        drop(link->list, graph);
        leave(link->list);
        free(link);
    }
}

/* Lets the graph find the list. Only the thread of the list's context adds it, so that it is not
 * added twice. */
static bool link_to(const fr_graph *graph, struct fri_idle_solvers *list) {
    idle_link *first = (idle_link *)(void *)__atomic_load_n(&graph->idle_solvers, __ATOMIC_ACQUIRE);
    for (idle_link *at = first; at; at = __atomic_load_n(&at->next, __ATOMIC_ACQUIRE))
        if (at->list == list)
            return true;
    idle_link *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return false;
    *fresh = (idle_link){{free_links}, NULL, list};
    __atomic_add_fetch(&list->owners, 1, __ATOMIC_RELAXED);
    first = (idle_link *)(void *)fri_graph_attach(&graph->idle_solvers, &fresh->attachment);
    for (idle_link *at = first; at != fresh;) { /* another is the head: to the end of the chain */
        idle_link *next = NULL;
        at = __atomic_compare_exchange_n(&at->next, &next, fresh, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE)
                 ? fresh
                 : next;
    }
    return true;
}

fr_solver *fri_idle_solver_take(fr_ctx *ctx, const fr_graph *graph, fr_problem problem) {
    struct fri_idle_solvers *list = ctx->idle_solvers;
    fr_solver *found = NULL;
    if (!list)
        return NULL;
    pthread_mutex_lock(&list->lock);
    for (int i = list->count; i-- > 0 && !found;)
        if (list->idle[i]->job.in->graph == graph && list->idle[i]->job.in->problem == problem)
            found = take_out(list, i);
    pthread_mutex_unlock(&list->lock);
    if (found && found->job.in->threads != ctx->threads) { /* made before fr_ctx_set_threads */
        fr_solver_free(found);
        found = NULL;
    }
    return found;
}

void fri_idle_solver_put(fr_solver *solver) {
    struct fri_idle_solvers *list = list_of(solver->job.ctx);
    fr_solver *evicted = NULL;
    if (!list || !link_to(solver->job.in->graph, list)) {
        fr_solver_free(solver);
        return;
    }
    pthread_mutex_lock(&list->lock);
    if (list->count == FRI_MAX_IDLE_SOLVERS)
        evicted = take_out(list, 0);
    list->idle[list->count++] = solver;
    pthread_mutex_unlock(&list->lock);
    fr_solver_free(evicted);
}
