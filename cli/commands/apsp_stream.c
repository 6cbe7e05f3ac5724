/* fringe apsp --stream: computes the matrix in its memory-mapped .npy file, so that it need not
 * fit into GPU or host memory. After an interrupt the same command resumes. floyd-warshall (the
 * default if there is a GPU) computes all of it, one block of pivots after the other; the CPU
 * strategies compute some rows at a time.
 *
 * The matrix is computed in FILE.tmp, which becomes FILE when it is complete: until then an older FILE stays
 * as it is. FILE.part exists as long. It has the hash of the graph, the contents of FILE.tmp, and the
 * number of finished pivots or rows. It is written after the pages of FILE.tmp. */
#include "fringe_tune.h"
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/output_file.h"
#include "cli/io/progress.h"
#include "cli/io/result_sink.h"
#include "cli/traversal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t ROWS_BYTES = (size_t)256 << 20; /* computed between two updates of FILE.part */

typedef struct stream {
    session *x;
    const char *path;
    char *target; /* of path, if that is a link */
    char *matrix, *part, *part_new;
    char head[FR_NPY_HEADER_CAPACITY];
    size_t head_bytes, bytes; /* of FILE */
    char *map;
    bool by_rows;
    int64_t done, resumed; /* pivots, or rows */
    fr_solver *solver;
    fr_type type;
    int error; /* errno of writing FILE.part */
} stream;

static int complain(const char *path, const char *what) {
    return cli_fail(FR_DISK, "%s: %s: %s", path, what, strerror(errno));
}

static const char *unit(const stream *s) { return s->by_rows ? "rows" : "pivots"; }

static void describe(const stream *s, char *text, size_t capacity) {
    snprintf(text, capacity, "fringe apsp --stream 1\nhash %016" PRIx64 "\nn %d\ntype %s\n%s ",
             fr_graph_hash(s->x->graph), s->x->csr->n, fr_type_name(s->type), unit(s));
}

/* The progress in FILE.part; -1 if it is of another graph, type or strategy, 0 if there is none. */
static int64_t read_part(const stream *s) {
    char want[256], got[512];
    FILE *file = fopen(s->part, "r");
    if (!file)
        return 0;
    describe(s, want, sizeof want);
    size_t length = fread(got, 1, sizeof got - 1, file), head = strlen(want);
    long long done = -1;
    fclose(file);
    got[length] = 0;
    if (strncmp(got, want, head) != 0 || sscanf(got + head, "%lld", &done) != 1 || done < 0 ||
        done > s->x->csr->n)
        return -1;
    return done;
}

/* An fr_pivot_fn. */
static int keep_part(void *user, int64_t done, int64_t n) {
    stream *s = user;
    char text[256];
    (void)n;
    bool fine = msync(s->map, s->bytes, MS_SYNC) ==
                0; /* rows must be on disk before FILE.part counts them */
    FILE *file = fine ? fopen(s->part_new, "w") : NULL;
    describe(s, text, sizeof text);
    fine = file && fprintf(file, "%s%lld\n", text, (long long)done) > 0;
    if (file)
        fine = fclose(file) == 0 && fine;
    fine = fine && rename(s->part_new, s->part) == 0;
    s->error = fine ? 0 : errno;
    s->done = fine ? done : s->done;
    return !fine || progress_stopped();
}

static int map_file(stream *s) {
    struct stat info;
    if (stat(s->target, &info) == 0 && !S_ISREG(info.st_mode))
        return cli_fail(FR_DISK, "%s: is no regular file, which a matrix needs", s->path);
    s->done = read_part(s);
    if (s->done < 0)
        return cli_fail(FR_FORMAT,
                        "%s is of another graph, type or strategy; remove it to start again",
                        s->part);
    if (s->done && (stat(s->matrix, &info) || (size_t)info.st_size != s->bytes))
        return cli_fail(FR_FORMAT, "%s is not the file that %s was written for", s->matrix,
                        s->part);
    s->resumed = s->done;
    int fd = open(s->matrix, O_RDWR | O_CREAT | (s->done ? 0 : O_TRUNC), 0666);
    if (fd < 0)
        return complain(s->path, "cannot be written");
    if (stat(s->target, &info) == 0 && fchmod(fd, info.st_mode & 0777))
        errno = 0; /* not fatal: the new file then has default permissions */
    if (ftruncate(fd, (off_t)s->bytes) ||
        (errno = s->done ? 0 : posix_fallocate(fd, 0, (off_t)s->bytes))) {
        int code = complain(s->path, "not enough space for the matrix");
        close(fd);
        if (!s->done)
            unlink(s->matrix);
        return code;
    }
    s->map = mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (s->map == MAP_FAILED) {
        s->map = NULL;
        return complain(s->path, "cannot be mapped");
    }
    memcpy(s->map, s->head, s->head_bytes);
    return CLI_OK;
}

