#include "fringe_ranks.h"
#include "ranks/world/plugin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void path_of(const fri_plugin *plugin, char *path, size_t bytes) {
    const char *given = getenv(plugin->variable);
    Dl_info here = {0};
    if (given && *given) {
        snprintf(path, bytes, "%s", given);
        return;
    }
    const char *slash = dladdr((void *)(uintptr_t)&fr_launched_ranks, &here) && here.dli_fname
                            ? strrchr(here.dli_fname, '/')
                            : NULL;
    snprintf(path, bytes, "%.*s%s", slash ? (int)(slash + 1 - here.dli_fname) : 0,
             slash ? here.dli_fname : "", plugin->file);
}

fr_status fri_plugin_differs(fr_ctx *ctx, const fri_plugin *plugin, const char *version) {
    char path[512];
    path_of(plugin, path, sizeof path);
    return fri_fail(ctx, FR_INVALID, "%s: of version %.40s; this library is %s", path, version,
                    FR_VERSION);
}

fr_status fri_plugin_load(fr_ctx *ctx, const fri_plugin *plugin, const void **exported) {
    char path[512];
    path_of(plugin, path, sizeof path);
    /* RTLD_GLOBAL because MPI's components search the global symbols */
    void *handle = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (!handle)
        return fri_fail(ctx, FR_NOT_FOUND, "%s: %.200s", plugin->needed, dlerror());
    *exported = dlsym(handle, plugin->symbol);
    fr_status status = FR_OK;
    if (!*exported)
        status = fri_fail(ctx, FR_NOT_FOUND, "%s: not a plugin of fringe", path);
    else if (strcmp(*(const char *const *)*exported, FR_VERSION) != 0)
        status = fri_plugin_differs(ctx, plugin, *(const char *const *)*exported);
    if (status)
        dlclose(handle);
    return status;
}
