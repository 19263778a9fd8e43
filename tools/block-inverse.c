/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "block-inverse.h"

/* Of a block that is written, at a time. */
#define PART_BYTES ((gint64) 1 << 20)


/* Of WfReadBlockFunc. */
static gboolean
read_image (gpointer   data,
            gint64     x,
            gint64     y,
            gint64     z,
            WfImage   *block,
            GError   **error)
{
  const WfBlockSource *image = ((const BlockInverse *) data)->image;

  if (! image->read (image->data, x, y, z, block, error))
    return FALSE;
  wf_image_invert (block, block);
  return TRUE;
}

/* Of WfReadBlockFunc. */
static gboolean
read_result (gpointer   data,
             gint64     x,
             gint64     y,
             gint64     z,
             WfImage   *block,
             GError   **error)
{
  const WfBlockSink *result = ((const BlockInverse *) data)->result;

  if (! result->read (result->data, x, y, z, block, error))
    return FALSE;
  wf_image_invert (block, block);
  return TRUE;
}

/* Of WfWriteBlockFunc: rows of one slice at a time. */
static gboolean
write_result (gpointer        data,
              gint64          x,
              gint64          y,
              gint64          z,
              const WfImage  *block,
              GError        **error)
{
  const WfBlockSink *result = ((const BlockInverse *) data)->result;
  const gsize        pixel  = wf_type_size (block->type);
  const gint64       rows   = CLAMP (PART_BYTES / (block->width * (gint64) pixel), 1,
                                     block->height);
  g_auto (WfImage)   part   = { 0 };

  if (! wf_image_allocate (&part, block->type, block->width, rows, 1, error))
    return FALSE;
  for (gint64 k = 0; k < block->depth; k++)
    for (gint64 j = 0; j < block->height; j += rows)
      {
        WfImage from = *block;

        from.data   = (char *) block->data
                      + (k * block->slice_stride + j * block->row_stride) * pixel;
        from.depth  = 1;
        from.height = part.height = MIN (rows, block->height - j);
        wf_image_invert (&from, &part);
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
  const WfBlockSink *result = ((const BlockInverse *) data)->result;

  return result->are_finished (result->data, first, end);
}

/* Of WfFinishUnitsFunc. */
static gboolean
finish (gpointer   data,
        gint64     first,
        gint64     end,
        GError   **error)
{
  const WfBlockSink *result = ((const BlockInverse *) data)->result;

  return result->finish (result->data, first, end, error);
}

/**
 * block_inverse_init:
 * @inverse: filled
 * @image: an image; stays as long as @inverse
 * @result: takes the result; likewise
 *
 * Makes an operation work on the inverted @image and, with its sink, invert its result back.
 */
void
block_inverse_init (BlockInverse         *inverse,
                    const WfBlockSource  *image,
                    const WfBlockSink    *result)
{
  *inverse = (BlockInverse) { .source = *image, .sink = *result, .image = image,
                              .result = result };
  inverse->source.read = read_image;
  inverse->source.data = inverse;
  inverse->sink.write        = write_result;
  inverse->sink.read         = result->read ? read_result : NULL;
  inverse->sink.data         = inverse;
  inverse->sink.are_finished = result->are_finished ? are_finished : NULL;
  inverse->sink.finish       = result->finish ? finish : NULL;
}
