/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The record of an operation: all that the library, the command, the plug-ins, bindings and
 * tests know of it.
 *
 * A record stands at the end of the operation's front, beside its options.  Operations that
 * share a front have one table of records.  operations.c lists the tables.
 */

#pragma once

#include <math.h>

#include <glib/gi18n-lib.h>

#include "context.h"
#include "tasks.h"

/**
 * WfCall:
 *
 * The arguments of wf_operation_run(): images that are required are there, and @count is
 * never %NULL.
 */
typedef struct
{
  WfContext             *context;
  WfOperation            operation;
  const WfImage * const *inputs;
  WfImage * const       *outputs;
  guint32               *count;
  gconstpointer          options;
} WfCall;

/**
 * WfBlocksCall:
 *
 * The arguments of wf_operation_run_blocks(), which has checked that there are those that the
 * operation cannot do without.
 */
typedef struct
{
  WfContext                   *context;
  WfOperation                  operation;
  const WfBlockSource * const *inputs;
  const WfBlockSink           *output;
  const WfBlockSink           *scratch;
  gconstpointer                options;
  WfBlocksWay                  way;
  gint64                       rows;
} WfBlocksCall;

/**
 * WfOperationRecord:
 * @operation: its number
 * @options: its name, what it computes, its options
 * @category: as #WfOperationInfo has it
 * @flags: as #WfOperationInfo has them
 * @inputs: ended by one without a name
 * @outputs: ended by one without a name
 * @counts: as #WfOperationInfo has it
 * @recipe: of an operation built on reconstruction, or %NULL
 * @cpu: its variants on the CPU
 * @is_of_cpu: whether no GPU has an algorithm for such a task, although GPUs have the operation;
 *   %NULL where there is no such task
 * @effort: how many times as long a task takes as one with the default options, on any device;
 *   %NULL where that is not known
 * @output_type: of the first output, where it depends on the options; else %NULL
 * @share_cost: how many times as long all devices work on an image in memory that they share as one
 *   would alone; 0 if they cannot
 * @run: calls the operation's function
 * @run_blocks: does what wf_operation_run_blocks() is for; %NULL where it cannot
 * @estimate: fills what wf_context_forecast() gives
 */
typedef struct
{
  WfOperation       operation;
  WfOptionGroup     options;
  const char       *category;
  WfOperationFlags  flags;
  const WfOperand  *inputs;
  const WfOperand  *outputs;
  const char       *counts;
  const WfRecipe   *recipe;
  const WfVariant  *cpu;
  double            share_cost;
  gboolean       (* is_of_cpu)   (gconstpointer   task);
  double         (* effort)      (gconstpointer   task);
  WfType         (* output_type) (gconstpointer   options);
  gboolean       (* run)         (const WfCall   *call,
                                  GError        **error);
  gboolean       (* run_blocks)  (const WfBlocksCall *call,
                                  GError        **error);
  gboolean       (* estimate)    (WfOperation     operation,
                                  const WfImage  *image,
                                  gconstpointer   options,
                                  WfEstimate     *estimate,
                                  GError        **error);
} WfOperationRecord;

/**
 * WfOperationTable:
 *
 * The records of a front.
 */
typedef struct
{
  const WfOperationRecord *records;
  guint                    n_records;
} WfOperationTable;

extern const WfOperationTable wf_reconstruct_operations;
extern const WfOperationTable wf_distance_operations;
extern const WfOperationTable wf_watershed_operations;
extern const WfOperationTable wf_label_operations;
extern const WfOperationTable wf_label_tool_operations;
extern const WfOperationTable wf_hierarchy_operations;
extern const WfOperationTable wf_morphology_operations;
extern const WfOperationTable wf_extrema_operations;
extern const WfOperationTable wf_opening_operations;
extern const WfOperationTable wf_filter_operations;
extern const WfOperationTable wf_erosion_operations;
extern const WfOperationTable wf_median_operations;
extern const WfOperationTable wf_attribute_operations;
extern const WfOperationTable wf_threshold_operations;
extern const WfOperationTable wf_geodesic_operations;

const WfOperationRecord * wf_operation_get_record     (WfOperation     operation);
const char *              wf_task_name                (WfOperation     operation);
gboolean                  wf_operation_take           (WfOperation     operation,
                                                       gconstpointer   options,
                                                       gpointer        taken,
                                                       GError        **error);
