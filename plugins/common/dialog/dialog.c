/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog of a procedure.  At the left are the frames and rows of the procedure, with
 * widgets made from the descriptions of its options, and below them, on the first page if there are
 * several, an expander with the device and what is rarely changed; at the right is the preview,
 * which takes the remaining space.  Controls are bound to the procedure's config, so that GIMP's
 * Reset and saved settings work.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "condition.h"
#include "copy-script.h"
#include "dialog.h"
#include "help.h"
#include "obstacle.h"
#include "parent-window.h"
#include "process-folder.h"
#include "proposal.h"
#include "stain-control.h"
#include "plugins/common/input/stack.h"
#include "plugins/common/input/threshold-scale.h"
#include "plugins/common/preview/operation-preview.h"
#include "plugins/common/procedure/icon.h"
#include "plugins/common/procedure/plug-in.h"
#include "ui/options/connectivity-chooser.h"
#include "ui/options/level-entry.h"
#include "ui/options/mnemonics.h"
#include "ui/options/tiling-chooser.h"
#include "ui/options/unit-box.h"
#include "ui/preview/pane.h"
#include "window-size.h"
#include "work-forecast.h"

#define SPACING 6
#define NOTE_WIDTH 40   /* of a note, in characters */
#define BUTTONS 120   /* height of what is below the controls */
#define LOWEST_PANE 250   /* height of the preview with its controls where the screen is low */

struct _WfDialog
{
  WfJob        *run;
  GtkWidget    *settings;  /* the row of GIMP's saved settings */
  GtkWidget    *content;   /* the box that gets the next frame */
  GtkSizeGroup *labels;
  GtkWidget    *pages;     /* a notebook, or NULL */
  GtkWidget    *pane;      /* of the preview, or NULL */
  GtkWidget    *right;     /* the box that it is in */
  GtkWidget    *parts;     /* that box, and what is below it */
};


static GtkWidget *
grid_new (WfDialog *dialog)
{
  return wf_option_grid_new (G_OBJECT (dialog->run->config), dialog->run->type,
                             dialog->labels);
}

/**
 * wf_dialog_get_run:
 * @dialog: a dialog
 *
 * Returns: (transfer none): the run that the dialog is for.
 */
WfJob *
wf_dialog_get_run (WfDialog *dialog)
{
  return dialog->run;
}

/**
 * wf_dialog_get_preview:
 * @dialog: a dialog
 *
 * Returns: (transfer none) (nullable): the preview, if the procedure has one.
 */
WfPreview *
wf_dialog_get_preview (WfDialog *dialog)
{
  return dialog->pane ? wf_preview_pane_get_preview (WF_PREVIEW_PANE (dialog->pane)) : NULL;
}

/**
 * wf_dialog_add_page:
 * @dialog: a dialog
 * @title: translated, with a mnemonic
 *
 * Adds a page, which gets the frames that are added afterwards: a dialog with many rows would
 * be higher than a small screen.  The common options of all procedures are on the first page.
 */
void
wf_dialog_add_page (WfDialog   *dialog,
                    const char *title)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (title);
  GtkWidget *page  = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);

  if (! dialog->pages)
    {
      dialog->pages = gtk_notebook_new ();
      gtk_box_pack_start (GTK_BOX (dialog->content), dialog->pages, FALSE, FALSE, 0);
      gtk_widget_show (dialog->pages);
    }
  gtk_container_set_border_width (GTK_CONTAINER (page), SPACING);
  gtk_widget_show (page);
  gtk_notebook_append_page (GTK_NOTEBOOK (dialog->pages), page, label);
  dialog->content = page;
}

/**
 * wf_dialog_add_frame:
 * @dialog: a dialog
 * @title: translated
 *
 * Returns: (transfer none): a grid for rows, below the title
 */
