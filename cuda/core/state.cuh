/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What device.cu, failures.cu and memory.cu know of each other. */

#pragma once

#include "device.cuh"

/* Failures on purpose, for tests: WAVEFRONT_CUDA_FAULT=k makes the k-th checked call of an
 * operation fail as if there were no memory.  The countdown begins with arming, and ends when
 * the operation does or commits its result.
 */
void     wf_cuda_arm_fault    (void);
void     wf_cuda_disarm_fault (void);
bool     wf_cuda_fault_is_due (void);

/* Whether a failure before has left the device unusable; then @error is set. */
bool     wf_cuda_is_lost      (int      device,
                               GError **error);

/* All open states are known, so that one can use the spare memory of another. */
void     wf_cuda_enlist       (WfCuda  *cuda);
void     wf_cuda_delist       (WfCuda  *cuda);
