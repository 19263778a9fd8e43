/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <float.h>
#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/random-case.h"

typedef struct
{
  Case                base;
  WfWatershedOptions  options;
  guint32            *markers;
  double             *mask;         /* or NULL */
  gboolean            is_endless;   /* whether levels inside, with the tolerance, may be infinite */
  guint32            *expected;
  guint32             n_basins;
} Watershed;

/* A few pixels, many of them, a few blocks; labels dense or anywhere in 32 bits.
 * At least one pixel is marked.
 */
static void
make_markers (Watershed *c)
{
  gboolean dense     = g_test_rand_bit ();
  gboolean in_blocks = g_test_rand_int_range (0, 3) == 0;
  int      n_labels  = g_test_rand_int_range (1, 8);
  int      n_marks   = g_test_rand_int_range (1, g_test_rand_int_range (0, 5)
                                                 ? 9 : (int) c->base.n + 1);

  c->markers = g_new0 (guint32, c->base.n);
  for (int i = 0; i < n_marks; i++)
    {
      gint64  first  = g_test_rand_int_range (0, c->base.n);
      gint64  length = in_blocks ? g_test_rand_int_range (1, 6) : 1;
      guint32 label  = g_test_rand_int_range (1, n_labels + 1);

      if (! dense)
        label = G_MAXUINT32 / label;
      for (gint64 p = first; p < MIN (first + length, c->base.n); p++)
        c->markers[p] = label;
    }
}

/* Levels of u8 and u16 plus a fraction of some binary places are exact in a double. */
static double
random_tolerance (WfType         type,
                  const Palette *palette)
{
  double range = palette->level[palette->n - 1] - palette->level[0];

  if (! isfinite (range))
    range = 10;
  switch (g_test_rand_int_range (0, 8))
    {
    case 0:
      return 1;
    case 1:
      return g_test_rand_int_range (0, 5) + 0.5;
    case 2:
      return floor (range * g_test_rand_double () * 1024) / 1024;
    case 3:
      return type == WF_TYPE_F32 ? range * g_test_rand_double () : floor (range / 2);
    case 4:
      return range;
    case 5:
      return g_test_rand_bit () ? 1e300 : 70000;
    default:
      return 0;
    }
}

/* Little, so that it only divides plateaux; about what levels differ by; more than that. */
static double
random_compactness (WfType type)
{
  const double most = type == WF_TYPE_F32 ? 10 : type_highest (type);

  switch (g_test_rand_int_range (0, 5))
    {
    case 0:
      return 1e-9;
    case 1:
      return g_test_rand_bit () ? 1e100 : most;
    case 2:
      return g_test_rand_int_range (1, 4);
    default:
      return most * g_test_rand_double () / 4 + 1e-6;
    }
}

/* The image that is flooded, if it is not the input. */
static double *
make_relief (const Watershed *c)
{
  const RefFilter filter = {
    .highest = c->base.type == WF_TYPE_F32 ? 0 : type_highest (c->base.type),
    .sigma   = c->options.smoothing,
    .radius  = c->options.gradient,
  };
  double         *relief = g_memdup2 (c->base.image, c->base.n * sizeof (double));

  if (filter.sigma > 0)
    ref_gaussian (&c->base.size, &filter, c->base.image, relief);
  if (filter.radius > 0)
    {
      g_autofree double *smooth = g_memdup2 (relief, c->base.n * sizeof (double));

      ref_gradient (&c->base.size, &filter, smooth, relief);
    }
  return relief;
}

/* A label that make_markers() does not give. */
#define OTHER_LABEL 12345

/* In the graph of the pixels inside: markers outside are left out, and what is connected with none
 * gets a label of its own, so that every path ends.
 */
static guint32 *
mark_rest (const Watershed *c,
           const gboolean  *inside)
{
  guint32            *markers    = g_memdup2 (c->markers, c->base.n * sizeof (guint32));
  g_autofree guint8  *foreground = g_new (guint8, c->base.n);
  g_autofree guint32 *parts      = g_new (guint32, c->base.n);
  g_autofree gboolean *marked    = g_new0 (gboolean, c->base.n + 1);

  for (gint64 p = 0; p < c->base.n; p++)
    foreground[p] = inside[p] != 0;
  ref_label (&c->base.size, c->options.connectivity, foreground, parts);
  for (gint64 p = 0; p < c->base.n; p++)
    marked[parts[p]] |= inside[p] && markers[p];
  for (gint64 p = 0; p < c->base.n; p++)
    markers[p] = ! inside[p] || ! marked[parts[p]] ? OTHER_LABEL : markers[p];
  return markers;
}