WfOptionGrid *
wf_dialog_add_frame (WfDialog   *dialog,
                     const char *title)
{
  GtkWidget *frame = gimp_frame_new (title);
  GtkWidget *grid  = grid_new (dialog);

  gtk_container_add (GTK_CONTAINER (frame), grid);
  gtk_box_pack_start (GTK_BOX (dialog->content), frame, FALSE, FALSE, 0);
  gtk_widget_show_all (frame);
  return WF_OPTION_GRID (grid);
}

/**
 * wf_dialog_add_option:
 * @dialog: a dialog
 * @grid: of a frame
 * @name: of an option
 *
 * Adds a row with the option's label and a widget.  The tooltip is the procedure's note, if it has
 * one.
 *
 * Returns: (transfer none): the widget
 */
GtkWidget *
wf_dialog_add_option (WfDialog     *dialog,
                      WfOptionGrid *grid,
                      const char   *name)
{
  const WfProcedure    *procedure = dialog->run->procedure;
  const WfOption       *option    = wf_procedure_find_option (procedure, name);
  const WfArgumentNote *note      = wf_arguments_find_note (procedure->notes, name);
  WfOption              shown;
  GtkWidget            *widget;

  g_return_val_if_fail (option != NULL, NULL);

  shown = *option;
  if (note && note->blurb)
    shown.blurb = note->blurb;
  widget = wf_option_grid_add_option (grid, &shown);
  if (WF_IS_CONNECTIVITY_CHOOSER (widget))
    g_object_bind_property (dialog->run->config, "stack", widget, "stack",
                            G_BINDING_SYNC_CREATE);
  if (WF_IS_LEVEL_ENTRY (widget))
    wf_level_entry_set_linear (WF_LEVEL_ENTRY (widget),
                               wf_threshold_scale_is_linear (dialog->run));
  if (option->meaning == WF_OPTION_VOLUME || option->meaning == WF_OPTION_SLOPE)
    wf_unit_box_set_unit (WF_UNIT_BOX (widget), wf_level_get_compound_unit
                            (option->meaning, wf_threshold_scale_is_linear (dialog->run)));
  return widget;
}

/**
 * wf_dialog_add_argument:
 * @dialog: a dialog
 * @grid: of a frame
 * @name: of an argument that is not an option
 * @widget: its widget
 *
 * Adds a row with the argument's label and description.
 */
void
wf_dialog_add_argument (WfDialog     *dialog,
                        WfOptionGrid *grid,
                        const char   *name,
                        GtkWidget    *widget)
{
  GObjectClass *class = G_OBJECT_GET_CLASS (dialog->run->config);
  GParamSpec   *pspec = g_object_class_find_property (class, name);

  g_return_if_fail (pspec != NULL);

  wf_option_grid_add_widget (grid, g_param_spec_get_nick (pspec), widget,
                             g_param_spec_get_blurb (pspec));
}

/* The choice of an algorithm is shown if there are several. */
static gboolean
has_algorithms (const WfProcedure *procedure)
{
  const WfOption *option = wf_procedure_find_option (procedure, "algorithm");
  guint           n      = 0;

  for (const WfChoice *choice = option ? option->choices : NULL; choice && choice->name; choice++)
    n += ! choice->for_comparison;
  return n > 2;   /* "auto" and more than one */
}

/* Where the screen, or a small one, is too low for what is beside and below the preview, that gives
 * way.
 */
static void
lower_preview (GtkWidget *window,
               GtkWidget *pane)
{
  int least, width, height, most;
  int room[2];

  gtk_widget_get_preferred_height (window, &least, NULL);
  wf_window_get_room (&room[0], &room[1]);
  most = MIN (room[1], WF_WINDOW_HIGHEST);
  gtk_widget_get_size_request (pane, &width, &height);
  if (least > most && height > LOWEST_PANE)
    gtk_widget_set_size_request (pane, width, MAX (height - (least - most), LOWEST_PANE));
}

/* Enlarges the window to its natural height, as far as the screen reaches, and no higher than
 * @most.
 */
