/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The boundaries between basins as a path of the image.
 *
 * The path is passed to GIMP as an SVG drawing with all strokes: a call for each stroke would
 * take minutes for a hundred thousand basins.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "lines-path.h"
#include "plugins/common/script/history.h"

/* In pixels: stairs of single pixels become straight, and no point moves further than this. */
#define TOLERANCE 0.75

typedef struct
{
  GString *text;
  double   left;
  double   top;
} Drawing;

typedef struct
{
  char           *svg;
  const WfSource *source;
  gboolean        is_value;
} Path;


static void
add_point (Drawing      *drawing,
           char          command,
           const double *point)
{
  char x[G_ASCII_DTOSTR_BUF_SIZE];
  char y[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (drawing->text, "%c%s %s", command,
                          g_ascii_dtostr (x, sizeof x, point[0] + drawing->left),
                          g_ascii_dtostr (y, sizeof y, point[1] + drawing->top));
}

static void
add_polyline (const double *points,
              gsize         n_points,
              gboolean      closed,
              gint64        slice,
              gpointer      drawing)
{
  for (gsize i = 0; i < n_points; i++)
    add_point (drawing, i == 0 ? 'M' : 'L', &points[2 * i]);
  if (closed)
    g_string_append_c (((Drawing *) drawing)->text, 'Z');
}

static void
insert (WfJob    *run,
        gpointer  data)
{
  const Path           *path  = data;
  g_autofree GimpPath **paths = NULL;

  if (! gimp_image_import_paths_from_string (run->image, path->svg, -1, FALSE, FALSE, &paths) ||
      ! paths || ! paths[0])
    return;
  wf_history_add (run, path->source, GIMP_ITEM (paths[0]));
  if (path->is_value)
    g_value_set_object (wf_job_get_value (run, "lines-path"), paths[0]);
}

static void
path_free (gpointer data)
{
  Path *path = data;

  g_free (path->svg);
  g_free (path);
}

/**
 * wf_lines_path_add:
 * @run: the run
 * @basins: the basins; pixels of lines are added to an adjacent basin
 * @error: %WF_ERROR_INVALID for a stack, %WF_ERROR_MEMORY
 *
 * Inserts a path if the run succeeds.
 *
 * Returns: whether the path was made.
 */
gboolean
wf_lines_path_add (WfJob           *run,
                   const WfBasins  *basins,
                   GError         **error)
{
  g_autofree char *name    = NULL;
  g_autofree char *title   = NULL;
  g_autofree char *id      = NULL;
  Drawing          drawing = { NULL, run->region.image_x, run->region.image_y };
  Path            *path;

  if (run->source->n_slices > 1)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The lines of a stack are surfaces, which cannot become a path."));
      return FALSE;
    }

  name  = gimp_item_get_name (GIMP_ITEM (run->drawable));
  title = g_strdup_printf (_("Watershed lines of %s"), name);
  id    = g_markup_escape_text (title, -1);
  drawing.text = g_string_new (NULL);
  g_string_append_printf (drawing.text,
                          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">"
                          "<path id=\"%s\" d=\"",
                          gimp_image_get_width (run->image), gimp_image_get_height (run->image),
                          id);
  if ((basins->lines &&
       ! wf_labels_close_lines (run->context, basins->labels, basins->objects, error)) ||
      ! wf_boundaries_trace (run->context, basins->labels, basins->mask, TOLERANCE, add_polyline,
                             &drawing, error))
    {
      g_string_free (drawing.text, TRUE);
      return FALSE;
    }
  g_string_append (drawing.text, "\"/></svg>");

  path = g_new (Path, 1);
  path->svg      = g_string_free (drawing.text, FALSE);
  path->source   = run->source;
  path->is_value = run->drawable == run->drawables[0];
  wf_job_add_change (run, insert, path, path_free);
  return TRUE;
}
