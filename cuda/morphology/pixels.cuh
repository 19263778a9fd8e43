/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Single pixels of the derived operations, of packed images on the device.  What each
 * does is what the CPU's steps of the same names do (engine/morphology/cpu/pixels.c).
 */

#pragma once

#include "cuda/core/device.cuh"

/* @out may be @image. */
gboolean wf_cuda_move    (WfCuda         *cuda,
                          WfType          type,
                          gint64          n,
                          gconstpointer   image,
                          double          height,
                          gboolean        raise,
                          gpointer        out,
                          GError        **error);
gboolean wf_cuda_step    (WfCuda         *cuda,
                          WfType          type,
                          gint64          n,
                          gconstpointer   image,
                          gboolean        raise,
                          gpointer        out,
                          GError        **error);

/* @image at its border, and the type's greatest or least value inside. */
gboolean wf_cuda_border  (WfCuda         *cuda,
                          const WfShape  *shape,
                          WfType          type,
                          gconstpointer   image,
                          gboolean        greatest,
                          gpointer        out,
                          GError        **error);

/* |@a - @b|, 0 where they are equal; @out may be one of them. */
gboolean wf_cuda_differ  (WfCuda         *cuda,
                          WfType          type,
                          gint64          n,
                          gconstpointer   a,
                          gconstpointer   b,
                          gpointer        out,
                          GError        **error);

/* 255 where @a and @b differ, or everywhere if they differ nowhere; @any is room for
 * one number.  @out may be one of them if they are u8.
 */
gboolean wf_cuda_changed (WfCuda         *cuda,
                          WfType          type,
                          gint64          n,
                          gconstpointer   a,
                          gconstpointer   b,
                          guint32        *any,
                          guint8         *out,
                          GError        **error);

/* Marker and mask of imposed minima; @mask may be @image. */
gboolean wf_cuda_impose  (WfCuda         *cuda,
                          WfType          type,
                          gint64          n,
                          gconstpointer   image,
                          WfType          marks_type,
                          gconstpointer   marks,
                          gpointer        marker,
                          gpointer        mask,
                          GError        **error);
