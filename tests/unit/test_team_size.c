/* How many threads share a level: the rule, from levels as measured. */
#include "base/balance.h"
#include "support/support.h"

#include <math.h>

/* Levels of a mesh on 16 threads: one thread takes 300 us, all together 320. */
static const fri_work MESH = {.alone = 300e3, .shared = 320e3};

typedef struct {
    double ns;   /* of the traversal */
    int shared;  /* levels */
    int threads; /* of the last shared level */
} outcome;

/* What a level takes on k threads beyond its part of the work: `call` + `thread` k, and delay_ns whenever the threads
 * together have taken part in `period` levels more; beyond `cores` threads two share a core, and work 1.6 times as long. */
typedef struct {
    double call, thread, delay_ns;
    int period, cores;
} machine;

static outcome traverse(fri_share *s, fri_work work, int levels, int most, machine m) {
    outcome out = {0};
    s->largest = most; /* they are awake */
    for (int i = 0, turns = 0; i < levels; i++) {
        const int threads = fri_share_threads(s, work, most);
        if (threads == 1) {
            fri_share_record(s, work, 1, (fri_part_time){.ns = (int64_t)work.alone}, 0);
            out.ns += work.alone;
            continue;
        }
        turns += threads;
        const bool is_late = m.period && turns / m.period > (turns - threads) / m.period;
        const double busy = work.shared / threads * (m.cores && threads > m.cores ? 1.6 : 1),
                     ns = busy + m.call + m.thread * threads + (is_late ? m.delay_ns : 0);
        fri_share_record(s, work, threads, (fri_part_time){(int64_t)busy, (int64_t)ns}, 0);
        out.shared++;
        out.threads = threads;
        out.ns += ns;
    }
    return out;
}

/* Whether a level that gains little may be shared. */
static bool pays(const fri_share *s) {
    fri_share_choice choice = fri_share_first(100, 1);
    fri_share_try(s, &choice, 2, 60, 1);
    return choice.threads == 2;
}

static void idle_machine_shares(void **state) {
    (void)state;
    fri_share s = fri_share_new(NULL);
    const outcome all = traverse(&s, MESH, 300, 16, (machine){.call = 300, .thread = 200});
    assert_int_equal(all.shared, 300);
    assert_int_equal(all.threads, 16);
}

/* The lattice of 1400 x 1400 by levels of one queue, on a host of 64 virtual cores: 2,000 levels of 1,000 vertices took
 * 18.0 ms on 16 threads, 20.7 on 32 and 52 on 60. */
static void fewer_threads_where_more_take_longer(void **state) {
    (void)state;
    const fri_work level = {.alone = 30e3, .shared = 45e3};
    static const struct {
        int threads;
        double ns;
    } facts[] = {{2, 24e3}, {4, 15e3}, {8, 10.5e3}, {16, 9e3}, {32, 10.3e3}, {60, 26e3}};
    fri_share s = fri_share_new(NULL);
    double sum = 0;
    int last = 0;
    s.largest = 60; /* they are awake */
    for (int i = 0; i < 2000; i++) {
        double ns = 0;
        last = fri_share_threads(&s, level, 60);
        for (size_t k = 0; k < COUNT(facts); k++)
            ns = facts[k].threads == last ? facts[k].ns : ns;
        const double busy = level.shared / last;
        assert_true(ns > 0);
        fri_share_record(&s, level, last, (fri_part_time){(int64_t)busy, (int64_t)ns}, 0);
        sum += ns;
    }
    assert_in_range(last, 8, 32);
    if (sum > 1.1 * 2000 * 9e3)
        fail_msg("%.1f ms, should be near 18", sum / 1e6);
}

/* Single delays on an idle machine do not make the traversal serial. */
static void single_delays_are_forgiven(void **state) {
    (void)state;
    fri_share s = fri_share_new(NULL);
    const outcome all =
        traverse(&s, MESH, 1000, 16, (machine){.thread = 4e3, .delay_ns = 1e6, .period = 320});
    assert_true(all.shared > 950);
    assert_true(all.ns < 0.5 * 1000 * MESH.alone);
}

/* A host of 32 virtual cores, two of a core, all in use: BFS of Moscow took 4.6 ms on 8 threads, 6 to 8.5 on 16 and 10 on
 * 32 or on one, to which one delay after the other led. */
