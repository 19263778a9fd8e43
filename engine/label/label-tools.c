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
#include <string.h>

#include <glib/gi18n-lib.h>

#include "cpu/label-tools.h"
#include "engine/core/context-private.h"
#include "engine/core/memory.h"
#include "engine/core/options.h"


/*  Options  */

static const WfOption small_options[] =
{
  {
    .name          = "area",
    .kind          = WF_OPTION_REAL,
    .required      = TRUE,
    .offset        = G_STRUCT_OFFSET (WfLabelToolOptions, area),
    .label         = N_("A_rea"),
    .blurb         = N_("Regions of at least so many pixels stay"),
    .placeholder   = "PIXELS",
    .maximum       = G_MAXDOUBLE,
    .default_value = NAN,
  },
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
};

static const WfOption expand_options[] =
{
  {
    .name          = "distance",
    .kind          = WF_OPTION_REAL,
    .offset        = G_STRUCT_OFFSET (WfLabelToolOptions, distance),
    .label         = N_("_Distance"),
    .blurb         = N_("Regions grow by so many pixels; without it, until they meet"),
    .placeholder   = "PIXELS",
    .maximum       = G_MAXDOUBLE,
    .default_value = NAN,
  },
};

#define GROUP(group_name, group_title, group_blurb, list, n) \
  { group_name, group_title, group_blurb, list, n, sizeof (WfLabelToolOptions) }

static const WfOptionGroup groups[WF_N_LABEL_TOOLS] =
{
  [WF_LABELS_REMOVE_SMALL] =
    GROUP ("remove-small", N_("Remove Small Regions"), N_("Remove regions of few pixels"),
           small_options, G_N_ELEMENTS (small_options)),
  [WF_LABELS_KEEP_LARGEST] =
    GROUP ("keep-largest", N_("Keep Largest Regions"), N_("Keep the regions of the most pixels"),
           largest_options, G_N_ELEMENTS (largest_options)),
  [WF_LABELS_EXPAND] =
    GROUP ("expand-labels", N_("Expand Labels"),
           N_("Give pixels without a label that of the nearest region"),
           expand_options, G_N_ELEMENTS (expand_options)),
  [WF_LABELS_RELABEL] =
    GROUP ("relabel", N_("Relabel"), N_("Number the labels from 1 without gaps"), NULL, 0),
};

/**
 * wf_labels_get_options:
 * @tool: a tool for labels
 *
 * Describes a tool: its name, its title, what it does, and which fields of #WfLabelToolOptions it
 * uses.
 *
 * Returns: (transfer none): the description, constant
 */
const WfOptionGroup *
wf_labels_get_options (WfLabelTool tool)
{
  g_return_val_if_fail (tool < WF_N_LABEL_TOOLS, NULL);

  return &groups[tool];
}


/*  Calls  */

static gboolean
check_images (const WfImage  *labels,
              const WfImage  *out,
              GError        **error)
{
  if (! wf_image_check_view (labels, _("label image"), error) ||
      ! wf_image_check_view (out, _("result"), error))
    return FALSE;
  if (labels->type != WF_TYPE_U8 && labels->type != WF_TYPE_U16 && labels->type != WF_TYPE_U32)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The %s has pixels of type %s; they must be u8, u16 or u32."),
                   _("label image"), wf_type_name (labels->type));
      return FALSE;
    }
  return wf_image_check_type (out, labels->type, _("result"), error) &&
         wf_image_check_size (out, _("result"), labels, _("label image"), error);
}

static gboolean
take_options (WfLabelTool                tool,
              const WfLabelToolOptions  *options,
              WfLabelToolOptions        *taken,
              GError                   **error)
{
  if (! wf_option_group_take (&groups[tool], options, taken, error))
    return FALSE;
  if (tool != WF_LABELS_REMOVE_SMALL || ! isnan (taken->area))
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The operation %s needs the option “%s”, which is not set."), groups[tool].name,
               "area");
  return FALSE;
}

