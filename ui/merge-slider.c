/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Merging basins by moving a slider.
 *
 * The slider is for the eye: it stops where merge-cut.c says, and each step merges
 * something.  What holds is the number beside it, which takes any value, is what a script
 * would give, and is kept when the image or its basins change, wherever the slider then
 * stands.
 *
 * Basins come and go while a dialog is open: until there are any, the number can be typed
 * and the slider cannot be moved.  By what is merged may need a hierarchy of another
 * measure; when the user chooses so, the number of basins stays, and the value that leaves
 * so many is found when that hierarchy has come.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "level-entry.h"
#include "merge-slider.h"
#include "number-entry.h"

#define SPACING      6
#define SCALE_WIDTH  160
#define MOST_STOPS   400
#define PAGE_OF_ALL  10      /* so many pages from one end to the other */

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

  WfType         type;
  WfMergeBy      by;
  double         value;
  WfHierarchy   *hierarchy;     /* of the measure of @by, or NULL */
  GArray        *stops;         /* of @hierarchy, or NULL */
  guint32        count;         /* basins left; 0 without @hierarchy */
  guint32        wished;        /* count to be left by the hierarchy to come, or 0 */
  gboolean       showing;       /* it is not the user who changes a widget */

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
show_count (WfMergeSlider *slider)
{
  g_autofree char *text = NULL;
  guint32          n;

  if (! slider->hierarchy)
    text = g_strdup (_("The basins are not known yet"));
  else
    {
      n    = wf_hierarchy_get_n_basins (slider->hierarchy);
      /* TRANSLATORS: how many basins are left when some are merged, as in "59 of 1,204" */
      text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                           "%'u of %'u basin", "%'u of %'u basins", n),
                              slider->count, n);
    }
  gtk_label_set_text (GTK_LABEL (slider->counted), text);
  atk_object_set_description (gtk_widget_get_accessible (slider->scale), text);
}

/* The value in the image's own units, where they are others. */
static char *
describe_unit (WfMergeSlider *slider)
{
  switch (slider->by)
    {
    case WF_MERGE_BY_DYNAMICS:
      return wf_level_describe (slider->value, slider->type);
    case WF_MERGE_BY_AREA:
      return g_strdup (_("pixels"));
    case WF_MERGE_BY_VOLUME:
      /* TRANSLATORS: the unit of a volume: as deep as from black to white, on one pixel */
      return g_strdup (_("white × pixels"));
    default:
      return g_strdup (_("basins"));
    }
}

static void
show_unit (WfMergeSlider *slider)
{
  g_autofree char *text = describe_unit (slider);

  gtk_label_set_text (GTK_LABEL (slider->unit), text);
}

static void
show_position (WfMergeSlider *slider)
{
  if (slider->stops)
    gtk_adjustment_set_value (slider->position,
                              wf_merge_find_stop (slider->stops, slider->count));
  gtk_widget_set_sensitive (slider->scale, slider->stops && slider->stops->len > 1);
}

static void
show (WfMergeSlider *slider)
{
  slider->showing = TRUE;
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (slider->combo),
                               wf_merge_get_choices ()[slider->by].name);
  show_position (slider);
  wf_number_entry_set_value (WF_NUMBER_ENTRY (slider->entry),
                             slider->wished ? NAN : slider->value);
  show_count (slider);
  show_unit (slider);
  slider->showing = FALSE;
}

/* After a change of the value, of what it means or of the hierarchy. */
static void
update (WfMergeSlider *slider,
        gboolean       is_other_cut)
{
  guint32 count = slider->hierarchy
                  ? wf_merge_count (slider->hierarchy, slider->by, slider->value, slider->type)
                  : 0;

  if (count != slider->count)
    {
      slider->count = count;
      is_other_cut  = TRUE;
      g_object_notify_by_pspec (G_OBJECT (slider), props[PROP_COUNT]);
    }
  show (slider);
  if (is_other_cut && slider->hierarchy)
    g_signal_emit (slider, signals[CUT_CHANGED], 0, count);
}

