#include "session.h"

#include "cli/args/suggest.h"
#include "cli/io/json.h"
#include "cli/io/output_file.h"
#include "cli/io/progress.h"
#include "cli/io/vertex.h"
#include "cli/ranks/ranks.h"
#include "random.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int64_t cli_now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- --devices: the GPUs of this host among which a command divides its work ------------------ */

static int all_devices(int list[DEVICE_LIST_MAX], int *count) {
    fr_ctx *ctx = NULL;
    fr_status status = fr_ctx_new(NULL, &ctx);
    if (!status)
        status = fr_device_count(ctx, count);
    if (!status && *count > DEVICE_LIST_MAX)
        *count = DEVICE_LIST_MAX;
    for (int i = 0; !status && i < *count; i++)
        list[i] = i;
    const int code = status ? cli_fail_ctx(ctx, status) : CLI_OK;
    fr_ctx_free(ctx);
    return code;
}

int device_list(const char *text, int list[DEVICE_LIST_MAX], int *count) {
    *count = 0;
    if (strcmp(text, "all") == 0)
        return all_devices(list, count);
    for (const char *at = text;; at++) {
        char *end;
        errno = 0;
        const long device = strtol(at, &end, 10);
        if (end == at || errno || device < 0 || device > 1024 || (*end && *end != ','))
            return cli_usage("--devices is 'all' or numbers of GPUs, as in 0,1, not '%s'", text);
        for (int i = 0; i < *count; i++)
            if (list[i] == device)
                return cli_usage("--devices names GPU %ld twice", device);
        if (*count == DEVICE_LIST_MAX)
            return cli_usage("--devices takes at most %d GPUs", DEVICE_LIST_MAX);
        list[(*count)++] = (int)device;
        at = end;
        if (!*at)
            return CLI_OK;
    }
}

/* ---- the context and the graph ---------------------------------------------------------------- */

/* A file is replaced by renaming, so its folder must be writable. */
int session_check_output(const char *path) {
    struct stat there;
    bool exists = stat(path, &there) == 0;
    if (exists && S_ISDIR(there.st_mode))
        return cli_fail(FR_DISK, "%s: is a directory", path);
    if (exists && !S_ISREG(there.st_mode))
        return access(path, W_OK) ? cli_fail(FR_DISK, "%s: cannot be written: %m", path) : CLI_OK;
    char *folder = output_file_target(path), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[slash == folder] = '\0';
    int code = !folder || access(slash ? folder : ".", W_OK)
                   ? cli_fail(FR_DISK, "%s: cannot be written: %m", path)
                   : CLI_OK;
    free(folder);
    return code;
}

/* A result in place of the graph is a mistake; a graph in its place (convert) may be wanted. */
static int check_other_file(const settings *s) {
    struct stat graph, out;
    const bool same = s->arg_count > 0 && s->command->run != cmd_convert &&
                      stat(s->args[0], &graph) == 0 && stat(s->out, &out) == 0 &&
                      S_ISREG(out.st_mode) && graph.st_dev == out.st_dev &&
                      graph.st_ino == out.st_ino;
    return same ? cli_usage("-o %s is the graph itself, which the result would replace", s->out)
                : CLI_OK;
}

int session_fail_ctx(const session *x, fr_status status) {
    int code = cli_fail_ctx(x->ctx, status);
    if (x->ranks && status == FR_RANK)
        fr_world_abort(x->ranks->world, code);
    return code;
}

const char *session_name(const session *x) {
    if (!x->ranks)
        return fr_graph_name(x->graph);
    return x->s->arg_count ? x->s->args[0] : "the generated graph";
}

bool session_undirected(const session *x) {
    return x->ranks ? x->csr->symmetric : fr_graph_is_undirected(x->graph);
}

