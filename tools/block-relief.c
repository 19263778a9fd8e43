/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What wf_relief_make() makes and wf_relief_flood() floods, in blocks and with the same bits:
 *
 *   filtered   smoothed levels, or gradients, lie in a scratch file; inverted they are as they are
 *              read (block-inverse.h);
 *   objects    their mask is made of levels as they are read (block-foreground.h).  The heights,
 *              minus the distances inside and infinity in the background, lie in a scratch file.
 *              No distance inside is 0, so the heights tell objects from background.
 *
 * Of objects, markers are read and basins are written without those of the background.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "block-relief.h"
#include "message.h"
#include "progress.h"
#include "ranks.h"

/* Of an image, at a time. */
#define PART_BYTES ((gint64) 1 << 20)

/* Visits some rows of one slice of a block after the other.  @view: set to them; @y, @z: to their
 * place in the block.
 */
#define FOR_ROWS(block, view, y, z) \
  for (Rows rows_ = first_rows (block); next_rows (&rows_, block, view, y, z);)

typedef struct
{
  gint64 slice;
  gint64 row;
  gint64 n;
} Rows;


/*  Parts of blocks  */

static Rows
first_rows (const WfImage *block)
{
  const gint64 row = block->width * (gint64) sizeof (guint32);

  return (Rows) { 0, 0, CLAMP (PART_BYTES / row, 1, block->height) };
}

static gboolean
next_rows (Rows          *rows,
           const WfImage *block,
           WfImage       *view,
           gint64        *y,
           gint64        *z)
{
  if (rows->slice == block->depth)
    return FALSE;
  *view = *block;
  *y    = rows->row;
  *z    = rows->slice;
  view->data         = (char *) block->data + (rows->slice * block->slice_stride +
                                               rows->row * block->row_stride) *
                                              (gint64) wf_type_size (block->type);
  view->height       = MIN (rows->n, block->height - rows->row);
  view->depth        = 1;
  view->allocated    = NULL;
  rows->row         += view->height;
  if (rows->row == block->height)
    {
      rows->row = 0;
      rows->slice++;
    }
  return TRUE;
}

/* Memory for some rows. */
static gboolean
allocate_rows (const WfImage  *block,
               WfType          type,
               WfImage        *image,
               GError        **error)
{
  const Rows rows = first_rows (block);

  return wf_image_allocate (image, type, block->width, rows.n, 1, error);
}

/* Whether one of several processes has @own. */
static gboolean
share (gboolean   own,
       gboolean  *any,
       GError   **error)
{
  const guint32        mine = own;
  guint32              sum  = own;
  g_autofree guint32  *all  = g_new0 (guint32, ranks_count ());

  if (ranks_are_several ())
    {
      if (! wf_communicator_gather (ranks_get (), &mine, sizeof mine, all, error))
        return FALSE;
      for (guint rank = 0; ranks_is_first () && rank < ranks_count (); rank++)
        sum += all[rank];
      if (! wf_communicator_broadcast (ranks_get (), &sum, sizeof sum, error))
        return FALSE;
    }
  *any = sum > 0;
  return TRUE;
}


/*  The relief  */

static gboolean
is_filtered (const WfReliefOptions *options)
{
  return options->smoothing > 0 || options->input == WF_INPUT_GRADIENT;
}

/**
 * block_relief_get_type:
 * @options: of the relief
 * @type: of the image
 *
 * Returns: the type of the relief
 */
WfType
block_relief_get_type (const WfReliefOptions *options,
                       WfType                 type)
{
  return options->input == WF_INPUT_OBJECTS ? WF_TYPE_F32 : type;
}

/**
 * block_relief_open:
 * @relief: filled; to be cleared whatever the result
 * @options: of the relief; they stay as long as it, and may be changed until it is made
 * @output: a prepared output, with a name
 * @model: an image of the type and size of the one that is read
 * @error: %TOOL_ERROR_FILE, with the output's name
 *
 * Returns: whether there is room for it
 */
gboolean
block_relief_open (BlockRelief            *relief,
                   const WfReliefOptions  *options,
                   const Output           *output,
                   const WfImage          *model,
                   GError                **error)
{
  WfImage heights = *model;

  *relief = (BlockRelief) BLOCK_RELIEF_NONE;
  relief->options = options;
  heights.type    = WF_TYPE_F32;
  return (! is_filtered (options) ||
          scratch_file_open (&relief->filtered, output, model, error)) &&
         (options->input != WF_INPUT_OBJECTS ||
          scratch_file_open (&relief->heights, output, &heights, error));
}

/**
 * block_relief_count_steps:
 * @relief: an open one
 *
 * Returns: how many calls of the library make it
 */
guint
block_relief_count_steps (const BlockRelief *relief)
{
  return (is_filtered (relief->options) ? 1 : 0) +
         (relief->options->input == WF_INPUT_OBJECTS ? 1 : 0);
}

