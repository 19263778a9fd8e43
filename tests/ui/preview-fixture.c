/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <string.h>

#include "ui/preview/array.h"
#include "preview-fixture.h"
#include "ui/preview/pane.h"

#define CELL_DISTANCE 34
#define GOLDEN_STEP   0.6180339887498949

int             fixture_n_copies;
volatile gint64 fixture_begun_at;
double          fixture_seconds;


/*  The image  */

/* Noisy domes of different brightness on an irregular grid; neighbours touch. */
static void
make_image (Fixture            *fixture,
            const FixtureImage *about)
{
  const int          side   = about->side;
  const int          n      = side / CELL_DISTANCE + 3;
  g_autofree double *levels = g_new0 (double, (gsize) side * side);
  guint8            *pixels;

  for (int i = 0; i < n * n; i++)
    {
      const double x      = (i % n - 1 + 0.7 * fmod (i * GOLDEN_STEP, 1)) * CELL_DISTANCE;
      const double y      = (i / n - 1 + 0.7 * fmod (i * i * GOLDEN_STEP, 1)) * CELL_DISTANCE;
      const double radius = CELL_DISTANCE * (0.42 + 0.16 * fmod (i * 0.7548776662466927, 1));
      const double height = 90 + 80 * fmod (i * 0.5698402909980532, 1);

      for (int row = MAX (0, (int) (y - 1.3 * radius)); row < MIN (side, y + 1.3 * radius); row++)
        for (int column = MAX (0, (int) (x - 1.3 * radius));
             column < MIN (side, x + 1.3 * radius); column++)
          {
            double far   = hypot (column - x, row - y) / radius;
            double dome  = height * (0.6 + 0.4 * fmax (0, 1 - far * far)) /
                           (1 + exp (14 * (far - 0.95)));
            double *here = &levels[(gsize) row * side + column];

            *here = fmax (*here, dome);
          }
    }

  g_assert_true (wf_image_allocate (&fixture->image, WF_TYPE_U8, side, side, 1, NULL));
  pixels          = fixture->image.data;
  fixture->colors = g_new (guint8, 4 * (gsize) side * side);
  for (gsize i = 0; i < (gsize) side * side; i++)
    {
      const int     column = (int) (i % side);
      const double  noise  = 5 * (fmod (i * GOLDEN_STEP, 1) + fmod (i * i % 9973 * 0.7548, 1) - 1);
      guint8       *color  = fixture->colors + 4 * i;

      pixels[i] = (guint8) CLAMP (30 + levels[i] + noise + 10 * sin (column * 0.01), 0, 255);
      color[0]  = pixels[i];
      color[1]  = (guint8) (pixels[i] * 0.9);
      color[2]  = (guint8) CLAMP (pixels[i] * 1.1, 0, 255);
      color[3]  = about->transparent
                  ? (guint8) CLAMP (255.0 * (1.3 - (double) column / side * 1.6), 0, 255) : 255;
    }
}

static gboolean
read_colors (const WfPreviewRegion  *region,
             guint8                 *pixels,
             gpointer                data,
             GError                **error)
{
  Fixture  *fixture = data;
  const int pieces  = fixture->n_pieces;
  const int there   = pieces ? region->height * MIN (fixture->n_fetched, pieces) / pieces
                             : region->height;

  wf_preview_array_read_colors (fixture->colors, (int) fixture->image.width,
                                (int) fixture->image.height, region, pixels);
  if (there == region->height)
    return TRUE;

  /* pixels come from the top down */
  memset (pixels + 4 * (gsize) there * region->width, 0,
          4 * (gsize) (region->height - there) * region->width);
  fixture->n_patched++;
  return TRUE;
}

static gboolean
fetch (const WfPreviewRegion  *region,
       WfPreviewPart           part,
       WfFetch                *step,
       gpointer                data,
       GError                **error)
{
  Fixture *fixture = data;

  if (fixture->unfetchable)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, "The layer was deleted.");
      return FALSE;
    }
  if (! wf_preview_region_holds (&fixture->fetching, region) ||
      ! wf_preview_region_holds (region, &fixture->fetching))
    fixture->n_fetched = 0;
  fixture->fetching = *region;
  for (; fixture->n_fetched < fixture->n_pieces && g_get_monotonic_time () < step->deadline;
       fixture->n_fetched++)
    g_usleep (2000);
  step->complete = fixture->n_fetched >= fixture->n_pieces;
  return TRUE;
}

