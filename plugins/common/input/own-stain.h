/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "level-picker.h"

G_BEGIN_DECLS

/* The name of the argument with the stain's colors. */
#define WF_OWN_STAIN "stain"

gboolean        wf_own_stain_choose (int            source,
                                     const char    *text,
                                     WfComponent   *component,
                                     GError       **error);
const WfStain * wf_own_stain_get    (WfComponent    component);

const char *    wf_own_stain_get_label (void);
const char *    wf_own_stain_get_blurb (void);

G_END_DECLS
