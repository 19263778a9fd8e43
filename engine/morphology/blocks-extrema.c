/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Regional extrema of an image larger than memory, in bands.
 *
 *   summary   The extrema of each band by itself, and which of these plateaux touch its rims.
 *   solve     Which of them are out: by what is across the seams, and by their other parts
 *             (plateau-seams.c, and between ranks plateau-seams-ranks.c).
 *   finish    Each band is read once more.  Its plateaux at the rims that are out are cleared.
 *
 * All comparisons are of pixels beside each other, so what a band finds to be out by itself is out,
 * and the rest is found at the seams.  Only the plateaux that touch a rim are kept from one pass to
 * the next.
 *
 * extrema.c has the definition, cpu/extrema.c finds the extrema of a band.
 *
 * Source: of the three steps, Barnes, Parallel priority-flood depression filling for trillion
 * cell digital elevation models, Computers & Geosciences 96 (2016).
 */

#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "blocks.h"
#include "engine/blocks/bands.h"
#include "engine/core/context-private.h"
#include "engine/core/refusals.h"
#include "engine/cpu/cpu.h"
#include "engine/label/cpu/runs.h"
#include "engine/reconstruction/rim.h"
#include "cpu/extrema.h"
#include "cpu/pixels.h"
#include "plateau-seams.h"

/* The part of the memory that the plateaux at the seams may take. */
#define SHARE_OF_NODES 8

/* Bytes for a pixel of a rim: of two rims labels, marks, nodes, keys and the highest beside; their
 * labels sorted; nodes and keys of the rim before and of the two outer ones; a row of nodes made.
 */
#define RIM_BYTES (2 * (5 * sizeof (guint32) + 1) + 6 * sizeof (guint32))

/* The plateaux at the rims of a band: nodes from @first on, by their labels in the band.
 * @n_plateaux: that the band has by itself, with those inside it
 */
typedef struct
{
  guint32 *labels;
  gint64   n;
  gint64   first;
  guint32  n_plateaux;
} BandNodes;

/**
 * Work:
 * @image: a band; @state: of its pixels
 * @label: of the pixels of its rims: plateaux, 0 outside the extrema
 * @marked: whether they are to be cleared
 * @rims: nodes and levels of its rims
 * @before: of the last rim of the band before; in the end of the last band
 * @first: of the first rim of the first band
 */
typedef struct
{
  const WfRegionalBlocks *blocks;
  WfBands                 bands;
  WfRim                   rim;
  gint64                  n_rim;
  WfImage                 image;
  WfImage                 state;
  gboolean                has_seams;
  guint32                *label[WF_N_RIMS];
  guint8                 *marked[WF_N_RIMS];
  WfPlateauRim            rims[WF_N_RIMS];
  WfPlateauRim            before;
  WfPlateauRim            first;
  guint32                *sorted;
  BandNodes              *of_band;
  WfPlateauSeams          seams;
  WfSteps                *steps;
} Work;


/*  Memory  */

static guint64
band_memory (gconstpointer  data,
             const WfShape *band)
{
  const Work    *work  = data;
  const guint64  n     = wf_shape_n_pixels (band);
  const guint64  bytes = n * (wf_type_size (work->rim.type) + 1) + wf_cpu_extrema_memory (band)
                         + wf_runs_memory (band) + RIM_BYTES * work->n_rim
                         + wf_plateau_ranks_memory (work->n_rim, work->blocks->context->ranks);

  return bytes + bytes / (SHARE_OF_NODES - 1);
}

static void
work_clear (Work *work)
{
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      g_free (work->label[side]);
      g_free (work->marked[side]);
      wf_plateau_rim_clear (&work->rims[side]);
    }
  for (gint64 i = 0; work->of_band && i < work->bands.n; i++)
    g_free (work->of_band[i].labels);
  g_free (work->of_band);
  wf_plateau_rim_clear (&work->before);
  wf_plateau_rim_clear (&work->first);
  wf_plateau_seams_clear (&work->seams);
  g_free (work->sorted);
  wf_image_clear (&work->image);
  wf_image_clear (&work->state);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static gboolean
allocate_rims (Work    *work,
               GError **error)
{
  const gint64  n     = work->n_rim;
  const guint64 limit = wf_context_get_memory (work->blocks->context) / SHARE_OF_NODES;

  for (int side = 0; side < WF_N_RIMS; side++)
    if (! (work->label[side] = wf_allocate (n, sizeof (guint32), error)) ||
        ! (work->marked[side] = wf_allocate (n, 1, error)) ||
        ! wf_plateau_rim_init (&work->rims[side], n, error))
      return FALSE;
  return wf_plateau_rim_init (&work->before, n, error) &&
         wf_plateau_rim_init (&work->first, n, error) &&
         wf_plateau_seams_init (&work->seams, &work->rim, limit, error) &&
         (work->sorted = wf_allocate (WF_N_RIMS * n, sizeof (guint32), error));
}

