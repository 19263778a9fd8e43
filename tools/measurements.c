/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Measuring comes before the labels are written, as writing may change them in memory.  The
 * table is named after the labels are, so that a new table always belongs to the labels
 * beside it.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "measurements.h"
#include "message.h"


/**
 * measurements_prepare:
 * @measurements: filled; to be cleared whatever the result
 * @arguments: what the user wants
 * @result: the prepared output of the operation
 * @error: %TOOL_ERROR_USAGE or %TOOL_ERROR_FILE
 *
 * Finds out, before anything is computed, whether the table can be written.
 *
 * Returns: whether it can, or is not asked for.
 */
gboolean
measurements_prepare (Measurements     *measurements,
                      const Arguments  *arguments,
                      const Output     *result,
                      GError          **error)
{
  memset (measurements, 0, sizeof *measurements);
  measurements->wanted = arguments->table != NULL;
  if (! measurements->wanted)
    return TRUE;
  if (! output_prepare_text (&measurements->output, arguments->table, error))
    return FALSE;
  if (! output_is_same (result, &measurements->output))
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("The labels and the table cannot both be written to “%s”."),
               measurements->output.name);
  return FALSE;
}

/**
 * measurements_measure:
 * @measurements: prepared measurements
 * @context: where
 * @image: whose levels are measured
 * @relief: what was flooded, or %NULL for @image
 * @labels: what is measured
 * @mask: (nullable): where
 * @connectivity: as the operation has it
 * @error: as wf_basins_measure_masked() sets it
 *
 * Returns: success.
 */
gboolean
measurements_measure (Measurements   *measurements,
                      WfContext      *context,
                      const WfImage  *image,
                      const WfImage  *relief,
                      const WfImage  *labels,
                      const WfImage  *mask,
                      int             connectivity,
                      GError        **error)
{
  return wf_basins_measure_masked (context, image, relief, labels, mask, connectivity,
                                   &measurements->basins, &measurements->n_basins, error);
}

/**
 * measurements_keep:
 * @measurements: measurements that were made, if they are wanted
 * @kept: for each of them, whether it stays
 *
 * Leaves the others out, and numbers those that stay as wf_labels_keep() does.
 */
void
measurements_keep (Measurements *measurements,
                   const guint8 *kept)
{
  guint32 n = 0;

  for (guint32 i = 0; i < measurements->n_basins; i++)
    if (kept[i])
      {
        measurements->basins[n]       = measurements->basins[i];
        measurements->basins[n].label = n + 1;
        n++;
      }
  measurements->n_basins = n;
}

/**
 * measurements_measure_blocks:
 * @measurements: prepared measurements
 * @context: where
 * @image: whose levels are measured
 * @relief: what was flooded, or %NULL for @image
 * @labels: what is measured
 * @connectivity: as the operation has it
 * @error: as wf_basins_measure_blocks() sets it
 *
 * The same in blocks; of several processes, the first one gets them.
 *
 * Returns: success.
 */
gboolean
measurements_measure_blocks (Measurements         *measurements,
                             WfContext            *context,
                             const WfBlockSource  *image,
                             const WfBlockSource  *relief,
                             const WfBlockSource  *labels,
                             int                   connectivity,
                             GError              **error)
{
  return wf_basins_measure_blocks (context, image, relief, labels, connectivity,
                                   &measurements->basins, &measurements->n_basins, NULL, error);
}

/**
 * measurements_write:
 * @measurements: finished measurements
 * @place: which columns the table has
 * @error: %TOOL_ERROR_FILE
 *
 * Writes the table to a temporary file, as output_write() does.
 *
 * Returns: success.
 */
gboolean
measurements_write (Measurements        *measurements,
                    const WfTablePlace  *place,
                    GError             **error)
{
  g_autofree char *text = NULL;

  if (! measurements->wanted)
    return TRUE;
  text = wf_basin_table_format (measurements->basins, measurements->n_basins, place);
  return output_write_text (&measurements->output, text, error);
}

/**
 * measurements_commit:
 * @measurements: written measurements
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the table now stands under its name, if it was asked for.
 */
gboolean
measurements_commit (Measurements  *measurements,
                     GError       **error)
{
  return ! measurements->wanted || output_commit (&measurements->output, error);
}

void
measurements_clear (Measurements *measurements)
{
  output_clear (&measurements->output);
  g_free (measurements->basins);
  memset (measurements, 0, sizeof *measurements);
}
