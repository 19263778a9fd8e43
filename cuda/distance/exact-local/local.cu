/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exact Euclidean distances in images with unit spacing, `local`.  A search from each pixel finds
 * near background; far tiles are compared only with the few columns that can hold a nearest pixel.
 * Stacks: stack.cu.
 *
 * 1. pack_bands: packs the image to one bit a pixel, a word for each column and band of 32 rows.
 *    All later steps read only the words, which stay in the second-level cache: distances along
 *    columns are never stored, because a column's words give them in a few instructions.
 *    Bytes a pixel: the image's own read, 1/8 written.
 * 2. find_near: a block has 384 columns of a band and reads 64 more on each side.  It holds the
 *    squared distances along all these columns in shared memory, as pairs of 16 bits: rows k and k
 *    + 16 of the band.  From each pixel it searches the row outwards, 4 columns at a time on both
 *    sides, until no remaining column can be nearer to a pixel of the warp: until all distances
 *    are at most k + 1 after k columns.  The words above and below reach 96 rows, so every
 *    distance up to that is exact.  Tiles that are not finished after 64 columns are marked as
 *    far.
 *    Bytes a pixel: 1/8 · (512 / 384) read, mostly from the cache; 4 written.
 *    The kernel is bound by integer instructions, not by memory: about 30 a pixel.
 * 3. The far tiles: far.cu.
 *
 * The CPU's `local` also uses squares of column distances and searches with packed minima.  The
 * scheme, distances along columns and then along rows, is from Saito and Toriwaki (New algorithms
 * for Euclidean distance transformation of an n-dimensional digitized picture, Pattern Recognition
 * 27, 1994).
 *
 * Nearest pixels: sites.cu replaces step 2, and step 3 finds them as well.
 *
 * In a band of a larger image the sites above and below it are entered to the words of the empty
 * bands (band-columns.cu), so that step 2 sees them; in step 3 they are among the columns' sites.
 * Nearest pixels are left to `envelope`.
 *
 * If the outside is background, the empty bands and columns are full instead.  A signed map is
 * computed in two halves; the second, with foreground and background exchanged, writes only the
 * pixels that are its foreground.
 */

#include "near.cuh"

#include <math.h>

