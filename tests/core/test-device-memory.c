/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Views in the memory of a device: every operation gives the bits that it gives for images in main
 * memory, packed or with strides, with some images there and some here; nothing else is written;
 * and the CPU reads no pixel of a device (which only the simulated device notices).
 */

#include <math.h>
#include <string.h>

#include "tests/support/device-calls.h"
#include "tests/support/device-image.h"
#include "tests/support/operation-call.h"
#include "tests/support/random-image.h"
#include "tests/support/refusals.h"
#include "tests/support/same-basins.h"
#include "tests/support/tiers.h"

typedef struct
{
  const char       *device;
  const DeviceCall *call;
  WfOperation       operation;
} Test;

static WfMemory
memory_of (const char *device)
{
  return WF_MEMORY_CUDA (g_ascii_strtoull (device + strlen ("cuda:"), NULL, 10));
}

/* Chosen by its name, or by the memory of the images. */
static WfContext *
new_context (const char *device)
{
  WfContext *context = device_context_new (g_test_rand_bit () ? device : "auto");

  wf_context_set_partial_outputs (context, g_test_rand_bit ());
  return context;
}

static void
random_size_of_device (RefSize *size)
{
  do
    {
      if (g_test_rand_bit ())
        random_size (size);
      else
        random_large_size (size);
    }
  while (! device_size_is_wanted (size));
}


/*  Images  */

static GuardedImage *
make_levels (WfType         type,
             const RefSize *size)
{
  GuardedImage       *image  = guarded_image_new (type, size, g_test_rand_bit ());
  g_autofree double  *levels = g_new (double, ref_n_pixels (size));
  g_autofree gpointer packed = NULL;
  Palette             palette;

  random_palette (type, &palette);
  random_content (size, &palette, levels);
  packed = pack_levels (type, levels, ref_n_pixels (size));
  guarded_image_write (image, packed);
  return image;
}

/* A few labels; the first pixel has one. */
static GuardedImage *
make_labels (const RefSize *size)
{
  const gint64        n      = ref_n_pixels (size);
  GuardedImage       *image  = guarded_image_new (WF_TYPE_U32, size, g_test_rand_bit ());
  g_autofree guint32 *labels = g_new0 (guint32, n);

  for (gint64 p = 0; p < n; p++)
    if (p == 0 || g_test_rand_int_range (0, 3) == 0)
      labels[p] = 1 + g_test_rand_int_range (0, 9);
  guarded_image_write (image, labels);
  return image;
}

/* The same pixels without gaps, in main memory. */
static GuardedImage *
copy_packed (const GuardedImage *image)
{
  const RefSize  size = { image->view.width, image->view.height, image->view.depth };
  GuardedImage  *copy = guarded_image_new (image->view.type, &size, FALSE);
  GError        *error = NULL;

  wf_image_copy (NULL, &image->view, &copy->view, &error);
  g_assert_no_error (error);
  return copy;
}

#define MOST_MOVED 8

/* Images that are on the device for one call. */
typedef struct
{
  WfContext  *context;
  WfMemory    memory;
  DeviceImage images[MOST_MOVED];
  guint       n;
} Moved;

static void
move (Moved        *moved,
      GuardedImage *image,
      gboolean      constant)
{
  if (image && image->view.memory == WF_MEMORY_HOST)
    device_image_send (&moved->images[moved->n++], moved->context, moved->memory, image, constant);
}

static void
move_back (Moved *moved)
{
  while (moved->n > 0)
    device_image_fetch (&moved->images[--moved->n], moved->context);
}


/*  The calls of every option  */

static void
check_call (const Test *test)
{
  const DeviceCall        *call     = test->call;
  const WfType             type     = random_type ();
  g_autoptr (WfContext)    context  = new_context (test->device);
  g_autoptr (WfContext)    cpu      = device_context_new ("cpu");
  const gboolean           marker   = call->operation == WF_OPERATION_RECONSTRUCT;
  g_autoptr (GuardedImage) image    = NULL;
  g_autoptr (GuardedImage) second   = NULL;
  g_auto (DeviceResult)    result   = { 0 };
  g_auto (DeviceResult)    expected = { 0 };
  g_autoptr (GError)       error    = NULL;
  Moved                    moved    = { context, memory_of (test->device) };
  const guint              which    = (guint) g_test_rand_int_range (1, 16);
  RefSize                  size;
  gboolean                 done;

  random_size_of_device (&size);
  image  = make_levels (type, &size);
  second = ! call->second ? NULL : marker ? make_levels (type, &size) : make_labels (&size);
  device_result_init (&expected, call, type, &size, FALSE);
  device_result_init (&result, call, type, &size, g_test_rand_bit ());
  device_call_run (call, cpu, &image->view, second ? &second->view : NULL, &expected, &error);
  g_assert_no_error (error);

  if (which & 1)
    move (&moved, image, TRUE);
  if (which & 2 && call->second)
    move (&moved, second, TRUE);
  if (which & 4 || moved.n == 0)
    move (&moved, result.out, FALSE);
  if (which & 8)
    move (&moved, result.nearest, FALSE);
  done = device_call_run (call, context, &image->view, second ? &second->view : NULL, &result,
                          &error);
  move_back (&moved);
  if (! done)
    {
      g_assert_true (device_call_is_refused (error));
      g_assert_true (device_result_untouched (&result));
      return;
    }
  if (! device_result_is_equal (&result, &expected))
    g_error ("%s of %s, %" G_GINT64_FORMAT "×%" G_GINT64_FORMAT "×%" G_GINT64_FORMAT
             ", images %u on the device: first difference at %" G_GINT64_FORMAT, call->name,
             wf_type_name (type), size.width, size.height, size.depth, which,
             guarded_image_find_difference (result.out, expected.out->view.data));
}

