/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <math.h>
#include <time.h>

#include "tests/filters/filter-call.h"
#include "tests/morphology/morphology-call.h"
#include "work.h"

#define SIDE_FIRST 256
#define SIDE_LAST  20000
#define WAVE       60

/* The height for operations that have one, and what other openings by attributes keep. */
#define WORK_HEIGHT 50
#define WORK_AREA   500

const char *
work_name (WfOperation operation)
{
  return wf_operation_get_options (operation)->name;
}

static guint
noise_at (gint64 x,
          gint64 y)
{
  guint noise = (guint) x * 2654435761u ^ (guint) y * 2246822519u;

  noise ^= noise >> 15;
  noise *= 2246822519u;
  noise ^= noise >> 13;
  noise *= 3266489917u;
  return noise ^ noise >> 16;
}

static gboolean
is_derived (WfOperation operation)
{
  return operation_is (operation, WF_WORKS_BY_RECONSTRUCTION);
}

static gboolean
is_regional (WfOperation operation)
{
  return operation == WF_OPERATION_REGIONAL_MAXIMA || operation == WF_OPERATION_REGIONAL_MINIMA;
}

static gboolean
has_option (WfOperation  operation,
            const char  *name)
{
  return wf_option_group_find (wf_operation_get_options (operation), name) != NULL;
}

static gboolean
is_of_labels (WfOperation operation)
{
  return wf_operation_describe (operation)->inputs[0].content == WF_CONTENT_LABELS;
}

/* Whether the operation works on dark parts of the image. */
static gboolean
is_dark (WfOperation operation)
{
  static const WfOperation dark[] =
  {
    WF_OPERATION_FILL_HOLES, WF_OPERATION_H_MINIMA, WF_OPERATION_H_BASIN,
    WF_OPERATION_REGIONAL_MINIMA, WF_OPERATION_EXTENDED_MINIMA,
    WF_OPERATION_CLOSING_BY_RECONSTRUCTION, WF_OPERATION_BLACK_TOP_HAT_BY_RECONSTRUCTION,
    WF_OPERATION_IMPOSE_MINIMA
  };

  for (guint i = 0; i < G_N_ELEMENTS (dark); i++)
    if (operation == dark[i])
      return TRUE;
  return FALSE;
}

/* Properties of an image that are the same for all pixels.
 *
 * @heights: whether the operation depends on the height of an extremum
 * @waves: one period of a sine
 */
typedef struct
{
  WfOperation operation;
  gint64      side;
  gboolean    derived;
  gboolean    regional;
  gboolean    heights;
  gboolean    dark;
  double      waves[WAVE];
} Picture;

static void
picture_init (Picture     *picture,
              WfOperation  operation,
              gint64       side)
{
  picture->operation = operation;
  picture->side      = side;
  picture->derived   = is_derived (operation);
  picture->regional  = is_regional (operation);
  picture->heights   = picture->regional || has_option (operation, "height");
  picture->dark      = is_dark (operation);
  for (int i = 0; i < WAVE; i++)
    picture->waves[i] = sin (2 * G_PI * i / WAVE);
}

/* An image on which an operation by reconstruction takes long: a corridor that winds through
 * the image and begins in a room at a corner.  The room holds a structuring element, lies
 * at the border, is marked, and is higher than the corridor by the height of extrema.
 */
static guint8
level_of_corridor (const Picture *picture,
                   gint64         x,
                   gint64         y)
{
  gint64   u        = (picture->regional ? y : x) - 1;
  gint64   v        = (picture->regional ? x : y) - 1;
  gint64   length   = picture->side - 2;
  gboolean inside   = u >= 0 && u < length && v >= 0 && v < length;
  gboolean corridor = inside && (v % 2 == 0 || u == (v / 2 % 2 ? 0 : length - 1));
  guint8   level    = noise_at (x, y) % 7;

  if (x < 2 && y < 2)
    level = 200;
  else if (corridor)
    level = picture->heights ? 200 - WORK_HEIGHT : 200;
  return picture->dark ? 255 - level : level;
}

/* Of a filter that takes long. */
#define WORK_SIGMA  20
#define WORK_RADIUS 25

/* For a watershed waves and some noise: basins, slopes and plateaux everywhere.  For a
 * distance map and labels that grow scattered points, for labels and filters noise.  For a
 * reconstruction one corridor that winds through the whole image, on which even the fastest
 * algorithms take long.
 */
static guint8
level_at (const Picture *picture,
          gint64         x,
          gint64         y)
{
  guint noise = noise_at (x, y);

  if (picture->derived)
    return level_of_corridor (picture, x, y);
  switch ((int) picture->operation)
    {
    case WF_OPERATION_RECONSTRUCT:
    case WF_OPERATION_GEODESIC_DISTANCE:
      return y % 2 == 0 || x == (y / 2 % 2 ? 0 : picture->side - 1) ? 200 : noise % 7;
    case WF_OPERATION_DISTANCE:
      return noise % 500 != 0;
    case WF_OPERATION_LABEL:
      return noise % 2;
    case WF_OPERATION_EXPAND_LABELS:
      return noise % 500 == 0 ? 1 + noise / 500 % 255 : 0;
    case WF_OPERATION_GAUSSIAN:
    case WF_OPERATION_GRADIENT:
    case WF_OPERATION_EROSION:
    case WF_OPERATION_DILATION:
    case WF_OPERATION_OPENING:
    case WF_OPERATION_CLOSING:
    case WF_OPERATION_WHITE_TOP_HAT:
    case WF_OPERATION_BLACK_TOP_HAT:
    case WF_OPERATION_MEDIAN:
    case WF_OPERATION_REMOVE_SMALL:
    case WF_OPERATION_KEEP_LARGEST:
    case WF_OPERATION_RELABEL:
      return (guint8) noise;
    default:
      return (guint8) (100 + 50 * picture->waves[x % WAVE] + 40 * picture->waves[y % WAVE] +
                       noise % 20);
    }
}

