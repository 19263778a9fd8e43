/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "pixels.h"
#include "wavefront.h"

G_BEGIN_DECLS

typedef struct _WfProcedure WfProcedure;

/**
 * WfRun:
 * @procedure: what is run
 * @mode: how it was started
 * @image: the image
 * @drawable: the layer (or channel, or mask) that is worked on; nothing changes it
 * @config: the arguments' values, for those that are not options
 * @region: the part of @drawable that is worked on
 * @type: of the pixels
 * @operation: the operation's options struct, read from the arguments
 * @own: the procedure's own options struct, or %NULL
 * @context: to give to the engine
 * @values: the return values, to be set by wf_run_get_value()
 *
 * One run of a procedure.
 */
typedef struct
{
  const WfProcedure    *procedure;
  GimpRunMode           mode;
  GimpImage            *image;
  GimpDrawable         *drawable;
  GimpProcedureConfig  *config;
  WfRegion              region;
  WfType                type;
  gpointer              operation;
  gpointer              own;
  WfContext            *context;
  GimpValueArray       *values;
  /*< private >*/
  GPtrArray            *layers;
  double                stage_start;
  double                stage_end;
} WfRun;

GimpValueArray * wf_run              (GimpProcedure        *procedure,
                                      GimpRunMode           mode,
                                      GimpImage            *image,
                                      GimpDrawable        **drawables,
                                      GimpProcedureConfig  *config,
                                      gpointer              description);

gboolean         wf_run_read         (WfRun                *run,
                                      WfImage              *image,
                                      GError              **error);
void             wf_run_add_layer    (WfRun                *run,
                                      GimpLayer            *layer);
void             wf_run_set_stage    (WfRun                *run,
                                      double                start,
                                      double                end);
void             wf_run_set_progress (WfRun                *run,
                                      double                fraction);
void             wf_run_tell         (WfRun                *run,
                                      const char           *message);
GValue *         wf_run_get_value    (WfRun                *run,
                                      const char           *name);

G_END_DECLS
