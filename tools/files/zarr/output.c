/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Levels are halved as those of TIFF, in each slice (tile-rows.c).  Threads compress the chunks of
 * a row of chunks and write a file for each; what says that the folder is an image is written
 * last.
 *
 * Chunks have 1 MiB and one slice: those of larger pixels are lower, not narrower, because a row of
 * chunks is kept until it is complete.
 */

#include "config.h"

#include "ome.h"
#include "output.h"
#include "overviews.h"
#include "tools/ranks.h"

#define CHUNK_BYTES ((gint64) 1 << 20)
#define CHUNK_WIDTH ((gint64) 1024)

/**
 * ZarrOutput:
 * @unfinished: (nullable): keeps what is written
 * @arrays: of the levels
 */
struct _ZarrOutput
{
  TilePyramid  pyramid;
  TilePyramid  own;             /* of what is written as rows come */
  guint        n_threads;
  TileFormat   format;
  TileBlocks  *tiles;
  WfContent    content;
  Unfinished  *unfinished;
  int          root;
  ZarrArray    arrays[TILE_MAX_LEVELS];
};


/*  Chunks  */

/* Of TileFormat. */
static gpointer
new_coder (gpointer data)
{
  const ZarrOutput *output = data;

  return zarr_coder_new (tile_pyramid_tile_bytes (&output->pyramid),
                         wf_type_size (output->pyramid.type));
}

/* Of TileFormat. */
static void
free_coder (gpointer coder)
{
  zarr_coder_free (coder);
}

/* Of TileFormat. */
static gboolean
encode (gpointer   data,
        gpointer   coder,
        TileRow   *row,
        gint64     x,
        GError   **error)
{
  const ZarrOutput *output   = data;
  const ZarrArray  *array    = &output->arrays[row->level];
  const gint64      stack[3] = { row->page, row->number, x };

  return zarr_array_write_chunk (array, stack + 3 - array->n_axes, coder,
                                 row->tiles + (gsize) x * row->stride, error);
}

/* Of TileFormat: a row of chunks is in its files. */
static gboolean
keep_row (gpointer   data,
          TileRow   *row,
          GError   **error)
{
  const ZarrOutput *output = data;
  const gint64      height = output->pyramid.levels[0].height;
  const gint64      tall   = output->pyramid.tile_height;
  const gint64      first  = row->page * height;

  return unfinished_add (output->unfinished, first + row->number * tall,
                         first + MIN ((row->number + 1) * tall, height), output->root, TRUE, error);
}

static void
make_pyramid (TilePyramid    *pyramid,
              const TilePlan *plan,
              const WfImage  *model)
{
  const gint64 size  = (gint64) wf_type_size (plan->type);
  const gint64 width = MIN (CHUNK_WIDTH, model->width);

  tile_pyramid_init (pyramid, plan->type, model, width,
                     MIN (CHUNK_BYTES / CHUNK_WIDTH / size, model->height), plan->overviews);
}

static TileFormat
make_format (ZarrOutput        *output,
             const TilePyramid *pyramid)
{
  const gsize bytes = tile_pyramid_tile_bytes (pyramid);

  return (TileFormat) {
    .stride      = (bytes + 63) / 64 * 64,
    .coder_bytes = zarr_coder_memory (bytes),
    .new_coder   = new_coder,
    .free_coder  = free_coder,
    .encode      = encode,
    .write       = output && output->unfinished ? keep_row : NULL,
    .data        = output,
  };
}


/*  Arrays  */

static ElementType
find_element (WfType type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return ELEMENT_U8;
    case WF_TYPE_U16:
      return ELEMENT_U16;
    case WF_TYPE_U32:
      return ELEMENT_U32;
    case WF_TYPE_F32:
      return ELEMENT_F32;
    case WF_TYPE_F64:
      return ELEMENT_F64;
    default:
      g_return_val_if_reached (ELEMENT_U8);
    }
}

static gboolean
make_array (ZarrOutput  *output,
            guint        k,
            GError     **error)
{
  const TilePyramid *pyramid   = &output->pyramid;
  const gint64       shape[3]  = { pyramid->depth, pyramid->levels[k].height,
                                   pyramid->levels[k].width };
  const gint64       chunks[3] = { 1, pyramid->tile_height, pyramid->tile_width };
  ZarrArray         *array     = &output->arrays[k];

  *array = (ZarrArray) {
    .folder    = g_strdup_printf ("%u", k),
    .root      = output->root,
    .n_axes    = pyramid->depth > 1 ? 3 : 2,
    .type      = find_element (pyramid->type),
    .codec     = ZARR_WRITTEN_CODEC,
    .separator = '/',
  };
  for (guint i = 0; i < array->n_axes; i++)
    {
      array->shape[i]  = shape[3 - array->n_axes + i];
      array->chunks[i] = chunks[3 - array->n_axes + i];
    }
  return ! ranks_is_first () || zarr_array_create (array, error);
}

/* Whether several have written the image, or some of it was left by an interrupted run. */
static gboolean
overviews_are_later (const ZarrOutput *output)
{
  return ranks_are_several () || output->unfinished;
}

/**
 * zarr_output_get_memory:
 * @plan: how the image is written
 * @model: an image of the same size
 * @most: as for zarr_output_new()
 *
 * Returns: the bytes of memory that writing takes beside the blocks
 */
guint64
zarr_output_get_memory (const TilePlan *plan,
                        const WfImage  *model,
                        guint64         most)
{
  TilePyramid pyramid;
  TileFormat  format;

  make_pyramid (&pyramid, plan, model);
  format = make_format (NULL, &pyramid);
  return tile_blocks_get_memory (plan, &pyramid, &format, most);
}

