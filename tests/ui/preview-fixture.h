/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A preview in a window, of a synthetic image, with the watershed as its operation. */

#pragma once

#include <gtk/gtk.h>

#include "ui/preview/preview.h"

G_BEGIN_DECLS

#define FIXTURE_WIDTH  480
#define FIXTURE_HEIGHT 360

/**
 * FixtureSettings:
 * @tolerance: of the watershed
 * @lines: whether it makes lines
 * @levels: whether the result is the smoothed image instead
 * @delay: minimum seconds of the computation, unless it is cancelled
 * @late: minimum seconds until the result is complete, likewise
 * @fail: whether the computation fails
 */
typedef struct
{
  double   tolerance;
  gboolean lines;
  gboolean levels;
  double   delay;
  double   late;
  gboolean fail;
} FixtureSettings;

/**
 * Fixture:
 * @image: cells, bright on dark, noisy
 * @colors: the same as R, G, B, A
 * @unreadable: whether reading pixels to compute on fails
 * @unfetchable: whether fetching fails
 * @fetching: the region that was fetched last, of which @n_fetched pieces are there
 * @n_patched: how often incomplete colors were read
 * @invalidated: whether the source was invalidated
 * @differs: whether the source reports changes
 * @n_computed: how often there was a result
 * @n_completed: how often it was complete
 * @n_reads: how often pixels were read to compute on
 */
typedef struct
{
  WfImage          image;
  guint8          *colors;
  FixtureSettings  settings;
  GtkWidget       *window;
  GtkWidget       *widget;
  WfPreview       *preview;
  int              scale;
  gboolean         unreadable;
  gboolean         unfetchable;
  WfPreviewRegion  fetching;
  int              n_pieces;
  int              n_fetched;
  int              n_patched;
  gboolean         invalidated;
  gboolean         differs;
  int              n_computed;
  int              n_completed;
  int              n_failed;
  int              n_reads;
  int              n_hovered;
  guint            hovered;
  char            *measurements;
} Fixture;

/**
 * FixtureImage:
 * @side: of the image, in pixels
 * @transparent: whether a part of it is transparent
 * @pane: whether the preview is shown with its controls
 * @n_pieces: how many pieces have to be fetched before a region can be read, two
 *   milliseconds each; 0: none
 * @n_slices: of a stack with equal slices
 */
typedef struct
{
  int      side;
  gboolean transparent;
  gboolean pane;
  int      n_pieces;
  int      n_slices;
} FixtureImage;

/* The number of copies of settings; when the last computation began; how long the last
 * finished one took.
 */
extern int             fixture_n_copies;
extern volatile gint64 fixture_begun_at;
extern double          fixture_seconds;

typedef void (* FixtureTest) (Fixture       *fixture,
                              gconstpointer  image);

void              fixture_add       (const char         *path,
                                     const FixtureImage *image,
                                     FixtureTest         test);
void              fixture_wait      (Fixture            *fixture,
                                     int                 n_computed);
void              fixture_wait_for  (guint               milliseconds);
void              fixture_recompute (Fixture            *fixture);
WfPreviewResult * fixture_compute   (Fixture            *fixture);

G_END_DECLS
