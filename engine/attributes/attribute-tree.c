/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The tree of all components of an image, for openings by one area, height or volume after the
 * other.
 *
 * For a level h let C be a connected component of the pixels that are not below h.  Components of
 * two levels lie one in the other or apart: so they are a tree, whose root is the whole image.  A
 * component that is the same at several levels is one node, at the highest of them.  An opening
 * gives each pixel the level of the smallest node that holds it and has at least so large an
 * attribute.  Of closings the components are those of the pixels that are not above h.
 *
 * A parent has at least what each of its children has, so one pass over the nodes, parents first,
 * finds what each becomes, and one over the pixels looks this up.
 *
 * Source: Salembier, Oliveras and Garrido (1998), the max-tree; Jones, Connected filtering and
 * segmentation using component trees, Computer Vision and Image Understanding 75 (1999).
 */

#include "config.h"

#include <inttypes.h>
#include <math.h>

#include <glib/gi18n-lib.h>

#include "attribute-tree.h"
#include "engine/core/context-private.h"
#include "engine/core/memory.h"
#include "engine/core/record.h"

#define SHARE_OF_LEVELS 0.4
#define SHARE_OF_WRITE  0.6


/**
 * wf_attribute_tree_ref:
 * @tree: a tree
 *
 * Adds a reference, from any thread.
 *
 * Returns: (transfer full): @tree
 */
WfAttributeTree *
wf_attribute_tree_ref (WfAttributeTree *tree)
{
  g_return_val_if_fail (tree != NULL, NULL);

  g_atomic_ref_count_inc (&tree->ref_count);
  return tree;
}

/**
 * wf_attribute_tree_unref:
 * @tree: (transfer full): a tree
 *
 * Drops a reference, from any thread.  The last one frees the tree.
 */
void
wf_attribute_tree_unref (WfAttributeTree *tree)
{
  g_return_if_fail (tree != NULL);

  if (! g_atomic_ref_count_dec (&tree->ref_count))
    return;
  for (guint i = 0; i < tree->n_parts; i++)
    g_free (tree->parts[i].nodes);
  g_free (tree->parts);
  g_free (tree->parents);
  g_free (tree->whole);
  g_free (tree->real);
  g_free (tree->levels);
  g_free (tree);
}

/**
 * wf_attribute_tree_get_size:
 * @tree: a tree
 *
 * Tells how much memory a tree takes while it is kept: 4 bytes a pixel, and for each node those of
 * a level and 8, or 12 for volumes and for heights of f32.  There are at most as many nodes as
 * pixels; photographs of 8 bits have a quarter to a half as many, those of 16 bits nearly as many.
 *
 * Returns: its memory, in bytes.
 */
guint64
wf_attribute_tree_get_size (const WfAttributeTree *tree)
{
  g_return_val_if_fail (tree != NULL, 0);

  return tree->size;
}


/*  Building  */

typedef struct
{
  WfAttributeTree *tree;
  const WfImage   *image;
} Building;

/* Of WfContextWorkFunc. */
static gboolean
build (gpointer   data,
       WfRun     *run,
       GError   **error)
{
  const Building *building = data;

  return wf_image_check_nan (building->image, _("image"), run, error) &&
         wf_cpu_attribute_tree_build (building->tree, building->image, run, error);
}

/* The volumes of f32 are sums of doubles, in the order in which another algorithm joins pixels. */
static gboolean
check_attribute (const WfAttributeTree  *tree,
                 GError                **error)
{
  if (tree->attribute != WF_ATTRIBUTE_VOLUME || tree->type != WF_TYPE_F32)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
               _("There is no tree for volumes of floating-point levels."));
  return FALSE;
}

/* Pixels have a border while the tree is built, and 32 bits count them all. */
static gboolean
check_positions (const WfImage  *image,
                 GError        **error)
{
  const double n = (double) (image->width + 2) * (double) (image->height + 2) *
                   (double) (image->depth > 1 ? image->depth + 2 : 1);

  if (n < G_MAXUINT32)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED,
               _("The size of the %s, %" PRId64 " × %" PRId64
                 " × %" PRId64 ", is too large to be addressed."),
               _("image"), image->width, image->height, image->depth);
  return FALSE;
}

