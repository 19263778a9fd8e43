/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

char * wf_help_find_page (const char *procedure);
void   wf_help_connect   (GtkDialog  *dialog,
                          const char *page);

G_END_DECLS
