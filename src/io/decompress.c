/* Compressed input, recognized by its first bytes and decompressed through libarchive into one
 * growing block. No allocation trusts a size from a header: a size declared in an archive can only
 * cause a rejection. */
#include "io/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *kind;
    size_t at, length;
    const char *bytes;
} magics[] = {
    {"gzip", 0, 2, "\x1f\x8b"},
    {"zstd", 0, 4, "\x28\xb5\x2f\xfd"},
    {"xz", 0, 6,
     "\xfd"
     "7zXZ\0"},
    {"bzip2", 0, 3, "BZh"},
    {"tar", 257, 5, "ustar"},
    {"zip", 0, 4, "PK\x03\x04"},
};

const char *fri_compression_kind(const char *data, size_t size) {
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (size >= magics[i].at + magics[i].length &&
            !memcmp(data + magics[i].at, magics[i].bytes, magics[i].length))
            return magics[i].kind;
    /* a frame that is skipped (RFC 8878, 3.1.2), with which pzstd begins */
    return size >= 4 && (data[0] & 0xf0) == 0x50 && !memcmp(data + 1, "\x2a\x4d\x18", 3) ? "zstd"
                                                                                         : NULL;
}

#ifndef FRI_HAVE_ARCHIVE

fr_status fri_decompress(fr_ctx *ctx, const char *kind, const char *compressed, size_t bytes,
                         fri_input *text) {
    (void)compressed;
    (void)bytes;
    return fri_fail(ctx, FR_UNSUPPORTED,
                    "%s: is compressed with %s, and this build of fringe has no libarchive: "
                    "decompress it first",
                    text->path, kind);
}

fri_unpacker *fri_unpacker_open(const char *kind, const fri_input *packed) {
    (void)kind;
    (void)packed;
    return NULL;
}
fr_status fri_unpacker_read(fr_ctx *ctx, fri_unpacker *u, char *to, size_t capacity, size_t *got) {
    (void)ctx;
    (void)u;
    (void)to;
    (void)capacity;
    (void)got;
    return FR_UNSUPPORTED;
}
bool fri_unpacker_ended(const fri_unpacker *u) { return !u; }
fri_input fri_unpacker_close(fri_unpacker *u) {
    (void)u;
    return (fri_input){0};
}

#else

#include <archive.h>
#include <archive_entry.h>

/* Members of an archive, numbered from 1; 0: none. */
typedef struct {
    int count;           /* regular files */
    int named, mtx, out; /* the first one named STEM.*, the first *.mtx, the first out.* (KONECT) */
    int mtx_count, out_count;
} members;

typedef struct {
    fr_ctx *ctx;
    fri_input *text;
    const char *kind;
    int64_t compressed_bytes;
    size_t capacity;
    size_t base;  /* where the member begins in the output: not 0 after another one */
    size_t holes; /* bytes of holes in a sparse file */
} decompressor;

static const size_t FREE_HOLES = (size_t)16 << 20;

static fr_status fail(const decompressor *u, struct archive *a) {
    const char *why = archive_error_string(a);
    return fri_fail(u->ctx, FR_FORMAT, "%s: damaged %s data after %zu decompressed bytes: %s",
                    u->text->path, u->kind, u->text->size, why ? why : "truncated or invalid");
}

static fr_status too_large(const decompressor *u) {
    return fri_fail(u->ctx, FR_NOMEM, "%s: decompresses to more than the memory limit of %s",
                    u->text->path, fri_size(fr_ctx_max_bytes(u->ctx)).text);
}

/* The header declares the holes, so their size is bounded: by the bytes read so far plus
 * FREE_HOLES. */
static fr_status fail_holes(const decompressor *u) {
    return fri_fail(u->ctx, FR_NOMEM,
                    "%s: a sparse file with %s of holes; set max_memory_bytes to allow them",
                    u->text->path, fri_size(u->holes).text);
}

