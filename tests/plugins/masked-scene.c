/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "masked-scene.h"
#include "tests/support/tiers.h"


static void
set_level (Masked *masked,
           int     i,
           int     level)
{
  switch (masked->levels.type)
    {
    case WF_TYPE_U8:
      ((guint8 *) masked->levels.data)[i] = (guint8) level;
      break;
    case WF_TYPE_U16:
      ((guint16 *) masked->levels.data)[i] = (guint16) (level * 250);
      break;
    default:
      ((float *) masked->levels.data)[i] = (float) level / 4;
      break;
    }
}

void
masked_read (const WfImage *image,
             double        *values)
{
  const gint64 n = wf_image_n_pixels (image);

  for (gint64 i = 0; i < n; i++)
    switch (image->type)
      {
      case WF_TYPE_U8:
        values[i] = ((const guint8 *) image->data)[i];
        break;
      case WF_TYPE_U16:
        values[i] = ((const guint16 *) image->data)[i];
        break;
      case WF_TYPE_U32:
        values[i] = ((const guint32 *) image->data)[i];
        break;
      default:
        values[i] = (double) ((const float *) image->data)[i];
        break;
      }
}

/* Gives what is outside other levels. */
void
masked_scramble (Masked *masked)
{
  for (int i = 0; i < masked->n; i++)
    if (! masked->inside[i])
      set_level (masked, i, g_test_rand_int_range (0, 256));
}

/* Holes, single pixels and large parts; sometimes nothing, as in a part of a large image. */
static void
draw_mask (Masked *masked)
{
  const double share = g_test_rand_int_range (0, 20) == 0 ? 0 : g_test_rand_double_range (0.2, 1);

  for (int i = 0; i < masked->n; i++)
    masked->inside[i] = g_test_rand_double () < share;
}

static gboolean
are_neighbors (int dx,
               int dy,
               int dz,
               int connectivity)
{
  const int steps = ABS (dx) + ABS (dy) + ABS (dz);

  return steps == 1 || (steps > 1 && (connectivity == 8 || connectivity == 26));
}

static void
add_neighbor (Masked *masked,
              int     i,
              int     x,
              int     y,
              int     z)
{
  const int q = (z * masked->height + y) * masked->width + x;

  if (x < 0 || x >= masked->width || y < 0 || y >= masked->height)
    masked->at_edge[i] = TRUE;
  else if (z < 0 || z >= masked->depth)
    masked->at_edge[i] |= masked->depth > 1;
  else if (! masked->inside[q])
    masked->at_edge[i] = TRUE;
  else
    masked->neighbors[i][masked->n_neighbors[i]++] = q;
}

static void
find_neighbors (Masked *masked)
{
  memset (masked->n_neighbors, 0, sizeof masked->n_neighbors);
  memset (masked->at_edge, 0, sizeof masked->at_edge);
  for (int i = 0; i < masked->n; i++)
    for (int k = 0; k < 27 && masked->inside[i]; k++)
      {
        const int dx = k % 3 - 1, dy = k / 3 % 3 - 1, dz = k / 9 - 1;

        if (are_neighbors (dx, dy, dz, masked->connectivity))
          add_neighbor (masked, i, i % masked->width + dx, i / masked->width % masked->height + dy,
                        i / masked->width / masked->height + dz);
      }
}

static void
draw (Masked *masked,
      guint   number)
{
  static const WfType types[] = { WF_TYPE_U8, WF_TYPE_U16, WF_TYPE_F32 };
  const int           most    = g_test_rand_bit () ? 4 : 256;

  masked->width        = g_test_rand_int_range (1, 13);
  masked->height       = g_test_rand_int_range (1, 11);
  masked->depth        = number % 4 == 3 ? g_test_rand_int_range (2, 4) : 1;
  masked->n            = masked->width * masked->height * masked->depth;
  masked->connectivity = (masked->depth > 1 ? (const int[]) { 6, 26 }
                                            : (const int[]) { 4, 8 })[g_test_rand_bit () != 0];
  g_assert_true (wf_image_allocate (&masked->levels, types[number % 3], masked->width,
                                    masked->height, masked->depth, NULL));
  g_assert_true (wf_image_allocate (&masked->mask, WF_TYPE_U8, masked->width, masked->height,
                                    masked->depth, NULL));
  masked->inside = masked->mask.data;
  for (int i = 0; i < masked->n; i++)
    set_level (masked, i, g_test_rand_int_range (0, most));
  draw_mask (masked);
  find_neighbors (masked);
  masked_read (&masked->levels, masked->level);
}

void
masked_for_each (guint      quick,
                 guint      all,
                 MaskedFunc func)
{
  const guint n = test_count (quick, all);

  for (guint number = 0; number < n; number++)
    {
      g_autofree Masked *masked = g_new0 (Masked, 1);

      masked->context = wf_context_new ();
      draw (masked, number);
      func (masked);
      wf_image_clear (&masked->levels);
      wf_image_clear (&masked->mask);
      wf_context_unref (masked->context);
    }
}


/*  References  */

/* In place. */
void
masked_reconstruct (const Masked *masked,
                    const double *levels,
                    gboolean      dilation,
                    double       *marker)
{
  gboolean changed = TRUE;

  for (int i = 0; i < masked->n; i++)
    marker[i] = dilation ? MIN (marker[i], levels[i]) : MAX (marker[i], levels[i]);
  while (changed)
    {
      changed = FALSE;
      for (int i = 0; i < masked->n; i++)
        for (int k = 0; k < masked->n_neighbors[i]; k++)
          {
            const double from = marker[masked->neighbors[i][k]];
            const double to   = dilation ? MAX (marker[i], MIN (from, levels[i]))
                                         : MIN (marker[i], MAX (from, levels[i]));

            changed  |= to != marker[i];
            marker[i] = to;
          }
    }
}

/* Numbers the regional extrema from 1, in the order of their first pixels; 0 elsewhere.  Returns
 * their number.
 */
int
masked_extrema (const Masked *masked,
                const double *levels,
                gboolean      maxima,
                int          *component)
{
  int n = 0;

  for (int i = 0; i < masked->n; i++)
    component[i] = masked->inside[i] ? i + 1 : 0;
  for (gboolean changed = TRUE; changed; )
    {
      changed = FALSE;
      for (int i = 0; i < masked->n; i++)
        for (int k = 0; k < masked->n_neighbors[i]; k++)
          {
            const int      q      = masked->neighbors[i][k];
            const gboolean beyond = maxima ? levels[q] > levels[i] : levels[q] < levels[i];
            const int      to     = beyond ? 0 : levels[q] == levels[i]
                                               ? MIN (component[i], component[q]) : component[i];

            changed     |= to != component[i];
            component[i] = to;
          }
    }
  for (int i = 0; i < masked->n; i++)
    if (component[i] == i + 1)
      component[i] = -(++n);
    else if (component[i])
      component[i] = component[component[i] - 1];
  for (int i = 0; i < masked->n; i++)
    component[i] = ABS (component[i]);
  return n;
}

/* Numbers the parts of the mask from 1; 0 outside.  Each is an extremum of an even image. */
int
masked_components (const Masked *masked,
                   int          *component)
{
  static const double even[MOST_PIXELS];

  return masked_extrema (masked, even, TRUE, component);
}
