/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Runs every operation twice, with any image and any options, and compares the results.
 *
 * The first call runs on one thread with the options that the fuzzer chose, the second on
 * several threads with any tile size, another algorithm and images with other strides.  If both
 * succeed, their results are equal bit for bit, except the distances of `propagation`, which
 * are approximate.  A call that fails gives a reason and leaves its images unchanged.
 */

#include <math.h>

#include "calls.h"

#define MOST_THREADS 3


/* In seven of eight cases the name of a choice, otherwise NULL or another text. */
static const char *
choose_name (const WfOption *option,
             FuzzBytes      *bytes)
{
  static const char * const odd[] = { NULL, "", "auto", "nonsense" };
  guint                     n     = 0;

  if (fuzz_rarely (bytes, 8))
    return odd[fuzz_below (bytes, G_N_ELEMENTS (odd))];
  while (option->choices[n].name)
    n++;
  return option->choices[fuzz_below (bytes, n)].name;
}

static int
choose_value (const WfOption *option,
              FuzzBytes      *bytes)
{
  guint n = 0;

  if (fuzz_rarely (bytes, 16))
    return (gint8) fuzz_byte (bytes);
  while (option->choices[n].name)
    n++;
  return option->choices[fuzz_below (bytes, n)].value;
}

static int
choose_int (FuzzBytes *bytes)
{
  int value;

  if (! fuzz_rarely (bytes, 16))
    return fuzz_below (bytes, 20);
  fuzz_take (bytes, &value, sizeof value);
  return value;
}

static double
choose_level (FuzzBytes *bytes)
{
  static const double levels[] = { 0, 1, 2, 5, 0.5, 100, 1000, -1, NAN, INFINITY, -0.0, 1e300 };
  double              value;

  if (! fuzz_rarely (bytes, 16))
    return levels[fuzz_below (bytes, G_N_ELEMENTS (levels))];
  fuzz_take (bytes, &value, sizeof value);
  return value;
}

static void
choose_spacing (double    *spacing,
                FuzzBytes *bytes)
{
  static const double sides[] = { 1, 2, 0.5, 3, 1e-3, 1e100, 0, -1, NAN };

  for (int axis = 0; axis < 3; axis++)
    spacing[axis] = sides[fuzz_below (bytes, G_N_ELEMENTS (sides))];
}

/* Sets about half of the options, by their descriptions. */
static void
choose_options (const WfOptionGroup *group,
                guint8              *options,
                FuzzBytes           *bytes)
{
  wf_option_group_init_sized (group, options, group->size);
  for (guint i = 0; i < group->n_options; i++)
    {
      const WfOption *option = &group->options[i];
      gpointer        field  = options + option->offset;

      if (fuzz_below (bytes, 2) == 0)
        continue;
      switch (option->kind)
        {
        case WF_OPTION_BOOLEAN:
          *(gboolean *) field = fuzz_below (bytes, 2);
          break;
        case WF_OPTION_INT:
          *(int *) field = choose_int (bytes);
          break;
        case WF_OPTION_CHOICE:
          *(int *) field = choose_value (option, bytes);
          break;
        case WF_OPTION_NAME:
          *(const char **) field = choose_name (option, bytes);
          break;
        case WF_OPTION_DEVICE:
          break;
        case WF_OPTION_REAL:
          *(double *) field = choose_level (bytes);
          break;
        case WF_OPTION_SPACING:
          if (fuzz_rarely (bytes, 3))
            choose_spacing (field, bytes);
          break;
        }
    }
}

/* Changes the algorithm and keeps the other options. */
static void
choose_other_algorithm (const WfOptionGroup *group,
                        guint8              *options,
                        FuzzBytes           *bytes)
{
  const WfOption *algorithm = wf_option_group_find (group, "algorithm");

  if (algorithm && fuzz_below (bytes, 4) != 0)
    *(const char **) (options + algorithm->offset) = choose_name (algorithm, bytes);
}

