/* Writes a result to one file: every rank formats a range of vertices and writes it at its offset.
 *
 * Rank 0 creates a temporary file and renames it; the others open it by name, so all must see the
 * same folder. The files equal fr_result_write's (graph/write/result_write.c) byte for byte. */
#include "base/sized.h"
#include "io/atomic_file.h"
#include "io/results/npy_header.h"
#include "io/results/result_rows.h"
#include "io/results/value_text.h"
#include "ranks/part/part.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 4096 };

typedef struct answer {
    const fr_part *p;
    bool bfs;
    int64_t first, count; /* of this rank */
    void *value;
    int64_t *parent;   /* [count], as value */
    fri_values values; /* value as text */
    const char *none;  /* the text and the id of no parent */
    int64_t none_id;
} answer;

/* ---- formatting ---------------------------------------------------------------------------- */

static void put_tsv_head(const answer *a, fri_row_output *out) {
    const char *head = a->bfs ? "vertex\tlevel\tparent\n" : "vertex\tdistance\tparent\n";
    fri_row_output_put(out, head, strlen(head));
}

/* A fri_put_rows_fn, as put_npy. */
static char *put_tsv(const void *user, int64_t first, int64_t last, char *at) {
    const answer *a = user;
    for (int64_t k = first; k < last; k++) {
        at = fri_put_int64(at, fr_part_id(a->p, a->first + k));
        *at++ = '\t';
        at = fri_put_value(&a->values, k, at);
        *at++ = '\t';
        at = a->parent[k] < 0 ? stpcpy(at, a->none)
                              : fri_put_int64(at, fr_part_id(a->p, a->parent[k]));
        *at++ = '\n';
    }
    return at;
}

static void put_npy_head(const answer *a, fri_row_output *out) {
    char head[FRI_NPY_HEADER_CAPACITY], descr[96];
    snprintf(descr, sizeof descr, "[('vertex', '<i8'), ('%s', '%s'), ('parent', '<i8')]",
             a->bfs ? "level" : "distance", fri_npy_type(a->values.type));
    fri_row_output_put(out, head, fri_npy_header(head, descr, a->p->n, -1));
}

static char *put_npy(const void *user, int64_t first, int64_t last, char *at) {
    const answer *a = user;
    const size_t size = fr_type_size(a->values.type);
    for (int64_t k = first; k < last; k++) {
        const int64_t id = fr_part_id(a->p, a->first + k);
        const int64_t parent = a->parent[k] < 0 ? a->none_id : fr_part_id(a->p, a->parent[k]);
        at = mempcpy(at, &id, sizeof id);
        at = mempcpy(at, (const char *)a->value + (size_t)k * size, size);
        at = mempcpy(at, &parent, sizeof parent);
    }
    return at;
}

typedef struct file_format {
    const char *name;
    void (*put_head)(const answer *a, fri_row_output *out);
    fri_put_rows_fn put;
} file_format;
static const file_format formats[] = {
    {"tsv", put_tsv_head, put_tsv}, {"npy", put_npy_head, put_npy}, {0}};

static fr_status find_format(fr_ctx *ctx, const char *asked, const char *path,
                             const file_format **out) {
    const char *name = fr_result_format_choose(asked, path);
    for (const file_format *f = formats; name && f->name; f++)
        if (strcmp(f->name, name) == 0)
            *out = f;
    return *out ? FR_OK : fri_fail(ctx, FR_INVALID, "ranks write tsv or npy, not '%.40s'", asked);
}

/* Formats this rank's range. The caller frees text->bytes. */
static fr_status format_answer(const answer *a, const file_format *f, fri_row_output *text) {
    const fri_result_rows rows = {a->count, 3 * FR_NUMBER_CAPACITY + 3, f->put, a};
    if (a->p->world->rank == 0)
        f->put_head(a, text);
    fri_write_result_rows(text, &rows);
    fri_row_output_end(text, true);
    return text->status;
}

/* ---- the file ------------------------------------------------------------------------------ */

