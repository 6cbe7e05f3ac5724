/* A call that fails, for the test of this program: where two edges leave a vertex it is wrong, crashes or hangs. Only
 * with --only fault. */
#include "case.h"

#include <signal.h>
#include <unistd.h>

extern const ri_call ri_call_fault;

enum { HOW = RI_FRAME_OPTIONS, NOISE, LIST };
static const char *const hows[] = {"wrong", "crash", "hang", NULL};
static const ri_option options[] = {{.name = "how", .kind = RI_NAME, .names = hows, .least = 1},
                                    {.name = "noise", .each = true},
                                    {.name = "list", .kind = RI_VERTICES, .each = true},
                                    {.name = NULL}};

static int fail(ri_case *c) {
    switch (ri_at(c, -1, HOW)) {
    case 1: raise(SIGSEGV); break;
    case 2: sleep(1000); break;
    default: ri_mismatch(c, "two edges leave vertex %d", c->graph.n);
    }
    return 0;
}

static void draw(ri_case *c, ri_rng *rng) {
    c->of[0][HOW].number = ri_chosen.fault;
    c->rounds = 3;
    for (int round = 0; round < 3; round++) {
        int32_t v = (int32_t)ri_below(rng, c->graph.n);
        ri_of(c, round, NOISE)->number = ri_below(rng, 100);
        ri_set_list(ri_of(c, round, LIST), &v, c->graph.n > 0);
    }
}

static void run(ri_case *c) {
    for (int64_t e = 0; e + 1 < c->stored.m; e++)
        if (c->stored.arcs[e].from == c->stored.arcs[e + 1].from)
            RI_DO(c, fail(c));
}

const ri_call ri_call_fault = {.name = "fault", .options = options, .draw = draw, .run = run};