namespace distance_local
{

/* The arrays in one allocation, and their offsets. */
typedef struct
{
  WfColumns   columns;
  WfFarTiles  far;
  guint64     words_at;
  guint64     tiles_at;       /* cleared, from here to WfFarTiles.absent */
  guint64     supertiles_at;
  guint64     far_at;
  guint64     end;
} SliceLayout;

static SliceLayout
make_layout (const WfDistanceTask *task)
{
  const WfShape *shape  = &task->shape;
  SliceLayout    layout = { };
  WfColumns     *columns = &layout.columns;
  guint64        supertiles;

  columns->width   = (int) shape->width;
  columns->height  = (int) shape->height;
  columns->pitch   = (shape->width + NEAR_WIDTH - 1) / NEAR_WIDTH * NEAR_WIDTH + 2 * WF_REACH;
  columns->n_bands = (int) ((shape->height + WF_BAND - 1) / WF_BAND);
  columns->n_empty = WF_EMPTY_BANDS;
  columns->border  = task->border_background;
  layout.far.across = (int) ((shape->width + 32 * WF_FAR_TILES - 1) / (32 * WF_FAR_TILES));

  supertiles           = (guint64) columns->n_bands * layout.far.across;
  layout.words_at      = 0;
  layout.tiles_at      = wf_cuda_align ((columns->n_bands + 2 * WF_EMPTY_BANDS) * columns->pitch
                                * sizeof (guint32));
  layout.supertiles_at = layout.tiles_at + (supertiles + columns->n_bands + 4) * sizeof (guint32);
  layout.far_at        = wf_cuda_align (layout.supertiles_at + supertiles * sizeof (int));
  layout.end           = layout.far_at + wf_cuda_distance_far_memory (columns);
  return layout;
}

static void
place (SliceLayout *layout,
       guint8      *memory)
{
  const guint64 supertiles = (guint64) layout->columns.n_bands * layout->far.across;

  layout->columns.words  = (guint32 *) (memory + layout->words_at);
  layout->far.tiles      = (guint32 *) (memory + layout->tiles_at);
  layout->far.bands      = (int *) (layout->far.tiles + supertiles);
  layout->far.count      = layout->far.bands + layout->columns.n_bands;
  layout->far.next       = layout->far.count + 1;
  layout->far.absent     = layout->far.count + 3;
  layout->far.supertiles = (int *) (memory + layout->supertiles_at);
}

/* How many rows beyond a band a site may be: squared distances, up to the corners of the last
 * tiles, must fit 32 bits, and coordinates 16.  Negative if the band itself is too large.
 */
static gint64
reach_of (const WfShape *shape)
{
  const gint64 width  = shape->width + 2 * 32 * WF_FAR_TILES;
  const gint64 height = shape->height + 2 * WF_BAND;

  if (width > G_MAXUINT16 || height > G_MAXUINT16)
    return -1;
  return MIN ((G_MAXUINT16 - 2 - height) / 2,
              (gint64) sqrt ((double) (G_MAXUINT32 - width * width)) - height);
}

/* Computes the distances of the foreground from the background; with @inverted the reverse. */
static gboolean
measure (WfCuda                *cuda,
         const WfCudaDistance  *distance,
         const SliceLayout     *layout,
         guint8                *memory,
         bool                   inverted,
         GError               **error)
{
  const WfDistanceTask *task      = distance->task;
  const gint64          n_cleared = (guint32 *) layout->far.absent + 1 - layout->far.tiles;
  const WfLocalOutput   output    = { distance->out, distance->nearest,
                                      task->metric == WF_METRIC_SQUARED, inverted, inverted };
  WfColumnEnds          ends      = wf_column_ends (distance, inverted);

  if (task->band)
    ends.reach = (int) reach_of (&task->shape);
  return wf_cuda_distance_pack (cuda, distance, inverted, &layout->columns, layout->far.tiles,
                                n_cleared, error) &&
         (! task->band ||
          wf_cuda_distance_enter_ends (cuda, &layout->columns, &ends, error)) &&
         (output.nearest ? wf_cuda_distance_near_sites : wf_cuda_distance_near)
           (cuda, &layout->columns, &layout->far, &output, error) &&
         wf_cuda_distance_far (cuda, &layout->columns, &layout->far, &ends, &output,
                               memory + layout->far_at, error);
}

/* Whether all sites of a kind are within reach of the band, or the band's pixels have nearer ones
 * for certain: in any column, or in that beside the image.
 */
static bool
sees_nearest (const WfDistanceTask *task,
              gint64                reach,
              int                   kind)
{
  const WfDistanceBand *band   = task->band;
  const gint64          first  = band->first;
  const gint64          last   = first + task->shape.height - 1;
  gint64                within = G_MAXINT32;      /* rows, of all pixels from a site */
  bool                  all    = true;

  if (task->border_background && kind == 0)
    within = 0;
  for (gint64 x = 0; x < task->shape.width; x++)
    {
      const gint64 before = band->before[kind][x];
      const gint64 after  = band->after[kind][x];

      if (before != WF_NO_SITE)
        within = MIN (within, last - before);
      if (after != WF_NO_SITE)
        within = MIN (within, after - first);
      all = all && (before == WF_NO_SITE || first - before <= reach) &&
            (after == WF_NO_SITE || after - last <= reach);
    }
  return all || within * within + task->shape.width * task->shape.width <= reach * reach;
}

static bool
supports_band (const WfDistanceTask *task)
{
  const gint64 reach = reach_of (&task->shape);

  if (task->nearest || wf_distance_is_summary (task) || reach < 0)
    return false;
  if (task->band->length <= reach)
    return true;
  for (int kind = 0; kind < wf_distance_count_kinds (task); kind++)
    if (! task->band->before[kind] || ! sees_nearest (task, reach, kind))
      return false;
  return true;
}

/* Squared distances, up to the corners of the last tiles, must fit 32 bits, and coordinates 16. */
static gboolean
supports_image (const WfDistanceTask *task)
{
  const gint64 width  = task->shape.width + 2 * 32 * WF_FAR_TILES;
  const gint64 height = task->shape.height + 2 * WF_BAND;

  return (task->metric == WF_METRIC_EUCLIDEAN || task->metric == WF_METRIC_SQUARED) &&
         task->exact_integers && task->shape.depth == 1 &&
         width <= G_MAXUINT16 && height <= G_MAXUINT16 &&
         width * width + height * height <= G_MAXUINT32 &&
         (! task->band || supports_band (task));
}

}

using namespace distance_local;

gboolean
wf_cuda_distance_local_supports (const WfDistanceTask *task)
{
  return (wf_distance_count_axes (task) == 3 ? wf_cuda_distance_local_stack_supports
                                             : supports_image) (task);
}

guint64
wf_cuda_distance_local_memory (const WfDistanceTask *task)
{
  return wf_distance_count_axes (task) == 3 ? wf_cuda_distance_local_stack_memory (task)
                                            : make_layout (task).end;
}

gboolean
wf_cuda_distance_local (WfCuda                 *cuda,
                        const WfCudaDistance   *distance,
                        WfDeviceArray<guint8>  *memory,
                        int                   **absent,
                        GError                **error)
{
  const WfDistanceTask *task   = distance->task;
  SliceLayout           layout;

  if (wf_distance_count_axes (task) == 3)
    return wf_cuda_distance_local_stack (cuda, distance, memory, absent, error);

  layout = make_layout (task);
  if (! memory->allocate (cuda, layout.end, error))
    return FALSE;
  place (&layout, memory->data);
  *absent = layout.far.absent;

  if (! measure (cuda, distance, &layout, memory->data, false, error))
    return FALSE;
  if (task->signed_distance)
    {
      layout.columns.border = false;
      layout.far.absent--;
      return measure (cuda, distance, &layout, memory->data, true, error);
    }
  return TRUE;
}
