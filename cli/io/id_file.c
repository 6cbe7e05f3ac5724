#include "id_file.h"

#include <stdlib.h>
#include <string.h>

static void append(id_list *list, int64_t id) {
    if ((list->count & (list->count - 1)) == 0) /* the room is a power of two */
        list->ids =
            cli_realloc(list->ids, (size_t)(list->count ? 2 * list->count : 1) * sizeof *list->ids);
    list->ids[list->count++] = id;
}

static bool read_line(const char *line, int columns, id_list *lists) {
    long long first, second = 0;
    char rest;
    int found = columns == 1 ? sscanf(line, "%lld %c", &first, &rest)
                             : sscanf(line, "%lld %lld %c", &first, &second, &rest);
    if (found != columns)
        return false;
    append(&lists[0], first);
    if (columns == 2)
        append(&lists[1], second);
    return true;
}

int id_file_read(const char *path, const char *line, int columns, id_list *lists) {
    FILE *in = strcmp(path, "-") ? fopen(path, "r") : stdin;
    if (!in)
        return cli_fail(FR_NOT_FOUND, "%s: the file cannot be opened", path);
    char *text = NULL;
    size_t room = 0;
    int code = CLI_OK;
    for (int64_t number = 1; !code && getline(&text, &room, in) >= 0; number++)
        if (text[strspn(text, " \t\r\n")] != 0 && *text != '#' && !read_line(text, columns, lists))
            code = cli_fail(FR_FORMAT, "%s:%lld: a line '%s' is expected", path, (long long)number,
                            line);
    free(text);
    if (in != stdin)
        fclose(in);
    return code;
}
