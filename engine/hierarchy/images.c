/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images made of a hierarchy: the labels of a partition, and the saliency map.  The
 * definitions are in hierarchy.c.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "engine/core/embedding.h"
#include "engine/core/memory.h"
#include "engine/core/record.h"
#include "engine/core/refusals.h"
#include "engine/core/stages.h"
#include "hierarchy.h"


static gboolean
check_labels (const WfBasinTree  *tree,
              const WfImage      *labels,
              GError            **error)
{
  WfShape shape;
  int     connectivity;

  if (! wf_image_check_view (labels, _("label image"), error) ||
      ! wf_image_check_type (labels, WF_TYPE_U32, _("label image"), error))
    return FALSE;
  shape = wf_image_shape (labels);
  return wf_connectivity_resolve (tree->connectivity, &shape, &connectivity, error);
}

/* A label that no basin has. */
static guint32
find_unused (const WfBasinTree *tree)
{
  guint32 label = tree->highest + 1;

  if (tree->highest < G_MAXUINT32)
    return label;
  for (label = 1; wf_basin_tree_find (tree, label) != 0; label++)
    ;
  return label;
}

/* Copies the labels, with @outside where @marks is 0.  Returns whether no label inside is the
 * same.
 */
static gboolean
copy_inside (const WfImage *labels,
             const WfImage *marks,
             guint32        outside,
             WfImage       *copy)
{
  const gint64 n_rows = labels->height * labels->depth;
  gboolean     met    = FALSE;

#pragma omp parallel for if (wf_image_is_large (labels)) reduction (|: met)
  for (gint64 row = 0; row < n_rows; row++)
    {
      const guint32 *from   = wf_image_row (labels, row);
      const guint8  *inside = wf_image_row (marks, row);
      guint32       *to     = wf_image_row (copy, row);

      for (gint64 x = 0; x < labels->width; x++)
        {
          met  |= inside[x] && from[x] == outside;
          to[x] = inside[x] ? from[x] : outside;
        }
    }
  return ! met;
}

/* Gives the pixels outside the mask a label that no basin has. */
static gboolean
mark_outside (const WfBasinTree  *tree,
              const WfImage      *labels,
              const WfImage      *mask,
              WfImage            *marked,
              guint32            *outside,
              GError            **error)
{
  g_auto (WfImage) marks = { 0 };

  *outside = find_unused (tree);
  if (! wf_image_allocate (&marks, WF_TYPE_U8, labels->width, labels->height, labels->depth,
                           error) ||
      ! wf_image_allocate (marked, WF_TYPE_U32, labels->width, labels->height, labels->depth,
                           error))
    return FALSE;
  wf_foreground_mark (mask, NAN, TRUE, &marks);
  return copy_inside (labels, &marks, *outside, marked) ||
         wf_refuse_unknown_label (*outside, error);
}

/* Each pixel is looked up in a table once, so transfers to a device would cost more than the work:
 * a device relabels only what is in its memory.
 */
static gboolean
plan_step (WfContext              *context,
           const WfHierarchyTask  *task,
           WfPlan                 *plan,
           GError                **error)
{
  if (task->step == WF_HIERARCHY_RELABEL &&
      (task->labels->memory != WF_MEMORY_HOST || task->out->memory != WF_MEMORY_HOST))
    return wf_context_plan (context, WF_OPERATION_HIERARCHY, NULL, task,
                            wf_shape_n_pixels (&task->shape), plan, error);
  return wf_context_plan_on_cpu (context, WF_OPERATION_HIERARCHY, task, plan, error);
}