/**
 * zarr_output_new:
 * @plan: how the image is written
 * @model: an image of the same size
 * @most: bytes of memory that may be taken, if less suffices; the files do not depend on it
 * @root: descriptor of an empty folder; the caller closes it
 * @error: %TOOL_ERROR_FILE, the reason alone, or %WF_ERROR_MEMORY
 *
 * Returns: (nullable): what writes the image
 */
ZarrOutput *
zarr_output_new (const TilePlan  *plan,
                 const WfImage   *model,
                 guint64          most,
                 int              root,
                 GError         **error)
{
  ZarrOutput *output  = g_new0 (ZarrOutput, 1);
  gboolean    created = TRUE;

  output->content    = plan->content;
  output->root       = root;
  output->unfinished = plan->unfinished;
  make_pyramid (&output->pyramid, plan, model);
  output->format    = make_format (output, &output->pyramid);
  output->n_threads = plan->n_threads;
  output->own       = output->pyramid;
  if (overviews_are_later (output))
    output->own.n_levels = 1;
  for (guint k = 0; k < output->pyramid.n_levels && created; k++)
    created = make_array (output, k, error);
  if (created && ranks_wait (error))
    output->tiles = tile_blocks_new (plan, &output->own, &output->format, most, error);
  if (! output->tiles)
    g_clear_pointer (&output, zarr_output_free);
  return output;
}

/* Whether the row of chunks with this row of pixels was written before. */
static gboolean
is_finished (const ZarrOutput *output,
             gint64            y,
             gint64            z)
{
  const gint64 height = output->pyramid.levels[0].height;
  const gint64 tall   = output->pyramid.tile_height;
  const gint64 first  = y / tall * tall;
  const gint64 n      = MIN (tall, height - first);
  const gint64 row    = z * height + first;

  return unfinished_count_rows (output->unfinished, row, row + n) == n;
}

/**
 * zarr_output_write:
 * @output: an image that is being written
 * @x: 0
 * @y: the block's first row
 * @z: the block's first slice
 * @block: whole rows, those that follow what was written before
 * @error: %TOOL_ERROR_FILE, the reason alone; also of a block before
 *
 * Returns: success
 */
gboolean
zarr_output_write (ZarrOutput     *output,
                   gint64          x,
                   gint64          y,
                   gint64          z,
                   const WfImage  *block,
                   GError        **error)
{
  const gint64 tall = output->pyramid.tile_height;

  if (! output->unfinished)
    return tile_blocks_write (output->tiles, x, y, z, block, error);
  for (gint64 k = 0; k < block->depth; k++)
    for (gint64 j = 0, n; j < block->height; j += n)
      {
        WfImage rows = *block;

        n           = MIN (tall - (y + j) % tall, block->height - j);
        rows.depth  = 1;
        rows.height = n;
        rows.data   = (char *) block->data + (k * block->slice_stride + j * block->row_stride)
                                             * (gint64) wf_type_size (block->type);
        if (! is_finished (output, y + j, z + k) &&
            ! tile_blocks_write (output->tiles, x, y + j, z + k, &rows, error))
          return FALSE;
      }
  return TRUE;
}

/* Each overview is made of the level before by all ranks, when that is complete. */
static gboolean
make_overviews (ZarrOutput  *output,
                GError     **error)
{
  const gboolean pick = tile_content_is_picked (output->content);

  for (guint k = 1; k < output->pyramid.n_levels; k++)
    if (! ranks_wait (error) ||
        ! zarr_overview_make (&output->arrays[k - 1], &output->arrays[k], &output->pyramid, k, pick,
                              output->n_threads, error))
      return FALSE;
  return ranks_wait (error);
}

/**
 * zarr_output_get_granule:
 * @plan: how the image is written
 * @model: an image of the same size
 *
 * Returns: rows (of a stack: slices) that only one process may write
 */
gint64
zarr_output_get_granule (const TilePlan *plan,
                         const WfImage  *model)
{
  TilePyramid pyramid;

  make_pyramid (&pyramid, plan, model);
  return model->depth > 1 ? 1 : pyramid.tile_height;
}

/**
 * zarr_output_finish:
 * @output: an image whose rows are all written
 * @name: of the image
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: whether the folder is complete
 */
gboolean
zarr_output_finish (ZarrOutput  *output,
                    const char  *name,
                    GError     **error)
{
  if (! tile_blocks_finish (output->tiles, error) ||
      (overviews_are_later (output) && ! make_overviews (output, error)))
    return FALSE;
  return ! ranks_is_first () ||
         zarr_ome_write (output->root, name, output->pyramid.depth > 1,
                         output->content == WF_CONTENT_LABELS, output->pyramid.n_levels,
                         pixel_size_get (), error);
}

/**
 * zarr_output_write_image:
 * @plan: how the image is written
 * @image: the whole image
 * @root: as for zarr_output_new()
 * @name: as for zarr_output_finish()
 * @error: likewise
 *
 * With the least memory.
 *
 * Returns: whether the folder is complete
 */
gboolean
zarr_output_write_image (const TilePlan  *plan,
                         const WfImage   *image,
                         int              root,
                         const char      *name,
                         GError         **error)
{
  ZarrOutput *output  = zarr_output_new (plan, image, 0, root, error);
  gboolean    written = output && zarr_output_write (output, 0, 0, 0, image, error) &&
                        zarr_output_finish (output, name, error);

  g_clear_pointer (&output, zarr_output_free);
  return written;
}

void
zarr_output_free (ZarrOutput *output)
{
  if (output->tiles)
    tile_blocks_free (output->tiles);
  for (guint k = 0; k < output->pyramid.n_levels; k++)
    zarr_array_clear (&output->arrays[k]);
  g_free (output);
}
