/* Reads NumPy results: the records that fr_result_write writes, or a vector of values with
 * one entry per vertex, ordered by id. */
#include "number.h"
#include "result_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 10 };

typedef struct layout {
    fr_type type;
    bool records;
    size_t stride, at_value, at_parent;
    int64_t count;
} layout;

static fr_type type_after(const char *text) {
    static const char *const names[] = {"<i4", "<i8", "<f4", "<f8"};
    const char *quote = text ? strchr(text, '<') : NULL;
    for (int i = 0; quote && i < 4; i++)
        if (strncmp(quote, names[i], 3) == 0)
            return (fr_type)(FR_TYPE_I32 + i);
    return FR_TYPE_NONE;
}

/* "{'descr': ..., 'shape': (8,), }" */
static bool read_layout(const char *head, result_file *r, layout *l) {
    const char *descr = strstr(head, "'descr':"), *shape = strstr(head, "'shape': (");
    if (!descr || !shape || strstr(head, "'fortran_order': True"))
        return false;
    char *end;
    l->count = strtoll(shape + strlen("'shape': ("), &end, 10);
    if (strncmp(end, ",)", 2) != 0)
        return false;
    const char *level = strstr(descr, "'level', '"), *distance = strstr(descr, "'distance', '");
    l->records = strstr(descr, "[('vertex', '<i8'), (") && strstr(descr, "('parent', '<i8')]") &&
                 (level || distance);
    l->type = type_after(l->records ? (level ? level : distance) : descr);
    if (!l->type || (!l->records && strchr(descr, '[')))
        return false;
    r->single = l->type == FR_TYPE_F32;
    if (l->records)
        r->problem = 1 + (level ? FR_PROBLEM_BFS : FR_PROBLEM_SSSP);
    size_t size = fr_type_size(l->type);
    l->at_value = l->records ? sizeof(int64_t) : 0;
    l->at_parent = l->at_value + size;
    l->stride = l->records ? l->at_parent + sizeof(int64_t) : size;
    return true;
}

/* marks_cycles: the minimum integer stands for minus infinity. */
static void read_value(const layout *l, const char *at, bool marks_cycles, result_entry *e) {
    const int64_t neg_inf = marks_cycles ? FR_NEG_INF_I32 : INT64_MIN;
    int32_t i;
    float f;
    switch (l->type) {
    case FR_TYPE_I32:
        memcpy(&i, at, sizeof i);
        e->whole = i == FR_INF_I32 ? INT64_MAX : i == neg_inf ? FR_NEG_INF_I64 : i;
        break;
    case FR_TYPE_I64: memcpy(&e->whole, at, sizeof e->whole); break;
    case FR_TYPE_F32:
        memcpy(&f, at, sizeof f);
        e->value = (double)f;
        break;
    default: memcpy(&e->value, at, sizeof e->value);
    }
    if (l->type == FR_TYPE_I32 || l->type == FR_TYPE_I64) {
        bool minus = marks_cycles && e->whole == FR_NEG_INF_I64;
        e->value = minus ? -(double)INFINITY : (double)e->whole;
        e->is_whole = true;
        return;
    }
    e->is_whole = fabs(e->value) < 0x1p53 && e->value == floor(e->value);
    e->whole = e->is_whole ? (int64_t)e->value : 0;
}

int result_read_npy(const session *x, const char *name, const char *data, size_t size,
                    result_file *r) {
    layout l;
    size_t length = size >= HEAD ? (unsigned char)data[8] + 256u * (unsigned char)data[9] : 0;
    if (size < HEAD || data[6] != 1 || HEAD + length > size)
        return cli_fail(FR_FORMAT, "%s: byte 6: not a complete .npy file of version 1", name);
    char *head = cli_alloc(length + 1);
    memcpy(head, data + HEAD, length);
    bool good = read_layout(head, r, &l);
    free(head);
    if (!good)
        return cli_fail(FR_FORMAT,
                        "%s: byte 10: neither a vector of numbers nor records (vertex, level or "
                        "distance, parent)",
                        name);
    if (l.count < 0 || (uint64_t)l.count != (size - HEAD - length) / l.stride)
        return cli_fail(FR_FORMAT, "%s: %s declared, but %zu bytes of data", name,
                        human_items(l.count, "entry", "entries").text, size - HEAD - length);
    if (l.records)
        r->parent = cli_alloc((size_t)x->csr->n * sizeof *r->parent);
    if (!l.records && l.count != x->csr->n)
        return cli_fail(FR_FORMAT, "%s: %s for %s", name,
                        human_items(l.count, "value", "values").text,
                        human_items(x->csr->n, "vertex", "vertices").text);
    const char *at = data + HEAD + length;
    int code = CLI_OK;
    for (int64_t i = 0; i < l.count && !code; i++, at += l.stride) {
        result_entry e = {.no_parent = true};
        if (l.records) {
            memcpy(&e.id, at, sizeof e.id);
            memcpy(&e.parent, at + l.at_parent, sizeof e.parent);
            e.no_parent = e.parent == (r->minus_one ? INT64_MIN : -1);
        } else {
            e.id = fr_graph_id(x->graph, (int32_t)i);
        }
        read_value(&l, at + l.at_value, x->s->mark_negative_cycles, &e);
        if (isnan(e.value))
            code = cli_fail(FR_FORMAT, "%s: entry %lld is not a number", name, (long long)i);
        else
            code = result_put(x, r, (text_place){.path = name}, &e);
    }
    return code;
}
