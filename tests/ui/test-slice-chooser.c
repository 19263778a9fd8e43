/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The slices of a stack: the chooser, the preview's keys and the pixels that are read agree. */

#include <string.h>

#include <gtk/gtk.h>

#include "pictures.h"
#include "ui/preview/pane.h"
#include "ui/preview/slice-chooser.h"

#define SIDE     120
#define N_SLICES 12

/* Computes on at most this many slices. */
typedef struct
{
  GtkWidget *window;
  GtkWidget *pane;
  WfPreview *preview;
  GtkWidget *chooser;
  GtkWidget *label;
  GtkWidget *scale;
  GtkWidget *spin;
  GtkWidget *count;
  int        depth;
  int        n_computed;
} Stage;


static guint8
level_of (int slice)
{
  return (guint8) (10 + 20 * slice);
}

static gboolean
read_colors (const WfPreviewRegion  *region,
             guint8                 *pixels,
             gpointer                data,
             GError                **error)
{
  memset (pixels, level_of (region->slice), (gsize) wf_preview_region_n_pixels (region) * 4);
  return TRUE;
}

static gboolean
read_inputs (const WfPreviewRegion  *region,
             WfImage                 inputs[WF_PREVIEW_N_INPUTS],
             gpointer                data,
             GError                **error)
{
  const Stage *stage = data;

  if (! wf_image_allocate (&inputs[0], WF_TYPE_U8, region->width, region->height, stage->depth,
                           error))
    return FALSE;
  memset (inputs[0].data, level_of (region->slice), (gsize) wf_image_n_pixels (&inputs[0]));
  return TRUE;
}

static gpointer
copy_settings (gpointer data)
{
  return g_new (char, 1);
}

static gboolean
compute (WfContext              *context,
         const WfPreviewInputs  *inputs,
         gconstpointer           settings,
         WfPreviewResult        *result,
         GError                **error)
{
  const WfImage *levels = &inputs->images[0];

  result->white = 255;
  if (! wf_image_allocate (&result->image, WF_TYPE_U8, levels->width, levels->height, 1, error))
    return FALSE;
  memcpy (result->image.data, levels->data, (gsize) wf_image_n_pixels (&result->image));
  return TRUE;
}

static void
computed (Stage *stage)
{
  stage->n_computed++;
}

static void
open_stack (Stage *stage,
            int    n_slices)
{
  const WfPreviewSource source = { .width = SIDE, .height = SIDE, .read_colors = read_colors,
                                   .read_inputs = read_inputs, .n_slices = n_slices,
                                   .slice = n_slices / 2 };

  wf_preview_set_source (stage->preview, &source, stage);
}

static void
stage_init (Stage *stage,
            int    n_slices,
            int    depth)
{
  static const WfPreviewComputation  computation = { .copy_settings = copy_settings,
                                                     .free_settings = g_free,
                                                     .compute       = compute };
  g_autoptr (GList)                  parts       = NULL;
  g_autoptr (GList)                  children    = NULL;

  *stage = (Stage) { .window = gtk_window_new (GTK_WINDOW_TOPLEVEL), .depth = depth,
                     .pane = wf_preview_pane_new (FALSE) };
  stage->preview = wf_preview_pane_get_preview (WF_PREVIEW_PANE (stage->pane));
  parts          = gtk_container_get_children (GTK_CONTAINER (stage->pane));
  for (GList *part = parts; part; part = part->next)
    if (WF_IS_SLICE_CHOOSER (part->data))
      stage->chooser = part->data;
  children     = gtk_container_get_children (GTK_CONTAINER (stage->chooser));
  stage->label = g_list_nth_data (children, 0);
  stage->scale = g_list_nth_data (children, 1);
  stage->spin  = g_list_nth_data (children, 2);
  stage->count = g_list_nth_data (children, 3);

  g_signal_connect_swapped (stage->preview, "computed", G_CALLBACK (computed), stage);
  wf_preview_set_computation (stage->preview, &computation, stage);
  open_stack (stage, n_slices);
  gtk_container_set_border_width (GTK_CONTAINER (stage->window), 12);
  gtk_container_add (GTK_CONTAINER (stage->window), stage->pane);
  gtk_window_set_default_size (GTK_WINDOW (stage->window), 520, 420);
  gtk_widget_show_all (stage->window);
  gtk_test_widget_wait_for_draw (stage->window);
}

