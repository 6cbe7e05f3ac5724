/* The library's messages in the words of the command: the library names fields and functions, for which the command
 * has options and commands of its own. */
#include "cli.h"
#include "cli/args/suggest.h"

#include <stdlib.h>
#include <string.h>

/* A phrase of the library, between blanks, brackets or punctuation. */
static const struct {
    const char *library, *command;
} phrases[] = {{"fr_strategy_get lists all", "'fringe list strategies' lists all"},
               {"fr_format_name lists all", "'fringe list formats' lists all"},
               {"fr_format_writable tells", "'fringe list formats' tells"},
               {"fr_generator_name lists all", "'fringe list generators' lists all"},
               {"fr_load_options.format", "--input-format"},
               {"name a format", "name a format (--format)"},
               {"fr_ctx_options.threads", "--threads"},
               {"name another tuning file", "name another file (--tuning-cache)"},
               {"max_memory_bytes", "--max-memory"},
               {"max_gpu_bytes", "--max-gpu-mem"},
               {"dist_type", "--dist-type"},
               {"id_base", "--id-base"},
               {"ids strings", "--ids strings"},
               {"source_column", "--source-column"},
               {"target_column", "--target-column"},
               {"weight_column", "--weight-column"},
               {"the field separator", "--separator"},
               {"separator comma", "--separator comma"},
               {"decimal comma", "--decimal comma"},
               {"direction undirected reads", "--undirected reads"},
               {"direction decides for all", "--directed or --undirected decides for all"},
               {"weights none", "--weights none"},
               {"backend cpu", "--backend cpu"},
               {"strategy multi-sssp does", "--strategy multi-sssp does"},
               {"this build has no GPU strategies",
                "this build has no GPU strategies ('fringe doctor' tells what is missing)"},
               {"this library was built without its GPU part",
                "fringe was built without its GPU part ('fringe doctor' tells what is missing)"}};

/* What stands before an unknown name, and the names of its kind. */
static const struct {
    const char *before;
    name_at known;
} unknown[] = {{"unknown strategy '", strategy_name_at}, {"unknown format '", format_name_at}};

static bool ends_word(char c) { return !c || strchr(" ,;:)(\n", c); }

/* The length of the phrase that begins at `at`; *text: what replaces it. 0: none does. */
static size_t phrase_at(const char *message, const char *at, const char **text) {
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        const size_t length = strlen(phrases[i].library);
        if (strncmp(at, phrases[i].library, length) == 0 && ends_word(at[length]) &&
            (at == message || ends_word(at[-1]))) {
            *text = phrases[i].command;
            return length;
        }
    }
    return 0;
}

/* The length of what stands before a name and of the name with its last quote, if `at` says that a name is unknown. */
static size_t unknown_at(const char *at, suggestion *near) {
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        const size_t before = strlen(unknown[i].before);
        const char *name = at + before, *end = NULL;
        if (strncmp(at, unknown[i].before, before) == 0)
            end = strchr(name, '\'');
        if (!end)
            continue;
        char *word = cli_format("%.*s", (int)(end - name), name);
        *near = did_you_mean(word, unknown[i].known, NULL, "");
        free(word);
        return (size_t)(end + 1 - at);
    }
    return 0;
}

const char *cli_words(const char *message) {
    static char *said;
    size_t size = 0;
    free(said);
    FILE *out = open_memstream(&said, &size);
    if (!out)
        cli_no_memory();
    for (const char *at = message; *at;) {
        const char *text = NULL;
        suggestion near;
        size_t length = phrase_at(message, at, &text);
        if (length)
            fputs(text, out);
        else if ((length = unknown_at(at, &near)))
            fprintf(out, "%.*s%s", (int)length, at, near.text);
        else
            fputc(at[length++], out);
        at += length;
    }
    if (fclose(out) || !said)
        cli_no_memory();
    return said;
}
