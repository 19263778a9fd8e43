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
#include "memory.h"

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

/* Of pixels in main memory. */
static void
count_rows (const WfImage *image,
            const WfImage *mask,
            guint64       *counts)
{
  for (gint64 row = 0; row < image->height * image->depth; row++)
    count_row (image, mask ? wf_image_row (mask, row) : NULL, row, counts);
}

/* Of pixels on a device; with a mask, copies in main memory are counted. */
static gboolean
count_anywhere (const WfImage  *image,
                const WfImage  *mask,
                guint64        *counts,
                GError        **error)
{
  g_autoptr (WfContext) context = NULL;
  g_auto (WfStaging)    staging = { 0 };

  if (image->memory == WF_MEMORY_HOST && (! mask || mask->memory == WF_MEMORY_HOST))
    {
      count_rows (image, mask, counts);
      return TRUE;
    }
  context         = wf_context_new ();
  staging.context = context;
  if (! mask)
    return wf_context_count_levels (context, image, counts, count_levels (image->type), error);
  if (! wf_staging_take (&staging, &image, error) || ! wf_staging_take (&staging, &mask, error))
    return FALSE;
  count_rows (image, mask, counts);
  return TRUE;
}

/**
 * wf_histogram_new:
 * @image: u8, u16 or f32, width × height × depth, in main memory or that of a GPU; of f32 pixels
 *   that are not a number are left out
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE
 *
 * Counts the levels of @image; see the top of histogram.c for the steps of real
 * numbers.  On a GPU they are counted there, after all work that was queued on the device's default
 * stream.
 *
 * Time: linear in the pixels, on the thread that calls.  Memory: 2 KB for u8, else 0.5 MB; on a GPU
 * 4 MB, and a copy of the image if it is not packed there.
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
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE
 *
 * Counts the levels of @image inside a mask; where nothing is inside, all counts are 0.
 *
 * Time and memory as wf_histogram_new(); with a mask, an image on a GPU is copied to main memory,
 * and so is the mask.
 *
 * Returns: (transfer full): the histogram, or %NULL with @error set
 */
WfHistogram *
wf_histogram_new_masked (const WfImage  *image,
                         const WfImage  *mask,
                         GError        **error)
{
  WfHistogram *histogram;

  if (! wf_image_check_view (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      (mask && (! wf_image_check_view (mask, _("mask"), error) ||
                ! wf_image_check_type (mask, WF_TYPE_U8, _("mask"), error) ||
                ! wf_image_check_size (mask, _("mask"), image, _("image"), error))))
    return NULL;

  histogram = allocate_histogram (image->type, error);
  if (histogram && ! count_anywhere (image, mask, histogram->counts, error))
    g_clear_pointer (&histogram, wf_histogram_free);
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
