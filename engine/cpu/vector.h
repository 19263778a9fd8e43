/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Vectors of unsigned pixels for the instruction set that the including file is
 * compiled for.  There are four implementations with the same names:
 *
 *   WfVector                      a vector
 *   wf_load, wf_store             unaligned
 *   wf_any (v)                    whether some bit is set
 *   wf_max_N (a, b)               for N = 8, 16, 32 bits, and f32
 *   wf_min_N (a, b)               for N = 8, 16 bits, and f32
 *   wf_add_f32 (a, b)             sums
 *   wf_unordered_f32 (a, b)       all bits of the lanes where a or b is NaN
 *   wf_from_left_N (before, v)    each lane's left neighbour; the first lane's is
 *                                 the last one of @before
 *   wf_from_right_N (v, after)    the mirror image
 *   wf_ahead_N (v, after)         for N = 4, 8, 16, 32 bytes, if a vector has more: all but the
 *                                 first N bytes of v, and the first N bytes of @after
 *   wf_adds_16 (a, b)             saturating sums
 *   wf_any_above_16 (a, b), wf_fill_16 (value), wf_fill_f32 (value)
 *   wf_lanes_N (v)                a bit for each lane that is not 0
 *   wf_interleave_low_N (a, b)    the low halves of each 16 bytes, lane by lane
 *   wf_interleave_high_N (a, b)   the high halves
 *   wf_load_pieces (p, step)      pieces of 16 bytes, @step bytes apart
 */

#pragma once

#include <glib.h>
#include <string.h>

#if defined (__AVX512VBMI__) && defined (__AVX512BW__)

#include <immintrin.h>

#define WF_VECTOR_BYTES 64

typedef __m512i WfVector;

#define wf_load(p)      _mm512_loadu_si512 (p)
#define wf_store(p, v)  _mm512_storeu_si512 (p, v)
#define wf_zero()       _mm512_setzero_si512 ()
#define wf_or(a, b)     _mm512_or_si512 (a, b)
#define wf_xor(a, b)    _mm512_xor_si512 (a, b)
#define wf_any(v)       (_mm512_test_epi64_mask (v, v) != 0)

#define wf_max_8(a, b)  _mm512_max_epu8 (a, b)
#define wf_min_8(a, b)  _mm512_min_epu8 (a, b)
#define wf_max_16(a, b) _mm512_max_epu16 (a, b)
#define wf_min_16(a, b) _mm512_min_epu16 (a, b)
#define wf_max_32(a, b) _mm512_max_epu32 (a, b)

#define wf_max_f32(a, b) \
  _mm512_castps_si512 (_mm512_max_ps (_mm512_castsi512_ps (a), _mm512_castsi512_ps (b)))
#define wf_min_f32(a, b) \
  _mm512_castps_si512 (_mm512_min_ps (_mm512_castsi512_ps (a), _mm512_castsi512_ps (b)))
#define wf_fill_f32(value) _mm512_castps_si512 (_mm512_set1_ps (value))
#define wf_add_f32(a, b) \
  _mm512_castps_si512 (_mm512_add_ps (_mm512_castsi512_ps (a), _mm512_castsi512_ps (b)))
#define wf_unordered_f32(a, b) \
  _mm512_maskz_set1_epi32 (_mm512_cmp_ps_mask (_mm512_castsi512_ps (a), _mm512_castsi512_ps (b), \
                                               _CMP_UNORD_Q), -1)

#define wf_adds_16(a, b)      _mm512_adds_epu16 (a, b)
#define wf_fill_16(value)     _mm512_set1_epi16 (value)
#define wf_any_above_16(a, b) (_mm512_cmpgt_epu16_mask (a, b) != 0)

#define wf_lanes_8(v)   ((guint64) _mm512_test_epi8_mask (v, v))
#define wf_lanes_16(v)  ((guint64) _mm512_test_epi16_mask (v, v))
#define wf_lanes_32(v)  ((guint64) _mm512_test_epi32_mask (v, v))

