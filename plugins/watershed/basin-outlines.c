/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The outlines of basins, along the edges of pixels: as a path of the image for each basin, and as
 * a file.  A selection made from such a path is the basin.
 *
 * All paths are passed to GIMP as one SVG drawing, as each call takes time.  GIMP compares each
 * new path with those that are there, so that the time grows with the square of their number:
 * without windows 2000 take half a second, and 8000 five.  With windows, where it lists them all
 * in a dialog, 2000 take some seconds, and to show all of them over the image a minute and a half.
 * So more than MAX_PATHS are refused.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "basin-outlines.h"
#include "plugins/common/script/history.h"

#define MAX_PATHS 2000

typedef struct
{
  char           *svg;
  const WfSource *source;
  gboolean        is_value;
} Paths;


/* In places of the image. */
static WfOutlines *
trace (WfJob           *run,
       const WfBasins  *basins,
       GError         **error)
{
  WfOutlines *outlines = wf_outlines_trace (run->context, basins->labels, error);

  if (outlines)
    wf_outlines_move (outlines, run->region.image_x, run->region.image_y);
  return outlines;
}


/*  Paths  */

static void
append_path (GString         *svg,
             const WfOutline *region)
{
  g_string_append_printf (svg, "<path id=\"%u\" d=\"", region->label);
  for (gint64 ring = 0; ring < region->n_rings; ring++)
    {
      const WfOutlineRing *points = &region->rings[ring];

      for (gint64 i = 0; i < points->n_points; i++)
        g_string_append_printf (svg, "%c%d %d", i == 0 ? 'M' : 'L', points->points[i].x,
                                points->points[i].y);
      g_string_append_c (svg, 'Z');
    }
  g_string_append (svg, "\"/>\n");
}

static char *
draw (WfJob            *run,
      const WfOutlines *outlines)
{
  GString *svg = g_string_new (NULL);

  g_string_append_printf (svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                               "height=\"%d\">\n",
                          gimp_image_get_width (run->image), gimp_image_get_height (run->image));
  for (gint64 i = 0; i < wf_outlines_get_n_regions (outlines); i++)
    append_path (svg, wf_outlines_get_region (outlines, i));
  g_string_append (svg, "</svg>\n");
  return g_string_free (svg, FALSE);
}

static void
insert (WfJob    *run,
        gpointer  data)
{
  const Paths          *paths = data;
  g_autofree GimpPath **made  = NULL;

  if (! gimp_image_import_paths_from_string (run->image, paths->svg, -1, FALSE, FALSE, &made) ||
      ! made)
    return;
  for (gsize i = 0; made[i]; i++)
    wf_history_add (run, paths->source, GIMP_ITEM (made[i]));
  if (paths->is_value)
    g_value_set_boxed (wf_job_get_value (run, "outline-paths"), made);
}

static void
paths_free (gpointer data)
{
  Paths *paths = data;

  g_free (paths->svg);
  g_free (paths);
}

static gboolean
check (WfJob             *run,
       const WfOutlines  *outlines,
       GError           **error)
{
  const gint64 n = wf_outlines_get_n_regions (outlines);

  if (n <= MAX_PATHS)
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("There are %u objects, and GIMP becomes slow with more than %u paths: leave out "
                 "objects, or write the outlines to a file."), (guint) n, MAX_PATHS);
  return FALSE;
}

/**
 * wf_basin_outlines_add_paths:
 * @run: the run
 * @basins: the basins
 * @error: %WF_ERROR_INVALID for a stack, and for more basins than GIMP can list paths;
 *   %WF_ERROR_MEMORY
 *
 * Inserts a path for each basin, named by its number, if the run succeeds: "outline-paths".
 *
 * Returns: whether the paths were made
 */
gboolean
wf_basin_outlines_add_paths (WfJob           *run,
                             const WfBasins  *basins,
                             GError         **error)
{
  g_autoptr (WfOutlines)  outlines = NULL;
  Paths                  *paths;

  if (run->source->n_slices > 1)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           _("The outlines of a stack are surfaces, which cannot become paths."));
      return FALSE;
    }
  outlines = trace (run, basins, error);
  if (! outlines || ! check (run, outlines, error))
    return FALSE;
  if (wf_outlines_get_n_regions (outlines) == 0)
    return TRUE;

  paths  = g_new (Paths, 1);
  *paths = (Paths) { draw (run, outlines), run->source, run->drawable == run->drawables[0] };
  wf_job_add_change (run, insert, paths, paths_free);
  return TRUE;
}


/*  A file  */

/**
 * wf_basin_outlines_check_file:
 * @file: (nullable): where outlines are to be written
 * @error: %WF_ERROR_INVALID if its name tells no format
 *
 * Returns: whether they can be
 */
gboolean
wf_basin_outlines_check_file (GFile   *file,
                              GError **error)
{
  g_autofree char *name = file ? g_file_get_parse_name (file) : NULL;
  WfOutlineFormat  format;

  if (! file || wf_outline_format_find (name, &format))
    return TRUE;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The name of outlines must end in .geojson, .json or .zip, but “%s” does not."),
               name);
  return FALSE;
}

/**
 * wf_basin_outlines_write:
 * @run: the run
 * @basins: the basins
 * @file: where to
 * @error: as wf_outlines_trace() and wf_outlines_write() set it
 *
 * Writes their outlines, in pixels of the image; of a stack in each slice.
 *
 * Returns: %FALSE with @error set
 */
gboolean
wf_basin_outlines_write (WfJob           *run,
                         const WfBasins  *basins,
                         GFile           *file,
                         GError         **error)
{
  g_autoptr (WfOutlines) outlines = trace (run, basins, error);

  return outlines && wf_outlines_write (outlines, file, run->source->n_slices > 1, error);
}
