/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Objects: regions that lie within limits of area, circularity and mean level, and, if that is
 * wanted, not at an edge.
 *
 *   area          in pixels, whatever their size
 *   circularity   as at the top of regions.c; not defined for stacks
 *   mean          of the levels
 *   at an edge    a pixel of the object is in the first or last column or row, in a stack also in
 *                 the first or last slice, or a pixel beside it (of the 4, in a stack 6) is not
 *                 selected
 *
 * Both ends of a limit belong to it.  A value that is not a number is within no limit that is set.
 * An object is kept if it is within all limits; those kept are numbered from 1, in the order of
 * their labels.
 *
 * All this is cheap beside measuring: a choice reads three numbers an object, so it can follow a
 * slider.  A mask is read once, and in it a label is looked up only beside what is not selected.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/core/context-private.h"
#include "engine/core/embedding.h"
#include "engine/core/memory.h"
#include "engine/core/options.h"
#include "regions-private.h"

#define BIT(measure) (G_GUINT64_CONSTANT (1) << (measure))

/* What limits need of any image. */
#define OF_LIMITS (BIT (WF_REGION_AREA) | BIT (WF_REGION_BOUNDING_BOX) | \
                   BIT (WF_REGION_TOUCHES_BORDER))

/**
 * WfObjects:
 * @regions: the table
 * @at_edge: for each object 1 if it is at an edge, else 0: the column of WF_REGION_TOUCHES_BORDER
 */
struct _WfObjects
{
  WfRegions *regions;
  double    *at_edge;
};


/*  Options  */

#define LIMIT(option, field, text, unit, what, least, help) \
  { \
    .name          = option, \
    .kind          = WF_OPTION_REAL, \
    .meaning       = what, \
    .offset        = G_STRUCT_OFFSET (WfObjectOptions, field), \
    .label         = text, \
    .blurb         = help, \
    .placeholder   = unit, \
    .minimum       = least, \
    .maximum       = G_MAXDOUBLE, \
    .default_value = NAN, \
  }

static const WfOption object_options[] =
{
  LIMIT ("min-area", min_area, N_("Least area"), "PIXELS", WF_OPTION_AREA, 0,
         N_("Leave out objects of a smaller area than this, in pixels")),
  LIMIT ("max-area", max_area, N_("Greatest area"), "PIXELS", WF_OPTION_AREA, 0,
         N_("Leave out objects of a larger area than this, in pixels")),
  LIMIT ("min-circularity", min_circularity, N_("Least circularity"), "NUMBER", WF_OPTION_PLAIN,
         0, N_("Leave out objects of a lower circularity, 4π area ∕ perimeter², which is 1 of a "
               "disc")),
  LIMIT ("max-circularity", max_circularity, N_("Greatest circularity"), "NUMBER",
         WF_OPTION_PLAIN, 0, N_("Leave out objects of a higher circularity")),
  LIMIT ("min-mean", min_mean, N_("Least mean level"), "LEVEL", WF_OPTION_LEVEL, -G_MAXDOUBLE,
         N_("Leave out objects of a lower mean level")),
  LIMIT ("max-mean", max_mean, N_("Greatest mean level"), "LEVEL", WF_OPTION_LEVEL, -G_MAXDOUBLE,
         N_("Leave out objects of a higher mean level")),
  {
    .name          = "inside",
    .kind          = WF_OPTION_BOOLEAN,
    .offset        = G_STRUCT_OFFSET (WfObjectOptions, inside),
    .label         = N_("_Leave out objects at the edge"),
    .blurb         = N_("Leave out objects at an edge of the image or of what is selected, which "
                        "cuts them off"),
    .maximum       = 1,
  },
};

static const WfOptionGroup group =
{
  "objects", N_("Objects"), N_("Keep the objects within limits"),
  object_options, G_N_ELEMENTS (object_options), sizeof (WfObjectOptions)
};

/**
 * wf_objects_get_options:
 *
 * Gets the description of #WfObjectOptions.
 *
 * Returns: (transfer none): the description, constant
 */
const WfOptionGroup *
wf_objects_get_options (void)
{
  return &group;
}

/**
 * wf_objects_are_limited:
 * @options: limits
 *
 * Tells whether there is any limit.
 *
 * Returns: whether any object may be left out
 */
gboolean
wf_objects_are_limited (const WfObjectOptions *options)
{
  WfObjectOptions taken;

  g_return_val_if_fail (options != NULL, FALSE);

  return wf_option_group_take (&group, options, &taken, NULL) &&
         (taken.inside || ! isnan (taken.min_area) || ! isnan (taken.max_area) ||
          ! isnan (taken.min_circularity) || ! isnan (taken.max_circularity) ||
          ! isnan (taken.min_mean) || ! isnan (taken.max_mean));
}


/*  Edges  */

