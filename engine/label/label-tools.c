/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tools for images of labels.  The region of a label, any number but 0, is the set of its pixels,
 * which need not be connected; its area is their number.
 *
 *   remove small     regions of a smaller area get 0; the others keep their labels
 *   keep largest     the given number of regions stays, those with the largest areas, and of equal
 *                    ones those with the lowest labels; the others get 0
 *   expand           each pixel without a label gets that of the nearest labelled pixel, if
 *                    d² ≤ distance², where d is the Euclidean distance between the centers of the
 *                    pixels; the nearest is that with the smallest (d², x, y, z)
 *   relabel          labels become 1, 2, 3 … in their order
 *
 * Source: for the expansion the influence zones of Lantuéjoul, in Soille, Morphological Image
 * Analysis (2003), 3.11.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "engine/core/record.h"
#include "engine/cpu/cpu.h"


static gboolean
check_labels (const WfImage  *labels,
              GError        **error)
{
  if (! wf_image_check_view (labels, _("label image"), error))
    return FALSE;
  if (labels->type == WF_TYPE_U8 || labels->type == WF_TYPE_U16 || labels->type == WF_TYPE_U32)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The %s has pixels of type %s; they must be u8, u16 or u32."),
               _("label image"), wf_type_name (labels->type));
  return FALSE;
}

static gboolean
check_images (const WfImage  *labels,
              const WfImage  *out,
              GError        **error)
{
  return check_labels (labels, error) &&
         wf_image_check_view (out, _("result"), error) &&
         wf_image_check_type (out, labels->type, _("result"), error) &&
         wf_image_check_size (out, _("result"), labels, _("label image"), error);
}

static gboolean
run_task (WfContext     *context,
          WfLabelsTask  *task,
          const char    *algorithm,
          guint32       *n_regions,
          GError       **error)
{
  g_autoptr (WfContext) own     = wf_context_ensure (context);
  guint32               n_found = 0;
  WfPlan                plan;

  task->context   = own;
  task->n_regions = &n_found;
  if (! wf_context_plan (own, task->operation, algorithm, task, wf_image_n_pixels (task->labels),
                         &plan, error) ||
      ! wf_context_run (own, task->operation, &plan, task, error))
    return FALSE;
  if (n_regions)
    *n_regions = n_found;
  return TRUE;
}

static WfLabelsTask
make_task (WfOperation               operation,
           const WfImage            *labels,
           WfImage                  *out,
           const WfLabelToolOptions *options)
{
  return (WfLabelsTask) {
    .operation = operation,
    .least     = options->area,
    .count     = options->count,
    .distance  = options->distance,
    .labels    = labels,
    .out       = out,
  };
}

static gboolean
run_tool (WfOperation                operation,
          WfContext                 *context,
          const WfImage             *labels,
          WfImage                   *out,
          guint32                   *n_regions,
          const WfLabelToolOptions  *options,
          GError                   **error)
{
  WfLabelToolOptions taken;
  WfLabelsTask       task;

  if (! check_images (labels, out, error) ||
      ! wf_operation_take (operation, options, &taken, error) ||
      ! wf_operation_check_required (operation, &taken, error))
    return FALSE;
  task = make_task (operation, labels, out, &taken);
  return run_task (context, &task, taken.algorithm, n_regions, error);
}

static gboolean
estimate (WfOperation     operation,
          const WfImage  *image,
          gconstpointer   options,
          WfEstimate     *result,
          GError        **error)
{
  WfLabelToolOptions taken;
  WfLabelsTask       task;

  if (! check_labels (image, error) || ! wf_operation_take (operation, options, &taken, error))
    return FALSE;
  task = make_task (operation, image, NULL, &taken);
  return wf_context_estimate (operation, taken.algorithm, &task, result, error);
}

