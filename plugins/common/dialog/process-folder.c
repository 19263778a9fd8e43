/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The button of a dialog that processes a folder of images with its present settings, and the
 * window that it opens: first what there is to choose, then the progress and the summary.
 *
 * The labels of a dialog take all letters that mnemonics could have, so the button has a key.
 *
 * Images are processed in this thread; whenever an image tells its progress, events are handled, so
 * that the window can be moved and the work cancelled.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "folder-form.h"
#include "folder-summary.h"
#include "obstacle.h"
#include "plugins/common/folder/kind.h"
#include "plugins/common/folder/loop.h"
#include "plugins/common/folder/picture.h"
#include "plugins/common/procedure/icon.h"
#include "plugins/common/procedure/plug-in.h"
#include "process-folder.h"
#include "ui/options/mnemonics.h"

#define SPACING    6
#define NOTE_CHARS 60

/* The key that opens the window, with its modifiers. */
#define KEY       GDK_KEY_f
#define MODIFIERS (GDK_CONTROL_MASK | GDK_SHIFT_MASK)

/* Events are handled for at most so long, in microseconds; what is new is drawn within so long,
 * before GIMP loads an image.
 */
#define EVENTS_TIME 20000
#define DRAWING     50000
#define STEP        2000

#define START 1

/**
 * Window:
 * @run: the run whose dialog is open
 * @settings: what is chosen
 * @stack: shows the form or the summary
 * @message: what is wrong with the choice
 * @outcomes: (element-type WfFolderOutcome): what became of the images
 * @n: images
 * @plan: while they are processed
 */
typedef struct
{
  WfJob            *run;
  WfFolderSettings  settings;
  GtkWidget        *dialog;
  GtkWidget        *stack;
  GtkWidget        *message;
  WfFolderForm     *form;
  WfFolderSummary  *summary;
  GPtrArray        *outcomes;
  GCancellable     *cancellable;
  WfFolderPlan     *plan;
} Window;


/*  While images are processed  */

static void
handle_events (void)
{
  const gint64 end = g_get_monotonic_time () + EVENTS_TIME;

  while (gtk_events_pending () && g_get_monotonic_time () < end)
    gtk_main_iteration ();
}

/* Windows are drawn by a clock, which is no event before it ticks. */
static void
draw (void)
{
  const gint64 end = g_get_monotonic_time () + DRAWING;

  while (g_get_monotonic_time () < end)
    {
      handle_events ();
      g_usleep (STEP);
    }
}

static void
begun (guint    index,
       gpointer data)
{
  Window             *window = data;
  const WfFolderItem *item   = window->plan->items->pdata[index];

  wf_folder_summary_begin (window->summary, index, window->plan->items->len, item->name);
  draw ();
}

static void
progressed (double   fraction,
            gpointer data)
{
  Window *window = data;

  wf_folder_summary_progress (window->summary, fraction);
  handle_events ();
}

static void
ended (const WfFolderOutcome *outcome,
       gpointer               data)
{
  Window *window = data;

  wf_folder_summary_show (window->summary, window->outcomes);
  handle_events ();
}

/* The data of a loop. */
typedef struct
{
  Window           *window;
  WfFolderPictures  pictures;
} Loop;

static gboolean
process (const WfFolderItem     *item,
         const WfFolderScratch  *scratch,
         gint64                 *n_objects,
         gpointer                data,
         GError                **error)
{
  Loop *loop = data;

  return wf_folder_picture_process (&loop->pictures, item, scratch, n_objects, error);
}

static void
loop_begun (guint    index,
            gpointer data)
{
  begun (index, ((Loop *) data)->window);
}

static void
loop_ended (const WfFolderOutcome *outcome,
            gpointer               data)
{
  ended (outcome, ((Loop *) data)->window);
}

static gboolean
process_all (Window  *window,
             GError **error)
{
  g_autoptr (GimpProcedureConfig) config = wf_folder_copy_config (window->run);
  Loop                            data   = {
    .window   = window,
    .pictures = {
      .run         = window->run,
      .config      = config,
      .output      = window->plan->output,
      .format      = (WfFolderFormat) window->settings.format,
      .layers_only = window->settings.layers_only,
      .progress    = progressed,
      .data        = window,
      .cancellable = window->cancellable,
    },
  };
  const WfFolderLoop              loop   = {
    .process     = process,
    .begun       = loop_begun,
    .ended       = loop_ended,
    .data        = &data,
    .cancellable = window->cancellable,
  };

  return wf_folder_loop_run (window->plan, &loop, window->outcomes, error);
}


/*  Before they are  */

static void
show_message (Window     *window,
              const char *text)
{
  gtk_label_set_text (GTK_LABEL (window->message), text ? text : "");
  gtk_widget_set_visible (window->message, text != NULL);
}

