/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A threshold, set on the histogram of the image: a line to drag, a number, and a check button.
 * While that is active the threshold is automatic, that is, found anew for each image, by Otsu's
 * method unless another one is set; the line and the number show the one of this image.  To move or
 * type another one ends that, and so does the check button, which leaves the one that was found.
 *
 * The number is a fraction of the range from black to white, with enough decimal places to
 * distinguish all levels, so that dragging and the button give numbers that can be read and
 * typed into a script.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "ui/options/level-entry.h"
#include "columns.h"
#include "graph.h"
#include "histogram.h"

#define SPACING 6

enum
{
  PROP_0,
  PROP_FRACTION,
  PROP_AUTOMATIC,
  PROP_DARK,
  N_PROPS
};

struct _WfThresholdHistogram
{
  GtkBox             parent_instance;

  WfType             type;
  WfHistogram       *histogram;
  double             fraction;       /* the one that was set */
  gboolean           is_automatic;
  WfThresholdMethod  method;         /* by which an automatic threshold is found */
  double             percent;        /* with the method that has one */
  gboolean           is_dark;
  gboolean           showing;        /* widgets are changed by the program */
  WfEncodeFunc       encode;         /* of linear light, or NULL */
  gpointer           encode_data;
  GtkAdjustment     *adjustment;     /* what is shown */
  GtkWidget         *graph;
  GtkWidget         *spin;
  GtkWidget         *unit;
  GtkWidget         *hint;
  GtkWidget         *automatic;
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (WfThresholdHistogram, wf_threshold_histogram, GTK_TYPE_BOX)


/* The share of the objects. */
static char *
describe_share (WfThresholdHistogram *threshold)
{
  double n = 0;
  double above;

  for (guint i = 0; threshold->histogram && i < threshold->histogram->n_levels; i++)
    n += (double) threshold->histogram->counts[i];
  if (n == 0)
    return g_strdup ("");
  above = (double) wf_threshold_count_above (threshold->histogram,
                                             gtk_adjustment_get_value (threshold->adjustment));
  if (threshold->is_dark)
    /* TRANSLATORS: the part of an image that is foreground, if that is dark */
    return g_strdup_printf (_("%.1f %% not above it"), 100 * (n - above) / n);
  /* TRANSLATORS: the part of an image that is foreground */
  return g_strdup_printf (_("%.1f %% above it"), 100 * above / n);
}

/* The level as the image stores it; in linear light also as another image would. */
static char *
describe_level (WfThresholdHistogram *threshold)
{
  double           fraction = gtk_adjustment_get_value (threshold->adjustment);
  g_autofree char *stored   = wf_level_describe (fraction, threshold->type);
  g_autofree char *encoded  = NULL;

  if (! threshold->encode)
    return g_steal_pointer (&stored);
  /* TRANSLATORS: the same gray as a level of an image that does not store linear light */
  encoded = g_strdup_printf (_("%.4f in a non-linear image"),
                             threshold->encode (fraction, threshold->encode_data));
  return g_strjoin (*stored ? ", " : "", stored, encoded, NULL);
}

static void
show_hint (WfThresholdHistogram *threshold)
{
  g_autofree char *level = describe_level (threshold);
  g_autofree char *share = describe_share (threshold);
  g_autofree char *text  = g_strjoin (*level && *share ? ", " : "", level, share, NULL);

  gtk_label_set_text (GTK_LABEL (threshold->hint), text);
  gtk_widget_set_tooltip_text (threshold->hint, text);
  atk_object_set_description (gtk_widget_get_accessible (threshold->graph), text);
}

static void
set_fraction (WfThresholdHistogram *threshold,
              double                fraction)
{
  if (threshold->fraction == fraction)
    return;
  threshold->fraction = fraction;
  g_object_notify_by_pspec (G_OBJECT (threshold), props[PROP_FRACTION]);
}

static void
show_state (WfThresholdHistogram *threshold)
{
  threshold->showing = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (threshold->automatic),
                                threshold->is_automatic);
  threshold->showing = FALSE;
}

