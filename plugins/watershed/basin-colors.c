/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Values of each basin that are collected while an image is read row by row: its mean colour,
 * and whether any of its pixels is selected; and the limit of the labels' numbers.
 *
 * The mean colour weights pixels by their opacity, because transparent pixels have no colour;
 * the mean itself is opaque.  A basin without any opaque pixel stays transparent.
 */

#include "config.h"

#include <string.h>

#include <omp.h>

#include <glib/gi18n-lib.h>

#include "basin-colors.h"
#include "plugins/common/swap/swap.h"

/* 32-bit floating point cannot represent all integers above this. */
#define HIGHEST_EXACT (1 << 24)

/* Fewer pixels are added by one thread. */
#define MANY_PIXELS (1 << 16)

struct _WfBasinColors
{
  guint32   highest;
  double (* sums)[4];
  double    of_byte[G_MAXUINT8 + 1];   /* components of 8 bits, as wf_colors_expand() makes them */
};

/**
 * Pixels:
 * @colors: red, green, blue and alpha of each; or %NULL
 * @stored: else, in 8 bits
 * @n_components: of those: 1 or 3, and alpha
 */
typedef struct
{
  const float  *colors;
  const guint8 *stored;
  int           n_components;
} Pixels;


/**
 * wf_labels_get_highest:
 * @labels: u32
 *
 * Returns: the largest label.
 */
guint32
wf_labels_get_highest (const WfImage *labels)
{
  const guint32 *pixels  = labels->data;
  guint32        highest = 0;

  WF_FOR_PARTS (part, labels)
    {
#pragma omp parallel for schedule(static) reduction(max: highest)
      for (gint64 i = part.first; i < part.end; i++)
        highest = MAX (highest, pixels[i]);
    }
  return highest;
}

/**
 * wf_labels_check_exact:
 * @highest: the largest label
 * @error: %WF_ERROR_LABELS
 *
 * Returns: whether 32-bit floating point holds all labels up to @highest exactly.
 */
gboolean
wf_labels_check_exact (guint32   highest,
                       GError  **error)
{
  if (highest <= HIGHEST_EXACT)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
               _("There are %u basins, but an image in 32-bit floating point holds numbers exactly "
                 "only up to %d: merge some of them."), highest, HIGHEST_EXACT);
  return FALSE;
}

/**
 * wf_basin_data_new:
 * @highest: the largest label
 * @size: bytes for each label
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: (transfer full) (nullable): zeros for each label from 0 to @highest, to be freed with
 *   g_free(), if the memory that the swap leaves suffices
 */
gpointer
wf_basin_data_new (guint32   highest,
                   gsize     size,
                   GError  **error)
{
  const guint64 bytes  = ((guint64) highest + 1) * size;
  gpointer      memory = NULL;

  if (! wf_swap_is_on () || bytes <= wf_swap_get_memory ())
    memory = g_try_malloc0 (bytes);
  if (! memory)
    g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
                 _("There is not enough memory for the data of %u basins."), highest);
  return memory;
}

/**
 * wf_basin_colors_new:
 * @highest: the largest label
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: (transfer full): sums without pixels, or %NULL
 */
WfBasinColors *
wf_basin_colors_new (guint32   highest,
                     GError  **error)
{
  WfBasinColors *colors = g_new0 (WfBasinColors, 1);

  colors->highest = highest;
  colors->sums    = wf_basin_data_new (highest, sizeof *colors->sums, error);
  if (! colors->sums)
    {
      g_free (colors);
      return NULL;
    }
  for (int byte = 0; byte <= G_MAXUINT8; byte++)
    colors->of_byte[byte] = (float) byte / (float) G_MAXUINT8;
  return colors;
}

/**
 * wf_basin_colors_free:
 * @colors: (transfer full): sums
 */
void
wf_basin_colors_free (WfBasinColors *colors)
{
  g_free (colors->sums);
  g_free (colors);
}

/* Two sums are in a line of the cache. */
static gboolean
is_own (guint32 label,
        guint32 thread,
        guint32 n_threads)
{
  return label / 2 % n_threads == thread;
}

static void
add_colors (double      *sum,
            const float *pixels,
            gint64       n)
{
  double own[4] = { sum[0], sum[1], sum[2], sum[3] };

  for (gint64 i = 0; i < n; i++, pixels += 4)
    {
      for (int c = 0; c < 3; c++)
        own[c] += (double) pixels[3] * pixels[c];
      own[3] += pixels[3];
    }
  memcpy (sum, own, sizeof own);
}

/* The same of pixels of 8 bits. */
static inline __attribute__ ((always_inline)) void
add_bytes (double       *sum,
           const double  of_byte[],
           const guint8 *pixels,
           gint64        n,
           int           n_components)
{
  const int      green  = n_components > 2 ? 1 : 0;
  const gboolean alpha  = n_components % 2 == 0;
  double         own[4] = { sum[0], sum[1], sum[2], sum[3] };

  for (gint64 i = 0; i < n; i++, pixels += n_components)
    {
      const double opacity = alpha ? of_byte[pixels[n_components - 1]] : 1;

      for (int c = 0; c < 3; c++)
        own[c] += opacity * of_byte[pixels[c * green]];
      own[3] += opacity;
    }
  memcpy (sum, own, sizeof own);
}

