/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "guarded-image.h"
#include "operands.h"
#include "pixel-value.h"
#include "random-image.h"

/* One image of ONE_LARGE_IN is large enough for several tiles of any size. */
#define ONE_LARGE_IN 12


void
operand_init (Operand              *operand,
              const Configurations *configurations)
{
  operand->configurations = configurations;
  operand->type           = random_type ();
  if (g_test_rand_int_range (0, ONE_LARGE_IN) == 0)
    random_large_size (&operand->size);
  else
    random_size (&operand->size);
  operand->n = ref_n_pixels (&operand->size);
  if (operand->size.depth > 1)
    operand->connectivity = g_test_rand_bit () ? 6 : 26;
  else
    operand->connectivity = g_test_rand_bit () ? 4 : 8;
}

/* Difficult contents, with infinities. */
double *
operand_levels (const Operand *operand)
{
  double  *levels = g_new (double, operand->n);
  Palette  palette;

  random_palette (operand->type, &palette);
  random_content (&operand->size, &palette, levels);
  for (gint64 p = 0; p < operand->n; p++)
    levels[p] += 0.0;    /* makes −0 +0 */
  return levels;
}

/* Whole levels from 0 to 100, which every type holds. */
double *
operand_tame_levels (const Operand *operand)
{
  double *levels = operand_levels (operand);

  for (gint64 p = 0; p < operand->n; p++)
    levels[p] = isfinite (levels[p]) ? fabs (fmod (trunc (levels[p]), 101)) : 50;
  return levels;
}

/* Marks a few pixels, at least one, with numbers from 1 to @most. */
guint32 *
operand_marks (const Operand *operand,
               int            most)
{
  guint32 *marks = g_new0 (guint32, operand->n);

  for (int i = g_test_rand_int_range (0, 6); i >= 0; i--)
    marks[g_test_rand_int_range (0, operand->n)] = g_test_rand_int_range (1, most + 1);
  return marks;
}


/*  Calculating with levels  */

/* The level at the opposite end of the type's range. */
double
level_complement (const Operand *operand,
                  double         level)
{
  return operand->type == WF_TYPE_F32 ? 0.0 - level : type_highest (operand->type) - level;
}

double *
levels_complement (const Operand *operand,
                   const double  *levels)
{
  double *out = g_new (double, operand->n);

  for (gint64 p = 0; p < operand->n; p++)
    out[p] = level_complement (operand, levels[p]);
  return out;
}

/* @axis: 0 for x, 1 for y, 2 for z */
double *
levels_flipped (const Operand *operand,
                const double  *levels,
                int            axis)
{
  const RefSize *size = &operand->size;
  double        *out  = g_new (double, operand->n);

  for (gint64 p = 0; p < operand->n; p++)
    {
      gint64 x = p % size->width;
      gint64 y = p / size->width % size->height;
      gint64 z = p / size->width / size->height;

      x = axis == 0 ? size->width  - 1 - x : x;
      y = axis == 1 ? size->height - 1 - y : y;
      z = axis == 2 ? size->depth  - 1 - z : z;
      out[ref_index (size, x, y, z)] = levels[p];
    }
  return out;
}

/* Exchanges x and y: the result is as wide as @operand is high. */
double *
levels_transposed (const Operand *operand,
                   const double  *levels)
{
  const RefSize *size = &operand->size;
  double        *out  = g_new (double, operand->n);

  for (gint64 p = 0; p < operand->n; p++)
    {
      gint64 x = p % size->width;
      gint64 y = p / size->width % size->height;
      gint64 z = p / size->width / size->height;

      out[(z * size->width + x) * size->height + y] = levels[p];
    }
  return out;
}

double *
levels_lower (const Operand *operand,
              const double  *a,
              const double  *b)
{
  double *out = g_new (double, operand->n);

  for (gint64 p = 0; p < operand->n; p++)
    out[p] = MIN (a[p], b[p]);
  return out;
}

double *
levels_higher (const Operand *operand,
               const double  *a,
               const double  *b)
{
  double *out = g_new (double, operand->n);

  for (gint64 p = 0; p < operand->n; p++)
    out[p] = MAX (a[p], b[p]);
  return out;
}

double *
labels_as_levels (const Operand *operand,
                  const guint32 *labels)
{
  double *out = g_new (double, operand->n);

  for (gint64 p = 0; p < operand->n; p++)
    out[p] = labels[p];
  return out;
}


/*  The operations  */

static double *
levels_of (const GuardedImage *image)
{
  const WfImage *view = &image->view;
  double        *out  = g_new (double, wf_image_n_pixels (view));
  gint64         p    = 0;

  g_assert_true (guarded_image_is_guarded (image));
  for (gint64 z = 0; z < view->depth; z++)
    for (gint64 y = 0; y < view->height; y++)
      for (gint64 x = 0; x < view->width; x++)
        out[p++] = pixel_value (view, z * view->slice_stride + y * view->row_stride + x);
  return out;
}