static void
configure (WfContext *context,
           int        threads,
           int        tile_size)
{
  WfContextOptions  options;
  GError           *error = NULL;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device    = "cpu";
  options.threads   = threads;
  options.tile_size = tile_size;
  wf_context_configure (context, &options, &error);
  g_assert_no_error (error);
  wf_context_set_memory_limit (context, 0);
  wf_context_set_cancellable (context, NULL);
  wf_context_set_partial_outputs (context, FALSE);
}

/* Sets what may stop the second call: a memory limit or a cancellable.  Returns whether it may
 * leave partly written outputs.
 */
static gboolean
disturb (WfContext *context,
         FuzzBytes *bytes)
{
  gboolean partial = fuzz_rarely (bytes, 4);
  guint    what    = fuzz_below (bytes, 16);

  wf_context_set_partial_outputs (context, partial);
  if (what == 1)
    wf_context_set_memory_limit (context, 1 + fuzz_byte (bytes) * 64);
  else if (what == 2)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();

      g_cancellable_cancel (cancellable);
      wf_context_set_cancellable (context, cancellable);
    }
  return partial;
}

static void
check_error (gboolean      success,
             const GError *error)
{
  fuzz_assert (success == (error == NULL));
  if (success)
    return;
  fuzz_assert (error->domain == WF_ERROR || error->domain == G_IO_ERROR);
  fuzz_assert (g_utf8_validate (error->message, -1, NULL) && strlen (error->message) > 10);
}

/* If only the second call fails, its algorithm, its memory limit or its cancellable is the
 * reason.
 */
static void
check_second_error (const GError *error)
{
  fuzz_assert (g_error_matches (error, WF_ERROR, WF_ERROR_UNSUPPORTED) ||
               g_error_matches (error, WF_ERROR, WF_ERROR_INVALID) ||
               g_error_matches (error, WF_ERROR, WF_ERROR_MEMORY) ||
               g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED));
}

static gboolean
is_exact (const WfOptionGroup *group,
          const guint8        *options)
{
  const WfOption *algorithm = wf_option_group_find (group, "algorithm");

  return ! algorithm ||
         g_strcmp0 (*(const char * const *) (options + algorithm->offset), "propagation") != 0;
}

static void
check_estimate (const FuzzCall *call,
                const guint8   *options)
{
  g_autoptr (GError)     error    = NULL;
  g_autoptr (WfForecast) forecast = wf_context_forecast (NULL, call->operation,
                                                         &call->inputs[0].view, options, &error);

  fuzz_assert (forecast ? forecast->memory_needed < G_GUINT64_CONSTANT (1) << 40 : error != NULL);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  static WfContext    *contexts[2];
  FuzzBytes            bytes     = { data, size };
  WfOperation          operation = fuzz_below (&bytes, WF_N_OPERATIONS);
  const WfOptionGroup *group     = wf_operation_get_options (operation);
  g_autofree guint8   *options   = g_malloc0 (group->size);
  g_auto (FuzzCall)    first     = { 0 };
  g_auto (FuzzCall)    second    = { 0 };
  g_autoptr (GError)   error     = NULL;
  g_autoptr (GError)   problem   = NULL;
  gboolean             success;
  gboolean             exact;
  gboolean             partial;

  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++)
    if (! contexts[i])
      contexts[i] = wf_context_new ();

  choose_options (group, options, &bytes);
  configure (contexts[0], 1, 0);
  configure (contexts[1], 1 + fuzz_below (&bytes, MOST_THREADS),
             fuzz_below (&bytes, 2) ? fuzz_byte (&bytes) : 0);
  partial = disturb (contexts[1], &bytes);

  fuzz_call_init (&first, operation, options, &bytes);
  success = fuzz_call_run (&first, contexts[0], options, &error);
  check_error (success, error);
  check_estimate (&first, options);
  exact = is_exact (group, options);

  choose_other_algorithm (group, options, &bytes);
  fuzz_call_init_like (&second, &first, &bytes);
  second.partial = partial;
  if (fuzz_call_run (&second, contexts[1], options, &problem))
    {
      check_error (TRUE, problem);
      if (success && exact && is_exact (group, options))
        fuzz_call_compare (&first, &second);
    }
  else
    {
      check_error (FALSE, problem);
      check_second_error (problem);
    }
  return 0;
}
