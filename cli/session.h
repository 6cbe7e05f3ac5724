/* A context and a loaded graph, with the checks that all commands share. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "fringe_measures.h"
#include "cli.h"

/* ---- what --closed-vertices and --closed-edges name (closed_sets.c) ----------------------------- */

typedef struct closed_sets {
    int64_t vertex_count, edge_count; /* as listed */
    uint64_t *vertices;               /* as in fr_query; NULL: none */
    uint64_t *edges[2];         /* of the graph, of the transposed one (checks of --reverse) */
    int32_t *sources, *targets; /* [edge_count] ends of the edges */
} closed_sets;

/* Reads the files that the options name. Returns an exit code. */
struct session;
int closed_sets_read(closed_sets *c, const struct session *x);
/* Sets the closed vertices and edges of a query on the graph, or on its transpose if that is given. */
void closed_sets_use(closed_sets *c, const fr_graph *transposed, fr_query *query);
void closed_sets_free(closed_sets *c);

/* ---- the session ------------------------------------------------------------------------------ */

typedef struct session {
    const settings *s;
    fr_ctx *ctx;
    fr_graph *graph;
    fr_graph *transposed; /* with --reverse, from the first check on */
    const fr_csr *csr;
    double *place; /* [2][n]: x and y of the vertices, of --coordinates; NULL: not given */
    closed_sets closed;
    int32_t *sources, *targets; /* those that the options give; NULL: none */
    int64_t source_count, target_count;
    int64_t load_ns;
    bool generated;      /* the graph is no file's */
    bool cached;         /* --cache: the copy is there */
    fr_type overflowed;  /* the type of distances that was too narrow; FR_TYPE_NONE: none was */
    fr_backend ran_on;   /* the "device" of --json; FR_BACKEND_ANY: nothing ran yet */
    FILE *summary_out;   /* stdout, or stderr if the answer goes to stdout */
    struct ranks *ranks; /* --ranks: in place of `graph`, and csr has no rows; NULL: one process */
    bool silent;         /* another rank than the first */
} session;

/* The ordinals that --devices names; CLI_OK or the exit code of a failure, which is reported. */
enum { DEVICE_LIST_MAX = 16 };
int device_list(const char *text, int list[DEVICE_LIST_MAX], int *count);

/* Refuses a file that cannot be written before a long computation, not after it. */
int session_check_output(const char *path);
int session_begin(session *x, const settings *s); /* creates the context only */
bool session_is_generated(const char *graph);     /* a description of a generator, not a file */
int session_load(session *x, const char *graph);  /* a file or a description */
int session_open(session *x, const settings *s, const char *graph); /* both */
void session_end(session *x);
/* Prints the message of the context and returns the exit code; after FR_RANK the other ranks are ended. */
int session_fail_ctx(const session *x, fr_status status);
const char *session_name(const session *x); /* of the graph */
bool session_undirected(const session *x);
/* Opens the graph that the first argument names, sets the vertices of -s, --sources-file or else --sources, and of the targets,
 * calls `body` and ends. Returns an exit code. */
int session_run(const settings *s, int (*body)(session *x));
/* What the options say of a solver. */
fr_solver_options session_solver_options(const settings *s);
/* Whether the options name the sources, or the targets. */
static inline bool names_sources(const settings *s) { return s->sources.count || s->sources_file; }
static inline bool names_targets(const settings *s) { return s->targets.count || s->targets_file; }
/* Prints the vertices of the cycle, which the sources reach or which was searched for anywhere. */
int cycle_fail(const session *x, const fr_result *r, bool reachable);
/* Reports the failure of a solver or a checker: a cycle of `r` too, if the problem has one. Returns the exit code. */
int session_fail(const session *x, fr_status status, fr_problem problem, const fr_result *r);

/* The graph that a traversal follows and a checker takes, with --reverse the transposed one; query,
 * that of the solver, closes the same edges of it. */
fr_status session_traversed(session *x, const fr_graph **graph, fr_query *query);

/* Whether FR_OVERFLOW of a solver of these options is answered by a wider type: none was asked for, and there is
 * one. Then sets options->dist_type, for a new solver. used: the solver's, or that of the weights. */
bool session_widens(session *x, fr_status status, fr_type used, fr_solver_options *options);

/* The i-th vertex of a cycle along its edges: with --reverse the solver lists it against them. */
int32_t session_cycle_vertex(const session *x, const fr_result *r, int32_t i);

/* The sizes (malloc'd) and labels (may be NULL) of the graph's components. */
typedef struct component_list {
    int32_t *label, *size, count, largest; /* largest: the first of those with most vertices */
} component_list;
int session_components(session *x, fr_component_kind kind, component_list *out);
void component_list_free(component_list *list);
/* Replaces the graph by its largest component. */
int session_keep_largest(session *x, fr_component_kind kind);

/* Converts ids of the file to vertices; fails if an id does not exist. *out is malloc'd. */
int session_vertices(const session *x, const char *what, const id_list *list, int32_t **out);
/* Draws `count` different vertices that have an edge to another vertex; *count may shrink. */
int session_random_sources(const session *x, int64_t *count, int32_t **out);
/* As session_random_sources, but only vertices that reach a tenth of the graph, so that the times are
 * of real traversals. *count becomes their number, 0 if none of 8 times as many draws qualifies. `reached`
 * (may be NULL) is called with the levels from each source and its index in *out. */
typedef void (*reachable_source_fn)(void *user, int64_t place, const int32_t *level);
fr_status session_reachable_sources(const session *x, int64_t *count, int32_t **out,
                                    reachable_source_fn reached, void *user);

/* ---- coordinates (places.c) --------------------------------------------------------------------- */

int places_load(session *x); /* reads the file of --coordinates, if there is one; exit code */
/* The vertex nearest to the point '@X,Y', of several the first. O(n). Returns an exit code. */
int places_find(const session *x, const char *word, int32_t *out);
/* Appends the columns x and y of the vertices in the rows, if there are coordinates, and returns the number of columns.
 * *kept is malloc'd and has the values. */
int places_columns(const session *x, const int32_t *vertices, int64_t rows, fr_column *columns,
                   int count, double **kept);

/* ---- what a user may not expect, on standard error (hints.c) ------------------------------------ */

bool leads_elsewhere(const fr_csr *csr, int32_t v); /* whether v has an edge to another vertex */
void hint_names(const session *x);                  /* ids read as strings that are all integers */
void hint_sources(const session *x);                /* sources without an edge to another vertex */
/* After a traversal: few vertices are reached along edges that a file may mean as undirected. */
void hint_reached(const session *x, int64_t reached);
/* After all pairs: many of rows * columns are unreached. */
void hint_unreached(const session *x, int64_t reached, int64_t rows, int64_t columns);

int64_t cli_now_ns(void); /* monotonic clock */

#endif
