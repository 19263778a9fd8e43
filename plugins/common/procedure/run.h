/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "plugins/common/input/source.h"
#include "ui/preview/mode.h"
#include "wavefront.h"

G_BEGIN_DECLS

typedef struct _WfProcedure WfProcedure;

/**
 * WfRunWatch:
 * @progress: gets the progress of the run, from 0 to 1
 * @data: for @progress
 * @cancellable: ends the run
 * @scratch: (nullable): the folder in which the files of the results are written, by their names
 * @table: (nullable): where a table is written that the arguments do not name
 *
 * What a run within another procedure tells, instead of telling it to GIMP.
 */
typedef struct
{
  void        (* progress) (double   fraction,
                            gpointer data);
  gpointer       data;
  GCancellable  *cancellable;
  GFile         *scratch;
  GFile         *table;
} WfRunWatch;

/**
 * WfJob:
 * @procedure: the procedure
 * @mode: the run mode
 * @image: the image
 * @drawables: the selected ones, terminated by %NULL
 * @config: the arguments' values, for those that are not options
 * @source: the source that is processed; %NULL while the dialog is open
 * @shown: what the preview showed when the dialog was accepted; without a dialog the image
 * @page: of the dialog, at that time
 * @to_rgb: whether the image is converted to RGB when the results are inserted; the
 *   procedure may set it before it makes any
 * @drawable: its drawable (the lowest one of a stack), which is not changed
 * @region: its processed part
 * @type: of the pixels
 * @operation: the operation's options struct, read from the arguments
 * @own: the procedure's own options struct, or %NULL
 * @colors: what becomes of colors
 * @context: for the engine
 * @values: the return values, to be set by wf_job_get_value()
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
  WfPreviewMode          shown;
  int                    page;
  gboolean               to_rgb;
  GimpDrawable          *drawable;
  WfRegion               region;
  WfType                 type;
  gpointer               operation;
  gpointer               own;
  WfColorWay             colors;
  WfContext             *context;
  GimpValueArray        *values;
  /*< private >*/
  GimpImage             *home;
  GPtrArray             *sources;
  GPtrArray             *results;
  GPtrArray             *images;
  GArray                *changes;
  GPtrArray             *histories;
  char                  *notice;
  const WfRunWatch      *watch;
  double                 part_start;
  double                 part_end;
  double                 stage_start;
  double                 stage_end;
} WfJob;

/**
 * WfChangeFunc:
 * @run: the run
 * @data: user data
 *
 * Changes the image.
 */
typedef void (* WfChangeFunc) (WfJob    *run,
                               gpointer  data);

GimpValueArray * wf_run              (GimpProcedure        *procedure,
                                      GimpRunMode           mode,
                                      GimpImage            *image,
                                      GimpDrawable        **drawables,
                                      GimpProcedureConfig  *config,
                                      gpointer              description);

GimpValueArray * wf_run_watched      (GimpImage            *image,
                                      GimpDrawable        **drawables,
                                      GimpProcedureConfig  *config,
                                      const WfProcedure    *description,
                                      const WfRunWatch     *watch);

gboolean         wf_job_read         (WfJob                *run,
                                      WfImage              *image,
                                      GError              **error);
gboolean         wf_job_read_mask    (WfJob                *run,
                                      WfImage              *mask,
                                      GError              **error);
void             wf_job_add_change   (WfJob                *run,
                                      WfChangeFunc          func,
                                      gpointer              data,
                                      GDestroyNotify        destroy);
void             wf_job_add_image    (WfJob                *run,
                                      GimpImage            *image);
void             wf_job_set_stage    (WfJob                *run,
                                      double                start,
                                      double                end);
void             wf_job_set_progress (WfJob                *run,
                                      double                fraction);
gboolean         wf_job_makes_colors (const WfJob          *run);
gboolean         wf_job_keeps_colors (const WfJob          *run);
gboolean         wf_job_read_components
                                     (WfJob                *run,
                                      WfImage               components[3],
                                      GError              **error);
const Babl *     wf_job_get_format   (const WfJob          *run);
void             wf_job_report       (WfJob                *run,
                                      const char           *message);
GValue *         wf_job_get_value    (WfJob                *run,
                                      const char           *name);

G_END_DECLS