static void
test_call (gconstpointer data)
{
  const guint n = test_count (6, 60);

  for (guint i = 0; i < n; i++)
    check_call (data);
}


/*  Every operation, also those that no GPU has  */

static WfType
type_of (const WfOperand *operand,
         WfType           type)
{
  return operand->types & 1u << type ? type
         : operand->types & 1 << WF_TYPE_U32 ? WF_TYPE_U32 : WF_TYPE_U8;
}

static gboolean
run_operation (const Test         *test,
               WfContext          *context,
               GuardedImage *const inputs[WF_MAX_OPERANDS],
               GuardedImage       *out,
               guint32            *count,
               GError            **error)
{
  const WfOptionGroup *group    = wf_operation_get_options (test->operation);
  g_autofree gpointer  options  = g_malloc0 (group->size);
  const WfImage       *views[WF_MAX_OPERANDS]   = { NULL };
  WfImage             *outputs[WF_MAX_OPERANDS] = { &out->view };

  wf_option_group_init (group, options);
  for (guint i = 0; i < group->n_options; i++)
    if (group->options[i].required)
      G_STRUCT_MEMBER (double, options, group->options[i].offset) = 5;
  for (guint i = 0; i < WF_MAX_OPERANDS; i++)
    views[i] = inputs[i] ? &inputs[i]->view : NULL;
  return wf_operation_run (context, test->operation, views, outputs, count, options, error);
}

static void
check_operation (const Test *test)
{
  const WfOperationInfo   *info    = wf_operation_describe (test->operation);
  const WfType             type    = operation_input_type (test->operation, random_type ());
  const WfType             written = wf_operation_get_output_type (test->operation, 0, type, NULL);
  g_autoptr (WfContext)    context = new_context (test->device);
  g_autoptr (WfContext)    cpu     = device_context_new ("cpu");
  Moved                    moved   = { context, memory_of (test->device) };
  GuardedImage            *inputs[WF_MAX_OPERANDS] = { NULL };
  g_autoptr (GuardedImage) expected = NULL;
  GuardedImage            *out;
  guint32                  counts[2];
  gboolean                 in_place;
  gboolean                 done[2];
  GError                  *errors[2] = { NULL, NULL };
  RefSize                  size;

  random_size_of_device (&size);
  for (guint i = 0; i < info->n_inputs; i++)
    if (! info->inputs[i].optional || g_test_rand_bit ())
      inputs[i] = type_of (&info->inputs[i], type) == WF_TYPE_U32
                  ? make_labels (&size) : make_levels (type_of (&info->inputs[i], type), &size);
  in_place = inputs[0]->view.type == written && g_test_rand_bit ();
  expected = guarded_image_new (written, &size, FALSE);
  done[0]  = run_operation (test, cpu, inputs, expected, &counts[0], &errors[0]);

  out = in_place ? inputs[0] : guarded_image_new (written, &size, g_test_rand_bit ());
  move (&moved, out, FALSE);
  for (guint i = 0; i < info->n_inputs; i++)
    if (g_test_rand_bit ())
      move (&moved, inputs[i], TRUE);
  done[1] = run_operation (test, context, inputs, out, &counts[1], &errors[1]);
  move_back (&moved);

  g_assert_cmpint (done[0], ==, done[1]);
  if (! done[0])   /* no markers, no mask: not where a device has no memory */
    g_assert_error (errors[1], errors[0]->domain, errors[0]->code);
  else
    {
      g_assert_cmpint (guarded_image_find_difference (out, expected->view.data), ==, -1);
      g_assert_cmpuint (counts[0], ==, counts[1]);
    }
  g_assert_true (guarded_image_is_guarded (out));
  g_clear_error (&errors[0]);
  g_clear_error (&errors[1]);
  if (! in_place)
    guarded_image_free (out);
  for (guint i = 0; i < info->n_inputs; i++)
    g_clear_pointer (&inputs[i], guarded_image_free);
}

static void
test_operation (gconstpointer data)
{
  const guint n = test_count (8, 80);

  for (guint i = 0; i < n; i++)
    check_operation (data);
}


/*  What is no operation  */

static void
check_regions (WfContext    *context,
               GuardedImage *labels,
               GuardedImage *levels,
               Moved        *moved)
{
  g_autoptr (WfRegions) expected = NULL;
  g_autoptr (WfRegions) regions  = NULL;
  g_autofree char      *here     = NULL;
  g_autofree char      *there    = NULL;
  GError               *error    = NULL;

  expected = wf_regions_measure (NULL, &labels->view, &levels->view, 0, NULL, &error);
  g_assert_no_error (error);
  move (moved, labels, TRUE);
  if (g_test_rand_bit ())
    move (moved, levels, TRUE);
  regions = wf_regions_measure (context, &labels->view, &levels->view, 0, NULL, &error);
  g_assert_no_error (error);
  move_back (moved);
  here  = wf_regions_format (expected, WF_TABLE_CSV, NULL, NULL);
  there = wf_regions_format (regions, WF_TABLE_CSV, NULL, NULL);
  g_assert_cmpstr (there, ==, here);
}

