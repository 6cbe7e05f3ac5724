/* Pushes edges sorted by weight up to a moving bound, then pulls the remaining vertices.
 *
 * Source: P. M. Spira: A new algorithm for finding all shortest paths in a graph of positive arcs,
 *   SIAM J. Computing 2(1), 1973 (rows sorted by weight; a row is read only as far as it matters);
 *   R. Hassin, E. Zemel: On shortest paths in graphs with random weights, Math. OR 10(4), 1985 (few
 *   of the edges matter); V. Chakaravarthy, F. Checconi, F. Petrini, Y. Sabharwal: Scalable single
 *   source shortest path algorithms for massively parallel systems, IPDPS 2014 (push or pull).
 * Idea: an edge u -> v is only examined once dist[u] + w is below the bound, and the bound
 *   advances by one window at a time. Vertices reached within a window are corrected there and
 *   final at its end, so there are no buckets, and nothing beyond the window is stored. Each
 *   reached vertex keeps a record {its next edge, the distance at which that edge matters}; a
 *   window is one scan of the records. In small-world graphs most vertices are reached while most
 *   edges still lie beyond the bound. When the unreached vertices have fewer in-edges than the
 *   next window would cost, every unreached vertex pulls from its in-edges, lightest first, until
 *   the weight alone exceeds the best sum; the bucket engine then finishes among these vertices.
 * Differs: windows instead of Spira's priority queue, all cores; unreached vertices pull once. If
 *   the array of records is full, or windows cost more than they save, all reached vertices enter
 *   the bucket engine with their whole rows: correct, and rare. Of a directed graph the pull reads
 *   the transposed CSR, whose rows are not sorted by weight.
 * Scratch: about 1.5 n records of 24 bytes and n queue entries; that of the bucket engine.
 * Prepare: one sort of all rows, 8 bytes per edge (16 for int64 and double), which belong to the
 *   graph. A CSR that is not marked symmetric is tested, as a matrix often stores both directions of
 *   every edge; only if it does not, the transposed CSR is made, which also belongs to the graph.
 * Work: the edges that matter, about a sixth of all in Kronecker and uniform graphs with weights
 *   1..255; some tens of windows, each with a scan of the records and two barriers per round.
 * Good at: small-world graphs with spread weights.
 * Bad at: graphs of large diameter, equal weights.
 */
#include "core/query/in_edges.h"
#include "cpu/sssp/typed.h"

enum { KNOB_WINDOW, KNOB_PULL };

typedef struct {
    double width; /* of a window */
    double delta; /* of the bucket engine's buckets */
    const void *rows;
} header;

static size_t scratch(const fri_job *job) {
    return fri_align_line(sizeof(header)) + fri_sssp_spira_window_bytes(job) +
           fri_sssp_finish_bytes(job);
}

/* A solver that reverses the graph has its in-edges. */
static bool has_in_edges(const fri_job *job) {
    return job->csr.symmetric || job->in.offsets != job->csr.offsets;
}

static size_t shared(const fri_job *job) {
    size_t bytes = fri_adjacency_share_bytes(job);
    if (job->csr.symmetric || fri_in_edges_found(job, job->derived))
        return bytes;
    return bytes + fri_csr_bytes(&job->csr) + fri_csr_transpose_bytes(job->ctx, &job->csr);
}

/* Sets job->in; in.symmetric: the rows serve as in-edges. */
static fr_status make_in_edges(fri_job *job) {
    if (has_in_edges(job))
        return FR_OK;
    fr_csr own; /* stays zero: the weights are the graph's */
    if (!fri_in_edges_found(job, job->derived)) {
        fr_status status = fri_csr_is_symmetric(job->ctx, &job->csr, &job->in.symmetric);
        if (status || job->in.symmetric)
            return status;
    }
    return fri_in_edges_take(job, job->derived, &own);
}

static fr_status prepare(fri_job *job) {
    header *h = job->scratch;
    fr_status status = fri_adjacency_share(job, &h->rows);
    if (!status)
        status = make_in_edges(job);
    /* few edges join the vertices left after the pull: few rounds matter more than order */
    h->delta = FRI_MAX(fri_sssp_bucket_width(job), job->weight_mean / 4);
    /* two edges of a vertex within a window are worth the scan of the records */
    h->width = 4 * job->weight_mean * (double)job->csr.n / (double)FRI_MAX(job->csr.m, 1);
    return status;
}

static fr_status run(fri_job *job) {
    const header *h = job->scratch;
    return fri_sssp_spira_window_run(job, h->rows, fri_job_knob(job, KNOB_WINDOW, h->width),
                                     h->delta, job->knob[KNOB_PULL],
                                     (char *)job->scratch + fri_align_line(sizeof *h));
}

static const fr_knob knobs[] = {
    {"window", FR_KNOB_AUTO, 1e-300, 1e300,
     "how far the bound moves at a time; default: a vertex has two edges within it on average"},
    {"pull", 1, 0, 1e9,
     "pull once the edges of unreached vertices are fewer than this times a window's cost"},
    {0}};

const fri_strategy fri_sssp_spira_window = {
    .name = "spira-window",
    .source = "Spira, SIAM J. Comput. 2(1), 1973; Chakaravarthy et al., IPDPS 2014",
    .text = "rows sorted by weight, pushed up to a moving bound; the rest is pulled",
    .problem = FR_PROBLEM_SSSP,
    .backend = FR_BACKEND_CPU,
    .needs = FRI_NEEDS_NON_NEGATIVE,
    .knobs = knobs,
    .scratch = scratch,
    .shared = shared,
    .prepare = prepare,
    .run = run,
};
