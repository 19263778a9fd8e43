/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The records of the operations: each can be called with what its record describes, algorithms
 * for comparison are never chosen automatically, and callers may have shorter structs of
 * options.
 */

#include "config.h"

#include <string.h>

#include "tests/support/estimate.h"
#include "tests/support/guarded-image.h"
#include "tests/support/operation-call.h"
#include "tests/support/refusals.h"

#define WIDTH  23
#define HEIGHT 17

static const char *
name_of (WfOperation operation)
{
  return wf_operation_get_options (operation)->name;
}


/*  Records  */

static void
assert_operands (const WfOperand *operands,
                 guint            n)
{
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpuint (n, <=, WF_MAX_OPERANDS);
  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (strlen (operands[i].name), >, 0);
      g_assert_cmpuint (operands[i].types, !=, 0);
    }
  g_assert_null (operands[n].name);
}

static void
test_records (void)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < WF_N_OPERATIONS; i++)
    {
      const WfOperationInfo *info = wf_operation_describe ((WfOperation) i);

      g_assert_cmpuint (info->operation, ==, i);
      g_assert_true (info->options == wf_operation_get_options ((WfOperation) i));
      g_assert_true (g_hash_table_add (names, (gpointer) info->options->name));
      g_assert_cmpuint (strlen (info->category), >, 0);
      g_assert_true (info->flags & WF_WORKS_ON_STACKS);
      assert_operands (info->inputs, info->n_inputs);
      assert_operands (info->outputs, info->n_outputs);
      g_assert_false (info->inputs[0].optional);
    }
  g_assert_null (wf_operation_describe ((WfOperation) WF_N_OPERATIONS));
}

static void
test_output_types (void)
{
  WfDistanceOptions distance;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_DISTANCE), &distance);
  distance.metric = WF_METRIC_SQUARED;
  g_assert_cmpint (wf_operation_get_output_type (WF_OPERATION_DISTANCE, 0, WF_TYPE_U8, NULL), ==,
                   WF_TYPE_F32);
  g_assert_cmpint (wf_operation_get_output_type (WF_OPERATION_DISTANCE, 0, WF_TYPE_U8, &distance),
                   ==, WF_TYPE_U64);
  g_assert_cmpint (wf_operation_get_output_type (WF_OPERATION_DISTANCE, 1, WF_TYPE_U8, NULL), ==,
                   WF_TYPE_U64);
  g_assert_cmpint (wf_operation_get_output_type (WF_OPERATION_LABEL, 0, WF_TYPE_F32, NULL), ==,
                   WF_TYPE_U32);
  g_assert_cmpint (wf_operation_get_output_type (WF_OPERATION_GAUSSIAN, 0, WF_TYPE_U16, NULL), ==,
                   WF_TYPE_U16);
  g_assert_cmpint (wf_operation_get_output_type (WF_OPERATION_REGIONAL_MAXIMA, 0, WF_TYPE_F32,
                                                 NULL), ==, WF_TYPE_U8);
  g_assert_cmpint (wf_operation_get_output_type (WF_OPERATION_RELABEL, 0, WF_TYPE_U32, NULL), ==,
                   WF_TYPE_U32);
}


/*  Calls  */

typedef struct
{
  GuardedImage *inputs[WF_MAX_OPERANDS];
  GuardedImage *output;
  guint32       count;
} Call;

