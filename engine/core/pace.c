/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From paces to the time that a task takes.
 *
 *   CPU:  pixels × scale / rate
 *   GPU:  latency + pixels × scale / rate + bytes up / link up + bytes down / link down
 *
 * The scale is the task's bytes a pixel over those of the measured picture.  A rate between two
 * numbers of threads that were measured is interpolated in logarithms; beyond them it grows as the
 * built-in estimates do, and counts as not measured.  More threads than processors are no faster.
 *
 * GPUs of one model have the best pace that was measured of any of them.  Other work makes a
 * measurement too slow, never too fast, and a GPU that counts as slow gets no work, so that nothing
 * would correct it; one that counts as fast gets blocks, and then what they take.
 */

#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pace.h"
#include "record.h"


static gboolean
is_pace (double number)
{
  return number >= WF_PACE_MIN && number <= WF_PACE_MAX;
}

/* A number alone, as g_ascii_dtostr() writes it; what follows it is in @end. */
static gboolean
parse_number (const char  *text,
              double      *number,
              const char **end)
{
  char *after;

  *number = g_ascii_strtod (text, &after);
  *end    = after;
  return after != text && isfinite (*number);
}

static void
append_number (GString *text,
               double   number)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.4g", number));
}


/*  Curves  */

/* To be freed. */
static char *
curve_key (const WfPlace *place)
{
  return g_strdup_printf ("%s/%s", wf_task_name (place->operation),
                          place->algorithm);
}

static gboolean
parse_point (const char  *text,
             WfPaceCurve *curve)
{
  const char *end;
  double      threads;
  double      rate;

  if (curve->n == WF_PACE_POINTS || ! parse_number (text, &threads, &end) || *end != ':' ||
      ! parse_number (end + 1, &rate, &end) || *end != '\0')
    return FALSE;
  if (! (threads >= 1 && threads <= 1 << 16) || threads != floor (threads) || ! is_pace (rate) ||
      (curve->n > 0 && threads <= curve->threads[curve->n - 1]))
    return FALSE;
  curve->threads[curve->n] = (guint) threads;
  curve->rate[curve->n++]  = rate;
  return TRUE;
}

/* "LATENCY THREADS:RATE …"; anything else is none. */
static gboolean
parse_curve (const char  *text,
             WfPaceCurve *curve)
{
  g_auto (GStrv) words = g_strsplit (text, " ", WF_PACE_POINTS + 2);
  const char    *end;

  *curve = (WfPaceCurve) { 0 };
  if (! words[0] || ! parse_number (words[0], &curve->latency, &end) || *end != '\0' ||
      ! (curve->latency >= 0 && curve->latency <= 10))
    return FALSE;
  for (guint i = 1; words[i]; i++)
    if (! parse_point (words[i], curve))
      return FALSE;
  return curve->n > 0;
}

static char *
format_curve (const WfPaceCurve *curve)
{
  GString *text = g_string_new (NULL);

  append_number (text, curve->latency);
  for (guint i = 0; i < curve->n; i++)
    {
      g_string_append_printf (text, " %u:", curve->threads[i]);
      append_number (text, curve->rate[i]);
    }
  return g_string_free (text, FALSE);
}

static gboolean
find_curve (const WfPlace *place,
            WfPaceCurve   *curve)
{
  g_autofree char *key  = curve_key (place);
  g_autofree char *text = NULL;

  return wf_pace_store_get (place, key, &text) && parse_curve (text, curve);
}

/* Puts a point of @threads into @curve; a full one stays as it is. */
static void
insert_point (WfPaceCurve *curve,
              guint        threads,
              double       rate)
{
  guint i = 0;

  while (i < curve->n && curve->threads[i] < threads)
    i++;
  if (i == curve->n || curve->threads[i] != threads)
    {
      if (curve->n == WF_PACE_POINTS)
        return;
      memmove (&curve->threads[i + 1], &curve->threads[i],
               (curve->n - i) * sizeof *curve->threads);
      memmove (&curve->rate[i + 1], &curve->rate[i], (curve->n - i) * sizeof *curve->rate);
      curve->n++;
    }
  curve->threads[i] = threads;
  curve->rate[i]    = rate;
}

/* Adds a point to what is known, or replaces it. */
void
wf_pace_add_rate (const WfPlace *place,
                  double         rate,
                  double         latency)
{
  static GMutex    adding;
  g_autofree char *key  = curve_key (place);
  g_autofree char *text = NULL;
  WfPaceCurve      curve;

  g_mutex_lock (&adding);
  if (! find_curve (place, &curve))
    curve = (WfPaceCurve) { 0 };
  insert_point (&curve, place->threads, CLAMP (rate, WF_PACE_MIN, WF_PACE_MAX));
  curve.latency = latency;
  text = format_curve (&curve);
  wf_pace_store_set (place, key, text);
  g_mutex_unlock (&adding);
}

/* A straight line between two points in logarithms. */
static double
interpolate (const WfPaceCurve *curve,
             guint              i,
             guint              threads)
{
  const double share = log ((double) threads / curve->threads[i]) /
                       log ((double) curve->threads[i + 1] / curve->threads[i]);

  return curve->rate[i] * pow (curve->rate[i + 1] / curve->rate[i], share);
}

