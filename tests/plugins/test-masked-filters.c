/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The filters within a mask, compared with their definitions on its pixels; in
 * memory and in the swap.
 */

#include <float.h>
#include <math.h>
#include <string.h>

#include <glib.h>

#include "masked-scene.h"
#include "plugins/common/input/mask.h"
#include "plugins/common/swap/swap.h"
#include "plugins/reconstruction/masked-filter.h"
#include "tests/support/tiers.h"

static const WfOperation operations[] =
{
  WF_OPERATION_FILL_HOLES, WF_OPERATION_CLEAR_BORDER, WF_OPERATION_H_MAXIMA,
  WF_OPERATION_H_MINIMA, WF_OPERATION_REGIONAL_MAXIMA, WF_OPERATION_REGIONAL_MINIMA,
  WF_OPERATION_EXTENDED_MAXIMA, WF_OPERATION_EXTENDED_MINIMA,
  WF_OPERATION_OPENING_BY_RECONSTRUCTION, WF_OPERATION_CLOSING_BY_RECONSTRUCTION,
  WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION, WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION,
  WF_OPERATION_EROSION, WF_OPERATION_DILATION, WF_OPERATION_OPENING, WF_OPERATION_CLOSING,
  WF_OPERATION_WHITE_TOP_HAT, WF_OPERATION_BLACK_TOP_HAT, WF_OPERATION_GRADIENT,
  WF_OPERATION_MEDIAN, WF_OPERATION_THRESHOLD
};


/* Of all of them. */
typedef union
{
  WfMorphologyOptions morphology;
  WfFilterOptions     filter;
  WfThresholdOptions  threshold;
} Options;

static gboolean
is_by_reconstruction (WfOperation operation)
{
  return wf_operation_describe (operation)->flags & WF_WORKS_BY_RECONSTRUCTION;
}

static void
draw_threshold (const Masked       *masked,
                WfThresholdOptions *options)
{
  options->method    = g_test_rand_int_range (WF_LOCAL_NONE, WF_LOCAL_SAUVOLA + 1);
  options->threshold = masked->level[g_test_rand_int_range (0, masked->n)];
  options->radius    = g_test_rand_int_range (0, 6);
  options->sigma     = g_test_rand_double_range (0, 2);
  options->below     = g_test_rand_bit ();
}

/* @shape: set to the element and the radius */
static void
draw_options (const Masked        *masked,
              WfOperation          operation,
              Options             *options,
              WfMorphologyOptions *shape)
{
  memset (shape, 0, sizeof *shape);
  shape->element = g_test_rand_bit () ? WF_ELEMENT_SQUARE : WF_ELEMENT_DISC;
  shape->radius  = g_test_rand_int_range (0, 6);
  wf_option_group_init (wf_operation_get_options (operation), options);
  if (operation == WF_OPERATION_THRESHOLD)
    draw_threshold (masked, &options->threshold);
  else if (is_by_reconstruction (operation))
    {
      options->morphology.height       = masked->levels.type == WF_TYPE_U16 ? 500 : 2;
      options->morphology.connectivity = masked->connectivity;
      options->morphology.element      = shape->element;
      options->morphology.radius       = shape->radius;
      *shape = options->morphology;
    }
  else
    {
      options->filter.element = shape->element;
      options->filter.radius  = shape->radius;
    }
}

static double
least_of (WfType type)
{
  return type == WF_TYPE_F32 ? -INFINITY : 0;
}

static double
greatest_of (WfType type)
{
  return type == WF_TYPE_U8 ? 255 : type == WF_TYPE_U16 ? 65535 : INFINITY;
}

static void
from_border (const Masked *masked,
             gboolean      dilation,
             double       *out)
{
  const WfType type = masked->levels.type;

  for (int i = 0; i < masked->n; i++)
    out[i] = masked->at_edge[i] ? masked->level[i]
             : dilation ? least_of (type) : greatest_of (type);
  masked_reconstruct (masked, masked->level, dilation, out);
}

static void
cut (const Masked *masked,
     gboolean      maxima,
     double        height,
     double       *out)
{
  for (int i = 0; i < masked->n; i++)
    out[i] = maxima ? MAX (masked->level[i] - height, least_of (masked->levels.type))
                    : MIN (masked->level[i] + height, greatest_of (masked->levels.type));
  masked_reconstruct (masked, masked->level, maxima, out);
}

