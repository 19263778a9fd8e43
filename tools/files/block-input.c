/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <unistd.h>

#include <glib/gi18n.h>

#include "block-input.h"
#include "doubles.h"
#include "npy-file.h"
#include "sequence.h"
#include "tools/memory.h"
#include "tools/message.h"
#include "tools/ranks.h"

#ifdef HAVE_VIPS
#include "vips-blocks.h"
#endif
#ifdef HAVE_ZARR
#include "zarr/image.h"
#endif


/* Of WfReadBlockFunc. */
static gboolean
read_block (gpointer   data,
            gint64     x,
            gint64     y,
            gint64     z,
            WfImage   *block,
            GError   **error)
{
  BlockInput         *input   = data;
  g_autoptr (GError)  problem = NULL;

  if (input->sequence)
    return block_sequence_read (input->sequence, x, y, z, block, error);
#ifdef HAVE_ZARR
  if (input->zarr)
    return zarr_image_read (input->zarr, x, y, z, block, error) &&
           input_check_numbers (input->input.name, block, x, y, z, error);
#endif
#ifdef HAVE_VIPS
  if (input->vips)
    return vips_blocks_read (input->vips, x, y, z, block, error) &&
           input_check_numbers (input->input.name, block, x, y, z, error);
#endif
  return (raw_blocks_read (&input->raw, x, y, z, block, &problem) ||
          refuse_to_read (input->path, problem->message, error)) &&
         input_check_numbers (input->input.name, block, x, y, z, error);
}

/* @alone: whether this process reads the file by itself */
static gboolean
open_raw (BlockInput     *input,
          WfContent       content,
          const RawSpec  *spec,
          gboolean        alone,
          GError        **error)
{
  WfType             type    = raw_spec_get_type (spec, content);
  g_autoptr (GError) problem = NULL;

  input->is_raw         = TRUE;
  input->raw.descriptor = raw_file_open (input->path, spec, &type, error);
  if (input->raw.descriptor < 0)
    return FALSE;

  input->raw.stored = type;
  input->raw.width  = spec->width;
  input->raw.height = spec->height;
  if (! alone && ranks_are_several () &&
      ! raw_blocks_share (&input->raw, input->path, FALSE, &problem))
    return refuse_to_read (input->path, problem->message, error);
  input->source     = (WfBlockSource) {
    .type   = type == WF_TYPE_F64 ? WF_TYPE_F32 : type,
    .width  = spec->width,
    .height = spec->height,
    .depth  = spec->depth,
  };
  return TRUE;
}

/* The type of pixels that can be read where they lie; 0 if they have to be converted. */
static WfType
find_stored (const NpyHeader *header,
             WfContent        content)
{
  gboolean     is_same;
  const WfType type = elements_get_type (header->type, content != WF_CONTENT_LEVELS, &is_same);

  if (header->swapped || G_BYTE_ORDER != G_LITTLE_ENDIAN)
    return (WfType) 0;
  if (is_same)
    return type;
  return header->type == ELEMENT_F64 && content == WF_CONTENT_LEVELS ? WF_TYPE_F64 : (WfType) 0;
}

static gboolean
open_npy (BlockInput  *input,
          WfContent    content,
          GError     **error)
{
  NpyHeader header;

  input->raw.descriptor = npy_file_open (input->path, &header, error);
  if (input->raw.descriptor < 0)
    return FALSE;
  input->raw.stored = find_stored (&header, content);
  if (input->raw.stored == 0)
    return refuse_to_read (input->path, _("an array of this type or byte order cannot be read in "
                                          "blocks"), error);
  input->is_raw     = TRUE;
  input->raw.width  = header.width;
  input->raw.height = header.height;
  input->raw.offset = (gint64) header.length;
  input->source     = (WfBlockSource) {
    .type   = input->raw.stored == WF_TYPE_F64 ? WF_TYPE_F32 : input->raw.stored,
    .width  = header.width,
    .height = header.height,
    .depth  = header.depth,
  };
  return TRUE;
}

static gboolean
open_zarr (BlockInput    *input,
           WfContent      content,
           const Choice  *choice,
           guint          n_threads,
           GError       **error)
{
#ifdef HAVE_ZARR
  input->zarr = zarr_image_open (input->path, content != WF_CONTENT_LEVELS, choice, n_threads,
                                 &input->source, &input->input.notice, error);
  return input->zarr != NULL;
#else
  return input_refuse_zarr (input->path, error);
#endif
}

static gboolean
open_picture (BlockInput    *input,
              WfContent      content,
              const Choice  *choice,
              guint          n_threads,
              GError       **error)
{
  if (input_is_zarr (&input->input, input->path))
    return open_zarr (input, content, choice, n_threads, error);
  if (input_is_npy (&input->input, input->path))
    return open_npy (input, content, error);
  if (input_is_pfm (&input->input, input->path))
    {
      g_autofree char *reason = g_strdup_printf (_("%s cannot be read in blocks; TIFF, PNG, Zarr, "
                                                   "NPY and raw files can"), "PFM");

      return refuse_to_read (input->path, reason, error);
    }
#ifdef HAVE_VIPS
  input->vips = vips_blocks_open (input->path, content != WF_CONTENT_LEVELS, choice,
                                  n_threads, &input->source, &input->input.notice, error);
  return input->vips != NULL;
#else
  return refuse_to_read (input->path, _("this build has no libvips, so only raw files can be read "
                                        "in blocks"), error);
#endif
}

static gboolean
open_sequence (BlockInput     *input,
               const char     *path,
               WfContent       content,
               const RawSpec  *raw,
               const Choice   *choice,
               guint           n_threads,
               GError        **error)
{
  input->path       = path;
  input->input.name = g_filename_display_name (path);
  input->sequence   = block_sequence_open (path, content, raw, choice, n_threads, &input->source,
                                           &input->input.notice, error);
  return input->sequence != NULL;
}