/* Whether there is work for an operation here: a hierarchy needs basins. */
gboolean
work_describes (WfOperation operation)
{
  return operation != WF_OPERATION_HIERARCHY;
}

void
work_init (Work        *work,
           WfOperation  operation,
           gint64       side)
{
  const RefSize size = { side, side, 1 };
  Picture       picture;

  picture_init (&picture, operation, side);
  work->operation = operation;
  work->image     = guarded_image_new (WF_TYPE_U8, &size, FALSE);
  work->second    = guarded_image_new (WF_TYPE_U8, &size, FALSE);
  work->out       = guarded_image_new (wf_operation_get_output_type (operation, 0, WF_TYPE_U8,
                                                                    NULL), &size, FALSE);
  for (gint64 y = 0; y < side; y++)
    for (gint64 x = 0; x < side; x++)
      {
        gint64 p = y * side + x;

        ((guint8 *) work->image->view.data)[p]  = level_at (&picture, x, y);
        ((guint8 *) work->second->view.data)[p] = p == 0 ? 255 : 0;
      }
}

void
work_clear (Work *work)
{
  g_clear_pointer (&work->image, guarded_image_free);
  g_clear_pointer (&work->second, guarded_image_free);
  g_clear_pointer (&work->out, guarded_image_free);
}

/* Returns: (nullable): the options that work_run() passes to an operation. */
gconstpointer
work_options (WfOperation operation)
{
  static const WfFilterOptions filter = { .size = sizeof filter, .sigma = WORK_SIGMA,
                                          .element = WF_ELEMENT_DISC,
                                          .radius = WORK_RADIUS };

  return is_filter (operation) ? &filter : NULL;
}

gboolean
work_run (Work       *work,
          WfContext  *context,
          GError    **error)
{
  const WfImage       *second  = work->operation == WF_OPERATION_WATERSHED ? NULL
                                                                           : &work->second->view;
  gconstpointer        options = work_options (work->operation);
  WfMorphologyOptions  derived;
  WfAttributeOptions   attribute;
  WfLabelToolOptions   tool;

  if (is_derived (work->operation))
    {
      derived        = morphology_options (work->operation);
      derived.height = WORK_HEIGHT;
      options        = &derived;
    }
  else if (is_of_labels (work->operation))
    {
      wf_option_group_init (wf_operation_get_options (work->operation), &tool);
      tool.area = WORK_AREA;
      options   = &tool;
    }
  else if (has_option (work->operation, "height") || has_option (work->operation, "area") ||
           has_option (work->operation, "volume"))
    {
      wf_option_group_init (wf_operation_get_options (work->operation), &attribute);
      attribute.area   = WORK_AREA;
      attribute.height = WORK_HEIGHT;
      attribute.volume = WORK_AREA * WORK_HEIGHT;
      options          = &attribute;
    }
  return operation_call (work->operation, context, &work->image->view, second, &work->out->view,
                         options, error);
}

/* Returns: (transfer full): the result that the default context gives. */
GuardedImage *
work_result (WfOperation operation,
             gint64      side)
{
  g_auto (Work)  work  = { 0 };
  GError        *error = NULL;

  work_init (&work, operation, side);
  work_run (&work, NULL, &error);
  g_assert_no_error (error);
  return g_steal_pointer (&work.out);
}

/* The seconds that all threads of the process have worked, whatever else the machine does. */
double
work_clock (void)
{
  struct timespec worked;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &worked);
  return worked.tv_sec + worked.tv_nsec / 1e9;
}

static double
seconds_of (Work      *work,
            WfContext *context)
{
  double  start = work_clock ();
  GError *error = NULL;

  work_run (work, context, &error);
  g_assert_no_error (error);
  return work_clock () - start;
}

/* The side of an image that takes two CPU threads together about @seconds or more,
 * measured once for each operation.  The second run counts, as the first one touches the
 * output's memory.
 */
gint64
work_side_taking (WfOperation  operation,
                  double       seconds,
                  double      *taken)
{
  static gint64          known_side[WF_N_OPERATIONS];
  static double          known_taken[WF_N_OPERATIONS];
  const WfContextOptions options = { sizeof (WfContextOptions), "cpu", 2, 0, 0 };
  g_autoptr (WfContext)  context = wf_context_new ();

  g_assert_true (wf_context_configure (context, &options, NULL));

  for (gint64 side = SIDE_FIRST; known_taken[operation] < seconds; )
    {
      g_auto (Work) work = { 0 };
      double        first, second;

      g_assert_cmpint (side, <, SIDE_LAST);
      work_init (&work, operation, side);
      first  = seconds_of (&work, context);
      second = first < seconds ? first : seconds_of (&work, context);
      known_taken[operation] = MIN (first, second);
      known_side[operation]  = side;
      side *= CLAMP (1.1 * sqrt (seconds / MAX (known_taken[operation], 1e-6)), 1.25, 3);
    }
  *taken = known_taken[operation];
  return known_side[operation];
}