int session_begin(session *x, const settings *s) {
    *x = (session){.s = s, .summary_out = stdout};
    int code = s->ranks ? ranks_check(s) : CLI_OK;
    if (code)
        return code;
    if (s->out && strcmp(s->out, "-") == 0)
        x->summary_out = stderr;
    if (s->out && strcmp(s->out, "-") == 0 && s->json)
        return cli_usage("--json and '-o -' both want standard output");
    /* ranks write together: rank 0 reports a failure to all */
    const bool writes = s->out && strcmp(s->out, "-") != 0 && !s->ranks;
    code = writes ? session_check_output(s->out) : CLI_OK;
    if (!code && writes)
        code = check_other_file(s);
    if (code)
        return code;
    if (s->out && strcmp(s->out, "-") != 0)
        progress_guard_output(s->out);
    if (s->quiet || s->json)
        progress_quiet();
    int devices[DEVICE_LIST_MAX], device_count = 0;
    if (s->devices && s->device)
        return cli_usage("--device and --devices exclude each other");
    if (s->devices && s->backend == FR_BACKEND_CPU)
        return cli_usage("--devices names GPUs, which --backend cpu does not use");
    code = s->devices ? device_list(s->devices, devices, &device_count) : CLI_OK;
    if (code)
        return code;
    fr_ctx_options options = {.max_memory_bytes = (size_t)s->max_memory,
                              .max_gpu_bytes = (size_t)s->max_gpu_memory,
                              .device = s->device,
                              .devices = devices,
                              .device_count = device_count,
                              .progress = progress_report};
    fr_status status = fr_ctx_new(&options, &x->ctx);
    if (!status && s->threads) /* set here: the context has the reason of a failure */
        status = fr_ctx_set_threads(x->ctx, s->threads);
    if (!status && s->backend == FR_BACKEND_CUDA && !s->ranks) /* ranks choose a GPU each */
        (void)fr_ctx_open_device(x->ctx); /* while the graph is read; the solver reports failures */
    if (status)
        return cli_fail_ctx(x->ctx, status);
    return s->ranks ? ranks_open(x) : CLI_OK;
}

fr_solver_options session_solver_options(const settings *s) {
    return (fr_solver_options){.strategy = s->strategy,
                               .backend = settings_backend(s),
                               .knobs = s->knobs,
                               .dist_type = (fr_type)s->dist_type,
                               .reverse = s->reverse,
                               .record_levels = s->explain,
                               .counters = s->counters};
}

/* "kroneker:scale=20": a name that is no file's may be a description. */
static int no_such_file(const char *graph, fr_status status) {
    size_t name = strspn(graph, "abcdefghijklmnopqrstuvwxyz0123456789-");
    struct stat there;
    if (status != FR_NOT_FOUND || graph[name] != ':' || stat(graph, &there) == 0)
        return CLI_OK;
    char *word = cli_format("%.*s", (int)name, graph);
    int code = cli_fail(
        FR_NOT_FOUND,
        "%s: there is no such file, and no generator '%s'%s; 'fringe list generators' lists all",
        graph, word, did_you_mean(word, generator_name_at, NULL, "").text);
    free(word);
    return code;
}

static bool is_description(const char *text) {
    size_t length = strcspn(text, ":");
    for (int i = 0; fr_generator_name(i); i++)
        if (strlen(fr_generator_name(i)) == length &&
            strncmp(fr_generator_name(i), text, length) == 0)
            return true;
    return false;
}

bool session_is_generated(const char *graph) {
    struct stat there;
    return stat(graph, &there) != 0 && is_description(graph);
}

int session_load(session *x, const char *graph) {
    int64_t begin = cli_now_ns();
    bool generate = x->generated = session_is_generated(graph);
    const fr_load_options *load = &x->s->load;
    if (x->ranks)
        return ranks_load(x, graph, load);
    if (load->cache && strcmp(graph, "-") == 0)
        return cli_usage("--cache keeps a copy next to a file, which standard input does not have");
    bool chooses = load->source_column || load->target_column || load->weight_column || load->ids ||
                   load->separator || load->decimal;
    if (generate && (load->format || chooses || load->cache))
        return cli_usage("'%s' is generated: --input-format, --ids, columns, --separator, "
                         "--decimal and --cache need a file",
                         graph);
    if (load->cache && !generate) {
        char *copy = cli_format("%s.fringe-cache", graph);
        progress_guard_output(copy);
        free(copy);
    }
    fr_status status = generate ? fr_graph_generate(x->ctx, graph, load, &x->graph)
                                : fr_graph_load(x->ctx, graph, load, &x->graph);
    x->load_ns = cli_now_ns() - begin;
    progress_clear();
    x->cached = !status && load->cache && !*fr_ctx_error(x->ctx);
    if (!status && load->cache && !x->s->quiet && !x->cached)
        fprintf(stderr, "fringe: no copy is kept: %s\n", cli_words(fr_ctx_error(x->ctx)));
    /* The commands read the rows of a binary file directly. */
    if (!status)
        status = fr_graph_check(x->ctx, x->graph);
    if (status) {
        int code = no_such_file(graph, status);
        return code ? code : cli_fail_ctx(x->ctx, status);
    }
    x->csr = fr_graph_csr(x->graph);
    if (!x->s->quiet && fr_graph_warning(x->graph))
        fprintf(stderr, "fringe: %s: %s\n", fr_graph_name(x->graph),
                cli_words(fr_graph_warning(x->graph)));
    hint_names(x);
    return CLI_OK;
}

int session_open(session *x, const settings *s, const char *graph) {
    int code = session_begin(x, s);
    if (!code)
        code = session_load(x, graph);
    if (!code)
        code = places_load(x);
    return code ? code : closed_sets_read(&x->closed, x);
}

