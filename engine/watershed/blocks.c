/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed of an image larger than memory, in bands.
 *
 * What a band must know of others is at the seams between bands: the levels of the rows on both
 * sides, which are read with it (its halo), and their L2.  Then its arrows are those of the whole
 * image, and each path ends in a minimum or at a pixel of the halo, its exit.
 *
 *   strips    L2 at each seam from the rows around it alone.  L2 only falls, so this is never too
 *             little, and seldom too much.
 *   summary   Each band is read once: L2, its minima, the ends of the paths from its first and its
 *             last row.  If this lowers any L2 at a seam, bands are visited down and up until
 *             none is lowered, and the summary is made again.
 *   solve     Minima that touch across seams are one (engine/blocks/seams.c); paths are followed
 *             from exit to exit, to a minimum or a marker.
 *   finish    Each band is read once more, and flooded with its minima and exits labelled.
 *
 * The definition is that of engine/watershed/watershed.c, the steps inside a band are those of
 * the CPU's `steepest` (engine/watershed/cpu/).  Where the image is smoothed, or its gradient is
 * flooded, that is done as a band is read (band-relief.c).  From markers and with a tolerance, L1
 * is reconstructed first (band-levels.c).  With a tolerance the minima are found in it, and get the
 * levels of the relief (engine/watershed/cpu/marker-levels.c).
 *
 * Source: of the division, Barnes, Parallel priority-flood depression filling for trillion cell
 * digital elevation models, Computers & Geosciences 96 (2016).
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "band-levels.h"
#include "engine/blocks/sources.h"
#include "engine/core/context-private.h"
#include "engine/core/record.h"
#include "watershed.h"


/*  Passes  */

/* Whether band @number is one of this rank's. */
static gboolean
is_own (const WfFloodBlocks *blocks,
        gint64               number)
{
  return number >= 0 && number < blocks->bands.n;
}

/* Visits the bands in @waiting, down and up, until none is left. */
static gboolean
settle_distances (WfFloodBlocks  *blocks,
                  gboolean       *waiting,
                  GError        **error)
{
  gint64 n_waiting = 0;
  gint64 step      = 1;

  for (gint64 i = 0; i < blocks->bands.n; i++)
    n_waiting += waiting[i];
  for (gint64 i = 0; n_waiting > 0; i += step)
    {
      g_auto (WfBandVisit) visit = { 0 };

      if (i < 0 || i >= blocks->bands.n)
        {
          step = -step;
          continue;
        }
      if (! waiting[i])
        continue;
      waiting[i] = FALSE;
      n_waiting--;
      if (! wf_band_visit_begin (&visit, blocks, i, error) ||
          ! wf_band_visit_measure (&visit, error))
        return FALSE;
      for (int k = 0; k < 2; k++)
        if (visit.tell[k] && is_own (blocks, i + 2 * k - 1) && ! waiting[i + 2 * k - 1])
          {
            waiting[i + 2 * k - 1] = TRUE;
            n_waiting++;
          }
    }
  return TRUE;
}

/* Sets @settled to FALSE, and L2 right, if it was not right at some seam. */
static gboolean
summarize_bands (WfFloodBlocks  *blocks,
                 WfSteps        *steps,
                 gboolean       *settled,
                 GError        **error)
{
  g_autofree gboolean *waiting = g_new0 (gboolean, blocks->bands.n);

  *settled = TRUE;
  wf_seams_begin (&blocks->seams);
  for (gint64 i = 0; i < blocks->bands.n; i++)
    {
      g_auto (WfBandVisit) visit = { 0 };

      if (! wf_band_visit_begin (&visit, blocks, i, error) ||
          ! wf_band_visit_summarize (&visit, error))
        return FALSE;
      if (! visit.changed)
        {
          if (i < blocks->n_told)
            continue;
          blocks->n_told++;
          if (! wf_steps_next (steps, error))
            return FALSE;
          continue;
        }

      /* those before are complete, those after are not visited yet */
      *settled = FALSE;
      memset (waiting, 0, blocks->bands.n * sizeof *waiting);
      for (gint64 k = i; k < blocks->bands.n; k++)
        waiting[k] = TRUE;
      if (visit.tell[0] && i > 0)
        waiting[i - 1] = TRUE;
      return settle_distances (blocks, waiting, error);
    }
  return TRUE;
}

