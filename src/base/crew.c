/* The threads of a context: started by the first team that needs them, asleep between teams.
 *
 * Idea: the caller calls the workers that a team wants, which wake each other as a tree. If members meet
 *   at barriers, it waits for a bounded time; those that have joined by then are the team, and the others are
 *   dismissed. If members only share pieces of work, it begins at once; and if it has parts, a worker that comes later joins
 *   at the next one. So no call waits for a thread that the system does not run. A worker spins for some tens of
 *   microseconds after a team, as calls often follow each other, and then sleeps.
 * After fork the child has no workers: it starts new ones, and the memory of the old ones stays.
 */
#include "base/crew.h"

#include "base/balance.h"

#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

/* SPIN_NS: longer than a level of a few thousand edges, much shorter than a time slice; by the clock, as a pause takes
 * 11 ns on one machine and 33 on another. With more threads than processors a spinning thread only delays the thread it
 * waits for. FAN: workers that a thread wakes. LEAST_PATIENCE_NS: of two threads; the longest wait for workers is MOST_PATIENCE
 * times as long. */
enum {
    SPIN_NS = 50 * 1000,
    CROWDED_SPIN_NS = 500,
    RECORD_BITS = 6,
    FAN = 4,
    MOST_PATIENCE = 3,
    LEAST_PATIENCE_NS = 100 * 1000
};

typedef enum { IDLE, ASLEEP, CALLED, JOINED, DISMISSED } worker_state;

typedef struct {
    _Alignas(FRI_CACHE_LINE) uint32_t state; /* a worker_state; the futex word */
    uint32_t before;                         /* the call: IDLE or ASLEEP */
    int number;                              /* in the crew */
    int first, end;                          /* numbers of those called with it */
    struct fri_crew *crew;
    pthread_t thread;
} worker;

typedef struct {
    fri_team_fn body;
    void *arg;
    fri_team_key key;
    bool meets;   /* members wait for each other at barriers */
    bool crowded; /* more threads than processors */
} job;

struct fri_crew {
    pid_t process;    /* that started the workers */
    bool is_busy;     /* atomic */
    int count, room;  /* workers, and entries of `workers` */
    worker **workers; /* each in its own block, as running ones do not move */
    double patience;  /* 1 to MOST_PATIENCE times the least */
    bool waits_for_all;
    struct {
        fri_team_key key;
        fri_balance balance;
    } record[1 << RECORD_BITS]; /* by a hash of the key, of the last key with it */
    /* of the team in progress */
    fri_team team;
    fri_gate start, end; /* open when the members are known, and when all have left the body */
    fri_team_fn body;
    void *arg;
    int called, members;
    _Alignas(FRI_CACHE_LINE) int numbered; /* workers that have an index in the team */
    /* workers that have joined, once that is known, less those that have left */
    _Alignas(FRI_CACHE_LINE) int left;
};

