/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The openings and closings by attributes within a mask, compared with their definitions on the
 * parts of the mask, each of which is an image of its own.
 */

#include <float.h>
#include <math.h>
#include <string.h>

#include <glib.h>

#include "masked-scene.h"
#include "plugins/common/input/mask.h"
#include "plugins/reconstruction/masked-attributes.h"
#include "plugins/reconstruction/masked-filter.h"
#include "tests/support/tiers.h"

/* A higher pixel can be reached without descending. */
#define NOT_A_MAXIMUM (-1)

/**
 * Component:
 * @area: its pixels
 * @top: its highest level
 * @sum: of its levels
 * @around: the highest level beside it
 * @is_part: whether there is none
 * @holds: whether it has a maximum that stays
 */
typedef struct
{
  int      area;
  double   top;
  double   sum;
  double   around;
  gboolean is_part;
  gboolean holds;
} Component;

static double
to_finite (double level)
{
  return CLAMP (level, (double) -FLT_MAX, (double) FLT_MAX);
}

static void
add_pixel (Component    *found,
           const double *dynamics,
           double        least,
           int           p,
           double        level)
{
  found->area++;
  found->top    = MAX (found->top, level);
  found->sum   += to_finite (level);
  found->holds |= dynamics && dynamics[p] >= least;
}

/* The pixels at or above @height that are joined with @start. */
static Component
find_component (const Masked *masked,
                const double *level,
                int           start,
                double        height,
                const double *dynamics,
                double        least)
{
  Component found = { .top = -INFINITY, .around = -INFINITY, .is_part = TRUE };
  gboolean  seen[MOST_PIXELS] = { FALSE };
  int       open[MOST_PIXELS];
  int       n = 0;

  open[n++]   = start;
  seen[start] = TRUE;
  while (n > 0)
    {
      const int p = open[--n];

      add_pixel (&found, dynamics, least, p, level[p]);
      for (int k = 0; k < masked->n_neighbors[p]; k++)
        {
          const int q = masked->neighbors[p][k];

          if (level[q] < height)
            {
              found.is_part = FALSE;
              found.around  = MAX (found.around, level[q]);
            }
          else if (! seen[q])
            {
              seen[q]   = TRUE;
              open[n++] = q;
            }
        }
    }
  return found;
}

/* What one has to descend from each pixel on the way to a higher one of its part. */
static void
find_dynamics (const Masked *masked,
               const double *level,
               double       *dynamics)
{
  for (int p = 0; p < masked->n; p++)
    {
      double    height = level[p];
      Component found;

      dynamics[p] = INFINITY;
      if (! masked->inside[p])
        continue;
      for (;; height = found.around)
        {
          found = find_component (masked, level, p, height, NULL, 0);
          if (found.top > level[p])
            dynamics[p] = height < level[p] ? to_finite (level[p]) - to_finite (height)
                                            : NOT_A_MAXIMUM;
          if (found.top > level[p] || found.is_part)
            break;
        }
    }
}

static gboolean
stays (WfOperation      operation,
       const Component *found,
       double           least)
{
  if (found->is_part)
    return TRUE;
  switch (operation)
    {
    case WF_OPERATION_AREA_OPENING:
    case WF_OPERATION_AREA_CLOSING:
      return found->area >= least;
    case WF_OPERATION_HEIGHT_OPENING:
    case WF_OPERATION_HEIGHT_CLOSING:
      return found->holds;
    default:
      return found->sum - found->area * to_finite (found->around) >= least;
    }
}

/* From each pixel's level down: the first one at which its component stays. */
static void
compute_plainly (const Masked *masked,
                 WfOperation   operation,
                 double        least,
                 double       *out)
{
  const gboolean closing = operation == WF_OPERATION_AREA_CLOSING ||
                           operation == WF_OPERATION_HEIGHT_CLOSING ||
                           operation == WF_OPERATION_VOLUME_CLOSING;
  double         level[MOST_PIXELS];
  double         dynamics[MOST_PIXELS];

  for (int p = 0; p < masked->n; p++)
    level[p] = closing ? -masked->level[p] : masked->level[p];
  find_dynamics (masked, level, dynamics);
  for (int p = 0; p < masked->n; p++)
    {
      double    height = level[p];
      Component found;

      if (! masked->inside[p])
        continue;
      for (;; height = found.around)
        {
          found = find_component (masked, level, p, height, dynamics, least);
          if (stays (operation, &found, least))
            break;
        }
      out[p] = closing ? 0 - height : height;
    }
}

