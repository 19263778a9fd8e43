/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * WfResultWriteFunc:
 * @file: where to
 * @data: as given
 * @error: as GIO sets it
 *
 * Writes a file.
 *
 * Returns: %FALSE with @error set
 */
typedef gboolean (* WfResultWriteFunc) (GFile     *file,
                                        gpointer   data,
                                        GError   **error);

/**
 * WfResultToWrite:
 * @file: (nullable): where to; %NULL for nothing to write
 * @write: writes it
 * @data: for @write
 */
typedef struct
{
  GFile             *file;
  WfResultWriteFunc  write;
  gpointer           data;
} WfResultToWrite;

/* No more results than these are written together. */
#define WF_MAX_RESULTS_TO_WRITE 2

gboolean wf_results_write (const WfResultToWrite  *results,
                           guint                   n,
                           GError                **error);

G_END_DECLS