static gboolean
invalidate (gpointer data)
{
  Fixture *fixture = data;

  fixture->invalidated = TRUE;
  fixture->n_fetched   = 0;
  return TRUE;
}

static gboolean
has_changed (WfPreviewPart part,
             gpointer      data)
{
  Fixture *fixture = data;

  g_assert_true (fixture->n_fetched >= fixture->n_pieces);
  return fixture->differs;
}

static gboolean
read_inputs (const WfPreviewRegion  *region,
             WfImage                 inputs[WF_PREVIEW_N_INPUTS],
             gpointer                data,
             GError                **error)
{
  Fixture *fixture = data;

  fixture->n_reads++;
  g_assert_true (fixture->n_fetched >= fixture->n_pieces);
  if (fixture->unreadable)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_MEMORY, "There is not enough memory.");
      return FALSE;
    }
  return wf_preview_array_read_levels (&fixture->image, region, &inputs[0], error);
}


/*  The computation  */

static gpointer
copy_settings (gpointer data)
{
  g_atomic_int_inc (&fixture_n_copies);
  return g_memdup2 (data, sizeof (FixtureSettings));
}

static void
free_settings (gpointer settings)
{
  g_atomic_int_add (&fixture_n_copies, -1);
  g_free (settings);
}

static gboolean
smooth (WfContext      *context,
        const WfImage  *image,
        WfImage        *out,
        GError        **error)
{
  WfFilterOptions options;

  wf_option_group_init (wf_operation_get_options (WF_OPERATION_GAUSSIAN), &options);
  options.sigma = 2;
  return wf_image_allocate (out, image->type, image->width, image->height, 1, error) &&
         wf_gaussian (context, image, out, &options, error);
}

/* Repeats a computation of the engine, which can be cancelled. */
static gboolean
linger (WfContext      *context,
        const WfImage  *image,
        double          seconds,
        GError        **error)
{
  const gint64 end = g_get_monotonic_time () + (gint64) (seconds * 1e6);

  while (g_get_monotonic_time () < end)
    {
      g_auto (WfImage) out = { 0 };

      if (! smooth (context, image, &out, error))
        return FALSE;
    }
  return TRUE;
}

/* The cells are bright, so their negative is flooded. */
static gboolean
flood (WfContext              *context,
       WfImage                *image,
       const FixtureSettings  *settings,
       WfPreviewResult        *result,
       GError                **error)
{
  const gint64        n      = wf_image_n_pixels (image);
  guint8             *levels = image->data;
  WfWatershedOptions  options;

  for (gint64 i = 0; i < n; i++)
    levels[i] ^= 0xff;
  wf_option_group_init (wf_operation_get_options (WF_OPERATION_WATERSHED), &options);
  options.tolerance = settings->tolerance;
  options.lines     = settings->lines;
  if (! wf_image_allocate (&result->image, WF_TYPE_U32, image->width, image->height, 1, error) ||
      ! wf_watershed (context, image, NULL, &result->image, &result->n_labels, &options, error))
    return FALSE;

  result->lines     = settings->lines;
  result->diagonals = TRUE;
  if (settings->lines)
    result->label_lines = wf_label_lines_new (context, &result->image, options.connectivity, error);
  return ! settings->lines || result->label_lines != NULL;
}

static gboolean
compute_settings (WfContext              *context,
                  const WfPreviewInputs  *inputs,
                  const FixtureSettings  *settings,
                  WfPreviewResult        *result,
                  GError                **error)
{
  g_auto (WfImage) smoothed = { 0 };

  if (settings->fail)
    {
      g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID,
                           "The layer “Markers” has no marker in the part that is shown.");
      return FALSE;
    }
  if (! linger (context, &inputs->images[0], settings->delay, error) ||
      ! smooth (context, &inputs->images[0], &smoothed, error))
    return FALSE;
  if (! settings->levels)
    return flood (context, &smoothed, settings, result, error);

  result->image = smoothed;
  result->white = 255;
  smoothed      = (WfImage) { 0 };
  return TRUE;
}

