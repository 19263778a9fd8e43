/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table is measured before the labels are written, which may change them where they
 * lie, and takes its name after the labels have theirs: where there is a new table, it is
 * that of the labels beside it.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "measurements.h"
#include "message.h"


/**
 * figures_prepare:
 * @figures: filled; to be cleared whatever the result
 * @arguments: what the user wants
 * @result: the prepared output of the operation
 * @error: %TOOL_ERROR_USAGE or %TOOL_ERROR_FILE
 *
 * Finds out, before anything is computed, whether the table can be written.
 *
 * Returns: whether it can, or is not asked for.
 */
gboolean
figures_prepare (Figures          *figures,
                 const Arguments  *arguments,
                 const Output     *result,
                 GError          **error)
{
  memset (figures, 0, sizeof *figures);
  figures->wanted = arguments->table != NULL;
  if (! figures->wanted)
    return TRUE;
  if (! output_prepare_text (&figures->output, arguments->table, error))
    return FALSE;
  if (! output_is_same (result, &figures->output))
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("The labels and the table cannot both be written to “%s”."),
               figures->output.name);
  return FALSE;
}

/**
 * figures_measure:
 * @figures: prepared figures
 * @context: where
 * @image: whose levels are measured
 * @relief: what was flooded, or %NULL for @image
 * @labels: what is measured
 * @connectivity: as the operation has it
 * @error: as wf_basins_measure() sets it
 *
 * Returns: success.
 */
gboolean
figures_measure (Figures        *figures,
                 WfContext      *context,
                 const WfImage  *image,
                 const WfImage  *relief,
                 const WfImage  *labels,
                 int             connectivity,
                 GError        **error)
{
  return wf_basins_measure (context, image, relief, labels, connectivity, &figures->basins,
                            &figures->n_basins, error);
}

/**
 * figures_write:
 * @figures: measured figures
 * @place: which columns the table has
 * @error: %TOOL_ERROR_FILE
 *
 * Writes the table to a temporary file, as output_write() does.
 *
 * Returns: success.
 */
gboolean
figures_write (Figures             *figures,
               const WfTablePlace  *place,
               GError             **error)
{
  g_autofree char *text = NULL;

  if (! figures->wanted)
    return TRUE;
  text = wf_basin_table_format (figures->basins, figures->n_basins, place);
  return output_write_text (&figures->output, text, error);
}

/**
 * figures_commit:
 * @figures: written figures
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether the table now stands under its name, if it was asked for.
 */
gboolean
figures_commit (Figures  *figures,
                GError  **error)
{
  return ! figures->wanted || output_commit (&figures->output, error);
}

void
figures_clear (Figures *figures)
{
  output_clear (&figures->output);
  g_free (figures->basins);
  memset (figures, 0, sizeof *figures);
}
