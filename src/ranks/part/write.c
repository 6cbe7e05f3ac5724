/* Writes a result to one file: every rank formats a range of vertices and writes it at its offset.
 *
 * Rank 0 creates a temporary file and renames it; the others open it by name, so all must see the
 * same folder. The formats are byte for byte those of fr_result_write (graph/write/result_write.c). */
#include "base/sized.h"
#include "io/atomic_file.h"
#include "io/results/npy_header.h"
#include "io/results/text_writer.h"
#include "io/results/value_text.h"
#include "ranks/part/part.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_BYTES = 4096 };

typedef struct answer {
    const fr_part *p;
    bool bfs;
    int64_t first, count; /* of this rank */
    int32_t *level;
    int64_t *dist, *parent; /* [count] */
    bool minus_one;         /* a vertex has the id -1, so that this is no mark of "no parent" */
} answer;

/* ---- formatting ---------------------------------------------------------------------------- */

static int64_t parent_id(const answer *a, int64_t k) {
    return a->parent[k] >= 0 ? fr_part_id(a->p, a->parent[k]) : a->minus_one ? INT64_MIN : -1;
}

static fr_type type_of(const answer *a) {
    return a->bfs                                          ? FR_TYPE_I32
           : fri_dist_is_real(a->p->push->csr.weight_type) ? FR_TYPE_F64
                                                           : FR_TYPE_I64;
}

static void put_tsv(const answer *a, FILE *out, fri_text_writer *writer) {
    char text[FR_NUMBER_CAPACITY];
    fri_values values = fri_distances(type_of(a), a->bfs ? (void *)a->level : a->dist);
    values.is_number = a->bfs; /* -1 is written as it is */
    fri_text_writer_start(writer, a->p->world->ctx, out, a->count);
    if (a->p->world->rank == 0)
        fri_write_text(writer, a->bfs ? "vertex\tlevel\tparent\n" : "vertex\tdistance\tparent\n");
    for (int64_t k = 0; k < a->count; k++) {
        fri_write_int(writer, fr_part_id(a->p, a->first + k));
        fri_write_char(writer, '\t');
        fri_write_bytes(writer, text, (size_t)(fri_put_value(&values, k, text) - text));
        fri_write_char(writer, '\t');
        if (a->parent[k] >= 0 || !a->minus_one) /* else an empty field */
            fri_write_int(writer, parent_id(a, k));
        fri_write_char(writer, '\n');
    }
}

static void put_npy_header(const answer *a, fri_text_writer *writer) {
    char head[FRI_NPY_HEADER_CAPACITY], descr[96];
    snprintf(descr, sizeof descr, "[('vertex', '<i8'), ('%s', '%s'), ('parent', '<i8')]",
             a->bfs ? "level" : "distance", fri_npy_type(type_of(a)));
    fri_write_bytes(writer, head, fri_npy_header(head, descr, a->p->n, -1));
}

static void put_npy(const answer *a, FILE *out, fri_text_writer *writer) {
    fri_text_writer_start(writer, a->p->world->ctx, out, a->count);
    if (a->p->world->rank == 0)
        put_npy_header(a, writer);
    for (int64_t k = 0; k < a->count; k++) {
        int64_t id = fr_part_id(a->p, a->first + k), parent = parent_id(a, k);
        fri_write_bytes(writer, &id, sizeof id);
        if (a->bfs)
            fri_write_bytes(writer, &a->level[k], sizeof *a->level);
        else
            fri_write_bytes(writer, &a->dist[k], sizeof *a->dist);
        fri_write_bytes(writer, &parent, sizeof parent);
    }
}

typedef void (*put_fn)(const answer *a, FILE *out, fri_text_writer *writer);
static const struct {
    const char *name;
    put_fn put;
} formats[] = {{"tsv", put_tsv}, {"npy", put_npy}, {0}};

static fr_status find_format(fr_ctx *ctx, const char *format, const char *path, put_fn *put) {
    const char *name = fr_result_format_choose(format, path);
    for (int i = 0; name && formats[i].name; i++)
        if (strcmp(formats[i].name, name) == 0)
            *put = formats[i].put;
    return *put ? FR_OK : fri_fail(ctx, FR_INVALID, "ranks write tsv or npy, not '%.40s'", format);
}

