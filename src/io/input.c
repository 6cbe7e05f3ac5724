/* An input file as bytes in memory. A plain file is mapped, a compressed one is decompressed, and
 * input that cannot be mapped (a pipe) is read to its end. Some editors write a byte order mark
 * before UTF-8 text: it is skipped here, so that no reader sees it. */
#include "io/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char empty[1]; /* the data of an empty file */
/* Maximum number of name characters in a message, so that the rest fits too. */
enum { SHOWN = 200 };

static fr_status map_file(fr_ctx *ctx, int fd, size_t bytes, fri_input *text) {
    void *p = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p == MAP_FAILED)
        return fri_fail(ctx, FR_IO, "%s: cannot map: %s", text->path, strerror(errno));
    text->mapping = p;
    text->mapping_bytes = bytes;
    text->data = p;
    text->size = bytes;
    return FR_OK;
}

/* The source of bytes that cannot be mapped. */
typedef struct source {
    int fd;
    FILE *stream; /* NULL: fd */
} source;

/* Reads at most `capacity` bytes; 0: the end, -1: errno. */
static ssize_t read_some(const source *from, char *at, size_t capacity) {
    for (;;) {
        errno = 0;
        ssize_t got = from->stream ? (ssize_t)fread(at, 1, capacity, from->stream)
                                   : read(from->fd, at, capacity);
        bool failed = from->stream ? !got && !feof(from->stream) : got < 0;
        if (!failed || errno != EINTR)
            return failed ? -1 : got;
        if (from->stream)
            clearerr(from->stream);
    }
}

/* Waits for bytes of a descriptor, and asks every ASK_MS whether to go on: a pipe may stay silent. A signal
 * ends the wait, too, although it may restart read(). */
static fr_status wait_for_bytes(fr_ctx *ctx, const source *from, size_t size) {
    enum { ASK_MS = 100 };
    struct pollfd input = {.fd = from->fd, .events = POLLIN};
    for (;;) {
        int ready = poll(&input, 1, ctx->progress ? ASK_MS : -1);
        if (ready > 0 || (ready < 0 && errno != EINTR)) /* read() reports the failure */
            return FR_OK;
        if (fri_progress(ctx, "reading", (int64_t)size, 0))
            return FR_CANCELLED;
    }
}

static fr_status read_source(fr_ctx *ctx, const source *from, fri_input *text) {
    size_t capacity = 0, size = 0;
    char *data = NULL;
    for (;;) {
        if (size == capacity) {
            capacity += FRI_MAX(capacity / 2, (size_t)1 << 20);
            char *grown = fri_grow(ctx, data, capacity);
            if (!grown)
                return FR_NOMEM;
            text->data = data = grown;
        }
        if (!from->stream && wait_for_bytes(ctx, from, size))
            return FR_CANCELLED;
        ssize_t got = read_some(from, data + size, capacity - size);
        if (got < 0)
            return fri_fail(ctx, FR_IO, "%s: %s", text->path, strerror(errno));
        if (!got)
            break;
        text->size = size += (size_t)got;
        if (fri_progress(ctx, "reading", (int64_t)size, 0))
            return FR_CANCELLED;
    }
    fri_trim(data, size);
    return FR_OK;
}

/* Replaces compressed data by the decompressed data. */
static fr_status decompress(fr_ctx *ctx, const char *kind, fri_input *text) {
    fri_input compressed = *text;
    text->data = NULL;
    text->size = 0;
    text->mapping = NULL;
    text->borrowed = false;
    fr_status status = fri_decompress(ctx, kind, compressed.data, compressed.size, text);
    compressed.name_storage = NULL;
    fri_input_close(&compressed);
    return status;
}

static void skip_mark(fri_input *text) {
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    if (text->size < sizeof mark || memcmp(text->data, mark, sizeof mark))
        return;
    text->skipped = sizeof mark;
    text->data += sizeof mark;
    text->size -= sizeof mark;
}

/* Decompresses complete lines at the begin; all, if there are no more or they are too long. */
static fr_status decompress_head(fr_ctx *ctx, const char *kind, fri_input *text) {
    enum { HEAD = 256 << 10 };
    fri_unpacker *rest = fri_unpacker_open(kind, text);
    char *head = rest ? fri_alloc(ctx, HEAD) : NULL;
    size_t got;
    fr_status status = head ? fri_unpacker_read(ctx, rest, head, HEAD, &got) : FR_UNSUPPORTED;
    const char *newline = !status && got == HEAD ? memrchr(head, '\n', HEAD) : NULL;
    if (!newline) {
        fri_free(head);
        if (rest)
            fri_unpacker_close(rest);
        return status == FR_CANCELLED ? status : decompress(ctx, kind, text);
    }
    text->data = head;
    text->size = (size_t)(newline + 1 - head);
    text->tail = HEAD - text->size;
    text->rest = rest;
    text->mapping = NULL;
    text->borrowed = false;
    return FR_OK;
}

/* Decompresses if needed and skips a byte order mark. */
static fr_status finish_open(fr_ctx *ctx, bool head, fri_input *text) {
    const char *kind = fri_compression_kind(text->data, text->size);
    fr_status status = !kind  ? FR_OK
                       : head ? decompress_head(ctx, kind, text)
                              : decompress(ctx, kind, text);
    if (!text->data)
        text->data = empty;
    if (!status)
        skip_mark(text);
    return status;
}

