/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of operations, and what is done with any of them by its number.
 *
 * Each front has a table of records; it is named here once.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "options.h"
#include "engine/blocks/block-options.h"
#include "engine/blocks/sources.h"
#include "engine/ranks/communicator.h"
#include "record.h"


static const WfOperationTable * const tables[] =
{
  &wf_reconstruct_operations,
  &wf_distance_operations,
  &wf_watershed_operations,
  &wf_label_operations,
  &wf_hierarchy_operations,
  &wf_morphology_operations,
  &wf_extrema_operations,
  &wf_opening_operations,
  &wf_filter_operations,
  &wf_erosion_operations,
  &wf_median_operations,
  &wf_attribute_operations,
  &wf_threshold_operations,
  &wf_geodesic_operations,
  &wf_label_tool_operations,
};

typedef struct
{
  const WfOperationRecord *record;
  WfOperationInfo          info;
} Entry;


static guint
count_operands (const WfOperand *operands)
{
  guint n = 0;

  while (operands[n].name)
    n++;
  return n;
}

static void
fill_entry (Entry                   *entry,
            const WfOperationRecord *record)
{
  entry->record = record;
  entry->info   = (WfOperationInfo) {
    .operation = record->operation,
    .options   = &record->options,
    .category  = record->category,
    .flags     = record->flags | (record->run_blocks ? WF_WORKS_IN_BLOCKS : 0),
    .inputs    = record->inputs,
    .n_inputs  = count_operands (record->inputs),
    .outputs   = record->outputs,
    .n_outputs = count_operands (record->outputs),
    .counts    = record->counts,
  };
}

/* All records by their numbers. */
static const Entry *
get_entries (void)
{
  static gsize once;
  static Entry entries[WF_N_OPERATIONS];

  if (g_once_init_enter (&once))
    {
      for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
        for (guint k = 0; k < tables[i]->n_records; k++)
          {
            const WfOperationRecord *record = &tables[i]->records[k];

            g_assert (record->operation < WF_N_OPERATIONS);
            fill_entry (&entries[record->operation], record);
          }
      for (guint i = 0; i < WF_N_OPERATIONS; i++)
        g_assert (entries[i].record != NULL);
      g_once_init_leave (&once, 1);
    }
  return entries;
}

const WfOperationRecord *
wf_operation_get_record (WfOperation operation)
{
  g_return_val_if_fail (operation < WF_N_OPERATIONS, NULL);

  return get_entries ()[operation].record;
}

/* The name of an operation, or of %WF_TASK_MEASURE, as the command has it. */
const char *
wf_task_name (WfOperation operation)
{
  return operation == WF_TASK_MEASURE ? wf_regions_get_options ()->name
                                      : wf_operation_get_options (operation)->name;
}

/* An option without a default is a real number. */
static gboolean
is_unset (const WfOption *option,
          gconstpointer   options)
{
  return option->required && isnan (G_STRUCT_MEMBER (double, options, option->offset));
}

/* Takes an operation's options as wf_option_group_take() does. */
gboolean
wf_operation_take (WfOperation     operation,
                   gconstpointer   options,
                   gpointer        taken,
                   GError        **error)
{
  return wf_option_group_take (wf_operation_get_options (operation), options, taken, error);
}

/* Refuses to run with options that lack one that is required. */
gboolean
wf_operation_check_required (WfOperation     operation,
                             gconstpointer   taken,
                             GError        **error)
{
  const WfOptionGroup *group = wf_operation_get_options (operation);

  for (guint i = 0; i < group->n_options; i++)
    if (is_unset (&group->options[i], taken))
      {
        g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                     _("The operation %s needs the option “%s”, which is not set."), group->name,
                     group->options[i].name);
        return FALSE;
      }
  return TRUE;
}

