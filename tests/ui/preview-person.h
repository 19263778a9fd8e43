/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a person sees in a preview and does with it.  Lengths are in pixels of the widget; the
 * view has fixture->scale times as many device pixels.
 */

#pragma once

#include <math.h>

#include "preview-fixture.h"
#include "ui/preview/pixels.h"

G_BEGIN_DECLS

/* The preview's default colour of lines. */
#define LINE 0xff00e05au

cairo_surface_t * fixture_draw         (Fixture                 *fixture);
void              fixture_paint        (Fixture                 *fixture);

void              fixture_focus        (Fixture                 *fixture);
gboolean          fixture_press_key    (Fixture                 *fixture,
                                        guint                    key,
                                        GdkModifierType          state);
void              fixture_press_button (Fixture                 *fixture,
                                        GdkEventType             type,
                                        double                   x,
                                        double                   y);
void              fixture_move_pointer (Fixture                 *fixture,
                                        double                   x,
                                        double                   y);
void              fixture_leave        (Fixture                 *fixture);
void              fixture_scroll       (Fixture                 *fixture,
                                        double                   x,
                                        double                   y,
                                        double                   steps);
void              fixture_pinch        (Fixture                 *fixture,
                                        GdkTouchpadGesturePhase  phase,
                                        double                   factor);


static inline double
get_zoom (Fixture *fixture)
{
  double zoom;

  g_object_get (fixture->widget, "zoom", &zoom, NULL);
  return zoom;
}

static inline double
get_split (Fixture *fixture)
{
  double split;

  g_object_get (fixture->widget, "split", &split, NULL);
  return split;
}

static inline void
set_mode (Fixture       *fixture,
          WfPreviewMode  mode)
{
  g_object_set (fixture->widget, "mode", mode, NULL);
}

static inline guint32
pixel_of (cairo_surface_t *surface,
          int              x,
          int              y)
{
  return wf_surface_row (surface, y)[x];
}

/* Of the view from @left to @right, in pixels of the widget. */
static inline int
count_pixels (Fixture *fixture,
              guint32  color,
              int      left,
              int      right)
{
  cairo_surface_t *surface = fixture_draw (fixture);
  int              n       = 0;

  for (int y = 0; y < FIXTURE_HEIGHT * fixture->scale; y++)
    for (int x = left * fixture->scale; x < right * fixture->scale; x++)
      n += pixel_of (surface, x, y) == color;
  cairo_surface_destroy (surface);
  return n;
}

static inline int
count_lines (Fixture *fixture)
{
  return count_pixels (fixture, LINE, 0, FIXTURE_WIDTH);
}

/* The position of a centred image's corner, at whole zooms. */
static inline double
origin (int    view,
        int    image,
        double zoom)
{
  return round (view / 2.0 - image / 2.0 * zoom);
}

static inline guint32
label_at (const WfPreviewResult *result,
          int                    x,
          int                    y)
{
  return ((const guint32 *) result->image.data)[(gsize) y * result->image.row_stride + x];
}

G_END_DECLS
