/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The CPU's variants of the hierarchy: one for each step. */

#include "config.h"

#include "graph.h"


static gboolean
build_run (gconstpointer   task,
           WfRun          *run,
           GError        **error)
{
  return wf_hierarchy_build (task, run, 0, NULL, NULL, error);
}

static guint64
relabel_memory (gconstpointer data,
                guint         n_threads)
{
  const WfHierarchyTask *task = data;

  return wf_shape_n_pixels (&task->shape) * sizeof (guint32);
}

static guint64
saliency_memory (gconstpointer data,
                 guint         n_threads)
{
  const WfHierarchyTask *task = data;

  return wf_shape_n_pixels (&task->shape) * wf_type_size (task->out->type)
         + task->tree->n_basins * 4 * sizeof (guint32);
}

static gboolean
builds (gconstpointer task)
{
  return ((const WfHierarchyTask *) task)->step == WF_HIERARCHY_BUILD;
}

static gboolean
relabels (gconstpointer task)
{
  return ((const WfHierarchyTask *) task)->step == WF_HIERARCHY_RELABEL;
}

static gboolean
maps_saliency (gconstpointer task)
{
  return ((const WfHierarchyTask *) task)->step == WF_HIERARCHY_SALIENCY;
}

const WfVariant wf_cpu_hierarchy_variants[] =
{
  {
    .algorithm = "boundaries",
    .supports  = builds,
    .memory    = wf_hierarchy_build_memory,
    .run       = build_run,
  },
  {
    .algorithm = "relabel",
    .supports  = relabels,
    .memory    = relabel_memory,
    .run       = wf_hierarchy_relabel_run,
  },
  {
    .algorithm = "saliency",
    .supports  = maps_saliency,
    .memory    = saliency_memory,
    .run       = wf_hierarchy_saliency_run,
  },
  { .algorithm = NULL }
};
