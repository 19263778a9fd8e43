/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Connected components on the CPU in two steps, for the whole image and for its bands. */

#pragma once

#include "runs.h"

/**
 * WfLabelling:
 * @task: what is to be labelled; its labels may be left out until they are written
 * @run: the operation under way
 * @runs: the components, once they are connected
 */
typedef struct
{
  const WfLabelTask *task;
  WfRun             *run;
  WfRuns             runs;
  /*< private >*/
  WfForeground       foreground;
  guint32           *lines;     /* one for each worker, or NULL */
  void            (* bits_of) (gconstpointer row, gint64 n, const WfForeground *foreground,
                               guint64 *bits);
} WfLabelling;

gboolean wf_labelling_connect (WfLabelling  *labelling,
                               double        share,
                               guint32      *n_components,
                               GError      **error);
gboolean wf_labelling_write   (WfLabelling  *labelling,
                               double        share,
                               GError      **error);
void     wf_labelling_clear   (WfLabelling  *labelling);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfLabelling, wf_labelling_clear)
