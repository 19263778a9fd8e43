/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "levels.h"

G_BEGIN_DECLS

typedef struct _WfConversions WfConversions;

WfConversions * wf_conversions_new        (const Babl     *own,
                                           WfType          type,
                                           WfComponent     component,
                                           const Babl     *colors,
                                           WfConversions  *like);
void            wf_conversions_unref      (WfConversions  *conversions);
gboolean        wf_conversions_await      (WfConversions  *conversions,
                                           gint64          until);
void            wf_conversions_get_levels (WfConversions  *conversions,
                                           gconstpointer   pixels,
                                           gsize           n,
                                           gpointer        levels);
void            wf_conversions_get_colors (WfConversions  *conversions,
                                           gconstpointer   pixels,
                                           gsize           n,
                                           gpointer        colors);

G_END_DECLS