/**
 * wf_attribute_tree_new:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @operation: one of the openings and closings by area, height or volume
 * @image: u8, u16 or f32, width × height × depth, fewer than 2³² pixels together with a border of
 *   one pixel; ±infinity is allowed, NaN is not
 * @options: (nullable): connectivity; all else is ignored
 * @error: %WF_ERROR_INVALID; %WF_ERROR_UNSUPPORTED for a larger image, and for volumes of f32;
 *   %WF_ERROR_MEMORY, %WF_ERROR_DEVICE, %G_IO_ERROR_CANCELLED
 *
 * Builds the tree of all components of @image, by all threads; see the top of attribute-tree.c.
 * Which threads there were makes no difference to what is cut of it.
 *
 * Time: linear in the pixels; of f32 they are sorted first.  Memory, while it is built: up to 35
 * bytes a pixel of u8, 38 of u16 and 64 of f32; then that of wf_attribute_tree_get_size().
 *
 * Returns: (transfer full): the tree, or %NULL with @error set
 */
WfAttributeTree *
wf_attribute_tree_new (WfContext                 *context,
                       WfOperation                operation,
                       const WfImage             *image,
                       const WfAttributeOptions  *options,
                       GError                   **error)
{
  g_autoptr (WfContext)       own      = NULL;
  g_autoptr (WfAttributeTree) tree     = g_new0 (WfAttributeTree, 1);
  g_auto (WfStaging)          staging  = { 0 };
  Building                    building = { tree, image };
  WfAttributeOptions          taken;

  g_atomic_ref_count_init (&tree->ref_count);
  g_return_val_if_fail (wf_attribute_is_of (operation), NULL);
  if (! wf_image_check_view (image, _("image"), error) ||
      ! wf_image_check_work_type (image, _("image"), error) ||
      ! wf_operation_take (operation, options, &taken, error))
    return NULL;
  tree->shape     = wf_image_shape (image);
  tree->type      = image->type;
  tree->operation = operation;
  tree->attribute = wf_attribute_of (operation);
  tree->closing   = wf_attribute_is_closing (operation);
  if (! wf_connectivity_resolve (taken.connectivity, &tree->shape, &tree->connectivity, error) ||
      ! check_attribute (tree, error) ||
      ! check_positions (image, error))
    return NULL;

  own             = wf_context_ensure (context);
  staging.context = own;
  if (! wf_staging_take (&staging, &building.image, error) ||
      ! wf_context_work (own, "flooding", wf_cpu_attribute_tree_memory (tree), build, &building,
                         error))
    return NULL;
  return g_steal_pointer (&tree);
}


/*  Cutting  */

/**
 * Cut:
 * @whole, @real: what a component has that stays, at least
 * @levels: what each node becomes
 */
typedef struct
{
  const WfAttributeTree *tree;
  guint32                whole;
  double                 real;
  gpointer               levels;
  WfImage               *out;
} Cut;

#define CUT_BY(Type, attributes) \
  { \
    const Type *own    = tree->levels; \
    Type       *levels = cut->levels; \
\
    for (guint32 i = first; i < first + n; i++) \
      levels[i] = tree->attributes[i] >= cut->attributes ? own[i] : levels[tree->parents[i]]; \
  }

#define CUT(Type) \
  { \
    if (tree->real) \
      CUT_BY (Type, real) \
    else \
      CUT_BY (Type, whole) \
  }

static void
cut_nodes (const Cut *cut,
           guint32    first,
           guint32    n)
{
  const WfAttributeTree *tree = cut->tree;

  switch (tree->type)
    {
    case WF_TYPE_U8:
      CUT (guint8)
      break;
    case WF_TYPE_U16:
      CUT (guint16)
      break;
    default:
      CUT (float)
      break;
    }
}

static gboolean
cut_part (gpointer data,
          WfRow    row)
{
  const Cut             *cut  = data;
  const WfAttributePart *part = &cut->tree->parts[row.number];

  cut_nodes (cut, part->first, part->n);
  return TRUE;
}

#define WRITE(Type) \
  { \
    const Type *levels = cut->levels; \
    Type       *to     = wf_image_row (cut->out, row.number); \
\
    for (gint64 x = 0; x < tree->shape.width; x++) \
      to[x] = levels[nodes[x]]; \
  }

