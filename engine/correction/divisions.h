/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "correcting.h"

G_BEGIN_DECLS

/**
 * WfDivideFunc:
 * @correcting: labels
 * @label: of the object
 * @points: of the correction
 * @n_points: how many they are
 * @effective: set to %TRUE if the object is divided, else left alone
 * @error: of the correction
 *
 * Divides an object.  What becomes of its pixels depends on them and on the points only, and only
 * they change; new labels are given by wf_correcting_add().
 *
 * Returns: %FALSE with @error set
 */
typedef gboolean (* WfDivideFunc) (WfCorrecting        *correcting,
                                   guint32              label,
                                   const WfPixelPlace  *points,
                                   guint                n_points,
                                   gboolean            *effective,
                                   GError             **error);

WfDivisions * wf_divisions_new            (guint64              most_bytes);
guint64       wf_divisions_get_most_bytes (const WfDivisions   *divisions);
void          wf_divisions_take           (WfDivisions         *divisions,
                                           WfDivisions         *part,
                                           const WfBox         *box);
gboolean      wf_divisions_know           (const WfCorrecting  *correcting,
                                           WfCorrectionKind     kind,
                                           guint32              label,
                                           const WfPixelPlace  *points,
                                           guint                n_points);
void          wf_divisions_free           (WfDivisions         *divisions);
gboolean      wf_correcting_divide        (WfCorrecting        *correcting,
                                           WfCorrectionKind     kind,
                                           guint32              label,
                                           const WfPixelPlace  *points,
                                           guint                n_points,
                                           WfDivideFunc         divide,
                                           gboolean            *effective,
                                           GError             **error);

G_END_DECLS
