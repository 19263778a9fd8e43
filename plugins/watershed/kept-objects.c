/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Basins within limits: what is left out of them becomes background, and so do lines that are
 * beside none of the others.
 */

#include "config.h"

#include <string.h>

#include "kept-objects.h"
#include "ui/merge/region-memory.h"


static gboolean
choose (WfContext              *context,
        const WfObjectOptions  *limits,
        const WfCorrecting     *correcting,
        const WfImage          *levels,
        const WfBasins         *basins,
        guint8                **kept,
        gint64                 *n,
        GError                **error)
{
  g_autoptr (WfObjects)  objects = wf_objects_measure (context, basins->labels, levels,
                                                       basins->mask, 0, NULL, error);
  g_autofree guint8     *chosen  = NULL;

  if (! objects)
    return FALSE;
  *n     = wf_regions_get_n_regions (wf_objects_get_regions (objects));
  chosen = wf_region_memory_new (*n, sizeof *chosen, error);
  if (! chosen || wf_objects_choose (objects, limits, chosen, error) < 0)
    return FALSE;
  if (correcting)
    wf_correcting_choose (correcting, wf_objects_get_regions (objects), chosen);
  *kept = g_steal_pointer (&chosen);
  return TRUE;
}

/**
 * wf_kept_objects_select:
 * @context: of the computation
 * @limits: of the objects
 * @correcting: (nullable): what is deleted or kept by hand
 * @levels: whose means are limited
 * @basins: the basins; their labels become 1, 2, 3 … of those within @limits, 0 elsewhere, and
 *   their objects @lines if any is left out
 * @lines: empty, or the objects of @basins; set to 0 in the background if any is left out; must be
 *   cleared
 * @kept: (out) (transfer full): for each basin whether it is kept
 * @n_kept: (out): how many are
 * @error: as the engine sets it
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_kept_objects_select (WfContext              *context,
                        const WfObjectOptions  *limits,
                        const WfCorrecting     *correcting,
                        const WfImage          *levels,
                        WfBasins               *basins,
                        WfImage                *lines,
                        guint8                **kept,
                        guint32                *n_kept,
                        GError                **error)
{
  const WfImage      *labels = basins->labels;
  g_autofree guint8  *chosen = NULL;
  gboolean            any_out;
  gint64              n;

  if (! choose (context, limits, correcting, levels, basins, &chosen, &n, error))
    return FALSE;
  any_out = memchr (chosen, 0, (gsize) n) != NULL;
  if (any_out && ! lines->data &&
      ! wf_image_allocate (lines, WF_TYPE_U8, labels->width, labels->height, labels->depth, error))
    return FALSE;
  if (any_out)
    wf_objects_mark_lines (labels, basins->objects ? basins->objects : basins->mask, lines);
  if (! wf_labels_keep (context, labels, basins->labels, chosen, n, n_kept, error))
    return FALSE;
  if (any_out)
    {
      wf_objects_trim_lines (labels, lines);
      basins->objects = lines;
    }
  *kept = g_steal_pointer (&chosen);
  return TRUE;
}

/**
 * wf_kept_objects_list:
 * @kept: as wf_kept_objects_select() sets it
 * @basins: (nullable): the measurements of all basins; set to those of the basins that are kept
 * @n_basins: their number
 *
 * Numbers them as their labels are.
 */
void
wf_kept_objects_list (const guint8 *kept,
                      WfBasin      *basins,
                      guint32      *n_basins)
{
  guint32 n = 0;

  for (guint32 i = 0; i < *n_basins; i++)
    if (kept[i])
      {
        basins[n]       = basins[i];
        basins[n].label = n + 1;
        n++;
      }
  *n_basins = n;
}
