/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Openings and closings by attributes on the CPU: union-find over the pixels from the highest to
 * the lowest, after Meijster and Wilkinson (A comparison of algorithms for connected set openings
 * and closings, IEEE Transactions on Pattern Analysis and Machine Intelligence 24, 2002).
 *
 * Each component of the pixels visited so far has a root: the last of its lowest pixels.  A pixel
 * that is visited joins the components of its neighbours.  One that is higher than the pixel is
 * complete: as far as its attribute suffices, it stays as it is, and so does all that contains it;
 * else it becomes a part of the pixel's component.  In the end each pixel gets the level of its
 * root.  A closing is the same with the order of levels turned round.
 *
 * Of heights the tree of all components is built, and what is kept is chosen at the end: whether a
 * component has the highest pixels of what it is a part of is known only then.
 *
 * Images of at most two levels have their own way (two-levels.c), by the same components.
 *
 * Pixels have positions in a frame, an image with a border of the key 0, which is lower than all
 * levels, so that no pixel's neighbours need a test: a column after each row, and rows before the
 * first and after the last slice.
 */

#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "engine/attributes/attribute.h"
#include "engine/core/grid.h"
#include "engine/cpu/cpu.h"
#include "engine/cpu/ordered-key.h"
#include "two-levels.h"

#define DIGIT_BITS 16
#define N_DIGITS   ((guint32) 1 << DIGIT_BITS)

/* A root whose component and all that contain it are kept; other roots are −1, or of openings by
 * area minus the area.
 */
#define KEPT (-2)

#define PIXELS_TO_A_LOOK (1 << 14)

/* So many pixels further on, memory is fetched. */
#define PIXELS_AHEAD 24

#define SHARE_OF_FILL  0.02
#define SHARE_OF_SORT  0.18
#define SHARE_OF_UNION (0.7 - WF_SHARE_OF_LEVELS)
#define SHARE_OF_WRITE 0.1

/**
 * Frame:
 * @pitch, @slice: steps from row to row and from slice to slice
 * @first: the position of the first pixel
 * @size: of all arrays but @order
 * @steps: to the neighbours, in raster order
 * @keys: the levels, those that are visited first having the highest keys
 * @order: positions of all pixels, in the order of their visit
 * @parents: of each pixel another one of its component, or of a root a negative number
 * @tops: of a root the highest key of its component
 * @links: of heights, from each root to that of the component that it became a part of, or −1
 * @areas: of a root the pixels of its component
 * @sums: of a root the sum of its component's keys, of f32 of its levels (double)
 */
typedef struct
{
  const WfAttributeTask *task;
  WfRun                 *run;
  WfAttribute            attribute;
  gint64                 least_area;
  gint64                 n_pixels;
  gint64                 n_rows;
  gint64                 pitch;
  gint64                 slice;
  gint64                 first;
  gint64                 size;
  int                    n_steps;
  gint64                 steps[26];
  gpointer               keys;
  gpointer               order;
  gpointer               parents;
  gpointer               tops;
  gpointer               links;
  gpointer               areas;
  gpointer               sums;
} Frame;


static void
frame_clear (Frame *frame)
{
  g_free (frame->keys);
  g_free (frame->order);
  g_free (frame->parents);
  g_free (frame->tops);
  g_free (frame->links);
  g_free (frame->areas);
  g_free (frame->sums);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Frame, frame_clear)

static void
frame_init (Frame                 *frame,
            const WfAttributeTask *task)
{
  const WfShape  *shape = &task->shape;
  const gboolean  stack = shape->depth > 1;
  WfNeighbourhood neighbours;

  *frame = (Frame) {
    .task      = task,
    .attribute = wf_attribute_of (task->operation),
    .n_pixels  = wf_shape_n_pixels (shape),
    .n_rows    = shape->height * shape->depth,
    .pitch     = shape->width + 1,
    .slice     = (shape->width + 1) * (shape->height + 1),
  };
  frame->first = (stack ? frame->slice : 0) + frame->pitch + 1;
  frame->size  = 2 * frame->first + shape->depth * frame->slice;
  /* More than all pixels is never reached; estimates know no number. */
  frame->least_area = isnan (task->least)
                      ? 1 : (gint64) CLAMP (ceil (task->least), 1.0, (double) frame->n_pixels + 1);

  wf_neighbourhood_init (&neighbours, task->connectivity, shape);
  frame->n_steps = neighbours.n;
  for (int i = 0; i < neighbours.n; i++)
    frame->steps[i] = neighbours.dz[i] * frame->slice + neighbours.dy[i] * frame->pitch
                      + neighbours.dx[i];
}