static fr_status write_at(fr_ctx *ctx, const char *path, int fd, const char *text, size_t bytes,
                          int64_t at) {
    while (bytes) {
        ssize_t done = pwrite(fd, text, bytes, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return fri_atomic_file_error(ctx, path, "writing");
        text += done;
        bytes -= (size_t)done;
        at += done;
    }
    return fsync(fd) ? fri_atomic_file_error(ctx, path, "writing") : FR_OK;
}

static fr_status write_share(fr_ctx *ctx, const char *name, const char *text, size_t bytes,
                             int64_t at) {
    int fd = open(name, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return fri_atomic_file_error(ctx, name, "cannot be opened by this rank");
    fr_status status = write_at(ctx, name, fd, text, bytes, at);
    close(fd);
    return status;
}

/* Rank 0 creates the temporary file; all ranks get its name. */
static fr_status create(fr_world *w, const char *path, fri_atomic_file *file, char *name) {
    fr_status status = w->rank ? FR_OK : fri_atomic_file_open(w->ctx, path, file);
    if (!status && !w->rank && !file->temporary)
        status = fri_fail(w->ctx, FR_INVALID, "%s: ranks can write a regular file only", path);
    if (!status && !w->rank && snprintf(name, NAME_BYTES, "%s", file->temporary) >= NAME_BYTES)
        status = fri_fail(w->ctx, FR_INVALID, "the name of the file is too long");
    status = fri_world_agree(w, status);
    for (int r = 0; r < w->size; r++)
        w->counts[r] = r ? 0 : NAME_BYTES;
    char own[NAME_BYTES] = "";
    memcpy(own, name, NAME_BYTES);
    return status ? status : fri_world_allgather(w, own, name, w->counts, 1);
}

static fr_status write_file(fr_world *w, const char *path, const fri_row_output *text) {
    fri_atomic_file file = {0};
    char name[NAME_BYTES] = "";
    int64_t length = (int64_t)text->size, at = 0;
    int64_t *lengths = w->scratch;
    fr_status status = create(w, path, &file, name);
    if (!status)
        status = fri_world_allgather_each(w, &length, lengths, sizeof length);
    for (int r = 0; !status && r < w->rank; r++)
        at += lengths[r];
    if (!status)
        status = fri_world_agree(w, write_share(w->ctx, name, text->bytes, text->size, at));
    if (!status)
        status = fri_world_agree(w, w->rank ? FR_OK : fri_atomic_file_commit(w->ctx, path, &file));
    fri_atomic_file_release(&file);
    return status;
}

/* ---- the call ------------------------------------------------------------------------------ */

/* Collects the results of this rank's range of vertices. */
static fr_status collect(fr_ctx *ctx, answer *a, const fr_part_result *own) {
    a->value = fri_alloc(ctx, fri_bytes(a->count, fr_type_size(a->values.type)));
    a->parent = fri_alloc(ctx, fri_bytes(a->count, sizeof *a->parent));
    fr_status status = fri_world_agree(a->p->world, a->value && a->parent ? FR_OK : FR_NOMEM);
    fr_part_result to = {
        .level = a->bfs ? a->value : NULL, .dist = a->bfs ? NULL : a->value, .parent = a->parent};
    fr_part_result from = to; /* for a rank without vertices, which may have no arrays */
    if (a->p->own) {
        from.level = a->bfs ? own->level : NULL;
        from.dist = a->bfs ? NULL : own->dist;
        from.parent = own->parent;
    }
    a->values.values = a->value;
    return status ? status : fr_part_collect(ctx, a->p, &from, a->first, a->count, &to);
}

static answer answer_of(const fr_part *p, bool bfs) {
    const fr_world *w = p->world;
    const bool minus_one = fr_part_vertex(p, -1) >= 0; /* a vertex has the id -1 */
    const bool real = fri_dist_is_real(p->push->csr.weight_type);
    answer a = {.p = p,
                .bfs = bfs,
                .first = fri_share_begin(p->n, w->rank, w->size),
                .values = fri_distances(bfs    ? FR_TYPE_I32
                                        : real ? FR_TYPE_F64
                                               : FR_TYPE_I64,
                                        NULL),
                .none = minus_one ? "" : "-1",
                .none_id = minus_one ? INT64_MIN : -1};
    a.values.is_number = bfs; /* -1 is written as it is */
    a.count = fri_share_begin(p->n, w->rank + 1, w->size) - a.first;
    return a;
}

fr_status fr_part_write(fr_ctx *ctx, const fr_part *part, fr_problem problem,
                        const fr_part_result *result, const char *path, const char *format) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!part)
        return fri_fail(ctx, FR_INVALID, "writing needs a part");
    fr_world *w = part->world;
    fr_part_result r = {0};
    const file_format *chosen = NULL;
    fri_row_output text = {.ctx = ctx, .fd = -1};
    answer a = answer_of(part, problem == FR_PROBLEM_BFS);
    fr_status status = FRI_SIZED_READ(ctx, fr_part_result, result, &r);
    if (!status)
        status = find_format(ctx, format, path, &chosen);
    if (!status && (!path || !*path))
        status = fri_fail(ctx, FR_INVALID, "no file name is given");
    if (!status && part->own && (!r.parent || (a.bfs ? !r.level : !r.dist)))
        status = fri_fail(ctx, FR_INVALID, "writing needs the values and parents");
    uint64_t arguments = fri_hash_text(fri_hash_text((uint64_t)problem, path), format);
    status = fri_world_begin(w, "fr_part_write", arguments, status);
    if (!status)
        status = collect(ctx, &a, &r);
    if (!status)
        status = fri_world_agree(w, format_answer(&a, chosen, &text));
    if (!status)
        status = write_file(w, path, &text);
    fri_free(text.bytes);
    fri_free(a.value);
    fri_free(a.parent);
    return status;
}
