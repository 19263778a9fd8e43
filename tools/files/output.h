/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A file that appears complete or not at all. */

#pragma once

#include "tiff-compression.h"
#include "wavefront.h"

typedef struct _Format Format;

/**
 * Output:
 * @name: the file's name, to be shown
 * @target: the file, links resolved, or %NULL for standard output and the store
 * @stored: (nullable): the name in the store
 */
typedef struct
{
  char         *name;
  char         *target;
  char         *stored;
  /*< private >*/
  const Format *format;     /* NULL: text */
  char         *temporary;
  gboolean      kept;       /* the temporary file, if it does not get the name */
  int           slot;
  int           store;      /* the result for standard output */
  char         *notice;
  int           overviews;  /* whether there are any; -1: in Zarr, not in TIFF */
  guint         n_threads;  /* that write files in tiles */
  TiffCompression compression;
} Output;

gboolean output_prepare      (Output         *output,
                              const char     *path,
                              const char     *format,
                              TiffCompression compression,
                              GError        **error);
gboolean output_prepare_text (Output         *output,
                              const char     *path,
                              GError        **error);
gboolean output_is_tiff      (const Output   *output);
gboolean output_is_zarr      (const Output   *output);
void     output_set_overviews
                             (Output         *output,
                              gboolean        overviews,
                              guint           n_threads);
char *   output_name_image   (const Output   *output);
gboolean output_is_same      (const Output   *output,
                              const Output   *other);
gboolean output_accepts      (const Output   *output,
                              WfContent       content,
                              WfType          type,
                              gint64          depth,
                              GError        **error);
gboolean output_accepts_labels
                             (const Output   *output,
                              const WfImage  *labels,
                              GError        **error);
gboolean output_allocate     (const Output   *output,
                              WfContent       content,
                              WfType          type,
                              const WfImage  *model,
                              WfImage        *result,
                              GError        **error);
gboolean output_write        (Output         *output,
                              WfImage        *image,
                              WfContent       content,
                              GError        **error);
gboolean output_write_bytes  (Output         *output,
                              GBytes         *bytes,
                              GError        **error);
gboolean output_write_text   (Output         *output,
                              const char     *text,
                              GError        **error);
int      output_open_file    (Output         *output,
                              GError        **error);
int      output_open_kept    (Output         *output,
                              const char     *path,
                              GError        **error);
gboolean output_close_file   (Output         *output,
                              int             descriptor,
                              gboolean        written,
                              GError        **error);
gboolean output_commit       (Output         *output,
                              GError        **error);
void     output_clear        (Output         *output);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Output, output_clear)
