/* The command's exit code of each status; fringe(1) documents them. */
#include "cli.h"

static const unsigned char codes[] = {
    [FR_OK] = 0,
    /* 1: a wrong answer, or a negative cycle */
    [FR_VERIFY_FAILED] = 1,
    [FR_NEGATIVE_CYCLE] = 1,
    /* 2: wrong usage */
    [FR_INVALID] = 2,
    /* 3: the input cannot be used */
    [FR_NOT_FOUND] = 3,
    [FR_IO] = 3,
    [FR_FORMAT] = 3,
    [FR_UNSUPPORTED] = 3,
    [FR_RANGE] = 3,
    [FR_CHECKSUM] = 3,
    [FR_NEGATIVE_WEIGHT] = 3,
    /* 4: the machine or a number type is too small */
    [FR_OVERFLOW] = 4,
    [FR_NOMEM] = 4,
    [FR_NO_DEVICE] = 4,
    [FR_DEVICE] = 4,
    [FR_DISK] = 4,
    [FR_CANCELLED] = 130,
    [FR_RANK] = 4,
};
_Static_assert(sizeof codes == FR_STATUS_COUNT, "a status has no exit code");

int cli_exit_code(fr_status status) {
    return (unsigned)status < FR_STATUS_COUNT ? codes[status] : 4;
}
