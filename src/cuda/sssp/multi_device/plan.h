/* SSSP `multi-device`, what needs no GPU: how many GPUs a graph pays for. Pure functions. */
#ifndef FRI_CUDA_SSSP_MULTI_DEVICE_PLAN_H
#define FRI_CUDA_SSSP_MULTI_DEVICE_PLAN_H

#ifdef __cplusplus
extern "C" {
#endif

#include "cuda/drivers/peers.h"

/* Expected times of a query in nanoseconds on one GPU (strategy `auto`) and on `devices`. */
double fri_sssp_expected_ns_on_one(const fri_devices_input *in);
double fri_sssp_expected_ns_on_many(const fri_devices_input *in, int devices);
/* The number of GPUs with the lowest expected time: one or all. */
int fri_sssp_devices_that_pay(const fri_devices_input *in);

#ifdef __cplusplus
}
#endif
#endif
