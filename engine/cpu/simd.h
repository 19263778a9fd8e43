/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The widest vector instructions that the processor has, chosen at run time. */

#pragma once

#include <glib.h>

/**
 * WfSimd:
 * @WF_SIMD_PLAIN: what the compiler makes of plain C for the baseline target
 * @WF_SIMD_SSE2: 16 bytes, by name: what every x86-64 has
 * @WF_SIMD_AVX2: 32 bytes
 * @WF_SIMD_AVX512: 64 bytes, with byte permutations (AVX-512 BW and VBMI)
 */
typedef enum
{
  WF_SIMD_PLAIN,
  WF_SIMD_SSE2,
  WF_SIMD_AVX2,
  WF_SIMD_AVX512
} WfSimd;

#define WF_N_SIMD 4

WfSimd wf_simd_level (void);
