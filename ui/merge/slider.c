/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Merging basins by moving a slider.
 *
 * The slider has stops (cut.c), and each step merges something.  The number above it is
 * what counts and takes any value (state.c), also one between two stops.
 *
 * The number of basins is the uppermost row and the slider is below it, since tooltips open below
 * the pointer and cover neither of them then.  The slider has no tooltip: it would cover the number
 * below, which is typed after a look at the basins.
 *
 * The slider has at least one pixel for each stop, so dragging (scale-drag.c) reaches all of
 * them.
 *
 * Basins come and go while a dialog is open.  While there are none, the number can be typed
 * but the slider is insensitive.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "scale-drag.h"
#include "slider.h"
#include "state.h"
#include "ui/options/number-entry.h"

#define SPACING      6
#define SCALE_WIDTH  (WF_MERGE_MOST_STOPS + 2 * WF_SCALE_HANDLE)
#define PAGE_OF_ALL  10      /* pages from one end to the other */

enum
{
  PROP_0,
  PROP_MEASURE,
  PROP_VALUE,
  PROP_COUNT,
  N_PROPS
};

enum
{
  CUT_CHANGED,
  N_SIGNALS
};

struct _WfMergeSlider
{
  GtkGrid        parent_instance;

  WfMergeState   state;
  gboolean       showing;       /* widgets are changed by the program */

  GtkWidget     *combo;
  GtkWidget     *scale;
  GtkAdjustment *position;
  GtkWidget     *entry;
  GtkWidget     *counted;
  GtkWidget     *unit;
};

static GParamSpec *props[N_PROPS];
static guint       signals[N_SIGNALS];

G_DEFINE_TYPE (WfMergeSlider, wf_merge_slider, GTK_TYPE_GRID)


/*  Showing  */

static void
show_words (WfMergeSlider *slider)
{
  g_autofree char *counted = wf_merge_state_describe_count (&slider->state);
  g_autofree char *unit    = wf_merge_state_describe_unit (&slider->state);

  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (slider->counted)), counted) != 0)
    g_debug ("merging: %s", counted);
  gtk_label_set_text (GTK_LABEL (slider->counted), counted);
  gtk_label_set_text (GTK_LABEL (slider->unit), unit);
  atk_object_set_description (gtk_widget_get_accessible (slider->scale), counted);
}

static void
show_position (WfMergeSlider *slider)
{
  const GArray *stops = slider->state.stops;
  guint         last  = stops ? stops->len - 1 : 0;

  if (stops)
    gtk_adjustment_configure (slider->position, wf_merge_state_get_position (&slider->state),
                              0, MAX (last, 1), 1, MAX (last / PAGE_OF_ALL, 1), 0);
  gtk_widget_set_sensitive (slider->scale, last > 0);
}

static void
show (WfMergeSlider *slider)
{
  const WfMergeState *state = &slider->state;

  slider->showing = TRUE;
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (slider->combo),
                               wf_merge_get_choices ()[state->by].name);
  show_position (slider);
  wf_number_entry_set_value (WF_NUMBER_ENTRY (slider->entry),
                             state->wished ? NAN : state->value);
  show_words (slider);
  slider->showing = FALSE;
}

/* Updates the widget after a change of the state, which was @before.  @is_other_cut: the
 * basins may differ although their number is the same.
 */
static void
follow (WfMergeSlider      *slider,
        const WfMergeState *before,
        gboolean            is_other_cut)
{
  const WfMergeState now   = slider->state;
  const gint64       start = g_get_monotonic_time ();

  if (now.by != before->by)
    g_object_notify_by_pspec (G_OBJECT (slider), props[PROP_MEASURE]);
  if (now.value != before->value)
    g_object_notify_by_pspec (G_OBJECT (slider), props[PROP_VALUE]);
  if (now.count != before->count)
    {
      is_other_cut = TRUE;
      g_object_notify_by_pspec (G_OBJECT (slider), props[PROP_COUNT]);
    }
  show (slider);
  if (is_other_cut && slider->state.hierarchy)
    g_signal_emit (slider, signals[CUT_CHANGED], 0, slider->state.count);
  g_debug ("merging: followed in %.1f ms", (g_get_monotonic_time () - start) / 1e3);
}


/*  Input  */

/* Called for pointer, wheel and keys. */
static gboolean
scale_moved (GtkRange      *range,
             GtkScrollType  scroll,
             double         position,
             WfMergeSlider *slider)
{
  const WfMergeState before = slider->state;

  wf_merge_state_go_to (&slider->state, position);
  follow (slider, &before, FALSE);
  return TRUE;
}

static void
entry_stepped (WfNumberEntry *entry,
               int            direction,
               WfMergeSlider *slider)
{
  const WfMergeState before = slider->state;

  wf_merge_state_step (&slider->state, direction);
  follow (slider, &before, FALSE);
}