static gint64
find_object (const WfRegions *regions,
             guint32          label)
{
  gint64 first = 0;
  gint64 end   = regions->n;

  while (end - first > 1)
    {
      const gint64 middle = (first + end) / 2;

      if (regions->values[middle] <= label)
        first = middle;
      else
        end = middle;
    }
  return first;
}

/* Whether the pixels of a row are selected. */
static void
read_mask (const WfImage *mask,
           gint64         row,
           guint8        *selected)
{
  wf_foreground_mark_row (mask, wf_image_row (mask, row), NAN, TRUE, selected);
}

/* @beside: of a row beside it; NULL: the next pixels along the row itself */
static void
note_row (WfObjects     *objects,
          const WfImage *labels,
          gint64         row,
          const guint8  *selected,
          const guint8  *beside)
{
  const guint32 *label = wf_image_row (labels, row);

  for (gint64 x = 0; x < labels->width; x++)
    if (label[x] != 0 &&
        (beside ? ! beside[x]
                : (x > 0 && ! selected[x - 1]) || (x + 1 < labels->width && ! selected[x + 1])))
      objects->at_edge[find_object (objects->regions, label[x])] = 1;
}

static gboolean
compare_mask (WfObjects      *objects,
              const WfImage  *labels,
              const WfImage  *mask,
              GCancellable   *cancellable,
              GError        **error)
{
  g_autofree guint8 *marks    = wf_allocate (2, (gsize) labels->width, error);
  guint8            *selected = marks;
  guint8            *beside   = marks + labels->width;

  if (! marks)
    return FALSE;
  for (gint64 row = 0; row < labels->height * labels->depth; row++)
    {
      const gint64 y = row % labels->height;
      const gint64 z = row / labels->height;
      const gint64 rows[] = { y > 0 ? row - 1 : -1, y + 1 < labels->height ? row + 1 : -1,
                              z > 0 ? row - labels->height : -1,
                              z + 1 < labels->depth ? row + labels->height : -1 };

      if (g_cancellable_is_cancelled (cancellable))
        return wf_run_set_cancelled (error);
      read_mask (mask, row, selected);
      note_row (objects, labels, row, selected, NULL);
      for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
        if (rows[i] >= 0)
          {
            read_mask (mask, rows[i], beside);
            note_row (objects, labels, row, selected, beside);
          }
    }
  return TRUE;
}


/*  Measuring  */

/**
 * wf_objects_measure:
 * @context: (nullable): where and how; %NULL for a context of its own
 * @labels: as for wf_regions_measure()
 * @image: (nullable): likewise
 * @mask: (nullable): u8, u16, u32 or f32, size of @labels: 0 where nothing is selected; %NULL: all
 *   pixels are
 * @measures: a bit for each measure that is wanted besides those of limits
 * @options: (nullable): as for wf_regions_measure()
 * @error: as for wf_regions_measure()
 *
 * Measures every region; the table has area, bounding box, circularity unless it is one of a stack,
 * mean if there is an image, whether the object is at an edge, also of what is selected, in the
 * column of %WF_REGION_TOUCHES_BORDER, and @measures.
 *
 * Time and memory as for wf_regions_measure().
 *
 * Returns: (transfer full): the objects, or %NULL with @error set
 */
WfObjects *
wf_objects_measure (WfContext              *context,
                    const WfImage          *labels,
                    const WfImage          *image,
                    const WfImage          *mask,
                    guint64                 measures,
                    const WfRegionOptions  *options,
                    GError                **error)
{
  g_autoptr (WfContext) own     = wf_context_ensure (context);
  g_auto (WfStaging)    staging = { .context = own };
  g_autoptr (WfObjects) objects = g_new0 (WfObjects, 1);

  measures |= OF_LIMITS;
  if (labels && labels->depth == 1)
    measures |= BIT (WF_REGION_CIRCULARITY);
  if (image)
    measures |= BIT (WF_REGION_MEAN);
  if (mask && (! wf_image_check_view (labels, _("label image"), error) ||
               ! wf_embedding_check_mask (mask, labels, error) ||
               ! wf_staging_take (&staging, &labels, error) ||
               ! wf_staging_take (&staging, &mask, error)))
    return NULL;
  objects->regions = wf_regions_measure (own, labels, image, measures, options, error);
  if (! objects->regions)
    return NULL;
  objects->at_edge = (double *) wf_objects_get_values (objects, WF_REGION_BORDER_COLUMN);
  return ! mask || compare_mask (objects, labels, mask, wf_context_get_cancellable (own), error)
         ? g_steal_pointer (&objects) : NULL;
}

/**
 * wf_objects_get_regions:
 * @objects: objects
 *
 * Gets all measurements.
 *
 * Returns: (transfer none): the table
 */
const WfRegions *
wf_objects_get_regions (const WfObjects *objects)
{
  g_return_val_if_fail (objects != NULL, NULL);

  return objects->regions;
}

