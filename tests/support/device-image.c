/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "device-image.h"

/* Where devices use pixels without a copy. */
#define ALIGNMENT 256


static WfImage
bytes_of (gpointer memory,
          gsize    n)
{
  WfImage bytes;

  g_assert_true (wf_image_init (&bytes, WF_TYPE_U8, (gint64) n, 1, 1, memory, NULL));
  return bytes;
}

/* Moves @image to the device, with all that lies around its pixels, of which the first one is
 * aligned or not.  @constant: whether device_image_fetch() finds it unchanged
 */
void
device_image_send (DeviceImage  *device,
                   WfContext    *context,
                   WfMemory      memory,
                   GuardedImage *image,
                   gboolean      constant)
{
  const WfImage  bytes  = bytes_of (image->memory, image->n_bytes);
  const gsize    offset = (gsize) ((guint8 *) image->view.data - image->memory);
  const gsize    shift  = g_test_rand_bit () ? (ALIGNMENT - offset % ALIGNMENT) % ALIGNMENT : 0;
  GError        *error  = NULL;

  *device = (DeviceImage) { .image = image };
  wf_image_allocate_on (context, &device->block, memory, WF_TYPE_U8,
                        (gint64) (image->n_bytes + shift), 1, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (device->block.memory, ==, memory);
  device->bytes        = bytes_of ((guint8 *) device->block.data + shift, image->n_bytes);
  device->bytes.memory = memory;
  wf_image_copy (context, &bytes, &device->bytes, &error);
  g_assert_no_error (error);

  if (constant)
    device->before = g_memdup2 (image->memory, image->n_bytes);
  image->view.data   = (guint8 *) device->bytes.data + offset;
  image->view.memory = memory;
}

/* Moves it back. */
void
device_image_fetch (DeviceImage *device,
                    WfContext   *context)
{
  GuardedImage *image  = device->image;
  const gsize   offset = (gsize) ((guint8 *) image->view.data - (guint8 *) device->bytes.data);
  WfImage       bytes  = bytes_of (image->memory, image->n_bytes);
  GError       *error  = NULL;

  wf_image_copy (context, &device->bytes, &bytes, &error);
  g_assert_no_error (error);
  image->view.data   = image->memory + offset;
  image->view.memory = WF_MEMORY_HOST;
  wf_image_clear (&device->block);
  if (device->before)
    g_assert_cmpmem (image->memory, image->n_bytes, device->before, image->n_bytes);
  g_clear_pointer (&device->before, g_free);
}
