/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The description of options, and the parsing, formatting, defaults and checks derived from it,
 * for every option of every group.
 */

#include <math.h>
#include <string.h>

#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

#define N_GROUPS (WF_N_OPERATIONS + 1)

/* The structs that the groups describe. */
typedef union
{
  WfReconstructOptions reconstruct;
  WfDistanceOptions    distance;
  WfWatershedOptions   watershed;
  WfLabelOptions       label;
  WfHierarchyOptions   hierarchy;
  WfMorphologyOptions  morphology;
  WfFilterOptions      filter;
  WfAttributeOptions   attribute;
  WfGeodesicOptions    geodesic;
  WfLabelToolOptions   label_tool;
  WfContextOptions     context;
  guint8               bytes[256];
} Options;

static const WfOptionGroup *
group_at (guint i)
{
  return i < WF_N_OPERATIONS ? wf_operation_get_options ((WfOperation) i)
                             : wf_context_get_options ();
}

static const WfOption *
find (guint       group,
      const char *name)
{
  const WfOption *option = wf_option_group_find (group_at (group), name);

  g_assert_nonnull (option);
  return option;
}

/* The names that scripts use, written out: they must not change. */
static const struct
{
  const char *name;
  gsize       size;
} groups[N_GROUPS] =
{
  [WF_OPERATION_RECONSTRUCT]     = { "reconstruct", sizeof (WfReconstructOptions) },
  [WF_OPERATION_DISTANCE]        = { "distance", sizeof (WfDistanceOptions) },
  [WF_OPERATION_WATERSHED]       = { "watershed", sizeof (WfWatershedOptions) },
  [WF_OPERATION_LABEL]           = { "label", sizeof (WfLabelOptions) },
  [WF_OPERATION_HIERARCHY]       = { "hierarchy", sizeof (WfHierarchyOptions) },
  [WF_OPERATION_FILL_HOLES]      = { "fill-holes", sizeof (WfMorphologyOptions) },
  [WF_OPERATION_CLEAR_BORDER]    = { "clear-border", sizeof (WfMorphologyOptions) },
  [WF_OPERATION_H_MAXIMA]        = { "h-maxima", sizeof (WfMorphologyOptions) },
  [WF_OPERATION_H_MINIMA]        = { "h-minima", sizeof (WfMorphologyOptions) },
  [WF_OPERATION_H_DOME]          = { "h-dome", sizeof (WfMorphologyOptions) },
  [WF_OPERATION_H_BASIN]         = { "h-basin", sizeof (WfMorphologyOptions) },
  [WF_OPERATION_REGIONAL_MAXIMA] = { "regional-maxima", sizeof (WfMorphologyOptions) },
  [WF_OPERATION_REGIONAL_MINIMA] = { "regional-minima", sizeof (WfMorphologyOptions) },
  [WF_OPERATION_EXTENDED_MAXIMA] = { "extended-maxima", sizeof (WfMorphologyOptions) },
  [WF_OPERATION_EXTENDED_MINIMA] = { "extended-minima", sizeof (WfMorphologyOptions) },
  [WF_OPERATION_OPENING_BY_RECONSTRUCTION] = { "opening-by-reconstruction",
                                                sizeof (WfMorphologyOptions) },
  [WF_OPERATION_CLOSING_BY_RECONSTRUCTION] = { "closing-by-reconstruction",
                                                sizeof (WfMorphologyOptions) },
  [WF_OPERATION_WHITE_TOP_HAT_BY_RECONSTRUCTION] = { "white-top-hat-by-reconstruction",
                                                      sizeof (WfMorphologyOptions) },
  [WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION] = { "black-top-hat-by-reconstruction",
                                                      sizeof (WfMorphologyOptions) },
  [WF_OPERATION_IMPOSE_MINIMA]   = { "impose-minima", sizeof (WfMorphologyOptions) },
  [WF_OPERATION_GAUSSIAN]        = { "gaussian", sizeof (WfFilterOptions) },
  [WF_OPERATION_GRADIENT]        = { "gradient", sizeof (WfFilterOptions) },
  [WF_OPERATION_AREA_OPENING]    = { "area-opening", sizeof (WfAttributeOptions) },
  [WF_OPERATION_AREA_CLOSING]    = { "area-closing", sizeof (WfAttributeOptions) },
  [WF_OPERATION_HEIGHT_OPENING]  = { "height-opening", sizeof (WfAttributeOptions) },
  [WF_OPERATION_HEIGHT_CLOSING]  = { "height-closing", sizeof (WfAttributeOptions) },
  [WF_OPERATION_VOLUME_OPENING]  = { "volume-opening", sizeof (WfAttributeOptions) },
  [WF_OPERATION_VOLUME_CLOSING]  = { "volume-closing", sizeof (WfAttributeOptions) },
  [WF_OPERATION_EROSION]         = { "erosion", sizeof (WfFilterOptions) },
  [WF_OPERATION_DILATION]        = { "dilation", sizeof (WfFilterOptions) },
  [WF_OPERATION_OPENING]         = { "opening", sizeof (WfFilterOptions) },
  [WF_OPERATION_CLOSING]         = { "closing", sizeof (WfFilterOptions) },
  [WF_OPERATION_MEDIAN]          = { "median", sizeof (WfFilterOptions) },
  [WF_OPERATION_THRESHOLD]       = { "threshold", sizeof (WfThresholdOptions) },
  [WF_OPERATION_GEODESIC_DISTANCE] = { "geodesic-distance", sizeof (WfGeodesicOptions) },
  [WF_OPERATION_WHITE_TOP_HAT]   = { "white-top-hat", sizeof (WfFilterOptions) },
  [WF_OPERATION_BLACK_TOP_HAT]   = { "black-top-hat", sizeof (WfFilterOptions) },
  [WF_OPERATION_REMOVE_SMALL]    = { "remove-small", sizeof (WfLabelToolOptions) },
  [WF_OPERATION_KEEP_LARGEST]    = { "keep-largest", sizeof (WfLabelToolOptions) },
  [WF_OPERATION_EXPAND_LABELS]   = { "expand-labels", sizeof (WfLabelToolOptions) },
  [WF_OPERATION_RELABEL]         = { "relabel", sizeof (WfLabelToolOptions) },
  [WF_N_OPERATIONS]              = { "context", sizeof (WfContextOptions) },
};

