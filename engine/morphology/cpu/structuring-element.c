/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Flat erosion and dilation on the CPU: each pixel becomes the least, or greatest,
 * value of the image under the structuring element.
 *
 * A square is separable: windows slide over lines along one axis after the other (rows.inc.h), so
 * the time does not depend on the radius.  Along y and z lines are strips of rows, narrow enough
 * for a window to stay in the cache; squares in an image are done in tiles (square-tiles.c), and
 * the smallest one in pairs of rows (small-square.c).  Lines and small discs are in
 * listed-element.c.  Other discs and balls are gathered for each row of the result from the rows
 * under it: one comparison a pixel for each of these rows, 2 radius + 1 in an image and about
 * 3 radius² in a stack.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "engine/cpu/stream.h"
#include "listed-element.h"
#include "rows.h"
#include "small-square.h"
#include "square-tiles.h"
#include "structuring-element.h"

/* Bytes of the second-level cache for a window, and the narrowest strip. */
#define CACHE        (1 << 20)
#define NARROW_STRIP 512

/* Bytes of work between two checks for cancelling. */
#define WORK_IN_BAND (4 << 20)

/* The least windows in a band: a band also reads the lines of one window around it. */
#define WINDOWS_IN_BAND 4

/* Consecutive rows that one worker gathers discs for: they read mostly the same rows. */
#define ROWS_TOGETHER 32

/* A result of as many bytes bypasses the caches where it is made along rows. */
#define STREAM_BYTES ((gint64) 32 << 20)

typedef enum
{
  ALONG_Y,
  ALONG_Z
} Axis;

/* A pass over an image along y or z. */
typedef struct
{
  const WfElementTask *task;
  const WfRowSteps *steps;
  WfImage           source;     /* may be the target */
  WfImage           target;
  gsize             pixel;      /* bytes */
  Axis              axis;
  gint64            radius;     /* below the length of the axis */
  gint64            first;      /* line of the source that the first one of the target belongs to */
  gint64            strip;      /* pixels */
  gint64            n_strips;
  gint64            band;       /* lines */
  gint64            n_bands;
  gint64            line_room;  /* bytes in the scratch for a line of a strip */
} Pass;


/* The pixels of a line, of which those with |k| up to the radius belong to it. */
WfLine
wf_element_line (const WfElementTask *task)
{
  const double   along_x = cos (task->angle * G_PI / 180);
  const double   along_y = sin (task->angle * G_PI / 180);
  const gboolean steep   = fabs (along_y) > fabs (along_x);

  return (WfLine) {
    .steep = steep,
    .slope = steep ? along_x / along_y : along_y / along_x,
    .reach = MIN (task->radius, (steep ? task->image->height : task->image->width) - 1),
  };
}

/* Sets pixels outside the image to the level that no other one is replaced by. */
void
wf_element_fill (const WfElementTask *task,
                 gpointer             pixels,
                 gint64               n)
{
  const float infinite = task->dilation ? -INFINITY : INFINITY;

  if (task->image->type != WF_TYPE_F32)
    memset (pixels, task->dilation ? 0 : G_MAXUINT8, n * wf_type_size (task->image->type));
  else
    for (gint64 i = 0; i < n; i++)
      ((float *) pixels)[i] = infinite;
}

/* Notes whether some pixels of the image are NaN. */
void
wf_element_note_nan (const WfElementTask *task,
                     gboolean             nan)
{
  if (nan && task->nan)
    __atomic_store_n (task->nan, TRUE, __ATOMIC_RELAXED);
}

/* Notes whether some pixels of a row of the image are NaN. */
void
wf_element_watch (const WfElementTask *task,
                  const WfRowSteps    *steps,
                  gconstpointer        row,
                  gint64               n)
{
  if (task->nan)
    wf_element_note_nan (task, steps->watch (row, n));
}