static uint32_t load(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

/* Sequentially consistent, so that a caller and a worker that falls asleep see each other. */
static bool change(worker *w, uint32_t from, uint32_t to) {
    return __atomic_compare_exchange_n(&w->state, &from, to, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_ACQUIRE);
}

/* Of workers first .. end-1 those of node `parent` of the tree whose node 0 is the caller and node i + 1 worker first + i. */
static void wake_children(const struct fri_crew *c, int first, int end, int parent) {
    for (int i = first + FAN * parent; i < FRI_MIN(first + FAN * (parent + 1), end); i++)
        if (c->workers[i]->before == ASLEEP)
            fri_wake(&c->workers[i]->state);
}

/* Returns when the worker has joined a team; false: it is dismissed. Ends with the context, which dismisses all
 * workers: until then it sleeps, and costs nothing. */
static bool await_call(worker *w) {
    for (;;) {
        for (const int64_t end = fri_now_ns() + SPIN_NS;
             fri_now_ns() < end && load(&w->state) == IDLE;)
            fri_relax();
        change(w, IDLE, ASLEEP);
        while (load(&w->state) == ASLEEP)
            fri_sleep_on(&w->state, ASLEEP);
        if (load(&w->state) == DISMISSED)
            return false;
        if (change(w, CALLED, JOINED))
            return true;
    }
}

static void *run_worker(void *arg) {
    worker *w = arg;
    struct fri_crew *c = w->crew;
    while (await_call(w)) {
        wake_children(c, w->first, w->end, w->number - w->first + 1);
        fri_gate_pass(&c->start, SPIN_NS);
        const int index = __atomic_add_fetch(&c->numbered, 1, __ATOMIC_ACQ_REL);
        c->body((fri_member){&c->team, index, c->members}, c->arg);
        __atomic_store_n(&w->state, IDLE, __ATOMIC_RELAXED); /* published by the next line */
        if (__atomic_sub_fetch(&c->left, 1, __ATOMIC_ACQ_REL) == 0)
            fri_gate_open(&c->end);
    }
    return NULL;
}

static bool start_worker(struct fri_crew *c) {
    worker *w = aligned_alloc(FRI_CACHE_LINE, sizeof *w);
    if (!w)
        return false;
    *w = (worker){.state = IDLE, .number = c->count, .crew = c};
    if (pthread_create(&w->thread, NULL, run_worker, w)) {
        free(w);
        return false;
    }
    c->workers[c->count++] = w;
    return true;
}

/* Before any of them is called, since those at work read the array. */
static void reserve(struct fri_crew *c, int wanted) {
    worker **workers =
        wanted > c->room ? realloc(c->workers, (size_t)wanted * sizeof *workers) : NULL;
    if (!workers)
        return;
    c->workers = workers;
    c->room = wanted;
}

/* Up to `wanted` workers; fewer if the system has no more. */
static void grow(struct fri_crew *c, int wanted) {
    while (c->count < FRI_MIN(wanted, c->room) && start_worker(c))
        ;
}

/* Those that complete so many of the team; fewer if the system has no more. Backwards: a worker that has joined finds its
 * children called. */
static void call_workers(struct fri_crew *c, int workers) {
    const int first = c->called;
    grow(c, workers);
    c->called = FRI_MAX(first, FRI_MIN(workers, c->count));
    for (int i = c->called - 1; i >= first; i--) {
        worker *w = c->workers[i];
        w->first = first;
        w->end = c->called;
        w->before = load(&w->state);
        while (!change(w, w->before, CALLED))
            w->before = load(&w->state);
    }
    wake_children(c, first, c->called, 0);
}

/* Dismisses the workers that have not come within the time; returns the number of the others. */
static int dismiss_others(struct fri_crew *c, int64_t wait_ns) {
    const int64_t end = fri_now_ns() + wait_ns;
    bool waits = wait_ns > 0;
    int joined = 0;
    for (int i = 0; i < c->called; i++) {
        worker *w = c->workers[i];
        for (int spins = 1; waits && load(&w->state) == CALLED; spins++) {
            fri_relax();
            if (spins % 64)
                continue;
            waits = fri_now_ns() < end;
            if (c->waits_for_all)
                sched_yield();
        }
        joined += !change(w, CALLED, w->before);
    }
    return joined;
}

/* The least wait for so many workers: half as long again as waking them takes. */
static double least_patience_ns(int workers) {
    return FRI_MAX(1.5 * fri_share_wake_ns(workers + 1), LEAST_PATIENCE_NS);
}

static int64_t patience_ns(const struct fri_crew *c, int workers) {
    return c->waits_for_all ? INT64_MAX / 2 : (int64_t)(c->patience * least_patience_ns(workers));
}

static void learn_patience(struct fri_crew *c, bool all_came) {
    c->patience = all_came ? FRI_MIN(2 * c->patience, MOST_PATIENCE) : FRI_MAX(c->patience / 2, 1);
}

/* Those that join soon are the members. */
static void admit_joined(struct fri_crew *c) {
    c->members = 1 + dismiss_others(c, patience_ns(c, c->called));
    learn_patience(c, c->members > c->called);
    fri_gate_open(&c->start);
}

/* Returns when the `joined` workers have left the body. */
static void await_leavers(struct fri_crew *c, int joined) {
    if (__atomic_add_fetch(&c->left, joined, __ATOMIC_ACQ_REL) > 0)
        fri_gate_pass(&c->end, SPIN_NS);
}

static int record_at(fri_team_key key) {
    return (int)((uint64_t)key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECORD_BITS));
}

/* Long and short bodies, and solvers of large and small graphs, do not pay for each other. */
static fri_balance *balance_of(struct fri_crew *c, fri_team_key key) {
    const int at = record_at(key);
    if (c->record[at].key != key) {
        c->record[at].key = key;
        c->record[at].balance = fri_balance_new();
    }
    return &c->record[at].balance;
}

