/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Regional extrema, straight from their definition: the plateaux without a higher
 * (or lower) neighbour.
 *
 *   1. Every pixel is compared with its neighbours, in vectors: it is out if a neighbour
 *      exceeds it, an extremum if no neighbour equals it, otherwise undecided: it lies on a
 *      plateau.
 *   2. An undecided pixel beside an equal pixel that is out is out, too.  Most of these are
 *      found in sweeps down and up the rows, in vectors; the rest spreads in stretches
 *      of a row, each of which is taken off a stack once.
 *   3. Pixels that are still undecided belong to an extremum.
 *
 * Each thread spreads inside a band of rows, or of slices.  When all bands are done, changes
 * are handed over across their borders, in rounds, until there are none.  Little work is done
 * by the calling thread, without waking others: a plateau that winds through all bands takes as
 * many rounds as it crosses borders.
 *
 * Time: a few vector operations for each pixel, and a few nanoseconds for each pixel of a
 * plateau; on photographs about half of the time of the reconstruction that has the same
 * result (Vincent 1993, 3.2: of the image from the image less one level).
 */

#include "config.h"

#include <string.h>

#include "extrema.h"
#include "rows.h"

/* The least number of rows or slices of a band. */
#define LEAST_BAND 8

/* Sweeps down and up; wide plateaux need more. */
#define SWEEPS      1
#define SWEEPS_WIDE 2

/* Stretches between two checks for cancelling. */
#define STRETCHES_A_LOOK 4096

/* Within this length a loop finds a byte faster than memchr(). */
#define SHORT 16

/* A stretch: pixels of one level in one row that were undecided and are out. */
typedef struct
{
  gint64 row;               /* z * height + y */
  gint64 x0, x1;
} Stretch;

typedef struct
{
  Stretch *items;
  gint64   n;
  gint64   allocated;
} Stretches;

/* @stack: stretches whose neighbours are still to be cleared
 * @edge: those beside other bands, which are to be told
 */
typedef struct
{
  gint64     first, end;    /* rows */
  Stretches  stack;
  Stretches  edge;
} Band;

typedef struct _Steps Steps;