/* Of WfWriteBlockFunc: distances become heights. */
static gboolean
write_distances (gpointer        data,
                 gint64          x,
                 gint64          y,
                 gint64          z,
                 const WfImage  *block,
                 GError        **error)
{
  BlockRelief       *relief = data;
  const WfBlockSink *sink   = &relief->heights.sink;
  g_auto (WfImage)   part   = { 0 };
  WfImage            rows;
  gint64             j, k;

  if (! allocate_rows (block, WF_TYPE_F32, &part, error))
    return FALSE;
  FOR_ROWS (block, &rows, &j, &k)
    {
      part.height = rows.height;
      for (gint64 row = 0; row < rows.height; row++)
        {
          const float *distances = (const float *) rows.data + row * rows.row_stride;
          float       *heights   = (float *) part.data + row * part.row_stride;

          for (gint64 i = 0; i < rows.width; i++)
            {
              const gboolean inside = distances[i] > 0;

              heights[i]          = inside ? -distances[i] : INFINITY;
              relief->any_object |= inside;
            }
        }
      if (! sink->write (sink->data, x, y + j, z + k, &part, error))
        return FALSE;
    }
  return TRUE;
}

static WfBlockSource
source_of (const WfBlockSink   *sink,
           const WfBlockSource *model,
           WfType               type)
{
  return (WfBlockSource) { .type = type, .width = model->width, .height = model->height,
                           .depth = model->depth, .read = sink->read, .data = sink->data };
}

static gboolean
make_heights (BlockRelief  *relief,
              WfContext    *context,
              GError      **error)
{
  const WfReliefOptions *options = relief->options;
  const WfBlockSink      sink    = { .write = write_distances, .data = relief,
                                     .flags = WF_SINK_TAKES_ANY_ORDER };
  WfDistanceOptions      distance;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &distance);
  block_foreground_mark (&relief->objects, &relief->levels, options->threshold,
                         ! options->invert);
  if (! wf_distance_blocks (context, &relief->objects.source, &sink, NULL, &distance, NULL,
                            error) ||
      ! share (relief->any_object, &relief->any_object, error))
    return FALSE;
  progress_next_step ();
  relief->source = source_of (&relief->heights.sink, &relief->levels, WF_TYPE_F32);
  return TRUE;
}

/**
 * block_relief_make:
 * @relief: an open one
 * @context: where
 * @image: its levels; they stay as long as @relief
 * @error: as wf_watershed_make_relief_blocks() and wf_distance_blocks() set it
 *
 * Returns: success
 */
gboolean
block_relief_make (BlockRelief          *relief,
                   WfContext            *context,
                   const WfBlockSource  *image,
                   GError              **error)
{
  static const WfBlockSink  none    = { 0 };
  const WfReliefOptions    *options = relief->options;
  WfWatershedOptions        filters;

  relief->levels = *image;
  if (is_filtered (options))
    {
      wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &filters);
      filters.smoothing = options->smoothing;
      filters.gradient  = options->input == WF_INPUT_GRADIENT ? MAX (options->gradient, 1) : 0;
      if (! wf_watershed_make_relief_blocks (context, image, &relief->filtered.sink, &filters, NULL,
                                             error))
        return FALSE;
      progress_next_step ();
      relief->levels = source_of (&relief->filtered.sink, image, image->type);
    }
  if (options->input == WF_INPUT_OBJECTS)
    return make_heights (relief, context, error);
  relief->source = relief->levels;
  if (options->invert)
    {
      block_inverse_init (&relief->inverse, &relief->levels, &none);
      relief->source = relief->inverse.source;
    }
  return TRUE;
}


/*  Within objects  */

/* Reads the heights of some rows. */
static gboolean
read_heights (const BlockRelief  *relief,
              gint64              x,
              gint64              y,
              gint64              z,
              gint64              height,
              WfImage            *heights,
              GError            **error)
{
  heights->height = height;
  return relief->source.read (relief->source.data, x, y, z, heights, error);
}

/* Sets labels of the background to 0; returns whether one is left. */
static gboolean
limit_rows (const WfImage *heights,
            WfImage       *labels)
{
  guint32 any = 0;

  for (gint64 row = 0; row < labels->height; row++)
    {
      const float *height = (const float *) heights->data + row * heights->row_stride;
      guint32     *label  = (guint32 *) labels->data + row * labels->row_stride;

      for (gint64 i = 0; i < labels->width; i++)
        {
          label[i] = height[i] == INFINITY ? 0 : label[i];
          any     |= label[i];
        }
    }
  return any != 0;
}

