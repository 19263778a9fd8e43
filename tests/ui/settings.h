/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

#include "wavefront.h"

G_BEGIN_DECLS

#define TYPE_SETTINGS (settings_get_type ())
G_DECLARE_FINAL_TYPE (Settings, settings, , SETTINGS, GObject)

GObject * settings_new      (void);
char *    settings_get_text (GObject    *settings,
                             const char *name);

G_END_DECLS
