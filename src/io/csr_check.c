/* Checks and sorts the rows of a CSR read from a file and compares edges with their mirrors. The
 * checks are sums, so that their loops vectorize and the result does not depend on the number of
 * threads. */
#include "io/csr_check.h"
#include "base/rng.h"

#include <string.h>

enum { CHUNK = 1024 }; /* vertices per chunk of work */

/* The first row that begins at edge e or later. Where offsets do not ascend it is any row. */
static int32_t row_from(const fr_csr *csr, int64_t e) {
    int32_t low = 0, high = csr->n;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (csr->offsets[middle] < e)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

fri_rows fri_csr_share(const fr_csr *csr, int share, int shares) {
    return (fri_rows){share ? row_from(csr, fri_share_begin(csr->m, share, shares)) : 0,
                      share + 1 < shares ? row_from(csr, fri_share_begin(csr->m, share + 1, shares))
                                         : csr->n};
}

bool fri_csr_is_valid(int threads, const fr_csr *csr, fri_rows rows) {
    const int64_t *offsets = csr->offsets, m = csr->m;
    const int32_t *targets = csr->targets, n = csr->n;
    if (rows.first > rows.last)
        return false;
    int64_t wrong = (rows.first == 0 && offsets[0] != 0) || (rows.last == n && offsets[n] != m) ||
                    offsets[rows.first] < 0 || offsets[rows.last] > m;
    threads = fri_threads_for(NULL, threads, m / 2);
#pragma omp parallel for num_threads(threads) reduction(+ : wrong)
    for (int32_t v = rows.first; v < rows.last; v++)
        wrong += offsets[v] > offsets[v + 1];
    if (wrong)
        return false;
#pragma omp parallel for num_threads(threads) reduction(+ : wrong)
    for (int64_t e = offsets[rows.first]; e < offsets[rows.last]; e++)
        wrong += (uint32_t)targets[e] >= (uint32_t)n;
    return !wrong;
}

/* Edges of these rows that are heavier than the next one, which has the same target. */
#define FRI_COUNT_HEAVIER(name, type)                                                              \
    static int64_t name(int threads, const fr_csr *csr, fri_rows rows) {                           \
        const int32_t *targets = csr->targets;                                                     \
        const type *w = csr->weights;                                                              \
        int64_t count = 0, begin = csr->offsets[rows.first], end = csr->offsets[rows.last];        \
        _Pragma("omp parallel for num_threads(threads) reduction(+ : count)") for (int64_t e =     \
                                                                                       begin + 1;  \
                                                                                   e < end; e++)   \
            count += (targets[e - 1] == targets[e]) & (w[e - 1] > w[e]);                           \
        _Pragma("omp parallel for num_threads(threads) reduction(- : count)") for (int32_t v =     \
                                                                                       rows.first; \
                                                                                   v < rows.last;  \
                                                                                   v++) {          \
            int64_t e = csr->offsets[v + 1]; /* the last edge of a row has no next one */          \
            count -=                                                                               \
                e > csr->offsets[v] && e < end && targets[e - 1] == targets[e] && w[e - 1] > w[e]; \
        }                                                                                          \
        return count;                                                                              \
    }
FRI_COUNT_HEAVIER(heavier_i32, int32_t)
FRI_COUNT_HEAVIER(heavier_i64, int64_t)
FRI_COUNT_HEAVIER(heavier_f32, float)
FRI_COUNT_HEAVIER(heavier_f64, double)
#undef FRI_COUNT_HEAVIER

/* Whether of parallel edges the lighter ones come first. */
static bool parallel_ascend(int threads, const fr_csr *csr, fri_rows rows) {
    if (!csr->weights)
        return true;
    switch (csr->weight_type) {
    case FR_TYPE_I32: return heavier_i32(threads, csr, rows) == 0;
    case FR_TYPE_I64: return heavier_i64(threads, csr, rows) == 0;
    case FR_TYPE_F32: return heavier_f32(threads, csr, rows) == 0;
    case FR_TYPE_F64: return heavier_f64(threads, csr, rows) == 0;
    default: return true;
    }
}

/* Rows are sorted if every descent from one target to the next lies on a row boundary, and of parallel edges
 * the lighter ones come first. */
bool fri_csr_is_sorted(int threads, const fr_csr *csr, fri_rows rows) {
    const int32_t *targets = csr->targets;
    int64_t descents = 0, equal = 0, begin = csr->offsets[rows.first], m = csr->offsets[rows.last];
    threads = fri_threads_for(NULL, threads, m);
#pragma omp parallel for num_threads(threads) reduction(+ : descents, equal)
    for (int64_t e = begin + 1; e < m; e++) {
        descents += targets[e - 1] > targets[e];
        equal += targets[e - 1] == targets[e];
    }
#pragma omp parallel for num_threads(threads) reduction(- : descents)
    for (int32_t v = rows.first; v < rows.last; v++) {
        int64_t end = csr->offsets[v + 1];
        bool between = end > csr->offsets[v] && end < m; /* a non-empty row ends here */
        descents -= between && targets[end - 1] > targets[end];
    }
    return descents == 0 && (equal == 0 || parallel_ascend(threads, csr, rows));
}

/* ---- sorting ------------------------------------------------------------------------------ */

typedef struct {
    int32_t *targets;
    void *weights;
    fr_type type;
} row;

static double weight_at(const row *r, int64_t i) {
    if (r->type == FR_TYPE_I32)
        return ((const int32_t *)r->weights)[i];
    if (r->type == FR_TYPE_F32)
        return (double)((const float *)r->weights)[i];
    return r->type == FR_TYPE_F64 ? ((const double *)r->weights)[i] : 0;
}

static bool before(const row *r, int64_t i, int64_t j) {
    if (r->targets[i] != r->targets[j])
        return r->targets[i] < r->targets[j];
    const int64_t *whole = r->weights;
    return r->type == FR_TYPE_I64 ? whole[i] < whole[j] : weight_at(r, i) < weight_at(r, j);
}

static void swap(const row *r, int64_t i, int64_t j) {
    int32_t t = r->targets[i];
    r->targets[i] = r->targets[j];
    r->targets[j] = t;
    size_t size = fr_type_size(r->type);
    if (size) {
        char *w = r->weights, kept[8];
        memcpy(kept, w + (size_t)i * size, size);
        memcpy(w + (size_t)i * size, w + (size_t)j * size, size);
        memcpy(w + (size_t)j * size, kept, size);
    }
}

static void sift(const row *r, int64_t i, int64_t count) {
    for (int64_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && before(r, child, child + 1))
            child++;
        if (!before(r, i, child))
            return;
        swap(r, i, child);
    }
}