static void
add_run (const WfBasinColors *colors,
         guint32              label,
         const Pixels        *pixels,
         gint64               first,
         gint64               n)
{
  const int n_components = pixels->n_components;
  double   *sum          = colors->sums[label];

  if (pixels->colors)
    add_colors (sum, pixels->colors + 4 * first, n);
  else if (n_components == 1)
    add_bytes (sum, colors->of_byte, pixels->stored + first, n, 1);
  else if (n_components == 2)
    add_bytes (sum, colors->of_byte, pixels->stored + 2 * first, n, 2);
  else if (n_components == 3)
    add_bytes (sum, colors->of_byte, pixels->stored + 3 * first, n, 3);
  else
    add_bytes (sum, colors->of_byte, pixels->stored + 4 * first, n, 4);
}

/* Adds the pixels of the labels that are a thread's own. */
static void
add_own (const WfBasinColors *colors,
         const guint32       *labels,
         const Pixels        *pixels,
         gint64               n,
         guint32              thread,
         guint32              n_threads)
{
  gint64 end;

  for (gint64 first = 0; first < n; first = end)
    {
      const guint32 label = labels[first];

      for (end = first + 1; end < n && labels[end] == label; end++)
        ;
      if (is_own (label, thread, n_threads))
        add_run (colors, label, pixels, first, end - first);
    }
}

static void
add_pixels (const WfBasinColors *colors,
            const guint32       *labels,
            const Pixels        *pixels,
            gint64               n)
{
#pragma omp parallel if (n >= MANY_PIXELS)
  add_own (colors, labels, pixels, n, (guint32) omp_get_thread_num (),
           (guint32) omp_get_num_threads ());
}

/**
 * wf_basin_colors_add_row:
 * @colors: sums
 * @labels: of the pixels
 * @pixels: red, green, blue and alpha of each
 * @n: the number of pixels
 *
 * The sum of a label is made by one thread, in the order of the pixels: so it has the same bits
 * with any number of threads.
 */
void
wf_basin_colors_add_row (WfBasinColors *colors,
                         const guint32 *labels,
                         const float   *pixels,
                         gint64         n)
{
  const Pixels all = { .colors = pixels };

  add_pixels (colors, labels, &all, n);
}

/**
 * wf_basin_colors_add_stored:
 * @colors: sums
 * @labels: of the pixels
 * @pixels: components of 8 bits
 * @n_components: of each: 1 or 3, and alpha
 * @n: the number of pixels
 *
 * Adds what wf_basin_colors_add_row() adds of the pixels that wf_colors_expand() makes of these.
 */
void
wf_basin_colors_add_stored (WfBasinColors *colors,
                            const guint32 *labels,
                            const guint8  *pixels,
                            int            n_components,
                            gint64         n)
{
  const Pixels all = { .stored = pixels, .n_components = n_components };

  g_return_if_fail (n_components >= 1 && n_components <= 4);

  add_pixels (colors, labels, &all, n);
}

/**
 * wf_basin_colors_get_mean:
 * @colors: sums
 * @label: of a basin
 * @mean: set to red, green, blue and alpha
 */
void
wf_basin_colors_get_mean (WfBasinColors *colors,
                          guint32        label,
                          float          mean[4])
{
  const double *sum;

  g_return_if_fail (label <= colors->highest);

  sum = colors->sums[label];
  for (int c = 0; c < 3; c++)
    mean[c] = sum[3] > 0 ? (float) (sum[c] / sum[3]) : 0;
  mean[3] = sum[3] > 0;
}

/**
 * wf_basin_marks_new:
 * @highest: the largest label
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: (transfer full): 0 for every label, to be freed with g_free(), or %NULL
 */
guint8 *
wf_basin_marks_new (guint32   highest,
                    GError  **error)
{
  return wf_basin_data_new (highest, 1, error);
}

/**
 * wf_basin_marks_add_row:
 * @marks: for each label, whether it is marked
 * @labels: of the pixels
 * @selected: the coverage of each pixel by the selection, from 0 to 1
 * @n: the number of pixels
 *
 * Marks the basins of pixels that are at least half selected; never label 0.
 *
 * Returns: the number of newly marked basins
 */
guint32
wf_basin_marks_add_row (guint8        *marks,
                        const guint32 *labels,
                        const float   *selected,
                        gint64         n)
{
  guint32 n_new = 0;

  for (gint64 i = 0; i < n; i++)
    if (labels[i] != 0 && selected[i] >= 0.5f && ! marks[labels[i]])
      {
        marks[labels[i]] = 1;
        n_new++;
      }
  return n_new;
}
