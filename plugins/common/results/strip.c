/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writes results to layers.
 *
 * Pixels are transferred to GIMP tile by tile through shared memory, and each is
 * written once: all processors fill a strip of the height of a tile, in the
 * layer's own format, and the main thread writes it, so that GIMP converts nothing
 * and no second copy of a layer exists.  While one strip is written, which is
 * mostly waiting for GIMP, the next one is filled.
 *
 * Results are transparent where the source is transparent or not selected.
 */

#include "config.h"

#include "plugins/common/input/strip-worker.h"
#include "plugins/common/swap/swap.h"
#include "strip.h"


/**
 * wf_strip_get_width:
 * @strip: a strip
 *
 * Returns: its width, in pixels
 */
gsize
wf_strip_get_width (const WfStrip *strip)
{
  return (gsize) strip->source->region.width;
}

/**
 * wf_strip_get_row:
 * @strip: a strip
 * @row: one of its rows
 *
 * Returns: the index of the row in the region, counted through all slices of a stack
 */
int
wf_strip_get_row (const WfStrip *strip,
                  int            row)
{
  return (int) strip->slice * strip->source->region.height + strip->row + row;
}

/**
 * wf_strip_get_pixels:
 * @strip: a strip
 * @row: one of its rows
 *
 * Returns: (transfer none): its pixels, to fill in
 */
guint8 *
wf_strip_get_pixels (const WfStrip *strip,
                     int            row)
{
  return strip->pixels + strip->size * wf_strip_get_width (strip) * row;
}

/**
 * wf_strip_get_coverage:
 * @strip: a strip
 * @row: one of its rows
 *
 * Returns: (transfer none) (nullable): the opacity of each pixel, from 0 to 1; %NULL if all
 *   are opaque
 */
const float *
wf_strip_get_coverage (const WfStrip *strip,
                       int            row)
{
  return strip->coverage ? strip->coverage + wf_strip_get_width (strip) * row : NULL;
}

/**
 * Writer:
 * @run: the run
 * @strips: one is filled while the other is written
 * @fill: %NULL for pixels that are in memory as they are to be written
 * @worker: fills strips
 */
typedef struct
{
  WfJob         *run;
  WfStrip        strips[2];
  WfStripFunc    fill;
  WfStripWorker *worker;
} Writer;

static void
fill_rows (gpointer strip,
           int      first,
           int      n,
           gpointer data)
{
  const Writer *writer = data;

  writer->fill (strip, first, n);
}

/* Pixels that are in memory as they are to be written are not copied. */
static void
find_pixels (WfStrip *strip)
{
  const WfImage *image = strip->data;

  strip->pixels = (guint8 *) image->data + strip->size * (strip->slice * image->slice_stride +
                                                          strip->row * image->row_stride);
}

/* Coverage is read from GIMP, which only the main thread may do. */
static void
begin_strip (Writer  *writer,
             WfStrip *strip,
             guint    slice,
             int      row)
{
  strip->slice  = slice;
  strip->row    = row;
  strip->n_rows = MIN (WF_STRIP_ROWS, strip->source->region.height - row);
  if (strip->coverage)
    wf_source_read_coverage (strip->source, slice, row, strip->n_rows, strip->coverage);
  if (writer->fill)
    wf_strip_worker_begin (writer->worker, strip, strip->n_rows);
  else
    find_pixels (strip);
}

static void
write_strip (const Writer  *writer,
             const WfStrip *strip,
             GeglBuffer    *buffer)
{
  const WfRegion *region  = &strip->source->region;
  const double    n_total = (double) region->height * strip->source->n_slices;

  gegl_buffer_set (buffer, GEGL_RECTANGLE (0, strip->row, region->width, strip->n_rows), 0,
                   strip->format, strip->pixels, GEGL_AUTO_ROWSTRIDE);
  wf_job_set_progress (writer->run,
                       (wf_strip_get_row (strip, 0) + strip->n_rows) / n_total);
  wf_swap_release ();
}

