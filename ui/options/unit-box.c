/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A number and, at its right, its unit.  An automatic number shows a word, which has none. */

#include "config.h"

#include "auto-spin-button.h"
#include "unit-box.h"

#define SPACING 6

enum
{
  PROP_0,
  PROP_VALUE,
  N_PROPS
};

struct _WfUnitBox
{
  GtkBox     parent_instance;

  GtkWidget *number;
  GtkWidget *unit;
};

static GParamSpec *props[N_PROPS];

G_DEFINE_TYPE (WfUnitBox, wf_unit_box, GTK_TYPE_BOX)


static gboolean
wf_unit_box_mnemonic_activate (GtkWidget *widget,
                               gboolean   group_cycling)
{
  gtk_widget_grab_focus (WF_UNIT_BOX (widget)->number);
  return TRUE;
}

static void
wf_unit_box_get_property (GObject    *object,
                          guint       property_id,
                          GValue     *value,
                          GParamSpec *pspec)
{
  if (property_id == PROP_VALUE)
    g_value_set_double (value, gtk_spin_button_get_value
                                 (GTK_SPIN_BUTTON (WF_UNIT_BOX (object)->number)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_unit_box_set_property (GObject      *object,
                          guint         property_id,
                          const GValue *value,
                          GParamSpec   *pspec)
{
  if (property_id == PROP_VALUE)
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (WF_UNIT_BOX (object)->number),
                               g_value_get_double (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
}

static void
wf_unit_box_class_init (WfUnitBoxClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = wf_unit_box_get_property;
  object_class->set_property = wf_unit_box_set_property;
  GTK_WIDGET_CLASS (klass)->mnemonic_activate = wf_unit_box_mnemonic_activate;

  /**
   * WfUnitBox:value:
   *
   * The number.
   */
  props[PROP_VALUE] =
    g_param_spec_double ("value", NULL, NULL, -G_MAXDOUBLE, G_MAXDOUBLE, 0,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                         G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
wf_unit_box_init (WfUnitBox *box)
{
  gtk_box_set_spacing (GTK_BOX (box), SPACING);
}

static void
show_unit (WfUnitBox *box)
{
  gtk_widget_set_visible (box->unit,
                          ! WF_IS_AUTO_SPIN_BUTTON (box->number) ||
                          gtk_spin_button_get_value (GTK_SPIN_BUTTON (box->number)) != 0);
}

static void
value_changed (WfUnitBox *box)
{
  show_unit (box);
  g_object_notify_by_pspec (G_OBJECT (box), props[PROP_VALUE]);
}

/**
 * wf_unit_box_new:
 * @number: a spin button
 * @unit: translated
 *
 * Returns: a widget with both, of which @number gets the keyboard focus
 */
GtkWidget *
wf_unit_box_new (GtkWidget  *number,
                 const char *unit)
{
  WfUnitBox *box = g_object_new (WF_TYPE_UNIT_BOX, NULL);

  box->number = number;
  box->unit   = gtk_label_new (NULL);
  gtk_box_pack_start (GTK_BOX (box), number, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), box->unit, FALSE, FALSE, 0);
  gtk_widget_show (number);
  gtk_widget_show (box->unit);
  wf_unit_box_set_unit (box, unit);
  show_unit (box);
  g_signal_connect_swapped (number, "value-changed", G_CALLBACK (value_changed), box);
  return GTK_WIDGET (box);
}

/**
 * wf_unit_box_set_unit:
 * @box: a number with a unit
 * @unit: translated
 */
void
wf_unit_box_set_unit (WfUnitBox  *box,
                      const char *unit)
{
  g_return_if_fail (WF_IS_UNIT_BOX (box));

  gtk_label_set_text (GTK_LABEL (box->unit), unit);
  atk_object_set_description (gtk_widget_get_accessible (box->number), unit);
}