#define wf_interleave_low_8(a, b)   _mm512_unpacklo_epi8 (a, b)
#define wf_interleave_high_8(a, b)  _mm512_unpackhi_epi8 (a, b)
#define wf_interleave_low_16(a, b)  _mm512_unpacklo_epi16 (a, b)
#define wf_interleave_high_16(a, b) _mm512_unpackhi_epi16 (a, b)
#define wf_interleave_low_32(a, b)  _mm512_unpacklo_epi32 (a, b)
#define wf_interleave_high_32(a, b) _mm512_unpackhi_epi32 (a, b)

#define wf_ahead_4(v, after)    _mm512_alignr_epi32 (after, v, 1)
#define wf_ahead_8(v, after)    _mm512_alignr_epi64 (after, v, 1)
#define wf_ahead_16(v, after)   _mm512_alignr_epi64 (after, v, 2)
#define wf_ahead_32(v, after)   _mm512_alignr_epi64 (after, v, 4)

static inline WfVector
wf_load_pieces (const void *p,
                gsize       step)
{
  const guint8 *piece = p;
  WfVector      v     = _mm512_castsi128_si512 (_mm_loadu_si128 ((const __m128i *) piece));

  v = _mm512_inserti32x4 (v, _mm_loadu_si128 ((const __m128i *) (piece + step)), 1);
  v = _mm512_inserti32x4 (v, _mm_loadu_si128 ((const __m128i *) (piece + 2 * step)), 2);
  return _mm512_inserti32x4 (v, _mm_loadu_si128 ((const __m128i *) (piece + 3 * step)), 3);
}

static inline WfVector
wf_from_left_32 (WfVector before,
                 WfVector v)
{
  return _mm512_alignr_epi32 (v, before, 15);
}

static inline WfVector
wf_from_right_32 (WfVector v,
                  WfVector after)
{
  return _mm512_alignr_epi32 (after, v, 1);
}

static inline WfVector
wf_from_left_16 (WfVector before,
                 WfVector v)
{
  return _mm512_alignr_epi8 (v, _mm512_alignr_epi64 (v, before, 6), 14);
}

static inline WfVector
wf_from_right_16 (WfVector v,
                  WfVector after)
{
  return _mm512_alignr_epi8 (_mm512_alignr_epi64 (after, v, 2), v, 2);
}

static inline WfVector
wf_from_left_8 (WfVector before,
                WfVector v)
{
  return _mm512_alignr_epi8 (v, _mm512_alignr_epi64 (v, before, 6), 15);
}

static inline WfVector
wf_from_right_8 (WfVector v,
                 WfVector after)
{
  return _mm512_alignr_epi8 (_mm512_alignr_epi64 (after, v, 2), v, 1);
}

#elif defined (__AVX2__)

#include <immintrin.h>

#define WF_VECTOR_BYTES 32

typedef __m256i WfVector;

#define wf_load(p)      _mm256_loadu_si256 ((const __m256i *) (p))
#define wf_store(p, v)  _mm256_storeu_si256 ((__m256i *) (p), v)
#define wf_zero()       _mm256_setzero_si256 ()
#define wf_or(a, b)     _mm256_or_si256 (a, b)
#define wf_xor(a, b)    _mm256_xor_si256 (a, b)
#define wf_any(v)       (! _mm256_testz_si256 (v, v))

#define wf_max_8(a, b)  _mm256_max_epu8 (a, b)
#define wf_min_8(a, b)  _mm256_min_epu8 (a, b)
#define wf_max_16(a, b) _mm256_max_epu16 (a, b)
#define wf_min_16(a, b) _mm256_min_epu16 (a, b)
#define wf_max_32(a, b) _mm256_max_epu32 (a, b)

#define wf_max_f32(a, b) \
  _mm256_castps_si256 (_mm256_max_ps (_mm256_castsi256_ps (a), _mm256_castsi256_ps (b)))
