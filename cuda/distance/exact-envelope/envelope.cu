/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Exact distances of every kind, `envelope`: all metrics, spacing, stacks, nearest pixels,
 * signed maps.
 *
 * A separable transform: passes along z, y and x in this order.  A pass gives each
 * position of a line the least, over all positions i of the line, of the step from
 * i combined with what the passes before have found at i.  The first pass goes along
 * columns: columns.cuh; in a stack with few rows the second goes across
 * them: across.cuh.  Before every other pass the field is transposed where
 * necessary, so that its lines are contiguous, and the least value of each group of 32
 * positions is noted.  The pass searches the line outwards from each position: search.cuh;
 * city-block distances in integers are scanned instead, in linear time: scan.cuh.
 *
 * Without a spacing everything is counted in integers, of 32 bits if that is enough, else
 * 64; with one, in double precision with each product and sum rounded once.  Rounding is
 * monotone, so skipping never loses the least value, and the result equals the CPU's to the
 * bit: minima do not depend on the order.
 *
 * Nearest pixels: integers keep the first position that gives the least value in each
 * pass; the pixel is found by following them along x, y and z.  In rounded sums and in
 * maxima, pixels at different partial distances can be at equal distance in the end;
 * there the distance is searched for afterwards, the first x for which it is reached at
 * all, then the first y, then the first z.  For that the field is kept that each pass has
 * started from, and the first pass searches like the others, as it does in columns of
 * more than 2^16 pixels.
 *
 * The far parts that `local` leaves of a stack are computed only for the groups of 32 positions
 * of rows that it names; the pass across the rows skips all other rows.
 *
 * In a band of a larger image the first pass also takes in the nearest sites before and after the
 * band in each column.  Further ones give no shorter distance, and in integers are never the first
 * of equal ones; where they may be, nearest pixels are left to the CPU.
 *
 * A signed map is computed in two halves, each with the pixels of one kind as foreground, and
 * each writes only those pixels.
 *
 * Bytes a pixel, with integers of 32 bits: the image and 5 in the first pass; 8 in
 * each other (16 in a scan), in a stack of many rows 8 more in each transposition; the output.
 * Twice that with other values; 4 more in each pass with nearest pixels.
 *
 * Sources: Saito and Toriwaki, New algorithms for Euclidean distance transformation of an
 * n-dimensional digitized picture, Pattern Recognition 27, 1994, for the passes; the
 * CPU's engine/distance/cpu/exact-envelope-reals.c for the search after real distances.
 */

#include "plan.cuh"