/* Lowers L2 at the seam with a neighbour, which does the same.  @lowered: whether it was higher */
static gboolean
exchange_seam (WfFloodBlocks  *blocks,
               gint64          seam,
               guint           rank,
               gboolean       *lowered,
               GError        **error)
{
  WfCommunicator     *ranks    = blocks->context->ranks;
  const gint64        n        = 2 * blocks->rim;
  guint32            *distance = blocks->distance + wf_flood_side (blocks, seam, WF_SIDE_BEFORE);
  g_autofree guint32 *theirs   = wf_allocate (n, sizeof (guint32), error);

  if (! theirs ||
      ! wf_ranks_exchange (ranks, rank, distance, theirs, n, sizeof (guint32), error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    if (theirs[i] < distance[i])
      {
        distance[i] = theirs[i];
        *lowered    = TRUE;
      }
  return TRUE;
}

/* Makes L2 at the seams with other ranks the same in both.  @any: whether it was lowered in any
 * rank; in this one, bands are visited until none is lowered.
 */
static gboolean
exchange_distances (WfFloodBlocks  *blocks,
                    gboolean       *settled,
                    gboolean       *any,
                    GError        **error)
{
  WfCommunicator      *ranks     = blocks->context->ranks;
  const gint64         n         = blocks->bands.n;
  g_autofree gboolean *waiting   = g_new0 (gboolean, n + 1);
  gint64               n_lowered = 0;

  for (int i = 0; i < 2 && n > 0; i++)
    {
      const guint    own     = wf_communicator_get_rank (ranks);
      const int      k       = wf_ranks_begin_after (ranks) ? 1 - i : i;
      const guint    rank    = own + 2 * k - 1;
      const gint64   band    = k == 0 ? 0 : n - 1;
      gboolean       lowered = FALSE;

      if (wf_bands_have_seam (&blocks->bands, band, k == 0 ? WF_BAND_FIRST : WF_BAND_LAST) &&
          ! exchange_seam (blocks, k == 0 ? -1 : band, rank, &lowered, error))
        return FALSE;
      waiting[band] |= lowered;
      n_lowered     += lowered;
    }
  *settled = n_lowered == 0;
  if (! wf_ranks_sum (ranks, &n_lowered, 1, error))
    return FALSE;
  *any = n_lowered > 0;
  return *settled || settle_distances (blocks, waiting, error);
}

/* Completes L2 and the summaries of all bands, in rounds over the ranks. */
static gboolean
summarize (WfFloodBlocks  *blocks,
           WfSteps        *steps,
           GError        **error)
{
  gboolean settled = FALSE;
  gboolean any     = TRUE;

  while (any)
    {
      while (! settled)
        if (! summarize_bands (blocks, steps, &settled, error))
          return FALSE;
      any = FALSE;
      if (wf_ranks_are_several (blocks->context->ranks) &&
          ! exchange_distances (blocks, &settled, &any, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
solve (WfFloodBlocks  *blocks,
       GError        **error)
{
  if (! blocks->markers &&
      ! wf_seams_solve_ranks (&blocks->seams, blocks->context->ranks, error))
    return FALSE;
  if (blocks->seams.n_components > G_MAXUINT32)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                   _("The image has more than %u minima."), G_MAXUINT32);
      return FALSE;
    }
  return wf_flood_solve_exits (blocks, error);
}

/* Which of the markers' labels are in the result must be known of each band. */
static gboolean
is_finished (const WfFloodBlocks *blocks,
             gint64               number)
{
  return ! blocks->markers && wf_bands_are_finished (&blocks->bands, blocks->sink, number);
}

static gboolean
finish_band (WfFloodBlocks  *blocks,
             gint64          number,
             GError        **error)
{
  g_auto (WfBandVisit) visit = { 0 };
  WfImage              own   = { 0 };

  if (is_finished (blocks, number))
    return TRUE;
  if (! wf_band_visit_begin (&visit, blocks, number, error) ||
      ! wf_band_visit_finish (&visit, error) ||
      ! wf_image_init (&own, WF_TYPE_U32, blocks->image.width, blocks->image.height,
                       blocks->image.depth, visit.flood.labels + visit.before * blocks->rim,
                       error))
    return FALSE;
  wf_bands_fit_view (&blocks->bands, number, &own);
  if (blocks->markers &&
      ! wf_label_set_add (&blocks->labels, own.data, wf_image_n_pixels (&own), error))
    return FALSE;
  return wf_bands_finish (&blocks->bands, blocks->sink, number, &own, error);
}


/*  The whole  */

/* Its order of pixels is one of the whole image. */
static gboolean
refuse_compactness (const WfWatershedOptions  *options,
                    GError                   **error)
{
  if (options->compactness <= 0)
    return TRUE;
  g_set_error_literal (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
                       _("The compact watershed cannot be computed in blocks."));
  return FALSE;
}

static gboolean
prepare (WfFloodBlocks             *blocks,
         const WfBlockSource       *image,
         const WfWatershedOptions  *options,
         GError                   **error)
{
  const WfShape shape = { image->width, image->height, image->depth };

  if (! wf_source_check (image, _("image"), error) ||
      (blocks->markers && ! wf_source_check_as (blocks->markers, WF_TYPE_U32, _("marker image"),
                                                image, _("image"), error)) ||
      ! wf_operation_take (WF_OPERATION_WATERSHED, options, &blocks->options, error) ||
      ! wf_watershed_check_options (&blocks->options, blocks->markers != NULL, error) ||
      ! refuse_compactness (&blocks->options, error) ||
      ! wf_connectivity_resolve (blocks->options.connectivity, &shape, &blocks->connectivity,
                                 error))
    return FALSE;
  wf_band_relief_init (&blocks->relief, blocks->context, image, &blocks->options);
  blocks->rim    = shape.width * (shape.depth > 1 ? shape.height : 1);
  blocks->source = &blocks->relief.filter.source;
  blocks->has_outer = wf_ranks_are_several (blocks->context->ranks);
  return wf_flood_blocks_divide (blocks, error);
}

/* Makes L1 where it is not the relief, and floods it from there on. */
static gboolean
make_levels (WfFloodBlocks  *blocks,
             WfSteps        *steps,
             GError        **error)
{
  if (! blocks->markers && blocks->options.tolerance == 0)
    return TRUE;
  g_return_val_if_fail (blocks->scratch && blocks->scratch->read, FALSE);
  if (! wf_band_levels_make (blocks, error) || ! wf_steps_next (steps, error))
    return FALSE;
  blocks->made      = blocks->relief.filter.source;
  blocks->made.read = blocks->scratch->read;
  blocks->made.data = blocks->scratch->data;
  blocks->source    = &blocks->made;
  return TRUE;
}

static gboolean
measure_strips (WfFloodBlocks  *blocks,
                WfSteps        *steps,
                GError        **error)
{
  const gint64 n = blocks->bands.n;

  for (gint64 i = -1; i < n && n > 0; i++)
    if (wf_bands_have_seam (&blocks->bands, MAX (i, 0), i < 0 ? WF_BAND_FIRST : WF_BAND_LAST) &&
        (! wf_strip_measure (blocks, i, error) || ! wf_steps_next (steps, error)))
      return FALSE;
  return TRUE;
}

static gboolean
flood_bands (WfFloodBlocks  *blocks,
             WfSteps        *steps,
             GError        **error)
{
  const gint64 n = blocks->bands.n;

  wf_steps_set_left (steps, MAX (3 * n - 1, 1));
  if (! measure_strips (blocks, steps, error) ||
      ! summarize (blocks, steps, error) ||
      ! solve (blocks, error))
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    if (! finish_band (blocks, i, error) || ! wf_steps_next (steps, error))
      return FALSE;
  return TRUE;
}

static gboolean
watershed (WfFloodBlocks             *blocks,
           const WfBlockSource       *image,
           const WfWatershedOptions  *options,
           gint64                    *n_labels,
           GError                   **error)
{
  g_auto (WfSteps) steps = { 0 };

  if (! prepare (blocks, image, options, error))
    return FALSE;
  wf_steps_begin (&steps, blocks->context, 3);
  if (! make_levels (blocks, &steps, error) ||
      ! wf_flood_blocks_allocate (blocks, error) ||
      ! flood_bands (blocks, &steps, error))
    return FALSE;
  *n_labels = blocks->seams.n_components;
  return ! blocks->markers ||
         wf_label_set_count (&blocks->labels, blocks->context->ranks, n_labels, error);
}

/**
 * wf_watershed_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @image: u8, u16 or f32; ±infinity is allowed, NaN is not
 * @markers: (nullable): u32, size of @image: labels of the markers, 0 elsewhere; %NULL: the minima
 * @scratch: (nullable): takes an image of the type and size of @image, and reads it back; blocks of
 *   it are written more than once; only @markers and a tolerance need it
 * @labels: takes the labels, u32
 * @n_basins: (out) (optional): how many different labels there are
 * @options: (nullable): tolerance, smoothing, gradient, lines, connectivity, …
 * @rows: of a block, at most (of a stack: slices); 0: as many as memory allows
 * @error: as for wf_watershed(), and those of @image, @markers, @scratch and @labels
 *
 * The watershed of an image that need not fit into memory; the labels are those of wf_watershed().
 * @image is read twice, and once more at the borders of the blocks, which are whole rows or slices;
 * a plateau that is wider than some dozens of pixels and lies at such a border costs more readings.
 * Then @labels is written once, in raster order.
 *
 * With smoothing or a gradient, blocks are read with as many rows (of a stack: slices) around them
 * as the filters look at.  With @markers or a tolerance, the levels at which pixels are flooded are
 * first reconstructed in @scratch by wf_reconstruct_blocks(), which reads @image, and @markers, as
 * its mask and its marker; then @scratch is read instead of @image, together with @markers or, for
 * a tolerance, with @image.
 *
 * Time: twice that of wf_watershed(), plus reading and writing.  Memory: within the context's
 * limit, blocks included.
 *
 * Returns: %FALSE with @error set; then part of @labels may have been written.
 */
gboolean
wf_watershed_blocks (WfContext                 *context,
                     const WfBlockSource       *image,
                     const WfBlockSource       *markers,
                     const WfBlockSink         *scratch,
                     const WfBlockSink         *labels,
                     guint32                   *n_basins,
                     const WfWatershedOptions  *options,
                     gint64                     rows,
                     GError                   **error)
{
  g_autoptr (WfContext)  own    = wf_context_ensure (context);
  g_auto (WfFloodBlocks) blocks = { .context = own, .markers = markers, .scratch = scratch,
                                    .sink = labels, .rows = rows };
  gint64                 n      = 0;
  WfJointWork            joint;

  g_return_val_if_fail (image != NULL && labels != NULL && rows >= 0, FALSE);

  wf_joint_work_begin (&joint, own);
  if (! wf_joint_work_end (&joint, watershed (&blocks, image, options, &n, error), error))
    return FALSE;
  if (n_basins)
    *n_basins = n;
  return TRUE;
}