static bool pays(const struct fri_crew *c, fri_team_key key) {
    const int at = record_at(key);
    return c->waits_for_all || c->record[at].key != key || fri_balance_pays(&c->record[at].balance);
}

/* Of up to so many threads; no worker is called yet. */
static void begin_team(struct fri_crew *c, int threads, const job *j) {
    reserve(c, threads - 1);
    c->team = (fri_team){.crowded = j->crowded, .spin_ns = j->crowded ? CROWDED_SPIN_NS : SPIN_NS};
    fri_gate_close(&c->start);
    fri_gate_close(&c->end);
    c->left = c->called = c->numbered = 0;
    c->body = j->body;
    c->arg = j->arg;
}

/* The processor time of a thread would tell more, but a process that asks for it may lose its processor there. */
static int run_team(struct fri_crew *c, int threads, const job *j) {
    const int64_t begin = fri_now_ns();
    begin_team(c, threads, j);
    if (!j->meets) { /* all are members: those that come late find nothing left to do */
        grow(c, threads - 1);
        c->members = FRI_MIN(threads - 1, c->count) + 1;
        fri_gate_open(&c->start);
    }
    call_workers(c, threads - 1);
    if (j->meets)
        admit_joined(c);
    const int64_t began = fri_now_ns();
    j->body((fri_member){&c->team, 0, c->members}, j->arg);
    const int64_t ended = fri_now_ns();
    const int joined = j->meets ? c->members - 1 : dismiss_others(c, 0);
    await_leavers(c, joined);
    const int64_t met = c->team.waited_ns;
    const int64_t shared = c->team.shared_ns ? c->team.shared_ns : joined * (ended - began - met);
    fri_balance_team(balance_of(c, j->key), shared, ended - began - met,
                     began - begin + met + fri_now_ns() - ended);
    return c->members;
}

static int run_alone(fri_team_fn body, void *arg) {
    fri_team team = {0};
    body((fri_member){&team, 0, 1}, arg);
    return 1;
}

/* One thread in place of a team. */
static int run_for_team(struct fri_crew *c, const job *j) {
    const int64_t begin = fri_now_ns();
    run_alone(j->body, j->arg);
    fri_balance_alone(balance_of(c, j->key), fri_now_ns() - begin);
    return 1;
}

static void end_workers(struct fri_crew *c) {
    for (int i = 0; i < c->count; i++) {
        worker *w = c->workers[i];
        __atomic_store_n(&w->state, DISMISSED, __ATOMIC_SEQ_CST);
        fri_wake(&w->state);
        pthread_join(w->thread, NULL);
        free(w);
    }
    free(c->workers);
}

void fri_crew_free(struct fri_crew *c) {
    if (c && c->process == getpid())
        end_workers(c);
    free(c);
}

static struct fri_crew *new_crew(void) {
    struct fri_crew *c = aligned_alloc(FRI_CACHE_LINE, sizeof *c);
    if (!c)
        return NULL;
    *c = (struct fri_crew){.process = getpid(), .patience = MOST_PATIENCE};
    return c;
}

/* NULL: there is no memory, or a team of the context is at work. */
static struct fri_crew *take_crew(fr_ctx *ctx) {
    if (ctx->crew && ctx->crew->process != getpid()) { /* its workers are in the parent */
        free(ctx->crew);
        ctx->crew = NULL;
    }
    if (!ctx->crew)
        ctx->crew = new_crew();
    if (!ctx->crew || __atomic_exchange_n(&ctx->crew->is_busy, true, __ATOMIC_ACQUIRE))
        return NULL;
    ctx->crew->waits_for_all = ctx->teams != FRI_TEAMS_MEASURED;
    return ctx->crew;
}

static void give_crew(struct fri_crew *c) {
    __atomic_store_n(&c->is_busy, false, __ATOMIC_RELEASE);
}

static bool is_crowded(const fr_ctx *ctx, int threads) {
    return threads > (ctx ? ctx->processors : fri_processors());
}

