/* What this machine is, read from /proc. */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void machine_cpu_model(char *out, size_t size);
void machine_cpu_features(char *out, size_t size); /* those that matter here, "avx2 avx512f" */
int64_t machine_memory(const char *key);           /* bytes of a line of /proc/meminfo; -1 */
int machine_cores(void);                           /* that this process may run on */
int64_t machine_peak_bytes(void);                  /* resident, of this process so far */

typedef struct gpu_report {
    int devices;
    char driver[64];  /* "12.4", "" when unknown */
    char reason[512]; /* why none is used, in words; "" when devices > 0 */
    struct gpu {
        char name[128];
        int64_t memory;
        int major, minor, processors;
    } device[16];
} gpu_report;
/* Asks the CUDA driver itself (libcuda.so.1 by hand): needs no toolkit. */
void machine_gpus(gpu_report *out);

#endif