static gboolean
run_step (WfContext          *context,
          WfHierarchyStep     step,
          const WfHierarchy  *hierarchy,
          const guint32      *regions,
          const WfImage      *labels,
          const WfImage      *mask,
          WfImage            *out,
          GError            **error)
{
  g_auto (WfImage)      marked  = { 0 };
  g_autoptr (WfContext) own     = wf_context_ensure (context);
  g_auto (WfStaging)    staging = { .context = own };
  WfHierarchyTask       task    = {
    .step         = step,
    .shape        = wf_image_shape (labels),
    .connectivity = wf_hierarchy_get_tree (hierarchy)->connectivity,
    .labels       = labels,
    .tree         = (WfBasinTree *) wf_hierarchy_get_tree (hierarchy),
    .regions      = regions,
    .out          = out,
  };
  WfStages              stages;
  WfPlan                plan;
  gboolean              done;

  wf_stages_init (&stages, own);
  wf_stages_next (&stages, 1);
  if (mask)
    task.labels = &marked;
  done = (! mask ||
          (wf_staging_take (&staging, &labels, error) &&
           wf_staging_take (&staging, &mask, error) &&
           wf_stages_claim (&stages, 5 * (guint64) wf_image_n_pixels (labels), error) &&
           mark_outside (task.tree, labels, mask, &marked, &task.outside, error))) &&
         plan_step (own, &task, &plan, error) &&
         wf_context_run (own, WF_OPERATION_HIERARCHY, &plan, &task, error);
  wf_stages_end (&stages);
  return done;
}

static gboolean
check_inputs (const WfHierarchy  *hierarchy,
              const WfImage      *labels,
              const WfImage      *mask,
              GError            **error)
{
  return check_labels (wf_hierarchy_get_tree (hierarchy), labels, error) &&
         (! mask || wf_embedding_check_mask (mask, labels, error));
}