/* The position of the first pixel of a row, counted through all slices. */
static inline gint64
frame_row (const Frame *frame,
           gint64       row)
{
  const gint64 height = frame->task->shape.height;

  return frame->first + row / height * frame->slice + row % height * frame->pitch;
}


/*  Keys  */

/* Above 0 of a pixel: the keys of f32 begin with that of −∞. */
static inline __attribute__ ((always_inline)) guint32
key_of (gconstpointer row,
        gint64        x,
        WfType        type,
        gboolean      closing)
{
  const guint32 key = wf_level_key (row, x, type);

  switch (type)
    {
    case WF_TYPE_U8:
      return closing ? G_MAXUINT8 + 1 - key : key + 1;
    case WF_TYPE_U16:
      return closing ? G_MAXUINT16 + 1 - key : key + 1;
    default:
      return closing ? ~key : key;
    }
}

static inline double
level_of (const Frame *frame,
          guint32      key)
{
  const double level = wf_key_level (frame->task->closing ? ~key : key, WF_TYPE_F32);

  return CLAMP (level, -FLT_MAX, FLT_MAX);
}

static inline void
set_level (gpointer row,
           gint64   x,
           WfType   type,
           gboolean closing,
           guint32  key)
{
  switch (type)
    {
    case WF_TYPE_U8:
      ((guint8 *) row)[x] = (guint8) (closing ? G_MAXUINT8 + 1 - key : key - 1);
      break;
    case WF_TYPE_U16:
      ((guint16 *) row)[x] = (guint16) (closing ? G_MAXUINT16 + 1 - key : key - 1);
      break;
    default:
      ((float *) row)[x] = (float) wf_key_level (closing ? ~key : key, WF_TYPE_F32);
      break;
    }
}


/*  Attributes  */

static inline double
height_between (const Frame *frame,
                guint32      top,
                guint32      key)
{
  return frame->task->type == WF_TYPE_F32 ? fabs (level_of (frame, top) - level_of (frame, key))
                                          : (double) (top - key);
}

/* Of integers exact: a sum of keys is below 2¹⁷ times the number of pixels. */
static inline double
volume_above (const Frame *frame,
              gint64       root,
              gint64       area,
              guint32      key)
{
  if (frame->task->type == WF_TYPE_F32)
    return fabs (((const double *) frame->sums)[root] - (double) area * level_of (frame, key));
  return (double) (((const guint64 *) frame->sums)[root] - (guint64) area * key);
}

static inline void
begin_sum (const Frame *frame,
           gint64       p,
           guint32      key)
{
  if (frame->task->type == WF_TYPE_F32)
    ((double *) frame->sums)[p] = level_of (frame, key);
  else
    ((guint64 *) frame->sums)[p] = key;
}

static inline void
join_sum (const Frame *frame,
          gint64       root,
          gint64       p)
{
  if (frame->task->type == WF_TYPE_F32)
    ((double *) frame->sums)[p] += ((const double *) frame->sums)[root];
  else
    ((guint64 *) frame->sums)[p] += ((const guint64 *) frame->sums)[root];
}


/*  The steps, for images of fewer than 2³¹ positions and others  */

#define WF_KEY          guint16
#define WF_PLACE        gint32
#define WF_NAME(name)   name##_short_near
#include "unite.inc.h"

#define WF_KEY          guint32
#define WF_PLACE        gint32
#define WF_NAME(name)   name##_long_near
#include "unite.inc.h"

#define WF_KEY          guint16
#define WF_PLACE        gint64
#define WF_NAME(name)   name##_short_far
#include "unite.inc.h"

#define WF_KEY          guint32
#define WF_PLACE        gint64
#define WF_NAME(name)   name##_long_far
#include "unite.inc.h"

typedef struct
{
  WfRowFunc   fill;
  gboolean (* sort)   (const Frame *frame,
                       gint64      *starts);
  gboolean (* unite)  (const Frame *frame);
  gboolean (* choose) (const Frame *frame);
  WfRowFunc   write;
} Steps;

static const Steps *
find_steps (const Frame *frame)
{
  static const Steps steps[2][2] =
  {
    { { fill_short_near, sort_short_near, unite_short_near,
        choose_short_near, write_short_near },
      { fill_long_near, sort_long_near, unite_long_near,
        choose_long_near, write_long_near } },
    { { fill_short_far, sort_short_far, unite_short_far,
        choose_short_far, write_short_far },
      { fill_long_far, sort_long_far, unite_long_far,
        choose_long_far, write_long_far } },
  };

  return &steps[frame->size > G_MAXINT32][frame->task->type != WF_TYPE_U8];
}

