/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Regional extrema, straight from their definition: the plateaux without a higher
 * (or lower) neighbour.
 *
 *   1. Every pixel is compared with its neighbours, many pixels at once: it is out if
 *      one exceeds it, an extremum of its own if none even equals it, and undecided
 *      where it lies on a plateau.
 *   2. What is undecided and beside an equal pixel that is out, is out too.  Most of
 *      that is done in sweeps down and up the rows, again many pixels at once; what
 *      they leave over spreads in stretches of a row, each taken off a stack once.
 *   3. What is then still undecided belongs to an extremum.
 *
 * Each thread has a band of rows, or of slices, and spreads inside it; what crosses
 * the borders of the bands is handed over when all of them are done, and so on until
 * nothing crosses.
 *
 * Time: some vector operations a pixel, and some nanoseconds for a pixel of a plateau;
 * on pictures about half of what a reconstruction takes, which would give the same
 * result (Vincent 1993, 3.2: the image from the image less one level).
 */

#include "config.h"

#include <string.h>

#include "extrema.h"
#include "rows.h"

/* Fewer rows or slices than this are no band of their own. */
#define LEAST_BAND 8

/* Sweeps down and up: more of them pay where plateaux are wide. */
#define SWEEPS      1
#define SWEEPS_WIDE 2

/* Stretches that are taken off a stack between two looks at the run. */
#define STRETCHES_A_LOOK 4096

/* Below this a loop finds a byte faster than memchr() does. */
#define SHORT 16

/* Undecided pixels of one level, in one row, that turned out to be out. */
typedef struct
{
  gint64 row;               /* z * height + y */
  gint64 x0, x1;
} Stretch;

typedef struct
{
  gint64   first, end;      /* rows */
  Stretch *stack;
  gint64   n;
  gint64   allocated;
} Band;

typedef struct
{
  const WfImage    *image;
  const WfImage    *state;
  const WfRowSteps *rows;
  WfRun            *run;
  int               n_beside;
  int               dy[WF_MAX_BESIDE];
  int               dz[WF_MAX_BESIDE];
  gboolean          diagonal;
  int               n_sweeps;
  Band             *bands;
  gint64            n_bands;
} Spread;


static gboolean
push (Band    *band,
      gint64   row,
      gint64   x0,
      gint64   x1,
      GError **error)
{
  if (band->n == band->allocated)
    {
      gint64   wanted = MAX (256, 2 * band->allocated);
      Stretch *larger = wf_allocate (wanted, sizeof (Stretch), error);

      if (! larger)
        return FALSE;
      if (band->n > 0)
        memcpy (larger, band->stack, band->n * sizeof (Stretch));
      g_free (band->stack);
      band->stack     = larger;
      band->allocated = wanted;
    }
  band->stack[band->n++] = (Stretch) { row, x0, x1 };
  return TRUE;
}

static inline guint8 *
state_row (const Spread *spread,
           gint64        row)
{
  return (guint8 *) spread->state->data + wf_image_row_offset (spread->state, row);
}

/* The row that lies beside @row in the direction @k, or -1 outside the image. */
static inline gint64
beside (const Spread *spread,
        gint64        row,
        int           k)
{
  const WfImage *image = spread->image;
  const gint64   z     = row / image->height + spread->dz[k];
  const gint64   y     = row % image->height + spread->dy[k];

  return z < 0 || z >= image->depth || y < 0 || y >= image->height ? -1 : z * image->height + y;
}

/* The first of the states from @x to @end that is @wanted, or @end. */
static inline gint64
find_state (const guint8 *states,
            gint64        x,
            gint64        end,
            guint8        wanted)
{
  const guint8 *found;

  if (end - x < SHORT)
    {
      while (x < end && states[x] != wanted)
        x++;
      return x;
    }
  found = memchr (states + x, wanted, end - x);
  return found ? found - states : end;
}

