/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which passes a task needs, and how their fields are laid out: see envelope.cu. */

#pragma once

#include "across.cuh"
#include "columns.cuh"
#include "nearest.cuh"
#include "scan.cuh"
#include "search.cuh"
#include "transpose.cuh"
#include "cuda/core/dispatch.cuh"

namespace distance_envelope
{

/**
 * Plan:
 * @axes: dimensions
 * @lines: for each axis
 * @strides: of the values of each axis
 * @searching: nearest pixels are searched for in the end
 * @columns: the first pass goes along columns
 * @across: and the second across the rows, too
 *
 * The input and the output of an axis' pass have the same layout: of x, rows in order; of y, its
 * lines in the order of (z, x); of z, in that of (y, x).  Only the first pass along columns
 * keeps the image's layout.
 */
typedef struct
{
  WfShape  shape;
  int      axes;
  Lines    lines[3];
  Strides  strides[3];
  bool     searching;
  bool     columns;
  bool     across;
} Plan;

static inline bool
needs_reals (const WfDistanceTask *task)
{
  return ! task->exact_integers || (task->metric == WF_METRIC_CHESSBOARD && task->nearest);
}

/* Whether 32 bits hold all distances or squares of them: lengths alone always fit. */
static inline bool
fits_32 (const WfDistanceTask *task)
{
  const WfShape *shape = &task->shape;
  const int      axis  = task->band ? task->band->axis : -1;
  const double   x     = shape->width + 1.0;
  const double   y     = (axis == 1 ? task->band->length : shape->height) + 1.0;
  const double   z     = (axis == 2 ? task->band->length : shape->depth) + 1.0;

  if (task->metric == WF_METRIC_CITY_BLOCK)
    return x + y + z < Limits<guint32>::far ();
  return task->metric == WF_METRIC_CHESSBOARD ||
         x * x + y * y + z * z < Limits<guint32>::far ();
}

/* Whether the first pass goes along columns, whose number and length are limited. */
static inline bool
has_columns (const WfDistanceTask *task)
{
  const gint64 width = wf_cuda_distance_count_columns (task);
  const gint64 rows  = wf_shape_n_pixels (&task->shape) / width;

  return ! (task->nearest && needs_reals (task)) && rows < WF_NO_ROW - 2 * WF_BAND &&
         width <= 1 << 30;
}

/* Memory for packing and carrying. */
typedef struct
{
  WfColumns columns;
  guint64   above_at;
  guint64   below_at;
  guint64   end;
} Packed;

static inline Packed
make_packed (const WfDistanceTask *task)
{
  const gint64 width  = wf_cuda_distance_count_columns (task);
  const gint64 rows   = wf_shape_n_pixels (&task->shape) / width;
  Packed       packed = { };

  packed.columns.width   = (int) width;
  packed.columns.height  = (int) rows;
  packed.columns.pitch   = (width + 2 * WF_REACH + 127) / 128 * 128;
  packed.columns.n_bands = (int) ((rows + WF_BAND - 1) / WF_BAND);
  packed.above_at = wf_cuda_align (packed.columns.n_bands * packed.columns.pitch
                                   * sizeof (guint32));
  packed.below_at = packed.above_at
                    + wf_cuda_align (packed.columns.n_bands * packed.columns.pitch
                                     * sizeof (guint16));
  packed.end      = 2 * packed.below_at - packed.above_at;
  return packed;
}

static inline Plan
make_plan (const WfDistanceTask *task)
{
  const WfShape *shape = &task->shape;
  const gint64   n     = wf_shape_n_pixels (shape);
  const gint64   lengths[3] = { shape->width, shape->height, shape->depth };
  Plan           plan  = { *shape, wf_distance_count_axes (task) };
  gint64         pitch[3] = { };

  for (int axis = 0; axis < plan.axes; axis++)
    {
      const int n_groups = (int) ((lengths[axis] + GROUP - 1) / GROUP);

      pitch[axis]      = (gint64) n_groups * GROUP;
      plan.lines[axis] = { n / lengths[axis], (int) lengths[axis], n_groups * GROUP, n_groups,
                           (bool) task->border_background, task->spacing[axis] };
    }
  plan.strides[0] = { 1, pitch[0], shape->height * pitch[0] };
  plan.strides[1] = { pitch[1], 1, shape->width * pitch[1] };
  if (plan.axes == 3)
    plan.strides[2] = { pitch[2], shape->width * pitch[2], 1 };
  plan.searching = task->nearest && needs_reals (task);
  plan.columns   = has_columns (task);
  plan.across    = plan.columns && plan.axes == 3 && shape->height <= MOST_ACROSS;
  return plan;
}

/* Whether the pass along @axis keeps the image's layout. */
static inline bool
plan_keeps_rows (const Plan *plan,
                 int         axis)
{
  return axis > 0 && (axis == plan->axes - 1 ? plan->columns : plan->across);
}

/* Blocks of rows in a slice, and of columns in all bands of slices: for the second pass. */
static inline guint32
plan_blocks (const Plan *plan)
{
  return (guint32) ((plan->shape.height + BLOCK_ROWS - 1) / BLOCK_ROWS);
}

static inline gint64
plan_bounds (const Plan *plan)
{
  return (plan->shape.depth + WF_BAND - 1) / WF_BAND * plan_blocks (plan)
         * plan->lines[0].n_groups;
}

/* Of the field that the pass along @axis makes. */
static inline gint64
plan_values (const Plan *plan,
             int         axis)
{
  if (plan_keeps_rows (plan, axis))
    return wf_shape_n_pixels (&plan->shape);
  return plan->lines[axis].n_lines * plan->lines[axis].pitch;
}

static inline gint64
plan_most_values (const Plan *plan)
{
  gint64 most = 0;

  for (int axis = 0; axis < plan->axes; axis++)
    most = MAX (most, plan_values (plan, axis));
  return most;
}

/* Of the field that the pass along @axis starts from. */
static inline Exchange
make_exchange (const Plan *plan,
               int         axis)
{
  const bool     first = axis + 2 == plan->axes && plan->columns;
  const WfShape *shape = &plan->shape;
  const Strides *to    = &plan->strides[axis];
  const Strides *from  = axis + 1 < plan->axes ? &plan->strides[axis + 1] : NULL;
  const gint64   n_groups = plan->lines[axis].n_groups;

  if (axis == 2)
    return { shape->height, shape->depth, shape->width, shape->width,
             shape->width * shape->height, to->y, to->x, n_groups };
  if (axis == 1 && ! from)
    return { 1, shape->height, shape->width, 0, shape->width, 0, to->x, n_groups };
  if (axis == 1 && first)
    return { shape->depth, shape->height, shape->width, shape->width * shape->height,
             shape->width, to->z, to->x, n_groups };
  if (axis == 1)
    return { shape->width, shape->height, shape->depth, from->x, from->y, to->x, to->z, n_groups };
  return { shape->depth, shape->width, shape->height, from->z, from->x, to->z, to->y, n_groups };
}


/*  Memory  */

/* Memory on the device: for each axis the input of its pass, which may be the same memory for
 * all.
 */
template <typename V>
struct Fields
{
  WfDeviceArray<V>       before[3];
  WfDeviceArray<V>       least_before[3];
  WfDeviceArray<V>       after;
  WfDeviceArray<gint32>  from[3];
  WfDeviceArray<guint16> bounds;
  V                     *start[3];
  V                     *least[3];
};

template <typename V>
static gboolean
allocate_fields (WfCuda                *cuda,
                 const WfDistanceTask  *task,
                 const Plan            *plan,
                 Fields<V>             *fields,
                 GError               **error)
{
  const gint64 most = plan_most_values (plan);

  for (int axis = 0; axis < plan->axes; axis++)
    {
      const gint64 n   = plan->searching ? plan_values (plan, axis) : most;
      const int    own = plan->searching ? axis : 0;

      if (axis == own && (! fields->before[axis].allocate (cuda, n, error) ||
                          ! fields->least_before[axis].allocate (cuda, n / GROUP, error)))
        return FALSE;
      fields->start[axis] = fields->before[own].data;
      fields->least[axis] = fields->least_before[own].data;
      if (task->nearest && ! plan->searching &&
          ! fields->from[axis].allocate (cuda, plan_values (plan, axis), error))
        return FALSE;
    }
  return fields->after.allocate (cuda, most, error);
}

}
