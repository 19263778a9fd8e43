/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The text of the forecast, and when it appears. */

#include <string.h>

#include <gtk/gtk.h>

#include "ui/options/device-chooser.h"
#include "ui/options/device-forecast.h"
#include "ui/options/option-grid.h"
#include "pictures.h"
#include "settings.h"
#include "ui/options/tiling-chooser.h"

static const WfContextOptions automatic = { sizeof automatic, "auto", 2, 0, WF_FALLBACK_AUTO };
static const WfContextOptions missing   = { sizeof missing, "cuda:99", 2, 0, WF_FALLBACK_AUTO };
static const WfContextOptions without   = { sizeof without, "cuda:99", 2, 0, WF_FALLBACK_CPU };

static void
set_work (GtkWidget              *label,
          gint64                  side,
          const WfContextOptions *context)
{
  wf_device_forecast_set_work (WF_DEVICE_FORECAST (label), WF_OPERATION_WATERSHED, WF_TYPE_U8,
                               side, side, 1, NULL, context);
}

static void
remember (GtkLabel   *label,
          GParamSpec *pspec,
          GPtrArray  *texts)
{
  g_ptr_array_add (texts, g_strdup (gtk_label_get_text (label)));
}

/* Waits until the text of @label contains @words. */
static void
wait_for (GtkWidget  *label,
          const char *words)
{
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  while (! strstr (gtk_label_get_text (GTK_LABEL (label)), words))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      if (! g_main_context_iteration (NULL, FALSE))
        g_usleep (1000);
    }
}


/*  Words  */

static void
check_words (const WfForecast *forecast,
             const char       *expected)
{
  g_autofree char *text = wf_device_forecast_describe (forecast);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_words (void)
{
  WfForecast forecast =
  {
    .device = (char *) "cpu", .description = (char *) "Some processor", .threads = 8,
    .reason = (char *) "The image is small.", .memory_needed = 48000000,
    .memory_available = 16000000000, .device_free = 16000000000,
  };

  check_words (&forecast, "On the CPU with 8 threads. The image is small. "
                          "It needs 48.0\302\240MB of memory; 16.0\302\240GB are available.");
  forecast.threads          = 1;
  forecast.memory_available = 1000000;
  check_words (&forecast, "On the CPU with 1 thread. The image is small. "
                          "It needs 48.0\302\240MB of memory, but only 1.0\302\240MB are "
                          "available.");
  forecast.memory_available = 0;
  forecast.device           = (char *) "cuda:1";
  forecast.description      = (char *) "Some accelerator";
  check_words (&forecast, "On Some accelerator (cuda:1). The image is small. "
                          "It needs 48.0\302\240MB of memory. The GPU has 16.0\302\240GB free.");
  forecast.device_needed = 1500000000;
  check_words (&forecast, "On Some accelerator (cuda:1). The image is small. "
                          "It needs 48.0\302\240MB of memory. "
                          "It needs 1.5\302\240GB of GPU memory; 16.0\302\240GB are free.");
  forecast.memory_needed = 0;
  forecast.device_needed = 18000000000;
  check_words (&forecast, "On Some accelerator (cuda:1). The image is small. "
                          "It needs 18.0\302\240GB of GPU memory, but only 16.0\302\240GB "
                          "are free.");
}


/*  The label  */

/* The label shows the engine's own forecast. */
static void
test_answer (void)
{
  GtkWidget              *label    = g_object_ref_sink (wf_device_forecast_new ());
  g_autoptr (WfContext)   context  = wf_context_new ();
  g_autoptr (WfForecast)  forecast = NULL;
  g_autofree char        *needed   = NULL;
  guint8                  pixel;
  WfImage                 view;

  g_assert_true (wf_image_init (&view, WF_TYPE_U8, 900, 900, 1, &pixel, NULL));
  g_assert_true (wf_context_configure (context, &automatic, NULL));
  forecast = wf_context_forecast (context, WF_OPERATION_WATERSHED, &view, NULL, NULL);
  needed   = g_format_size (forecast->memory_needed);

  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, "");
  set_work (label, 900, &automatic);
  wait_for (label, forecast->reason);
  wait_for (label, "On the CPU with 2 threads.");
  wait_for (label, needed);
  gtk_widget_destroy (label);
  g_object_unref (label);
}

/* Errors are shown, and so is the reason why a device is replaced by the CPU. */
static void
test_problems (void)
{
  GtkWidget          *label = g_object_ref_sink (wf_device_forecast_new ());
  WfWatershedOptions  options;

  set_work (label, 100, &missing);
  wait_for (label, "cuda:99");
  g_assert_null (strstr (gtk_label_get_text (GTK_LABEL (label)), "On the CPU"));
  set_work (label, 100, &without);
  wait_for (label, "On the CPU");
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (label)), "cuda:99"));

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.connectivity = 26;
  wf_device_forecast_set_work (WF_DEVICE_FORECAST (label), WF_OPERATION_WATERSHED, WF_TYPE_U8,
                               100, 100, 1, &options, &automatic);
  options.connectivity = 4;
  wait_for (label, "connectivity of 26");
  gtk_widget_destroy (label);
  g_object_unref (label);
}

/* Of many queries in a row the last is answered last, and most are dropped. */
static void
test_many (void)
{
  GtkWidget            *label = g_object_ref_sink (wf_device_forecast_new ());
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  gint64                start = g_get_monotonic_time ();

  g_signal_connect (label, "notify::label", G_CALLBACK (remember), texts);
  for (int i = 1; i <= 200; i++)
    set_work (label, i, &automatic);
  set_work (label, 100, &missing);
  g_test_message ("200 questions: %.2f ms", (g_get_monotonic_time () - start) / 1e3);
  wait_for (label, "cuda:99");
  g_assert_cmpuint (texts->len, <=, 2);
  gtk_widget_destroy (label);
  g_object_unref (label);
}

