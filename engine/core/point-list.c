/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A list whose entries have a kind and points, and its text.  Corrections
 * (correction/corrections.c) and strokes of markers (marker/strokes.c) are such lists.  The text is
 * JSON (RFC 8259) of this form only:
 *
 *   list    [ entry, … ]
 *   entry   { name: [ point, … ] }  or, in a form with widths,  { name: [ point, … ], "width": n }
 *   point   [ column, row ]  or  [ column, row, slice ]
 *
 * Columns and rows are whole numbers from −(2²⁴ − 1) to 2²⁴ − 1, slices from 0 on, widths from 1
 * on; digits spell them, after a sign if they are negative: a layer may begin left of the image and
 * above it.  A width of 1 is not printed.  The list is printed without spaces within an entry, so
 * that a text that was printed is printed again as it was.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "point-list.h"

#define HIGHEST_PLACE ((1 << 24) - 1)

/* A text of more points is refused: a hand does not make them. */
#define MOST_POINTS 100000


/*  The list  */

void
wf_point_list_init (WfPointList *list)
{
  list->entries = g_array_new (FALSE, FALSE, sizeof (WfPointEntry));
  list->points  = g_array_new (FALSE, FALSE, sizeof (WfPixelPlace));
}

/* @copy: not initialized */
void
wf_point_list_copy (const WfPointList *list,
                    WfPointList       *copy)
{
  copy->entries = g_array_copy (list->entries);
  copy->points  = g_array_copy (list->points);
}

void
wf_point_list_clear (WfPointList *list)
{
  g_array_unref (list->entries);
  g_array_unref (list->points);
}

static gint64
limit_place (gint64 place)
{
  return CLAMP (place, -HIGHEST_PLACE, HIGHEST_PLACE);
}

/* Places beyond the range become its ends. */
void
wf_point_list_add (WfPointList        *list,
                   guint               kind,
                   int                 width,
                   const WfPixelPlace *points,
                   guint               n_points)
{
  const WfPointEntry entry = { kind, width, list->points->len, n_points };

  for (guint i = 0; i < n_points; i++)
    {
      const WfPixelPlace place = { limit_place (points[i].x), limit_place (points[i].y),
                                   limit_place (points[i].z) };

      g_array_append_val (list->points, place);
    }
  g_array_append_val (list->entries, entry);
}

void
wf_point_list_truncate (WfPointList *list,
                        guint        n)
{
  if (n < list->entries->len)
    g_array_set_size (list->points, g_array_index (list->entries, WfPointEntry, n).first);
  g_array_set_size (list->entries, n);
}

/* The pixel at @scale that holds the middle of one, within the range of places. */
static gint64
transform_place (gint64 place,
                 double scale,
                 gint64 first)
{
  const double moved = floor (((double) place + 0.5) * scale) - (double) first;

  return (gint64) CLAMP (moved, (double) -HIGHEST_PLACE, (double) HIGHEST_PLACE);
}

/* To a part of the image, or a smaller copy of its slices, from (@x, @y, @z) of the image at @scale
 * on; widths are rounded, within 1 and @widest.
 */
void
wf_point_list_transform (WfPointList *list,
                         int          widest,
                         double       scale,
                         gint64       x,
                         gint64       y,
                         gint64       z)
{
  for (guint i = 0; i < list->points->len; i++)
    {
      WfPixelPlace *place = &g_array_index (list->points, WfPixelPlace, i);

      place->x = transform_place (place->x, scale, x);
      place->y = transform_place (place->y, scale, y);
      place->z = transform_place (place->z, 1, z);
    }
  for (guint i = 0; i < list->entries->len; i++)
    {
      WfPointEntry *entry = &g_array_index (list->entries, WfPointEntry, i);

      entry->width = (int) CLAMP (floor (entry->width * scale + 0.5), 1, widest);
    }
}


/*  Printing  */

