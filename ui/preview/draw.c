/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Draws a preview: the image, the result beside or over it, and on top of both the messages,
 * in the theme's colours.
 *
 * The two pictures, before and after, are kept as surfaces of the view's size in device
 * pixels, and painted again only when their contents have changed.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "private.h"

#define CHECK_SIZE        8
/* Of the highlighted basin: on tints; else it has the colour of the lines. */
#define LIGHT_COLOR       0xffffff
#define LIGHT_OPACITY     0.5
#define HIGHLIGHT_OPACITY 0.35
#define SELECTED_COLOR    0xffb000
/* Of fonts of numbers. */
#define LEAST_NUMBER      8.0
#define GREATEST_NUMBER   18.0
#define BADGE_MARGIN      8.0
#define BADGE_PADDING     5.0
#define BADGE_RADIUS      4.0
#define BADGE_OPACITY     0.9
#define ERROR_WIDTH       0.8
#define SPINNER_SIZE      18.0
#define SPINNER_PERIOD    1.0
#define SPINNER_INTERVAL  50
#define SPLIT_GRIP        9.0
#define CROSS_SIZE        7.0
#define FOCUS_WIDTH       2.0


/*  The two pictures  */

static guint32
pack_color (double red,
            double green,
            double blue)
{
  return (guint32) (CLAMP (red, 0, 1)   * 255 + 0.5) << 16 |
         (guint32) (CLAMP (green, 0, 1) * 255 + 0.5) << 8 |
         (guint32) (CLAMP (blue, 0, 1)  * 255 + 0.5);
}

/* In memory that is shared with the display, if possible. */
static cairo_surface_t *
make_surface (WfPreview *preview)
{
  GtkWidget *widget = GTK_WIDGET (preview);

  return gdk_window_create_similar_image_surface (gtk_widget_get_window (widget),
                                                  CAIRO_FORMAT_ARGB32,
                                                  preview->viewport.view_width,
                                                  preview->viewport.view_height,
                                                  gtk_widget_get_scale_factor (widget));
}

/* The colours of the first labels are kept, as a label's colour does not change. */
static const guint32 *
get_basin_colors (WfPreview *preview,
                  guint32    last)
{
  GArray *colors = preview->basin_colors;

  while (colors->len <= last)
    {
      float   rgb[3] = { 0 };
      guint32 color;

      preview->palette (colors->len, rgb, preview->palette_data);
      color = pack_color (rgb[0], rgb[1], rgb[2]);
      g_array_append_val (colors, color);
    }
  return (const guint32 *) (gpointer) colors->data;
}

static WfPreviewStyle
get_style (WfPreview *preview)
{
  const WfPreviewMode mode   = preview->mode;
  const gboolean      basins = mode == WF_PREVIEW_RESULT || mode == WF_PREVIEW_BASINS ||
                               mode == WF_PREVIEW_LINES_AND_BASINS;
  const gboolean      tinted = basins && preview->palette;
  const guint32       color  = pack_color (preview->line_color.red, preview->line_color.green,
                                           preview->line_color.blue);
  WfLineContrast      line;

  wf_line_contrast_init (&line, color, preview->grey);
  return (WfPreviewStyle)
    {
      .show_lines        = mode == WF_PREVIEW_LINES || mode == WF_PREVIEW_LINES_AND_BASINS,
      .show_basins       = tinted,
      .line              = line,
      .line_opacity      = preview->line_opacity * preview->line_color.alpha,
      .line_width        = gtk_widget_get_scale_factor (GTK_WIDGET (preview)),
      .basin_colors      = tinted ? get_basin_colors (preview, preview->result->n_labels) : NULL,
      .basin_opacity     = mode == WF_PREVIEW_RESULT ? 1 : preview->basin_opacity,
      .highlighted       = preview->hovered,
      .highlight_color   = tinted ? LIGHT_COLOR : color,
      .highlight_opacity = tinted ? LIGHT_OPACITY : HIGHLIGHT_OPACITY,
      .selected          = preview->selected,
      .selected_color    = SELECTED_COLOR,
    };
}