static void
test_descriptions (void)
{
  for (guint i = 0; i < N_GROUPS; i++)
    {
      const WfOptionGroup *group = group_at (i);

      g_assert_cmpstr (group->name, ==, groups[i].name);
      g_assert_cmpuint (group->size, ==, groups[i].size);
      g_assert_cmpuint (strlen (group->title), >, 0);
      g_assert_cmpuint (strlen (group->blurb), >, 0);
      g_assert_cmpuint (group->n_options, >, 0);
      g_assert_null (wf_option_group_find (group, ""));
      g_assert_null (wf_option_group_find (group, "no-such-option"));
    }
}

static void
assert_described (const WfOptionGroup *group,
                  const WfOption      *option,
                  GHashTable          *mnemonics)
{
  const char *mark = strchr (option->label, '_');

  g_test_message ("%s: %s", group->name, option->name);
  g_assert_true (wf_option_group_find (group, option->name) == option);
  for (const char *c = option->name; *c; c++)
    g_assert_true (g_ascii_islower (*c) || *c == '-');
  g_assert_cmpuint (option->offset, <, group->size);
  g_assert_cmpuint (strlen (option->blurb), >, 0);

  /* Each label has one mnemonic, different from the others in a dialog. */
  g_assert_nonnull (mark);
  g_assert_null (strchr (mark + 1, '_'));
  g_assert_true (g_hash_table_add (mnemonics, GINT_TO_POINTER (g_ascii_tolower (mark[1]))));

  if (option->kind == WF_OPTION_CHOICE || option->kind == WF_OPTION_NAME)
    {
      g_assert_nonnull (option->choices);
      for (const WfChoice *choice = option->choices; choice->name; choice++)
        g_assert_cmpuint (strlen (choice->label), >, 0);
    }
}

/* Mnemonics of an operation differ from those of the context, because a dialog shows both. */
static void
test_options_described (void)
{
  for (guint i = 0; i < WF_N_OPERATIONS; i++)
    {
      g_autoptr (GHashTable)  mnemonics = g_hash_table_new (NULL, NULL);
      const WfOptionGroup    *context   = wf_context_get_options ();

      for (guint k = 0; k < group_at (i)->n_options; k++)
        assert_described (group_at (i), &group_at (i)->options[k], mnemonics);
      for (guint k = 0; k < context->n_options; k++)
        assert_described (context, &context->options[k], mnemonics);
    }
}