typedef struct
{
  const WfImage    *image;
  const WfImage    *state;
  const WfRowSteps *rows;
  const Steps      *steps;      /* of the image's type */
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
push (Stretches      *stretches,
      const Stretch  *stretch,
      GError        **error)
{
  if (stretches->n == stretches->allocated)
    {
      gint64   wanted = MAX (256, 2 * stretches->allocated);
      Stretch *larger = wf_allocate (wanted, sizeof (Stretch), error);

      if (! larger)
        return FALSE;
      if (stretches->n > 0)
        memcpy (larger, stretches->items, stretches->n * sizeof (Stretch));
      g_free (stretches->items);
      stretches->items     = larger;
      stretches->allocated = wanted;
    }
  stretches->items[stretches->n++] = *stretch;
  return TRUE;
}

static inline guint8 *
state_row (const Spread *spread,
           gint64        row)
{
  return (guint8 *) spread->state->data + wf_image_row_offset (spread->state, row);
}

/* The row beside @row in the direction @k, or −1 outside the image. */
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

/* One row of a sweep: takes in the states of the band's rows before it, or after it. */
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

typedef gboolean (* BandFunc)   (const Spread *spread, Band *band, GError **error);
typedef gboolean (* BorderFunc) (const Spread *spread, const Band *from, Band *to, GError **error);

struct _Steps
{
  BandFunc    clear_band;
  gboolean (* drain) (const Spread *spread, Band *band, guint limit, GError **error);
  BorderFunc  compare_border;
  BorderFunc  take_edge;
  gboolean (* clear_marked) (const Spread *spread, Band *band, gint64 row, const guint8 *marked,
                             GError **error);
};

static const Steps *
steps_for (WfType type)
{
  static const Steps of_u8  = { clear_band_u8, drain_u8, compare_border_u8, take_edge_u8,
                                 clear_marked_u8 };
  static const Steps of_u16 = { clear_band_u16, drain_u16, compare_border_u16, take_edge_u16,
                                 clear_marked_u16 };
  static const Steps of_f32 = { clear_band_f32, drain_f32, compare_border_f32, take_edge_f32,
                                 clear_marked_f32 };

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
  const gboolean stack = wf_is_stack_connectivity (connectivity);

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
    {
      g_free (spread->bands[i].stack.items);
      g_free (spread->bands[i].edge.items);
    }
  g_free (spread->bands);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Spread, spread_clear)

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

/* Hands changes over at both sides of each border. */
static gboolean
hand_over (const Spread  *spread,
           BorderFunc     cross,
           GError       **error)
{
  for (gint64 i = 0; i + 1 < spread->n_bands; i++)
    if (! cross (spread, &spread->bands[i], &spread->bands[i + 1], error) ||
        ! cross (spread, &spread->bands[i + 1], &spread->bands[i], error))
      return FALSE;
  for (gint64 i = 0; i < spread->n_bands; i++)
    spread->bands[i].edge.n = 0;
  return TRUE;
}

static gboolean
drain_all (const Spread  *spread,
           Band          *band,
           GError       **error)
{
  return spread->steps->drain (spread, band, 0, error);
}

/* Spreads from the stacks inside the bands.  Threads are woken only where more than one band has
 * more than a little to do.
 */
static gboolean
drain_bands (const Spread  *spread,
             GError       **error)
{
  Band   *long_one = NULL;
  gint64  n_long   = 0;

  for (gint64 i = 0; i < spread->n_bands; i++)
    {
      Band *band = &spread->bands[i];

      if (! spread->steps->drain (spread, band, STRETCHES_A_LOOK, error))
        return FALSE;
      if (band->stack.n > 0)
        {
          long_one = band;
          n_long++;
        }
    }
  return n_long > 1  ? for_each_band (spread, drain_all, error)
       : n_long == 1 ? drain_all (spread, long_one, error)
                     : TRUE;
}

static gboolean
has_work (const Spread *spread)
{
  for (gint64 i = 0; i < spread->n_bands; i++)
    if (spread->bands[i].stack.n > 0)
      return TRUE;
  return FALSE;
}

/* Spreads from the stacks inside the bands and across their borders until nothing changes. */
static gboolean
settle (const Spread  *spread,
        GError       **error)
{
  while (has_work (spread))
    {
      if (! drain_bands (spread, error) ||
          ! hand_over (spread, spread->steps->take_edge, error))
        return FALSE;
      if (! wf_run_advance (spread->run, 0))
        return wf_run_set_cancelled (error);
    }
  return TRUE;
}

/* Sets @state, a byte for each pixel of @image: WF_EXTREMUM_NO outside the regional
 * extrema, another value in them.  @wide: whether most of the image is plateaux, as
 * after a reconstruction; it only affects the time.
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
                              .steps = steps_for (image->type),
                              .n_sweeps = wide ? SWEEPS_WIDE : SWEEPS };
  const WfRows     rows   = { .n = image->height * image->depth, .amount = image->width };

  find_beside (&spread, connectivity);
  wf_run_begin (run, share / 2, wf_image_n_pixels (image));
  if (! wf_run_rows (run, &rows, compare_row, &spread, error))
    return FALSE;

  divide (&spread);
  wf_run_begin (run, share / 2, wf_image_n_pixels (image));
  return for_each_band (&spread, spread.steps->clear_band, error) &&
         hand_over (&spread, spread.steps->compare_border, error) && settle (&spread, error);
}

static gboolean
clear_marked_row (const Spread  *spread,
                  gint64         row,
                  const guint8  *marked,
                  GError       **error)
{
  Band *band = spread->bands;

  while (row >= band->end)
    band++;
  return spread->steps->clear_marked (spread, band, row, marked, error);
}

/* Changes what wf_cpu_extrema() has set where a larger image is known, of which @image is a part:
 * clears the pixels of its first and of its last @n rows (of a stack: of its first and its last
 * slice) where @first and @last are not 0, and all of their plateaux.
 */
gboolean
wf_cpu_extrema_clear (const WfImage  *image,
                      int             connectivity,
                      gint64          n,
                      const guint8   *first,
                      const guint8   *last,
                      WfImage        *state,
                      WfRun          *run,
                      GError        **error)
{
  const gint64     n_rows = image->height * image->depth;
  g_auto (Spread)  spread = { .image = image, .state = state, .run = run,
                              .steps = steps_for (image->type) };

  find_beside (&spread, connectivity);
  divide (&spread);
  for (gint64 y = 0; y < n; y++)
    if (! clear_marked_row (&spread, y, first + y * image->width, error) ||
        ! clear_marked_row (&spread, n_rows - n + y, last + y * image->width, error))
      return FALSE;
  return settle (&spread, error);
}

/* Memory for the stacks, which seldom hold more than one stretch for 256 pixels. */
guint64
wf_cpu_extrema_memory (const WfShape *shape)
{
  return wf_shape_n_pixels (shape) / 256 * sizeof (Stretch) + 256 * sizeof (Stretch);
}