/* Formats this rank's range. The caller frees the text by free(). */
static fr_status format_answer(fr_ctx *ctx, const answer *a, put_fn put, char **text,
                               size_t *bytes) {
    FILE *out = open_memstream(text, bytes);
    fri_text_writer *writer = out ? fri_alloc(ctx, sizeof *writer) : NULL;
    fr_status status = writer ? FR_OK : FR_NOMEM;
    if (!status) {
        put(a, out, writer);
        status = fri_text_writer_finish(writer);
        status = status == FR_DISK ? FR_NOMEM : status;
    }
    if (out && fclose(out) && !status)
        status = FR_NOMEM;
    fri_free(writer);
    return status == FR_NOMEM ? fri_fail(ctx, FR_NOMEM, "no memory for the text of the answer")
                              : status;
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

static fr_status write_file(fr_world *w, const char *path, const char *text, size_t bytes) {
    fri_atomic_file file = {0};
    char name[NAME_BYTES] = "";
    int64_t length = (int64_t)bytes, at = 0;
    int64_t *lengths = w->scratch;
    fr_status status = create(w, path, &file, name);
    if (!status)
        status = fri_world_allgather_each(w, &length, lengths, sizeof length);
    for (int r = 0; !status && r < w->rank; r++)
        at += lengths[r];
    if (!status)
        status = fri_world_agree(w, write_share(w->ctx, name, text, bytes, at));
    if (!status)
        status = fri_world_agree(w, w->rank ? FR_OK : fri_atomic_file_commit(w->ctx, path, &file));
    fri_atomic_file_release(&file);
    return status;
}

/* ---- the call ------------------------------------------------------------------------------ */

/* Collects the results of this rank's range of vertices. */
static fr_status collect(fr_ctx *ctx, answer *a, const fr_part_result *own) {
    fr_world *w = a->p->world;
    a->level = a->bfs ? fri_alloc(ctx, fri_bytes(a->count, sizeof *a->level)) : NULL;
    a->dist = a->bfs ? NULL : fri_alloc(ctx, fri_bytes(a->count, sizeof *a->dist));
    a->parent = fri_alloc(ctx, fri_bytes(a->count, sizeof *a->parent));
    bool good = a->parent && (a->level || a->dist);
    fr_status status = fri_world_agree(w, good ? FR_OK : FR_NOMEM);
    fr_part_result to = {.level = a->level, .dist = a->dist, .parent = a->parent};
    fr_part_result from = to; /* for a rank without vertices, which may have no arrays */
    if (a->p->own) {
        from.level = a->bfs ? own->level : NULL;
        from.dist = a->bfs ? NULL : own->dist;
        from.parent = own->parent;
    }
    return status ? status : fr_part_collect(ctx, a->p, &from, a->first, a->count, &to);
}

fr_status fr_part_write(fr_ctx *ctx, const fr_part *part, fr_problem problem,
                        const fr_part_result *result, const char *path, const char *format) {
    if (!fri_begin(ctx))
        return FR_INVALID;
    if (!part)
        return fri_fail(ctx, FR_INVALID, "writing needs a part");
    fr_world *w = part->world;
    fr_part_result r = {0};
    put_fn put = NULL;
    answer a = {
        .p = part, .bfs = problem == FR_PROBLEM_BFS, .minus_one = fr_part_vertex(part, -1) >= 0};
    a.first = fri_share_begin(part->n, w->rank, w->size);
    a.count = fri_share_begin(part->n, w->rank + 1, w->size) - a.first;
    fr_status status = FRI_SIZED_READ(ctx, fr_part_result, result, &r);
    if (!status)
        status = find_format(ctx, format, path, &put);
    if (!status && !path)
        status = fri_fail(ctx, FR_INVALID, "no file name is given");
    if (!status && part->own && (!r.parent || (a.bfs ? !r.level : !r.dist)))
        status = fri_fail(ctx, FR_INVALID, "writing needs the values and parents");
    uint64_t arguments = fri_hash_text(fri_hash_text((uint64_t)problem, path), format);
    status = fri_world_begin(w, "fr_part_write", arguments, status);
    if (!status)
        status = collect(ctx, &a, &r);
    char *text = NULL;
    size_t bytes = 0;
    if (!status)
        status = fri_world_agree(w, format_answer(ctx, &a, put, &text, &bytes));
    if (!status)
        status = write_file(w, path, text, bytes);
    free(text);
    fri_free(a.level);
    fri_free(a.dist);
    fri_free(a.parent);
    return status;
}
