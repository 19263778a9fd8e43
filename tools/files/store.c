/* SPDX-License-Identifier: GPL-3.0-or-later */

/* While the store is open, a name that begins with “@” means an entry of it wherever an input or an
 * output has a name; so commands read and write in memory without a line of their own.  Results
 * are moved there, and inputs are views of them.  A file in the store is read when it is first
 * needed, as levels, as labels or in colors, whichever is asked for, and once each; a result in
 * colors has its luminance for levels, as a file of it would.  An image that is on a GPU
 * is copied to main memory when its pixels are first needed there, and stays where it is, too.
 */

#include "config.h"

#include <string.h>

#include <glib/gi18n.h>

#include "doubles.h"
#include "elements.h"
#include "store.h"
#include "tools/memory.h"
#include "tools/message.h"
#include "tools/residence.h"

/**
 * Entry:
 * @image: in main memory; without pixels if it is a file, or bytes of one, or on a GPU only
 * @there: the same on a GPU, if it has pixels
 * @path: (nullable): of a file
 * @read: of a file: as levels, as labels; of colors: as levels
 * @colors: of a file, once they were asked for, or a result
 */
typedef struct
{
  WfImage         image;
  WfImage         there;
  WfContent       content;
  GBytes         *bytes;
  char           *path;
  const RawSpec  *raw;
  Choice          choice;
  Input           read[2];
  ColorImage      colors;
} Entry;

/* There is one chain, hence one store; %NULL: it is not open */
static GHashTable *entries;
static char       *origin;


static void
entry_free (gpointer data)
{
  Entry *entry = data;

  wf_image_clear (&entry->image);
  wf_image_clear (&entry->there);
  for (guint i = 0; i < G_N_ELEMENTS (entry->read); i++)
    input_clear (&entry->read[i]);
  color_image_clear (&entry->colors);
  g_clear_pointer (&entry->bytes, g_bytes_unref);
  g_free (entry->path);
  g_free (entry);
}

/**
 * store_open:
 * @path: the file that all images are made of
 *
 * Returns: whether it was not open before
 */
gboolean
store_open (const char *path)
{
  if (entries)
    return FALSE;
  entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);
  origin  = g_filename_display_name (path);
  return TRUE;
}

void
store_close (void)
{
  g_clear_pointer (&entries, g_hash_table_unref);
  g_clear_pointer (&origin, g_free);
}

/**
 * store_is_named:
 * @path: of an input or an output
 *
 * Returns: whether it means the store
 */
gboolean
store_is_named (const char *path)
{
  return entries && path[0] == STORE_MARK;
}

static Entry *
add_entry (const char *name)
{
  Entry *entry = g_new0 (Entry, 1);

  g_hash_table_replace (entries, g_strdup (name), entry);
  return entry;
}

/**
 * store_put_file:
 * @name: of the entry
 * @path: the file
 * @raw: (nullable): what --raw says, to be kept
 * @choice: which of its planes are read as levels
 */
void
store_put_file (const char    *name,
                const char    *path,
                const RawSpec *raw,
                const Choice  *choice)
{
  Entry *entry = add_entry (name);

  entry->path   = g_strdup (path);
  entry->raw    = raw;
  entry->choice = *choice;
}

/**
 * store_put_image:
 * @name: of the entry
 * @image: allocated pixels, in main memory or on a GPU, which move to the store; its size is left
 * @content: what they mean
 */
void
store_put_image (const char *name,
                 WfImage    *image,
                 WfContent   content)
{
  Entry *entry = add_entry (name);

  *(image->memory == WF_MEMORY_HOST ? &entry->image : &entry->there) = *image;
  entry->content   = content;
  image->allocated = NULL;
  image->data      = NULL;
}

static gboolean
copy_view (const char     *name,
           const WfImage  *view,
           WfImage        *copy,
           GError        **error)
{
  const gsize      bytes  = (gsize) wf_image_n_pixels (view) * wf_type_size (view->type);
  g_autofree char *reason = memory_claim (bytes);

  if (reason)
    return refuse_to_write (name, reason, error);
  if (! wf_image_allocate (copy, view->type, view->width, view->height, view->depth, error))
    return FALSE;
  memcpy (copy->data, view->data, bytes);
  return TRUE;
}

