/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "wavefront.h"

G_BEGIN_DECLS

void         wf_object_options_add_arguments (GimpProcedure          *procedure);
void         wf_object_options_repair        (GObject                *config);
gboolean     wf_object_options_read          (GObject                *config,
                                              WfType                  type,
                                              WfObjectOptions        *limits,
                                              GError                **error);
const char * wf_object_options_find_limited  (const WfObjectOptions  *limits);

G_END_DECLS
