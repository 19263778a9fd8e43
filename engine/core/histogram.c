/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How often each grey level occurs.
 *
 * Levels are counted on a scale of steps from black, step 0, to white, the last one: a
 * level is of the first step that is not below it.  For whole numbers a step is a level;
 * real numbers from 0 to 1 have 65536 steps, and what lies below black or above white
 * counts to that end.  So "above the level of a step" cuts between two counts, and never
 * through one, for every type.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "image.h"

/* A power of two, so that the level of each step is a number that f32 has. */
#define REAL_STEPS (1 << 16)


static guint
count_levels (WfType type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return G_MAXUINT8 + 1;
    case WF_TYPE_U16:
      return G_MAXUINT16 + 1;
    default:
      return REAL_STEPS + 1;
    }
}

/* @inside: (nullable): 0 where a pixel does not count */
static inline void
count_bytes (const guint8 *row,
             const guint8 *inside,
             gint64        n,
             guint64      *counts)
{
  for (gint64 x = 0; x < n; x++)
    counts[row[x]] += ! inside || inside[x] != 0;
}

static inline void
count_words (const guint16 *row,
             const guint8  *inside,
             gint64         n,
             guint64       *counts)
{
  for (gint64 x = 0; x < n; x++)
    counts[row[x]] += ! inside || inside[x] != 0;
}

static inline void
count_reals (const float  *row,
             const guint8 *inside,
             gint64        n,
             guint64      *counts)
{
  for (gint64 x = 0; x < n; x++)
    if (! isnan (row[x]) && (! inside || inside[x] != 0))
      counts[(guint) ceilf (CLAMP (row[x], 0.0f, 1.0f) * REAL_STEPS)]++;
}

static inline void
count_row (const WfImage *image,
           const guint8  *inside,
           gint64         row,
           guint64       *counts)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      count_bytes (wf_image_row (image, row), inside, image->width, counts);
      break;
    case WF_TYPE_U16:
      count_words (wf_image_row (image, row), inside, image->width, counts);
      break;
    default:
      count_reals (wf_image_row (image, row), inside, image->width, counts);
      break;
    }
}

/* All counts are 0. */
static WfHistogram *
allocate_histogram (WfType    type,
                    GError  **error)
{
  const guint   n_levels  = count_levels (type);
  WfHistogram  *histogram = wf_allocate (1, sizeof *histogram, error);
  guint64      *counts    = histogram ? wf_allocate (n_levels, sizeof *counts, error) : NULL;

  if (! counts)
    {
      g_free (histogram);
      return NULL;
    }
  memset (counts, 0, n_levels * sizeof *counts);
  *histogram = (WfHistogram) { .type = type, .n_levels = n_levels, .counts = counts };
  return histogram;
}

/**
 * wf_histogram_new:
 * @image: u8, u16 or f32, width × height × depth; of f32 pixels that are not a number are
 *   left out
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY
 *
 * Counts the levels of @image; see the top of histogram.c for the steps of real
 * numbers.
 *
 * Time: linear in the pixels, on the thread that calls.  Memory: 2 KB for u8, else 0.5 MB.
 *
 * Returns: (transfer full): the histogram, or %NULL with @error set
 */
WfHistogram *
wf_histogram_new (const WfImage  *image,
                  GError        **error)
{
  return wf_histogram_new_masked (image, NULL, error);
}

/**
 * wf_histogram_new_masked:
 * @image: as for wf_histogram_new()
 * @mask: (nullable): u8, size of @image: not 0 inside; %NULL: all pixels are
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY
 *
 * Counts the levels of @image inside a mask; where nothing is inside, all counts are 0.
 *
 * Time and memory as wf_histogram_new().
 *
 * Returns: (transfer full): the histogram, or %NULL with @error set
 */
WfHistogram *
wf_histogram_new_masked (const WfImage  *image,
                         const WfImage  *mask,
                         GError        **error)
{
  WfHistogram *histogram;

  if (! wf_image_check (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      (mask && (! wf_image_check (mask, _("mask"), error) ||
                ! wf_image_check_type (mask, WF_TYPE_U8, _("mask"), error) ||
                ! wf_image_check_size (mask, _("mask"), image, _("image"), error))))
    return NULL;

  histogram = allocate_histogram (image->type, error);
  for (gint64 row = 0; histogram && row < image->height * image->depth; row++)
    if (mask)
      count_row (image, wf_image_row (mask, row), row, histogram->counts);
    else
      count_row (image, NULL, row, histogram->counts);
  return histogram;
}

/**
 * wf_histogram_copy:
 * @histogram: a histogram
 *
 * Copies a histogram and its counts.
 *
 * Returns: (transfer full): another with the same counts
 */
WfHistogram *
wf_histogram_copy (const WfHistogram *histogram)
{
  WfHistogram *copy;

  g_return_val_if_fail (histogram != NULL, NULL);

  copy         = g_memdup2 (histogram, sizeof *histogram);
  copy->counts = g_memdup2 (histogram->counts, histogram->n_levels * sizeof *copy->counts);
  return copy;
}

/**
 * wf_histogram_free:
 * @histogram: (transfer full) (nullable): a histogram
 *
 * Frees a histogram and its counts.
 */
void
wf_histogram_free (WfHistogram *histogram)
{
  if (! histogram)
    return;
  g_free (histogram->counts);
  g_free (histogram);
}

/**
 * wf_histogram_get_level:
 * @histogram: a histogram
 * @step: a step, from 0 to n_levels − 1
 *
 * Converts a step of the histogram to a gray level, so that it can be used as a threshold.
 *
 * Returns: the step's level in the image's own units: a pixel is above it if it is counted
 *   at a later step.
 */
double
wf_histogram_get_level (const WfHistogram *histogram,
                        guint              step)
{
  g_return_val_if_fail (histogram != NULL && step < histogram->n_levels, 0);

  return histogram->type == WF_TYPE_F32 ? (double) step / REAL_STEPS : step;
}
