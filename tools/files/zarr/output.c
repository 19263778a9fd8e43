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

#define CHUNK_BYTES ((gint64) 1 << 20)
#define CHUNK_WIDTH ((gint64) 1024)

/**
 * ZarrOutput:
 * @arrays: of the levels
 */
struct _ZarrOutput
{
  TilePyramid  pyramid;
  TileFormat   format;
  TileBlocks  *tiles;
  WfContent    content;
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
create_array (ZarrOutput  *output,
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
    .separator = '/',
  };
  for (guint i = 0; i < array->n_axes; i++)
    {
      array->shape[i]  = shape[3 - array->n_axes + i];
      array->chunks[i] = chunks[3 - array->n_axes + i];
    }
  return zarr_array_create (array, error);
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

  output->content = plan->content;
  output->root    = root;
  make_pyramid (&output->pyramid, plan, model);
  output->format = make_format (output, &output->pyramid);
  for (guint k = 0; k < output->pyramid.n_levels && created; k++)
    created = create_array (output, k, error);
  if (created)
    output->tiles = tile_blocks_new (plan, &output->pyramid, &output->format, most, error);
  if (! output->tiles)
    g_clear_pointer (&output, zarr_output_free);
  return output;
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
  return tile_blocks_write (output->tiles, x, y, z, block, error);
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
  return tile_blocks_finish (output->tiles, error) &&
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
