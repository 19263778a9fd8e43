/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All files are opened once, so that one that does not fit is refused before anything is done.
 * Later few are open at a time, because slices are read one after the other.
 */

#include "config.h"

#include <glib/gi18n.h>

#include "sequence.h"
#include "tools/message.h"

#define N_OPEN 4

/**
 * Slot:
 * @input: an open file
 * @number: which one, from 1; 0: none
 */
typedef struct
{
  BlockInput input;
  guint      number;
} Slot;

/**
 * BlockSequence:
 * @depth: slices of each file
 * @slots: of file i the one of i modulo %N_OPEN
 * @memory: what reading one of the files takes
 * @rounding: (nullable): a sentence about the first file that had to be rounded
 */
struct _BlockSequence
{
  GPtrArray     *files;
  WfContent      content;
  const RawSpec *raw;
  Choice         choice;
  guint          n_threads;
  gint64         depth;
  Slot           slots[N_OPEN];
  guint64        memory;
  char          *rounding;
};


static void
close_slot (BlockSequence *sequence,
            Slot          *slot)
{
  if (slot->number > 0 && ! sequence->rounding)
    sequence->rounding = block_input_find_rounding (&slot->input);
  if (slot->number > 0)
    block_input_clear (&slot->input);
  slot->number = 0;
}

/* Returns: (nullable): the file of that number, open */
static BlockInput *
open_file (BlockSequence  *sequence,
           guint           number,
           GError        **error)
{
  Slot *slot = &sequence->slots[number % N_OPEN];

  if (slot->number == number + 1)
    return &slot->input;
  close_slot (sequence, slot);
  if (! block_input_open_alone (&slot->input, sequence->files->pdata[number], sequence->content,
                                sequence->raw, &sequence->choice, sequence->n_threads, error))
    {
      block_input_clear (&slot->input);
      return NULL;
    }
  slot->number = number + 1;
  return &slot->input;
}

/* Opens each file once; @source and @notice: see block_sequence_open() */
static gboolean
check_files (BlockSequence  *sequence,
             WfBlockSource  *source,
             char          **notice,
             GError        **error)
{
  g_auto (Input) first = { 0 };

  for (guint i = 0; i < sequence->files->len; i++)
    {
      const BlockInput *input = open_file (sequence, i, error);

      if (! input)
        return FALSE;
      if (i == 0)
        {
          first.name       = g_strdup (input->input.name);
          first.image      = input->input.image;
          *source          = input->source;
          sequence->depth  = source->depth;
          source->depth   *= sequence->files->len;
          *notice          = g_strdup (input->input.notice);
        }
      if (! sequence_check_slices (&first, &input->input, error))
        return FALSE;
      sequence->memory = MAX (sequence->memory, block_input_get_memory (input));
    }
  return TRUE;
}

/**
 * block_sequence_open:
 * @path: a name that stands for several files
 * @content: what they hold
 * @raw: what --raw says of each, or %NULL for files in a format of their own
 * @choice: which of their planes are read
 * @n_threads: that decode
 * @source: gets type and size
 * @notice: set to what is left out of the first file, or %NULL
 * @error: %TOOL_ERROR_FILE, also where a file cannot be read in blocks
 *
 * Returns: (nullable): the stack
 */
BlockSequence *
block_sequence_open (const char     *path,
                     WfContent       content,
                     const RawSpec  *raw,
                     const Choice   *choice,
                     guint           n_threads,
                     WfBlockSource  *source,
                     char          **notice,
                     GError        **error)
{
  GPtrArray     *files    = sequence_list_files (path, error);
  BlockSequence *sequence = NULL;

  if (! files)
    return NULL;
  sequence            = g_new0 (BlockSequence, 1);
  sequence->files     = files;
  sequence->content   = content;
  sequence->raw       = raw;
  sequence->choice    = *choice;
  sequence->n_threads = n_threads;
  if (! check_files (sequence, source, notice, error))
    g_clear_pointer (&sequence, block_sequence_free);
  return sequence;
}

/* The slices of @block from its slice @k on that are in one file; @z: of the first in that file */
static WfImage
find_part (const BlockSequence *sequence,
           const WfImage       *block,
           gint64               k,
           gint64               z)
{
  WfImage part = *block;

  part.data      = (guint8 *) block->data
                   + (gsize) (k * block->slice_stride) * wf_type_size (block->type);
  part.depth     = MIN (block->depth - k, sequence->depth - z);
  part.allocated = NULL;
  return part;
}

/**
 * block_sequence_read:
 * @sequence: an open stack
 * @x: the block's first pixel
 * @y: likewise
 * @z: likewise
 * @block: to be filled
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: success
 */
gboolean
block_sequence_read (BlockSequence  *sequence,
                     gint64          x,
                     gint64          y,
                     gint64          z,
                     WfImage        *block,
                     GError        **error)
{
  for (gint64 k = 0, n; k < block->depth; k += n)
    {
      const guint  number = (guint) ((z + k) / sequence->depth);
      const gint64 first  = (z + k) % sequence->depth;
      WfImage      part   = find_part (sequence, block, k, first);
      BlockInput  *input  = open_file (sequence, number, error);

      if (! input || ! input->source.read (input->source.data, x, y, first, &part, error))
        return FALSE;
      n = part.depth;
    }
  return TRUE;
}

/**
 * block_sequence_get_memory:
 * @sequence: an open stack
 *
 * Returns: the bytes that reading takes beside the blocks
 */
guint64
block_sequence_get_memory (const BlockSequence *sequence)
{
  return N_OPEN * sequence->memory;
}

/**
 * block_sequence_find_rounding:
 * @sequence: a stack that was read
 *
 * Returns: (nullable) (transfer none): a sentence, if reading has rounded pixels
 */
const char *
block_sequence_find_rounding (BlockSequence *sequence)
{
  for (guint i = 0; i < N_OPEN; i++)
    close_slot (sequence, &sequence->slots[i]);
  return sequence->rounding;
}

void
block_sequence_free (BlockSequence *sequence)
{
  for (guint i = 0; i < N_OPEN; i++)
    close_slot (sequence, &sequence->slots[i]);
  g_ptr_array_unref (sequence->files);
  g_free (sequence->rounding);
  g_free (sequence);
}
