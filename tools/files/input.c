/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <glib/gi18n.h>

#include "doubles.h"
#include "folder.h"
#include "format.h"
#include "input.h"
#include "tools/memory.h"
#include "tools/message.h"
#include "npy-file.h"
#include "pfm-file.h"
#include "sequence.h"
#include "store.h"
#include "stream.h"

#ifdef HAVE_VIPS
#include "vips-file.h"
#endif
#ifdef HAVE_ZARR
#include "zarr/image.h"
#endif


static gboolean
is_kind (const char *path,
         FormatKind  kind)
{
  const Format *format = format_find (path);

  return format && format->kind == kind;
}

/**
 * input_is_pfm:
 * @input: an input
 * @path: its file
 *
 * Returns: whether it is a PFM file: the contents decide where no name can.
 */
gboolean
input_is_pfm (const Input *input,
              const char  *path)
{
  return input->is_stream ? pfm_file_is_likely (path) : is_kind (path, FORMAT_PFM);
}

/**
 * input_is_npy:
 * @input: an input
 * @path: its file
 *
 * Returns: whether it is an NPY file, as input_is_pfm().
 */
gboolean
input_is_npy (const Input *input,
              const char  *path)
{
  return input->is_stream ? npy_file_is_likely (path) : is_kind (path, FORMAT_NPY);
}

/**
 * input_is_zarr:
 * @input: an input
 * @path: its file
 *
 * Returns: whether it is a Zarr folder.
 */
gboolean
input_is_zarr (const Input *input,
               const char  *path)
{
  return ! input->is_stream && folder_is_input (path);
}

/**
 * input_refuse_zarr:
 * @path: a Zarr folder
 * @error: %TOOL_ERROR_FILE
 *
 * For a build that does not read it.
 *
 * Returns: %FALSE
 */
gboolean
input_refuse_zarr (const char  *path,
                   GError     **error)
{
  return refuse_to_read (path, _("this build has no json-glib and libdeflate, which OME-Zarr "
                                 "takes"), error);
}

/**
 * input_check_name:
 * @path: name of an input as given on the command line
 * @raw: (nullable): the value of --raw, or %NULL without it
 * @error: %TOOL_ERROR_USAGE
 *
 * Refuses names that are invalid regardless of the contents of the file.
 *
 * Returns: %FALSE if the name is invalid.
 */
gboolean
input_check_name (const char     *path,
                  const RawSpec  *raw,
                  GError        **error)
{
  g_autofree char *name = g_filename_display_name (path);

  if (path[0] == '\0')
    return refuse_usage (_("The name of an input is empty."), error);
  if (store_is_named (path))
    return TRUE;
  if (stream_is_named (path))
    return stream_claim_input (error);
  if (! raw && is_kind (path, FORMAT_RAW))
    {
      g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
                   _("“%s” is a raw file: give its size and type with --raw WxH[xD]:TYPE."),
                   name);
      return FALSE;
    }
  return TRUE;
}

/* Replaces 64-bit levels by f32; the mapping is not needed any more. */
static gboolean
narrow_levels (Input       *input,
               const char  *path,
               GError     **error)
{
  g_auto (WfImage)    wide    = input->image;
  gboolean            rounded = FALSE;
  g_autoptr (GError)  problem = NULL;

  memset (&input->image, 0, sizeof input->image);
  if (! memory_claim_to_read (path, (guint64) wf_image_n_pixels (&wide) * sizeof (float), error) ||
      ! wf_image_allocate (&input->image, WF_TYPE_F32, wide.width, wide.height, wide.depth, error))
    return FALSE;
  if (! doubles_to_floats (wide.data, (gsize) wf_image_n_pixels (&wide), input->image.data,
                           &rounded, &problem))
    return refuse_to_read (path, problem->message, error);

  if (rounded)
    input->notice = doubles_make_notice (path);
  g_clear_pointer (&input->owner, input->release);
  return TRUE;
}

static gboolean
read_raw (Input          *input,
          const char     *path,
          WfContent       content,
          const RawSpec  *raw,
          GError        **error)
{
  GMappedFile *mapping = NULL;
  WfType       type    = raw_spec_get_type (raw, content);

  if (! raw_file_read (path, raw, type, &input->image, &mapping, error))
    return FALSE;

  input->owner   = mapping;
  input->release = (GDestroyNotify) g_mapped_file_unref;
  return type != WF_TYPE_F64 || narrow_levels (input, path, error);
}

