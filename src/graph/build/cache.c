/* A binary copy of a loaded graph next to its input, "INPUT.fringe-cache".
 *
 * Idea: the copy contains a key computed from all bytes of the input as stored on disk, not from
 *   its time or size, so that a stale copy is never used. Computing the checksum runs at memory
 *   speed, about ten times faster than parsing, and needs no decompression. A copy is checked
 *   completely when it is opened; if it is invalid, the input is read as if there were no copy. */
#include "graph/build/load.h"
#include "base/checksum.h"
#include "io/formats/fringe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char SUFFIX[] = ".fringe-cache";
enum { GENERATION = 4 }; /* incremented when readers return another graph for the same file */

static uint64_t add_text(uint64_t sum, const char *text) {
    return fri_checksum_add(sum, fri_checksum(1, text, strlen(text)));
}

static uint64_t add_double(uint64_t sum, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return fri_checksum_add(sum, bits);
}

static uint64_t options_key(const fr_load_options *o) {
    const uint64_t numbers[] = {
        GENERATION,           o->direction, o->drop_loops,  o->drop_parallel,
        (uint64_t)o->id_base, o->weights,   o->weight_type, o->seed};
    uint64_t sum = fri_checksum(1, numbers, sizeof numbers);
    sum = add_double(add_double(sum, o->weight_low), o->weight_high);
    if (o->weights == FR_WEIGHTS_POTENTIAL) /* keys of other options stay unchanged */
        sum = add_double(sum, o->potential_max);
    const char *const columns[] = {o->source_column, o->target_column, o->weight_column};
    for (int i = 0; i < 3; i++)
        if (columns[i]) /* keys of other options stay unchanged */
            sum = add_text(fri_checksum_add(sum, (uint64_t)i + 1), columns[i]);
    if (o->ids)
        sum = fri_checksum_add(sum, (uint64_t)o->ids);
    if (o->separator || o->decimal)
        sum = fri_checksum_add(sum, (uint64_t)o->separator << 8 | (uint64_t)o->decimal);
    return add_text(sum, o->format ? o->format : "");
}

static fr_status sum_file(fr_ctx *ctx, const char *path, int fd, uint64_t *sum) {
    struct stat info;
    if (fstat(fd, &info))
        return fri_fail(ctx, FR_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return fri_fail(ctx, FR_INVALID, "%s: only a regular file can be cached", path);
    *sum = 0;
    if (!info.st_size)
        return FR_OK;
    void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return fri_fail(ctx, FR_IO, "%s: cannot map: %s", path, strerror(errno));
    *sum = fri_checksum(ctx->threads, data, (size_t)info.st_size);
    munmap(data, (size_t)info.st_size);
    return FR_OK;
}

fr_status fri_cache_key(fr_ctx *ctx, const char *path, const fr_load_options *options,
                        uint64_t *key) {
    const fri_format *format =
        options->format ? fri_format_find(options->format) : fri_format_by_suffix(path);
    if (format && format->files)
        return fri_fail(ctx, FR_INVALID, "%s: a graph of several files is not cached", path);
    if (!strcmp(path, "-"))
        return fri_fail(ctx, FR_INVALID, "standard input cannot be cached");
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fri_fail(ctx, errno == ENOENT || errno == ENOTDIR ? FR_NOT_FOUND : FR_IO, "%s: %s",
                        path, strerror(errno));
    uint64_t sum = 0;
    fr_status status = sum_file(ctx, path, fd, &sum);
    close(fd);
    const char *slash = strrchr(path, '/'); /* the name determines the format, and a tar's member */
    sum = add_text(fri_checksum_add(sum, options_key(options)), slash ? slash + 1 : path);
    *key = sum ? sum : 1;
    return status;
}

static char *cache_path(fr_ctx *ctx, const char *path) {
    size_t length = strlen(path);
    char *name = fri_alloc(ctx, length + sizeof SUFFIX);
    if (name) {
        memcpy(name, path, length);
        memcpy(name + length, SUFFIX, sizeof SUFFIX);
    }
    return name;
}

static fr_status open_copy(fr_ctx *ctx, const char *name, uint64_t key, fr_graph *graph) {
    static const fr_load_options as_it_is;
    fri_input text;
    fri_csr_file file = {0};
    fr_status status = fri_input_open(ctx, name, &text);
    if (!status)
        status = fri_format_find("fringe")->read_csr(ctx, &text, &as_it_is, &file);
    if (!status && fri_binary_key(&text) != key)
        status = FR_NOT_FOUND;
    if (!status && file.unchecked)
        status = fri_binary_check(ctx, name, text.data, text.size);
    file.unchecked = false;
    if (!status)
        status = fri_graph_from_csr_file(ctx, &text, &file, &as_it_is, graph);
    else
        fri_csr_file_free(&file);
    fri_input_close(&text);
    return status;
}

bool fri_cache_find(fr_ctx *ctx, const char *path, uint64_t key, fr_graph *graph) {
    char *name = cache_path(ctx, path);
    bool found = name && !open_copy(ctx, name, key, graph);
    fri_free(name);
    ctx->message[0] = '\0';
    return found;
}

fr_status fri_cache_keep(fr_ctx *ctx, const char *path, const fr_load_options *options,
                         uint64_t key, const fr_graph *graph) {
    uint64_t again;
    if (fri_cache_key(ctx, path, options, &again))
        return FR_OK;
    if (again != key) {
        fri_fail(ctx, FR_IO, "%s: the file changed while it was read", path);
        return FR_OK;
    }
    char *name = cache_path(ctx, path);
    fri_graph_view view = fri_graph_as_view(graph);
    view.key = key;
    fr_status status =
        name ? fri_write_file(ctx, &view, name, fri_format_find("fringe")->write) : FR_NOMEM;
    fri_free(name);
    return status == FR_CANCELLED ? status : FR_OK;
}
