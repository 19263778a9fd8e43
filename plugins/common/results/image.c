/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers as a new image: grey, in 32-bit floating point and linear light, so that a pixel
 * holds the number itself and no conversion touches it.  It has the size of the region that
 * was worked on, whatever its shape, and the resolution of the image; of a stack a layer
 * for each slice.
 */

#include "config.h"

#include "image.h"


static GimpLayer *
add_layer (GimpImage    *image,
           const char   *format,
           GimpDrawable *source)
{
  g_autofree char *name  = gimp_item_get_name (GIMP_ITEM (source));
  g_auto (GStrv)   parts = g_strsplit (format, "%s", 2);
  g_autofree char *full  = g_strjoinv (name, parts);
  GimpLayer       *layer = gimp_layer_new (image, full, gimp_image_get_width (image),
                                           gimp_image_get_height (image), GIMP_GRAY_IMAGE,
                                           100.0, GIMP_LAYER_MODE_NORMAL);

  gimp_image_insert_layer (image, layer, NULL, 0);
  return layer;
}

/**
 * Numbers:
 * @func: gives those of a row
 * @data: for @func
 * @width: of a row
 * @first: the first row, as @func counts them
 * @pixels: what is written
 */
typedef struct
{
  WfRowFunc  func;
  gpointer   data;
  int        width;
  int        first;
  float     *pixels;
} Numbers;

static void
fill_rows (gsize    first,
           gsize    n,
           gpointer data)
{
  const Numbers *numbers = data;

  for (gsize i = first; i < first + n; i++)
    numbers->func (numbers->first + (int) i, numbers->pixels + i * numbers->width,
                   numbers->data);
}

static void
write_numbers (WfRun     *run,
               guint      slice,
               GimpLayer *layer,
               WfRowFunc  func,
               gpointer   data)
{
  const int               width   = run->region.width;
  const int               height  = run->region.height;
  const double            n_rows  = (double) height * run->source->n_slices;
  g_autoptr (GeglBuffer)  buffer  = gimp_drawable_get_buffer (GIMP_DRAWABLE (layer));
  g_autofree float       *pixels  = g_new (float, (gsize) width * WF_STRIP_ROWS);
  Numbers                 numbers = { func, data, width, 0, pixels };

  for (int row = 0; row < height; row += WF_STRIP_ROWS)
    {
      int n = MIN (WF_STRIP_ROWS, height - row);

      numbers.first = (int) slice * height + row;
      gegl_parallel_distribute_range ((gsize) n, WF_THREAD_COST / width, fill_rows, &numbers);
      gegl_buffer_set (buffer, GEGL_RECTANGLE (0, row, width, n), 0, babl_format ("Y float"),
                       pixels, GEGL_AUTO_ROWSTRIDE);
      wf_run_set_progress (run, (numbers.first + n) / n_rows);
    }
}

/**
 * wf_result_image_new:
 * @run: the run
 * @name: of a layer, with %s where the name of the layer worked on goes
 * @func: gives the numbers of a row
 * @data: for @func
 *
 * Makes a new image, which is shown if the run succeeds and a person started it.
 *
 * Returns: (transfer none): the image.
 */
GimpImage *
wf_result_image_new (WfRun      *run,
                     const char *name,
                     WfRowFunc   func,
                     gpointer    data)
{
  const WfSource *source = run->source;
  GimpImage      *image;
  double          x_resolution;
  double          y_resolution;

  image = gimp_image_new_with_precision (run->region.width, run->region.height, GIMP_GRAY,
                                         GIMP_PRECISION_FLOAT_LINEAR);
  gimp_image_undo_disable (image);
  gimp_image_get_resolution (run->image, &x_resolution, &y_resolution);
  gimp_image_set_resolution (image, x_resolution, y_resolution);
  gimp_image_set_unit (image, gimp_image_get_unit (run->image));
  for (guint i = 0; i < source->n_slices; i++)
    write_numbers (run, i, add_layer (image, name, source->slices[i].drawable), func, data);
  gimp_image_undo_enable (image);

  wf_run_add_image (run, image);
  return image;
}