static guint32 *
labels_of (const GuardedImage *image,
           gint64              n)
{
  g_autofree double *levels = levels_of (image);
  guint32           *out    = g_new (guint32, n);

  for (gint64 p = 0; p < n; p++)
    out[p] = (guint32) levels[p];
  return out;
}

static WfContext *
pick_context (const Operand *operand)
{
  if (operand->n > 2000)
    return configurations_pick_coarse (operand->configurations)->context;
  return configurations_pick (operand->configurations)->context;
}

static GuardedImage *
new_input (const Operand *operand,
           const double  *levels)
{
  return guarded_image_new_levels (operand->type, &operand->size, levels);
}

static GuardedImage *
new_output (const Operand *operand,
            WfType         type)
{
  return guarded_image_new (type, &operand->size, g_test_rand_bit ());
}

double *
apply_reconstruct (const Operand *operand,
                   WfDirection    by,
                   const double  *mask,
                   const double  *marker)
{
  g_autoptr (GuardedImage) mask_image   = new_input (operand, mask);
  g_autoptr (GuardedImage) marker_image = new_input (operand, marker);
  g_autoptr (GuardedImage) out          = new_output (operand, operand->type);
  WfReconstructOptions     options;
  GError                  *error = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
  options.by           = by;
  options.connectivity = operand->connectivity;
  wf_reconstruct (pick_context (operand), &mask_image->view, &marker_image->view, &out->view,
                  &options, &error);
  g_assert_no_error (error);
  return levels_of (out);
}

/* @options: of which the connectivity is the operand's */
double *
apply_morphology (const Operand             *operand,
                  MorphologyFunc             function,
                  WfType                     out_type,
                  const WfMorphologyOptions *options,
                  const double              *levels)
{
  g_autoptr (GuardedImage) image  = new_input (operand, levels);
  g_autoptr (GuardedImage) out    = new_output (operand, out_type);
  WfMorphologyOptions      chosen = *options;
  GError                  *error  = NULL;

  chosen.connectivity = operand->connectivity;
  function (pick_context (operand), &image->view, &out->view, &chosen, &error);
  g_assert_no_error (error);
  return levels_of (out);
}

double *
apply_impose_minima (const Operand *operand,
                     const double  *levels,
                     const guint32 *marks)
{
  g_autoptr (GuardedImage) image   = new_input (operand, levels);
  g_autoptr (GuardedImage) markers = guarded_image_new_labels (&operand->size, marks);
  g_autoptr (GuardedImage) out     = new_output (operand, operand->type);
  WfMorphologyOptions      options;
  GError                  *error   = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_IMPOSE_MINIMA), &options);
  options.connectivity = operand->connectivity;
  wf_impose_minima (pick_context (operand), &image->view, &markers->view, &out->view, &options,
                    &error);
  g_assert_no_error (error);
  return levels_of (out);
}

/* @nearest: set to the indices of the nearest pixels, or %NULL */
double *
apply_distance (const Operand            *operand,
                const WfDistanceOptions  *options,
                const double             *levels,
                double                  **nearest)
{
  g_autoptr (GuardedImage) image = new_input (operand, levels);
  g_autoptr (GuardedImage) out   = new_output (operand, wf_distance_get_type (options));
  g_autoptr (GuardedImage) sites = nearest ? new_output (operand, WF_TYPE_U64) : NULL;
  GError                  *error = NULL;

  wf_distance (pick_context (operand), &image->view, &out->view, sites ? &sites->view : NULL,
               options, &error);
  g_assert_no_error (error);
  if (nearest)
    *nearest = levels_of (sites);
  return levels_of (out);
}

/* @options: of which the connectivity is the operand's; @markers: or %NULL */
guint32 *
apply_watershed (const Operand            *operand,
                 const WfWatershedOptions *options,
                 const double             *levels,
                 const guint32            *markers,
                 guint32                  *n_basins)
{
  g_autoptr (GuardedImage) image  = new_input (operand, levels);
  g_autoptr (GuardedImage) seeds  = markers ? guarded_image_new_labels (&operand->size, markers)
                                            : NULL;
  g_autoptr (GuardedImage) labels = new_output (operand, WF_TYPE_U32);
  WfWatershedOptions       chosen = *options;
  GError                  *error  = NULL;

  chosen.connectivity = operand->connectivity;
  wf_watershed (pick_context (operand), &image->view, seeds ? &seeds->view : NULL, &labels->view,
                n_basins, &chosen, &error);
  g_assert_no_error (error);
  return labels_of (labels, operand->n);
}

guint32 *
apply_label (const Operand *operand,
             const double  *levels,
             guint32       *n_components)
{
  g_autoptr (GuardedImage) image  = new_input (operand, levels);
  g_autoptr (GuardedImage) labels = new_output (operand, WF_TYPE_U32);
  WfLabelOptions           options;
  GError                  *error  = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_LABEL), &options);
  options.connectivity = operand->connectivity;
  wf_label (pick_context (operand), &image->view, &labels->view, n_components, &options, &error);
  g_assert_no_error (error);
  return labels_of (labels, operand->n);
}
