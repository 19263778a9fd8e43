/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Basins and lines in the preview: each pixel of the view against the engine, for random
 * images and merges; and the time for a large view.
 */

#include "tests/support/tiers.h"
#include "preview-painting.h"
#include "ui/preview/preview.h"

#define N_BASINS     100000
#define LARGE_WIDTH  1920
#define LARGE_HEIGHT 1080

#define LINE 0x00e05au

/* Generous, so that a busy machine with two processors does not fail. */
#define MOST_SECONDS 0.25


/* Basins of random levels by the engine, with or without lines. */
static WfPreviewResult *
make_labels (int      width,
             int      height,
             gboolean lines,
             int      connectivity,
             WfImage *image)
{
  WfPreviewRegion           region  = { 1, 0, 0, width, height, 0 };
  g_autoptr (WfPreviewResult) result = wf_preview_result_new (&region);
  g_autoptr (WfContext)     context = wf_context_new ();
  WfWatershedOptions        options;
  GError                   *error   = NULL;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.lines        = lines;
  options.connectivity = connectivity;
  g_assert_true (wf_image_allocate (image, WF_TYPE_U8, width, height, 1, NULL));
  fill_random (image);
  g_assert_true (wf_image_allocate (&result->image, WF_TYPE_U32, width, height, 1, NULL));
  wf_watershed (context, image, NULL, &result->image, &result->n_labels, &options, &error);
  g_assert_no_error (error);
  result->lines     = lines;
  result->diagonals = connectivity == 8;
  if (lines)
    result->label_lines = wf_label_lines_new (NULL, &result->image, connectivity, NULL);
  return g_steal_pointer (&result);
}

static guint32
label_at (const WfImage *labels,
          gint64         x,
          gint64         y)
{
  x = CLAMP (x, 0, labels->width - 1);
  y = CLAMP (y, 0, labels->height - 1);
  return ((const guint32 *) labels->data)[y * labels->row_stride + x];
}

static gboolean
is_line (const WfImage *labels,
         gboolean       lines,
         gboolean       diagonals,
         int            x,
         int            y)
{
  const guint32 label = label_at (labels, x, y);

  if (lines)
    return label == 0;
  return label != label_at (labels, x + 1, y) || label != label_at (labels, x, y + 1) ||
         (diagonals && label != label_at (labels, x + 1, y + 1));
}

/* At 1:1 a merge looks like the engine's own relabelling, pixel by pixel, with lines and
 * without, and exactly the lines have the lines' colour.
 */
static void
test_labels_merged (void)
{
  for (guint i = 0; i < test_count (20, 60); i++)
    {
      const gboolean           lines        = i % 2;
      const int                connectivity = i / 2 % 2 ? 4 : 8;
      const int                width        = g_test_rand_int_range (1, 60);
      const int                height       = g_test_rand_int_range (1, 60);
      g_auto (WfImage)         image        = { 0 };
      g_auto (WfImage)         merged       = { 0 };
      g_autoptr (WfPreviewResult) result    = make_labels (width, height, lines, connectivity,
                                                           &image);
      WfHierarchyOptions       options      = { 0 };
      g_autoptr (WfHierarchy)  hierarchy    = NULL;
      g_autofree guint32      *regions      = g_new0 (guint32, result->n_labels);
      g_autofree guint32      *map          = g_new0 (guint32, result->n_labels + 1);
      g_autofree guint32      *colors       = g_new0 (guint32, result->n_labels + 1);
      WfPreviewStyle           style        = { .show_lines = TRUE, .show_basins = TRUE,
                                                .line = { LINE, 0 }, .line_opacity = 1,
                                                .line_width = 1, .basin_opacity = 1 };
      WfViewport               viewport     = make_view (width, height, 60, 60, 1);
      cairo_surface_t         *surface      = make_surface (&viewport);

      wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
      options.connectivity = connectivity;
      hierarchy = wf_hierarchy_new (NULL, &image, &result->image, &options, NULL);
      g_assert_nonnull (hierarchy);
      wf_hierarchy_cut_to_count (hierarchy,
                                 g_test_rand_int_range (1, (int) result->n_labels + 1), regions);
      g_assert_true (wf_image_allocate (&merged, WF_TYPE_U32, width, height, 1, NULL));
      g_assert_true (wf_hierarchy_relabel (NULL, hierarchy, regions, &result->image, &merged,
                                           NULL));
      for (guint32 label = 1; label <= result->n_labels; label++)
        {
          map[label]    = regions[label - 1];
          colors[label] = label;
        }
      style.basin_colors = colors;
      wf_preview_paint_labels (surface, surface, &viewport, result, map, &style);

      for (int y = 0; y < 60; y++)
        for (int x = 0; x < 60; x++)
          {
            int     column, row;
            guint32 expected = 0;

            if (image_pixel_at (&viewport, x, y, &column, &row))
              expected = is_line (&merged, lines, connectivity == 8, column, row)
                         ? OPAQUE (LINE) : OPAQUE (label_at (&merged, column, row));
            g_assert_cmphex (pixel_of (surface, x, y), ==, expected);
          }
      cairo_surface_destroy (surface);
    }
}