/* Grows the output to at least `size` bytes: by a quarter, or exactly to `size` near the limit. */
static fr_status grow_output(decompressor *u, size_t size) {
    if (size <= u->capacity)
        return FR_OK;
    size_t wanted = FRI_MAX(size, u->capacity + u->capacity / 4 + ((size_t)1 << 16));
    if (fri_reserve_check(u->ctx, "the decompressed data", wanted - u->capacity)) {
        wanted = size;
        fri_begin(u->ctx); /* not a failure yet */
    }
    if (fri_reserve_check(u->ctx, "the decompressed data", wanted - u->capacity))
        return too_large(u);
    char *grown = fri_grow(u->ctx, (void *)(uintptr_t)u->text->data, wanted);
    if (!grown)
        return FR_NOMEM;
    u->text->data = grown;
    u->capacity = wanted;
    return FR_OK;
}

/* ---- the CRC of gzip, which libarchive does not check -------------------------------------- */

/* CRC-32 of RFC 1952, eight bytes per step (M. E. Kounavis, F. L. Berry: Novel table lookup-based
 * algorithms for high-performance CRC generation, IEEE ToC 57(11), 2008). crc: of the bytes before; 0: none. */
static uint32_t crc32_of(uint32_t crc, const unsigned char *data, size_t size) {
    uint32_t table[8][256];
    crc = ~crc;
    for (uint32_t i = 0; i < 256; i++) {
        table[0][i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[0][i] = table[0][i] >> 1 ^ (table[0][i] & 1 ? 0xedb88320u : 0);
    }
    for (int t = 1; t < 8; t++)
        for (int i = 0; i < 256; i++)
            table[t][i] = table[t - 1][i] >> 8 ^ table[0][table[t - 1][i] & 255];
    for (; size >= 8; data += 8, size -= 8) {
        uint32_t next = 0;
        for (int i = 0; i < 8; i++)
            next ^= table[7 - i][data[i] ^ (i < 4 ? crc >> 8 * i & 255 : 0)];
        crc = next;
    }
    for (; size; size--)
        crc = crc >> 8 ^ table[0][(crc ^ *data++) & 255];
    return ~crc;
}

static uint32_t little_endian(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Whether a member ends at `end` whose decompressed bytes start at text position *from. Its last
 * eight bytes are the CRC and the length (modulo 2^32) of the decompressed bytes. Advances *from
 * past them. */
static bool member_ends(const char *end, const fri_input *text, size_t *from) {
    uint64_t length = little_endian(end - 4);
    for (; length <= text->size - *from; length += UINT64_C(1) << 32)
        if (little_endian(end - 8) ==
            crc32_of(0, (const unsigned char *)text->data + *from, (size_t)length)) {
            *from += (size_t)length;
            return true;
        }
    return false;
}

/* libarchive does not verify the checksums of gzip members. At each possible start of a member the
 * previous one ends there if its checksum matches, so that bytes that merely look like a start are
 * not taken for one. */
static fr_status check_gzip(const decompressor *u, const char *compressed) {
    enum { MIN_MEMBER = 18 };
    const fri_input *text = u->text;
    const char *end = compressed + u->compressed_bytes, *at = compressed + MIN_MEMBER;
    size_t from = 0;
    while (at < end && (at = memmem(at, (size_t)(end - at), "\x1f\x8b\x08", 3)))
        at += member_ends(at, text, &from) ? MIN_MEMBER : 1;
    if (member_ends(end, text, &from) && from == text->size)
        return FR_OK;
    return fri_fail(u->ctx, FR_FORMAT, "%s: damaged gzip data: the checksum does not match",
                    text->path);
}

/* ---- members ------------------------------------------------------------------------------ */

/* Reads the current member completely; holes of a sparse member read as zeros. */
static fr_status read_member(decompressor *u, struct archive *a) {
    for (;;) {
        const void *block;
        size_t bytes;
        la_int64_t offset;
        int got = archive_read_data_block(a, &block, &bytes, &offset);
        if (got == ARCHIVE_EOF)
            break;
        if (got != ARCHIVE_OK && (got != ARCHIVE_WARN || !strcmp(u->kind, "zip")))
            return fail(u, a); /* a zip: its checksum may be wrong */
        size_t at = u->base + (size_t)offset;
        if (offset < 0 || at < u->text->size || at > SIZE_MAX - bytes)
            return too_large(u);
        u->holes += at - u->text->size;
        if (u->holes > FREE_HOLES && u->holes > at / 2 && !u->ctx->limit_given)
            return fail_holes(u);
        fr_status status = grow_output(u, at + bytes);
        if (status)
            return status;
        char *data = (char *)(uintptr_t)u->text->data;
        if (at + bytes) {
            memset(data + u->text->size, 0, at - u->text->size);
            if (bytes)
                memcpy(data + at, block, bytes);
        }
        u->text->size = at + bytes;
        if (fri_progress(u->ctx, "decompressing", archive_filter_bytes(a, -1), u->compressed_bytes))
            return FR_CANCELLED;
    }
    if (u->text->data) {
        fri_trim((void *)(uintptr_t)u->text->data, u->text->size);
        u->capacity = u->text->size; /* another array may follow */
    }
    return FR_OK;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* "name.tar.gz" -> "name": up to ".tar", else to ".t" (as in ".tgz"), else to the first dot. */
static size_t stem_length(const char *base) {
    const char *tar = strstr(base, ".tar");
    if (!tar)
        tar = strstr(base, ".t");
    return tar ? (size_t)(tar - base) : strcspn(base, ".");
}

static const char *member_name(struct archive_entry *entry) {
    const char *name = archive_entry_pathname(entry);
    if (!name)
        name = archive_entry_pathname_utf8(entry);
    return name ? name : "?";
}

static void note_member(members *m, const char *name, const char *stem, size_t stem_bytes) {
    const char *base = base_name(name), *suffix = strrchr(base, '.');
    int index = ++m->count;
    if (!m->named && !strncmp(base, stem, stem_bytes) && base[stem_bytes] == '.')
        m->named = index;
    if (suffix && !strcasecmp(suffix, ".mtx") && !m->mtx_count++)
        m->mtx = index;
    if (!strncmp(base, "out.", 4) && !m->out_count++)
        m->out = index;
}

static fr_status set_name(decompressor *u, const char *member) {
    size_t path = strlen(u->text->path), rest = strlen(member);
    char *both = fri_alloc(u->ctx, 2 * path + rest + 3);
    if (!both)
        return FR_NOMEM;
    memcpy(both, u->text->path, path + 1);
    snprintf(both + path + 1, path + rest + 2, "%s:%s", u->text->path, member);
    fri_free(u->text->name_storage);
    u->text->name_storage = both;
    u->text->path = both;
    u->text->name = both + path + 1;
    return FR_OK;
}

static fr_status take_member(decompressor *u, struct archive *a, struct archive_entry *entry) {
    fr_status status = set_name(u, member_name(entry));
    if (!status && archive_entry_size_is_set(entry) &&
        (uint64_t)archive_entry_size(entry) > fr_ctx_max_bytes(u->ctx))
        status = too_large(u); /* the declared size */
    return status ? status : read_member(u, a);
}

/* Reads data that is compressed, but no archive. Of two filters the inner one's checksum would go unread. */
static fr_status read_raw(decompressor *u, struct archive *a) {
    int filters = archive_filter_count(a) - 1; /* the last one is none */
    if (filters > 1)
        return fri_fail(u->ctx, FR_UNSUPPORTED, "%s: is compressed %s: decompress it once first",
                        u->text->path, filters == 2 ? "twice" : "several times");
    return filters ? read_member(u, a) : fail(u, a);
}

/* One pass over the members. wanted > 0: reads that member. 0: reads STEM.mtx, or else counts. */
static fr_status scan_members(decompressor *u, struct archive *a, int wanted, members *m,
                              bool *taken) {
    const char *stem = base_name(u->text->path);
    size_t bytes = stem_length(stem);
    struct archive_entry *entry;
    int got;
    while ((got = archive_read_next_header(a, &entry)) == ARCHIVE_OK || got == ARCHIVE_WARN) {
        if (archive_format(a) == ARCHIVE_FORMAT_RAW) {
            *taken = true;
            return read_raw(u, a);
        }
        if (archive_entry_filetype(entry) != AE_IFREG)
            continue;
        const char *base = base_name(member_name(entry));
        note_member(m, member_name(entry), stem, bytes);
        bool exact = !strncmp(base, stem, bytes) && !strcasecmp(base + bytes, ".mtx");
        if (wanted ? m->count == wanted : exact) {
            *taken = true;
            return take_member(u, a, entry);
        }
    }
    if (got == ARCHIVE_EOF && archive_format(a) == ARCHIVE_FORMAT_EMPTY)
        return fri_fail(u->ctx, FR_FORMAT, "%s: the file is empty", u->text->path);
    return got == ARCHIVE_EOF ? FR_OK : fail(u, a);
}

static struct archive *open_archive(void) {
    struct archive *a = archive_read_new();
    if (!a)
        return NULL;
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_raw(a);
    archive_read_support_format_empty(a);
    return a;
}

static fr_status pass(decompressor *u, const char *compressed, size_t bytes, int wanted, members *m,
                      bool *taken) {
    struct archive *a = open_archive();
    if (!a)
        return fri_fail(u->ctx, FR_NOMEM, "out of memory while decompressing");
    *m = (members){0};
    fr_status status;
    if (archive_read_open_memory(a, compressed, bytes) == ARCHIVE_OK)
        status = scan_members(u, a, wanted, m, taken);
    else
        status = fail(u, a);
    archive_read_free(a);
    return status;
}

/* ---- piece by piece ------------------------------------------------------------------------- */

struct fri_unpacker {
    fri_input packed;
    struct archive *a;
    const char *block; /* of libarchive: bytes that are not yet stored */
    size_t left;
    bool gzip, ended;
    uint32_t crc;
    size_t bytes; /* decompressed in all */
};

fri_unpacker *fri_unpacker_open(const char *kind, const fri_input *packed) {
    struct archive_entry *entry;
    struct archive *a = open_archive();
    fri_unpacker *u = a ? calloc(1, sizeof *u) : NULL;
    if (u && archive_read_open_memory(a, packed->data, packed->size) == ARCHIVE_OK &&
        archive_read_next_header(a, &entry) == ARCHIVE_OK &&
        archive_format(a) == ARCHIVE_FORMAT_RAW && archive_filter_count(a) == 2) {
        *u = (fri_unpacker){.packed = *packed, .a = a, .gzip = !strcmp(kind, "gzip")};
        return u;
    }
    archive_read_free(a);
    free(u);
    return NULL;
}

bool fri_unpacker_ended(const fri_unpacker *u) { return u->ended; }

fri_input fri_unpacker_close(fri_unpacker *u) {
    fri_input packed = u->packed;
    archive_read_free(u->a);
    free(u);
    return packed;
}

/* Whether the last eight bytes of a single gzip member are right: of several ones they are not. */
static bool is_intact(const fri_unpacker *u) {
    const char *end = u->packed.data + u->packed.size;
    return !u->gzip ||
           (little_endian(end - 8) == u->crc && little_endian(end - 4) == (uint32_t)u->bytes);
}

fr_status fri_unpacker_read(fr_ctx *ctx, fri_unpacker *u, char *to, size_t capacity, size_t *got) {
    for (*got = 0; *got < capacity;) {
        if (!u->left) {
            const void *block;
            la_int64_t offset;
            int status = archive_read_data_block(u->a, &block, &u->left, &offset);
            if (status == ARCHIVE_EOF)
                break;
            if (status != ARCHIVE_OK || u->left > fr_ctx_max_bytes(ctx) - u->bytes)
                return FR_FORMAT;
            u->block = block;
            u->bytes += u->left;
        }
        size_t bytes = FRI_MIN(u->left, capacity - *got);
        memcpy(to + *got, u->block, bytes);
        *got += bytes;
        u->block += bytes;
        u->left -= bytes;
    }
    if (u->gzip)
        u->crc = crc32_of(u->crc, (const unsigned char *)to, *got);
    u->ended = *got < capacity;
    if (u->ended && !is_intact(u))
        return FR_FORMAT;
    return fri_progress(ctx, "reading", archive_filter_bytes(u->a, -1), (int64_t)u->packed.size);
}

/* ---- arrays of NumPy in a zip archive (.npz) ------------------------------------------------ */

/* Appends "NAME\n" and the content of the member. */
static fr_status append_member(decompressor *u, struct archive *a, const char *name) {
    const size_t length = strlen(name), at = u->text->size;
    fr_status status = grow_output(u, at + length + 1);
    if (status)
        return status;
    char *to = (char *)(uintptr_t)u->text->data + at;
    memcpy(to, name, length);
    to[length] = '\n';
    u->text->size = u->base = at + length + 1;
    return read_member(u, a);
}

/* Appends each member that is an array. */
static fr_status read_arrays(decompressor *u, struct archive *a) {
    struct archive_entry *entry;
    int got;
    while ((got = archive_read_next_header(a, &entry)) == ARCHIVE_OK || got == ARCHIVE_WARN) {
        const char *name = member_name(entry), *suffix = strrchr(name, '.');
        if (!suffix || strcmp(suffix, ".npy") || strchr(name, '\n'))
            continue;
        fr_status status = append_member(u, a, name);
        if (status)
            return status;
    }
    return got == ARCHIVE_EOF && u->text->size ? FR_OK
           : u->text->size                     ? fail(u, a)
                                               : fri_fail(u->ctx, FR_UNSUPPORTED,
                                                          "%s: is a zip archive without arrays of NumPy: extract it "
                                                                              "first",
                                                          u->text->path);
}

static fr_status unzip(decompressor *u, const char *compressed, size_t bytes) {
    struct archive *a = archive_read_new();
    if (!a)
        return fri_fail(u->ctx, FR_NOMEM, "out of memory while decompressing");
    archive_read_support_format_zip(a);
    fr_status status = archive_read_open_memory(a, compressed, bytes) == ARCHIVE_OK
                           ? read_arrays(u, a)
                           : fail(u, a);
    archive_read_free(a);
    return status;
}

fr_status fri_decompress(fr_ctx *ctx, const char *kind, const char *compressed, size_t bytes,
                         fri_input *text) {
    decompressor u = {.ctx = ctx, .text = text, .kind = kind, .compressed_bytes = (int64_t)bytes};
    if (!strcmp(kind, "zip"))
        return unzip(&u, compressed, bytes);
    members m;
    bool taken = false;
    fr_status status = pass(&u, compressed, bytes, 0, &m, &taken);
    bool whole = !m.count; /* the decompressed data is the whole input, not a member of a tar */
    if (!status && taken && whole && bytes >= 18 && !strcmp(kind, "gzip"))
        status = check_gzip(&u, compressed);
    if (status || taken)
        return status;
    int wanted = m.named            ? m.named
                 : m.mtx_count == 1 ? m.mtx
                 : m.out_count == 1 ? m.out
                 : m.count == 1     ? 1
                                    : 0;
    if (wanted)
        return pass(&u, compressed, bytes, wanted, &m, &taken);
    if (!m.count)
        return fri_fail(ctx, FR_FORMAT, "%s: the archive contains no file", text->path);
    const char *stem = base_name(text->path);
    return fri_fail(ctx, FR_NOT_FOUND, "%s: none of its %d files is named %.*s.mtx", text->path,
                    m.count, (int)stem_length(stem), stem);
}

#endif
