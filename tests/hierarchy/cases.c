/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "tests/support/cases.h"
#include "tests/support/random-case.h"
#include "tests/support/random-labels.h"

#define CUTS_A_CASE 6

typedef struct
{
  Case                base;
  WfHierarchyOptions  options;
  const char         *kind;       /* of labels */
  guint32            *labels;
  double             *mask;       /* or NULL */
  gboolean           *inside;
  guint32            *inner;      /* labels inside */
  gboolean            endless;    /* whether a level inside is infinite */
  RefHierarchy       *expected;
} Tree;


/*  Cases  */

/* Noise of some density, sometimes none or all; or all but a row and a column, a pixel wide, across
 * which lines could look.
 */
static void
draw_mask (Tree *c)
{
  const RefSize *size    = &c->base.size;
  const gboolean walls   = g_test_rand_bit ();
  const int      percent = g_test_rand_int_range (0, 12) * 10;
  const gint64   column  = g_test_rand_int_range (0, (gint32) size->width);
  const gint64   row     = g_test_rand_int_range (0, (gint32) size->height);

  c->mask = g_new0 (double, c->base.n);
  for (gint64 p = 0; p < c->base.n; p++)
    {
      const gboolean on = p % size->width == column || p / size->width % size->height == row;

      if (walls ? ! on : g_test_rand_int_range (0, 100) < percent)
        c->mask[p] = g_test_rand_int_range (1, 200);
    }
}

/* A label lies inside; infinite levels there, which are refused, are rare. */
static void
make_mask (Tree *c)
{
  const gboolean keeps = g_test_rand_int_range (0, 16) == 0;
  gint64         first = 0;

  draw_mask (c);
  while (c->labels[first] == 0)
    first++;
  c->mask[first] = 1;
  c->inside = g_new (gboolean, c->base.n);
  c->inner  = g_new (guint32, c->base.n);
  for (gint64 p = 0; p < c->base.n; p++)
    {
      c->inside[p] = c->mask[p] != 0;
      c->inner[p]  = c->inside[p] ? c->labels[p] : 0;
      if (! c->inside[p] || ! isinf (c->base.image[p]))
        continue;
      c->endless |= keeps;
      if (! keeps)
        c->base.image[p] = 0;
    }
}

static void
tree_init (gpointer data)
{
  Tree          *c      = data;
  const gboolean masked = c->base.given != NULL;

  case_begin (&c->base, WF_OPERATION_HIERARCHY, &c->options, 0);
  if (g_test_rand_int_range (0, 2 * CASES_A_LARGE_ONE) == 0)
    c->base.size = (RefSize) { 40 + g_test_rand_int_range (0, 60), 30, 1 };
  case_draw (&c->base);
  c->labels = g_new0 (guint32, c->base.n);
  c->kind   = random_basins (&c->base.size, c->base.type, c->base.image, c->labels);

  c->options.connectivity = random_connectivity (&c->base.size);
  c->options.measure      = g_test_rand_int_range (0, 3);
  c->options.algorithm    = random_algorithm (WF_OPERATION_HIERARCHY);
  if (masked)
    make_mask (c);
  ref_limit (c->inside);
  c->expected             = ref_hierarchy_new (&c->base.size, c->options.connectivity,
                                               (RefMeasure) c->options.measure, c->base.image,
                                               c->mask ? c->inner : c->labels);
  ref_limit (NULL);
}

static void
tree_clear (gpointer data)
{
  Tree *c = data;

  g_free (c->labels);
  g_free (c->mask);
  g_free (c->inside);
  g_free (c->inner);
  ref_hierarchy_free (c->expected);
}

