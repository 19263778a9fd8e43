/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window with the steps that made a layer, and the filters that stay in it. */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>
#include <libgimp/gimpui.h>

#include "plugins/common/dialog/copy-script.h"
#include "plugins/common/dialog/parent-window.h"
#include "plugins/common/procedure/icon.h"
#include "plugins/common/script/call.h"
#include "filters.h"
#include "window.h"

#define SPACING      12
#define WIDTH        420
#define MOST_HEIGHT  400
#define LINE_CHARS   60
#define MOST_NAMES   3

/* How GIMP applies a filter, if nothing else is chosen. */
#define USUAL_MODE "replace"


/* In the user's language, if this version has the operation. */
static const char *
title_of (const WfCall *call)
{
  for (int i = 0; i < WF_N_OPERATIONS; i++)
    {
      const WfOptionGroup *group = wf_operation_get_options ((WfOperation) i);

      if (strcmp (group->name, call->operation) == 0)
        return g_dgettext (GETTEXT_PACKAGE, group->title);
    }
  return call->operation;
}

static void
add_escaped (GString    *text,
             const char *format,
             ...)
{
  va_list          values;
  g_autofree char *escaped = NULL;

  va_start (values, format);
  escaped = g_markup_vprintf_escaped (format, values);
  va_end (values);
  g_string_append (text, escaped);
}

static const char *
name_of (const WfCall *call,
         guint         i)
{
  return ((const WfCallValue *) call->drawables->pdata[i])->text;
}

/* Of the slices of a stack the first and the last one. */
static void
add_sources (GString      *text,
             const WfCall *call)
{
  g_autoptr (GString) names = g_string_new (NULL);
  const guint         n     = call->drawables->len;

  if (n > MOST_NAMES)
    {
      /* TRANSLATORS: slices of a stack: their number, the first and the last layer, the image */
      add_escaped (text, _("of %u layers, “%s” to “%s”, in %s"), n, name_of (call, 0),
                   name_of (call, n - 1), call->image);
      g_string_append_c (text, '\n');
      return;
    }
  for (guint i = 0; i < n; i++)
    g_string_append_printf (names, i > 0 ? ", “%s”" : "“%s”", name_of (call, i));
  add_escaped (text, _("of %s in %s"), names->str, call->image);
  g_string_append_c (text, '\n');
}

static void
add_value (GString           *text,
           const WfCallValue *value)
{
  g_autofree char *number = wf_call_spell (value->number);
  const char      *said   = value->kind == WF_CALL_BOOLEAN
                            ? value->number != 0 ? _("yes") : _("no")
                            : value->kind <= WF_CALL_REAL ? number
                            : value->text ? value->text : "";

  add_escaped (text, "%s = %s\n", value->name, said);
}

/* Those of a call of another version are all given; filters are of this one. */
static void
add_arguments (GString         *text,
               const GPtrArray *arguments,
               const WfCall    *call)
{
  guint n = 0;

  for (guint i = 0; i < arguments->len; i++)
    {
      const WfCallValue *value = arguments->pdata[i];

      if (call ? ! wf_script_is_said (call, value) : value->is_default)
        continue;
      add_value (text, value);
      n++;
    }
  if (n == 0)
    add_escaped (text, "%s\n", _("with the default settings"));
}

static void
add_step (GString      *text,
          const WfCall *call,
          guint         number)
{
  add_escaped (text, "<b>%u. %s</b>  <small>Wavefront %s</small>\n", number, title_of (call),
               call->version);
  add_sources (text, call);
  add_arguments (text, call->arguments, call);
}

/* How a filter is applied, where that is not as usual. */
static void
add_application (GString               *text,
                 const WfHistoryFilter *filter)
{
  if (! filter->visible)
    add_escaped (text, "%s\n", _("not visible"));
  if (filter->opacity < 1)
    {
      add_escaped (text, _("opacity: %.4g %%"), 100 * filter->opacity);
      g_string_append_c (text, '\n');
    }
  if (strcmp (filter->mode, USUAL_MODE) != 0)
    {
      /* TRANSLATORS: of a filter, the name of one of GIMP's modes of layers in scripts */
      add_escaped (text, _("mode: %s"), filter->mode);
      g_string_append_c (text, '\n');
    }
}