/* What is left out, or no basin at all. */
static guint32
kept_at (const WfImage *labels,
         const guint32 *map,
         int            x,
         int            y)
{
  const guint32 label = map[label_at (labels, x, y)];

  return label == WF_PREVIEW_LEFT_OUT ? 0 : label;
}

/* Basins that are left out are hatched, in dark and in light, and have no color; between them there
 * is no line.
 */
static void
test_labels_left_out (void)
{
  gboolean dark  = FALSE;
  gboolean light = FALSE;

  for (guint i = 0; i < test_count (20, 60); i++)
    {
      const gboolean           diagonals = i % 2;
      const int                side      = g_test_rand_int_range (1, 60);
      const guint32            under     = OPAQUE (0x606060u);
      g_auto (WfImage)         image     = { 0 };
      g_autoptr (WfPreviewResult) result = make_labels (side, side, FALSE, diagonals ? 8 : 4,
                                                        &image);
      const WfImage           *labels    = &result->image;
      g_autofree guint32      *map       = g_new0 (guint32, result->n_labels + 1);
      g_autofree guint32      *colors    = g_new0 (guint32, result->n_labels + 1);
      WfPreviewStyle           style     = { .show_lines = TRUE, .show_basins = TRUE,
                                             .line = { LINE, 0 }, .line_opacity = 1,
                                             .line_width = 1, .basin_opacity = 1,
                                             .basin_colors = colors };
      WfViewport               viewport  = make_view (side, side, 60, 60, 1);
      cairo_surface_t         *surface   = make_surface (&viewport);
      cairo_surface_t         *picture   = make_surface (&viewport);

      for (guint32 label = 1; label <= result->n_labels; label++)
        {
          map[label]    = g_test_rand_bit () ? WF_PREVIEW_LEFT_OUT : label;
          colors[label] = label;
        }
      for (int y = 0; y < 60; y++)
        for (int x = 0; x < 60; x++)
          wf_surface_row (picture, y)[x] = under;
      wf_preview_paint_labels (surface, picture, &viewport, result, map, &style);

      for (int y = 0; y < 60; y++)
        for (int x = 0; x < 60; x++)
          {
            const guint32 pixel = pixel_of (surface, x, y);
            int           column, row;
            guint32       kept;

            if (! image_pixel_at (&viewport, x, y, &column, &row))
              continue;
            kept = kept_at (labels, map, column, row);
            if (kept != kept_at (labels, map, column + 1, row) ||
                kept != kept_at (labels, map, column, row + 1) ||
                (diagonals && kept != kept_at (labels, map, column + 1, row + 1)))
              g_assert_cmphex (pixel, ==, OPAQUE (LINE));
            else if (kept != 0)
              g_assert_cmphex (pixel, ==, OPAQUE (kept));
            else
              {
                g_assert_cmphex (pixel & 0xff, ==, pixel >> 8 & 0xff);
                g_assert_cmphex (pixel & 0xff, ==, pixel >> 16 & 0xff);
                dark  |= pixel < under;
                light |= pixel > under;
              }
          }
      cairo_surface_destroy (surface);
      cairo_surface_destroy (picture);
    }
  g_assert_true (dark && light);
}