static void
append_merges (GString       *text,
               gconstpointer  data)
{
  const Tree *c = data;

  append_labels (text, c->kind, &c->base.size, c->labels);
  for (gint64 p = 0; c->mask && p < c->base.n; p++)
    g_string_append_printf (text, "%s%d", p == 0 ? "\nmask: " : " ", c->inside[p]);
  g_string_append (text, "\nmerges:");
  for (guint32 i = 0; i + 1 < c->expected->n_basins; i++)
    g_string_append_printf (text, " %u–%u at %.17g,", c->expected->from[i], c->expected->to[i],
                            c->expected->depths[i]);
}


/*  Devices  */

static gboolean
is_on_gpu (const Configuration *configuration)
{
  return configuration->device && strcmp (configuration->device, "cpu") != 0;
}

/* A GPU only builds the tree, if the algorithm is requested by name. */
static WfHierarchy *
build (const Tree           *c,
       const Configuration  *configuration,
       const WfImage        *image,
       const WfImage        *labels,
       const WfImage        *mask,
       GError              **error)
{
  WfHierarchyOptions options = c->options;

  if (is_on_gpu (configuration))
    options.algorithm = "boundaries";
  return mask ? wf_hierarchy_new_masked (configuration->context, image, labels, mask, &options,
                                         error)
              : wf_hierarchy_new (configuration->context, image, labels, &options, error);
}

static WfContext *
context_of_images (const Configuration *configuration)
{
  return is_on_gpu (configuration) ? NULL : configuration->context;
}


/*  Faults: what is wrong, or NULL  */

static char *
check_basins (const Tree        *c,
              const WfHierarchy *hierarchy)
{
  guint32 n = wf_hierarchy_get_n_basins (hierarchy);

  if (n != c->expected->n_basins)
    return g_strdup_printf ("%u basins are counted, should be %u", n, c->expected->n_basins);
  for (guint32 i = 0; i < n; i++)
    if (wf_hierarchy_get_label (hierarchy, i) != c->expected->labels[i])
      return g_strdup_printf ("basin %u has the label %u, should have %u", i,
                              wf_hierarchy_get_label (hierarchy, i), c->expected->labels[i]);
  for (guint32 i = 1; i <= n; i++)
    {
      double is     = wf_hierarchy_get_depth (hierarchy, i);
      double should = i < n ? c->expected->depths[n - i - 1] : 0;

      if (is != should)
        return g_strdup_printf ("for %u regions the depth is %.17g, should be %.17g", i, is,
                                should);
    }
  return NULL;
}

static char *
compare_regions (const Tree    *c,
                 const char    *how,
                 guint32        n_merges,
                 guint32        count,
                 const guint32 *regions)
{
  guint32              n        = c->expected->n_basins;
  g_autofree guint32  *expected = g_new (guint32, n);

  n_merges = MIN (n_merges, n - c->expected->n_parts);
  if (ref_hierarchy_cut (c->expected, n_merges, expected) != count)
    return g_strdup_printf ("%s gives %u regions, should give %u", how, count, n - n_merges);
  for (guint32 i = 0; i < n; i++)
    if (regions[i] != expected[i])
      return g_strdup_printf ("%s puts basin %u into region %u, should put it into %u", how, i,
                              regions[i], expected[i]);
  return NULL;
}

/* A depth near one that occurs, or any other. */
static double
random_depth (const Tree *c)
{
  guint32 n     = c->expected->n_basins;
  double  depth = n > 1 ? c->expected->depths[g_test_rand_int_range (0, (gint32) n - 1)] : 1;

  switch (g_test_rand_int_range (0, 10))
    {
    case 0:
      return 0;
    case 1:
      return -1;
    case 2:
      return NAN;
    case 3:
      return g_test_rand_bit () ? INFINITY : -INFINITY;
    case 4:
    case 5:
      return nextafter (depth, 0);
    case 6:
      return nextafter (depth, INFINITY);
    default:
      return depth;
    }
}