static gboolean
work_init (Work    *work,
           GError **error)
{
  const WfRegionalBlocks *blocks = work->blocks;
  const WfBlockSource    *image  = blocks->image;
  const WfShape           shape  = { image->width, image->height, image->depth };

  work->rim   = wf_rim_of_image (&shape, image->type,
                                 blocks->maxima ? WF_BY_DILATION : WF_BY_EROSION,
                                 blocks->connectivity);
  work->n_rim = wf_rim_n_pixels (&work->rim);
  if (! wf_bands_divide (&work->bands, blocks->context, image, blocks->rows, band_memory,
                         sizeof (BandNodes), work, error) ||
      ! wf_bands_allocate (&work->bands, image->type, 0, &work->image, error) ||
      ! wf_bands_allocate (&work->bands, WF_TYPE_U8, 0, &work->state, error))
    return FALSE;
  work->of_band   = g_new0 (BandNodes, work->bands.n);
  work->has_seams = work->bands.n > 1 || work->bands.part.n_ranks > 1;
  return ! work->has_seams || allocate_rims (work, error);
}


/*  Bands  */

static int
find_connectivity (const Work *work)
{
  return wf_bands_connectivity (work->blocks->connectivity, work->image.depth);
}

static gboolean
run_on_cpu (Work            *work,
            const WfVariant *variant,
            gconstpointer    task,
            GError         **error)
{
  const WfPlan plan = { .variant = variant, .backend = wf_backend_cpu () };

  return wf_context_run (work->blocks->context,
                         work->blocks->maxima ? WF_OPERATION_REGIONAL_MAXIMA
                                              : WF_OPERATION_REGIONAL_MINIMA,
                         &plan, task, error) &&
         wf_steps_next (work->steps, error);
}

static gboolean
run_extrema (gconstpointer   data,
             WfRun          *run,
             GError        **error)
{
  Work *work = *(Work *const *) data;

  return wf_cpu_extrema (&work->image, find_connectivity (work), work->blocks->maxima,
                         work->blocks->wide, &work->state, run, 1.0, error);
}

/* Reads a band and finds its extrema by itself. */
static gboolean
begin_band (Work     *work,
            gint64    number,
            GError  **error)
{
  const WfVariant variant = { .algorithm = "plateaux", .run = run_extrema, .checks_nan = TRUE };

  wf_bands_fit_view (&work->bands, number, &work->state);
  return wf_bands_read (&work->bands, work->blocks->context, work->blocks->image, number,
                        _("image"), &work->image, error) &&
         run_on_cpu (work, &variant, &work, error);
}

/* Numbers the plateaux of a band and finds those at its rims.  Pixels of extrema that touch have
 * one level, so the plateaux are the components of the extrema.
 */
static gboolean
label_rims (Work     *work,
            guint32  *n_plateaux,
            GError  **error)
{
  const WfLabelBand band = { .rim_rows = work->rim.height,
                             .rims     = { work->label[WF_BAND_FIRST],
                                           work->label[WF_BAND_LAST] } };
  const WfLabelTask task = { .shape        = wf_image_shape (&work->state),
                             .connectivity = find_connectivity (work),
                             .threshold    = NAN,
                             .image        = &work->state,
                             .n_components = n_plateaux,
                             .band         = &band };

  return run_on_cpu (work, &wf_cpu_label_variants[0], &task, error);
}

/*  Nodes  */

static int
compare_labels (gconstpointer a,
                gconstpointer b)
{
  const guint32 first  = *(const guint32 *) a;
  const guint32 second = *(const guint32 *) b;

  return (first > second) - (first < second);
}

/* Sorts the labels at the seams of a band, each once; returns how many there are. */
static gint64
sort_labels (Work   *work,
             gint64  number)
{
  guint32 *labels = work->sorted;
  gint64   n      = 0;
  gint64   n_kept = 0;

  for (int side = 0; side < WF_N_RIMS; side++)
    for (gint64 i = 0; wf_bands_have_seam (&work->bands, number, side) && i < work->n_rim; i++)
      if (work->label[side][i] && (i == 0 || work->label[side][i] != work->label[side][i - 1]))
        labels[n++] = work->label[side][i];
  qsort (labels, n, sizeof (guint32), compare_labels);
  for (gint64 i = 0; i < n; i++)
    if (i == 0 || labels[i] != labels[i - 1])
      labels[n_kept++] = labels[i];
  return n_kept;
}

/* Makes a node of each plateau at the seams of a band. */
static gboolean
add_nodes (Work     *work,
           gint64    number,
           GError  **error)
{
  BandNodes    *nodes = &work->of_band[number];
  const gint64  n     = sort_labels (work, number);

  if (n == 0)
    return TRUE;
  nodes->first = work->seams.n_nodes;
  if (! wf_plateau_seams_add (&work->seams, n, error) ||
      ! (nodes->labels = wf_allocate (n, sizeof (guint32), error)))
    return FALSE;
  memcpy (nodes->labels, work->sorted, n * sizeof (guint32));
  nodes->n = n;
  return TRUE;
}

