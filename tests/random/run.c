/* What a case has while it runs: memory with guard zones, its context and graphs, and the way out at a mismatch. */
#include "case.h"
#include "device.h"
#include "frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ZONE = 64 };

struct ri_block {
    ri_block *next;
    unsigned char *base; /* with the zones */
    size_t bytes;        /* without; zones: 0 for ri_alloc */
    ri_place place;
    bool guarded;
    void *copy;
};

static jmp_buf out_of_case;

/* ---- memory ------------------------------------------------------------------------------------ */

static ri_block *new_block(ri_case *c, size_t bytes) {
    ri_block *b = ri_need(sizeof *b);
    b->bytes = bytes;
    b->next = c->blocks;
    c->blocks = b;
    return b;
}

void *ri_alloc(ri_case *c, size_t bytes) { return new_block(c, bytes)->base = ri_need(bytes); }

void *ri_out_at(ri_case *c, ri_place place, size_t bytes) {
    ri_block *b = new_block(c, bytes);
    b->place = place;
    b->guarded = true;
    b->base = ri_place_new(place, bytes + 2 * ZONE);
    void *pattern = malloc(bytes + 2 * ZONE);
    if (!pattern || !b->base)
        abort();
    memset(pattern, RI_FILL, bytes + 2 * ZONE);
    ri_place_copy(b->base, pattern, bytes + 2 * ZONE);
    free(pattern);
    return b->base + ZONE;
}

static void check_zones(ri_case *c, const unsigned char *base, size_t bytes) {
    for (size_t i = 0; i < ZONE; i++) {
        RI_CHECK(c, base[i] == RI_FILL, "a byte %zu before an array is written", ZONE - i);
        RI_CHECK(c, base[ZONE + bytes + i] == RI_FILL, "byte %zu after an array is written", i);
    }
}

const void *ri_host(ri_case *c, const void *out) {
    for (ri_block *b = c->blocks; b && out; b = b->next)
        if (b->guarded && b->base + ZONE == out) {
            free(b->copy);
            b->copy = malloc(b->bytes + 2 * ZONE);
            if (!b->copy)
                abort();
            ri_place_copy(b->copy, b->base, b->bytes + 2 * ZONE);
            check_zones(c, b->copy, b->bytes);
            return (unsigned char *)b->copy + ZONE;
        }
    return NULL;
}

static void check_guards(ri_case *c) {
    for (ri_block *b = c->blocks; b; b = b->next)
        if (b->guarded && b->place != RI_DEVICE)
            check_zones(c, b->base, b->bytes);
}

static void free_blocks(ri_case *c) {
    for (ri_block *b = c->blocks, *next; b; b = next) {
        next = b->next;
        if (b->guarded)
            ri_place_free(b->place, b->base);
        else
            free(b->base);
        free(b->copy);
        free(b);
    }
    c->blocks = NULL;
}

/* ---- calls ----------------------------------------------------------------------------------------- */

_Noreturn void ri_mismatch(ri_case *c, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(c->why, sizeof c->why, format, list);
    va_end(list);
    longjmp(out_of_case, 1);
}

void ri_watch(ri_case *c, const char *what) {
    (void)c;
    ri_watch_begin(what);
}

int64_t ri_watched(ri_case *c, int64_t value) {
    ri_watch_end();
    check_guards(c);
    return value;
}

void ri_ok(ri_case *c, fr_status status, const char *what) {
    if (status && ri_is_excused(c, status))
        ri_stop(c);
    if (status)
        ri_mismatch(c, "%s: %.*s: %s", fr_status_name(status), (int)strcspn(what, "("), what,
                    c->ctx ? fr_ctx_error(c->ctx) : "");
}

void ri_refuse(ri_case *c) { c->refused = true; }

_Noreturn void ri_stop(ri_case *c) {
    ri_refuse(c);
    longjmp(out_of_case, 2);
}

ri_rng ri_run_rng(const ri_case *c) {
    return ri_seeded((uint64_t)ri_at(c, -1, RI_MADE_DETAIL), 0x5eed);
}

ri_verdict ri_run_case(ri_case *c) {
    c->why[0] = c->what[0] = 0;
    c->refused = false;
    ri_frame_begin();
    switch (setjmp(out_of_case)) {
    case 0:
        ri_store(c);
        c->call->run(c);
        break;
    case 1:
        ri_watch_end();
        ri_frame_abandon(c);
        return RI_WRONG;
    }
    if (!setjmp(out_of_case)) {
        ri_frame_end(c);
        free_blocks(c);
        return RI_FINE;
    }
    ri_frame_abandon(c);
    return RI_WRONG;
}
