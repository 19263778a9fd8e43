/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which file formats can hold which results. */

#pragma once

#include "output.h"

typedef enum
{
  FORMAT_RAW,
  FORMAT_PFM,
  FORMAT_VIPS
} FormatKind;

/**
 * Format:
 * @kind: what writes it
 * @suffix: of file names, with its point
 * @name: what people call it
 * @types: a bit for each #WfType that it holds exactly
 * @stacks: whether it holds several slices
 * @lossy: whether it changes the pixels
 */
struct _Format
{
  FormatKind  kind;
  const char *suffix;
  const char *name;
  guint       types;
  gboolean    stacks;
  gboolean    lossy;
};

const Format * format_find    (const char    *path);
gboolean       format_accepts (const Format  *format,
                               const char    *file_name,
                               WfContent      content,
                               WfType         type,
                               gint64         depth,
                               GError       **error);
gboolean       format_adapt   (const Format  *format,
                               const char    *file_name,
                               WfContent      content,
                               WfImage       *image,
                               GError       **error);