/* The threshold that is shown becomes the one that is set. */
static void
keep_shown (WfThresholdHistogram *threshold)
{
  const gboolean was_automatic = threshold->is_automatic;

  threshold->is_automatic = FALSE;
  set_fraction (threshold, gtk_adjustment_get_value (threshold->adjustment));
  show_state (threshold);
  if (was_automatic)
    g_object_notify_by_pspec (G_OBJECT (threshold), props[PROP_AUTOMATIC]);
}

static void
value_changed (WfThresholdHistogram *threshold)
{
  show_hint (threshold);
  if (! threshold->showing)
    keep_shown (threshold);
}

static double
find_threshold (WfThresholdHistogram *threshold)
{
  double level = wf_histogram_find_threshold (threshold->histogram, threshold->method,
                                              threshold->percent);

  return wf_threshold_round (level / wf_level_maximum (threshold->type), threshold->type);
}

static void
show_value (WfThresholdHistogram *threshold)
{
  gboolean found = threshold->is_automatic && threshold->histogram;

  threshold->showing = TRUE;
  gtk_adjustment_set_value (threshold->adjustment,
                            found ? find_threshold (threshold) : threshold->fraction);
  threshold->showing = FALSE;
}

static void
set_automatic (WfThresholdHistogram *threshold,
               gboolean              automatic)
{
  if (threshold->is_automatic == automatic)
    return;
  threshold->is_automatic = automatic;
  show_state (threshold);
  show_value (threshold);
  g_object_notify_by_pspec (G_OBJECT (threshold), props[PROP_AUTOMATIC]);
}

static void
set_dark (WfThresholdHistogram *threshold,
          gboolean              dark)
{
  if (threshold->is_dark == dark)
    return;
  threshold->is_dark = dark;
  wf_threshold_graph_set_dark (WF_THRESHOLD_GRAPH (threshold->graph), dark);
  show_hint (threshold);
  g_object_notify_by_pspec (G_OBJECT (threshold), props[PROP_DARK]);
}

static void
automatic_toggled (GtkToggleButton      *button,
                   WfThresholdHistogram *threshold)
{
  if (threshold->showing)
    return;
  if (gtk_toggle_button_get_active (button))
    set_automatic (threshold, TRUE);
  else
    keep_shown (threshold);
}

static void
logarithmic_toggled (GtkToggleButton      *button,
                     WfThresholdHistogram *threshold)
{
  wf_threshold_graph_set_logarithmic (WF_THRESHOLD_GRAPH (threshold->graph),
                                      gtk_toggle_button_get_active (button));
}


/*  The widget  */

static GtkWidget *
automatic_new (WfThresholdHistogram *threshold)
{
  GtkWidget *button = gtk_check_button_new_with_mnemonic (_("A_utomatic"));

  gtk_widget_set_tooltip_text (button, _("Find the threshold anew for each image: it divides the "
                                         "levels into the two classes that differ most (Otsu's "
                                         "method)"));
  g_signal_connect (button, "toggled", G_CALLBACK (automatic_toggled), threshold);
  return button;
}

static GtkWidget *
logarithmic_new (WfThresholdHistogram *threshold)
{
  GtkWidget *button = gtk_check_button_new_with_mnemonic (_("Lo_garithmic"));

  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
  gtk_widget_set_tooltip_text (button, _("Make small numbers of pixels visible beside large ones"));
  g_signal_connect (button, "toggled", G_CALLBACK (logarithmic_toggled), threshold);
  return button;
}

static GtkWidget *
spin_new (WfThresholdHistogram *threshold)
{
  GtkWidget *spin = gtk_spin_button_new (threshold->adjustment, 0,
                                         (guint) wf_threshold_get_digits (threshold->type));

  gtk_entry_set_activates_default (GTK_ENTRY (spin), TRUE);
  atk_object_set_name (gtk_widget_get_accessible (spin), _("Threshold"));
  return spin;
}

static GtkWidget *
unit_new (void)
{
  GtkWidget *unit = gtk_label_new (wf_level_get_unit (FALSE));

  gtk_style_context_add_class (gtk_widget_get_style_context (unit), GTK_STYLE_CLASS_DIM_LABEL);
  gtk_widget_set_tooltip_text (unit, _("The threshold is a fraction of the range from black (0) to "
                                       "white (1)."));
  return unit;
}