static gboolean
is_under (const Masked              *masked,
          const WfMorphologyOptions *options,
          int                        p,
          int                        q)
{
  const int dx = ABS (p % masked->width - q % masked->width);
  const int dy = ABS (p / masked->width % masked->height - q / masked->width % masked->height);
  const int dz = ABS (p / masked->width / masked->height - q / masked->width / masked->height);

  return options->element == WF_ELEMENT_SQUARE
         ? MAX (MAX (dx, dy), dz) <= options->radius
         : dx * dx + dy * dy + dz * dz <= options->radius * options->radius;
}

static void
find_extremes (const Masked              *masked,
               const WfMorphologyOptions *options,
               const double              *level,
               gboolean                   least,
               double                    *out)
{
  for (int i = 0; i < masked->n; i++)
    {
      out[i] = level[i];
      for (int q = 0; q < masked->n; q++)
        if (masked->inside[q] && is_under (masked, options, i, q))
          out[i] = least ? MIN (out[i], level[q]) : MAX (out[i], level[q]);
    }
}

static void
open_or_close (const Masked              *masked,
               const WfMorphologyOptions *options,
               gboolean                   opening,
               double                    *out)
{
  find_extremes (masked, options, masked->level, opening, out);
  masked_reconstruct (masked, masked->level, opening, out);
}

static int
compare_levels (gconstpointer a,
                gconstpointer b)
{
  const double first  = *(const double *) a;
  const double second = *(const double *) b;

  return (first > second) - (first < second);
}

/* Outside the mask are the levels that wf_mask_spread() sets. */
static void
find_medians (const Masked              *masked,
              const WfMorphologyOptions *options,
              double                    *out)
{
  const int        r      = options->radius;
  const int        deep   = masked->depth > 1 ? r : 0;
  g_auto (WfImage) spread = { 0 };
  double           level[MOST_PIXELS];
  double           window[11 * 11 * 11];

  g_assert_true (wf_mask_copy (&masked->levels, &spread, NULL));
  g_assert_true (wf_mask_spread (masked->context, &masked->mask, &spread, NULL));
  masked_read (&spread, level);
  for (int i = 0; i < masked->n; i++)
    {
      const int x = i % masked->width;
      const int y = i / masked->width % masked->height;
      const int z = i / masked->width / masked->height;
      int       n = 0;

      for (int dz = -deep; dz <= deep; dz++)
        for (int dy = -r; dy <= r; dy++)
          for (int dx = -r; dx <= r; dx++)
            window[n++] = level[(CLAMP (z + dz, 0, masked->depth - 1) * masked->height
                                 + CLAMP (y + dy, 0, masked->height - 1)) * masked->width
                                + CLAMP (x + dx, 0, masked->width - 1)];
      qsort (window, n, sizeof window[0], compare_levels);
      out[i] = window[n / 2];
    }
}

/* The mean of the levels at @i's window, in the order of engine/threshold/threshold.c. */
static double
find_mean (const Masked *masked,
           const double *level,
           int           i,
           int           radius)
{
  const int at[3]     = { i % masked->width, i / masked->width % masked->height,
                          i / masked->width / masked->height };
  const int length[3] = { masked->width, masked->height, masked->depth };
  double    sum       = 0;
  int       n         = 0;

  for (int x = MAX (at[0] - radius, 0); x < MIN (at[0] + radius + 1, length[0]); x++)
    {
      double column = 0;

      for (int z = MAX (at[2] - radius, 0); z < MIN (at[2] + radius + 1, length[2]); z++)
        for (int y = MAX (at[1] - radius, 0); y < MIN (at[1] + radius + 1, length[1]); y++, n++)
          column += CLAMP (level[(z * length[1] + y) * length[0] + x], -FLT_MAX, FLT_MAX);
      sum += column;
    }
  return sum / n;
}

/* Local thresholds see what wf_mask_spread() sets.  Those by a Gaussian or a deviation are the
 * engine's of that.
 */
static void
mark_above (const Masked             *masked,
            const WfThresholdOptions *options,
            double                   *out)
{
  g_auto (WfImage) spread = { 0 };
  g_auto (WfImage) marks  = { 0 };
  double           level[MOST_PIXELS];

  g_assert_true (wf_mask_copy (&masked->levels, &spread, NULL));
  g_assert_true (wf_mask_spread (masked->context, &masked->mask, &spread, NULL));
  masked_read (&spread, level);
  if (options->method == WF_LOCAL_GAUSSIAN || options->method == WF_LOCAL_SAUVOLA)
    {
      g_assert_true (wf_image_allocate (&marks, WF_TYPE_U8, masked->width, masked->height,
                                        masked->depth, NULL));
      g_assert_true (wf_threshold (masked->context, &spread, &marks, options, NULL));
      masked_read (&marks, out);
      return;
    }
  for (int i = 0; i < masked->n; i++)
    {
      const double threshold = options->method == WF_LOCAL_NONE
                               ? options->threshold
                               : find_mean (masked, level, i, options->radius);

      out[i] = (level[i] > threshold) != options->below ? 255 : 0;
    }
}