static gboolean
read_npy (Input       *input,
          const char  *path,
          WfContent    content,
          GError     **error)
{
  NpyHeader               header;
  g_autoptr (GMappedFile) mapping = npy_file_map (path, &header, error);
  gboolean                rounded = FALSE;

  if (! mapping || ! npy_file_take (mapping, path, &header, content != WF_CONTENT_LEVELS,
                                    &input->image, &rounded, error))
    return FALSE;
  if (! input->image.allocated)
    {
      input->owner   = g_steal_pointer (&mapping);
      input->release = (GDestroyNotify) g_mapped_file_unref;
    }
  if (rounded)
    input->notice = doubles_make_notice (path);
  return TRUE;
}

#ifdef HAVE_ZARR

/* With the memory that decoding takes, which is free again afterwards. */
static gboolean
fill_from_zarr (Input          *input,
                const char     *path,
                ZarrImage      *zarr,
                GError        **error)
{
  const guint64 bytes = (guint64) wf_image_n_pixels (&input->image)
                        * wf_type_size (input->image.type);
  const guint64 more  = zarr_image_get_memory (zarr);

  if (! memory_claim_to_read (path, bytes, error) || ! memory_claim_to_read (path, more, error) ||
      ! wf_image_allocate (&input->image, input->image.type, input->image.width,
                           input->image.height, input->image.depth, error) ||
      ! zarr_image_read (zarr, 0, 0, 0, &input->image, error))
    return FALSE;
  if (zarr_image_is_rounded (zarr))
    {
      g_autofree char *rounded = doubles_make_notice (path);
      g_autofree char *before  = input->notice;

      input->notice = g_strjoin (" ", before ? before : rounded, before ? rounded : NULL, NULL);
    }
  memory_release (more);
  return TRUE;
}

#endif

static gboolean
read_zarr (Input         *input,
           const char    *path,
           WfContent      content,
           const Choice  *choice,
           GError       **error)
{
#ifdef HAVE_ZARR
  WfBlockSource  source = { 0 };
  ZarrImage     *zarr   = zarr_image_open (path, content != WF_CONTENT_LEVELS, choice,
                                           g_get_num_processors (), &source, &input->notice,
                                           error);
  gboolean       filled = FALSE;

  /* data that is not read: the size is checked before it is allocated */
  filled = zarr && wf_image_init (&input->image, source.type, source.width, source.height,
                                  source.depth, input, error) &&
           fill_from_zarr (input, path, zarr, error);
  g_clear_pointer (&zarr, zarr_image_free);
  return filled;
#else
  return input_refuse_zarr (path, error);
#endif
}

static gboolean
read_picture (Input         *input,
              const char    *path,
              WfContent      content,
              const Choice  *choice,
              GError       **error)
{
  if (input_is_zarr (input, path))
    return read_zarr (input, path, content, choice, error);
  if (input_is_npy (input, path))
    return choice_refuse_stain (choice, input->name, error) &&
           read_npy (input, path, content, error);
  if (input_is_pfm (input, path))
    {
      if (content == WF_CONTENT_LEVELS)
        return pfm_file_read (path, choice, &input->image, error);

      g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
                   _("Cannot read “%s”: labels and markers are integers, but PFM holds floating "
                     "point."), input->name);
      return FALSE;
    }

#ifdef HAVE_VIPS
  return vips_file_read (path, content != WF_CONTENT_LEVELS, choice, &input->image,
                         &input->owner, &input->release, &input->notice, error);
#else
  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("Cannot read “%s”: this build has no libvips, so it reads only PFM and NPY files, "
                 "and raw ones that --raw WxH[xD]:TYPE describes."), input->name);
  return FALSE;
#endif
}

/**
 * input_check_numbers:
 * @name: of a file, to be shown
 * @image: a part of its image, or all of it
 * @x: where the part begins
 * @y: likewise
 * @z: likewise
 * @error: %TOOL_ERROR_FILE; the engine refuses NaN too, but does not know which file it comes from
 *
 * Returns: %FALSE if a pixel is not a number.
 */
gboolean
input_check_numbers (const char     *name,
                     const WfImage  *image,
                     gint64          x,
                     gint64          y,
                     gint64          z,
                     GError        **error)
{
  const float *levels = image->data;
  gint64       n      = wf_image_n_pixels (image);

  for (gint64 i = 0; image->type == WF_TYPE_F32 && i < n; i++)
    if (isnan (levels[i]))
      {
        g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
                     _("“%s” holds a pixel that is not a number (NaN), at %" PRId64 ", %"
                       PRId64 ", %" PRId64 "."),
                     name, x + i % image->width, y + i / image->width % image->height,
                     z + i / image->width / image->height);
        return FALSE;
      }
  return TRUE;
}

/**
 * input_find:
 * @input: filled as far as its name; to be cleared whatever the result
 * @path: (inout): the file, or “-”, which is replaced by a file
 * @raw: (nullable): what --raw says
 * @choice: which of its planes are read
 * @error: %TOOL_ERROR_FILE or %TOOL_ERROR_USAGE: raw, PFM and NPY files hold one channel, and all
 *   their slices
 *
 * Returns: success.
 */