static GtkWidget *
question_new (Window *window)
{
  const WfFolderPlan *plan = window->plan;
  GtkWidget          *question;

  question = gtk_message_dialog_new (GTK_WINDOW (window->dialog), GTK_DIALOG_MODAL,
                                     GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, NULL);
  if (plan->n_existing > 0)
    g_object_set (question, "text",
                  _("Some results already exist.  Skip their images or replace them?"), NULL);
  else
    g_object_set (question, "text",
                  _("The table of all objects already exists.  Keep its lines or replace it?"),
                  NULL);
  if (plan->n_existing > 0)
    gtk_message_dialog_format_secondary_text (GTK_MESSAGE_DIALOG (question),
                                              _("Images with results in “%s”: %u of %u"),
                                              plan->task->output, plan->n_existing,
                                              plan->items->len);
  gtk_window_set_title (GTK_WINDOW (question), _("Results Exist"));
  gtk_dialog_add_button (GTK_DIALOG (question), _("_Cancel"), GTK_RESPONSE_CANCEL);
  gtk_dialog_add_button (GTK_DIALOG (question), plan->n_existing > 0 ? _("_Skip") : _("_Keep"),
                         GTK_RESPONSE_NO);
  gtk_dialog_add_button (GTK_DIALOG (question), _("_Replace"), GTK_RESPONSE_YES);
  gtk_dialog_set_default_response (GTK_DIALOG (question), GTK_RESPONSE_NO);
  return question;
}

/* Returns: whether to go on */
static gboolean
ask_about_existing (Window       *window,
                    WfFolderTask *task)
{
  GtkWidget *question;
  int        response;

  if (task->existing != WF_FOLDER_ASK)
    return TRUE;
  if (window->plan->n_existing == 0 && ! window->plan->joined_exists)
    {
      task->existing = WF_FOLDER_REPLACE;
      return TRUE;
    }
  question = question_new (window);
  response = gtk_dialog_run (GTK_DIALOG (question));
  gtk_widget_destroy (question);
  task->existing = response == GTK_RESPONSE_YES ? WF_FOLDER_REPLACE : WF_FOLDER_SKIP;
  return response == GTK_RESPONSE_YES || response == GTK_RESPONSE_NO;
}

static GtkWidget *
get_button (Window *window,
            int     response)
{
  return gtk_dialog_get_widget_for_response (GTK_DIALOG (window->dialog), response);
}

static void
show_summary (Window *window)
{
  gtk_stack_set_visible_child (GTK_STACK (window->stack),
                               wf_folder_summary_get_widget (window->summary));
  gtk_widget_hide (get_button (window, START));
  gtk_widget_grab_focus (get_button (window, GTK_RESPONSE_CLOSE));
}

static void
work (Window *window)
{
  g_autoptr (GError)  error  = NULL;
  GtkWidget          *button = get_button (window, GTK_RESPONSE_CLOSE);

  show_summary (window);
  wf_folder_summary_show (window->summary, window->outcomes);
  window->cancellable = g_cancellable_new ();
  process_all (window, &error);
  g_clear_object (&window->cancellable);
  wf_folder_summary_end (window->summary, error ? error->message : NULL);
  gtk_widget_set_sensitive (button, TRUE);
  gtk_button_set_label (GTK_BUTTON (button), _("_Close"));
  gtk_widget_grab_focus (button);
}

static void
start (Window *window)
{
  g_auto (WfFolderTask)    task  = { 0 };
  g_autoptr (WfFolderPlan) plan  = NULL;
  g_autoptr (GError)       error = NULL;

  wf_folder_form_read (window->form, &window->settings);
  show_message (window, NULL);
  if (wf_folder_settings_get_task (&window->settings, window->run, &task, &error))
    plan = wf_folder_plan_new (&task, &error);
  if (! plan)
    {
      show_message (window, error->message);
      return;
    }
  window->plan = plan;
  if (! ask_about_existing (window, &task))
    ;   /* the form stays */
  else if (! wf_folder_plan_check (plan, &error))
    show_message (window, error->message);
  else
    {
      wf_folder_settings_keep (&window->settings, window->run);
      work (window);
    }
  window->plan = NULL;
}


/*  The window  */

static void
responded (GtkDialog *dialog,
           int        response,
           Window    *window)
{
  if (! window->cancellable)
    return;
  g_cancellable_cancel (window->cancellable);
  gtk_widget_set_sensitive (get_button (window, GTK_RESPONSE_CLOSE), FALSE);
}

static gboolean
keep (void)
{
  return GDK_EVENT_STOP;
}

static GtkWidget *
note_new (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), NOTE_CHARS);
  gtk_widget_show (label);
  return label;
}

/* What is left out, or why nothing is possible. */
static void
add_notes (Window *window,
           GtkBox *box)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new ();
  g_autoptr (GError)    error = NULL;

  if (! wf_folder_check (window->run, notes, &error))
    {
      gtk_widget_set_sensitive (get_button (window, START), FALSE);
      show_message (window, error->message);
    }
  for (guint i = 0; i < notes->len; i++)
    gtk_box_pack_start (box, note_new (notes->pdata[i]), FALSE, FALSE, 0);
}