static void
check_basins (WfContext    *context,
              GuardedImage *labels,
              GuardedImage *levels,
              GuardedImage *mask,
              Moved        *moved)
{
  WfBasin *basins[2] = { NULL, NULL };
  guint32  n[2]      = { 0, 0 };
  gboolean done[2];

  for (int there = 0; there < 2; there++)
    {
      if (there)
        {
          move (moved, levels, TRUE);
          move (moved, mask, TRUE);
        }
      done[there] = wf_basins_measure_masked (there ? context : NULL, &levels->view, NULL,
                                              &labels->view, mask ? &mask->view : NULL, 0,
                                              &basins[there], &n[there], NULL);
    }
  move_back (moved);
  g_assert_cmpint (done[0], ==, done[1]);
  g_assert_cmpuint (n[0], ==, n[1]);
  for (guint32 i = 0; i < n[0]; i++)
    {
      g_assert_cmpuint (basins[0][i].label, ==, basins[1][i].label);
      g_assert_true (memcmp (&basins[0][i].depth, &basins[1][i].depth, sizeof (double)) == 0);
    }
  g_free (basins[0]);
  g_free (basins[1]);
}

static void
check_label_tool (WfContext     *context,
                  GuardedImage  *labels,
                  const RefSize *size,
                  Moved         *moved)
{
  g_autoptr (GuardedImage) expected = guarded_image_new (WF_TYPE_U32, size, FALSE);
  g_autoptr (GuardedImage) out      = guarded_image_new (WF_TYPE_U32, size, g_test_rand_bit ());
  guint32                  n[2]     = { 0, 0 };
  GError                  *error    = NULL;

  wf_labels_keep_largest (NULL, &labels->view, &expected->view, &n[0], NULL, &error);
  g_assert_no_error (error);
  move (moved, labels, TRUE);
  move (moved, out, FALSE);
  wf_labels_keep_largest (context, &labels->view, &out->view, &n[1], NULL, &error);
  g_assert_no_error (error);
  move_back (moved);
  g_assert_cmpint (guarded_image_find_difference (out, expected->view.data), ==, -1);
  g_assert_true (guarded_image_is_guarded (out));
  g_assert_cmpuint (n[0], ==, n[1]);
}

static void
check_outlines (WfContext    *context,
                GuardedImage *labels,
                Moved        *moved)
{
  g_autoptr (WfOutlines) expected = wf_outlines_trace (NULL, &labels->view, NULL);
  g_autoptr (WfOutlines) outlines = NULL;

  move (moved, labels, TRUE);
  outlines = wf_outlines_trace (context, &labels->view, NULL);
  move_back (moved);
  g_assert_nonnull (outlines);
  g_assert_cmpint (wf_outlines_get_n_regions (outlines), ==,
                   wf_outlines_get_n_regions (expected));
}

/* Of WfBoundaryFunc. */
static void
keep_polyline (const double *points,
               gsize         n_points,
               gboolean      closed,
               gint64        slice,
               gpointer      polylines)
{
  const double head[] = { (double) n_points, closed, (double) slice };

  g_array_append_vals (polylines, head, G_N_ELEMENTS (head));
  g_array_append_vals (polylines, points, 2 * (guint) n_points);
}

static void
check_boundaries (WfContext    *context,
                  GuardedImage *labels,
                  GuardedImage *mask,
                  Moved        *moved)
{
  g_autoptr (GArray) expected = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) found    = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GError) error    = NULL;

  wf_boundaries_trace (NULL, &labels->view, &mask->view, 0.75, keep_polyline, expected, &error);
  g_assert_no_error (error);
  move (moved, labels, TRUE);
  move (moved, mask, TRUE);
  wf_boundaries_trace (context, &labels->view, &mask->view, 0.75, keep_polyline, found, &error);
  move_back (moved);
  g_assert_no_error (error);
  g_assert_cmpmem (found->data, found->len * sizeof (double), expected->data,
                   expected->len * sizeof (double));
}

/* @row: counted over all slices */
static guint32 *
get_labels (const GuardedImage *labels,
            gint64              row)
{
  const WfImage *view = &labels->view;

  return (guint32 *) view->data + row / view->height * view->slice_stride
         + row % view->height * view->row_stride;
}

/* Labels far apart, which a table of all labels is not worth, or of which one is missing. */
static void
spread_labels (GuardedImage *labels)
{
  const guint32 factor = g_test_rand_bit () ? 7919 : 400000000;
  const gint64  n_rows = labels->view.height * labels->view.depth;

  for (gint64 row = 0; row < n_rows; row++)
    for (gint64 x = 0; x < labels->view.width; x++)
      get_labels (labels, row)[x] *= factor;
}

static void
assert_relabelled_by (WfContext  *context,
                      const char *device)
{
  const WfReport *report = wf_context_get_report (context);

  g_assert_cmpstr (report->algorithm, ==, "relabel");
  g_assert_cmpstr (report->device, ==, device);
  g_assert_null (report->notice);
}

