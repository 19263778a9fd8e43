/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A GTK module that inspects the dialogs of plug-ins from inside.  GTK loads it into a process
 * with GTK_MODULES in its environment.
 *
 * It waits for a procedure's dialog, opens all expanders, and for each page of the dialog writes
 * a report to the file $WORK/dialogs and saves a picture in the folder $INSPECTOR_PICTURES, if
 * that is set.  The file $WORK/name has the name of the picture.  Then it cancels the dialog.
 *
 * A line of the report has fields separated by tabs: a keyword, the page's number, and
 *
 *   window   width, height
 *   letter   the letter of a mnemonic, the text
 *   none     the text of a label or a button that should have a mnemonic
 *   cut      a text that is truncated
 *   text     a visible text
 *   twice    a tooltip with a paragraph that it has twice
 *   covers   a tooltip that covers the number of basins or the slider that merges them
 *   title    the title of the window
 *   end
 */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <gtk/gtk.h>

#define TICK  30   /* milliseconds at least; the dialog's own work has priority */
#define QUIET 4    /* idle ticks before an inspection */

/* Of GTK's tooltips. */
#define TIP_CHARS  70
#define TIP_BORDER 12   /* both sides */
#define TIP_ANCHOR 56   /* the height of a widget below which a tooltip opens; else, the pointer */

typedef struct
{
  GtkWidget *window;
  GPtrArray *notebooks;
  FILE      *report;
  int        wait;
  int        page;
  int        n_pages;
} Inspector;

G_MODULE_EXPORT void gtk_module_init (int    *argc,
                                      char ***argv);


static void
collect (GtkWidget *widget,
         gpointer   all)
{
  g_ptr_array_add (all, widget);
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), collect, all);
}

static GPtrArray *
list_widgets (GtkWidget *parent)
{
  GPtrArray *all = g_ptr_array_new ();

  collect (parent, all);
  return all;
}

/* Whether another thread of this process is running, ready to run, or in disk wait. */
static gboolean
has_work (void)
{
  g_autoptr (GDir) threads = g_dir_open ("/proc/self/task", 0, NULL);
  g_autofree char *own     = g_strdup_printf ("%d", (int) getpid ());
  gboolean         works   = FALSE;

  for (const char *id; threads && ! works && (id = g_dir_read_name (threads)); )
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", id, "stat", NULL);
      g_autofree char *stat = NULL;
      const char      *end;

      if (strcmp (id, own) == 0 || ! g_file_get_contents (path, &stat, NULL, NULL))
        continue;
      end   = strrchr (stat, ')');
      works = end && strlen (end) > 2 && strchr ("RD", end[2]);
    }
  return works;
}

static GtkWidget *
find_dialog (void)
{
  GType             wanted = g_type_from_name ("GimpProcedureDialog");
  g_autoptr (GList) all    = gtk_window_list_toplevels ();

  for (GList *one = all; one && wanted; one = one->next)
    if (g_type_is_a (G_OBJECT_TYPE (one->data), wanted) && gtk_widget_get_mapped (one->data))
      return one->data;
  return NULL;
}


/*  The report  */

static char *
plain (const char *text)
{
  return g_strdelimit (g_strdup (text), "\t\n", ' ');
}

/* Whether the tooltip of the label has its whole text, so that the label may be ellipsized. */
static gboolean
has_tooltip_text (GtkLabel *label)
{
  g_autofree char *tip = gtk_widget_get_tooltip_text (GTK_WIDGET (label));

  return g_strcmp0 (tip, gtk_label_get_text (label)) == 0;
}

static void
report_label (Inspector *inspector,
              GtkLabel  *label)
{
  g_autofree char *text   = plain (gtk_label_get_text (label));
  PangoLayout     *layout = gtk_label_get_layout (label);
  char             letter[7] = "";
  guint            keyval;
  int              height;

  fprintf (inspector->report, "text\t%d\t%s\n", inspector->page, text);
  pango_layout_get_pixel_size (layout, NULL, &height);
  if ((pango_layout_is_ellipsized (layout) && ! has_tooltip_text (label)) ||
      gtk_widget_get_allocated_height (GTK_WIDGET (label)) < height)
    fprintf (inspector->report, "cut\t%d\t%s\n", inspector->page, text);

  if (! *text || ! gtk_label_get_use_underline (label))
    return;
  keyval = gtk_label_get_mnemonic_keyval (label);
  if (keyval == GDK_KEY_VoidSymbol)
    {
      fprintf (inspector->report, "none\t%d\t%s\n", inspector->page, text);
      return;
    }
  g_unichar_to_utf8 (gdk_keyval_to_unicode (gdk_keyval_to_lower (keyval)), letter);
  fprintf (inspector->report, "letter\t%d\t%s\t%s\n", inspector->page, letter, text);
}

