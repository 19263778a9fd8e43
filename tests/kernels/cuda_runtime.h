/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CUDA kernels, run by the CPU: this header replaces CUDA's own.
 *
 * Most machines that build and test have no GPU, and kernels that do not run are not
 * tested.  Therefore the module in cuda/ is compiled a second time, as C++:
 *
 *   rewrite.py    translates CUDA's extensions of the grammar to C++
 *   intrinsics.h  implements the functions of the device
 *   threads.cpp   runs the threads of a block as fibers, and blocks one after the other
 *   runtime.cpp   implements the functions of the runtime: memory, copies, events
 *
 * All other code is the module itself, so the device tests of every operation run with
 * it.  It behaves like a device of the lowest capability that the module supports, with
 * few multiprocessors.
 *
 * What it finds:
 *   - wrong results, by comparison with the CPU's
 *   - most missing barriers: between two barriers a thread runs alone, and the order of
 *     threads, warps and blocks is random, so that data of another thread is often not
 *     written yet
 *   - deadlocks, barriers and warp instructions that the threads of a block or warp do
 *     not reach together, and use of values of lanes that did not take part
 *   - use of uninitialised device or shared memory: it is filled with random bytes
 *   - accesses beyond the end of an allocation, by an inaccessible page after it; writes
 *     in the gap of less than the alignment before that page are found on freeing
 *   - copies that begin or end outside an allocation, and memory that is not freed
 *
 * What it does not find:
 *   - simultaneous accesses of two threads to one word, and effects of a GPU's memory
 *     order: here every access is atomic and completes before the next begins
 *   - that a block waits for a later block: later blocks start only when it has ended,
 *     and CUDA does not guarantee more
 *   - kernels that read host memory; host code that reads device memory is found with
 *     WAVEFRONT_KERNELS_GUARD=1
 *   - misaligned vectors, too many registers, and all problems of timing
 *
 * WAVEFRONT_TEST_SEED determines the order of threads, like the cases of the test.  Two
 * runs with the same seed are equal if only one thread of the program launches kernels.
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
