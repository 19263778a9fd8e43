/* SPDX-License-Identifier: GPL-3.0-or-later */

/* L2, the distance into a plateau, in images: tiles of 64 × 64 pixels, each of which is swept
 * along its columns and along its rows alternately until nothing changes, as in reconstruction
 * (engine/reconstruction/cpu/sweeps.c).
 *
 * A row of bytes is one cache line and one to four vectors, so a sweep takes a sum and a minimum
 * for 16 to 64 pixels at once; a queue of pixels takes some twenty instructions for each.  The
 * pipeline visits tiles again that a neighbour can lower, those with the least distance first.  A
 * plateau that is many tiles wide costs two or three visits of each.
 *
 * Bytes a pixel: L1 and L2 read once a visit, L2 written once.
 */

#include "config.h"

#include "flood.h"
#include "plateau-tiles.h"

typedef struct
{
  WfPlateauImage  image;
  WfPlateauVisit  visit;
  WfRun          *run;
  int             too_wide;
} Job;


static WfPlateauVisit
choose_visit (const WfFlood *flood)
{
  static const WfPlateauTable * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_plateaux);
  const WfPlateauTable *table = tables[wf_simd_level ()];

  return flood->task->type == WF_TYPE_U8  ? table->of_u8[flood->wide]
       : flood->task->type == WF_TYPE_U16 ? table->of_u16[flood->wide]
                                          : table->of_f32[flood->wide];
}

/* L2 that does not fit its type stops at the greatest distance that does. */
static gboolean
visit (gpointer       data,
       guint          worker,
       const WfBox   *tile,
       gboolean       first,
       WfReach       *reach,
       GError       **error)
{
  Job         *job    = data;
  const gint64 pixels = (tile->x1 - tile->x0) * (tile->y1 - tile->y0);

  if (! job->visit (&job->image, tile, first, reach))
    __atomic_store_n (&job->too_wide, TRUE, __ATOMIC_RELAXED);
  return wf_run_advance (job->run, first ? pixels : 0) || wf_run_set_cancelled (error);
}

/* Completes L2 of an image of one slice; sets @too_wide if it does not fit its type: then it is
 * complete as far as it does.
 */
gboolean
wf_flood_sweep_plateaux (const WfFlood  *flood,
                         gboolean       *too_wide,
                         GError        **error)
{
  const WfShape *shape = &flood->task->shape;
  WfRun         *run   = flood->run;
  Job            job   = {
    .image = { flood->level, flood->plateau, *shape, flood->neighbours.n == 8, flood->resumed },
    .visit = choose_visit (flood),
    .run   = run,
  };
  WfPipeline pipeline = {
    .shape = *shape, .box = wf_shape_box (shape), .first = TRUE,
    .side = run->tile_size > 0 ? MIN (run->tile_size, WF_SIDE) : WF_SIDE,
    .propagate = visit, .data = &job,
  };

  if (! wf_pipeline_run (run, &pipeline, NULL, error))
    return FALSE;
  *too_wide = job.too_wide;
  return TRUE;
}
