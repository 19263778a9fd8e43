/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2, the distance into a plateau: how plateaux are divided between basins.  A pixel inside
 * a plateau runs to a neighbour with a smaller L2, so each pixel goes to the basin of the
 * plateau's nearest lower border (engine/watershed/watershed.c).  The steps for one type
 * of pixel are in plateau-distance.inc.h; in images plateau-sweeps.c takes the place of its
 * wavefront.
 *
 * L2 is first counted in bytes, which suffice for nearly every image.  If a plateau is
 * too wide for bytes, L2 is counted on in 32 bits, in a stack from the beginning.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "flood.h"


/* The side of the pipeline's tiles in a stack; 0: the pipeline's own choice.  A plateau that winds
 * through many tiles makes each of them be visited many times, so for one thread the stack is one
 * tile.
 */
gint64
wf_plateau_side (const WfFlood *flood)
{
  const WfShape *shape = &flood->task->shape;

  if (flood->run->tile_size > 0 || flood->run->n_threads > 1)
    return 0;
  return MAX (shape->width, MAX (shape->height, shape->depth));
}

typedef struct
{
  const WfFlood *flood;
  const guint8  *narrow;
} Widening;

static gboolean
widen_row (gpointer data,
           WfRow    row)
{
  const Widening *widening = data;
  const gint64    width    = widening->flood->task->shape.width;
  const guint8   *narrow   = widening->narrow + row.number * width;
  guint32        *wide     = (guint32 *) widening->flood->plateau + row.number * width;

  for (gint64 x = 0; x < width; x++)
    wide[x] = narrow[x] == WF_UNREACHED_NARROW ? WF_UNREACHED_WIDE : narrow[x];
  return TRUE;
}

/* Begins with @narrow, what L2 is in bytes, or, if %NULL, with nothing. */
static gboolean
start_plateaux (WfFlood        *flood,
                const guint8   *narrow,
                GError        **error)
{
  const WfRows rows     = { .n = wf_flood_n_rows (flood), .amount = flood->task->shape.width };
  Widening     widening = { flood, narrow };

  flood->resumed = narrow != NULL;
  return narrow ? wf_run_rows (flood->run, &rows, widen_row, &widening, error)
                : wf_flood_steps (flood)->start_plateaux (flood, error);
}

/* @memory: L2 in bytes if that was counted, else %NULL */
static gboolean
count_plateaux (WfFlood   *flood,
                gpointer  *memory,
                gboolean   wide,
                gboolean  *too_wide,
                GError   **error)
{
  const gboolean      stack  = flood->task->shape.depth > 1;
  g_autofree guint8  *before = g_steal_pointer (memory);
  const WfFloodSteps *steps;

  if (stack)
    g_clear_pointer (&before, g_free);
  *memory = wf_run_allocate (flood->run, wf_shape_n_pixels (&flood->task->shape),
                             wide ? sizeof (guint32) : 1, error);
  if (! *memory)
    return FALSE;
  flood->plateau = *memory;
  flood->wide    = wide;
  *too_wide      = FALSE;
  steps          = wf_flood_steps (flood);
  return start_plateaux (flood, before, error) &&
         (stack ? steps->propagate_plateaux : wf_flood_sweep_plateaux) (flood, too_wide, error);
}

/* Whether L2 is known to be beyond bytes in the halo of a band. */
static gboolean
has_wide_halo (const WfFlood *flood)
{
  const gint64 n = wf_flood_halo_size (flood);

  for (int k = 0; k < 2; k++)
    for (gint64 i = 0; flood->halo[k] && i < n; i++)
      if (flood->halo[k][i] >= WF_OUTSIDE_NARROW - 1 && flood->halo[k][i] != WF_UNREACHED_WIDE)
        return TRUE;
  return FALSE;
}

/* Completes L2 and sets flood->plateau to @memory, which the caller frees.  A plateau so
 * wide that its distances do not fit 32 bits is an error.
 */
gboolean
wf_flood_measure_plateaux (WfFlood   *flood,
                           gpointer  *memory,
                           double     share,
                           GError   **error)
{
  gboolean too_wide = has_wide_halo (flood);

  wf_run_begin (flood->run, share, 2 * wf_shape_n_pixels (&flood->task->shape));
  if (! too_wide)
    {
      if (! count_plateaux (flood, memory, FALSE, &too_wide, error))
        return FALSE;
      if (! too_wide)
        return TRUE;
    }

  wf_run_begin (flood->run, 0, 2 * wf_shape_n_pixels (&flood->task->shape));
  if (! count_plateaux (flood, memory, TRUE, &too_wide, error))
    return FALSE;
  if (too_wide)
    g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                 _("A plateau of the image is more than %u pixels wide."), WF_OUTSIDE_WIDE - 1);
  return ! too_wide;
}
