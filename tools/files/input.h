/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image that the command reads, whatever its file is. */

#pragma once

#include "choice.h"
#include "raw-file.h"
#include "wavefront.h"

/**
 * Input:
 * @name: the file's name, to be shown
 * @image: its pixels, not to be written to
 * @notice: how reading changed it, a sentence for the user, or %NULL
 * @lent: the name in the store of an image whose pixels are on a GPU, or %NULL
 * @content: of such an image: what it is read as
 */
typedef struct _Input Input;

struct _Input
{
  char           *name;
  WfImage         image;
  char           *notice;
  char           *lent;
  WfContent       content;
  /*< private >*/
  gboolean        is_stream;
  gpointer        owner;
  GDestroyNotify  release;
};

gboolean input_check_name      (const char     *path,
                                const RawSpec  *raw,
                                GError        **error);
gboolean input_find            (Input          *input,
                                const char    **path,
                                const RawSpec  *raw,
                                const Choice   *choice,
                                GError        **error);
gboolean input_is_pfm          (const Input    *input,
                                const char     *path);
gboolean input_is_npy          (const Input    *input,
                                const char     *path);
gboolean input_is_zarr         (const Input    *input,
                                const char     *path);
gboolean input_refuse_zarr     (const char     *path,
                                GError        **error);
gboolean input_check_numbers   (const char     *name,
                                const WfImage  *image,
                                gint64          x,
                                gint64          y,
                                gint64          z,
                                GError        **error);
gboolean input_read            (Input          *input,
                                const char     *path,
                                WfContent       content,
                                const RawSpec  *raw,
                                const Choice   *choice,
                                GError        **error);
gboolean input_read_anywhere   (Input          *input,
                                const char     *path,
                                WfContent       content,
                                const RawSpec  *raw,
                                const Choice   *choice,
                                gboolean        anywhere,
                                GError        **error);
gboolean input_check_same_size (const Input    *input,
                                const Input    *other,
                                GError        **error);
char *   input_join_names      (const Input *const *inputs,
                                guint               n);
gboolean input_tell            (const Input    *input);
void     input_clear           (Input          *input);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Input, input_clear)
