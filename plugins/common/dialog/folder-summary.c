/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What becomes of a folder of images: a bar while they are processed, and a table of those that
 * have ended, which can be copied and saved at the end.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "folder-summary.h"
#include "plugins/common/folder/loop.h"
#include "ui/table/sorted-table.h"

#define SPACING 6
#define WIDTH   700
#define HEIGHT  300

/* Of texts, in characters. */
#define FILE_WIDTH   24
#define RESULT_WIDTH 28
#define DETAIL_WIDTH 90

static const char *const titles[WF_FOLDER_N_COLUMNS] =
{
  [WF_FOLDER_COLUMN_FILE]    = N_("File"),
  [WF_FOLDER_COLUMN_RESULT]  = N_("Result"),
  [WF_FOLDER_COLUMN_OBJECTS] = N_("Objects"),
  [WF_FOLDER_COLUMN_SECONDS] = N_("Seconds"),
  [WF_FOLDER_COLUMN_OUTPUT]  = N_("Written"),
};

/**
 * WfFolderSummary:
 * @detail: what became of the selected image, if the table has no room for it; or what failed
 * @outcomes: (nullable): what is shown
 * @orders: for each column the values by which it sorts
 * @n_objects: that were counted
 * @with_objects: whether they are
 * @index: of the present image
 * @n: images
 * @start: when the first one was begun
 */
struct _WfFolderSummary
{
  GtkWidget *box;
  GtkWidget *label;
  GtkWidget *bar;
  GtkWidget *table;
  GtkWidget *actions;
  GtkWidget *detail;
  GPtrArray *outcomes;
  GArray    *orders[WF_FOLDER_N_COLUMNS];
  gboolean   with_objects;
  guint      index;
  guint      n;
  gint64     start;
};


/*  Content of the table  */

/* Without objects their column is left out. */
static WfFolderColumn
find_column (const WfFolderSummary *summary,
             guint                  index)
{
  const gboolean beyond = ! summary->with_objects && index >= WF_FOLDER_COLUMN_OBJECTS;

  return (WfFolderColumn) (index + (beyond ? 1 : 0));
}

static char *
get_title (guint    index,
           gpointer data)
{
  return g_strdup (g_dgettext (GETTEXT_PACKAGE, titles[find_column (data, index)]));
}

static char *
get_text (guint    row,
          guint    index,
          gpointer data)
{
  WfFolderSummary *summary = data;

  return wf_folder_outcome_show (summary->outcomes->pdata[row], find_column (summary, index));
}

static const double *
get_order (guint    index,
           gpointer data)
{
  WfFolderSummary *summary = data;

  return (const double *) (gpointer) summary->orders[find_column (summary, index)]->data;
}

static guint
get_width (guint    index,
           gpointer data)
{
  switch (find_column (data, index))
    {
    case WF_FOLDER_COLUMN_OBJECTS:
    case WF_FOLDER_COLUMN_SECONDS:
      return 0;
    case WF_FOLDER_COLUMN_RESULT:
      return RESULT_WIDTH;
    default:
      return FILE_WIDTH;
    }
}

/* Images are in the order of their names, and so are their results. */
static double
order_of (const WfFolderOutcome *outcome,
          guint                  row,
          WfFolderColumn         column)
{
  switch (column)
    {
    case WF_FOLDER_COLUMN_RESULT:
      return outcome->state;
    case WF_FOLDER_COLUMN_OBJECTS:
      return (double) outcome->n_objects;
    case WF_FOLDER_COLUMN_SECONDS:
      return outcome->seconds;
    default:
      return row;
    }
}


/*  Copy and save  */

static void
copy (WfFolderSummary *summary)
{
  g_autofree char *text = wf_folder_outcomes_format (summary->outcomes, summary->with_objects,
                                                     '\t');

  gtk_clipboard_set_text (gtk_widget_get_clipboard (summary->box, GDK_SELECTION_CLIPBOARD), text,
                          -1);
}

static void
show_detail (WfFolderSummary *summary,
             const char      *text)
{
  gtk_label_set_text (GTK_LABEL (summary->detail), text ? text : "");
  gtk_widget_set_visible (summary->detail, text != NULL);
}

static void
row_selected (WfSortedTable   *table,
              guint            row,
              WfFolderSummary *summary)
{
  const WfFolderOutcome *outcome = summary->outcomes->pdata[row];

  show_detail (summary, outcome->state == WF_FOLDER_FAILED ? outcome->message : outcome->output);
}