static void
call_clear (Call *call)
{
  for (guint i = 0; i < WF_MAX_OPERANDS; i++)
    g_clear_pointer (&call->inputs[i], guarded_image_free);
  g_clear_pointer (&call->output, guarded_image_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Call, call_clear)

static void
set_pixel (const WfImage *image,
           gint64         p,
           guint          value)
{
  switch (image->type)
    {
    case WF_TYPE_U8:
      ((guint8 *) image->data)[p] = value;
      break;
    case WF_TYPE_U16:
      ((guint16 *) image->data)[p] = value;
      break;
    case WF_TYPE_U32:
      ((guint32 *) image->data)[p] = value;
      break;
    default:
      ((float *) image->data)[p] = value;
      break;
    }
}

/* Levels with some structure; markers that are scattered pixels; labels of more of them. */
static void
fill (GuardedImage    *image,
      const WfOperand *operand)
{
  for (gint64 p = 0; p < wf_image_n_pixels (&image->view); p++)
    if (operand->content == WF_CONTENT_LEVELS)
      set_pixel (&image->view, p, (p * 37 % 91) & 0x3c);
    else if (operand->content == WF_CONTENT_LABELS)
      set_pixel (&image->view, p, p % 29 < 7 ? 1 + p / 29 : 0);
    else
      set_pixel (&image->view, p, p % 29 == 0 ? 1 + p / 29 : 0);
}

static WfType
first_type (const WfOperand *operand,
            WfType           type)
{
  if (operand->types & 1 << type)
    return type;
  for (int other = WF_TYPE_U8; other <= WF_TYPE_F64; other++)
    if (operand->types & 1 << other)
      return (WfType) other;
  g_assert_not_reached ();
}

static void
call_init (Call                  *call,
           const WfOperationInfo *info,
           WfType                 type,
           gint64                 depth)
{
  const RefSize size = { WIDTH, HEIGHT, depth };

  for (guint i = 0; i < info->n_inputs; i++)
    if (! info->inputs[i].optional)
      {
        call->inputs[i] = guarded_image_new (first_type (&info->inputs[i], type), &size, FALSE);
        fill (call->inputs[i], &info->inputs[i]);
      }
  call->output = guarded_image_new (wf_operation_get_output_type (info->operation, 0,
                                                                  call->inputs[0]->view.type,
                                                                  NULL), &size, FALSE);
}

static gboolean
call_run (Call         *call,
          WfOperation   operation,
          gconstpointer options,
          GError      **error)
{
  const WfImage *inputs[WF_MAX_OPERANDS]  = { NULL };
  WfImage       *outputs[WF_MAX_OPERANDS] = { &call->output->view };

  for (guint i = 0; i < WF_MAX_OPERANDS; i++)
    inputs[i] = call->inputs[i] ? &call->inputs[i]->view : NULL;
  return wf_operation_run (NULL, operation, inputs, outputs, &call->count, options, error);
}

/* The defaults, and what must be set. */
static gpointer
new_options (const WfOptionGroup *group)
{
  gpointer options = g_malloc0 (group->size);

  wf_option_group_init (group, options);
  for (guint i = 0; i < group->n_options; i++)
    if (group->options[i].required)
      G_STRUCT_MEMBER (double, options, group->options[i].offset) = 5;
  return options;
}

/* Calls each operation with images and stacks of each type, using only its record. */
static void
test_calls (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };

  for (guint i = 0; i < WF_N_OPERATIONS; i++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++)
      for (gint64 depth = 1; depth <= 3; depth += 2)
        {
          const WfOperationInfo *info    = wf_operation_describe ((WfOperation) i);
          g_autofree gpointer    options = new_options (info->options);
          g_auto (Call)          call    = { .count = 4711 };
          GError                *error   = NULL;

          g_test_message ("%s", info->options->name);
          call_init (&call, info, types[t], depth);
          g_assert_true (call_run (&call, info->operation, options, &error));
          g_assert_no_error (error);
          g_assert_true (guarded_image_is_guarded (call.output));
          g_assert_true (info->counts ? call.count > 0 && call.count != 4711 : call.count == 0);
        }
}

/* A refused call does not change the count. */
static void
test_refused_call (void)
{
  const WfOperationInfo *info = wf_operation_describe (WF_OPERATION_LABEL);
  g_auto (Call)          call = { .count = 4711 };

  call_init (&call, info, WF_TYPE_U8, 1);
  call.output->view.width--;
  assert_refused (call_run (&call, WF_OPERATION_LABEL, NULL, &refusal), WF_ERROR_INVALID);
  g_assert_cmpuint (call.count, ==, 4711);
}


