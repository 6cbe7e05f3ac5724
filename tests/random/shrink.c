/* Makes a failing case smaller. Each smaller case is tried by a worker, this program once more, because a case may
 * crash or hang: the worker gets the path of a case and answers a line. What failed in another way than the first
 * time does not count. */
#include "case.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

typedef struct shrinker {
    ri_case best;
    ri_verdict how;
    char kind[256]; /* what is the same for all cases of this fault */
    char why[2048];
    char path[512]; /* of the case that is tried */
    pid_t worker;
    int to, from;
    struct timespec begin;
    double seconds, patience;
    int64_t tries;
} shrinker;

/* ---- the worker ------------------------------------------------------------------------------------- */

int ri_worker(void) {
    char line[512];
    while (fgets(line, sizeof line, stdin)) {
        ri_case c;
        line[strcspn(line, "\n")] = 0;
        FILE *in = fopen(line, "r");
        bool fine = in && ri_read_case(in, &c);
        if (in)
            fclose(in);
        ri_verdict how = fine ? ri_run_case(&c) : RI_FINE;
        for (char *at = c.why; *at; at++)
            *at = *at == '\n' ? ' ' : *at;
        printf("%d %s\n", how, how ? c.why : "");
        fflush(stdout);
        ri_case_free(&c); /* after a mismatch what the library has of it is lost */
    }
    return 0;
}

static void start_worker(shrinker *s) {
    int in[2], out[2];
    char *words[] = {"random_interface", "--worker", NULL};
    posix_spawn_file_actions_t files;
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
        abort();
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in[0], 0);
    posix_spawn_file_actions_adddup2(&files, out[1], 1);
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&s->worker, "/proc/self/exe", &files, NULL, words, environ))
        abort();
    posix_spawn_file_actions_destroy(&files);
    close(in[0]), close(out[1]);
    s->to = in[1], s->from = out[0];
}

static void stop_worker(shrinker *s) {
    int status;
    if (!s->worker)
        return;
    close(s->to), close(s->from);
    kill(s->worker, SIGKILL);
    waitpid(s->worker, &status, 0);
    s->worker = 0;
}

/* Reads the worker's answer into `line`; RI_CRASH where it ends, RI_HANG where it says nothing. */
static ri_verdict answer(shrinker *s, char *line, size_t capacity) {
    size_t have = 0;
    for (;;) {
        struct pollfd waits = {s->from, POLLIN, 0};
        if (poll(&waits, 1, (int)(s->patience * 1000)) <= 0)
            return RI_HANG;
        ssize_t got = read(s->from, line + have, capacity - 1 - have);
        if (got <= 0)
            return RI_CRASH;
        have += (size_t)got;
        line[have] = 0;
        if (strchr(line, '\n') || have + 1 == capacity)
            break;
    }
    line[strcspn(line, "\n")] = 0;
    return line[0] == '0' ? RI_FINE : RI_WRONG;
}

/* The text of a mismatch without its numbers, up to 60 characters. */
static void kind_of(const char *why, char kind[256]) {
    size_t length = 0;
    for (const char *at = why; *at && length < 60;) {
        const size_t number = strspn(at, "0123456789.+-");
        const bool word = at > why && isalnum((unsigned char)at[-1]);
        if (number && !word && strpbrk(at, "0123456789") < at + number)
            at += number + strspn(at + number, "e+-0123456789");
        else
            kind[length++] = *at++;
    }
    kind[length] = 0;
}

static ri_verdict try(shrinker *s, const ri_case *c, char why[2048]) {
    char line[2200] = "", kind[256];
    FILE *out = fopen(s->path, "w");
    if (!out)
        abort();
    ri_write_case(out, c);
    fclose(out);
    if (!s->worker)
        start_worker(s);
    s->tries++;
    snprintf(line, sizeof line, "%s\n", s->path);
    if (write(s->to, line, strlen(line)) < 0) {
        stop_worker(s);
        return RI_FINE;
    }
    ri_verdict how = answer(s, line, sizeof line);
    if (how == RI_CRASH || how == RI_HANG)
        stop_worker(s);
    snprintf(why, 2048, "%.2000s", how == RI_WRONG ? line + 2 : "");
    kind_of(why, kind);
    return how == s->how && strcmp(kind, s->kind) == 0 ? how : RI_FINE;
}

/* ---- smaller cases ------------------------------------------------------------------------------------- */

static bool is_over(const shrinker *s) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - s->begin.tv_sec) > s->seconds;
}

/* Takes `smaller` (freed or kept) if it fails alike. */
static bool accept(shrinker *s, ri_case *smaller) {
    char why[2048];
    if (is_over(s) || !try(s, smaller, why)) {
        ri_case_free(smaller);
        return false;
    }
    ri_case_free(&s->best);
    s->best = *smaller;
    snprintf(s->why, sizeof s->why, "%s", why);
    return true;
}

