/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The marker of a reconstruction: another drawable of the image that covers the
 * region worked on, or the region itself, lowered or raised.
 *
 * GIMP does not keep items among a procedure's last values.  So that "Repeat" does
 * the same again, the marker's name is kept, in an argument that only dialogs
 * see; it also serves another image that has a layer of that name.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>
#include <libgimp/gimpui.h>

#include "marker.h"

/* No item has this number. */
#define NO_MARKER -1


/**
 * wf_marker_add_arguments:
 * @procedure: a procedure under construction
 *
 * Adds the argument "marker".
 */
void
wf_marker_add_arguments (GimpProcedure *procedure)
{
  gimp_procedure_add_drawable_argument (procedure, "marker", _("_Marker"),
                                        _("The layer or channel to grow from; it covers what "
                                          "is worked on"),
                                        TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_string_aux_argument (procedure, "marker-name", "Marker name",
                                          "The marker that was chosen last time",
                                          "", G_PARAM_READWRITE);
}

static gboolean
check (WfRun         *run,
       GimpDrawable  *marker,
       GError       **error)
{
  const WfRegion  *region = &run->region;
  g_autofree char *name   = gimp_item_get_name (GIMP_ITEM (marker));
  int              left;
  int              top;

  if (gimp_item_get_image (GIMP_ITEM (marker)) != run->image)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The marker “%s” belongs to another image."), name);
      return FALSE;
    }

  gimp_drawable_get_offsets (marker, &left, &top);
  if (left > region->image_x || top > region->image_y ||
      left + gimp_drawable_get_width (marker)  < region->image_x + region->width ||
      top  + gimp_drawable_get_height (marker) < region->image_y + region->height)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The marker “%s” does not cover what is worked on: %d × %d pixels "
                     "at %d, %d."),
                   name, region->width, region->height, region->image_x, region->image_y);
      return FALSE;
    }
  return TRUE;
}

static GimpDrawable *
find_by_name (GimpImage  *image,
              const char *name)
{
  GimpLayer *layer = gimp_image_get_layer_by_name (image, name);

  if (layer)
    return GIMP_DRAWABLE (layer);
  return GIMP_DRAWABLE (gimp_image_get_channel_by_name (image, name));
}

/**
 * wf_marker_recall:
 * @run: a run that starts from the last values
 * @error: %WF_ERROR_INVALID if it is to go on without asking and the marker that was
 *   chosen last time is not in the image
 *
 * Returns: whether the marker of last time has been set, or there was none.
 */
gboolean
wf_marker_recall (WfRun   *run,
                  GError **error)
{
  g_autoptr (GimpDrawable)  given = NULL;
  g_autofree char          *name  = NULL;
  GimpDrawable             *marker;

  g_object_get (run->config, "marker", &given, "marker-name", &name, NULL);
  if (given || ! name || ! *name)
    return TRUE;

  marker = find_by_name (run->image, name);
  if (marker && (run->mode != GIMP_RUN_INTERACTIVE || check (run, marker, NULL)))
    g_object_set (run->config, "marker", marker, NULL);
  else if (run->mode != GIMP_RUN_INTERACTIVE)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("The marker of last time, “%s”, is not in this image."), name);
      return FALSE;
    }
  return TRUE;
}

/**
 * wf_marker_remember:
 * @run: a run that succeeded
 *
 * Keeps the marker for wf_marker_recall().
 */
void
wf_marker_remember (WfRun *run)
{
  g_autoptr (GimpDrawable)  marker = NULL;
  g_autofree char          *name   = NULL;

  g_object_get (run->config, "marker", &marker, NULL);
  if (marker)
    name = gimp_item_get_name (GIMP_ITEM (marker));
  g_object_set (run->config, "marker-name", name ? name : "", NULL);
}

/* Whole numbers stay within their range; real ones have none. */
#define SHIFT(Type, least, most) \
  for (gint64 i = 0; i < n; i++) \
    { \
      double level = ((const Type *) mask->data)[i] + difference; \
\
      ((Type *) marker->data)[i] = (Type) CLAMP (level, least, most); \
    }

static void
shift (const WfImage *mask,
       double         difference,
       WfImage       *marker)
{
  gint64 n = wf_image_n_pixels (mask);

  switch (mask->type)
    {
    case WF_TYPE_U8:
      SHIFT (guint8, 0, G_MAXUINT8)
      break;
    case WF_TYPE_U16:
      SHIFT (guint16, 0, G_MAXUINT16)
      break;
    default:
      SHIFT (float, -INFINITY, INFINITY)
      break;
    }
}

