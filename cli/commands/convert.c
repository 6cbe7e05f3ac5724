/* fringe convert, fringe gen: write a graph to a file. */
#include "fringe_measures.h"
#include "cli/args/suggest.h"
#include "cli/io/json.h"
#include "cli/io/number.h"
#include "cli/io/progress.h"
#include "cli/traversal.h"

#include <stdlib.h>
#include <string.h>

static void report(const session *x, const char *path, int64_t write_ns) {
    if (x->s->json) {
        json_t *o = json_head(x);
        json_set(o, "output", json_text(path));
        json_set(o, "write_ns", json_integer(write_ns));
        json_peak(o, x);
        outcome_object(o);
    } else if (!x->s->quiet) {
        summary_graph(x);
        summary_line(x, "written", "%s in %s", strcmp(path, "-") ? path : "standard output",
                     human_ns((double)write_ns).text);
    }
}

/* LDBC is the one format of several files. */
static void guard_parts(const char *path, const char *format) {
    static const char *const suffixes[] = {".v", ".e", ".properties"};
    enum { COUNT = sizeof suffixes / sizeof *suffixes };
    size_t length = strlen(path), stem = length;
    for (int i = 0; i < COUNT; i++) {
        size_t bytes = strlen(suffixes[i]);
        if (length > bytes && strcasecmp(path + length - bytes, suffixes[i]) == 0)
            stem = length - bytes;
    }
    bool several = format ? strcmp(format, "ldbc") == 0 : stem < length;
    for (int i = 0; i < COUNT && several; i++) {
        char *part = cli_format("%.*s%s", (int)stem, path, suffixes[i]);
        progress_guard_output(part);
        free(part);
    }
}

static int write_graph(session *x, const char *path) {
    guard_parts(path, x->s->format);
    int64_t begin = cli_now_ns();
    fr_status status = fr_graph_write(x->ctx, x->graph, path, x->s->format);
    progress_clear();
    if (status)
        return cli_fail_ctx(x->ctx, status);
    report(x, path, cli_now_ns() - begin);
    return CLI_OK;
}

static bool is_writable(const char *format) {
    for (int i = 0; fr_format_name(i); i++)
        if (strcmp(fr_format_name(i), format) == 0)
            return fr_format_writable(i);
    return false;
}

/* Called before the graph is read, because reading may take long. */
static int check_output(const settings *s, const char *out) {
    if (!out)
        return cli_usage("no output file: give -o OUT");
    if (s->format && !is_writable(s->format))
        return cli_usage("--format takes a format with a * in 'fringe list formats', not '%s'%s",
                         s->format, did_you_mean(s->format, format_name_at, NULL, "").text);
    if (!s->format && strcmp(out, "-") == 0)
        return cli_usage("standard output has no suffix: --format NAME is needed ('fringe list "
                         "formats' has the names)");
    return CLI_OK;
}

static int convert(session *x) {
    const int component = x->s->component;
    int code = component ? session_keep_largest(x, (fr_component_kind)(component - 1)) : CLI_OK;
    return code ? code : write_graph(x, x->s->out);
}

int cmd_convert(const settings *s) {
    settings with_out = *s;
    if (s->out && s->arg_count > 1)
        return cli_usage("two output files: '%s' and -o '%s'", s->args[1], s->out);
    with_out.out = s->arg_count > 1 ? s->args[1] : s->out;
    int code = check_output(s, with_out.out);
    return code ? code : session_run(&with_out, convert);
}

int cmd_gen(const settings *s) {
    session x;
    int code = check_output(s, s->out);
    if (code)
        return code;
    code = session_begin(&x, s);
    if (!code) {
        int64_t begin = cli_now_ns();
        x.generated = true;
        fr_status status = fr_graph_generate(x.ctx, s->args[0], &s->load, &x.graph);
        x.load_ns = cli_now_ns() - begin;
        progress_clear();
        if (status)
            code = cli_fail_ctx(x.ctx, status);
        else
            x.csr = fr_graph_csr(x.graph);
    }
    if (!code)
        code = write_graph(&x, s->out);
    session_end(&x);
    return code;
}
