#include "fringe_tune.h"
#include "level_profile.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { KINDS = 64 };

typedef struct kind_list {
    char name[KINDS][sizeof((level_span *)0)->method];
    int count;
} kind_list;

/* "bucket 7" and "bucket 8" are one kind of method. */
static void kind_name(const char *of, char *out, size_t capacity) {
    snprintf(out, capacity, "%s", of);
    char *space = strrchr(out, ' ');
    if (space && space[1] && !space[1 + strspn(space + 1, "0123456789")])
        *space = 0;
}

static int kind_of(kind_list *list, const char *name) {
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->name[i], name) == 0)
            return i;
    if (list->count == KINDS)
        return KINDS - 1;
    strcpy(list->name[list->count], name);
    return list->count++;
}

static void add_to_point(level_point *p, const fr_level *l, int kind) {
    if (p->kind < 0)
        p->kind = kind;
    p->frontier = l->frontier > p->frontier ? l->frontier : p->frontier;
    p->edges = l->edges > p->edges ? l->edges : p->edges;
}

/* Spans beyond PROFILE_SPANS are counted but not kept. */
static void add_to_spans(level_profile *p, const fr_level *l, int64_t level, bool changed,
                         const char *name, int kind) {
    p->span_count += changed;
    if (p->span_count > PROFILE_SPANS)
        return;
    level_span *s = &p->spans[p->span_count - 1];
    if (changed) {
        *s = (level_span){.kind = kind, .first = level};
        strcpy(s->method, name);
    }
    s->last = level;
    s->frontier += l->frontier;
    s->edges += l->edges;
    s->ns += l->ns;
}

level_profile level_profile_of(const fr_solver *solver) {
    level_profile p = {0};
    const fr_level *levels = fr_solver_levels(solver, &p.levels);
    kind_list *kinds = cli_alloc(sizeof *kinds);
    p.point_count = p.levels < PROFILE_POINTS ? p.levels : PROFILE_POINTS;
    p.points = cli_alloc((size_t)p.point_count * sizeof *p.points);
    p.spans = cli_alloc(PROFILE_SPANS * sizeof *p.spans);
    for (int64_t i = 0; i < p.point_count; i++)
        p.points[i].kind = -1;
    for (int64_t i = 0, before = -1; i < p.levels; i++) {
        char name[sizeof p.spans->method];
        kind_name(levels[i].method, name, sizeof name);
        int kind = kind_of(kinds, name);
        add_to_point(&p.points[i * p.point_count / p.levels], &levels[i], kind);
        add_to_spans(&p, &levels[i], i, kind != before, name, kind);
        before = kind;
        p.has_edges |= levels[i].edges > 0;
        p.has_times |= levels[i].ns > 0;
    }
    free(kinds);
    return p;
}

void level_profile_free(level_profile *p) {
    free(p->points);
    free(p->spans);
}