/* Calls visit (other, data) for each other GPU of the model of @place. */
static void
each_alike (const WfPlace *place,
            void         (*visit) (const WfPlace *other, gpointer data),
            gpointer       data)
{
  WfPlace other = *place;

  if (place->backend == wf_backend_cpu ())
    return;
  for (other.device = 0; other.device < place->backend->n_devices; other.device++)
    if (other.device != place->device && wf_pace_are_alike (place, &other))
      visit (&other, data);
}

/* Raises a curve of one point, and lowers its latency, to what @other has. */
static void
take_better_curve (const WfPlace *other,
                   gpointer       data)
{
  WfPaceCurve *curve = data;
  WfPaceCurve  found;

  if (! find_curve (other, &found))
    return;
  curve->rate[0] = MAX (curve->rate[0], found.rate[0]);
  curve->latency = MIN (curve->latency, found.latency);
}

/* Returns: whether the rate was measured, or lies between two that were */
gboolean
wf_pace_find_rate (const WfPlace *place,
                   double        *rate,
                   double        *latency)
{
  const guint  n_units = wf_pace_count_units (place);
  guint        threads = place->threads;
  guint        i       = 0;
  WfPaceCurve  curve;

  if (! find_curve (place, &curve))
    {
      wf_pace_estimate_rate (place, n_units, rate, latency);
      return FALSE;
    }
  each_alike (place, take_better_curve, &curve);
  *latency = curve.latency;
  threads  = MIN (threads, MAX (n_units, curve.threads[curve.n - 1]));
  while (i + 1 < curve.n && curve.threads[i + 1] <= threads)
    i++;
  *rate = curve.rate[i];
  if (curve.threads[i] == threads)
    return TRUE;
  if (curve.threads[i] < threads && i + 1 < curve.n)
    {
      *rate = interpolate (&curve, i, threads);
      return TRUE;
    }
  *rate *= pow ((double) threads / curve.threads[i], wf_pace_estimate_growth (place));
  return FALSE;
}


/*  Links  */

static gboolean
find_direction (const WfPlace *place,
                const char    *key,
                double        *plain,
                double        *pinned)
{
  g_autofree char *text = NULL;
  const char      *end;

  return wf_pace_store_get (place, key, &text) &&
         parse_number (text, plain, &end) && *end == ' ' &&
         parse_number (end + 1, pinned, &end) && *end == '\0' &&
         is_pace (*plain) && is_pace (*pinned);
}

static gboolean
find_link (const WfPlace *place,
           WfLinkPace    *link)
{
  return find_direction (place, "up", &link->up[0], &link->up[1]) &&
         find_direction (place, "down", &link->down[0], &link->down[1]);
}

static void
take_better_link (const WfPlace *other,
                  gpointer       data)
{
  WfLinkPace *link = data;
  WfLinkPace  found;

  if (! find_link (other, &found))
    return;
  for (int i = 0; i < 2; i++)
    {
      link->up[i]   = MAX (link->up[i], found.up[i]);
      link->down[i] = MAX (link->down[i], found.down[i]);
    }
}

/* Returns: whether the link was measured; %FALSE with zeros where there is none */
gboolean
wf_pace_find_link (const WfPlace *place,
                   WfLinkPace    *link)
{
  if (place->backend == wf_backend_cpu ())
    {
      *link = (WfLinkPace) { 0 };
      return FALSE;
    }
  if (! find_link (place, link))
    {
      wf_pace_estimate_link (link);
      return FALSE;
    }
  each_alike (place, take_better_link, link);
  return TRUE;
}

void
wf_pace_add_link (const WfPlace    *place,
                  const WfLinkPace *link)
{
  const double *const ways[] = { link->up, link->down };
  static const char *const keys[] = { "up", "down" };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      append_number (text, CLAMP (ways[i][0], WF_PACE_MIN, WF_PACE_MAX));
      g_string_append_c (text, ' ');
      append_number (text, CLAMP (ways[i][1], WF_PACE_MIN, WF_PACE_MAX));
      wf_pace_store_set (place, keys[i], text->str);
    }
}


/*  Tasks  */

static gboolean
is_pinned (const WfBackend *backend,
           const WfImage   *image)
{
  return image && image->data && backend->is_pinned && backend->is_pinned (image->data);
}

void
wf_pace_expect (const WfPlace    *place,
                const WfWorkload *workload,
                WfExpectation    *expectation)
{
  double     rate;
  double     latency;
  WfLinkPace link;

  expectation->measured  = wf_pace_find_rate (place, &rate, &latency);
  expectation->transfers = 0.0;
  if (place->backend != wf_backend_cpu ())
    {
      expectation->measured &= wf_pace_find_link (place, &link);
      expectation->transfers =
        (double) workload->up / link.up[is_pinned (place->backend, workload->image)] +
        (double) workload->down / link.down[is_pinned (place->backend, workload->out)];
    }
  expectation->seconds = latency + (double) workload->n_pixels * workload->scale / rate +
                         expectation->transfers;
}