/* One row of a sweep: takes over what the rows before it have found, or those after it,
 * inside the band.
 */
static void
sweep_row (const Spread *spread,
           const Band   *band,
           gint64        row,
           gboolean      down)
{
  const WfImage *image = spread->image;
  WfSpreadRow    line  = {
    .n        = image->width,
    .here     = wf_image_row (image, row),
    .state    = state_row (spread, row),
    .diagonal = spread->diagonal,
  };

  for (int k = 0; k < spread->n_beside; k++)
    {
      gint64 other = beside (spread, row, k);

      if (other < band->first || other >= band->end || (other < row) != down)
        continue;
      line.beside[line.n_beside]          = wf_image_row (image, other);
      line.states_beside[line.n_beside++] = state_row (spread, other);
    }
  spread->rows->spread (&line);
}

static gboolean
sweep_band (const Spread *spread,
            const Band   *band)
{
  for (int i = 0; i < spread->n_sweeps; i++)
    {
      for (gint64 row = band->first; row < band->end; row++)
        {
          sweep_row (spread, band, row, TRUE);
          if (! wf_run_advance (spread->run, 0))
            return FALSE;
        }
      for (gint64 row = band->end - 1; row >= band->first; row--)
        {
          sweep_row (spread, band, row, FALSE);
          if (! wf_run_advance (spread->run, 0))
            return FALSE;
        }
    }
  return TRUE;
}

#define WF_PIXEL       guint8
#define WF_NAME(name)  name##_u8
#include "extrema.inc.h"

#define WF_PIXEL       guint16
#define WF_NAME(name)  name##_u16
#include "extrema.inc.h"

#define WF_PIXEL       float
#define WF_NAME(name)  name##_f32
#include "extrema.inc.h"

typedef struct
{
  gboolean (* clear_band)  (const Spread *spread, Band *band, GError **error);
  gboolean (* drain)       (const Spread *spread, Band *band, GError **error);
  gboolean (* hand_over)   (const Spread *spread, Band *from, Band *to, GError **error);
} Steps;

static const Steps *
steps_for (WfType type)
{
  static const Steps of_u8  = { clear_band_u8, drain_u8, hand_over_u8 };
  static const Steps of_u16 = { clear_band_u16, drain_u16, hand_over_u16 };
  static const Steps of_f32 = { clear_band_f32, drain_f32, hand_over_f32 };

  return type == WF_TYPE_U8 ? &of_u8 : type == WF_TYPE_U16 ? &of_u16 : &of_f32;
}

static gboolean
compare_row (gpointer data,
             WfRow    row)
{
  const Spread  *spread = data;
  const WfImage *image  = spread->image;
  WfExtremumRow  line   = {
    .n        = image->width,
    .here     = wf_image_row (image, row.number),
    .diagonal = spread->diagonal,
    .state    = state_row (spread, row.number),
  };

  for (int k = 0; k < spread->n_beside; k++)
    {
      gint64 other = beside (spread, row.number, k);

      if (other >= 0)
        line.beside[line.n_beside++] = wf_image_row (image, other);
    }
  spread->rows->extremum (&line);
  return TRUE;
}

static void
find_beside (Spread *spread,
             int     connectivity)
{
  const gboolean stack = connectivity == 6 || connectivity == 26;

  spread->diagonal = connectivity == 8 || connectivity == 26;
  for (int dz = stack ? -1 : 0; dz <= (stack ? 1 : 0); dz++)
    for (int dy = -1; dy <= 1; dy++)
      if ((dy != 0 || dz != 0) && (spread->diagonal || dy == 0 || dz == 0))
        {
          spread->dy[spread->n_beside]   = dy;
          spread->dz[spread->n_beside++] = dz;
        }
}