static void fewer_threads_where_more_are_late(void **state) {
    (void)state;
    const machine host = {.call = 300, .thread = 200, .delay_ns = 3e6, .period = 1600, .cores = 16};
    for (double alone = 25e3; alone <= 1.6e6; alone *= 4) {
        const fri_work level = {alone, 1.1 * alone};
        double least = INFINITY;
        for (int most = 2; most <= 32; most *= 2) {
            fri_share s = fri_share_new(NULL);
            const double ns = traverse(&s, level, 8000, most, host).ns;
            if (ns > 1.15 * least)
                fail_msg("%d threads: levels of %.0f us take %.2f of the time of fewer", most,
                         alone / 1e3, ns / least);
            least = FRI_MIN(ns, least);
        }
    }
}

/* Shared levels that lose: the loss is bounded by the grant and a part of the time. */
static void busy_machine_is_serial(void **state) {
    (void)state;
    const fri_work level = {.alone = 13e3, .shared = 14e3};
    fri_share s = fri_share_new(NULL);
    const outcome all =
        traverse(&s, level, 100000, 2, (machine){.call = 1e3, .delay_ns = 3e6, .period = 40});
    assert_true(all.ns < 1.06 * 100000 * level.alone + 4e6);
    assert_true(all.shared > 0); /* it is tried again */
}

/* After the other process has gone, levels are shared again. */
static void recovers(void **state) {
    (void)state;
    fri_share s = fri_share_new(NULL);
    traverse(&s, MESH, 1000, 16, (machine){.thread = 4e3, .delay_ns = 3e6, .period = 1});
    assert_false(pays(&s));
    assert_true(traverse(&s, MESH, 1000, 16, (machine){.thread = 4e3}).shared > 400);
}

/* Small levels whose overhead is larger than what they save stay serial, and are tried rarely. */
static void overhead_is_learned(void **state) {
    (void)state;
    const fri_work level = {.alone = 12e3, .shared = 14e3};
    fri_share s = fri_share_new(NULL);
    const outcome all = traverse(&s, level, 10000, 16, (machine){.call = 24e3});
    assert_true(all.ns < 1.08 * 10000 * level.alone);
}

/* BFS of a cubic grid: one thread took .8 of what was expected, two .95. */
static void two_threads_that_lose_are_not_taken(void **state) {
    (void)state;
    const fri_work level = {.alone = 75e3, .shared = 140e3};
    fri_share s = fri_share_new(NULL);
    double ns = 0;
    s.largest = 2;
    for (int i = 0; i < 1000; i++) {
        const int threads = fri_share_threads(&s, level, 2);
        const int64_t took = threads == 1 ? 59000 : 67000;
        fri_share_record(&s, level, threads, (fri_part_time){took, took + 700}, 0);
        ns += (double)took;
    }
    assert_true(ns < 1.02 * 59e6);
}

/* A level on one thread or two: the first of a kind reads what is in the other core's cache. Less than a microsecond of work
 * takes one thread 700 ns more. */
static double cold_level(fri_share *s, fri_work level, int *run, const double ratio[2]) {
    static const double cold[] = {1.9, 1.2, 1.05};
    const int before = s->last_threads, threads = fri_share_threads(s, level, 2);
    *run = threads == before ? *run + 1 : 0;
    const double factor = *run < 3 ? cold[*run] : 1,
                 work = factor * ratio[threads - 1] * level.alone,
                 ns = work + (threads == 2 || level.alone < 1e3 ? 700 : 0);
    fri_share_record(s, level, threads,
                     (fri_part_time){(int64_t)(threads == 2 ? work : ns), (int64_t)ns, threads}, 0);
    return ns;
}

/* BFS of Moscow on two Xeon cores, or of a lattice on two AMD cores: queries of some small levels and 600 alike. */
static void trials_outlast_cold_caches(void **state) {
    (void)state;
    static const double hosts[][2] = {{1.24, 1.6}, {1.38, 1.75}, {1.8, 1.5}, {2.6, 1.3}};
    enum { QUERIES = 10, LEVELS = 600, SMALL = 20 };
    for (size_t h = 0; h < COUNT(hosts); h++)
        for (double alone = 4e3; alone < 1e6; alone *= 3) {
            const fri_work level = {alone, 2 * alone}, small = {300, 600};
            fri_share s = fri_share_new(NULL);
            double ns = 0;
            int run = 0;
            for (int i = 0; i < QUERIES * LEVELS; i++) {
                if (i % LEVELS == 0)
                    fri_share_restart(&s);
                s.largest = 2;
                const double took =
                    cold_level(&s, i % LEVELS < SMALL ? small : level, &run, hosts[h]);
                ns += i < QUERIES / 2 * LEVELS || i % LEVELS < SMALL ? 0 : took;
            }
            const double least = FRI_MIN(hosts[h][0] * alone, hosts[h][1] * alone + 700);
            if (ns > 1.1 * QUERIES / 2 * (LEVELS - SMALL) * least)
                fail_msg("host %zu, %.0f us: %.2f of the least time", h, alone / 1e3,
                         ns / (QUERIES / 2 * (LEVELS - SMALL) * least));
        }
}