/* Of merged basins, as a run leaves some of them out.  @lines: set to those that stay */
static void
leave_out (const WfImage *merged,
           guint32        n,
           const guint8  *kept,
           WfImage       *left,
           WfImage       *lines)
{
  guint32 n_kept;

  g_assert_true (wf_image_allocate (left, WF_TYPE_U32, merged->width, merged->height, 1, NULL));
  g_assert_true (wf_image_allocate (lines, WF_TYPE_U8, merged->width, merged->height, 1, NULL));
  wf_objects_mark_lines (merged, NULL, lines);
  g_assert_true (wf_labels_keep (NULL, merged, left, kept, n, &n_kept, NULL));
  wf_objects_trim_lines (left, lines);
}

static gboolean
line_at (const WfImage *lines,
         gint64         x,
         gint64         y)
{
  return ((const guint8 *) lines->data)[y * lines->row_stride + x];
}

/* A line that is beside none of the basins that are kept goes with those that are left out, and
 * every other one stays.
 */
static void
test_lines_left_out (void)
{
  guint n_gone = 0;

  for (guint i = 0; i < test_count (30, 100); i++)
    {
      const int                    side     = g_test_rand_int_range (3, 60);
      g_auto (WfImage)             image    = { 0 };
      g_auto (WfImage)             merged   = { 0 };
      g_auto (WfImage)             left     = { 0 };
      g_auto (WfImage)             lines    = { 0 };
      g_autoptr (WfPreviewResult)  result   = make_labels (side, side, TRUE, 8, &image);
      WfHierarchyOptions           options  = { 0 };
      g_autoptr (WfHierarchy)      hierarchy = NULL;
      g_autofree guint32          *regions  = g_new0 (guint32, result->n_labels);
      g_autofree guint32          *map      = g_new0 (guint32, result->n_labels + 1);
      g_autofree guint32          *colors   = g_new0 (guint32, result->n_labels + 1);
      g_autofree guint8           *kept     = g_new0 (guint8, result->n_labels);
      WfPreviewStyle               style    = { .show_lines = TRUE, .show_basins = TRUE,
                                                .line = { LINE, 0 }, .line_opacity = 1,
                                                .line_width = 1, .basin_opacity = 1,
                                                .basin_colors = colors };
      WfViewport                   viewport = make_view (side, side, side, side, 1);
      cairo_surface_t             *surface  = make_surface (&viewport);
      guint32                      n;

      wf_option_group_init (wf_operation_get_options (WF_OPERATION_HIERARCHY), &options);
      options.connectivity = 8;
      hierarchy = wf_hierarchy_new (NULL, &image, &result->image, &options, NULL);
      g_assert_nonnull (hierarchy);
      n = wf_hierarchy_cut_to_count (hierarchy,
                                     g_test_rand_int_range (1, (int) result->n_labels + 1),
                                     regions);
      g_assert_true (wf_image_allocate (&merged, WF_TYPE_U32, side, side, 1, NULL));
      g_assert_true (wf_hierarchy_relabel (NULL, hierarchy, regions, &result->image, &merged,
                                           NULL));
      for (guint32 region = 0; region < n; region++)
        kept[region] = g_test_rand_int_range (0, 3) == 0;
      for (guint32 label = 1; label <= result->n_labels; label++)
        {
          map[label]    = kept[regions[label - 1] - 1] ? regions[label - 1] : WF_PREVIEW_LEFT_OUT;
          colors[label] = label;
        }
      leave_out (&merged, n, kept, &left, &lines);
      wf_preview_paint_labels (surface, surface, &viewport, result, map, &style);
      for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
          {
            const guint32 pixel = pixel_of (surface, x, y);

            if (label_at (&left, x, y) != 0)
              g_assert_cmphex (pixel, ==, OPAQUE (label_at (&merged, x, y)));
            else if (line_at (&lines, x, y))
              g_assert_cmphex (pixel, ==, OPAQUE (LINE));
            else
              g_assert_cmphex (pixel, !=, OPAQUE (LINE));
            n_gone += label_at (&merged, x, y) == 0 &&
                      ! line_at (&lines, x, y);
          }
      cairo_surface_destroy (surface);
    }
  g_assert_cmpuint (n_gone, >, 100);
}