#define wf_min_f32(a, b) \
  _mm256_castps_si256 (_mm256_min_ps (_mm256_castsi256_ps (a), _mm256_castsi256_ps (b)))
#define wf_fill_f32(value) _mm256_castps_si256 (_mm256_set1_ps (value))
#define wf_add_f32(a, b) \
  _mm256_castps_si256 (_mm256_add_ps (_mm256_castsi256_ps (a), _mm256_castsi256_ps (b)))
#define wf_unordered_f32(a, b) \
  _mm256_castps_si256 (_mm256_cmp_ps (_mm256_castsi256_ps (a), _mm256_castsi256_ps (b), \
                                      _CMP_UNORD_Q))

#define wf_adds_16(a, b)      _mm256_adds_epu16 (a, b)
#define wf_fill_16(value)     _mm256_set1_epi16 (value)
#define wf_any_above_16(a, b) wf_any (_mm256_subs_epu16 (a, b))

#define wf_interleave_low_8(a, b)   _mm256_unpacklo_epi8 (a, b)
#define wf_interleave_high_8(a, b)  _mm256_unpackhi_epi8 (a, b)
#define wf_interleave_low_16(a, b)  _mm256_unpacklo_epi16 (a, b)
#define wf_interleave_high_16(a, b) _mm256_unpackhi_epi16 (a, b)
#define wf_interleave_low_32(a, b)  _mm256_unpacklo_epi32 (a, b)
#define wf_interleave_high_32(a, b) _mm256_unpackhi_epi32 (a, b)

static inline WfVector
wf_load_pieces (const void *p,
                gsize       step)
{
  const guint8 *piece = p;

  return _mm256_inserti128_si256 (
           _mm256_castsi128_si256 (_mm_loadu_si128 ((const __m128i *) piece)),
           _mm_loadu_si128 ((const __m128i *) (piece + step)), 1);
}

#define WF_FROM_LEFT_AVX2(before, v, bytes) \
  _mm256_alignr_epi8 (v, _mm256_permute2x128_si256 (before, v, 0x21), 16 - (bytes))
#define WF_FROM_RIGHT_AVX2(v, after, bytes) \
  _mm256_alignr_epi8 (_mm256_permute2x128_si256 (v, after, 0x21), v, bytes)

#define wf_from_left_8(before, v)   WF_FROM_LEFT_AVX2 (before, v, 1)
#define wf_from_left_16(before, v)  WF_FROM_LEFT_AVX2 (before, v, 2)
#define wf_from_left_32(before, v)  WF_FROM_LEFT_AVX2 (before, v, 4)
#define wf_from_right_8(v, after)   WF_FROM_RIGHT_AVX2 (v, after, 1)
#define wf_from_right_16(v, after)  WF_FROM_RIGHT_AVX2 (v, after, 2)
#define wf_from_right_32(v, after)  WF_FROM_RIGHT_AVX2 (v, after, 4)

#define wf_ahead_4(v, after)    WF_FROM_RIGHT_AVX2 (v, after, 4)
#define wf_ahead_8(v, after)    WF_FROM_RIGHT_AVX2 (v, after, 8)
#define wf_ahead_16(v, after)   _mm256_permute2x128_si256 (v, after, 0x21)

static inline guint64
wf_lanes_8 (WfVector v)
{
  return ~(guint32) _mm256_movemask_epi8 (_mm256_cmpeq_epi8 (v, _mm256_setzero_si256 ()));
}

static inline guint64
wf_lanes_16 (WfVector v)
{
  __m256i zero = _mm256_cmpeq_epi16 (v, _mm256_setzero_si256 ());
  __m128i low  = _mm256_castsi256_si128 (zero);
  __m128i high = _mm256_extracti128_si256 (zero, 1);

  return ~(guint32) _mm_movemask_epi8 (_mm_packs_epi16 (low, high)) & 0xffff;
}

