#include "io/format.h"

void fri_csr_file_free(fri_csr_file *file) {
    if (!file->borrowed) {
        fri_free((void *)(uintptr_t)file->csr.offsets);
        fri_free((void *)(uintptr_t)file->csr.targets);
        fri_free((void *)(uintptr_t)file->csr.weights);
        fri_free(file->ids.list);
    }
    fri_names_free(file->ids.names);
    *file = (fri_csr_file){0};
}
