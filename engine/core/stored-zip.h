/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A zip file in memory, whose entries are stored as they are. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * WfStoredZip:
 * @file: the entries so far
 * @directory: their list, which follows them
 * @n_entries: their number
 *
 * A zip file that is being made.
 */
typedef struct
{
  GByteArray *file;
  GByteArray *directory;
  guint64     n_entries;
} WfStoredZip;

void     wf_stored_zip_begin (WfStoredZip   *zip);
gboolean wf_stored_zip_add   (WfStoredZip   *zip,
                              const char    *name,
                              gconstpointer  contents,
                              gsize          size);
GBytes * wf_stored_zip_end   (WfStoredZip   *zip);
void     wf_stored_zip_clear (WfStoredZip   *zip);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfStoredZip, wf_stored_zip_clear)

G_END_DECLS