/* The labels of a partition: a device does what is in its memory. */
static void
check_partition (const Test    *test,
                 WfContext     *context,
                 WfHierarchy   *hierarchy,
                 GuardedImage  *labels,
                 GuardedImage  *mask,
                 const RefSize *size,
                 Moved         *moved)
{
  const guint32            n        = wf_hierarchy_get_n_basins (hierarchy);
  const int                which    = g_test_rand_int_range (1, 5);
  g_autofree guint32      *regions  = g_new (guint32, n);
  g_autoptr (GuardedImage) expected = guarded_image_new (WF_TYPE_U32, size, FALSE);
  g_autoptr (GuardedImage) apart    = guarded_image_new (WF_TYPE_U32, size, g_test_rand_bit ());
  g_autoptr (GuardedImage) kept     = copy_packed (labels);
  GuardedImage            *out      = which == 4 ? labels : apart;
  GError                  *error    = NULL;

  wf_hierarchy_cut_to_count (hierarchy, (guint32) g_test_rand_int_range (1, (gint32) n + 1),
                             regions);
  wf_hierarchy_relabel_masked (NULL, hierarchy, regions, &labels->view,
                               mask ? &mask->view : NULL, &expected->view, &error);
  g_assert_no_error (error);
  if (which & 1)
    move (moved, labels, TRUE);
  if (which & 6)
    move (moved, out, FALSE);
  if (mask && g_test_rand_bit ())
    move (moved, mask, TRUE);
  wf_hierarchy_relabel_masked (context, hierarchy, regions, &labels->view,
                               mask ? &mask->view : NULL, &out->view, &error);
  g_assert_no_error (error);
  if (! mask || which & 6)
    assert_relabelled_by (context, test->device);
  move_back (moved);
  g_assert_cmpint (guarded_image_find_difference (out, expected->view.data), ==, -1);
  g_assert_true (guarded_image_is_guarded (out));
  guarded_image_write (labels, kept->view.data);
}

/* A label that is none of the basins' is refused as on the CPU. */
static void
check_unknown_label (WfContext     *context,
                     WfHierarchy   *hierarchy,
                     GuardedImage  *labels,
                     const RefSize *size,
                     Moved         *moved)
{
  const guint32            n        = wf_hierarchy_get_n_basins (hierarchy);
  g_autofree guint32      *regions  = g_new0 (guint32, n);
  g_autoptr (GuardedImage) out      = guarded_image_new (WF_TYPE_U32, size, FALSE);
  g_autofree char         *expected = NULL;
  guint32                 *last     = get_labels (labels, size->height * size->depth - 1);
  const guint32            kept     = *last;
  GError                  *error    = NULL;

  *last = g_test_rand_bit () ? G_MAXUINT32 : 10;
  g_assert_false (wf_hierarchy_relabel (NULL, hierarchy, regions, &labels->view, &out->view,
                                        &error));
  expected = g_strdup (error->message);
  g_clear_error (&error);
  move (moved, labels, TRUE);
  g_assert_false (wf_hierarchy_relabel (context, hierarchy, regions, &labels->view, &out->view,
                                        &error));
  g_assert_error (error, WF_ERROR, WF_ERROR_INVALID);
  g_assert_cmpstr (error->message, ==, expected);
  g_clear_error (&error);
  move_back (moved);
  *last = kept;
}

static void
check_partitions (const Test    *test,
                  WfContext     *context,
                  GuardedImage  *labels,
                  GuardedImage  *levels,
                  GuardedImage  *mask,
                  const RefSize *size,
                  Moved         *moved)
{
  g_autoptr (WfHierarchy) hierarchy = NULL;
  GError                 *error     = NULL;

  hierarchy = wf_hierarchy_new (NULL, &levels->view, &labels->view, NULL, &error);
  g_assert_no_error (error);
  check_partition (test, context, hierarchy, labels, NULL, size, moved);
  check_partition (test, context, hierarchy, labels, mask, size, moved);
  check_unknown_label (context, hierarchy, labels, size, moved);
}

/* Labels without a gap are vertices where they are, by every measure. */
static void
check_flooded (WfContext     *context,
               GuardedImage  *levels,
               const RefSize *size,
               Moved         *moved)
{
  g_autoptr (GuardedImage) labels  = guarded_image_new (WF_TYPE_U32, size, g_test_rand_bit ());
  g_autoptr (WfHierarchy)  here    = NULL;
  g_autoptr (WfHierarchy)  there   = NULL;
  WfHierarchyOptions       options;
  GError                  *error   = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
  options.measure = g_test_rand_int_range (0, 3);
  wf_watershed (NULL, &levels->view, NULL, &labels->view, NULL, NULL, &error);
  g_assert_no_error (error);
  here = wf_hierarchy_new (NULL, &levels->view, &labels->view, &options, &error);
  g_assert_no_error (error);
  move (moved, labels, TRUE);
  if (g_test_rand_bit ())
    move (moved, levels, TRUE);
  there = wf_hierarchy_new (context, &levels->view, &labels->view, &options, &error);
  g_assert_no_error (error);
  g_assert_null (wf_context_get_report (context)->notice);
  move_back (moved);
  assert_same_hierarchies (there, here);
}

