/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the kinds of corrections share: the labels with a box for each, and parts of the image. */

#pragma once

#include "engine/core/grid.h"

G_BEGIN_DECLS

typedef enum
{
  WF_OBJECT_PLAIN,
  WF_OBJECT_DELETED,
  WF_OBJECT_KEPT
} WfObjectState;

typedef struct _WfDivisions WfDivisions;

/**
 * WfCorrecting:
 * @context: of the floods
 * @alone: the same with one thread
 * @relief: (nullable): what is flooded again
 * @mask: (nullable): 0 in the background
 * @options: of the floods
 * @shape: of the labels
 * @connectivity: resolved
 * @boxes: of each label; empty for those that do not occur
 * @states: of each label, a #WfObjectState
 * @highest: the highest label that was given
 * @divisions: (nullable): what objects were divided into, for the next time
 */
struct _WfCorrecting
{
  WfContext          *context;
  WfContext          *alone;
  const WfImage      *relief;
  const WfImage      *mask;
  WfImage            *labels;
  WfWatershedOptions  options;
  WfShape             shape;
  int                 connectivity;
  GArray             *boxes;
  GByteArray         *states;
  guint32             highest;
  WfDivisions        *divisions;
};

/**
 * WfObjectPart:
 * @box: where it is in the image
 * @shape: of @box
 * @components: u32, of @box: the connected components of an object's pixels, from 1 in raster order
 *   of their first ones; 0 elsewhere
 * @n: how many they are
 *
 * An object, or what a stroke leaves of it.
 */
typedef struct
{
  WfBox   box;
  WfShape shape;
  WfImage components;
  guint32 n;
} WfObjectPart;

/* Of correcting.c */
guint32  wf_correcting_look     (const WfCorrecting  *correcting,
                                 gint64               x,
                                 gint64               y,
                                 gint64               z);
WfBox *  wf_correcting_get_box  (WfCorrecting        *correcting,
                                 guint32              label);
gboolean wf_correcting_add      (WfCorrecting        *correcting,
                                 guint32              like,
                                 guint32             *label,
                                 GError             **error);
void     wf_correcting_fit_box  (WfCorrecting        *correcting,
                                 guint32              label,
                                 const WfBox         *box);

/* Of part.c */
WfImage  wf_object_part_view    (const WfImage       *image,
                                 const WfBox         *box);
WfContext * wf_object_part_get_context
                                (const WfCorrecting  *correcting,
                                 const WfShape       *shape);
int      wf_object_part_find_connectivity
                                (const WfCorrecting  *correcting,
                                 const WfShape       *shape);
gboolean wf_object_part_find    (WfCorrecting        *correcting,
                                 guint32              label,
                                 const guint8        *wall,
                                 WfObjectPart        *part,
                                 GError             **error);
gboolean wf_object_part_flood   (WfCorrecting        *correcting,
                                 const WfBox         *box,
                                 const WfImage       *markers,
                                 const WfImage       *mask,
                                 WfImage             *basins,
                                 GError             **error);
gboolean wf_object_part_crop    (const WfCorrecting  *correcting,
                                 const WfBox         *box,
                                 WfImage             *relief,
                                 GError             **error);
void     wf_object_part_clear   (WfObjectPart        *part);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfObjectPart, wf_object_part_clear)

/* Of join.c, split.c and seed.c */
gboolean wf_correcting_join     (WfCorrecting        *correcting,
                                 const WfPixelPlace  *points,
                                 guint                n_points,
                                 gboolean             along,
                                 gboolean            *effective,
                                 GError             **error);
gboolean wf_correcting_split    (WfCorrecting        *correcting,
                                 const WfPixelPlace  *points,
                                 guint                n_points,
                                 gboolean            *effective,
                                 GError             **error);
gboolean wf_correcting_seed     (WfCorrecting        *correcting,
                                 const WfPixelPlace  *point,
                                 gboolean            *effective,
                                 GError             **error);

static inline WfShape
wf_box_shape (const WfBox *box)
{
  return (WfShape) { box->x1 - box->x0, box->y1 - box->y0, box->z1 - box->z0 };
}

/* Makes @box hold @other, too; either may be empty. */
static inline void
wf_box_include (WfBox       *box,
                const WfBox *other)
{
  if (other->x1 <= other->x0)
    return;
  if (box->x1 <= box->x0)
    {
      *box = *other;
      return;
    }
  *box = (WfBox) { MIN (box->x0, other->x0), MIN (box->y0, other->y0), MIN (box->z0, other->z0),
                   MAX (box->x1, other->x1), MAX (box->y1, other->y1), MAX (box->z1, other->z1) };
}

static inline guint32 *
wf_label_at (const WfImage *labels,
             gint64         x,
             gint64         y,
             gint64         z)
{
  return (guint32 *) labels->data + wf_image_offset (labels, x, y, z);
}

/* A row of a box, those of all its slices counted. */
static inline guint32 *
wf_label_row (const WfImage *labels,
              const WfBox   *box,
              gint64         row)
{
  const gint64 height = box->y1 - box->y0;

  return wf_label_at (labels, box->x0, box->y0 + row % height, box->z0 + row / height);
}

G_END_DECLS
