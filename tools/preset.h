/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Options that a preset of the watershed gives. */

#pragma once

#include "arguments.h"

const WfWatershedPreset * preset_get       (const Arguments          *arguments);
gboolean                  preset_apply     (Arguments                *arguments,
                                            GError                  **error);
double                    preset_tolerance (const WfWatershedPreset  *preset,
                                            WfType                    type);
char *                    preset_spell     (const WfWatershedPreset  *preset);