/**
 * wf_labels_remove_small:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @labels: u8, u16 or u32, width × height × depth: 0 for pixels of no region
 * @out: type and size of @labels; may be @labels itself
 * @n_regions: (out) (optional): how many regions stay
 * @options: area, which has no default
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE, %G_IO_ERROR_CANCELLED
 *
 * Sets the labels of regions of fewer than area pixels to 0; see the top of label-tools.c for the
 * definition.
 *
 * Time: that of reading the labels twice and writing them; where runs of equal labels in a row are
 * short, and labels many and without order, also some nanoseconds for each run.  Memory: at most
 * 2.4 bytes a pixel of u32, half a byte of the others; where labels exceed a quarter of the number
 * of pixels, and 65535, also some 40 bytes for each label that occurs, which are compared with the
 * context's limit as labels are found.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_labels_remove_small (WfContext                 *context,
                        const WfImage             *labels,
                        WfImage                   *out,
                        guint32                   *n_regions,
                        const WfLabelToolOptions  *options,
                        GError                   **error)
{
  return run_tool (WF_OPERATION_REMOVE_SMALL, context, labels, out, n_regions, options, error);
}

/**
 * wf_labels_keep_largest:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @labels: u8, u16 or u32, width × height × depth: 0 for pixels of no region
 * @out: type and size of @labels; may be @labels itself
 * @n_regions: (out) (optional): how many regions stay
 * @options: (nullable): count
 * @error: as for wf_labels_remove_small()
 *
 * Sets the labels of all regions but the largest ones to 0.
 *
 * Time and memory as for wf_labels_remove_small(), and some nanoseconds for each region.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_labels_keep_largest (WfContext                 *context,
                        const WfImage             *labels,
                        WfImage                   *out,
                        guint32                   *n_regions,
                        const WfLabelToolOptions  *options,
                        GError                   **error)
{
  return run_tool (WF_OPERATION_KEEP_LARGEST, context, labels, out, n_regions, options, error);
}

/**
 * wf_labels_expand:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @labels: u8, u16 or u32, width × height × depth: 0 for pixels of no region
 * @out: type and size of @labels; may be @labels itself
 * @n_regions: (out) (optional): how many regions there are
 * @options: (nullable): distance
 * @error: as for wf_labels_remove_small()
 *
 * Gives pixels without a label that of the nearest pixel with one, within a distance.
 *
 * Time: that of an exact distance map with nearest pixels.  Memory: 9 bytes a pixel and that of the
 * distance map.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_labels_expand (WfContext                 *context,
                  const WfImage             *labels,
                  WfImage                   *out,
                  guint32                   *n_regions,
                  const WfLabelToolOptions  *options,
                  GError                   **error)
{
  return run_tool (WF_OPERATION_EXPAND_LABELS, context, labels, out, n_regions, options,
                   error);
}

/**
 * wf_labels_relabel:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @labels: u8, u16 or u32, width × height × depth: 0 for pixels of no region
 * @out: type and size of @labels; may be @labels itself
 * @n_regions: (out) (optional): the highest label
 * @options: (nullable): none is used
 * @error: as for wf_labels_remove_small()
 *
 * Replaces the labels by 1, 2, 3 … in their order.
 *
 * Time and memory as for wf_labels_remove_small().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_labels_relabel (WfContext                 *context,
                   const WfImage             *labels,
                   WfImage                   *out,
                   guint32                   *n_regions,
                   const WfLabelToolOptions  *options,
                   GError                   **error)
{
  return run_tool (WF_OPERATION_RELABEL, context, labels, out, n_regions, options, error);
}

/**
 * wf_labels_keep:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @labels: u8, u16 or u32, width × height × depth: 0 for pixels of no region
 * @out: type and size of @labels; may be @labels itself
 * @kept: (array length=n_labels): for each region, by increasing label, whether it stays, as
 *   wf_objects_choose() tells
 * @n_labels: the number of regions
 * @n_regions: (out) (optional): how many stay
 * @error: as for wf_labels_remove_small(), and %WF_ERROR_LABELS if there is another number of
 *   regions
 *
 * Gives the regions that stay the labels 1, 2, 3 … in their order, and the others 0.
 *
 * Time and memory as for wf_labels_remove_small().
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_labels_keep (WfContext      *context,
                const WfImage  *labels,
                WfImage        *out,
                const guint8   *kept,
                gint64          n_labels,
                guint32        *n_regions,
                GError        **error)
{
  static const guint8 none = 0;
  WfLabelsTask        task = { .operation = WF_OPERATION_RELABEL, .labels = labels, .out = out,
                               .kept = kept ? kept : &none, .n_labels = n_labels };

  g_return_val_if_fail (kept != NULL || n_labels == 0, FALSE);

  return check_images (labels, out, error) && run_task (context, &task, NULL, n_regions, error);
}


/*  The records  */

static gboolean
run (const WfCall  *call,
     GError       **error)
{
  return run_tool (call->operation, call->context, call->inputs[0], call->outputs[0], call->count,
                   call->options, error);
}

