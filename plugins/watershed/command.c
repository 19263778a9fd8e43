/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the arguments of the watershed mean to the command, which writes the numbers of basins. */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "command.h"
#include "marker-strokes.h"
#include "object-options.h"
#include "object-unit.h"
#include "options.h"
#include "table-measures.h"
#include "ui/merge/cut.h"


static void
write_objects (WfCommandLine *line)
{
  const WfBasinOptions *own = line->own;

  if (own->input == WF_INPUT_OBJECTS)
    wf_command_line_add (line, "input", "objects");
  else
    wf_command_line_add (line, "background", wf_call_find (line->call, "background")->text);
  if (own->automatic_threshold)
    wf_command_line_add (line, "threshold", "otsu");
  else
    wf_command_line_add_level (line, "threshold", own->threshold);
}

static void
write_input (WfCommandLine *line)
{
  const WfBasinOptions *own     = line->own;
  WfWatershedOptions   *options = line->operation;
  const gboolean        objects = own->input == WF_INPUT_OBJECTS;

  if (wf_basin_options_find_objects (own))
    write_objects (line);
  if (own->input == WF_INPUT_GRADIENT)
    wf_command_line_add (line, "input", "gradient");
  else
    options->gradient = 0;
  if (objects ? own->objects == WF_OBJECTS_DARK : own->valleys == WF_VALLEYS_BRIGHT)
    wf_command_line_add (line, "invert", NULL);
  wf_command_line_take_all (line, "input", "valleys", "objects", "background", "threshold",
                            "automatic-threshold", NULL);
}

/* The command gets the layer as a picture: its first pixel is that of the picture. */
static char *
move_strokes (WfJob      *run,
              const char *text)
{
  g_autoptr (WfStrokes) list  = wf_strokes_parse (text && *text ? text : "[]", NULL);
  g_autoptr (WfStrokes) moved = NULL;
  int                   x     = 0;
  int                   y     = 0;

  if (! list)
    return g_strdup (text);
  gimp_drawable_get_offsets (run->drawables[0], &x, &y);
  moved = wf_strokes_transform (list, 1, x, y, 0);
  return wf_strokes_print (moved);
}

/* Of points, and of colors, labels have to be made. */
static void
write_markers (WfCommandLine *line)
{
  const WfBasinOptions *own   = line->own;
  const char           *item  = own->markers == WF_MARKERS_PATH ? "marker-path" : "marker-layer";
  const WfCallValue    *value = wf_call_find (line->call, item);
  const char           *name  = value->text ? value->text : "";

  wf_command_line_take_all (line, "markers", "marker-layer", "marker-path", WF_MARKER_STROKES,
                            NULL);
  if (own->markers == WF_MARKERS_MINIMA)
    return;
  if (own->markers == WF_MARKERS_STROKES)
    {
      g_autofree char *moved = move_strokes (line->run, wf_call_find (line->call,
                                                                      WF_MARKER_STROKES)->text);

      wf_command_line_add (line, "strokes", moved);
      return;
    }
  wf_command_line_add (line, "markers", "markers.tif");
  if (own->markers == WF_MARKERS_LAYER)
    wf_command_line_note (line, _("markers.tif: a number for each color of “%s”, else 0"), name);
  else if (own->markers == WF_MARKERS_PATH)
    wf_command_line_note (line, _("markers.tif: a number for each point of the path “%s”, else 0"),
                          name);
  else
    wf_command_line_note (line, _("markers.tif: a number for each crossing of guides, else 0"));
}

/* The tolerance is in the unit of what is flooded. */
static void
write_flood (WfCommandLine *line)
{
  const WfBasinOptions     *own     = line->own;
  WfWatershedOptions       *options = line->operation;
  const WfWatershedOptions  given   = *options;
  const gboolean            minima  = own->markers == WF_MARKERS_MINIMA;

  wf_basin_options_get_flood (own, &given, line->run->type, options);
  options->smoothing = given.smoothing;
  options->gradient  = given.gradient;
  if (own->input == WF_INPUT_OBJECTS && minima)
    {
      wf_command_line_add_level (line, "tolerance", options->tolerance);
      wf_command_line_take (line, "tolerance");
    }
  wf_command_line_take (line, "split-tolerance");
}