static fr_status open_fd(fr_ctx *ctx, int fd, bool head, fri_input *text) {
    struct stat info;
    if (fstat(fd, &info))
        return fri_fail(ctx, FR_IO, "%s: %s", text->path, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return fri_fail(ctx, FR_IO, "%s: is a directory, not a graph file", text->path);
    fr_status status = FR_OK;
    if (!S_ISREG(info.st_mode) || lseek(fd, 0, SEEK_CUR) > 0) /* > 0: part of it has been read
                                                                 already */
        status = read_source(ctx, &(source){.fd = fd}, text);
    else if (info.st_size > 0)
        status = map_file(ctx, fd, (size_t)info.st_size, text);
    return status ? status : finish_open(ctx, head, text);
}

static fr_status name_input(fr_ctx *ctx, const char *name, fri_input *text) {
    *text = (fri_input){0};
    size_t bytes = strlen(name) + 1;
    text->name_storage = fri_alloc(ctx, bytes);
    if (!text->name_storage)
        return FR_NOMEM;
    memcpy(text->name_storage, name, bytes);
    text->path = text->name = text->name_storage;
    return FR_OK;
}

fr_status fri_input_open_memory(fr_ctx *ctx, const void *bytes, size_t size, fri_input *text) {
    fr_status status = name_input(ctx, "memory", text);
    if (status)
        return status;
    text->data = bytes;
    text->size = size;
    text->borrowed = true;
    return finish_open(ctx, false, text);
}

fr_status fri_input_open_stream(fr_ctx *ctx, FILE *in, fri_input *text) {
    fr_status status = name_input(ctx, "stream", text);
    if (!status)
        status = read_source(ctx, &(source){.stream = in}, text);
    return status ? status : finish_open(ctx, false, text);
}

fr_status fri_input_own(fr_ctx *ctx, fri_input *text) {
    if (!text->borrowed)
        return FR_OK;
    char *copy = fri_alloc(ctx, text->size);
    if (!copy)
        return FR_NOMEM;
    memcpy(copy, text->data, text->size);
    text->data = copy;
    text->skipped = 0;
    text->borrowed = false;
    return FR_OK;
}

static fr_status open_path(fr_ctx *ctx, const char *path, bool head, fri_input *text) {
    bool standard_input = strcmp(path, "-") == 0;
    fr_status status = name_input(ctx, standard_input ? "standard input" : path, text);
    if (status)
        return status;
    if (standard_input)
        return open_fd(ctx, STDIN_FILENO, head, text);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fri_fail(ctx, errno == ENOENT || errno == ENOTDIR ? FR_NOT_FOUND : FR_IO, "%s: %s",
                        path, strerror(errno));
    status = open_fd(ctx, fd, head, text);
    close(fd);
    return status;
}

fr_status fri_input_open(fr_ctx *ctx, const char *path, fri_input *text) {
    return open_path(ctx, path, false, text);
}

fr_status fri_input_open_head(fr_ctx *ctx, const char *path, fri_input *text) {
    return open_path(ctx, path, true, text);
}

/* Makes a head compressed data again. */
static void close_head(fri_input *text) {
    fri_input packed = fri_unpacker_close(text->rest);
    fri_free((void *)(uintptr_t)(text->data - text->skipped));
    *text = packed;
}

fr_status fri_input_whole(fr_ctx *ctx, fri_input *text) {
    if (!text->rest)
        return FR_OK;
    close_head(text);
    return finish_open(ctx, false, text);
}

void fri_input_close(fri_input *text) {
    if (text->rest)
        close_head(text);
    if (text->mapping)
        munmap(text->mapping, text->mapping_bytes);
    else if (text->data && text->data != empty && !text->borrowed)
        fri_free((void *)(uintptr_t)(text->data - text->skipped));
    fri_free(text->name_storage);
    *text = (fri_input){0};
}

int64_t fri_input_line(const fri_input *text, const char *at) {
    int64_t line = 1;
    const char *p = text->data;
    while (p < at && (p = memchr(p, '\n', (size_t)(at - p)))) {
        line++;
        p++;
    }
    return line;
}

const char *fri_input_begin(const fri_input *text, const char *at) {
    const char *newline = memrchr(text->data, '\n', (size_t)(at - text->data));
    return newline ? newline + 1 : text->data;
}

const char *fri_input_find_line(const fri_input *text, int64_t line) {
    const char *at = text->data, *end = at + text->size;
    for (; line > 1 && at < end; line--) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        at = newline ? newline + 1 : end;
    }
    return at;
}

/* In UTF-8 a character has one byte that does not continue another. */
static int64_t column_of(const fri_input *text, const char *at) {
    int64_t column = 1;
    for (const char *p = fri_input_begin(text, at); p < at; p++)
        column += (*p & 0xc0) != 0x80;
    return column;
}

int fri_input_word(const fri_input *text, const char *at) {
    const char *end = text->data + text->size;
    int length = 0;
    while (at + length < end && length < 24 && (unsigned char)at[length] > ' ')
        length++;
    return length;
}

fr_status fri_input_fail(fr_ctx *ctx, fr_status status, const fri_input *text, const char *at,
                         const char *format, ...) {
    char message[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    for (; at && text->made_from; text = text->made_from)
        at = text->place(text, at);
    char place[48] = "";
    if (at)
        snprintf(place, sizeof place, ":%lld:%lld", (long long)fri_input_line(text, at),
                 (long long)column_of(text, at));
    size_t length = strlen(text->name);
    const char *cut = length > SHOWN ? "..." : "";
    return fri_fail(ctx, status, "%s%s%s: %s", cut,
                    text->name + (length > SHOWN ? length - SHOWN : 0), place, message);
}