static const WfChoice algorithms[] =
{
  { "auto", 0, N_("Automatic") },
  { "runs", 0, N_("Runs of equal labels, and a table of all labels") },
  { NULL }
};

static const WfChoice expand_algorithms[] =
{
  { "auto",    0, N_("Automatic") },
  { "nearest", 0, N_("An exact distance map with the nearest pixels") },
  { NULL }
};

static const WfOption small_options[] =
{
  {
    .name          = "area",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_AREA,
    .required      = TRUE,
    .offset        = G_STRUCT_OFFSET (WfLabelToolOptions, area),
    .label         = N_("A_rea"),
    .blurb         = N_("Regions of at least so many pixels stay"),
    .placeholder   = "PIXELS",
    .maximum       = G_MAXDOUBLE,
    .default_value = NAN,
  },
  WF_ALGORITHM_OPTION (WfLabelToolOptions, algorithms, WF_SAME_RESULT),
};

static const WfOption largest_options[] =
{
  {
    .name          = "count",
    .kind          = WF_OPTION_INT,
    .offset        = G_STRUCT_OFFSET (WfLabelToolOptions, count),
    .label         = N_("_Count"),
    .blurb         = N_("So many regions stay, those of the most pixels"),
    .placeholder   = "N",
    .minimum       = 1,
    .maximum       = G_MAXINT,
    .default_value = 1,
  },
  WF_ALGORITHM_OPTION (WfLabelToolOptions, algorithms, WF_SAME_RESULT),
};

static const WfOption expand_options[] =
{
  {
    .name          = "distance",
    .kind          = WF_OPTION_REAL,
    .meaning       = WF_OPTION_LENGTH,
    .offset        = G_STRUCT_OFFSET (WfLabelToolOptions, distance),
    .label         = N_("Di_stance"),
    .blurb         = N_("Regions grow by so many pixels; without it, until they meet"),
    .placeholder   = "PIXELS",
    .maximum       = G_MAXDOUBLE,
    .default_value = NAN,
  },
  WF_ALGORITHM_OPTION (WfLabelToolOptions, expand_algorithms, WF_SAME_RESULT),
};

static const WfOption relabel_options[] =
{
  WF_ALGORITHM_OPTION (WfLabelToolOptions, algorithms, WF_SAME_RESULT),
};

#define LABELS (1 << WF_TYPE_U8 | 1 << WF_TYPE_U16 | 1 << WF_TYPE_U32)

static const WfOperand inputs[] =
{
  { .name = "labels", .content = WF_CONTENT_LABELS, .types = LABELS },
  { NULL }
};

static const WfOperand outputs[] =
{
  { .name = "labels", .content = WF_CONTENT_LABELS, .types = LABELS, .same_type = TRUE },
  { NULL }
};

#define RECORD(number, group_name, group_title, group_blurb, list, variants) \
  { \
    .operation = number, \
    .options   = { \
      .name      = group_name, \
      .title     = group_title, \
      .blurb     = group_blurb, \
      .options   = list, \
      .n_options = G_N_ELEMENTS (list), \
      .size      = sizeof (WfLabelToolOptions), \
    }, \
    .category  = N_("Labels"), \
    .flags     = WF_WORKS_ON_STACKS | WF_WORKS_IN_PLACE, \
    .inputs    = inputs, \
    .outputs   = outputs, \
    .counts    = "regions", \
    .cpu       = variants, \
    .run       = run, \
    .estimate  = estimate, \
  }

static const WfOperationRecord records[] =
{
  RECORD (WF_OPERATION_REMOVE_SMALL, "remove-small", N_("Remove Small Regions"),
          N_("Remove regions of few pixels"), small_options, wf_cpu_label_tool_variants),
  RECORD (WF_OPERATION_KEEP_LARGEST, "keep-largest", N_("Keep Largest Regions"),
          N_("Keep the regions of the most pixels"), largest_options, wf_cpu_label_tool_variants),
  RECORD (WF_OPERATION_EXPAND_LABELS, "expand-labels", N_("Expand Labels"),
          N_("Give pixels without a label that of the nearest region"), expand_options,
          wf_cpu_expand_variants),
  RECORD (WF_OPERATION_RELABEL, "relabel", N_("Relabel"),
          N_("Number the labels from 1 without gaps"), relabel_options,
          wf_cpu_label_tool_variants),
};

const WfOperationTable wf_label_tool_operations = { records, G_N_ELEMENTS (records) };