static void
find_opened (const Masked              *masked,
             const WfMorphologyOptions *options,
             gboolean                   closing,
             double                    *out)
{
  double between[MOST_PIXELS];

  find_extremes (masked, options, masked->level, ! closing, between);
  find_extremes (masked, options, between, closing, out);
}

static void
compute_windows (const Masked              *masked,
                 WfOperation                operation,
                 const WfMorphologyOptions *options,
                 double                    *out)
{
  double lowest[MOST_PIXELS];

  switch (operation)
    {
    case WF_OPERATION_MEDIAN:
      find_medians (masked, options, out);
      break;
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
      find_opened (masked, options, operation == WF_OPERATION_CLOSING, out);
      break;
    case WF_OPERATION_WHITE_TOP_HAT:
    case WF_OPERATION_BLACK_TOP_HAT:
      find_opened (masked, options, operation == WF_OPERATION_BLACK_TOP_HAT, out);
      for (int i = 0; i < masked->n; i++)
        out[i] = fabs (masked->level[i] - out[i]);
      break;
    case WF_OPERATION_GRADIENT:
      find_extremes (masked, options, masked->level, TRUE, lowest);
      find_extremes (masked, options, masked->level, FALSE, out);
      for (int i = 0; i < masked->n; i++)
        out[i] -= lowest[i];
      break;
    default:
      find_extremes (masked, options, masked->level, operation == WF_OPERATION_EROSION, out);
      break;
    }
}

static void
mark (const Masked *masked,
      const double *levels,
      gboolean      maxima,
      double       *out)
{
  int component[MOST_PIXELS];

  masked_extrema (masked, levels, maxima, component);
  for (int i = 0; i < masked->n; i++)
    out[i] = component[i] ? 255 : 0;
}

static void
compute_plainly (const Masked              *masked,
                 WfOperation                operation,
                 const Options             *all,
                 const WfMorphologyOptions *options,
                 double                    *out)
{
  double levels[MOST_PIXELS];

  if (operation == WF_OPERATION_THRESHOLD)
    {
      mark_above (masked, &all->threshold, out);
      return;
    }
  if (! is_by_reconstruction (operation))
    {
      compute_windows (masked, operation, options, out);
      return;
    }
  switch (operation)
    {
    case WF_OPERATION_FILL_HOLES:
      from_border (masked, FALSE, out);
      break;
    case WF_OPERATION_CLEAR_BORDER:
      from_border (masked, TRUE, out);
      for (int i = 0; i < masked->n; i++)
        out[i] = masked->level[i] - out[i];
      break;
    case WF_OPERATION_H_MAXIMA:
    case WF_OPERATION_H_MINIMA:
      cut (masked, operation == WF_OPERATION_H_MAXIMA, options->height, out);
      break;
    case WF_OPERATION_REGIONAL_MAXIMA:
    case WF_OPERATION_REGIONAL_MINIMA:
      mark (masked, masked->level, operation == WF_OPERATION_REGIONAL_MAXIMA, out);
      break;
    case WF_OPERATION_EXTENDED_MAXIMA:
    case WF_OPERATION_EXTENDED_MINIMA:
      cut (masked, operation == WF_OPERATION_EXTENDED_MAXIMA, options->height, levels);
      mark (masked, levels, operation == WF_OPERATION_EXTENDED_MAXIMA, out);
      break;
    case WF_OPERATION_OPENING_BY_RECONSTRUCTION:
    case WF_OPERATION_CLOSING_BY_RECONSTRUCTION:
      open_or_close (masked, options, operation == WF_OPERATION_OPENING_BY_RECONSTRUCTION, out);
      break;
    default:
      open_or_close (masked, options,
                     operation == WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION, out);
      for (int i = 0; i < masked->n; i++)
        out[i] = fabs (masked->level[i] - out[i]);
      break;
    }
}

