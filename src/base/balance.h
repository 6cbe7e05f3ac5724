/* Whether a context's teams pay on this machine as it is now: pure functions of measured times.
 *
 * Idea: where other processes occupy the cores, a team waits for members that the system does not run, a time
 *   slice at each barrier, and the thread that wakes others may be stopped in favor of them. The balance is
 *   the time that teams saved over one thread, less what they lost, limited on both sides. While it is
 *   negative calls run on one thread, and raise it by a small part of their time: this bounds what further
 *   trials lose by that part. Long calls gain by a team even if it waits more than it works, as two threads
 *   get twice the processor time that one gets beside others: where one thread then takes longer than the
 *   teams took, they may lose more before the next call on one thread. */
#ifndef FRI_BALANCE_H
#define FRI_BALANCE_H

#include "base/team.h"

typedef struct fri_balance {
    double ns;
    double limit;             /* of ns: the sum of delays that does not stop teams */
    double team_ns, alone_ns; /* recent times of runs; 0: none yet */
} fri_balance;

/* Before any team. */
fri_balance fri_balance_new(void);
bool fri_balance_pays(const fri_balance *b);
/* After a team whose first member worked for busy_ns, the others for shared_ns together, and the first one called
 * them and waited for waited_ns. */
void fri_balance_team(fri_balance *b, int64_t shared_ns, int64_t busy_ns, int64_t waited_ns);
/* After one thread has run in place of a team, for `ns`. */
void fri_balance_alone(fri_balance *b, int64_t ns);

/* ---- levels ----------------------------------------------------------------------------------- */

/* How many threads share a piece of work, a level of BFS or a round of SSSP: pure functions of measured and expected
 * times, which all traversals ask.
 *
 * Idea: with k threads a level takes its work / k and an overhead of k, for calling them, barriers, atomics and uneven
 *   parts. The cost models are fitted on one host; four numbers adapt them. The scales are the measured
 *   time of one thread, and of several at work, over the expected one; that of the kind that is
 *   not taken falls slowly, so that it is tried again: for three levels, as the first one of a kind finds what it reads
 *   in other cores' caches and says little of the kind. The overhead of k begins as fitted and is measured
 *   by levels on k threads; on levels that others take it returns to the fitted one, so that k is tried again.
 *   The loss of k is the time that levels on k threads or more took over half as many, less what they saved: when another
 *   process occupies a core, a barrier waits for milliseconds, the sooner the more threads it has, and a running average
 *   either forgets this too early or lets one delay rule out shared levels on an idle machine. A size that has lost too
 *   much is ruled out, but for levels that gain more than a delay costs; levels on fewer threads lower its loss by a part
 *   of their time, which bounds the time lost to trials: by half after teams that have paid, by half as much after each
 *   trial that fails. */
/* Expected nanoseconds. */
typedef struct fri_work {
    double alone;  /* by one thread */
    double shared; /* by all threads together, with atomics */
} fri_work;

typedef struct fri_share {
    double scale, shared_scale; /* measured / expected time of one thread, of several at work */
    double excess_ns[FRI_TEAM_SIZES]; /* overhead of 1, 2, 4, .. threads less the fitted one */
    /* of 1, 2, 4, .. threads or more: what their levels have lost over half as many, less what they saved, limited on
     * both sides; and trials that failed since they have paid */
    double lost_ns[FRI_TEAM_SIZES];
    uint8_t failed[FRI_TEAM_SIZES];
    double missed_ns;    /* what threads that sleep would have saved since they were last wanted */
    int most;            /* threads that levels might have had */
    int fewest, largest; /* teams of the query, 0: none; `largest` threads are awake */
    int last_threads;    /* of the level recorded last */
    double last_ns;      /* its expected time on one thread */
    int trial;           /* levels left of a trial of one thread, or of several */
    int run;             /* levels since the last change between them */
    bool run_failed;     /* there were few before that change */
    int8_t failed_trials;
    double team_ns;     /* of an edge, in recent queries with teams */
    int64_t most_edges; /* of a query */
    int turn;           /* 0, or the next size in turn, whether it pays or not: tests */
    bool fitted;        /* what levels took changes nothing: tests */
} fri_share;

/* The least expected time so far, by trying sizes that grow. */
typedef struct fri_share_choice {
    double ns;
    int threads;
    double open_ns; /* with sizes that have paid */
    bool is_open;   /* all sizes tried have paid */
} fri_share_choice;

/* Before any level. ctx NULL: sizes are those that pay. */
fri_share fri_share_new(const fr_ctx *ctx);
/* The overhead of k threads, 2 or more, before any level. */
double fri_share_fitted_ns(int threads);
/* Waking them if they sleep. */
double fri_share_wake_ns(int threads);
/* Before a query: none but the caller's is awake. */
static inline void fri_share_restart(fri_share *s) {
    s->fewest = s->largest = 0;
    s->missed_ns = s->last_ns = 0;
    s->trial = 0;
}
/* After a query over so many edges: levels are shared again if one thread has taken longer than teams take. Queries over
 * less than half of the most edges do not count. */
void fri_share_query(fri_share *s, int64_t edges, int64_t ns);
/* Counts a team, which is awake from now on. */
static inline void fri_share_note(fri_share *s, int threads) {
    if (threads > 1) {
        s->fewest = s->fewest ? FRI_MIN(s->fewest, threads) : threads;
        s->largest = FRI_MAX(s->largest, threads);
    }
}
/* The number of threads, at most `most`, with the least expected time; of those that are awake until more would have saved
 * as much as it costs to wake them. */
int fri_share_threads(fri_share *s, fri_work work, int most);
/* Whether so many threads are awake, or would have saved by now what waking them costs; gain_ns: what they save next. */
bool fri_share_wakes(fri_share *s, int threads, double gain_ns);
/* One thread, or the smallest team that may be chosen. */
static inline fri_share_choice fri_share_first(double ns, int threads) {
    return (fri_share_choice){ns, threads, ns, true};
}
/* Chooses the size, larger than those before, if it takes less and has paid, or gains more than one delay costs. ns: of a
 * unit of work, of `units`. */
void fri_share_try(const fri_share *s, fri_share_choice *choice, int threads, double ns,
                   double units);
/* The expected time of a level on k threads, 2 or more. */
double fri_share_ns(const fri_share *s, double shared_ns, int threads);
/* The least of them and its k; 1 of 1. Whether two threads have paid does not count. */
double fri_share_least_ns(const fri_share *s, double shared_ns, int most, int *threads);
/* For tests: a size that changes from level to level, whether it pays or not; otherwise `threads`. */
int fri_share_varied(const fri_share *s, int threads, int most);
/* After a level on one thread whose time tells nothing of the cost models. */
void fri_share_alone(fri_share *s, double ns);
/* After a shared level whose work is known by its time alone: it tells of delays. */
void fri_share_took(fri_share *s, int threads, fri_part_time time);
/* Of the query: "teams of 2 to 16 threads", or "". */
typedef struct fri_share_words {
    char text[48];
} fri_share_words;
fri_share_words fri_share_text(const fri_share *s);
/* After a level that so many threads shared, or one thread made: it tells its time, or when it began. */
void fri_share_record(fri_share *s, fri_work work, int threads, fri_part_time time,
                      int64_t began_ns);

#endif
