/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reconstruction that goes on where the rims of a settled band were raised.
 *
 * A tile is reconstructed by itself, together with the pixels around it, its halo: as all else was
 * settled, only tiles beside raised pixels must be visited.  A tile whose pixels or halo a visit
 * of another has raised waits for a visit, until none waits.  So a wave costs the tiles that it
 * runs through, however far it goes.
 *
 * Tiles of the same class, by the parity of their places, have no pixel in common, halos included,
 * from a side of LEAST_SIDE on; so threads visit them together.
 */

#include "config.h"

#include <string.h>

#include "engine/core/context-private.h"
#include "engine/cpu/cpu.h"
#include "raised-tiles.h"

/* Sides of tiles: some 64 KiB of bytes. */
#define SIDE_IN_IMAGE 256
#define SIDE_IN_STACK 40

#define LEAST_SIDE    2

#define N_CLASSES 8


static WfTileGrid
find_grid (const WfContext *context,
           const WfShape   *band)
{
  const gint64 automatic = band->depth > 1 ? SIDE_IN_STACK : SIDE_IN_IMAGE;
  const WfBox  box       = wf_shape_box (band);

  return wf_tile_grid (&box, context->tile_size > 0 ? MAX (context->tile_size, LEAST_SIDE) : automatic);
}

/* @blocks, @mask and @levels, which are packed, must stay as long as the tiles. */
gboolean
wf_raised_tiles_init (WfRaisedTiles              *tiles,
                      const WfReconstructBlocks  *blocks,
                      const WfImage              *mask,
                      WfImage                    *levels,
                      GError                    **error)
{
  const WfShape shape = wf_image_shape (levels);
  gint64        n;

  *tiles = (WfRaisedTiles) { .blocks = blocks, .mask = mask, .levels = levels,
                             .grid = find_grid (blocks->context, &shape) };
  n      = wf_tile_grid_n_tiles (&tiles->grid);
  if (! (tiles->waits = wf_allocate (n, 1, error)) ||
      ! (tiles->visited = wf_allocate (n, sizeof (gint64), error)))
    return FALSE;
  memset (tiles->waits, FALSE, n);
  return TRUE;
}

void
wf_raised_tiles_clear (WfRaisedTiles *tiles)
{
  g_clear_pointer (&tiles->waits, g_free);
  g_clear_pointer (&tiles->visited, g_free);
}

/* The largest tile with its halo. */
static WfShape
find_most (const WfContext *context,
           const WfShape   *band)
{
  const gint64 side = find_grid (context, band).side + 2;

  return (WfShape) { MIN (side, band->width), MIN (side, band->height), MIN (side, band->depth) };
}

/* Bytes beside the band's images, at most. */
guint64
wf_raised_tiles_memory (const WfReconstructBlocks *blocks,
                        const WfShape             *band)
{
  const WfTileGrid grid  = find_grid (blocks->context, band);
  const WfShape    shape = find_most (blocks->context, band);

  return wf_tile_grid_n_tiles (&grid) * (1 + sizeof (gint64)) +
         wf_context_count_threads (blocks->context) *
         (wf_shape_n_pixels (&shape) * wf_type_size (blocks->mask->type) +
          wf_reconstruct_band_memory (blocks, &shape));
}

/* Pixel @pixel of the rim at @side was raised. */
void
wf_raised_tiles_note (WfRaisedTiles *tiles,
                      WfBandSide     side,
                      gint64         pixel)
{
  const WfImage *levels = tiles->levels;
  const gboolean stack  = tiles->blocks->mask->depth > 1;   /* a band may be one slice */
  const gint64   last   = (stack ? levels->depth : levels->height) - 1;
  const gint64   unit   = side == WF_BAND_FIRST ? 0 : last;
  const gint64   x      = pixel % levels->width;
  const gint64   y      = stack ? pixel / levels->width : unit;
  const gint64   z      = stack ? unit : 0;
  const gint64   length = tiles->grid.side;

  tiles->waits[wf_tile_grid_index (&tiles->grid, (WfPoint) { x / length, y / length,
                                                             z / length })] = TRUE;
}

/* The box of a tile with its halo. */
static WfBox
find_box (const WfRaisedTiles *tiles,
          gint64               tile)
{
  const WfBox *all = &tiles->grid.box;
  const WfBox  box = wf_tile_grid_box (&tiles->grid, tile);

  return (WfBox) {
    MAX (box.x0 - 1, all->x0), MAX (box.y0 - 1, all->y0), MAX (box.z0 - 1, all->z0),
    MIN (box.x1 + 1, all->x1), MIN (box.y1 + 1, all->y1), MIN (box.z1 + 1, all->z1),
  };
}

static gpointer
find_pixel (const WfImage *image,
            gint64         x,
            gint64         y,
            gint64         z)
{
  return (char *) image->data + wf_image_offset (image, x, y, z) * wf_type_size (image->type);
}

static WfImage
view_box (const WfImage *image,
          const WfBox   *box)
{
  WfImage view = *image;

  view.width     = box->x1 - box->x0;
  view.height    = box->y1 - box->y0;
  view.depth     = box->z1 - box->z0;
  view.data      = find_pixel (image, box->x0, box->y0, box->z0);
  view.allocated = NULL;
  return view;
}

