/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the watershed makes of each image of a folder.  Markers that are drawn on one image make no
 * sense on another one, and are refused; corrections by hand, another layer that is measured and a
 * selection of basins are left out.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "folder.h"
#include "measured-levels.h"

/* Of which the image with its layers is a result. */
static const char *const made_in_image[] =
{
  "lines-layer", "basins-layer", "mean-layer", "numbers-layer", "lines-path", "outline-paths",
};


static gboolean
is_on (GObject    *config,
       const char *argument)
{
  gboolean on;

  g_object_get (config, argument, &on, NULL);
  return on;
}

static gboolean
is_drawn (const char *markers)
{
  return g_strcmp0 (markers, "layer") == 0 || g_strcmp0 (markers, "path") == 0;
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
  return TRUE;
}

static void
clear (GObject *config)
{
  g_object_set (config, "marker-layer", NULL, "marker-path", NULL, "corrections", "",
                "measure-on", NULL, "select-basins", FALSE, NULL);
}

static gboolean
makes_layers (GObject *config)
{
  for (guint i = 0; i < G_N_ELEMENTS (made_in_image); i++)
    if (is_on (config, made_in_image[i]))
      return TRUE;
  return FALSE;
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
  .makes_layers      = makes_layers,
  .makes_image       = makes_image,
  .image_value       = "label-image",
  .image_suffix      = "-numbers",
  .table_argument    = "table-file",
  .outlines_argument = "outline-file",
  .count_value       = "basins",
};