static void
make_room (GtkWidget *widget,
           int        most)
{
  GtkWidget *window = gtk_widget_get_toplevel (widget);
  int        natural;
  int        width;
  int        height;
  int        room[2];

  if (! GTK_IS_WINDOW (window))
    return;
  gtk_widget_get_preferred_height (window, NULL, &natural);
  gtk_window_get_size (GTK_WINDOW (window), &width, &height);
  wf_window_get_room (&room[0], &room[1]);
  natural = MIN (natural, MIN (room[1], most));
  if (natural > height)
    gtk_window_resize (GTK_WINDOW (window), width, natural);
}

/* The dialog still fits a small screen then. */
static void
shown_below (GtkWidget *widget,
             GtkWidget *pane)
{
  GtkWidget *window = gtk_widget_get_toplevel (widget);

  if (GTK_IS_WINDOW (window))
    lower_preview (window, pane);
  make_room (widget, WF_WINDOW_HIGHEST);
}

/**
 * wf_dialog_add_below_preview:
 * @dialog: a dialog with a preview
 * @widget: shown or hidden by the caller
 *
 * Adds it below the preview.
 */
void
wf_dialog_add_below_preview (WfDialog  *dialog,
                             GtkWidget *widget)
{
  gtk_box_pack_start (GTK_BOX (dialog->right), widget, FALSE, TRUE, 0);
  g_signal_connect_after (widget, "show", G_CALLBACK (shown_below), dialog->pane);
}

/**
 * wf_dialog_set_lower_part:
 * @dialog: a dialog with a preview
 * @widget: shown or hidden by the caller
 *
 * Adds it below all that is below the preview.  Both get higher with the window, and the edge
 * between them can be dragged.
 */
void
wf_dialog_set_lower_part (WfDialog  *dialog,
                          GtkWidget *widget)
{
  gtk_paned_pack2 (GTK_PANED (dialog->parts), widget, TRUE, FALSE);
  gtk_widget_set_margin_top (widget, 2 * SPACING - 1);   /* the edge has a pixel */
  g_signal_connect_after (widget, "show", G_CALLBACK (shown_below), dialog->pane);
}

/**
 * wf_dialog_add_to_settings:
 * @dialog: a dialog
 * @widget: shown by the caller
 *
 * Adds it beside the buttons that save settings and load them.
 */
void
wf_dialog_add_to_settings (WfDialog  *dialog,
                           GtkWidget *widget)
{
  gtk_box_pack_end (GTK_BOX (dialog->settings), widget, FALSE, FALSE, 0);
  if (GTK_IS_BUTTON_BOX (dialog->settings))
    {
      gtk_button_box_set_child_secondary (GTK_BUTTON_BOX (dialog->settings), widget, TRUE);
      gtk_button_box_set_child_non_homogeneous (GTK_BUTTON_BOX (dialog->settings), widget, TRUE);
    }
}

/* The time in which an expanded widget may still grow: the forecast of the work is filled in with
 * a delay.
 */
#define UNFOLDING (G_TIME_SPAN_SECOND)

static void
begin_unfolding (GtkWidget  *expander,
                 GParamSpec *pspec,
                 gint64     *unfolded)
{
  *unfolded = gtk_expander_get_expanded (GTK_EXPANDER (expander)) ? g_get_monotonic_time () : 0;
  make_room (expander, G_MAXINT);
}

/* Scrolls to the expanded widget, as far as its title stays visible. */
static void
show_unfolded (GtkWidget     *expander,
               GtkAllocation *place,
               gint64        *unfolded)
{
  GtkWidget     *scrolled = gtk_widget_get_ancestor (expander, GTK_TYPE_SCROLLED_WINDOW);
  GtkWidget     *content  = gtk_widget_get_parent (expander);
  GtkAllocation  all;

  if (! scrolled || g_get_monotonic_time () - *unfolded > UNFOLDING)
    return;
  gtk_widget_get_allocation (content, &all);
  gtk_adjustment_clamp_page (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)),
                             place->y - all.y, place->y - all.y + place->height);
}

