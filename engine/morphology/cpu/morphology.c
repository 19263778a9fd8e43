/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations by reconstruction on the CPU: a marker is made of the image and
 * reconstructed, and the output is made of the result.  A recipe defines for each operation
 * the marker, the direction and the output (engine/morphology/recipes.h).
 *
 * The reconstruction may be any variant of the CPU.  It writes over the marker or, if its
 * result is the output, to the output.  So in addition to the memory of the reconstruction
 * one image of the input's type is needed, and none if partial outputs are allowed.  An
 * output that is compared with the image and shares some of its memory is made in place of
 * the marker and then copied.
 * Imposing minima takes another one, as its mask is not the image; extrema take a byte for
 * each pixel.
 *
 * Regional extrema need no reconstruction: `plateaux` finds them by their definition.
 * The variants by reconstruction (Vincent 1993, 3.2) are there for comparison.
 */

#include "config.h"

#include <string.h>

#include "extrema.h"
#include "markers.h"
#include "pixels.h"
#include "engine/reconstruction/cpu/reconstruction.h"
#include "structuring-element.h"

/* Shares in the work; the rest is the reconstruction. */
#define SHARE_OF_MARKER  0.05
#define SHARE_OF_ELEMENT 0.2
#define SHARE_OF_EXTREMA 0.2
#define SHARE_OF_OUTPUT  0.05

/* The state of an operation. */
typedef struct
{
  const WfMorphologyTask *task;
  const WfRecipe           *recipe;
  const WfPixelSteps     *steps;
  WfRun                  *run;
  WfImage                 marker;     /* later its reconstruction */
  WfImage                 mask;       /* the image, or the image with imposed minima */
  WfImage                 state;      /* of the extrema */
  WfImage                 result;     /* the output, or a view of its type on the marker */
  gpointer                marker_memory;
  gpointer                mask_memory;
  gpointer                state_memory;
} Work;


