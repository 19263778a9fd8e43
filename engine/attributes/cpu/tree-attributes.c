/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The heights and volumes of components, from their tree and their areas (tree.c).
 *
 *   height   a component that has the highest pixels of the one that holds it has that one's
 *            height; of others it is their highest level above that one's
 *   volume   of a component alone, its area times its level above that of the one that holds it;
 *            the sum of this over all components that lie in it is what its pixels exceed that by
 *
 * So a component is never higher or larger than the one that holds it, and the whole image is more
 * than all.  Children have greater numbers than their parents: one pass from the last to the first
 * finds what a component has of its parts, one from the first to the last what it has of what holds
 * it.  Each part of the image is done by a thread of its own; nodes that parts share are done
 * between them.
 */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/cpu/cpu.h"
#include "tree.h"

/* What is done with a part: parents in it rise, those outside it do, or it sinks. */
typedef enum
{
  RISE_INSIDE,
  RISE_OUTSIDE,
  SINK
} Way;

/**
 * Measuring:
 * @tops: of heights, the highest level of each component, of a closing the lowest; of the tree's
 *   type
 * @rise: adds to parents what their children have: from @end down to @first, where the parent is
 *   at least @first (@inside) or where it is not
 * @sink: finds heights, from @first up
 * @way: of the pass over all parts
 */
typedef struct _Measuring Measuring;

struct _Measuring
{
  WfAttributeTree *tree;
  const WfRun     *run;
  gpointer         tops;
  void          (* rise) (const Measuring *measuring,
                          guint32          first,
                          guint32          end,
                          gboolean         inside);
  void          (* sink) (const Measuring *measuring,
                          guint32          first,
                          guint32          end);
  Way              way;
};


/*  Heights  */

static inline double
limit (double level)
{
  return CLAMP (level, -FLT_MAX, FLT_MAX);
}

static inline int
as_int (int level)
{
  return level;
}

#define DEFINE_HEIGHTS(name, Type, Height, heights, LEVEL) \
static void \
raise_tops_##name (const Measuring *measuring, \
                   guint32          first, \
                   guint32          end, \
                   gboolean         inside) \
{ \
  const guint32  *parents = measuring->tree->parents; \
  const gboolean  closing = measuring->tree->closing; \
  Type           *tops    = measuring->tops; \
\
  for (guint32 i = end; i-- > first;) \
    { \
      const guint32 parent = parents[i]; \
\
      if ((parent >= first) == inside) \
        tops[parent] = closing ? MIN (tops[parent], tops[i]) : MAX (tops[parent], tops[i]); \
    } \
} \
\
static void \
find_heights_##name (const Measuring *measuring, \
                     guint32          first, \
                     guint32          end) \
{ \
  const WfAttributeTree *tree   = measuring->tree; \
  const Type            *tops   = measuring->tops; \
  const Type            *levels = tree->levels; \
\
  for (guint32 i = MAX (first, 1); i < end; i++) \
    { \
      const guint32 parent = tree->parents[i]; \
\
      tree->heights[i] = tops[i] == tops[parent] \
                         ? tree->heights[parent] \
                         : (Height) ABS (LEVEL (tops[i]) - LEVEL (levels[parent])); \
    } \
}

DEFINE_HEIGHTS (u8, guint8, guint32, whole, as_int)
DEFINE_HEIGHTS (u16, guint16, guint32, whole, as_int)
DEFINE_HEIGHTS (f32, float, double, real, limit)


/*  Volumes  */

#define DEFINE_VOLUMES(name, Type) \
static void \
begin_volumes_##name (const Measuring *measuring, \
                      guint32          first, \
                      guint32          end) \
{ \
  const WfAttributeTree *tree   = measuring->tree; \
  const Type            *levels = tree->levels; \
\
  for (guint32 i = first; i < end; i++) \
    tree->real[i] = (double) tree->whole[i] * ABS (levels[i] - levels[tree->parents[i]]); \
}

DEFINE_VOLUMES (u8, guint8)
DEFINE_VOLUMES (u16, guint16)

