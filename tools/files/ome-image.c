/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Of the description of OME-TIFF what says which image it is.  What says where its planes are is
 * read by axes.c.
 */

#include "config.h"

#include <string.h>

#include "ome-image.h"

/**
 * Reader:
 * @image: filled
 * @series: the image that is read, from 0
 * @channel: of it, likewise
 * @n_images: found so far
 * @n_channels: of the image that is read, found so far
 * @text: (nullable): of the date, while it is read
 */
typedef struct
{
  OmeImage *image;
  int       series;
  int       channel;
  int       n_images;
  int       n_channels;
  GString  *text;
} Reader;

/* There is one process, hence one state. */
static OmeImage noted;
static gboolean is_noted;


/* Control characters cannot be written to XML. */
static gboolean
is_text (const char *text)
{
  for (; *text; text = g_utf8_next_char (text))
    if (g_unichar_iscntrl (g_utf8_get_char (text)))
      return FALSE;
  return TRUE;
}

static void
take_name (char       **to,
           const char **names,
           const char **values)
{
  for (int i = 0; names[i]; i++)
    if (! *to && strcmp (names[i], "Name") == 0 && values[i][0] != '\0' && is_text (values[i]))
      *to = g_strdup (values[i]);
}

static void
begin_element (GMarkupParseContext  *context,
               const char           *name,
               const char          **names,
               const char          **values,
               gpointer              data,
               GError              **error)
{
  Reader     *reader = data;
  const char *colon  = strchr (name, ':');
  const char *local  = colon ? colon + 1 : name;

  if (strcmp (local, "Image") == 0)
    reader->n_images++;
  if (reader->n_images != reader->series + 1)
    return;
  if (strcmp (local, "Image") == 0)
    take_name (&reader->image->name, names, values);
  else if (strcmp (local, "Channel") == 0 && reader->n_channels++ == reader->channel)
    take_name (&reader->image->channel, names, values);
  else if (strcmp (local, "AcquisitionDate") == 0 && ! reader->image->date && ! reader->text)
    reader->text = g_string_new (NULL);
}

static void
read_text (GMarkupParseContext  *context,
           const char           *text,
           gsize                 n,
           gpointer              data,
           GError              **error)
{
  Reader *reader = data;

  if (reader->text)
    g_string_append_len (reader->text, text, (gssize) n);
}

/* A date without a time zone is one, too. */
static void
end_element (GMarkupParseContext  *context,
             const char           *name,
             gpointer              data,
             GError              **error)
{
  Reader               *reader = data;
  g_autofree char      *text   = NULL;
  g_autoptr (GTimeZone) utc    = NULL;
  g_autoptr (GDateTime) date   = NULL;

  if (! reader->text)
    return;
  text         = g_strstrip (g_string_free (reader->text, FALSE));
  reader->text = NULL;
  utc          = g_time_zone_new_utc ();
  date         = g_date_time_new_from_iso8601 (text, utc);
  if (date)
    reader->image->date = g_steal_pointer (&text);
}

static void
read_description (OmeImage   *image,
                  const char *description,
                  int         series,
                  int         channel)
{
  static const GMarkupParser parser = { begin_element, end_element, read_text, NULL, NULL };
  Reader               reader  = { .image = image, .series = series, .channel = channel };
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, &reader, NULL);

  /* of one that breaks off, what is there */
  g_markup_parse_context_parse (context, description, -1, NULL);
  g_markup_parse_context_free (context);
  if (reader.text)
    g_string_free (reader.text, TRUE);
}

/**
 * ome_image_note:
 * @description: of a TIFF input, whatever it is
 * @series: the image of it that is read, from 0
 * @channel: the channel of that, likewise
 *
 * That of the first one counts, which is the image.
 */
void
ome_image_note (const char *description,
                int         series,
                int         channel)
{
  if (is_noted)
    return;
  is_noted = TRUE;
  if (strstr (description, "<OME") || strstr (description, ":OME"))
    read_description (&noted, description, series, channel);
}

/**
 * ome_image_get:
 *
 * Returns: that of the results
 */
const OmeImage *
ome_image_get (void)
{
  return &noted;
}

/**
 * ome_image_is_any:
 *
 * Returns: whether anything is known of the image of the results
 */
gboolean
ome_image_is_any (void)
{
  return noted.name || noted.date || noted.channel;
}

/**
 * ome_image_forget:
 *
 * Before another image is read, which has nothing to do with this one.
 */
void
ome_image_forget (void)
{
  g_free (noted.name);
  g_free (noted.date);
  g_free (noted.channel);
  noted    = (OmeImage) { NULL };
  is_noted = FALSE;
}