static void
fill_advanced (WfDialog     *dialog,
               WfOptionGrid *grid)
{
  const WfOptionGroup *context = wf_context_get_options ();

  for (guint i = 0; i < context->n_options; i++)
    {
      GtkWidget *widget = wf_dialog_add_option (dialog, grid, context->options[i].name);

      if (WF_IS_TILING_CHOOSER (widget))
        wf_work_forecast_report_size (dialog->run, WF_TILING_CHOOSER (widget));
    }
  if (dialog->run->procedure->offer_algorithms && has_algorithms (dialog->run->procedure))
    wf_dialog_add_option (dialog, grid, "algorithm");
  if (wf_procedure_find_option (dialog->run->procedure, "last-index"))
    wf_dialog_add_option (dialog, grid, "last-index");
  wf_option_grid_add_widget (grid, NULL, wf_work_forecast_new (dialog->run),
                             _("The device that would be used with the current settings"));
}

static void
add_advanced (WfDialog *dialog)
{
  GtkWidget *expander = gtk_expander_new_with_mnemonic (_("_Advanced"));
  GtkWidget *frame    = gimp_frame_new (NULL);   /* indents like the other frames */
  GtkWidget *grid     = grid_new (dialog);
  gint64    *unfolded = g_new0 (gint64, 1);

  gtk_widget_set_tooltip_text (expander, _("The device that computes the result, and settings that "
                                           "are rarely changed"));
  g_object_set_data_full (G_OBJECT (expander), "unfolded", unfolded, g_free);
  g_signal_connect (expander, "notify::expanded", G_CALLBACK (begin_unfolding), unfolded);
  g_signal_connect_after (expander, "size-allocate", G_CALLBACK (show_unfolded), unfolded);
  gtk_widget_set_margin_top (frame, SPACING);
  fill_advanced (dialog, WF_OPTION_GRID (grid));

  /* A mnemonic also reaches a hidden widget, unless it is insensitive. */
  g_object_bind_property (expander, "expanded", grid, "sensitive", G_BINDING_SYNC_CREATE);
  gtk_container_add (GTK_CONTAINER (frame), grid);
  gtk_container_add (GTK_CONTAINER (expander), frame);
  gtk_box_pack_start (GTK_BOX (dialog->content), expander, FALSE, FALSE, 0);
  gtk_widget_show_all (expander);
}

static gboolean
has_component (GimpDrawable *drawable,
               const char   *name)
{
  if (strcmp (name, "luminance") == 0)
    return TRUE;
  if (strcmp (name, "alpha") == 0)
    return gimp_drawable_has_alpha (drawable);
  return ! gimp_drawable_is_gray (drawable);
}

static gboolean
can_be_stack (WfJob   *run,
              GError **error)
{
  g_autoptr (GPtrArray) slices = wf_stack_find_slices (run->image, run->drawables, error);

  return slices != NULL;
}

/* Resets settings that the layer does not support: the last values may come from another image. */
static void
repair_source (WfJob *run)
{
  GObject         *config = G_OBJECT (run->config);
  g_autofree char *name   = NULL;
  gboolean         stack;

  wf_arguments_repair (config, wf_source_get_options (), NULL);
  g_object_get (config, "source", &name, "stack", &stack, NULL);
  if (! has_component (run->drawable, name))
    g_object_set (config, "source", "luminance", NULL);
  if (stack && ! can_be_stack (run, NULL))
    g_object_set (config, "stack", FALSE, NULL);
}

