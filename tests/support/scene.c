/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "landscape.h"
#include "scene.h"

guint32
flood (const Medium *medium,
       GuardedImage *image,
       double        tolerance,
       gboolean      lines,
       GuardedImage *labels)
{
  WfWatershedOptions  options;
  guint32             n_basins = 0;
  GError             *error    = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.connectivity = medium->connectivity;
  options.tolerance    = tolerance;
  options.lines        = lines;
  wf_watershed (NULL, &image->view, NULL, &labels->view, &n_basins, &options, &error);
  g_assert_no_error (error);
  return n_basins;
}

void
scene_init (Scene        *scene,
            const Medium *medium,
            gboolean      lines)
{
  g_autofree double *levels = g_new (double, ref_n_pixels (&medium->size));

  make_landscape (medium->type, &medium->size, 1, levels);
  scene->image    = guarded_image_new_levels (medium->type, &medium->size, levels);
  scene->labels   = guarded_image_new (WF_TYPE_U32, &medium->size, g_test_rand_bit ());
  scene->n_basins = flood (medium, scene->image, 0, lines, scene->labels);
  g_assert_cmpuint (scene->n_basins, >, 50);
}

void
scene_clear (Scene *scene)
{
  guarded_image_free (scene->image);
  guarded_image_free (scene->labels);
}

WfHierarchy *
new_hierarchy (WfContext          *context,
               const GuardedImage *image,
               const GuardedImage *labels,
               WfMeasure           measure,
               int                 connectivity)
{
  WfHierarchyOptions  options;
  WfHierarchy        *hierarchy;
  GError             *error = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
  options.measure      = measure;
  options.connectivity = connectivity;
  hierarchy = wf_hierarchy_new (context, &image->view, &labels->view, &options, &error);
  g_assert_no_error (error);
  g_assert_nonnull (hierarchy);
  return hierarchy;
}
