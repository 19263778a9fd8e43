/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "cases.h"
#include "guarded-image.h"
#include "random-image.h"

typedef struct
{
  WfType              type;
  RefSize             size;
  gint64              n;
  WfWatershedOptions  options;
  const char         *content;
  double             *image;
  guint32            *markers;
  guint32            *expected;
  guint32             n_basins;
  gboolean            large;
} Case;

/* A few pixels, many of them, a few blocks; labels dense or anywhere in 32 bits.
 * At least one pixel is marked.
 */
static void
make_markers (Case *c)
{
  gboolean dense     = g_test_rand_bit ();
  gboolean in_blocks = g_test_rand_int_range (0, 3) == 0;
  int      n_labels  = g_test_rand_int_range (1, 8);
  int      n_marks   = g_test_rand_int_range (0, 5) ? g_test_rand_int_range (1, 9)
                                                    : g_test_rand_int_range (1, (int) c->n + 1);

  c->markers = g_new0 (guint32, c->n);
  for (int i = 0; i < n_marks; i++)
    {
      gint64  first  = g_test_rand_int_range (0, c->n);
      gint64  length = in_blocks ? g_test_rand_int_range (1, 6) : 1;
      guint32 label  = g_test_rand_int_range (1, n_labels + 1);

      if (! dense)
        label = G_MAXUINT32 / label;
      for (gint64 p = first; p < MIN (first + length, c->n); p++)
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

static void
case_init (Case *c)
{
  RefWatershed options = { 0 };
  Palette      palette;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &c->options);
  c->type  = random_type ();
  c->large = g_test_rand_int_range (0, CASES_A_LARGE_ONE) == 0;
  if (c->large)
    random_large_size (&c->size);
  else
    random_size (&c->size);
  c->n = ref_n_pixels (&c->size);
  random_palette (c->type, &palette);
  c->image   = g_new (double, c->n);
  c->content = random_content (&c->size, &palette, c->image);

  c->options.connectivity = random_connectivity (&c->size);
  c->options.lines        = g_test_rand_bit ();
  c->options.last_index   = g_test_rand_bit ();
  c->options.algorithm    = random_algorithm (WF_OPERATION_WATERSHED);
  if (g_test_rand_bit ())
    make_markers (c);
  else
    c->options.tolerance = random_tolerance (c->type, &palette);

  options.connectivity = c->options.connectivity;
  options.tolerance    = c->options.tolerance;
  options.single       = c->type == WF_TYPE_F32;
  options.lines        = c->options.lines;
  options.last_index   = c->options.last_index;
  c->expected          = g_new (guint32, c->n);
  c->n_basins          = (c->large ? ref_watershed_quick : ref_watershed) (&c->size, c->image,
                                                                           c->markers, &options,
                                                                           c->expected);
}

static void
case_clear (Case *c)
{
  g_free (c->image);
  g_free (c->markers);
  g_free (c->expected);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static void
append_labels (GString       *text,
               const char    *title,
               const Case    *c,
               const guint32 *labels)
{
  g_autofree double *levels = g_new (double, c->n);

  for (gint64 p = 0; p < c->n; p++)
    levels[p] = labels[p];
  append_levels (text, title, &c->size, levels);
}

static void
report_failure (const Case          *c,
                const Configuration *configuration,
                const char          *what)
{
  const WfOptionGroup *group = wf_operation_get_options (WF_OPERATION_WATERSHED);
  g_autofree char     *where = configuration_describe (configuration);
  GString             *text  = g_string_new (NULL);

  g_string_append_printf (text,
                          "watershed of %s, %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT "×%"
                          G_GINT64_FORMAT " %s (%s",
                          c->content, c->size.width, c->size.height, c->size.depth,
                          wf_type_name (c->type), where);
  for (guint i = 0; i < group->n_options; i++)
    {
      g_autofree char *value = wf_option_format (&group->options[i], &c->options);

      g_string_append_printf (text, ", %s %s", group->options[i].name, value);
    }
  g_string_append_printf (text, "): %s", what);
  append_levels (text, "image", &c->size, c->image);
  if (c->markers)
    append_labels (text, "markers", c, c->markers);
  append_labels (text, "expected", c, c->expected);
  g_test_message ("%s", text->str);
  g_test_fail ();
  g_string_free (text, TRUE);
}

static gboolean
inputs_are_unchanged (const Case         *c,
                      const GuardedImage *image,
                      const GuardedImage *markers,
                      const GuardedImage *labels)
{
  g_autofree gpointer pixels = pack_levels (c->type, c->image, c->n);

  if (guarded_image_find_difference (image, pixels) >= 0 || ! guarded_image_is_guarded (image))
    return FALSE;
  return ! markers || markers == labels ||
         (guarded_image_find_difference (markers, c->markers) < 0 &&
          guarded_image_is_guarded (markers));
}

static Outcome
run_case (const Case          *c,
          const Configuration *configuration,
          gboolean             in_place)
{
  g_autoptr (GuardedImage)  image   = guarded_image_new_levels (c->type, &c->size, c->image);
  g_autoptr (GuardedImage)  apart   = guarded_image_new (WF_TYPE_U32, &c->size,
                                                         g_test_rand_bit ());
  g_autoptr (GuardedImage)  markers = NULL;
  GuardedImage             *labels  = apart;
  gboolean                  counted = g_test_rand_bit ();
  guint32                   count   = 12345;
  g_autoptr (GError)        error   = NULL;
  g_autofree char          *what    = NULL;
  gint64                    pixel;

  if (c->markers)
    markers = guarded_image_new_labels (&c->size, c->markers);
  if (markers && in_place)
    labels = markers;

  if (! wf_watershed (configuration->context, &image->view, markers ? &markers->view : NULL,
                      &labels->view, counted ? &count : NULL, &c->options, &error))
    {
      if (is_refused_algorithm (c->options.algorithm, error) &&
          guarded_image_is_untouched (apart) && count == 12345 &&
          inputs_are_unchanged (c, image, markers, NULL))
        return UNSUPPORTED;
      what = g_strdup (error ? error->message : "it failed without an error");
    }
  else if (error)
    what = g_strdup_printf ("it succeeded with an error: %s", error->message);
  else if ((pixel = guarded_image_find_difference (labels, c->expected)) >= 0)
    {
      g_autofree char *is = guarded_image_format_pixel (labels, pixel);

      what = g_strdup_printf ("label %" G_GINT64_FORMAT " is %s, should be %u",
                              pixel, is, c->expected[pixel]);
    }
  else if (counted && count != c->n_basins)
    what = g_strdup_printf ("%u basins are counted, should be %u", count, c->n_basins);
  else if (! guarded_image_is_guarded (labels))
    what = g_strdup ("bytes beside the labels changed");
  else if (! inputs_are_unchanged (c, image, markers, labels))
    what = g_strdup ("an input changed");
  else if (! configuration_report_is_sane (configuration, WF_OPERATION_WATERSHED,
                                           c->options.algorithm))
    what = g_strdup ("the context's report is wrong");

  if (! what)
    return EQUAL;
  report_failure (c, configuration, what);
  return DIFFERENT;
}

void
run_watershed_cases (const Configurations *configurations,
                     guint                 n_cases)
{
  g_autoptr (GHashTable) runs = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < n_cases; i++)
    {
      g_auto (Case) c = { 0 };

      case_init (&c);
      for (int k = 0; k < CONFIGURATIONS_A_CASE; k++)
        {
          const Configuration *configuration = c.large ? configurations_pick_coarse (configurations)
                                                       : configurations_pick (configurations);
          Outcome              outcome       = run_case (&c, configuration, g_test_rand_bit ());

          if (outcome == DIFFERENT)
            return;
          if (outcome == EQUAL)
            count_run (runs, c.options.algorithm);
        }
    }
  assert_algorithms_ran (configurations, WF_OPERATION_WATERSHED, runs);
}
