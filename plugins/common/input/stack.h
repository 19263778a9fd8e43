/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

G_BEGIN_DECLS

GPtrArray * wf_stack_find_slices (GimpImage     *image,
                                  GimpDrawable **drawables,
                                  GError       **error);
GPtrArray * wf_stack_list_group  (GimpGroupLayer *group);
gboolean    wf_stack_check       (GPtrArray     *slices,
                                  GError       **error);
char *      wf_stack_get_name    (GimpImage     *image,
                                  GPtrArray     *slices);

G_END_DECLS