static void
entry_changed (WfNumberEntry *entry,
               GParamSpec    *pspec,
               WfMergeSlider *slider)
{
  const WfMergeState before = slider->state;

  if (slider->showing)
    return;
  wf_merge_state_set_value (&slider->state, wf_number_entry_get_value (entry));
  follow (slider, &before, FALSE);
}

static void
combo_changed (GtkComboBox   *combo,
               WfMergeSlider *slider)
{
  const WfMergeState before = slider->state;
  WfMergeBy          by;

  if (slider->showing ||
      ! wf_merge_by_parse (gtk_combo_box_get_active_id (combo), &by) || by == before.by)
    return;

  g_object_freeze_notify (G_OBJECT (slider));
  wf_merge_state_choose_by (&slider->state, by);
  follow (slider, &before, FALSE);
  g_object_thaw_notify (G_OBJECT (slider));
}


/*  The widget  */

static GtkWidget *
combo_new (WfMergeSlider *slider)
{
  GtkWidget *combo = gtk_combo_box_text_new ();

  for (const WfChoice *choice = wf_merge_get_choices (); choice->name; choice++)
    gtk_combo_box_text_append (GTK_COMBO_BOX_TEXT (combo), choice->name,
                               g_dgettext (GETTEXT_PACKAGE, choice->label));
  gtk_widget_set_tooltip_text (combo, _("Measure by which basins are merged, the smallest first"));
  atk_object_set_name (gtk_widget_get_accessible (combo), _("Merge by"));
  g_signal_connect (combo, "changed", G_CALLBACK (combo_changed), slider);
  return combo;
}

static GtkWidget *
scale_new (WfMergeSlider *slider)
{
  GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, slider->position);

  gtk_scale_set_draw_value (GTK_SCALE (scale), FALSE);
  gtk_widget_set_size_request (scale, SCALE_WIDTH, -1);
  gtk_widget_set_hexpand (scale, TRUE);
  atk_object_set_name (gtk_widget_get_accessible (scale), _("Merge basins"));
  g_signal_connect (scale, "change-value", G_CALLBACK (scale_moved), slider);
  wf_scale_drag_add (GTK_SCALE (scale));
  return scale;
}

static GtkWidget *
entry_new (WfMergeSlider *slider)
{
  GtkWidget *entry = wf_number_entry_new ();

  gtk_widget_set_tooltip_text (entry, _("Value up to which basins are merged, as in a script; 0: "
                                        "no merging"));
  atk_object_set_name (gtk_widget_get_accessible (entry), _("Value up to which basins are "
                                                            "merged"));
  g_signal_connect (entry, "notify::value", G_CALLBACK (entry_changed), slider);
  g_signal_connect (entry, "step", G_CALLBACK (entry_stepped), slider);
  return entry;
}

static GtkWidget *
unit_new (void)
{
  GtkWidget *unit = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (unit), 0);
  gtk_widget_set_hexpand (unit, TRUE);
  gtk_style_context_add_class (gtk_widget_get_style_context (unit), GTK_STYLE_CLASS_DIM_LABEL);
  return unit;
}

static void
attach (WfMergeSlider *slider,
        GtkWidget     *widget,
        int            column,
        int            row,
        int            width)
{
  gtk_grid_attach (GTK_GRID (slider), widget, column, row, width, 1);
  gtk_widget_show (widget);
}

static void
wf_merge_slider_init (WfMergeSlider *slider)
{
  slider->state    = (WfMergeState) { .type = WF_TYPE_U8 };
  slider->position = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 0));
  slider->combo    = combo_new (slider);
  slider->scale    = scale_new (slider);
  slider->entry    = entry_new (slider);
  slider->counted  = gtk_label_new (NULL);
  slider->unit     = unit_new ();
  gtk_label_set_xalign (GTK_LABEL (slider->counted), 0);

  gtk_grid_set_column_spacing (GTK_GRID (slider), SPACING);
  gtk_grid_set_row_spacing (GTK_GRID (slider), SPACING / 2);
  attach (slider, slider->counted, 0, 0, 3);
  attach (slider, slider->scale,   0, 1, 3);
  attach (slider, slider->combo,   0, 2, 1);
  attach (slider, slider->entry,   1, 2, 1);
  attach (slider, slider->unit,    2, 2, 1);
  show (slider);
}

/* A label's mnemonic leads to the slider, or to the number while the slider is insensitive. */
static gboolean
wf_merge_slider_mnemonic_activate (GtkWidget *widget,
                                   gboolean   group_cycling)
{
  WfMergeSlider *slider = WF_MERGE_SLIDER (widget);

  gtk_widget_grab_focus (gtk_widget_is_sensitive (slider->scale) ? slider->scale
                                                                 : slider->entry);
  return TRUE;
}

