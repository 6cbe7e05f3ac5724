/* The memory accounting of a context. It outlives the context while a block is alive, so that
 * graphs may be freed after the context that built them. */
#ifndef FRI_HEAP_H
#define FRI_HEAP_H

#include "base/base.h"

fri_heap *fri_heap_new(const fr_ctx_options *options);
void fri_heap_release(fri_heap *heap);
size_t fri_heap_peak(const fri_heap *heap);
size_t fri_heap_limit(const fri_heap *heap);
/* The caller supplied the allocator. */
bool fri_heap_is_callers(const fri_heap *heap);

#endif
