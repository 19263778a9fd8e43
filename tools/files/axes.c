/* SPDX-License-Identifier: GPL-3.0-or-later */

/* OME-TIFF has XML in the description of its first page: for each image the order of its axes,
 * their lengths and which page holds which plane.  ImageJ has lines of text: the order is always
 * channel, slice, frame, the channel first.  Descriptions that are neither, or that do not fit
 * the file, are ignored: the pages are then the slices.
 */

#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "axes.h"
#include "pixel-size.h"

/* Planes of an image; more are not described but made up. */
#define MAX_PLANES (1 << 24)


static gboolean
make_planes (Axes *axes)
{
  const gint64 n = (gint64) axes->n_channels * axes->n_slices * axes->n_frames;

  if (axes->n_channels < 1 || axes->n_slices < 1 || axes->n_frames < 1 ||
      axes->n_channels > MAX_PLANES || axes->n_slices > MAX_PLANES ||
      axes->n_frames > MAX_PLANES || n > MAX_PLANES)
    return FALSE;

  axes->pages = g_new (int, n);
  for (gint64 i = 0; i < n; i++)
    axes->pages[i] = -1;
  return TRUE;
}

static int
find_plane (const Axes *axes,
            int         channel,
            int         slice,
            int         frame)
{
  return (frame * axes->n_slices + slice) * axes->n_channels + channel;
}


/*  ImageJ  */

/* The number of a line "key=number", or 1. */
static int
find_number (const char *text,
             const char *key)
{
  g_autofree char *start = g_strdup_printf ("\n%s=", key);
  const char      *found = strstr (text, start);
  const gint64     value = found ? g_ascii_strtoll (found + strlen (start), NULL, 10) : 1;

  return (int) CLAMP (value, 0, MAX_PLANES + 1);
}

/* The unit of the resolution, if it is a length, and the distance of slices. */
static void
find_lengths (Axes       *axes,
              const char *text)
{
  const char      *found   = strstr (text, "\nunit=");
  const char      *spacing = strstr (text, "\nspacing=");
  g_autofree char *unit    = NULL;

  if (! found)
    return;
  found += strlen ("\nunit=");
  unit   = g_strndup (found, strcspn (found, "\r\n"));
  axes->unit       = pixel_size_name_unit (unit);
  axes->lengths[2] = spacing ? g_ascii_strtod (spacing + strlen ("\nspacing="), NULL) : 0.0;
}

static gboolean
read_imagej (Axes       *axes,
             const char *text,
             int         n_pages)
{
  axes->n_series   = 1;
  axes->n_channels = find_number (text, "channels");
  axes->n_slices   = find_number (text, "slices");
  axes->n_frames   = find_number (text, "frames");
  if (! make_planes (axes) || axes->n_channels * axes->n_slices * axes->n_frames != n_pages)
    return FALSE;

  for (int page = 0; page < n_pages; page++)
    axes->pages[page] = page;
  find_lengths (axes, text);
  return TRUE;
}


/*  OME  */

/**
 * Ome:
 * @wanted: the series that is read
 * @n_found: series found so far
 * @order: of the axes, such as "XYCZT"
 * @samples: of a pixel, which are one channel of the file
 * @failed: whether the description does not fit the file
 */
typedef struct
{
  Axes     *axes;
  int       wanted;
  int       n_found;
  int       n_pages;
  char      order[6];
  int       samples;
  gboolean  failed;
} Ome;

static const char *
find_attribute (const char **names,
                const char **values,
                const char  *name)
{
  for (int i = 0; names[i]; i++)
    if (strcmp (names[i], name) == 0)
      return values[i];
  return NULL;
}

static int
find_integer (const char **names,
              const char **values,
              const char  *name,
              int          otherwise)
{
  const char *value = find_attribute (names, values, name);

  return value ? (int) CLAMP (g_ascii_strtoll (value, NULL, 10), 0, MAX_PLANES + 1) : otherwise;
}

/* The place of plane number @index, counted in the order of the axes from the plane at @start. */
static int
step (const Ome *ome,
      const int  start[3],
      int        index)
{
  const Axes *axes       = ome->axes;
  const int   lengths[3] = { axes->n_channels, axes->n_slices, axes->n_frames };
  int         at[3]      = { start[0], start[1], start[2] };

  for (int i = 2; i < 5; i++)
    {
      const int axis = ome->order[i] == 'C' ? 0 : ome->order[i] == 'Z' ? 1 : 2;

      index   += at[axis];
      at[axis] = index % lengths[axis];
      index   /= lengths[axis];
    }
  return index == 0 ? find_plane (axes, at[0], at[1], at[2]) : -1;
}

static void
list_planes (Ome         *ome,
             const char **names,
             const char **values)
{
  const int start[3] = { find_integer (names, values, "FirstC", 0) / ome->samples,
                         find_integer (names, values, "FirstZ", 0),
                         find_integer (names, values, "FirstT", 0) };
  const int page     = find_integer (names, values, "IFD", 0);
  const int n        = find_integer (names, values, "PlaneCount",
                                     find_attribute (names, values, "IFD") ? 1 : ome->n_pages);

  if (start[0] >= ome->axes->n_channels || start[1] >= ome->axes->n_slices ||
      start[2] >= ome->axes->n_frames)
    {
      ome->failed = TRUE;
      return;
    }
  for (int i = 0; i < n && page + i < ome->n_pages; i++)
    {
      const int plane = step (ome, start, i);

      if (plane >= 0)
        ome->axes->pages[plane] = page + i;
    }
}

