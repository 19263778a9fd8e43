/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What all functions in blocks check alike: their options, and the fields of sources and sinks that
 * later versions may give a meaning.
 */

#include "tests/support/block-store.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

typedef enum
{
  LABEL,
  WATERSHED,
  MAKE_RELIEF,
  HIERARCHY_NEW,
  HIERARCHY_RELABEL,
  HIERARCHY_SALIENCY,
  BASINS_MEASURE,
  RECONSTRUCT,
  DISTANCE,
  OPERATION,
  N_FUNCTIONS
} Function;

/**
 * Scene:
 * @image: u8
 * @basins: its basins, u32
 * @bytes: takes u8
 * @labels: takes u32
 * @floats: takes f32
 */
typedef struct
{
  BlockStore   image;
  BlockStore   basins;
  BlockStore   bytes;
  BlockStore   labels;
  BlockStore   floats;
  WfHierarchy *hierarchy;
} Scene;


static void
scene_init (Scene *scene)
{
  const RefSize size = { 9, 7, 1 };
  double        levels[9 * 7];
  GError       *error = NULL;

  for (int p = 0; p < 9 * 7; p++)
    levels[p] = p * p % 11;
  block_store_init (&scene->image, guarded_image_new_levels (WF_TYPE_U8, &size, levels));
  block_store_init (&scene->basins, guarded_image_new (WF_TYPE_U32, &size, FALSE));
  block_store_init (&scene->bytes, guarded_image_new (WF_TYPE_U8, &size, FALSE));
  block_store_init (&scene->labels, guarded_image_new (WF_TYPE_U32, &size, FALSE));
  block_store_init (&scene->floats, guarded_image_new (WF_TYPE_F32, &size, FALSE));
  wf_watershed (NULL, &scene->image.image->view, NULL, &scene->basins.image->view, NULL, NULL,
                &error);
  g_assert_no_error (error);
  scene->hierarchy = wf_hierarchy_new (NULL, &scene->image.image->view,
                                       &scene->basins.image->view, NULL, &error);
  g_assert_no_error (error);
}

static void
scene_clear (Scene *scene)
{
  block_store_clear (&scene->image);
  block_store_clear (&scene->basins);
  block_store_clear (&scene->bytes);
  block_store_clear (&scene->labels);
  block_store_clear (&scene->floats);
  wf_hierarchy_unref (scene->hierarchy);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Scene, scene_clear)

static gboolean
relabel (Scene                 *scene,
         const WfBlockOptions  *blocks,
         GError               **error)
{
  g_autofree guint32 *regions = g_new0 (guint32, wf_hierarchy_get_n_basins (scene->hierarchy));

  wf_hierarchy_cut_to_count (scene->hierarchy, 2, regions);
  return wf_hierarchy_relabel_blocks (NULL, scene->hierarchy, regions, &scene->basins.source,
                                      &scene->labels.sink, blocks, error);
}

static gboolean
build (Scene                 *scene,
       const WfBlockOptions  *blocks,
       GError               **error)
{
  g_autoptr (WfHierarchy) built = wf_hierarchy_new_blocks (NULL, &scene->image.source,
                                                           &scene->basins.source, NULL, blocks,
                                                           error);

  return built != NULL;
}

static gboolean
measure (Scene                 *scene,
         const WfBlockOptions  *blocks,
         GError               **error)
{
  g_autofree WfBasin *basins = NULL;
  guint32             n;

  return wf_basins_measure_blocks (NULL, &scene->image.source, NULL, &scene->basins.source, 8,
                                   &basins, &n, blocks, error);
}

static gboolean
make_relief (Scene                 *scene,
             const WfBlockOptions  *blocks,
             GError               **error)
{
  WfWatershedOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.smoothing = 1;
  return wf_watershed_make_relief_blocks (NULL, &scene->image.source, &scene->bytes.sink, &options,
                                          blocks, error);
}

