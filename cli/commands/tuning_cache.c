#include "tuning_cache.h"

#include "cli/io/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* $XDG_CACHE_HOME if it is an absolute path, as the XDG base directory specification requires, else
 * ~/.cache. */
static char *cache_folder(void) {
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        return cli_format("%s", cache);
    return home && *home == '/' ? cli_format("%s/.cache", home) : NULL;
}

/* Errors are reported later, when the file is opened for writing. */
static void make_folders(char *path) {
    for (char *at = path + 1; (at = strchr(at, '/')); at++) {
        *at = 0;
        mkdir(path, 0777);
        *at = '/';
    }
}

char *tuning_cache_path(const settings *s, bool make) {
    if (s->tuning_cache)
        return cli_format("%s", s->tuning_cache);
    char *folder = cache_folder();
    char *path = folder ? cli_format("%s/fringe/tuning.tsv", folder) : NULL;
    free(folder);
    if (path && make)
        make_folders(path);
    return path;
}

void use_tuning_cache(const session *x, fr_problem problem, fr_solver_options *options,
                      fr_tuning *found) {
    const settings *s = x->s;
    bool is_auto = !options->strategy || strcmp(options->strategy, "auto") == 0;
    if (s->no_tuning_cache || !is_auto || (options->knobs && *options->knobs))
        return;
    char *path = tuning_cache_path(s, false);
    fr_status status =
        path ? fr_tuning_cache_find(x->ctx, path, x->graph, problem, options, found) : FR_NOT_FOUND;
    free(path);
    if (!status)
        options->tuning = found;
    bool expected = status == FR_NO_DEVICE || (status == FR_NOT_FOUND && !s->tuning_cache);
    if (status && !expected && !s->quiet) {
        progress_clear();
        fprintf(stderr, "fringe: the tuning cache is ignored: %s\n",
                cli_words(fr_ctx_error(x->ctx)));
    }
}