/* Makes the result of @n eroded or dilated pixels of a row of the target, from column @x on. */
void
wf_element_finish (const WfElementTask *task,
                   const WfRowSteps    *steps,
                   gint64               x,
                   gint64               row,
                   gpointer             pixels,
                   gint64               n)
{
  const WfImage *other = task->differs_from;

  if (other)
    steps->differ (pixels, (const char *) wf_image_row (other, row)
                           + x * (gint64) wf_type_size (other->type), n);
}

/* Of the whole result. */
gint64
wf_element_result_bytes (const WfElementTask *task)
{
  const WfImage *made = task->target ? task->target : task->image;

  return MAX (made->height, task->result_height) * made->width * made->depth
         * (gint64) wf_type_size (made->type);
}

static gint64
length_of (const WfImage *image,
           Axis           axis)
{
  return axis == ALONG_Y ? image->height : image->depth;
}

/* The length of the other one of the axes y and z. */
static gint64
breadth_of (const WfImage *image,
            Axis           axis)
{
  return axis == ALONG_Y ? image->depth : image->height;
}

/* Strips are narrow enough for two windows of lines to stay in the cache; bands are short
 * enough to check for cancelling between them.
 */
static void
pass_divide (Pass    *pass,
             gboolean in_place)
{
  const WfImage *image  = &pass->source;
  const gint64   length = length_of (&pass->target, pass->axis);
  const gint64   window = MIN (2 * pass->radius + 1, length_of (image, pass->axis));
  const gint64   narrow = NARROW_STRIP / (gint64) pass->pixel;
  const gint64   fits   = CACHE / 2 / window / (gint64) pass->pixel / narrow * narrow;
  const gint64   widest = CLAMP (fits, narrow, MAX (narrow, image->width));
  gint64         band;

  /* Strips of equal width, in whole cache lines. */
  pass->n_strips  = (image->width + widest - 1) / widest;
  pass->strip     = (image->width + pass->n_strips - 1) / pass->n_strips;
  pass->strip     = MIN ((pass->strip + WF_LINE - 1) / WF_LINE * WF_LINE, image->width);
  pass->n_strips  = (image->width + pass->strip - 1) / pass->strip;
  pass->line_room = pass->strip * pass->pixel;

  band          = MAX (WORK_IN_BAND / pass->line_room, WINDOWS_IN_BAND * window);
  pass->n_bands = in_place ? 1 : MAX (1, length / band);
  pass->band    = (length + pass->n_bands - 1) / pass->n_bands;
  pass->n_bands = (length + pass->band - 1) / pass->band;
}

static gint64
kept_lines (const Pass *pass)
{
  return MIN (2 * pass->radius + 1, pass->band);
}

/* Parts are numbered by strip, then by band, then across. */
static gboolean
do_part (gpointer data,
         WfRow    row)
{
  const Pass    *pass    = data;
  const WfImage *source  = &pass->source;
  const WfImage *target  = &pass->target;
  const gint64   x       = row.number % pass->n_strips * pass->strip;
  const gint64   line    = row.number / pass->n_strips % pass->n_bands * pass->band;
  const gint64   across  = row.number / pass->n_strips / pass->n_bands;
  const gint64   room    = kept_lines (pass) * pass->line_room;
  const gboolean along_y = pass->axis == ALONG_Y;
  const WfSlide  slide   = {
    .source      = (const char *) source->data
                   + (across * (along_y ? source->slice_stride : source->row_stride) + x)
                     * pass->pixel,
    .source_step = along_y ? source->row_stride : source->slice_stride,
    .n_source    = length_of (source, pass->axis),
    .window      = 2 * pass->radius + 1,
    .offset      = pass->radius - line - pass->first,
    .target      = (char *) target->data
                   + (across * (along_y ? target->slice_stride : target->row_stride)
                      + line * (along_y ? target->row_stride : target->slice_stride) + x)
                     * pass->pixel,
    .target_step = along_y ? target->row_stride : target->slice_stride,
    .n_target    = MIN (pass->band, length_of (target, pass->axis) - line),
    .width       = MIN (pass->strip, source->width - x),
    .kept        = row.scratch,
    .next        = (char *) row.scratch + room,
    .reached     = (char *) row.scratch + 2 * room,
  };

  if (source->data == pass->task->image->data)
    for (gint64 i = 0; i < slide.n_target; i++)
      wf_element_watch (pass->task, pass->steps,
                        (const char *) slide.source + (line + pass->first + i) * slide.source_step
                                                      * (gint64) pass->pixel, slide.width);
  pass->steps->slide (&slide);
  return TRUE;
}