static void
work_clear (Work *work)
{
  g_free (work->marker_memory);
  g_free (work->mask_memory);
  g_free (work->state_memory);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

/* A packed view of the task's size on @data, which may be %NULL. */
static WfImage
packed_view (const WfMorphologyTask *task,
             WfType                  type,
             gpointer                data)
{
  return (WfImage) {
    .type = type, .data = data,
    .width = task->shape.width, .height = task->shape.height, .depth = task->shape.depth,
    .row_stride = task->shape.width, .slice_stride = task->shape.width * task->shape.height,
  };
}

static gboolean
allocate_view (const Work  *work,
               WfType       type,
               WfImage     *view,
               gpointer    *memory,
               GError     **error)
{
  *memory = wf_allocate (wf_shape_n_pixels (&work->task->shape), wf_type_size (type), error);
  *view   = packed_view (work->task, type, *memory);
  return *memory != NULL;
}

/* Whether the output may be written before the work is complete. */
static gboolean
may_work_in_output (const Work *work)
{
  const WfMorphologyTask *task = work->task;

  return work->run->partial_outputs && ! wf_image_overlaps (task->out, task->image) &&
         ! (task->markers && wf_image_overlaps (task->out, task->markers));
}


/*  Rows  */

static gboolean
over_rows (Work       *work,
           double      share,
           WfRowFunc   visit,
           gsize       scratch_size,
           GError    **error)
{
  const WfShape *shape = &work->task->shape;
  const WfRows   rows  = { .n = shape->height * shape->depth, .amount = shape->width,
                           .scratch_size = scratch_size };

  wf_run_begin (work->run, share, wf_shape_n_pixels (shape));
  return wf_run_rows (work->run, &rows, visit, work, error);
}

static gboolean
marker_row (gpointer data,
            WfRow    row)
{
  Work                   *work = data;
  const WfMorphologyTask *task = work->task;
  const gint64            y    = row.number % task->shape.height;
  const gint64            z    = row.number / task->shape.height;

  wf_marker_row (work->recipe, task->type, task->height, wf_image_row (task->image, row.number),
                 task->shape.width, wf_is_border_row (&task->shape, y, z),
                 wf_image_row (&work->marker, row.number));
  return TRUE;
}

static gboolean
impose_row (gpointer data,
            WfRow    row)
{
  Work         *work  = data;
  const gint64  width = work->task->shape.width;

  wf_find_marked (work->task->markers, 0, row.number, width, row.scratch);
  work->steps->impose (wf_image_row (work->task->image, row.number), row.scratch, width,
                       wf_image_row (&work->marker, row.number),
                       wf_image_row (&work->mask, row.number));
  return TRUE;
}

static gboolean
difference_row (gpointer data,
                WfRow    row)
{
  Work *work = data;

  work->steps->differ (wf_image_row (work->task->image, row.number),
                       wf_image_row (&work->marker, row.number),
                       work->task->shape.width, wf_image_row (&work->result, row.number));
  return TRUE;
}

static gboolean
changed_row (gpointer data,
             WfRow    row)
{
  Work *work = data;

  work->steps->tell_apart (wf_image_row (work->task->image, row.number),
                           wf_image_row (&work->marker, row.number),
                           work->task->shape.width, wf_image_row (&work->result, row.number));
  return TRUE;
}

static gboolean
marked_row (gpointer data,
            WfRow    row)
{
  Work *work = data;

  memset (wf_image_row (&work->result, row.number), 255, work->task->shape.width);
  return TRUE;
}

static gboolean
copy_row (gpointer data,
          WfRow    row)
{
  Work *work = data;

  memcpy (wf_image_row (work->task->out, row.number), wf_image_row (&work->result, row.number),
          work->task->shape.width * wf_type_size (work->result.type));
  return TRUE;
}

static gboolean
extrema_row (gpointer data,
             WfRow    row)
{
  Work         *work   = data;
  const guint8 *states = wf_image_row (&work->state, row.number);
  guint8       *target = wf_image_row (work->task->out, row.number);

  wf_tell_marks (states, work->task->shape.width, target);
  return TRUE;
}


/*  Markers  */

static gboolean
use_element (Work    *work,
             GError **error)
{
  const WfMorphologyTask *task    = work->task;
  const WfElementTask     element = {
    .image    = task->image,
    .target   = &work->marker,
    .element  = task->element,
    .radius   = task->radius,
    .dilation = work->recipe->by == WF_BY_EROSION,
  };

  return wf_cpu_element (&element, work->run, SHARE_OF_ELEMENT, error);
}

static gboolean
make_marker (Work    *work,
             GError **error)
{
  const WfMorphologyTask *task = work->task;

  work->mask = *task->image;
  if (task->out->type == task->type && may_work_in_output (work))
    work->marker = *task->out;
  else if (! allocate_view (work, task->type, &work->marker, &work->marker_memory, error))
    return FALSE;
  if (work->recipe->marker == WF_MARKER_IMPOSED &&
      ! allocate_view (work, task->type, &work->mask, &work->mask_memory, error))
    return FALSE;

  switch (work->recipe->marker)
    {
    case WF_MARKER_BORDER:
    case WF_MARKER_MOVED:
    case WF_MARKER_STEPPED:
      return over_rows (work, SHARE_OF_MARKER, marker_row, 0, error);
    case WF_MARKER_ELEMENT:
      return use_element (work, error);
    case WF_MARKER_IMPOSED:
      return over_rows (work, SHARE_OF_MARKER, impose_row, task->shape.width, error);
    }
  g_return_val_if_reached (FALSE);
}


/*  Reconstruction  */

static WfReconstructTask
reconstruct_task (const WfMorphologyTask *task,
                  const WfImage          *mask,
                  const WfImage          *marker,
                  WfImage                *out)
{
  return (WfReconstructTask) {
    .shape = task->shape, .type = task->type, .by = task->recipe->by,
    .connectivity = task->connectivity, .mask = mask, .marker = marker, .out = out,
  };
}

static double
share_of_reconstruction (const WfRecipe *recipe)
{
  return 1.0 - (recipe->marker == WF_MARKER_ELEMENT ? SHARE_OF_ELEMENT : SHARE_OF_MARKER)
         - (recipe->output == WF_OUTPUT_EXTREMA ? SHARE_OF_EXTREMA : 0)
         - (recipe->output == WF_OUTPUT_RECONSTRUCTED ? 0 : SHARE_OF_OUTPUT);
}

static gboolean
reconstruct (Work        *work,
             const char  *algorithm,
             GError     **error)
{
  const WfRecipe             *recipe  = work->recipe;
  WfImage                    *out     = recipe->output == WF_OUTPUT_RECONSTRUCTED
                                        ? work->task->out : &work->marker;
  const WfReconstructTask     task    = reconstruct_task (work->task, &work->mask, &work->marker,
                                                          out);
  const WfReconstructVariant *variant = wf_cpu_reconstruct_find (algorithm, &task);
  const guint                 threads = work->run->n_threads;
  gboolean                    done;

  done = variant->reconstruct (&task, work->run, share_of_reconstruction (recipe), error);
  work->run->n_threads = threads;     /* some variants set it to 1 */
  return done;
}


/*  Outputs  */

/* Writes the output, which cannot fail or be cancelled. */
static void
write_output (Work      *work,
              WfRowFunc  visit)
{
  wf_run_commit (work->run);
  over_rows (work, SHARE_OF_OUTPUT, visit, 0, NULL);
}

/* Whether a row of the output may be written while the image's other rows are still read. */
static gboolean
is_apart (const WfMorphologyTask *task)
{
  return ! wf_image_overlaps (task->out, task->image) ||
         wf_image_is_same_view (task->out, task->image);
}

/* A view of the output's type on the marker: each row begins where the marker's begins, so that
 * the one can be made of the other.
 */
static WfImage
result_on_marker (const Work *work)
{
  const gsize pixels = wf_type_size (work->task->type) / wf_type_size (work->task->out->type);
  WfImage     view   = work->marker;

  view.type          = work->task->out->type;
  view.row_stride   *= pixels;
  view.slice_stride *= pixels;
  return view;
}

/* Makes the output of the image and the reconstruction. */
static gboolean
compare (Work       *work,
         WfRowFunc   visit,
         GError    **error)
{
  work->result = *work->task->out;
  if (! is_apart (work->task))
    {
      work->result = result_on_marker (work);
      if (! over_rows (work, SHARE_OF_OUTPUT, visit, 0, error))
        return FALSE;
      visit = copy_row;
    }
  write_output (work, visit);
  return TRUE;
}

static gboolean
find_extrema (Work           *work,
              const WfImage  *image,
              double          share,
              GError        **error)
{
  if (may_work_in_output (work) && image->data != work->task->out->data)
    work->state = *work->task->out;
  else if (! allocate_view (work, WF_TYPE_U8, &work->state, &work->state_memory, error))
    return FALSE;
  if (! wf_cpu_extrema (image, work->task->connectivity, work->recipe->by == WF_BY_DILATION,
                        image == &work->marker, &work->state, work->run, share, error))
    return FALSE;

  write_output (work, extrema_row);
  return TRUE;
}

/* The least value of a type has no next lower one.  An image of only that value is its own
 * maximum, but equals its reconstruction from the image less one value.
 */
static gboolean
is_all_extreme (const Work *work)
{
  const WfShape *shape = &work->task->shape;

  for (gint64 row = 0; row < shape->height * shape->depth; row++)
    if (! work->steps->is_all_extreme (wf_image_row (work->task->image, row), shape->width,
                                       work->recipe->by == WF_BY_EROSION))
      return FALSE;
  return TRUE;
}

static gboolean
finish (Work    *work,
        GError **error)
{
  switch (work->recipe->output)
    {
    case WF_OUTPUT_RECONSTRUCTED:
      return TRUE;
    case WF_OUTPUT_DIFFERENCE:
      return compare (work, difference_row, error);
    case WF_OUTPUT_CHANGED:
      return compare (work, is_all_extreme (work) ? marked_row : changed_row, error);
    case WF_OUTPUT_EXTREMA:
      return find_extrema (work, &work->marker, SHARE_OF_EXTREMA, error);
    }
  g_return_val_if_reached (FALSE);
}

static void
work_init (Work                   *work,
           const WfMorphologyTask *task,
           WfRun                  *run)
{
  work->task   = task;
  work->recipe = task->recipe;
  work->steps  = wf_pixel_steps (task->type);
  work->run    = run;
}

static gboolean
run_by_reconstruction (gconstpointer   task,
                       const char     *algorithm,
                       WfRun          *run,
                       GError        **error)
{
  g_auto (Work) work = { 0 };

  work_init (&work, task, run);
  return make_marker (&work, error) && reconstruct (&work, algorithm, error) &&
         finish (&work, error);
}

static gboolean
run_plateaux (gconstpointer   task,
              WfRun          *run,
              GError        **error)
{
  g_auto (Work) work = { 0 };

  work_init (&work, task, run);
  return find_extrema (&work, work.task->image, 1.0 - SHARE_OF_OUTPUT, error);
}


/*  The table  */

static gboolean
supports (gconstpointer  data,
          const char    *algorithm)
{
  const WfMorphologyTask  *task        = data;
  const WfReconstructTask  reconstruct = reconstruct_task (task, task->image, task->image, NULL);

  return wf_cpu_reconstruct_find (algorithm, &reconstruct) != NULL;
}

/* Whether wf_reconstruct() would choose @algorithm. */
static gboolean
suits (gconstpointer  data,
       const char    *algorithm)
{
  const WfMorphologyTask  *task        = data;
  const WfReconstructTask  reconstruct = reconstruct_task (task, task->image, task->image, NULL);

  return strcmp (wf_cpu_reconstruct_find (NULL, &reconstruct)->algorithm, algorithm) == 0;
}

static guint64
memory (gconstpointer  data,
        const char    *algorithm,
        guint          n_threads)
{
  const WfMorphologyTask  *task        = data;
  const WfRecipe          *recipe      = task->recipe;
  const guint64            n           = wf_shape_n_pixels (&task->shape);
  const WfImage            packed      = packed_view (task, task->type, NULL);
  const WfImage           *mask        = recipe->marker == WF_MARKER_IMPOSED ? &packed
                                                                             : task->image;
  const WfReconstructTask  reconstruct = reconstruct_task (task, mask, &packed, NULL);
  const WfElementTask      element     = { .image = task->image, .element = task->element,
                                           .radius = task->radius };
  guint64                  bytes       = n * wf_type_size (task->type);

  if (recipe->marker == WF_MARKER_IMPOSED)
    bytes *= 2;
  if (recipe->output == WF_OUTPUT_EXTREMA)
    bytes += n + wf_cpu_extrema_memory (&task->shape);
  if (recipe->marker == WF_MARKER_ELEMENT)
    bytes += wf_cpu_element_memory (&element, n_threads);
  return bytes
         + wf_cpu_reconstruct_find (algorithm, &reconstruct)->memory (&reconstruct, n_threads);
}

static guint64
plateaux_memory (gconstpointer data,
                 guint         n_threads)
{
  const WfMorphologyTask *task = data;

  return wf_shape_n_pixels (&task->shape) + wf_cpu_extrema_memory (&task->shape);
}

/* The functions of a variant that reconstructs by @name. */
#define BY_RECONSTRUCTION(suffix, name, supports_it, suits_it, checks_nan) \
static gboolean \
supports_##suffix (gconstpointer task) \
{ \
  return supports (task, name); \
} \
\
static gboolean \
suits_##suffix (gconstpointer task) \
{ \
  return suits (task, name); \
} \
\
static guint64 \
memory_##suffix (gconstpointer task, \
                 guint         n_threads) \
{ \
  return memory (task, name, n_threads); \
} \
\
static gboolean \
run_##suffix (gconstpointer   task, \
              WfRun          *run, \
              GError        **error) \
{ \
  return run_by_reconstruction (task, name, run, error); \
}

WF_FOR_EACH_RECONSTRUCTION (BY_RECONSTRUCTION)

#define VARIANT(suffix, name, supports_it, suits_it, checks_nan) \
  { \
    .algorithm = name, \
    .supports  = supports_##suffix, \
    .suits     = suits_##suffix, \
    .memory    = memory_##suffix, \
    .run       = run_##suffix, \
  },

const WfVariant wf_cpu_morphology_variants[] =
{
  WF_FOR_EACH_RECONSTRUCTION (VARIANT)
  { .algorithm = NULL }
};

const WfVariant wf_cpu_extrema_variants[] =
{
  { .algorithm = "plateaux", .memory = plateaux_memory, .run = run_plateaux },
  WF_FOR_EACH_RECONSTRUCTION (VARIANT)
  { .algorithm = NULL }
};
