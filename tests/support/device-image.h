/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images of tests in the memory of a device, with their strides and guard bytes. */

#pragma once

#include "guarded-image.h"

G_BEGIN_DECLS

/**
 * DeviceImage:
 * @image: whose view is on the device meanwhile
 * @block: memory there
 * @bytes: all bytes of the image in it
 * @before: (nullable): what they were, if they are not to change
 */
typedef struct
{
  GuardedImage *image;
  WfImage       block;
  WfImage       bytes;
  guint8       *before;
} DeviceImage;

void device_image_send  (DeviceImage  *device,
                         WfContext    *context,
                         WfMemory      memory,
                         GuardedImage *image,
                         gboolean      constant);
void device_image_fetch (DeviceImage  *device,
                         WfContext    *context);

G_END_DECLS