int32_t session_cycle_vertex(const session *x, const fr_result *r, int32_t i) {
    return r->cycle[x->s->reverse ? (r->cycle_length - i) % r->cycle_length : i];
}

fr_status session_traversed(session *x, const fr_graph **graph, fr_query *query) {
    fr_status status = FR_OK;
    if (x->s->reverse && !x->transposed)
        status = fr_graph_transpose(x->ctx, x->graph, &x->transposed);
    *graph = x->s->reverse ? x->transposed : x->graph;
    if (!status)
        closed_sets_use(&x->closed, x->transposed, query);
    return status;
}

bool session_widens(session *x, fr_status status, fr_type used, fr_solver_options *options) {
    if (status != FR_OVERFLOW || options->dist_type)
        return false;
    used = used ? used : FR_TYPE_I32;
    options->dist_type = fr_type_wider(used);
    x->overflowed = options->dist_type ? used : FR_TYPE_NONE;
    return options->dist_type != FR_TYPE_NONE;
}

void session_end(session *x) {
    closed_sets_free(&x->closed);
    free(x->place);
    free(x->sources);
    free(x->targets);
    fr_graph_free(x->transposed);
    fr_graph_free(x->graph);
    ranks_close(x);
    fr_ctx_free(x->ctx);
    x->graph = x->transposed = NULL;
    x->ctx = NULL;
}

static int no_vertex(const session *x, const char *what, const char *word) {
    const char *name = session_name(x);
    if (x->ranks)
        return cli_fail(FR_NOT_FOUND, "%s: no vertex has the id %s (%s)", name, word, what);
    if (x->csr->n == 0)
        return cli_fail(FR_NOT_FOUND, "%s: %s %s: the graph has no vertices", name, what, word);
    return cli_fail(FR_NOT_FOUND, "%s: %s %s: no vertex has this id (ids go from %lld to %lld)",
                    name, what, word, (long long)fr_graph_id(x->graph, 0),
                    (long long)fr_graph_id(x->graph, x->csr->n - 1));
}

/* The vertex with this name or, without names, with this id. */
static int find_vertex(const session *x, const char *what, const char *word, int32_t *out) {
    if ((x->place || x->ranks || !has_names(x->graph)) && id_list_point(word))
        return places_find(x, word, out);
    if (!x->ranks && has_names(x->graph)) {
        fr_status status = fr_graph_find_vertex(x->ctx, x->graph, word, out);
        return status ? cli_fail_ctx(x->ctx, status) : CLI_OK;
    }
    int64_t id;
    if (*word == '@')
        return cli_usage("--%s takes ID[,ID...] and points @X,Y, not '%s'", what, word);
    if (!id_read(word, &id))
        return cli_usage("--%s takes ID[,ID...], not '%s': this graph's ids are 64-bit integers; "
                         "names of an edge list are read with --ids strings",
                         what, word);
    *out = x->ranks ? (int32_t)fr_part_vertex(x->ranks->part, id) : fr_graph_vertex(x->graph, id);
    return *out < 0 ? no_vertex(x, what, word) : CLI_OK;
}

int session_vertices(const session *x, const char *what, const id_list *list, int32_t **out) {
    *out = cli_alloc((size_t)list->count * sizeof **out);
    int code = CLI_OK;
    for (int64_t i = 0; i < list->count && !code; i++)
        code = find_vertex(x, what, list->words[i], *out + i);
    return code;
}

typedef struct draw {
    int64_t rank, place; /* the place-th draw is the rank-th of the candidates */
} draw;

