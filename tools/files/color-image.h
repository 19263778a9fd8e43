/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image with its colors. */

#pragma once

#include "choice.h"
#include "output.h"
#include "raw-file.h"
#include "wavefront.h"

/**
 * ColorImage:
 * @name: the file's name, to be shown
 * @components: red, green, blue and alpha, without gaps between their rows; all empty where the
 *   file holds gray levels
 * @has_alpha: whether there is alpha
 * @encoding: of the colors
 * @profile: (nullable): the color profile of the file, or one that says what its format did
 * @notice: (nullable): how reading changed it, a sentence for the user
 */
typedef struct
{
  char            *name;
  WfImage          components[4];
  gboolean         has_alpha;
  WfColorEncoding  encoding;
  GBytes          *profile;
  char            *notice;
} ColorImage;

gboolean color_image_read       (ColorImage       *image,
                                 const char       *path,
                                 const RawSpec    *raw,
                                 const Choice     *choice,
                                 GError          **error);
gboolean color_image_has_colors (const ColorImage *image);
gboolean color_image_divide     (ColorImage       *image,
                                 const char       *path,
                                 gconstpointer     pixels,
                                 guint             n_components,
                                 WfType            type,
                                 gint64            width,
                                 gint64            height,
                                 gint64            depth,
                                 GError          **error);
void     color_image_take_luminance
                                (const ColorImage *image,
                                 WfImage          *levels);
gboolean color_image_accepts    (const ColorImage *image,
                                 const Output     *output,
                                 GError          **error);
gboolean color_image_write      (const ColorImage *image,
                                 Output           *output,
                                 GError          **error);
void     color_image_tell       (const ColorImage *image,
                                 const Output     *output);
void     color_image_clear      (ColorImage       *image);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ColorImage, color_image_clear)