/*  Algorithms for comparison  */

static const WfChoice *
algorithms_of (WfOperation operation)
{
  return wf_option_group_find (wf_operation_get_options (operation), "algorithm")->choices;
}

static char *
list_comparisons (WfOperation operation)
{
  GString *list = g_string_new (NULL);

  for (const WfChoice *choice = algorithms_of (operation); choice->name; choice++)
    if (choice->for_comparison)
      g_string_append_printf (list, "%s ", choice->name);
  return g_string_free (list, FALSE);
}

static void
assert_comparisons (WfOperation  operation,
                    const char  *expected)
{
  g_autofree char *list = list_comparisons (operation);

  g_assert_cmpstr (list, ==, expected);
}

static void
test_comparisons (void)
{
  assert_comparisons (WF_OPERATION_RECONSTRUCT,
                      "non-tiled sequential queue hybrid basins raster queue-prefix queue-naive ");
  assert_comparisons (WF_OPERATION_DISTANCE, "propagation proximate proximate-strided ");
  assert_comparisons (WF_OPERATION_WATERSHED, "sync async balanced ");
  assert_comparisons (WF_OPERATION_LABEL, "");
  assert_comparisons (WF_OPERATION_HIERARCHY, "");
  assert_comparisons (WF_OPERATION_GAUSSIAN, "");
  assert_comparisons (WF_OPERATION_GRADIENT, "");
  assert_comparisons (WF_OPERATION_EROSION, "");
  assert_comparisons (WF_OPERATION_DILATION, "");
  assert_comparisons (WF_OPERATION_OPENING, "");
  assert_comparisons (WF_OPERATION_CLOSING, "");
  assert_comparisons (WF_OPERATION_MEDIAN, "");
  assert_comparisons (WF_OPERATION_THRESHOLD, "");
  assert_comparisons (WF_OPERATION_GEODESIC_DISTANCE, "");
  assert_comparisons (WF_OPERATION_WHITE_TOP_HAT, "");
  assert_comparisons (WF_OPERATION_BLACK_TOP_HAT, "");
  assert_comparisons (WF_OPERATION_REMOVE_SMALL, "");
  assert_comparisons (WF_OPERATION_KEEP_LARGEST, "");
  assert_comparisons (WF_OPERATION_EXPAND_LABELS, "");
  assert_comparisons (WF_OPERATION_RELABEL, "");
  for (guint i = 0; i < WF_N_OPERATIONS; i++)
    if (wf_operation_describe ((WfOperation) i)->flags & WF_WORKS_BY_RECONSTRUCTION)
      for (const WfChoice *choice = algorithms_of ((WfOperation) i); choice->name; choice++)
        g_assert_cmpint (choice->for_comparison, ==,
                         ! g_str_equal (choice->name, "auto") &&
                         ! g_str_equal (choice->name, "sweeps") &&
                         ! g_str_equal (choice->name, "tiled") &&
                         ! g_str_equal (choice->name, "plateaux"));
}

static gboolean
is_for_comparison (WfOperation  operation,
                   const char  *algorithm)
{
  for (const WfChoice *choice = algorithms_of (operation); choice->name; choice++)
    if (strcmp (choice->name, algorithm) == 0)
      return choice->for_comparison;
  g_assert_not_reached ();
}

/* Forecasts small and large images and stacks, on any device. */
static void
test_never_chosen (void)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  g_autoptr (WfContext) context = wf_context_new ();

  for (guint i = 0; i < WF_N_OPERATIONS; i++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++)
      for (gint64 depth = 1; depth <= 64; depth *= 64)
        for (gint64 side = 16; side <= 1024; side *= 64)
          {
            guint8                 nothing[8] = { 0 };
            g_autofree gpointer    options    = new_options (wf_operation_get_options (i));
            g_autoptr (WfForecast) forecast   = NULL;
            const WfType           type       = operation_input_type (i, types[t]);
            WfImage                image;

            g_assert_true (wf_image_init (&image, type, side, side, depth, nothing, NULL));
            forecast = wf_context_forecast (context, (WfOperation) i, &image, options, NULL);
            g_assert_nonnull (forecast);
            g_assert_false (is_for_comparison ((WfOperation) i, forecast->algorithm));
          }
}


