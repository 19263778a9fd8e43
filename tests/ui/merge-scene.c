/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image with hills and hollows, its basins, and their hierarchies. */

#include <math.h>

#include "merge-scene.h"


static void
fill (WfImage *image)
{
  for (gint64 p = 0; p < wf_image_n_pixels (image); p++)
    {
      double x        = p % image->width;
      double y        = p / image->width;
      double fraction = 0.5 + 0.2 * sin (x / 9) * cos (y / 7)
                        + 0.3 * pow (g_test_rand_double () - 0.5, 3);

      if (image->type == WF_TYPE_U8)
        ((guint8 *) image->data)[p] = (guint8) (fraction * 255);
      else if (image->type == WF_TYPE_U16)
        ((guint16 *) image->data)[p] = (guint16) (fraction * 65535);
      else
        ((float *) image->data)[p] = (float) fraction;
    }
}

static WfHierarchy *
make_hierarchy (const Scene *scene,
                WfMeasure    measure)
{
  WfHierarchyOptions  options;
  WfHierarchy        *hierarchy;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
  options.measure = measure;
  hierarchy = wf_hierarchy_new (NULL, &scene->image, &scene->labels, &options, NULL);
  g_assert_nonnull (hierarchy);
  return hierarchy;
}

/* For an image and labels that exist. */
void
scene_add_hierarchies (Scene *scene)
{
  for (int i = 0; i < 3; i++)
    scene->hierarchies[i] = make_hierarchy (scene, (WfMeasure) i);
}

void
scene_init (Scene  *scene,
            WfType  type,
            gint64  side)
{
  g_assert_true (wf_image_allocate (&scene->image, type, side, side, 1, NULL));
  g_assert_true (wf_image_allocate (&scene->labels, WF_TYPE_U32, side, side, 1, NULL));
  fill (&scene->image);
  g_assert_true (wf_watershed (NULL, &scene->image, NULL, &scene->labels, &scene->n_basins,
                               NULL, NULL));
  g_assert_cmpuint (scene->n_basins, >, 50);
  scene_add_hierarchies (scene);
}

void
scene_clear (Scene *scene)
{
  wf_image_clear (&scene->image);
  wf_image_clear (&scene->labels);
  for (int i = 0; i < 3; i++)
    g_clear_pointer (&scene->hierarchies[i], wf_hierarchy_unref);
}

WfHierarchy *
scene_get_hierarchy (const Scene *scene,
                     WfMergeBy    by)
{
  return scene->hierarchies[wf_merge_by_measure (by)];
}