/* Without a unit it is a micrometer. */
static void
find_sizes (Axes        *axes,
            const char **names,
            const char **values)
{
  static const char * const sizes[] = { "PhysicalSizeX", "PhysicalSizeY", "PhysicalSizeZ" };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *key    = g_strconcat (sizes[i], "Unit", NULL);
      const char      *length = find_attribute (names, values, sizes[i]);
      const char      *unit   = find_attribute (names, values, key);

      axes->lengths[i] = length ? g_ascii_strtod (length, NULL) : 0.0;
      if (isfinite (axes->lengths[i]) && axes->lengths[i] > 0.0)
        axes->units[i] = pixel_size_name_unit (unit ? unit : "um");
    }
}

static void
begin_pixels (Ome         *ome,
              const char **names,
              const char **values)
{
  const char *order = find_attribute (names, values, "DimensionOrder");

  ome->samples = 1;
  if (ome->n_found++ != ome->wanted)
    return;

  g_strlcpy (ome->order, order ? order : "XYCZT", sizeof ome->order);
  find_sizes (ome->axes, names, values);
  ome->axes->n_channels = find_integer (names, values, "SizeC", 1);
  ome->axes->n_slices   = find_integer (names, values, "SizeZ", 1);
  ome->axes->n_frames   = find_integer (names, values, "SizeT", 1);
  ome->failed = strlen (ome->order) != 5 || ! strchr (ome->order, 'C') ||
                ! strchr (ome->order, 'Z') || ! strchr (ome->order, 'T') ||
                ! make_planes (ome->axes);
}

/* Colour: the samples of a pixel are one plane, which libvips reads as bands. */
static void
begin_channel (Ome         *ome,
               const char **names,
               const char **values)
{
  const int samples = find_integer (names, values, "SamplesPerPixel", 1);

  if (samples <= 1 || samples > ome->axes->n_channels)
    return;
  ome->samples           = samples;
  ome->axes->n_channels /= samples;
  g_free (ome->axes->pages);
  ome->failed = ! make_planes (ome->axes);
}

static void
begin_element (GMarkupParseContext  *context,
               const char           *name,
               const char          **names,
               const char          **values,
               gpointer              data,
               GError              **error)
{
  Ome        *ome   = data;
  const char *colon = strchr (name, ':');
  const char *local = colon ? colon + 1 : name;

  if (ome->failed)
    return;
  if (strcmp (local, "Pixels") == 0)
    begin_pixels (ome, names, values);
  else if (ome->n_found != ome->wanted + 1)
    return;
  else if (strcmp (local, "Channel") == 0 && ome->samples == 1)
    begin_channel (ome, names, values);
  else if (strcmp (local, "TiffData") == 0)
    list_planes (ome, names, values);
}

static gboolean
read_ome (Axes       *axes,
          const char *text,
          int         n_pages,
          int         series)
{
  static const GMarkupParser parser = { .start_element = begin_element };
  Ome                  ome     = { .axes = axes, .wanted = series, .n_pages = n_pages,
                                   .samples = 1 };
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, &ome, NULL);
  const gboolean       parsed  = g_markup_parse_context_parse (context, text, -1, NULL) &&
                                 g_markup_parse_context_end_parse (context, NULL);

  g_markup_parse_context_free (context);
  axes->n_series = ome.n_found;
  return parsed && ! ome.failed && ome.n_found > 0;
}


/**
 * axes_find:
 * @axes: filled; to be cleared whatever the result
 * @description: the description of the file's first page
 * @n_pages: pages of the file
 * @series: the image of the file that is read, from 0
 *
 * Returns: whether @description describes axes; if @series is not less than the number of series
 *   there are no planes
 */
gboolean
axes_find (Axes       *axes,
           const char *description,
           int         n_pages,
           int         series)
{
  gboolean found = FALSE;

  memset (axes, 0, sizeof *axes);
  if (g_str_has_prefix (description, "ImageJ="))
    found = read_imagej (axes, description, n_pages);
  else if (strstr (description, "<OME") || strstr (description, ":OME"))
    found = read_ome (axes, description, n_pages, series);
  if (! found)
    axes_clear (axes);
  return found;
}

/**
 * axes_get_page:
 * @axes: the axes of a file
 * @channel: less than their number, as the others
 * @slice: along z
 * @frame: along time
 *
 * Returns: the page that holds this plane, or −1
 */
int
axes_get_page (const Axes *axes,
               int         channel,
               int         slice,
               int         frame)
{
  return axes->pages[find_plane (axes, channel, slice, frame)];
}

void
axes_clear (Axes *axes)
{
  g_free (axes->pages);
  memset (axes, 0, sizeof *axes);
}
