/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "pictures.h"

/* WAVEFRONT_PICTURES names the folder for the pictures; without it none are made. */
#define FOLDER "WAVEFRONT_PICTURES"


/**
 * pictures_init:
 *
 * To be called before GTK is initialized: a theme from the environment could not be made dark.
 */
void
pictures_init (void)
{
  g_unsetenv ("GTK_THEME");
}

void
pictures_set_dark (gboolean dark)
{
  g_object_set (gtk_settings_get_default (),
                "gtk-theme-name", "Adwaita",
                "gtk-application-prefer-dark-theme", dark,
                "gtk-enable-animations", FALSE,
                NULL);
}

/* A window whose contents have grown gets its layout only after the server's answer; here it
 * is resized at once.
 */
static void
lay_out (GtkWidget *window)
{
  GtkAllocation  place;
  int            height;

  gtk_widget_get_allocation (window, &place);
  gtk_widget_get_preferred_height_for_width (window, place.width, &height, NULL);
  place.height = MAX (place.height, height);
  gtk_widget_size_allocate (window, &place);
}

/**
 * pictures_save:
 * @window: a shown window
 * @name: of the picture
 * @dark: whether the theme is dark
 *
 * Draws @window, and checks that it is not empty.
 */
void
pictures_save (GtkWidget  *window,
               const char *name,
               gboolean    dark)
{
  const char       *folder = g_getenv (FOLDER);
  g_autofree char  *file   = g_strdup_printf ("%s-%s.png", name, dark ? "dark" : "light");
  g_autofree char  *path   = NULL;
  cairo_surface_t  *surface;
  cairo_t          *cr;
  const guint32    *pixels;
  gboolean          plain  = TRUE;
  int               width;
  int               height;

  while (gtk_events_pending ())
    gtk_main_iteration ();
  gtk_test_widget_wait_for_draw (window);
  lay_out (window);
  width   = gtk_widget_get_allocated_width (window);
  height  = gtk_widget_get_allocated_height (window);
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cr      = cairo_create (surface);
  gtk_widget_draw (window, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);

  pixels = (const guint32 *) cairo_image_surface_get_data (surface);
  for (int i = 1; plain && i < width * height; i++)
    plain = pixels[i] == pixels[0];
  g_assert_false (plain);

  if (folder && *folder)
    {
      path = g_build_filename (folder, file, NULL);
      g_assert_cmpint (cairo_surface_write_to_png (surface, path), ==, CAIRO_STATUS_SUCCESS);
    }
  cairo_surface_destroy (surface);
}
