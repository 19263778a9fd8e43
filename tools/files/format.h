/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which file formats can hold which results. */

#pragma once

#include "output.h"

typedef enum
{
  FORMAT_RAW,
  FORMAT_PFM,
  FORMAT_NPY,
  FORMAT_ZARR,
  FORMAT_VIPS,
  FORMAT_STORE
} FormatKind;

/**
 * FormatColors:
 * @COLORS_NONE: gray levels only
 * @COLORS_OPAQUE: colors without alpha
 * @COLORS_ALPHA: with alpha or without
 *
 * What colors are written in a format.
 */
typedef enum
{
  COLORS_NONE,
  COLORS_OPAQUE,
  COLORS_ALPHA
} FormatColors;

/**
 * Format:
 * @kind: what writes it
 * @suffix: of file names, with its point
 * @name: what people call it
 * @types: a bit for each #WfType that it holds exactly
 * @stacks: whether it holds several slices
 * @lossy: whether it changes the pixels
 * @plain: whether it stores them uncompressed
 * @max_side: most pixels along a side; 0: as many as an image can have
 * @colors: whether colors are written
 */
struct _Format
{
  FormatKind    kind;
  const char   *suffix;
  const char   *name;
  guint         types;
  gboolean      stacks;
  gboolean      lossy;
  gboolean      plain;
  int           max_side;
  FormatColors  colors;
};

const Format * format_find    (const char    *path);
const Format * format_of_store
                              (void);
const Format * format_find_name
                              (const char    *name);
gboolean       format_accepts (const Format  *format,
                               const char    *file_name,
                               WfContent      content,
                               WfType         type,
                               gint64         depth,
                               GError       **error);
gboolean       format_accepts_size
                              (const Format  *format,
                               const char    *file_name,
                               const WfImage *model,
                               GError       **error);
gboolean       format_accepts_colors
                              (const Format  *format,
                               const char    *file_name,
                               gboolean       alpha,
                               GError       **error);
gboolean       format_is_tiff (const Format  *format);
gboolean       format_drops_profile
                              (const Format  *format);
gboolean       format_accepts_labels
                              (const Format  *format,
                               const char    *file_name,
                               const WfImage *labels,
                               GError       **error);
gboolean       format_has_type
                              (const Format  *format,
                               WfType         type);
guint64        format_count_bytes
                              (const Format  *format,
                               WfType         type,
                               gint64         n_pixels);
gboolean       format_adapt   (const Format  *format,
                               const char    *file_name,
                               WfContent      content,
                               WfImage       *image,
                               GError       **error);
