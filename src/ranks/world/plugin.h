/* Loads plugins: shared libraries that a program needs only for ranks. */
#ifndef FRI_RANKS_PLUGIN_H
#define FRI_RANKS_PLUGIN_H

#include "base/base.h"

typedef struct fri_plugin {
    const char *file; /* name in the folder of the library, or of the program that contains it */
    const char *variable; /* environment variable with another path */
    const char *symbol;   /* of the struct that it exports, whose first member is the version */
    const char *needed;   /* the start of the sentence when it cannot be loaded */
} fri_plugin;

/* Loads a plugin for the rest of the process, because MPI cannot start twice. FR_NOT_FOUND: there is no
 * file, or it is not a plugin. FR_INVALID: it was compiled for another version. */
fr_status fri_plugin_load(fr_ctx *ctx, const fri_plugin *plugin, const void **exported);
/* Records that the plugin was compiled for another version; returns FR_INVALID. */
fr_status fri_plugin_differs(fr_ctx *ctx, const fri_plugin *plugin, const char *version);

#endif