static gboolean
is_inside (const WfImage *mask,
           int            x,
           int            y)
{
  return x < mask->width && y < mask->height && ((const guint8 *) mask->data)[y * mask->width + x];
}

/* Whether a line runs between a pixel of the mask and the one at a step from it. */
static gboolean
is_parted (const WfPreviewResult *result,
           int                    x,
           int                    y,
           int                    dx,
           int                    dy)
{
  return is_inside (&result->mask, x + dx, y + dy) &&
         label_at (&result->image, x, y) != label_at (&result->image, x + dx, y + dy);
}

static guint32
masked_pixel (const WfPreviewResult *result,
              int                    x,
              int                    y,
              guint32                picture)
{
  const guint32 label = label_at (&result->image, x, y);

  if (! is_inside (&result->mask, x, y))
    return picture;
  if (result->lines ? label == 0
                    : is_parted (result, x, y, 1, 0) || is_parted (result, x, y, 0, 1) ||
                      (result->diagonals && is_parted (result, x, y, 1, 1)))
    return OPAQUE (LINE);
  return OPAQUE (label);
}

/* Outside the mask there is the picture, and no line runs along the mask's edge. */
static void
test_labels_masked (void)
{
  for (guint i = 0; i < test_count (40, 200); i++)
    {
      g_auto (WfImage)             image    = { 0 };
      g_autoptr (WfPreviewResult)  result   = make_labels (24, 18, i % 2, i / 2 % 2 ? 4 : 8,
                                                           &image);
      g_autofree guint32          *colors   = g_new (guint32, result->n_labels + 1);
      WfViewport                   viewport = make_view (24, 18, 24, 18, 1);
      cairo_surface_t             *under    = make_surface (&viewport);
      cairo_surface_t             *surface  = make_surface (&viewport);
      WfPreviewStyle               style    = { .show_lines = TRUE, .show_basins = TRUE,
                                                .line = { LINE, 0 }, .line_opacity = 1,
                                                .line_width = 1, .basin_opacity = 1,
                                                .basin_colors = colors };

      for (guint32 label = 0; label <= result->n_labels; label++)
        colors[label] = label;
      g_assert_true (wf_image_allocate (&result->mask, WF_TYPE_U8, 24, 18, 1, NULL));
      for (int p = 0; p < 24 * 18; p++)
        {
          const gboolean inside = g_test_rand_int_range (0, 4) != 0;

          ((guint8 *) result->mask.data)[p] = inside;
          if (! inside)   /* as it is flooded */
            ((guint32 *) result->image.data)[p] = 0;
        }
      memset (cairo_image_surface_get_data (under), 0xff,
              (gsize) cairo_image_surface_get_stride (under) * 18);
      wf_preview_paint_labels (surface, under, &viewport, result, NULL, &style);
      for (int y = 0; y < 18; y++)
        for (int x = 0; x < 24; x++)
          g_assert_cmphex (pixel_of (surface, x, y), ==,
                           masked_pixel (result, x, y, 0xffffffff));
      cairo_surface_destroy (under);
      cairo_surface_destroy (surface);
    }
}

/* Enlarged, the line between two basins is on the boundary between their pixels: half of
 * it on either side, with at least the minimum width; all else shows the image.
 */
