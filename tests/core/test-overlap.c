/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One rule for all operations: an output may share any part of its memory with the inputs, and
 * the result is that of separate memory.  Two outputs must not share memory.
 */

#include "config.h"

#include <string.h>

#include "tests/support/configurations.h"
#include "tests/support/device-calls.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

#define WIDTH  37
#define HEIGHT 27
#define DEPTH  3

/* Addresses of all types are multiples of this. */
#define ALIGNMENT 8

typedef struct
{
  const char  *device;
  WfOperation  operation;
} Test;

/* The views of a call, and the memory that the overlapping two share.  @written: the number of
 * the output; others are not wanted
 */
typedef struct
{
  const WfOperationInfo *info;
  guint                  written;
  WfImage                inputs[WF_MAX_OPERANDS];
  gpointer               separate[WF_MAX_OPERANDS];
  WfImage                output;
  guint8                *memory;
  gsize                  n_bytes;
} Call;

static void
call_clear (Call *call)
{
  for (guint i = 0; i < WF_MAX_OPERANDS; i++)
    g_free (call->separate[i]);
  g_free (call->memory);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Call, call_clear)


/*  Views  */

static gsize
count_bytes (const WfImage *view)
{
  return view->slice_stride * view->depth * wf_type_size (view->type);
}

/* A view without memory, whose rows and slices may lie apart. */
static WfImage
view_of (WfType type,
         gint64 depth)
{
  const gint64 row = WIDTH + (g_test_rand_bit () ? g_test_rand_int_range (0, 7) : 0);

  return (WfImage) {
    .type = type, .width = WIDTH, .height = HEIGHT, .depth = depth,
    .row_stride = row, .slice_stride = row * (HEIGHT + g_test_rand_int_range (0, 2)),
  };
}

static gpointer
row_of (const WfImage *view,
        gint64         row)
{
  return (guint8 *) view->data +
         (row / view->height * view->slice_stride + row % view->height * view->row_stride) *
         wf_type_size (view->type);
}

static void
set_pixel (gpointer row,
           WfType   type,
           gint64   x,
           guint    value)
{
  switch (type)
    {
    case WF_TYPE_U8:
      ((guint8 *) row)[x] = value;
      break;
    case WF_TYPE_U16:
      ((guint16 *) row)[x] = value;
      break;
    case WF_TYPE_U32:
      ((guint32 *) row)[x] = value;
      break;
    default:
      ((float *) row)[x] = value;
      break;
    }
}

/* Random levels; for markers and labels, scattered pixels and always the first one. */
static void
fill (const WfImage   *view,
      const WfOperand *operand)
{
  for (gint64 row = 0; row < view->height * view->depth; row++)
    for (gint64 x = 0; x < view->width; x++)
      {
        const gboolean is_levels = operand->content == WF_CONTENT_LEVELS;
        const gboolean is_set    = is_levels || row + x == 0 ||
                                   g_test_rand_int_range (0, 20) == 0;

        set_pixel (row_of (view, row), view->type, x,
                   is_set ? g_test_rand_int_range (is_levels ? 0 : 1, 60) : 0);
      }
}

static WfType
type_of (const WfOperand *operand,
         WfType           type)
{
  if (operand->types & 1 << type)
    return type;
  return operand->types & 1 << WF_TYPE_U32 ? WF_TYPE_U32 : WF_TYPE_U8;
}

/* The output begins @shift bytes after input number @on, in the same memory; the other inputs
 * have memory of their own, or are left out.
 */
