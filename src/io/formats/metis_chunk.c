/* Parses one chunk of a METIS file: lines to rows. */
#include "io/text/digits.h"
#include "io/formats/metis.h"
#include "io/text/number_scan.h"

static const char *const texts[] = {
    [FRI_METIS_SHORT] = "the line is shorter than the size and weights of its vertex",
    [FRI_METIS_NO_WEIGHT] = "a neighbor has no weight",
    [FRI_METIS_EXTRA] = "more lines than vertices are declared",
};

const char *fri_metis_fault_text(fri_metis_fault fault) { return texts[fault]; }

typedef struct {
    const fri_metis *g;
    fri_metis_chunk *p;
    const char *at;
    int32_t *targets;
    void *weights;
    int64_t edge, end; /* the next position, and the end of the chunk's range */
} cursor;

static bool fail(cursor *c, fri_metis_fault fault, const char *at, int64_t value) {
    c->p->fault = fault;
    c->p->at = at;
    c->p->value = value;
    return false;
}

/* Reads one number that is followed by a blank or the end; false: a fault is recorded. */
static inline bool read_number(cursor *c, int64_t *out) {
    const char *begin = c->at, *end = c->p->end;
    if (!fri_short_number(&c->at, end, out)) {
        fri_scan scan = {c->at, end};
        fri_scan_status status = fri_scan_int64(&scan, out);
        if (status != FRI_SCAN_OK)
            return fail(c, status == FRI_SCAN_RANGE ? FRI_METIS_RANGE : FRI_METIS_NOT_INTEGER,
                        begin, 0);
        c->at = scan.at;
    }
    if (c->at < end && !fri_is_blank(*c->at) && *c->at != '\n')
        return fail(c, FRI_METIS_NOT_INTEGER, begin, 0);
    return true;
}

static inline bool at_eol(cursor *c) {
    c->at = fri_skip_blanks(c->at, c->p->end);
    return c->at == c->p->end || *c->at == '\n';
}

static inline bool read_weight(cursor *c, int64_t e) {
    int64_t weight;
    const char *begin = c->at;
    if (at_eol(c))
        return fail(c, FRI_METIS_NO_WEIGHT, begin, 0);
    if (!read_number(c, &weight))
        return false;
    if (c->g->ignore_weights)
        return true;
    if (!c->g->wide_weights && (weight < INT32_MIN || weight > INT32_MAX))
        return fail(c, FRI_METIS_WIDER, begin, 0);
    if (e >= c->end)
        return true;
    if (c->g->wide_weights)
        ((int64_t *)c->weights)[e] = weight;
    else
        ((int32_t *)c->weights)[e] = (int32_t)weight;
    return true;
}

/* Parses the line of vertex v, without its newline. If the chunk's range is exceeded, some line is
 * invalid: parsing continues without storing until it finds that line. */
static inline bool read_line(cursor *c, int64_t v) {
    int64_t number;
    for (int64_t i = 0; i < c->g->skip; i++) {
        if (at_eol(c))
            return fail(c, FRI_METIS_SHORT, c->at, 0);
        if (!read_number(c, &number))
            return false;
    }
    while (!at_eol(c)) {
        const char *begin = c->at;
        if (!read_number(c, &number))
            return false;
        if ((uint64_t)number - (uint64_t)c->g->base >= (uint64_t)c->g->n)
            return fail(c, FRI_METIS_ID, begin, number);
        if (number - c->g->base == v && !c->g->multi)
            return fail(c, FRI_METIS_LOOP, begin, number);
        int64_t e = c->edge++;
        if (e < c->end)
            c->targets[e] = (int32_t)(number - c->g->base);
        if (c->g->weighted && !read_weight(c, e))
            return false;
    }
    return true;
}

void fri_metis_parse(const fri_metis *g, fri_metis_chunk *p, const fr_csr *csr) {
    int64_t *offsets = (int64_t *)(uintptr_t)csr->offsets;
    cursor c = {g,
                p,
                p->begin,
                (int32_t *)(uintptr_t)csr->targets,
                (void *)(uintptr_t)csr->weights,
                p->edge,
                p->edge + p->capacity};
    p->fault = FRI_METIS_OK;
    int64_t v = p->vertex;
    while (c.at < p->end) {
        if (*c.at == '%') {
            c.at = fri_skip_line(c.at, p->end);
            continue;
        }
        if (v < g->n) {
            if (!read_line(&c, v))
                return;
            offsets[++v] = c.edge;
        } else if (!at_eol(&c)) {
            fail(&c, FRI_METIS_EXTRA, c.at, 0);
            return;
        }
        c.at += c.at < p->end; /* the newline */
    }
}
