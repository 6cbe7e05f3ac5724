/* Properties of this machine, from /proc and the CUDA driver. */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void machine_cpu_model(char *out, size_t size);
void machine_cpu_features(char *out, size_t size); /* those that fringe uses, "avx2 avx512f" */
int64_t machine_memory(const char *key);           /* bytes of a line of /proc/meminfo, or -1 */
int machine_cores(void);                           /* on which this process may run */
int64_t machine_peak_bytes(void);                  /* peak resident size of this process */

typedef struct gpu_report {
    int devices;
    char driver[64];  /* "12.4", or "" if unknown */
    char reason[512]; /* why no GPU is used; "" if devices > 0 */
    struct gpu {
        char name[128];
        int64_t memory;
        int major, minor, processors;
    } device[16];
} gpu_report;
/* Queries the CUDA driver (libcuda.so.1 through dlopen); needs no toolkit. */
void machine_gpus(gpu_report *out);

#endif
