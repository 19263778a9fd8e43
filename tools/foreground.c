/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "foreground.h"
#include "memory.h"
#include "message.h"


/* Allocates what is made of the input. */
static gboolean
make_room (Foreground       *foreground,
           const Arguments  *arguments,
           const WfImage    *image,
           WfType            type,
           GError          **error)
{
  const guint64 bytes = (guint64) wf_image_n_pixels (image) * wf_type_size (type);

  return memory_claim_to_read (arguments->files[0], bytes, error) &&
         wf_image_allocate (&foreground->made, type, image->width, image->height, image->depth,
                            error);
}

/**
 * foreground_reads_pixels:
 * @arguments: what the user wants
 *
 * Returns: whether the foreground needs the pixels of the input in main memory
 */
gboolean
foreground_reads_pixels (const Arguments *arguments)
{
  return arguments->invert;
}

/**
 * foreground_make_notice:
 * @name: of a file, to be shown
 * @threshold: that was found in it
 *
 * Returns: (transfer full): a sentence that says so.
 */
char *
foreground_make_notice (const char *name,
                        double      threshold)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (number, sizeof number, "%.9g", threshold);
  return g_strdup_printf (_("The threshold of “%s” is %s."), name, number);
}

/**
 * foreground_find_threshold:
 * @foreground: gets the notice
 * @arguments: what the user wants
 * @input: an input that was read
 * @threshold: (inout): the threshold; where it is to be found, the one that is found in
 *   @input
 * @error: as wf_histogram_new() sets it
 *
 * Returns: success.
 */
gboolean
foreground_find_threshold (Foreground       *foreground,
                           const Arguments  *arguments,
                           const Input      *input,
                           double           *threshold,
                           GError          **error)
{
  g_autoptr (WfHistogram) histogram = NULL;

  if (! arguments->finds_threshold)
    return TRUE;
  histogram = wf_histogram_new (&input->image, error);
  if (! histogram)
    return FALSE;

  *threshold         = wf_histogram_find_threshold (histogram, arguments->threshold.method,
                                                    arguments->threshold.percent);
  foreground->notice = foreground_make_notice (input->name, *threshold);
  return TRUE;
}

/**
 * foreground_take:
 * @foreground: filled; to be cleared whatever the result
 * @arguments: what the user wants
 * @input: an input that was read; to be cleared after @foreground
 * @threshold: (inout): the operation's option
 * @error: as wf_histogram_new() and wf_image_allocate() set it
 *
 * Finds the image whose foreground, with @threshold, is what the user wants: with --invert a mask
 * of the pixels that are not above the threshold.
 *
 * Returns: success.
 */
gboolean
foreground_take (Foreground       *foreground,
                 const Arguments  *arguments,
                 const Input      *input,
                 double           *threshold,
                 GError          **error)
{
  const WfImage *image = &input->image;

  memset (foreground, 0, sizeof *foreground);
  foreground->image = image;
  if (! foreground_find_threshold (foreground, arguments, input, threshold, error))
    return FALSE;
  if (! arguments->invert)
    return TRUE;
  if (! make_room (foreground, arguments, image, WF_TYPE_U8, error))
    return FALSE;

  wf_foreground_mark (image, *threshold, FALSE, &foreground->made);
  *threshold        = NAN;
  foreground->image = &foreground->made;
  return TRUE;
}

/**
 * foreground_invert:
 * @foreground: filled; to be cleared whatever the result
 * @arguments: what the user wants
 * @input: an input that was read; to be cleared after @foreground
 * @error: as wf_image_allocate() sets it
 *
 * Finds the image with the levels that the user wants: with --invert those of wf_image_invert().
 *
 * Returns: success.
 */
gboolean
foreground_invert (Foreground       *foreground,
                   const Arguments  *arguments,
                   const Input      *input,
                   GError          **error)
{
  const WfImage *image = &input->image;

  memset (foreground, 0, sizeof *foreground);
  foreground->image = image;
  if (! arguments->invert)
    return TRUE;
  if (! make_room (foreground, arguments, image, image->type, error))
    return FALSE;

  wf_image_invert (image, &foreground->made);
  foreground->image = &foreground->made;
  return TRUE;
}

/**
 * foreground_report:
 * @foreground: of an operation that has succeeded
 *
 * Prints the threshold, if it was found in the image.
 *
 * Returns: %TRUE
 */
gboolean
foreground_report (const Foreground *foreground)
{
  if (foreground->notice)
    message_print (foreground->notice);
  return TRUE;
}

void
foreground_clear (Foreground *foreground)
{
  wf_image_clear (&foreground->made);
  g_free (foreground->notice);
  memset (foreground, 0, sizeof *foreground);
}
