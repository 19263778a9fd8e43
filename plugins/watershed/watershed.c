/* SPDX-License-Identifier: GPL-3.0-or-later */

/* plug-in-wavefront-watershed: the layer's catchment basins, as a layer of lines
 * to lie over it and as a layer of colours.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include <libgimp/gimpui.h>

#include "boundary.h"
#include "palette.h"
#include "plug-in.h"
#include "result-layer.h"

/* Reads on stained tissue, which has no green, and on grey. */
#define LINE_COLOR "#00e05a"

typedef struct
{
  gboolean lines_layer;
  gboolean basins_layer;
} OwnOptions;

static const WfOption own_options[] =
{
  { "lines-layer", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (OwnOptions, lines_layer),
    N_("Layer with the l_ines"),
    N_("Make a transparent layer with the lines between the basins"),
    NULL, 0, 1, TRUE, NULL },
  { "basins-layer", WF_OPTION_BOOLEAN, G_STRUCT_OFFSET (OwnOptions, basins_layer),
    N_("Layer with the _basins"),
    N_("Make a layer in which every basin has a colour of its own"),
    NULL, 0, 1, TRUE, NULL },
};

static const WfOptionGroup own_group =
{
  "plug-in-wavefront-watershed", NULL, NULL,
  own_options, G_N_ELEMENTS (own_options), sizeof (OwnOptions)
};

typedef struct
{
  const WfImage *labels;
  gboolean       lines;
  gboolean       diagonals;
  gboolean       grey;
  float          color[4];
  guint8        *marks;
} Picture;


static void
add_arguments (GimpProcedure *procedure)
{
  GeglColor *color;

  gegl_init (NULL, NULL);   /* GIMP asks for the procedure without having done so */

  color = gegl_color_new (LINE_COLOR);
  gimp_procedure_add_color_argument (procedure, "line-color", _("Line colo_ur"),
                                     _("The colour of the lines between the basins"),
                                     FALSE, color, G_PARAM_READWRITE);
  g_object_unref (color);
}

/* GIMP 3.0 tells its core that an argument is a colour, and has a default, but not
 * which one: what was not given arrives as transparent black.  Lines cannot be
 * transparent, so that stands for the default.
 */
static GeglColor *
get_line_color (GObject *config)
{
  GeglColor *color;
  float      rgba[4];

  g_object_get (config, "line-color", &color, NULL);
  if (color)
    {
      gegl_color_get_pixel (color, babl_format ("R'G'B'A float"), rgba);
      if (rgba[3] > 0)
        return color;
      g_object_unref (color);
    }
  return gegl_color_new (LINE_COLOR);
}