/* Waits for the result that shows @slice. */
static void
wait_for (Stage *stage,
          int    slice)
{
  for (int i = 0; i < 20000; i++)
    {
      const WfPreviewResult *result = wf_preview_get_result (stage->preview);

      if (result && result->region.slice == slice)
        {
          g_assert_cmpuint (*(const guint8 *) result->image.data, ==, level_of (slice));
          return;
        }
      gtk_main_iteration_do (FALSE);
      g_usleep (1000);
    }
  g_assert_not_reached ();
}

static int
slice_of (Stage *stage)
{
  int slice;

  g_object_get (stage->preview, "slice", &slice, NULL);
  return slice;
}

static void
press (GtkWidget *widget,
       guint      keyval)
{
  GdkEvent *event = gdk_event_new (GDK_KEY_PRESS);

  event->key.window     = g_object_ref (gtk_widget_get_window (widget));
  event->key.send_event = TRUE;
  event->key.keyval     = keyval;
  gdk_event_set_device (event, gdk_seat_get_keyboard (gdk_display_get_default_seat
                                                        (gdk_display_get_default ())));
  g_assert_true (gtk_widget_event (widget, event));
  gdk_event_free (event);
}

static void
test_leafing (void)
{
  Stage stage;

  stage_init (&stage, N_SLICES, N_SLICES);
  wait_for (&stage, 6);
  g_assert_true (gtk_widget_get_visible (stage.chooser));
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (stage.spin)), ==, 7);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (stage.count)), ==, "of 12");

  gtk_spin_button_set_value (GTK_SPIN_BUTTON (stage.spin), 3);
  g_assert_cmpint (slice_of (&stage), ==, 2);
  wait_for (&stage, 2);
  gtk_range_set_value (GTK_RANGE (stage.scale), 12);
  g_assert_cmpint (slice_of (&stage), ==, 11);
  wait_for (&stage, 11);

  gtk_widget_grab_focus (GTK_WIDGET (stage.preview));
  press (GTK_WIDGET (stage.preview), GDK_KEY_Page_Down);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (stage.spin)), ==, 11);
  wait_for (&stage, 10);
  press (GTK_WIDGET (stage.preview), GDK_KEY_Page_Up);
  press (GTK_WIDGET (stage.preview), GDK_KEY_Page_Up);
  g_assert_cmpint (gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (stage.spin)), ==, 12);
  wait_for (&stage, 11);
  gtk_widget_destroy (stage.window);
}

/* With one slice the chooser is hidden; another source has other slices. */
static void
test_sources (void)
{
  Stage stage;

  stage_init (&stage, 1, 1);
  wait_for (&stage, 0);
  g_assert_false (gtk_widget_get_visible (stage.chooser));
  stage.depth = 5;
  open_stack (&stage, 5);
  wait_for (&stage, 2);
  g_assert_true (gtk_widget_get_visible (stage.chooser));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (stage.count)), ==, "of 5");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (stage.spin), 77);
  g_assert_cmpint (slice_of (&stage), ==, 4);
  stage.depth = 1;
  open_stack (&stage, 0);
  wait_for (&stage, 0);
  g_assert_false (gtk_widget_get_visible (stage.chooser));
  gtk_widget_destroy (stage.window);
}

/* The chooser shows if not all slices are computed on. */
static void
test_words (void)
{
  Stage stage;

  stage_init (&stage, N_SLICES, 5);
  wait_for (&stage, 6);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (stage.count)), ==,
                   "of 12; result from 5 slices");
  g_assert_true (gtk_label_get_mnemonic_widget (GTK_LABEL (stage.label)) == stage.spin);
  g_assert_cmpstr (atk_object_get_name (gtk_widget_get_accessible (stage.scale)), ==, "Slice");
  g_assert_true (gtk_widget_get_has_tooltip (stage.chooser));
  gtk_widget_destroy (stage.window);
}

static void
test_pictures (void)
{
  for (int dark = 0; dark < 2; dark++)
    for (int part = 0; part < 2; part++)
      {
        Stage stage;

        pictures_set_dark (dark);
        stage_init (&stage, N_SLICES, part ? 5 : N_SLICES);
        wait_for (&stage, 6);
        pictures_save (stage.window, part ? "slices-some" : "slices-all", dark);
        gtk_widget_destroy (stage.window);
      }
}

int
main (int    argc,
      char **argv)
{
  pictures_init ();
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/slices/leafing", test_leafing);
  g_test_add_func ("/slices/sources", test_sources);
  g_test_add_func ("/slices/words", test_words);
  g_test_add_func ("/slices/pictures", test_pictures);

  return g_test_run ();
}