/* Exact: a sum is below 2⁴⁸. */
static void
add_volumes (const Measuring *measuring,
             guint32          first,
             guint32          end,
             gboolean         inside)
{
  const guint32 *parents = measuring->tree->parents;
  double        *real    = measuring->tree->real;

  for (guint32 i = end; i-- > MAX (first, 1);)
    if ((parents[i] >= first) == inside)
      real[parents[i]] += real[i];
}


/*  All nodes  */

static void
pass_part (const Measuring *measuring,
           guint            number,
           Way              way)
{
  const WfAttributePart *part = &measuring->tree->parts[number];
  const guint32          end  = part->first + part->n;

  if (way == SINK)
    measuring->sink (measuring, part->first, end);
  else
    measuring->rise (measuring, part->first, end, way == RISE_INSIDE);
}

static void
pass_parts (gpointer data,
            guint    worker,
            guint    n_workers)
{
  const Measuring *measuring = data;

  for (guint i = worker; i < measuring->tree->n_parts; i += n_workers)
    pass_part (measuring, i, measuring->way);
}

/* Each part by a thread of its own. */
static void
pass_together (Measuring *measuring,
               Way        way)
{
  measuring->way = way;
  wf_run_together (measuring->run, measuring->tree->n_parts, pass_parts, measuring);
}

static void
rise (Measuring *measuring)
{
  const WfAttributeTree *tree = measuring->tree;

  pass_together (measuring, RISE_INSIDE);
  for (guint i = 0; i < tree->n_parts; i++)
    pass_part (measuring, i, RISE_OUTSIDE);
  measuring->rise (measuring, 0, tree->n_shared, TRUE);
}

static void
sink (Measuring *measuring)
{
  measuring->sink (measuring, 0, measuring->tree->n_shared);
  pass_together (measuring, SINK);
}

static gboolean
find_heights (WfAttributeTree  *tree,
              const WfRun      *run,
              GError          **error)
{
  const gsize      size      = wf_type_size (tree->type);
  g_autofree char *tops      = wf_run_allocate (run, tree->n_nodes, size, error);
  Measuring        measuring = { .tree = tree, .run = run, .tops = tops };

  if (! tops || (tree->type == WF_TYPE_F32 &&
                 ! (tree->real = wf_run_allocate (run, tree->n_nodes, sizeof (double), error))))
    return FALSE;
  measuring.rise = tree->type == WF_TYPE_U8    ? raise_tops_u8
                   : tree->type == WF_TYPE_U16 ? raise_tops_u16 : raise_tops_f32;
  measuring.sink = tree->type == WF_TYPE_U8    ? find_heights_u8
                   : tree->type == WF_TYPE_U16 ? find_heights_u16 : find_heights_f32;
  memcpy (tops, tree->levels, (gsize) tree->n_nodes * size);
  rise (&measuring);
  if (tree->real)
    tree->real[0] = INFINITY;
  else
    tree->whole[0] = G_MAXUINT32;
  sink (&measuring);
  return TRUE;
}

static gboolean
find_volumes (WfAttributeTree  *tree,
              const WfRun      *run,
              GError          **error)
{
  Measuring measuring = { .tree = tree, .run = run, .rise = add_volumes };

  if (! (tree->real = wf_run_allocate (run, tree->n_nodes, sizeof (double), error)))
    return FALSE;
  measuring.sink = tree->type == WF_TYPE_U8 ? begin_volumes_u8 : begin_volumes_u16;
  sink (&measuring);
  rise (&measuring);
  tree->real[0] = INFINITY;
  return TRUE;
}

/* Replaces the areas of @tree by what it is cut by. */
gboolean
wf_tree_measure (WfAttributeTree  *tree,
                 const WfRun      *run,
                 GError          **error)
{
  if (tree->attribute == WF_ATTRIBUTE_AREA)
    {
      tree->whole[0] = G_MAXUINT32;
      return TRUE;
    }
  if (! (tree->attribute == WF_ATTRIBUTE_HEIGHT ? find_heights : find_volumes) (tree, run, error))
    return FALSE;
  if (tree->real)
    g_clear_pointer (&tree->whole, g_free);
  return TRUE;
}
