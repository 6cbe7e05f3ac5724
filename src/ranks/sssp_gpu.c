/* SSSP on ranks with a GPU each, for non-negative weights: the rounds. The kernels are in cuda/ranks.
 *
 * Source: the piles and windows of A. Davidson, S. Baxter, M. Garland, J. Owens: Work-efficient parallel GPU
 *   methods for single-source shortest paths, IPDPS 2014; the adaptive window and the pulls are from
 *   SSSP `auto` on one GPU (cuda/sssp/auto).
 * Idea: as ranks/typed/sssp.c: a round publishes the distances below a bound, which all ranks relax over the edges
 *   to their own vertices. A rank's message has its record and a short list; only longer lists need a second
 *   exchange. All ranks choose the next step from the same records. The bound moves while the last vertices
 *   below it are relaxed, so that a window needs no exchange of its own. Once many vertices are lowered and
 *   not relaxed on a graph of long rows, ranks exchange all distances instead, and each vertex searches its
 *   in-edges, sorted by weight, as far as they can lower it.
 * Differs from one GPU: a round costs an exchange and a wait of the host, so a window aims at more
 *   vertices.
 * Bytes that a rank receives per round, of P ranks: (P - 1) 4096, and (P - 1) 12 L if the longest list has more
 *   than 336 entries, L its length rounded up to a multiple of 32; before a pull instead (P - 1) 8 share. The step
 *   "recover" sends messages once more.
 * Good at: graphs of few rounds that one GPU does not hold. Bad at: road networks. */
#include "ranks/sssp.h"

#ifdef FRI_CUDA_ALL

/* PULL_DEGREE: the mean degree from which on a graph is pulled. */
#ifdef FRI_SIMT /* so that small graphs are */
enum { PULL_DEGREE = 6 };
#else
enum { PULL_DEGREE = 24 };
#endif
enum { MAX_PULLS = 10 };
/* The first pull begins when the edges relaxed exceed m / FIRST_PULL or the near vertices' edges m / PULL; others
 * follow while the near vertices' edges do. */
enum { FIRST_PULL = 4, PULL = 8 };
/* A round of fewer vertices (per GPU, and at most n / 64) and edges (m / 256) than these takes the time of an exchange,
 * so the bound moves in it; a window that gives LARGE times as many vertices was too wide. */
enum {
    SMALL = 1 << 15,
    SMALL_PART = 64,
    SMALL_EDGES = 1 << 20,
    SMALL_EDGES_PART = 256,
    LARGE = 32
};
/* The first window in mean weights / mean degree: as SSSP `auto` where hubs have most edges. */
#define FIRST_WIDTH 0.25

typedef struct sssp {
    fr_part_solver *s;
    const fr_part *p;
    fr_type type; /* of the weights */
    int64_t inf, bound;
    double width;
    int64_t near, longest; /* vertices in lists; the longest list of a rank */
    int64_t near_min, far_min, near_edges;
    fri_sssp_record *records; /* [ranks] */
    int pulls;
    bool pulls_next, moved; /* of the next step; whether the bound moved in the last one */
} sssp;

/* ---- decisions, the same on all ranks ----------------------------------------------------------- */

static bool is_over(const sssp *x) { return !x->near && x->far_min == x->inf; }

static bool chooses_pull(const sssp *x) {
    const int64_t m = x->p->m, begun = x->pulls ? 0 : x->s->examined + x->near_edges;
    return x->s->pulls && !is_over(x) && x->pulls < MAX_PULLS &&
           (x->near_edges > m / PULL || begun > m / FIRST_PULL);
}

/* The bound of the next relaxation. It moves if few vertices are left below it, twice as far if it has just
 * moved, and half as far after a window with too many vertices. */
static bool move_bound(sssp *x) {
    const fr_part *p = x->p;
    const int64_t ranks = p->world->size, small = FRI_MIN(SMALL * ranks, p->n / SMALL_PART),
                  small_edges = FRI_MIN(SMALL_EDGES * ranks, p->m / SMALL_EDGES_PART);
    const bool is_small = !x->near || (x->near < small && x->near_edges <= small_edges),
               moves = is_small && x->far_min != x->inf;
    if (moves) {
        x->width *= x->moved ? 2 : 1;
        const int64_t width = fri_part_sssp_width(x->p, x->width);
        /* it exceeds far_min even if adding the width does not change the double */
        x->bound = FRI_MAX(fri_dist_plus(x->type, x->far_min, width), x->far_min + 1);
    } else if (x->moved && x->near > small * LARGE)
        x->width /= 2;
    x->moved = moves;
    return moves;
}

/* ---- rounds -------------------------------------------------------------------------------------- */

/* Takes the sums of all ranks from the records. */
static fr_status take_records(sssp *x, fr_status mine) {
    fr_part_solver *s = x->s;
    fr_world *w = x->p->world;
    fri_level_report sum;
    x->longest = x->near_edges = 0;
    x->near_min = x->far_min = x->inf;
    for (int r = 0; r < w->size; r++) {
        const fri_sssp_record *record = &x->records[r];
        s->reports[r] = record->level;
        x->near_edges += record->near_edges;
        x->longest = FRI_MAX(x->longest, record->level.count);
        x->near_min = FRI_MIN(x->near_min, record->near_min);
        x->far_min = FRI_MIN(x->far_min, record->level.edges);
    }
    fr_status status = fri_part_sum_reports(s, mine, &sum);
    x->near = sum.count;
    return status;
}

