/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Thresholds that follow from how often each level occurs (histogram.c).  Each divides the steps of
 * a histogram into those up to the threshold and those above it.
 *
 *   otsu      the cut that leaves the least variance within the two parts, which is the one
 *             with the greatest between them, n₀ n₁ (μ₀ − μ₁)² / n², with n and μ the number of
 *             pixels and the mean of each part (Otsu, A threshold selection method from
 *             gray-level histograms, IEEE Trans. Systems, Man and Cybernetics 9, 1979);
 *   li        the cut of the least cross entropy between the image and its two means: the one
 *             with the greatest Σ₀ ln μ₀ + Σ₁ ln μ₁, with Σ and μ the sum and the mean of the
 *             steps of each part, counted from the darkest one that occurs (Li and Lee, Minimum
 *             cross entropy thresholding, Pattern Recognition 26, 1993).  Of all cuts, not the
 *             nearest to some first guess;
 *   triangle  a line leads from the peak of the histogram to the end of its longer tail, the
 *             darker one if both are as long: the step of that tail whose count is farthest
 *             below the line, the one nearest to the end if there are several (Zack, Rogers and
 *             Latt, Automatic measurement of sister chromatid exchange frequency, J.
 *             Histochemistry and Cytochemistry 25, 1977);
 *   P %       the first step up to which P per cent of the pixels lie.
 *
 * Where no level occurs between the two parts of otsu and li, all cuts there are the same; the
 * middle one is taken, which stays right when noise widens both.
 */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "image.h"


/* Of the step after which a cut is best, and of the last one after which it is as good. */
static void
find_otsu (const WfHistogram *histogram,
           guint             *first,
           guint             *last)
{
  double n        = 0;
  double sum      = 0;
  double n_below  = 0;
  double below    = 0;
  double greatest = -1;

  for (guint i = 0; i < histogram->n_levels; i++)
    {
      n   += (double) histogram->counts[i];
      sum += (double) histogram->counts[i] * i;
    }

  *first = *last = 0;
  for (guint i = 0; i < histogram->n_levels; i++)
    {
      double gap;
      double variance;

      if (histogram->counts[i] == 0)
        {
          if (*last + 1 == i && greatest >= 0)
            *last = i;
          continue;
        }
      n_below += (double) histogram->counts[i];
      below   += (double) histogram->counts[i] * i;
      if (n_below == n)
        break;
      gap      = below / n_below - (sum - below) / (n - n_below);
      variance = n_below * (n - n_below) * gap * gap;
      if (variance > greatest)
        {
          greatest = variance;
          *first = *last = i;
        }
    }
}

/* Of a part: Σ ln μ. */
static double
find_entropy (double sum,
              double n)
{
  return sum > 0 ? sum * log (sum / n) : 0;
}

/* As find_otsu(). */
static void
find_li (const WfHistogram *histogram,
         guint             *first,
         guint             *last)
{
  guint  lowest   = 0;
  double n        = 0;
  double sum      = 0;
  double n_below  = 0;
  double below    = 0;
  double greatest = -INFINITY;

  while (lowest + 1 < histogram->n_levels && histogram->counts[lowest] == 0)
    lowest++;
  for (guint i = lowest; i < histogram->n_levels; i++)
    {
      n   += (double) histogram->counts[i];
      sum += (double) histogram->counts[i] * (i - lowest);
    }

  *first = *last = 0;
  for (guint i = lowest; i < histogram->n_levels && n_below < n; i++)
    {
      double entropy;

      if (histogram->counts[i] == 0)
        {
          *last += *last + 1 == i;
          continue;
        }
      n_below += (double) histogram->counts[i];
      below   += (double) histogram->counts[i] * (i - lowest);
      if (n_below == n)
        break;
      entropy = find_entropy (below, n_below) + find_entropy (sum - below, n - n_below);
      if (entropy > greatest)
        {
          greatest = entropy;
          *first = *last = i;
        }
    }
}