/*  Callers compiled with shorter or longer structs  */

static gsize
end_of_field (const WfOption *option)
{
  switch (option->kind)
    {
    case WF_OPTION_NAME:
    case WF_OPTION_DEVICE:
      return option->offset + sizeof (char *);
    case WF_OPTION_REAL:
      return option->offset + sizeof (double);
    case WF_OPTION_SPACING:
      return option->offset + 3 * sizeof (double);
    default:
      return option->offset + sizeof (int);
    }
}

/* Allocates exactly @size bytes, so that a memory checker detects reads beyond them. */
static gpointer
new_short_options (const WfOptionGroup *group,
                   gsize                size)
{
  gpointer options = g_malloc (size);

  wf_option_group_init_sized (group, options, size);
  g_assert_cmpuint (*(gsize *) options, ==, size);
  return options;
}

/* The call gives the same result as the defaults, or, with @expected NULL, is refused because the
 * height is not set.
 */
static void
assert_short_call (const WfOperationInfo *info,
                   gsize                  size,
                   const Call            *expected)
{
  g_autofree gpointer options = new_short_options (info->options, size);
  g_auto (Call)       call    = { 0 };
  g_autoptr (GError)  error   = NULL;

  g_test_message ("%s, %u bytes", info->options->name, (guint) size);
  call_init (&call, info, WF_TYPE_U8, 1);
  g_assert_true (wf_option_group_check (info->options, options, NULL));
  g_assert_cmpuint (estimate_memory (info->operation, &call.inputs[0]->view, options, NULL), ==,
                    estimate_memory (info->operation, &call.inputs[0]->view, NULL, NULL));
  if (! expected)
    {
      g_assert_false (call_run (&call, info->operation, options, &error));
      g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
      return;
    }
  g_assert_true (call_run (&call, info->operation, options, &error));
  g_assert_no_error (error);
  g_assert_cmpint (guarded_image_find_difference (call.output, expected->output->view.data), <, 0);
  g_assert_cmpuint (call.count, ==, expected->count);
}

static gboolean
has_required (const WfOptionGroup *group)
{
  for (guint i = 0; i < group->n_options; i++)
    if (group->options[i].required)
      return TRUE;
  return FALSE;
}

/* Calls every operation with its struct truncated after each field. */
static void
test_short_structs (void)
{
  for (guint i = 0; i < WF_N_OPERATIONS; i++)
    {
      const WfOperationInfo *info     = wf_operation_describe ((WfOperation) i);
      const WfOptionGroup   *group    = info->options;
      const gboolean         required = has_required (group);
      g_auto (Call)          expected = { 0 };

      call_init (&expected, info, WF_TYPE_U8, 1);
      g_assert_true (required || call_run (&expected, info->operation, NULL, NULL));
      assert_short_call (info, sizeof (gsize), required ? NULL : &expected);
      for (guint k = 0; k < group->n_options; k++)
        assert_short_call (info, end_of_field (&group->options[k]), required ? NULL : &expected);
    }
}

/* The fields of a short struct are used. */
static void
test_short_fields (void)
{
  const WfOptionGroup    *group    = wf_operation_get_options (WF_OPERATION_WATERSHED);
  const WfOption         *last     = wf_option_group_find (group, "lines");
  g_autofree gpointer     options  = new_short_options (group, end_of_field (last));
  g_auto (Call)           call     = { 0 };
  g_auto (Call)           expected = { 0 };
  g_autofree char        *text     = NULL;
  WfWatershedOptions      full;

  g_assert_true (wf_option_parse (last, options, "true", NULL));
  text = wf_option_format (last, options);
  g_assert_cmpstr (text, ==, "true");

  wf_option_group_init (group, &full);
  full.lines = TRUE;
  call_init (&call, wf_operation_describe (WF_OPERATION_WATERSHED), WF_TYPE_U8, 1);
  call_init (&expected, wf_operation_describe (WF_OPERATION_WATERSHED), WF_TYPE_U8, 1);
  g_assert_true (call_run (&call, WF_OPERATION_WATERSHED, options, NULL));
  g_assert_true (call_run (&expected, WF_OPERATION_WATERSHED, &full, NULL));
  g_assert_cmpint (guarded_image_find_difference (call.output, expected.output->view.data), <, 0);
}