/* Bands of whole rows, or in a stack of whole slices. */
static void
divide (Spread *spread)
{
  const WfImage *image  = spread->image;
  const gint64   length = image->depth > 1 ? image->depth : image->height;
  const gint64   rows   = image->depth > 1 ? image->height : 1;

  spread->n_bands = MAX (1, MIN (spread->run->n_threads, length / LEAST_BAND));
  spread->bands   = g_new0 (Band, spread->n_bands);
  for (gint64 i = 0; i < spread->n_bands; i++)
    {
      spread->bands[i].first = length * i / spread->n_bands * rows;
      spread->bands[i].end   = length * (i + 1) / spread->n_bands * rows;
    }
}

static void
spread_clear (Spread *spread)
{
  for (gint64 i = 0; i < spread->n_bands; i++)
    g_free (spread->bands[i].stack);
  g_free (spread->bands);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Spread, spread_clear)

typedef gboolean (* BandFunc) (const Spread *spread, Band *band, GError **error);

static gboolean
for_each_band (const Spread  *spread,
               BandFunc       visit,
               GError       **error)
{
  const gint64  n       = spread->n_bands;
  GError       *failure = NULL;
  int           failed  = FALSE;

#pragma omp parallel for num_threads(n) schedule(static, 1) if (n > 1)
  for (gint64 i = 0; i < n; i++)
    {
      GError *mine = NULL;

      if (visit (spread, &spread->bands[i], &mine))
        continue;
      if (__atomic_exchange_n (&failed, TRUE, __ATOMIC_ACQ_REL))
        g_error_free (mine);
      else
        failure = mine;
    }

  if (failed)
    g_propagate_error (error, failure);
  return ! failed;
}

/* Seeds on both sides of each border; whether there are any. */
static gboolean
hand_over_all (const Spread  *spread,
               const Steps   *steps,
               gboolean      *any,
               GError       **error)
{
  *any = FALSE;
  for (gint64 i = 0; i + 1 < spread->n_bands; i++)
    if (! steps->hand_over (spread, &spread->bands[i], &spread->bands[i + 1], error) ||
        ! steps->hand_over (spread, &spread->bands[i + 1], &spread->bands[i], error))
      return FALSE;
  for (gint64 i = 0; i < spread->n_bands; i++)
    *any |= spread->bands[i].n > 0;
  return TRUE;
}

/* Sets @state, a byte for each pixel of @image: WF_EXTREMUM_NO outside the regional
 * extrema, another value in them.  @wide: whether most of the image is plateaux, as
 * after a reconstruction; that is only a matter of time.
 */
gboolean
wf_cpu_extrema (const WfImage  *image,
                int             connectivity,
                gboolean        maxima,
                gboolean        wide,
                WfImage        *state,
                WfRun          *run,
                double          share,
                GError        **error)
{
  g_auto (Spread)  spread = { .image = image, .state = state, .run = run,
                              .rows = wf_row_steps (image->type, maxima),
                              .n_sweeps = wide ? SWEEPS_WIDE : SWEEPS };
  const Steps     *steps  = steps_for (image->type);
  const WfRows     rows   = { .n = image->height * image->depth, .amount = image->width };
  gboolean         any    = FALSE;

  find_beside (&spread, connectivity);
  wf_run_begin (run, share / 2, wf_image_n_pixels (image));
  if (! wf_run_rows (run, &rows, compare_row, &spread, error))
    return FALSE;

  divide (&spread);
  wf_run_begin (run, share / 2, wf_image_n_pixels (image));
  if (! for_each_band (&spread, steps->clear_band, error) ||
      ! hand_over_all (&spread, steps, &any, error))
    return FALSE;
  while (any)
    if (! for_each_band (&spread, steps->drain, error) ||
        ! hand_over_all (&spread, steps, &any, error))
      return FALSE;
  return TRUE;
}

/* The stacks, which seldom hold more than a stretch for each 256 pixels. */
guint64
wf_cpu_extrema_memory (const WfShape *shape)
{
  return wf_shape_n_pixels (shape) / 256 * sizeof (Stretch) + 256 * sizeof (Stretch);
}
