/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The weights of a Gaussian: exp (−k²/2σ²) for the pixels k ≤ 3σ away, divided by their
 * sum, which is calculated in doubles.
 *
 * For integers they are multiples of 2⁻¹⁶ and add up to 1 exactly: each is the difference
 * between two sums of the tail, from k on and from k + 1 on, rounded to such multiples,
 * so that errors do not add up, and the middle one is what is left.
 *
 * For floats each is rounded to the nearest, and the middle one is 1 less the others.
 */

#include "config.h"

#include <math.h>

#include "gaussian.h"


static double
bell (gint64 k,
      double sigma)
{
  const double t = k / sigma;

  return k == 0 ? 1 : exp (-0.5 * t * t);
}

static double
sum_of_bell (gint64 radius,
             double sigma)
{
  double sum = 0;

  for (gint64 k = radius; k >= 1; k--)
    sum += 2 * bell (k, sigma);
  return sum + 1;
}

static void
set_whole (WfGaussian *gaussian,
           double      sigma)
{
  const double one     = 1 << WF_GAUSSIAN_BITS;
  const double sum     = sum_of_bell (gaussian->radius, sigma);
  double       tail    = 0;
  double       rounded = 0;

  for (gint64 k = gaussian->radius; k >= 1; k--)
    {
      const double before = rounded;

      tail   += bell (k, sigma) / sum * one;
      rounded = floor (tail + 0.5);
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
  const double sum  = sum_of_bell (gaussian->radius, sigma);
  double       tail = 0;

  for (gint64 k = gaussian->radius; k >= 1; k--)
    {
      gaussian->real[k] = (float) (bell (k, sigma) / sum);
      tail += gaussian->real[k];
    }
  gaussian->real[0] = (float) (1 - 2 * tail);
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
    set_whole (gaussian, sigma);
}