/* Compares the map of a cut with its regions; one of labels that are far apart has no place. */
static char *
check_map (const Tree        *c,
           const WfHierarchy *hierarchy,
           guint32            wished,
           const guint32     *regions)
{
  const guint32        n       = c->expected->n_basins;
  const guint32       *labels  = c->expected->labels;
  const gsize          highest = wf_hierarchy_get_highest_label (hierarchy);
  g_autofree guint32  *map     = NULL;
  g_autofree guint32  *firsts  = g_new0 (guint32, n + 1);

  if (highest > G_MAXUINT16)
    return NULL;
  map = g_new (guint32, highest + 1);
  if (! wf_hierarchy_get_map (hierarchy, wished, map, highest + 1, NULL))
    return g_strdup ("there is no map of a cut");
  for (guint32 i = 0; i < n; i++)
    {
      if (firsts[regions[i]] == 0)
        firsts[regions[i]] = labels[i];
      if (map[labels[i]] != firsts[regions[i]])
        return g_strdup_printf ("the map of a cut to %u gives label %u %u, should give it %u",
                                wished, labels[i], map[labels[i]], firsts[regions[i]]);
    }
  return NULL;
}

static char *
check_cut (const Tree        *c,
           const WfHierarchy *hierarchy,
           guint32           *regions)
{
  guint32 n        = c->expected->n_basins;
  guint32 wished   = g_test_rand_int_range (1, (gint32) n + 3);
  double  depth    = random_depth (c);
  guint32 n_merges = 0;
  guint32 count;
  char   *what;

  while (n_merges + 1 < n && c->expected->depths[n_merges] <= depth)
    n_merges++;
  count = wf_hierarchy_cut_at_depth (hierarchy, depth, regions);
  what  = compare_regions (c, "a cut at a depth", n_merges, count, regions);
  if (what)
    return what;
  if (wf_hierarchy_cut_at_depth (hierarchy, depth, NULL) != count)
    return g_strdup ("regions are counted otherwise than they are made");

  count = wf_hierarchy_cut_to_count (hierarchy, wished, regions);
  if (wf_hierarchy_cut_to_count (hierarchy, wished, NULL) != count)
    return g_strdup ("regions are counted otherwise than they are made");
  what = compare_regions (c, "a cut to a count", wished < n ? n - wished : 0, count, regions);
  return what ? what : check_map (c, hierarchy, wished, regions);
}

static char *
check_relabel (const Tree          *c,
               const Configuration *configuration,
               const WfHierarchy   *hierarchy,
               const guint32       *regions,
               GuardedImage        *labels,
               const WfImage       *mask,
               gboolean             in_place)
{
  g_autoptr (GuardedImage)  apart    = guarded_image_new (WF_TYPE_U32, &c->base.size,
                                                          g_test_rand_bit ());
  GuardedImage             *out      = in_place ? labels : apart;
  g_autofree guint32       *expected = g_new (guint32, c->base.n);
  g_autoptr (GError)        error    = NULL;
  gboolean                  done;
  char                     *what;

  done = mask ? wf_hierarchy_relabel_masked (context_of_images (configuration), hierarchy, regions,
                                             &labels->view, mask, &out->view, &error)
              : wf_hierarchy_relabel (context_of_images (configuration), hierarchy, regions,
                                      &labels->view, &out->view, &error);
  if (! done)
    return g_strdup (error->message);
  ref_limit (c->inside);
  ref_hierarchy_relabel (c->expected, regions, mask ? c->inner : c->labels, expected);
  ref_limit (NULL);
  what = find_pixel_fault (out, expected, "partition");
  if (in_place)
    guarded_image_write (labels, c->labels);
  return what;
}

