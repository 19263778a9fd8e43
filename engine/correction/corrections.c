/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of corrections, and its text.  The text is JSON (RFC 8259) of this form only:
 *
 *   list         [ correction, … ]
 *   correction   { name: [ point, … ] }      one of the names below
 *   point        [ column, row ]  or  [ column, row, slice ]
 *
 * Columns and rows are whole numbers from −(2²⁴ − 1) to 2²⁴ − 1, slices from 0 on; digits spell
 * them, after a sign if they are negative: a layer may begin left of the image and above it.  The
 * list is printed without spaces within a correction, so that a text that was printed is printed
 * again as it was.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "wavefront.h"

#define HIGHEST_PLACE ((1 << 24) - 1)

/* A text of more points is refused: a hand does not make them. */
#define MOST_POINTS 100000

static const char *const names[] =
{
  [WF_CORRECTION_JOIN]       = "join",
  [WF_CORRECTION_JOIN_ALONG] = "join-along",
  [WF_CORRECTION_SPLIT]      = "split",
  [WF_CORRECTION_DELETE]     = "delete",
  [WF_CORRECTION_KEEP]       = "keep",
  [WF_CORRECTION_SEED]       = "seed",
};

/**
 * Correction:
 * @first: its first point
 * @n: how many it has
 */
typedef struct
{
  WfCorrectionKind kind;
  guint            first;
  guint            n;
} Correction;

/**
 * WfCorrections:
 * @list: (element-type Correction)
 * @points: (element-type WfPixelPlace): of all, one after the other
 */
struct _WfCorrections
{
  GArray *list;
  GArray *points;
};


/*  The list  */

/**
 * wf_corrections_new:
 *
 * Makes a list.
 *
 * Returns: (transfer full): an empty one
 */
WfCorrections *
wf_corrections_new (void)
{
  WfCorrections *corrections = g_new0 (WfCorrections, 1);

  corrections->list   = g_array_new (FALSE, FALSE, sizeof (Correction));
  corrections->points = g_array_new (FALSE, FALSE, sizeof (WfPixelPlace));
  return corrections;
}

/**
 * wf_corrections_copy:
 * @corrections: a list
 *
 * Copies it.
 *
 * Returns: (transfer full): the copy
 */
WfCorrections *
wf_corrections_copy (const WfCorrections *corrections)
{
  WfCorrections *copy;

  g_return_val_if_fail (corrections != NULL, NULL);

  copy         = g_new0 (WfCorrections, 1);
  copy->list   = g_array_copy (corrections->list);
  copy->points = g_array_copy (corrections->points);
  return copy;
}

/**
 * wf_corrections_free:
 * @corrections: (transfer full) (nullable): a list
 *
 * Frees it.
 */
void
wf_corrections_free (WfCorrections *corrections)
{
  if (! corrections)
    return;
  g_array_unref (corrections->list);
  g_array_unref (corrections->points);
  g_free (corrections);
}

/**
 * wf_corrections_get_n:
 * @corrections: a list
 *
 * Counts them.
 *
 * Returns: how many corrections there are
 */
guint
wf_corrections_get_n (const WfCorrections *corrections)
{
  g_return_val_if_fail (corrections != NULL, 0);

  return corrections->list->len;
}

/**
 * wf_corrections_get:
 * @corrections: a list
 * @i: which of them, from 0
 * @points: (out) (transfer none) (array length=n_points): its points
 * @n_points: (out): how many they are, at least 1
 *
 * Gets a correction.
 *
 * Returns: its kind
 */
WfCorrectionKind
wf_corrections_get (const WfCorrections  *corrections,
                    guint                 i,
                    const WfPixelPlace  **points,
                    guint                *n_points)
{
  const Correction *correction;

  g_return_val_if_fail (corrections != NULL && i < corrections->list->len, WF_CORRECTION_JOIN);

  correction = &g_array_index (corrections->list, Correction, i);
  *points    = &g_array_index (corrections->points, WfPixelPlace, correction->first);
  *n_points  = correction->n;
  return correction->kind;
}

static gint64
limit_place (gint64 place)
{
  return CLAMP (place, -HIGHEST_PLACE, HIGHEST_PLACE);
}

/**
 * wf_corrections_add:
 * @corrections: a list
 * @kind: what is corrected
 * @points: (array length=n_points): where; ±(2²⁴ − 1) stand for what is further out
 * @n_points: how many points there are, at least 1
 *
 * Adds a correction at the end.
 */
void
wf_corrections_add (WfCorrections      *corrections,
                    WfCorrectionKind    kind,
                    const WfPixelPlace *points,
                    guint               n_points)
{
  const Correction correction = { kind, corrections ? corrections->points->len : 0, n_points };

  g_return_if_fail (corrections != NULL && points != NULL && n_points > 0);
  g_return_if_fail ((guint) kind < G_N_ELEMENTS (names));

  for (guint i = 0; i < n_points; i++)
    {
      const WfPixelPlace place = { limit_place (points[i].x), limit_place (points[i].y),
                                   limit_place (points[i].z) };

      g_array_append_val (corrections->points, place);
    }
  g_array_append_val (corrections->list, correction);
}

/**
 * wf_corrections_truncate:
 * @corrections: a list
 * @n: how many corrections stay, at most as many as there are
 *
 * Drops the last ones.
 */
