/* The table of file formats and format detection. A format listed here can be selected by
 * --input-format, is listed by `fringe list` and is tested; formats are listed explicitly because
 * the linker drops unreferenced objects. Formats with the most certain sniff come first. How to add
 * one: docs/architecture.md, "Add a format". */
#include "io/formats/unreadable.h"
#include "io/format.h"

#include <string.h>
#include <strings.h>

/* clang-format off */
#define FORMATS(X) \
    X(fri_format_fringe) \
    X(fri_format_matrix_market) \
    X(fri_format_dimacs9) \
    X(fri_format_pajek) \
    X(fri_format_snap) \
    X(fri_format_el) \
    X(fri_format_wel) \
    X(fri_format_sg) \
    X(fri_format_wsg) \
    X(fri_format_metis) \
    X(fri_format_ldbc)
/* clang-format on */

#define DECLARE(format) extern const fri_format format;
FORMATS(DECLARE)
#undef DECLARE

const fri_format *const fri_formats[] = {
#define ADDRESS(format) &format,
    FORMATS(ADDRESS)
#undef ADDRESS
        NULL};

static const fri_format *format_at(int index) {
    const int count = (int)(sizeof fri_formats / sizeof *fri_formats) - 1;
    return index >= 0 && index < count ? fri_formats[index] : NULL;
}

const char *fr_format_name(int index) { return format_at(index) ? format_at(index)->name : NULL; }
const char *fr_format_description(int index) {
    return format_at(index) ? format_at(index)->text : NULL;
}
bool fr_format_writable(int index) { return format_at(index) && format_at(index)->write; }

const fri_format *fri_format_find(const char *name) {
    for (const fri_format *const *entry = fri_formats; *entry; entry++)
        if (strcmp((*entry)->name, name) == 0)
            return *entry;
    return NULL;
}

static bool ends_in(const char *name, size_t length, const char *suffix) {
    size_t s = strlen(suffix);
    return length >= s && strncasecmp(name + length - s, suffix, s) == 0;
}

/* The length of name without compression suffixes, so that "a.mtx.gz" is treated as "a.mtx". */
static size_t decompressed_length(const char *name) {
    static const char *const compressed[] = {".gz", ".zst", ".xz", ".bz2", ".tar", NULL};
    size_t length = strlen(name);
    for (int i = 0; compressed[i]; i++)
        if (ends_in(name, length, compressed[i])) {
            length -= strlen(compressed[i]);
            i = -1; /* restart: .tar.gz has two suffixes */
        }
    return length;
}

const fri_format *fri_format_by_suffix(const char *name) {
    size_t length = decompressed_length(name);
    for (const fri_format *const *entry = fri_formats; *entry; entry++)
        for (const char *const *suffix = (*entry)->suffixes; suffix && *suffix; suffix++)
            if (ends_in(name, length, *suffix))
                return *entry;
    return NULL;
}

const fri_format *fri_format_by_magic(const fri_input *text) {
    for (const fri_format *const *entry = fri_formats; *entry; entry++)
        if ((*entry)->sniff && (*entry)->sniff(text) == 2)
            return *entry;
    return NULL;
}

fr_status fri_format_detect(fr_ctx *ctx, const fri_input *text, const fri_format **format) {
    const fri_format *likely = NULL, *named = fri_format_by_suffix(text->name);
    *format = fri_format_by_magic(text);
    if (*format)
        return FR_OK;
    for (const fri_format *const *entry = fri_formats; *entry && !named; entry++)
        if ((*entry)->sniff && (*entry)->sniff(text) == 1)
            likely = *entry; /* the last one: almost any text of numbers is an edge list */
    const char *other = fri_unreadable_format_name(text);
    if (other)
        return fri_fail(ctx, FR_UNSUPPORTED,
                        "%s: the format %s is not supported: convert it, for example to Matrix "
                        "Market or an edge list",
                        text->name, other);
    *format = named ? named : likely;
    return *format ? FR_OK
                   : fri_fail(ctx, FR_FORMAT,
                              "%s: unknown format: neither content nor suffix matches; choose one "
                              "of \"fringe list formats\" with --input-format, or the columns of a "
                              "table with --source-column and --target-column",
                              text->name);
}
