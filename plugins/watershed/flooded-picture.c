/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps to what is flooded, in the preview instead of the picture: the levels of the chosen
 * component or stain; these smoothed; and what is flooded, the smoothed levels, their gradient, or
 * the inverted distances in objects, as they are after inversion.  Each is shown from black at the
 * lowest to white at the highest, with the markers in their colors.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "basin-flood.h"
#include "flooded-picture.h"
#include "masked-flood.h"
#include "plugins/common/results/palette.h"

#define SHOWN "picture-shown"

typedef enum
{
  SHOW_PICTURE,
  SHOW_LEVELS,
  SHOW_SMOOTHED,
  SHOW_FLOODED
} Shown;

static const WfChoice choices[] =
{
  { "picture",  SHOW_PICTURE,  N_("The picture") },
  { "levels",   SHOW_LEVELS,   N_("Its levels") },
  { "smoothed", SHOW_SMOOTHED, N_("The smoothed levels") },
  { "flooded",  SHOW_FLOODED,  N_("What is flooded") },
  { NULL,       0,             NULL }
};

static const WfOption option =
{
  .name    = SHOWN,
  .kind    = WF_OPTION_CHOICE,
  .label   = N_("Previe_w of"),
  .blurb   = N_("In the preview, show a step to what is flooded instead of the picture: the levels "
                "of the chosen component or stain, these smoothed, or the levels, edges or "
                "distances that are flooded, with the markers in their colors"),
  .choices = choices,
};

/**
 * Showing:
 * @result: (nullable): the last one that is complete
 */
typedef struct
{
  GObject         *config;
  WfPreview       *preview;
  WfPreviewResult *result;
} Showing;


/*  The picture  */

/* Outside of what is flooded a relief is infinite. */
static guint8 *
paint_relief (const WfImage *relief)
{
  const gint64 n      = wf_image_n_pixels (relief);
  guint8      *pixels = g_try_malloc ((gsize) n * 4);
  double       least;
  double       most;

  if (! pixels)
    return NULL;
  wf_image_find_range (relief, &least, &most);
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

static Shown
find_shown (GObject *config)
{
  g_autofree char *name = NULL;

  g_object_get (config, SHOWN, &name, NULL);
  for (const WfChoice *choice = choices; choice->name; choice++)
    if (g_strcmp0 (name, choice->name) == 0)
      return (Shown) choice->value;
  return SHOW_PICTURE;
}

/* As they are flooded where they are brightness; without memory, nothing. */
static void
smooth (const WfPreviewBasins *basins,
        WfImage               *smoothed)
{
  WfImage          levels  = basins->inputs->images[0];
  g_auto (WfImage) objects = { 0 };
  WfReliefOptions  options;

  levels.allocated = NULL;
  wf_option_group_init (wf_relief_get_options (), &options);
  options.input     = WF_INPUT_LEVELS;
  options.smoothing = basins->smoothing;
  if (! wf_masked_relief_make (NULL, &basins->inputs->images[2], &levels, TRUE, &options, smoothed,
                               &objects, NULL))
    wf_image_clear (smoothed);
}

static void
show (Showing *showing)
{
  const Shown            shown    = find_shown (showing->config);
  WfPreviewResult       *result   = showing->result;
  const WfPreviewBasins *basins   = result ? result->extra : NULL;
  g_auto (WfImage)       smoothed = { 0 };
  WfImage                view;
  guint8                *pixels;

  if (shown == SHOW_PICTURE)
    wf_preview_set_picture (showing->preview, NULL, NULL);
  if (shown == SHOW_PICTURE || ! basins)
    return;
  if (shown == SHOW_SMOOTHED)
    smooth (basins, &smoothed);
  view   = slice_of (shown == SHOW_LEVELS     ? &basins->inputs->images[0]
                     : shown == SHOW_SMOOTHED ? &smoothed : &basins->relief, result->slice);
  pixels = view.data ? paint_relief (&view) : NULL;
  if (! pixels)
    return;
  view = slice_of (&basins->inputs->images[1], result->slice);
  paint_markers (&view, pixels);
  wf_preview_set_picture (showing->preview, &result->region, pixels);
}

/* A corrected result has no relief of its own. */
static void
completed (Showing         *showing,
           WfPreviewResult *result)
{
  const WfPreviewBasins *basins = result->complete ? result->extra : NULL;

  if (! basins || ! basins->relief.data)
    return;
  g_clear_pointer (&showing->result, wf_preview_result_unref);
  showing->result = wf_preview_result_ref (result);
  show (showing);
}

static void
failed (Showing    *showing,
        const char *message)
{
  g_clear_pointer (&showing->result, wf_preview_result_unref);
  wf_preview_set_picture (showing->preview, NULL, NULL);
}

static void
showing_free (gpointer  data,
              GClosure *closure)
{
  g_clear_pointer (&((Showing *) data)->result, wf_preview_result_unref);
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
  gimp_procedure_add_string_aux_argument (procedure, SHOWN, "Picture shown",
                                          "What the dialog shows: picture, levels, smoothed or "
                                          "flooded", choices[0].name, G_PARAM_READWRITE);
}

/**
 * wf_flooded_picture_add_control:
 * @dialog: the dialog
 * @grid: of a frame
 *
 * Adds a row that chooses what is shown.
 */
void
wf_flooded_picture_add_control (WfDialog     *dialog,
                                WfOptionGrid *grid)
{
  Showing  *showing = g_new0 (Showing, 1);
  GClosure *closure;

  showing->config  = G_OBJECT (wf_dialog_get_run (dialog)->config);
  showing->preview = wf_dialog_get_preview (dialog);
  if (find_shown (showing->config) == SHOW_PICTURE)   /* or a name of another version */
    g_object_set (showing->config, SHOWN, choices[0].name, NULL);
  wf_option_grid_add_option (grid, &option);
  closure = g_cclosure_new_swap (G_CALLBACK (show), showing, NULL);
  g_object_watch_closure (G_OBJECT (showing->preview), closure);
  g_signal_connect_closure (showing->config, "notify::" SHOWN, closure, FALSE);
  g_signal_connect_swapped (showing->preview, "failed", G_CALLBACK (failed), showing);
  g_signal_connect_data (showing->preview, "completed", G_CALLBACK (completed), showing,
                         showing_free, G_CONNECT_SWAPPED);
}
