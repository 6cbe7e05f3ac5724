/* The team's barrier: everybody's writes are seen after it, with many more threads than cores,
 * and with members that sleep while one works. */
#include "support/support.h"

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/balance.h"
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
        fri_team_run(NULL, threads[i], body, &s);
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
        fri_team_run(NULL, i % 5 + 1, pass, &s);
        assert_int_equal(s.wrong, 0);
        assert_int_equal(s.value, 7);
    }
}

typedef struct {
    fr_ctx *ctx;
    int runs;     /* atomic */
    int members;  /* of a team within the team */
    int64_t done; /* atomic: by pieces of a loop */
} nested;

static void run_inner(fri_member me, void *arg) {
    nested *s = arg;
    (void)me;
    __atomic_fetch_add(&s->runs, 1, __ATOMIC_RELAXED);
}

static void run_outer(fri_member me, void *arg) {
    nested *s = arg;
    if (me.index == 0)
        s->members = fri_team_run(s->ctx, 4, run_inner, s);
}

static void do_piece(fri_member me, void *arg, int64_t begin, int64_t end) {
    nested *s = arg;
    (void)me;
    __atomic_fetch_add(&s->done, end - begin, __ATOMIC_RELAXED);
}

/* Teams of a context use its threads again; a team within a team, and in an OpenMP region, is the caller. */
static void crews_are_kept(void **state) {
    fr_ctx *ctx = *state;
    for (int i = 0; i < 2000; i++) {
        nested s = {.ctx = ctx};
        const int threads = i % 4 + 1;
        const int members = fri_team_run(ctx, threads, run_inner, &s);
        assert_in_range(members, 1, threads);
        assert_int_equal(s.runs, members);
        fri_team_loop(ctx, threads, 1000 + i, 64, do_piece, &s);
        assert_int_equal(s.done, 1000 + i);
        fri_team_run(ctx, threads, run_outer, &s);
        assert_int_equal(s.members, threads > 1 ? 1 : s.runs - members);
    }
    nested s = {.ctx = ctx};
    int alone = 0;
#pragma omp parallel num_threads(2) reduction(+ : alone)
    alone += fri_team_run(ctx, 4, run_inner, &s);
    assert_int_equal(alone, s.runs);
}

/* After fork the child's first team starts threads of its own. */
/* ---- parts whose workers come later ---- */

typedef struct {
    fr_ctx *ctx;
    fri_gate taken, released;
} holder;

static void hold(fri_member me, void *arg) {
    holder *h = arg;
    if (me.index)
        return;
    fri_gate_open(&h->taken);
    fri_gate_pass(&h->released, 1000);
}

/* A team of the context, which has its crew until `released`. */
static void *hold_crew(void *arg) {
    fri_team_share(((holder *)arg)->ctx, 2, hold, arg);
    return NULL;
}

typedef struct {
    holder *h;
    int parts, alone; /* begun; of one member */
    int members;      /* of the last */
} late;

static int decide_late(void *arg, int most, fri_part_time last) {
    enum { MOST_PARTS = 10000, HELD = 3 };
    late *l = arg;
    (void)last;
    if (l->parts == HELD)
        fri_gate_open(&l->h->released);
    return l->members == 2 || l->parts++ == MOST_PARTS ? 0 : most;
}

static void late_part(fri_member me, void *arg) {
    late *l = arg;
    if (me.index)
        return;
    l->members = me.count;
    l->alone += me.count == 1;
    usleep(1000);
}

/* A team that begins with fewer threads than it asks for has all of them once they are free. */
static void late_workers_are_asked_again(void **state) {
    (void)state;
    holder h = {.ctx = test_ctx_threads(2)};
    late l = {.h = &h};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, hold_crew, &h), 0);
    fri_gate_pass(&h.taken, 1000);
    assert_int_equal(fri_team_parts(h.ctx, 2, decide_late, late_part, &l), 2);
    assert_true(l.alone >= 3);
    assert_int_equal(l.members, 2);
    pthread_join(thread, NULL);
    fr_ctx_free(h.ctx);
}

static void a_child_has_its_own_crew(void **state) {
    fr_ctx *ctx = *state;
    nested s = {.ctx = ctx};
    fri_team_run(ctx, 2, run_inner, &s);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        s.done = 0;
        fri_team_loop(ctx, 2, 5000, 10, do_piece, &s);
        fr_ctx_free(ctx);
        _exit(s.done == 5000 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* Times in microseconds, as measured on two cores with Kronecker 16. */
static void balance_follows_facts(void **state) {
    (void)state;
    const int64_t us = 1000;
    fri_balance b = fri_balance_new();
    assert_true(fri_balance_pays(&b));
    for (int i = 0; i < 100; i++) /* quiet: 0.35 ms of one thread took 0.28 with two */
        fri_balance_team(&b, 180 * us, 180 * us, 100 * us);
    assert_true(fri_balance_pays(&b));
    fri_balance_team(&b, 1600 * us, 1600 * us,
                     2400 * us); /* one time slice lost does not stop teams */
    assert_true(fri_balance_pays(&b));
    fri_balance_team(&b, 20 * us, 20 * us,
                     30000 * us); /* beside eight processes: stopped while waking */
    assert_false(fri_balance_pays(&b));
    int calls = 0;
    for (; !fri_balance_pays(&b) && calls < 10000; calls++)
        fri_balance_alone(&b, 500 * us);
    assert_in_range(calls, 500,
                    1500); /* a trial costs at most 1 / 32 of the time, however long it waited */
    fri_balance_team(&b, 0 * us, 500 * us, 300 * us); /* nobody came */
    assert_false(fri_balance_pays(&b));
    for (int i = 0; i < 1000000; i++)
        fri_balance_alone(&b, 500 * us);
    b = fri_balance_new();
    for (int i = 0; i < 5; i++) /* beside others: 26 ms with two threads, most of it waiting, */
        fri_balance_team(&b, 10000 * us, 10000 * us, 16000 * us);
    assert_false(fri_balance_pays(&b));
    int teams = 0;
    for (int i = 0; i < 200; i++) /* 60 with one */
        if (fri_balance_pays(&b)) {
            fri_balance_team(&b, 10000 * us, 10000 * us, 16000 * us);
            teams++;
        } else {
            fri_balance_alone(&b, 60000 * us);
        }
    assert_in_range(teams, 180, 200);
    b = fri_balance_new();
    fri_balance_team(&b, 29500 * us, 500 * us,
                     5000 * us); /* of 60 threads one waits, but the others gain more */
    assert_true(fri_balance_pays(&b));
}

TEST_PROGRAM(TEST(crews_are_kept), TEST(late_workers_are_asked_again),
             TEST(a_child_has_its_own_crew), TEST(balance_follows_facts), TEST(barrier_holds),
             TEST(shares_cover), TEST(gate_holds))
