/* SPDX-License-Identifier: GPL-3.0-or-later */

/* OME-TIFF has sizes in its description, ImageJ the unit of the resolution.  Other files have a
 * resolution at most, which is that of a print: it is kept, but nothing is measured by it.
 *
 * Libvips writes 10 pixels in a centimeter where it knows nothing, and so do files of this command:
 * these are none.
 */

#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "ome-image.h"
#include "pixel-size.h"
#include "tiff-size.h"

#define INCH 25.4

/* Other numbers are no sizes of pixels, whatever the unit. */
#define MIN_LENGTH 1e-12
#define MAX_LENGTH 1e12


static void
set (PixelSize  *size,
     guint       axis,
     double      length,
     const char *unit)
{
  if (! (length >= MIN_LENGTH && length <= MAX_LENGTH))
    return;
  size->size[axis] = length;
  size->unit[axis] = g_strdup (unit);
}

/* ImageJ: the unit of the description, for which the tags have none, or another one. */
static void
take_imagej (PixelSize            *size,
             const Axes           *axes,
             const TiffResolution *resolution)
{
  const double density[] = { resolution->x, resolution->y };

  for (guint i = 0; i < G_N_ELEMENTS (density); i++)
    {
      const PixelSize one        = { .size = { 1.0 }, .unit = { (char *) axes->unit } };
      const double    millimeter = 1.0 / pixel_size_get_density (&one, 0);

      set (size, i, resolution->unit ? 1.0 / (density[i] * millimeter) : 1.0 / density[i],
           axes->unit);
    }
  if (axes->lengths[2] > 0.0)
    set (size, 2, axes->lengths[2], axes->unit);
}

static void
take_resolution (PixelSize            *size,
                 const TiffResolution *resolution)
{
  const gboolean inches = strcmp (resolution->unit, "in") == 0;
  const double   unit   = inches ? INCH : 10.0;

  set (size, 0, 1.0 / (resolution->x * unit), inches ? "inch" : "centimeter");
  set (size, 1, 1.0 / (resolution->y * unit), inches ? "inch" : "centimeter");
  size->of_print = TRUE;
}

/**
 * tiff_size_note:
 * @axes: what the description of the file says, or nothing
 * @resolution: its tags
 * @factor: how many times smaller the level is that is read
 *
 * Notes the size of a pixel, if the file has one.
 */
void
tiff_size_note (const Axes           *axes,
                const TiffResolution *resolution,
                int                   factor)
{
  const gboolean    unknown = resolution->x == 1.0 && resolution->y == 1.0;
  g_auto (PixelSize) size   = PIXEL_SIZE_NONE;

  if (axes->units[0] || axes->units[1] || axes->units[2])
    for (guint i = 0; i < G_N_ELEMENTS (axes->units); i++)
      set (&size, i, axes->units[i] ? axes->lengths[i] : 0.0, axes->units[i]);
  else if (axes->unit && ! (resolution->unit && unknown))
    take_imagej (&size, axes, resolution);
  else if (resolution->unit && ! unknown)
    take_resolution (&size, resolution);
  size.size[0] *= factor;
  size.size[1] *= factor;
  if (size.unit[0] || size.unit[1] || size.unit[2])
    pixel_size_note (&size);
}

static void
add_sizes (GString *text)
{
  static const char  letters[] = "XYZ";
  const PixelSize   *size      = pixel_size_get ();
  char               number[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < 3 && ! size->of_print; i++)
    if (pixel_size_get_density (size, i) > 0.0)
      g_string_append_printf (text, " PhysicalSize%c=\"%s\" PhysicalSize%cUnit=\"%s\"", letters[i],
                              g_ascii_dtostr (number, sizeof number, size->size[i]), letters[i],
                              pixel_size_sign_unit (size->unit[i]));
}

static void
add_name (GString    *text,
          const char *name)
{
  g_autofree char *escaped = name ? g_markup_escape_text (name, -1) : NULL;

  if (name)
    g_string_append_printf (text, " Name=\"%s\"", escaped);
}

/**
 * tiff_size_has_description:
 *
 * Returns: whether the inputs say what a description of the results can say
 */
gboolean
tiff_size_has_description (void)
{
  const PixelSize *size = pixel_size_get ();

  return ome_image_is_any () ||
         (! size->of_print && pixel_size_get_density (size, 0) > 0.0 &&
          pixel_size_get_density (size, 1) > 0.0);
}

/**
 * tiff_size_describe:
 * @type: of the pixels, in the words of OME
 * @n_bands: of a pixel, which are one channel
 * @width: of the image
 * @height: likewise
 * @depth: likewise: its slices are the pages of the file
 *
 * Returns: (transfer full): a description as OME-TIFF has it, with the size of a pixel, and the
 *   names and the date of an OME-TIFF input
 */
char *
tiff_size_describe (const char *type,
                    int         n_bands,
                    gint64      width,
                    gint64      height,
                    gint64      depth)
{
  const OmeImage *image = ome_image_get ();
  GString        *text  = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?><OME xmlns="
                                        "\"http://www.openmicroscopy.org/Schemas/OME/2016-06\">"
                                        "<Image ID=\"Image:0\"");

  add_name (text, image->name);
  g_string_append_c (text, '>');
  if (image->date)
    g_string_append_printf (text, "<AcquisitionDate>%s</AcquisitionDate>", image->date);
  g_string_append_printf (text, "<Pixels ID=\"Pixels:0\" DimensionOrder=\"XYZCT\" Type=\"%s\" "
                          "SizeX=\"%" PRId64 "\" SizeY=\"%" PRId64 "\" SizeZ=\"%" PRId64 "\" "
                          "SizeC=\"%d\" SizeT=\"1\"", type, width, height, depth, n_bands);
  add_sizes (text);
  g_string_append (text, "><Channel ID=\"Channel:0:0\"");
  add_name (text, image->channel);
  g_string_append_printf (text, " SamplesPerPixel=\"%d\"/><TiffData IFD=\"0\" PlaneCount=\"%"
                          PRId64 "\"/></Pixels></Image></OME>", n_bands, depth);
  return g_string_free (text, FALSE);
}