/**
 * wf_hierarchy_relabel:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @hierarchy: a hierarchy
 * @regions: (array zero-terminated=0): for each basin, counted from 0, its region, as a cut
 *   gives it
 * @labels: u32: labels of these basins, of the same image or a part of it
 * @out: u32, size of @labels: the result; may be @labels itself
 * @error: %WF_ERROR_INVALID, also for a label that is none of the basins';
 *   %WF_ERROR_MEMORY, %WF_ERROR_UNSUPPORTED, %G_IO_ERROR_CANCELLED
 *
 * Replaces every label by its region.  A pixel without a label, 0, is given a region
 * where it was a line within it: if it has a labelled neighbor, if there are several
 * basins around it, and if all of them are in that region.  Around it are the basins
 * of its neighbors, and of its unlabelled neighbors' neighbors.  So lines of one or
 * two pixels vanish inside a region and stay between regions; wider unlabelled parts, and
 * those beside one basin only, stay 0.
 *
 * A GPU in whose memory @labels or @out are does this there; otherwise the CPU does.
 *
 * Time: linear in the pixels.  Memory: 4 bytes a pixel, unless partial outputs are
 * allowed and @out is not @labels; on a GPU also 4 bytes a
 * basin, and, unless labels are 1 to n, those of a table that finds a basin by its label.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_hierarchy_relabel (WfContext          *context,
                      const WfHierarchy  *hierarchy,
                      const guint32      *regions,
                      const WfImage      *labels,
                      WfImage            *out,
                      GError            **error)
{
  return wf_hierarchy_relabel_masked (context, hierarchy, regions, labels, NULL, out, error);
}

/**
 * wf_hierarchy_relabel_masked:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @hierarchy: a hierarchy, of wf_hierarchy_new_masked()
 * @regions: (array zero-terminated=0): as for wf_hierarchy_relabel()
 * @labels: as for wf_hierarchy_relabel(); those outside the mask do not count
 * @mask: (nullable): u8, u16, u32 or f32, size of @labels: not 0 inside; %NULL: all pixels are
 * @out: u32, size of @labels: the result; may be @labels itself
 * @error: as for wf_hierarchy_relabel()
 *
 * Replaces every label inside a mask by its region.  Pixels outside become 0, and no line looks at
 * them or across them.  The mask is applied in main memory.
 *
 * Time and memory as wf_hierarchy_relabel(), and 5 bytes a pixel more.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_hierarchy_relabel_masked (WfContext          *context,
                             const WfHierarchy  *hierarchy,
                             const guint32      *regions,
                             const WfImage      *labels,
                             const WfImage      *mask,
                             WfImage            *out,
                             GError            **error)
{
  g_return_val_if_fail (hierarchy != NULL && regions != NULL, FALSE);

  return check_inputs (hierarchy, labels, mask, error) &&
         wf_image_check_view (out, _("region image"), error) &&
         wf_image_check_type (out, WF_TYPE_U32, _("region image"), error) &&
         wf_image_check_size (out, _("region image"), labels, _("label image"), error) &&
         run_step (context, WF_HIERARCHY_RELABEL, hierarchy, regions, labels, mask, out, error);
}

static gboolean
check_saliency_type (const WfImage  *out,
                     GError        **error)
{
  if (out->type == WF_TYPE_F32 || out->type == WF_TYPE_F64)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The saliency map has pixels of type %s; they must be f32 or f64."),
               wf_type_name (out->type));
  return FALSE;
}

/**
 * wf_hierarchy_saliency:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @hierarchy: a hierarchy
 * @labels: u32: labels of its basins, of the same image or a part of it
 * @out: f32 or f64, size of @labels: the result
 * @error: as for wf_hierarchy_relabel()
 *
 * Gives each pixel on a boundary the depth at which the boundary disappears, the
 * largest if there are several: of a labelled pixel the boundaries to its neighbors
 * with other labels; of a line the one between all basins around it, as for
 * wf_hierarchy_relabel().  All others are 0.
 *
 * Above a depth d the map shows the boundaries that wf_hierarchy_cut_at_depth() leaves
 * at d: labelled pixels with a neighbor in another region, and pixels of lines that
 * stay.  f64 has the depths as they are; in f32 they are rounded upward, so that this
 * holds for every d that is a float, also for the map's own levels.
 *
 * Time: linear in the pixels; at those on boundaries, the logarithm of the number of
 * basins more.  Memory: that of @out, unless partial outputs are allowed; 16 bytes a
 * basin.
 *
 * Source: Najman and Schmitt, Geodesic saliency of watershed contours and hierarchical
 * segmentation, IEEE Trans. Pattern Analysis and Machine Intelligence 18 (1996).
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_hierarchy_saliency (WfContext          *context,
                       const WfHierarchy  *hierarchy,
                       const WfImage      *labels,
                       WfImage            *out,
                       GError            **error)
{
  return wf_hierarchy_saliency_masked (context, hierarchy, labels, NULL, out, error);
}

/**
 * wf_hierarchy_saliency_masked:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @hierarchy: a hierarchy, of wf_hierarchy_new_masked()
 * @labels: as for wf_hierarchy_saliency(); those outside the mask do not count
 * @mask: (nullable): u8, u16, u32 or f32, size of @labels: not 0 inside; %NULL: all pixels are
 * @out: f32 or f64, size of @labels: the result
 * @error: as for wf_hierarchy_relabel()
 *
 * The saliency map inside a mask: pixels outside are 0, and there is no boundary to them or across
 * them.
 *
 * Time and memory as wf_hierarchy_saliency(), and 5 bytes a pixel more.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_hierarchy_saliency_masked (WfContext          *context,
                              const WfHierarchy  *hierarchy,
                              const WfImage      *labels,
                              const WfImage      *mask,
                              WfImage            *out,
                              GError            **error)
{
  g_return_val_if_fail (hierarchy != NULL, FALSE);

  return check_inputs (hierarchy, labels, mask, error) &&
         wf_image_check_view (out, _("saliency map"), error) &&
         check_saliency_type (out, error) &&
         wf_image_check_size (out, _("saliency map"), labels, _("label image"), error) &&
         run_step (context, WF_HIERARCHY_SALIENCY, hierarchy, NULL, labels, mask, out, error);
}