/* Renumbers the members of lists; new[x] < 0: it goes. False: a list would become too short. */
static bool renumber(ri_case *c, ri_kind kind, const int32_t *new) {
    const ri_option *option;
    for (int block = 0; block <= c->rounds; block++)
        for (int i = 0; (option = ri_option_of(c->call, i)); i++) {
            ri_setting *set = &c->of[block][i];
            int64_t kept = 0;
            if (option->kind != kind)
                continue;
            for (int64_t j = 0; j < set->count; j++)
                if (new[set->list[j]] >= 0)
                    set->list[kept++] = new[set->list[j]];
            if (kept < set->count && kept < option->least)
                return false;
            set->count = kept;
        }
    return true;
}

static bool without_edges(ri_case *c, int64_t first, int64_t count) {
    ri_graph *g = &c->graph;
    int32_t *new = ri_need((size_t)g->m * sizeof *new);
    int64_t kept = 0;
    for (int64_t i = 0; i < g->m; i++) {
        new[i] = i >= first &&i < first + count ? -1 : (int32_t)kept;
        if (new[i] >= 0)
            g->edges[kept++] = g->edges[i];
    }
    g->m = kept;
    bool fine = renumber(c, RI_EDGES, new);
    free(new);
    return fine;
}

static bool without_vertices(ri_case *c, int32_t first, int32_t count) {
    ri_graph *g = &c->graph;
    int32_t *new = ri_need((size_t)g->n * sizeof *new), kept = 0;
    bool fine = true;
    for (int32_t v = 0; v < g->n; v++)
        new[v] = v >= first &&v < first + count ? -1 : kept++;
    for (int64_t i = g->m; i-- > 0 && fine;)
        if (new[g->edges[i].from] < 0 || new[g->edges[i].to] < 0)
            fine = without_edges(c, i, 1);
    for (int64_t i = 0; i < g->m; i++) {
        g->edges[i].from = new[g->edges[i].from];
        g->edges[i].to = new[g->edges[i].to];
    }
    g->n = kept;
    fine = fine && renumber(c, RI_VERTICES, new);
    free(new);
    return fine;
}

static bool shrink_graph(shrinker *s, bool vertices) {
    bool any = false;
    int64_t size = vertices ? s->best.graph.n : s->best.graph.m;
    for (int64_t part = size > 1 ? size / 2 : 1; part > 0; part /= 2)
        for (int64_t first = vertices ? s->best.graph.n : s->best.graph.m;
             (first -= part) > -part;) {
            ri_case c;
            const int64_t from = first < 0 ? 0 : first;
            ri_case_copy(&c, &s->best);
            if (vertices ? without_vertices(&c, (int32_t)from, (int32_t)part)
                         : without_edges(&c, from, part))
                any |= accept(s, &c);
            else
                ri_case_free(&c);
            if (is_over(s))
                return any;
        }
    return any;
}

static bool shrink_rounds(shrinker *s) {
    bool any = false;
    for (int round = s->best.rounds; round-- > 0 && s->best.rounds > 1;) {
        ri_case c, copy;
        ri_case_copy(&copy, &s->best);
        c = copy;
        for (int i = round; i + 1 < RI_ROUNDS; i++)
            memcpy(c.of[1 + i], copy.of[2 + i], sizeof c.of[0]);
        memcpy(c.of[RI_ROUNDS], copy.of[1 + round], sizeof c.of[0]);
        c.rounds--;
        any |= accept(s, &c);
    }
    return any;
}

static bool shrink_number(shrinker *s, int block, int option) {
    const int64_t old = s->best.of[block][option].number;
    const int64_t tries[] = {0, 1, old / 2, old - 1};
    for (int i = 0; i < 4 && old; i++) {
        ri_case c;
        if (tries[i] == old || tries[i] < 0)
            continue;
        ri_case_copy(&c, &s->best);
        c.of[block][option].number = tries[i];
        if (accept(s, &c))
            return true;
    }
    return false;
}

static bool shrink_real(shrinker *s, int block, int option) {
    const double old = s->best.of[block][option].real;
    const double tries[] = {0, trunc(old), (double)(float)old};
    for (int i = 0; i < 3 && old != 0; i++) {
        ri_case c;
        if (tries[i] == old)
            continue;
        ri_case_copy(&c, &s->best);
        c.of[block][option].real = tries[i];
        if (accept(s, &c))
            return true;
    }
    return false;
}

static bool shrink_list(shrinker *s, int block, int option, int64_t least) {
    bool any = false;
    for (int64_t i = s->best.of[block][option].count; i-- > 0;) {
        ri_case c;
        if (s->best.of[block][option].count <= least)
            return any;
        ri_case_copy(&c, &s->best);
        ri_setting *set = &c.of[block][option];
        memmove(set->list + i, set->list + i + 1, (size_t)(set->count - i - 1) * sizeof *set->list);
        set->count--;
        any |= accept(s, &c);
    }
    return any;
}