static gboolean
call (Scene                 *scene,
      Function               function,
      const WfBlockOptions  *blocks,
      GError               **error)
{
  const WfBlockSource *image = &scene->image.source;

  switch (function)
    {
    case LABEL:
      return wf_label_blocks (NULL, image, &scene->labels.sink, NULL, NULL, blocks, error);
    case WATERSHED:
      return wf_watershed_blocks (NULL, image, NULL, NULL, &scene->labels.sink, NULL, NULL, blocks,
                                  error);
    case MAKE_RELIEF:
      return make_relief (scene, blocks, error);
    case HIERARCHY_NEW:
      return build (scene, blocks, error);
    case HIERARCHY_RELABEL:
      return relabel (scene, blocks, error);
    case HIERARCHY_SALIENCY:
      return wf_hierarchy_saliency_blocks (NULL, scene->hierarchy, &scene->basins.source,
                                           &scene->floats.sink, WF_TYPE_F32, blocks, error);
    case BASINS_MEASURE:
      return measure (scene, blocks, error);
    case RECONSTRUCT:
      return wf_reconstruct_blocks (NULL, image, image, &scene->bytes.sink, NULL, blocks, error);
    case DISTANCE:
      return wf_distance_blocks (NULL, image, &scene->floats.sink, NULL, NULL, blocks, error);
    case OPERATION:
      return wf_operation_run_blocks (NULL, WF_OPERATION_OPENING, &image, &scene->bytes.sink, NULL,
                                      NULL, blocks, error);
    default:
      g_assert_not_reached ();
    }
}

static void
assert_done (Scene                *scene,
             Function              function,
             const WfBlockOptions *blocks)
{
  GError *error = NULL;

  g_assert_true (call (scene, function, blocks, &error));
  g_assert_no_error (error);
}

static gboolean
has_sink (Function function)
{
  return function != HIERARCHY_NEW && function != BASINS_MEASURE;
}

static void
test_options (void)
{
  for (guint f = 0; f < N_FUNCTIONS; f++)
    {
      g_auto (Scene) scene = { 0 };
      WfBlockOptions options;

      scene_init (&scene);
      wf_option_group_init (wf_blocks_get_options (), &options);
      g_assert_cmpuint (options.size, ==, sizeof options);
      assert_done (&scene, f, &options);
      assert_done (&scene, f, NULL);
      assert_done (&scene, f, BLOCKS (WF_BLOCKS_SUMMARY, 2));
      g_assert_cmpuint (scene.image.n_reads + scene.basins.n_reads, >, 2);
      assert_refused (call (&scene, f, BLOCKS (3, 0), &refusal), WF_ERROR_INVALID);
      assert_refused (call (&scene, f, BLOCKS (-1, 0), &refusal), WF_ERROR_INVALID);
      assert_refused (call (&scene, f, BLOCKS_OF (-1), &refusal), WF_ERROR_INVALID);
      assert_refused (call (&scene, f, BLOCKS_OF (WF_MAX_SIDE + 1), &refusal), WF_ERROR_INVALID);

      /* what an older struct does not have is not read */
      options = *BLOCKS (99, -99);
      options.size = sizeof options.size;
      assert_done (&scene, f, &options);
    }
}

static void
set_sources (Scene    *scene,
             guint     flags,
             guint     place,
             gpointer  value)
{
  scene->image.source.flags           = scene->basins.source.flags           = flags;
  scene->image.source.reserved[place] = scene->basins.source.reserved[place] = value;
}