gboolean
input_find (Input          *input,
            const char    **path,
            const RawSpec  *raw,
            const Choice   *choice,
            GError        **error)
{
  memset (input, 0, sizeof *input);
  input->name = stream_show_name (*path);
  if (stream_is_named (*path))
    {
      input->is_stream = TRUE;
      *path            = stream_find_input (error);
      if (! *path)
        return FALSE;
    }
  if (raw && ! choice_refuse_stain (choice, input->name, error))
    return FALSE;
  if ((! raw && ! input_is_pfm (input, *path) && ! input_is_npy (input, *path)) ||
      (choice->channel < 0 && choice->series < 0 && choice->level < 0 && choice->slice < 0))
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_USAGE,
               _("“%s” is a raw, PFM or NPY file: --channel, --series, --level and --slice choose "
                 "in other files."), input->name);
  return FALSE;
}

/**
 * input_read:
 * @input: filled; to be cleared whatever the result
 * @path: the file, or “-”, or what stands for several files or an entry of the store
 * @content: what it holds
 * @raw: what --raw says, or %NULL for a file in a format of its own
 * @choice: which of its planes are read, or %NULL
 * @error: %TOOL_ERROR_FILE, or memory errors of the engine
 *
 * Returns: success.
 */
gboolean
input_read (Input          *input,
            const char     *path,
            WfContent       content,
            const RawSpec  *raw,
            const Choice   *choice,
            GError        **error)
{
  static const Choice all = CHOICE_NONE;

  choice = choice ? choice : &all;
  if (store_is_named (path))
    {
      memset (input, 0, sizeof *input);
      input->name = g_strdup (path);
      return store_read (input, path, content, error);
    }
  if (sequence_is_named (path))
    return sequence_read (input, path, content, raw, choice, error);
  return input_find (input, &path, raw, choice, error) &&
         (raw ? read_raw (input, path, content, raw, error)
              : read_picture (input, path, content, choice, error)) &&
         input_check_numbers (input->name, &input->image, 0, 0, 0, error);
}

/**
 * input_read_anywhere:
 * @input: as for input_read(), like all that follows
 * @path: as above
 * @content: as above
 * @raw: as above
 * @choice: as above
 * @anywhere: whether an image of the store may stay on a GPU, until residence_settle()
 * @error: as above
 *
 * Returns: success.
 */
gboolean
input_read_anywhere (Input          *input,
                     const char     *path,
                     WfContent       content,
                     const RawSpec  *raw,
                     const Choice   *choice,
                     gboolean        anywhere,
                     GError        **error)
{
  return (anywhere && store_lend (input, path, content)) ||
         input_read (input, path, content, raw, choice, error);
}

/**
 * input_check_same_size:
 * @input: an input that was read
 * @other: another
 * @error: %TOOL_ERROR_FILE; the engine would say the same, but knows neither name
 *
 * Returns: whether both have as many pixels along each side.
 */
gboolean
input_check_same_size (const Input  *input,
                       const Input  *other,
                       GError      **error)
{
  const WfImage *a = &input->image;
  const WfImage *b = &other->image;

  if (a->width == b->width && a->height == b->height && a->depth == b->depth)
    return TRUE;

  g_set_error (error, TOOL_ERROR, TOOL_ERROR_FILE,
               _("“%s” is %" PRId64 " × %" PRId64 " × %" PRId64
                 " pixels, but “%s” is %" PRId64 " × %" PRId64
                 " × %" PRId64 "."),
               input->name, a->width, a->height, a->depth,
               other->name, b->width, b->height, b->depth);
  return FALSE;
}

/**
 * input_join_names:
 * @inputs: those that were not read have no name
 * @n: how many
 *
 * Returns: (transfer full): the names of the files that the engine would call "the image"
 */
char *
input_join_names (const Input *const *inputs,
                  guint               n)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    if (inputs[i]->name)
      g_string_append_printf (names, names->len > 0 ? ", %s" : "%s", inputs[i]->name);
  return g_string_free (names, FALSE);
}

/**
 * input_tell:
 * @input: an input that was read
 *
 * Says what reading it changed, if anything: for when all has gone well.
 *
 * Returns: %TRUE
 */
gboolean
input_tell (const Input *input)
{
  if (input->notice)
    message_print (input->notice);
  return TRUE;
}

void
input_clear (Input *input)
{
  wf_image_clear (&input->image);
  if (input->owner)
    input->release (input->owner);
  g_free (input->name);
  g_free (input->notice);
  g_free (input->lent);
  memset (input, 0, sizeof *input);
}
