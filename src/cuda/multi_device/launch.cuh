/* The joint barrier of the slices' kernels. */
#ifndef FRI_CUDA_MULTI_DEVICE_LAUNCH_CUH
#define FRI_CUDA_MULTI_DEVICE_LAUNCH_CUH

#include "cuda/multi_device/slices.h"
#include "cuda/prim/joint.cuh"

static_assert((int)FRI_SLICES_MAX == (int)FRI_JOINT_DEVICES, "a line for each slice");
static_assert(sizeof(fri_joint_words) <= FRI_SLICE_WORDS_BYTES, "they fit");

static inline fri_joint joint_of(const fri_slices *all, int me) {
    fri_joint joint = {};
    for (int k = 0; k < all->count; k++)
        joint.words[k] = (fri_joint_words *)all->slice[k].words;
    joint.devices = all->count;
    joint.me = me;
    joint.max_polls = all->max_polls;
    joint.first = all->barrier;
    return joint;
}

#endif
