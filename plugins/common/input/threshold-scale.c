/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The scale of a threshold: in which encoding and precision it was set.
 *
 * A threshold is a fraction of the range of the levels as they are stored, and conversion of an
 * image to linear light changes them: the gray at 0.5 is then at 0.21.  So the last values also
 * keep the scale, and a dialog, a repetition in an image with another one, or each image of a
 * folder converts the threshold, which then finds the same pixels.  Levels above a level n of an
 * integer image are above n + ½, which no rounding of another precision reaches.
 *
 * A script's threshold is that of the image that it names.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "formats.h"
#include "plugins/common/procedure/plug-in.h"
#include "threshold-scale.h"
#include "ui/options/level-entry.h"

#define ARGUMENT "threshold-scale"

static const char *const encodings[] = { "linear", "non-linear", "perceptual" };
static const char *const marks[]     = { "", "'", "~" };


static guint
find_encoding (const Babl *format)
{
  BablModelFlag flags = babl_get_model_flags (babl_format_get_model (format));

  return flags & BABL_MODEL_FLAG_NONLINEAR ? 1 : flags & BABL_MODEL_FLAG_PERCEPTUAL ? 2 : 0;
}

static char *
describe (WfJob *run)
{
  const Babl *format = gimp_drawable_get_format (run->drawable);

  return g_strdup_printf ("%s %s", wf_type_name (wf_format_get_type (format)),
                          encodings[find_encoding (format)]);
}

static gboolean
parse (const char *scale,
       WfType     *type,
       guint      *encoding)
{
  g_auto (GStrv) words = g_strsplit (scale ? scale : "", " ", 2);

  if (g_strv_length (words) != 2)
    return FALSE;
  *type = strcmp (words[0], wf_type_name (WF_TYPE_U8)) == 0    ? WF_TYPE_U8
          : strcmp (words[0], wf_type_name (WF_TYPE_U16)) == 0 ? WF_TYPE_U16 : WF_TYPE_F32;
  for (*encoding = 0; *encoding < G_N_ELEMENTS (encodings); (*encoding)++)
    if (strcmp (words[1], encodings[*encoding]) == 0)
      return TRUE;
  return FALSE;
}

static double
convert (WfJob  *run,
         double  level,
         guint   from,
         guint   to)
{
  const Babl      *space  = babl_format_get_space (gimp_drawable_get_format (run->drawable));
  g_autofree char *source = g_strdup_printf ("Y%s float", marks[from]);
  g_autofree char *target = g_strdup_printf ("Y%s float", marks[to]);
  float            value  = (float) level;

  babl_process (babl_fish (babl_format_with_space (source, space),
                           babl_format_with_space (target, space)), &value, &value, 1);
  return value;
}

static gboolean
has_threshold (WfJob *run)
{
  return wf_procedure_find_option (run->procedure, "threshold") != NULL;
}

/* Alpha, and a stain, are the same in every encoding. */
static gboolean
has_no_encoding (WfJob *run)
{
  g_autofree char *source = NULL;

  g_object_get (run->config, "source", &source, NULL);
  for (const WfChoice *choice = wf_components; choice->name; choice++)
    if (g_strcmp0 (source, choice->name) == 0)
      return choice->value == WF_COMPONENT_ALPHA ||
             wf_component_is_stain ((WfComponent) choice->value);
  return FALSE;
}

/**
 * wf_threshold_scale_add_argument:
 * @procedure: a procedure under construction, with a threshold
 *
 * Adds what the last values keep.
 */
void
wf_threshold_scale_add_argument (GimpProcedure *procedure)
{
  gimp_procedure_add_string_aux_argument (procedure, ARGUMENT, "Scale of the threshold",
                                          "The precision in which the threshold was set", "",
                                          G_PARAM_READWRITE);
}

/**
 * wf_threshold_scale_remember:
 * @run: a run whose dialog was accepted, or is open
 * @config: gets the scale: the settings of the run, or a copy
 */
void
wf_threshold_scale_remember (WfJob               *run,
                             GimpProcedureConfig *config)
{
  g_autofree char *scale = NULL;

  if (! has_threshold (run))
    return;
  scale = describe (run);
  g_object_set (config, ARGUMENT, scale, NULL);
}

/**
 * wf_threshold_scale_recall:
 * @run: a run that starts from the last values
 *
 * Converts the threshold if they come from an image with another precision or encoding.
 */
void
wf_threshold_scale_recall (WfJob *run)
{
  const Babl      *format = gimp_drawable_get_format (run->drawable);
  g_autofree char *last   = NULL;
  g_autofree char *now    = NULL;
  WfType           type;
  guint            from;
  double           level;

  if (! has_threshold (run))
    return;
  now = describe (run);
  g_object_get (run->config, ARGUMENT, &last, "threshold", &level, NULL);
  if (g_strcmp0 (last, now) == 0 || ! parse (last, &type, &from) || ! (level >= 0 && level <= 1))
    return;

  if (type != WF_TYPE_F32)
    level = (wf_level_from_fraction (level, type) + 0.5) / wf_level_maximum (type);
  if (! has_no_encoding (run))
    level = convert (run, level, from, find_encoding (format));
  type = wf_format_get_type (format);
  if (type != WF_TYPE_F32)
    level = floor (level * wf_level_maximum (type)) / wf_level_maximum (type);
  g_object_set (run->config, "threshold", CLAMP (level, 0, 1), ARGUMENT, now, NULL);
}

/**
 * wf_threshold_scale_is_linear:
 * @run: a run
 *
 * Returns: whether the layer stores linear light
 */
gboolean
wf_threshold_scale_is_linear (WfJob *run)
{
  return find_encoding (gimp_drawable_get_format (run->drawable)) == 0;
}

/**
 * wf_threshold_scale_encode:
 * @level: of linear light
 * @run: a #WfJob
 *
 * Returns: the level of the same gray in a non-linear image
 */
double
wf_threshold_scale_encode (double   level,
                           gpointer run)
{
  return has_no_encoding (run) ? level : convert (run, level, 0, 1);
}
