/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "format.h"
#include "output-pixels.h"
#include "npy-file.h"
#include "pfm-file.h"
#include "raw-file.h"
#include "tools/memory.h"
#include "tools/message.h"

#ifdef HAVE_VIPS
#include "tiff-blocks.h"
#include "vips-file.h"
#endif
#ifdef HAVE_ZARR
#include "zarr/output.h"
#endif


#ifdef HAVE_ZARR

static gboolean
write_zarr (const Output   *output,
            int             descriptor,
            const WfImage  *image,
            WfContent       content,
            GError        **error)
{
  TilePlan         plan   = { image->type, content, output->overviews != 0, output->n_threads };
  g_autofree char *name   = output_name_image (output);
  g_autofree char *reason = NULL;

  while (plan.n_threads > 1 && memory_left () > 0 &&
         zarr_output_get_memory (&plan, image, 0) > memory_left ())
    plan.n_threads--;
  reason = memory_claim (zarr_output_get_memory (&plan, image, 0));
  return reason ? refuse_because (reason, error)
                : zarr_output_write_image (&plan, image, descriptor, name, error);
}

#endif

#ifdef HAVE_VIPS

static gboolean
write_overviews (const Output   *output,
                 int             descriptor,
                 const WfImage  *image,
                 WfContent       content,
                 GError        **error)
{
  const TilePlan   plan   = { image->type, content, TRUE, output->n_threads,
                              .compression = output->compression };
  g_autofree char *reason = memory_claim (tiff_blocks_get_memory (&plan, image, 0));

  return reason ? refuse_because (reason, error)
                : tiff_blocks_write_image (&plan, image, descriptor, error);
}

#endif

/**
 * output_write_pixels:
 * @output: a prepared output
 * @descriptor: of its empty temporary file
 * @image: packed pixels, of a type that the format has
 * @content: what they mean
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether they are written
 */
gboolean
output_write_pixels (const Output   *output,
                     int             descriptor,
                     const WfImage  *image,
                     WfContent       content,
                     GError        **error)
{
  g_autoptr (GError) problem = NULL;
  gboolean           written = FALSE;

  switch (output->format->kind)
    {
    case FORMAT_RAW:
      written = raw_file_write (descriptor, image, &problem);
      break;
    case FORMAT_PFM:
      written = pfm_file_write (descriptor, image, &problem);
      break;
    case FORMAT_NPY:
      written = npy_file_write (descriptor, image, 0, &problem);
      break;
    case FORMAT_ZARR:
#ifdef HAVE_ZARR
      written = write_zarr (output, descriptor, image, content, &problem);
#endif
      break;
    case FORMAT_STORE:   /* output_write() moves them */
      g_return_val_if_reached (FALSE);
    case FORMAT_VIPS:
#ifdef HAVE_VIPS
      if (output->overviews > 0 && output_is_tiff (output))
        written = write_overviews (output, descriptor, image, content, &problem);
      else
        written = vips_file_write (descriptor, output->temporary, output->format->suffix,
                                   output->compression, image, &problem);
#endif
      break;
    }
  return written || refuse_to_write (output->name, problem->message, error);
}