/* To the layer, as strokes. */
static char *
move_corrections (WfJob      *run,
                  const char *text)
{
  g_autoptr (WfCorrections) list  = wf_corrections_parse (text, NULL);
  g_autoptr (WfCorrections) moved = NULL;
  int                       x     = 0;
  int                       y     = 0;

  if (! list)
    return NULL;
  gimp_drawable_get_offsets (run->drawables[0], &x, &y);
  moved = wf_corrections_transform (list, 1, x, y, 0);
  return wf_corrections_print (moved);
}

/* Depths and volumes are in the levels of what is flooded. */
static void
write_merging (WfCommandLine *line)
{
  static const char *const options[] =
  {
    [WF_MERGE_BY_DYNAMICS] = "merge-depth",
    [WF_MERGE_BY_AREA]     = "merge-area",
    [WF_MERGE_BY_VOLUME]   = "merge-volume",
    [WF_MERGE_BY_COUNT]    = "merge-count",
  };
  const WfBasinOptions     *own  = line->own;
  const WfType              type = wf_basin_options_get_unit (own, line->run->type);
  WfMergeBy                 by;

  wf_command_line_take_all (line, "merge-by", "merge-value", NULL);
  if (! (own->merge_value > 0) ||
      ! wf_merge_by_parse (wf_call_find (line->call, "merge-by")->text, &by))
    return;
  wf_command_line_add_level (line, options[by],
                             by == WF_MERGE_BY_COUNT
                             ? CLAMP (floor (own->merge_value), 1, G_MAXINT)
                             : wf_merge_get_depth (by, own->merge_value, type));
}

/* The command limits the means of the levels that are flooded. */
static void
note_means (WfCommandLine   *line,
            WfObjectOptions *limits)
{
  static const char *const names[] = { "min-mean", "max-mean" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const WfCallValue *value  = wf_call_find (line->call, names[i]);
      g_autofree char   *number = wf_call_spell (value->number);

      if (! value->is_default)
        wf_command_line_note (line, _("In GIMP only: %s = %s"), names[i], number);
    }
  limits->min_mean = limits->max_mean = NAN;
}

static void
write_limits (WfCommandLine *line)
{
  WfObjectOptions limits;

  if (! wf_object_options_read (G_OBJECT (line->run->config), line->run->type, &limits, NULL))
    return;
  if (wf_call_find (line->call, "measure-on")->text)
    note_means (line, &limits);
  wf_command_line_add_group (line, wf_objects_get_options (), &limits);
}

/* The component that is measured. */
static void
append_source (WfCommandLine *line,
               const char    *source,
               GString       *options)
{
  static const char *const channels[] = { "red", "green", "blue" };

  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    if (strcmp (source, channels[i]) == 0)
      {
        g_string_append_printf (options, " --channel %u", i);
        return;
      }
  if (strcmp (source, "alpha") == 0)
    wf_command_line_note (line, _("The alpha channel is to be the file's only channel"));
  else if (strcmp (source, "luminance") != 0)
    {
      g_autofree char *stain = wf_command_line_quote (wf_command_line_find_stain (line, source));

      g_string_append_printf (options, " --stain %s", stain);
    }
}

static void
append_unit (WfCommandLine *line,
             const char    *unit,
             const double   spacing[3],
             GString       *options)
{
  const int        n      = line->run->source->n_slices > 1 ? 3 : 2;
  g_autofree char *quoted = wf_command_line_quote (unit);

  g_string_append (options, " --spacing ");
  for (int axis = 0; axis < n; axis++)
    {
      g_autofree char *size = wf_call_spell (spacing[axis]);

      g_string_append_printf (options, "%s%s", axis > 0 ? "," : "", size);
    }
  g_string_append_printf (options, " --unit %s", quoted);
}

