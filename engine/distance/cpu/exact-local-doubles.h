/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vectors of doubles that hold whole numbers or +infinity, for the instruction set
 * that the including file is compiled for.
 *
 *   WfDoubles, WF_N_DOUBLES               a vector, and how many it holds
 *   wf_doubles_load, wf_doubles_store     unaligned
 *   wf_doubles_fill (value)
 *   wf_doubles_add, _sub, _mul, _min (a, b)
 *   wf_doubles_count_from (first)         first, first + 1, …
 *   wf_doubles_take (least, at, v, here)  lane by lane: where @v is below @least,
 *                                         makes it @least and @here @at
 *   wf_doubles_lanes_below (a, b)         a bit for each lane where a < b
 *   wf_doubles_squeeze (to, lanes, v)     stores those lanes of @v next to one another and
 *                                         returns their number; may write a whole vector
 */

#pragma once

#include <glib.h>
#include <string.h>

#if defined (__AVX512F__)

#include <immintrin.h>

#define WF_N_DOUBLES 8

typedef __m512d WfDoubles;

#define wf_doubles_load(p)      _mm512_loadu_pd (p)
#define wf_doubles_store(p, v)  _mm512_storeu_pd (p, v)
#define wf_doubles_fill(value)  _mm512_set1_pd (value)
#define wf_doubles_add(a, b)    _mm512_add_pd (a, b)
#define wf_doubles_sub(a, b)    _mm512_sub_pd (a, b)
#define wf_doubles_mul(a, b)    _mm512_mul_pd (a, b)
#define wf_doubles_min(a, b)    _mm512_min_pd (a, b)

#define wf_doubles_lanes_below(a, b) ((guint) _mm512_cmp_pd_mask (a, b, _CMP_LT_OQ))

static inline int
wf_doubles_squeeze (double   *to,
                    guint     lanes,
                    WfDoubles v)
{
  _mm512_storeu_pd (to, _mm512_maskz_compress_pd (lanes, v));
  return __builtin_popcount (lanes);
}

static inline void
wf_doubles_take (WfDoubles *least,
                 WfDoubles *at,
                 WfDoubles  v,
                 WfDoubles  here)
{
  __mmask8 below = _mm512_cmp_pd_mask (v, *least, _CMP_LT_OQ);

  *least = _mm512_mask_mov_pd (*least, below, v);
  *at    = _mm512_mask_mov_pd (*at, below, here);
}

#elif defined (__AVX2__)

#include <immintrin.h>

#define WF_N_DOUBLES 4

typedef __m256d WfDoubles;

#define wf_doubles_load(p)      _mm256_loadu_pd (p)
#define wf_doubles_store(p, v)  _mm256_storeu_pd (p, v)
#define wf_doubles_fill(value)  _mm256_set1_pd (value)
#define wf_doubles_add(a, b)    _mm256_add_pd (a, b)
#define wf_doubles_sub(a, b)    _mm256_sub_pd (a, b)
#define wf_doubles_mul(a, b)    _mm256_mul_pd (a, b)
#define wf_doubles_min(a, b)    _mm256_min_pd (a, b)

#define wf_doubles_lanes_below(a, b) \
  ((guint) _mm256_movemask_pd (_mm256_cmp_pd (a, b, _CMP_LT_OQ)))

static inline void
wf_doubles_take (WfDoubles *least,
                 WfDoubles *at,
                 WfDoubles  v,
                 WfDoubles  here)
{
  __m256d below = _mm256_cmp_pd (v, *least, _CMP_LT_OQ);

  *least = _mm256_min_pd (v, *least);
  *at    = _mm256_blendv_pd (*at, here, below);
}

#elif defined (__SSE2__) && ! defined (WF_VECTOR_PLAIN)

#include <emmintrin.h>

#define WF_N_DOUBLES 2

typedef __m128d WfDoubles;

#define wf_doubles_load(p)      _mm_loadu_pd (p)
#define wf_doubles_store(p, v)  _mm_storeu_pd (p, v)
#define wf_doubles_fill(value)  _mm_set1_pd (value)
#define wf_doubles_add(a, b)    _mm_add_pd (a, b)
#define wf_doubles_sub(a, b)    _mm_sub_pd (a, b)
#define wf_doubles_mul(a, b)    _mm_mul_pd (a, b)
#define wf_doubles_min(a, b)    _mm_min_pd (a, b)

#define wf_doubles_lanes_below(a, b) ((guint) _mm_movemask_pd (_mm_cmplt_pd (a, b)))

static inline void
wf_doubles_take (WfDoubles *least,
                 WfDoubles *at,
                 WfDoubles  v,
                 WfDoubles  here)
{
  __m128d below = _mm_cmplt_pd (v, *least);

  *least = _mm_min_pd (v, *least);
  *at    = _mm_or_pd (_mm_and_pd (below, here), _mm_andnot_pd (below, *at));
}

#else

/* GCC's vectors: the compiler splits them where the target has no such registers. */

#define WF_N_DOUBLES 2

typedef double WfDoubles __attribute__ ((vector_size (16)));
typedef gint64 WfDoublesMask __attribute__ ((vector_size (16)));

static inline WfDoubles
wf_doubles_load (const double *p)
{
  WfDoubles v;

  memcpy (&v, p, sizeof v);
  return v;
}

static inline void
wf_doubles_store (double   *p,
                  WfDoubles v)
{
  memcpy (p, &v, sizeof v);
}

#define wf_doubles_fill(value)  ((WfDoubles) { value, value })
#define wf_doubles_add(a, b)    ((a) + (b))
#define wf_doubles_sub(a, b)    ((a) - (b))
#define wf_doubles_mul(a, b)    ((a) * (b))

static inline WfDoubles
wf_doubles_choose (WfDoublesMask mask,
                   WfDoubles     a,
                   WfDoubles     b)
{
  return (WfDoubles) ((mask & (WfDoublesMask) a) | (~mask & (WfDoublesMask) b));
}

static inline WfDoubles
wf_doubles_min (WfDoubles a,
                WfDoubles b)
{
  return wf_doubles_choose (a < b, a, b);
}

static inline void
wf_doubles_take (WfDoubles *least,
                 WfDoubles *at,
                 WfDoubles  v,
                 WfDoubles  here)
{
  WfDoublesMask below = v < *least;

  *least = wf_doubles_choose (below, v, *least);
  *at    = wf_doubles_choose (below, here, *at);
}

static inline guint
wf_doubles_lanes_below (WfDoubles a,
                        WfDoubles b)
{
  return (a[0] < b[0] ? 1 : 0) | (a[1] < b[1] ? 2 : 0);
}

#endif

static inline WfDoubles
wf_doubles_count_from (gint64 first)
{
  static const double lanes[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };

  return wf_doubles_add (wf_doubles_fill ((double) first), wf_doubles_load (lanes));
}

#if WF_N_DOUBLES < 8

static inline int
wf_doubles_squeeze (double   *to,
                    guint     lanes,
                    WfDoubles v)
{
  double values[WF_N_DOUBLES];
  int    n = 0;

  wf_doubles_store (values, v);
  for (int i = 0; i < WF_N_DOUBLES; i++)
    {
      to[n] = values[i];
      n    += lanes >> i & 1;
    }
  return n;
}

#endif
