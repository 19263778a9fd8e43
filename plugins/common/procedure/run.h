/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "plugins/common/input/source.h"
#include "wavefront.h"

G_BEGIN_DECLS

typedef struct _WfProcedure WfProcedure;

/**
 * WfRun:
 * @procedure: the procedure
 * @mode: the run mode
 * @image: the image
 * @drawables: the selected ones, terminated by %NULL
 * @config: the arguments' values, for those that are not options
 * @source: the source that is processed; %NULL while the dialog is open
 * @drawable: its drawable (the lowest one of a stack), which is not changed
 * @region: its processed part
 * @type: of the pixels
 * @operation: the operation's options struct, read from the arguments
 * @own: the procedure's own options struct, or %NULL
 * @context: for the engine
 * @values: the return values, to be set by wf_run_get_value()
 *
 * One run of a procedure.
 */
typedef struct
{
  const WfProcedure     *procedure;
  GimpRunMode            mode;
  GimpImage             *image;
  GimpDrawable         **drawables;
  GimpProcedureConfig   *config;
  const WfSource        *source;
  GimpDrawable          *drawable;
  WfRegion               region;
  WfType                 type;
  gpointer               operation;
  gpointer               own;
  WfContext             *context;
  GimpValueArray        *values;
  /*< private >*/
  GPtrArray             *sources;
  GPtrArray             *results;
  GPtrArray             *images;
  GArray                *changes;
  char                  *notice;
  double                 part_start;
  double                 part_end;
  double                 stage_start;
  double                 stage_end;
} WfRun;

/**
 * WfChangeFunc:
 * @run: the run
 * @data: user data
 *
 * Changes the image.
 */
typedef void (* WfChangeFunc) (WfRun    *run,
                               gpointer  data);

GimpValueArray * wf_run              (GimpProcedure        *procedure,
                                      GimpRunMode           mode,
                                      GimpImage            *image,
                                      GimpDrawable        **drawables,
                                      GimpProcedureConfig  *config,
                                      gpointer              description);

gboolean         wf_run_read         (WfRun                *run,
                                      WfImage              *image,
                                      GError              **error);
void             wf_run_add_change   (WfRun                *run,
                                      WfChangeFunc          func,
                                      gpointer              data,
                                      GDestroyNotify        destroy);
void             wf_run_add_image    (WfRun                *run,
                                      GimpImage            *image);
void             wf_run_set_stage    (WfRun                *run,
                                      double                start,
                                      double                end);
void             wf_run_set_progress (WfRun                *run,
                                      double                fraction);
void             wf_run_report       (WfRun                *run,
                                      const char           *message);
GValue *         wf_run_get_value    (WfRun                *run,
                                      const char           *name);

G_END_DECLS