/* The default strategy that computes rows independently, by the weights. */
static const char *usual_strategy(const stream *s) {
    fr_graph_stats stats = {0};
    if (!s->by_rows)
        return "floyd-warshall";
    if (!s->x->csr->weights)
        return "multi-bfs";
    bool below = !fr_graph_compute_stats(s->x->ctx, s->x->graph, &stats) && stats.weight_min < 0;
    return below ? "johnson" : "multi-sssp";
}

static int64_t rows_at_once(const stream *s) {
    size_t row = ((size_t)s->x->csr->n + 1) * sizeof(double);
    int64_t rows = (int64_t)(ROWS_BYTES / row) + 1;
    return rows < s->x->csr->n ? rows : s->x->csr->n;
}

/* The requested strategy; NULL: none, or auto. */
static const char *asked_strategy(const settings *o) {
    return o->strategy && strcmp(o->strategy, "auto") != 0 ? o->strategy : NULL;
}

static fr_status try_solver(stream *s) {
    const settings *o = s->x->s;
    const char *asked = asked_strategy(o);
    fr_solver_options options = {.strategy = asked ? asked : usual_strategy(s),
                                 .backend = s->by_rows ? (fr_backend)o->backend : FR_BACKEND_CUDA,
                                 .knobs = o->knobs,
                                 .dist_type = (fr_type)o->dist_type,
                                 .record_levels = o->explain,
                                 .max_sources = s->by_rows ? (int32_t)rows_at_once(s) : 0,
                                 .in_place = !s->by_rows};
    fr_status status = fr_solver_new(s->x->ctx, s->x->graph, FR_PROBLEM_APSP, &options, &s->solver);
    return session_widens(s->x, status, s->x->csr->weight_type, &options)
               ? fr_solver_new(s->x->ctx, s->x->graph, FR_PROBLEM_APSP, &options, &s->solver)
               : status;
}

/* Falls back to the CPU if no GPU is usable and neither backend nor strategy was requested. */
static fr_status make_solver(stream *s) {
    const settings *o = s->x->s;
    fr_status status = try_solver(s);
    if (status != FR_NO_DEVICE || s->by_rows || asked_strategy(o) || o->backend != FR_BACKEND_ANY)
        return status;
    s->by_rows = true;
    return try_solver(s);
}

static int no_solver(const stream *s, fr_status status) {
    if (status != FR_NO_DEVICE)
        return cli_fail_ctx(s->x->ctx, status);
    return cli_fail(status, "%s; with --backend cpu and no --strategy the CPU streams",
                    cli_words(fr_ctx_error(s->x->ctx)));
}

static int shape_file(stream *s) {
    const int64_t n = s->x->csr->n;
    int64_t bytes;
    s->type = fr_solver_dist_type(s->solver);
    s->head_bytes = fr_npy_header(s->head, s->type, n, n);
    if (__builtin_mul_overflow(n * n, (int64_t)fr_type_size(s->type), &bytes) ||
        __builtin_add_overflow(bytes, (int64_t)s->head_bytes, &bytes))
        return cli_fail(FR_DISK, "%s: no file holds the matrix of %lld vertices", s->path,
                        (long long)n);
    s->bytes = (size_t)bytes;
    return CLI_OK;
}

static void report(const stream *s, const fr_stats *stats, bool verified) {
    const session *x = s->x;
    if (x->s->json) {
        json_t *o = json_head(x);
        json_set(o, "problem", json_string("apsp"));
        json_set(o, "strategy", json_string(stats->strategy));
        json_set(o, "dist_type", json_string(fr_type_name(s->type)));
        json_set(o, "rows", json_integer(x->csr->n));
        json_set(o, "resumed_at", json_integer(s->resumed));
        json_set(o, "prepare_ns", json_integer(stats->prepare_ns));
        json_set(o, "traverse_ns", json_integer(stats->traverse_ns));
        json_set(o, "verification", json_string(verified ? "right" : "not asked for"));
        outcome_object(o);
        return;
    }
    if (x->s->quiet)
        return;
    summary_graph(x);
    summary_line(x, "strategy", "%s, streamed", stats->strategy);
    if (s->resumed)
        summary_line(x, "resumed", "after %s %s", human_count(s->resumed).text, unit(s));
    summary_line(x, "time", "%s solving and writing, %s preparing",
                 human_ns((double)stats->traverse_ns).text,
                 human_ns((double)stats->prepare_ns).text);
    if (verified)
        summary_verified(x, "the answer is right");
    summary_line(x, "written", "%s", s->path);
}

/* After a failure keeps a file from which the command can resume, else nothing. */
static int failed(stream *s, const fr_result *result, fr_status status) {
    progress_clear();
    if (s->error) {
        errno = s->error;
        return complain(s->part, "cannot be written");
    }
    if (s->done && status != FR_NEGATIVE_CYCLE && status != FR_VERIFY_FAILED &&
        status != FR_OVERFLOW)
        return cli_fail(status, "%s: %s has %lld of %d %s; the same command resumes",
                        status == FR_CANCELLED ? "interrupted" : fr_ctx_error(s->x->ctx), s->matrix,
                        (long long)s->done, s->x->csr->n, unit(s));
    unlink(s->part);
    unlink(s->matrix);
    return session_fail(s->x, status, FR_PROBLEM_APSP, result);
}