/**
 * wf_objects_get_values:
 * @objects: objects
 * @column: its name; "pixels" is the area in pixels, also where the table has only that
 *
 * Gets the values of a column.
 *
 * Returns: (transfer none) (nullable): one for each object
 */
const double *
wf_objects_get_values (const WfObjects *objects,
                       const char      *column)
{
  const WfRegions *regions;

  g_return_val_if_fail (objects != NULL && column != NULL, NULL);

  regions = objects->regions;
  if (strcmp (column, "pixels") == 0 && ! regions->has_size)
    column = "area";
  for (guint i = 0; i < regions->columns->len; i++)
    if (strcmp (((const WfRegionColumn *) regions->columns->pdata[i])->name, column) == 0)
      return wf_regions_get_values (regions, i);
  return NULL;
}

/**
 * wf_objects_free:
 * @objects: (transfer full) (nullable): objects
 *
 * Frees them.
 */
void
wf_objects_free (WfObjects *objects)
{
  if (! objects)
    return;
  g_clear_pointer (&objects->regions, wf_regions_free);
  g_free (objects);
}


/*  Choosing  */

static void
limit (guint8       *kept,
       gint64        n,
       const double *values,
       double        least,
       double        greatest)
{
  if (! isnan (least))
    for (gint64 i = 0; i < n; i++)
      kept[i] &= values[i] >= least;
  if (! isnan (greatest))
    for (gint64 i = 0; i < n; i++)
      kept[i] &= values[i] <= greatest;
}

static gboolean
is_measured (const WfObjects  *objects,
             const char       *column,
             double            least,
             double            greatest,
             GError          **error)
{
  if ((isnan (least) && isnan (greatest)) || wf_objects_get_values (objects, column))
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               strcmp (column, "mean") == 0
               ? _("The measure %s is one of levels: it needs an image.")
               : _("The measure %s is not defined for stacks."), column);
  return FALSE;
}

/**
 * wf_objects_choose:
 * @objects: objects
 * @options: (nullable): the limits; %NULL for none
 * @kept: (out caller-allocates): an entry for each object: 1 if it is within all limits, else 0
 * @error: %WF_ERROR_INVALID, also for a limit on what was not measured
 *
 * Chooses objects; see the top of objects.c for the definition.
 *
 * Returns: the number of objects that are kept, or −1 with @error set
 */
gint64
wf_objects_choose (const WfObjects        *objects,
                   const WfObjectOptions  *options,
                   guint8                 *kept,
                   GError                **error)
{
  const gint64    n      = objects ? objects->regions->n : 0;
  gint64          n_kept = 0;
  WfObjectOptions taken;

  g_return_val_if_fail (objects != NULL && (kept != NULL || n == 0), -1);

  if (! wf_option_group_take (&group, options, &taken, error) ||
      ! is_measured (objects, "circularity", taken.min_circularity, taken.max_circularity, error) ||
      ! is_measured (objects, "mean", taken.min_mean, taken.max_mean, error))
    return -1;
  for (gint64 i = 0; i < n; i++)
    kept[i] = ! (taken.inside && objects->at_edge[i] > 0);
  limit (kept, n, wf_objects_get_values (objects, "pixels"), taken.min_area, taken.max_area);
  limit (kept, n, wf_objects_get_values (objects, "circularity"), taken.min_circularity,
         taken.max_circularity);
  limit (kept, n, wf_objects_get_values (objects, "mean"), taken.min_mean, taken.max_mean);
  for (gint64 i = 0; i < n; i++)
    n_kept += kept[i];
  return n_kept;
}

/**
 * wf_objects_list_kept:
 * @objects: objects
 * @kept: (nullable): for each whether it is kept; %NULL keeps all with their labels
 *
 * Copies the lines of objects that are kept; their labels are those that wf_labels_keep() gives.
 *
 * Returns: (transfer full): the table
 */
WfRegions *
wf_objects_list_kept (const WfObjects *objects,
                      const guint8    *kept)
{
  const WfRegions *all;
  WfRegions       *list;
  double          *value;

  g_return_val_if_fail (objects != NULL, NULL);

  all           = objects->regions;
  list          = g_memdup2 (all, sizeof *all);
  list->columns = g_ptr_array_copy (all->columns, NULL, NULL);
  list->n       = 0;
  for (gint64 i = 0; i < all->n; i++)
    list->n += ! kept || kept[i];
  list->values = value = g_new (double, MAX (list->n, 1) * all->columns->len);
  for (guint column = 0; column < all->columns->len; column++)
    for (gint64 i = 0; i < all->n; i++)
      if (! kept || kept[i])
        *value++ = all->values[column * all->n + i];
  for (gint64 i = 0; kept && i < list->n; i++)
    list->values[i] = (double) (i + 1);
  return list;
}