static inline guint64
wf_lanes_32 (WfVector v)
{
  __m256i zero = _mm256_cmpeq_epi32 (v, _mm256_setzero_si256 ());

  return ~(guint32) _mm256_movemask_ps (_mm256_castsi256_ps (zero)) & 0xff;
}

#elif defined (__SSE2__) && ! defined (WF_VECTOR_PLAIN)

#include <emmintrin.h>

#define WF_VECTOR_BYTES 16

typedef __m128i WfVector;

#define wf_load(p)      _mm_loadu_si128 ((const __m128i *) (p))
#define wf_store(p, v)  _mm_storeu_si128 ((__m128i *) (p), v)
#define wf_zero()       _mm_setzero_si128 ()
#define wf_or(a, b)     _mm_or_si128 (a, b)
#define wf_xor(a, b)    _mm_xor_si128 (a, b)

#define wf_max_8(a, b)  _mm_max_epu8 (a, b)
#define wf_min_8(a, b)  _mm_min_epu8 (a, b)

/* SSE2 has no unsigned maxima of 16 and 32 bits.  They are made of a saturating difference
 * and of a comparison with flipped signs.
 */
#define wf_max_16(a, b) _mm_add_epi16 (_mm_subs_epu16 (a, b), b)
#define wf_min_16(a, b) _mm_sub_epi16 (a, _mm_subs_epu16 (a, b))

#define wf_adds_16(a, b)      _mm_adds_epu16 (a, b)
#define wf_fill_16(value)     _mm_set1_epi16 (value)
#define wf_any_above_16(a, b) wf_any (_mm_subs_epu16 (a, b))

static inline WfVector
wf_max_32 (WfVector a,
           WfVector b)
{
  const WfVector sign  = _mm_set1_epi32 (G_MININT32);
  const WfVector above = _mm_cmpgt_epi32 (_mm_xor_si128 (a, sign), _mm_xor_si128 (b, sign));

  return _mm_or_si128 (_mm_and_si128 (above, a), _mm_andnot_si128 (above, b));
}

#define wf_max_f32(a, b) \
  _mm_castps_si128 (_mm_max_ps (_mm_castsi128_ps (a), _mm_castsi128_ps (b)))
#define wf_min_f32(a, b) \
  _mm_castps_si128 (_mm_min_ps (_mm_castsi128_ps (a), _mm_castsi128_ps (b)))
#define wf_fill_f32(value) _mm_castps_si128 (_mm_set1_ps (value))
#define wf_add_f32(a, b) \
  _mm_castps_si128 (_mm_add_ps (_mm_castsi128_ps (a), _mm_castsi128_ps (b)))
#define wf_unordered_f32(a, b) \
  _mm_castps_si128 (_mm_cmpunord_ps (_mm_castsi128_ps (a), _mm_castsi128_ps (b)))

#define wf_interleave_low_8(a, b)   _mm_unpacklo_epi8 (a, b)
#define wf_interleave_high_8(a, b)  _mm_unpackhi_epi8 (a, b)
#define wf_interleave_low_16(a, b)  _mm_unpacklo_epi16 (a, b)
#define wf_interleave_high_16(a, b) _mm_unpackhi_epi16 (a, b)
#define wf_interleave_low_32(a, b)  _mm_unpacklo_epi32 (a, b)
#define wf_interleave_high_32(a, b) _mm_unpackhi_epi32 (a, b)

#define wf_load_pieces(p, step) wf_load (p)

#define WF_FROM_LEFT_SSE2(before, v, bytes) \
  _mm_or_si128 (_mm_slli_si128 (v, bytes), _mm_srli_si128 (before, 16 - (bytes)))
#define WF_FROM_RIGHT_SSE2(v, after, bytes) \
  _mm_or_si128 (_mm_srli_si128 (v, bytes), _mm_slli_si128 (after, 16 - (bytes)))

