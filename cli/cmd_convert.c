/* fringe convert, fringe gen: a graph into a file. */
#include "json.h"
#include "number.h"
#include "progress.h"
#include "traverse.h"

#include <string.h>

static void report(const session *x, const char *path, int64_t write_ns) {
    if (x->s->json) {
        json_t *o = json_head(x);
        json_set(o, "output", json_string(path));
        json_set(o, "write_ns", json_integer(write_ns));
        json_peak(o, x);
        json_print(o);
    } else if (!x->s->quiet) {
        summary_graph(x);
        summary_line(x, "written", "%s in %s", strcmp(path, "-") ? path : "standard output",
                     human_ns((double)write_ns).text);
    }
}

static int write_graph(session *x, const char *path) {
    int64_t begin = cli_now_ns();
    fr_status status = fr_graph_write(x->ctx, x->graph, path, x->s->format);
    progress_clear();
    if (status)
        return cli_fail_ctx(x->ctx, status);
    report(x, path, cli_now_ns() - begin);
    return CLI_OK;
}

int cmd_convert(const settings *s) {
    session x;
    settings with_out = *s;
    with_out.out = s->args[1];
    int code = session_open(&x, &with_out, s->args[0]);
    if (!code)
        code = write_graph(&x, with_out.out);
    session_end(&x);
    return code;
}

int cmd_gen(const settings *s) {
    session x;
    if (!s->out)
        return cli_usage("-o OUT is missing");
    int code = session_begin(&x, s);
    if (!code) {
        int64_t begin = cli_now_ns();
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
