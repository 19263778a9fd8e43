/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "simd.h"


static WfSimd
widest (void)
{
#ifdef HAVE_AVX512
  if (__builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512vl") &&
      __builtin_cpu_supports ("avx512vbmi"))
    return WF_SIMD_AVX512;
#endif
#ifdef HAVE_AVX2
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("bmi2"))
    return WF_SIMD_AVX2;
#endif
#ifdef HAVE_SSE2
  return WF_SIMD_SSE2;
#else
  return WF_SIMD_PLAIN;
#endif
}

/* For tests and comparisons WAVEFRONT_SIMD lowers the level to "plain", "sse2" or "avx2". */
WfSimd
wf_simd_level (void)
{
  static const char * const names[WF_N_SIMD] = { "plain", "sse2", "avx2", "avx512" };
  const char               *wish             = g_getenv ("WAVEFRONT_SIMD");
  WfSimd                    level            = widest ();

  for (int i = 0; i < (int) level; i++)
    if (g_strcmp0 (wish, names[i]) == 0)
      return i;
  return level;
}
