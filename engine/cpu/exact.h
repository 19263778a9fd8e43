/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sums of f32 without rounding, in any order.
 *
 * Every finite float is a whole multiple of 2^−149, below 2^128: 277 bits and a sign.
 * A sum is held in limbs of 28 bits, each in a signed 64-bit word that has room for
 * carries.  So a float is added to two words, and two sums are added word by word, which
 * several threads may do at the same time.
 */

#pragma once

#include <math.h>
#include <string.h>

#include <glib.h>

#define WF_EXACT_LIMBS     12
#define WF_EXACT_LIMB_BITS 28
#define WF_EXACT_ONE       149      /* the bit of value 1 */

/* The most floats that are added to a shared sum before its carries must be propagated. */
#define WF_EXACT_MOST      4096

/* @level, which is finite, is the result × 2^(@shift − 149). */
static inline gint64
wf_exact_mantissa (float  level,
                   int   *shift)
{
  guint32 bits;
  guint32 exponent;
  gint64  mantissa;

  memcpy (&bits, &level, sizeof bits);
  exponent = bits >> 23 & 0xff;
  mantissa = (bits & 0x7fffff) | (exponent ? 0x800000 : 0);
  *shift   = exponent ? exponent - 1 : 0;
  return bits >> 31 ? -mantissa : mantissa;
}

static inline void
wf_exact_add (gint64 *limbs,
              float   level)
{
  const gint64 mask = ((gint64) 1 << WF_EXACT_LIMB_BITS) - 1;
  int          shift;
  gint64       mantissa = wf_exact_mantissa (level, &shift);
  gint64       shifted  = mantissa * ((gint64) 1 << shift % WF_EXACT_LIMB_BITS);
  int          limb     = shift / WF_EXACT_LIMB_BITS;

  limbs[limb]     += shifted & mask;
  limbs[limb + 1] += shifted >> WF_EXACT_LIMB_BITS;
}

/* Propagates carries: all limbs but the last become numbers from 0 to 2^28 − 1. */
static inline void
wf_exact_carry (gint64 *limbs)
{
  const gint64 mask = ((gint64) 1 << WF_EXACT_LIMB_BITS) - 1;

  for (int i = 0; i + 1 < WF_EXACT_LIMBS; i++)
    {
      limbs[i + 1] += limbs[i] >> WF_EXACT_LIMB_BITS;
      limbs[i]     &= mask;
    }
}

/* The sum in @limbs, which is not negative and has no pending carries, rounded to the
 * nearest double.  It is computed from four limbs, which hold at least 85 bits, and a sticky
 * bit for the rest.
 */
static inline double
wf_exact_round (const gint64 *limbs)
{
  int               top  = WF_EXACT_LIMBS - 1;
  int               last;
  unsigned __int128 head = 0;
  gboolean          rest = FALSE;

  while (top > 0 && limbs[top] == 0)
    top--;
  last = MAX (top - 3, 0);
  for (int i = top; i >= last; i--)
    head = head << WF_EXACT_LIMB_BITS | limbs[i];
  for (int i = last; i-- > 0;)
    rest |= limbs[i] != 0;
  return ldexp ((double) (head | rest), last * WF_EXACT_LIMB_BITS - WF_EXACT_ONE);
}

/* The sum in @limbs, of any sign, rounded to the nearest double. */
static inline double
wf_exact_sum (const gint64 *limbs)
{
  gint64 sum[WF_EXACT_LIMBS];

  memcpy (sum, limbs, sizeof sum);
  wf_exact_carry (sum);
  if (sum[WF_EXACT_LIMBS - 1] >= 0)
    return wf_exact_round (sum);
  for (int i = 0; i < WF_EXACT_LIMBS; i++)
    sum[i] = -sum[i];
  wf_exact_carry (sum);
  return -wf_exact_round (sum);
}

/* @level × @n − the sum in @limbs, rounded once: how much @n floats with that sum, none of
 * them above @level, lie below @level altogether.
 */
static inline double
wf_exact_below (const gint64 *limbs,
                float         level,
                guint64       n)
{
  const gint64 mask = ((gint64) 1 << WF_EXACT_LIMB_BITS) - 1;
  gint64       rest[WF_EXACT_LIMBS];
  int          shift;
  gint64       mantissa = wf_exact_mantissa (level, &shift);

  for (int i = 0; i < WF_EXACT_LIMBS; i++)
    rest[i] = -limbs[i];
  for (int part = 0; n != 0; part++, n >>= WF_EXACT_LIMB_BITS)
    {
      __int128 product = (__int128) (mantissa * (gint64) (n & mask))
                         * ((gint64) 1 << shift % WF_EXACT_LIMB_BITS);
      int      limb    = shift / WF_EXACT_LIMB_BITS + part;

      for (; product != 0 && limb < WF_EXACT_LIMBS; limb++)
        {
          rest[limb] += limb + 1 < WF_EXACT_LIMBS ? (gint64) (product & mask) : (gint64) product;
          product   >>= WF_EXACT_LIMB_BITS;
          if (product == -1)
            {
              if (limb + 1 < WF_EXACT_LIMBS)
                rest[limb + 1]--;
              break;
            }
        }
    }
  wf_exact_carry (rest);
  return wf_exact_round (rest);
}
