/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/random-case.h"

typedef struct
{
  Case                  base;       /* its image is the mask */
  WfReconstructOptions  options;
  double               *marker;
  gpointer              expected;
} Reconstruction;

/* The memory of the output. */
typedef enum
{
  APART,
  ON_MASK,
  ON_MARKER,
  N_PLACES
} Place;

/* A level moved by @by against the direction of reconstruction. */
static double
shifted (const Reconstruction *c,
         double                level,
         double                by)
{
  double moved = c->options.by == WF_BY_DILATION ? level - by : level + by;

  if (c->base.type == WF_TYPE_F32)
    return (float) moved;
  return CLAMP (moved, type_lowest (c->base.type), type_highest (c->base.type));
}

static gboolean
is_on_border (const Reconstruction *c,
              gint64                p)
{
  gint64 x = p % c->base.size.width;
  gint64 y = p / c->base.size.width % c->base.size.height;
  gint64 z = p / c->base.size.width / c->base.size.height;

  return x == 0 || x == c->base.size.width - 1 || y == 0 || y == c->base.size.height - 1 ||
         (c->base.size.depth > 1 && (z == 0 || z == c->base.size.depth - 1));
}

/* Common markers: any image, the mask less a height, a few pixels or the border of the mask,
 * one pixel.
 */
static void
make_marker (Reconstruction *c)
{
  const Palette *palette = &c->base.palette;
  double         nothing = c->options.by == WF_BY_DILATION ? type_lowest (c->base.type)
                                                           : type_highest (c->base.type);
  double         height  = g_test_rand_bit () ? 1 : fabs (palette->level[palette->n - 1] -
                                                          palette->level[0]) / 2;
  int            rarity  = g_test_rand_int_range (2, 60);
  int            kind    = g_test_rand_int_range (0, 5);
  gint64         chosen  = g_test_rand_int_range (0, c->base.n);

  if (kind == 0)
    random_content (&c->base.size, palette, c->marker);
  if (! isfinite (height))
    height = 1;

  for (gint64 p = 0; p < c->base.n && kind > 0; p++)
    {
      if (kind == 1)
        c->marker[p] = shifted (c, c->base.image[p],
                                c->base.type == WF_TYPE_F32 ? height : floor (height));
      else if (kind == 2)
        c->marker[p] = g_test_rand_int_range (0, rarity) ? nothing : c->base.image[p];
      else if (kind == 3)
        c->marker[p] = is_on_border (c, p) ? c->base.image[p] : nothing;
      else
        c->marker[p] = p == chosen ? c->base.image[p] : nothing;
    }
}

static void
reconstruction_init (gpointer data)
{
  Reconstruction    *c      = data;
  g_autofree double *result = NULL;

  case_begin (&c->base, WF_OPERATION_RECONSTRUCT, &c->options, CASES_A_LARGE_ONE);
  c->options.by           = g_test_rand_bit () ? WF_BY_DILATION : WF_BY_EROSION;
  c->options.connectivity = random_connectivity (&c->base.size);
  c->options.algorithm    = random_algorithm (WF_OPERATION_RECONSTRUCT);
  case_draw (&c->base);
  c->marker = g_new (double, c->base.n);
  make_marker (c);

  result = g_new (double, c->base.n);
  (c->base.large ? ref_reconstruct_quick : ref_reconstruct) (&c->base.size,
                                                             c->options.connectivity,
                                                             c->options.by == WF_BY_EROSION,
                                                             c->base.image, c->marker, result);
  c->expected = pack_levels (c->base.type, result, c->base.n);
}

static void
reconstruction_clear (gpointer data)
{
  Reconstruction *c = data;

  g_free (c->marker);
  g_free (c->expected);
}

static void
append_marker (GString       *text,
               gconstpointer  data)
{
  const Reconstruction *c = data;

  append_levels (text, "marker", &c->base.size, c->marker);
}

static char *
find_input_fault (const Reconstruction *c,
                  const GuardedImage   *mask,
                  const GuardedImage   *marker,
                  Place                 place)
{
  char *fault = NULL;

  if (place != ON_MASK)
    fault = find_image_fault (&c->base, mask);
  if (! fault && place != ON_MARKER)
    fault = find_level_fault (marker, c->marker, "marker");
  return fault;
}

static char *
run_reconstruction (gconstpointer        data,
                    const Configuration *configuration,
                    gboolean            *refused)
{
  static const char *const  places[] = { "apart", "on the mask", "on the marker" };
  const Reconstruction     *c        = data;
  Place                     place    = g_test_rand_int_range (0, N_PLACES);
  g_autoptr (GuardedImage)  mask     = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                 c->base.image);
  g_autoptr (GuardedImage)  marker   = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                 c->marker);
  g_autoptr (GuardedImage)  apart    = guarded_image_new (c->base.type, &c->base.size,
                                                          g_test_rand_bit ());
  GuardedImage             *out      = place == ON_MASK ? mask
                                       : place == ON_MARKER ? marker : apart;
  g_autoptr (GError)        error    = NULL;
  g_autofree char          *fault    = NULL;
  gboolean                  done;

  done = wf_reconstruct (configuration->context, &mask->view, &marker->view, &out->view,
                         &c->options, &error);
  if (! done && is_refused_algorithm (c->options.algorithm, error) &&
      guarded_image_is_untouched (apart))
    {
      *refused = TRUE;
      return find_input_fault (c, mask, marker, APART);
    }
  fault = find_call_fault (done, error);
  if (! fault)
    fault = find_pixel_fault (out, c->expected, "output");
  if (! fault)
    fault = find_input_fault (c, mask, marker, place);
  if (! fault)
    fault = find_report_fault (&c->base, configuration);
  return fault ? g_strdup_printf ("output %s: %s", places[place], fault) : NULL;
}

void
run_reconstruction_cases (const Configurations *configurations,
                          guint                 n_cases)
{
  static const CaseKind kind =
  {
    .size                 = sizeof (Reconstruction),
    .needs_all_algorithms = TRUE,
    .init                 = reconstruction_init,
    .clear                = reconstruction_clear,
    .run                  = run_reconstruction,
    .append               = append_marker,
  };

  run_cases (&kind, configurations, NULL, n_cases);
}
