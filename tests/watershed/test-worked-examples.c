/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The examples that "Path Reducing Watershed for the GPU" works out by hand, on the CPU and on
 * each device, by each of the paper's variants and the default.  Of equal neighbors the last one
 * is taken, as there.  Its labels are the numbers of pixels; only the basins are compared.  So are
 * the numbers of rounds that it gives, in blocks of three pixels as there.
 */

#include "tests/support/device-calls.h"
#include "tests/support/tiers.h"

#define MOST_PIXELS 64

typedef struct
{
  const char *device;
  const char *algorithm;
} Way;

/**
 * Example:
 * @name: for messages
 * @levels: by rows
 * @basins: a letter for each pixel
 */
typedef struct
{
  const char *name;
  int         width;
  int         height;
  guint8      levels[MOST_PIXELS];
  const char *basins;
} Example;

static const Example examples[] =
{
  { "two minima and slopes", 6, 2,
    { 100, 105, 105, 105, 104, 104, 102, 104, 105, 106, 104, 107 }, "aaabbbaaabbb" },
  { "a plateau of twelve pixels", 14, 1,
    { 105, 109, 109, 109, 109, 109, 109, 109, 109, 109, 109, 109, 109, 106 }, "aaaaaaabbbbbbb" },
  { "a plateau of ten pixels", 12, 1,
    { 1, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 1 }, "aaaaaabbbbbb" },
  { "a path of 22 steps", 23, 1,
    { 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 },
    "aaaaaaaaaaaaaaaaaaaaaaa" },
};

static const char * const variants[] = { "auto", "sync", "async", "balanced" };

static void
check (WfContext     *context,
       const char    *algorithm,
       const Example *example,
       int            reduction_rate,
       int            block_width)
{
  WfWatershedOptions  options = { .size = sizeof options, .connectivity = 4, .last_index = TRUE,
                                  .algorithm = algorithm, .reduction_rate = reduction_rate,
                                  .block_width = block_width };
  const int           n       = example->width * example->height;
  guint8              levels[MOST_PIXELS];
  guint32             labels[MOST_PIXELS];
  guint32             n_basins;
  WfImage             image, out;
  g_autoptr (GError)  error   = NULL;
  guint32             letters[26] = { 0 };
  guint               n_letters   = 0;

  memcpy (levels, example->levels, sizeof levels);
  wf_image_init (&image, WF_TYPE_U8, example->width, example->height, 1, levels, &error);
  g_assert_no_error (error);
  wf_image_init (&out, WF_TYPE_U32, example->width, example->height, 1, labels, &error);
  g_assert_no_error (error);
  wf_watershed (context, &image, NULL, &out, &n_basins, &options, &error);
  g_assert_no_error (error);

  for (int p = 0; p < n; p++)
    {
      guint32 *label = &letters[example->basins[p] - 'a'];

      g_test_message ("%s, %s: pixel %d has label %u", example->name, algorithm, p, labels[p]);
      if (*label == 0)
        {
          *label = labels[p];
          n_letters++;
        }
      g_assert_cmpuint (labels[p], ==, *label);
    }
  g_assert_cmpuint (n_basins, ==, n_letters);
}

static void
test_examples (gconstpointer data)
{
  const Way            *way     = data;
  g_autoptr (WfContext) context = device_context_new (way->device);

  for (guint i = 0; i < G_N_ELEMENTS (examples); i++)
    for (int rate = 0; rate <= 2; rate += 2)
      for (int block_width = 0; block_width <= 3; block_width += 3)
        check (context, way->algorithm, &examples[i], rate, block_width);
}


/*  Rounds  */