static GtkWidget *
hint_new (void)
{
  GtkWidget *hint = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_label_set_ellipsize (GTK_LABEL (hint), PANGO_ELLIPSIZE_END);
  gtk_style_context_add_class (gtk_widget_get_style_context (hint), GTK_STYLE_CLASS_DIM_LABEL);
  return hint;
}

static void
wf_threshold_histogram_init (WfThresholdHistogram *threshold)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (threshold), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (threshold), SPACING);
  threshold->adjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 0.01, 0.1, 0));
  g_signal_connect_swapped (threshold->adjustment, "value-changed",
                            G_CALLBACK (value_changed), threshold);
}

static void
pack_rows (WfThresholdHistogram *threshold)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, SPACING);

  gtk_box_pack_start (GTK_BOX (row), threshold->spin, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (row), threshold->unit, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (row), threshold->automatic, FALSE, FALSE, 0);
  gtk_box_pack_end (GTK_BOX (row), logarithmic_new (threshold), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (threshold), row, FALSE, FALSE, 0);
  gtk_widget_show_all (row);
  gtk_box_pack_start (GTK_BOX (threshold), threshold->hint, FALSE, FALSE, 0);
  gtk_widget_show (threshold->hint);
}

static gboolean
wf_threshold_histogram_mnemonic_activate (GtkWidget *widget,
                                          gboolean   group_cycling)
{
  gtk_widget_grab_focus (WF_THRESHOLD_HISTOGRAM (widget)->spin);
  return TRUE;
}

static void
wf_threshold_histogram_dispose (GObject *object)
{
  WfThresholdHistogram *threshold = WF_THRESHOLD_HISTOGRAM (object);

  if (threshold->adjustment)
    g_signal_handlers_disconnect_by_data (threshold->adjustment, threshold);
  g_clear_object (&threshold->adjustment);
  g_clear_pointer (&threshold->histogram, wf_histogram_free);
  G_OBJECT_CLASS (wf_threshold_histogram_parent_class)->dispose (object);
}