/* Colours cover only a part; around it what was there stays visible. */
static void
paint_over (WfPreview             *preview,
            cairo_surface_t       *surface,
            const WfPreviewColors *colors,
            int                    check_size)
{
  cairo_surface_t *over = make_surface (preview);
  cairo_t         *cr   = cairo_create (surface);

  wf_preview_paint_colors (over, &preview->viewport, colors, check_size);
  cairo_set_source_surface (cr, over, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (over);
}

static void
paint_colors_after (WfPreview *preview,
                    int        check_size)
{
  const WfPreviewColors  colors = { .region = preview->result->region,
                                    .pixels = preview->result->image.data };
  cairo_t               *cr     = cairo_create (preview->after);

  cairo_set_operator (cr, CAIRO_OPERATOR_SOURCE);
  cairo_set_source_surface (cr, preview->before, 0, 0);
  cairo_paint (cr);
  cairo_destroy (cr);
  paint_over (preview, preview->after, &colors, check_size);
}

/* On objects that are large enough at this zoom for a number that can be read. */
static void
paint_numbers (WfPreview *preview)
{
  const WfViewport *viewport = &preview->viewport;
  const int         factor   = gtk_widget_get_scale_factor (GTK_WIDGET (preview));
  cairo_t          *cr       = cairo_create (preview->after);
  gint64            left, top;

  wf_viewport_get_origin (viewport, &left, &top);
  cairo_scale (cr, 1.0 / factor, 1.0 / factor);   /* device pixels */
  for (guint i = 0; i < preview->numbers->len; i++)
    {
      const WfPreviewNumber *number = &g_array_index (preview->numbers, WfPreviewNumber, i);
      const double           x      = number->x * viewport->zoom + (double) left;
      const double           y      = number->y * viewport->zoom + (double) top;
      const double           radius = number->radius * viewport->zoom;
      double                 size;

      if (radius < LEAST_NUMBER * factor / 2 || x < -radius || y < -radius ||
          x > viewport->view_width + radius || y > viewport->view_height + radius)
        continue;
      size = wf_number_find_size (cr, number->number, radius);
      if (size >= LEAST_NUMBER * factor)
        wf_number_draw (cr, number->number, x, y, MIN (size, GREATEST_NUMBER * factor));
    }
  cairo_destroy (cr);
}

static void
paint_after (WfPreview *preview,
             int        check_size)
{
  if (preview->result->colors)
    paint_colors_after (preview, check_size);
  else if (preview->result->image.type == WF_TYPE_U32)
    {
      WfPreviewStyle style = get_style (preview);

      wf_preview_paint_labels (preview->after, preview->before, &preview->viewport,
                               preview->result, preview->map, &style);
      if (preview->numbers)
        paint_numbers (preview);
    }
  else
    {
      wf_preview_paint_levels (preview->after, preview->before, &preview->viewport,
                               preview->result, &preview->colors, check_size);
    }
}

static gboolean
has_after (WfPreview *preview)
{
  return preview->result && preview->mode != WF_PREVIEW_IMAGE;
}

static void
paint (WfPreview *preview)
{
  const int check_size = CHECK_SIZE * gtk_widget_get_scale_factor (GTK_WIDGET (preview));

  if (! preview->before)
    {
      preview->before       = make_surface (preview);
      preview->before_dirty = TRUE;
    }
  if (preview->before_dirty)
    {
      wf_preview_paint_colors (preview->before, &preview->viewport, &preview->colors, check_size);
      if (preview->picture.pixels)
        paint_over (preview, preview->before, &preview->picture, check_size);
      preview->before_dirty = FALSE;
      preview->after_dirty  = TRUE;
    }
  if (! has_after (preview))
    return;

  if (! preview->after)
    {
      preview->after       = make_surface (preview);
      preview->after_dirty = TRUE;
    }
  if (preview->after_dirty)
    {
      paint_after (preview, check_size);
      preview->after_dirty = FALSE;
    }
}

static void
show_part (cairo_t         *cr,
           cairo_surface_t *surface,
           double           from,
           double           to,
           double           height)
{
  cairo_save (cr);
  cairo_rectangle (cr, from, 0, to - from, height);
  cairo_clip (cr);
  cairo_set_source_surface (cr, surface, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
}


/*  Messages  */

/* The background of the dialog, by whatever name the theme has for it. */
static void
get_window_color (WfPreview *preview,
                  GdkRGBA   *color)
{
  GtkWidget          *window = gtk_widget_get_toplevel (GTK_WIDGET (preview));
  GtkStyleContext    *style  = gtk_widget_get_style_context (window);
  g_autoptr (GdkRGBA) back   = NULL;

  gtk_style_context_get (style, gtk_style_context_get_state (style),
                         GTK_STYLE_PROPERTY_BACKGROUND_COLOR, &back, NULL);
  *color = *back;
}

static void
get_theme_colors (WfPreview *preview,
                  GdkRGBA   *back,
                  GdkRGBA   *text)
{
  GtkStyleContext *style = gtk_widget_get_style_context (GTK_WIDGET (preview));

  gtk_style_context_get_color (style, gtk_style_context_get_state (style), text);
  get_window_color (preview, back);
  if (back->alpha < 0.5)
    {
      const double grey = text->red + text->green + text->blue > 1.5 ? 0 : 1;

      *back = (GdkRGBA) { grey, grey, grey, 1 };
    }
  back->alpha = BADGE_OPACITY;
}

static void
round_rectangle (cairo_t *cr,
                 double   x,
                 double   y,
                 double   width,
                 double   height)
{
  const double r = BADGE_RADIUS;

  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - r, y + r, r, -G_PI / 2, 0);
  cairo_arc (cr, x + width - r, y + height - r, r, 0, G_PI / 2);
  cairo_arc (cr, x + r, y + height - r, r, G_PI / 2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
}

/* Draws @text on a background of its own, at @across and @down from 0 to 1 of the part of the
 * preview from @left to @right.  Nothing is drawn if there is no room.
 */
static void
draw_badge (WfPreview  *preview,
            cairo_t    *cr,
            const char *text,
            double      left,
            double      right,
            double      across,
            double      down,
            gboolean    wrap)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (preview), text);
  const double            height = gtk_widget_get_allocated_height (GTK_WIDGET (preview));
  GdkRGBA                 back, front;
  int                     text_width, text_height;
  double                  box_width, box_height, x, y;

  if (wrap)
    {
      pango_layout_set_width (layout, (int) ((right - left) * ERROR_WIDTH) * PANGO_SCALE);
      pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
      pango_layout_set_alignment (layout, PANGO_ALIGN_CENTER);
    }
  pango_layout_get_pixel_size (layout, &text_width, &text_height);
  if (wrap)
    {
      pango_layout_set_width (layout, text_width * PANGO_SCALE);
      pango_layout_get_pixel_size (layout, &text_width, &text_height);
    }
  box_width  = text_width  + 2 * BADGE_PADDING;
  box_height = text_height + 2 * BADGE_PADDING;
  if (! wrap && box_width + 2 * BADGE_MARGIN > right - left)
    return;

  x = floor (left + BADGE_MARGIN + (right - left - 2 * BADGE_MARGIN - box_width) * across);
  y = floor (BADGE_MARGIN + (height - 2 * BADGE_MARGIN - box_height) * down);

  get_theme_colors (preview, &back, &front);
  gdk_cairo_set_source_rgba (cr, &back);
  round_rectangle (cr, x, y, box_width, box_height);
  cairo_fill (cr);
  gdk_cairo_set_source_rgba (cr, &front);
  cairo_move_to (cr, x + BADGE_PADDING, y + BADGE_PADDING);
  pango_cairo_show_layout (cr, layout);
}