static void
set_value (WfMergeSlider *slider,
           double         value)
{
  slider->wished = 0;
  if (value == slider->value)
    return;
  slider->value = value;
  g_object_notify_by_pspec (G_OBJECT (slider), props[PROP_VALUE]);
}


/*  What the user does  */

static void
go_to_stop (WfMergeSlider *slider,
            double         position)
{
  guint last = slider->stops->len - 1;
  guint i    = (guint) CLAMP (round (position), 0, last);

  set_value (slider, g_array_index (slider->stops, WfMergeStop, i).value);
  update (slider, FALSE);
}

/* Every way to move the slider ends here. */
static gboolean
scale_moved (GtkRange      *range,
             GtkScrollType  scroll,
             double         position,
             WfMergeSlider *slider)
{
  if (slider->stops)
    go_to_stop (slider, position);
  return TRUE;
}

/* From a value between two stops to the next of them. */
static void
entry_stepped (WfNumberEntry *entry,
               int            direction,
               WfMergeSlider *slider)
{
  double position;

  if (! slider->stops)
    return;
  position = wf_merge_find_stop (slider->stops, slider->count);
  go_to_stop (slider, direction > 0 ? floor (position) + 1 : ceil (position) - 1);
}

static void
entry_changed (WfNumberEntry *entry,
               GParamSpec    *pspec,
               WfMergeSlider *slider)
{
  if (slider->showing)
    return;
  set_value (slider, wf_number_entry_get_value (entry));
  update (slider, FALSE);
}

static void
forget_hierarchy (WfMergeSlider *slider)
{
  g_clear_pointer (&slider->hierarchy, wf_hierarchy_unref);
  g_clear_pointer (&slider->stops, g_array_unref);
}

static void
list_stops (WfMergeSlider *slider)
{
  guint last;

  g_clear_pointer (&slider->stops, g_array_unref);
  slider->stops = wf_merge_list_stops (slider->hierarchy, slider->by, slider->type, MOST_STOPS);
  last          = slider->stops->len - 1;
  gtk_adjustment_configure (slider->position, 0, 0, MAX (last, 1), 1,
                            MAX (last / PAGE_OF_ALL, 1), 0);
}

/* Whether there is a hierarchy of the measure that @by needs. */
static void
change_by (WfMergeSlider *slider,
           WfMergeBy      by)
{
  gboolean same_measure = wf_merge_by_measure (by) == wf_merge_by_measure (slider->by);

  slider->by = by;
  if (! same_measure)
    forget_hierarchy (slider);
  else if (slider->hierarchy)
    list_stops (slider);
}

/* The number of basins stays, now or when the hierarchy for it comes. */
static void
combo_changed (GtkComboBox   *combo,
               WfMergeSlider *slider)
{
  const WfHierarchy *hierarchy = slider->hierarchy;
  guint32            wished    = slider->wished;
  WfMergeBy          by;

  if (slider->showing ||
      ! wf_merge_by_parse (gtk_combo_box_get_active_id (combo), &by) || by == slider->by)
    return;

  if (hierarchy && slider->count < wf_hierarchy_get_n_basins (hierarchy))
    wished = slider->count;
  g_object_freeze_notify (G_OBJECT (slider));
  change_by (slider, by);
  g_object_notify_by_pspec (G_OBJECT (slider), props[PROP_MEASURE]);
  set_value (slider, slider->hierarchy && wished > 0
                     ? wf_merge_find_value (slider->hierarchy, by, wished, slider->type) : 0);
  slider->wished = slider->hierarchy ? 0 : wished;
  update (slider, FALSE);
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
  gtk_widget_set_tooltip_text (combo, _("By what basins are merged: the least first"));
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
  gtk_widget_set_tooltip_text (scale, _("To the right more basins are merged, one step after "
                                        "the other"));
  atk_object_set_name (gtk_widget_get_accessible (scale), _("Merge basins"));
  g_signal_connect (scale, "change-value", G_CALLBACK (scale_moved), slider);
  return scale;
}