/* Levels are chosen for a gray result only. */
static void
add_colors (WfDialog     *dialog,
            WfOptionGrid *grid,
            GtkWidget    *levels)
{
  if (gimp_drawable_is_gray (dialog->run->drawable) ||
      ! wf_operation_takes_colors (dialog->run->procedure->operation))
    return;
  wf_dialog_add_option (dialog, grid, "colors");
  wf_condition_enable (G_OBJECT (dialog->run->config), "colors", "gray", levels);
}

/* Offers only the components of the layer, and no choice if there is only one. */
static void
add_components (WfDialog     *dialog,
                WfOptionGrid *grid)
{
  GimpDrawable   *drawable = dialog->run->drawable;
  const WfOption *option   = wf_procedure_find_option (dialog->run->procedure, "source");
  GtkWidget      *combo;
  int             position = 0;

  if (gimp_drawable_is_gray (drawable) && ! gimp_drawable_has_alpha (drawable))
    return;

  combo = wf_dialog_add_option (dialog, grid, "source");
  for (const WfChoice *choice = option->choices; choice->name; choice++)
    if (has_component (drawable, choice->name))
      position++;
    else
      gtk_combo_box_text_remove (GTK_COMBO_BOX_TEXT (combo), position);
  add_colors (dialog, grid, combo);
}

/* Another layer that is measured may have colors as well. */
static gboolean
may_have_stains (WfJob *run)
{
  return ! gimp_drawable_is_gray (run->drawable) ||
         g_object_class_find_property (G_OBJECT_GET_CLASS (run->config), "measure-source");
}

/* Connectivities depend on this argument.  A dialog that shows them has changed
 * them already; if they are arguments for scripts only, they are reset to automatic.
 */
static void
stack_toggled (GObject    *config,
               GParamSpec *pspec,
               WfJob      *run)
{
  wf_arguments_repair (config, wf_operation_get_options (run->procedure->operation),
                       run->procedure->notes);
}

static void
add_note (WfOptionGrid *grid,
          const char   *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0f);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), NOTE_WIDTH);
  wf_option_grid_add_widget (grid, NULL, label,
                             _("The image is converted in the same undo step"));
}

static void
add_source (WfDialog *dialog)
{
  g_autoptr (GError)  error = NULL;
  WfJob              *run   = dialog->run;
  WfOptionGrid       *grid  = wf_dialog_add_frame (dialog, _("Layers"));
  GtkWidget          *stack;

  add_components (dialog, grid);
  if (may_have_stains (run))
    wf_stain_control_add (dialog, grid);
  stack = wf_dialog_add_option (dialog, grid, "stack");
  if (! can_be_stack (run, &error))
    {
      gtk_widget_set_sensitive (stack, FALSE);
      gtk_widget_set_tooltip_text (stack, error->message);
    }
  if (gimp_image_get_base_type (run->image) == GIMP_INDEXED)
    add_note (grid, _("The image is indexed: new layers convert it to RGB"));
}

static void
repair (WfJob *run)
{
  const WfProcedure *procedure = run->procedure;
  GObject           *config    = G_OBJECT (run->config);

  repair_source (run);
  wf_arguments_repair (config, wf_operation_get_options (procedure->operation),
                       procedure->notes);
  wf_arguments_repair (config, wf_context_get_options (), NULL);
  if (procedure->own)
    wf_arguments_repair (config, procedure->own, procedure->notes);
  if (wf_operation_takes_colors (procedure->operation))
    wf_arguments_repair (config, wf_colors_get_options (), NULL);
}

static GtkWidget *
window_new (WfJob         *run,
            GimpProcedure *procedure)
{
  g_autofree char *title = wf_procedure_get_title (run->procedure);
  g_autofree char *page  = wf_help_find_page (run->procedure->name);
  GtkWidget       *window;

  window = gimp_procedure_dialog_new (procedure, run->config, title);
  wf_help_connect (GTK_DIALOG (window), page);
  wf_copy_script_add_run (GTK_DIALOG (window), run);
  wf_process_folder_add (GTK_DIALOG (window), run);
  wf_icon_set_window (GTK_WINDOW (window), run->procedure->name);
  return window;
}