static int by_rank(const void *a, const void *b) {
    const draw *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Draws `count` different ranks below `limit`, sorted: draws, removes duplicates, draws again. */
static void draw_ranks(draw *draws, int64_t count, int64_t limit, uint64_t seed) {
    uint64_t state = seed;
    int64_t have = 0, place = 0;
    while (have < count) {
        for (int64_t i = have; i < count; i++)
            draws[i] = (draw){(int64_t)(random_next(&state) % (uint64_t)limit), place++};
        qsort(draws, (size_t)count, sizeof *draws, by_rank);
        have = 0;
        for (int64_t i = 0; i < count; i++)
            if (have == 0 || draws[have - 1].rank != draws[i].rank)
                draws[have++] = draws[i];
    }
}

static int by_place(const void *a, const void *b) {
    const draw *x = a, *y = b;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* *count becomes 0 if no vertex has an edge to another. */
static void draw_sources(const session *x, int64_t *count, int32_t **out) {
    const fr_csr *csr = x->csr;
    int64_t candidates = 0;
    for (int32_t v = 0; v < csr->n; v++)
        candidates += leads_elsewhere(csr, v);
    if (*count > candidates)
        *count = candidates;
    if (!*count)
        return;
    draw *draws = cli_alloc((size_t)*count * sizeof *draws);
    draw_ranks(draws, *count, candidates, x->s->load.seed);
    int64_t rank = 0, next = 0;
    for (int32_t v = 0; v < csr->n && next < *count; v++)
        if (leads_elsewhere(csr, v) && rank++ == draws[next].rank)
            draws[next++].rank = v;
    qsort(draws, (size_t)*count, sizeof *draws, by_place);
    *out = cli_alloc((size_t)*count * sizeof **out);
    for (int64_t i = 0; i < *count; i++)
        (*out)[i] = (int32_t)draws[i].rank;
    free(draws);
}

int session_random_sources(const session *x, int64_t *count, int32_t **out) {
    fr_status status = FR_OK;
    if (x->ranks)
        status = ranks_random_sources(x, count, out);
    else
        draw_sources(x, count, out);
    if (status)
        return session_fail_ctx(x, status);
    return *count ? CLI_OK
                  : cli_fail(FR_NOT_FOUND, "%s: no vertex has an edge to another vertex",
                             session_name(x));
}

/* The vertices of the list, or of the file, if one is given. */
static int named_vertices(const session *x, const char *what, const id_list *list, const char *file,
                          int32_t **out, int64_t *count) {
    id_list read = {0};
    *count = list->count;
    if (!file)
        return list->count ? session_vertices(x, what, list, out) : CLI_OK;
    int code = id_file_read(file, x->graph, "VERTEX", 1, &read);
    if (!code && !read.count)
        code = cli_fail(FR_FORMAT, "%s: the file of %ss is empty", file, what);
    if (!code)
        code = id_file_vertices(x, &read, out);
    *count = read.count;
    id_list_free(&read);
    return code;
}

static int find_query_vertices(session *x) {
    const settings *s = x->s;
    int code =
        named_vertices(x, "source", &s->sources, s->sources_file, &x->sources, &x->source_count);
    if (!code && s->random_sources) {
        x->source_count = s->random_sources;
        code = session_random_sources(x, &x->source_count, &x->sources);
    }
    if (!code)
        code = named_vertices(x, "target", &s->targets, s->targets_file, &x->targets,
                              &x->target_count);
    if (!code)
        hint_sources(x);
    return code;
}

/* Lists and files exclude each other, and one input can be read once. */
static int check_query_files(const settings *s) {
    const char *files[] = {s->arg_count ? s->args[0] : NULL, s->sources_file, s->targets_file,
                           s->pairs};
    int inputs = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        inputs += files[i] && strcmp(files[i], "-") == 0;
    if (inputs > 1)
        return cli_usage("only one file can be '-', standard input");
    if (s->sources_file && (s->sources.count || s->random_sources))
        return cli_usage("--sources-file excludes -s and --sources");
    if (s->targets_file && s->targets.count)
        return cli_usage("--targets-file and -t exclude each other");
    return CLI_OK;
}

int session_run(const settings *s, int (*body)(session *x)) {
    session x;
    int code = check_query_files(s);
    if (code)
        return code;
    code = session_open(&x, s, s->args[0]);
    if (!code)
        code = find_query_vertices(&x);
    if (!code)
        code = body(&x);
    session_end(&x);
    return code;
}

int cycle_fail(const session *x, const fr_result *r, bool reachable) {
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        cli_no_memory();
    for (int32_t i = 0; i < r->cycle_length; i++)
        fprintf(out, "%s -> ", VERTEX_TEXT(x->graph, session_cycle_vertex(x, r, i)));
    fprintf(out, "%s%s", VERTEX_TEXT(x->graph, r->cycle[0]),
            x->csr->symmetric && r->cycle_length > 1
                ? " (an undirected negative edge is such a cycle, in both directions)"
                : "");
    fclose(out);
    int code = cli_fail(FR_NEGATIVE_CYCLE,
                        reachable ? "%s: a cycle of weight %.17g is reachable: %s"
                                  : "%s: there is a cycle of weight %.17g: %s",
                        fr_graph_name(x->graph), r->cycle_weight, text);
    free(text);
    return code;
}

int session_fail(const session *x, fr_status status, fr_problem problem, const fr_result *r) {
    progress_clear();
    if (status == FR_VERIFY_FAILED)
        return cli_fail(status, "%s: wrong answer: %s", fr_graph_name(x->graph),
                        fr_ctx_error(x->ctx));
    if (status != FR_NEGATIVE_CYCLE)
        return cli_fail_ctx(x->ctx, status);
    if (x->s->json)
        json_negative_cycle(x, problem, r);
    return cycle_fail(x, r, true);
}