void
wf_corrections_truncate (WfCorrections *corrections,
                         guint          n)
{
  g_return_if_fail (corrections != NULL && n <= corrections->list->len);

  if (n < corrections->list->len)
    g_array_set_size (corrections->points,
                      g_array_index (corrections->list, Correction, n).first);
  g_array_set_size (corrections->list, n);
}

/* The pixel at @scale that holds the middle of one. */
static gint64
transform_place (gint64 place,
                 double scale,
                 gint64 first)
{
  return (gint64) floor (((double) place + 0.5) * scale) - first;
}

/**
 * wf_corrections_transform:
 * @corrections: a list
 * @scale: pixels of the result for a pixel, above 0
 * @x: the first column of the part, in pixels of the result
 * @y: its first row
 *
 * Moves the corrections to a part of the image, or to a smaller copy; slices stay.
 *
 * Returns: (transfer full): a list of as many corrections
 */
WfCorrections *
wf_corrections_transform (const WfCorrections *corrections,
                          double               scale,
                          gint64               x,
                          gint64               y)
{
  WfCorrections *moved;

  g_return_val_if_fail (corrections != NULL && scale > 0, NULL);

  moved = wf_corrections_copy (corrections);
  for (guint i = 0; i < moved->points->len; i++)
    {
      WfPixelPlace *place = &g_array_index (moved->points, WfPixelPlace, i);

      place->x = limit_place (transform_place (place->x, scale, x));
      place->y = limit_place (transform_place (place->y, scale, y));
    }
  return moved;
}


/*  Printing  */

/**
 * wf_corrections_print:
 * @corrections: a list, without negative slices
 *
 * Writes it as JSON; see the top of corrections.c.
 *
 * Returns: (transfer full): the text
 */
char *
wf_corrections_print (const WfCorrections *corrections)
{
  GString *text = g_string_new ("[");

  g_return_val_if_fail (corrections != NULL, g_string_free (text, FALSE));

  for (guint i = 0; i < corrections->list->len; i++)
    {
      const WfPixelPlace *points;
      guint               n;
      WfCorrectionKind    kind = wf_corrections_get (corrections, i, &points, &n);

      g_string_append_printf (text, "%s{\"%s\":[", i > 0 ? ", " : "", names[kind]);
      for (guint k = 0; k < n; k++)
        {
          g_string_append_printf (text, "%s[%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT,
                                  k > 0 ? "," : "", points[k].x, points[k].y);
          if (points[k].z != 0)
            g_string_append_printf (text, ",%" G_GINT64_FORMAT, points[k].z);
          g_string_append_c (text, ']');
        }
      g_string_append (text, "]}");
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
  const char *start;
  const char *at;
} Reader;

static gboolean
refuse (const Reader  *reader,
        const char    *wanted,
        GError       **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               /* TRANSLATORS: of a text in JSON; the second is a sign such as “[”, or a word */
               _("The list of corrections is wrong at character %u: “%s” is expected."),
               (guint) (reader->at - reader->start) + 1, wanted);
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
take_name (Reader            *reader,
           WfCorrectionKind  *kind,
           GError           **error)
{
  if (look (reader) != '"')
    return refuse (reader, "\"", error);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const gsize length = strlen (names[i]);

      if (strncmp (reader->at + 1, names[i], length) == 0 && reader->at[length + 1] == '"')
        {
          reader->at += length + 2;
          *kind       = (WfCorrectionKind) i;
          return TRUE;
        }
    }
  return refuse (reader, "join|join-along|split|delete|keep|seed", error);
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

static gboolean
take_correction (Reader         *reader,
                 WfCorrections  *corrections,
                 GArray         *points,
                 GError        **error)
{
  gboolean         more = TRUE;
  WfCorrectionKind kind;

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
    }
  wf_corrections_add (corrections, kind, (const WfPixelPlace *) (gpointer) points->data,
                      points->len);
  return take (reader, '}', error);
}

static gboolean
take_list (Reader         *reader,
           WfCorrections  *corrections,
           GArray         *points,
           GError        **error)
{
  gboolean more;

  if (! take (reader, '[', error))
    return FALSE;
  more = look (reader) != ']';
  reader->at += more ? 0 : 1;
  while (more)
    {
      if (! take_correction (reader, corrections, points, error) ||
          ! take_next (reader, &more, error))
        return FALSE;
      if (corrections->points->len > MOST_POINTS)
        {
          g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                       _("The list of corrections has more than %d points."), MOST_POINTS);
          return FALSE;
        }
    }
  /* TRANSLATORS: what is expected at the end of a text */
  return look (reader) == '\0' || refuse (reader, _("end"), error);
}

/**
 * wf_corrections_parse:
 * @text: JSON, as wf_corrections_print() writes it, or spaced otherwise
 * @error: %WF_ERROR_INVALID, with the place in the text
 *
 * Reads a list; see the top of corrections.c.
 *
 * Returns: (transfer full): the list, or %NULL with @error set
 */
WfCorrections *
wf_corrections_parse (const char  *text,
                      GError     **error)
{
  g_autoptr (WfCorrections) corrections = NULL;
  g_autoptr (GArray)        points      = NULL;
  Reader                    reader      = { text, text };

  g_return_val_if_fail (text != NULL, NULL);

  corrections = wf_corrections_new ();
  points      = g_array_new (FALSE, FALSE, sizeof (WfPixelPlace));
  return take_list (&reader, corrections, points, error) ? g_steal_pointer (&corrections) : NULL;
}
