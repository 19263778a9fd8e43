/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Openings by attributes, definition by definition. */

#include <math.h>
#include <string.h>

#include "tests/reference/reference.h"

/**
 * Part:
 * @area: pixels of a component
 * @top: its highest level
 * @sum: of its levels
 * @has_around: whether it has neighbours
 * @around: the highest level of a neighbour
 * @holds: whether it holds a maximum that stays
 */
typedef struct
{
  gint64      area;
  double      top;
  long double sum;
  gboolean    has_around;
  double      around;
  gboolean    holds;
} Part;

static double
clamp_level (const RefAttribute *options,
             double              level)
{
  return options->most > 0 ? CLAMP (level, -options->most, options->most) : level;
}

static void
measure (const RefSize      *size,
         const RefAttribute *options,
         const double       *image,
         const guint32      *labels,
         const gboolean     *staying,
         Part               *parts)
{
  for (gint64 p = 0; p < ref_n_pixels (size); p++)
    {
      Part  *part = &parts[labels[p]];
      gint64 neighbours[REF_MAX_NEIGHBOURS];
      int    n    = labels[p] ? ref_neighbours (size, options->connectivity, p, neighbours) : 0;

      if (labels[p] == 0)
        continue;
      part->top  = part->area == 0 ? image[p] : MAX (part->top, image[p]);
      part->sum += clamp_level (options, image[p]);
      part->area++;
      part->holds |= staying && staying[p];
      for (int i = 0; i < n; i++)
        if (labels[neighbours[i]] == 0)
          {
            const double level = image[neighbours[i]];

            part->around     = part->has_around ? MAX (part->around, level) : level;
            part->has_around = TRUE;
          }
    }
}

static gboolean
stays (const RefAttribute *options,
       const Part         *part)
{
  const double around = clamp_level (options, part->around);

  if (! part->has_around)
    return TRUE;
  switch (options->kind)
    {
    case REF_BY_AREA:
      return part->area >= options->least;
    case REF_BY_HEIGHT:
      return part->holds;
    default:
      return part->sum - (long double) part->area * around >= options->least;
    }
}

static double
next_level (gint64        n,
            const double *image,
            double        level)
{
  double next = -INFINITY;

  for (gint64 p = 0; p < n; p++)
    if (image[p] < level)
      next = MAX (next, image[p]);
  return next;
}

/* A higher pixel can be reached without descending. */
#define NOT_A_MAXIMUM (-1)

/* What one has to descend from each pixel on the way to any higher one. */
static void
find_dynamics (const RefSize      *size,
               const RefAttribute *options,
               const double       *image,
               double             *dynamics)
{
  const gint64        n          = ref_n_pixels (size);
  g_autofree guint8  *foreground = g_new (guint8, n);
  g_autofree guint32 *labels     = g_new (guint32, n);
  g_autofree Part    *parts      = g_new (Part, n + 1);
  double              level      = -INFINITY;

  for (gint64 p = 0; p < n; p++)
    {
      dynamics[p] = INFINITY;
      level       = MAX (level, image[p]);
    }
  for (gboolean more = TRUE; more; level = next_level (n, image, level))
    {
      more = FALSE;
      for (gint64 p = 0; p < n; p++)
        {
          foreground[p] = image[p] >= level;
          more         |= ! foreground[p];
        }
      memset (parts, 0, (n + 1) * sizeof *parts);
      (options->quick ? ref_label_quick : ref_label) (size, options->connectivity, foreground,
                                                      labels);
      measure (size, options, image, labels, NULL, parts);
      for (gint64 p = 0; p < n; p++)
        if (labels[p] && isinf (dynamics[p]) && parts[labels[p]].top > image[p])
          dynamics[p] = level < image[p] ? clamp_level (options, image[p])
                                           - clamp_level (options, level)
                                         : NOT_A_MAXIMUM;
    }
}

/* For each pixel whether it is one of a regional maximum that stays. */
static gboolean *
find_staying (const RefSize      *size,
              const RefAttribute *options,
              const double       *image)
{
  const gint64        n        = ref_n_pixels (size);
  g_autofree double  *dynamics = g_new (double, n);
  gboolean           *staying  = g_new (gboolean, n);

  find_dynamics (size, options, image, dynamics);
  for (gint64 p = 0; p < n; p++)
    staying[p] = dynamics[p] != NOT_A_MAXIMUM && dynamics[p] >= options->least;
  return staying;
}

/* From the highest level down: the first one at which a pixel's component stays. */
void
ref_attribute_opening (const RefSize      *size,
                       const RefAttribute *options,
                       const double       *image,
                       double             *out)
{
  const gint64         n          = ref_n_pixels (size);
  g_autofree guint8   *foreground = g_new (guint8, n);
  g_autofree guint32  *labels     = g_new (guint32, n);
  g_autofree Part     *parts      = g_new (Part, n + 1);
  g_autofree gboolean *done       = g_new0 (gboolean, n);
  g_autofree gboolean *staying    = options->kind == REF_BY_HEIGHT
                                    ? find_staying (size, options, image) : NULL;
  gint64               n_done     = 0;
  double               level      = image[0];

  for (gint64 p = 0; p < n; p++)
    level = MAX (level, image[p]);
  for (; n_done < n; level = next_level (n, image, level))
    {
      for (gint64 p = 0; p < n; p++)
        foreground[p] = image[p] >= level;
      memset (parts, 0, (n + 1) * sizeof *parts);
      (options->quick ? ref_label_quick : ref_label) (size, options->connectivity, foreground,
                                                      labels);
      measure (size, options, image, labels, staying, parts);
      for (gint64 p = 0; p < n; p++)
        if (! done[p] && labels[p] && stays (options, &parts[labels[p]]))
          {
            out[p]  = level;
            done[p] = TRUE;
            n_done++;
          }
    }
}

void
ref_attribute_closing (const RefSize      *size,
                       const RefAttribute *options,
                       const double       *image,
                       double             *out)
{
  const gint64       n     = ref_n_pixels (size);
  g_autofree double *minus = g_new (double, n);

  for (gint64 p = 0; p < n; p++)
    minus[p] = -image[p];
  ref_attribute_opening (size, options, minus, out);
  for (gint64 p = 0; p < n; p++)
    out[p] = 0.0 - out[p];
}
