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
                          gpointer       data);

/* Calls @visit for each row, on all threads. */
static gboolean
wf_flood_rows (const WfFlood  *flood,
               RowFunc         visit,
               gpointer        data,
               GError        **error)
{
  const WfShape *shape     = &flood->task->shape;
  const guint    n_threads = flood->run->n_threads;
  int            stop      = FALSE;

#pragma omp parallel for schedule(dynamic, 8) num_threads(n_threads) if (n_threads > 1)
  for (gint64 row = 0; row < shape->height * shape->depth; row++)
    {
      if (__atomic_load_n (&stop, __ATOMIC_RELAXED))
        continue;
      visit (flood, (WfPoint) { 0, row % shape->height, row / shape->height }, data);
      if (! wf_run_advance (flood->run, shape->width))
        __atomic_store_n (&stop, TRUE, __ATOMIC_RELAXED);
    }
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
