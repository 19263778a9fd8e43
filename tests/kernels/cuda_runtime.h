/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CUDA kernels, run by the CPU: this stands in for CUDA's own header.
 *
 * A machine that builds and tests has no GPU more often than not, and kernels that
 * nothing runs are not tested.  So the module of cuda/ is compiled once more, as C++:
 *
 *   rewrite.py    makes C++ of what CUDA adds to the grammar
 *   intrinsics.h  has the functions of the device
 *   threads.cpp   runs the threads of a block as fibers, blocks one after the other
 *   runtime.cpp   has the functions of the runtime: memory, copies, events
 *
 * Everything else is the module itself, so that the tests of devices run with it, of
 * every operation; which is as it would be on a device of the least capability that the
 * module is for, with very few multiprocessors.
 *
 * What it finds:
 *   - wrong results, as the CPU's are compared with them
 *   - missing barriers, mostly: between two of them a thread runs alone, in an order of
 *     threads, warps and blocks that is another each time, so that what another thread
 *     should have written is not there yet
 *   - deadlocks, barriers and warp instructions that threads of a block or warp do not
 *     come to together, and values of lanes that took no part
 *   - use of device or shared memory that was never written: it is filled with chance
 *   - accesses beyond the end of an allocation, which a page follows that nobody may
 *     touch; writes closer to it than its alignment are found when it is freed
 *   - copies that begin or end outside an allocation, and memory that is not freed
 *
 * What it does not find:
 *   - races of two threads in the same word at the same time, and what a GPU's memory
 *     order allows: here an access is done when the next begins, and atomic
 *   - blocks that wait for each other: those that run later do not help an earlier one,
 *     which CUDA does not promise either
 *   - host memory that a kernel reads, and device memory that the host does
 *   - misaligned vectors, too many registers, and whatever concerns time
 *
 * The order of threads comes from WAVEFRONT_TEST_SEED, as do the cases of the test.
 * Two runs with one seed are the same as long as one thread of the program launches.
 */

#pragma once

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <type_traits>

#include "threads.h"

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(n)       __attribute__ ((aligned (n)))

#define threadIdx kernels_thread
#define blockIdx  kernels_block
#define blockDim  kernels_block_size
#define gridDim   kernels_grid_size

static const int warpSize = 32;

#include "intrinsics.h"
#include "runtime.h"
