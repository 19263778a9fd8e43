/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which slice of a stack a preview shows: a slider, a number, and the number of slices.
 * Slices are counted from 1.  For an image with one slice the chooser is hidden.
 *
 * A slice is computed with all others, or in a large stack with as many of its neighbours
 * as time and memory allow; then the chooser shows their number.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "private.h"
#include "slice-chooser.h"

#define SPACING 6

struct _WfSliceChooser
{
  GtkBox         parent_instance;

  WfPreview     *preview;
  GtkAdjustment *adjustment;   /* from 1 */
  GtkWidget     *count;
};

G_DEFINE_TYPE (WfSliceChooser, wf_slice_chooser, GTK_TYPE_BOX)


static char *
describe_count (WfPreview *preview)
{
  const int    n    = wf_preview_get_n_slices (preview);
  const gint64 used = preview->inputs ? preview->inputs->images[0].depth : n;

  if (used >= n)
    /* TRANSLATORS: after the number of a slice: how many there are, as in "3 of 12" */
    return g_strdup_printf (_("of %d"), n);
  /* TRANSLATORS: after the number of a slice of a large stack, as in "30 of 500; result from
   * 17 slices": how many there are, and how many the preview is computed on
   */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "of %d; result from %d slice",
                                       "of %d; result from %d slices", (gulong) used),
                          n, (int) used);
}

static void
show_count (WfSliceChooser *chooser)
{
  g_autofree char *text = describe_count (chooser->preview);

  gtk_label_set_text (GTK_LABEL (chooser->count), text);
}

static void
slice_changed (WfSliceChooser *chooser)
{
  const int n     = wf_preview_get_n_slices (chooser->preview);
  int       slice;

  g_object_get (chooser->preview, "slice", &slice, NULL);
  gtk_adjustment_configure (chooser->adjustment, slice + 1, 1, n, 1, MAX (n / 10, 1), 0);
  gtk_widget_set_visible (GTK_WIDGET (chooser), n > 1);
  show_count (chooser);
}

static void
value_changed (WfSliceChooser *chooser)
{
  wf_preview_set_slice (chooser->preview,
                        (int) gtk_adjustment_get_value (chooser->adjustment) - 1);
}

static void
wf_slice_chooser_dispose (GObject *object)
{
  WfSliceChooser *chooser = WF_SLICE_CHOOSER (object);

  if (chooser->adjustment)
    g_signal_handlers_disconnect_by_data (chooser->adjustment, chooser);
  g_clear_object (&chooser->adjustment);
  G_OBJECT_CLASS (wf_slice_chooser_parent_class)->dispose (object);
}

static void
wf_slice_chooser_class_init (WfSliceChooserClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wf_slice_chooser_dispose;
}

static void
wf_slice_chooser_init (WfSliceChooser *chooser)
{
  gtk_box_set_spacing (GTK_BOX (chooser), SPACING);
  gtk_widget_set_no_show_all (GTK_WIDGET (chooser), TRUE);
  chooser->adjustment = g_object_ref_sink (gtk_adjustment_new (1, 1, 1, 1, 1, 0));
}

static void
pack (WfSliceChooser *chooser)
{
  GtkBox    *box   = GTK_BOX (chooser);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("Slice of the stac_k:"));
  GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, chooser->adjustment);
  GtkWidget *spin  = gtk_spin_button_new (chooser->adjustment, 1, 0);
  GtkWidget *all[] = { label, scale, spin, chooser->count = gtk_label_new (NULL) };

  gtk_label_set_mnemonic_widget (GTK_LABEL (label), spin);
  gtk_scale_set_draw_value (GTK_SCALE (scale), FALSE);
  gtk_scale_set_digits (GTK_SCALE (scale), 0);
  gtk_entry_set_activates_default (GTK_ENTRY (spin), TRUE);
  atk_object_set_name (gtk_widget_get_accessible (scale), _("Slice"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (chooser),
                               _("The displayed slice of the stack, counted from the lowest layer; "
                                 "in the preview Page up and Page down change it"));
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      gtk_box_pack_start (box, all[i], all[i] == scale, TRUE, 0);
      gtk_widget_show (all[i]);
    }
}

/**
 * wf_slice_chooser_new:
 * @preview: a preview, which outlives the chooser
 *
 * Returns: a widget that chooses a slice, visible while @preview has several.
 */
GtkWidget *
wf_slice_chooser_new (WfPreview *preview)
{
  WfSliceChooser *chooser = g_object_new (WF_TYPE_SLICE_CHOOSER, NULL);

  chooser->preview = preview;
  pack (chooser);
  slice_changed (chooser);
  g_signal_connect_swapped (chooser->adjustment, "value-changed", G_CALLBACK (value_changed),
                            chooser);
  g_signal_connect_object (preview, "notify::n-slices", G_CALLBACK (slice_changed), chooser,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (preview, "notify::slice", G_CALLBACK (slice_changed), chooser,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (preview, "computed", G_CALLBACK (show_count), chooser,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (chooser);
}
