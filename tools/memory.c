/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A header of a hundred bytes can ask for any amount of memory, and the system grants more than it
 * has.  So what an image takes is counted before it is allocated.  Files that are mapped are not
 * counted, because the kernel can drop their pages; the working memory of an operation is limited
 * by its context, which gets what is left.
 */

#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "memory.h"
#include "message.h"


/* There is one process, hence one state; 0: --memory-limit was not given. */
static guint64 limit;
static guint64 claimed;


/**
 * memory_parse_limit:
 * @text: a number of bytes, or one with K, M, G or T, as powers of 1024
 * @error: %TOOL_ERROR_USAGE
 *
 * Sets the limit.
 *
 * Returns: success.
 */
gboolean
memory_parse_limit (const char  *text,
                    GError     **error)
{
  static const char  units[] = "KMGT";
  char              *end;
  const char        *unit;
  guint64            number;
  gboolean           is_valid;

  errno    = 0;
  number   = g_ascii_strtoull (text, &end, 10);
  is_valid = g_ascii_isdigit (text[0]) && errno == 0 && number > 0;
  unit     = *end ? strchr (units, g_ascii_toupper (*end)) : NULL;
  if (unit && end[1] == '\0')
    for (const char *step = units; step <= unit; step++)
      is_valid = is_valid && g_uint64_checked_mul (&number, number, 1024);
  else if (*end)
    is_valid = FALSE;

  if (is_valid)
    {
      limit = number;
      return TRUE;
    }
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("Bad value “%s” for --memory-limit: give a number of bytes, or one with K, M, G "
                 "or T, as in 4G."), text);
  return FALSE;
}

static guint64
physical_memory (void)
{
  return (guint64) sysconf (_SC_PHYS_PAGES) * (guint64) sysconf (_SC_PAGESIZE);
}

/**
 * memory_claim:
 * @bytes: what is about to be allocated
 *
 * Without --memory-limit only what no machine like this one could hold is refused.
 *
 * Returns: (nullable) (transfer full): %NULL if it may be taken, or the reason why not, no
 *   sentence.
 */
char *
memory_claim (guint64 bytes)
{
  guint64          most   = limit ? limit : physical_memory ();
  g_autofree char *needed = NULL;
  g_autofree char *left   = NULL;

  if (bytes <= most && claimed <= most - bytes)
    {
      claimed += bytes;
      return NULL;
    }

  needed = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  left   = g_format_size_full (most - MIN (claimed, most), G_FORMAT_SIZE_IEC_UNITS);
  return g_strdup_printf (limit ? _("it takes %s of memory, but --memory-limit leaves %s")
                                : _("it takes %s of memory, but this machine has %s for it"),
                          needed, left);
}

/**
 * memory_claim_to_read:
 * @path: an input
 * @bytes: what is about to be allocated for its pixels, or for what is made of them
 * @error: %TOOL_ERROR_FILE, with the reason of memory_claim()
 *
 * Returns: whether it may be taken.
 */
gboolean
memory_claim_to_read (const char  *path,
                      guint64      bytes,
                      GError     **error)
{
  g_autofree char *reason = memory_claim (bytes);

  return ! reason || refuse_to_read (path, reason, error);
}

/**
 * memory_share:
 * @n: processes, of which this is one
 *
 * Leaves each of them an equal part of --memory-limit.
 */
void
memory_share (guint n)
{
  limit = limit ? MAX (limit / n, 1) : 0;
}

/**
 * memory_keep:
 * @bytes: what is still allocated
 *
 * Between two tasks: all else that was claimed is free.
 */
void
memory_keep (guint64 bytes)
{
  claimed = bytes;
}

/**
 * memory_count:
 *
 * Returns: what is claimed, for memory_keep()
 */
guint64
memory_count (void)
{
  return claimed;
}

/**
 * memory_release:
 * @bytes: claimed memory that was freed
 */
void
memory_release (guint64 bytes)
{
  claimed -= MIN (bytes, claimed);
}

/**
 * memory_left:
 *
 * Returns: what an operation may take beyond its images, at least 1; 0: as much as there is.
 */
guint64
memory_left (void)
{
  return limit == 0 ? 0 : limit > claimed ? limit - claimed : 1;
}