/* Sometimes more than all levels together. */
static double
draw_least (const Masked *masked,
            WfOperation   operation)
{
  const double unit = masked->levels.type == WF_TYPE_U16 ? 250
                      : masked->levels.type == WF_TYPE_F32 ? 0.25 : 1;

  switch (operation)
    {
    case WF_OPERATION_AREA_OPENING:
    case WF_OPERATION_AREA_CLOSING:
      return g_test_rand_int_range (0, 12);
    case WF_OPERATION_HEIGHT_OPENING:
    case WF_OPERATION_HEIGHT_CLOSING:
      return unit * g_test_rand_int_range (0, g_test_rand_bit () ? 4 : 200);
    default:
      return g_test_rand_int_range (0, 10) == 0 ? 1e300
                                                : unit * g_test_rand_int_range (0, 400);
    }
}

static void
check_operation (Masked      *masked,
                 WfOperation  operation)
{
  const double        least  = draw_least (masked, operation);
  WfAttributeOptions  options;
  g_auto (WfImage)    result = { 0 };
  g_autoptr (GError)  error  = NULL;
  double              wanted[MOST_PIXELS];
  double              found[MOST_PIXELS];

  wf_option_group_init (wf_operation_get_options (operation), &options);
  options.connectivity = masked->connectivity;
  options.area         = least;
  options.height       = least;
  options.volume       = least;
  g_assert_true (wf_mask_copy (&masked->levels, &result, NULL));
  wf_masked_filter_run (masked->context, operation, &masked->mask,
                        g_test_rand_bit () ? &masked->levels : &result, &result, &options, &error);
  g_assert_no_error (error);
  compute_plainly (masked, operation, least, wanted);
  masked_read (&result, found);
  for (int i = 0; i < masked->n; i++)
    if (found[i] != (masked->inside[i] ? wanted[i] : 0))
      g_error ("%s of at least %g, type %d, pixel %d of %d × %d × %d: %g, not %g",
               wf_operation_get_options (operation)->name, least, masked->levels.type, i,
               masked->width, masked->height, masked->depth, found[i],
               masked->inside[i] ? wanted[i] : 0);
}

static void
check (Masked *masked)
{
  for (int i = WF_OPERATION_AREA_OPENING; i <= WF_OPERATION_VOLUME_CLOSING; i++)
    {
      g_assert_true (wf_masked_attributes_has ((WfOperation) i));
      check_operation (masked, (WfOperation) i);
    }
}

static void
test_random (void)
{
  masked_for_each (150, 900, check);
}

static void
check_infinite (Masked *masked)
{
  if (masked->levels.type != WF_TYPE_F32)
    return;
  for (int i = 0; i < masked->n; i++)
    if (g_test_rand_int_range (0, 4) == 0)
      ((float *) masked->levels.data)[i] = g_test_rand_bit () ? INFINITY : -INFINITY;
  masked_read (&masked->levels, masked->level);
  check (masked);
}

static void
test_infinite (void)
{
  masked_for_each (150, 900, check_infinite);
}

/* Two parts: of the small one nothing can be large enough. */
static void
test_small_part (void)
{
  static guint8      levels[]  = { 7, 9, 8, 0, 3, 5, 3, 3, 4 };
  static guint8      inside[]  = { 1, 1, 1, 0, 1, 1, 1, 1, 1 };
  static const guint8 wanted[] = { 7, 7, 7, 0, 3, 3, 3, 3, 3 };
  g_autoptr (WfContext) context = wf_context_new ();
  g_autoptr (GError)    error   = NULL;
  WfAttributeOptions    options;
  WfImage               image;
  WfImage               mask;

  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 9, 1, 1, levels, NULL));
  g_assert_true (wf_image_init (&mask, WF_TYPE_U8, 9, 1, 1, inside, NULL));
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_AREA_OPENING), &options);
  options.area = 4;
  wf_masked_filter_run (context, WF_OPERATION_AREA_OPENING, &mask, &image, &image, &options,
                        &error);
  g_assert_no_error (error);
  g_assert_cmpmem (levels, sizeof levels, wanted, sizeof wanted);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/masked-attributes/random", test_random);
  g_test_add_func ("/masked-attributes/infinite", test_infinite);
  g_test_add_func ("/masked-attributes/small-part", test_small_part);
  return g_test_run ();
}
