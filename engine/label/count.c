/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many regions an image of labels has, and the largest label.
 *
 * For the number, bands of an image of any size are read once, and the labels that they have are
 * kept as a set (label-set.c), as labels may be any numbers.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/blocks/bands.h"
#include "engine/blocks/block-options.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"
#include "label-set.h"

/* Of the memory labels may take a half; a band has no more than the other half. */
#define SHARE_OF_LABELS 2

/* Of a band, about, so that progress is reported and cancelling is noticed. */
#define MANY_PIXELS (G_GINT64_CONSTANT (1) << 22)

/**
 * Count:
 * @band: memory for a band, unless the image is in memory
 */
typedef struct
{
  WfContext           *context;
  const WfBlockSource *labels;
  WfBands              bands;
  WfImage              band;
  WfLabelSet           set;
} Count;


static void
count_clear (Count *count)
{
  wf_image_clear (&count->band);
  wf_label_set_clear (&count->set);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Count, count_clear)

/* Of WfBandMemoryFunc. */
static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const Count *count = data;

  return count->labels->image
         ? 0 : SHARE_OF_LABELS * (guint64) wf_shape_n_pixels (band) * sizeof (guint32);
}

/* Rows, or slices, of a band without a wish. */
static gint64
find_rows (const WfBlockSource *labels)
{
  const gint64 unit = labels->width * (labels->depth > 1 ? labels->height : 1);

  return MAX (MANY_PIXELS / unit, 1);
}

static gboolean
prepare (Count   *count,
         gint64   rows,
         GError **error)
{
  const WfBlockSource *labels = count->labels;

  wf_label_set_init (&count->set, wf_context_get_memory (count->context) / SHARE_OF_LABELS);
  return wf_source_check_as (labels, WF_TYPE_U32, _("label image"), labels, _("label image"),
                             error) &&
         wf_bands_divide (&count->bands, count->context, labels,
                          rows > 0 ? rows : find_rows (labels), band_memory, 0, count, error) &&
         (labels->image || wf_bands_allocate (&count->bands, WF_TYPE_U32, 0, &count->band, error));
}

static gboolean
add_band (Count   *count,
          gint64   number,
          GError **error)
{
  const WfBands *bands = &count->bands;
  WfImage        view;

  if (count->labels->image)
    {
      wf_bands_view (bands, count->labels->image, wf_bands_first (bands, number),
                     wf_bands_end (bands, number), &view);
    }
  else
    {
      if (! wf_bands_read (bands, count->context, count->labels, number, _("label image"),
                           &count->band, error))
        return FALSE;
      view = count->band;
    }
  return wf_label_set_add (&count->set, view.data, wf_image_n_pixels (&view), error);
}

static gboolean
count_all (Count   *count,
           gint64   rows,
           gint64  *n,
           GError **error)
{
  g_auto (WfSteps) steps = { 0 };

  if (! prepare (count, rows, error))
    return FALSE;
  wf_steps_begin (&steps, count->context, count->bands.n + 1);
  for (gint64 i = 0; i < count->bands.n; i++)
    if (! add_band (count, i, error) || ! wf_steps_next (&steps, error))
      return FALSE;
  wf_steps_set_left (&steps, 0);
  return wf_label_set_count (&count->set, count->context->ranks, n, error);
}

/**
 * wf_labels_count_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @labels: u32: any numbers, 0 for pixels of no region
 * @n_labels: (out): how many different labels there are besides 0; in all ranks
 * @blocks: (nullable): how many rows a block has at most; %NULL for the defaults
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED, and those of @labels
 *
 * Counts the regions of an image that need not fit into memory.  It is read once, in blocks of
 * whole rows or slices.
 *
 * Time: linear in the pixels, by one thread.  Memory: within the context's limit, blocks included,
 * little more than a bit for each label if labels count from 1, at most 128 bytes.
 *
 * Returns: %FALSE with @error set; then @n_labels is as it was.
 */
gboolean
wf_labels_count_blocks (WfContext             *context,
                        const WfBlockSource   *labels,
                        guint32               *n_labels,
                        const WfBlockOptions  *blocks,
                        GError               **error)
{
  g_autoptr (WfContext) own   = wf_context_ensure (context);
  g_auto (Count)        count = { .context = own, .labels = labels };
  WfBlockOptions        taken;
  WfJointWork           joint;
  gint64                n     = 0;

  g_return_val_if_fail (labels != NULL && n_labels != NULL, FALSE);

  wf_joint_work_begin (&joint, own);
  if (! wf_joint_work_end (&joint, wf_block_options_take (blocks, &taken, error) &&
                                   count_all (&count, taken.rows, &n, error), error))
    return FALSE;
  *n_labels = (guint32) n;
  return TRUE;
}

/**
 * wf_labels_get_highest:
 * @labels: u32
 *
 * Finds the largest label, for tables with an entry for each.
 *
 * Time: that of reading the pixels once, on all processors.
 *
 * Returns: the label; 0 without a region
 */
guint32
wf_labels_get_highest (const WfImage *labels)
{
  const gint64 n_rows  = labels->height * labels->depth;
  guint32      highest = 0;

  g_return_val_if_fail (labels->memory == WF_MEMORY_HOST && labels->type == WF_TYPE_U32, 0);

#pragma omp parallel for if (wf_image_is_large (labels)) reduction (max: highest)
  for (gint64 row = 0; row < n_rows; row++)
    {
      const guint32 *label = wf_image_row (labels, row);

      for (gint64 x = 0; x < labels->width; x++)
        highest = MAX (highest, label[x]);
    }
  return highest;
}