static gboolean
slide_over (const WfElementTask  *task,
            const WfImage        *source,
            Axis                  axis,
            WfRun                *run,
            double                share,
            GError              **error)
{
  Pass   pass = {
    .task   = task,
    .steps  = wf_row_steps (source->type, task->dilation),
    .source = *source,
    .target = *task->target,
    .pixel  = wf_type_size (source->type),
    .axis   = axis,
    .radius = MIN (task->radius, length_of (source, axis) - 1),
    .first  = axis == ALONG_Y ? task->first : 0,
  };
  WfRows parts;

  pass_divide (&pass, source->data == task->target->data);
  parts = (WfRows) {
    .n            = pass.n_strips * pass.n_bands * breadth_of (source, axis),
    .chunk        = 1,
    .amount       = pass.strip * pass.band,
    .scratch_size = (2 * kept_lines (&pass) + 1) * pass.line_room,
  };
  wf_run_begin (run, share, parts.n * parts.amount);
  return wf_run_rows (run, &parts, do_part, &pass, error);
}


/*  Along x  */

typedef struct
{
  const WfElementTask *task;
  const WfRowSteps    *steps;
  const WfImage       *source;
  gint64               first;      /* its row that the first one of the target belongs to */
  WfImage             *target;
  gsize                pixel;
  gint64               radius;     /* below the width */
  gboolean             streamed;   /* the target bypasses the caches */
  gsize                room;       /* bytes in the scratch for a row and its ends */
} RowPass;

/* Rows in the scratch: the row, two to slide along it, and a piece of the result. */
#define ROOMS_OF_ROW 4

static gboolean
do_row (gpointer data,
        WfRow    row)
{
  const RowPass *pass   = data;
  const gint64   width  = pass->source->width;
  char          *ends   = row.scratch;
  char          *target = wf_image_row (pass->target, row.number);
  gboolean       more   = TRUE;
  WfWindow       window = {
    .n = width, .window = 2 * pass->radius + 1,
    .row = ends, .kept = ends + pass->room, .next = ends + 2 * pass->room,
    .target = ends + 3 * pass->room,
  };

  if (pass->source == pass->task->image)
    wf_element_watch (pass->task, pass->steps,
                      wf_image_row (pass->source, pass->first + row.number), width);
  wf_element_fill (pass->task, ends, pass->radius);
  wf_element_fill (pass->task, ends + (pass->radius + width) * pass->pixel, pass->radius);
  memcpy (ends + pass->radius * pass->pixel,
          wf_image_row (pass->source, pass->first + row.number), width * pass->pixel);
  while (more)
    {
      if (! pass->streamed)
        window.target = target + window.to * (gint64) pass->pixel;
      more = pass->steps->window (&window);
      wf_element_finish (pass->task, pass->steps, window.from, row.number, window.target,
                         window.to - window.from);
      if (pass->streamed)
        wf_stream_bytes (target + window.from * (gint64) pass->pixel, window.target,
                         (window.to - window.from) * pass->pixel);
    }
  if (pass->streamed)
    wf_stream_finish ();
  return TRUE;
}

static gsize
row_room (gint64 width,
          gint64 radius,
          gsize  pixel)
{
  return (width + 2 * radius + 3 * WF_LINE) * pixel;
}