namespace distance_envelope
{

/* Pixels between two looks at whether the user has cancelled. */
#define PIXELS_A_LAUNCH (G_GINT64_CONSTANT (1) << 24)

/* The same for scans, whose time does not depend on the content. */
#define PIXELS_A_SCAN (G_GINT64_CONSTANT (1) << 28)

#define PASS_BLOCK_GROUPS (PASS_WARPS * PASS_GROUPS)


/* Between launches of about %PIXELS_A_LAUNCH pixels each. */
static gboolean
look_up (WfCuda                *cuda,
         const WfCudaDistance  *distance,
         gint64                 amount,
         bool                   last,
         GError               **error)
{
  return (last || wf_cuda_wait (cuda, error)) &&
         wf_cuda_advance (cuda, distance->share > 0 ? amount : 0, error);
}

template <typename V, typename READER>
static gboolean
exchange_field (WfCuda      *cuda,
                const Plan  *plan,
                int          axis,
                READER       reader,
                Fields<V>   *fields,
                int         *absent,
                GError     **error)
{
  const Exchange exchange = make_exchange (plan, axis);
  const gint64   n_tiles  = exchange.n_batches * exchange.n_groups
                            * ((exchange.n_columns + TILE - 1) / TILE);
  const gint64   at_once  = G_MAXINT32;

  for (gint64 first = 0; first < n_tiles; first += at_once)
    {
      transpose<V><<<(unsigned int) MIN (at_once, n_tiles - first), dim3 (TILE, TILE_ROWS), 0,
                     cuda->stream>>>
        (reader, exchange, first, fields->start[axis], fields->least[axis], absent);
      WF_CUDA_CHECK_LAUNCH ();
    }
  return TRUE;
}

template <typename V>
static gboolean
read_image (WfCuda                *cuda,
            const WfCudaDistance  *distance,
            const Plan            *plan,
            const Kind            *kind,
            Fields<V>             *fields,
            int                   *absent,
            GError               **error)
{
  return wf_dispatch_pixels (distance->task->image->type, [&] (auto pixel)
    {
      using T = decltype (pixel);
      const ImageReader<V, T> reader = { (const T *) distance->image, kind->foreground };

      return exchange_field (cuda, plan, plan->axes - 1, reader, fields, absent, error);
    });
}

/* The bounds of blocks of columns, for the second pass. */
template <typename V>
static gboolean
find_bounds (WfCuda           *cuda,
             const Plan       *plan,
             const WfColumns  *columns,
             const Steps<V>   *steps,
             Fields<V>        *fields,
             GError          **error)
{
  const gint64 n = plan_bounds (plan);

  if (! fields->bounds.allocate (cuda, n, error))
    return FALSE;
  (steps->ends.before ? bound_blocks<true> : bound_blocks<false>)
    <<<(unsigned int) ((n + ACROSS_WARPS - 1) / ACROSS_WARPS), ACROSS_THREADS, 0, cuda->stream>>>
    (*columns, steps->ends, steps->above, steps->below, (int) plan->shape.width,
     (int) plan->shape.height,
     Bounds { fields->bounds.data, plan_blocks (plan), (guint32) plan->lines[0].n_groups });
  WF_CUDA_CHECK_LAUNCH ();
  return TRUE;
}

template <typename V, bool ENDS>
static auto
choose_steps (WfMetric metric)
{
  constexpr Rule lengths = std::is_same<V, guint64>::value ? SQUARES : SUMS;

  return metric == WF_METRIC_EUCLIDEAN || metric == WF_METRIC_SQUARED
         ? step_columns<V, SQUARES, ENDS> : step_columns<V, lengths, ENDS>;
}

/* The first pass: of an image along y, to what the pass along x starts from; of a stack along
 * z.
 */
template <typename V>
static gboolean
step_first (WfCuda                *cuda,
            const WfCudaDistance  *distance,
            const Plan            *plan,
            const Kind            *kind,
            Fields<V>             *fields,
            int                   *absent,
            GError               **error)
{
  const WfDistanceTask *task    = distance->task;
  const int             axis    = plan->axes - 1;
  const bool            flat    = axis == 1;
  const auto            kernel  = (task->band ? choose_steps<V, true>
                                              : choose_steps<V, false>) (task->metric);
  Packed                packed  = make_packed (task);
  const gint64          width   = packed.columns.width;
  const gint64          pitch   = flat ? plan->lines[0].pitch : width;
  const dim3            grid ((pitch + COLUMN_THREADS - 1) / COLUMN_THREADS,
                              packed.columns.n_bands);
  WfDeviceArray<guint8> memory;

  if (! memory.allocate (cuda, packed.end, error))
    return FALSE;
  packed.columns.words  = (guint32 *) memory.data;
  packed.columns.border = task->border_background && ! kind->foreground.inverted && ! task->band;

  const Steps<V> steps = { (guint16 *) (memory.data + packed.above_at),
                           (guint16 *) (memory.data + packed.below_at), pitch,
                           task->spacing[axis], flat ? fields->start[0] : fields->after.data,
                           flat ? fields->least[0] : NULL, fields->from[axis].data,
                           wf_column_ends (distance, kind->foreground.inverted) };

  if (! wf_cuda_distance_pack (cuda, distance, kind->foreground.inverted, &packed.columns, NULL, 0,
                               error) ||
      ! wf_cuda_distance_carry (cuda, &packed.columns, NULL, (guint16 *) steps.above,
                                (guint16 *) steps.below, error))
    return FALSE;
  kernel<<<grid, COLUMN_THREADS, 0, cuda->stream>>> (packed.columns, steps, absent);
  WF_CUDA_CHECK_LAUNCH ();
  if (plan->across && ! find_bounds (cuda, plan, &packed.columns, &steps, fields, error))
    return FALSE;
  return look_up (cuda, distance, wf_shape_n_pixels (&plan->shape), true, error);
}

template <typename V, Rule RULE, bool FROM>
static gboolean
pass_axis (WfCuda                *cuda,
           const WfCudaDistance  *distance,
           const Lines           *lines,
           const V               *start,
           const V               *least,
           const Output<V>       *output,
           GError               **error)
{
  const gint64 n_groups = lines->n_lines * lines->n_groups;
  const gint64 at_once  = PIXELS_A_LAUNCH / GROUP;

  for (gint64 first = 0; first < n_groups; first += at_once)
    {
      const gint64 end = MIN (first + at_once, n_groups);

      pass_along<V, RULE, FROM>
        <<<(unsigned int) ((end - first + PASS_BLOCK_GROUPS - 1) / PASS_BLOCK_GROUPS),
           PASS_THREADS, 0, cuda->stream>>> (*lines, start, least, first, end, *output);
      WF_CUDA_CHECK_LAUNCH ();
      if (! look_up (cuda, distance, (end - first) * GROUP, end == n_groups, error))
        return FALSE;
    }
  return TRUE;
}

template <typename V, bool FROM>
static gboolean
scan_axis (WfCuda                *cuda,
           const WfCudaDistance  *distance,
           const Lines           *lines,
           const V               *start,
           V                     *scratch,
           const Output<V>       *output,
           GError               **error)
{
  const gint64 at_once = MAX (PIXELS_A_SCAN / lines->pitch, 1);

  for (gint64 first = 0; first < lines->n_lines; first += at_once)
    {
      const gint64       end    = MIN (first + at_once, lines->n_lines);
      const unsigned int blocks = ((end - first) * 32 + SCAN_THREADS - 1) / SCAN_THREADS;

      scan_lines<V, FROM><<<blocks, SCAN_THREADS, 0, cuda->stream>>>
        (*lines, start, scratch, first, end, *output);
      WF_CUDA_CHECK_LAUNCH ();
      if (! look_up (cuda, distance, (end - first) * lines->length, end == lines->n_lines, error))
        return FALSE;
    }
  return TRUE;
}

/* The instances there are: long squares are the only integers that need 64 bits, and
 * neither reals nor maxima keep positions.
 */
template <typename V>
static gboolean
pass_by_rule (WfCuda                *cuda,
              const WfCudaDistance  *distance,
              const Lines           *lines,
              const V               *start,
              const V               *least,
              V                     *scratch,
              const Output<V>       *output,
              GError               **error)
{
  constexpr bool reals = std::is_floating_point<V>::value;
  constexpr bool wide  = std::is_same<V, guint64>::value;

  if constexpr (! wide)
    {
      if (distance->task->metric == WF_METRIC_CHESSBOARD)
        return pass_axis<V, MAXIMA, false> (cuda, distance, lines, start, least, output, error);
      if (distance->task->metric == WF_METRIC_CITY_BLOCK)
        {
          if constexpr (reals)
            return pass_axis<V, SUMS, false> (cuda, distance, lines, start, least, output, error);
          else
            return (output->from ? scan_axis<V, true> : scan_axis<V, false>)
                     (cuda, distance, lines, start, scratch, output, error);
        }
    }
  return (output->from ? pass_axis<V, SQUARES, ! reals> : pass_axis<V, SQUARES, false>)
           (cuda, distance, lines, start, least, output, error);
}

template <typename V, Rule RULE, bool FROM>
static gboolean
across_by_rule (WfCuda                *cuda,
                const WfCudaDistance  *distance,
                const Across<V>       *across,
                GError               **error)
{
  const gint64 n_rows  = across->depth * ((across->lines.length + 3) / 4);
  const gint64 n       = n_rows * (across->pitch / GROUP);
  const gint64 at_once = PIXELS_A_LAUNCH / (4 * GROUP);

  for (gint64 first = 0; first < n; first += at_once)
    {
      const gint64 end = MIN (first + at_once, n);

      pass_across<V, RULE, FROM>
        <<<(unsigned int) ((end - first + ACROSS_WARPS - 1) / ACROSS_WARPS), ACROSS_THREADS, 0,
           cuda->stream>>> (*across, first, end);
      WF_CUDA_CHECK_LAUNCH ();
      if (! look_up (cuda, distance, (end - first) * 4 * GROUP, end == n, error))
        return FALSE;
    }
  return TRUE;
}

/* The second pass, of a stack along y, to what the pass along x starts from. */
template <typename V>
static gboolean
pass_second (WfCuda                *cuda,
             const WfCudaDistance  *distance,
             const Plan            *plan,
             const Kind            *kind,
             const WfFarGroups     *far,
             Fields<V>             *fields,
             GError               **error)
{
  constexpr bool  reals   = std::is_floating_point<V>::value;
  constexpr bool  wide    = std::is_same<V, guint64>::value;
  const WfMetric  metric  = distance->task->metric;
  Across<V>       across  = { plan->lines[1], plan->shape.width, plan->shape.depth,
                              fields->after.data, plan->lines[0].pitch, fields->start[0],
                              fields->least[0], fields->from[1].data,
                              far ? far->rows : NULL,
                              { fields->bounds.data, plan_blocks (plan),
                                (guint32) plan->lines[0].n_groups },
                              distance->task->spacing[2] };

  across.lines.border = across.lines.border && ! kind->foreground.inverted;
  if constexpr (! wide)
    {
      if (metric == WF_METRIC_CHESSBOARD)
        return across_by_rule<V, MAXIMA, false> (cuda, distance, &across, error);
      if (metric == WF_METRIC_CITY_BLOCK)
        return (across.from ? across_by_rule<V, SUMS, ! reals> : across_by_rule<V, SUMS, false>)
                 (cuda, distance, &across, error);
    }
  return (across.from ? across_by_rule<V, SQUARES, ! reals> : across_by_rule<V, SQUARES, false>)
           (cuda, distance, &across, error);
}

static DistanceType
distance_type (const WfDistanceTask *task)
{
  return ! task->out ? NO_DISTANCES
         : task->out->type == WF_TYPE_U64 ? WHOLE_SQUARES
         : task->out->type == WF_TYPE_F64 ? REAL_SQUARES : FLOATS;
}

static Wanted
wanted_groups (const Plan         *plan,
               const WfFarGroups  *far)
{
  return { far ? far->groups : NULL, (guint32) plan->shape.height };
}

template <typename V>
static gboolean
pass_all (WfCuda                *cuda,
          const WfCudaDistance  *distance,
          const Plan            *plan,
          const Kind            *kind,
          const WfFarGroups     *far,
          Fields<V>             *fields,
          int                   *absent,
          GError               **error)
{
  const WfDistanceTask *task = distance->task;

  int                   axis = plan->axes - 1;

  if (! (plan->columns ? step_first<V> : read_image<V>)
          (cuda, distance, plan, kind, fields, absent, error))
    return FALSE;
  if (plan->columns)
    axis--;
  if (plan->across)
    {
      axis--;
      if (! pass_second (cuda, distance, plan, kind, far, fields, error))
        return FALSE;
    }
  else if (plan->columns && axis > 0 &&
           ! exchange_field (cuda, plan, axis, FieldReader<V> { fields->after.data }, fields,
                             absent, error))
    return FALSE;
  for (; axis >= 0; axis--)
    {
      Output<V> output = { };
      Lines     lines  = plan->lines[axis];

      lines.border = lines.border && ! kind->foreground.inverted;
      if (axis > 0 || plan->searching)
        output.values = fields->after.data;
      output.from = fields->from[axis].data;
      if (axis == 0)
        {
          output.distances = distance->out;
          output.type      = distance_type (task);
          output.root      = task->metric == WF_METRIC_EUCLIDEAN;
          output.negative  = kind->foreground.inverted;
          output.fours     = ! kind->only && lines.length % 4 == 0 &&
                             (guintptr) distance->out % 16 == 0;
          output.kind      = *kind;
          output.wanted    = wanted_groups (plan, far);
        }
      if (! pass_by_rule<V> (cuda, distance, &lines, fields->start[axis], fields->least[axis],
                             fields->after.data, &output, error))
        return FALSE;
      if (axis > 0 &&
          ! exchange_field (cuda, plan, axis - 1, FieldReader<V> { fields->after.data }, fields,
                            absent, error))
        return FALSE;
    }
  return TRUE;
}

#define NEAREST_THREADS 128

static gboolean
find_by_search (WfCuda                *cuda,
                const WfCudaDistance  *distance,
                const Plan            *plan,
                const Kind            *kind,
                Fields<double>        *fields,
                GError               **error)
{
  const WfDistanceTask *task = distance->task;
  const gint64          n    = wf_shape_n_pixels (&plan->shape);
  Searched              searched = { };

  for (int axis = 0; axis < plan->axes; axis++)
    {
      searched.values[axis]  = fields->start[axis];
      searched.least[axis]   = fields->least[axis];
      searched.strides[axis] = plan->strides[axis];
      searched.spacing[axis] = task->spacing[axis];
    }
  searched.distances = fields->after.data;
  searched.pitch     = plan->lines[0].pitch;
  searched.shape     = plan->shape;
  searched.axes      = plan->axes;
  searched.border    = task->border_background && ! kind->foreground.inverted;
  searched.kind      = *kind;

  for (gint64 first = 0; first < n; first += PIXELS_A_LAUNCH)
    {
      const gint64       end    = MIN (first + PIXELS_A_LAUNCH, n);
      const unsigned int blocks = (end - first + NEAREST_THREADS - 1) / NEAREST_THREADS;

      (task->metric == WF_METRIC_CHESSBOARD ? search_nearest<MAXIMA>
       : task->metric == WF_METRIC_CITY_BLOCK ? search_nearest<SUMS> : search_nearest<SQUARES>)
        <<<blocks, NEAREST_THREADS, 0, cuda->stream>>> (searched, first, end, distance->nearest);
      WF_CUDA_CHECK_LAUNCH ();
      if (! look_up (cuda, distance, end - first, end == n, error))
        return FALSE;
    }
  return TRUE;
}

template <typename V>
static gboolean
find_by_trail (WfCuda                *cuda,
               const WfCudaDistance  *distance,
               const Plan            *plan,
               const Kind            *kind,
               const WfFarGroups     *far,
               Fields<V>             *fields,
               GError               **error)
{
  const gint64 n     = wf_shape_n_pixels (&plan->shape);
  Trail        trail = { };

  for (int axis = 0; axis < plan->axes; axis++)
    {
      trail.from[axis]    = fields->from[axis].data;
      trail.strides[axis] = plan->strides[axis];
    }
  for (int axis = 1; axis < plan->axes; axis++)
    if (plan_keeps_rows (plan, axis))
      trail.strides[axis] = { 1, plan->shape.width, plan->shape.width * plan->shape.height };
  trail.shape  = plan->shape;
  trail.axes   = plan->axes;
  trail.kind   = *kind;
  trail.wanted = wanted_groups (plan, far);
  if (distance->task->band)
    {
      trail.first  = distance->task->band->first;
      trail.length = distance->task->band->length;
    }

  for (gint64 first = 0; first < n; first += PIXELS_A_LAUNCH)
    {
      const gint64       end    = MIN (first + PIXELS_A_LAUNCH, n);
      const unsigned int blocks = (end - first + NEAREST_THREADS - 1) / NEAREST_THREADS;

      (distance->task->band ? follow<true> : follow<false>)
        <<<blocks, NEAREST_THREADS, 0, cuda->stream>>> (trail, first, end, distance->nearest);
      WF_CUDA_CHECK_LAUNCH ();
    }
  return wf_cuda_advance (cuda, distance->share > 0 ? n : 0, error);
}

template <typename V>
static gboolean
measure (WfCuda                *cuda,
         const WfCudaDistance  *distance,
         const WfFarGroups     *far,
         bool                   inverted,
         int                   *absent,
         GError               **error)
{
  const WfDistanceTask *task = distance->task;
  const Plan            plan = make_plan (task);
  const Kind            kind = { distance->image, task->image->type,
                                 wf_foreground (task->threshold, inverted),
                                 (bool) task->signed_distance };
  Fields<V>             fields;

  if (! allocate_fields (cuda, task, &plan, &fields, error) ||
      ! pass_all (cuda, distance, &plan, &kind, far, &fields, absent, error))
    return FALSE;
  if (! task->nearest)
    return TRUE;
  if constexpr (std::is_floating_point<V>::value)
    return find_by_search (cuda, distance, &plan, &kind, &fields, error);
  else
    return find_by_trail (cuda, distance, &plan, &kind, far, &fields, error);
}

}