/**
 * store_put_colors:
 * @name: of the entry
 * @image: components without gaps, which move to the store, but for views, which are copied
 * @error: %WF_ERROR_MEMORY
 *
 * Returns: success; else nothing has moved
 */
gboolean
store_put_colors (const char  *name,
                  ColorImage  *image,
                  GError     **error)
{
  ColorImage    *colors     = &add_entry (name)->colors;
  const WfImage *components = image->components;

  for (guint c = 0; c < G_N_ELEMENTS (image->components); c++)
    if (components[c].data && ! components[c].allocated &&
        ! copy_view (name, &components[c], &colors->components[c], error))
      return FALSE;
  for (guint c = 0; c < G_N_ELEMENTS (image->components); c++)
    if (components[c].allocated)
      colors->components[c] = components[c];
  colors->has_alpha = image->has_alpha;
  colors->encoding  = image->encoding;
  colors->profile   = image->profile ? g_bytes_ref (image->profile) : NULL;
  return TRUE;
}

void
store_put_bytes (const char *name,
                 GBytes     *bytes)
{
  add_entry (name)->bytes = g_bytes_ref (bytes);
}

static Entry *
find_entry (const char *name)
{
  return entries ? g_hash_table_lookup (entries, name) : NULL;
}

/* @image as levels or as labels, in new memory. */
static gboolean
convert (const WfImage *image,
         gboolean       labels,
         WfType         type,
         Input         *input,
         GError       **error)
{
  static const ElementType types[] = {
    [WF_TYPE_U8] = ELEMENT_U8,   [WF_TYPE_U16] = ELEMENT_U16, [WF_TYPE_U32] = ELEMENT_U32,
    [WF_TYPE_F32] = ELEMENT_F32, [WF_TYPE_U64] = ELEMENT_U64, [WF_TYPE_F64] = ELEMENT_F64,
  };
  const gsize        n       = (gsize) wf_image_n_pixels (image);
  gboolean           rounded = FALSE;
  g_autoptr (GError) problem = NULL;

  if (! memory_claim_to_read (input->name, n * wf_type_size (type), error) ||
      ! wf_image_allocate (&input->image, type, image->width, image->height, image->depth, error))
    return FALSE;
  if (! (labels ? elements_to_labels (image->data, types[image->type], n, input->image.data,
                                      &problem)
                : elements_to_levels (image->data, types[image->type], n, input->image.data,
                                      &rounded, &problem)))
    return refuse_to_read (input->name, problem->message, error);
  if (rounded)
    input->notice = doubles_make_notice (input->name);
  return TRUE;
}

static gboolean
has_type (const WfImage *image,
          gboolean       labels)
{
  return labels ? image->type == WF_TYPE_U32
                : image->type == WF_TYPE_U8 || image->type == WF_TYPE_U16 ||
                  image->type == WF_TYPE_F32;
}

static gboolean
read_image (const WfImage *image,
            gboolean       labels,
            Input         *input,
            GError       **error)
{
  if (has_type (image, labels))
    return wf_image_init (&input->image, image->type, image->width, image->height, image->depth,
                          image->data, error);
  return convert (image, labels, labels ? WF_TYPE_U32 : WF_TYPE_F32, input, error);
}

static gboolean
read_file (Entry     *entry,
           WfContent  content,
           Input     *input,
           GError   **error)
{
  const gboolean  labels = content != WF_CONTENT_LEVELS;
  Input          *read   = &entry->read[labels];

  if (! read->image.data &&
      ! input_read (read, entry->path, content, entry->raw, labels ? NULL : &entry->choice, error))
    {
      input_clear (read);
      return FALSE;
    }
  input_tell (read);
  g_clear_pointer (&read->notice, g_free);
  g_free (input->name);
  input->name = g_strdup (read->name);
  return wf_image_init (&input->image, read->image.type, read->image.width, read->image.height,
                        read->image.depth, read->image.data, error);
}