static gboolean
slide_along_rows (const WfElementTask  *task,
                  const WfImage        *source,
                  WfRun                *run,
                  double                share,
                  GError              **error)
{
  RowPass pass = {
    .task     = task,
    .steps    = wf_row_steps (source->type, task->dilation),
    .source   = source,
    .first    = source == task->target ? 0 : task->first,
    .target   = task->target,
    .pixel    = wf_type_size (source->type),
    .radius   = MIN (task->radius, source->width - 1),
    .streamed = wf_is_streamed (wf_element_result_bytes (task), STREAM_BYTES),
  };
  WfRows rows;

  pass.room = row_room (source->width, pass.radius, pass.pixel);
  rows      = (WfRows) {
    .n            = task->target->height * task->target->depth,
    .amount       = source->width,
    .scratch_size = ROOMS_OF_ROW * pass.room,
  };
  wf_run_begin (run, share, rows.n * rows.amount);
  return wf_run_rows (run, &rows, do_row, &pass, error);
}

static gboolean
slide_square (const WfElementTask  *task,
              WfRun                *run,
              double                share,
              GError              **error)
{
  const WfImage *image  = task->image;
  const WfImage *source = image;
  const int      n_axes = (image->height > 1) + (image->depth > 1) + 1;

  if (wf_cpu_square_tiles_suit (task, task->radius, task->radius))
    return wf_cpu_square_tiles (task, task->radius, task->radius, run, share, error);
  if (image->height > 1)
    {
      if (! slide_over (task, source, ALONG_Y, run, share / n_axes, error))
        return FALSE;
      source = task->target;
    }
  if (image->depth > 1)
    {
      if (! slide_over (task, source, ALONG_Z, run, share / n_axes, error))
        return FALSE;
      source = task->target;
    }
  return slide_along_rows (task, source, run, share / n_axes, error);
}


/*  Discs  */

typedef struct
{
  const WfElementTask *task;
  const WfRowSteps    *steps;
  gsize                pixel;
  gint64               strip;     /* pixels */
  gint64               n_reach;   /* numbers in the scratch */
  gsize                room;      /* bytes in the scratch for a gathered row */
} DiscPass;

/* Strips are so narrow that the rows under the disc stay in the cache, but wide enough that
 * most work is not done on their margins.
 */
static void
disc_pass_init (DiscPass            *pass,
                const WfElementTask *task)
{
  const WfImage *image  = task->image;
  const gint64   rows   = MIN (2 * task->radius + 1, image->height)
                          * MIN (2 * task->radius + 1, image->depth);
  const gint64   margin = MIN (task->radius, image->width - 1);

  pass->task    = task;
  pass->pixel   = wf_type_size (image->type);
  pass->steps   = wf_row_steps (image->type, task->dilation);
  pass->strip   = CLAMP (2 * CACHE / rows / (gint64) pass->pixel,
                         MAX (8 * margin, NARROW_STRIP), MAX (4096, 8 * margin));
  pass->strip   = MIN (pass->strip, image->width);
  pass->n_reach = MIN (task->radius, image->depth - 1) + 1;
  pass->room    = row_room (pass->strip, margin, pass->pixel);
}

static gsize
disc_scratch (const DiscPass *pass)
{
  return 4 * pass->room + pass->n_reach * sizeof (gint64);
}

static gboolean
do_disc_row (gpointer data,
             WfRow    part)
{
  const DiscPass *pass   = data;
  const WfImage  *image  = pass->task->image;
  WfImage        *target = pass->task->target;
  const gint64    n_rows = target->height * target->depth;
  const gint64    row    = part.number % n_rows + pass->task->first;
  const gint64    x0     = part.number / n_rows * pass->strip;
  char           *lines  = (char *) part.scratch + pass->n_reach * sizeof (gint64);
  const WfDisc    disc   = {
    .image = image, .y = row % image->height, .z = row / image->height,
    .x0 = x0, .x1 = MIN (x0 + pass->strip, image->width),
    .radius = pass->task->radius, .reach = part.scratch,
    .row = lines, .other = lines + pass->room, .kept = lines + 2 * pass->room,
    .next = lines + 3 * pass->room,
    .target = (char *) wf_image_row (target, part.number % n_rows) + x0 * pass->pixel,
  };

  wf_element_watch (pass->task, pass->steps,
                    (const char *) wf_image_row (image, row) + x0 * pass->pixel, disc.x1 - x0);
  pass->steps->disc (&disc);
  wf_element_finish (pass->task, pass->steps, x0, part.number % n_rows, disc.target, disc.x1 - x0);
  return TRUE;
}

