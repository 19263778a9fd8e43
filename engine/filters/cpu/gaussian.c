/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The Gaussian on the CPU, `separable`, straight from the definition in
 * engine/filters/filters.c: along z, then y, then x, for one part of the image after the
 * other.
 *
 * A part is a number of rows of a strip of columns of one slice.  In an image a row of sums
 * along y is made from the rows of pixels around it, which are still in the cache from the
 * previous row; it is padded at its ends and added up along x.  In a stack the rows of a
 * part and around it are first added up along z, into memory of the thread.  So no
 * image of sums is needed.
 */

#include "config.h"

#include <string.h>

#include "filters.h"
#include "gaussian-rows.h"

/* Pixels of a strip, whose sums stay in the first-level cache.  Windows read pixels beside
 * the strip, so for wide windows it is at least STRIP_WINDOWS windows wide.
 */
#define STRIP         1024
#define STRIP_WINDOWS 4

/* Pixels of a part, and its least number of rows. */
#define PART     (1 << 14)
#define MIN_BAND 16

/* Alignment in bytes of arrays in a thread's scratch. */
#define ALIGNMENT 64

typedef struct
{
  const WfImage         *image;
  WfImage               *target;
  const WfGaussianSteps *steps;
  const WfGaussian      *along_x;
  const WfGaussian      *along_y;
  const WfGaussian      *along_z;
  WfRun                 *run;
  gsize                  pixel;       /* bytes */
  gsize                  sum;         /* bytes of a sum along all axes but x */
  gint64                 strip;       /* pixels */
  gint64                 n_strips;
  gint64                 band;        /* rows */
  gint64                 n_bands;
  gsize                  line_bytes;  /* of the sums along z of a strip and its padding */
  gsize                  row_bytes;   /* of the widest sums, padded */
  gsize                  slab_bytes;  /* of the sums along z */
  gsize                  lines_bytes;
} Pass;

/* The arrays in a thread's scratch. */
typedef struct
{
  gconstpointer *lines;
  char          *row;
  char          *sums;
  char          *slab;
} Room;

/* The weights along an axis of one pixel. */
static const WfGaussian nothing_of_u8  = { 0, { 1u << WF_GAUSSIAN_BITS_U8 }, { 1.0f } };
static const WfGaussian nothing        = { 0, { 1u << WF_GAUSSIAN_BITS_U16 }, { 1.0f } };