static void
report_longer (Inspector  *inspector,
               GtkEntry   *entry,
               const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (entry), text);
  GdkRectangle            room;
  int                     width;

  gtk_entry_get_text_area (entry, &room);
  pango_layout_get_pixel_size (layout, &width, NULL);
  if (width > room.width)
    fprintf (inspector->report, "cut\t%d\t%s\n", inspector->page, text);
}

/* Entries scroll, so their text may be longer than their visible part.  Checks the initial text
 * and, for whole numbers, the largest number; the ranges of other numbers are only formal.
 */
static void
report_entry (Inspector *inspector,
              GtkEntry  *entry)
{
  g_autofree char *text = plain (gtk_entry_get_text (entry));

  report_longer (inspector, entry, text);
  if (GTK_IS_SPIN_BUTTON (entry) && gtk_spin_button_get_digits (GTK_SPIN_BUTTON (entry)) == 0)
    {
      GtkAdjustment   *range  = gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (entry));
      g_autofree char *number = g_strdup_printf ("%.0f", gtk_adjustment_get_upper (range));

      report_longer (inspector, entry, number);
    }
}

/* Reports a button that has a text but no mnemonic. */
static void
report_button (Inspector *inspector,
               GtkButton *button)
{
  g_autofree char *text = plain (gtk_button_get_label (button) ? gtk_button_get_label (button)
                                                               : "");

  if (*text && ! gtk_button_get_use_underline (button))
    fprintf (inspector->report, "none\t%d\t%s\n", inspector->page, text);
}

static char *
in_work (const char *name)
{
  return g_build_filename (g_getenv ("WORK"), name, NULL);
}

static void
save_picture (Inspector *inspector)
{
  GdkWindow            *window  = gtk_widget_get_window (inspector->window);
  const char           *folder  = g_getenv ("INSPECTOR_PICTURES");
  g_autofree char      *source  = in_work ("name");
  g_autoptr (GdkPixbuf) picture = NULL;
  g_autofree char      *name    = NULL;
  g_autofree char      *path    = NULL;

  if (! folder || ! g_file_get_contents (source, &name, NULL, NULL))
    return;
  picture = gdk_pixbuf_get_from_window (window, 0, 0, gdk_window_get_width (window),
                                        gdk_window_get_height (window));
  path    = g_strdup_printf ("%s/%s-%d.png", folder, name, inspector->page);
  gdk_pixbuf_save (picture, path, "png", NULL, NULL);
}

static void
report_tooltip (Inspector *inspector,
                GtkWidget *widget)
{
  g_autofree char *tip   = gtk_widget_get_tooltip_text (widget);
  g_auto (GStrv)   parts = g_strsplit (tip ? tip : "", "\n\n", -1);

  for (int i = 0; parts[i]; i++)
    if (g_strv_contains ((const char *const *) parts + i + 1, parts[i]))
      fprintf (inspector->report, "twice\t%d\t%s\n", inspector->page, parts[i]);
}

/* Sets @place to that of @widget in the window. */
static void
find_place (Inspector    *inspector,
            GtkWidget    *widget,
            GdkRectangle *place)
{
  *place = (GdkRectangle) { .width  = gtk_widget_get_allocated_width (widget),
                            .height = gtk_widget_get_allocated_height (widget) };
  gtk_widget_translate_coordinates (widget, inspector->window, 0, 0, &place->x, &place->y);
}

/* Sets @place to that of a tooltip: centered below @anchor; for a high widget as high as a pointer
 * at its top has it.
 */
static void
find_tooltip_place (GtkWidget          *widget,
                    const char         *tip,
                    const GdkRectangle *anchor,
                    GdkRectangle       *place)
{
  g_autoptr (PangoLayout)  layout  = gtk_widget_create_pango_layout (widget, tip);
  PangoFontMetrics        *metrics = pango_context_get_metrics (pango_layout_get_context (layout),
                                                                NULL, NULL);
  const int                longest = TIP_CHARS *
                                     pango_font_metrics_get_approximate_char_width (metrics);

  pango_font_metrics_unref (metrics);
  pango_layout_get_pixel_size (layout, &place->width, NULL);
  pango_layout_set_width (layout, MIN (longest, place->width * PANGO_SCALE));
  pango_layout_get_pixel_size (layout, &place->width, &place->height);
  place->width  += TIP_BORDER;
  place->height += TIP_BORDER;
  place->x       = MAX (anchor->x + (anchor->width - place->width) / 2, 0);
  place->y       = anchor->y + MIN (anchor->height, TIP_ANCHOR);
}