/* Whether the pixels of @common differ; @before has those of @box. */
static gboolean
are_raised (const WfRaisedTiles *tiles,
            const WfBox         *common,
            const WfBox         *box,
            const WfImage       *before)
{
  const gsize size = (common->x1 - common->x0) * wf_type_size (before->type);

  for (gint64 z = common->z0; z < common->z1; z++)
    for (gint64 y = common->y0; y < common->y1; y++)
      if (memcmp (find_pixel (tiles->levels, common->x0, y, z),
                  find_pixel (before, common->x0 - box->x0, y - box->y0, z - box->z0), size) != 0)
        return TRUE;
  return FALSE;
}

/* The tiles that have a raised pixel, or have it in their halos, wait. */
static void
notify_around (const WfRaisedTiles *tiles,
               gint64               tile,
               const WfBox         *box,
               const WfImage       *before)
{
  const WfBox near = wf_tile_grid_around (&tiles->grid, tile);

  for (gint64 z = near.z0; z < near.z1; z++)
    for (gint64 y = near.y0; y < near.y1; y++)
      for (gint64 x = near.x0; x < near.x1; x++)
        {
          const gint64 other  = wf_tile_grid_index (&tiles->grid, (WfPoint) { x, y, z });
          const WfBox  beside = find_box (tiles, other);
          const WfBox  common = {
            MAX (box->x0, beside.x0), MAX (box->y0, beside.y0), MAX (box->z0, beside.z0),
            MIN (box->x1, beside.x1), MIN (box->y1, beside.y1), MIN (box->z1, beside.z1),
          };

          if (other != tile && are_raised (tiles, &common, box, before))
            __atomic_store_n (&tiles->waits[other], TRUE, __ATOMIC_RELAXED);
        }
}

/* Of WfRowFunc: a tile that waited. */
static gboolean
visit_tile (gpointer data,
            WfRow    row)
{
  const WfRaisedTiles       *tiles  = data;
  const WfReconstructBlocks *blocks = tiles->blocks;
  const gint64               tile   = tiles->visited[row.number];
  const WfBox                box    = find_box (tiles, tile);
  const WfImage              mask   = view_box (tiles->mask, &box);
  const WfShape              shape  = wf_image_shape (&mask);
  WfImage                    levels = view_box (tiles->levels, &box);
  WfImage                    before = wf_image_without_pixels (levels.type, &shape);
  const WfReconstructTask    task   = {
    .shape = shape, .type = mask.type, .by = blocks->options.by,
    .connectivity = wf_bands_connectivity (blocks->connectivity, shape.depth),
    .mask = &mask, .marker = &before, .out = &levels,
  };
  WfRun                      run;

  before.data = row.scratch;
  for (gint64 z = 0; z < shape.depth; z++)
    for (gint64 y = 0; y < shape.height; y++)
      memcpy (find_pixel (&before, 0, y, z), find_pixel (&levels, 0, y, z),
              shape.width * wf_type_size (before.type));
  wf_run_init (&run, blocks->context->cancellable, NULL, NULL, 0.0);
  if (! wf_cpu_reconstruct (&task, &run, 0.0, row.error))
    return FALSE;
  notify_around (tiles, tile, &box, &before);
  return TRUE;
}

/* Takes those that wait, of one class. */
static gint64
take_waiting (WfRaisedTiles *tiles,
              int            class)
{
  const gint64 n       = wf_tile_grid_n_tiles (&tiles->grid);
  gint64       n_taken = 0;

  for (gint64 tile = 0; tile < n; tile++)
    if (tiles->waits[tile])
      {
        const WfPoint at = wf_tile_grid_place (&tiles->grid, tile);

        if ((at.x & 1) + 2 * (at.y & 1) + 4 * (at.z & 1) != class)
          continue;
        tiles->waits[tile]        = FALSE;
        tiles->visited[n_taken++] = tile;
      }
  return n_taken;
}

/* Goes on until no tile waits.  @n_visited: result: pixels of all visits */
gboolean
wf_raised_tiles_settle (WfRaisedTiles  *tiles,
                        gint64         *n_visited,
                        GError        **error)
{
  const WfShape shape = wf_image_shape (tiles->levels);
  const WfShape tile  = find_most (tiles->blocks->context, &shape);
  const gint64  most  = wf_shape_n_pixels (&tile);
  int           quiet = 0;     /* classes in which none has waited, in turn */
  WfRun         run;

  wf_run_init (&run, tiles->blocks->context->cancellable, NULL, NULL, 0.0);
  run.n_threads = wf_context_count_threads (tiles->blocks->context);
  *n_visited    = 0;
  for (int class = 0; quiet < N_CLASSES; class = (class + 1) % N_CLASSES)
    {
      WfRows rows = { .chunk = 1, .amount = most,
                      .scratch_size = most * wf_type_size (tiles->mask->type) };

      rows.n      = take_waiting (tiles, class);
      quiet       = rows.n > 0 ? 0 : quiet + 1;
      *n_visited += rows.n * most;
      wf_run_begin (&run, 0.0, MAX (rows.n * most, 1));
      if (rows.n > 0 && ! wf_run_rows (&run, &rows, visit_tile, tiles, error))
        return FALSE;
    }
  return TRUE;
}