static bool shrink_text(shrinker *s, int block, int option) {
    bool any = false;
    for (int word = 0;; word++) {
        ri_case c;
        ri_case_copy(&c, &s->best);
        char *at = c.of[block][option].text;
        for (int i = 0; at && i < word; i++)
            at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL;
        if (!at) {
            ri_case_free(&c);
            return any;
        }
        char *end = strchr(at, ',');
        if (end)
            memmove(at, end + 1, strlen(end));
        else
            at[at > c.of[block][option].text ? -1 : 0] = 0;
        if (!*c.of[block][option].text)
            ri_set_text(&c.of[block][option], NULL);
        if (accept(s, &c))
            any = true, word--;
    }
}

static bool shrink_settings(shrinker *s) {
    bool any = false;
    const ri_option *option;
    for (int block = 0; block <= s->best.rounds; block++)
        for (int i = 0; (option = ri_option_of(s->best.call, i)); i++) {
            if (!ri_is_set(&s->best, block, i) || i == RI_MADE_DETAIL)
                continue;
            switch (option->kind) {
            case RI_NUMBER:
            case RI_NAME: any |= !option->least && shrink_number(s, block, i); break;
            case RI_REAL: any |= shrink_real(s, block, i); break;
            case RI_TEXT: any |= shrink_text(s, block, i); break;
            case RI_VERTICES:
            case RI_EDGES: any |= shrink_list(s, block, i, option->least);
            }
        }
    return any;
}

/* One step of 4 towards 0, 1 or a shorter number; false: it changes nothing. */
static bool simpler(ri_weight *w, fr_type type, int step) {
    const ri_weight old = *w;
    if (ri_is_real(type)) {
        if (step == 2 && (old.f > 1e15 || old.f < -1e15))
            return false;
        w->f = step == 0   ? 0
               : step == 1 ? 1
               : step == 2 ? (double)(int64_t)(old.f * 8) / 8
                           : (double)(float)old.f;
        return w->f != old.f && !(step == 1 && old.f == 0);
    }
    w->i = step == 0   ? 0
           : step == 1 ? 1
           : step == 2 ? old.i / 2
                       : old.i - (old.i > 0) + (old.i < 0);
    return w->i != old.i && !(step == 1 && old.i == 0);
}

static bool shrink_weights(shrinker *s) {
    bool any = false;
    if (s->best.graph.type == FR_TYPE_NONE || s->best.graph.m > 60)
        return false;
    for (int64_t e = 0; e < s->best.graph.m; e++)
        for (int step = 0; step < 4 && !is_over(s); step++) {
            ri_case c;
            ri_case_copy(&c, &s->best);
            if (simpler(&c.graph.edges[e].weight, c.graph.type, step)) {
                if (accept(s, &c)) {
                    any = true;
                    break;
                }
            } else
                ri_case_free(&c);
        }
    return any;
}

/* ---- what is left ------------------------------------------------------------------------------------ */

static void write_found(shrinker *s, const char *folder) {
    char path[600];
    const ri_case *c = &s->best;
    snprintf(path, sizeof path, "%s/%" PRIu64 "-%" PRIu64 ".wel", folder, c->seed, c->number);
    FILE *out = fopen(path, "w");
    if (out) {
        ri_write_edges(out, &c->graph);
        fclose(out);
    }
    snprintf(path, sizeof path, "%s/%" PRIu64 "-%" PRIu64 ".case", folder, c->seed, c->number);
    out = fopen(path, "w");
    if (out) {
        ri_write_case(out, c);
        fclose(out);
    }
    printf("smaller (%" PRId64 " tries): %s\n", s->tries,
           s->how == RI_WRONG   ? s->why
           : s->how == RI_CRASH ? "crash"
                                : "hang");
    if (c->graph.m <= 60)
        ri_write_case(stdout, c);
    printf("again: random_interface --repeat %s\n", path);
    fflush(stdout);
}

void ri_shrink(const ri_case *c, ri_verdict how, double seconds, double patience,
               const char *folder) {
    shrinker s = {.how = how,
                  .seconds = seconds,
                  .patience = how != RI_HANG ? 30
                              : patience < 5 ? patience
                                             : 5};
    char why[2048];
    signal(SIGPIPE, SIG_IGN);
    mkdir(folder, 0777);
    snprintf(s.path, sizeof s.path, "%s/try-%d.case", folder, (int)getpid());
    clock_gettime(CLOCK_MONOTONIC, &s.begin);
    ri_case_copy(&s.best, c);
    kind_of(c->why, s.kind);
    snprintf(s.why, sizeof s.why, "%s", c->why);
    bool again = false;
    for (int i = 0; i < 5 && !again; i++) /* it may depend on timing */
        again = try(&s, c, why);
    if (again)
        while (!is_over(&s)) {
            bool any = shrink_rounds(&s);
            any |= shrink_graph(&s, true);
            any |= shrink_graph(&s, false);
            any |= shrink_settings(&s);
            if (!any && !shrink_weights(&s))
                break;
        }
    else
        printf("not repeated by the case alone: it depends on timing, or on the cases before\n");
    stop_worker(&s);
    unlink(s.path);
    write_found(&s, folder);
    ri_case_free(&s.best);
}
