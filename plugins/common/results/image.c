/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers as a new image, grey and without alpha, of the size of the processed region and with
 * the resolution of the image; for a stack it has a layer for each slice.
 *
 * Whole numbers up to 65535 are 16-bit integers, which PNG and TIFF hold, with a profile that
 * shows them (number-profile.c).  All others are stored in linear 32-bit floating point, so that
 * a pixel holds the number itself, without conversion.
 *
 * The image is named after the one from which it was made, in the same folder, with a name that
 * no file and no other image has: saving it replaces nothing.
 */

#include "config.h"

#include <string.h>

#include "image.h"
#include "number-profile.h"
#include "strip.h"


/*  The name  */

static char *
fill_in (const char *format,
         const char *name)
{
  g_auto (GStrv) parts = g_strsplit (format, "%s", 2);

  return g_strjoinv (name, parts);
}

static GFile *
find_file (GimpImage *image)
{
  GFile *file = gimp_image_get_xcf_file (image);

  if (! file)
    file = gimp_image_get_imported_file (image);
  return file ? file : gimp_image_get_exported_file (image);
}

static char *
find_folder (GFile *file)
{
  g_autoptr (GFile) parent = file && g_file_is_native (file) ? g_file_get_parent (file) : NULL;
  const char       *folder = g_get_user_special_dir (G_USER_DIRECTORY_PICTURES);

  if (parent)
    return g_file_get_path (parent);
  return g_strdup (folder ? folder : g_get_home_dir ());
}

/* An image without a file has no name but that of its layer. */
static char *
find_stem (WfJob *run,
           GFile *file)
{
  g_autofree char *name = NULL;
  char            *dot;

  if (! file)
    return g_strdelimit (g_strdup (run->source->name), "/\\", '-');

  name = g_file_get_basename (file);
  dot  = strrchr (name, '.');
  if (dot && dot > name)
    *dot = '\0';
  return g_filename_display_name (name);
}

static gboolean
is_taken (GFile *file)
{
  g_autofree GimpImage **images = gimp_get_images ();

  for (gsize i = 0; images[i]; i++)
    {
      GFile *other = gimp_image_get_xcf_file (images[i]);

      if (other && g_file_equal (file, other))
        return TRUE;
    }
  return g_file_query_exists (file, NULL);
}

static GFile *
file_new (const char *folder,
          const char *name,
          int         number)
{
  g_autofree char *full = number > 1 ? g_strdup_printf ("%s %d.xcf", name, number)
                                     : g_strdup_printf ("%s.xcf", name);
  g_autofree char *coded = g_filename_from_utf8 (full, -1, NULL, NULL, NULL);

  return g_file_new_build_filename (folder, coded ? coded : full, NULL);
}

static void
set_name (WfJob      *run,
          GimpImage  *image,
          const char *format)
{
  GFile           *source = find_file (run->image);
  g_autofree char *folder = find_folder (source);
  g_autofree char *stem   = find_stem (run, source);
  g_autofree char *name   = fill_in (format, stem);
  GFile           *file   = file_new (folder, name, 1);

  for (int number = 2; is_taken (file); number++)
    {
      g_object_unref (file);
      file = file_new (folder, name, number);
    }
  gimp_image_set_file (image, file);
  g_object_unref (file);
}


/*  The pixels  */

static GimpLayer *
add_layer (GimpImage    *image,
           const char   *format,
           GimpDrawable *source)
{
  g_autofree char *name  = gimp_item_get_name (GIMP_ITEM (source));
  g_autofree char *full  = fill_in (format, name);
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
  const Numbers    *numbers = strip->data;
  const gsize       width   = wf_strip_get_width (strip);
  const gboolean    whole   = strip->type == WF_TYPE_U16;
  g_autofree float *row_of  = whole ? g_new (float, width) : NULL;

  for (int row = first; row < first + n; row++)
    {
      gpointer pixels = wf_strip_get_pixels (strip, row);

      numbers->func (wf_strip_get_row (strip, row), whole ? row_of : pixels, numbers->data);
      for (gsize i = 0; whole && i < width; i++)
        ((guint16 *) pixels)[i] = (guint16) row_of[i];
    }
}

/* The profile comes before the layers, whose format depends on it. */
static GimpImage *
image_new (WfJob   *run,
           guint32  highest)
{
  const gboolean  whole = highest > 0 && highest <= G_MAXUINT16;
  GimpImage      *image;
  double          x_resolution;
  double          y_resolution;

  image = gimp_image_new_with_precision (run->region.width, run->region.height, GIMP_GRAY,
                                         whole ? GIMP_PRECISION_U16_NON_LINEAR
                                               : GIMP_PRECISION_FLOAT_LINEAR);
  gimp_image_undo_disable (image);
  gimp_image_get_resolution (run->image, &x_resolution, &y_resolution);
  gimp_image_set_resolution (image, x_resolution, y_resolution);
  gimp_image_set_unit (image, gimp_image_get_unit (run->image));
  if (whole)
    {
      g_autoptr (GimpColorProfile) profile = wf_number_profile_new ((guint16) highest);

      if (profile)
        gimp_image_set_color_profile (image, profile);
    }
  return image;
}

/**
 * wf_result_image_new:
 * @run: the run
 * @name: of a layer, with %s for the name of the processed layer; with the name of the
 *   processed image, of the new image
 * @highest: the highest number if all are whole; 0 if they are not
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
                     guint32     highest,
                     WfRowFunc   func,
                     gpointer    data)
{
  const WfSource        *source  = run->source;
  Numbers                numbers = { func, data };
  g_autoptr (GPtrArray)  layers  = g_ptr_array_new ();
  GimpImage             *image   = image_new (run, highest);

  for (guint i = 0; i < source->n_slices; i++)
    g_ptr_array_add (layers, add_layer (image, name, source->slices[i].drawable));
  wf_strips_write_numbers (run, layers, fill_numbers, &numbers);
  set_name (run, image, name);
  gimp_image_undo_enable (image);

  wf_job_add_image (run, image);
  return image;
}