/* The saliency map. */
static void
check_hierarchy (WfContext     *context,
                 GuardedImage  *labels,
                 GuardedImage  *levels,
                 const RefSize *size,
                 Moved         *moved)
{
  g_autoptr (GuardedImage) expected  = guarded_image_new (WF_TYPE_F64, size, FALSE);
  g_autoptr (GuardedImage) out       = guarded_image_new (WF_TYPE_F64, size, TRUE);
  g_autoptr (WfHierarchy)  here      = NULL;
  g_autoptr (WfHierarchy)  there     = NULL;
  GError                  *error     = NULL;

  here = wf_hierarchy_new (NULL, &levels->view, &labels->view, NULL, &error);
  g_assert_no_error (error);
  wf_hierarchy_saliency (NULL, here, &labels->view, &expected->view, &error);
  g_assert_no_error (error);
  move (moved, labels, TRUE);
  move (moved, levels, TRUE);
  move (moved, out, FALSE);
  there = wf_hierarchy_new (context, &levels->view, &labels->view, NULL, &error);
  g_assert_no_error (error);
  wf_hierarchy_saliency (context, there, &labels->view, &out->view, &error);
  g_assert_no_error (error);
  move_back (moved);
  g_assert_cmpint (guarded_image_find_difference (out, expected->view.data), ==, -1);
}

static void
test_others (gconstpointer data)
{
  const Test *test = data;

  for (guint i = 0; i < test_count (6, 60); i++)
    {
      g_autoptr (WfContext)    context = new_context (test->device);
      Moved                    moved   = { context, memory_of (test->device) };
      g_autoptr (GuardedImage) labels  = NULL;
      g_autoptr (GuardedImage) levels  = NULL;
      g_autoptr (GuardedImage) mask    = NULL;
      RefSize                  size;

      random_size_of_device (&size);
      labels = make_labels (&size);
      levels = make_levels (random_type (), &size);
      mask   = make_levels (WF_TYPE_U8, &size);
      check_regions (context, labels, levels, &moved);
      check_basins (context, labels, levels, NULL, &moved);
      check_basins (context, labels, levels, mask, &moved);
      check_label_tool (context, labels, &size, &moved);
      check_outlines (context, labels, &moved);
      check_boundaries (context, labels, mask, &moved);
      check_hierarchy (context, labels, levels, &size, &moved);
      check_partitions (test, context, labels, levels, mask, &size, &moved);
      check_flooded (context, levels, &size, &moved);
      spread_labels (labels);
      check_partitions (test, context, labels, levels, mask, &size, &moved);
    }
}


/*  Memory limits  */

typedef gboolean (* LimitedCall) (WfContext      *context,
                                  GuardedImage  **images);

/* What no GPU has; labels are as wide as levels of f32. */
static gboolean
open_areas (WfContext     *context,
            GuardedImage **images)
{
  const WfAttributeOptions options = { .size = sizeof options, .area = 4 };
  WfImage                  image   = images[0]->view;
  WfImage                  out     = images[1]->view;

  image.type = out.type = WF_TYPE_F32;
  return wf_area_opening (context, &image, &out, &options, NULL);
}

static gboolean
trace (WfContext     *context,
       GuardedImage **images)
{
  g_autoptr (WfOutlines) outlines = wf_outlines_trace (context, &images[0]->view, NULL);

  return outlines != NULL;
}

/* The lowest limit that suffices. */
static guint64
find_limit (WfContext     *context,
            LimitedCall    call,
            GuardedImage **images)
{
  guint64 low  = 0;
  guint64 high = 1 << 24;

  while (high - low > 1)
    {
      const guint64 limit = (low + high) / 2;

      wf_context_set_memory_limit (context, limit);
      *(call (context, images) ? &high : &low) = limit;
    }
  return high;
}

/* Copies of what is on the device count, and what they take is given back. */
static void
check_limit (const Test    *test,
             LimitedCall    call,
             guint          n_images)
{
  const RefSize            size    = { 90, 70, 1 };
  const guint64            bytes   = (guint64) ref_n_pixels (&size) * sizeof (guint32);
  g_autoptr (WfContext)    context = wf_context_new ();
  Moved                    moved   = { context, memory_of (test->device) };
  g_autoptr (GuardedImage) labels  = make_labels (&size);
  g_autoptr (GuardedImage) packed  = copy_packed (labels);
  g_autoptr (GuardedImage) out     = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  GuardedImage            *images[] = { packed, out };
  const guint64            here    = find_limit (context, call, images);

  for (guint i = 0; i < n_images; i++)
    move (&moved, images[i], FALSE);
  for (int round = 0; round < 2; round++)
    {
      wf_context_set_memory_limit (context, here + n_images * bytes - 1);
      g_assert_false (call (context, images));
      wf_context_set_memory_limit (context, here + n_images * bytes);
      g_assert_true (call (context, images));
      g_assert_true (call (context, images));
    }
  wf_context_set_memory_limit (context, 0);
  move_back (&moved);
}

static void
test_limits (gconstpointer data)
{
  check_limit (data, open_areas, 2);
  check_limit (data, trace, 1);
}


/*  Copies  */

