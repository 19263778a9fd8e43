/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "engine/wavefront.h"

/**
 * Choice:
 * @channel: counted from 0, as all; −1: not chosen
 * @series: the image of a file that holds several; −1: not chosen
 * @level: of a pyramid, 0 for the full size; −1: not chosen
 * @slice: along z; −1: all of them
 * @stain: (nullable): the stain whose levels are taken from colors; else they become luminance
 *
 * What is read of a file that holds more than an image or a stack.
 */
typedef struct
{
  int channel;
  int series;
  int level;
  int slice;

  const WfStain *stain;
} Choice;

#define CHOICE_NONE { -1, -1, -1, -1, NULL }

/**
 * Planes:
 * @channel: which
 * @first: the first slice
 * @n: how many slices
 * @timed: whether the slices are points in time
 *
 * What is read of an image with channels, slices and points in time.
 */
typedef struct
{
  int      channel;
  int      first;
  int      n;
  gboolean timed;
} Planes;

gboolean choice_parse       (Choice        *choice,
                             const char    *name,
                             const char    *value,
                             GError       **error);
int      choice_take        (const char    *option,
                             int            chosen,
                             int            n,
                             GError       **error);
void     choice_add_note    (GString       *notes,
                             const char    *format,
                             ...) G_GNUC_PRINTF (2, 3);
Choice   choice_of_input    (const Choice  *choice,
                             guint          number);
gboolean choice_refuse_stain (const Choice *choice,
                              const char    *name,
                              GError       **error);
gboolean choice_find_planes (const Choice  *choice,
                             int            n_channels,
                             int            n_slices,
                             int            n_frames,
                             Planes        *planes,
                             GString       *notes,
                             GError       **error);