static void
draw_words (WfPreview *preview,
            cairo_t   *cr,
            double     width)
{
  const char *message = wf_preview_get_message (preview);

  if (preview->result && has_after (preview) && preview->result->region.scale < 1)
    {
      g_autofree char *zoom = wf_zoom_format (preview->result->region.scale);
      /* TRANSLATORS: %s is a scale like 1:4 */
      g_autofree char *text = g_strdup_printf (_("Preview at %s"), zoom);

      draw_badge (preview, cr, text, 0, width, 0, 1, FALSE);
    }
  if (message)
    draw_badge (preview, cr, message, 0, width, 0.5, 0.5, TRUE);
}


/*  The split  */

/* White with dark edges, to be visible on every image. */
static void
stroke_on_image (cairo_t *cr,
                 double   width)
{
  cairo_set_source_rgba (cr, 0, 0, 0, 0.6);
  cairo_set_line_width (cr, width + 2);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);
}

static void
draw_split (WfPreview *preview,
            cairo_t   *cr,
            double     edge,
            double     width,
            double     height)
{
  const double middle = floor (height / 2) + 0.5;
  const double r      = SPLIT_GRIP;

  cairo_move_to (cr, edge, 0);
  cairo_line_to (cr, edge, height);
  stroke_on_image (cr, 1);

  cairo_arc (cr, edge, middle, r, 0, 2 * G_PI);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.6);
  cairo_fill_preserve (cr);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
  for (int side = -1; side <= 1; side += 2)
    {
      cairo_move_to (cr, edge + side * r * 0.3, middle - r * 0.4);
      cairo_line_to (cr, edge + side * r * 0.7, middle);
      cairo_line_to (cr, edge + side * r * 0.3, middle + r * 0.4);
      cairo_stroke (cr);
    }

  draw_badge (preview, cr, _("Before"), 0, edge, 1, 0, FALSE);
  draw_badge (preview, cr, _("After"), edge, width, 0, 0, FALSE);
}


/*  Marks  */

static void
draw_cross (cairo_t *cr,
            double   width,
            double   height)
{
  const double x = floor (width / 2) + 0.5;
  const double y = floor (height / 2) + 0.5;

  cairo_move_to (cr, x - CROSS_SIZE, y);
  cairo_line_to (cr, x + CROSS_SIZE, y);
  cairo_move_to (cr, x, y - CROSS_SIZE);
  cairo_line_to (cr, x, y + CROSS_SIZE);
  stroke_on_image (cr, 1);
}