/* Brings the pixels to main memory. */
static gboolean
fetch (Entry       *entry,
       const char  *name,
       GError     **error)
{
  const WfImage         *there   = &entry->there;
  g_autoptr (WfContext)  context = NULL;
  g_auto (WfImage)       image   = { 0 };

  if (entry->image.data || ! there->data)
    return TRUE;
  context = residence_get_context ();
  if (! memory_claim_to_read (name, (guint64) wf_image_n_pixels (there) *
                                    wf_type_size (there->type), error) ||
      ! wf_image_allocate (&image, there->type, there->width, there->height, there->depth,
                           error) ||
      ! wf_image_copy (context, there, &image, error))
    return FALSE;
  entry->image = image;
  memset (&image, 0, sizeof image);
  return TRUE;
}

static char *
name_entry (const char *name)
{
  return g_strdup_printf ("%s, %s", origin, name + 1);
}

static void
name_input (Input      *input,
            const char *name)
{
  g_free (input->name);
  input->name = name_entry (name);
}

/* A result in colors as levels. */
static gboolean
read_colors (Entry     *entry,
             WfContent  content,
             Input     *input,
             GError   **error)
{
  const WfImage *red    = &entry->colors.components[0];
  WfImage       *levels = &entry->read[0].image;

  if (content != WF_CONTENT_LEVELS)
    return refuse_to_read (input->name, _("it has colors, which are no labels"), error);
  if (! levels->data)
    {
      if (! memory_claim_to_read (input->name, (guint64) wf_image_n_pixels (red) *
                                               wf_type_size (red->type), error) ||
          ! wf_image_allocate (levels, red->type, red->width, red->height, red->depth, error))
        return FALSE;
      color_image_take_luminance (&entry->colors, levels);
    }
  return wf_image_init (&input->image, levels->type, levels->width, levels->height, levels->depth,
                        levels->data, error);
}

/**
 * store_lend:
 * @input: empty; filled where it succeeds
 * @name: of an input
 * @content: what it is read as
 *
 * Gives a view of an image of the store that is on a GPU, if it is, and need not be converted.
 *
 * Returns: whether it does so
 */
gboolean
store_lend (Input      *input,
            const char *name,
            WfContent   content)
{
  Entry *entry = store_is_named (name) ? find_entry (name) : NULL;

  if (! entry || ! entry->there.data || ! has_type (&entry->there, content != WF_CONTENT_LEVELS))
    return FALSE;
  *input         = (Input) { .image = entry->there, .lent = g_strdup (name) };
  input->content = content;
  input->image.allocated = NULL;
  name_input (input, name);
  return TRUE;
}

/**
 * store_fetch_input:
 * @input: any input
 * @error: %TOOL_ERROR_FILE, and what wf_image_copy() sets
 *
 * Replaces the view of an image on a GPU by one of main memory.
 *
 * Returns: success
 */
gboolean
store_fetch_input (Input   *input,
                   GError **error)
{
  g_autofree char *name    = g_strdup (input->lent);
  const WfContent  content = input->content;

  if (! name)
    return TRUE;
  input_clear (input);
  return store_read (input, name, content, error);
}

/**
 * store_fetch_all:
 * @error: as for store_fetch_input()
 *
 * Brings all images to main memory, and leaves none on a GPU.
 *
 * Returns: success
 */
gboolean
store_fetch_all (GError **error)
{
  GHashTableIter iter;
  gpointer       name;
  gpointer       value;

  g_hash_table_iter_init (&iter, entries);
  while (g_hash_table_iter_next (&iter, &name, &value))
    {
      Entry *entry = value;

      if (! fetch (entry, name, error))
        return FALSE;
      wf_image_clear (&entry->there);
    }
  return TRUE;
}

/**
 * store_read:
 * @input: filled but for its name
 * @name: of an entry
 * @content: what it is read as
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: success
 */