static void
write_slice (Writer     *writer,
             guint       slice,
             GeglBuffer *buffer)
{
  const int height = writer->strips[0].source->region.height;
  int       turn   = 0;

  begin_strip (writer, &writer->strips[0], slice, 0);
  for (int row = 0; row < height; row += WF_STRIP_ROWS, turn = 1 - turn)
    {
      wf_strip_worker_wait (writer->worker);
      if (row + WF_STRIP_ROWS < height)
        begin_strip (writer, &writer->strips[1 - turn], slice, row + WF_STRIP_ROWS);
      write_strip (writer, &writer->strips[turn], buffer);
    }
}

static void
init_strip (WfStrip     *strip,
            gboolean     covered,
            WfStripFunc  fill)
{
  const gsize n_pixels = wf_strip_get_width (strip) * WF_STRIP_ROWS;

  strip->size = (gsize) babl_format_get_bytes_per_pixel (strip->format);
  if (covered && wf_source_is_transparent (strip->source))
    strip->coverage = g_new (float, n_pixels);
  if (fill)
    strip->pixels = g_malloc (strip->size * n_pixels);
}

static void
clear_strip (WfStrip     *strip,
             WfStripFunc  fill)
{
  g_free (strip->coverage);
  if (fill)
    g_free (strip->pixels);
}

static void
write_layers (WfJob         *run,
              GPtrArray     *layers,
              const WfStrip *strip,
              gboolean       covered,
              WfStripFunc    fill)
{
  Writer writer = { .run = run, .strips = { *strip, *strip }, .fill = fill };

  for (int i = 0; i < 2; i++)
    init_strip (&writer.strips[i], covered, fill);
  writer.worker = wf_strip_worker_new (fill_rows, wf_strip_get_width (strip), &writer);

  for (guint slice = 0; slice < layers->len; slice++)
    {
      g_autoptr (GeglBuffer) buffer = gimp_drawable_get_buffer (layers->pdata[slice]);

      write_slice (&writer, slice, buffer);
    }

  wf_strip_worker_free (writer.worker);
  for (int i = 0; i < 2; i++)
    clear_strip (&writer.strips[i], fill);
}

/**
 * wf_strips_write:
 * @run: the run
 * @layer: a layer, or a group, made for it
 * @native: whether @fill writes the layer's own format, and not the closest one of the
 *   engine's types
 * @fill: (nullable): fills rows; %NULL for pixels that are in memory as they are to be
 *   written
 * @data: for @fill, in the strips; without it, a #WfImage whose rows follow each other
 *
 * Fills @layer.
 */
void
wf_strips_write (WfJob       *run,
                 GimpLayer   *layer,
                 gboolean     native,
                 WfStripFunc  fill,
                 gpointer     data)
{
  const WfResult *result   = wf_result_find (run, layer);
  GimpDrawable   *drawable = result->layers->pdata[0];
  WfStrip         strip    = { .source = result->source, .data = data };

  strip.type     = wf_pixels_get_type (drawable);
  strip.n_colors = gimp_drawable_is_rgb (drawable) ? 3 : 1;
  strip.alpha    = gimp_drawable_has_alpha (drawable);
  strip.format   = native ? gimp_drawable_get_format (drawable)
                          : wf_pixels_get_format (drawable, strip.alpha, strip.type);
  write_layers (run, result->layers, &strip, TRUE, fill);
}

/**
 * wf_strips_write_numbers:
 * @run: the run
 * @layers: (element-type GimpLayer): of a gray image with 16-bit integers or in linear 32-bit
 *   floating point, without alpha; one for each slice, the lowest first
 * @fill: fills rows with numbers of the type of the strip
 * @data: for @fill, in the strips
 *
 * Fills @layers.  The selection and the transparency of the source do not change numbers.
 */
void
wf_strips_write_numbers (WfJob       *run,
                         GPtrArray   *layers,
                         WfStripFunc  fill,
                         gpointer     data)
{
  GimpDrawable  *drawable = layers->pdata[0];
  const WfStrip  strip    = { .source = run->source, .type = wf_pixels_get_type (drawable),
                              .n_colors = 1, .format = gimp_drawable_get_format (drawable),
                              .data = data };

  write_layers (run, layers, &strip, FALSE, fill);
}