static guint32
find_node (const Work *work,
           gint64      number,
           guint32     label)
{
  const BandNodes *nodes = &work->of_band[number];
  const guint32   *found = bsearch (&label, nodes->labels, nodes->n, sizeof (guint32),
                                    compare_labels);

  g_assert (found != NULL);
  return nodes->first + (found - nodes->labels);
}

/* Finds the nodes and the levels of a band's rims, joins the first one with the rim before it, and
 * keeps the last.
 */
static void
join_band (Work   *work,
           gint64  number)
{
  for (int side = 0; side < WF_N_RIMS; side++)
    {
      WfPlateauRim *rim = &work->rims[side];

      wf_rim_read (&work->rim, &work->image, side, rim->key);
      for (gint64 i = 0; i < work->n_rim; i++)
        rim->node[i] = wf_bands_have_seam (&work->bands, number, side) && work->label[side][i]
                       ? find_node (work, number, work->label[side][i]) + 1 : 0;
    }
  if (number > 0)
    wf_plateau_seams_join (&work->seams, &work->before, &work->rims[WF_BAND_FIRST]);
  else
    wf_plateau_rim_copy (&work->first, &work->rims[WF_BAND_FIRST], work->n_rim);
  wf_plateau_rim_copy (&work->before, &work->rims[WF_BAND_LAST], work->n_rim);
}


/*  The steps  */

static gboolean
summarize_band (Work     *work,
                gint64    number,
                GError  **error)
{
  if (! begin_band (work, number, error) ||
      ! label_rims (work, &work->of_band[number].n_plateaux, error) ||
      ! add_nodes (work, number, error))
    return FALSE;
  join_band (work, number);
  return TRUE;
}

static gboolean
run_clear (gconstpointer   data,
           WfRun          *run,
           GError        **error)
{
  Work *work = *(Work *const *) data;

  wf_run_begin (run, 1.0, wf_image_n_pixels (&work->image));
  return wf_cpu_extrema_clear (&work->image, find_connectivity (work), work->rim.height,
                               work->marked[WF_BAND_FIRST], work->marked[WF_BAND_LAST],
                               &work->state, run, error);
}

/* Clears the plateaux of a band that are out. */
static gboolean
clear_plateaux (Work     *work,
                gint64    number,
                GError  **error)
{
  const WfVariant  variant = { .algorithm = "plateaux", .run = run_clear, .checks_nan = TRUE };
  const BandNodes *nodes   = &work->of_band[number];
  guint32          n_plateaux;

  if (nodes->n == 0 || ! memchr (work->seams.out + nodes->first, TRUE, nodes->n))
    {
      wf_steps_advance (work->steps, 2);
      return TRUE;
    }
  if (! label_rims (work, &n_plateaux, error) ||
      ! wf_check_unchanged (n_plateaux, nodes->n_plateaux, error))
    return FALSE;
  for (int side = 0; side < WF_N_RIMS; side++)
    for (gint64 i = 0; i < work->n_rim; i++)
      work->marked[side][i] = wf_bands_have_seam (&work->bands, number, side) &&
                              work->label[side][i] &&
                              work->seams.out[find_node (work, number, work->label[side][i])];
  return run_on_cpu (work, &variant, &work, error);
}

static gboolean
finish_band (Work     *work,
             gint64    number,
             GError  **error)
{
  WfImage *state = &work->state;

  if (! begin_band (work, number, error) ||
      (work->has_seams && ! clear_plateaux (work, number, error)))
    return FALSE;
  for (gint64 row = 0; row < state->height * state->depth; row++)
    wf_tell_marks (wf_image_row (state, row), state->width, wf_image_row (state, row));
  return wf_bands_write (&work->bands, work->blocks->out, number, state, error);
}

/* Marks the regional extrema of an image.  It is read twice, and the marks are written once, in
 * raster order.
 */
gboolean
wf_regional_blocks (const WfRegionalBlocks  *blocks,
                    GError                 **error)
{
  g_auto (WfSteps) steps = { 0 };
  g_auto (Work)    work  = { .blocks = blocks, .steps = &steps };

  if (! work_init (&work, error))
    return FALSE;
  wf_steps_begin (&steps, blocks->context, work.has_seams ? 5 * work.bands.n : 1);
  for (gint64 i = 0; work.has_seams && i < work.bands.n; i++)
    if (! summarize_band (&work, i, error))
      return FALSE;
  if (work.has_seams &&
      ! wf_plateau_seams_solve_ranks (&work.seams, &work.first, &work.before,
                                      blocks->context->ranks, &work.bands.part, error))
    return FALSE;
  for (gint64 i = 0; i < work.bands.n; i++)
    if (! finish_band (&work, i, error))
      return FALSE;
  return TRUE;
}
