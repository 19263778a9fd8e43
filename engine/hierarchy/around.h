/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The basins around a pixel without a label: those of its neighbours and, if there are any, those
 * of its unlabelled neighbours' neighbours.  Lines of one or two pixels between regions are such
 * pixels with several basins around them.
 *
 * Every label is looked at, but most are those met first or last, so that the caller's function is
 * called rarely.  Far from the border no neighbour is compared with it, and the neighbours'
 * neighbours are compared without branches, as they mostly have no further label.
 */

#pragma once

#include "engine/core/grid.h"
#include "engine/core/image.h"

/**
 * WfSurroundings:
 * @labels: of the caller
 * @image: all pixels
 * @steps: to the neighbours in @labels
 */
typedef struct
{
  const WfImage   *labels;
  WfShape          shape;
  WfBox            image;
  WfNeighbourhood  neighbours;
  gint64           steps[WF_MAX_NEIGHBOURS];
} WfSurroundings;

/**
 * WfAround:
 * @touched: whether a neighbour belongs to a basin: else no further ones count; set by the caller's
 *   function
 * @settled: whether no further label makes a difference; set likewise
 * @first: the label met first, or 0
 * @last: the label met last
 *
 * What is known of the basins around a pixel.
 */
typedef struct
{
  gboolean touched;
  gboolean settled;
  guint32  first;
  guint32  last;
} WfAround;

/**
 * WfMeetFunc:
 * @around: what is known
 * @label: not 0; neither the first nor the last one met
 * @data: of the caller
 * @worker: number of the thread
 *
 * Takes in a label, which may have been met before.
 */
typedef void (* WfMeetFunc) (WfAround *around,
                             guint32   label,
                             gpointer  data,
                             guint     worker);


static inline void
wf_surroundings_init (WfSurroundings *surroundings,
                      const WfImage  *labels,
                      int             connectivity)
{
  surroundings->labels = labels;
  surroundings->shape  = (WfShape) { labels->width, labels->height, labels->depth };
  surroundings->image  = wf_shape_box (&surroundings->shape);
  wf_neighbourhood_init (&surroundings->neighbours, connectivity, &surroundings->shape);
  for (int i = 0; i < surroundings->neighbours.n; i++)
    surroundings->steps[i] = wf_image_offset (labels, surroundings->neighbours.dx[i],
                                              surroundings->neighbours.dy[i],
                                              surroundings->neighbours.dz[i]);
}

/* The label at @point. */
static inline const guint32 *
wf_surroundings_at (const WfSurroundings *surroundings,
                    WfPoint               point)
{
  const WfImage *labels = surroundings->labels;

  return (const guint32 *) labels->data + wf_image_offset (labels, point.x, point.y, point.z);
}

static inline gboolean
wf_surroundings_hold (const WfSurroundings *surroundings,
                      WfPoint               point,
                      int                   i)
{
  const WfNeighbourhood *nb = &surroundings->neighbours;

  return wf_box_holds (&surroundings->image, point, nb->dx[i], nb->dy[i], nb->dz[i]);
}

/* Whether all neighbours of @point, and their neighbours if @margin is 2, lie in the image. */
static inline gboolean
wf_surroundings_are_inner (const WfSurroundings *surroundings,
                           WfPoint               point,
                           int                   margin)
{
  const WfShape *shape = &surroundings->shape;
  const gboolean stack = wf_is_stack_connectivity (surroundings->neighbours.n);

  return point.x >= margin && point.x < shape->width - margin &&
         point.y >= margin && point.y < shape->height - margin &&
         (! stack || (point.z >= margin && point.z < shape->depth - margin));
}

/* Whether the pixel at @here has a neighbour with another label than the first and the last. */
static inline gboolean
wf_around_has_news (const WfAround       *around,
                    const WfSurroundings *surroundings,
                    const guint32        *here)
{
  guint news = 0;

  for (int i = 0; i < surroundings->neighbours.n; i++)
    {
      const guint32 label = here[surroundings->steps[i]];

      news |= (label != 0) & (label != around->last) & (label != around->first);
    }
  return news != 0;
}

/* Takes in the labelled neighbours of @point. */
static inline void
wf_around_meet (WfAround             *around,
                const WfSurroundings *surroundings,
                WfPoint               point,
                gboolean              inner,
                WfMeetFunc            meet,
                gpointer              data,
                guint                 worker)
{
  const guint32 *here = wf_surroundings_at (surroundings, point);

  for (int i = 0; i < surroundings->neighbours.n; i++)
    {
      guint32 label;

      if (! inner && ! wf_surroundings_hold (surroundings, point, i))
        continue;
      label = here[surroundings->steps[i]];
      if (label == 0 || label == around->last || label == around->first)
        continue;
      if (! around->first)
        around->first = label;
      around->last = label;
      meet (around, label, data, worker);
    }
}

/* Passes the labels around the unlabelled pixel at @point to @meet, until they are settled.  The
 * nearer ones come first: in most cases they suffice.
 */
static inline void
wf_look_around (const WfSurroundings *surroundings,
                WfPoint               point,
                WfMeetFunc            meet,
                gpointer              data,
                guint                 worker)
{
  const WfNeighbourhood *nb     = &surroundings->neighbours;
  const guint32         *here   = wf_surroundings_at (surroundings, point);
  const gboolean         inner  = wf_surroundings_are_inner (surroundings, point, 2);
  WfAround               around = { FALSE, FALSE, 0, 0 };

  wf_around_meet (&around, surroundings, point, inner, meet, data, worker);
  for (int i = 0; i < nb->n && around.touched && ! around.settled; i++)
    if ((inner || wf_surroundings_hold (surroundings, point, i)) &&
        here[surroundings->steps[i]] == 0 &&
        (! inner || wf_around_has_news (&around, surroundings, here + surroundings->steps[i])))
      wf_around_meet (&around, surroundings,
                      (WfPoint) { point.x + nb->dx[i], point.y + nb->dy[i], point.z + nb->dz[i] },
                      inner, meet, data, worker);
}
