/* Points of an archive of NumPy arrays (.npz), for the coordinates of vertices. */
#ifndef FRI_IO_NPZ_H
#define FRI_IO_NPZ_H

#include "io/input.h"

bool fri_npz_is(const fri_input *text);

/* Calls `point` for each row of the array xy, of shape (rows, 2). id: that of the array ids, if the archive has one
 * (*listed), else the number of the row. */
typedef void (*fri_point_fn)(void *user, int64_t id, double x, double y);
fr_status fri_npz_read_points(fr_ctx *ctx, const fri_input *text, fri_point_fn point, void *user,
                              int64_t *rows, bool *listed);

#endif
