/* Queries the CUDA driver through dlopen: needs neither toolkit nor linking. The names are from
 * cuda.h, whose entry points are stable across versions. */
#include "machine.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct driver {
    int (*init)(unsigned);
    int (*version)(int *);
    int (*count)(int *);
    int (*name)(char *, int, int);
    int (*memory)(size_t *, int);
    int (*attribute)(int *, int, int);
    int (*error_text)(int, const char **);
} driver;

static const struct {
    const char *name;
    size_t offset;
} symbols[] = {{"cuInit", offsetof(driver, init)},
               {"cuDriverGetVersion", offsetof(driver, version)},
               {"cuDeviceGetCount", offsetof(driver, count)},
               {"cuDeviceGetName", offsetof(driver, name)},
               {"cuDeviceTotalMem_v2", offsetof(driver, memory)},
               {"cuDeviceGetAttribute", offsetof(driver, attribute)},
               {"cuGetErrorString", offsetof(driver, error_text)}};

/* cuda.h: CUdevice_attribute */
enum { PROCESSORS = 16, CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };

static bool open_driver(driver *d, gpu_report *out) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *hint =
            access("/proc/driver/nvidia/version", F_OK) == 0
                ? "the kernel driver is loaded, but its user library is not installed"
            : access("/dev/nvidiactl", F_OK) == 0
                ? "/dev/nvidiactl exists, but the library of the driver is missing"
                : "no NVIDIA driver is installed: install it, or start the container with the "
                  "host's GPUs";
        const char *why = dlerror();
        snprintf(out->reason, sizeof out->reason, "%s (%s)", hint, why ? why : "libcuda.so.1");
        return false;
    }
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (!symbol) {
            snprintf(out->reason, sizeof out->reason,
                     "libcuda.so.1 has no %s: the driver is too old", symbols[i].name);
            return false;
        }
        memcpy((char *)d + symbols[i].offset, &symbol, sizeof symbol);
    }
    return true;
}

static bool check_call(const driver *d, const char *call, int error, gpu_report *out) {
    const char *text = NULL;
    if (error == 0)
        return true;
    if (d->error_text(error, &text) != 0 || !text)
        text = "unknown error";
    snprintf(out->reason, sizeof out->reason, "%s failed: %s (error %d)", call, text, error);
    return false;
}

static void describe(const driver *d, int index, struct gpu *gpu) {
    size_t memory = 0;
    d->name(gpu->name, sizeof gpu->name, index);
    d->memory(&memory, index);
    gpu->memory = (int64_t)memory;
    d->attribute(&gpu->processors, PROCESSORS, index);
    d->attribute(&gpu->major, CAPABILITY_MAJOR, index);
    d->attribute(&gpu->minor, CAPABILITY_MINOR, index);
}

void machine_gpus(gpu_report *out) {
    driver d;
    int version = 0, count = 0;
    *out = (gpu_report){0};
    if (!open_driver(&d, out))
        return;
    if (d.version(&version) == 0)
        snprintf(out->driver, sizeof out->driver, "%d.%d", version / 1000, version % 1000 / 10);
    if (!check_call(&d, "cuInit", d.init(0), out) ||
        !check_call(&d, "cuDeviceGetCount", d.count(&count), out))
        return;
    if (count == 0)
        snprintf(out->reason, sizeof out->reason,
                 "the driver works but reports no device (is CUDA_VISIBLE_DEVICES empty?)");
    int capacity = (int)(sizeof out->device / sizeof *out->device);
    out->devices = count < capacity ? count : capacity;
    for (int i = 0; i < out->devices; i++)
        describe(&d, i, &out->device[i]);
}
