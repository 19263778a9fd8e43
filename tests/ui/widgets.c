/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Widgets in a window of their own: shown, searched and drawn. */

#include "widgets.h"

/**
 * widgets_show:
 * @widget: a widget
 *
 * Returns: a window with it, which is drawn.
 */
GtkWidget *
widgets_show (GtkWidget *widget)
{
  GtkWidget *window = gtk_window_new (GTK_WINDOW_TOPLEVEL);

  gtk_container_add (GTK_CONTAINER (window), widget);
  gtk_widget_show_all (window);
  gtk_test_widget_wait_for_draw (window);
  return window;
}

static void
collect (GtkWidget *widget,
         gpointer   list)
{
  g_ptr_array_add (list, widget);
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), collect, list);
}

/**
 * widgets_list:
 * @parent: a widget
 *
 * Returns: (transfer container): the widget and all inside it.
 */
GPtrArray *
widgets_list (GtkWidget *parent)
{
  GPtrArray *all = g_ptr_array_new ();

  collect (parent, all);
  return all;
}

/**
 * widgets_find:
 * @parent: a widget
 * @type: of the wanted widget
 * @n: the number of widgets of that type before it
 *
 * Returns: (nullable): the widget inside @parent.
 */
GtkWidget *
widgets_find (GtkWidget *parent,
              GType      type,
              guint      n)
{
  g_autoptr (GPtrArray) all = widgets_list (parent);

  for (guint i = 0; i < all->len; i++)
    if (g_type_is_a (G_OBJECT_TYPE (all->pdata[i]), type) && n-- == 0)
      return all->pdata[i];
  return NULL;
}

/**
 * widgets_draw:
 * @widget: a shown widget
 *
 * Returns: (transfer full): a picture of it.
 */
cairo_surface_t *
widgets_draw (GtkWidget *widget)
{
  int              width   = gtk_widget_get_allocated_width (widget);
  int              height  = gtk_widget_get_allocated_height (widget);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t         *cr      = cairo_create (surface);

  gtk_widget_draw (widget, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/**
 * widgets_count:
 * @calls: incremented
 *
 * A signal handler, to be connected swapped.
 */
void
widgets_count (int *calls)
{
  (*calls)++;
}