gboolean                  wf_operation_check_required (WfOperation     operation,
                                                       gconstpointer   taken,
                                                       GError        **error);


/*  Images that many operations have  */

#define WF_LEVELS (1 << WF_TYPE_U8 | 1 << WF_TYPE_U16 | 1 << WF_TYPE_F32)

extern const WfOperand wf_one_image[];
extern const WfOperand wf_one_result[];


/*  Options that many operations have  */

extern const WfChoice wf_connectivities[];
extern const WfChoice wf_elements[];

/* Of the background of what wf_connectivities are for by default: a line of 8-connected pixels
 * divides an image into parts that are 4-connected, in a stack a surface of 26-connected ones
 * into 6-connected parts.
 */
extern const WfChoice wf_dual_connectivities[];

#define WF_CONNECTIVITY_OPTION(Options, list, text) \
  { \
    .name          = "connectivity", \
    .kind          = WF_OPTION_CHOICE, \
    .meaning       = WF_OPTION_CONNECTIVITY, \
    .offset        = G_STRUCT_OFFSET (Options, connectivity), \
    .label         = N_("_Connectivity"), \
    .blurb         = text, \
    .placeholder   = "4|8|6|26", \
    .choices       = list, \
  }

#define WF_NEIGHBOURS \
  N_("Which pixels are neighbors: 4 or 8 in an image, 6 or 26 in a stack")

#define WF_ALGORITHM_OPTION(Options, list, text) \
  { \
    .name          = "algorithm", \
    .kind          = WF_OPTION_NAME, \
    .meaning       = WF_OPTION_ALGORITHM, \
    .offset        = G_STRUCT_OFFSET (Options, algorithm), \
    .label         = N_("_Algorithm"), \
    .blurb         = text, \
    .placeholder   = "NAME", \
    .choices       = list, \
  }

#define WF_SAME_RESULT \
  N_("Algorithm; all algorithms give the same result")

#define WF_THRESHOLD_OPTION(Options) \
  { \
    .name          = "threshold", \
    .kind          = WF_OPTION_REAL, \
    .meaning       = WF_OPTION_LEVEL, \
    .offset        = G_STRUCT_OFFSET (Options, threshold), \
    .label         = N_("_Threshold"), \
    .blurb         = N_("Pixels above this level are foreground; without it, all pixels that are " \
                        "not 0"), \
    .placeholder   = "T", \
    .minimum       = -G_MAXDOUBLE, \
    .maximum       = G_MAXDOUBLE, \
    .default_value = NAN, \
  }

#define WF_ELEMENT_OPTIONS(Options, names, list) \
  { \
    .name          = "element", \
    .kind          = WF_OPTION_CHOICE, \
    .offset        = G_STRUCT_OFFSET (Options, element), \
    .label         = N_("_Element"), \
    .blurb         = N_("Shape of the structuring element"), \
    .placeholder   = names, \
    .default_value = WF_ELEMENT_SQUARE, \
    .choices       = list, \
  }, \
  { \
    .name          = "radius", \
    .kind          = WF_OPTION_INT, \
    .meaning       = WF_OPTION_LENGTH, \
    .offset        = G_STRUCT_OFFSET (Options, radius), \
    .label         = N_("_Radius"), \
    .blurb         = N_("Radius of the structuring element, in pixels"), \
    .placeholder   = "R", \
    .maximum       = 1 << 20, \
    .default_value = 1, \
  }

/* The algorithms of reconstruction, for all that is built on it. */
#define WF_RECONSTRUCTIONS \
  { "sweeps",     0, N_("Sweeps over tiles, many pixels at once") }, \
  { "tiled",      0, N_("Scans and a queue in each tile") }, \
  { "non-tiled",  0, N_("Scans and queues of all threads in the whole image"), TRUE }, \
  { "sequential", 0, N_("Scans until nothing changes (Vincent)"), TRUE }, \
  { "queue",      0, \
    N_("A queue from the regional maxima; on a GPU after scans (Vincent, Teodoro)"), TRUE }, \
  { "hybrid",     0, N_("Two scans, then a queue (Vincent)"), TRUE }

extern const WfChoice wf_reconstruct_algorithms[];