/* Most rows are short and have no weights. */
static void sort_targets(int32_t *targets, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        int32_t t = targets[i];
        int64_t j = i;
        for (; j > 0 && targets[j - 1] > t; j--)
            targets[j] = targets[j - 1];
        targets[j] = t;
    }
}

/* Insertion sort for short rows, heapsort for long ones: in place and never quadratic. */
static void sort_row(const row *r, int64_t count) {
    if (count <= 32 && !r->weights) {
        sort_targets(r->targets, count);
        return;
    }
    if (count <= 32) {
        for (int64_t i = 1; i < count; i++)
            for (int64_t j = i; j > 0 && before(r, j, j - 1); j--)
                swap(r, j, j - 1);
        return;
    }
    int64_t i = 1;
    while (i < count && !before(r, i, i - 1))
        i++;
    if (i == count)
        return;
    for (i = count / 2; i-- > 0;)
        sift(r, i, count);
    for (i = count; i-- > 1;) {
        swap(r, 0, i);
        sift(r, 0, i);
    }
}

void fri_csr_sort_rows(int threads, const fr_csr *csr) {
    size_t size = fr_type_size(csr->weight_type);
    threads = fri_threads_for(NULL, threads, 4 * csr->m);
#pragma omp parallel for num_threads(threads) schedule(FRI_DYNAMIC, CHUNK)
    for (int32_t v = 0; v < csr->n; v++) {
        int64_t begin = csr->offsets[v];
        char *weights = (char *)(uintptr_t)csr->weights;
        row r = {(int32_t *)(uintptr_t)csr->targets + begin,
                 weights ? weights + (size_t)begin * size : NULL, csr->weight_type};
        sort_row(&r, csr->offsets[v + 1] - begin);
    }
}

/* ---- mirrors ------------------------------------------------------------------------------ */

static uint64_t weight_bits(const fr_csr *csr, int64_t e) {
    uint64_t bits = 0;
    size_t size = fr_type_size(csr->weight_type);
    if (size)
        memcpy(&bits, (const char *)csr->weights + (size_t)e * size, size);
    return bits;
}

bool fri_csr_is_mirrored(int threads, const fr_csr *csr) {
    uint64_t sum = 0; /* of the upward edges, minus the sum of the downward ones */
    threads = fri_threads_for(NULL, threads, 4 * csr->m);
#pragma omp parallel for num_threads(threads) schedule(FRI_DYNAMIC, CHUNK) reduction(+ : sum)
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            uint64_t low = (uint64_t)FRI_MIN(u, v), high = (uint64_t)FRI_MAX(u, v);
            uint64_t mixed = fri_mix64(fri_mix64(low << 32 | high) ^ weight_bits(csr, e));
            sum += u < v ? mixed : u > v ? 0 - mixed : 0;
        }
    return sum == 0;
}

/* The number of edges u -> v with the weight of edge `like`. */
static int64_t count_like(const fr_csr *csr, int32_t u, int32_t v, int64_t like) {
    int64_t low = csr->offsets[u], high = csr->offsets[u + 1], count = 0;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (csr->targets[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < csr->offsets[u + 1] && csr->targets[low] == v; low++)
        count += weight_bits(csr, low) == weight_bits(csr, like);
    return count;
}

bool fri_csr_find_unmirrored(const fr_csr *csr, int32_t *from, int32_t *to) {
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; e < csr->offsets[u + 1]; e++) {
            int32_t v = csr->targets[e];
            if (count_like(csr, u, v, e) != count_like(csr, v, u, e)) {
                *from = u;
                *to = v;
                return true;
            }
        }
    return false;
}