static void
add_filter (GString               *text,
            const WfHistoryFilter *filter,
            guint                  number)
{
  add_escaped (text, "<b>%u. %s</b>  <small>%s</small>\n", number,
               filter->title ? filter->title : filter->operation, _("non-destructive"));
  add_application (text, filter);
  if (filter->arguments)
    add_arguments (text, filter->arguments, NULL);
}

static gboolean
has_own (const GPtrArray *filters)
{
  for (guint i = 0; i < filters->len; i++)
    if (((const WfHistoryFilter *) filters->pdata[i])->title)
      return TRUE;
  return FALSE;
}

static char *
describe (GimpItem  *item,
          GPtrArray *calls,
          GPtrArray *filters)
{
  GString         *text = g_string_new (NULL);
  g_autofree char *name = gimp_item_get_name (item);

  if (calls->len == 0 && ! has_own (filters))
    {
      add_escaped (text, _("“%s” was not made by a filter of Wavefront."), name);
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < calls->len + filters->len; i++)
    {
      g_string_append (text, text->len > 0 ? "\n" : "");
      if (i < calls->len)
        add_step (text, calls->pdata[i], i + 1);
      else
        add_filter (text, filters->pdata[i - calls->len], i + 1);
    }
  return g_string_free (text, FALSE);
}

static GtkWidget *
contents_new (GimpItem  *item,
              GPtrArray *calls,
              GPtrArray *filters)
{
  g_autofree char   *text     = describe (item, calls, filters);
  GtkWidget         *label    = gtk_label_new (NULL);
  GtkWidget         *scrolled = gtk_scrolled_window_new (NULL, NULL);
  GtkScrolledWindow *window   = GTK_SCROLLED_WINDOW (scrolled);

  gtk_label_set_markup (GTK_LABEL (label), g_strchomp (text));
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_can_focus (label, FALSE);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_line_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), LINE_CHARS);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_scrolled_window_set_policy (window, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (window, TRUE);
  gtk_scrolled_window_set_max_content_height (window, MOST_HEIGHT);
  gtk_widget_set_size_request (scrolled, WIDTH, -1);
  gtk_widget_set_margin_bottom (scrolled, SPACING);
  gtk_container_add (GTK_CONTAINER (scrolled), label);
  gtk_widget_show_all (scrolled);
  return scrolled;
}

static GPtrArray *
list_calls (gpointer calls)
{
  return g_ptr_array_ref (calls);
}

/**
 * wf_history_window_run:
 * @procedure: the name of the procedure
 * @item: a layer, a channel or a path
 * @calls: (element-type WfCall): how it was made
 * @filters: (element-type WfHistoryFilter): what is applied to it
 *
 * Shows both until the user closes the window.
 */
void
wf_history_window_run (const char *procedure,
                       GimpItem   *item,
                       GPtrArray  *calls,
                       GPtrArray  *filters)
{
  GtkWidget *dialog;

  gimp_ui_init (procedure);
  dialog = gimp_dialog_new (_("How Was This Made?"), procedure, NULL, 0, NULL, NULL, NULL, NULL);
  if (calls->len > 0)
    wf_copy_script_add (GTK_DIALOG (dialog), gimp_item_get_image (item), list_calls, calls);
  gtk_dialog_add_button (GTK_DIALOG (dialog), _("_Close"), GTK_RESPONSE_CLOSE);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CLOSE);
  wf_icon_set_window (GTK_WINDOW (dialog), procedure);
  gtk_container_set_border_width (GTK_CONTAINER (dialog), SPACING);
  gtk_box_pack_start (GTK_BOX (gtk_dialog_get_content_area (GTK_DIALOG (dialog))),
                      contents_new (item, calls, filters), TRUE, TRUE, 0);
  wf_parent_window_check (dialog);
  gimp_dialog_run (GIMP_DIALOG (dialog));
  gtk_widget_destroy (dialog);
}