static void
draw_spinner (WfPreview *preview,
              cairo_t   *cr,
              double     width)
{
  const double seconds = (g_get_monotonic_time () - preview->spinner_start) / 1e6;
  const double angle   = 2 * G_PI * fmod (seconds / SPINNER_PERIOD, 1);
  const double x       = width - BADGE_MARGIN - SPINNER_SIZE / 2 - BADGE_PADDING;
  const double y       = BADGE_MARGIN + SPINNER_SIZE / 2 + BADGE_PADDING;
  GdkRGBA      back, front;

  get_theme_colors (preview, &back, &front);
  cairo_arc (cr, x, y, SPINNER_SIZE / 2 + BADGE_PADDING, 0, 2 * G_PI);
  gdk_cairo_set_source_rgba (cr, &back);
  cairo_fill (cr);
  cairo_arc (cr, x, y, SPINNER_SIZE / 2 - 1, angle, angle + 1.4 * G_PI);
  gdk_cairo_set_source_rgba (cr, &front);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
}

static gboolean
turn_spinner (gpointer data)
{
  gtk_widget_queue_draw (data);
  return G_SOURCE_CONTINUE;
}

/**
 * wf_preview_set_spinning:
 * @preview: a preview
 * @spinning: whether the busy indicator is shown
 */
void
wf_preview_set_spinning (WfPreview *preview,
                         gboolean   spinning)
{
  if (spinning && ! preview->spinner_id)
    {
      preview->spinner_start  = g_get_monotonic_time ();
      preview->spinner_id = g_timeout_add (SPINNER_INTERVAL, turn_spinner, preview);
    }
  else if (! spinning)
    {
      g_clear_handle_id (&preview->spinner_id, g_source_remove);
    }
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

static void
draw_focus (WfPreview *preview,
            cairo_t   *cr,
            double     width,
            double     height)
{
  GtkStyleContext *style = gtk_widget_get_style_context (GTK_WIDGET (preview));
  GdkRGBA          accent;

  if (! gtk_style_context_lookup_color (style, "theme_selected_bg_color", &accent))
    gtk_style_context_get_color (style, gtk_style_context_get_state (style), &accent);
  gdk_cairo_set_source_rgba (cr, &accent);
  cairo_set_line_width (cr, FOCUS_WIDTH);
  cairo_rectangle (cr, FOCUS_WIDTH / 2, FOCUS_WIDTH / 2, width - FOCUS_WIDTH, height - FOCUS_WIDTH);
  cairo_stroke (cr);
}


/**
 * wf_preview_draw:
 * @widget: a preview
 * @cr: to draw with
 *
 * Returns: %FALSE
 */
gboolean
wf_preview_draw (GtkWidget *widget,
                 cairo_t   *cr)
{
  WfPreview    *preview = WF_PREVIEW (widget);
  const double  width   = gtk_widget_get_allocated_width (widget);
  const double  height  = gtk_widget_get_allocated_height (widget);
  const double  edge    = floor (preview->split * width) + 0.5;
  const gint64  start   = g_get_monotonic_time ();

  gtk_render_background (gtk_widget_get_style_context (widget), cr, 0, 0, width, height);
  if (preview->colors.pixels)
    {
      paint (preview);
      if (! has_after (preview))
        {
          show_part (cr, preview->before, 0, width, height);
        }
      else if (! preview->split_view)
        {
          show_part (cr, preview->after, 0, width, height);
        }
      else
        {
          show_part (cr, preview->before, 0, edge, height);
          show_part (cr, preview->after, edge, width, height);
        }
      if (preview->split_view)
        draw_split (preview, cr, edge, width, height);
    }

  wf_preview_draw_marks (preview, cr);
  wf_preview_draw_stroke (preview, cr);
  draw_words (preview, cr, width);
  if (preview->inspecting && preview->hovered)
    draw_cross (cr, width, height);
  if (preview->spinner_id)
    draw_spinner (preview, cr, width);
  if (gtk_widget_has_visible_focus (widget))
    draw_focus (preview, cr, width, height);
  g_debug ("preview: %s drawn in %.1f ms", has_after (preview) ? "result" :
           preview->colors.pixels ? "image" : "nothing", (g_get_monotonic_time () - start) / 1e3);
  return GDK_EVENT_PROPAGATE;
}

/**
 * wf_preview_result_changed:
 * @preview: a preview
 *
 * Draws the result again, as it or its look has changed.
 */
void
wf_preview_result_changed (WfPreview *preview)
{
  preview->after_dirty = TRUE;
  gtk_widget_queue_draw (GTK_WIDGET (preview));
}

/**
 * wf_preview_forget_surfaces:
 * @preview: a preview
 *
 * Frees the pictures, as their size has changed.
 */
void
wf_preview_forget_surfaces (WfPreview *preview)
{
  g_clear_pointer (&preview->before, cairo_surface_destroy);
  g_clear_pointer (&preview->after, cairo_surface_destroy);
}