/**
 * wf_marker_read:
 * @run: the run
 * @mask: the levels of the region
 * @by: the direction of the reconstruction
 * @height: how far to lower or raise @mask where no marker was given
 * @marker: set to a new image, to be cleared by the caller
 * @error: %WF_ERROR_INVALID if the marker does not fit, %WF_ERROR_MEMORY
 *
 * Returns: whether there is a marker.
 */
gboolean
wf_marker_read (WfRun          *run,
                const WfImage  *mask,
                WfDirection     by,
                double          height,
                WfImage        *marker,
                GError        **error)
{
  g_autoptr (GimpDrawable) drawable = NULL;
  int                      left;
  int                      top;

  g_object_get (run->config, "marker", &drawable, NULL);
  if (drawable)
    {
      if (! check (run, drawable, error))
        return FALSE;
      gimp_drawable_get_offsets (drawable, &left, &top);
      return wf_pixels_read (drawable, run->region.image_x - left, run->region.image_y - top,
                             run->region.width, run->region.height, run->type, marker, error);
    }

  if (! wf_image_allocate (marker, mask->type, mask->width, mask->height, 1, error))
    return FALSE;
  shift (mask, by == WF_BY_DILATION ? -height : height, marker);
  return TRUE;
}


/*  The control in the dialog  */

/* Only what can be the marker is offered. */
static gboolean
is_eligible (GimpImage *image,
             GimpItem  *item,
             gpointer   run)
{
  return item != GIMP_ITEM (((WfRun *) run)->drawable) &&
         check (run, GIMP_DRAWABLE (item), NULL);
}

static void
chosen (GimpIntComboBox *combo,
        WfRun           *run)
{
  int id = NO_MARKER;

  if (gimp_int_combo_box_get_active (combo, &id))
    g_object_set (run->config,
                  "marker", id == NO_MARKER ? NULL : gimp_drawable_get_by_id (id), NULL);
}

/* What the settings were reset or loaded to. */
static void
show_marker (GObject         *config,
             GParamSpec      *pspec,
             GimpIntComboBox *combo)
{
  g_autoptr (GimpDrawable) marker = NULL;
  int                      id     = NO_MARKER;

  g_object_get (config, "marker", &marker, NULL);
  if (marker)
    id = gimp_item_get_id (GIMP_ITEM (marker));
  if (! gimp_int_combo_box_set_active (combo, id))
    gimp_int_combo_box_set_active (combo, NO_MARKER);
}

/**
 * wf_marker_chooser_new:
 * @run: the run whose argument "marker" is to be chosen
 *
 * Returns: a widget that offers the drawables that can be the marker, and none.
 */
GtkWidget *
wf_marker_chooser_new (WfRun *run)
{
  GtkWidget *combo = gimp_drawable_combo_box_new (is_eligible, run, NULL);

  gimp_int_combo_box_prepend (GIMP_INT_COMBO_BOX (combo),
                              GIMP_INT_STORE_VALUE, NO_MARKER,
                              GIMP_INT_STORE_LABEL, _("This layer, changed by the height"),
                              -1);
  show_marker (G_OBJECT (run->config), NULL, GIMP_INT_COMBO_BOX (combo));
  chosen (GIMP_INT_COMBO_BOX (combo), run);

  g_signal_connect (combo, "changed", G_CALLBACK (chosen), run);
  g_signal_connect_object (run->config, "notify::marker", G_CALLBACK (show_marker), combo, 0);
  return combo;
}

static void
set_sensitivity (GimpIntComboBox *combo,
                 GtkWidget       *widget)
{
  int id = NO_MARKER;

  gimp_int_combo_box_get_active (combo, &id);
  gtk_widget_set_sensitive (widget, id == NO_MARKER);
}

/**
 * wf_marker_chooser_make_alternative:
 * @chooser: a marker chooser
 * @widget: what has an effect only without a marker
 *
 * Makes @widget insensitive while a marker is chosen.
 */
void
wf_marker_chooser_make_alternative (GtkWidget *chooser,
                                    GtkWidget *widget)
{
  set_sensitivity (GIMP_INT_COMBO_BOX (chooser), widget);
  g_signal_connect_object (chooser, "changed", G_CALLBACK (set_sensitivity), widget, 0);
}