static void
test_defaults (void)
{
  Options o;

  memset (&o, 0x55, sizeof o);
  wf_option_group_init (group_at (WF_OPERATION_RECONSTRUCT), &o);
  g_assert_cmpint (o.reconstruct.by, ==, WF_BY_DILATION);
  g_assert_cmpint (o.reconstruct.connectivity, ==, 0);
  g_assert_cmpstr (o.reconstruct.algorithm, ==, "auto");
  g_assert_cmpint (o.bytes[sizeof o.reconstruct], ==, 0x55);

  memset (&o, 0x55, sizeof o);
  wf_option_group_init (group_at (WF_OPERATION_DISTANCE), &o);
  g_assert_cmpint (o.distance.metric, ==, WF_METRIC_EUCLIDEAN);
  g_assert_true (isnan (o.distance.threshold));
  g_assert_false (o.distance.border_background);
  for (int axis = 0; axis < 3; axis++)
    g_assert_cmpfloat (o.distance.spacing[axis], ==, 1);
  g_assert_cmpint (o.distance.connectivity, ==, 0);
  g_assert_cmpstr (o.distance.algorithm, ==, "auto");
  g_assert_cmpint (o.bytes[sizeof o.distance], ==, 0x55);

  memset (&o, 0x55, sizeof o);
  wf_option_group_init (group_at (WF_OPERATION_WATERSHED), &o);
  g_assert_cmpfloat (o.watershed.tolerance, ==, 0);
  g_assert_false (o.watershed.lines);
  g_assert_false (o.watershed.last_index);
  g_assert_cmpint (o.watershed.connectivity, ==, 0);
  g_assert_cmpstr (o.watershed.algorithm, ==, "auto");
  g_assert_cmpfloat (o.watershed.smoothing, ==, 0);
  g_assert_cmpint (o.watershed.gradient, ==, 0);

  memset (&o, 0x55, sizeof o);
  wf_option_group_init (group_at (WF_OPERATION_GAUSSIAN), &o);
  g_assert_cmpfloat (o.filter.sigma, ==, 1);
  g_assert_cmpstr (o.filter.algorithm, ==, "auto");
  g_assert_cmpint (o.bytes[sizeof o.filter], ==, 0x55);

  memset (&o, 0x55, sizeof o);
  wf_option_group_init (group_at (WF_OPERATION_GRADIENT), &o);
  g_assert_cmpint (o.filter.element, ==, WF_ELEMENT_SQUARE);
  g_assert_cmpint (o.filter.radius, ==, 1);
  g_assert_cmpstr (o.filter.algorithm, ==, "auto");

  /* Operations by reconstruction share one struct; each sets its fields, and nothing beyond it. */
  for (int i = 0; i < WF_N_OPERATIONS; i++)
    if (wf_operation_describe ((WfOperation) i)->flags & WF_WORKS_BY_RECONSTRUCTION)
      {
        gboolean heights  = wf_option_group_find (group_at (i), "height") != NULL;
        gboolean elements = wf_option_group_find (group_at (i), "radius") != NULL;

        memset (&o, 0x55, sizeof o);
        wf_option_group_init (group_at (i), &o);
        g_assert_cmpint (o.morphology.connectivity, ==, 0);
        g_assert_cmpstr (o.morphology.algorithm, ==, "auto");
        g_assert_true (! heights || isnan (o.morphology.height));
        g_assert_true (! elements || o.morphology.radius == 1);
        g_assert_true (! elements || o.morphology.element == WF_ELEMENT_SQUARE);
        g_assert_cmpint (o.bytes[sizeof o.morphology], ==, 0x55);
      }

  memset (&o, 0x55, sizeof o);
  wf_option_group_init (group_at (WF_OPERATION_REMOVE_SMALL), &o);
  g_assert_true (isnan (o.label_tool.area));
  g_assert_cmpstr (o.label_tool.algorithm, ==, "auto");
  g_assert_cmpint (o.bytes[sizeof o.label_tool], ==, 0x55);
  wf_option_group_init (group_at (WF_OPERATION_KEEP_LARGEST), &o);
  g_assert_cmpint (o.label_tool.count, ==, 1);
  wf_option_group_init (group_at (WF_OPERATION_EXPAND_LABELS), &o);
  g_assert_true (isnan (o.label_tool.distance));

  memset (&o, 0x55, sizeof o);
  wf_option_group_init (wf_context_get_options (), &o);
  g_assert_cmpstr (o.context.device, ==, "auto");
  g_assert_cmpint (o.context.threads, ==, 0);
  g_assert_cmpint (o.context.tile_size, ==, 0);
}

static void
test_defaults_pass (void)
{
  for (guint i = 0; i < N_GROUPS; i++)
    {
      Options o;
      GError *error = NULL;

      wf_option_group_init (group_at (i), &o);
      g_assert_true (wf_option_group_check (group_at (i), &o, &error));
      g_assert_no_error (error);
    }
}


/*  Text to value and back  */