static void scale_is_learned(void **state) {
    (void)state;
    const fri_work level = {.alone = 1e3, .shared = 1.1e3};
    fri_share s = fri_share_new(NULL);
    s.largest = 2;
    assert_int_equal(fri_share_threads(&s, level, 2), 1);
    for (int i = 0; i < 300; i++)
        fri_share_record(&s, level, 1, (fri_part_time){.ns = 3000},
                         0); /* memory is three times slower than fitted */
    assert_true(s.scale > 2.9 && s.scale < 3.1);
    assert_int_equal(fri_share_threads(&s, level, 2), 2);
    for (int i = 0; i < 100; i++)
        fri_share_record(&s, level, 1, (fri_part_time){.ns = 1000000000}, 0);
    assert_true(s.scale <= 4); /* bounded */
}

/* On 16 cores of a Xeon it took 62 us to wake 4 threads, 125 for 8 and 150 for 16. */
static void sleeping_threads_are_woken_for_more_than_a_level(void **state) {
    (void)state;
    const fri_work level = {30e3, 30e3};
    fri_share s = fri_share_new(NULL);
    assert_in_range(fri_share_wake_ns(4), 50e3, 75e3);
    assert_in_range(fri_share_wake_ns(16), 120e3, 180e3);
    assert_int_equal(fri_share_threads(&s, level, 4), 1); /* 22 us are missed, */
    assert_int_equal(fri_share_threads(&s, level, 4), 1); /* 44, */
    assert_int_equal(fri_share_threads(&s, level, 4), 4); /* 66 */
    assert_int_equal(fri_share_threads(&s, level, 4), 4);
    assert_int_equal(fri_share_threads(&s, level, 16), 4); /* further ones sleep */
    fri_share_restart(&s);
    assert_int_equal(fri_share_threads(&s, level, 4), 1);
    assert_int_equal(fri_share_threads(&s, (fri_work){100, 100}, 4),
                     1); /* it ends what was missed */
    assert_int_equal(fri_share_threads(&s, level, 4), 1);
    assert_int_equal(fri_share_threads(&s, level, 4), 1);
    assert_true(fri_share_threads(&s, (fri_work){1e6, 1e6}, 64) >= 16); /* at once */
}

/* For tests of what follows from the work alone: as before anything was measured, whatever levels take. */
static void fitted_teams_learn_nothing(void **state) {
    (void)state;
    fr_ctx ctx = {.teams = FRI_TEAMS_FITTED};
    fri_share s = fri_share_new(&ctx);
    s.largest = 16;
    const int before = fri_share_threads(&s, MESH, 16);
    const outcome all =
        traverse(&s, MESH, 100, 16, (machine){.thread = 1e6, .delay_ns = 3e6, .period = 1});
    fri_share_query(&s, 1000, 1000000000);
    assert_int_equal(all.shared, 100);
    assert_int_equal(all.threads, before);
    assert_int_equal(fri_share_threads(&s, MESH, 16), before);
}

/* Passes over edges, a nanosecond each: 2^14 take less than waking threads, of 2^19 any number of threads saves. */
static void passes_wake_all_threads_or_none(void **state) {
    (void)state;
    fr_ctx ctx = {.teams = FRI_TEAMS_ALL};
    for (int most = 2; most <= 64; most *= 2) {
        assert_int_equal(fri_threads_for(NULL, most, 1 << 14), 1);
        assert_int_equal(fri_threads_for(NULL, most, 1 << 19), most);
        assert_int_equal(fri_threads_for(&ctx, most, 1 << 14), most); /* tests */
    }
    assert_int_equal(fri_threads_for(NULL, 1, 1 << 30), 1);
    assert_int_equal(fri_threads_for(NULL, 64, 200e3), 1); /* 424 us to wake them */
    assert_int_equal(fri_threads_for(NULL, 16, 200e3), 16);
}

/* BFS of Moscow on a shared host of 64 virtual cores took 3.5 ms on 16 threads; after a delay 22 queries in turn had one
 * thread, and 8 ms. */