static void
wf_threshold_histogram_get_property (GObject    *object,
                                     guint       property_id,
                                     GValue     *value,
                                     GParamSpec *pspec)
{
  WfThresholdHistogram *threshold = WF_THRESHOLD_HISTOGRAM (object);

  if (property_id == PROP_FRACTION)
    g_value_set_double (value, threshold->fraction);
  else if (property_id == PROP_AUTOMATIC)
    g_value_set_boolean (value, threshold->is_automatic);
  else if (property_id == PROP_DARK)
    g_value_set_boolean (value, threshold->is_dark);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_threshold_histogram_set_property (GObject      *object,
                                     guint         property_id,
                                     const GValue *value,
                                     GParamSpec   *pspec)
{
  WfThresholdHistogram *threshold = WF_THRESHOLD_HISTOGRAM (object);

  if (property_id == PROP_FRACTION)
    {
      set_fraction (threshold, CLAMP (g_value_get_double (value), 0, 1));
      show_value (threshold);
    }
  else if (property_id == PROP_AUTOMATIC)
    set_automatic (threshold, g_value_get_boolean (value));
  else if (property_id == PROP_DARK)
    set_dark (threshold, g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_threshold_histogram_class_init (WfThresholdHistogramClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose      = wf_threshold_histogram_dispose;
  object_class->get_property = wf_threshold_histogram_get_property;
  object_class->set_property = wf_threshold_histogram_set_property;
  GTK_WIDGET_CLASS (klass)->mnemonic_activate = wf_threshold_histogram_mnemonic_activate;

  /**
   * WfThresholdHistogram:fraction:
   *
   * The threshold, from 0 (black) to 1 (white).
   */
  props[PROP_FRACTION] =
    g_param_spec_double ("fraction", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                         G_PARAM_STATIC_STRINGS);

  /**
   * WfThresholdHistogram:automatic:
   *
   * Whether the threshold is found automatically.
   */
  props[PROP_AUTOMATIC] =
    g_param_spec_boolean ("automatic", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                          G_PARAM_STATIC_STRINGS);

  /**
   * WfThresholdHistogram:dark:
   *
   * Whether objects are the pixels that are not above the threshold.
   */
  props[PROP_DARK] =
    g_param_spec_boolean ("dark", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                          G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

/**
 * wf_threshold_histogram_new:
 * @type: the type of the image
 *
 * Returns: a widget to set a threshold, without a histogram yet.
 */
GtkWidget *
wf_threshold_histogram_new (WfType type)
{
  WfThresholdHistogram *threshold = g_object_new (WF_TYPE_THRESHOLD_HISTOGRAM, NULL);

  threshold->type = type;
  if (type == WF_TYPE_U8)
    gtk_adjustment_set_step_increment (threshold->adjustment, 1 / wf_level_maximum (type));
  threshold->graph     = wf_threshold_graph_new (threshold->adjustment, type);
  threshold->spin      = spin_new (threshold);
  threshold->unit      = unit_new ();
  threshold->hint      = hint_new ();
  threshold->automatic = automatic_new (threshold);
  gtk_box_pack_start (GTK_BOX (threshold), threshold->graph, TRUE, TRUE, 0);
  gtk_widget_show (threshold->graph);
  pack_rows (threshold);
  show_hint (threshold);
  return GTK_WIDGET (threshold);
}

/**
 * wf_threshold_histogram_set_linear:
 * @threshold: a widget
 * @encode: converts a level of linear light to that of a non-linear image
 * @data: for @encode, as long as the widget lives
 *
 * The image stores linear light: the widget says so, and which level the threshold is in other
 * images.
 */
void
wf_threshold_histogram_set_linear (WfThresholdHistogram *threshold,
                                   WfEncodeFunc          encode,
                                   gpointer              data)
{
  g_return_if_fail (WF_IS_THRESHOLD_HISTOGRAM (threshold) && encode);

  threshold->encode      = encode;
  threshold->encode_data = data;
  gtk_label_set_text (GTK_LABEL (threshold->unit), wf_level_get_unit (TRUE));
  gtk_widget_set_tooltip_text (threshold->unit,
                               _("The threshold is a fraction of the range from black (0) to white "
                                 "(1).  This image stores linear light, in which the same gray is "
                                 "a lower number.  The threshold of the last dialog has been "
                                 "converted; an automatic one divides linear light, and may "
                                 "differ."));
  show_hint (threshold);
}

/**
 * wf_threshold_histogram_set_method:
 * @threshold: a widget
 * @method: by which an automatic threshold is found; at first Otsu's
 * @percent: with %WF_THRESHOLD_PERCENT, as for wf_histogram_find_threshold()
 *
 * The widget shows the automatic threshold by this method.
 */
void
wf_threshold_histogram_set_method (WfThresholdHistogram *threshold,
                                   WfThresholdMethod     method,
                                   double                percent)
{
  g_return_if_fail (WF_IS_THRESHOLD_HISTOGRAM (threshold));

  threshold->method  = method;
  threshold->percent = percent;
  gtk_widget_set_tooltip_text (threshold->automatic,
                               _("Find the threshold anew for each image, by the method that is "
                                 "chosen"));
  show_value (threshold);
  show_hint (threshold);
}

/**
 * wf_threshold_histogram_set_histogram:
 * @threshold: a widget
 * @histogram: (nullable): of the image, of the widget's type; %NULL if it is not known
 *
 * Shows a copy of @histogram.  The threshold that was set stays.
 */
void
wf_threshold_histogram_set_histogram (WfThresholdHistogram *threshold,
                                      const WfHistogram    *histogram)
{
  g_return_if_fail (WF_IS_THRESHOLD_HISTOGRAM (threshold));
  g_return_if_fail (! histogram || histogram->type == threshold->type);

  g_clear_pointer (&threshold->histogram, wf_histogram_free);
  if (histogram)
    threshold->histogram = wf_histogram_copy (histogram);
  wf_threshold_graph_set_histogram (WF_THRESHOLD_GRAPH (threshold->graph), histogram);
  show_state (threshold);
  show_value (threshold);
  show_hint (threshold);
}