static GtkWidget *
entry_new (WfMergeSlider *slider)
{
  GtkWidget *entry = wf_number_entry_new ();

  gtk_widget_set_tooltip_text (entry, _("Up to which value basins are merged, as a script "
                                        "gives it; 0 merges none"));
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

  gtk_label_set_xalign (GTK_LABEL (unit), 1);
  gtk_style_context_add_class (gtk_widget_get_style_context (unit), GTK_STYLE_CLASS_DIM_LABEL);
  return unit;
}

static void
attach (WfMergeSlider *slider,
        GtkWidget     *widget,
        int            column,
        int            row)
{
  gtk_grid_attach (GTK_GRID (slider), widget, column, row, 1, 1);
  gtk_widget_show (widget);
}

static void
wf_merge_slider_init (WfMergeSlider *slider)
{
  slider->type     = WF_TYPE_U8;
  slider->position = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 1, 1, 0));
  slider->combo    = combo_new (slider);
  slider->scale    = scale_new (slider);
  slider->entry    = entry_new (slider);
  slider->counted  = gtk_label_new (NULL);
  slider->unit     = unit_new ();
  gtk_label_set_xalign (GTK_LABEL (slider->counted), 0);

  gtk_grid_set_column_spacing (GTK_GRID (slider), SPACING);
  attach (slider, slider->combo,   0, 0);
  attach (slider, slider->scale,   1, 0);
  attach (slider, slider->entry,   2, 0);
  attach (slider, slider->counted, 1, 1);
  attach (slider, slider->unit,    2, 1);
  show (slider);
}

/* A label's mnemonic leads to the slider, or to the number while there is nothing to
 * slide over.
 */
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

  forget_hierarchy (slider);
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
      g_value_set_string (value, wf_merge_get_choices ()[slider->by].name);
      break;
    case PROP_VALUE:
      g_value_set_double (value, slider->value);
      break;
    case PROP_COUNT:
      g_value_set_uint (value, slider->count);
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
   * changes, wf_merge_slider_set_hierarchy() is to be called with a hierarchy of the
   * measure that wf_merge_by_measure() tells, unless that is the same as before.
   */
  props[PROP_MEASURE] =
    g_param_spec_string ("measure", NULL, NULL, "dynamics", flags | G_PARAM_READWRITE);

  /**
   * WfMergeSlider:value:
   *
   * Up to what basins are merged, or how many are to be left: what wf_merge_count() takes.
   */
  props[PROP_VALUE] =
    g_param_spec_double ("value", NULL, NULL, 0, G_MAXDOUBLE, 0, flags | G_PARAM_READWRITE);

  /**
   * WfMergeSlider:count:
   *
   * How many basins are left; 0 while there is no hierarchy.
   */
  props[PROP_COUNT] =
    g_param_spec_uint ("count", NULL, NULL, 0, G_MAXUINT, 0, flags | G_PARAM_READABLE);
  g_object_class_install_properties (object_class, N_PROPS, props);

  /**
   * WfMergeSlider::cut-changed:
   * @slider: a slider
   * @count: how many basins are left
   *
   * Other basins are left than before: wf_hierarchy_get_map() of the hierarchy that was
   * set gives them.
   */
  signals[CUT_CHANGED] =
    g_signal_new ("cut-changed", WF_TYPE_MERGE_SLIDER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 1, G_TYPE_UINT);
}

/**
 * wf_merge_slider_new:
 * @type: of the image that is flooded
 *
 * Returns: a widget to merge basins with, which has none yet.
 */
GtkWidget *
wf_merge_slider_new (WfType type)
{
  WfMergeSlider *slider = g_object_new (WF_TYPE_MERGE_SLIDER, NULL);

  slider->type = type;
  show (slider);
  return GTK_WIDGET (slider);
}

