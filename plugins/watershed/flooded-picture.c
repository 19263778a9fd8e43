/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is flooded, in the preview instead of the picture: levels of the chosen component or stain,
 * smoothed, their gradient, or the inverted distances in objects, as they are after inversion, from
 * black at the lowest to white at the highest; and the markers in their colors.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "basin-flood.h"
#include "flooded-picture.h"
#include "plugins/common/results/palette.h"

#define SHOWN "flooded-shown"

typedef struct
{
  GObject   *config;
  WfPreview *preview;
} Showing;


/*  The picture  */

/* Of what is flooded: outside of it a relief is infinite. */
static void
find_range (const WfImage *relief,
            double        *least,
            double        *most)
{
  double low  = INFINITY;
  double high = -INFINITY;

#pragma omp parallel for reduction (min: low) reduction (max: high)
  for (gint64 i = 0; i < wf_image_n_pixels (relief); i++)
    {
      const double level = wf_preview_get_level (relief, i);

      if (isfinite (level))
        {
          low  = MIN (low, level);
          high = MAX (high, level);
        }
    }
  *least = low;
  *most  = high;
}

static guint8 *
paint_relief (const WfImage *relief)
{
  const gint64 n      = wf_image_n_pixels (relief);
  guint8      *pixels = g_try_malloc ((gsize) n * 4);
  double       least;
  double       most;

  if (! pixels)
    return NULL;
  find_range (relief, &least, &most);
#pragma omp parallel for
  for (gint64 i = 0; i < n; i++)
    {
      const double level = wf_preview_get_level (relief, i);
      const double share = level > least && most > least ? (level - least) / (most - least) : 0;

      memset (pixels + 4 * i, (int) (MIN (share, 1) * 255 + 0.5), 3);
      pixels[4 * i + 3] = 255;
    }
  return pixels;
}

static void
paint_markers (const WfImage *markers,
               guint8        *pixels)
{
  const guint32 *label = markers->data;

  for (gint64 i = 0; label && i < wf_image_n_pixels (markers); i++)
    if (label[i] != 0)
      {
        float color[4];

        wf_palette_get_color (label[i], color);
        for (int k = 0; k < 3; k++)
          pixels[4 * i + k] = (guint8) (CLAMP (color[k], 0, 1) * 255 + 0.5f);
      }
}


/*  In the preview  */

/* Of a stack the slice that is shown; empty of what is empty. */
static WfImage
slice_of (const WfImage *image,
          gint64         slice)
{
  WfImage view = *image;

  if (image->depth > 1)
    view.data = (char *) image->data + (gsize) (slice * image->slice_stride)
                                       * wf_type_size (image->type);
  view.depth = MIN (image->depth, 1);
  return view;
}

static void
show (Showing *showing)
{
  WfPreviewResult       *result = wf_preview_get_result (showing->preview);
  const WfPreviewBasins *basins = result && result->complete ? result->extra : NULL;
  guint8                *pixels;
  WfImage                relief;
  WfImage                markers;
  gboolean               is_shown;

  g_object_get (showing->config, SHOWN, &is_shown, NULL);
  if (! is_shown)
    wf_preview_set_picture (showing->preview, NULL, NULL);
  if (! is_shown || ! basins || ! basins->relief.data)
    return;
  relief = slice_of (&basins->relief, result->slice);
  pixels = paint_relief (&relief);
  if (! pixels)
    return;
  markers = slice_of (&basins->inputs->images[1], result->slice);
  paint_markers (&markers, pixels);
  wf_preview_set_picture (showing->preview, &result->region, pixels);
}

static void
completed (Showing         *showing,
           WfPreviewResult *result)
{
  show (showing);
}

static void
failed (Showing    *showing,
        const char *message)
{
  wf_preview_set_picture (showing->preview, NULL, NULL);
}

static void
showing_free (gpointer  data,
              GClosure *closure)
{
  g_free (data);
}

/**
 * wf_flooded_picture_add_arguments:
 * @procedure: a procedure under construction
 *
 * Adds what the dialog remembers.
 */
void
wf_flooded_picture_add_arguments (GimpProcedure *procedure)
{
  gimp_procedure_add_boolean_aux_argument (procedure, SHOWN, "What is flooded shown",
                                           "Whether the dialog shows what is flooded", FALSE,
                                           G_PARAM_READWRITE);
}

/**
 * wf_flooded_picture_add_control:
 * @dialog: the dialog
 * @grid: of a frame
 *
 * Adds a row that shows what is flooded.
 */
void
wf_flooded_picture_add_control (WfDialog     *dialog,
                                WfOptionGrid *grid)
{
  GtkWidget *check   = gtk_check_button_new_with_mnemonic (_("Show _what is flooded"));
  Showing   *showing = g_new0 (Showing, 1);
  GClosure  *closure;

  showing->config  = G_OBJECT (wf_dialog_get_run (dialog)->config);
  showing->preview = wf_dialog_get_preview (dialog);
  g_object_bind_property (showing->config, SHOWN, check, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  wf_option_grid_add_widget (grid, NULL, check,
                             _("In the preview, show the levels, edges or distances that are "
                               "flooded instead of the picture, with the markers in their "
                               "colors"));
  closure = g_cclosure_new_swap (G_CALLBACK (show), showing, NULL);
  g_object_watch_closure (G_OBJECT (showing->preview), closure);
  g_signal_connect_closure (showing->config, "notify::" SHOWN, closure, FALSE);
  g_signal_connect_swapped (showing->preview, "failed", G_CALLBACK (failed), showing);
  g_signal_connect_data (showing->preview, "completed", G_CALLBACK (completed), showing,
                         showing_free, G_CONNECT_SWAPPED);
}
