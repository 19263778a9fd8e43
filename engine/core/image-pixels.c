/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What goes over all pixels of an image: the checks of what they hold, and passing
 * between the views of the caller and packed pixels.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "image.h"
#include "refusals.h"

/* Pixels that a thread copies at a time. */
#define WORTH_A_TURN (1 << 14)


/* Whether one of @width pixels is not a number. */
gboolean
wf_row_has_nan (const float *row,
                gint64       width)
{
  int found = 0;

  for (gint64 x = 0; x < width; x++)
    found |= row[x] != row[x];
  return found;
}

typedef struct
{
  const WfImage *image;
  gint64         first;     /* the first row found to hold a NaN */
} NanSearch;

static gboolean
look_for_nan (gpointer data,
              WfRow    row)
{
  NanSearch *search = data;
  gint64     first  = __atomic_load_n (&search->first, __ATOMIC_RELAXED);

  if (row.number >= first ||
      ! wf_row_has_nan (wf_image_row (search->image, row.number), search->image->width))
    return TRUE;
  while (row.number < first &&
         ! __atomic_compare_exchange_n (&search->first, &first, row.number, FALSE,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return TRUE;
}

/* Sets @row to the first row with a pixel that is not a number, counted through all slices; −1:
 * there is none.
 */
gboolean
wf_image_find_nan (const WfImage  *image,
                   WfRun          *run,
                   gint64         *row,
                   GError        **error)
{
  const WfRows rows   = { .n = image->height * image->depth, .amount = image->width };
  NanSearch    search = { image, rows.n };

  *row = -1;
  if (image->type != WF_TYPE_F32)
    return TRUE;
  if (! wf_run_rows (run, &rows, look_for_nan, &search, error))
    return FALSE;
  if (search.first < rows.n)
    *row = search.first;
  return TRUE;
}

/* Refuses an f32 image with a pixel that is not a number. */
gboolean
wf_image_check_nan (const WfImage  *image,
                    const char     *what,
                    WfRun          *run,
                    GError        **error)
{
  gint64 row;

  return wf_image_find_nan (image, run, &row, error) &&
         (row < 0 || wf_refuse_nan (what, row % image->height, error));
}

#define IS_MARKED(type) \
  for (gint64 x = 0; x < n; x++) \
    if (((const type *) row)[x] != 0) \
      return TRUE

static gboolean
row_is_marked (gconstpointer row,
               gint64        n,
               WfType        type)
{
  switch (type)
    {
    case WF_TYPE_U8:
      IS_MARKED (guint8);
      break;
    case WF_TYPE_U16:
      IS_MARKED (guint16);
      break;
    case WF_TYPE_U32:
      IS_MARKED (guint32);
      break;
    default:
      IS_MARKED (float);
      break;
    }
  return FALSE;
}

/* What is not 0 in an image of these types is a marker. */
gboolean
wf_image_check_marker_type (const WfImage  *markers,
                            GError        **error)
{
  if (markers->type == WF_TYPE_U8 || markers->type == WF_TYPE_U16 ||
      markers->type == WF_TYPE_U32 || markers->type == WF_TYPE_F32)
    return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The %s has pixels of type %s; they must be u8, u16, u32 or f32."),
               _("marker image"), wf_type_name (markers->type));
  return FALSE;
}

/* Refuses an image of markers, u8, u16, u32 or f32, that holds none. */
gboolean
wf_image_check_marked (const WfImage  *markers,
                       GError        **error)
{
  for (gint64 row = 0; row < markers->height * markers->depth; row++)
    if (row_is_marked (wf_image_row (markers, row), markers->width, markers->type))
      return TRUE;

  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The marker image has no markers: all its pixels are 0."));
  return FALSE;
}


/*  Packing  */

/* Sets @packed to the pixels without gaps: the view's own, or those of @copy,
 * which the caller frees.
 */
gboolean
wf_image_pack (const WfImage  *image,
               gconstpointer  *packed,
               gpointer       *copy,
               GError        **error)
{
  gsize  row_size = image->width * wf_type_size (image->type);
  char  *target;

  *copy   = NULL;
  *packed = image->data;
  if (wf_image_is_packed (image))
    return TRUE;

  target = wf_allocate (wf_image_n_pixels (image), wf_type_size (image->type), error);
  if (! target)
    return FALSE;
  *packed = *copy = target;
  for (gint64 row = 0; row < image->height * image->depth; row++)
    memcpy (target + row * row_size, wf_image_row (image, row), row_size);
  return TRUE;
}

/* Gives @view packed pixels of its own, in @memory, as many as @model has and of its type. */
gboolean
wf_image_allocate_like (const WfImage  *model,
                        WfImage        *view,
                        gpointer       *memory,
                        GError        **error)
{
  const WfShape shape = wf_image_shape (model);

  *memory    = wf_allocate (wf_image_n_pixels (model), wf_type_size (model->type), error);
  *view      = wf_image_without_pixels (model->type, &shape);
  view->data = *memory;
  return *memory != NULL;
}

/* In the threads of @run.  Nothing can fail any more, and what is begun is completed,
 * cancelled or not.
 */
void
wf_image_unpack (WfImage       *image,
                 gconstpointer  packed,
                 const WfRun   *run)
{
  const gint64 n_rows   = image->height * image->depth;
  const gsize  row_size = image->width * wf_type_size (image->type);
  const gint64 chunk    = MAX (1, WORTH_A_TURN / image->width);
  const guint  team     = wf_run_begin_team (run, wf_run_team (run, n_rows,
                                                               wf_image_n_pixels (image)));

#pragma omp parallel for schedule(dynamic, chunk) num_threads(team) if (team > 1)
  for (gint64 row = 0; row < n_rows; row++)
    memcpy (wf_image_row (image, row), (const char *) packed + row * row_size, row_size);
}
