/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Distance maps by propagation: from sites to distances and nearest pixels. */

#include "config.h"

#include <math.h>

#include "spread.h"


/* One row, @y of slice @z, whose sites are @values. */
typedef struct
{
  const WfSpread *spread;
  const guint64  *values;
  gint64          y, z;
  gboolean        any_foreground;
} Row;

static inline guint64
whole_squared (const Row *row,
               gint64     x)
{
  const WfSpread *spread = row->spread;
  const guint64   value  = row->values[x];
  WfPoint         site;

  if (spread->measure == WF_SITES_KEYED)
    return (value & ~WF_BACKGROUND_BIT) >> spread->code.shift_squared;
  site = wf_site_point (&spread->code, value);
  return (site.x - x) * (site.x - x) + (site.y - row->y) * (site.y - row->y)
         + (site.z - row->z) * (site.z - row->z);
}

static inline double
spaced_squared (const Row *row,
                gint64     x)
{
  const double  *spacing = row->spread->task->spacing;
  const WfPoint  site    = wf_site_point (&row->spread->code, row->values[x]);
  const double   along_x = ABS (site.x - x) * spacing[0];
  const double   along_y = ABS (site.y - row->y) * spacing[1];
  const double   along_z = ABS (site.z - row->z) * spacing[2];

  return along_x * along_x + (along_y * along_y + along_z * along_z);
}

static void
write_distances (const Row *row,
                 float     *out)
{
  const gboolean spaced = row->spread->measure == WF_SITES_SPACED;

  for (gint64 x = 0; x < row->spread->task->shape.width; x++)
    {
      const guint64 value = row->values[x];
      float         distance;

      if (value == WF_SITE_OWN)
        out[x] = 0;
      else if (value == WF_SITE_NONE)
        out[x] = row->any_foreground ? INFINITY : -INFINITY;
      else
        {
          distance = (float) sqrt (spaced ? spaced_squared (row, x)
                                          : (double) whole_squared (row, x));
          out[x] = value & WF_BACKGROUND_BIT ? 0 - distance : distance;
        }
    }
}

static void
write_squared (const Row *row,
               guint64   *out)
{
  for (gint64 x = 0; x < row->spread->task->shape.width; x++)
    out[x] = row->values[x] == WF_SITE_OWN ? 0
           : row->values[x] == WF_SITE_NONE ? G_MAXUINT64 : whole_squared (row, x);
}

static void
write_spaced_squared (const Row *row,
                      double    *out)
{
  for (gint64 x = 0; x < row->spread->task->shape.width; x++)
    out[x] = row->values[x] == WF_SITE_OWN ? 0
           : row->values[x] == WF_SITE_NONE ? INFINITY : spaced_squared (row, x);
}

static void
write_nearest (const Row *row,
               guint64   *out)
{
  const WfShape *shape = &row->spread->task->shape;
  const WfBox    image = wf_shape_box (shape);

  for (gint64 x = 0; x < shape->width; x++)
    {
      WfPoint site = { x, row->y, row->z };

      if (row->values[x] == WF_SITE_NONE)
        {
          out[x] = WF_NEAREST_NONE;
          continue;
        }
      if (row->values[x] != WF_SITE_OWN)
        site = wf_site_point (&row->spread->code, row->values[x]);
      out[x] = wf_box_holds (&image, site, 0, 0, 0) ? (guint64) wf_index_of_point (site, shape)
                                                    : WF_NEAREST_NONE;
    }
}

static void
write_row (const Row *row)
{
  const WfImage *out     = row->spread->task->out;
  const WfImage *nearest = row->spread->task->nearest;

  if (out)
    {
      const gint64 start = wf_image_offset (out, 0, row->y, row->z);

      switch (out->type)
        {
        case WF_TYPE_U64:
          write_squared (row, (guint64 *) out->data + start);
          break;
        case WF_TYPE_F64:
          write_spaced_squared (row, (double *) out->data + start);
          break;
        default:
          write_distances (row, (float *) out->data + start);
          break;
        }
    }
  if (nearest)
    write_nearest (row, (guint64 *) nearest->data
                        + wf_image_offset (nearest, 0, row->y, row->z));
}

/* Nothing fails or is cancelled from here on, so results go straight to their places. */
void
wf_spread_write (const WfSpread *spread,
                 gboolean        any_foreground,
                 guint           n_threads)
{
  const WfShape *shape = &spread->task->shape;
  const gint64   rows  = shape->height * shape->depth;

#pragma omp parallel for num_threads(n_threads) if (n_threads > 1)
  for (gint64 i = 0; i < rows; i++)
    write_row (&(Row) { spread, spread->field + i * shape->width, i % shape->height,
                        i / shape->height, any_foreground });
}
