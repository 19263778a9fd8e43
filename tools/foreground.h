/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is bright and what is dark: --threshold, which may be found in the image, and --invert. */

#pragma once

#include "arguments.h"
#include "tools/files/input.h"
#include "wavefront.h"

/**
 * Foreground:
 * @image: what the operation works on: the input itself, or made of it; set by foreground_take()
 *   and foreground_invert()
 */
typedef struct
{
  const WfImage *image;
  /*< private >*/
  WfImage        made;
  char          *notice;
} Foreground;

gboolean foreground_reads_pixels   (const Arguments  *arguments);
char *   foreground_make_notice    (const char       *name,
                                    double            threshold);
gboolean foreground_find_threshold (Foreground       *foreground,
                                    const Arguments  *arguments,
                                    const Input      *input,
                                    double           *threshold,
                                    GError          **error);
gboolean foreground_take           (Foreground       *foreground,
                                    const Arguments  *arguments,
                                    const Input      *input,
                                    double           *threshold,
                                    GError          **error);
gboolean foreground_invert         (Foreground       *foreground,
                                    const Arguments  *arguments,
                                    const Input      *input,
                                    GError          **error);
gboolean foreground_report         (const Foreground *foreground);
void     foreground_clear          (Foreground       *foreground);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Foreground, foreground_clear)
