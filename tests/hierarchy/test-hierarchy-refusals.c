/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hierarchies that fail: they are cancelled, have too little memory, or are refused. */

#include <math.h>
#include <string.h>

#include "tests/support/estimate.h"
#include "tests/support/refusals.h"
#include "tests/support/scene.h"
#include "tests/support/tiers.h"

static const Medium medium = { WF_TYPE_U8, { 200, 150, 1 }, 8 };


/*  Cancelling, memory  */

typedef struct
{
  GCancellable *cancellable;
  double        at;
  double        last;
  gboolean      wrong_order;
} Watcher;

static void
watch (double   fraction,
       gpointer data)
{
  Watcher *watcher = data;

  watcher->wrong_order |= ! (fraction >= watcher->last && fraction <= 1);
  watcher->last         = fraction;
  if (fraction >= watcher->at)
    g_cancellable_cancel (watcher->cancellable);
}

/* A cancelled operation leaves its output unchanged. */
static void
test_cancelled (void)
{
  g_auto (Scene)            scene       = { 0 };
  g_autoptr (WfContext)     context     = wf_context_new ();
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  g_autoptr (GuardedImage)  out         = guarded_image_new (WF_TYPE_U32, &medium.size, TRUE);
  g_autoptr (GuardedImage)  map         = guarded_image_new (WF_TYPE_F32, &medium.size, TRUE);
  g_autoptr (WfHierarchy)   hierarchy   = NULL;
  g_autofree guint32       *regions     = NULL;

  scene_init (&scene, &medium, TRUE);
  hierarchy = new_hierarchy (context, scene.image, scene.labels, WF_MEASURE_VOLUME, 0);
  regions   = g_new (guint32, scene.n_basins);
  wf_hierarchy_cut_to_count (hierarchy, 10, regions);

  wf_context_set_cancellable (context, cancellable);
  g_cancellable_cancel (cancellable);
  assert_refused_with (wf_hierarchy_new (context, &scene.image->view, &scene.labels->view, NULL,
                                         &refusal) != NULL, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_refused_with (wf_hierarchy_relabel (context, hierarchy, regions, &scene.labels->view,
                                             &out->view, &refusal),
                       G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_refused_with (wf_hierarchy_saliency (context, hierarchy, &scene.labels->view, &map->view,
                                              &refusal), G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (guarded_image_is_untouched (out));
  g_assert_true (guarded_image_is_untouched (map));

  g_cancellable_reset (cancellable);
  g_assert_true (wf_hierarchy_relabel (context, hierarchy, regions, &scene.labels->view,
                                       &out->view, NULL));
  g_assert_false (guarded_image_is_untouched (out));
}

/* Cancels at a given progress; progress never decreases. */
static void
test_progress (void)
{
  const Medium              large   = { WF_TYPE_F32, { 1500, 1200, 1 }, 8 };
  g_auto (Scene)            scene   = { 0 };
  g_autoptr (WfContext)     context = wf_context_new ();

  scene_init (&scene, &large, TRUE);
  for (int measure = 0; measure < 3; measure++)
    for (double at = 0; at <= 1.2; at += 0.15)
      {
        g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
        g_autoptr (GError)        error       = NULL;
        g_autoptr (WfHierarchy)   hierarchy   = NULL;
        WfHierarchyOptions        options;
        Watcher                   watcher     = { cancellable, at, 0, FALSE };

        wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
        options.measure = measure;
        wf_context_set_cancellable (context, cancellable);
        wf_context_set_progress (context, watch, &watcher);
        hierarchy = wf_hierarchy_new (context, &scene.image->view, &scene.labels->view, &options,
                                      &error);
        g_assert_false (watcher.wrong_order);
        if (at > 1)
          g_assert_nonnull (hierarchy);
        if (at == 0)
          g_assert_null (hierarchy);
        if (hierarchy)
          g_assert_cmpfloat (watcher.last, ==, 1);
        else
          g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      }
}

static void
test_memory (void)
{
  g_auto (Scene)            scene     = { 0 };
  g_autoptr (WfContext)     context   = wf_context_new ();
  g_autoptr (GuardedImage)  out       = guarded_image_new (WF_TYPE_U32, &medium.size, FALSE);
  g_autoptr (WfHierarchy)   hierarchy = NULL;
  g_autofree guint32       *regions   = NULL;
  guint64                   estimate;

  scene_init (&scene, &medium, FALSE);
  estimate = estimate_memory (WF_OPERATION_HIERARCHY, &scene.image->view, NULL, NULL);
  g_assert_cmpuint (estimate, >, 0);
  wf_context_set_memory_limit (context, 1000);
  assert_refused (wf_hierarchy_new (context, &scene.image->view, &scene.labels->view, NULL,
                                    &refusal) != NULL, WF_ERROR_MEMORY);
  wf_context_set_memory_limit (context, estimate);
  hierarchy = new_hierarchy (context, scene.image, scene.labels, WF_MEASURE_DYNAMICS, 0);
  regions   = g_new (guint32, scene.n_basins);
  wf_hierarchy_cut_to_count (hierarchy, 1, regions);
  wf_context_set_memory_limit (context, 1000);
  assert_refused (wf_hierarchy_relabel (context, hierarchy, regions, &scene.labels->view,
                                        &out->view, &refusal), WF_ERROR_MEMORY);
  g_assert_true (guarded_image_is_untouched (out));
}


/*  Inside a mask  */

/* A large half of the scene. */
static GuardedImage *
make_mask (void)
{
  const gint64        n      = ref_n_pixels (&medium.size);
  g_autofree double  *inside = g_new0 (double, n);

  for (gint64 p = 0; p < n; p++)
    inside[p] = p % medium.size.width < 120;
  return guarded_image_new_levels (WF_TYPE_U8, &medium.size, inside);
}

static void
test_masked_cancelled (void)
{
  g_auto (Scene)            scene       = { 0 };
  g_autoptr (WfContext)     context     = wf_context_new ();
  g_autoptr (GCancellable)  cancellable = g_cancellable_new ();
  g_autoptr (GuardedImage)  mask        = make_mask ();
  g_autoptr (GuardedImage)  map         = guarded_image_new (WF_TYPE_F64, &medium.size, TRUE);
  g_autoptr (WfHierarchy)   hierarchy   = NULL;
  Watcher                   watcher     = { cancellable, 2, 0, FALSE };

  scene_init (&scene, &medium, TRUE);
  wf_context_set_progress (context, watch, &watcher);
  hierarchy = wf_hierarchy_new_masked (context, &scene.image->view, &scene.labels->view,
                                       &mask->view, NULL, NULL);
  g_assert_nonnull (hierarchy);
  g_assert_false (watcher.wrong_order);
  g_assert_cmpfloat_with_epsilon (watcher.last, 1, 1e-9);

  watcher.last = 0;
  g_assert_true (wf_hierarchy_saliency_masked (context, hierarchy, &scene.labels->view,
                                               &mask->view, &map->view, NULL));
  g_assert_false (watcher.wrong_order);
  g_assert_cmpfloat (watcher.last, ==, 1);

  watcher.at   = 0;
  watcher.last = 0;
  wf_context_set_cancellable (context, cancellable);
  assert_refused_with (wf_hierarchy_new_masked (context, &scene.image->view, &scene.labels->view,
                                                &mask->view, NULL, &refusal) != NULL,
                       G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_refused_with (wf_hierarchy_saliency_masked (context, hierarchy, &scene.labels->view,
                                                     &mask->view, &map->view, &refusal),
                       G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* What is held beside the hierarchy is taken from its limit, which is as before afterwards. */
static void
test_masked_memory (void)
{
  const guint64             n         = (guint64) ref_n_pixels (&medium.size);
  g_auto (Scene)            scene     = { 0 };
  g_autoptr (WfContext)     context   = wf_context_new ();
  g_autoptr (GuardedImage)  mask      = make_mask ();
  g_autoptr (GuardedImage)  floats    = guarded_image_new (WF_TYPE_F32, &medium.size, FALSE);
  g_autoptr (GuardedImage)  out       = guarded_image_new (WF_TYPE_U32, &medium.size, FALSE);
  g_autoptr (WfHierarchy)   hierarchy = NULL;
  g_autofree guint32       *regions   = NULL;
  guint64                   least     = 9 * n;
  guint64                   most;

  scene_init (&scene, &medium, TRUE);
  most = least + estimate_memory (WF_OPERATION_HIERARCHY, &floats->view, NULL, NULL);
  wf_context_set_memory_limit (context, least);
  assert_refused (wf_hierarchy_new_masked (context, &scene.image->view, &scene.labels->view,
                                           &mask->view, NULL, &refusal) != NULL, WF_ERROR_MEMORY);
  wf_context_set_memory_limit (context, most);
  hierarchy = wf_hierarchy_new_masked (context, &scene.image->view, &scene.labels->view,
                                       &mask->view, NULL, NULL);
  g_assert_nonnull (hierarchy);
  wf_hierarchy_unref (hierarchy);
  hierarchy = wf_hierarchy_new_masked (context, &scene.image->view, &scene.labels->view,
                                       &mask->view, NULL, NULL);
  g_assert_nonnull (hierarchy);

  regions = g_new (guint32, wf_hierarchy_get_n_basins (hierarchy));
  wf_hierarchy_cut_to_count (hierarchy, 1, regions);
  for (guint64 limit = 5 * n - 1; limit <= 5 * n + 1; limit++)
    {
      wf_context_set_memory_limit (context, limit);
      assert_refused (wf_hierarchy_relabel_masked (context, hierarchy, regions,
                                                   &scene.labels->view, &mask->view, &out->view,
                                                   &refusal), WF_ERROR_MEMORY);
    }
  g_assert_true (guarded_image_is_untouched (out));
}

/* Masks of another size or type, infinite levels inside, and labels that the hierarchy does not
 * have are refused; what lies outside is not looked at, but for NaN.
 */
static void
test_masked_refused (void)
{
  guint8                  levels[6]  = { 1, 2, 3, 4, 5, 6 };
  float                   real[6]    = { 1, 2, 3, 4, -INFINITY, INFINITY };
  guint8                  inside[6]  = { 1, 1, 1, 1, 0, 0 };
  guint32                 marks[6]   = { 7, 7, 8, 8, 9, 9 };
  guint32                 result[6]  = { 5, 5, 5, 5, 5, 5 };
  const guint32           regions[2] = { 1, 2 };
  g_autoptr (WfHierarchy) hierarchy  = NULL;
  WfImage                 image, floats, mask, turned, labels, out;

  g_assert_true (wf_image_init (&mask, WF_TYPE_U8, 3, 2, 1, inside, NULL));
  g_assert_true (wf_image_init (&image, WF_TYPE_U8, 3, 2, 1, levels, NULL) &&
                 wf_image_init (&floats, WF_TYPE_F32, 3, 2, 1, real, NULL) &&
                 wf_image_init (&turned, WF_TYPE_U8, 2, 3, 1, inside, NULL) &&
                 wf_image_init (&labels, WF_TYPE_U32, 3, 2, 1, marks, NULL) &&
                 wf_image_init (&out, WF_TYPE_U32, 3, 2, 1, result, NULL));
#define NEW(image, mask, error) \
  wf_hierarchy_new_masked (NULL, image, &labels, mask, NULL, error)
  assert_refused (NEW (&image, &turned, &refusal) != NULL, WF_ERROR_INVALID);
  turned = mask;
  turned.type = WF_TYPE_F64;
  assert_refused (NEW (&image, &turned, &refusal) != NULL, WF_ERROR_INVALID);
  hierarchy = NEW (&floats, &mask, NULL);
  g_assert_nonnull (hierarchy);
  g_assert_cmpuint (wf_hierarchy_get_n_basins (hierarchy), ==, 2);

  for (int i = 4; i < 6; i++)
    {
      inside[i] = 1;
      assert_refused (NEW (&floats, &mask, &refusal) != NULL, WF_ERROR_UNSUPPORTED);
      assert_refused (wf_hierarchy_relabel_masked (NULL, hierarchy, regions, &labels, &mask, &out,
                                                   &refusal), WF_ERROR_INVALID);
      inside[i] = 0;
    }
  real[5] = NAN;
  assert_refused (NEW (&floats, &mask, &refusal) != NULL, WF_ERROR_INVALID);
  memset (marks, 0, 4 * sizeof *marks);
  assert_refused (NEW (&image, &mask, &refusal) != NULL, WF_ERROR_INVALID);
  assert_refused (wf_hierarchy_relabel_masked (NULL, hierarchy, regions, &labels, &turned, &out,
                                               &refusal), WF_ERROR_INVALID);
  g_assert_cmpuint (result[0], ==, 5);
  g_assert_true (wf_hierarchy_relabel_masked (NULL, hierarchy, regions, &labels, &mask, &out,
                                              NULL));
  g_assert_cmpuint (result[0], ==, 0);
#undef NEW
}


/*  Refusals  */

typedef struct
{
  GuardedImage       *image;
  GuardedImage       *labels;
  GuardedImage       *out;
  GuardedImage       *map;
  WfHierarchyOptions  options;
} Arguments;

static void
arguments_init (Arguments *a,
                gint64     depth)
{
  const RefSize size    = { 4, 3, depth };
  const double  zeros[] = { [3 * 4 * 3 - 1] = 0 };
  const guint32 marks[] = { 1, 0, 0, 2, [3 * 4 * 3 - 1] = 0 };

  a->image  = guarded_image_new_levels (WF_TYPE_F32, &size, zeros);
  a->labels = guarded_image_new_labels (&size, marks);
  a->out    = guarded_image_new (WF_TYPE_U32, &size, FALSE);
  a->map    = guarded_image_new (WF_TYPE_F32, &size, FALSE);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &a->options);
}

static void
arguments_clear (Arguments *a)
{
  guarded_image_free (a->image);
  guarded_image_free (a->labels);
  guarded_image_free (a->out);
  guarded_image_free (a->map);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

#define assert_new_refused(a)                                                             \
  assert_refused (wf_hierarchy_new (NULL, &(a)->image->view, &(a)->labels->view,          \
                                    &(a)->options, &refusal) != NULL, WF_ERROR_INVALID)

static void
test_input_refused (void)
{
  static const WfType all[]            = { 0, WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_U32,
                                           WF_TYPE_U64, WF_TYPE_F64, 7 };
  const int           connectivities[] = { 6, 26, 5, 1, -8, 18 };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_auto (Arguments) image  = { 0 };
      g_auto (Arguments) labels = { 0 };

      arguments_init (&image, 1);
      arguments_init (&labels, 1);
      image.image->view.type   = all[i];
      labels.labels->view.type = all[i];
      if (! (all[i] >= WF_TYPE_U8 && all[i] <= WF_TYPE_F32))
        assert_new_refused (&image);
      if (all[i] != WF_TYPE_U32)
        assert_new_refused (&labels);
    }
  for (guint i = 0; i < G_N_ELEMENTS (connectivities); i++)
    {
      g_auto (Arguments) a     = { 0 };
      g_auto (Arguments) stack = { 0 };

      arguments_init (&a, 1);
      a.options.connectivity = connectivities[i];
      assert_new_refused (&a);
      arguments_init (&stack, 2);
      stack.options.connectivity = i % 2 ? 4 : 8;
      assert_new_refused (&stack);
    }
  for (int measure = -1; measure <= 3; measure += 4)
    {
      g_auto (Arguments) a = { 0 };

      arguments_init (&a, 1);
      a.options.measure = measure;
      assert_new_refused (&a);
    }
  for (gint64 p = 0; p < 12; p++)
    {
      g_auto (Arguments) a = { 0 };

      arguments_init (&a, 1);
      guarded_image_set_float (a.image, p, NAN);
      assert_new_refused (&a);
    }
  {
    const RefSize      size   = { 4, 3, 1 };
    const guint32      none[] = { [4 * 3 - 1] = 0 };
    g_auto (Arguments) a      = { 0 };

    arguments_init (&a, 1);
    guarded_image_free (a.labels);
    a.labels = guarded_image_new_labels (&size, none);
    assert_new_refused (&a);
  }
}

static void
test_sizes_refused (void)
{
  for (int which = 0; which < 4; which++)
    for (int fault = 0; fault < N_VIEW_FAULTS; fault++)
      {
        g_auto (Arguments)       a         = { 0 };
        g_autoptr (WfHierarchy)  hierarchy = NULL;
        const guint32            regions[] = { 1, 1 };

        arguments_init (&a, 2);
        hierarchy = new_hierarchy (NULL, a.image, a.labels, WF_MEASURE_DYNAMICS, 0);
        spoil_view (which == 0 ? &a.image->view : which == 1 ? &a.labels->view
                    : which == 2 ? &a.out->view : &a.map->view, fault);
        if (which < 2)
          assert_new_refused (&a);
        if (which == 1 || which == 2)
          assert_refused (wf_hierarchy_relabel (NULL, hierarchy, regions, &a.labels->view,
                                                &a.out->view, &refusal), WF_ERROR_INVALID);
        if (which == 1 || which == 3)
          assert_refused (wf_hierarchy_saliency (NULL, hierarchy, &a.labels->view, &a.map->view,
                                                 &refusal), WF_ERROR_INVALID);
        g_assert_true (guarded_image_is_untouched (a.out));
        g_assert_true (guarded_image_is_untouched (a.map));
      }
}

static void
test_outputs_refused (void)
{
  static const WfType     all[]     = { 0, WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32, WF_TYPE_U32,
                                        WF_TYPE_U64, WF_TYPE_F64 };
  const guint32           regions[] = { 1, 1 };
  g_auto (Arguments)      a         = { 0 };
  g_autoptr (WfHierarchy) hierarchy = NULL;

  arguments_init (&a, 1);
  hierarchy = new_hierarchy (NULL, a.image, a.labels, WF_MEASURE_DYNAMICS, 0);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      a.out->view.type = a.map->view.type = all[i];
      if (all[i] != WF_TYPE_U32)
        assert_refused (wf_hierarchy_relabel (NULL, hierarchy, regions, &a.labels->view,
                                              &a.out->view, &refusal), WF_ERROR_INVALID);
      if (all[i] != WF_TYPE_F32 && all[i] != WF_TYPE_F64)
        assert_refused (wf_hierarchy_saliency (NULL, hierarchy, &a.labels->view, &a.map->view,
                                               &refusal), WF_ERROR_INVALID);
    }
  a.out->view.type = WF_TYPE_U32;
  a.map->view.type = WF_TYPE_F32;

  /* A label that the hierarchy does not have. */
  ((guint32 *) a.labels->view.data)[1] = 5;
  assert_refused (wf_hierarchy_relabel (NULL, hierarchy, regions, &a.labels->view, &a.out->view,
                                        &refusal), WF_ERROR_INVALID);
  assert_refused (wf_hierarchy_saliency (NULL, hierarchy, &a.labels->view, &a.map->view,
                                         &refusal), WF_ERROR_INVALID);
  g_assert_true (guarded_image_is_untouched (a.out));
  g_assert_true (guarded_image_is_untouched (a.map));
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/hierarchy/cancelled", test_cancelled);
  g_test_add_func ("/hierarchy/progress", test_progress);
  g_test_add_func ("/hierarchy/memory", test_memory);
  g_test_add_func ("/hierarchy/masked-cancelled", test_masked_cancelled);
  g_test_add_func ("/hierarchy/masked-memory", test_masked_memory);
  g_test_add_func ("/hierarchy/masked-refused", test_masked_refused);
  g_test_add_func ("/hierarchy/input-refused", test_input_refused);
  g_test_add_func ("/hierarchy/sizes-refused", test_sizes_refused);
  g_test_add_func ("/hierarchy/outputs-refused", test_outputs_refused);

  return g_test_run ();
}
