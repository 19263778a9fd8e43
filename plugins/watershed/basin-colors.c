/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Values of each basin that are collected while an image is read row by row: its mean color, which
 * the engine sums, and whether any of its pixels is selected; and the limit of the labels' numbers.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "basin-colors.h"
#include "plugins/common/swap/swap.h"

/* 32-bit floating point cannot represent all integers above this. */
#define HIGHEST_EXACT (1 << 24)


/**
 * wf_basin_labels_get_highest:
 * @labels: u32
 *
 * wf_labels_get_highest() of an image that may be in the swap.
 *
 * Returns: the largest label.
 */
guint32
wf_basin_labels_get_highest (const WfImage *labels)
{
  guint32 highest = 0;

  WF_FOR_PARTS (part, labels)
    {
      const WfImage view = wf_swap_view (labels, &part);

      highest = MAX (highest, wf_labels_get_highest (&view));
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
 * wf_basin_means_new:
 * @context: of the computation
 * @highest: the largest label
 * @error: %WF_ERROR_MEMORY
 *
 * wf_mean_colors_new() in the memory that the swap leaves.
 *
 * Returns: (transfer full) (nullable): means without pixels
 */
WfMeanColors *
wf_basin_means_new (WfContext  *context,
                    guint32     highest,
                    GError    **error)
{
  if (wf_swap_is_on ())
    wf_context_set_memory_limit (context, wf_swap_get_memory ());
  return wf_mean_colors_new (context, highest, error);
}

/**
 * wf_basin_marks_new:
 * @highest: the largest label
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: (transfer full): 0 for every label, to be freed with g_free(), or %NULL
 */
guint32 *
wf_basin_marks_new (guint32   highest,
                    GError  **error)
{
  return wf_basin_data_new (highest, sizeof (guint32), error);
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
wf_basin_marks_add_row (guint32       *marks,
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