/* Floods a row of @n pixels.  Returns the rounds of step @name. */
static guint
count_rounds (const Way    *way,
              const guint8 *row,
              int           n,
              int           reduction_rate,
              const char   *name)
{
  g_autoptr (WfContext)  context = device_context_new (way->device);
  WfWatershedOptions     options = { .size = sizeof options, .connectivity = 4,
                                     .algorithm = way->algorithm, .block_width = 3,
                                     .reduction_rate = reduction_rate };
  guint8                 levels[MOST_PIXELS];
  guint32                labels[MOST_PIXELS];
  guint32                n_basins;
  WfImage                image, out;
  g_autoptr (GError)     error   = NULL;
  const WfReport        *report;

  memcpy (levels, row, n);
  wf_image_init (&image, WF_TYPE_U8, n, 1, 1, levels, &error);
  g_assert_no_error (error);
  wf_image_init (&out, WF_TYPE_U32, n, 1, 1, labels, &error);
  g_assert_no_error (error);
  wf_watershed (context, &image, NULL, &out, &n_basins, &options, &error);
  g_assert_no_error (error);

  report = wf_context_get_report (context);
  for (guint i = 0; i < report->n_steps; i++)
    {
      g_assert_cmpfloat (report->steps[i].seconds, >=, 0);
      if (strcmp (report->steps[i].name, name) == 0)
        return report->steps[i].rounds;
    }
  g_assert_not_reached ();
}

/* In blocks a round may profit from what others did in it; `sync` may not. */
static void
test_rounds (gconstpointer data)
{
  const Way      *way     = data;
  const gboolean  sync    = strcmp (way->algorithm, "sync") == 0;
  const Example  *blocks  = &examples[1];
  const Example  *path    = &examples[3];
  guint8          row[MOST_PIXELS];
  guint           rounds;

  /* a plateau of 2 n pixels between two minima: n rounds, the last of which changes nothing */
  memset (row, 9, sizeof row);
  row[0] = 1;
  for (int n = 1; n <= 12; n++)
    {
      row[2 * n + 1] = 1;
      rounds = count_rounds (way, row, 2 * n + 2, 2, "plateaux");
      g_assert_cmpuint (rounds, <=, n + 1);
      if (sync)
        g_assert_cmpuint (rounds, ==, n);
      row[2 * n + 1] = 9;
    }

  /* three rounds in blocks of three pixels, and one that changes nothing */
  rounds = count_rounds (way, blocks->levels, blocks->width, 2, "plateaux");
  if (sync)
    g_assert_cmpuint (rounds, ==, 6);
  else
    {
      g_assert_cmpuint (rounds, >=, 2);
      g_assert_cmpuint (rounds, <=, 4);
    }

  /* 22 steps, reduced twice in a round, so that three paths become one */
  rounds = count_rounds (way, path->levels, path->width, 3, "paths");
  g_assert_cmpuint (rounds, <=, 3);
  if (sync)
    g_assert_cmpuint (rounds, ==, 3);
  g_assert_cmpuint (count_rounds (way, path->levels, path->width, 1 << 20, "paths"), ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char      *problem = NULL;
  g_autoptr (GPtrArray) names   = NULL;
  static const Way      cpu     = { "cpu", "auto" };

  tests_begin (&argc, &argv);

  g_test_add_data_func ("/worked-examples/cpu", &cpu, test_examples);
  names = device_names (&problem);
  for (guint i = 0; i < names->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (variants); k++)
      {
        g_autofree char *path = g_strdup_printf ("/worked-examples/%s/%s",
                                                 (const char *) names->pdata[i], variants[k]);
        const Way        way  = { names->pdata[i], variants[k] };

        g_test_add_data_func_full (path, g_memdup2 (&way, sizeof way), test_examples, g_free);
        if (k > 0)
          {
            g_autofree char *rounds = g_strdup_printf ("%s/rounds", path);

            g_test_add_data_func_full (rounds, g_memdup2 (&way, sizeof way), test_rounds, g_free);
          }
      }
  if (problem)
    g_test_add_data_func ("/worked-examples/none", problem, device_test_none);

  return g_test_run ();
}
