/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "wavefront.h"

G_BEGIN_DECLS

/* Above every area; discs have a circularity of 1, single pixels one below 2. */
#define WF_HIGHEST_AREA        1e15
#define WF_HIGHEST_CIRCULARITY 10

void         wf_object_options_add_arguments (GimpProcedure          *procedure);
void         wf_object_options_repair        (GObject                *config);
gboolean     wf_object_options_limit_levels  (GObject                *config);
gboolean     wf_object_options_read          (GObject                *config,
                                              WfType                  type,
                                              WfObjectOptions        *limits,
                                              GError                **error);
const char * wf_object_options_find_limited  (const WfObjectOptions  *limits);

G_END_DECLS