static bool has_lost(const sssp *x) {
    bool lost = false;
    for (int r = 0; r < x->p->world->size; r++)
        lost |= x->records[r].lost != 0;
    return lost;
}

static fr_status exchange_messages(sssp *x) {
    fr_part_solver *s = x->s;
    fr_status mine = fri_progress(s->ctx, "traversing", s->rounds, 0);
    fr_status status = fri_gpu_part_sssp_exchange(s->gpu, mine, x->records);
    if (status)
        return fri_world_leave_gpus(x->p->world, status);
    x->p->world->bytes_received += fri_gpu_part_sssp_message_bytes(x->p);
    return take_records(x, mine);
}

/* What the next step reads. */
static fr_status publish(sssp *x) {
    fr_part_solver *s = x->s;
    fr_world *w = x->p->world;
    fr_status status = x->pulls_next ? fri_gpu_part_sssp_send_distances(s->gpu)
                                     : fri_gpu_part_sssp_send_lists(s->gpu, x->longest);
    if (status)
        return fri_world_leave_gpus(w, status);
    w->bytes_received += x->pulls_next ? fri_gpu_part_sssp_distance_bytes(x->p)
                                       : fri_gpu_part_sssp_list_bytes(x->p, x->longest);
    return FR_OK;
}

static fr_status end_round(sssp *x, const char *method) {
    fr_part_solver *s = x->s;
    fr_status status = exchange_messages(x);
    if (!status && has_lost(x)) {
        fri_part_record(s, method, false, 0);
        method = "recover";
        status = fri_gpu_part_sssp_recover(s->gpu);
        status = status ? fri_world_leave_gpus(x->p->world, status) : exchange_messages(x);
    }
    if (status)
        return status;
    x->pulls_next = chooses_pull(x);
    status = publish(x);
    fri_part_record(s, method, x->pulls_next, x->near);
    return status;
}

/* A pull has all that was lowered relaxed, so every vertex that it lowers is near. After the last one, windows
 * continue from there. */
static fr_status pull(sssp *x) {
    const int64_t lower_bound = FRI_MIN(x->near_min, x->far_min);
    const int64_t width = fri_part_sssp_width(x->p, x->width);
    x->bound = ++x->pulls < MAX_PULLS
                   ? x->inf
                   : FRI_MAX(fri_dist_plus(x->type, lower_bound, width), lower_bound + 1);
    x->moved = false;
    return fri_gpu_part_sssp_pull(x->s->gpu, lower_bound, x->bound);
}

static fr_status step(sssp *x) {
    fr_part_solver *s = x->s;
    const bool pulls = x->pulls_next;
    const char *method = "pull";
    fr_status status;
    s->rounds += pulls || x->near;
    if (pulls)
        status = pull(x);
    else {
        const bool moves = move_bound(x);
        method = moves ? "window" : "relax";
        status = fri_gpu_part_sssp_relax(s->gpu, x->bound, moves);
    }
    return status ? fri_world_leave_gpus(x->p->world, status) : end_round(x, method);
}

static fr_status run(fr_part_solver *s, const fr_part_query *query) {
    const fr_part *p = s->part;
    const fr_type type = p->push->csr.weight_type;
    const double degree = FRI_MAX((double)p->m / (double)FRI_MAX(p->n, 1), 1.0);
    sssp x = {.s = s,
              .p = p,
              .type = type,
              .inf = fri_dist_inf(type),
              .width = FIRST_WIDTH * s->mean_weight / degree,
              .records = s->gpu_records};
    if (x.width <= 0 || (!fri_dist_is_real(type) && x.width < 1))
        x.width = 1;
    fr_status status = fri_gpu_part_sssp_begin(s->gpu, query->sources, query->source_count);
    x.bound = fri_part_sssp_width(p, x.width);
    status = status ? fri_world_leave_gpus(p->world, status) : end_round(&x, "source");
    for (int64_t steps = 0; !status && !is_over(&x); steps++) {
        status = fri_part_check_steps(s, "rounds", steps, fri_part_sssp_most_rounds(p));
        if (!status)
            status = step(&x);
    }
    return status;
}

/* ---- the solver's functions ---------------------------------------------------------------------- */

static fr_status download(fr_part_solver *s) {
    return fri_world_leave_gpus(s->part->world,
                                fri_gpu_part_sssp_download(s->gpu, s->dist, s->parent));
}

/* The host's copy of sorted rows is needed for the upload only. */
static fr_status make_part(fr_part_solver *s) {
    fr_status status = FR_OK;
    if (s->pulls)
        status = fri_part_sssp_sort_in_edges(s, &s->pull_edges);
    if (!status)
        status = fri_gpu_part_sssp_new(s, &s->gpu);
    fri_free(s->pull_edges);
    s->pull_edges = NULL;
    return status;
}

static fr_status prepare(fr_part_solver *s) {
    const fr_part *p = s->part;
    fr_status status = fri_part_sssp_prepare(s);
    if (status)
        return status;
    s->pulls = p->push->csr.weights && p->m >= PULL_DEGREE * p->n;
    s->gpu_records = fri_alloc(s->ctx, fri_bytes(p->world->size, sizeof *s->gpu_records));
    return fri_world_agree(p->world, s->gpu_records ? make_part(s) : FR_NOMEM);
}

static void free_part(fr_part_solver *s) {
    fri_gpu_part_free(s->gpu);
    fri_free(s->gpu_records);
}

const fri_part_method fri_part_sssp_gpu = {
    .prepare = prepare, .run = run, .finish = download, .free = free_part};

#endif