/* Parses @text and formats the value, which must give @canonical, or @text if that is NULL. */
static void
assert_parses (guint       group,
               const char *name,
               const char *text,
               const char *canonical)
{
  const WfOption  *option = find (group, name);
  GError          *error  = NULL;
  g_autofree char *first  = NULL;
  g_autofree char *second = NULL;
  Options          a;
  Options          b;

  wf_option_group_init (group_at (group), &a);
  wf_option_group_init (group_at (group), &b);
  g_assert_true (wf_option_parse (option, &a, text, &error));
  g_assert_no_error (error);
  g_assert_true (wf_option_group_check (group_at (group), &a, &error));
  g_assert_no_error (error);

  first = wf_option_format (option, &a);
  g_assert_cmpstr (first, ==, canonical ? canonical : text);
  if (*first)
    {
      g_assert_true (wf_option_parse (option, &b, first, &error));
      g_assert_no_error (error);
      second = wf_option_format (option, &b);
      g_assert_cmpstr (first, ==, second);
    }
}

/* @text must be refused without changing a byte of the struct. */
static void
assert_does_not_parse (guint       group,
                       const char *name,
                       const char *text)
{
  Options before;
  Options after;

  memset (&before, 0, sizeof before);
  wf_option_group_init (group_at (group), &before);
  after = before;
  g_test_message ("%s: %s", name, text);
  assert_refused (wf_option_parse (find (group, name), &after, text, &refusal), WF_ERROR_INVALID);
  g_assert_cmpmem (&before, sizeof before, &after, sizeof after);
  g_assert_false (wf_option_parse (find (group, name), &after, text, NULL));
}

/* Parses every choice of every option, and texts that no option accepts. */
static void
test_choices (void)
{
  for (guint i = 0; i < N_GROUPS; i++)
    for (guint k = 0; k < group_at (i)->n_options; k++)
      {
        const WfOption *option = &group_at (i)->options[k];

        if (option->kind == WF_OPTION_CHOICE || option->kind == WF_OPTION_NAME)
          for (const WfChoice *choice = option->choices; choice->name; choice++)
            assert_parses (i, option->name, choice->name, NULL);

        assert_does_not_parse (i, option->name, "");
        assert_does_not_parse (i, option->name, "no such value");
        assert_does_not_parse (i, option->name, "nan");
        assert_does_not_parse (i, option->name, "inf");
        assert_does_not_parse (i, option->name, "AUTO");
      }
}

