/* Public structs that grow: reads and writes one of the size that the caller was compiled with.
 *
 * The caller states that size in struct_size; 0 means the size that the struct had in 0.2.0. A
 * shorter struct lacks its last members, which count as zero. A longer one comes from a newer
 * header: its further bytes must be zero, since this library would ignore what they ask for. */
#ifndef FRI_BASE_SIZED_H
#define FRI_BASE_SIZED_H

#include "fringe_measures.h"
#include "fringe_ranks.h"
#include "base/base.h"
#include "fringe_tune.h"

/* Bytes up to the end of a member: the size of the struct when that member was its last. */
#define FRI_SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/* The sizes at 0.2.0. Once that version is released they never change: a later member goes after the
 * one named here. Where a struct ends with another one that grows, both last members are named. */
enum {
    FRI_FIRST_SIZE_fr_ctx_options = FRI_SIZE_UP_TO(fr_ctx_options, device_count),
    FRI_FIRST_SIZE_fr_device_info = FRI_SIZE_UP_TO(fr_device_info, total_bytes),
    FRI_FIRST_SIZE_fr_load_options = FRI_SIZE_UP_TO(fr_load_options, decimal),
    FRI_FIRST_SIZE_fr_arrays = FRI_SIZE_UP_TO(fr_arrays, weight_type),
    FRI_FIRST_SIZE_fr_device_csr = FRI_SIZE_UP_TO(fr_device_csr, stream),
    FRI_FIRST_SIZE_fr_graph_stats = FRI_SIZE_UP_TO(fr_graph_stats, component_histogram),
    FRI_FIRST_SIZE_fr_solver_options = FRI_SIZE_UP_TO(fr_solver_options, expected_queries),
    FRI_FIRST_SIZE_fr_memory_estimate = FRI_SIZE_UP_TO(fr_memory_estimate, device),
    FRI_FIRST_SIZE_fr_query = FRI_SIZE_UP_TO(fr_query, closed_edges),
    FRI_FIRST_SIZE_fr_result = offsetof(fr_result, stats) + FRI_SIZE_UP_TO(fr_stats, call_ns),
    FRI_FIRST_SIZE_fr_output = FRI_SIZE_UP_TO(fr_output, format),
    FRI_FIRST_SIZE_fr_betweenness_options = FRI_SIZE_UP_TO(fr_betweenness_options, seed),
    FRI_FIRST_SIZE_fr_distance_centrality_options =
        FRI_SIZE_UP_TO(fr_distance_centrality_options, checkpoint_vertices),
    FRI_FIRST_SIZE_fr_router_options = FRI_SIZE_UP_TO(fr_router_options, y),
    FRI_FIRST_SIZE_fr_world_options = FRI_SIZE_UP_TO(fr_world_options, timeout_s),
    FRI_FIRST_SIZE_fr_part_stats = FRI_SIZE_UP_TO(fr_part_stats, undirected),
    FRI_FIRST_SIZE_fr_part_query = FRI_SIZE_UP_TO(fr_part_query, source_count),
    FRI_FIRST_SIZE_fr_part_result = FRI_SIZE_UP_TO(fr_part_result, levels),
    FRI_FIRST_SIZE_fr_strategy_info = FRI_SIZE_UP_TO(fr_strategy_info, alias),
    FRI_FIRST_SIZE_fr_tuning = FRI_SIZE_UP_TO(fr_tuning, device),
    FRI_FIRST_SIZE_fr_tune_options = FRI_SIZE_UP_TO(fr_tune_options, trial_user)
};

/* Copies the caller's struct `from` to `to`, whose struct_size is then sizeof(type). NULL gives
 * zeros. FR_INVALID, with the name in the message, if the stated size is impossible or a byte after
 * the members that this library knows is not zero. ctx may be NULL. */
#define FRI_SIZED_READ(ctx, type, from, to)                                                        \
    fri_sized_read(ctx, #type, FRI_FIRST_SIZE_##type, 1 ? (from) : (type *)0,                      \
                   1 ? (to) : (type *)0, sizeof(type))
/* FR_INVALID if a struct to be filled states an impossible size. */
#define FRI_SIZED_CHECK(ctx, type, to)                                                             \
    fri_sized_check(ctx, #type, FRI_FIRST_SIZE_##type, 1 ? (to) : (type *)0)
/* Fills the caller's struct up to its size; struct_size stays, bytes that this library does not know
 * become zero. */
#define FRI_SIZED_WRITE(type, from, to)                                                            \
    fri_sized_write(FRI_FIRST_SIZE_##type, 1 ? (from) : (type *)0, sizeof(type),                   \
                    1 ? (to) : (type *)0)

fr_status fri_sized_read(fr_ctx *ctx, const char *name, size_t first, const void *from, void *to,
                         size_t size);
fr_status fri_sized_check(fr_ctx *ctx, const char *name, size_t first, const void *to);
void fri_sized_write(size_t first, const void *from, size_t size, void *to);

#endif