static void
test_gone (void)
{
  GtkWidget *label = g_object_ref_sink (wf_device_forecast_new ());
  GObject   *watch = G_OBJECT (label);
  gint64     end   = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  g_object_add_weak_pointer (watch, (gpointer *) &watch);
  set_work (label, 100, &automatic);
  set_work (label, 200, &automatic);
  gtk_widget_destroy (label);
  g_object_unref (label);
  while (watch && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  g_assert_null (watch);
}

static GPtrArray *
some_devices (void)
{
  GPtrArray *devices = g_ptr_array_new_with_free_func ((GDestroyNotify) wf_device_free);

  for (guint i = 0; i < 2; i++)
    {
      WfDevice *device = g_new0 (WfDevice, 1);

      device->name         = g_strdup (i == 0 ? "cpu" : "cuda:0");
      device->description  = g_strdup (i == 0 ? "Some processor" : "Some accelerator");
      device->n_units      = 12;
      device->memory_total = (guint64) 24 << 30;
      g_ptr_array_add (devices, device);
    }
  return devices;
}

/* As in a dialog: all options of the context, with the forecast below the device. */
static GtkWidget *
make_grid (GObject   *settings,
           GtkWidget *forecast)
{
  const WfOptionGroup      *group  = wf_context_get_options ();
  g_autoptr (GtkSizeGroup)  labels = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  GtkWidget                *grid   = wf_option_grid_new (settings, WF_TYPE_U8, labels);

  for (guint i = 0; i < group->n_options; i++)
    {
      GtkWidget *widget = wf_option_grid_add_option (WF_OPTION_GRID (grid), &group->options[i]);

      if (WF_IS_TILING_CHOOSER (widget))
        wf_tiling_chooser_set_size (WF_TILING_CHOOSER (widget), 8192, 6000, 1);
    }
  wf_option_grid_add_widget (WF_OPTION_GRID (grid), NULL, forecast, "What would be done");
  gtk_container_set_border_width (GTK_CONTAINER (grid), 12);
  return grid;
}

/* The times that automatic choice goes by; the fake device and its paces are the machine. */
static void
test_times (void)
{
  static const WfContextOptions many = { sizeof many, "auto", 16, 0, WF_FALLBACK_AUTO };
  g_autoptr (GPtrArray)         devices = wf_list_devices (NULL);
  GtkWidget                    *label;
  GtkWidget                    *window;
  g_autoptr (GObject)           settings = settings_new ();

  if (devices->len < 2 || ! g_getenv ("WAVEFRONT_PACE"))
    {
      g_test_skip ("There is no GPU whose pace is given.");
      return;
    }
  label  = wf_device_forecast_new ();
  window = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  gtk_container_add (GTK_CONTAINER (window), make_grid (settings, label));
  gtk_widget_show_all (window);
  wf_device_forecast_set_work (WF_DEVICE_FORECAST (label), WF_OPERATION_DISTANCE, WF_TYPE_U8,
                               8192, 8192, 1, NULL, &many);
  wait_for (label, "On the CPU with 16 threads. CPU: 7.0 ms expected; cuda:0: 12 ms, of which "
                   "11 ms are transfers.");
  wf_device_forecast_set_work (WF_DEVICE_FORECAST (label), WF_OPERATION_DISTANCE, WF_TYPE_U8,
                               8192, 8192, 1, NULL, &automatic);
  wait_for (label, "On Fake accelerator (cuda:0). CPU: 45 ms expected; cuda:0: 12 ms, of which "
                   "11 ms are transfers.");
  pictures_save (window, "device-forecast-times", 0);
  gtk_widget_destroy (window);
}

static void
test_pictures (void)
{
  g_autoptr (GPtrArray) devices = some_devices ();

  for (int dark = 0; dark < 2; dark++)
    {
      g_autoptr (GObject)  settings = settings_new ();
      GtkWidget           *window   = gtk_window_new (GTK_WINDOW_TOPLEVEL);
      GtkWidget           *forecast = wf_device_forecast_new ();
      GtkWidget           *box      = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
      GtkWidget           *chooser  = wf_device_chooser_new_for_devices (devices);

      pictures_set_dark (dark);
      wf_device_chooser_set_device (WF_DEVICE_CHOOSER (chooser), "cuda:0");
      gtk_widget_show (chooser);
      gtk_container_add (GTK_CONTAINER (box), make_grid (settings, forecast));
      gtk_container_add (GTK_CONTAINER (box), chooser);
      gtk_container_add (GTK_CONTAINER (window), box);
      gtk_widget_show_all (window);
      set_work (forecast, 8192, &automatic);
      wait_for (forecast, "memory");
      pictures_save (window, "device-forecast", dark);
      gtk_widget_destroy (window);
    }
}

int
main (int    argc,
      char **argv)
{
  pictures_init ();
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/device-forecast/words", test_words);
  g_test_add_func ("/device-forecast/answer", test_answer);
  g_test_add_func ("/device-forecast/problems", test_problems);
  g_test_add_func ("/device-forecast/many", test_many);
  g_test_add_func ("/device-forecast/gone", test_gone);
  g_test_add_func ("/device-forecast/times", test_times);
  g_test_add_func ("/device-forecast/pictures", test_pictures);

  return g_test_run ();
}
