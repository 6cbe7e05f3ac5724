#include "core/kept.h"

#include "base/heap.h"

#include <pthread.h>
#include <stdlib.h>

/* Allocated by malloc: it belongs to a context and to graphs, which may outlive each other. */
struct fri_kept {
    pthread_mutex_t lock;
    int owners;      /* atomic: the context and the graphs that refer to it */
    fr_solver *idle; /* the latest first */
};

/* The lists that have held solvers of a graph: its attachment, the head of a chain. */
typedef struct kept_link {
    fri_attachment attachment;
    struct kept_link *next; /* atomic */
    struct fri_kept *kept;
} kept_link;

static void leave(struct fri_kept *kept) {
    if (__atomic_sub_fetch(&kept->owners, 1, __ATOMIC_ACQ_REL))
        return;
    pthread_mutex_destroy(&kept->lock);
    free(kept);
}

/* Frees the solvers of a graph, or all; returns how many. */
static int drop(struct fri_kept *kept, const fr_graph *graph) {
    int dropped = 0;
    pthread_mutex_lock(&kept->lock);
    for (fr_solver **at = &kept->idle; *at;) {
        fr_solver *solver = *at;
        if (graph && solver->job.graph != graph) {
            at = &solver->next_idle;
            continue;
        }
        *at = solver->next_idle;
        fr_solver_free(solver);
        dropped++;
    }
    pthread_mutex_unlock(&kept->lock);
    return dropped;
}

static bool give_way(fr_ctx *ctx) { return drop(ctx->kept, NULL) > 0; }

static void free_all(struct fri_kept *kept) {
    drop(kept, NULL);
    leave(kept);
}

static struct fri_kept *list_of(fr_ctx *ctx) {
    if (ctx->kept || fri_heap_is_callers(ctx->heap))
        return ctx->kept;
    struct fri_kept *kept = calloc(1, sizeof *kept);
    if (!kept)
        return NULL;
    pthread_mutex_init(&kept->lock, NULL);
    kept->owners = 1;
    ctx->kept = kept;
    ctx->free_kept = free_all;
    ctx->give_way = give_way;
    return kept;
}

static void free_links(fri_attachment *self, const fr_graph *graph) {
    kept_link *next;
    for (kept_link *link = (kept_link *)(void *)self; link; link = next) {
        next = link->next;
        drop(link->kept, graph);
        leave(link->kept);
        free(link);
    }
}

/* Lets the graph find the list. Only the thread of the list's context adds it, so that it is not
 * added twice. */
static bool link_to(const fr_graph *graph, struct fri_kept *kept) {
    kept_link *first = (kept_link *)(void *)__atomic_load_n(&graph->idle_solvers, __ATOMIC_ACQUIRE);
    for (kept_link *at = first; at; at = __atomic_load_n(&at->next, __ATOMIC_ACQUIRE))
        if (at->kept == kept)
            return true;
    kept_link *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return false;
    *fresh = (kept_link){{free_links}, NULL, kept};
    __atomic_add_fetch(&kept->owners, 1, __ATOMIC_RELAXED);
    first = (kept_link *)(void *)fri_graph_attach(&graph->idle_solvers, &fresh->attachment);
    for (kept_link *at = first; at != fresh;) { /* another is the head: to the end of the chain */
        kept_link *next = NULL;
        at = __atomic_compare_exchange_n(&at->next, &next, fresh, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE)
                 ? fresh
                 : next;
    }
    return true;
}

fr_solver *fri_kept_take(fr_ctx *ctx, const fr_graph *graph, fr_problem problem) {
    struct fri_kept *kept = ctx->kept;
    fr_solver *found = NULL;
    if (!kept)
        return NULL;
    pthread_mutex_lock(&kept->lock);
    for (fr_solver **at = &kept->idle; *at && !found; at = found ? at : &(*at)->next_idle)
        if ((*at)->job.graph == graph && (*at)->job.problem == problem) {
            found = *at;
            *at = found->next_idle;
        }
    pthread_mutex_unlock(&kept->lock);
    if (found && found->job.threads != ctx->threads) { /* made before fr_ctx_set_threads */
        fr_solver_free(found);
        found = NULL;
    }
    return found;
}

void fri_kept_put(fr_solver *solver) {
    struct fri_kept *kept = list_of(solver->job.ctx);
    fr_solver *evicted = NULL;
    if (!kept || !link_to(solver->job.graph, kept)) {
        fr_solver_free(solver);
        return;
    }
    pthread_mutex_lock(&kept->lock);
    solver->next_idle = kept->idle;
    kept->idle = solver;
    int count = 1;
    for (fr_solver *at = solver; at->next_idle; at = at->next_idle)
        if (++count > FRI_KEPT_SOLVERS) {
            evicted = at->next_idle;
            at->next_idle = NULL;
            break;
        }
    pthread_mutex_unlock(&kept->lock);
    fr_solver_free(evicted);
}
