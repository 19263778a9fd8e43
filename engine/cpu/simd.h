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

/* The inner loops, NAME-simd.c, are compiled once for each instruction set.  Each object
 * defines a table of its functions, named by WF_SIMD_TABLE: prefix_plain, prefix_sse2 and
 * so on.  The build defines WF_SIMD_LEVEL, and WF_VECTOR_PLAIN for the first of them
 * (vector.h).
 */
#define WF_SIMD_NAME(prefix, level)     prefix##_##level
#define WF_SIMD_NAME_OF(prefix, level)  WF_SIMD_NAME (prefix, level)
#define WF_SIMD_TABLE(prefix)           WF_SIMD_NAME_OF (prefix, WF_SIMD_LEVEL)

#define WF_SIMD_DECLARE(Table, prefix) \
  extern const Table prefix##_plain, prefix##_sse2, prefix##_avx2, prefix##_avx512

/* Initialises an array of WF_N_SIMD pointers to those tables, as far as this build has
 * them; wf_simd_level() returns no other level.
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
