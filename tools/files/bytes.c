/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "bytes.h"
#include "tools/message.h"
#include "tools/signals.h"


/* Linux writes at most 2 GiB in one call; swapping wants something smaller. */
#define MAX_WRITE  ((gsize) 1 << 30)
#define SWAP_BYTES ((gsize) 1 << 20)

/* At most this much is asked of the disk in advance. */
#define MOST_AHEAD ((guint64) 256 << 20)


/* Another process may truncate the file while it is mapped. */
static void
watch (const char  *path,
       GMappedFile *mapping)
{
  g_autoptr (GError) error = NULL;

  refuse_to_read (path, _("it has become shorter while it was read, or its disk has failed"),
                  &error);
  signals_add_mapping (g_mapped_file_get_contents (mapping), g_mapped_file_get_length (mapping),
                       message_format (error->message));
}

/**
 * bytes_open:
 * @path: a regular file
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: a descriptor to read from, to be closed, or −1.
 */
int
bytes_open (const char  *path,
            GError     **error)
{
  struct stat status;
  int         descriptor;

  /* Do not wait for a pipe without a writer. */
  descriptor = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    {
      refuse_to_read (path, g_strerror (errno), error);
      return -1;
    }

  if (fstat (descriptor, &status) != 0)
    refuse_to_read (path, g_strerror (errno), error);
  else if (S_ISDIR (status.st_mode))
    refuse_to_read (path, g_strerror (EISDIR), error);
  else if (! S_ISREG (status.st_mode))
    refuse_to_read (path, _("it is not a regular file"), error);
  else
    return descriptor;

  close (descriptor);
  return -1;
}

/**
 * bytes_map:
 * @path: a regular file
 * @error: %TOOL_ERROR_FILE
 *
 * GLib can do this from the name too, but says then "Failed to open file “…”:
 * open() failed: …".
 *
 * Returns: (transfer full): the file in memory, not to be written to, or %NULL.
 */
GMappedFile *
bytes_map (const char  *path,
           GError     **error)
{
  g_autoptr (GError)  problem    = NULL;
  GMappedFile        *mapping    = NULL;
  const int           descriptor = bytes_open (path, error);

  if (descriptor < 0)
    return NULL;

  if (! (mapping = g_mapped_file_new_from_fd (descriptor, FALSE, &problem)))
    refuse_to_read (path, problem->message, error);
  else
    watch (path, mapping);

  close (descriptor);
  return mapping;
}

/**
 * bytes_swap:
 * @bytes: pixels
 * @n: bytes in all
 * @pixel_size: bytes of a pixel
 *
 * Reverses the bytes of each pixel.
 */
void
bytes_swap (gpointer bytes,
            gsize    n,
            gsize    pixel_size)
{
  guint8 *pixel = bytes;

  for (gsize at = 0; at + pixel_size <= n; at += pixel_size, pixel += pixel_size)
    for (gsize low = 0, high = pixel_size - 1; low < high; low++, high--)
      {
        guint8 byte = pixel[low];

        pixel[low]  = pixel[high];
        pixel[high] = byte;
      }
}

/* @offset: where in the file, or −1 to continue there */
static gboolean
write_all (int            descriptor,
           gint64         offset,
           const guint8  *bytes,
           gsize          n,
           GError       **error)
{
  while (n > 0)
    {
      const gsize   part    = MIN (n, MAX_WRITE);
      const gssize  written = offset < 0 ? write (descriptor, bytes, part)
                                         : pwrite (descriptor, bytes, part, offset);

      if (written < 0 && errno == EINTR)
        continue;
      if (written <= 0)
        return refuse_because (g_strerror (written < 0 ? errno : ENOSPC), error);
      bytes  += written;
      offset += offset < 0 ? 0 : written;
      n      -= (gsize) written;
    }
  return TRUE;
}

static gboolean
write_swapped (int            descriptor,
               gint64         offset,
               const guint8  *bytes,
               gsize          n,
               gsize          pixel_size,
               GError       **error)
{
  g_autofree guint8 *buffer = g_malloc (MIN (n, SWAP_BYTES));

  for (gsize at = 0; at < n; at += SWAP_BYTES)
    {
      gsize part = MIN (SWAP_BYTES, n - at);

      memcpy (buffer, bytes + at, part);
      bytes_swap (buffer, part, pixel_size);
      if (! write_all (descriptor, offset < 0 ? offset : offset + (gint64) at, buffer, part,
                       error))
        return FALSE;
    }
  return TRUE;
}

/**
 * bytes_write_at:
 * @descriptor: of an open file
 * @offset: where in it; −1: where it stands
 * @bytes: pixels
 * @n: bytes in all
 * @pixel_size: bytes of a pixel
 * @error: %TOOL_ERROR_FILE, the system's reason alone
 *
 * Writes pixels, least significant byte first on every machine.
 *
 * Returns: success.
 */
gboolean
bytes_write_at (int             descriptor,
                gint64          offset,
                gconstpointer   bytes,
                gsize           n,
                gsize           pixel_size,
                GError        **error)
{
  if (G_BYTE_ORDER == G_BIG_ENDIAN && pixel_size > 1)
    return write_swapped (descriptor, offset, bytes, n, pixel_size, error);

  return write_all (descriptor, offset, bytes, n, error);
}

/* The same where the file stands. */
gboolean
bytes_write (int             descriptor,
             gconstpointer   bytes,
             gsize           n,
             gsize           pixel_size,
             GError        **error)
{
  return bytes_write_at (descriptor, -1, bytes, n, pixel_size, error);
}

/**
 * bytes_read_at:
 * @descriptor: of an open file
 * @offset: where in it
 * @bytes: set to pixels
 * @n: bytes in all
 * @pixel_size: bytes of a pixel
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Reads pixels, least significant byte first in the file.
 *
 * Returns: success.
 */
gboolean
bytes_read_at (int        descriptor,
               gint64     offset,
               gpointer   bytes,
               gsize      n,
               gsize      pixel_size,
               GError   **error)
{
  for (gsize at = 0; at < n;)
    {
      const gssize got = pread (descriptor, (guint8 *) bytes + at, MIN (n - at, MAX_WRITE),
                                offset + (gint64) at);

      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        {
          g_set_error_literal (error, TOOL_ERROR, TOOL_ERROR_FILE,
                               got < 0 ? g_strerror (errno)
                                       : _("it has become shorter while it was read, or its disk "
                                           "has failed"));
          return FALSE;
        }
      at += (gsize) got;
    }
  if (G_BYTE_ORDER == G_BIG_ENDIAN && pixel_size > 1)
    bytes_swap (bytes, n, pixel_size);
  return TRUE;
}

/**
 * bytes_read_ahead:
 * @descriptor: of an open file
 * @offset: where in it
 * @n: bytes that will be read
 *
 * Asks the disk for them without waiting; what it delivers is no memory of the process.
 */
void
bytes_read_ahead (int     descriptor,
                  guint64 offset,
                  guint64 n)
{
  posix_fadvise (descriptor, (off_t) offset, (off_t) MIN (n, MOST_AHEAD), POSIX_FADV_WILLNEED);
}
