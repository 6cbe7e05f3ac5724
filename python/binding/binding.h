/* What the Python package needs of C in addition to fringe.h. write_source.py gives these declarations to
 * cffi, which calls them without the GIL. */
#ifndef PF_BINDING_H
#define PF_BINDING_H

#include <fringe_measures.h>
#include <fringe_tune.h>

/* Limits how often a call asks Python whether to continue. */
typedef struct pf_gate {
    void *self; /* handed to pf_ask */
    int64_t next_ns;
} pf_gate;

/* A context whose progress callback goes through the gate; devices: [device_count], at least one. */
fr_status pf_ctx_new(pf_gate *gate, int threads, const int *devices, int64_t device_count,
                     size_t max_memory, fr_ctx **out);
/* A call begins: Python is first asked after 50 ms, so a short call never waits for the GIL. */
void pf_begin(pf_gate *gate);

/* A solver with the structs of its queries, reused from one to the next. */
typedef struct pf_call {
    fr_solver *solver;
    pf_gate *gate;
    fr_problem problem;
    int32_t source;
    fr_query query;
    fr_result result;
} pf_call;

fr_status pf_solve(pf_call *call);
/* The query from each of its sources; *solved: rows of the result that are complete. */
fr_status pf_solve_each(pf_call *call, int64_t *solved);
/* One source and no limits; dist: levels for BFS. */
fr_status pf_solve_one(pf_call *call, int32_t source, void *dist, int32_t *parent);

/* ---- work on results ----------------------------------------------------------------------- */

/* The vertices from a source to `target` along parents: their count, 0 if unreached; out: [count] or
 * NULL. -1: the parents contain a cycle or a vertex outside 0 .. n-1. */
int64_t pf_path(int32_t n, const int32_t *parent, int32_t target, int32_t *out);

/* FR_PARENT_NEAREST for all pairs, which the library has for one traversal alone; one traversal for
 * each row takes 2 to 16 times as long as all pairs and this. Weights must not be negative. dist,
 * parent: [rows][n]; parent -1: unreached, a source is its own. Float64 graphs. O(rows (n + m)). */
void pf_nearest_parents(const fr_csr *csr, int64_t rows, const double *dist, int32_t *parent,
                        int threads);

/* Rows of a CSR that nothing has checked; offsets: [n + 1], numbers of `width` bytes, 4 or 8;
 * targets: [m]. */
typedef struct pf_rows {
    int64_t m;
    int width;
    const void *offsets;
    const int32_t *targets;
} pf_rows;

enum { PF_DAMAGED = -1, PF_NO_MEMORY = -2, PF_FAR = -3 };

/* BFS in the order of a queue, which begins with the sources, different ones in 0 .. n-1; each vertex
 * finds its neighbors in the order of its row, as in SciPy and NetworkX (fr_result.order is by number
 * within a level); `back` NULL, or a second CSR whose rows follow the first's. order: [n + 1], the last for
 * the function's own use; parent: [n], `none`, which is negative: a source or unreached.
 * Returns the count, PF_DAMAGED if the offsets do not begin with 0 or end beyond m, or a row that is reached
 * is not within the targets or has one outside 0 .. n-1, or PF_NO_MEMORY. */
int64_t pf_bfs_order(int32_t n, const pf_rows *rows, const pf_rows *back, const int32_t *sources,
                     int32_t source_count, int32_t none, int threads, int32_t *order,
                     int32_t *parent);

/* Copies numbers to 32 bits; 0: one does not fit. */
int pf_narrow(int64_t count, const int64_t *from, int32_t *to);

/* Strong components, each numbered after those that it reaches (fr_components numbers by smallest
 * vertex): in the order in which a depth-first search leaves them that visits a row from its begin, as
 * NetworkX's does, or backward from its end, as SciPy's does. label: [n]; work: [5 n]. Returns the
 * count, or PF_DAMAGED as above. */
int32_t pf_strong_components(int32_t n, const pf_rows *rows, int backward, int32_t *label,
                             int64_t *work);

/* ---- small CSR arrays as the caller has them: nothing has checked them -------------------------
 * width: bytes of a number in offsets [n + 1] and targets [room], 4 or 8. O(n + m), on one thread. */

