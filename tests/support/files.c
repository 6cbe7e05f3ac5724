#include "support/files.h"

#include <stdio.h>

static char folder[] = "/tmp/fringe-test-XXXXXX";

int test_folder_make(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

int test_folder_remove(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

const char *test_path(const char *name) {
    static char paths[8][256];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *test_put(const char *name, const void *bytes, size_t size) {
    const char *path = test_path(name);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    return path;
}

char *test_read(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    fseek(f, 0, SEEK_END);
    *size = (size_t)ftell(f);
    rewind(f);
    char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, f), *size);
    fclose(f);
    return bytes;
}

bool test_shell(const char *command) {
    char line[1024];
    snprintf(line, sizeof line, "cd '%s' && (%s) 2>/dev/null", folder, command);
    return system(line) == 0;
}

void assert_same_graph(const char *what, const fr_graph *a, const fr_graph *b) {
    const fr_csr *x = fr_graph_csr(a), *y = fr_graph_csr(b);
    if (x->n != y->n || x->m != y->m || x->weight_type != y->weight_type ||
        x->symmetric != y->symmetric)
        fail_msg("%s: n %d %d, m %lld %lld, weights %s %s, symmetric %d %d", what, x->n, y->n,
                 (long long)x->m, (long long)y->m, fr_type_name(x->weight_type),
                 fr_type_name(y->weight_type), x->symmetric, y->symmetric);
    size_t m = (size_t)x->m;
    if (memcmp(x->offsets, y->offsets, ((size_t)x->n + 1) * sizeof *x->offsets) ||
        memcmp(x->targets, y->targets, m * sizeof *x->targets))
        fail_msg("%s: the rows differ", what);
    if (x->weights && memcmp(x->weights, y->weights, m * fr_type_size(x->weight_type)))
        fail_msg("%s: the weights differ", what);
    for (int32_t v = 0; v < x->n; v++)
        if (fr_graph_id(a, v) != fr_graph_id(b, v))
            fail_msg("%s: vertex %d: id %lld, not %lld", what, v, (long long)fr_graph_id(a, v),
                     (long long)fr_graph_id(b, v));
}