/* Computes some rows at a time in place; out->stats has the totals. */
static fr_status solve_rows(stream *s, fr_result *out) {
    int64_t n = s->x->csr->n, max_rows = rows_at_once(s), traverse_ns = 0;
    int32_t *sources = cli_alloc((size_t)(max_rows + 1) * sizeof *sources);
    size_t row = (size_t)n * fr_type_size(s->type);
    fr_status status = FR_OK;
    for (int64_t first = s->done; first < n && !status; first = s->done) {
        int64_t count = n - first < max_rows ? n - first : max_rows;
        for (int64_t i = 0; i < count; i++)
            sources[i] = (int32_t)(first + i);
        fr_query query = {.sources = sources, .source_count = count};
        fr_result result = {.dist = s->map + s->head_bytes + (size_t)first * row};
        status = fr_solve(s->solver, &query, &result);
        traverse_ns += result.stats.traverse_ns;
        *out = result;
        out->stats.traverse_ns = traverse_ns;
        if (!status && keep_part(s, first + count, n))
            status = FR_CANCELLED;
    }
    free(sources);
    return status;
}

static int solve(stream *s) {
    const settings *o = s->x->s;
    fr_query query = {.floyd = {.pivot = keep_part, .pivot_user = s, .pivots_done = s->done}};
    fr_result result = {.dist = s->map + s->head_bytes};
    fr_status status = s->by_rows ? solve_rows(s, &result) : fr_solve(s->solver, &query, &result);
    query = (fr_query){0};
    bool verify = o->verify || o->verify_rows;
    if (!status && verify)
        status = fr_verify_apsp(s->x->ctx, s->x->graph, &query, false, s->map + s->head_bytes,
                                s->type, NULL, o->verify_rows, o->load.seed);
    if (status)
        return failed(s, &result, status);
    if (msync(s->map, s->bytes, MS_SYNC) || rename(s->matrix, s->target))
        return complain(s->path, "cannot be written");
    unlink(s->part);
    progress_clear();
    report(s, &result.stats, verify);
    return CLI_OK;
}

static int stream_matrix(stream *s) {
    fr_status status = make_solver(s);
    if (status)
        return no_solver(s, status);
    s->x->ran_on = fr_solver_backend(s->solver);
    int code = shape_file(s);
    if (code)
        return code;
    s->target = output_file_target(s->path);
    if (!s->target)
        return complain(s->path, "cannot be written");
    s->matrix = cli_format("%s.tmp", s->target);
    s->part = cli_format("%s.part", s->target);
    s->part_new = cli_format("%s.part.new", s->target);
    code = map_file(s);
    return code ? code : solve(s);
}

/* A build without CUDA has no such strategy. */
static bool has_gpu_strategy(void) {
    fr_strategy_info strategy = {0};
    for (int i = 0; fr_strategy_get(i, &strategy); i++)
        if (strategy.problem == FR_PROBLEM_APSP && strategy.backend == FR_BACKEND_CUDA)
            return true;
    return false;
}

static bool is_floyd(const settings *o) {
    const char *asked = asked_strategy(o);
    return asked && strcmp(asked, "floyd-warshall") == 0;
}

static bool goes_by_rows(const settings *o) {
    const char *asked = asked_strategy(o);
    return o->backend == FR_BACKEND_CPU || (asked && !is_floyd(o)) ||
           (!asked && o->backend == FR_BACKEND_ANY && !has_gpu_strategy());
}

static int run(session *x) {
    stream s = {.x = x, .path = x->s->out, .by_rows = goes_by_rows(x->s)};
    int code = stream_matrix(&s);
    if (s.map)
        munmap(s.map, s.bytes);
    fr_solver_free(s.solver);
    free(s.target);
    free(s.matrix);
    free(s.part);
    free(s.part_new);
    return code;
}

int cmd_stream(const settings *o) {
    if (!o->out || strcmp(o->out, "-") == 0 || !result_is(o, "npy"))
        return cli_usage("--stream computes the matrix in a NumPy file, which needs -o FILE.npy");
    if (names_sources(o) || o->random_sources || names_targets(o) || o->counters)
        return cli_usage("--stream computes all rows and columns, without counters");
    if (o->devices)
        return cli_usage("--stream computes on one GPU: use --device instead of --devices");
    if (o->closed_vertices || o->closed_edges || o->max_distance >= 0 || o->parent_column)
        return cli_usage("--stream computes the distances of all pairs, without --max-distance, "
                         "--parents, --closed-vertices and --closed-edges");
    if (o->reverse)
        return cli_usage("--stream and --reverse exclude each other: the columns of FILE.npy have "
                         "the distances to a vertex");
    if (is_floyd(o) && goes_by_rows(o))
        return cli_usage("--stream: floyd-warshall streams only on a GPU; on the CPU multi-sssp, "
                         "johnson and multi-bfs compute some rows at a time");
    return session_run(o, run);
}