#define wf_from_left_8(before, v)   WF_FROM_LEFT_SSE2 (before, v, 1)
#define wf_from_left_16(before, v)  WF_FROM_LEFT_SSE2 (before, v, 2)
#define wf_from_left_32(before, v)  WF_FROM_LEFT_SSE2 (before, v, 4)
#define wf_from_right_8(v, after)   WF_FROM_RIGHT_SSE2 (v, after, 1)
#define wf_from_right_16(v, after)  WF_FROM_RIGHT_SSE2 (v, after, 2)
#define wf_from_right_32(v, after)  WF_FROM_RIGHT_SSE2 (v, after, 4)

#define wf_ahead_4(v, after)    WF_FROM_RIGHT_SSE2 (v, after, 4)
#define wf_ahead_8(v, after)    WF_FROM_RIGHT_SSE2 (v, after, 8)

static inline int
wf_any (WfVector v)
{
  return _mm_movemask_epi8 (_mm_cmpeq_epi8 (v, _mm_setzero_si128 ())) != 0xffff;
}

static inline guint64
wf_lanes_8 (WfVector v)
{
  return ~_mm_movemask_epi8 (_mm_cmpeq_epi8 (v, _mm_setzero_si128 ())) & 0xffff;
}

static inline guint64
wf_lanes_16 (WfVector v)
{
  __m128i zero = _mm_cmpeq_epi16 (v, _mm_setzero_si128 ());

  return ~_mm_movemask_epi8 (_mm_packs_epi16 (zero, zero)) & 0xff;
}

static inline guint64
wf_lanes_32 (WfVector v)
{
  __m128i zero = _mm_cmpeq_epi32 (v, _mm_setzero_si128 ());

  return ~_mm_movemask_ps (_mm_castsi128_ps (zero)) & 0xf;
}

#else

/* GCC's vectors: the compiler splits them where the target has no such registers. */

#define WF_VECTOR_BYTES 16

typedef guint8  WfLanes8 __attribute__ ((vector_size (16)));
typedef guint16 WfLanes16 __attribute__ ((vector_size (16)));
typedef guint32 WfLanes32 __attribute__ ((vector_size (16)));
typedef float   WfLanesF32 __attribute__ ((vector_size (16)));
typedef guint64 WfVector __attribute__ ((vector_size (16)));

static inline WfVector
wf_load (const void *p)
{
  WfVector v;

  memcpy (&v, p, sizeof v);
  return v;
}

static inline void
wf_store (void    *p,
          WfVector v)
{
  memcpy (p, &v, sizeof v);
}

#define wf_zero()     ((WfVector) { 0, 0 })
#define wf_or(a, b)   ((a) | (b))
#define wf_xor(a, b)  ((a) ^ (b))

static inline int
wf_any (WfVector v)
{
  return (v[0] | v[1]) != 0;
}


static inline WfVector
wf_adds_16 (WfVector a,
            WfVector b)
{
  WfLanes16 sum = (WfLanes16) a + (WfLanes16) b;

  return (WfVector) (sum | (WfLanes16) (sum < (WfLanes16) a));
}

static inline WfVector
wf_fill_16 (guint16 value)
{
  return (WfVector) ((WfLanes16) { 0 } + value);
}

static inline int
wf_any_above_16 (WfVector a,
                 WfVector b)
{
  return wf_any ((WfVector) ((WfLanes16) a > (WfLanes16) b));
}

static inline WfVector
wf_fill_f32 (float value)
{
  return (WfVector) (WfLanesF32) { value, value, value, value };
}

#define wf_add_f32(a, b)  ((WfVector) ((WfLanesF32) (a) + (WfLanesF32) (b)))

static inline WfVector
wf_unordered_f32 (WfVector a,
                  WfVector b)
{
  return (WfVector) (((WfLanesF32) a != (WfLanesF32) a) | ((WfLanesF32) b != (WfLanesF32) b));
}