/**
 * wf_operation_describe:
 * @operation: an operation's number, from 0
 *
 * Describes an operation: its options, and the images that it reads and writes.  The
 * description is static.
 *
 * Returns: (nullable): what there is to know of the operation, constant; %NULL for a number
 *   that is none, which ends a loop over all operations.
 */
const WfOperationInfo *
wf_operation_describe (WfOperation operation)
{
  return operation < WF_N_OPERATIONS ? &get_entries ()[operation].info : NULL;
}

/**
 * wf_operation_get_options:
 * @operation: an operation
 *
 * Describes the options of an operation: the fields of its struct, their defaults and ranges.
 * Several operations may share one struct, of which each lists the fields that it uses.
 *
 * Returns: the description of the operation and of its options, constant.
 */
const WfOptionGroup *
wf_operation_get_options (WfOperation operation)
{
  g_return_val_if_fail (operation < WF_N_OPERATIONS, NULL);

  return get_entries ()[operation].info.options;
}

static WfType
smallest_type (guint types)
{
  WfType smallest = (WfType) 0;

  for (int type = WF_TYPE_U8; type <= WF_TYPE_F64; type++)
    if ((types & 1 << type) &&
        (smallest == 0 || wf_type_size ((WfType) type) < wf_type_size (smallest)))
      smallest = (WfType) type;
  return smallest;
}

/**
 * wf_operation_get_output_type:
 * @operation: an operation
 * @output: the number of one of its outputs, from 0
 * @type: of its first input
 * @options: (nullable): the operation's options, valid ones
 *
 * Gives the type that the image for an output must have.
 *
 * Returns: the type that the output has; where the operation writes several, the smallest.
 */
WfType
wf_operation_get_output_type (WfOperation    operation,
                              guint          output,
                              WfType         type,
                              gconstpointer  options)
{
  const WfOperationInfo   *info   = wf_operation_describe (operation);
  const WfOperationRecord *record;

  g_return_val_if_fail (info != NULL && output < info->n_outputs, (WfType) 0);

  record = wf_operation_get_record (operation);
  if (info->outputs[output].same_type)
    return type;
  if (output == 0 && record->output_type)
    return record->output_type (options);
  return smallest_type (info->outputs[output].types);
}

/* An image that is missing is a mistake of the program. */
static gboolean
has_required (const WfOperand     *operands,
              guint                n,
              gconstpointer const *images)
{
  for (guint i = 0; i < n; i++)
    if (! operands[i].optional && ! images[i])
      return FALSE;
  return TRUE;
}

/**
 * wf_operation_run:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @operation: an operation
 * @inputs: (array zero-terminated=0): the images that it reads, as its #WfOperationInfo
 *   lists them; %NULL for an optional one that is not given
 * @outputs: (array zero-terminated=0): the images that it writes, in the same way
 * @count: (out) (optional): what the operation counts, such as basins; 0 if it counts nothing
 * @options: (nullable): a struct of the operation's options
 * @error: as the operation's function sets it
 *
 * Calls the function of the operation, which checks all of its arguments.  The hierarchy of
 * basins is built and written as its saliency map: that of wf_hierarchy_new_masked() and
 * wf_hierarchy_saliency_masked().
 *
 * Returns: %FALSE with @error set; then @count is as it was, and so are @outputs, unless
 *   wf_context_set_partial_outputs() allows otherwise.
 */
gboolean
wf_operation_run (WfContext              *context,
                  WfOperation             operation,
                  const WfImage * const  *inputs,
                  WfImage * const        *outputs,
                  guint32                *count,
                  gconstpointer           options,
                  GError                **error)
{
  const WfOperationInfo *info    = wf_operation_describe (operation);
  guint32                counted = 0;
  const WfCall           call    = { context, operation, inputs, outputs, &counted, options };

  g_return_val_if_fail (info != NULL && inputs != NULL && outputs != NULL, FALSE);
  g_return_val_if_fail (has_required (info->inputs, info->n_inputs,
                                      (gconstpointer const *) inputs), FALSE);
  g_return_val_if_fail (has_required (info->outputs, info->n_outputs,
                                      (gconstpointer const *) outputs), FALSE);

  if (! wf_operation_get_record (operation)->run (&call, error))
    return FALSE;
  if (count)
    *count = counted;
  return TRUE;
}