static void
report_covering (Inspector *inspector,
                 GPtrArray *all,
                 GtkWidget *covered)
{
  GdkRectangle seen;

  find_place (inspector, covered, &seen);
  for (guint i = 0; i < all->len; i++)
    {
      g_autofree char *tip = gtk_widget_get_tooltip_text (all->pdata[i]);
      GdkRectangle     anchor;
      GdkRectangle     place;

      if (! tip || ! gtk_widget_get_mapped (all->pdata[i]))
        continue;
      find_place (inspector, all->pdata[i], &anchor);
      find_tooltip_place (covered, tip, &anchor, &place);
      if (gdk_rectangle_intersect (&place, &seen, NULL))
        {
          g_autofree char *text = plain (tip);

          fprintf (inspector->report, "covers\t%d\t%s\n", inspector->page, text);
        }
    }
}

static void
look (Inspector *inspector)
{
  g_autoptr (GPtrArray) all = list_widgets (inspector->window);
  int                   width;
  int                   height;

  gtk_window_get_size (GTK_WINDOW (inspector->window), &width, &height);
  fprintf (inspector->report, "window\t%d\t%d\t%d\n", inspector->page, width, height);
  fprintf (inspector->report, "title\t%d\t%s\n", inspector->page,
           gtk_window_get_title (GTK_WINDOW (inspector->window)));
  for (guint i = 0; i < all->len; i++)
    if (gtk_widget_get_mapped (all->pdata[i]))
      {
        report_tooltip (inspector, all->pdata[i]);
        if (strcmp (G_OBJECT_TYPE_NAME (all->pdata[i]), "WfMergeSlider") == 0)
          for (int row = 0; row < 2; row++)
            report_covering (inspector, all, gtk_grid_get_child_at (all->pdata[i], 0, row));
        if (GTK_IS_LABEL (all->pdata[i]))
          report_label (inspector, all->pdata[i]);
        else if (GTK_IS_BUTTON (all->pdata[i]))
          report_button (inspector, all->pdata[i]);
        else if (GTK_IS_ENTRY (all->pdata[i]))
          report_entry (inspector, all->pdata[i]);
      }
  save_picture (inspector);
}


/*  Steps while the dialog runs  */

static void
unfold (Inspector *inspector)
{
  g_autoptr (GPtrArray) all = list_widgets (inspector->window);

  for (guint i = 0; i < all->len; i++)
    {
      if (GTK_IS_EXPANDER (all->pdata[i]))
        gtk_expander_set_expanded (all->pdata[i], TRUE);
      if (GTK_IS_NOTEBOOK (all->pdata[i]))
        g_ptr_array_add (inspector->notebooks, all->pdata[i]);
    }
  inspector->n_pages = inspector->notebooks->len > 0
                       ? gtk_notebook_get_n_pages (inspector->notebooks->pdata[0]) : 1;
}

static void
turn (Inspector *inspector)
{
  if (inspector->notebooks->len > 0)
    gtk_notebook_set_current_page (inspector->notebooks->pdata[0], inspector->page);
}

static void
leave (Inspector *inspector)
{
  fputs ("end\t0\n", inspector->report);
  fclose (inspector->report);
  gtk_dialog_response (GTK_DIALOG (inspector->window), GTK_RESPONSE_CANCEL);
  g_ptr_array_unref (inspector->notebooks);
  g_free (inspector);
}

static gboolean
step (gpointer data)
{
  Inspector *inspector = data;

  if (! inspector->window)
    {
      inspector->window = find_dialog ();
      inspector->wait   = QUIET;
      return G_SOURCE_CONTINUE;
    }
  /* waits until the X server has processed all requests */
  gdk_display_sync (gtk_widget_get_display (inspector->window));
  if (has_work ())
    inspector->wait = QUIET;
  if (inspector->wait-- > 0)
    return G_SOURCE_CONTINUE;
  if (inspector->page < 0)
    unfold (inspector);
  else
    look (inspector);

  if (++inspector->page == inspector->n_pages)
    {
      leave (inspector);
      return G_SOURCE_REMOVE;
    }
  turn (inspector);
  inspector->wait = QUIET;
  return G_SOURCE_CONTINUE;
}

void
gtk_module_init (int    *argc,
                 char ***argv)
{
  g_autofree char *path   = g_getenv ("WORK") ? in_work ("dialogs") : NULL;
  FILE            *report = path ? fopen (path, "a") : NULL;
  Inspector       *inspector;

  if (! report)
    return;
  inspector            = g_new0 (Inspector, 1);
  inspector->notebooks = g_ptr_array_new ();
  inspector->report    = report;
  inspector->page      = -1;
  g_timeout_add_full (G_PRIORITY_LOW, TICK, step, inspector, NULL);
}