static gboolean
compute (WfContext              *context,
         const WfPreviewInputs  *inputs,
         gconstpointer           settings,
         WfPreviewResult        *result,
         GError                **error)
{
  const gint64 start = g_get_monotonic_time ();
  gboolean     done;

  fixture_begun_at = start;
  result->complete = ((const FixtureSettings *) settings)->late == 0;
  done             = compute_settings (context, inputs, settings, result, error);
  fixture_seconds  = (g_get_monotonic_time () - start) / 1e6;
  return done;
}

static gboolean
complete (WfContext              *context,
          const WfPreviewInputs  *inputs,
          gconstpointer           data,
          WfPreviewResult        *result,
          GError                **error)
{
  const FixtureSettings *settings = data;

  return linger (context, &inputs->images[0], settings->late, error);
}

static const WfPreviewComputation computation = { copy_settings, free_settings, compute,
                                                  complete };

/**
 * fixture_compute:
 * @fixture: a fixture
 *
 * Returns: (transfer full): the result for the region that the preview shows, computed
 *   without the preview.
 */
WfPreviewResult *
fixture_compute (Fixture *fixture)
{
  const WfPreviewSource        source  = { .width       = (int) fixture->image.width,
                                           .height      = (int) fixture->image.height,
                                           .read_colors = read_colors,
                                           .read_inputs = read_inputs };
  const WfPreviewRegion       *region  = &wf_preview_get_result (fixture->preview)->region;
  g_autoptr (WfPreviewInputs)  inputs  = wf_preview_inputs_new (&source, fixture, region, NULL);
  g_autoptr (WfContext)        context = wf_context_new ();
  WfPreviewResult             *result  = wf_preview_result_new (region);

  g_assert_true (compute (context, inputs, &fixture->settings, result, NULL));
  fixture->n_reads--;
  return result;
}


/*  The window  */

static void
palette (guint32  label,
         float    color[3],
         gpointer unused)
{
  for (int i = 0; i < 3; i++)
    color[i] = (float) (0.5 + 0.5 * cos (2 * G_PI * (label * GOLDEN_STEP + i / 3.0)));
}

static char *
describe (const WfPreviewResult *result,
          const guint32         *map,
          guint32                basin,
          gpointer               unused)
{
  const guint32 *labels = result->image.data;
  gint64         area   = 0;

  for (gint64 i = 0; i < wf_image_n_pixels (&result->image); i++)
    area += (map ? map[labels[i]] : labels[i]) == basin;
  return g_strdup_printf ("Basin %u: %" G_GINT64_FORMAT " pixels", basin, area);
}

static void
on_computed (Fixture         *fixture,
             WfPreviewResult *result)
{
  g_assert_true (result == wf_preview_get_result (fixture->preview));
  fixture->n_computed++;
}

static void
on_completed (Fixture         *fixture,
              WfPreviewResult *result)
{
  g_assert_true (result == wf_preview_get_result (fixture->preview));
  g_assert_true (result->complete);
  fixture->n_completed++;
}

static void
on_failed (Fixture    *fixture,
           const char *message)
{
  g_assert_cmpstr (message, ==, wf_preview_get_error (fixture->preview));
  fixture->n_failed++;
}

static void
on_hovered (Fixture    *fixture,
            guint       basin,
            const char *measurements)
{
  fixture->n_hovered++;
  fixture->hovered = basin;
  g_free (fixture->measurements);
  fixture->measurements = g_strdup (measurements);
}

