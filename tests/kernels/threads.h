/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A kernel's threads: blocks run one after the other, the threads of a block as fibers. */

#pragma once

#include <stddef.h>
#include <stdint.h>

#include <functional>

struct uint3
{
  unsigned int x, y, z;
};

struct dim3
{
  unsigned int x, y, z;

  dim3 (unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
    : x (x), y (y), z (z)
  {
  }
};

/* The configuration of a launch. */
struct KernelsLaunch
{
  const char *name;
  dim3        grid;
  dim3        block;
  size_t      shared_bytes;
};

/* Operations that all threads of a warp or block must reach together. */
enum KernelsMeeting
{
  KERNELS_BARRIER,
  KERNELS_BARRIER_OR,
  KERNELS_BARRIER_AND,
  KERNELS_BARRIER_COUNT,
  KERNELS_SYNC_WARP,
  KERNELS_SHUFFLE,
  KERNELS_VOTE,
  KERNELS_REDUCTION
};

/* The values of a warp's lanes in a meeting; the lanes in @lanes took part. */
struct KernelsValues
{
  uint64_t of[32];
  uint32_t lanes;
};

/* The position of the running thread. */
extern uint3 kernels_thread;
extern uint3 kernels_block;
extern dim3  kernels_block_size;
extern dim3  kernels_grid_size;

void                  kernels_run            (const KernelsLaunch          &launch,
                                              const std::function<void ()> &thread);
bool                  kernels_can_launch     (const KernelsLaunch          &launch);
void                  kernels_enter          ();
void                  kernels_leave          ();

/* The number of threads for which @value is not 0. */
int                   kernels_meet_in_block  (KernelsMeeting                kind,
                                              bool                          value,
                                              int                          *n_threads);
const KernelsValues & kernels_meet_in_warp   (KernelsMeeting                kind,
                                              uint32_t                      mask,
                                              uint64_t                      value);
int                   kernels_lane           ();
void                  kernels_sleep          ();
uint64_t              kernels_clock          ();

void *                kernels_dynamic_memory ();
void                  kernels_enter_shared   (void                         *memory,
                                              size_t                        bytes,
                                              uint64_t                     *owner);
uint32_t              kernels_random         ();

template <typename Kernel, typename... Arguments>
static inline void
kernels_launch (const KernelsLaunch &launch,
                const Kernel        &kernel,
                Arguments...         arguments)
{
  if (! kernels_can_launch (launch))
    return;
  kernels_enter ();
  kernels_run (launch, [&] { kernel (arguments...); });
  kernels_leave ();
}