/* The names that scripts use, written out: they must not change. */
static void
test_names_kept (void)
{
  Options o;

  wf_option_group_init (group_at (WF_OPERATION_RECONSTRUCT), &o);
  g_assert_true (wf_option_parse (find (WF_OPERATION_RECONSTRUCT, "by"), &o, "erosion", NULL));
  g_assert_cmpint (o.reconstruct.by, ==, WF_BY_EROSION);
  g_assert_true (wf_option_parse (find (WF_OPERATION_RECONSTRUCT, "connectivity"), &o, "26", NULL));
  g_assert_cmpint (o.reconstruct.connectivity, ==, 26);
  g_assert_true (wf_option_parse (find (WF_OPERATION_RECONSTRUCT, "algorithm"), &o, "hybrid",
                                  NULL));
  g_assert_cmpstr (o.reconstruct.algorithm, ==, "hybrid");

  wf_option_group_init (group_at (WF_OPERATION_DISTANCE), &o);
  g_assert_true (wf_option_parse (find (WF_OPERATION_DISTANCE, "metric"), &o, "city-block", NULL));
  g_assert_cmpint (o.distance.metric, ==, WF_METRIC_CITY_BLOCK);
  g_assert_true (wf_option_parse (find (WF_OPERATION_DISTANCE, "metric"), &o, "chessboard", NULL));
  g_assert_cmpint (o.distance.metric, ==, WF_METRIC_CHESSBOARD);
  g_assert_true (wf_option_parse (find (WF_OPERATION_DISTANCE, "metric"), &o, "squared", NULL));
  g_assert_cmpint (o.distance.metric, ==, WF_METRIC_SQUARED);
  g_assert_true (wf_option_parse (find (WF_OPERATION_DISTANCE, "threshold"), &o, "-1.5", NULL));
  g_assert_cmpfloat (o.distance.threshold, ==, -1.5);
  g_assert_true (wf_option_parse (find (WF_OPERATION_DISTANCE, "border-background"), &o, "true",
                                  NULL));
  g_assert_true (o.distance.border_background);
  g_assert_true (wf_option_parse (find (WF_OPERATION_DISTANCE, "spacing"), &o, "0.1,2,3e-5", NULL));
  g_assert_cmpfloat (o.distance.spacing[0], ==, 0.1);
  g_assert_cmpfloat (o.distance.spacing[1], ==, 2);
  g_assert_cmpfloat (o.distance.spacing[2], ==, 3e-5);
  g_assert_true (wf_option_parse (find (WF_OPERATION_DISTANCE, "spacing"), &o, "4,5", NULL));
  g_assert_cmpfloat (o.distance.spacing[2], ==, 1);

  wf_option_group_init (group_at (WF_OPERATION_WATERSHED), &o);
  g_assert_true (wf_option_parse (find (WF_OPERATION_WATERSHED, "tolerance"), &o, "0.1", NULL));
  g_assert_cmpfloat (o.watershed.tolerance, ==, 0.1);
  g_assert_true (wf_option_parse (find (WF_OPERATION_WATERSHED, "lines"), &o, "yes", NULL));
  g_assert_true (o.watershed.lines);
  g_assert_true (wf_option_parse (find (WF_OPERATION_WATERSHED, "last-index"), &o, "1", NULL));
  g_assert_true (o.watershed.last_index);

  wf_option_group_init (group_at (WF_OPERATION_H_DOME), &o);
  g_assert_true (wf_option_parse (find (WF_OPERATION_H_DOME, "height"), &o, "2.5", NULL));
  g_assert_cmpfloat (o.morphology.height, ==, 2.5);

  wf_option_group_init (group_at (WF_OPERATION_OPENING_BY_RECONSTRUCTION), &o);
  g_assert_true (wf_option_parse (find (WF_OPERATION_OPENING_BY_RECONSTRUCTION, "element"), &o,
                                  "disc", NULL));
  g_assert_cmpint (o.morphology.element, ==, WF_ELEMENT_DISC);
  g_assert_true (wf_option_parse (find (WF_OPERATION_OPENING_BY_RECONSTRUCTION, "radius"), &o, "12",
                                  NULL));
  g_assert_cmpint (o.morphology.radius, ==, 12);

  wf_option_group_init (wf_context_get_options (), &o);
  g_assert_true (wf_option_parse (find (WF_N_OPERATIONS, "device"), &o, "cuda:3", NULL));
  g_assert_cmpstr (o.context.device, ==, "cuda:3");
  g_assert_true (wf_option_parse (find (WF_N_OPERATIONS, "threads"), &o, "7", NULL));
  g_assert_cmpint (o.context.threads, ==, 7);
  g_assert_true (wf_option_parse (find (WF_N_OPERATIONS, "tile-size"), &o, "512", NULL));
  g_assert_cmpint (o.context.tile_size, ==, 512);
}

static void
test_parse (void)
{
  static const char *const yes[] = { "true", "yes", "1" };
  static const char *const no[]  = { "false", "no", "0" };

  for (guint i = 0; i < G_N_ELEMENTS (yes); i++)
    {
      assert_parses (WF_OPERATION_WATERSHED, "lines", yes[i], "true");
      assert_parses (WF_OPERATION_WATERSHED, "lines", no[i], "false");
      assert_parses (WF_OPERATION_DISTANCE, "border-background", yes[i], "true");
    }
  assert_parses (WF_OPERATION_WATERSHED, "tolerance", "0", NULL);
  assert_parses (WF_OPERATION_WATERSHED, "tolerance", "0.1", NULL);
  assert_parses (WF_OPERATION_WATERSHED, "tolerance", "1e300", "1e+300");
  assert_parses (WF_OPERATION_DISTANCE, "threshold", "-3.25", NULL);
  assert_parses (WF_OPERATION_DISTANCE, "spacing", "0.5,0.25,2", NULL);
  assert_parses (WF_OPERATION_DISTANCE, "spacing", "0.5,0.25", "0.5,0.25,1");
  assert_parses (WF_OPERATION_EXTENDED_MINIMA, "height", "0", NULL);
  assert_parses (WF_OPERATION_CLOSING_BY_RECONSTRUCTION, "radius", "0", NULL);
  assert_parses (WF_OPERATION_CLOSING_BY_RECONSTRUCTION, "radius", "1048576", NULL);
  assert_parses (WF_OPERATION_REGIONAL_MAXIMA, "algorithm", "plateaux", NULL);
  assert_parses (WF_N_OPERATIONS, "device", "auto", NULL);
  assert_parses (WF_N_OPERATIONS, "device", "cpu", NULL);
  assert_parses (WF_N_OPERATIONS, "device", "all", NULL);
  assert_parses (WF_N_OPERATIONS, "device", "cuda:0", NULL);
  assert_parses (WF_N_OPERATIONS, "threads", "0", NULL);
  assert_parses (WF_N_OPERATIONS, "threads", "4096", NULL);
  assert_parses (WF_N_OPERATIONS, "tile-size", "1", NULL);
  assert_parses (WF_N_OPERATIONS, "tile-size", "1048576", NULL);
}