static void
test_copies (gconstpointer data)
{
  const Test *test = data;

  for (guint i = 0; i < test_count (40, 400); i++)
    {
      const WfType             types[]  = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_U32 };
      const WfType             type     = types[i % G_N_ELEMENTS (types)];
      g_autoptr (WfContext)    context  = g_test_rand_bit () ? new_context (test->device) : NULL;
      Moved                    moved    = { context, memory_of (test->device) };
      const int                which    = g_test_rand_int_range (0, 4);
      g_autoptr (GuardedImage) from     = NULL;
      g_autoptr (GuardedImage) to       = NULL;
      g_autoptr (GuardedImage) expected = NULL;
      GError                  *error    = NULL;
      RefSize                  size;

      random_size_of_device (&size);
      from     = type == WF_TYPE_U32 ? make_labels (&size) : make_levels (type, &size);
      expected = copy_packed (from);
      to       = guarded_image_new (type, &size, g_test_rand_bit ());
      if (which & 1)
        move (&moved, from, TRUE);
      if (which & 2)
        move (&moved, to, FALSE);
      wf_image_copy (context, &from->view, &to->view, &error);
      g_assert_no_error (error);
      assert_refused (wf_image_copy (context, &to->view, &to->view, &refusal), WF_ERROR_INVALID);
      move_back (&moved);
      g_assert_cmpint (guarded_image_find_difference (to, expected->view.data), ==, -1);
      g_assert_true (guarded_image_is_guarded (to));
    }
}

