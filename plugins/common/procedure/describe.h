/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

G_BEGIN_DECLS

gboolean wf_describe_is_asked_for (int                argc,
                                   char             **argv);
int      wf_describe              (GType              plug_in_type,
                                   const char        *translations);

G_END_DECLS