/* Flags of all weights, float64 [room], together; 0 if they are positive; PF_DAMAGED as below. */
enum { PF_ZERO = 1, PF_NEGATIVE = 2, PF_NOT_FINITE = 4 };
int pf_small_weights(int32_t n, int width, const void *offsets, const void *targets,
                     int64_t capacity, const void *weights);

enum {
    PF_BOTH = 1,     /* the edges have both directions */
    PF_UNIT = 2,     /* each edge has weight 1 */
    PF_NEAREST = 4,  /* one row, from the nearest of all sources */
    PF_ANYWHERE = 8, /* a negative cycle counts where no source reaches it, too */
    PF_SIGNED = 16,  /* weights may be negative */
    PF_BRIEF = 32    /* the call ends where a graph of the library would take less time */
};

/* Shortest paths from each of sources, int32 [rows], negative ones from the end, or with NULL from
 * all n = rows vertices; limit: the maximum distance. dist: float64 [rows][n], infinity where there
 * is no path; parent: int32 [rows][n] or NULL, `none` for a source and where there is no path;
 * origin: with PF_NEAREST the nearest source, int32 [n], or NULL. Returns 0; PF_NO_MEMORY; or
 * PF_DAMAGED for everything that must be done again: also a source out of range, a negative
 * cycle, weights that are not finite, negative ones without PF_SIGNED, and what takes long with PF_BRIEF. O(rows m log m), negative
 * weights O(rows n m). */
int pf_small_paths(int32_t n, int width, const void *offsets, const void *targets, int64_t capacity,
                   const void *weights, int flags, double limit, const void *sources, int64_t rows,
                   int32_t none, void *dist, void *parent, void *origin);

/* Shortest paths from a source in 0 .. n-1 of an array of any size, as long as they are found by reading
 * `edges` edges. flags: PF_UNIT; the rest as above. Returns 0; PF_FAR: more edges are needed, or a
 * distance is infinite, and all weights are finite and not negative; PF_NO_MEMORY; or PF_DAMAGED: a weight
 * is not so, or a row that is read is damaged. Rows that are not read are not checked. O(n + m) to fill
 * the outputs and to check the weights. */
int pf_near_paths(int32_t n, int width, const void *offsets, const void *targets, int64_t capacity,
                  const void *weights, int flags, double limit, int32_t source, int64_t edges,
                  int32_t none, void *dist, void *parent);

/* pf_bfs_order from a source in 0 .. n-1; both: the edges have both directions, the opposite ones
 * after a vertex's own. order: int32 [n + 1], parent: int32 [n]. Returns the count, PF_DAMAGED (an array is not
 * aligned, too) or PF_NO_MEMORY. */
int64_t pf_small_order(int32_t n, int width, const void *offsets, const void *targets,
                       int64_t capacity, int both, int32_t source, int32_t none, void *order,
                       void *parent);

/* pf_strong_components, backward; label: int32 [n]. Returns the count, PF_DAMAGED or PF_NO_MEMORY. */
int32_t pf_small_strong(int32_t n, int width, const void *offsets, const void *targets,
                        int64_t capacity, void *label);

/* The first member of a DLManagedTensor, as other packages hand over an array (DLPack). */
typedef struct pf_tensor {
    void *data;
    int32_t device_type, device_id, ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides; /* [ndim] in elements; strides NULL: contiguous */
    uint64_t byte_offset;
} pf_tensor;

/* ---- parts of a graph that Python asks for in bulk ------------------------------------------- */

/* The ids of all vertices; out: [n]. */
void pf_ids(const fr_graph *graph, int64_t *out);

/* The names of all vertices, each followed by a NUL; out: as many bytes as returned, or NULL. 0: the
 * vertices have no names. */
int64_t pf_names(const fr_graph *graph, char *out);

/* Sets the bits of all stored edges from each pairs[2 i] to pairs[2 i + 1]; bits: [(m + 63) / 64], see
 * fr_query.closed_edges. Returns the first i without such an edge, -1 if there is none. */
int64_t pf_close_pairs(const fr_graph *graph, int64_t count, const int32_t *pairs, uint64_t *bits);

#endif
