/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

/**
 * Choice:
 * @channel: counted from 0, as all; −1: not chosen
 * @series: the image of a file that holds several; −1: not chosen
 * @level: of a pyramid, 0 for the full size; −1: not chosen
 * @slice: along z; −1: all of them
 *
 * What is read of a file that holds more than an image or a stack.
 */
typedef struct
{
  int channel;
  int series;
  int level;
  int slice;
} Choice;

#define CHOICE_NONE { -1, -1, -1, -1 }

gboolean choice_parse (Choice      *choice,
                       const char  *name,
                       const char  *value,
                       GError     **error);