static void
test_parse_refusals (void)
{
  assert_does_not_parse (WF_OPERATION_RECONSTRUCT, "connectivity", "5");
  assert_does_not_parse (WF_OPERATION_RECONSTRUCT, "connectivity", "0");
  assert_does_not_parse (WF_OPERATION_RECONSTRUCT, "connectivity", "8 ");
  assert_does_not_parse (WF_OPERATION_RECONSTRUCT, "algorithm", "envelope");
  assert_does_not_parse (WF_OPERATION_WATERSHED, "tolerance", "-1");
  assert_does_not_parse (WF_OPERATION_WATERSHED, "tolerance", "-1e-30");
  assert_does_not_parse (WF_OPERATION_WATERSHED, "tolerance", "1,5");
  assert_does_not_parse (WF_OPERATION_WATERSHED, "tolerance", "1e999");
  assert_does_not_parse (WF_OPERATION_WATERSHED, "tolerance", "0.5x");
  assert_does_not_parse (WF_OPERATION_WATERSHED, "lines", "2");
  assert_does_not_parse (WF_OPERATION_WATERSHED, "lines", "TRUE");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "threshold", "-inf");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "spacing", "1");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "spacing", "1,");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "spacing", ",1");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "spacing", "1,1,1,1");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "spacing", "1,0");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "spacing", "1,-1");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "spacing", "1,1e-101");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "spacing", "1,1,1e101");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "spacing", "1,1,nan");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "spacing", "1,1,inf");
  assert_does_not_parse (WF_OPERATION_DISTANCE, "spacing", "1;1");
  assert_does_not_parse (WF_OPERATION_H_MAXIMA, "height", "-1");
  assert_does_not_parse (WF_OPERATION_H_MAXIMA, "algorithm", "plateaux");
  assert_does_not_parse (WF_OPERATION_OPENING_BY_RECONSTRUCTION, "radius", "-1");
  assert_does_not_parse (WF_OPERATION_OPENING_BY_RECONSTRUCTION, "radius", "1048577");
  assert_does_not_parse (WF_OPERATION_OPENING_BY_RECONSTRUCTION, "element", "cube");
  assert_does_not_parse (WF_N_OPERATIONS, "device", "cuda");
  assert_does_not_parse (WF_N_OPERATIONS, "device", "cuda:");
  assert_does_not_parse (WF_N_OPERATIONS, "device", "cuda:-1");
  assert_does_not_parse (WF_N_OPERATIONS, "device", "cuda:1x");
  assert_does_not_parse (WF_N_OPERATIONS, "device", "cuda:10000000000000000000000");
  assert_does_not_parse (WF_N_OPERATIONS, "device", "gpu");
  assert_does_not_parse (WF_N_OPERATIONS, "device", "CPU");
  assert_does_not_parse (WF_N_OPERATIONS, "threads", "-1");
  assert_does_not_parse (WF_N_OPERATIONS, "threads", "4097");
  assert_does_not_parse (WF_N_OPERATIONS, "threads", "1.5");
  assert_does_not_parse (WF_N_OPERATIONS, "threads", "99999999999999999999");
  assert_does_not_parse (WF_N_OPERATIONS, "tile-size", "-1");
  assert_does_not_parse (WF_N_OPERATIONS, "tile-size", "1048577");
}

/* A level that is not set has no text. */
static void
test_unset_level (void)
{
  g_autofree char *text = NULL;
  Options          o;

  wf_option_group_init (group_at (WF_OPERATION_DISTANCE), &o);
  text = wf_option_format (find (WF_OPERATION_DISTANCE, "threshold"), &o);
  g_assert_cmpstr (text, ==, "");
}

/* Formatting and parsing a number gives the same number, bit for bit. */
static void
test_numbers_round_trip (void)
{
  for (int i = 0; i < 2000; i++)
    {
      const WfOption  *option = find (WF_OPERATION_DISTANCE, "spacing");
      g_autofree char *text   = NULL;
      Options          a;
      Options          b;

      wf_option_group_init (group_at (WF_OPERATION_DISTANCE), &a);
      wf_option_group_init (group_at (WF_OPERATION_DISTANCE), &b);
      for (int axis = 0; axis < 3; axis++)
        a.distance.spacing[axis] = ldexp (g_test_rand_double_range (0.5, 1),
                                          g_test_rand_int_range (-330, 330));
      text = wf_option_format (option, &a);
      g_assert_true (wf_option_parse (option, &b, text, NULL));
      g_assert_cmpmem (a.distance.spacing, sizeof a.distance.spacing,
                       b.distance.spacing, sizeof b.distance.spacing);
    }
}