static char *
check_saliency (const Tree          *c,
                const Configuration *configuration,
                const WfHierarchy   *hierarchy,
                const GuardedImage  *labels,
                const WfImage       *mask)
{
  WfType                    type     = g_test_rand_bit () ? WF_TYPE_F32 : WF_TYPE_F64;
  g_autoptr (GuardedImage)  out      = guarded_image_new (type, &c->base.size, g_test_rand_bit ());
  g_autofree double        *expected = g_new (double, c->base.n);
  g_autoptr (GError)        error    = NULL;
  gboolean                  done;

  done = mask ? wf_hierarchy_saliency_masked (context_of_images (configuration), hierarchy,
                                              &labels->view, mask, &out->view, &error)
              : wf_hierarchy_saliency (context_of_images (configuration), hierarchy, &labels->view,
                                       &out->view, &error);
  if (! done)
    return g_strdup (error->message);
  ref_limit (c->inside);
  ref_hierarchy_saliency (c->expected, mask ? c->inner : c->labels, expected);
  ref_limit (NULL);
  for (gint64 p = 0; p < c->base.n && type == WF_TYPE_F32; p++)
    {
      float least = (float) expected[p];

      while ((double) least < expected[p])
        least = nextafterf (least, INFINITY);
      expected[p] = least;
    }
  return find_level_fault (out, expected, "saliency map");
}

static char *
check_report (const Configuration *configuration)
{
  const WfReport *report;

  if (! configuration->context)
    return NULL;
  report = wf_context_get_report (configuration->context);
  if (g_strcmp0 (report->device, configuration->device) != 0 || ! report->algorithm ||
      report->threads < 1 ||
      (configuration->threads > 0 && report->threads > (guint) configuration->threads))
    return g_strdup ("the context's report is wrong");
  return NULL;
}

static WfType
random_mask_type (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_U32, WF_TYPE_F32 };

  return types[g_test_rand_int_range (0, G_N_ELEMENTS (types))];
}

static char *
run_tree (gconstpointer        data,
          const Configuration *configuration,
          gboolean            *refused)
{
  const Tree               *c         = data;
  g_autoptr (GuardedImage)  image     = guarded_image_new_levels (c->base.type, &c->base.size,
                                                                  c->base.image);
  g_autoptr (GuardedImage)  labels    = guarded_image_new_labels (&c->base.size, c->labels);
  g_autoptr (GuardedImage)  marks     = NULL;
  const WfImage            *mask      = NULL;
  g_autofree guint32       *regions   = g_new0 (guint32, c->expected->n_basins);
  g_autoptr (WfHierarchy)   hierarchy = NULL;
  g_autoptr (GError)        error     = NULL;
  char                     *fault;

  if (c->mask)
    {
      marks = guarded_image_new_levels (random_mask_type (), &c->base.size, c->mask);
      mask  = &marks->view;
    }
  hierarchy = build (c, configuration, &image->view, &labels->view, mask, &error);
  if (c->endless)
    return ! hierarchy && g_error_matches (error, WF_ERROR, WF_ERROR_UNSUPPORTED)
           ? NULL : g_strdup ("an infinite level inside the mask is not refused");
  fault = find_call_fault (hierarchy != NULL, error);
  if (! fault)
    fault = check_basins (c, hierarchy);
  for (int i = 0; i < CUTS_A_CASE && ! fault; i++)
    {
      fault = check_cut (c, hierarchy, regions);
      if (! fault && i < 2)
        fault = check_relabel (c, configuration, hierarchy, regions, labels, mask, i == 1);
    }
  if (! fault)
    fault = check_saliency (c, configuration, hierarchy, labels, mask);
  if (! fault)
    fault = find_image_fault (&c->base, image);
  if (! fault)
    fault = find_pixel_fault (labels, c->labels, "labels");
  if (! fault)
    fault = check_report (configuration);
  return fault;
}

static const CaseKind kind =
{
  .size   = sizeof (Tree),
  .init   = tree_init,
  .clear  = tree_clear,
  .run    = run_tree,
  .append = append_merges,
};

void
run_hierarchy_cases (const Configurations *configurations,
                     guint                 n_cases)
{
  run_cases (&kind, configurations, NULL, n_cases);
}

void
run_masked_hierarchy_cases (const Configurations *configurations,
                            guint                 n_cases)
{
  static const gboolean masked = TRUE;

  run_cases (&kind, configurations, &masked, n_cases);
}