static void
wf_merge_slider_dispose (GObject *object)
{
  WfMergeSlider *slider = WF_MERGE_SLIDER (object);

  wf_merge_state_clear (&slider->state);
  g_clear_object (&slider->position);
  G_OBJECT_CLASS (wf_merge_slider_parent_class)->dispose (object);
}

static void
wf_merge_slider_get_property (GObject    *object,
                              guint       property_id,
                              GValue     *value,
                              GParamSpec *pspec)
{
  WfMergeSlider *slider = WF_MERGE_SLIDER (object);

  switch (property_id)
    {
    case PROP_MEASURE:
      g_value_set_string (value, wf_merge_get_choices ()[slider->state.by].name);
      break;
    case PROP_VALUE:
      g_value_set_double (value, slider->state.value);
      break;
    case PROP_COUNT:
      g_value_set_uint (value, slider->state.count);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
wf_merge_slider_set_property (GObject      *object,
                              guint         property_id,
                              const GValue *value,
                              GParamSpec   *pspec)
{
  WfMergeSlider *slider = WF_MERGE_SLIDER (object);

  switch (property_id)
    {
    case PROP_MEASURE:
      wf_merge_slider_set_measure (slider, g_value_get_string (value));
      break;
    case PROP_VALUE:
      wf_merge_slider_set_value (slider, g_value_get_double (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
wf_merge_slider_class_init (WfMergeSliderClass *klass)
{
  GObjectClass      *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags  flags        = G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose      = wf_merge_slider_dispose;
  object_class->get_property = wf_merge_slider_get_property;
  object_class->set_property = wf_merge_slider_set_property;
  GTK_WIDGET_CLASS (klass)->mnemonic_activate = wf_merge_slider_mnemonic_activate;

  /**
   * WfMergeSlider:measure:
   *
   * By what basins are merged: one of the names of wf_merge_get_choices().  When it
   * changes, call wf_merge_slider_set_hierarchy() with a hierarchy of the measure that
   * wf_merge_by_measure() returns, unless that is the same as before.
   */
  props[PROP_MEASURE] =
    g_param_spec_string ("measure", NULL, NULL, "dynamics", flags | G_PARAM_READWRITE);

  /**
   * WfMergeSlider:value:
   *
   * Up to which value basins are merged, or how many are to be left; see wf_merge_count().
   */
  props[PROP_VALUE] =
    g_param_spec_double ("value", NULL, NULL, 0, G_MAXDOUBLE, 0, flags | G_PARAM_READWRITE);

  /**
   * WfMergeSlider:count:
   *
   * The number of basins left; 0 while there is no hierarchy.
   */
  props[PROP_COUNT] =
    g_param_spec_uint ("count", NULL, NULL, 0, G_MAXUINT, 0, flags | G_PARAM_READABLE);
  g_object_class_install_properties (object_class, N_PROPS, props);

  /**
   * WfMergeSlider::cut-changed:
   * @slider: a slider
   * @count: the number of basins left
   *
   * The merged basins have changed; wf_hierarchy_get_map() of the hierarchy gives them.
   */
  signals[CUT_CHANGED] =
    g_signal_new ("cut-changed", WF_TYPE_MERGE_SLIDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_UINT);
}

/**
 * wf_merge_slider_new:
 * @type: of the image that is flooded
 *
 * Returns: a widget for merging basins, without a hierarchy yet.
 */
GtkWidget *
wf_merge_slider_new (WfType type)
{
  WfMergeSlider *slider = g_object_new (WF_TYPE_MERGE_SLIDER, NULL);

  slider->state.type = type;
  show (slider);
  return GTK_WIDGET (slider);
}

/**
 * wf_merge_slider_set_type:
 * @slider: a slider
 * @type: of the image that is flooded, in whose range depths are fractions
 *
 * To be called before wf_merge_slider_set_hierarchy() when another image is flooded.  Drops
 * the present hierarchy.
 */
void
wf_merge_slider_set_type (WfMergeSlider *slider,
                          WfType         type)
{
  WfMergeState before;

  g_return_if_fail (WF_IS_MERGE_SLIDER (slider));

  if (type == slider->state.type)
    return;
  before = slider->state;
  wf_merge_state_set_type (&slider->state, type);
  follow (slider, &before, FALSE);
}

/**
 * wf_merge_slider_set_distances:
 * @slider: a slider
 * @distances: whether the image that is flooded has distances in pixels, and not levels
 *
 * Decides the unit that the slider shows.
 */
void
wf_merge_slider_set_distances (WfMergeSlider *slider,
                               gboolean       distances)
{
  g_return_if_fail (WF_IS_MERGE_SLIDER (slider));

  slider->state.distances = distances;
  show_words (slider);
}

/**
 * wf_merge_slider_set_linear:
 * @slider: a slider
 * @linear: whether the image stores linear light
 *
 * Decides the unit that the slider shows, as wf_level_get_unit() does.
 */
void
wf_merge_slider_set_linear (WfMergeSlider *slider,
                            gboolean       linear)
{
  g_return_if_fail (WF_IS_MERGE_SLIDER (slider));

  slider->state.linear = linear;
  show_words (slider);
}

/**
 * wf_merge_slider_set_hierarchy:
 * @slider: a slider
 * @measure: of @hierarchy
 * @hierarchy: (nullable): the present basins; %NULL while there are none
 *
 * Lets the slider move over @hierarchy.  The value stays; the number of basins it leaves may
 * change.  A hierarchy of another measure than the chosen one has come too late and is
 * ignored.
 */
void
wf_merge_slider_set_hierarchy (WfMergeSlider *slider,
                               WfMeasure      measure,
                               WfHierarchy   *hierarchy)
{
  WfMergeState before;

  g_return_if_fail (WF_IS_MERGE_SLIDER (slider));

  if (hierarchy && measure != wf_merge_by_measure (slider->state.by))
    return;
  before = slider->state;
  wf_merge_state_set_hierarchy (&slider->state, hierarchy);
  follow (slider, &before, TRUE);
}

/**
 * wf_merge_slider_set_measure:
 * @slider: a slider
 * @measure: (nullable): a name of wf_merge_get_choices(); others are ignored
 *
 * Sets by what basins are merged, and keeps the value.
 */
void
wf_merge_slider_set_measure (WfMergeSlider *slider,
                             const char    *measure)
{
  WfMergeState before;
  WfMergeBy    by;

  g_return_if_fail (WF_IS_MERGE_SLIDER (slider));

  if (! wf_merge_by_parse (measure, &by) || by == slider->state.by)
    return;
  before = slider->state;
  wf_merge_state_set_by (&slider->state, by);
  follow (slider, &before, FALSE);
}

/**
 * wf_merge_slider_set_value:
 * @slider: a slider
 * @value: see wf_merge_count()
 */
void
wf_merge_slider_set_value (WfMergeSlider *slider,
                           double         value)
{
  WfMergeState before;

  g_return_if_fail (WF_IS_MERGE_SLIDER (slider) && value >= 0);

  before = slider->state;
  wf_merge_state_set_value (&slider->state, value);
  follow (slider, &before, FALSE);
}

/**
 * wf_merge_slider_get_by:
 * @slider: a slider
 *
 * Returns: by what basins are merged
 */
WfMergeBy
wf_merge_slider_get_by (WfMergeSlider *slider)
{
  g_return_val_if_fail (WF_IS_MERGE_SLIDER (slider), WF_MERGE_BY_DYNAMICS);

  return slider->state.by;
}

/**
 * wf_merge_slider_get_value:
 * @slider: a slider
 *
 * Returns: up to which value basins are merged, or how many are to be left
 */
double
wf_merge_slider_get_value (WfMergeSlider *slider)
{
  g_return_val_if_fail (WF_IS_MERGE_SLIDER (slider), 0);

  return slider->state.value;
}

/**
 * wf_merge_slider_get_count:
 * @slider: a slider
 *
 * Returns: the number of basins left; 0 while there is no hierarchy
 */
guint32
wf_merge_slider_get_count (WfMergeSlider *slider)
{
  g_return_val_if_fail (WF_IS_MERGE_SLIDER (slider), 0);

  return slider->state.count;
}

/**
 * wf_merge_slider_is_waiting:
 * @slider: a slider
 *
 * Returns: whether the value will change when the hierarchy is set: the user has chosen
 *   another measure, and the value that leaves as many basins is not known yet.
 */
gboolean
wf_merge_slider_is_waiting (WfMergeSlider *slider)
{
  g_return_val_if_fail (WF_IS_MERGE_SLIDER (slider), FALSE);

  return slider->state.wished > 0;
}

/**
 * wf_merge_slider_set_part:
 * @slider: a slider
 * @part: whether the hierarchy that is set next belongs to a part of the image
 *
 * Of a part the slider says that its numbers are those of the view.
 */
void
wf_merge_slider_set_part (WfMergeSlider *slider,
                          gboolean       part)
{
  g_return_if_fail (WF_IS_MERGE_SLIDER (slider));

  wf_merge_state_set_part (&slider->state, part);
}

/**
 * wf_merge_slider_stop_waiting:
 * @slider: a slider
 *
 * No hierarchy comes that a number of basins could wait for: none are merged.
 */
void
wf_merge_slider_stop_waiting (WfMergeSlider *slider)
{
  g_return_if_fail (WF_IS_MERGE_SLIDER (slider));

  if (wf_merge_slider_is_waiting (slider))
    wf_merge_slider_set_value (slider, slider->state.value);
}
