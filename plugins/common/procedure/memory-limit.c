/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The memory that a run may take, and the decision whether its images are in memory or in the swap
 * (plugins/common/swap/).
 *
 * Images, results and working memory are in memory if they fit together.  If they do not, they are
 * in the swap, and the operation is computed in blocks.  What cannot be computed in blocks is
 * refused if a limit was given; otherwise it is tried in memory, as the system may have more for
 * it than is free now.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "memory-limit.h"
#include "plug-in.h"
#include "plugins/common/swap/swap.h"

#define MEBIBYTE ((guint64) 1 << 20)

/* Without a limit, the part of the free memory that is taken: GIMP needs some of it, too. */
#define SHARE_OF_FREE 0.75

typedef struct
{
  gsize size;
  int   limit;
} MemoryOptions;

static const WfOption options_table[] =
{
  { "memory-limit", WF_OPTION_INT, G_STRUCT_OFFSET (MemoryOptions, limit),
    N_("Memory limit"),
    N_("The most memory that the procedure may take, in mebibytes; a larger image is computed in "
       "parts, with files in GIMP's swap folder; 0: what is free"),
    NULL, 0, G_MAXINT, 0, NULL },
};

static const WfOptionGroup options_group =
{
  "memory", NULL, NULL,
  options_table, G_N_ELEMENTS (options_table), sizeof (MemoryOptions)
};


/**
 * wf_memory_limit_get_options:
 *
 * Returns: the description of the option of every procedure for its memory
 */
const WfOptionGroup *
wf_memory_limit_get_options (void)
{
  return &options_group;
}

/* Bytes of the images of a source: the input and its mask, the outputs, what the procedure makes
 * between them, and the layer with its filters applied.
 */
static guint64
count_images (WfJob          *run,
              const WfSource *source)
{
  const WfOperation      operation = run->procedure->operation;
  const WfOperationInfo *info      = wf_operation_describe (operation);
  const guint64          n         = (guint64) wf_source_n_pixels (source);
  const gsize            levels    = wf_type_size (source->type);
  gsize                  a_pixel   = levels + (source->region.selection ? 1 + levels : 0);

  if (run->procedure->count_further)
    a_pixel += run->procedure->count_further (run, source);
  for (guint i = 0; i < info->n_outputs; i++)
    a_pixel += wf_type_size (wf_operation_get_output_type (operation, i, source->type,
                                                           run->operation));
  for (guint i = 0; i < source->n_slices; i++)
    if (source->slices[i].filtered)
      {
        a_pixel += (gsize) babl_format_get_bytes_per_pixel
                     (wf_slice_get_format (&source->slices[i]));
        break;
      }
  return n * a_pixel;
}

/* Bytes that the run takes with all in memory, beyond what this process has; and what is free. */
static guint64
count_all (WfJob   *run,
           guint64 *available)
{
  guint64 most = 0;

  for (guint i = 0; i < run->sources->len; i++)
    {
      const WfSource        *source   = run->sources->pdata[i];
      g_autoptr (WfForecast) forecast = NULL;
      WfImage                view;

      if (! wf_image_init (&view, source->type, source->region.width, source->region.height,
                           source->n_slices, (gpointer) source, NULL))
        continue;
      forecast = wf_context_forecast (run->context, run->procedure->operation, &view,
                                      run->operation, NULL);
      if (! forecast)   /* the operation will refuse it */
        continue;
      most       = MAX (most, count_images (run, source) + forecast->memory_needed);
      *available = forecast->memory_available;
    }
  return most;
}

static gboolean
refuse (const char  *culprit,
        guint64      needed,
        guint64      allowed,
        GError     **error)
{
  g_autofree char *name         = gimp_strip_uline (culprit);
  g_autofree char *needed_text  = g_format_size_full (needed, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *allowed_text = g_format_size_full (allowed, G_FORMAT_SIZE_IEC_UNITS);

  g_set_error (error, WF_ERROR, WF_ERROR_MEMORY,
               _("“%s” is not possible in parts of the image, and all of it takes %s of memory, "
                 "but only %s are allowed."), name, needed_text, allowed_text);
  return FALSE;
}

/**
 * wf_memory_limit_choose:
 * @run: a run with its options and sources
 * @error: %WF_ERROR_INVALID, or %WF_ERROR_MEMORY if a limit was given that the run cannot keep
 *
 * Begins the swap where the images of the run do not fit into memory.
 *
 * Returns: whether the run can go on
 */
gboolean
wf_memory_limit_choose (WfJob   *run,
                        GError **error)
{
  const guint64  resident  = wf_swap_get_resident ();
  guint64        available = 0;
  guint64        needed    = count_all (run, &available) + resident;
  g_autofree char *folder = NULL;
  const char      *whole;
  guint64          limit;
  MemoryOptions    options;

  if (! wf_arguments_read (G_OBJECT (run->config), &options_group, run->type, &options, error))
    return FALSE;
  limit = (guint64) options.limit * MEBIBYTE;
  if (needed <= (limit ? limit : resident + available) || available == 0)
    return TRUE;

  /* beside a dialog, whose previews have images of their own, there is no swap */
  if (run->watch)
    return refuse (_("Process a Folder…"), needed, limit ? limit : resident + available, error);

  whole = run->procedure->find_whole ? run->procedure->find_whole (run) : NULL;
  if (whole)
    return limit == 0 || refuse (whole, needed, limit, error);
  g_object_get (gegl_config (), "swap", &folder, NULL);
  wf_swap_begin (limit ? limit : resident + (guint64) (SHARE_OF_FREE * (double) available),
                 folder);
  return TRUE;
}
