/* SPDX-License-Identifier: GPL-3.0-or-later */

/* plug-in-wavefront-distance-map: the distance of each pixel above a threshold to
 * the nearest one that is not, as the grey levels of a new layer; if asked for, below
 * zero the distance of each other pixel to the nearest one that is.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "level-entry.h"
#include "plug-in.h"
#include "result-layer.h"

typedef enum
{
  OUTPUT_NORMALIZED,
  OUTPUT_RAW
} Output;

typedef struct
{
  int output;
} OwnOptions;

static const WfChoice outputs[] =
{
  { "normalized", OUTPUT_NORMALIZED, N_("Largest distance becomes white") },
  { "raw",        OUTPUT_RAW,        N_("Distance in pixels as level") },
  { NULL,         0,                 NULL }
};

static const WfOption own_options[] =
{
  { "output", WF_OPTION_CHOICE, G_STRUCT_OFFSET (OwnOptions, output),
    N_("_Levels"),
    N_("Whether levels are stretched so that the largest distance becomes white and the "
       "least one black, or are the distances themselves, as far as the image's precision "
       "holds them"),
    "normalized|raw", 0, 0, OUTPUT_NORMALIZED, outputs },
};

static const WfOptionGroup own_group =
{
  "plug-in-wavefront-distance-map", NULL, NULL,
  own_options, G_N_ELEMENTS (own_options), sizeof (OwnOptions)
};

static const WfArgumentNote notes[] =
{
  { "threshold", 0.5, N_("Foreground is what is lighter than this") },
  { "border-background", 0, N_("Count everything outside the layer, or the selection's "
                               "bounding box, as background") },
  { NULL, 0, NULL }
};

/* What the levels are made from: the distances, the one that becomes black, and the
 * factor that makes them levels.
 */
typedef struct
{
  const WfImage *distances;
  double         black;
  double         factor;
  double         white;
  gboolean       whole;
} Levels;


static void
add_values (GimpProcedure *procedure)
{
  gimp_procedure_add_layer_return_value (procedure, "layer", _("Layer"),
                                         _("The distance map"),
                                         FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "maximum", _("Maximum"),
                                          _("The largest finite distance, in pixels or in the "
                                            "unit of the spacing"),
                                          0, G_MAXDOUBLE, 0, G_PARAM_READWRITE);
  gimp_procedure_add_boolean_return_value (procedure, "no-background", _("No background"),
                                           _("Whether there was no background, so that every "
                                             "distance is infinite"),
                                           FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_double_return_value (procedure, "minimum", _("Minimum"),
                                          _("The least finite distance: 0, or with signed "
                                            "distances less"),
                                          -G_MAXDOUBLE, G_MAXDOUBLE, 0, G_PARAM_READWRITE);
}

/* The connectivity and the algorithm make no difference to an exact map, so they
 * are arguments of scripts only.
 */
static void
fill_dialog (WfDialog *dialog)
{
  WfOptionGrid *grid = wf_dialog_add_frame (dialog, _("Foreground"));

  wf_dialog_add_option (dialog, grid, "threshold");
  wf_dialog_add_option (dialog, grid, "border-background");

  grid = wf_dialog_add_frame (dialog, _("Distance"));
  wf_dialog_add_option (dialog, grid, "metric");
  wf_dialog_add_option (dialog, grid, "signed");
  wf_dialog_add_option (dialog, grid, "spacing");
  wf_dialog_add_option (dialog, grid, "output");
}

static double
get_distance (const WfImage *distances,
              gsize          i)
{
  guint64 squared;

  switch (distances->type)
    {
    case WF_TYPE_U64:
      squared = ((const guint64 *) distances->data)[i];
      return squared == G_MAXUINT64 ? INFINITY : (double) squared;
    case WF_TYPE_F64:
      return ((const double *) distances->data)[i];
    default:
      return ((const float *) distances->data)[i];
    }
}

/* Both stay 0 where nothing finite goes beyond it. */
static void
find_range (const WfImage *distances,
            double        *minimum,
            double        *maximum)
{
  gsize n = (gsize) wf_image_n_pixels (distances);

  *minimum = *maximum = 0;
  for (gsize i = 0; i < n; i++)
    {
      double distance = get_distance (distances, i);

      if (! isfinite (distance))
        continue;
      *minimum = MIN (*minimum, distance);
      *maximum = MAX (*maximum, distance);
    }
}

static void
get_levels (int       row,
            float    *levels,
            gpointer  data)
{
  const Levels *map   = data;
  gsize         width = (gsize) map->distances->width;

  for (gsize x = 0; x < width; x++)
    {
      double distance = get_distance (map->distances, row * width + x);
      double level    = (distance - map->black) * map->factor;

      levels[x] = (float) (map->whole ? CLAMP (round (level), 0, map->white) : level);
    }
}

/* Normalized and without any background all is infinitely far, so all is white. */
static void
init_levels (Levels        *levels,
             const WfImage *distances,
             Output         output,
             double         minimum,
             double         maximum,
             WfType         type)
{
  levels->distances = distances;
  levels->black     = 0;
  levels->white     = wf_level_maximum (type);
  levels->whole     = type != WF_TYPE_F32;
  levels->factor    = 1;
  if (output == OUTPUT_NORMALIZED && maximum > minimum)
    {
      levels->black  = minimum;
      levels->factor = levels->white / (maximum - minimum);
    }
}

static gboolean
run (WfRun   *run,
     GError **error)
{
  const WfDistanceOptions *options   = run->operation;
  const OwnOptions        *own       = run->own;
  g_auto (WfImage)         image     = { 0 };
  g_auto (WfImage)         distances = { 0 };
  GimpLayer               *layer;
  Levels                   levels;
  double                   minimum;
  double                   maximum;

  if (! wf_run_read (run, &image, error) ||
      ! wf_image_allocate (&distances, wf_distance_get_type (options),
                           image.width, image.height, 1, error))
    return FALSE;

  wf_run_set_stage (run, 0.0, 0.9);
  if (! wf_distance (run->context, &image, &distances, NULL, options, error))
    return FALSE;
  wf_image_clear (&image);

  find_range (&distances, &minimum, &maximum);
  init_levels (&levels, &distances, own->output, minimum, maximum, run->type);

  wf_run_set_stage (run, 0.9, 1.0);
  layer = wf_result_layer_new (run, _("Distance map of %s"), FALSE);
  wf_result_layer_set_levels (run, layer, get_levels, &levels);

  g_value_set_object (wf_run_get_value (run, "layer"), layer);
  g_value_set_double (wf_run_get_value (run, "maximum"), maximum);
  g_value_set_double (wf_run_get_value (run, "minimum"), minimum);
  g_value_set_boolean (wf_run_get_value (run, "no-background"),
                       wf_context_get_report (run->context)->no_background);
  return TRUE;
}

static const WfProcedure procedure =
{
  .name          = "plug-in-wavefront-distance-map",
  .menu_label    = N_("_Distance Map..."),
  .operation     = WF_OPERATION_DISTANCE,
  .help          = N_("Makes a new layer whose levels are the distances from each pixel lighter "
                      "than the threshold to the nearest one that is not.  Colours count with "
                      "their luminance, alpha does not count.  What is worked on is the bounding "
                      "box of the selection; the new layer is visible within the selection."),
  .notes         = notes,
  .own           = &own_group,
  .add_values    = add_values,
  .fill_dialog   = fill_dialog,
  .run           = run,
};

WF_PLUG_IN_MAIN (&procedure)
