/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _WfStripWorker WfStripWorker;

/**
 * WfStripWorkerFunc:
 * @strip: as given to wf_strip_worker_begin()
 * @first: the first row to process
 * @n: the number of rows to process
 * @data: user data to wf_strip_worker_new()
 *
 * Processes some rows of a strip.  Several threads call it at the same time; it must not
 * call GIMP.
 */
typedef void (* WfStripWorkerFunc) (gpointer strip,
                                    int      first,
                                    int      n,
                                    gpointer data);

WfStripWorker * wf_strip_worker_new   (WfStripWorkerFunc  func,
                                       gsize              width,
                                       gpointer           data);
void            wf_strip_worker_free  (WfStripWorker     *worker);

void            wf_strip_worker_begin (WfStripWorker     *worker,
                                       gpointer           strip,
                                       int                n_rows);
void            wf_strip_worker_wait  (WfStripWorker     *worker);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WfStripWorker, wf_strip_worker_free)

G_END_DECLS
