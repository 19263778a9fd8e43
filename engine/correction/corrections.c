/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of corrections, and its text (core/point-list.c). */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/core/point-list.h"

static const char *const names[] =
{
  [WF_CORRECTION_JOIN]       = "join",
  [WF_CORRECTION_JOIN_ALONG] = "join-along",
  [WF_CORRECTION_SPLIT]      = "split",
  [WF_CORRECTION_DELETE]     = "delete",
  [WF_CORRECTION_KEEP]       = "keep",
  [WF_CORRECTION_SEED]       = "seed",
};

struct _WfCorrections
{
  WfPointList list;
};


static void
refuse (guint        place,
        const char  *expected,
        GError     **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               /* TRANSLATORS: of a text in JSON; the second is a sign such as “[”, or a word */
               _("The list of corrections is wrong at character %u: “%s” is expected."), place,
               expected);
}

static void
refuse_points (int      most,
               GError **error)
{
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The list of corrections has more than %d points."), most);
}

static const WfPointForm form =
{
  .names         = names,
  .n_names       = G_N_ELEMENTS (names),
  .expected      = "join|join-along|split|delete|keep|seed",
  .refuse        = refuse,
  .refuse_points = refuse_points,
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

  wf_point_list_init (&corrections->list);
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

  copy = g_new0 (WfCorrections, 1);
  wf_point_list_copy (&corrections->list, &copy->list);
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
  wf_point_list_clear (&corrections->list);
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

  return corrections->list.entries->len;
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
  const WfPointEntry *entry;

  g_return_val_if_fail (corrections != NULL && i < corrections->list.entries->len,
                        WF_CORRECTION_JOIN);

  entry     = wf_point_list_get (&corrections->list, i, points);
  *n_points = entry->n;
  return (WfCorrectionKind) entry->kind;
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
  g_return_if_fail (corrections != NULL && points != NULL && n_points > 0);
  g_return_if_fail ((guint) kind < G_N_ELEMENTS (names));

  wf_point_list_add (&corrections->list, kind, 1, points, n_points);
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
  g_return_if_fail (corrections != NULL && n <= corrections->list.entries->len);

  wf_point_list_truncate (&corrections->list, n);
}

/**
 * wf_corrections_transform:
 * @corrections: a list
 * @scale: pixels of the result for a pixel, above 0
 * @x: the first column of the part, in pixels of the result
 * @y: its first row
 * @z: its first slice
 *
 * Moves the corrections to a part of the image, or to a smaller copy of its slices.
 *
 * Returns: (transfer full): a list of as many corrections
 */
WfCorrections *
wf_corrections_transform (const WfCorrections *corrections,
                          double               scale,
                          gint64               x,
                          gint64               y,
                          gint64               z)
{
  WfCorrections *moved;

  g_return_val_if_fail (corrections != NULL && scale > 0, NULL);

  moved = wf_corrections_copy (corrections);
  wf_point_list_transform (&moved->list, 1, scale, x, y, z);
  return moved;
}


/*  The text  */

/**
 * wf_corrections_print:
 * @corrections: a list, without negative slices
 *
 * Writes it as JSON; see the top of point-list.c.
 *
 * Returns: (transfer full): the text
 */
char *
wf_corrections_print (const WfCorrections *corrections)
{
  g_return_val_if_fail (corrections != NULL, NULL);

  return wf_point_list_print (&corrections->list, &form);
}

/**
 * wf_corrections_parse:
 * @text: JSON, as wf_corrections_print() writes it, or spaced otherwise
 * @error: %WF_ERROR_INVALID, with the place in the text
 *
 * Reads a list; see the top of point-list.c.
 *
 * Returns: (transfer full): the list, or %NULL with @error set
 */
WfCorrections *
wf_corrections_parse (const char  *text,
                      GError     **error)
{
  g_autoptr (WfCorrections) corrections = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  corrections = wf_corrections_new ();
  return wf_point_list_parse (&corrections->list, &form, text, error)
         ? g_steal_pointer (&corrections) : NULL;
}
