/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "argument-note.h"

G_BEGIN_DECLS

void     wf_arguments_add      (GimpProcedure         *procedure,
                                const WfOptionGroup   *group,
                                const WfArgumentNote  *notes);
void     wf_arguments_add_last (GimpProcedure         *procedure,
                                const WfOptionGroup   *group,
                                const WfArgumentNote  *notes);
gboolean wf_arguments_read     (GObject               *config,
                                const WfOptionGroup   *group,
                                WfType                 type,
                                gpointer               options,
                                GError               **error);
void     wf_arguments_repair   (GObject               *config,
                                const WfOptionGroup   *group,
                                const WfArgumentNote  *notes);

G_END_DECLS