/* An image outlives its context, and each is freed by itself. */
static void
test_ownership (gconstpointer data)
{
  const Test            *test    = data;
  g_autoptr (WfContext)  context = device_context_new (test->device);
  WfImage                images[3];
  guint8                 pixels[64 * 3];
  guint8                 back[64 * 3];
  WfImage                here;
  WfImage                there;
  GError                *error = NULL;

  for (guint i = 0; i < sizeof pixels; i++)
    pixels[i] = (guint8) g_test_rand_int ();
  wf_image_init (&here, WF_TYPE_U8, 64, 3, 1, pixels, NULL);
  wf_image_init (&there, WF_TYPE_U8, 64, 3, 1, back, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (images); i++)
    {
      wf_image_allocate_on (context, &images[i], memory_of (test->device), WF_TYPE_U8, 64, 3, 1,
                            &error);
      g_assert_no_error (error);
      wf_image_copy (context, i == 0 ? &here : &images[i - 1], &images[i], &error);
      g_assert_no_error (error);
    }
  wf_image_clear (&images[1]);
  g_assert_null (images[1].data);
  g_assert_cmpint (images[1].memory, ==, WF_MEMORY_HOST);
  g_clear_pointer (&context, wf_context_unref);
  wf_image_copy (NULL, &images[2], &there, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (back, sizeof back, pixels, sizeof pixels);
  wf_image_clear (&images[2]);
  wf_image_clear (&images[0]);
}


/*  Refusals  */

/* @code: of filling the holes of what is on the device, into what is there, too */
static void
check_refused (WfContext *context,
               WfImage   *image,
               WfImage   *out,
               WfError    code)
{
  assert_refused (wf_fill_holes (context, image, out, NULL, &refusal), code);
}

static void
test_refusals (gconstpointer data)
{
  const Test              *test    = data;
  const WfMemory           memory  = memory_of (test->device);
  const RefSize            size    = { 21, 13, 1 };
  g_autoptr (WfContext)    context = device_context_new (test->device);
  g_autoptr (WfContext)    cpu     = device_context_new ("cpu");
  g_autoptr (WfContext)    all     = device_context_new ("all");
  g_autoptr (GPtrArray)    devices = wf_list_devices (NULL);
  Moved                    moved   = { context, memory };
  g_autoptr (GuardedImage) image   = make_levels (WF_TYPE_F32, &size);
  g_autoptr (GuardedImage) out     = guarded_image_new (WF_TYPE_F32, &size, TRUE);
  g_autoptr (GuardedImage) labels  = guarded_image_new (WF_TYPE_U32, &size, TRUE);
  g_autoptr (GuardedImage) marks   = guarded_image_new (WF_TYPE_U32, &size, TRUE);
  g_autofree guint32      *none    = g_new0 (guint32, ref_n_pixels (&size));
  g_autoptr (GCancellable) cancel  = g_cancellable_new ();
  WfImage                  wrong   = image->view;
  WfImage                  empty;

  guarded_image_write (marks, none);
  g_assert_false (wf_image_allocate_on (context, &empty, WF_MEMORY_CUDA (devices->len),
                                        WF_TYPE_U8, 4, 4, 1, NULL));
  g_assert_null (empty.data);
  wrong.memory = memory;
  check_refused (context, &wrong, &out->view, WF_ERROR_INVALID);
  wrong.memory = WF_MEMORY_CUDA (devices->len);
  check_refused (context, &wrong, &out->view, WF_ERROR_DEVICE);
  wrong.memory = -3;
  check_refused (context, &wrong, &out->view, WF_ERROR_DEVICE);

  move (&moved, image, TRUE);
  move (&moved, out, FALSE);
  move (&moved, labels, FALSE);
  move (&moved, marks, TRUE);
  check_refused (cpu, &image->view, &out->view, WF_ERROR_UNSUPPORTED);
  check_refused (all, &image->view, &out->view, WF_ERROR_UNSUPPORTED);
  assert_refused (wf_watershed (context, &image->view, &marks->view, &labels->view, NULL, NULL,
                                &refusal), WF_ERROR_INVALID);
  assert_refused (wf_impose_minima (context, &image->view, &marks->view, &out->view, NULL,
                                    &refusal), WF_ERROR_INVALID);
  g_cancellable_cancel (cancel);
  wf_context_set_cancellable (context, cancel);
  assert_refused_with (wf_fill_holes (context, &image->view, &out->view, NULL, &refusal),
                       G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wf_context_set_cancellable (context, NULL);
  move_back (&moved);
  g_assert_true (guarded_image_is_untouched (out));
  g_assert_true (guarded_image_is_untouched (labels));
}

/* Levels are counted where the image is, NaN is left out; with a mask, which may be elsewhere, too.
 */
static void
test_histogram (gconstpointer data)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  const Test         *test    = data;

  for (guint i = 0; i < 4 * G_N_ELEMENTS (types); i++)
    {
      const WfType             type    = types[i % G_N_ELEMENTS (types)];
      const RefSize            size    = { g_test_rand_int_range (1, 70),
                                           g_test_rand_int_range (1, 30),
                                           g_test_rand_int_range (1, 4) };
      g_autoptr (WfContext)    context = device_context_new (test->device);
      Moved                    moved   = { context, memory_of (test->device) };
      g_autoptr (GuardedImage) image   = guarded_image_new (type, &size, i % 2 == 0);
      g_autoptr (GuardedImage) mask    = guarded_image_new (WF_TYPE_U8, &size, FALSE);
      g_autofree gpointer      levels  = g_malloc (ref_n_pixels (&size) * wf_type_size (type));
      g_autofree guint8       *inside  = g_new (guint8, ref_n_pixels (&size));
      g_autoptr (WfHistogram)  all     = NULL;
      g_autoptr (WfHistogram)  some    = NULL;
      g_autoptr (WfHistogram)  there   = NULL;
      g_autoptr (WfHistogram)  masked  = NULL;
      GError                  *error   = NULL;

      for (gint64 p = 0; p < ref_n_pixels (&size); p++)
        {
          const double level = g_test_rand_int_range (0, 3) ? g_test_rand_double_range (-0.2, 1.2)
                                                            : 0.5;

          if (type == WF_TYPE_F32)
            ((float *) levels)[p] = g_test_rand_int_range (0, 20) ? (float) level : NAN;
          else if (type == WF_TYPE_U16)
            ((guint16 *) levels)[p] = (guint16) (CLAMP (level, 0, 1) * G_MAXUINT16);
          else
            ((guint8 *) levels)[p] = (guint8) (CLAMP (level, 0, 1) * G_MAXUINT8);
          inside[p] = (guint8) g_test_rand_int_range (0, 3);
        }
      guarded_image_write (image, levels);
      guarded_image_write (mask, inside);
      all  = wf_histogram_new (&image->view, &error);
      some = wf_histogram_new_masked (&image->view, &mask->view, &error);
      g_assert_no_error (error);

      move (&moved, image, TRUE);
      there = wf_histogram_new (&image->view, &error);
      g_assert_no_error (error);
      if (g_test_rand_bit ())
        move (&moved, mask, TRUE);
      masked = wf_histogram_new_masked (&image->view, &mask->view, &error);
      g_assert_no_error (error);
      g_assert_cmpmem (there->counts, there->n_levels * sizeof *there->counts, all->counts,
                       all->n_levels * sizeof *all->counts);
      g_assert_cmpmem (masked->counts, masked->n_levels * sizeof *masked->counts, some->counts,
                       some->n_levels * sizeof *some->counts);
      move_back (&moved);
    }
}

/* A NaN on the device is refused by every operation, of the CPU, too; labels are whole numbers. */
static void
test_nan (gconstpointer data)
{
  const Test *test = data;

  for (guint i = 0; i < WF_N_OPERATIONS; i++)
    {
      const WfOperationInfo   *info    = wf_operation_describe ((WfOperation) i);
      const Test               one     = { test->device, NULL, (WfOperation) i };
      const RefSize            size    = { 70, 33, 1 };
      const WfType             written = wf_operation_get_output_type ((WfOperation) i, 0,
                                                                       WF_TYPE_F32, NULL);
      g_autoptr (WfContext)    context = new_context (test->device);
      Moved                    moved   = { context, memory_of (test->device) };
      GuardedImage            *inputs[WF_MAX_OPERANDS] = { NULL };
      g_autoptr (GuardedImage) out     = guarded_image_new (written, &size, g_test_rand_bit ());
      guint32                  count;

      if (! (info->inputs[0].types & 1u << WF_TYPE_F32))
        continue;
      for (guint k = 0; k < info->n_inputs; k++)
        if (! info->inputs[k].optional)
          inputs[k] = type_of (&info->inputs[k], WF_TYPE_F32) == WF_TYPE_U32
                      ? make_labels (&size)
                      : make_levels (type_of (&info->inputs[k], WF_TYPE_F32), &size);
      guarded_image_set_float (inputs[0], g_test_rand_int_range (0, 70 * 33), NAN);
      move (&moved, inputs[0], TRUE);
      move (&moved, out, FALSE);
      assert_refused (run_operation (&one, context, inputs, out, &count, &refusal),
                      WF_ERROR_INVALID);
      move_back (&moved);
      g_assert_true (guarded_image_is_untouched (out));
      for (guint k = 0; k < info->n_inputs; k++)
        g_clear_pointer (&inputs[k], guarded_image_free);
    }
}

/* Makes the k-th call of those that can fail return an error; see cuda/core/failures.cu. */
#define FAULT "WAVEFRONT_CUDA_FAULT"

/* An upper bound on the calls that an operation makes for the images of this test. */
#define MOST_CALLS 400

/* Each call that can fail does so once: the outputs stay as they were, unless the CPU does the work
 * with copies of the same images.
 */
static void
check_faults (const Test *test,
              WfFallback  fallback)
{
  const RefSize            size     = { 60, 40, 1 };
  WfContextOptions         options  = { sizeof options, "auto", 0, 0, fallback };
  g_autoptr (WfContext)    context  = wf_context_new ();
  Moved                    moved    = { context, memory_of (test->device) };
  g_autoptr (GuardedImage) image    = make_levels (WF_TYPE_U16, &size);
  g_autoptr (GuardedImage) out      = guarded_image_new (WF_TYPE_U16, &size, g_test_rand_bit ());
  g_autoptr (GuardedImage) expected = guarded_image_new (WF_TYPE_U16, &size, FALSE);
  guint                    n_failed = 0;
  gboolean                 done     = FALSE;

  g_assert_true (wf_context_configure (context, &options, NULL));
  g_assert_true (wf_fill_holes (NULL, &image->view, &expected->view, NULL, NULL));
  for (int k = 1; ! done && k < MOST_CALLS; k++)
    {
      g_autofree char    *number = g_strdup_printf ("%d", k);
      g_autoptr (GError)  error  = NULL;

      move (&moved, image, TRUE);
      move (&moved, out, FALSE);
      g_setenv (FAULT, number, TRUE);
      done = wf_fill_holes (context, &image->view, &out->view, NULL, &error);
      g_unsetenv (FAULT);
      move_back (&moved);
      if (done)
        break;
      g_assert_error (error, WF_ERROR, WF_ERROR_MEMORY);
      assert_sentence (error->message);
      g_assert_true (guarded_image_is_untouched (out));
      n_failed++;
    }
  g_assert_true (done);
  g_assert_cmpint (guarded_image_find_difference (out, expected->view.data), ==, -1);
  g_assert_true (fallback != WF_FALLBACK_NONE || n_failed > 3);
}

static void
test_faults (gconstpointer data)
{
  check_faults (data, WF_FALLBACK_NONE);
  check_faults (data, WF_FALLBACK_CPU);
}

/* What is reported: the device of the images, or that the CPU stands in. */
static void
test_reports (gconstpointer data)
{
  const Test              *test     = data;
  const RefSize            size     = { 40, 30, 1 };
  g_autoptr (WfContext)    context  = wf_context_new ();
  Moved                    moved    = { context, memory_of (test->device) };
  g_autoptr (GuardedImage) image    = make_levels (WF_TYPE_U8, &size);
  g_autoptr (GuardedImage) out      = guarded_image_new (WF_TYPE_U8, &size, FALSE);
  g_autoptr (WfForecast)   forecast = NULL;
  const WfReport          *report   = wf_context_get_report (context);
  GError                  *error    = NULL;

  move (&moved, image, TRUE);
  wf_fill_holes (context, &image->view, &out->view, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (report->device, ==, test->device);
  assert_sentence (report->reason);
  g_assert_null (report->notice);
  wf_median (context, &image->view, &out->view, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (report->device, ==, "cpu");
  assert_sentence (report->notice);
  assert_sentence (report->reason);

  forecast = wf_context_forecast (context, WF_OPERATION_FILL_HOLES, &image->view, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (forecast->device, ==, test->device);
  g_assert_cmpint (forecast->memory, ==, image->view.memory);
  move_back (&moved);
}


static void
add_test (const Test    *test,
          const char    *name,
          GTestDataFunc  function)
{
  g_autofree char *path = g_strdup_printf ("/device-memory/%s/%s", test->device, name);

  g_test_add_data_func_full (path, g_memdup2 (test, sizeof *test), function, g_free);
}

static void
add_device (const char *device)
{
  Test test = { device };

  for (test.call = device_calls; test.call->name; test.call++)
    add_test (&test, test.call->name, test_call);
  for (guint i = 0; i < WF_N_OPERATIONS; i++)
    {
      g_autofree char *name = g_strdup_printf ("any/%s",
                                               wf_operation_get_options ((WfOperation) i)->name);

      test.operation = (WfOperation) i;
      add_test (&test, name, test_operation);
    }
  add_test (&test, "others", test_others);
  add_test (&test, "limits", test_limits);
  add_test (&test, "copies", test_copies);
  add_test (&test, "ownership", test_ownership);
  add_test (&test, "refusals", test_refusals);
  add_test (&test, "nan", test_nan);
  add_test (&test, "histogram", test_histogram);
  add_test (&test, "faults", test_faults);
  add_test (&test, "reports", test_reports);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char      *problem = NULL;
  g_autoptr (GPtrArray) names   = NULL;

  tests_begin (&argc, &argv);

  names = device_names (&problem);
  for (guint i = 0; i < names->len; i++)
    add_device (names->pdata[i]);
  if (problem)
    g_test_add_data_func ("/device-memory/none", problem, device_test_none);

  return g_test_run ();
}