static void
save (WfFolderSummary *summary)
{
  GtkWidget          *window = gtk_widget_get_toplevel (summary->box);
  GtkWidget          *dialog = gtk_file_chooser_dialog_new (_("Save the Summary"),
                                                            GTK_WINDOW (window),
                                                            GTK_FILE_CHOOSER_ACTION_SAVE,
                                                            _("_Cancel"), GTK_RESPONSE_CANCEL,
                                                            _("_Save"), GTK_RESPONSE_ACCEPT, NULL);
  g_autofree char    *text   = wf_folder_outcomes_format (summary->outcomes,
                                                          summary->with_objects, ',');
  g_autofree char    *path   = NULL;
  g_autoptr (GError)  error  = NULL;

  gtk_file_chooser_set_do_overwrite_confirmation (GTK_FILE_CHOOSER (dialog), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), "summary.csv");
  if (gtk_dialog_run (GTK_DIALOG (dialog)) == GTK_RESPONSE_ACCEPT)
    path = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (dialog));
  gtk_widget_destroy (dialog);
  if (path)
    {
      g_file_set_contents (path, text, -1, &error);
      show_detail (summary, error ? error->message : NULL);
    }
}

static void
add_action (WfFolderSummary *summary,
            const char      *label,
            const char      *tooltip,
            GCallback        func)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_widget_set_tooltip_text (button, tooltip);
  g_signal_connect_swapped (button, "clicked", func, summary);
  gtk_box_pack_start (GTK_BOX (summary->actions), button, FALSE, FALSE, 0);
}


/*  The summary  */

static GtkWidget *
label_new (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  return label;
}

/**
 * wf_folder_summary_new:
 * @with_objects: whether objects are counted
 *
 * Returns: (transfer full): a summary of nothing
 */
