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

/* The initialiser of an array of WF_N_SIMD pointers to what @prefix_plain, _sse2 and
 * so on are, as far as this build has them; wf_simd_level() names none that it lacks.
 */
#ifdef HAVE_SSE2
#define WF_IF_SSE2(entry) entry,
#else
#define WF_IF_SSE2(entry)
#endif
#ifdef HAVE_AVX2
#define WF_IF_AVX2(entry) entry,
#else
#define WF_IF_AVX2(entry)
#endif
#ifdef HAVE_AVX512
#define WF_IF_AVX512(entry) entry,
#else
#define WF_IF_AVX512(entry)
#endif

#define WF_SIMD_TABLES(prefix) \
  { \
    [WF_SIMD_PLAIN] = &prefix##_plain, \
    WF_IF_SSE2 ([WF_SIMD_SSE2] = &prefix##_sse2) \
    WF_IF_AVX2 ([WF_SIMD_AVX2] = &prefix##_avx2) \
    WF_IF_AVX512 ([WF_SIMD_AVX512] = &prefix##_avx512) \
  }