/* Of WfReadBlockFunc. */
static gboolean
read_markers (gpointer   data,
              gint64     x,
              gint64     y,
              gint64     z,
              WfImage   *block,
              GError   **error)
{
  const BlockRelief *relief  = data;
  g_auto (WfImage)   heights = { 0 };
  WfImage            rows;
  gint64             j, k;

  if (! relief->given->read (relief->given->data, x, y, z, block, error) ||
      ! allocate_rows (block, WF_TYPE_F32, &heights, error))
    return FALSE;
  FOR_ROWS (block, &rows, &j, &k)
    {
      if (! read_heights (relief, x, y + j, z + k, rows.height, &heights, error))
        return FALSE;
      limit_rows (&heights, &rows);
    }
  return TRUE;
}

/* Whether a marker of this process' part of the image lies on an object. */
static gboolean
find_marker (const BlockRelief  *relief,
             gboolean           *found,
             GError            **error)
{
  const WfBlockSource *markers = &relief->markers;
  const WfImage        model   = { .width = markers->width, .height = markers->height };
  const gint64         most    = first_rows (&model).n;
  g_auto (WfImage)     part    = { 0 };
  gint64               first, end;

  *found = FALSE;
  if (! allocate_rows (&model, WF_TYPE_U32, &part, error))
    return FALSE;
  ranks_deal (markers->height * markers->depth, &first, &end);
  for (gint64 row = first; row < end && ! *found; row += part.height)
    {
      const gint64 y = row % markers->height;

      part.height = MIN (MIN (most, markers->height - y), end - row);
      if (! markers->read (markers->data, 0, y, row / markers->height, &part, error))
        return FALSE;
      for (gint64 i = 0; i < part.width * part.height; i++)
        *found |= ((const guint32 *) part.data)[i] != 0;
    }
  return TRUE;
}

/**
 * block_relief_limit_markers:
 * @relief: one of objects, made
 * @markers: u32; they stay as long as @relief
 * @error: %WF_ERROR_INVALID if none lies on an object
 *
 * Sets the relief's markers to those on objects.
 *
 * Returns: success
 */
gboolean
block_relief_limit_markers (BlockRelief          *relief,
                            const WfBlockSource  *markers,
                            GError              **error)
{
  gboolean found;

  relief->given        = markers;
  relief->markers      = *markers;
  relief->markers.read = read_markers;
  relief->markers.data = relief;
  if (! find_marker (relief, &found, error) || ! share (found, &found, error))
    return FALSE;
  if (! found)
    g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                         _("No marker lies on an object: check the threshold."));
  return found;
}

/* Of WfWriteBlockFunc. */
static gboolean
write_labels (gpointer        data,
              gint64          x,
              gint64          y,
              gint64          z,
              const WfImage  *block,
              GError        **error)
{
  const BlockRelief *relief  = data;
  const WfBlockSink *result  = relief->result;
  g_auto (WfImage)   heights = { 0 };
  g_auto (WfImage)   part    = { 0 };
  WfImage            rows;
  gint64             j, k;

  if (! allocate_rows (block, WF_TYPE_F32, &heights, error) ||
      ! allocate_rows (block, WF_TYPE_U32, &part, error))
    return FALSE;
  FOR_ROWS (block, &rows, &j, &k)
    {
      if (! read_heights (relief, x, y + j, z + k, rows.height, &heights, error))
        return FALSE;
      part.height = rows.height;
      for (gint64 row = 0; row < rows.height; row++)
        memcpy ((guint32 *) part.data + row * part.row_stride,
                (const guint32 *) rows.data + row * rows.row_stride,
                (gsize) rows.width * sizeof (guint32));
      limit_rows (&heights, &part);
      if (! result->write (result->data, x, y + j, z + k, &part, error))
        return FALSE;
    }
  return TRUE;
}

/* Of WfAreUnitsFinishedFunc. */
static gboolean
are_finished (gpointer data,
              gint64   first,
              gint64   end)
{
  const WfBlockSink *result = ((const BlockRelief *) data)->result;

  return result->are_finished (result->data, first, end);
}

/* Of WfFinishUnitsFunc. */
static gboolean
finish (gpointer   data,
        gint64     first,
        gint64     end,
        GError   **error)
{
  const WfBlockSink *result = ((const BlockRelief *) data)->result;

  return result->finish (result->data, first, end, error);
}

/**
 * block_relief_limit_labels:
 * @relief: one of objects, made
 * @labels: takes the result, u32; stays as long as @relief
 *
 * Sets the relief's labels to a sink that writes @labels without those of the background.
 */
void
block_relief_limit_labels (BlockRelief       *relief,
                           const WfBlockSink *labels)
{
  relief->result = labels;
  relief->labels = (WfBlockSink) {
    .write        = write_labels,
    .data         = relief,
    .flags        = labels->flags,
    .are_finished = labels->are_finished ? are_finished : NULL,
    .finish       = labels->finish ? finish : NULL,
  };
}

void
block_relief_clear (BlockRelief *relief)
{
  scratch_file_clear (&relief->filtered);
  scratch_file_clear (&relief->heights);
  *relief = (BlockRelief) BLOCK_RELIEF_NONE;
}
