/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of bit-rows.h, compiled for each instruction set. */

#include "config.h"

#include "bit-rows.h"
#include "engine/cpu/vector.h"


/*  Bits  */

static void
fill_bits (gint64   n,
           guint64 *bits)
{
  for (gint64 i = 0; i < wf_bit_words (n); i++)
    bits[i] = ~(guint64) 0;
  if (n % WF_BITS_A_WORD)
    bits[n / WF_BITS_A_WORD] = ((guint64) 1 << n % WF_BITS_A_WORD) - 1;
}

#define LANES(bits) (WF_VECTOR_BYTES * 8 / (bits))

/* Sets one word at a time; the rest of the row is compared pixel by pixel. */
#define DEFINE_BITS(name, Pixel, size, IS_FOREGROUND, IS_FOREGROUND_VECTOR) \
static void \
name (gconstpointer        row, \
      gint64               n, \
      const WfForeground  *foreground, \
      guint64             *bits) \
{ \
  const Pixel *pixels = row; \
  const Pixel  limit  = LIMIT_OF_##Pixel (foreground); \
  Pixel        limits[LANES (size)]; \
  WfVector     most; \
  gint64       x      = 0; \
\
  if (ALL_OF_##Pixel (foreground)) \
    { \
      fill_bits (n, bits); \
      return; \
    } \
  for (guint i = 0; i < LANES (size); i++) \
    limits[i] = limit; \
  most = wf_load (limits); \
  for (; x + WF_BITS_A_WORD <= n; x += WF_BITS_A_WORD) \
    { \
      guint64 word = 0; \
\
      for (guint i = 0; i < WF_BITS_A_WORD; i += LANES (size)) \
        { \
          WfVector v = wf_load (pixels + x + i); \
\
          word |= (guint64) wf_lanes_##size (IS_FOREGROUND_VECTOR) << i; \
        } \
      bits[x / WF_BITS_A_WORD] = word; \
    } \
  if (x < n) \
    { \
      guint64 word = 0; \
\
      for (gint64 i = x; i < n; i++) \
        word |= (guint64) (IS_FOREGROUND (pixels[i])) << (i - x); \
      bits[x / WF_BITS_A_WORD] = word; \
    } \
}

#define LIMIT_OF_guint8(foreground)  MIN ((foreground)->whole, G_MAXUINT8)
#define LIMIT_OF_guint16(foreground) MIN ((foreground)->whole, G_MAXUINT16)
#define LIMIT_OF_guint32(foreground) MIN ((foreground)->whole, G_MAXUINT32)
#define LIMIT_OF_float(foreground)   ((foreground)->nonzero ? 0 : (foreground)->real)

#define ALL_OF_guint8(foreground)    ((foreground)->whole < 0)
#define ALL_OF_guint16(foreground)   ((foreground)->whole < 0)
#define ALL_OF_guint32(foreground)   ((foreground)->whole < 0)
#define ALL_OF_float(foreground)     FALSE

#define IS_ABOVE(value) ((value) > limit)
#define IS_REAL(value)  ((value) > limit || (foreground->nonzero && (value) != 0))

DEFINE_BITS (bits_of_u8, guint8, 8, IS_ABOVE, wf_xor (wf_max_8 (v, most), most))
DEFINE_BITS (bits_of_u16, guint16, 16, IS_ABOVE, wf_xor (wf_max_16 (v, most), most))
DEFINE_BITS (bits_of_u32, guint32, 32, IS_ABOVE, wf_xor (wf_max_32 (v, most), most))

/* max () returns its second operand for zeros of either sign, so −0 and +0 equal @most.
 * Values below 0 are those that are above 0 with the sign flipped.
 */
#define ABOVE_MOST(v) wf_xor (wf_max_f32 (v, most), most)
#define IS_REAL_VECTOR \
  wf_or (ABOVE_MOST (v), \
         foreground->nonzero ? ABOVE_MOST (wf_xor (v, wf_fill_f32 (-0.0f))) : wf_zero ())

DEFINE_BITS (bits_of_f32, float, 32, IS_REAL, IS_REAL_VECTOR)


/*  Runs  */

static inline guint64
run_starts (const guint64 *bits,
            gint64         i)
{
  return bits[i] & ~(bits[i] << 1 | (i > 0 ? bits[i - 1] >> 63 : 0));
}

static gint64
count_runs (const guint64 *bits,
            gint64         n_words)
{
  gint64 n = 0;

  for (gint64 i = 0; i < n_words; i++)
    if (bits[i])
      n += __builtin_popcountll (run_starts (bits, i));
  return n;
}

/* The number of bits of @starts at or before bit @at. */
static inline guint32
count_until (guint64 starts,
             int     at)
{
  return __builtin_popcountll (starts << (63 - at));
}

/* Runs touch in a common pixel or, diagonally, where one ends and the other begins at the
 * next pixel.
 */
static gint64
find_contacts (const guint64 *before,
               const guint64 *after,
               gint64         n_words,
               gboolean       diagonally,
               WfContact     *contacts)
{
  gint64  n        = 0;
  guint32 n_before = 0;
  guint32 n_after  = 0;
  guint64 common   = 0;

  for (gint64 i = 0; i < n_words; i++)
    {
      const guint64 b        = before[i];
      const guint64 a        = after[i];
      const guint64 b_left   = b << 1 | (i > 0 ? before[i - 1] >> 63 : 0);
      const guint64 b_right  = b >> 1 | (i + 1 < n_words ? before[i + 1] << 63 : 0);
      const guint64 b_starts = run_starts (before, i);
      const guint64 a_starts = run_starts (after, i);
      const guint64 both     = a & b;
      guint64       todo     = both & ~(both << 1 | common);

      common = both >> 63;
      for (; todo; todo &= todo - 1)
        {
          int at = __builtin_ctzll (todo);

          contacts[n++] = (WfContact) { n_before + count_until (b_starts, at) - 1,
                                        n_after + count_until (a_starts, at) - 1 };
        }
      if (diagonally)
        {
          const guint64 a_right = a >> 1 | (i + 1 < n_words ? after[i + 1] << 63 : 0);

          for (todo = a_starts & b_left & ~b; todo; todo &= todo - 1)
            {
              int at = __builtin_ctzll (todo);

              contacts[n++] = (WfContact) { n_before + count_until (b_starts, at) - 1,
                                            n_after + count_until (a_starts, at) - 1 };
            }
          for (todo = a & ~a_right & b_right & ~b; todo; todo &= todo - 1)
            {
              int at = __builtin_ctzll (todo);

              contacts[n++] = (WfContact) { n_before + count_until (b_starts, at),
                                            n_after + count_until (a_starts, at) - 1 };
            }
        }
      n_before += __builtin_popcountll (b_starts);
      n_after  += __builtin_popcountll (a_starts);
    }
  return n;
}

const WfLabelSteps WF_SIMD_TABLE (wf_label) =
{
  .bits_of_u8    = bits_of_u8,
  .bits_of_u16   = bits_of_u16,
  .bits_of_u32   = bits_of_u32,
  .bits_of_f32   = bits_of_f32,
  .count_runs    = count_runs,
  .find_contacts = find_contacts,
};
