/* --devices: the GPUs of this host among which a command divides its work. */
#include "cli.h"
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int all_devices(int list[DEVICE_LIST_MAX], int *count) {
    fr_ctx *ctx = NULL;
    fr_status status = fr_ctx_new(NULL, &ctx);
    if (!status)
        status = fr_device_count(ctx, count);
    if (!status && *count > DEVICE_LIST_MAX)
        *count = DEVICE_LIST_MAX;
    for (int i = 0; !status && i < *count; i++)
        list[i] = i;
    const int code = status ? cli_fail_ctx(ctx, status) : CLI_OK;
    fr_ctx_free(ctx);
    return code;
}

int device_list(const char *text, int list[DEVICE_LIST_MAX], int *count) {
    *count = 0;
    if (strcmp(text, "all") == 0)
        return all_devices(list, count);
    for (const char *at = text;; at++) {
        char *end;
        errno = 0;
        const long device = strtol(at, &end, 10);
        if (end == at || errno || device < 0 || device > 1024 || (*end && *end != ','))
            return cli_usage("--devices is 'all' or numbers of GPUs, as in 0,1, not '%s'", text);
        for (int i = 0; i < *count; i++)
            if (list[i] == device)
                return cli_usage("--devices names GPU %ld twice", device);
        if (*count == DEVICE_LIST_MAX)
            return cli_usage("--devices takes at most %d GPUs", DEVICE_LIST_MAX);
        list[(*count)++] = (int)device;
        at = end;
        if (!*at)
            return CLI_OK;
    }
}
