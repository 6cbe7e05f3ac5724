/* Names and messages of statuses, all generated from the one list in fringe.h. */
#include "base/base.h"

static const struct {
    const char *name, *text;
} statuses[] = {
#define ROW(name, text) {#name, text},
    FR_STATUS_MAP(ROW)
#undef ROW
};

static bool known(fr_status s) { return (unsigned)s < FR_STATUS_COUNT; }

const char *fr_status_name(fr_status s) { return known(s) ? statuses[s].name : "FR_?"; }
const char *fr_status_message(fr_status s) {
    return known(s) ? statuses[s].text : "unknown status";
}
const char *fr_version(void) { return FR_VERSION; }

static const struct {
    const char *name;
    size_t size;
} types[] = {{"none", 0}, {"int32", 4}, {"int64", 8}, {"float32", 4}, {"float64", 8}};

fr_type fr_type_wider(fr_type t) {
    return t == FR_TYPE_I32 ? FR_TYPE_I64 : t == FR_TYPE_F32 ? FR_TYPE_F64 : FR_TYPE_NONE;
}

size_t fr_type_size(fr_type t) { return (unsigned)t <= FR_TYPE_F64 ? types[t].size : 0; }
const char *fr_type_name(fr_type t) { return (unsigned)t <= FR_TYPE_F64 ? types[t].name : "?"; }