static void
test_labels_enlarged (void)
{
  static const struct
  {
    double zoom;
    int    asked;
    int    first;    /* of the line, from the boundary on */
    int    width;
  } cases[] =
  {
    { 2, 1, 0, 1 }, { 4, 1, 0, 1 }, { 4, 3, -1, 3 }, { 8, 1, -1, 2 }, { 16, 1, -2, 4 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const int                    k        = (int) cases[i].zoom;
      const int                    width    = 10 * k;
      WfViewport                   viewport = make_view (10, 4, width, 4 * k, cases[i].zoom);
      WfPreviewRegion              region   = { 1, 0, 0, 10, 4, 0 };
      g_autoptr (WfPreviewResult)  result   = wf_preview_result_new (&region);
      cairo_surface_t             *surface  = make_surface (&viewport);
      WfPreviewStyle               style    = { .show_lines = TRUE, .line = { LINE, 0 },
                                                .line_opacity = 1,
                                                .line_width = cases[i].asked };

      g_assert_true (wf_image_allocate (&result->image, WF_TYPE_U32, 10, 4, 1, NULL));
      result->n_labels = 2;
      for (int p = 0; p < 40; p++)
        ((guint32 *) result->image.data)[p] = p % 10 < 6 ? 1 : 2;
      wf_preview_paint_labels (surface, surface, &viewport, result, NULL, &style);

      for (int y = 0; y < 4 * k; y++)
        for (int x = 0; x < width; x++)
          {
            int from = 6 * k + cases[i].first;

            g_assert_cmphex (pixel_of (surface, x, y), ==,
                             x >= from && x < from + cases[i].width ? OPAQUE (LINE) : 0);
          }
      cairo_surface_destroy (surface);
    }
}

/* Reduced, no boundary between two shown pixels is lost, and no line of label 0 either. */
static void
test_labels_reduced (void)
{
  for (int i = 0; i < 2; i++)
    {
      WfViewport                   viewport = make_view (400, 400, 100, 100, 0.25);
      WfPreviewRegion              region   = { 1, 0, 0, 400, 400, 0 };
      g_autoptr (WfPreviewResult)  result   = wf_preview_result_new (&region);
      cairo_surface_t             *surface  = make_surface (&viewport);
      WfPreviewStyle               style    = { .show_lines = TRUE, .line = { LINE, 0 },
                                                .line_opacity = 1, .line_width = 1 };
      int                          n        = 0;

      g_assert_true (wf_image_allocate (&result->image, WF_TYPE_U32, 400, 400, 1, NULL));
      result->n_labels = 100;
      result->lines    = i;
      for (int p = 0; p < 160000; p++)
        {
          int column = p % 400;

          ((guint32 *) result->image.data)[p] = i && column % 101 == 100
                                                ? 0 : (guint32) (column / 101 + 1);
        }
      wf_preview_paint_labels (surface, surface, &viewport, result, NULL, &style);
      for (int x = 0; x < 100; x++)
        {
          guint32 first = pixel_of (surface, x, 0);

          n += first == OPAQUE (LINE);
          for (int y = 1; y < 100; y++)
            g_assert_cmphex (pixel_of (surface, x, y), ==, first);
        }
      g_assert_cmpint (n, ==, 3);
      cairo_surface_destroy (surface);
    }
}

/* A view that has jumped away from the region, along either axis, shows the picture alone. */
static void
test_labels_elsewhere (void)
{
  static const double zooms[] = { 0.5, 1, 2 };

  for (guint i = 0; i < 3 * G_N_ELEMENTS (zooms); i++)
    {
      const gboolean               left     = i % 3 != 1;   /* of the view */
      const gboolean               above    = i % 3 != 0;
      WfViewport                   viewport = make_view (400, 400, 100, 100, zooms[i / 3]);
      WfPreviewRegion              region   = { 1, left ? 0 : 150, above ? 0 : 150, 20, 20, 0 };
      g_autoptr (WfPreviewResult)  result   = wf_preview_result_new (&region);
      cairo_surface_t             *surface  = make_surface (&viewport);
      cairo_surface_t             *under    = make_surface (&viewport);
      WfPreviewStyle               style    = { .show_lines = TRUE, .line = { LINE, 0 },
                                                .line_opacity = 1, .line_width = 1,
                                                .selected = 1 };

      viewport.center_x = left ? 300 : 160;
      viewport.center_y = above ? 300 : 160;
      g_assert_true (wf_image_allocate (&result->image, WF_TYPE_U32, 20, 20, 1, NULL));
      result->n_labels = 2;
      for (int p = 0; p < 400; p++)
        ((guint32 *) result->image.data)[p] = p % 20 < 10 ? 1 : 2;
      for (int p = 0; p < 10000; p++)
        wf_surface_row (under, p / 100)[p % 100] = OPAQUE ((guint32) p);
      wf_preview_paint_labels (surface, under, &viewport, result, NULL, &style);

      for (int p = 0; p < 10000; p++)
        g_assert_cmphex (pixel_of (surface, p % 100, p / 100), ==, OPAQUE ((guint32) p));
      cairo_surface_destroy (under);
      cairo_surface_destroy (surface);
    }
}

/* A line keeps its colour where a component differs enough from the picture, and is white on dark
 * and black on bright pixels elsewhere; a colour in a greyscale image is white or black everywhere.
 */
static void
test_line_contrast (void)
{
  const guint32  green = 0x00e05a;
  WfLineContrast line;

  wf_line_contrast_init (&line, green, FALSE);
  g_assert_cmphex (wf_line_contrast_get (&line, 0x000000), ==, green);
  g_assert_cmphex (wf_line_contrast_get (&line, 0xffffff), ==, green);
  g_assert_cmphex (wf_line_contrast_get (&line, 0x20c050), ==, 0x000000);
  g_assert_cmphex (wf_line_contrast_get (&line, 0xff20c050), ==, 0x000000);
  wf_line_contrast_init (&line, 0x400000, FALSE);
  g_assert_cmphex (wf_line_contrast_get (&line, 0x100000), ==, 0xffffff);

  wf_line_contrast_init (&line, green, TRUE);
  g_assert_cmphex (wf_line_contrast_get (&line, 0x000000), ==, 0xffffff);
  g_assert_cmphex (wf_line_contrast_get (&line, 0xffffff), ==, 0x000000);

  wf_line_contrast_init (&line, 0x808080, TRUE);
  g_assert_cmphex (wf_line_contrast_get (&line, 0x000000), ==, 0x808080);
  g_assert_cmphex (wf_line_contrast_get (&line, 0x707070), ==, 0xffffff);
  g_assert_cmphex (wf_line_contrast_get (&line, 0x909090), ==, 0x000000);
}

/* Half opacity is half the colour, and exactly the highlighted basin is highlighted. */
static void
test_labels_opacity (void)
{
  WfViewport                   viewport = make_view (8, 1, 8, 1, 1);
  WfPreviewRegion              region   = { 1, 0, 0, 8, 1, 0 };
  g_autoptr (WfPreviewResult)  result   = wf_preview_result_new (&region);
  cairo_surface_t             *under    = make_surface (&viewport);
  cairo_surface_t             *surface  = make_surface (&viewport);
  const guint32                colors[] = { 0, 0x0000ff, 0xff0000 };
  const guint32                map[]    = { 0, 1, 2 };
  WfPreviewStyle               style    = { .show_lines = TRUE, .show_basins = TRUE,
                                            .line = { 0x00ff00, 0 }, .line_opacity = 0.5,
                                            .line_width = 1, .basin_colors = colors,
                                            .basin_opacity = 0.25, .highlighted = 2,
                                            .highlight_color = 0xffffff,
                                            .highlight_opacity = 0.5 };

  g_assert_true (wf_image_allocate (&result->image, WF_TYPE_U32, 8, 1, 1, NULL));
  result->n_labels = 2;
  for (int x = 0; x < 8; x++)
    {
      ((guint32 *) result->image.data)[x] = x < 4 ? 1 : x < 7 ? 2 : 0;
      ((guint32 *) (gpointer) cairo_image_surface_get_data (under))[x] = OPAQUE (0x808080);
    }
  wf_preview_paint_labels (surface, under, &viewport, result, map, &style);
  g_assert_cmphex (pixel_of (surface, 0, 0), ==, OPAQUE (0x60609f));
  g_assert_cmphex (pixel_of (surface, 3, 0), ==, OPAQUE (0x30af4f));
  g_assert_cmphex (pixel_of (surface, 4, 0), ==, OPAQUE (0xcfafaf));
  g_assert_cmphex (pixel_of (surface, 6, 0), ==, OPAQUE (0x67d757));
  g_assert_cmphex (pixel_of (surface, 7, 0), ==, OPAQUE (0x808080));
  cairo_surface_destroy (surface);
  cairo_surface_destroy (under);
}

/* A hundred thousand basins in a view of two megapixels, merged at random. */
static void
time_merge (gboolean lines)
{
  WfPreviewRegion              region   = { 1, 0, 0, LARGE_WIDTH, LARGE_HEIGHT, 0 };
  WfViewport                   viewport = make_view (LARGE_WIDTH, LARGE_HEIGHT,
                                                     LARGE_WIDTH, LARGE_HEIGHT, 1);
  g_autoptr (WfPreviewResult)  result   = wf_preview_result_new (&region);
  g_autofree guint32          *map      = g_new0 (guint32, N_BASINS + 1);
  g_autofree guint32          *colors   = g_new0 (guint32, N_BASINS + 1);
  cairo_surface_t             *under    = make_surface (&viewport);
  cairo_surface_t             *surface  = make_surface (&viewport);
  WfPreviewStyle               style    = { .line = { LINE, 0 }, .line_opacity = 0.8,
                                            .line_width = 1, .basin_colors = colors,
                                            .basin_opacity = 0.5 };
  guint32                     *labels;
  double                       seconds;

  g_assert_true (wf_image_allocate (&result->image, WF_TYPE_U32, LARGE_WIDTH, LARGE_HEIGHT, 1,
                                    NULL));
  labels           = result->image.data;
  result->n_labels = N_BASINS;
  result->lines    = lines;
  /* blocks of 4 × 5 pixels, numbered in raster order, as basins are */
  for (int y = 0; y < LARGE_HEIGHT; y++)
    for (int x = 0; x < LARGE_WIDTH; x++)
      {
        guint32 label = (guint32) (y / 5 * (LARGE_WIDTH / 4) + x / 4 + 1);

        *labels++ = lines && (x % 4 == 0 || y % 5 == 0) ? 0 : MIN (label, N_BASINS);
      }
  for (guint32 i = 1; i <= N_BASINS; i++)
    {
      map[i]    = (guint32) g_test_rand_int_range (1, N_BASINS + 1);
      colors[i] = g_test_rand_int () & 0xffffff;
    }
  if (lines)
    {
      g_test_timer_start ();
      result->label_lines = wf_label_lines_new (NULL, &result->image, 8, NULL);
      g_test_message ("finding what the lines divide: %.1f ms", g_test_timer_elapsed () * 1000);
    }

  for (int mode = 1; mode < 4; mode++)
    {
      double best = G_MAXDOUBLE;

      style.show_lines  = mode & 1;
      style.show_basins = (mode & 2) != 0;
      for (int i = 0; i < 30; i++)
        {
          g_test_timer_start ();
          wf_preview_paint_labels (surface, under, &viewport, result, map, &style);
          seconds = g_test_timer_elapsed ();
          best    = MIN (best, seconds);
        }
      g_test_message ("%s%s%s: %.1f ms", lines ? "with lines of their own, " : "",
                      style.show_lines ? "lines" : "", style.show_basins ? " tints" : "",
                      best * 1000);
      g_assert_cmpfloat (best, <, MOST_SECONDS);
    }
  cairo_surface_destroy (surface);
  cairo_surface_destroy (under);
}

static void
test_speed (void)
{
  time_merge (FALSE);
  time_merge (TRUE);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/painter/labels-merged", test_labels_merged);
  g_test_add_func ("/painter/labels-left-out", test_labels_left_out);
  g_test_add_func ("/painter/labels-lines-left-out", test_lines_left_out);
  g_test_add_func ("/painter/labels-masked", test_labels_masked);
  g_test_add_func ("/painter/labels-enlarged", test_labels_enlarged);
  g_test_add_func ("/painter/labels-reduced", test_labels_reduced);
  g_test_add_func ("/painter/labels-elsewhere", test_labels_elsewhere);
  g_test_add_func ("/painter/labels-opacity", test_labels_opacity);
  g_test_add_func ("/painter/line-contrast", test_line_contrast);
  g_test_add_func ("/painter/speed", test_speed);

  return g_test_run ();
}