static void
check_operation (Masked      *masked,
                 WfOperation  operation)
{
  const WfType        type   = wf_operation_get_output_type (operation, 0, masked->levels.type,
                                                             NULL);
  g_auto (WfImage)    result = { 0 };
  g_autoptr (GError)  error  = NULL;
  Options             options;
  WfMorphologyOptions shape;
  double              wanted[MOST_PIXELS];
  double              found[MOST_PIXELS];

  draw_options (masked, operation, &options, &shape);
  g_assert_true (wf_image_allocate (&result, type, masked->width, masked->height, masked->depth,
                                    NULL));
  wf_masked_filter_run (masked->context, operation, &masked->mask, &masked->levels, &result,
                        &options, &error);
  g_assert_no_error (error);
  compute_plainly (masked, operation, &options, &shape, wanted);
  masked_read (&result, found);
  for (int i = 0; i < masked->n; i++)
    if (found[i] != (masked->inside[i] ? wanted[i] : 0))
      g_error ("%s, type %d, pixel %d of %d × %d × %d: %g, not %g",
               wf_operation_get_options (operation)->name, masked->levels.type, i, masked->width,
               masked->height, masked->depth, found[i], masked->inside[i] ? wanted[i] : 0);
}

static void
check (Masked *masked)
{
  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
    check_operation (masked, operations[i]);
}

static void
test_operations (void)
{
  masked_for_each (60, 300, check);
}

/* Begins the swap with all the memory that there may be. */
static void
begin_swap (void)
{
  wf_swap_begin (G_MAXINT64, NULL);
}

static void
check_swapped (Masked *masked)
{
  begin_swap ();
  check (masked);
  wf_swap_end ();
}

static void
test_swapped (void)
{
  masked_for_each (15, 100, check_swapped);
}

/* Without a mask. */
static void
run_whole (Masked        *masked,
           WfOperation    operation,
           const Options *options,
           WfImage       *result)
{
  const WfType       type  = wf_operation_get_output_type (operation, 0, masked->levels.type, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (wf_swap_allocate (result, type, masked->width, masked->height, masked->depth,
                                   NULL));
  wf_masked_filter_run (masked->context, operation, NULL, &masked->levels, result, options, &error);
  g_assert_no_error (error);
}

static void
check_whole (Masked *masked)
{
  for (gsize i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      g_auto (WfImage)    wanted  = { 0 };
      WfImage             swapped = { 0 };
      Options             options;
      WfMorphologyOptions shape;

      draw_options (masked, operations[i], &options, &shape);
      run_whole (masked, operations[i], &options, &wanted);
      begin_swap ();
      run_whole (masked, operations[i], &options, &swapped);
      g_assert_cmpuint (wf_swap_count (), ==, 1);
      g_assert_cmpmem (swapped.data, masked->n * wf_type_size (swapped.type),
                       wanted.data, masked->n * wf_type_size (wanted.type));
      wf_swap_end ();
    }
}

static void
test_whole (void)
{
  masked_for_each (15, 100, check_whole);
}

static void
check_reconstruction (Masked *masked)
{
  g_auto (WfImage)      marker = { 0 };
  g_autoptr (GError)    error  = NULL;
  WfReconstructOptions  options;
  double                wanted[MOST_PIXELS];
  double                found[MOST_PIXELS];
  const gsize           size   = wf_type_size (masked->levels.type);

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_RECONSTRUCT), &options);
  options.by           = g_test_rand_bit () ? WF_BY_DILATION : WF_BY_EROSION;
  options.connectivity = masked->connectivity;
  g_assert_true (wf_image_allocate (&marker, masked->levels.type, masked->width, masked->height,
                                    masked->depth, NULL));
  for (int i = 0; i < masked->n; i++)   /* the levels in the opposite order */
    memcpy ((char *) marker.data + size * i,
            (char *) masked->levels.data + size * (masked->n - 1 - i), size);
  masked_read (&marker, wanted);
  masked_reconstruct (masked, masked->level, options.by == WF_BY_DILATION, wanted);
  wf_masked_reconstruct (masked->context, &masked->mask, &masked->levels, &marker, &options,
                         &error);
  g_assert_no_error (error);
  masked_read (&marker, found);
  for (int i = 0; i < masked->n; i++)
    g_assert_cmpfloat (found[i], ==, masked->inside[i] ? wanted[i] : 0);
}

static void
test_reconstruction (void)
{
  masked_for_each (200, 800, check_reconstruction);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/masked-filters/operations", test_operations);
  g_test_add_func ("/masked-filters/swapped", test_swapped);
  g_test_add_func ("/masked-filters/whole", test_whole);
  g_test_add_func ("/masked-filters/reconstruction", test_reconstruction);
  return g_test_run ();
}
