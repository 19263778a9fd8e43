/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _WfAside WfAside;

/**
 * WfAsideFunc:
 * @work: what was handed in
 * @first: the first of its rows that are to be done
 * @n: how many of them
 * @data: as given
 *
 * Does some rows; it is called in several threads at once, and must not ask GIMP.
 */
typedef void (* WfAsideFunc) (gpointer work,
                              int      first,
                              int      n,
                              gpointer data);

WfAside * wf_aside_new   (WfAsideFunc  func,
                          gsize        width,
                          gpointer     data);
void      wf_aside_free  (WfAside     *aside);

void      wf_aside_begin (WfAside     *aside,
                          gpointer     work,
                          int          n_rows);
void      wf_aside_wait  (WfAside     *aside);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfAside, wf_aside_free)

G_END_DECLS