static void
test_sources (void)
{
  for (guint f = 0; f < N_FUNCTIONS; f++)
    {
      g_auto (Scene) scene = { 0 };

      scene_init (&scene);
      set_sources (&scene, 1, 0, NULL);
      assert_refused (call (&scene, f, NULL, &refusal), WF_ERROR_INVALID);
      for (guint i = 0; i < G_N_ELEMENTS (scene.image.source.reserved); i++)
        {
          set_sources (&scene, 0, i, &scene);
          assert_refused (call (&scene, f, NULL, &refusal), WF_ERROR_INVALID);
          set_sources (&scene, 0, i, NULL);
        }
      assert_done (&scene, f, NULL);

      scene.image.source.image  = &scene.image.image->view;
      scene.basins.source.image = &scene.basins.image->view;
      scene.image.image->view.pixel_stride = scene.basins.image->view.pixel_stride = 1;
      assert_refused (call (&scene, f, NULL, &refusal), WF_ERROR_INVALID);
      scene.image.image->view.pixel_stride = scene.basins.image->view.pixel_stride = 0;
    }
}

static void
set_sinks (Scene    *scene,
           guint     flags,
           guint     place,
           gpointer  value)
{
  BlockStore * const stores[] = { &scene->bytes, &scene->labels, &scene->floats };

  for (guint i = 0; i < G_N_ELEMENTS (stores); i++)
    {
      stores[i]->sink.flags           = flags;
      stores[i]->sink.reserved[place] = value;
    }
}

static void
test_sinks (void)
{
  for (guint f = 0; f < N_FUNCTIONS; f++)
    {
      g_auto (Scene) scene = { 0 };

      scene_init (&scene);
      if (! has_sink (f))
        continue;
      set_sinks (&scene, WF_SINK_TAKES_ANY_ORDER << 1, 0, NULL);
      assert_refused (call (&scene, f, NULL, &refusal), WF_ERROR_INVALID);
      for (guint i = 0; i < G_N_ELEMENTS (scene.bytes.sink.reserved); i++)
        {
          set_sinks (&scene, 0, i, &scene);
          assert_refused (call (&scene, f, NULL, &refusal), WF_ERROR_INVALID);
          set_sinks (&scene, 0, i, NULL);
        }
      set_sinks (&scene, WF_SINK_TAKES_ANY_ORDER, 0, NULL);
      assert_done (&scene, f, NULL);
    }
}

/* Scratch images and second inputs. */
static void
test_others (void)
{
  g_auto (Scene)       scene     = { 0 };
  WfWatershedOptions   options;
  WfBlockSink          scratch;
  const WfBlockSource *inputs[2] = { &scene.image.source, &scene.basins.source };

  scene_init (&scene);
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.tolerance   = 1;
  scratch             = scene.bytes.sink;
  scratch.reserved[3] = &scene;
  assert_refused (wf_watershed_blocks (NULL, &scene.image.source, NULL, &scratch,
                                       &scene.labels.sink, NULL, &options, NULL, &refusal),
                  WF_ERROR_INVALID);
  assert_refused (wf_distance_blocks (NULL, &scene.image.source, NULL, &scratch, NULL, NULL,
                                      &refusal), WF_ERROR_INVALID);
  assert_refused (wf_operation_run_blocks (NULL, WF_OPERATION_IMPOSE_MINIMA, inputs,
                                           &scene.bytes.sink, &scratch, NULL, NULL, &refusal),
                  WF_ERROR_INVALID);
  scene.basins.source.flags = 4;
  assert_refused (wf_operation_run_blocks (NULL, WF_OPERATION_IMPOSE_MINIMA, inputs,
                                           &scene.bytes.sink, NULL, NULL, NULL, &refusal),
                  WF_ERROR_INVALID);
  assert_refused (wf_watershed_blocks (NULL, &scene.image.source, &scene.basins.source,
                                       &scene.bytes.sink, &scene.labels.sink, NULL, NULL, NULL,
                                       &refusal), WF_ERROR_INVALID);
}

int
main (int   argc,
      char *argv[])
{
  tests_begin (&argc, &argv);
  g_test_add_func ("/block-options/options", test_options);
  g_test_add_func ("/block-options/sources", test_sources);
  g_test_add_func ("/block-options/sinks", test_sinks);
  g_test_add_func ("/block-options/others", test_others);
  return g_test_run ();
}