/* Numbers those labels again, in their order, that pixels inside have, or removes OTHER_LABEL. */
static void
limit_labels (Watershed      *c,
              const gboolean *inside)
{
  g_autofree guint32 *number = g_new0 (guint32, c->base.n + 1);
  guint32             n      = 0;

  for (gint64 p = 0; p < c->base.n; p++)
    if (! inside[p] || (c->markers && c->expected[p] == OTHER_LABEL))
      c->expected[p] = 0;
    else if (! c->markers)
      number[c->expected[p]] = c->expected[p] != 0;
  for (gint64 i = 0; ! c->markers && i <= c->base.n; i++)
    number[i] = number[i] ? ++n : 0;
  for (gint64 p = 0; ! c->markers && p < c->base.n; p++)
    c->expected[p] = number[c->expected[p]];
  c->n_basins = ref_count_labels (c->expected, c->base.n);
}

/* The plain flood, or that with compactness. */
static guint32
flood (const Watershed    *c,
       const double       *relief,
       const guint32      *markers,
       const RefWatershed *options)
{
  if (c->options.compactness > 0)
    {
      ref_compact_watershed (&c->base.size, relief, markers, options->connectivity,
                             c->options.compactness, c->expected);
      return ref_count_labels (c->expected, c->base.n);
    }
  return (c->base.large ? ref_watershed_quick : ref_watershed) (&c->base.size, relief, markers,
                                                                options, c->expected);
}

static void
compute_masked (Watershed          *c,
                const double       *relief,
                const RefWatershed *options)
{
  g_autofree gboolean *inside  = g_new (gboolean, c->base.n);
  g_autofree guint32  *markers = NULL;

  for (gint64 p = 0; p < c->base.n; p++)
    {
      inside[p]      = c->mask[p] != 0;
      c->is_endless |= c->base.type == WF_TYPE_F32 && inside[p] &&
                       (relief[p] == INFINITY || relief[p] > FLT_MAX / 4 ||
                        (c->options.tolerance > 0 && relief[p] < -FLT_MAX / 4));
    }
  ref_limit (inside);
  if (c->markers)
    markers = mark_rest (c, inside);
  flood (c, relief, markers, options);
  limit_labels (c, inside);
  ref_limit (NULL);
}

static void
compute_expected (Watershed *c)
{
  g_autofree double *relief  = make_relief (c);
  const RefWatershed options = {
    .connectivity = c->options.connectivity,
    .tolerance    = c->options.tolerance,
    .single       = c->base.type == WF_TYPE_F32,
    .lines        = c->options.lines,
    .last_index   = c->options.last_index,
  };

  c->expected = g_new (guint32, c->base.n);
  if (c->mask)
    {
      compute_masked (c, relief, &options);
      return;
    }
  c->n_basins = flood (c, relief, c->markers, &options);
}

/* The reduction of paths, which must not affect the result. */
static void
draw_reduction (WfWatershedOptions *options)
{
  static const int rates[]   = { 0, 2, 3, 8, 64, 1 << 20 };
  static const int blocks[]  = { 0, 32, 64, 128, 256, 512, 1024 };
  static const int columns[] = { 0, 0, 0, 1, 8, 16, 32 };
  static const int rows[]    = { 0, 0, 0, 2, 7, 16 };
  static const int slices[]  = { 0, 0, 1, 2 };

  options->reduction_rate = rates[g_test_rand_int_range (0, G_N_ELEMENTS (rates))];
  options->block_size     = blocks[g_test_rand_int_range (0, G_N_ELEMENTS (blocks))];
  options->block_width    = columns[g_test_rand_int_range (0, G_N_ELEMENTS (columns))];
  options->block_height   = rows[g_test_rand_int_range (0, G_N_ELEMENTS (rows))];
  options->block_depth    = slices[g_test_rand_int_range (0, G_N_ELEMENTS (slices))];
}

/* Of noise of some density, sometimes of none or all; where there are markers, one lies inside. */
static void
make_mask (Watershed *c)
{
  const int percent = g_test_rand_int_range (0, 12) * 10;

  c->mask = g_new (double, c->base.n);
  for (gint64 p = 0; p < c->base.n; p++)
    {
      /* an infinite level inside is refused */
      if (c->base.image[p] == INFINITY)
        c->base.image[p] = c->base.palette.level[0] == INFINITY ? 0 : c->base.palette.level[0];
      c->mask[p] = g_test_rand_int_range (0, 100) < percent ? g_test_rand_int_range (1, 200) : 0;
    }
  for (gint64 p = 0; c->markers && p < c->base.n; p++)
    if (c->markers[p])
      {
        c->mask[p] = 1;
        break;
      }
}

