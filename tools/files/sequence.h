/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A stack whose slices are files: one name with “*” or “?” stands for all of them. */

#pragma once

#include "block-input.h"

/**
 * BlockSequence:
 *
 * Such a stack that is read in blocks.
 */
typedef struct _BlockSequence BlockSequence;

char *          sequence_split_options (const char     *path,
                                        const char    **options);
gboolean        sequence_is_named      (const char     *path);
GPtrArray *     sequence_list_files    (const char     *path,
                                        GError        **error);
gboolean        sequence_check_slices  (const Input    *first,
                                        const Input    *slices,
                                        GError        **error);
gboolean        sequence_read          (Input          *input,
                                        const char     *path,
                                        WfContent       content,
                                        const RawSpec  *raw,
                                        const Choice   *choice,
                                        GError        **error);

BlockSequence * block_sequence_open    (const char     *path,
                                        WfContent       content,
                                        const RawSpec  *raw,
                                        const Choice   *choice,
                                        guint           n_threads,
                                        WfBlockSource  *source,
                                        char          **notice,
                                        GError        **error);
gboolean        block_sequence_read    (BlockSequence  *sequence,
                                        gint64          x,
                                        gint64          y,
                                        gint64          z,
                                        WfImage        *block,
                                        GError        **error);
guint64         block_sequence_get_memory
                                       (const BlockSequence *sequence);
const char *    block_sequence_find_rounding
                                       (BlockSequence  *sequence);
void            block_sequence_free    (BlockSequence  *sequence);