static void
test_short_context (void)
{
  const WfOptionGroup   *group   = wf_context_get_options ();
  const WfOption        *device  = wf_option_group_find (group, "device");
  g_autofree gpointer    options = new_short_options (group, end_of_field (device));
  g_autoptr (WfContext)  context = wf_context_new ();

  g_assert_true (wf_option_parse (device, options, "cpu", NULL));
  g_assert_true (wf_context_configure (context, options, NULL));
  g_assert_true (wf_option_parse (device, options, "cuda:99", NULL));
  assert_refused (wf_context_configure (context, options, &refusal), WF_ERROR_DEVICE);
}

/* The library does not write to fields that it does not know. */
static void
test_long_struct (void)
{
  for (guint i = 0; i < WF_N_OPERATIONS; i++)
    {
      const WfOptionGroup *group   = wf_operation_get_options ((WfOperation) i);
      g_autofree guint8   *options = g_malloc (group->size + 16);

      memset (options, 0x55, group->size + 16);
      wf_option_group_init_sized (group, options, group->size + 16);
      g_test_message ("%s", name_of ((WfOperation) i));
      g_assert_cmpuint (*(gsize *) options, ==, group->size);
      for (guint k = 0; k < 16; k++)
        g_assert_cmpuint (options[group->size + k], ==, 0x55);
    }
}


/*  Version  */

static void
test_version (void)
{
  g_assert_cmpstr (wf_version (), ==, WF_VERSION);
  g_assert_true (WF_CHECK_VERSION (WF_MAJOR_VERSION, WF_MINOR_VERSION, WF_MICRO_VERSION));
  g_assert_true (WF_CHECK_VERSION (0, 0, 0));
  g_assert_false (WF_CHECK_VERSION (WF_MAJOR_VERSION, WF_MINOR_VERSION, WF_MICRO_VERSION + 1));
  g_assert_false (WF_CHECK_VERSION (WF_MAJOR_VERSION, WF_MINOR_VERSION + 1, 0));
  g_assert_false (WF_CHECK_VERSION (WF_MAJOR_VERSION + 1, 0, 0));
  g_assert_true (wf_check_version (WF_MAJOR_VERSION, WF_MINOR_VERSION, WF_MICRO_VERSION));
  g_assert_true (wf_check_version (0, 0, 9));
  g_assert_false (wf_check_version (WF_MAJOR_VERSION, WF_MINOR_VERSION, WF_MICRO_VERSION + 1));
  g_assert_false (wf_check_version (WF_MAJOR_VERSION, WF_MINOR_VERSION + 1, 0));
  g_assert_false (wf_check_version (WF_MAJOR_VERSION + 1, 0, 0));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/operations/records", test_records);
  g_test_add_func ("/operations/output-types", test_output_types);
  g_test_add_func ("/operations/calls", test_calls);
  g_test_add_func ("/operations/refused-call", test_refused_call);
  g_test_add_func ("/operations/comparisons", test_comparisons);
  g_test_add_func ("/operations/never-chosen", test_never_chosen);
  g_test_add_func ("/operations/short-structs", test_short_structs);
  g_test_add_func ("/operations/short-fields", test_short_fields);
  g_test_add_func ("/operations/short-context", test_short_context);
  g_test_add_func ("/operations/long-struct", test_long_struct);
  g_test_add_func ("/operations/version", test_version);

  return g_test_run ();
}