#define WF_PLAIN_MAX(suffix, Lanes) \
static inline WfVector \
wf_max_##suffix (WfVector a, \
                 WfVector b) \
{ \
  WfVector above = (WfVector) ((Lanes) a > (Lanes) b); \
\
  return (a & above) | (b & ~above); \
}

#define WF_PLAIN_MIN(suffix, Lanes) \
static inline WfVector \
wf_min_##suffix (WfVector a, \
                 WfVector b) \
{ \
  WfVector above = (WfVector) ((Lanes) a > (Lanes) b); \
\
  return (b & above) | (a & ~above); \
}

WF_PLAIN_MAX (8, WfLanes8)
WF_PLAIN_MAX (16, WfLanes16)
WF_PLAIN_MAX (32, WfLanes32)
WF_PLAIN_MAX (f32, WfLanesF32)
WF_PLAIN_MIN (8, WfLanes8)
WF_PLAIN_MIN (16, WfLanes16)
WF_PLAIN_MIN (f32, WfLanesF32)

#define wf_load_pieces(p, step) wf_load (p)

#ifdef __clang__
#define WF_SHUFFLE(Lanes, a, b, ...) \
  ((WfVector) __builtin_shufflevector ((Lanes) (a), (Lanes) (b), __VA_ARGS__))
#else
#define WF_SHUFFLE(Lanes, a, b, ...) \
  ((WfVector) __builtin_shuffle ((Lanes) (a), (Lanes) (b), (Lanes) { __VA_ARGS__ }))
#endif

#define wf_interleave_low_8(a, b) \
  WF_SHUFFLE (WfLanes8, a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define wf_interleave_high_8(a, b) \
  WF_SHUFFLE (WfLanes8, a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define wf_interleave_low_16(a, b) \
  WF_SHUFFLE (WfLanes16, a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define wf_interleave_high_16(a, b) \
  WF_SHUFFLE (WfLanes16, a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define wf_interleave_low_32(a, b) \
  WF_SHUFFLE (WfLanes32, a, b, 0, 4, 1, 5)
#define wf_interleave_high_32(a, b) \
  WF_SHUFFLE (WfLanes32, a, b, 2, 6, 3, 7)

#define wf_ahead_4(v, after)  WF_SHUFFLE (WfLanes32, v, after, 1, 2, 3, 4)
#define wf_ahead_8(v, after)  WF_SHUFFLE (WfLanes32, v, after, 2, 3, 4, 5)

/* Lanes are shifted as the bytes of two 64-bit words, lowest first. */
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define WF_UP(word, bits)    ((word) << (bits))
#define WF_DOWN(word, bits)  ((word) >> (bits))
#else
#define WF_UP(word, bits)    ((word) >> (bits))
#define WF_DOWN(word, bits)  ((word) << (bits))
#endif

#define WF_PLAIN_LANES(bits) \
static inline WfVector \
wf_from_left_##bits (WfVector before, \
                     WfVector v) \
{ \
  WfVector preceding = { before[1], v[0] }; \
\
  return WF_UP (v, bits) | WF_DOWN (preceding, 64 - bits); \
} \
\
static inline WfVector \
wf_from_right_##bits (WfVector v, \
                      WfVector after) \
{ \
  WfVector following = { v[1], after[0] }; \
\
  return WF_DOWN (v, bits) | WF_UP (following, 64 - bits); \
} \
\
static inline guint64 \
wf_lanes_##bits (WfVector v) \
{ \
  guint64 lanes = 0; \
\
  for (int i = 0; i < 128 / bits; i++) \
    lanes |= (guint64) (((WfLanes##bits) v)[i] != 0) << i; \
  return lanes; \
}

WF_PLAIN_LANES (8)
WF_PLAIN_LANES (16)
WF_PLAIN_LANES (32)

#undef WF_PLAIN_MAX
#undef WF_PLAIN_MIN
#undef WF_PLAIN_LANES

#endif