static gboolean
open_file (BlockInput     *input,
           const char     *path,
           WfContent       content,
           const RawSpec  *raw,
           const Choice   *choice,
           guint           n_threads,
           gboolean        alone,
           GError        **error)
{
  if (! input_find (&input->input, &path, raw, choice, error))
    return FALSE;
  input->path = path;
  return raw ? open_raw (input, content, raw, alone, error)
             : open_picture (input, content, choice, n_threads, error);
}

/* What is read through @input. */
static gboolean
set_source (BlockInput  *input,
            GError     **error)
{
  input->source.read = read_block;
  input->source.data = input;
  return wf_image_init (&input->input.image, input->source.type, input->source.width,
                        input->source.height, input->source.depth, input, error);
}

/**
 * block_input_open:
 * @input: filled; to be cleared whatever the result
 * @path: the file, or “-”, or what stands for several files
 * @content: what it holds
 * @raw: what --raw says, or %NULL for a file in a format of its own
 * @choice: which of its planes are read
 * @n_threads: that decode
 * @error: %TOOL_ERROR_FILE, also where the file cannot be read in blocks
 *
 * Reads type and size, but no pixels.
 *
 * Returns: success
 */
gboolean
block_input_open (BlockInput     *input,
                  const char     *path,
                  WfContent       content,
                  const RawSpec  *raw,
                  const Choice   *choice,
                  guint           n_threads,
                  GError        **error)
{
  *input = (BlockInput) { .raw.descriptor = -1 };
  return (sequence_is_named (path)
          ? open_sequence (input, path, content, raw, choice, n_threads, error)
          : open_file (input, path, content, raw, choice, n_threads, FALSE, error)) &&
         set_source (input, error);
}

/**
 * block_input_open_alone:
 * @input: filled; to be cleared whatever the result
 * @path: the file
 * @content: what it holds
 * @raw: what --raw says, or %NULL for a file in a format of its own
 * @choice: which of its planes are read
 * @n_threads: that decode
 * @error: %TOOL_ERROR_FILE, also where the file cannot be read in blocks
 *
 * As block_input_open(), of one file, which other processes need not open at the same time.
 *
 * Returns: success
 */
gboolean
block_input_open_alone (BlockInput     *input,
                        const char     *path,
                        WfContent       content,
                        const RawSpec  *raw,
                        const Choice   *choice,
                        guint           n_threads,
                        GError        **error)
{
  *input = (BlockInput) { .raw.descriptor = -1 };
  return open_file (input, path, content, raw, choice, n_threads, TRUE, error) &&
         set_source (input, error);
}

/**
 * block_input_is_lost:
 * @input: an input that block_input_open() has refused
 *
 * Returns: whether part of standard input was read for nothing: it cannot be read again.
 */
gboolean
block_input_is_lost (const BlockInput *input)
{
  return input->input.is_stream && ! input->path;
}

/**
 * block_input_get_name:
 * @input: an open input
 *
 * Returns: the file's name, to be shown
 */
const char *
block_input_get_name (const BlockInput *input)
{
  return input->input.name;
}

/**
 * block_input_get_memory:
 * @input: an open input
 *
 * Returns: the bytes that reading takes beside the blocks
 */
guint64
block_input_get_memory (const BlockInput *input)
{
  if (input->sequence)
    return block_sequence_get_memory (input->sequence);
#ifdef HAVE_ZARR
  if (input->zarr)
    return zarr_image_get_memory (input->zarr);
#endif
#ifdef HAVE_VIPS
  if (input->vips)
    return vips_blocks_get_memory (input->vips);
#endif
  return 0;
}

/**
 * block_input_claim:
 * @input: an open input
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether there is memory for what reading takes beside the blocks.
 */
gboolean
block_input_claim (const BlockInput  *input,
                   GError           **error)
{
  return memory_claim_to_read (input->path, block_input_get_memory (input), error);
}

/**
 * block_input_find_rounding:
 * @input: an input that was read
 *
 * Returns: (nullable): a sentence, if reading has rounded pixels
 */
char *
block_input_find_rounding (const BlockInput *input)
{
  if (input->sequence)
    return g_strdup (block_sequence_find_rounding (input->sequence));
#ifdef HAVE_ZARR
  if (input->zarr)
    return zarr_image_is_rounded (input->zarr) ? doubles_make_notice (input->path) : NULL;
#endif
#ifdef HAVE_VIPS
  if (input->vips)
    return g_strdup (vips_blocks_get_notice (input->vips));
#endif
  return input->raw.rounded ? doubles_make_notice (input->path) : NULL;
}

/**
 * block_input_tell:
 * @input: an input that was read
 *
 * Says what reading it changed, if anything: for when all has gone well.
 *
 * Returns: %TRUE
 */
gboolean
block_input_tell (const BlockInput *input)
{
  g_autofree char *rounded = block_input_find_rounding (input);

  input_tell (&input->input);
  if (rounded)
    message_print (rounded);
  return TRUE;
}

void
block_input_clear (BlockInput *input)
{
#ifdef HAVE_VIPS
  g_clear_pointer ((VipsBlocks **) &input->vips, vips_blocks_free);
#endif
#ifdef HAVE_ZARR
  g_clear_pointer ((ZarrImage **) &input->zarr, zarr_image_free);
#endif
  g_clear_pointer ((BlockSequence **) &input->sequence, block_sequence_free);
  raw_blocks_close (&input->raw, NULL);
  if (input->input.name && input->raw.descriptor >= 0)
    close (input->raw.descriptor);
  input_clear (&input->input);
  *input = (BlockInput) { .raw.descriptor = -1 };
}