static int run(fr_ctx *ctx, int threads, job j) {
    if (threads <= 1 || omp_in_parallel())
        return run_alone(j.body, j.arg);
    j.crowded = is_crowded(ctx, threads);
    if (!ctx) {
        struct fri_crew own = {.waits_for_all = true};
        const int members = run_team(&own, threads, &j);
        end_workers(&own);
        return members;
    }
    struct fri_crew *c = take_crew(ctx);
    if (!c)
        return run_alone(j.body, j.arg);
    const int members = pays(c, j.key) ? run_team(c, threads, &j) : run_for_team(c, &j);
    give_crew(c);
    return members;
}

int fri_team_run(fr_ctx *ctx, int threads, fri_team_fn body, void *arg) {
    return run(ctx, threads, (job){body, arg, .key = fri_team_key_of(body, arg), .meets = true});
}

int fri_team_share(fr_ctx *ctx, int threads, fri_team_fn body, void *arg) {
    return run(ctx, threads, (job){body, arg, .key = (fri_team_key)body});
}

typedef struct {
    fri_piece_fn piece;
    void *arg;
    int64_t total, grain;
    _Alignas(FRI_CACHE_LINE) int64_t cursor;
} loop;

static void take_pieces(fri_member me, void *arg) {
    loop *l = arg;
    int64_t begin, end;
    while (fri_team_next_chunk(&l->cursor, l->total, l->grain, &begin, &end))
        l->piece(me, l->arg, begin, end);
}

void fri_team_loop(fr_ctx *ctx, int threads, int64_t total, int64_t grain, fri_piece_fn piece,
                   void *arg) {
    loop l = {.piece = piece, .arg = arg, .total = total, .grain = threads == 1 ? total : grain};
    run(ctx, (int)FRI_MIN((total + grain - 1) / grain, threads),
        (job){take_pieces, &l, .key = (fri_team_key)piece});
}

/* ---- parts ------------------------------------------------------------------------------------ */

/* Members wait by groups of 1, 2, 4, .. for the parts that need them, each group at a word of its own. A part of k members
 * writes the words of their groups: it costs what k threads cost, however many the team has. */
enum {
    MEMBER_BITS = 13,
    NUMBERS = (1 << (32 - MEMBER_BITS)) - 1
}; /* of a call: 0 to 4096 members; a part is 1 to NUMBERS */

typedef struct {
    fri_decide_fn decide;
    fri_team_fn part;
    void *arg;
    fri_team_key key;
    fr_ctx *ctx;
    struct fri_crew *crew; /* NULL: the caller is alone */
    int threads, largest;
    uint32_t number; /* of the part */
    bool alone;      /* until retry_at: teams do not pay, or the crew is at work */
    int64_t retry_at, retry_ns;
    int64_t began, waited; /* for workers, since the crew is taken */
    fri_part_time last;
    fri_team none; /* of the caller alone */
} parts;

static int group_of(int index) { return 31 - __builtin_clz((unsigned)index); }

/* Calls the groups of members 1 .. last for a part of that many members; 0: the end. */
static void call(parts *p, fri_team *team, int last, int members) {
    p->number = p->number % NUMBERS + 1;
    const uint32_t word = p->number << MEMBER_BITS | (uint32_t)members;
    for (int g = 0; g <= group_of(last); g++) {
        /* sequentially consistent, as fri_team_await requires; publishes what member 0 has written */
        __atomic_store_n(&team->group[g].call, word, __ATOMIC_SEQ_CST);
        if (__atomic_load_n(&team->group[g].sleepers, __ATOMIC_SEQ_CST))
            fri_wake(&team->group[g].call);
    }
}

/* Members but 0. Ends with the parts: member 0 calls all groups for the end. */
static void follow(fri_member me, void *arg) {
    enum { PATIENCE = 4 }; /* some levels may need few members before one needs all again */
    const parts *p = arg;
    fri_team_group *group = &me.team->group[group_of(me.index)];
    for (uint32_t seen = 0;;) { /* until the call of no members, with which end_parts ends */
        fri_team_await(PATIENCE * me.team->spin_ns, &group->call, &group->sleepers, seen);
        seen = __atomic_load_n(&group->call, __ATOMIC_ACQUIRE);
        me.count = (int)(seen & ((1 << MEMBER_BITS) - 1));
        if (me.count == 0)
            return;
        if (me.index >= me.count)
            continue;
        p->part(me, p->arg);
        fri_team_join(me);
    }
}