using namespace distance_envelope;

/* Positions along an axis are numbered with 31 bits, and sums of three are to fit 32.  What lies
 * beyond a band is seen by the pass along columns only.
 */
gboolean
wf_cuda_distance_envelope_supports (const WfDistanceTask *task)
{
  const gint64 most = 1 << 29;

  return (! task->band || (has_columns (task) && task->band->length <= most)) &&
         task->shape.width <= most && task->shape.height <= most && task->shape.depth <= most;
}

guint64
wf_cuda_distance_envelope_memory (const WfDistanceTask *task)
{
  const Plan    plan  = make_plan (task);
  const guint64 most  = plan_most_values (&plan);
  const guint64 value = needs_reals (task) || ! fits_32 (task) ? 8 : 4;
  guint64       bytes = most * value + (plan.columns ? make_packed (task).end : 0);

  if (! plan.searching)
    bytes += (most + most / GROUP) * value;
  if (plan.across)
    bytes += plan_bounds (&plan) * sizeof (guint16);
  for (int axis = 0; axis < plan.axes && task->nearest; axis++)
    bytes += plan.searching ? plan_values (&plan, axis) * (GROUP + 1) / GROUP * value
                            : plan_values (&plan, axis) * sizeof (gint32);
  return bytes;
}

gboolean
wf_cuda_distance_envelope_far (WfCuda                 *cuda,
                               const WfCudaDistance   *distance,
                               const WfFarGroups      *far,
                               WfDeviceArray<guint8>  *memory,
                               int                   **absent,
                               GError                **error)
{
  const WfDistanceTask *task   = distance->task;
  const Plan            plan   = make_plan (task);
  const int             halves = task->signed_distance ? 2 : 1;
  const int             steps  = plan.axes + (task->nearest ? 1 : 0);

  if (! memory->allocate (cuda, 2 * sizeof (int), error))
    return FALSE;
  *absent = (int *) memory->data;
  WF_CUDA_CHECK (cudaMemsetAsync (*absent, 0xff, 2 * sizeof (int), cuda->stream));
  if (distance->share > 0)
    wf_run_begin (cuda->run, distance->share, steps * halves * wf_shape_n_pixels (&plan.shape));

  for (int half = 0; half < halves; half++)
    if (! (needs_reals (task) ? measure<double>
           : fits_32 (task) ? measure<guint32> : measure<guint64>)
            (cuda, distance, far, half == 1, *absent + half, error))
      return FALSE;
  return TRUE;
}

gboolean
wf_cuda_distance_envelope (WfCuda                 *cuda,
                           const WfCudaDistance   *distance,
                           WfDeviceArray<guint8>  *memory,
                           int                   **absent,
                           GError                **error)
{
  return wf_cuda_distance_envelope_far (cuda, distance, NULL, memory, absent, error);
}
