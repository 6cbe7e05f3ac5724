/* The fringe command: finds the subcommand in the table, parses its options, runs it. */
#include "cli.h"
#include "cli/args/suggest.h"
#include "cli/io/progress.h"
#include "cli/ranks/ranks.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int run(const command *c, int argc, char **argv) {
    settings s;
    outcome_command(c->name);
    int code = options_parse(c, argc, argv, &s);
    if (!code)
        outcome_json(s.json);
    if (!code && s.help)
        help_print(c, stdout);
    else if (!code)
        code = ranks_refuse_copies(&s);
    if (!code && !s.help)
        code = c->run(&s);
    settings_free(&s);
    return code;
}

/* Whether --json, or an abbreviation that getopt_long accepts, is on the command line. Checked before
 * parsing, because a wrong command line has its JSON object too. */
static bool asks_for_json(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strlen(argv[i]) > 2 && strncmp(argv[i], "--json", strlen(argv[i])) == 0)
            return true;
    return false;
}

/* A closed standard stream (`>&-`) must not become the number of a file that is opened later, which would
 * then hold what is printed. The null device, opened the other way round, fails as a closed stream does. */
static void reserve_streams(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv) {
    reserve_streams();
    atexit(cli_on_exit);
    if (argc < 2) {
        help_print_all(stderr);
        return cli_finish(CLI_USAGE);
    }
    const char *name = argv[1];
    outcome_json(asks_for_json(argc, argv));
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        help_print_all(stdout);
        return cli_finish(CLI_OK);
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("fringe %s\n", fr_version());
        return cli_finish(CLI_OK);
    }
    const command *c = command_find(name, argv[2]);
    if (!c)
        return cli_finish(cli_usage("unknown command '%s'%s", name,
                                    did_you_mean(name, command_name_at, NULL, "").text));
    int words = strchr(c->name, ' ') ? 2 : 1;
    progress_catch_signals();
    return cli_finish(run(c, argc - words, argv + words));
}
