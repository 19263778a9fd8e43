/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Outlines as GeoJSON (RFC 7946): a FeatureCollection with a feature for each region, whose
 * geometry is a Polygon, or a MultiPolygon where it is in pieces.  Coordinates are those of the
 * outlines times the size of a pixel.  The members “objectType” and “name” of the properties, and
 * of stacks “plane” of the geometry, are those that QuPath reads.
 */

#include "config.h"

#include <inttypes.h>

#include "outline-formats.h"


/* Whole numbers as such. */
static void
append_number (GString *text,
               gint64   place,
               double   size)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (size == 1)
    g_string_append_printf (text, "%" PRId64, place);
  else
    g_string_append (text, g_ascii_formatd (number, sizeof number, "%.12g",
                                            (double) place * size));
}

/* The last point is the first one again. */
static void
append_ring (GString             *text,
             const WfOutlineRing *ring,
             const double        *spacing)
{
  g_string_append_c (text, '[');
  for (gint64 i = 0; i <= ring->n_points; i++)
    {
      const WfOutlinePoint *point = &ring->points[i % ring->n_points];

      g_string_append (text, i == 0 ? "[" : ",[");
      append_number (text, point->x, spacing[0]);
      g_string_append_c (text, ',');
      append_number (text, point->y, spacing[1]);
      g_string_append_c (text, ']');
    }
  g_string_append_c (text, ']');
}

static void
append_geometry (GString         *text,
                 const WfOutline *region,
                 gboolean         with_plane,
                 const double    *spacing)
{
  const gboolean several = region->n_polygons > 1;

  g_string_append_printf (text, "{\"type\":\"%s\",", several ? "MultiPolygon" : "Polygon");
  if (with_plane)
    g_string_append_printf (text, "\"plane\":{\"c\":-1,\"z\":%" PRId64 ",\"t\":0},",
                            region->slice);
  g_string_append (text, several ? "\"coordinates\":[[" : "\"coordinates\":[");
  for (gint64 i = 0; i < region->n_rings; i++)
    {
      if (i > 0)
        g_string_append (text, region->rings[i].is_hole ? "," : "],[");
      append_ring (text, &region->rings[i], spacing);
    }
  g_string_append (text, several ? "]]}" : "]}");
}

/* The text, to be freed. */
char *
wf_outlines_format_geojson (const WfOutlines *outlines,
                            gboolean          is_stack,
                            const char       *object_type,
                            const double     *spacing)
{
  GString *text = g_string_new ("{\"type\":\"FeatureCollection\",\"features\":[");

  for (gint64 i = 0; i < wf_outlines_get_n_regions (outlines); i++)
    {
      const WfOutline *region = wf_outlines_get_region (outlines, i);

      g_string_append (text, i > 0 ? ",\n" : "\n");
      g_string_append (text, "{\"type\":\"Feature\",\"geometry\":");
      append_geometry (text, region, is_stack, spacing);
      g_string_append_printf (text, ",\"properties\":{\"objectType\":\"%s\",\"name\":\"%u\","
                                    "\"label\":%u}}", object_type, region->label,
                              region->label);
    }
  g_string_append (text, "\n]}\n");
  return g_string_free (text, FALSE);
}
