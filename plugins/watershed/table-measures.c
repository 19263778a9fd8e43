/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The measures of the objects that tables have, as an argument: that which the dialog shows, copies
 * and saves, the table's file, and that of all objects of a folder.
 *
 * Where none are chosen, files have what is measured of basins (engine/measurements/basin-table.c),
 * also of images that are processed in parts; the dialog then shows some.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "table-measures.h"

/* What the dialog shows at first. */
#define FIRST_MEASURES "area,centroid,equivalent-diameter,circularity,mean"

#define BIT(measure) (G_GUINT64_CONSTANT (1) << (measure))


/**
 * wf_table_measures_add_argument:
 * @procedure: a procedure under construction
 *
 * Adds the argument "table-measures".
 */
void
wf_table_measures_add_argument (GimpProcedure *procedure)
{
  gimp_procedure_add_string_argument (procedure, WF_TABLE_MEASURES, _("Columns"),
                                      _("The measures in the table, names between commas as "
                                        "“wavefront measure” has them, such as "
                                        "“area,feret,mean”, or “all”; empty: the file has area, "
                                        "centroid, bounding box, least and mean level, and depth"),
                                      "", G_PARAM_READWRITE);
}

static guint64
list_all (void)
{
  guint64 all = 0;

  for (int i = 0; wf_region_measure_describe ((WfRegionMeasure) i); i++)
    all |= BIT (i);
  return all;
}

/**
 * wf_table_measures_read:
 * @config: the values of the arguments
 * @measures: (out): a bit for each measure that is chosen; 0: none is
 * @error: %WF_ERROR_INVALID for what is no measure
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_table_measures_read (GObject  *config,
                        guint64  *measures,
                        GError  **error)
{
  g_autofree char *list = NULL;

  *measures = 0;
  g_object_get (config, WF_TABLE_MEASURES, &list, NULL);
  if (! list || ! *list)
    return TRUE;
  if (! wf_region_measures_parse (list, measures, error))
    return FALSE;
  if (*measures == 0)
    *measures = list_all ();
  return TRUE;
}

/**
 * wf_table_measures_get_shown:
 * @config: the values of the arguments
 *
 * Returns: a bit for each measure that the dialog shows
 */
guint64
wf_table_measures_get_shown (GObject *config)
{
  guint64 measures;

  if (! wf_table_measures_read (config, &measures, NULL) || measures == 0)
    wf_region_measures_parse (FIRST_MEASURES, &measures, NULL);
  return measures;
}

/**
 * wf_table_measures_choose:
 * @config: the values of the arguments
 * @measures: a bit for each measure; at least one
 *
 * Sets the argument.
 */
void
wf_table_measures_choose (GObject *config,
                          guint64  measures)
{
  g_autoptr (GString)        list = g_string_new (NULL);
  const WfRegionMeasureInfo *info;

  for (int i = 0; (info = wf_region_measure_describe ((WfRegionMeasure) i)); i++)
    if (measures >> i & 1)
      g_string_append_printf (list, "%s%s", list->len ? "," : "", info->name);
  g_object_set (config, WF_TABLE_MEASURES, list->str, NULL);
}

/**
 * wf_table_measures_find_defined:
 * @measures: a bit for each measure
 * @stack: whether the objects are those of a stack
 *
 * Returns: those of @measures that such objects have
 */
guint64
wf_table_measures_find_defined (guint64  measures,
                                gboolean stack)
{
  const WfRegionMeasureInfo *info;

  for (int i = 0; stack && (info = wf_region_measure_describe ((WfRegionMeasure) i)); i++)
    if (! info->is_for_stacks)
      measures &= ~BIT (i);
  return measures;
}