gboolean
store_read (Input       *input,
            const char  *name,
            WfContent    content,
            GError     **error)
{
  Entry *entry = find_entry (name);

  if (! entry || entry->bytes)
    return refuse_to_read (name, _("there is no such image"), error);
  name_input (input, name);
  if (! fetch (entry, name, error))
    return FALSE;
  if (! entry->path && color_image_has_colors (&entry->colors))
    return read_colors (entry, content, input, error);
  return entry->path ? read_file (entry, content, input, error)
                     : read_image (&entry->image, content != WF_CONTENT_LEVELS, input, error);
}

/**
 * store_lend_colors:
 * @image: empty; filled with views, or without components where there are gray levels
 * @name: of an entry
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: success
 */
gboolean
store_lend_colors (ColorImage  *image,
                   const char  *name,
                   GError     **error)
{
  Entry      *entry  = find_entry (name);
  ColorImage *colors = entry ? &entry->colors : NULL;

  if (! entry || entry->bytes)
    return refuse_to_read (name, _("there is no such image"), error);
  if (entry->path && ! colors->name &&
      ! color_image_read (colors, entry->path, entry->raw, &entry->choice, error))
    {
      color_image_clear (colors);
      return FALSE;
    }
  for (guint c = 0; c < G_N_ELEMENTS (image->components); c++)
    {
      image->components[c]           = colors->components[c];
      image->components[c].allocated = NULL;
    }
  image->name      = colors->name ? g_strdup (colors->name) : name_entry (name);
  image->has_alpha = colors->has_alpha;
  image->encoding  = colors->encoding;
  image->profile   = colors->profile ? g_bytes_ref (colors->profile) : NULL;
  image->notice    = g_steal_pointer (&colors->notice);
  return TRUE;
}

/**
 * store_find_colors:
 * @name: of an entry
 *
 * Returns: (transfer none) (nullable): the result of that name, if it is in colors
 */
ColorImage *
store_find_colors (const char *name)
{
  Entry *entry = find_entry (name);

  return entry && ! entry->path && color_image_has_colors (&entry->colors) ? &entry->colors : NULL;
}

/**
 * store_find_image:
 * @name: of an entry
 * @image: (out) (nullable): the result of that name, in main memory; its pixels may be changed
 * @content: (out): what it means
 * @error: as for store_fetch_input()
 *
 * Returns: %FALSE if it cannot be brought there
 */
gboolean
store_find_image (const char  *name,
                  WfImage    **image,
                  WfContent   *content,
                  GError     **error)
{
  Entry *entry = find_entry (name);

  *image = NULL;
  if (! entry)
    return TRUE;
  if (! fetch (entry, name, error))
    return FALSE;
  wf_image_clear (&entry->there);
  if (! entry->image.data)
    return TRUE;
  *content = entry->content;
  *image   = &entry->image;
  return TRUE;
}

/**
 * store_find_bytes:
 * @name: of an entry
 *
 * Returns: (transfer none) (nullable): the file of that name
 */
GBytes *
store_find_bytes (const char *name)
{
  const Entry *entry = find_entry (name);

  return entry ? entry->bytes : NULL;
}

void
store_drop (const char *name)
{
  g_hash_table_remove (entries, name);
}

static guint64
count_bytes (const WfImage *image)
{
  return image->allocated ? (guint64) wf_image_n_pixels (image) * wf_type_size (image->type) : 0;
}

/**
 * store_count_device_bytes:
 *
 * Returns: the memory that its images take on GPUs
 */
guint64
store_count_device_bytes (void)
{
  GHashTableIter iter;
  gpointer       value;
  guint64        bytes = 0;

  g_hash_table_iter_init (&iter, entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    bytes += count_bytes (&((const Entry *) value)->there);
  return bytes;
}

/**
 * store_count_bytes:
 *
 * Returns: the main memory that its images take
 */
guint64
store_count_bytes (void)
{
  GHashTableIter iter;
  gpointer       value;
  guint64        bytes = 0;

  g_hash_table_iter_init (&iter, entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Entry *entry = value;

      bytes += count_bytes (&entry->image) + count_bytes (&entry->read[0].image) +
               count_bytes (&entry->read[1].image);
      for (guint c = 0; c < G_N_ELEMENTS (entry->colors.components); c++)
        bytes += count_bytes (&entry->colors.components[c]);
    }
  return bytes;
}