WfFolderSummary *
wf_folder_summary_new (gboolean with_objects)
{
  WfFolderSummary *summary = g_new0 (WfFolderSummary, 1);

  summary->with_objects = with_objects;
  for (int i = 0; i < WF_FOLDER_N_COLUMNS; i++)
    summary->orders[i] = g_array_new (FALSE, FALSE, sizeof (double));
  summary->box     = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  summary->label   = label_new ();
  summary->bar     = gtk_progress_bar_new ();
  summary->table   = wf_sorted_table_new (_("Summary of the images"));
  summary->actions = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  summary->detail  = label_new ();
  gtk_label_set_ellipsize (GTK_LABEL (summary->label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_line_wrap (GTK_LABEL (summary->label), FALSE);
  gtk_progress_bar_set_show_text (GTK_PROGRESS_BAR (summary->bar), TRUE);
  gtk_widget_set_size_request (summary->table, WIDTH, HEIGHT);
  gtk_label_set_selectable (GTK_LABEL (summary->detail), TRUE);
  gtk_widget_set_can_focus (summary->detail, FALSE);
  gtk_label_set_max_width_chars (GTK_LABEL (summary->detail), DETAIL_WIDTH);
  gtk_label_set_line_wrap_mode (GTK_LABEL (summary->detail), PANGO_WRAP_WORD_CHAR);
  g_signal_connect (summary->table, "row-selected", G_CALLBACK (row_selected), summary);
  add_action (summary, _("C_opy"), _("Copy the table to the clipboard, with tabs"),
              G_CALLBACK (copy));
  add_action (summary, _("Save as CS_V…"), _("Save the table as comma-separated values"),
              G_CALLBACK (save));
  gtk_box_pack_start (GTK_BOX (summary->box), summary->label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (summary->box), summary->bar, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (summary->box), summary->table, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (summary->box), summary->detail, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (summary->box), summary->actions, FALSE, FALSE, 0);
  gtk_widget_show_all (summary->box);
  gtk_widget_hide (summary->detail);
  gtk_widget_set_sensitive (summary->actions, FALSE);
  return summary;
}

/**
 * wf_folder_summary_get_widget:
 * @summary: a summary
 *
 * Returns: (transfer none): its widget
 */
GtkWidget *
wf_folder_summary_get_widget (WfFolderSummary *summary)
{
  return summary->box;
}

/**
 * wf_folder_summary_begin:
 * @summary: a summary
 * @index: of the image that is begun
 * @n: images
 * @name: its name
 */
void
wf_folder_summary_begin (WfFolderSummary *summary,
                         guint            index,
                         guint            n,
                         const char      *name)
{
  g_autofree char *text = g_strdup_printf (_("Image %u of %u: %s"), index + 1, n, name);

  if (index == 0)
    summary->start = g_get_monotonic_time ();
  summary->index = index;
  summary->n     = n;
  gtk_label_set_text (GTK_LABEL (summary->label), text);
  wf_folder_summary_progress (summary, 0);
}

static char *
describe_time (double seconds)
{
  if (seconds < 0)
    return g_strdup ("");
  if (seconds < 90)
    return g_strdup_printf (_("about %u s left"), (guint) (seconds + 1));
  return g_strdup_printf (_("about %u min left"), (guint) (seconds / 60 + 0.5));
}

/**
 * wf_folder_summary_progress:
 * @summary: a summary
 * @fraction: of the present image, from 0 to 1
 */
void
wf_folder_summary_progress (WfFolderSummary *summary,
                            double           fraction)
{
  const double     done    = summary->index + CLAMP (fraction, 0, 1);
  const double     elapsed = (double) (g_get_monotonic_time () - summary->start) / G_USEC_PER_SEC;
  g_autofree char *text    = describe_time (wf_folder_find_time_left (elapsed, done, summary->n));

  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (summary->bar), done / MAX (summary->n, 1));
  gtk_progress_bar_set_text (GTK_PROGRESS_BAR (summary->bar), text);
}

/**
 * wf_folder_summary_show:
 * @summary: a summary
 * @outcomes: (element-type WfFolderOutcome): what is shown; must outlive the summary
 *
 * Shows the outcomes that there are.
 */
void
wf_folder_summary_show (WfFolderSummary *summary,
                        GPtrArray       *outcomes)
{
  const WfTableContent content = {
    .n_rows    = outcomes->len,
    .n_columns = WF_FOLDER_N_COLUMNS - (summary->with_objects ? 0 : 1),
    .get_title = get_title,
    .get_text  = get_text,
    .get_order = get_order,
    .get_width = get_width,
  };

  summary->outcomes = outcomes;
  for (int column = 0; column < WF_FOLDER_N_COLUMNS; column++)
    {
      g_array_set_size (summary->orders[column], 0);
      for (guint row = 0; row < outcomes->len; row++)
        {
          const double value = order_of (outcomes->pdata[row], row, (WfFolderColumn) column);

          g_array_append_val (summary->orders[column], value);
        }
    }
  wf_sorted_table_set_content (WF_SORTED_TABLE (summary->table), &content, summary);
}

static guint
count_state (const GPtrArray *outcomes,
             WfFolderState    state)
{
  guint n = 0;

  for (guint i = 0; i < outcomes->len; i++)
    n += ((const WfFolderOutcome *) outcomes->pdata[i])->state == state;
  return n;
}

static void
add_count (GString    *text,
           const char *label,
           gint64      n)
{
  if (n > 0)
    g_string_append_printf (text, "  %s: %" G_GINT64_FORMAT, label, n);
}

/**
 * wf_folder_summary_end:
 * @summary: a summary with outcomes
 * @error: (nullable): what failed at the end
 *
 * Says how many images are done, and offers to copy and to save the table.
 */
void
wf_folder_summary_end (WfFolderSummary *summary,
                       const char      *error)
{
  GPtrArray          *outcomes  = summary->outcomes;
  g_autoptr (GString) text      = g_string_new (NULL);
  gint64              n_objects = 0;

  for (guint i = 0; i < outcomes->len; i++)
    n_objects += MAX (((const WfFolderOutcome *) outcomes->pdata[i])->n_objects, 0);
  g_string_printf (text, _("Images done: %u of %u"), count_state (outcomes, WF_FOLDER_DONE),
                   summary->n);
  add_count (text, _("Failed"), count_state (outcomes, WF_FOLDER_FAILED));
  add_count (text, _("Skipped"), count_state (outcomes, WF_FOLDER_SKIPPED));
  add_count (text, _("Cancelled"), count_state (outcomes, WF_FOLDER_CANCELLED));
  add_count (text, _("Objects"), n_objects);
  gtk_label_set_text (GTK_LABEL (summary->label), text->str);
  gtk_widget_hide (summary->bar);
  gtk_widget_set_sensitive (summary->actions, TRUE);
  show_detail (summary, error);
}

/**
 * wf_folder_summary_free:
 * @summary: a summary whose widget is destroyed
 */
void
wf_folder_summary_free (WfFolderSummary *summary)
{
  for (int i = 0; i < WF_FOLDER_N_COLUMNS; i++)
    g_array_unref (summary->orders[i]);
  g_free (summary);
}
