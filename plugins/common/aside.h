/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _WfAside WfAside;

WfAside * wf_aside_new   (GFunc     func,
                          gpointer  data);
void      wf_aside_free  (WfAside  *aside);

void      wf_aside_begin (WfAside  *aside,
                          gpointer  work);
void      wf_aside_wait  (WfAside  *aside);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfAside, wf_aside_free)

G_END_DECLS
