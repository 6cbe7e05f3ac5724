/* Gives each rank a GPU, and loads the plugin that connects the GPUs. */
#include "ranks/world/plugin.h"
#include "ranks/solver.h"

#include "core/call_backend.h"

#include <stdio.h>

#ifdef FRI_CUDA_ALL

static const fri_plugin nccl_plugin = {
    "fringe-nccl.so", "FRINGE_NCCL", FRI_DEVICE_COMM_PLUGIN_NAME,
    "ranks on GPUs need the plugin fringe-nccl.so, which is built where NCCL is found "
    "(FRINGE_NCCL_ROOT of CMake) or named by FRINGE_NCCL"};

static fr_status find_plugin(fr_world *w, const fri_device_comm_plugin **plugin) {
    const void *exported = NULL;
    if (w->size == 1 || *plugin)
        return FR_OK;
    fr_status status = fri_plugin_load(w->ctx, &nccl_plugin, &exported);
    if (status)
        return status;
    *plugin = exported;
    bool same =
        (*plugin)->comm_bytes == sizeof(fri_comm) && (*plugin)->bytes == sizeof(fri_device_comm);
    return same ? FR_OK : fri_plugin_differs(w->ctx, &nccl_plugin, (*plugin)->version);
}

static fr_status connect_gpus(fr_world *w, const fri_device_comm_plugin *plugin) {
    char why[200] = "";
    if (w->size == 1)
        return FR_OK;
    w->device_comm = plugin->open(w->comm, w->timeout_s, why, sizeof why);
    return w->device_comm ? FR_OK
                          : fri_fail(w->ctx, FR_DEVICE, "the GPUs are not connected: %s", why);
}

fr_status fri_world_use_gpus(fr_world *w, const fri_device_comm_plugin *plugin, double timeout_s) {
    w->on_gpus = true;
    w->timeout_s = timeout_s;
    fr_status status = fri_gpu_part_take_device(w->ctx, w->host_rank);
    if (!status)
        status = find_plugin(w, &plugin);
    status = fri_world_agree(w, status);
    if (!status)
        status = fri_world_agree(w, connect_gpus(w, plugin));
    if (status && w->device_comm) { /* another rank has none */
        w->device_comm->calls->close(w->device_comm, true);
        w->device_comm = NULL;
    }
    return status;
}

fr_status fri_world_leave_gpus(fr_world *w, fr_status status) {
    char why[sizeof w->ctx->message];
    if (!status || w->size == 1)
        return status;
    snprintf(why, sizeof why, "%s", w->ctx->message);
    if (w->device_comm) /* ends the wait of this rank's GPU */
        w->device_comm->calls->close(w->device_comm, true);
    w->device_comm = NULL;
    return fri_world_break(w, why);
}

#else

fr_status fri_world_use_gpus(fr_world *w, const fri_device_comm_plugin *plugin, double timeout_s) {
    (void)plugin;
    (void)timeout_s;
    return fri_world_agree(w, fri_call_not_built(w->ctx, "a traversal on ranks"));
}

#endif