/* Slices are not negative. */
char *
wf_point_list_print (const WfPointList *list,
                     const WfPointForm *form)
{
  GString *text = g_string_new ("[");

  for (guint i = 0; i < list->entries->len; i++)
    {
      const WfPixelPlace *points;
      const WfPointEntry *entry = wf_point_list_get (list, i, &points);

      g_string_append_printf (text, "%s{\"%s\":[", i > 0 ? ", " : "", form->names[entry->kind]);
      for (guint k = 0; k < entry->n; k++)
        {
          g_string_append_printf (text, "%s[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT,
                                  k > 0 ? "," : "", points[k].x, points[k].y);
          if (points[k].z != 0)
            g_string_append_printf (text, ",%" G_GINT64_FORMAT, points[k].z);
          g_string_append_c (text, ']');
        }
      g_string_append_c (text, ']');
      if (entry->width != 1)
        g_string_append_printf (text, ",\"width\":%d", entry->width);
      g_string_append_c (text, '}');
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}


/*  Parsing  */

/**
 * Reader:
 * @start: the text
 * @at: what comes next
 */
typedef struct
{
  const WfPointForm *form;
  const char        *start;
  const char        *at;
} Reader;

static gboolean
refuse (const Reader  *reader,
        const char    *wanted,
        GError       **error)
{
  reader->form->refuse ((guint) (reader->at - reader->start) + 1, wanted, error);
  return FALSE;
}

static char
look (Reader *reader)
{
  reader->at += strspn (reader->at, " \t\r\n");
  return *reader->at;
}

static gboolean
take (Reader  *reader,
      char     sign,
      GError **error)
{
  const char wanted[] = { sign, '\0' };

  if (look (reader) != sign)
    return refuse (reader, wanted, error);
  reader->at++;
  return TRUE;
}

/* Whether an array goes on: after a comma, or before its end, which is taken. */
static gboolean
take_next (Reader    *reader,
           gboolean  *more,
           GError   **error)
{
  *more = look (reader) == ',';
  if (*more)
    {
      reader->at++;
      return TRUE;
    }
  return take (reader, ']', error);
}

static gboolean
take_number (Reader  *reader,
             gint64  *number,
             GError **error)
{
  const char *first = (look (reader), reader->at);

  *number = 0;
  while (g_ascii_isdigit (*reader->at) && *number <= HIGHEST_PLACE)
    *number = *number * 10 + (*reader->at++ - '0');
  if (reader->at > first && *number <= HIGHEST_PLACE && (*first != '0' || reader->at == first + 1))
    return TRUE;
  reader->at = first;
  /* TRANSLATORS: stands for a number in a text */
  return refuse (reader, _("whole number"), error);
}

static gboolean
take_place (Reader  *reader,
            gint64  *place,
            GError **error)
{
  const gboolean negative = look (reader) == '-' && g_ascii_isdigit (reader->at[1]);

  reader->at += negative ? 1 : 0;
  if (! take_number (reader, place, error))
    return FALSE;
  *place = negative ? -*place : *place;
  return TRUE;
}

static gboolean
take_name (Reader   *reader,
           guint    *kind,
           GError  **error)
{
  const WfPointForm *form = reader->form;

  if (look (reader) != '"')
    return refuse (reader, "\"", error);
  for (guint i = 0; i < form->n_names; i++)
    {
      const gsize length = strlen (form->names[i]);

      if (strncmp (reader->at + 1, form->names[i], length) == 0 && reader->at[length + 1] == '"')
        {
          reader->at += length + 2;
          *kind       = i;
          return TRUE;
        }
    }
  return refuse (reader, form->expected, error);
}

static gboolean
take_point (Reader        *reader,
            WfPixelPlace  *place,
            GError       **error)
{
  gboolean more;

  *place = (WfPixelPlace) { 0 };
  return take (reader, '[', error) &&
         take_place (reader, &place->x, error) &&
         take (reader, ',', error) &&
         take_place (reader, &place->y, error) &&
         take_next (reader, &more, error) &&
         (! more || (take_number (reader, &place->z, error) && take (reader, ']', error)));
}

/* What may follow the points. */
static gboolean
take_width (Reader  *reader,
            int     *width,
            GError **error)
{
  static const char name[] = "\"width\"";
  const char       *first;
  gint64            number;

  *width = 1;
  if (reader->form->widest == 0 || look (reader) != ',')
    return TRUE;
  reader->at++;
  look (reader);
  if (strncmp (reader->at, name, strlen (name)) != 0)
    return refuse (reader, name, error);
  reader->at += strlen (name);
  if (! take (reader, ':', error))
    return FALSE;
  look (reader);
  first = reader->at;
  if (! take_number (reader, &number, error))
    return FALSE;
  if (number < 1 || number > reader->form->widest)
    {
      g_autofree char *range = g_strdup_printf ("1…%d", reader->form->widest);

      reader->at = first;
      return refuse (reader, range, error);
    }
  *width = (int) number;
  return TRUE;
}

static gboolean
take_entry (Reader       *reader,
            WfPointList  *list,
            GArray       *points,
            GError      **error)
{
  gboolean more = TRUE;
  guint    kind;
  int      width;

  g_array_set_size (points, 0);
  if (! take (reader, '{', error) ||
      ! take_name (reader, &kind, error) ||
      ! take (reader, ':', error) ||
      ! take (reader, '[', error))
    return FALSE;
  while (more)
    {
      WfPixelPlace place;

      if (! take_point (reader, &place, error) || ! take_next (reader, &more, error))
        return FALSE;
      g_array_append_val (points, place);
      if (list->points->len + points->len > MOST_POINTS)
        {
          reader->form->refuse_points (MOST_POINTS, error);
          return FALSE;
        }
    }
  if (! take_width (reader, &width, error))
    return FALSE;
  wf_point_list_add (list, kind, width, (const WfPixelPlace *) (gpointer) points->data,
                     points->len);
  return take (reader, '}', error);
}

/* Appends the entries of @text to @list; %FALSE with %WF_ERROR_INVALID if it is no list. */
gboolean
wf_point_list_parse (WfPointList        *list,
                     const WfPointForm  *form,
                     const char         *text,
                     GError            **error)
{
  Reader             reader = { form, text, text };
  g_autoptr (GArray) points = g_array_new (FALSE, FALSE, sizeof (WfPixelPlace));
  gboolean           more;

  if (! take (&reader, '[', error))
    return FALSE;
  more = look (&reader) != ']';
  reader.at += more ? 0 : 1;
  while (more)
    if (! take_entry (&reader, list, points, error) || ! take_next (&reader, &more, error))
      return FALSE;
  /* TRANSLATORS: what is expected at the end of a text */
  return look (&reader) == '\0' || refuse (&reader, _("end"), error);
}