/* What is measured of the layer that is flooded, or of another one. */
static void
append_image (WfCommandLine *line,
              GString       *options)
{
  const char      *other  = wf_call_find (line->call, "measure-on")->text;
  const char      *input  = wf_command_line_get_input (line);
  g_autofree char *safe   = *input == '-' ? g_strconcat ("./", input, NULL) : g_strdup (input);
  g_autofree char *quoted = wf_command_line_quote (safe);

  g_string_append_printf (options, " --image %s", other ? "measured.tif" : quoted);
  if (other)
    {
      wf_command_line_note (line, _("measured.tif: the layer “%s”, exported"), other);
      append_source (line, wf_call_find (line->call, "measure-source")->text, options);
    }
  else if (! gimp_drawable_is_gray (line->run->drawable))
    append_source (line, wf_call_find (line->call, "source")->text, options);
}

/* Chosen measures, and other levels, are measured by a step of their own. */
static void
write_table (WfCommandLine *line,
             const char    *table)
{
  const char          *measures = wf_call_find (line->call, WF_TABLE_MEASURES)->text;
  g_autoptr (GString)  options  = g_string_new (NULL);
  double               spacing[3];
  g_autofree char     *unit     = wf_object_unit_find (line->run->image, spacing);
  g_autofree char     *file     = wf_command_line_quote (table);

  wf_command_line_take_all (line, "table-file", "measure-on", "measure-source", WF_TABLE_MEASURES,
                            NULL);
  if (! *measures && ! wf_call_find (line->call, "measure-on")->text)
    {
      wf_command_line_add (line, "table", table);
      if (unit)
        wf_command_line_note (line, _("In GIMP only: the table is in %s"), unit);
      return;
    }
  append_image (line, options);
  if (*measures)
    {
      g_autofree char *quoted = wf_command_line_quote (measures);

      g_string_append_printf (options, " --measures %s", quoted);
    }
  if (unit)
    append_unit (line, unit, spacing, options);
  wf_command_line_add_step (line, "measure out.tif -o %s%s", file, options->str);
}

static void
write_corrections (WfCommandLine *line)
{
  const WfCallValue *value = wf_call_find (line->call, "corrections");
  g_autofree char   *moved = NULL;

  wf_command_line_take (line, "corrections");
  if (! *value->text)
    return;
  moved = move_corrections (line->run, value->text);
  wf_command_line_add (line, "corrections", moved ? moved : value->text);
}

static void
write_outputs (WfCommandLine *line)
{
  const WfBasinOptions *own      = line->own;
  const WfCallValue    *table    = wf_call_find (line->call, "table-file");
  const WfCallValue    *outlines = wf_call_find (line->call, "outline-file");

  wf_command_line_note (line, _("out.tif: the number of the basin of each pixel; lines, layers, "
                                "paths and selections are made in GIMP only"));
  wf_command_line_take (line, "label-image");
  if (! own->lines_layer)
    wf_command_line_take (line, "line-opacity");
  if (! own->lines_layer && ! own->basins_layer)
    wf_command_line_take_all (line, "line-color", "convert-to-rgb", NULL);
  if (table->text)
    write_table (line, table->text);
  else
    wf_command_line_take_all (line, "measure-source", WF_TABLE_MEASURES, NULL);
  if (outlines->text)
    {
      g_autofree char *file = wf_command_line_quote (outlines->text);

      wf_command_line_take (line, "outline-file");
      wf_command_line_add_step (line, "outlines out.tif -o %s", file);
    }
}

/**
 * wf_basins_write_command:
 * @line: of a watershed
 *
 * Of WfProcedure.
 */
void
wf_basins_write_command (WfCommandLine *line)
{
  write_input (line);
  write_markers (line);
  write_flood (line);
  write_merging (line);
  write_corrections (line);
  write_limits (line);
  write_outputs (line);
}
