/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An image that the command reads, whatever its file is. */

#pragma once

#include "raw-file.h"
#include "wavefront.h"

/**
 * InputKind:
 * @INPUT_LEVELS: grey levels: u8, u16 or f32
 * @INPUT_LABELS: labels, u32
 * @INPUT_MARKERS: whole numbers, of which only whether they are 0 counts: u8, u16 or
 *   u32
 */
typedef enum
{
  INPUT_LEVELS,
  INPUT_LABELS,
  INPUT_MARKERS
} InputKind;

/**
 * Input:
 * @name: the file's name, to be shown
 * @image: its pixels, not to be written to
 * @notice: what reading it changed, to be told to the user, or %NULL
 */
typedef struct
{
  char           *name;
  WfImage         image;
  char           *notice;
  /*< private >*/
  gpointer        owner;
  GDestroyNotify  release;
} Input;

gboolean input_check_name      (const char     *path,
                                const RawSpec  *raw,
                                GError        **error);
gboolean input_read            (Input          *input,
                                const char     *path,
                                InputKind       kind,
                                const RawSpec  *raw,
                                GError        **error);
gboolean input_check_same_size (const Input    *input,
                                const Input    *other,
                                GError        **error);
gboolean input_tell            (const Input    *input);
void     input_clear           (Input          *input);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Input, input_clear)
