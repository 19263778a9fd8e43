/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What became of the images of a folder, as the rows of a summary, and as a text: comma-separated
 * values (RFC 4180), or with tabs for the clipboard.  The names of the columns are the same in
 * every language, because programs read them.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine/measurements/csv.h"
#include "outcome.h"

static const char *const names[WF_FOLDER_N_COLUMNS] =
{
  [WF_FOLDER_COLUMN_FILE]    = "file",
  [WF_FOLDER_COLUMN_RESULT]  = "result",
  [WF_FOLDER_COLUMN_OBJECTS] = "objects",
  [WF_FOLDER_COLUMN_SECONDS] = "seconds",
  [WF_FOLDER_COLUMN_OUTPUT]  = "output",
};


/**
 * wf_folder_outcome_free:
 * @outcome: (nullable): an outcome
 */
void
wf_folder_outcome_free (WfFolderOutcome *outcome)
{
  if (! outcome)
    return;
  g_free (outcome->file);
  g_free (outcome->message);
  g_free (outcome->output);
  g_free (outcome);
}

/**
 * wf_folder_outcome_describe:
 * @outcome: an outcome
 *
 * Returns: what became of the image, in a word, or the sentence of its error
 */
const char *
wf_folder_outcome_describe (const WfFolderOutcome *outcome)
{
  switch (outcome->state)
    {
    case WF_FOLDER_DONE:
      return _("Done");
    case WF_FOLDER_SKIPPED:
      return _("Skipped: a result exists");
    case WF_FOLDER_CANCELLED:
      return _("Cancelled");
    case WF_FOLDER_FAILED:
    default:
      return outcome->message;
    }
}

/**
 * wf_folder_outcome_show:
 * @outcome: an outcome
 * @column: a column of the summary
 *
 * Returns: (transfer full): what is in it
 */
char *
wf_folder_outcome_show (const WfFolderOutcome *outcome,
                        WfFolderColumn         column)
{
  switch (column)
    {
    case WF_FOLDER_COLUMN_FILE:
      return g_strdup (outcome->file);
    case WF_FOLDER_COLUMN_RESULT:
      return g_strdup (wf_folder_outcome_describe (outcome));
    case WF_FOLDER_COLUMN_OBJECTS:
      return outcome->n_objects < 0 ? g_strdup ("")
                                    : g_strdup_printf ("%" G_GINT64_FORMAT, outcome->n_objects);
    case WF_FOLDER_COLUMN_SECONDS:
      return outcome->state == WF_FOLDER_SKIPPED ? g_strdup ("")
                                                 : g_strdup_printf ("%.2f", outcome->seconds);
    case WF_FOLDER_COLUMN_OUTPUT:
    default:
      return g_strdup (outcome->output);
    }
}

/* A number has a point in every language. */
static void
add_value (GString               *text,
           const WfFolderOutcome *outcome,
           WfFolderColumn         column,
           char                   separator)
{
  g_autofree char *shown = NULL;
  char             digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (column == WF_FOLDER_COLUMN_SECONDS && outcome->state != WF_FOLDER_SKIPPED)
    {
      g_string_append (text, g_ascii_formatd (digits, sizeof digits, "%.2f", outcome->seconds));
      return;
    }
  shown = wf_folder_outcome_show (outcome, column);
  wf_csv_append_cell (text, shown, separator);
}

/**
 * wf_folder_outcomes_format:
 * @outcomes: (element-type WfFolderOutcome): outcomes
 * @with_objects: whether objects were counted
 * @separator: between cells: a comma or a tab
 *
 * Returns: (transfer full): the summary as a text
 */
char *
wf_folder_outcomes_format (const GPtrArray *outcomes,
                           gboolean         with_objects,
                           char             separator)
{
  GString *text = g_string_new (NULL);

  for (int row = -1; row < (int) outcomes->len; row++)
    {
      for (int column = 0; column < WF_FOLDER_N_COLUMNS; column++)
        {
          if (column == WF_FOLDER_COLUMN_OBJECTS && ! with_objects)
            continue;
          if (column > 0)
            g_string_append_c (text, separator);
          if (row < 0)
            g_string_append (text, names[column]);
          else
            add_value (text, outcomes->pdata[row], (WfFolderColumn) column, separator);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