static void
call_init (Call   *call,
           guint   on,
           WfType  type,
           gint64  depth,
           gssize  shift)
{
  const WfOperationInfo *info = call->info;

  call->written = g_test_rand_int_range (0, info->n_outputs);
  for (guint i = 0; i < info->n_inputs; i++)
    call->inputs[i] = view_of (type_of (&info->inputs[i], type), depth);
  call->output = view_of (wf_operation_get_output_type (info->operation, call->written,
                                                        call->inputs[0].type, NULL), depth);
  call->n_bytes = count_bytes (&call->inputs[on]) + count_bytes (&call->output) + ABS (shift);
  call->memory  = g_malloc0 (call->n_bytes);

  for (guint i = 0; i < info->n_inputs; i++)
    {
      if (i != on && info->inputs[i].optional && g_test_rand_bit ())
        continue;
      if (i != on)
        call->separate[i] = g_malloc (count_bytes (&call->inputs[i]));
      call->inputs[i].data = i != on ? call->separate[i] : call->memory + MAX (-shift, 0);
      fill (&call->inputs[i], &info->inputs[i]);
    }
  call->output.data = call->memory + MAX (shift, 0);
}

/* A share of the smaller image, at an address that all types may have. */
static gssize
pick_shift (guint number)
{
  static const int shifts[] = { 0, 1, WIDTH / ALIGNMENT, WIDTH, 5 * WIDTH, HEIGHT * WIDTH / 16 };
  const gssize     shift    = shifts[number % G_N_ELEMENTS (shifts)] * ALIGNMENT;

  return number / G_N_ELEMENTS (shifts) % 2 ? -shift : shift;
}


/*  Calls  */

static gboolean
call_run (const Call  *call,
          WfContext   *context,
          WfImage     *output,
          const char  *algorithm,
          GError     **error)
{
  const WfOptionGroup *group     = call->info->options;
  g_autofree gpointer  options   = g_malloc0 (group->size);
  const WfImage       *inputs[WF_MAX_OPERANDS]  = { NULL };
  WfImage             *outputs[WF_MAX_OPERANDS] = { NULL };

  outputs[call->written] = output;
  wf_option_group_init (group, options);
  for (guint i = 0; i < group->n_options; i++)
    if (group->options[i].required)
      G_STRUCT_MEMBER (double, options, group->options[i].offset) = 5;
  G_STRUCT_MEMBER (const char *, options,
                   wf_option_group_find (group, "algorithm")->offset) = algorithm;
  for (guint i = 0; i < call->info->n_inputs; i++)
    inputs[i] = call->inputs[i].data ? &call->inputs[i] : NULL;
  return wf_operation_run (context, call->info->operation, inputs, outputs, NULL, options, error);
}

/* What the memory should hold afterwards: the result at the output's pixels, elsewhere what it
 * held before.
 */
static guint8 *
expect_memory (const Call *call)
{
  g_autofree gpointer  pixels   = g_malloc0 (count_bytes (&call->output));
  guint8              *expected = g_memdup2 (call->memory, call->n_bytes);
  WfImage              separate = call->output;
  WfImage              there    = call->output;
  GError              *error    = NULL;

  separate.data = pixels;
  g_assert_true (call_run (call, NULL, &separate, NULL, &error));
  g_assert_no_error (error);

  there.data = expected + ((guint8 *) call->output.data - call->memory);
  for (gint64 row = 0; row < there.height * there.depth; row++)
    memcpy (row_of (&there, row), row_of (&separate, row),
            there.width * wf_type_size (there.type));
  return expected;
}

static WfContext *
new_context (const char *device)
{
  WfContext        *context = wf_context_new ();
  WfContextOptions  options;

  wf_option_group_init (wf_context_get_options (), &options);
  options.device    = device;
  options.threads   = g_test_rand_bit () ? 3 : 1;
  options.tile_size = g_test_rand_bit () ? 16 : 0;
  g_assert_true (wf_context_configure (context, &options, NULL));
  wf_context_set_partial_outputs (context, g_test_rand_bit ());
  return context;
}