static gboolean
gather_disc (const WfElementTask  *task,
             WfRun                *run,
             double                share,
             GError              **error)
{
  const WfImage *image = task->image;
  DiscPass       pass;
  WfRows         rows;

  disc_pass_init (&pass, task);
  rows = (WfRows) {
    .n            = (image->width + pass.strip - 1) / pass.strip
                    * task->target->height * task->target->depth,
    .chunk        = ROWS_TOGETHER,
    .amount       = pass.strip,
    .scratch_size = disc_scratch (&pass),
  };
  wf_run_begin (run, share, rows.n * rows.amount);
  return wf_run_rows (run, &rows, do_disc_row, &pass, error);
}


static gboolean
is_along_rows (const WfElementTask *task)
{
  const WfLine line = wf_element_line (task);

  return task->element == WF_ELEMENT_LINE && ! line.steep && wf_line_y (&line, line.reach) == 0;
}

/* Erodes or dilates @task->image into @task->target. */
gboolean
wf_cpu_element (const WfElementTask  *task,
                WfRun                *run,
                double                share,
                GError              **error)
{
  if (is_along_rows (task))
    return slide_along_rows (task, task->image, run, share, error);
  if (wf_cpu_small_square_suits (task))
    return wf_cpu_small_square (task, NULL, task->target, run, share, error);
  if (wf_cpu_listed_suits (task))
    return wf_cpu_listed (task, run, share, error);
  return task->element == WF_ELEMENT_DISC ? gather_disc (task, run, share, error)
                                          : slide_square (task, run, share, error);
}

static gsize
pass_scratch (const WfElementTask *task,
              Axis                 axis)
{
  Pass pass = {
    .source = *task->image,
    .pixel  = wf_type_size (task->image->type),
    .target = *task->image,
    .axis   = axis,
    .radius = MIN (task->radius, length_of (task->image, axis) - 1),
  };

  pass_divide (&pass, TRUE);
  return (2 * kept_lines (&pass) + 1) * pass.line_room;
}

/* Bytes where @n_threads may work: a few windows of a strip, or a few rows, for each. */
guint64
wf_cpu_element_memory (const WfElementTask *task,
                       guint                n_threads)
{
  const WfImage *image  = task->image;
  const gint64   radius = MIN (task->radius, image->width - 1);
  guint64        bytes;
  DiscPass       pass;

  disc_pass_init (&pass, task);
  if (wf_cpu_listed_suits (task) && ! is_along_rows (task))
    bytes = wf_cpu_listed_memory (task);
  else if (task->element == WF_ELEMENT_DISC)
    bytes = disc_scratch (&pass);
  else if (task->element == WF_ELEMENT_SQUARE && ! wf_cpu_small_square_suits (task) &&
           wf_cpu_square_tiles_suit (task, task->radius, task->radius))
    bytes = wf_cpu_square_tiles_memory (task, task->radius, task->radius);
  else
    {
      /* small squares take nothing, but a larger image counts no less than a single row */
      bytes = ROOMS_OF_ROW * row_room (image->width, radius, pass.pixel);
      bytes = MAX (bytes, pass_scratch (task, ALONG_Y));
      bytes = MAX (bytes, pass_scratch (task, ALONG_Z));
    }
  return bytes * n_threads;
}