/* Parsed names remain valid after the parsed text is freed. */
static void
test_names_outlive_text (void)
{
  char    *text = g_strdup ("cuda:7");
  Options  o;

  wf_option_group_init (wf_context_get_options (), &o);
  g_assert_true (wf_option_parse (find (WF_N_OPERATIONS, "device"), &o, text, NULL));
  memset (text, 'x', strlen (text));
  g_free (text);
  g_assert_cmpstr (o.context.device, ==, "cuda:7");

  wf_option_group_init (group_at (WF_OPERATION_RECONSTRUCT), &o);
  text = g_strdup ("hybrid");
  g_assert_true (wf_option_parse (find (WF_OPERATION_RECONSTRUCT, "algorithm"), &o, text, NULL));
  memset (text, 'x', strlen (text));
  g_free (text);
  g_assert_cmpstr (o.reconstruct.algorithm, ==, "hybrid");
}


/*  Checks of values set without parsing  */

#define assert_check_refuses(group, Type, field, value)                             \
  G_STMT_START                                                                      \
    {                                                                               \
      Type options;                                                                 \
                                                                                    \
      wf_option_group_init (group_at (group), &options);                            \
      options.field = (value);                                                      \
      assert_refused (wf_option_group_check (group_at (group), &options, &refusal), \
                      WF_ERROR_INVALID);                                            \
    }                                                                               \
  G_STMT_END

static void
test_check (void)
{
  assert_check_refuses (WF_OPERATION_RECONSTRUCT, WfReconstructOptions, by, 2);
  assert_check_refuses (WF_OPERATION_RECONSTRUCT, WfReconstructOptions, by, -1);
  assert_check_refuses (WF_OPERATION_RECONSTRUCT, WfReconstructOptions, connectivity, 7);
  assert_check_refuses (WF_OPERATION_RECONSTRUCT, WfReconstructOptions, connectivity, -4);
  assert_check_refuses (WF_OPERATION_RECONSTRUCT, WfReconstructOptions, algorithm, "magic");
  assert_check_refuses (WF_OPERATION_RECONSTRUCT, WfReconstructOptions, algorithm, "");

  assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, metric, 4);
  assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, metric, -1);
  assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, threshold, INFINITY);
  assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, threshold, -INFINITY);
  for (int axis = 0; axis < 3; axis++)
    {
      assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, spacing[axis], 0);
      assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, spacing[axis], -1);
      assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, spacing[axis], 1e-101);
      assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, spacing[axis], 1e101);
      assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, spacing[axis], NAN);
      assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, spacing[axis], INFINITY);
    }
  assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, connectivity, 1);
  assert_check_refuses (WF_OPERATION_DISTANCE, WfDistanceOptions, algorithm, "steepest");

  assert_check_refuses (WF_OPERATION_WATERSHED, WfWatershedOptions, tolerance, -0.5);
  assert_check_refuses (WF_OPERATION_WATERSHED, WfWatershedOptions, tolerance, NAN);
  assert_check_refuses (WF_OPERATION_WATERSHED, WfWatershedOptions, tolerance, INFINITY);
  assert_check_refuses (WF_OPERATION_WATERSHED, WfWatershedOptions, connectivity, 12);
  assert_check_refuses (WF_OPERATION_WATERSHED, WfWatershedOptions, algorithm, "hybrid");

  assert_check_refuses (WF_OPERATION_WATERSHED, WfWatershedOptions, smoothing, -0.5);
  assert_check_refuses (WF_OPERATION_WATERSHED, WfWatershedOptions, smoothing, 256.5);
  assert_check_refuses (WF_OPERATION_WATERSHED, WfWatershedOptions, smoothing, NAN);
  assert_check_refuses (WF_OPERATION_WATERSHED, WfWatershedOptions, gradient, -1);
  assert_check_refuses (WF_OPERATION_WATERSHED, WfWatershedOptions, gradient, (1 << 20) + 1);

  assert_check_refuses (WF_OPERATION_GAUSSIAN, WfFilterOptions, sigma, -0.5);
  assert_check_refuses (WF_OPERATION_GAUSSIAN, WfFilterOptions, sigma, 256.5);
  assert_check_refuses (WF_OPERATION_GAUSSIAN, WfFilterOptions, sigma, NAN);
  assert_check_refuses (WF_OPERATION_GAUSSIAN, WfFilterOptions, algorithm, "windows");
  assert_check_refuses (WF_OPERATION_GRADIENT, WfFilterOptions, radius, -1);
  assert_check_refuses (WF_OPERATION_GRADIENT, WfFilterOptions, element, 2);
  assert_check_refuses (WF_OPERATION_GRADIENT, WfFilterOptions, algorithm, "separable");
  assert_check_refuses (WF_OPERATION_EROSION, WfFilterOptions, element, 3);
  assert_check_refuses (WF_OPERATION_DILATION, WfFilterOptions, angle, 181);
  assert_check_refuses (WF_OPERATION_OPENING, WfFilterOptions, element, 3);
  assert_check_refuses (WF_OPERATION_CLOSING, WfFilterOptions, radius, -1);
  assert_check_refuses (WF_OPERATION_WHITE_TOP_HAT, WfFilterOptions, element, 3);
  assert_check_refuses (WF_OPERATION_BLACK_TOP_HAT, WfFilterOptions, radius, -1);
  assert_check_refuses (WF_OPERATION_MEDIAN, WfFilterOptions, radius, WF_MAX_MEDIAN_RADIUS + 1);

  assert_check_refuses (WF_OPERATION_H_BASIN, WfMorphologyOptions, height, -0.5);
  assert_check_refuses (WF_OPERATION_H_BASIN, WfMorphologyOptions, height, INFINITY);
  assert_check_refuses (WF_OPERATION_H_BASIN, WfMorphologyOptions, connectivity, 5);
  assert_check_refuses (WF_OPERATION_H_BASIN, WfMorphologyOptions, algorithm, "plateaux");
  assert_check_refuses (WF_OPERATION_OPENING_BY_RECONSTRUCTION, WfMorphologyOptions, element, 2);
  assert_check_refuses (WF_OPERATION_OPENING_BY_RECONSTRUCTION, WfMorphologyOptions, radius, -1);
  assert_check_refuses (WF_OPERATION_OPENING_BY_RECONSTRUCTION, WfMorphologyOptions, radius,
                        (1 << 20) + 1);

  assert_check_refuses (WF_N_OPERATIONS, WfContextOptions, device, "gpu");
  assert_check_refuses (WF_N_OPERATIONS, WfContextOptions, device, "");
  assert_check_refuses (WF_N_OPERATIONS, WfContextOptions, threads, -1);
  assert_check_refuses (WF_N_OPERATIONS, WfContextOptions, threads, 4097);
  assert_check_refuses (WF_N_OPERATIONS, WfContextOptions, tile_size, -5);
  assert_check_refuses (WF_N_OPERATIONS, WfContextOptions, tile_size, (1 << 20) + 1);
}

