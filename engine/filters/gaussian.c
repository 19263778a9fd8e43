/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The weights of a Gaussian of standard deviation σ: exp (−k²/2σ²) for the pixels at distances k
 * up to 3σ, rounded up to a whole number, divided by their sum.  Everything is
 * calculated in long doubles: 31 bits of a sum near 1 would leave few of a double's to spare.
 *
 * For integers they are multiples of 2⁻¹⁶ (u8) or 2⁻³¹ (u16) and add up to 1 exactly: each is the
 * difference between two sums of the tail, from k on and from k + 1 on, rounded to such
 * multiples, so that errors do not add up, and the middle one is what is left.
 *
 * For floats each is rounded to the nearest, and the middle one is 1 less the others.
 *
 * The outermost weights that become 0 are left out: of a very small σ nothing but the middle
 * remains.
 */

#include "config.h"

#include <math.h>

#include "gaussian.h"


static long double
bell (gint64 k,
      double sigma)
{
  const long double t = k / (long double) sigma;

  return k == 0 ? 1 : expl (-0.5L * t * t);
}

static long double
sum_of_bell (gint64 radius,
             double sigma)
{
  long double sum = 0;

  for (gint64 k = radius; k >= 1; k--)
    sum += 2 * bell (k, sigma);
  return sum + 1;
}

static void
set_whole (WfGaussian *gaussian,
           int         bits,
           double      sigma)
{
  const long double one     = (long double) (G_GUINT64_CONSTANT (1) << bits);
  const long double sum     = sum_of_bell (gaussian->radius, sigma);
  long double       tail    = 0;
  long double       rounded = 0;

  for (gint64 k = gaussian->radius; k >= 1; k--)
    {
      const long double before = rounded;

      tail   += bell (k, sigma) / sum * one;
      rounded = floorl (tail + 0.5L);
      gaussian->whole[k] = (guint32) (rounded - before);
    }
  gaussian->whole[0] = (guint32) (one - 2 * rounded);
  while (gaussian->radius > 0 && gaussian->whole[gaussian->radius] == 0)
    gaussian->radius--;
}

static void
set_real (WfGaussian *gaussian,
          double      sigma)
{
  const long double sum  = sum_of_bell (gaussian->radius, sigma);
  long double       tail = 0;

  for (gint64 k = gaussian->radius; k >= 1; k--)
    {
      gaussian->real[k] = (float) (bell (k, sigma) / sum);
      tail += gaussian->real[k];
    }
  gaussian->real[0] = (float) (1 - 2 * tail);
  while (gaussian->radius > 0 && gaussian->real[gaussian->radius] == 0)
    gaussian->radius--;
}

/* For images of @type; what the other types need is not set. */
void
wf_gaussian_init (WfGaussian *gaussian,
                  WfType      type,
                  double      sigma)
{
  gaussian->radius = (gint64) ceil (3 * sigma);
  if (type == WF_TYPE_F32)
    set_real (gaussian, sigma);
  else
    set_whole (gaussian, type == WF_TYPE_U8 ? WF_GAUSSIAN_BITS_U8 : WF_GAUSSIAN_BITS_U16, sigma);
}
