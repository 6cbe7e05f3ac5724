/* Answers as a NumPy array of records (vertex, level | distance, parent), with the contents of the
 * TSV. Format: NEP 1, version 1.0: magic, header length, a Python dict padded to 64 bytes, the
 * data. */
#include "answer.h"

#include <string.h>

size_t npy_head(char *head, const char *dtype, const char *shape) {
    enum { BLOCK = 64, FIXED = 10, MOST = NPY_HEAD_ROOM - FIXED };
    char *text = head + FIXED;
    int length = snprintf(text, MOST - BLOCK,
                          "{'descr': %s, 'fortran_order': False, 'shape': %s, }", dtype, shape);
    int whole = (FIXED + length + 1 + BLOCK - 1) / BLOCK * BLOCK;
    memset(text + length, ' ', (size_t)(whole - FIXED - length));
    text[whole - FIXED - 1] = '\n';
    memcpy(head, "\x93NUMPY\x01\0", FIXED - 2);
    head[8] = (char)((whole - FIXED) & 255);
    head[9] = (char)((whole - FIXED) >> 8);
    return (size_t)whole;
}

void npy_header(output_file *out, const char *dtype, const char *shape) {
    char head[NPY_HEAD_ROOM];
    output_file_put(out, head, npy_head(head, dtype, shape));
}

const char *npy_type(fr_type type) {
    static const char *const names[] = {"", "'<i4'", "'<i8'", "'<f4'", "'<f8'"};
    return names[type];
}

/* An output_rows put. */
static char *put_records(const void *user, int64_t first, int64_t last, char *at) {
    const answer_of *o = user;
    const char *value = o->answer->value;
    const int32_t *parents = o->answer->parent;
    bool narrow = fr_type_size(o->answer->type) == sizeof(int32_t);
    for (int64_t v = first; v < last; v++) {
        int64_t id = fr_graph_id(o->graph, (int32_t)v), parent = parents[v];
        if (parent >= 0)
            parent = fr_graph_id(o->graph, parents[v]);
        memcpy(at, &id, sizeof id);
        at += sizeof id;
        if (narrow) /* constant sizes: no call of memcpy */
            memcpy(at, value + v * 4, 4);
        else
            memcpy(at, value + v * 8, 8);
        at += narrow ? 4 : 8;
        memcpy(at, &parent, sizeof parent);
        at += sizeof parent;
    }
    return at;
}

void write_npy(const session *x, const answer *a, output_file *out) {
    char dtype[128], shape[32];
    snprintf(dtype, sizeof dtype, "[('vertex', '<i8'), ('%s', %s), ('parent', '<i8')]",
             a->problem == FR_PROBLEM_BFS ? "level" : "distance", npy_type(a->type));
    snprintf(shape, sizeof shape, "(%d,)", x->csr->n);
    npy_header(out, dtype, shape);
    write_rows(x, a, out, 2 * sizeof(int64_t) + fr_type_size(a->type), put_records);
}
