/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images in memory that several devices share: the same blocks as those of images in files, which
 * are views of the image here.
 */

#pragma once

#include "sources.h"

/**
 * WfSharedResult:
 * @image: what the workers write to: the caller's image, or memory of its own
 * @own: that memory, if any; what is left of the context's limit is for the blocks
 *
 * Where the result of shared work goes.  Workers write as they go, so it may be the caller's image
 * only where that allows partial outputs, and where no input that is read again lies there.
 */
typedef struct
{
  WfImage   *image;
  WfImage    own;
  WfContext *context;
  guint64    limit_before;
} WfSharedResult;

gboolean      wf_is_shared            (WfContext       *context,
                                       WfOperation      operation,
                                       const char      *algorithm,
                                       gconstpointer    task,
                                       const WfImage   *image);
gboolean      wf_shared_result_init   (WfSharedResult  *result,
                                       WfContext       *context,
                                       WfImage         *out,
                                       gboolean         direct,
                                       GError         **error);
void          wf_shared_result_finish (WfSharedResult  *result,
                                       WfContext       *context,
                                       WfImage         *out);
void          wf_shared_result_clear  (WfSharedResult  *result);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WfSharedResult, wf_shared_result_clear)