static gsize
aligned (gsize bytes)
{
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static void
pass_init (Pass             *pass,
           const WfImage    *image,
           const WfGaussian *gaussian)
{
  const gint64      radius = gaussian->radius;
  const gboolean    u8     = image->type == WF_TYPE_U8;
  const WfGaussian *none   = u8 ? &nothing_of_u8 : &nothing;
  gint64            height;

  pass->image   = image;
  pass->pixel   = wf_type_size (image->type);
  pass->sum     = u8 && image->depth > 1 ? sizeof (guint64) : sizeof (guint32);
  pass->along_x = gaussian;
  pass->along_y = image->height > 1 ? gaussian : none;
  pass->along_z = image->depth > 1 ? gaussian : none;

  pass->strip    = MAX (STRIP, STRIP_WINDOWS * radius);
  pass->n_strips = (image->width + pass->strip - 1) / pass->strip;
  pass->strip    = (image->width + pass->n_strips - 1) / pass->n_strips;

  pass->band    = MAX (PART / pass->strip, MIN_BAND);
  if (image->depth > 1)
    pass->band  = MAX (pass->band, 2 * radius);
  pass->band    = MIN (pass->band, image->height);
  pass->n_bands = (image->height + pass->band - 1) / pass->band;

  height            = MIN (pass->band + 2 * radius, image->height);
  pass->line_bytes  = aligned ((pass->strip + 2 * radius) * sizeof (guint32));
  pass->row_bytes   = aligned ((pass->strip + 2 * radius) * sizeof (guint64));
  pass->slab_bytes  = image->depth > 1 ? height * pass->line_bytes : 0;
  pass->lines_bytes = aligned ((2 * radius + 1) * sizeof (gconstpointer));
}

static gsize
scratch_size (const Pass *pass)
{
  return ALIGNMENT + pass->lines_bytes + 2 * pass->row_bytes + pass->slab_bytes;
}

static Room
divide_scratch (const Pass *pass,
                gpointer    scratch)
{
  char *start = (char *) scratch + (ALIGNMENT - (guintptr) scratch % ALIGNMENT) % ALIGNMENT;

  return (Room) {
    .lines = (gconstpointer *) start,
    .row   = start + pass->lines_bytes,
    .sums  = start + pass->lines_bytes + pass->row_bytes,
    .slab  = start + pass->lines_bytes + 2 * pass->row_bytes,
  };
}

/* Sums along z of the pixels from (@x, @y, @z) on. */
static void
sum_slices (const Pass *pass,
            const Room *room,
            gint64      x,
            gint64      y,
            gint64      z,
            gint64      n,
            gpointer    sums)
{
  const WfImage *image = pass->image;
  const gint64   last  = image->depth - 1;
  const char    *data  = image->data;

  room->lines[0] = data + wf_image_offset (image, x, y, z) * pass->pixel;
  for (gint64 k = 1; k <= pass->along_z->radius; k++)
    {
      room->lines[2 * k - 1] = data + wf_image_offset (image, x, y, MAX (z - k, 0)) * pass->pixel;
      room->lines[2 * k]     = data + wf_image_offset (image, x, y, MIN (z + k, last))
                                      * pass->pixel;
    }
  pass->steps->pixels (pass->along_z, room->lines, n, room->sums, sums);
}

/* @line: row @y of the image or of the slab, whose rows are @step bytes apart */
static void
gather_lines (const Pass *pass,
              const Room *room,
              const char *line,
              gint64      step,
              gint64      y)
{
  const gint64 last = pass->image->height - 1;

  room->lines[0] = line;
  for (gint64 k = 1; k <= pass->along_y->radius; k++)
    {
      room->lines[2 * k - 1] = line - MIN (k, y) * step;
      room->lines[2 * k]     = line + MIN (k, last - y) * step;
    }
}

static void
repeat (char   *target,
        gint64  n,
        char   *source,
        gsize   size)
{
  for (gint64 i = 0; i < n; i++)
    memcpy (target + i * size, source, size);
}

/* Pads a row of sums along y, from @x0 − radius to @x1 + radius, outside the image and makes
 * the row of the result.
 */
static void
finish_row (const Pass *pass,
            const Room *room,
            gint64      x0,
            gint64      x1,
            gint64      y,
            gint64      z)
{
  const gint64  radius = pass->along_x->radius;
  const gsize   size   = pass->sum;
  const gint64  before = MAX (0, radius - x0);
  const gint64  after  = MAX (0, x1 + radius - pass->image->width);
  const gint64  n      = x1 - x0 + 2 * radius;
  char         *target = (char *) pass->target->data
                         + wf_image_offset (pass->target, x0, y, z) * pass->pixel;

  repeat (room->row, before, room->row + before * size, size);
  repeat (room->row + (n - after) * size, after, room->row + (n - after - 1) * size, size);
  (pass->image->depth > 1 ? pass->steps->stack_row : pass->steps->image_row)
    (pass->along_x, room->row + radius * size, x1 - x0, room->sums, target);
}

/* Calculates the part of a padded row that lies in the image. */
static void
start_row (const Pass *pass,
           const Room *room,
           gint64      x0,
           gint64      x1,
           gint64      y,
           gint64      z,
           gint64      slab_y)
{
  const WfImage *image  = pass->image;
  const gint64   radius = pass->along_x->radius;
  const gint64   left   = MAX (x0 - radius, 0);
  const gint64   n      = MIN (x1 + radius, image->width) - left;
  const gint64   before = left - (x0 - radius);

  if (image->depth > 1)
    {
      gather_lines (pass, room, room->slab + (y - slab_y) * pass->line_bytes, pass->line_bytes, y);
      pass->steps->sums (pass->along_y, room->lines, n, room->sums,
                         room->row + before * pass->sum);
      return;
    }
  gather_lines (pass, room,
                (const char *) image->data + wf_image_offset (image, left, y, z) * pass->pixel,
                image->row_stride * pass->pixel, y);
  pass->steps->pixels (pass->along_y, room->lines, n, room->sums,
                       room->row + before * pass->sum);
}

static gboolean
do_part (gpointer data,
         WfRow    row)
{
  const Pass    *pass   = data;
  const WfImage *image  = pass->image;
  const Room     room   = divide_scratch (pass, row.scratch);
  const gint64   radius = pass->along_y->radius;
  const gint64   y0     = row.number % pass->n_bands * pass->band;
  const gint64   y1     = MIN (y0 + pass->band, image->height);
  const gint64   z      = row.number / pass->n_bands % image->depth;
  const gint64   x0     = row.number / pass->n_bands / image->depth * pass->strip;
  const gint64   x1     = MIN (x0 + pass->strip, image->width);
  const gint64   left   = MAX (x0 - pass->along_x->radius, 0);
  const gint64   right  = MIN (x1 + pass->along_x->radius, image->width);
  const gint64   first  = MAX (y0 - radius, 0);

  for (gint64 y = first; image->depth > 1 && y < MIN (y1 + radius, image->height); y++)
    {
      sum_slices (pass, &room, left, y, z, right - left,
                  room.slab + (y - first) * pass->line_bytes);
      if (! wf_run_advance (pass->run, 0))
        return wf_run_set_cancelled (row.error);
    }
  for (gint64 y = y0; y < y1; y++)
    {
      start_row (pass, &room, x0, x1, y, z, first);
      finish_row (pass, &room, x0, x1, y, z);
      if (! wf_run_advance (pass->run, 0))
        return wf_run_set_cancelled (row.error);
    }
  return TRUE;
}

/* With the weight of the middle alone every pixel stays as it is. */
static gboolean
copy_row (gpointer data,
          WfRow    row)
{
  const Pass *pass = data;

  memcpy (wf_image_row (pass->target, row.number), wf_image_row (pass->image, row.number),
          pass->image->width * pass->pixel);
  return TRUE;
}

gboolean
wf_cpu_gaussian (const WfImage     *image,
                 const WfGaussian  *gaussian,
                 WfImage           *target,
                 WfRun             *run,
                 double             share,
                 GError           **error)
{
  Pass   pass;
  WfRows parts;

  pass_init (&pass, image, gaussian);
  pass.target = target;
  pass.run    = run;
  pass.steps  = wf_gaussian_steps (image->type);
  if (gaussian->radius == 0)
    parts = (WfRows) {
      .n      = image->height * image->depth,
      .chunk  = MIN_BAND,
      .amount = image->width,
    };
  else
    parts = (WfRows) {
      .n            = pass.n_strips * image->depth * pass.n_bands,
      .chunk        = 1,
      .amount       = pass.strip * pass.band,
      .scratch_size = scratch_size (&pass),
    };
  wf_run_begin (run, share, parts.n * parts.amount);
  return wf_run_rows (run, &parts, gaussian->radius == 0 ? copy_row : do_part, &pass, error);
}

guint64
wf_cpu_gaussian_memory (const WfImage    *image,
                        const WfGaussian *gaussian,
                        guint             n_threads)
{
  Pass pass;

  pass_init (&pass, image, gaussian);
  return (guint64) scratch_size (&pass) * n_threads;
}