/* A name that is NULL counts as "auto". */
static void
test_missing_names (void)
{
  WfReconstructOptions reconstruct;
  WfContextOptions     context;
  g_autofree char     *algorithm = NULL;
  g_autofree char     *device    = NULL;

  wf_option_group_init (group_at (WF_OPERATION_RECONSTRUCT), &reconstruct);
  wf_option_group_init (wf_context_get_options (), &context);
  reconstruct.algorithm = NULL;
  context.device        = NULL;
  g_assert_true (wf_option_group_check (group_at (WF_OPERATION_RECONSTRUCT), &reconstruct, NULL));
  g_assert_true (wf_option_group_check (wf_context_get_options (), &context, NULL));
  algorithm = wf_option_format (find (WF_OPERATION_RECONSTRUCT, "algorithm"), &reconstruct);
  device    = wf_option_format (find (WF_N_OPERATIONS, "device"), &context);
  g_assert_cmpstr (algorithm, ==, "auto");
  g_assert_cmpstr (device, ==, "auto");
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/options/descriptions", test_descriptions);
  g_test_add_func ("/options/described", test_options_described);
  g_test_add_func ("/options/defaults", test_defaults);
  g_test_add_func ("/options/defaults-pass", test_defaults_pass);
  g_test_add_func ("/options/choices", test_choices);
  g_test_add_func ("/options/names-kept", test_names_kept);
  g_test_add_func ("/options/parse", test_parse);
  g_test_add_func ("/options/parse-refusals", test_parse_refusals);
  g_test_add_func ("/options/unset-level", test_unset_level);
  g_test_add_func ("/options/numbers-round-trip", test_numbers_round_trip);
  g_test_add_func ("/options/names-outlive-text", test_names_outlive_text);
  g_test_add_func ("/options/check", test_check);
  g_test_add_func ("/options/missing-names", test_missing_names);

  return g_test_run ();
}
