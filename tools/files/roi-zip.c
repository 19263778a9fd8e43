/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of ImageJ's ROI manager: a zip file with a .roi file for each region, whose name is what
 * the manager shows.  Entries are stored as they are and have no time, so that the same labels
 * give the same file.
 */

#include "config.h"

#include <inttypes.h>

#ifdef HAVE_ARCHIVE
#include <archive.h>
#include <archive_entry.h>
#endif

#include <glib/gi18n.h>

#include "roi-file.h"
#include "tools/message.h"


#ifdef HAVE_ARCHIVE

typedef struct archive Archive;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Archive, archive_write_free)

/* Of libarchive. */
static la_ssize_t
append (Archive    *archive,
        void       *data,
        const void *buffer,
        size_t      n)
{
  g_byte_array_append (data, buffer, (guint) n);
  return (la_ssize_t) n;
}

static gboolean
begin (Archive    *archive,
       GByteArray *file)
{
  return archive_write_set_format_zip (archive) == ARCHIVE_OK &&
         archive_write_zip_set_compression_store (archive) == ARCHIVE_OK &&
         archive_write_set_bytes_in_last_block (archive, 1) == ARCHIVE_OK &&
         archive_write_open (archive, file, NULL, append, NULL) == ARCHIVE_OK;
}

static gboolean
add_entry (Archive          *archive,
           const char       *name,
           const GByteArray *bytes)
{
  struct archive_entry *entry = archive_entry_new ();
  gboolean              added;

  archive_entry_set_pathname (entry, name);
  archive_entry_set_size (entry, bytes->len);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, 0644);
  added = archive_write_header (archive, entry) == ARCHIVE_OK &&
          archive_write_data (archive, bytes->data, bytes->len) == (la_ssize_t) bytes->len;
  archive_entry_free (entry);
  return added;
}

static gboolean
add_region (Archive         *archive,
            const WfOutline *region,
            gboolean         is_stack)
{
  g_autoptr (GByteArray)  bytes = roi_file_format (region, is_stack);
  g_autofree char        *name  = is_stack ? g_strdup_printf ("%" PRId64 "-%u.roi",
                                                              region->slice + 1, region->label)
                                           : g_strdup_printf ("%u.roi", region->label);

  return add_entry (archive, name, bytes);
}

/**
 * roi_file_format_zip:
 * @outlines: outlines, within %ROI_FILE_MAX_SIDE
 * @is_stack: whether slices are told
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: (transfer full) (nullable): the contents of a .zip file
 */
GBytes *
roi_file_format_zip (const WfOutlines  *outlines,
                     gboolean           is_stack,
                     GError           **error)
{
  g_autoptr (Archive)    archive = archive_write_new ();
  g_autoptr (GByteArray) file    = g_byte_array_new ();
  gboolean               written = begin (archive, file);

  for (gint64 i = 0; i < wf_outlines_get_n_regions (outlines) && written; i++)
    written = add_region (archive, wf_outlines_get_region (outlines, i), is_stack);
  if (! written || archive_write_close (archive) != ARCHIVE_OK)
    {
      refuse_because (archive_error_string (archive), error);
      return NULL;
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&file));
}

#else

GBytes *
roi_file_format_zip (const WfOutlines  *outlines,
                     gboolean           is_stack,
                     GError           **error)
{
  refuse_because (_("this build has no libarchive, which zip files take"), error);
  return NULL;
}

#endif
