/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Labels that are replaced by the entries of a table: of merged regions, of objects by their
 * numbers in a table of measurements, or of those that are chosen.
 */

#include "config.h"

#include "engine/core/image.h"


static void
map_row (const guint32 *labels,
         const guint32 *table,
         guint32        n,
         guint32       *out,
         gint64         width)
{
  for (gint64 x = 0; x < width; x++)
    out[x] = labels[x] < n ? table[labels[x]] : 0;
}

static void
mark_row (const guint32 *labels,
          const guint32 *table,
          guint32        n,
          guint8        *out,
          gint64         width)
{
  for (gint64 x = 0; x < width; x++)
    out[x] = labels[x] < n && table[labels[x]] != 0 ? G_MAXUINT8 : 0;
}

/**
 * wf_labels_map:
 * @labels: u32, in main memory
 * @table: (array length=n): what the labels 0, 1, 2 … become
 * @n: the entries of @table; higher labels become 0
 * @out: u32, size of @labels: set to the entries; or u8: to 255 where an entry is not 0, else to 0;
 *   of u32 it may be @labels itself
 *
 * Replaces each label by its entry of a table.
 *
 * Time: that of reading the labels and writing @out, on all processors, and of looking up the
 * table.
 */
void
wf_labels_map (const WfImage *labels,
               const guint32 *table,
               guint32        n,
               WfImage       *out)
{
  const gint64 n_rows = labels->height * labels->depth;

  g_return_if_fail (labels->memory == WF_MEMORY_HOST && out->memory == WF_MEMORY_HOST);
  g_return_if_fail (labels->type == WF_TYPE_U32 &&
                    (out->type == WF_TYPE_U32 || out->type == WF_TYPE_U8));
  g_return_if_fail (out->width == labels->width && out->height == labels->height &&
                    out->depth == labels->depth);

#pragma omp parallel for schedule (static) if (wf_image_is_large (labels))
  for (gint64 row = 0; row < n_rows; row++)
    if (out->type == WF_TYPE_U32)
      map_row (wf_image_row (labels, row), table, n, wf_image_row (out, row), labels->width);
    else
      mark_row (wf_image_row (labels, row), table, n, wf_image_row (out, row), labels->width);
}
