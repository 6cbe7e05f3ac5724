/* A context, a loaded graph, and the checks that every command with a graph makes. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "cli.h"

typedef struct session {
    const settings *s;
    fr_ctx *ctx;
    fr_graph *graph;
    const fr_csr *csr;
    int64_t load_ns;
    FILE *summary_out; /* where the summary goes: stdout, or stderr when the answer goes to
                          stdout */
} session;

int session_begin(session *x, const settings *s);                   /* the context alone */
int session_load(session *x, const char *graph);                    /* a file or a description */
int session_open(session *x, const settings *s, const char *graph); /* both */
void session_end(session *x);

/* Ids of the file -> vertices; exit 3 with the id that no vertex has. *out is malloc'd. */
int session_vertices(const session *x, const char *what, const id_list *list, int32_t **out);
/* `count` different vertices that have an edge to elsewhere, drawn from seed; *count may shrink. */
int session_random_sources(const session *x, int64_t *count, int32_t **out);
/* As many of those, at most *count, as reach a tenth of the graph, so that a time is that of a
 * traversal; *count becomes how many, 0 where none of 8 times as many draws does. `reached` (may be
 * NULL) gets the levels from each that is taken, by its place in *out. */
typedef void (*reachable_source_fn)(void *user, int64_t place, const int32_t *level);
fr_status session_reachable_sources(const session *x, int64_t *count, int32_t **out,
                                    reachable_source_fn reached, void *user);

int64_t cli_now_ns(void); /* monotonic clock */

#endif
