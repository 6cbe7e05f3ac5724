#include "ranks/part/nonempty_rows.h"

#include <math.h>
#include <string.h>

/* A float that is at most `weight`. Weights of 64 bits have been rounded to double. */
static float at_most(double weight) {
    float rounded = (float)weight;
    bool exact = (double)rounded == weight && rounded < 0x1p24f;
    return exact ? rounded : nextafterf(rounded, 0);
}

static float lightest_of(const fr_csr *csr, int32_t slot) {
    double lightest = INFINITY;
    for (int64_t e = csr->offsets[slot]; e < csr->offsets[slot + 1]; e++)
        lightest = FRI_MIN(lightest, fri_csr_weight(csr, e));
    return isinf(lightest) ? INFINITY : at_most(lightest);
}

static void number_rows(const fr_part *p, fri_nonempty_rows *r) {
    const fr_csr *csr = &p->push->csr;
    int32_t slots = (int32_t)fri_part_slots(p);
    for (int32_t slot = 0; slot < slots; slot++) {
        if (slot % 64 == 0)
            r->before[slot / 64] = (int32_t)r->count;
        bool nonempty = p->world->size == 1 || csr->offsets[slot] < csr->offsets[slot + 1];
        int32_t position = (int32_t)r->count - r->before[slot / 64]; /* at most 63 */
        r->position[slot] = (uint8_t)(position | (nonempty ? FRI_ROW_NONEMPTY : 0));
        r->count += nonempty;
    }
}

static void fill_rows(const fr_part *p, fri_nonempty_rows *r) {
    int64_t count = 0;
    for (int32_t slot = 0; count < r->count; slot++)
        if (fri_row_is_nonempty(r, slot))
            r->rows[count++] = (fri_nonempty_row){0, slot, lightest_of(&p->push->csr, slot)};
    memset(r->due, FRI_DUE_NEVER, (size_t)fri_nonempty_rows_padded(r));
}

fr_status fri_nonempty_rows_make(fr_ctx *ctx, const fr_part *p, fri_nonempty_rows *out) {
    *out = (fri_nonempty_rows){0};
    out->position = fri_alloc(ctx, fri_bytes(fri_part_slots(p), 1));
    out->before = fri_alloc(ctx, fri_bytes(fri_part_slots(p) / 64, sizeof *out->before));
    if (!out->position || !out->before)
        return FR_NOMEM;
    number_rows(p, out);
    out->rows = fri_alloc(ctx, fri_bytes(out->count, sizeof *out->rows));
    out->next = fri_alloc(ctx, fri_bytes(out->count, sizeof *out->next));
    out->due = fri_alloc(ctx, fri_bytes(fri_nonempty_rows_padded(out), 1));
    if (!out->rows || !out->next || !out->due)
        return FR_NOMEM;
    fill_rows(p, out);
    return FR_OK;
}

void fri_nonempty_rows_free(fri_nonempty_rows *r) {
    fri_free(r->position);
    fri_free(r->before);
    fri_free(r->rows);
    fri_free(r->next);
    fri_free(r->due);
    *r = (fri_nonempty_rows){0};
}