static void
fill (Window *window)
{
  GtkWidget *area = gtk_dialog_get_content_area (GTK_DIALOG (window->dialog));
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2 * SPACING);

  window->form    = wf_folder_form_new (window->run, &window->settings);
  window->summary = wf_folder_summary_new (window->run->procedure->folder->count_value != NULL);
  window->message = note_new (NULL);
  gtk_widget_hide (window->message);
  gtk_style_context_add_class (gtk_widget_get_style_context (window->message), "error");
  gtk_box_pack_start (GTK_BOX (page), wf_folder_form_get_widget (window->form), FALSE, FALSE, 0);
  add_notes (window, GTK_BOX (page));
  gtk_box_pack_start (GTK_BOX (page), window->message, FALSE, FALSE, 0);
  gtk_widget_show (page);
  window->stack = gtk_stack_new ();
  gtk_container_add (GTK_CONTAINER (window->stack), page);
  gtk_container_add (GTK_CONTAINER (window->stack), wf_folder_summary_get_widget (window->summary));
  gtk_container_set_border_width (GTK_CONTAINER (window->stack), SPACING);
  gtk_widget_show (window->stack);
  gtk_box_pack_start (GTK_BOX (area), window->stack, TRUE, TRUE, 0);
}

static void
run_window (WfJob     *run,
            GtkWindow *parent)
{
  Window     window = { .run = run };
  GtkWidget *dialog = gtk_dialog_new ();

  gtk_window_set_title (GTK_WINDOW (dialog), _("Process a Folder"));
  gtk_window_set_transient_for (GTK_WINDOW (dialog), parent);
  gtk_window_set_modal (GTK_WINDOW (dialog), TRUE);
  gtk_container_set_border_width (GTK_CONTAINER (dialog), SPACING);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _("_Cancel"), GTK_RESPONSE_CLOSE);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _("_Start"), START);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), START);
  wf_icon_set_window (GTK_WINDOW (dialog), run->procedure->name);
  window.dialog   = dialog;
  window.outcomes = g_ptr_array_new_with_free_func ((GDestroyNotify) wf_folder_outcome_free);
  wf_folder_settings_init (&window.settings, run);
  fill (&window);
  wf_mnemonics_make_unique (dialog, wf_folder_form_get_widget (window.form));
  g_signal_connect (dialog, "response", G_CALLBACK (responded), &window);
  g_signal_connect (dialog, "delete-event", G_CALLBACK (keep), NULL);

  while (gtk_dialog_run (GTK_DIALOG (dialog)) == START)
    start (&window);
  gtk_widget_destroy (dialog);
  wf_folder_form_free (window.form);
  wf_folder_summary_free (window.summary);
  wf_folder_settings_clear (&window.settings);
  g_ptr_array_unref (window.outcomes);
}


/*  The button  */

/* The dialog would treat the click as a response. */
static void
clicked (GtkButton *button,
         WfJob     *run)
{
  g_signal_stop_emission_by_name (button, "clicked");
  run_window (run, GTK_WINDOW (gtk_widget_get_toplevel (GTK_WIDGET (button))));
}

static gboolean
key_pressed (GtkWidget   *dialog,
             GdkEventKey *event,
             GtkWidget   *button)
{
  if (gdk_keyval_to_lower (event->keyval) != KEY ||
      (event->state & gtk_accelerator_get_default_mod_mask ()) != MODIFIERS)
    return FALSE;
  if (gtk_widget_is_sensitive (button))
    gtk_button_clicked (GTK_BUTTON (button));
  return TRUE;
}

/**
 * wf_process_folder_add:
 * @dialog: the dialog of a run
 * @run: the run
 *
 * Adds the button to the buttons of @dialog, unless the procedure needs something of its image.
 */
void
wf_process_folder_add (GtkDialog *dialog,
                       WfJob     *run)
{
  g_autofree char *key  = gtk_accelerator_get_label (KEY, MODIFIERS);
  g_autofree char *text = g_strdup_printf ("%s (%s)",
                                           _("Process the images of a folder with the present "
                                             "settings"), key);
  GtkWidget       *button;

  if (! run->procedure->folder)
    return;
  button = gtk_button_new ();
  gtk_container_add (GTK_CONTAINER (button), gtk_label_new (_("Process a Folder…")));
  gtk_widget_set_tooltip_text (button, text);
  g_signal_connect (button, "clicked", G_CALLBACK (clicked), run);
  g_signal_connect_object (dialog, "key-press-event", G_CALLBACK (key_pressed), button, 0);
  gtk_dialog_add_action_widget (dialog, button, GTK_RESPONSE_HELP);
  gtk_widget_show_all (button);
  wf_obstacle_set_user (GTK_WIDGET (dialog), button);
}
