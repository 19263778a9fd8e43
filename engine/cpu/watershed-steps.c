/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of the watershed that look at levels, for each type of pixel. */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "watershed.h"

/* A plateau so wide that its distances do not fit 32 bits is an error, not a
 * wrong result.  The last distance before %WF_UNREACHED says so.
 */
static inline gboolean
wf_plateau_is_full (guint32  distance,
                    int     *too_wide)
{
  if (G_LIKELY (distance < WF_UNREACHED - 1))
    return FALSE;
  __atomic_store_n (too_wide, TRUE, __ATOMIC_RELAXED);
  return TRUE;
}

static gboolean
wf_plateaux_check (int      too_wide,
                   GError **error)
{
  if (too_wide)
    g_set_error (error, WF_ERROR, WF_ERROR_LABELS,
                 _("A plateau of the image is more than %u pixels wide."), WF_UNREACHED - 1);
  return ! too_wide;
}

typedef void (* RowFunc) (const WfFlood *flood,
                          WfPoint        start,
                          gpointer       scratch);

/* Calls @visit for each row, on all threads, each with @scratch_size bytes of its
 * own.
 */
static gboolean
wf_flood_rows (const WfFlood  *flood,
               RowFunc         visit,
               gsize           scratch_size,
               GError        **error)
{
  const WfShape *shape     = &flood->task->shape;
  const guint    n_threads = flood->run->n_threads;
  gboolean       failed    = FALSE;
  int            stop      = FALSE;

#pragma omp parallel num_threads(n_threads) if (n_threads > 1)
  {
    gpointer scratch = wf_allocate (scratch_size, 1, NULL);

    if (! scratch)
      {
        __atomic_store_n (&failed, TRUE, __ATOMIC_RELAXED);
        __atomic_store_n (&stop, TRUE, __ATOMIC_RELAXED);
      }

#pragma omp for schedule(dynamic, 8)
    for (gint64 row = 0; row < shape->height * shape->depth; row++)
      {
        if (__atomic_load_n (&stop, __ATOMIC_RELAXED))
          continue;
        visit (flood, (WfPoint) { 0, row % shape->height, row / shape->height }, scratch);
        if (! wf_run_advance (flood->run, shape->width))
          __atomic_store_n (&stop, TRUE, __ATOMIC_RELAXED);
      }
    g_free (scratch);
  }

  if (failed)
    return wf_allocate (G_MAXINT64, MAX (scratch_size, 1), error) != NULL;
  return stop ? wf_run_set_cancelled (error) : TRUE;
}

/* Levels of integers lie a whole number apart, so only the whole part of a
 * tolerance counts; a sum above the type's largest value is above every level.
 */
#define RAISE_WHOLE(value, tolerance, most) \
  ((tolerance) >= (most) - (value) ? (most) : (value) + floor (tolerance))

#define WF_PIXEL                    guint8
#define WF_NAME(name)               name##_u8
#define WF_MAXIMUM                  G_MAXUINT8
#define WF_RAISE(value, tolerance)  RAISE_WHOLE (value, tolerance, G_MAXUINT8)
#include "watershed.inc.h"

#define WF_PIXEL                    guint16
#define WF_NAME(name)               name##_u16
#define WF_MAXIMUM                  G_MAXUINT16
#define WF_RAISE(value, tolerance)  RAISE_WHOLE (value, tolerance, G_MAXUINT16)
#include "watershed.inc.h"

#define WF_PIXEL                    float
#define WF_NAME(name)               name##_f32
#define WF_MAXIMUM                  INFINITY
#define WF_RAISE(value, tolerance)  ((float) ((double) (value) + (tolerance)))
#include "watershed.inc.h"
