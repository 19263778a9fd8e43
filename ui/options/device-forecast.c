/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the present settings would do: on which device, why, and how much of the available
 * memory that takes.
 *
 * The first query of a GPU starts its driver, which may take a second; so the engine is
 * queried in a thread.  Settings change faster than that: one query runs at a time, and of
 * those that come meanwhile only the last one follows.  A destroyed label gets no answer.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "device-forecast.h"

/**
 * Question:
 * @operation: to be done
 * @type: of the image
 * @size: of the image: width, height, slices
 * @options: (nullable): a copy of the operation's options
 * @context: options of the context; the name of the device is interned
 */
typedef struct
{
  WfOperation       operation;
  WfType            type;
  gint64            size[3];
  gpointer          options;
  WfContextOptions  context;
} Question;

struct _WfDeviceForecast
{
  GtkLabel  parent_instance;

  gboolean  asking;
  Question *next;       /* to be asked after the present one, or NULL */
};

G_DEFINE_TYPE (WfDeviceForecast, wf_device_forecast, GTK_TYPE_LABEL)


/*  Sentences  */

static char *
describe_device (const WfForecast *forecast)
{
  if (strcmp (forecast->device, "cpu") == 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "On the CPU with %u thread.",
                                         "On the CPU with %u threads.", forecast->threads),
                            forecast->threads);
  /* TRANSLATORS: a GPU: its maker's name for it, its name in scripts */
  return g_strdup_printf (_("On %s (%s)."),
                          forecast->description ? forecast->description : _("a GPU"),
                          forecast->device);
}

/* Operations on a GPU need no memory of the host, except for hierarchies. */
static char *
describe_memory (const WfForecast *forecast)
{
  g_autofree char *needed    = g_format_size (forecast->memory_needed);
  g_autofree char *available = g_format_size (forecast->memory_available);

  if (forecast->memory_needed == 0)
    return g_strdup ("");
  if (forecast->memory_available == 0)
    return g_strdup_printf (_("It needs %s of memory."), needed);
  return g_strdup_printf (forecast->memory_needed > forecast->memory_available
                          ? _("It needs %s of memory, but only %s are available.")
                          : _("It needs %s of memory; %s are available."),
                          needed, available);
}

/* A hierarchy's need of GPU memory is not known beforehand. */
static char *
describe_device_memory (const WfForecast *forecast)
{
  g_autofree char *needed = g_format_size (forecast->device_needed);
  g_autofree char *free   = g_format_size (forecast->device_free);

  if (strcmp (forecast->device, "cpu") == 0 || forecast->device_free == 0)
    return g_strdup ("");
  if (forecast->device_needed == 0)
    return g_strdup_printf (_("The GPU has %s free."), free);
  return g_strdup_printf (forecast->device_needed > forecast->device_free
                          ? _("It needs %s of GPU memory, but only %s are free.")
                          : _("It needs %s of GPU memory; %s are free."),
                          needed, free);
}

/**
 * wf_device_forecast_describe:
 * @forecast: a forecast
 *
 * Returns: (transfer full): @forecast in sentences.
 */
char *
wf_device_forecast_describe (const WfForecast *forecast)
{
  g_autofree char      *device      = describe_device (forecast);
  g_autofree char      *memory      = describe_memory (forecast);
  g_autofree char      *on_gpu      = describe_device_memory (forecast);
  const char *const     sentences[] = { device, forecast->reason, memory, on_gpu };
  g_autoptr (GString)   text        = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (sentences); i++)
    if (*sentences[i])
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", sentences[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}


/*  Asking  */

static void
question_free (gpointer data)
{
  Question *question = data;

  g_free (question->options);
  g_free (question);
}

