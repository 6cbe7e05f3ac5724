/* Lines on standard error where an answer is right but may not be the one that was meant. Each is said once, none
 * with -q. */
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/io/vertex.h"
#include "session.h"

#include <stdarg.h>
#include <stdlib.h>

__attribute__((format(printf, 2, 3))) static void hint(const session *x, const char *format, ...) {
    va_list args;
    va_start(args, format);
    progress_clear();
    fprintf(stderr, "fringe: %s: ", session_name(x));
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

static bool silent(const session *x) { return x->s->quiet || x->ranks; }

/* Of edges all over the graph, whether most have no edge back. */
static bool are_listed_once(const session *x) {
    enum { SAMPLES = 256 };
    const fr_csr *csr = x->csr;
    int once = 0, seen = 0;
    for (int64_t i = 0; i < SAMPLES; i++) {
        const int32_t u = (int32_t)(i * csr->n / SAMPLES);
        const int64_t e = csr->offsets[u];
        if (e == csr->offsets[u + 1] || csr->targets[e] == u)
            continue;
        seen++;
        once += fr_graph_edge(x->graph, csr->targets[e], u, NULL) < 0;
    }
    return 2 * once > seen;
}

/* A file that --undirected would read in another way. */
static bool could_be_undirected(const session *x) {
    return !x->generated && !x->csr->symmetric && x->s->load.direction == FR_DIRECTION_FILE &&
           !x->s->reverse && are_listed_once(x);
}

void hint_names(const session *x) {
    int64_t id;
    if (silent(x) || x->s->load.ids != FR_IDS_STRINGS || !x->csr->n)
        return;
    for (int32_t v = 0; v < x->csr->n; v++) {
        const char *name = fr_graph_vertex_name(x->graph, v);
        if (!name || !id_read(name, &id))
            return;
    }
    hint(x, "every id is an integer: without --ids strings they are read as integers, in less time "
            "and memory");
}

/* Rows are sorted, so the first and last entry suffice. */
bool leads_elsewhere(const fr_csr *csr, int32_t v) {
    int64_t begin = csr->offsets[v], end = csr->offsets[v + 1];
    return begin < end && (csr->targets[begin] != v || csr->targets[end - 1] != v);
}

/* The edges that lead to v from another vertex. */
static int64_t edges_into(const fr_csr *csr, int32_t v) {
    int64_t count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int32_t u = 0; u < csr->n; u++)
        for (int64_t e = csr->offsets[u]; u != v && e < csr->offsets[u + 1]; e++)
            count += csr->targets[e] == v;
    return count;
}

void hint_sources(const session *x) {
    int64_t count = 0;
    int32_t last = -1;
    for (int64_t i = 0; !silent(x) && !x->s->reverse && i < x->source_count; i++)
        if (!leads_elsewhere(x->csr, x->sources[i])) {
            last = x->sources[i];
            count++;
        }
    if (!count)
        return;
    const char *undirected = "";
    if (could_be_undirected(x) && (count > 1 || edges_into(x->csr, last)))
        undirected = "; edges are read as directed: with --undirected each leads both ways";
    if (x->source_count == 1)
        hint(x, "source %s has no edge to another vertex%s", VERTEX_TEXT(x->graph, last),
             undirected);
    else
        hint(x, "%s of %s sources %s no edge to another vertex%s", human_count(count).text,
             human_count(x->source_count).text, count == 1 ? "has" : "have", undirected);
}

void hint_reached(const session *x, int64_t reached) {
    enum { FEW = 10 }; /* less than 1/FEW of the vertices */
    const settings *s = x->s;
    if (silent(x) || !could_be_undirected(x) || s->targets.count || s->max_level >= 0 ||
        s->max_distance >= 0 || reached <= x->source_count || reached >= x->csr->n / FEW)
        return;
    hint(x,
         "%s of %s are reached; edges are read as directed: with --undirected each leads both ways",
         human_count(reached).text, human_items(x->csr->n, "vertex", "vertices").text);
}

void hint_unreached(const session *x, int64_t reached, int64_t rows, int64_t columns) {
    enum { MANY = 10 }; /* more than 1/MANY of the pairs */
    const double pairs = (double)rows * (double)columns, lost = pairs - (double)reached;
    if (silent(x) || x->s->max_distance >= 0 || lost * MANY <= pairs)
        return;
    hint(x, "%.3g %% of the pairs are unreached: %s ('fringe components' lists %s)",
         100 * lost / pairs,
         x->csr->symmetric ? "the graph has several components"
                           : "edges lead one way, or the graph has several components",
         x->csr->symmetric ? "them" : "these");
}