/* Controls higher than the screen scroll, and follow the keyboard focus. */
static GtkWidget *
scrolled_new (GtkWidget *content)
{
  int                width, height;
  GtkWidget         *scrolled = gtk_scrolled_window_new (NULL, NULL);
  GtkScrolledWindow *window   = GTK_SCROLLED_WINDOW (scrolled);

  gtk_scrolled_window_set_policy (window, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (window, TRUE);
  wf_window_get_room (&width, &height);
  gtk_scrolled_window_set_max_content_height (window, height - BUTTONS);
  gtk_container_add (GTK_CONTAINER (scrolled), content);
  gtk_container_set_focus_vadjustment (GTK_CONTAINER (content),
                                       gtk_scrolled_window_get_vadjustment (window));
  gtk_widget_show (scrolled);
  return scrolled;
}

/* The preview with the rows of tools below it, and what shares the height with them. */
static GtkWidget *
right_new (WfDialog *dialog)
{
  dialog->parts = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  dialog->right = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2 * SPACING);
  gtk_box_pack_start (GTK_BOX (dialog->right), dialog->pane, TRUE, TRUE, 0);
  gtk_paned_pack1 (GTK_PANED (dialog->parts), dialog->right, TRUE, FALSE);
  gtk_widget_show_all (dialog->parts);
  return dialog->parts;
}

/* Two columns: the controls keep their width, and the preview takes the rest. */
static GtkWidget *
columns_new (WfDialog *dialog)
{
  GtkWidget *columns = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  gtk_widget_set_margin_end (dialog->content, 2 * SPACING);
  gtk_widget_set_margin_start (dialog->pane, SPACING);
  gtk_paned_pack1 (GTK_PANED (columns), scrolled_new (dialog->content), FALSE, FALSE);
  gtk_paned_pack2 (GTK_PANED (columns), right_new (dialog), TRUE, FALSE);
  gtk_widget_set_margin_bottom (columns, 2 * SPACING);
  gtk_widget_show (columns);
  return columns;
}

/* Without a preview the dialog is one column. */
static GtkWidget *
add_columns (WfDialog  *dialog,
             GtkWidget *window)
{
  GtkBox    *area = GTK_BOX (gtk_dialog_get_content_area (GTK_DIALOG (window)));
  GtkWidget *body = dialog->content;

  if (dialog->run->procedure->preview)
    {
      dialog->pane = wf_operation_preview_new (dialog->run);
      body         = columns_new (dialog);
    }
  else
    gtk_widget_set_margin_bottom (body, 2 * SPACING);
  gtk_box_pack_start (area, body, TRUE, TRUE, 0);
  gtk_widget_show (dialog->content);
  return body;
}

static gboolean
has_buttons (GtkWidget *widget)
{
  g_autoptr (GList) children = GTK_IS_BOX (widget)
                               ? gtk_container_get_children (GTK_CONTAINER (widget)) : NULL;

  return children && GTK_IS_BUTTON (children->data);
}

/* GIMP makes a row of buttons for saved settings; if there is none, a row is made in its place. */
static GtkWidget *
find_settings (GtkWidget *window)
{
  GtkWidget         *area     = gtk_dialog_get_content_area (GTK_DIALOG (window));
  g_autoptr (GList)  children = gtk_container_get_children (GTK_CONTAINER (area));
  GtkWidget         *row;

  for (GList *child = children; child; child = child->next)
    if (has_buttons (child->data))
      return child->data;
  row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);
  gtk_box_pack_end (GTK_BOX (area), row, FALSE, FALSE, 0);
  gtk_widget_show (row);
  return row;
}

/* The dialog stays open, with all its settings, unless the user confirms. */
static void
responded (GtkDialog *window,
           int        response,
           WfJob     *run)
{
  if (response == GTK_RESPONSE_OK && ! run->procedure->confirm (run, GTK_WINDOW (window)))
    g_signal_stop_emission_by_name (window, "response");
}