static void
watershed_init (gpointer data)
{
  Watershed *c = data;

  const gboolean masked = c->base.given != NULL;

  case_begin (&c->base, WF_OPERATION_WATERSHED, &c->options, masked ? 0 : CASES_A_LARGE_ONE);
  case_draw (&c->base);
  c->options.connectivity = random_connectivity (&c->base.size);
  c->options.lines        = g_test_rand_bit ();
  c->options.last_index   = g_test_rand_bit ();
  c->options.algorithm    = random_algorithm (WF_OPERATION_WATERSHED);
  draw_reduction (&c->options);
  if (g_test_rand_int_range (0, 3) == 0)
    c->options.smoothing = random_sigma (c->base.large);
  if (g_test_rand_int_range (0, 3) == 0)
    c->options.gradient = g_test_rand_int_range (0, 4);
  if (g_test_rand_bit ())
    make_markers (c);
  else
    c->options.tolerance = random_tolerance (c->base.type, &c->base.palette);
  if (c->markers && ! c->base.large && g_test_rand_int_range (0, 3) == 0)
    {
      c->options.compactness = random_compactness (c->base.type);
      c->options.lines       = FALSE;
      c->options.last_index  = FALSE;
    }
  if (masked)
    make_mask (c);
  compute_expected (c);
}

static void
watershed_clear (gpointer data)
{
  Watershed *c = data;

  g_free (c->markers);
  g_free (c->mask);
  g_free (c->expected);
}

static void
append_markers (GString       *text,
                gconstpointer  data)
{
  const Watershed *c = data;

  if (c->mask)
    append_levels (text, "mask", &c->base.size, c->mask);
  if (c->markers)
    append_labels (text, "markers", &c->base.size, c->markers);
  append_labels (text, "expected", &c->base.size, c->expected);
}

static char *
find_input_fault (const Watershed    *c,
                  const GuardedImage *image,
                  const GuardedImage *markers,
                  const GuardedImage *labels)
{
  char *fault = find_image_fault (&c->base, image);

  if (! fault && markers && markers != labels)
    fault = find_pixel_fault (markers, c->markers, "markers");
  return fault;
}

/* Compactness is the CPU's. */
static gboolean
is_compact_on_device (const Watershed     *c,
                      const Configuration *configuration,
                      const GError        *error)
{
  return c->options.compactness > 0 && configuration->device &&
         ! g_str_equal (configuration->device, "cpu") &&
         g_error_matches (error, WF_ERROR, WF_ERROR_UNSUPPORTED);
}

static char *
run_watershed (gconstpointer        data,
               const Configuration *configuration,
               gboolean            *refused)
{
  const Watershed          *c       = data;
  g_autoptr (GuardedImage)  image   = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                c->base.image);
  g_autoptr (GuardedImage)  apart   = guarded_image_new (WF_TYPE_U32, &c->base.size,
                                                         g_test_rand_bit ());
  g_autoptr (GuardedImage)  markers = NULL;
  g_autoptr (GuardedImage)  mask    = NULL;
  GuardedImage             *labels  = apart;
  gboolean                  counted = g_test_rand_bit ();
  guint32                   count   = 12345;
  g_autoptr (GError)        error   = NULL;
  char                     *fault;
  gboolean                  done;

  if (c->markers)
    markers = guarded_image_new_labels (&c->base.size, c->markers);
  if (markers && g_test_rand_bit ())
    labels = markers;

  if (c->mask)
    mask = guarded_image_new_levels (g_test_rand_bit () ? WF_TYPE_U8 : WF_TYPE_U32, &c->base.size,
                                     c->mask);
  done = c->mask
         ? wf_watershed_masked (configuration->context, &image->view,
                                markers ? &markers->view : NULL, &mask->view, &labels->view,
                                counted ? &count : NULL, &c->options, &error)
         : wf_watershed (configuration->context, &image->view, markers ? &markers->view : NULL,
                         &labels->view, counted ? &count : NULL, &c->options, &error);
  if (! done && c->is_endless && g_error_matches (error, WF_ERROR, WF_ERROR_UNSUPPORTED) &&
      guarded_image_is_untouched (apart) && count == 12345)
    return find_input_fault (c, image, markers, NULL);
  if (! done && (is_refused_algorithm (c->options.algorithm, error) ||
                 is_compact_on_device (c, configuration, error)) &&
      guarded_image_is_untouched (apart) && count == 12345)
    {
      *refused = TRUE;
      return find_input_fault (c, image, markers, NULL);
    }
  fault = find_call_fault (done, error);
  if (! fault)
    fault = find_pixel_fault (labels, c->expected, "labels");
  if (! fault && counted && count != c->n_basins)
    fault = g_strdup_printf ("%u basins are counted, should be %u", count, c->n_basins);
  if (! fault)
    fault = find_input_fault (c, image, markers, labels);
  if (! fault && ! (c->mask && c->n_basins == 0))
    fault = find_report_fault (&c->base, configuration);
  return fault;
}

static const CaseKind kind =
{
  .size                 = sizeof (Watershed),
  .needs_all_algorithms = TRUE,
  .init                 = watershed_init,
  .clear                = watershed_clear,
  .run                  = run_watershed,
  .append               = append_markers,
};

void
run_watershed_cases (const Configurations *configurations,
                     guint                 n_cases)
{
  run_cases (&kind, configurations, NULL, n_cases);
}

void
run_masked_watershed_cases (const Configurations *configurations,
                            guint                 n_cases)
{
  static const gboolean masked = TRUE;

  run_cases (&kind, configurations, &masked, n_cases);
}