static void
set_up (Fixture       *fixture,
        gconstpointer  image)
{
  const FixtureImage *about  = image;
  WfPreviewSource     source = { .read_colors = read_colors, .read_inputs = read_inputs };
  GtkWidget          *child;

  make_image (fixture, about);
  fixture->settings.tolerance = 6;
  fixture->n_pieces           = about->n_pieces;
  source.fetch                = about->n_pieces ? fetch : NULL;
  source.invalidate           = about->n_pieces ? invalidate : NULL;
  source.has_changed          = has_changed;
  source.n_slices             = about->n_slices;
  source.slice                = about->n_slices / 2;
  source.width  = (int) fixture->image.width;
  source.height = (int) fixture->image.height;

  fixture->window  = gtk_window_new (GTK_WINDOW_TOPLEVEL);
  child            = about->pane ? wf_preview_pane_new (TRUE) : wf_preview_new ();
  fixture->preview = about->pane ? wf_preview_pane_get_preview (WF_PREVIEW_PANE (child))
                                 : WF_PREVIEW (child);
  fixture->widget  = GTK_WIDGET (fixture->preview);
  fixture->scale   = gtk_widget_get_scale_factor (fixture->widget);
  g_signal_connect_swapped (fixture->widget, "computed", G_CALLBACK (on_computed), fixture);
  g_signal_connect_swapped (fixture->widget, "completed", G_CALLBACK (on_completed), fixture);
  g_signal_connect_swapped (fixture->widget, "failed", G_CALLBACK (on_failed), fixture);
  g_signal_connect_swapped (fixture->widget, "basin-hovered", G_CALLBACK (on_hovered), fixture);
  g_signal_connect (fixture->widget, "destroy", G_CALLBACK (gtk_widget_destroyed),
                    &fixture->widget);
  wf_preview_set_palette (fixture->preview, palette, NULL);
  wf_preview_set_describe (fixture->preview, describe, NULL);
  wf_preview_set_source (fixture->preview, &source, fixture);
  wf_preview_set_computation (fixture->preview, &computation, &fixture->settings);

  gtk_widget_set_size_request (fixture->widget, FIXTURE_WIDTH, FIXTURE_HEIGHT);
  gtk_container_add (GTK_CONTAINER (fixture->window), child);
  gtk_window_set_resizable (GTK_WINDOW (fixture->window), FALSE);
  gtk_widget_show_all (fixture->window);
  gtk_test_widget_wait_for_draw (fixture->window);
  if (about->pane)
    return;
  g_assert_cmpint (gtk_widget_get_allocated_width (fixture->widget), ==, FIXTURE_WIDTH);
  g_assert_cmpint (gtk_widget_get_allocated_height (fixture->widget), ==, FIXTURE_HEIGHT);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  image)
{
  if (fixture->widget)
    g_signal_handlers_disconnect_by_data (fixture->widget, fixture);
  gtk_widget_destroy (fixture->window);
  g_assert_cmpint (g_atomic_int_get (&fixture_n_copies), ==, 0);
  wf_image_clear (&fixture->image);
  g_free (fixture->colors);
  g_free (fixture->measurements);
}

/**
 * fixture_add:
 * @path: of the test
 * @image: what the preview shows; must stay valid
 * @test: the test
 *
 * Adds a test that begins with a preview in a window.
 */
void
fixture_add (const char         *path,
             const FixtureImage *image,
             FixtureTest         test)
{
  g_test_add (path, Fixture, image, set_up, test, tear_down);
}

static gboolean
set_true (gpointer flag)
{
  *(gboolean *) flag = TRUE;
  return G_SOURCE_REMOVE;
}

/**
 * fixture_wait_for:
 * @milliseconds: how long the main loop runs
 */
void
fixture_wait_for (guint milliseconds)
{
  gboolean over = FALSE;

  g_timeout_add (milliseconds, set_true, &over);
  while (! over)
    gtk_main_iteration ();
}

/**
 * fixture_wait:
 * @fixture: a fixture
 * @n_computed: a number of results
 *
 * Waits for this many results, and until pending events are handled.
 */
void
fixture_wait (Fixture *fixture,
              int      n_computed)
{
  while (fixture->n_computed < n_computed)
    gtk_main_iteration ();
  while (gtk_events_pending ())
    gtk_main_iteration ();
}

/**
 * fixture_recompute:
 * @fixture: a fixture
 *
 * Computes anew with the present settings, and waits for the result; a computation that is
 * still running is dropped.
 */
void
fixture_recompute (Fixture *fixture)
{
  const int n = fixture->n_computed;

  wf_preview_recompute (fixture->preview);
  fixture_wait (fixture, n + 1);
}