static gboolean
write_row (gpointer data,
           WfRow    row)
{
  const Cut             *cut   = data;
  const WfAttributeTree *tree  = cut->tree;
  const WfAttributePart *part  = tree->parts;
  const gboolean         stack = tree->shape.depth > 1;
  const gint64           slab  = stack ? row.number / tree->shape.height : row.number;
  const guint32         *nodes;

  while (slab >= part->first_slab + part->n_slabs)
    part++;
  nodes = part->nodes + part->origin + (slab - part->first_slab) *
          (stack ? part->slice : part->pitch)
          + (stack ? row.number % tree->shape.height * part->pitch : 0);
  switch (tree->type)
    {
    case WF_TYPE_U8:
      WRITE (guint8)
      break;
    case WF_TYPE_U16:
      WRITE (guint16)
      break;
    default:
      WRITE (float)
      break;
    }
  return TRUE;
}

/* Of WfContextWorkFunc. */
static gboolean
work (gpointer   data,
      WfRun     *run,
      GError   **error)
{
  Cut                   *cut    = data;
  const WfAttributeTree *tree   = cut->tree;
  g_autofree char       *levels = wf_run_allocate (run, tree->n_nodes, wf_type_size (tree->type),
                                                   error);
  const WfRows           parts  = { .n = tree->n_parts, .chunk = 1, .amount = tree->n_nodes };
  const WfRows           rows   = { .n      = tree->shape.height * tree->shape.depth,
                                    .amount = tree->shape.width };

  if (! levels)
    return FALSE;
  cut->levels = levels;
  wf_run_begin (run, SHARE_OF_LEVELS, parts.n * parts.amount);
  cut_nodes (cut, 0, tree->n_shared);
  if (! wf_run_rows (run, &parts, cut_part, cut, error))
    return FALSE;
  wf_run_commit (run);
  wf_run_begin (run, SHARE_OF_WRITE, rows.n * rows.amount);
  return wf_run_rows (run, &rows, write_row, cut, error);
}

static gboolean
check_cut (const WfAttributeTree  *tree,
           double                  least,
           const WfImage          *out,
           GError                **error)
{
  const WfImage      image = { .width  = tree->shape.width,
                               .height = tree->shape.height,
                               .depth  = tree->shape.depth };
  WfAttributeOptions options;
  WfAttributeOptions taken;

  wf_option_group_init (wf_operation_get_options (tree->operation), &options);
  *wf_attribute_get_least (&options, tree->operation) = least;
  return wf_image_check_view (out, _("result"), error) &&
         wf_image_check_type (out, tree->type, _("result"), error) &&
         wf_image_check_size (out, _("result"), &image, _("image"), error) &&
         wf_operation_take (tree->operation, &options, &taken, error) &&
         wf_operation_check_required (tree->operation, &taken, error);
}

/**
 * wf_attribute_tree_cut:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @tree: a tree
 * @least: parts of at least this area, height or volume stay, 0 or more
 * @out: type and size of the image that the tree was built of
 * @error: %WF_ERROR_INVALID, %WF_ERROR_MEMORY, %WF_ERROR_DEVICE, %G_IO_ERROR_CANCELLED
 *
 * Makes what the operation that the tree was built for makes of the image with @least as area,
 * height or volume, to the bit.
 *
 * Time: one step for each node, and one for each pixel, by all threads.  Memory: a level for each
 * node.
 *
 * Returns: %FALSE with @error set; then @out is as it was.
 */
gboolean
wf_attribute_tree_cut (WfContext              *context,
                       const WfAttributeTree  *tree,
                       double                  least,
                       WfImage                *out,
                       GError                **error)
{
  g_autoptr (WfContext) own     = NULL;
  g_auto (WfStaging)    staging = { 0 };
  Cut                   cut     = { .tree = tree, .real = least, .out = out };

  g_return_val_if_fail (tree != NULL, FALSE);

  if (! check_cut (tree, least, out, error))
    return FALSE;
  cut.whole       = (guint32) CLAMP (ceil (least), 0.0, (double) G_MAXUINT32);
  own             = wf_context_ensure (context);
  staging.context = own;
  return wf_staging_give (&staging, &cut.out, error) &&
         wf_context_work (own, "flooding",
                          (guint64) tree->n_nodes * wf_type_size (tree->type), work, &cut,
                          error) &&
         wf_staging_deliver (&staging, error);
}