/* Runs in a thread, with a context of its own and an image whose pixels are not read. */
static void
find_answer (GTask        *task,
             gpointer      label,
             gpointer      data,
             GCancellable *cancellable)
{
  const Question          *question = data;
  g_autoptr (WfContext)    context  = wf_context_new ();
  g_autoptr (WfForecast)   forecast = NULL;
  guint8                   pixel    = 0;
  WfImage                  view;
  GError                  *error    = NULL;

  if (wf_image_init (&view, question->type, question->size[0], question->size[1],
                     question->size[2], &pixel, &error) &&
      wf_context_configure (context, &question->context, &error))
    forecast = wf_context_forecast (context, question->operation, &view, question->options,
                                    &error);
  if (forecast)
    g_task_return_pointer (task, wf_device_forecast_describe (forecast), g_free);
  else
    g_task_return_error (task, error);
}

static void ask (WfDeviceForecast *label,
                 Question         *question);

static void
show_answer (GObject      *object,
             GAsyncResult *result,
             gpointer      data)
{
  WfDeviceForecast    *label = WF_DEVICE_FORECAST (object);
  g_autoptr (GError)   error = NULL;
  g_autofree char     *text  = g_task_propagate_pointer (G_TASK (result), &error);

  label->asking = FALSE;
  if (label->next)
    ask (label, g_steal_pointer (&label->next));
  else
    gtk_label_set_text (GTK_LABEL (label), error ? error->message : text);
}

static void
ask (WfDeviceForecast *label,
     Question         *question)
{
  g_autoptr (GTask) task = g_task_new (label, NULL, show_answer, NULL);

  label->asking = TRUE;
  g_task_set_task_data (task, question, question_free);
  g_task_run_in_thread (task, find_answer);
}

/* The task holds a reference to the label until it has answered. */
static void
wf_device_forecast_destroy (GtkWidget *widget)
{
  g_clear_pointer (&WF_DEVICE_FORECAST (widget)->next, question_free);
  GTK_WIDGET_CLASS (wf_device_forecast_parent_class)->destroy (widget);
}

static void
wf_device_forecast_class_init (WfDeviceForecastClass *klass)
{
  GTK_WIDGET_CLASS (klass)->destroy = wf_device_forecast_destroy;
}

static void
wf_device_forecast_init (WfDeviceForecast *forecast)
{
  GtkLabel *label = GTK_LABEL (forecast);

  gtk_label_set_line_wrap (label, TRUE);
  gtk_label_set_width_chars (label, 30);
  gtk_label_set_max_width_chars (label, 50);
  gtk_label_set_xalign (label, 0);
  gtk_label_set_selectable (label, FALSE);
  gtk_style_context_add_class (gtk_widget_get_style_context (GTK_WIDGET (label)),
                               GTK_STYLE_CLASS_DIM_LABEL);
}

/**
 * wf_device_forecast_new:
 *
 * Returns: an empty label
 */
GtkWidget *
wf_device_forecast_new (void)
{
  return g_object_new (WF_TYPE_DEVICE_FORECAST, NULL);
}

/**
 * wf_device_forecast_set_work:
 * @label: a label
 * @operation: to be done
 * @type: of the image
 * @width: of the image, in pixels
 * @height: of the image
 * @depth: slices; 1 for a 2-D image
 * @options: (nullable): the operation's options; copied, except for strings in them, which
 *   are as wf_option_parse() stores them
 * @context: the options of the context; copied
 *
 * Lets @label show, soon after, where this would be done, why, and how much memory it takes;
 * or an error.  May be called as often as settings change.
 */
void
wf_device_forecast_set_work (WfDeviceForecast       *label,
                             WfOperation             operation,
                             WfType                  type,
                             gint64                  width,
                             gint64                  height,
                             gint64                  depth,
                             gconstpointer           options,
                             const WfContextOptions *context)
{
  Question *question;

  g_return_if_fail (WF_IS_DEVICE_FORECAST (label) && context != NULL);

  question  = g_new (Question, 1);
  *question = (Question) {
    .operation = operation,
    .type      = type,
    .size      = { width, height, depth },
    .options   = options ? g_memdup2 (options, wf_operation_get_options (operation)->size) : NULL,
    .context   = *context,
  };
  question->context.device = g_intern_string (context->device);

  g_clear_pointer (&label->next, question_free);
  if (label->asking)
    label->next = question;
  else
    ask (label, question);
}