/**
 * wf_merge_slider_set_type:
 * @slider: a slider
 * @type: of the image that is flooded, in whose range depths are fractions
 *
 * To be called before wf_merge_slider_set_hierarchy() where something else is flooded than
 * before; the hierarchy that there was goes.
 */
void
wf_merge_slider_set_type (WfMergeSlider *slider,
                          WfType         type)
{
  g_return_if_fail (WF_IS_MERGE_SLIDER (slider));

  if (type == slider->type)
    return;
  slider->type = type;
  forget_hierarchy (slider);
  update (slider, FALSE);
}

/**
 * wf_merge_slider_set_hierarchy:
 * @slider: a slider
 * @measure: of @hierarchy
 * @hierarchy: (nullable): the basins that there are now; %NULL while there are none
 *
 * Lets the slider move over @hierarchy.  The value stays; how many basins it leaves may
 * change.  A hierarchy of another measure than that which is chosen, which comes too late,
 * is not taken.
 */
void
wf_merge_slider_set_hierarchy (WfMergeSlider *slider,
                               WfMeasure      measure,
                               WfHierarchy   *hierarchy)
{
  g_return_if_fail (WF_IS_MERGE_SLIDER (slider));

  if (hierarchy && measure != wf_merge_by_measure (slider->by))
    return;

  if (hierarchy)
    wf_hierarchy_ref (hierarchy);
  forget_hierarchy (slider);
  slider->hierarchy = hierarchy;
  if (hierarchy)
    list_stops (slider);
  if (hierarchy && slider->wished > 0)
    set_value (slider, wf_merge_find_value (hierarchy, slider->by, slider->wished,
                                            slider->type));
  update (slider, TRUE);
}

/**
 * wf_merge_slider_set_measure:
 * @slider: a slider
 * @measure: (nullable): a name of wf_merge_get_choices(); others are not taken
 *
 * Sets by what basins are merged, and leaves the value as it is.
 */
void
wf_merge_slider_set_measure (WfMergeSlider *slider,
                             const char    *measure)
{
  WfMergeBy by;

  g_return_if_fail (WF_IS_MERGE_SLIDER (slider));

  if (! wf_merge_by_parse (measure, &by) || by == slider->by)
    return;
  slider->wished = 0;
  change_by (slider, by);
  g_object_notify_by_pspec (G_OBJECT (slider), props[PROP_MEASURE]);
  update (slider, FALSE);
}

/**
 * wf_merge_slider_set_value:
 * @slider: a slider
 * @value: what wf_merge_count() takes
 */
void
wf_merge_slider_set_value (WfMergeSlider *slider,
                           double         value)
{
  g_return_if_fail (WF_IS_MERGE_SLIDER (slider) && value >= 0);

  set_value (slider, value);
  update (slider, FALSE);
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

  return slider->by;
}

/**
 * wf_merge_slider_get_value:
 * @slider: a slider
 *
 * Returns: up to what basins are merged, or how many are to be left
 */
double
wf_merge_slider_get_value (WfMergeSlider *slider)
{
  g_return_val_if_fail (WF_IS_MERGE_SLIDER (slider), 0);

  return slider->value;
}

/**
 * wf_merge_slider_get_count:
 * @slider: a slider
 *
 * Returns: how many basins are left; 0 while there is no hierarchy
 */
guint32
wf_merge_slider_get_count (WfMergeSlider *slider)
{
  g_return_val_if_fail (WF_IS_MERGE_SLIDER (slider), 0);

  return slider->count;
}

/**
 * wf_merge_slider_is_waiting:
 * @slider: a slider
 *
 * Returns: whether the value will change when the hierarchy comes: the user has chosen
 *   another measure, and what leaves as many basins is not known yet.
 */
gboolean
wf_merge_slider_is_waiting (WfMergeSlider *slider)
{
  g_return_val_if_fail (WF_IS_MERGE_SLIDER (slider), FALSE);

  return slider->wished > 0;
}