static gsize
key_size (const Frame *frame)
{
  return frame->task->type == WF_TYPE_U8 ? sizeof (guint16) : sizeof (guint32);
}

static gsize
place_size (const Frame *frame)
{
  return frame->size > G_MAXINT32 ? sizeof (gint64) : sizeof (gint32);
}

static gboolean
frame_allocate (Frame   *frame,
                GError **error)
{
  const WfAttribute attribute = frame->attribute;

  if (! (frame->keys    = wf_run_allocate (frame->run, frame->size, key_size (frame), error)) ||
      ! (frame->order   = wf_run_allocate (frame->run, frame->n_pixels, place_size (frame),
                                           error)) ||
      ! (frame->parents = wf_run_allocate (frame->run, frame->size, place_size (frame), error)) ||
      (attribute == WF_ATTRIBUTE_HEIGHT &&
       (! (frame->tops  = wf_run_allocate (frame->run, frame->size, key_size (frame), error)) ||
        ! (frame->links = wf_run_allocate (frame->run, frame->size, place_size (frame), error)))) ||
      (attribute == WF_ATTRIBUTE_VOLUME &&
       (! (frame->areas = wf_run_allocate (frame->run, frame->size, place_size (frame), error)) ||
        ! (frame->sums  = wf_run_allocate (frame->run, frame->size, sizeof (guint64), error)))))
    return FALSE;
  memset (frame->keys, 0, frame->size * key_size (frame));
  return TRUE;
}

static gboolean
open_levels (const WfAttributeTask  *task,
             WfRun                  *run,
             GError                **error)
{
  g_autofree gint64     *starts = wf_allocate (N_DIGITS + 1, sizeof *starts, error);
  const Steps           *steps;
  g_auto (Frame)         frame  = { 0 };
  gboolean               by_height;
  WfRows                 rows;

  if (! starts)
    return FALSE;
  frame_init (&frame, task);
  frame.run = run;
  if (! frame_allocate (&frame, error))
    return FALSE;

  steps = find_steps (&frame);
  rows  = (WfRows) { .n = frame.n_rows, .amount = task->shape.width };
  wf_run_begin (run, SHARE_OF_FILL, frame.n_pixels);
  if (! wf_run_rows (run, &rows, steps->fill, &frame, error))
    return FALSE;
  wf_run_begin (run, SHARE_OF_SORT, 2 * frame.n_pixels * (task->type == WF_TYPE_F32 ? 2 : 1));
  if (! steps->sort (&frame, starts))
    return wf_run_set_cancelled (error);
  by_height = frame.attribute == WF_ATTRIBUTE_HEIGHT;
  wf_run_begin (run, SHARE_OF_UNION, frame.n_pixels * (by_height ? 2 : 1));
  if (! steps->unite (&frame) || (by_height && ! steps->choose (&frame)))
    return wf_run_set_cancelled (error);

  wf_run_commit (run);
  wf_run_begin (run, SHARE_OF_WRITE, frame.n_pixels);
  return wf_run_rows (run, &rows, steps->write, &frame, error);
}

static gboolean
open (gconstpointer   data,
      WfRun          *run,
      GError        **error)
{
  gboolean opened;

  return wf_cpu_open_two_levels (data, run, &opened, error) &&
         (opened || open_levels (data, run, error));
}

static guint64
open_memory (gconstpointer data,
             guint         n_threads)
{
  const WfAttributeTask *task = data;
  Frame                  frame;
  guint64                bytes;

  frame_init (&frame, task);
  bytes = key_size (&frame) + place_size (&frame);
  if (frame.attribute == WF_ATTRIBUTE_HEIGHT)
    bytes += key_size (&frame) + place_size (&frame);
  if (frame.attribute == WF_ATTRIBUTE_VOLUME)
    bytes += place_size (&frame) + sizeof (guint64);
  bytes = (guint64) frame.size * bytes + (guint64) frame.n_pixels * place_size (&frame)
          + (N_DIGITS + 1) * sizeof (gint64);
  return MAX (bytes, wf_cpu_open_two_levels_memory (task, n_threads));
}

const WfVariant wf_cpu_attribute_variants[] =
{
  { .algorithm = "union-find", .memory = open_memory, .run = open },
  { .algorithm = NULL }
};
