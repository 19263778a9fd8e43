/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "random-case.h"

/* Configurations in which each case runs. */
#define CONFIGURATIONS_A_CASE 3


/*  Cases  */

/* Sets all but the image: the caller may change the size and the palette before
 * case_draw().  One case in @a_large_one is large; 0: none is.
 */
void
case_begin (Case        *c,
            WfOperation  operation,
            gpointer     options,
            int          a_large_one)
{
  wf_option_group_init (wf_operation_get_options (operation), options);
  c->operation = operation;
  c->options   = options;
  c->type      = random_type ();
  c->large     = a_large_one > 0 && g_test_rand_int_range (0, a_large_one) == 0;
  if (c->large)
    random_large_size (&c->size);
  else
    random_size (&c->size);
  random_palette (c->type, &c->palette);
}

void
case_draw (Case *c)
{
  c->n       = ref_n_pixels (&c->size);
  c->image   = g_new (double, c->n);
  c->content = random_content (&c->size, &c->palette, c->image);
}

/* Returns: (nullable): the requested algorithm, if the operation has several. */
const char *
case_algorithm (const Case *c)
{
  const WfOption *option = wf_option_group_find (wf_operation_get_options (c->operation),
                                                 "algorithm");

  return option ? G_STRUCT_MEMBER (const char *, c->options, option->offset) : NULL;
}


/*  Faults: what is wrong, or NULL  */

char *
find_call_fault (gboolean      succeeded,
                 const GError *error)
{
  if (! succeeded)
    return g_strdup (error ? error->message : "it failed without an error");
  if (error)
    return g_strdup_printf ("it succeeded with an error: %s", error->message);
  return NULL;
}

/* @expected: contiguous, of the image's type */
char *
find_pixel_fault (const GuardedImage *image,
                  gconstpointer       expected,
                  const char         *name)
{
  gint64 pixel = guarded_image_find_difference (image, expected);

  if (pixel >= 0)
    {
      g_autofree char *is     = guarded_image_format_pixel (image, pixel);
      g_autofree char *should = format_packed (image->view.type, expected, pixel);

      return g_strdup_printf ("pixel %" G_GINT64_FORMAT " of the %s is %s, should be %s",
                              pixel, name, is, should);
    }
  if (! guarded_image_is_guarded (image))
    return g_strdup_printf ("bytes beside the pixels of the %s changed", name);
  return NULL;
}

char *
find_level_fault (const GuardedImage *image,
                  const double       *levels,
                  const char         *name)
{
  g_autofree gpointer pixels = pack_levels (image->view.type, levels,
                                            wf_image_n_pixels (&image->view));

  return find_pixel_fault (image, pixels, name);
}

/* @image: an input of the case */
char *
find_image_fault (const Case         *c,
                  const GuardedImage *image)
{
  return find_level_fault (image, c->image, "image");
}

char *
find_report_fault (const Case          *c,
                   const Configuration *configuration)
{
  if (! configuration_report_is_sane (configuration, c->operation, case_algorithm (c)))
    return g_strdup ("the context's report is wrong");
  return NULL;
}


/*  Reports  */

void
append_labels (GString       *text,
               const char    *title,
               const RefSize *size,
               const guint32 *labels)
{
  gint64             n      = ref_n_pixels (size);
  g_autofree double *levels = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    levels[p] = labels[p];
  append_levels (text, title, size, levels);
}

static void
report_fault (const CaseKind      *kind,
              const Case          *c,
              const Configuration *configuration,
              const char          *fault)
{
  const WfOptionGroup *group = wf_operation_get_options (c->operation);
  g_autofree char     *where = configuration_describe (configuration);
  GString             *text  = g_string_new (NULL);

  g_string_append_printf (text,
                          "%s of %s, %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT "×%"
                          G_GINT64_FORMAT " %s (%s",
                          group->name, c->content, c->size.width, c->size.height, c->size.depth,
                          wf_type_name (c->type), where);
  for (guint i = 0; i < group->n_options; i++)
    {
      g_autofree char *value = wf_option_format (&group->options[i], c->options);

      g_string_append_printf (text, ", %s %s", group->options[i].name, value);
    }
  g_string_append_printf (text, "): %s", fault);
  append_levels (text, "image", &c->size, c->image);
  if (kind->append)
    kind->append (text, c);
  g_test_message ("%s", text->str);
  g_test_fail ();
  g_string_free (text, TRUE);
}


/*  The loop  */

/* Runs a case in several configurations; returns whether all results are right. */
static gboolean
run_everywhere (const CaseKind       *kind,
                const Configurations *configurations,
                const Case           *c,
                GHashTable           *runs)
{
  for (int k = 0; k < CONFIGURATIONS_A_CASE; k++)
    {
      const Configuration *configuration = c->large && ! kind->any_tiles
                                           ? configurations_pick_coarse (configurations)
                                           : configurations_pick (configurations);
      gboolean             refused       = FALSE;
      g_autofree char     *fault         = kind->run (c, configuration, &refused);

      if (fault)
        {
          report_fault (kind, c, configuration, fault);
          return FALSE;
        }
      if (! refused)
        count_run (runs, case_algorithm (c));
    }
  return TRUE;
}

/* The first wrong result fails the running test and ends the loop. */
void
run_cases (const CaseKind       *kind,
           const Configurations *configurations,
           gconstpointer         given,
           guint                 n_cases)
{
  g_autoptr (GHashTable) runs      = g_hash_table_new (g_str_hash, g_str_equal);
  WfOperation            operation = WF_OPERATION_RECONSTRUCT;

  for (guint i = 0; i < n_cases; i++)
    {
      g_autofree Case *c = g_malloc0 (kind->size);
      gboolean         right;

      c->given = given;
      kind->init (c);
      operation = c->operation;
      right     = run_everywhere (kind, configurations, c, runs);
      g_free (c->image);
      kind->clear (c);
      if (! right)
        return;
    }
  if (kind->needs_all_algorithms)
    assert_algorithms_ran (configurations, operation, runs);
}
