/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pixelwise steps of the operations by reconstruction. */

#pragma once

#include "engine/core/tasks.h"

/**
 * WfPixelSteps:
 * @move: lowers levels by a height, or raises them, within the type's range: integers by its
 *   whole part, floats in double precision, rounded once
 * @step: replaces levels by the type's next lower, or next higher, value
 * @fill: sets all pixels to the type's least, or greatest, value
 * @differ: sets @target to |@a − @b|, to +0 where they are equal
 * @tell_apart: sets @target to 255 where @a and @b differ, to 0 elsewhere
 * @impose: sets @marker and @mask to the type's least value where @marked is not 0;
 *   elsewhere @marker to its greatest and @mask to the next above the level
 * @keep_least: sets all pixels but those of the type's least value to its greatest
 * @is_all_extreme: whether all pixels are the type's least, or greatest, value
 *
 * Each works on a row of @n pixels.
 */
typedef struct
{
  void     (* move)           (gconstpointer levels, gint64 n, double height, gboolean raise,
                               gpointer target);
  void     (* step)           (gconstpointer levels, gint64 n, gboolean raise, gpointer target);
  void     (* fill)           (gpointer target, gint64 n, gboolean greatest);
  void     (* differ)         (gconstpointer a, gconstpointer b, gint64 n, gpointer target);
  void     (* tell_apart)     (gconstpointer a, gconstpointer b, gint64 n, guint8 *target);
  void     (* impose)         (gconstpointer levels, const guint8 *marked, gint64 n,
                               gpointer marker, gpointer mask);
  void     (* keep_least)     (gconstpointer levels, gint64 n, gpointer target);
  gboolean (* is_all_extreme) (gconstpointer levels, gint64 n, gboolean greatest);
} WfPixelSteps;

const WfPixelSteps * wf_pixel_steps (WfType         type);
void                 wf_find_marked (const WfImage *markers,
                                     gint64         x,
                                     gint64         row,
                                     gint64         n,
                                     guint8        *marked);
void                 wf_tell_marks  (const guint8  *marks,
                                     gint64         n,
                                     guint8        *target);