/* Steps from the end of the tail; @from: the end, @step: towards the peak, 1 or −1 */
static guint
find_farthest (const WfHistogram *histogram,
               guint              from,
               guint              peak)
{
  const int    step     = from < peak ? 1 : -1;
  const double width    = (double) peak - (double) from;
  const double height   = (double) histogram->counts[peak];
  double       farthest = -INFINITY;
  guint        found    = from;

  for (guint i = from; i != peak; i += (guint) step)
    {
      const double below = height * ((double) i - (double) from) / width
                           - (double) histogram->counts[i];

      if (below > farthest)
        {
          farthest = below;
          found    = i;
        }
    }
  return found;
}

static guint
find_triangle (const WfHistogram *histogram)
{
  guint lowest  = histogram->n_levels;
  guint highest = 0;
  guint peak    = 0;

  for (guint i = 0; i < histogram->n_levels; i++)
    {
      if (histogram->counts[i] == 0)
        continue;
      lowest  = MIN (lowest, i);
      highest = i;
      peak    = histogram->counts[i] > histogram->counts[peak] ? i : peak;
    }
  if (lowest >= highest)
    return 0;
  return find_farthest (histogram, peak - lowest < highest - peak ? highest : lowest, peak);
}

static guint
find_percent (const WfHistogram *histogram,
              double             percent)
{
  double n     = 0;
  double below = 0;
  double least;

  for (guint i = 0; i < histogram->n_levels; i++)
    n += (double) histogram->counts[i];
  least = n * percent * (1 - 4 * DBL_EPSILON);   /* percent and the product are rounded */
  for (guint i = 0; i < histogram->n_levels; i++)
    {
      below += (double) histogram->counts[i];
      if (below > 0 && below * 100 >= least)
        return i;
    }
  return 0;
}

/**
 * wf_histogram_find_threshold:
 * @histogram: a histogram
 * @method: how
 * @percent: with %WF_THRESHOLD_PERCENT: of the pixels, from 0 to 100, that do not lie above it
 *
 * Divides the levels into two parts; see the top of threshold.c for the definitions.
 *
 * Returns: the threshold in the image's own units, as options take it: what lies above it
 *   is the brighter part.  0 where there are no pixels, and with all methods but
 *   %WF_THRESHOLD_PERCENT where all are of one level.
 */
double
wf_histogram_find_threshold (const WfHistogram *histogram,
                             WfThresholdMethod  method,
                             double             percent)
{
  guint first = 0;
  guint last  = 0;

  g_return_val_if_fail (histogram != NULL, 0);

  switch (method)
    {
    case WF_THRESHOLD_OTSU:
      find_otsu (histogram, &first, &last);
      break;
    case WF_THRESHOLD_LI:
      find_li (histogram, &first, &last);
      break;
    case WF_THRESHOLD_TRIANGLE:
      first = last = find_triangle (histogram);
      break;
    default:
      first = last = find_percent (histogram, percent);
      break;
    }
  return wf_histogram_get_level (histogram, first + (last - first) / 2);
}

/**
 * wf_threshold_parse:
 * @text: otsu, li, triangle, or a number from 0 to 100 with a per cent sign
 * @method: (out): the method
 * @percent: (out): the number, or 0
 *
 * Reads how a threshold is to be found.
 *
 * Returns: whether @text says so; if not, the others are as they were
 */
gboolean
wf_threshold_parse (const char        *text,
                    WfThresholdMethod *method,
                    double            *percent)
{
  static const char * const names[] = { "otsu", "li", "triangle" };
  char                     *end;
  double                    number;

  g_return_val_if_fail (text != NULL && method != NULL && percent != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (text, names[i]) == 0)
      {
        *method  = (WfThresholdMethod) i;
        *percent = 0;
        return TRUE;
      }
  number = g_ascii_strtod (text, &end);
  if (! g_ascii_isdigit (text[0]) || strcmp (end, "%") != 0 || ! (number >= 0 && number <= 100))
    return FALSE;
  *method  = WF_THRESHOLD_PERCENT;
  *percent = number;
  return TRUE;
}