static gboolean
run_blocks (WfBlocksCall          *call,
            const WfBlockOptions  *blocks,
            GError               **error)
{
  WfBlockOptions taken;

  if (! wf_block_options_take (blocks, &taken, error) ||
      ! wf_sink_check_room (call->output, _("result"), error) ||
      ! wf_sink_check_room (call->scratch, _("scratch image"), error))
    return FALSE;
  call->way  = (WfBlocksWay) taken.way;
  call->rows = taken.rows;
  return wf_operation_get_record (call->operation)->run_blocks (call, error);
}

/**
 * wf_operation_run_blocks:
 * @context: (nullable): where and how, with the limit of all memory; %NULL for a context of its own
 * @operation: an operation that has %WF_WORKS_IN_BLOCKS: all that is built on reconstruction, the
 *   filters, and the threshold
 * @inputs: (array zero-terminated=0): the images that it reads, as its #WfOperationInfo lists them;
 *   %NULL for an optional one that is not given
 * @output: takes the result, of wf_operation_get_output_type()
 * @scratch: (nullable): takes an image of the type and size of the first input, and reads it back;
 *   blocks of it are written more than once
 * @options: (nullable): a struct of the operation's options
 * @blocks: (nullable): how blocks are joined in the reconstruction, as for wf_reconstruct_blocks(),
 *   and how many rows a block has at most
 * @error: as the operation's function sets it, and those of @inputs, @output and @scratch
 *
 * An operation on an image that need not fit into memory; the result is that of
 * wf_operation_run().
 *
 * What is built on reconstruction makes the marker of each block as the block is read.  Extended
 * extrema need @scratch.  The others need it, or an @output that can be read back, for
 * %WF_BLOCKS_QUEUE; without either %WF_BLOCKS_AUTO is %WF_BLOCKS_SUMMARY.  Regional extrema,
 * filters and thresholds need none, and the way makes no difference to them: the CPU reads their
 * blocks twice, or once, and writes them once, in raster order.
 *
 * Time: that of wf_reconstruct_blocks() where the operation reconstructs.  After the queue, a
 * difference, or any result in @scratch, takes one pass more.  Filters, openings, closings,
 * top-hats and local thresholds read and filter as many rows more at both sides of a block as the
 * radius has.  Memory: within the context's limit, blocks included.
 *
 * Returns: %FALSE with @error set; then part of @output may have been written.
 */
gboolean
wf_operation_run_blocks (WfContext                    *context,
                         WfOperation                   operation,
                         const WfBlockSource * const  *inputs,
                         const WfBlockSink            *output,
                         const WfBlockSink            *scratch,
                         gconstpointer                 options,
                         const WfBlockOptions         *blocks,
                         GError                      **error)
{
  const WfOperationInfo *info = wf_operation_describe (operation);
  g_autoptr (WfContext)  own  = NULL;
  WfBlocksCall           call = { .operation = operation, .inputs = inputs, .output = output,
                                  .scratch = scratch, .options = options };
  WfJointWork            joint;

  g_return_val_if_fail (info != NULL && (info->flags & WF_WORKS_IN_BLOCKS), FALSE);
  g_return_val_if_fail (inputs != NULL && output != NULL, FALSE);
  g_return_val_if_fail (has_required (info->inputs, info->n_inputs,
                                      (gconstpointer const *) inputs), FALSE);
  g_return_val_if_fail (! scratch || scratch->image || scratch->read, FALSE);

  call.context = own = wf_context_ensure (context);
  wf_joint_work_begin (&joint, own);
  return wf_joint_work_end (&joint, run_blocks (&call, blocks, error), error);
}