static void teams_return_where_one_thread_takes_longer(void **state) {
    (void)state;
    enum { EDGES = 900000 };
    for (int busy = 0; busy < 2; busy++) {
        fri_share s = fri_share_new(NULL);
        s.largest = 16;
        fri_share_query(&s, EDGES, busy ? 9000000 : 3500000);
        for (int i = 0; i < 4; i++)
            fri_share_record(&s, MESH, 16, (fri_part_time){20000, 9000000}, 0);
        assert_int_equal(fri_share_threads(&s, MESH, 16), 1);
        fri_share_restart(&s);
        s.largest = 1;
        fri_share_query(&s, EDGES / 3, 8000000); /* little of the graph tells nothing */
        assert_int_equal(fri_share_threads(&s, MESH, 1), 1);
        assert_false(pays(&s));
        fri_share_query(&s, EDGES, 8000000);
        assert_int_equal(pays(&s), !busy);
    }
}

/* SSSP of Kronecker 21 on 32 threads: a round of 52 ms of one thread, after delays in rounds of microseconds. */
static void large_levels_are_shared_after_delays(void **state) {
    (void)state;
    fri_share s = fri_share_new(NULL);
    for (int i = 0; i < 4; i++)
        fri_share_record(&s, MESH, 16, (fri_part_time){20000, 9000000}, 0);
    assert_int_equal(fri_share_threads(&s, MESH, 16), 1);
    assert_int_equal(fri_share_threads(&s, (fri_work){52e6, 52e6}, 16), 16);
    assert_int_equal(fri_share_threads(&s, (fri_work){4e6, 4e6}, 16), 1); /* less than a delay */
}

/* Bottom-up levels, whose work only their time tells: of Kronecker 21 on 32 threads, beside processes that work 3 of 13 ms. */
static void delays_of_any_level_count(void **state) {
    (void)state;
    fri_share s = fri_share_new(NULL);
    int threads;
    fri_share_least_ns(&s, 4e6, 32, &threads);
    assert_int_equal(threads, 32);
    for (int i = 0; i < 8; i++)
        fri_share_took(&s, 32, (fri_part_time){150000, 500000, 32}); /* uneven, not late */
    fri_share_least_ns(&s, 4e6, 32, &threads);
    assert_int_equal(threads, 32);
    for (int i = 0; i < 2; i++)
        fri_share_took(&s, 32, (fri_part_time){150000, 4150000, 32});
    fri_share_least_ns(&s, 4e6, 32, &threads);
    assert_int_equal(threads, 16);
    assert_true(pays(&s)); /* two threads were not late */
}

/* Nanoseconds of levels on one thread until one may be shared again. */
static double alone_until_shared(fri_share *s) {
    double ns = 0;
    for (; !pays(s) && ns < 1e9; ns += 1e5)
        fri_share_alone(s, 1e5);
    return ns;
}

/* Moscow on two cores of a shared host: after each delay nine queries of 14 ms had one thread, which took 22. */
static void a_delay_after_gains_costs_little(void **state) {
    (void)state;
    const fri_part_time delay = {20000, 9000000}, quick = {5000, 6000};
    fri_share s = fri_share_new(NULL);
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 1000; i++) /* they have paid */
            fri_share_record(&s, MESH, 2, quick, 0);
        double last = 0;
        for (int trial = 0; trial < 8; trial++) {
            while (s.lost_ns[1] < 4e6)
                fri_share_record(&s, MESH, 2, delay, 0);
            const double ns = alone_until_shared(&s);
            assert_true(trial || ns < 20e6);
            assert_true(ns >= last); /* trials that fail become rare */
            last = ns;
        }
        assert_true(last > 150e6 && last < 300e6);
    }
}

TEST_PROGRAM(TEST(delays_of_any_level_count), TEST(a_delay_after_gains_costs_little),
             TEST(large_levels_are_shared_after_delays),
             TEST(teams_return_where_one_thread_takes_longer), TEST(idle_machine_shares),
             TEST(fewer_threads_where_more_take_longer), TEST(fewer_threads_where_more_are_late),
             TEST(single_delays_are_forgiven), TEST(busy_machine_is_serial), TEST(recovers),
             TEST(overhead_is_learned), TEST(two_threads_that_lose_are_not_taken),
             TEST(trials_outlast_cold_caches), TEST(scale_is_learned),
             TEST(sleeping_threads_are_woken_for_more_than_a_level),
             TEST(passes_wake_all_threads_or_none), TEST(fitted_teams_learn_nothing))
