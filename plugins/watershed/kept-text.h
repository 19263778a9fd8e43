/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

G_BEGIN_DECLS

char * wf_kept_text_read   (GimpImage  *image,
                            const char *name);
void   wf_kept_text_write  (GimpImage  *image,
                            const char *name,
                            const char *text);
void   wf_kept_text_settle (GimpImage  *image);

G_END_DECLS
