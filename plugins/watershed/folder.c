/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the watershed makes of each image of a folder.  Markers that are drawn on one image make no
 * sense on another one, and are refused; corrections by hand, another layer that is measured and a
 * selection of basins are left out.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "folder.h"
#include "marker-strokes.h"
#include "measured-levels.h"
#include "table-measures.h"

static const char *const layers[] =
{
  "lines-layer", "basins-layer", "mean-layer", "numbers-layer", NULL
};

static const char *const paths[] = { "lines-path", "outline-paths", NULL };


static gboolean
is_on (GObject    *config,
       const char *argument)
{
  gboolean on;

  g_object_get (config, argument, &on, NULL);
  return on;
}

static gboolean
is_any_on (GObject           *config,
           const char *const *arguments)
{
  for (; *arguments; arguments++)
    if (is_on (config, *arguments))
      return TRUE;
  return FALSE;
}

static gboolean
is_drawn (const char *markers)
{
  return g_strcmp0 (markers, "layer") == 0 || g_strcmp0 (markers, "path") == 0 ||
         g_strcmp0 (markers, "guides") == 0 || g_strcmp0 (markers, "strokes") == 0;
}

static gboolean
check (WfJob      *run,
       GPtrArray  *left_out,
       GError    **error)
{
  GObject         *config      = G_OBJECT (run->config);
  g_autofree char *markers     = NULL;
  g_autofree char *corrections = NULL;

  g_object_get (config, "markers", &markers, "corrections", &corrections, NULL);
  if (is_drawn (markers))
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The markers are drawn for this image: flood a folder from minima."));
      return FALSE;
    }
  if (corrections && *corrections)
    g_ptr_array_add (left_out, (gpointer) _("Corrections by hand are those of this image, and are "
                                            "left out."));
  if (wf_measured_levels_are_others (config))
    g_ptr_array_add (left_out, (gpointer) _("The layer that is measured is one of this image: the "
                                            "levels that are flooded are measured instead."));
  if (is_on (config, "select-basins"))
    g_ptr_array_add (left_out, (gpointer) _("No basins are selected, as files have no selection."));
  if (is_any_on (config, paths))
    g_ptr_array_add (left_out, (gpointer) _("Only XCF files keep paths: in another format, files "
                                            "have the layers without them, and where paths alone "
                                            "are made, files are XCF."));
  return TRUE;
}

static void
clear (GObject *config)
{
  g_object_set (config, "marker-layer", NULL, "marker-path", NULL, WF_MARKER_STROKES, "",
                "corrections", "", "measure-on", NULL, "select-basins", FALSE, NULL);
}

/* Of no objects: the names alone.  NULL if a stack has none of the measures. */
static char *
format_empty (guint64  measures,
              gboolean stack)
{
  const WfTablePlace    place   = { .size = sizeof place, .stack = stack };
  const guint64         defined = wf_table_measures_find_defined (measures, stack);
  guint32               none[2] = { 0 };
  guint8                dark[2] = { 0 };
  WfImage               labels;
  WfImage               levels;
  g_autoptr (WfRegions) regions = NULL;

  if (measures == 0)
    return wf_basin_table_format (NULL, 0, &place);
  if (defined == 0 ||
      ! wf_image_init (&labels, WF_TYPE_U32, 1, 1, stack ? 2 : 1, none, NULL) ||
      ! wf_image_init (&levels, WF_TYPE_U8, 1, 1, stack ? 2 : 1, dark, NULL))
    return NULL;
  regions = wf_regions_measure (NULL, &labels, &levels, defined, NULL, NULL);
  return regions ? wf_regions_format (regions, WF_TABLE_CSV, NULL, NULL) : NULL;
}

/* Slices have columns of their own; a file with one layer is none. */
static char **
list_columns (GObject *config)
{
  const int          n       = is_on (config, "stack") ? 2 : 1;
  g_autoptr (GError) problem = NULL;
  GPtrArray         *columns = g_ptr_array_new ();
  guint64            measures;

  wf_table_measures_read (config, &measures, &problem);   /* a run refuses what is no measure */
  for (int i = 0; i < n; i++)
    {
      char *names = format_empty (problem ? 0 : measures, i == 1);

      if (names)
        g_ptr_array_add (columns, g_strchomp (names));
    }
  g_ptr_array_add (columns, NULL);
  return (char **) g_ptr_array_free (columns, FALSE);
}

static gboolean
makes_layers (GObject *config)
{
  return is_any_on (config, layers);
}

static gboolean
makes_paths (GObject *config)
{
  return is_any_on (config, paths);
}

static gboolean
makes_image (GObject *config)
{
  return is_on (config, "label-image");
}

const WfFolderKind wf_watershed_folder =
{
  .check             = check,
  .clear             = clear,
  .list_columns      = list_columns,
  .makes_layers      = makes_layers,
  .makes_paths       = makes_paths,
  .makes_image       = makes_image,
  .image_value       = "label-image",
  .image_suffix      = "-numbers",
  .table_argument    = "table-file",
  .outlines_argument = "outline-file",
  .count_value       = "basins",
};
