/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers as a new image: grey, in linear 32-bit floating point, so that a pixel
 * holds the number itself, without conversion.  It has the size of the processed region
 * and the resolution of the image; for a stack it has a layer
 * for each slice.
 */

#include "config.h"

#include "image.h"
#include "strip.h"


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

typedef struct
{
  WfRowFunc func;
  gpointer  data;
} Numbers;

static void
fill_numbers (const WfStrip *strip,
              int            first,
              int            n)
{
  const Numbers *numbers = strip->data;

  for (int row = first; row < first + n; row++)
    numbers->func (wf_strip_get_row (strip, row), (float *) wf_strip_get_pixels (strip, row),
                   numbers->data);
}

/**
 * wf_result_image_new:
 * @run: the run
 * @name: of a layer, with %s for the name of the processed layer
 * @func: sets the numbers of a row
 * @data: for @func
 *
 * Makes a new image, which is shown if the run succeeds and is not non-interactive.
 *
 * Returns: (transfer none): the image
 */
GimpImage *
wf_result_image_new (WfJob      *run,
                     const char *name,
                     WfRowFunc   func,
                     gpointer    data)
{
  const WfSource        *source  = run->source;
  Numbers                numbers = { func, data };
  g_autoptr (GPtrArray)  layers  = g_ptr_array_new ();
  GimpImage             *image;
  double                 x_resolution;
  double                 y_resolution;

  image = gimp_image_new_with_precision (run->region.width, run->region.height, GIMP_GRAY,
                                         GIMP_PRECISION_FLOAT_LINEAR);
  gimp_image_undo_disable (image);
  gimp_image_get_resolution (run->image, &x_resolution, &y_resolution);
  gimp_image_set_resolution (image, x_resolution, y_resolution);
  gimp_image_set_unit (image, gimp_image_get_unit (run->image));
  for (guint i = 0; i < source->n_slices; i++)
    g_ptr_array_add (layers, add_layer (image, name, source->slices[i].drawable));
  wf_strips_write_numbers (run, layers, fill_numbers, &numbers);
  gimp_image_undo_enable (image);

  wf_job_add_image (run, image);
  return image;
}