/* A copy of labels that the result would overwrite before they are read. */
static gboolean
copy_labels (const WfImage  *labels,
             WfImage        *copy,
             GError        **error)
{
  if (! wf_image_allocate (copy, labels->type, labels->width, labels->height, labels->depth,
                           error))
    return FALSE;
  for (gint64 row = 0; row < labels->height * labels->depth; row++)
    memcpy (wf_image_row (copy, row), wf_image_row (labels, row),
            labels->width * wf_type_size (labels->type));
  return TRUE;
}

/* Of WfContextWorkFunc. */
static gboolean
work (gpointer   data,
      WfRun     *run,
      GError   **error)
{
  WfLabelsTask          *task  = data;
  g_auto (WfLabelTable)  table = { .labels = task->labels, .context = task->context,
                                   .run = run,
                                   .areas = task->tool != WF_LABELS_RELABEL };

  if (task->tool == WF_LABELS_EXPAND)
    return wf_cpu_expand_labels (task, run, error);
  return wf_label_table_count (&table, task->out, 0.5, error) &&
         wf_label_table_decide (&table, task, error) &&
         wf_label_table_write (&table, task->out, 0.5, error);
}

static gboolean
run_task (WfContext     *context,
          WfLabelsTask  *task,
          GError       **error)
{
  const WfLabelTool     tool    = task->tool;
  g_autoptr (WfContext) own     = wf_context_ensure (context);
  g_auto (WfStaging)    staging = { .context = own };
  g_auto (WfImage)      copy    = { 0 };

  task->context = own;
  if (! wf_staging_take (&staging, &task->labels, error) ||
      ! wf_staging_give (&staging, &task->out, error))
    return FALSE;
  if (wf_image_overlaps (task->labels, task->out) &&
      ! wf_image_is_same_view (task->labels, task->out))
    {
      if (! copy_labels (task->labels, &copy, error))
        return FALSE;
      task->labels = &copy;
    }
  return wf_context_work (own, tool == WF_LABELS_EXPAND ? "nearest" : "runs",
                          tool == WF_LABELS_EXPAND
                          ? wf_cpu_expand_labels_memory (task, wf_context_count_threads (own))
                          : wf_label_table_memory (task->labels, task->out),
                          work, task, error) &&
         wf_staging_deliver (&staging, error);
}

static gboolean
run_tool (WfLabelTool                tool,
          WfContext                 *context,
          const WfImage             *labels,
          WfImage                   *out,
          guint32                   *n_regions,
          const WfLabelToolOptions  *options,
          GError                   **error)
{
  WfLabelsTask       task = { .tool = tool, .labels = labels, .out = out };
  WfLabelToolOptions taken;

  if (! check_images (labels, out, error) ||
      ! take_options (tool, options, &taken, error))
    return FALSE;

  task.least    = taken.area;
  task.count    = taken.count;
  task.distance = taken.distance;
  if (! run_task (context, &task, error))
    return FALSE;
  if (n_regions)
    *n_regions = task.n_regions;
  return TRUE;
}

/**
 * wf_labels_remove_small:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @labels: u8, u16 or u32, width × height × depth: 0 for pixels of no region
 * @out: type and size of @labels; may be @labels itself
 * @n_regions: (out) (optional): how many regions stay
 * @options: area, which has no default
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %G_IO_ERROR_CANCELLED
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
  return run_tool (WF_LABELS_REMOVE_SMALL, context, labels, out, n_regions, options, error);
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
  return run_tool (WF_LABELS_KEEP_LARGEST, context, labels, out, n_regions, options, error);
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
  return run_tool (WF_LABELS_EXPAND, context, labels, out, n_regions, options, error);
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
  return run_tool (WF_LABELS_RELABEL, context, labels, out, n_regions, options, error);
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
  WfLabelsTask        task = { .tool = WF_LABELS_RELABEL, .labels = labels, .out = out,
                               .kept = kept ? kept : &none, .n_labels = n_labels };

  g_return_val_if_fail (kept != NULL || n_labels == 0, FALSE);

  if (! check_images (labels, out, error) || ! run_task (context, &task, error))
    return FALSE;
  if (n_regions)
    *n_regions = task.n_regions;
  return TRUE;
}
