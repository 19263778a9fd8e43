/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of strokes that draw markers, and its text (core/point-list.c); drawing.c defines their
 * pixels.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "strokes.h"

static const char *const names[] =
{
  [WF_STROKE_OBJECT]     = "object",
  [WF_STROKE_BACKGROUND] = "background",
  [WF_STROKE_ERASE]      = "erase",
};

static void
refuse (guint        place,
        const char  *expected,
        GError     **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               /* TRANSLATORS: of a text in JSON; the second is a sign such as “[”, or a word */
               _("The list of strokes is wrong at character %u: “%s” is expected."), place,
               expected);
}

static void
refuse_points (int      most,
               GError **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The list of strokes has more than %d points."), most);
}

static const WfPointForm form =
{
  .names         = names,
  .n_names       = G_N_ELEMENTS (names),
  .expected      = "object|background|erase",
  .widest        = WF_WIDEST_STROKE,
  .refuse        = refuse,
  .refuse_points = refuse_points,
};


/*  The list  */

/**
 * wf_strokes_new:
 *
 * Makes a list.
 *
 * Returns: (transfer full): an empty one
 */
WfStrokes *
wf_strokes_new (void)
{
  WfStrokes *strokes = g_new0 (WfStrokes, 1);

  wf_point_list_init (&strokes->list);
  return strokes;
}

/**
 * wf_strokes_copy:
 * @strokes: a list
 *
 * Copies it.
 *
 * Returns: (transfer full): the copy
 */
WfStrokes *
wf_strokes_copy (const WfStrokes *strokes)
{
  WfStrokes *copy;

  g_return_val_if_fail (strokes != NULL, NULL);

  copy = g_new0 (WfStrokes, 1);
  wf_point_list_copy (&strokes->list, &copy->list);
  return copy;
}

/**
 * wf_strokes_free:
 * @strokes: (transfer full) (nullable): a list
 *
 * Frees it.
 */
void
wf_strokes_free (WfStrokes *strokes)
{
  if (! strokes)
    return;
  wf_point_list_clear (&strokes->list);
  g_free (strokes);
}

/**
 * wf_strokes_get_n:
 * @strokes: a list
 *
 * Counts them.
 *
 * Returns: how many strokes there are
 */
guint
wf_strokes_get_n (const WfStrokes *strokes)
{
  g_return_val_if_fail (strokes != NULL, 0);

  return strokes->list.entries->len;
}

/**
 * wf_strokes_get:
 * @strokes: a list
 * @i: which of them, from 0
 * @width: (out) (optional): its width in pixels
 * @points: (out) (transfer none) (array length=n_points): its points
 * @n_points: (out): how many they are, at least 1
 *
 * Gets a stroke.
 *
 * Returns: its kind
 */
WfStrokeKind
wf_strokes_get (const WfStrokes     *strokes,
                guint                i,
                int                 *width,
                const WfPixelPlace **points,
                guint               *n_points)
{
  const WfPointEntry *entry;

  g_return_val_if_fail (strokes != NULL && i < strokes->list.entries->len, WF_STROKE_OBJECT);

  entry     = wf_point_list_get (&strokes->list, i, points);
  *n_points = entry->n;
  if (width)
    *width = entry->width;
  return (WfStrokeKind) entry->kind;
}

/**
 * wf_strokes_add:
 * @strokes: a list
 * @kind: what is drawn
 * @width: in pixels, from 1 to 1000
 * @points: (array length=n_points): where; ±(2²⁴ − 1) stand for what is further out
 * @n_points: how many points there are, at least 1
 *
 * Adds a stroke at the end.
 */
void
wf_strokes_add (WfStrokes          *strokes,
                WfStrokeKind        kind,
                int                 width,
                const WfPixelPlace *points,
                guint               n_points)
{
  g_return_if_fail (strokes != NULL && points != NULL && n_points > 0);
  g_return_if_fail ((guint) kind < G_N_ELEMENTS (names));
  g_return_if_fail (width >= 1 && width <= WF_WIDEST_STROKE);

  wf_point_list_add (&strokes->list, kind, width, points, n_points);
}

/**
 * wf_strokes_truncate:
 * @strokes: a list
 * @n: how many strokes stay, at most as many as there are
 *
 * Drops the last ones.
 */
void
wf_strokes_truncate (WfStrokes *strokes,
                     guint      n)
{
  g_return_if_fail (strokes != NULL && n <= strokes->list.entries->len);

  wf_point_list_truncate (&strokes->list, n);
}

/**
 * wf_strokes_transform:
 * @strokes: a list
 * @scale: pixels of the result for a pixel, above 0
 * @x: the first column of the part, in pixels of the result
 * @y: its first row
 * @z: its first slice
 *
 * Moves the strokes to a part of the image, or to a copy of its slices of another size, where their
 * widths are rounded, within 1 and 1000.
 *
 * Returns: (transfer full): a list of as many strokes
 */
WfStrokes *
wf_strokes_transform (const WfStrokes *strokes,
                      double           scale,
                      gint64           x,
                      gint64           y,
                      gint64           z)
{
  WfStrokes *moved;

  g_return_val_if_fail (strokes != NULL && scale > 0, NULL);

  moved = wf_strokes_copy (strokes);
  wf_point_list_transform (&moved->list, WF_WIDEST_STROKE, scale, x, y, z);
  return moved;
}


/*  The text  */

/**
 * wf_strokes_print:
 * @strokes: a list, without negative slices
 *
 * Writes it as JSON; see the top of point-list.c.
 *
 * Returns: (transfer full): the text
 */
char *
wf_strokes_print (const WfStrokes *strokes)
{
  g_return_val_if_fail (strokes != NULL, NULL);

  return wf_point_list_print (&strokes->list, &form);
}

/**
 * wf_strokes_parse:
 * @text: JSON, as wf_strokes_print() writes it, or spaced otherwise
 * @error: %WF_ERROR_INVALID, with the place in the text
 *
 * Reads a list; see the top of point-list.c.
 *
 * Returns: (transfer full): the list, or %NULL with @error set
 */
WfStrokes *
wf_strokes_parse (const char  *text,
                  GError     **error)
{
  g_autoptr (WfStrokes) strokes = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  strokes = wf_strokes_new ();
  return wf_point_list_parse (&strokes->list, &form, text, error) ? g_steal_pointer (&strokes)
                                                                   : NULL;
}