static void
check_call (const Test *test,
            guint       on,
            WfType      type,
            gint64      depth,
            gssize      shift)
{
  const gboolean         on_cpu    = strcmp (test->device, "cpu") == 0;
  const char            *algorithm = on_cpu ? random_algorithm (test->operation) : NULL;
  g_autoptr (WfContext)  context   = new_context (test->device);
  g_auto (Call)          call      = { .info = wf_operation_describe (test->operation) };
  g_autofree guint8     *expected  = NULL;
  g_autoptr (GError)     error     = NULL;

  call_init (&call, on, type, depth, shift);
  expected = expect_memory (&call);
  g_test_message ("%s by %s, %s, depth %d, %d bytes after input %u", call.info->options->name,
                  algorithm, wf_type_name (type), (int) depth, (int) shift, on);
  if (! call_run (&call, context, &call.output, algorithm, &error))
    {
      g_assert_error (error, WF_ERROR, WF_ERROR_UNSUPPORTED);
      g_assert_true (algorithm || ! on_cpu);
      return;
    }
  g_assert_cmpmem (call.memory, call.n_bytes, expected, call.n_bytes);
}

static void
test_inputs (gconstpointer data)
{
  static const WfType    types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  const Test            *test    = data;
  const WfOperationInfo *info    = wf_operation_describe (test->operation);
  const guint            n       = strcmp (test->device, "cpu") == 0 ? test_count (24, 120)
                                                                     : test_count (3, 12);

  for (guint i = 0; i < n; i++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++)
      for (guint on = 0; on < info->n_inputs; on++)
        check_call (test, on, types[t], i % 2 ? DEPTH : 1, pick_shift (g_test_rand_int ()));
}


/*  Two outputs  */

/* Any part that they share is refused, and nothing is written. */
static void
test_outputs (void)
{
  for (guint i = 0; i < WF_N_OPERATIONS; i++)
    {
      const WfOperationInfo *info     = wf_operation_describe ((WfOperation) i);
      guint8                 levels[WIDTH * HEIGHT] = { 1 };
      guint64                memory[2 * WIDTH * HEIGHT];
      guint64                before[G_N_ELEMENTS (memory)];
      WfImage                image;
      WfImage                first;
      WfImage                second;
      const WfImage         *inputs[WF_MAX_OPERANDS]  = { &image };
      WfImage               *outputs[WF_MAX_OPERANDS] = { &first, &second };

      if (info->n_outputs < 2)
        continue;
      memset (memory, 0x55, sizeof memory);
      memcpy (before, memory, sizeof memory);
      wf_image_init (&image, WF_TYPE_U8, WIDTH, HEIGHT, 1, levels, NULL);
      wf_image_init (&first, wf_operation_get_output_type (info->operation, 0, WF_TYPE_U8, NULL),
                     WIDTH, HEIGHT, 1, memory, NULL);
      for (int shift = 0; shift < WIDTH; shift += WIDTH - 1)
        {
          wf_image_init (&second,
                         wf_operation_get_output_type (info->operation, 1, WF_TYPE_U8, NULL),
                         WIDTH, HEIGHT, 1, memory + shift, NULL);
          assert_refused (wf_operation_run (NULL, info->operation, inputs, outputs, NULL, NULL,
                                            &refusal), WF_ERROR_INVALID);
          g_assert_cmpmem (memory, sizeof memory, before, sizeof before);
        }
    }
}

static void
add_tests (const char *device)
{
  for (guint i = 0; i < WF_N_OPERATIONS; i++)
    {
      Test            *test = g_new (Test, 1);
      g_autofree char *path = NULL;

      *test = (Test) { device, (WfOperation) i };
      path  = g_strdup_printf ("/overlap/%s/%s", device,
                               wf_operation_get_options (test->operation)->name);
      g_test_add_data_func_full (path, test, test_inputs, g_free);
    }
}

int
main (int    argc,
      char **argv)
{
  g_autofree char      *problem = NULL;
  g_autoptr (GPtrArray) devices = NULL;

  tests_begin (&argc, &argv);
  devices = device_names (&problem);
  add_tests ("cpu");
  for (guint i = 0; i < devices->len; i++)
    add_tests (devices->pdata[i]);
  g_test_add_func ("/overlap/outputs", test_outputs);
  return g_test_run ();
}