/* GTK would destroy the widgets, which are still needed, if the display ends the window. */
static gboolean
lost (GtkDialog *window,
      GdkEvent  *event,
      gpointer   unused)
{
  gtk_dialog_response (window, GTK_RESPONSE_DELETE_EVENT);
  return GDK_EVENT_STOP;
}

/* A dialog that comes back shows the page and the picture that it had. */
static void
restore_view (WfDialog *dialog)
{
  if (dialog->pages)
    gtk_notebook_set_current_page (GTK_NOTEBOOK (dialog->pages), dialog->run->page);
  if (dialog->pane)
    g_object_set (wf_dialog_get_preview (dialog), "mode", dialog->run->shown, NULL);
}

static void
keep_view (WfDialog *dialog)
{
  if (dialog->pages)
    dialog->run->page = gtk_notebook_get_current_page (GTK_NOTEBOOK (dialog->pages));
  if (dialog->pane)
    g_object_get (wf_dialog_get_preview (dialog), "mode", &dialog->run->shown, NULL);
}

/**
 * wf_dialog_run:
 * @run: the run
 * @procedure: the procedure
 * @message: (nullable): why the run that the user has accepted before failed
 *
 * Asks the user for the arguments' values, again if that run failed.
 *
 * Returns: whether the user has accepted the dialog.
 */
gboolean
wf_dialog_run (WfJob         *run,
               GimpProcedure *procedure,
               const char    *message)
{
  WfDialog       dialog = { .run = run };
  WfProposal    *proposal;
  WfWindowParts  parts;
  GtkWidget     *window;
  GtkWidget     *content;
  GtkWidget     *body;
  gulong         handler;
  gboolean       accepted;

  gimp_ui_init (run->procedure->name);
  repair (run);
  proposal = wf_proposal_begin (run);

  window          = window_new (run, procedure);
  content         = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2 * SPACING);
  dialog.content  = content;
  dialog.settings = find_settings (window);
  dialog.labels   = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  gtk_widget_set_valign (content, GTK_ALIGN_START);
  body = add_columns (&dialog, window);
  wf_proposal_show (proposal,
                    GTK_BOX (gtk_dialog_get_content_area (GTK_DIALOG (window))));

  run->procedure->fill_dialog (&dialog);
  if (dialog.pages)
    dialog.content = gtk_notebook_get_nth_page (GTK_NOTEBOOK (dialog.pages), 0);
  add_source (&dialog);
  handler = g_signal_connect (run->config, "notify::stack", G_CALLBACK (stack_toggled), run);
  add_advanced (&dialog);
  wf_mnemonics_make_unique (window, body);
  if (dialog.pane)
    wf_obstacle_follow (wf_dialog_get_preview (&dialog));
  if (message)
    {
      wf_obstacle_add_message (window, message);
      restore_view (&dialog);
    }
  parts = (WfWindowParts) { .window = window, .columns = body, .pane = dialog.pane,
                            .image = { run->region.width, run->region.height } };
  if (dialog.pane)
    {
      lower_preview (window, dialog.pane);
      wf_window_set_size (&parts, run->procedure->name);
    }
  if (run->procedure->confirm)
    g_signal_connect (window, "response", G_CALLBACK (responded), run);

  wf_parent_window_check (window);
  g_signal_connect (window, "destroy-event", G_CALLBACK (lost), NULL);
  accepted = gimp_procedure_dialog_run (GIMP_PROCEDURE_DIALOG (window));
  wf_proposal_end (proposal);
  keep_view (&dialog);
  g_signal_handler_disconnect (run->config, handler);
  if (dialog.pane)
    wf_window_keep_size (&parts, run->procedure->name);
  gtk_widget_destroy (window);
  g_object_unref (dialog.labels);
  return accepted;
}