static void run_part(parts *p, int members) {
    fri_team *team = p->crew ? &p->crew->team : &p->none;
    const fri_member me = {team, 0, members};
    p->last = (fri_part_time){.members = members};
    p->largest = FRI_MAX(p->largest, members);
    if (members == 1) {
        p->part(me, p->arg);
        return;
    }
    const int64_t began = fri_now_ns(), waited = team->waited_ns;
    call(p, team, members - 1, members);
    const int64_t called = fri_now_ns();
    p->part(me, p->arg);
    p->last.busy_ns = fri_now_ns() - called - (team->waited_ns - waited);
    team->shared_ns += p->last.busy_ns * (members - 1);
    fri_team_join(me);
    p->last.ns = fri_now_ns() - began;
}

static int present(const struct fri_crew *c) {
    return 1 + __atomic_load_n(&c->numbered, __ATOMIC_ACQUIRE);
}

/* What comes after it costs little of this time: waiting for so many workers takes at most 3 to 9 % of it. */
static void stay_alone(parts *p) {
    p->alone = true;
    p->retry_ns = p->retry_ns ? 2 * p->retry_ns : (int64_t)(32 * least_patience_ns(p->threads - 1));
    p->retry_at = fri_now_ns() + p->retry_ns;
}

static void take_workers(parts *p) {
    p->crew = take_crew(p->ctx);
    if (!p->crew) {
        stay_alone(p);
        return;
    }
    p->began = fri_now_ns();
    begin_team(p->crew, p->threads, &(job){follow, p, .crowded = is_crowded(p->ctx, p->threads)});
    fri_gate_open(&p->crew->start);
}

/* Calls the workers that a part of so many members wants and waits for them: the fewer are missing, the less, as these join
 * the next part. */
static void call_for_part(parts *p, int wanted) {
    struct fri_crew *c = p->crew;
    const int64_t begin = fri_now_ns(), patience = patience_ns(c, wanted - 1) / (wanted - 1);
    int missing;
    call_workers(c, wanted - 1);
    while ((missing = c->called + 1 - present(c)) > 0 &&
           fri_now_ns() - begin < patience * missing) {
        fri_relax();
        if (c->waits_for_all)
            sched_yield();
    }
    learn_patience(c, missing == 0);
    p->waited += fri_now_ns() - begin;
}

/* The members of a part that wants so many. */
static int gather(parts *p, int wanted) {
    if (wanted == 1)
        return 1;
    if (!p->crew)
        take_workers(p);
    if (!p->crew)
        return 1;
    if (wanted - 1 > p->crew->called)
        call_for_part(p, wanted);
    return FRI_MIN(wanted, present(p->crew));
}

/* How many members may be chosen: while some of those that were called are missing, as many as there are. */
static int most_members(parts *p) {
    if (p->crew)
        return present(p->crew) > p->crew->called ? p->threads : present(p->crew);
    p->alone = p->alone && fri_now_ns() < p->retry_at;
    return p->alone ? 1 : p->threads;
}

static void end_parts(parts *p) {
    struct fri_crew *c = p->crew;
    if (c->called)
        call(p, &c->team, c->called, 0);
    await_leavers(c, dismiss_others(c, 0));
    const int64_t waited = p->waited + c->team.waited_ns;
    fri_balance_team(balance_of(c, p->key), c->team.shared_ns, fri_now_ns() - p->began - waited,
                     waited);
    give_crew(c);
}

/* After parts of one thread in place of a team. */
static void record_alone(const parts *p, int64_t ns) {
    struct fri_crew *c = take_crew(p->ctx);
    if (!c)
        return;
    fri_balance_alone(balance_of(c, p->key), ns);
    give_crew(c);
}

int fri_team_parts(fr_ctx *ctx, int threads, fri_decide_fn decide, fri_team_fn part, void *arg) {
    const int64_t began = fri_now_ns();
    parts p = {decide, part, arg, fri_team_key_of(part, arg), ctx, .largest = 1};
    p.threads = omp_in_parallel() ? 1 : threads;
    const bool loses = p.threads > 1 && ctx->crew && !pays(ctx->crew, p.key);
    if (loses)
        stay_alone(&p);
    for (int wanted; (wanted = decide(arg, most_members(&p), p.last)) > 0;)
        run_part(&p, gather(&p, wanted));
    if (p.crew)
        end_parts(&p);
    else if (loses)
        record_alone(&p, fri_now_ns() - began);
    return p.largest;
}
