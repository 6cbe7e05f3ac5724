/* The team's barrier: everybody's writes are seen after it, with many more threads than cores,
 * and with members that sleep while one works. */
#include "support/support.h"

#include <time.h>

#include "base/team.h"

enum { ROUNDS = 2000, MAX_THREADS = 16 };

typedef struct {
    int64_t slot[MAX_THREADS];
    int64_t wrong;
    int64_t cursor, taken;
    int pause_every; /* rounds; 0: never */
    int members;
} shared;

static void body(fri_member me, void *arg) {
    shared *s = arg;
    for (int64_t round = 1; round <= ROUNDS; round++) {
        if (me.index == 0 && s->pause_every && round % s->pause_every == 0)
            nanosleep(&(struct timespec){0, 300000}, NULL); /* the others fall asleep */
        s->slot[me.index] = round;
        fri_team_barrier(me);
        for (int i = 0; i < me.count; i++)
            if (s->slot[i] != round)
                __atomic_fetch_add(&s->wrong, 1, __ATOMIC_RELAXED);
        fri_team_barrier(me); /* no thread writes the next round while another still reads */
    }
    if (me.index == 0)
        s->members = me.count;
    int64_t begin, end;
    while (fri_team_next_chunk(&s->cursor, 1001, 7, &begin, &end))
        __atomic_fetch_add(&s->taken, end - begin, __ATOMIC_RELAXED);
}

static void barrier_holds(void **state) {
    (void)state;
    const int threads[] = {1, 2, 3, 4, 8, 16};
    for (size_t i = 0; i < COUNT(threads); i++) {
        shared s = {.pause_every = threads[i] <= 4 ? 100 : 0};
        fri_team_run(threads[i], body, &s);
        assert_int_equal(s.wrong, 0);
        assert_int_equal(s.taken, 1001);
        assert_in_range(s.members, 1, threads[i]);
    }
}

static void shares_cover(void **state) {
    (void)state;
    fri_team team = {0};
    for (int count = 1; count <= 7; count++)
        for (int64_t total = 0; total < 70; total++) {
            int64_t at = 0, begin, end;
            for (int i = 0; i < count; i++) {
                fri_team_static_range((fri_member){&team, i, count}, total, 8, &begin, &end);
                assert_int_equal(begin, at);
                assert_true(begin == total || begin % 8 == 0);
                at = end;
            }
            assert_int_equal(at, total);
        }
}

typedef struct {
    fri_gate gate;
    int64_t spin_ns, value, wrong;
    bool pause;
} gated;

static void pass(fri_member me, void *arg) {
    gated *s = arg;
    if (me.index) {
        fri_gate_pass(&s->gate, s->spin_ns);
        fri_gate_pass(&s->gate, s->spin_ns); /* it stays open */
        if (s->value != 7)
            __atomic_fetch_add(&s->wrong, 1, __ATOMIC_RELAXED);
        return;
    }
    if (s->pause)
        nanosleep(&(struct timespec){0, 300000}, NULL); /* the others fall asleep */
    s->value = 7;
    fri_gate_open(&s->gate);
}

static void gate_holds(void **state) {
    (void)state;
    for (int i = 0; i < 400; i++) {
        gated s = {.spin_ns = i % 2 * 20000, .pause = i % 4 > 1};
        fri_team_run(i % 5 + 1, pass, &s);
        assert_int_equal(s.wrong, 0);
        assert_int_equal(s.value, 7);
    }
}

TEST_PROGRAM(TEST(barrier_holds), TEST(shares_cover), TEST(gate_holds))