static void
add_values (GimpProcedure *procedure)
{
  gimp_procedure_add_layer_return_value (procedure, "lines-layer", _("Layer with the lines"),
                                         _("The lines between the basins, if asked for"),
                                         TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_layer_return_value (procedure, "basins-layer", _("Layer with the basins"),
                                         _("The basins in colours, if asked for"),
                                         TRUE, G_PARAM_READWRITE);
  gimp_procedure_add_int_return_value (procedure, "basins", _("Basins"),
                                       _("How many basins there are"),
                                       0, G_MAXINT, 0, G_PARAM_READWRITE);
}

static void
fill_dialog (WfDialog *dialog)
{
  GObject      *config = G_OBJECT (wf_dialog_get_run (dialog)->config);
  GeglColor    *color  = get_line_color (config);
  WfOptionGrid *grid   = wf_dialog_add_frame (dialog, _("Basins"));
  GtkWidget    *button;

  g_object_set (config, "line-color", color, NULL);
  g_object_unref (color);

  wf_dialog_add_option (dialog, grid, "tolerance");
  wf_dialog_add_option (dialog, grid, "connectivity");
  wf_dialog_add_option (dialog, grid, "lines");
  wf_dialog_add_option (dialog, grid, "last-index");

  grid   = wf_dialog_add_frame (dialog, _("New Layers"));
  wf_dialog_add_option (dialog, grid, "lines-layer");
  button = gimp_prop_color_select_new (config, "line-color", 40, 24, GIMP_COLOR_AREA_FLAT);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  wf_dialog_add_argument (dialog, grid, "line-color", button);
  g_object_bind_property (config, "lines-layer", button, "sensitive", G_BINDING_SYNC_CREATE);
  wf_dialog_add_option (dialog, grid, "basins-layer");
}

static void
get_lines (int       row,
           float    *colors,
           gpointer  data)
{
  const Picture *picture = data;

  wf_boundary_mark_row (picture->labels, row, picture->lines, picture->diagonals,
                        picture->marks);
  for (gint64 x = 0; x < picture->labels->width; x++, colors += 4)
    for (int i = 0; i < 4; i++)
      colors[i] = picture->marks[x] ? picture->color[i] : 0;
}

/* What belongs to no basin is left transparent. */
static void
get_basins (int       row,
            float    *colors,
            gpointer  data)
{
  const Picture *picture = data;
  const guint32 *labels  = (const guint32 *) picture->labels->data +
                           (gsize) row * picture->labels->width;

  for (gint64 x = 0; x < picture->labels->width; x++, colors += 4)
    {
      colors[0] = colors[1] = colors[2] = colors[3] = 0;
      if (labels[x] == 0)
        continue;
      if (picture->grey)
        colors[0] = colors[1] = colors[2] = wf_palette_get_grey (labels[x]);
      else
        wf_palette_get_color (labels[x], colors);
      colors[3] = 1;
    }
}

static void
make_lines_layer (WfRun   *run,
                  Picture *picture)
{
  g_autofree guint8 *marks = g_new (guint8, picture->labels->width);
  GimpLayer         *layer = wf_result_layer_new (run, _("Watershed lines of %s"), TRUE);
  GeglColor         *color = get_line_color (G_OBJECT (run->config));

  gegl_color_get_pixel (color, babl_format ("R'G'B'A float"), picture->color);
  picture->color[3] = 1;
  g_object_unref (color);

  picture->marks = marks;
  wf_result_layer_set_colors (run, layer, get_lines, picture);
  g_value_set_object (wf_run_get_value (run, "lines-layer"), layer);
}

static void
make_basins_layer (WfRun   *run,
                   Picture *picture)
{
  GimpLayer *layer = wf_result_layer_new (run, _("Basins of %s"), picture->lines);

  wf_result_layer_set_colors (run, layer, get_basins, picture);
  g_value_set_object (wf_run_get_value (run, "basins-layer"), layer);
}

static gboolean
flood (WfRun    *run,
       WfImage  *labels,
       guint32  *n_basins,
       GError  **error)
{
  g_auto (WfImage) image = { 0 };

  return wf_run_read (run, &image, error) &&
         wf_image_allocate (labels, WF_TYPE_U32, image.width, image.height, 1, error) &&
         wf_watershed (run->context, &image, NULL, labels, n_basins, run->operation, error);
}

static gboolean
run (WfRun   *run,
     GError **error)
{
  const WfWatershedOptions *options  = run->operation;
  const OwnOptions         *own      = run->own;
  g_auto (WfImage)          labels   = { 0 };
  guint32                   n_basins = 0;
  Picture                   picture  = { 0 };

  if (! own->lines_layer && ! own->basins_layer)
    {
      g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                   _("Neither a layer with the lines nor one with the basins is asked for."));
      return FALSE;
    }

  wf_run_set_stage (run, 0.0, 0.8);
  if (! flood (run, &labels, &n_basins, error))
    return FALSE;

  picture.labels    = &labels;
  picture.lines     = options->lines;
  picture.diagonals = options->connectivity != 4;
  picture.grey      = gimp_image_get_base_type (run->image) == GIMP_GRAY;

  wf_run_set_stage (run, 0.8, 0.9);
  if (own->basins_layer)
    make_basins_layer (run, &picture);
  wf_run_set_stage (run, 0.9, 1.0);
  if (own->lines_layer)
    make_lines_layer (run, &picture);

  g_value_set_int (wf_run_get_value (run, "basins"), (int) MIN (n_basins, G_MAXINT));
  return TRUE;
}

static const WfProcedure procedure =
{
  .name             = "plug-in-wavefront-watershed",
  .menu_label       = N_("_Watershed..."),
  .operation        = WF_OPERATION_WATERSHED,
  .help             = N_("Floods the layer from its regional minima: dark regions parted by light "
                         "ridges become basins.  Makes a transparent layer with the lines between "
                         "them, a layer in which every basin has a colour of its own, or both. "
                         "Colours count with their luminance, alpha does not count.  What is "
                         "worked on is the bounding box of the selection; the new layers are "
                         "visible within the selection."),
  .own              = &own_group,
  .offer_algorithms = TRUE,
  .add_arguments    = add_arguments,
  .add_values       = add_values,
  .fill_dialog      = fill_dialog,
  .run              = run,
};

WF_PLUG_IN_MAIN (&procedure)
