/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One image of a folder: it is loaded, the procedure runs on it in this process, the results are
 * saved, and it is closed.
 *
 * A file with one layer is an image.  With several it is a stack, if the settings want one; a small
 * copy beside the image, which cameras, microscopes and GIMP itself add, is no layer.  An indexed
 * image is converted to RGB, as a dialog does.
 *
 * PNG and TIFF files hold what is seen: all visible layers in one, opaque if the lowest one is.
 * They keep no paths: where these are all that is made, files are XCF and have the image.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "kind.h"
#include "picture.h"
#include "plugins/common/input/threshold-scale.h"
#include "plugins/common/procedure/plug-in.h"

/* The longer side of the copy that GIMP adds to a TIFF file of an image in colors. */
#define COPY_SIDE 256

const WfFolderKind wf_folder_of_layers = { 0 };


/**
 * wf_folder_makes_layers:
 * @kind: of a procedure
 * @config: its settings
 *
 * Returns: whether images get new layers
 */
gboolean
wf_folder_makes_layers (const WfFolderKind *kind,
                        GObject            *config)
{
  return ! kind->makes_layers || kind->makes_layers (config);
}


/*  Settings  */

static GimpProcedureConfig *
copy_config (GimpProcedureConfig *model)
{
  GimpProcedureConfig  *config;
  guint                 n_specs;
  GParamSpec          **specs;

  config = g_object_new (G_OBJECT_TYPE (model), "procedure",
                         gimp_procedure_config_get_procedure (model), NULL);
  specs  = g_object_class_list_properties (G_OBJECT_GET_CLASS (config), &n_specs);
  for (guint i = 0; i < n_specs; i++)
    {
      GValue value = G_VALUE_INIT;

      if ((specs[i]->flags & G_PARAM_CONSTRUCT_ONLY) || ! (specs[i]->flags & G_PARAM_WRITABLE) ||
          ! (specs[i]->flags & G_PARAM_READABLE))
        continue;
      g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (specs[i]));
      g_object_get_property (G_OBJECT (model), specs[i]->name, &value);
      g_object_set_property (G_OBJECT (config), specs[i]->name, &value);
      g_value_unset (&value);
    }
  g_free (specs);
  return config;
}

/**
 * wf_folder_copy_config:
 * @run: a run, whose dialog may be open
 *
 * Returns: (transfer full): its settings, with the scale of its image, but without those that
 *   belong to that
 */
GimpProcedureConfig *
wf_folder_copy_config (WfJob *run)
{
  const WfFolderKind  *kind   = run->procedure->folder;
  GimpProcedureConfig *config = copy_config (run->config);

  wf_threshold_scale_remember (run, config);
  if (kind->clear)
    kind->clear (G_OBJECT (config));
  return config;
}

/* @result: (nullable): the name of its file */
static void
set_file (GimpProcedureConfig *config,
          const char          *argument,
          GFile               *folder,
          const char          *result)
{
  g_autoptr (GFile) file = result ? g_file_get_child (folder, result) : NULL;

  if (argument)
    g_object_set (config, argument, file, NULL);
}


/*  The image  */

static gboolean
fail (GError     **error,
      const char  *message)
{
  g_set_error_literal (error, WF_ERROR, WF_ERROR_INVALID, message);
  return FALSE;
}

/* The sentence of a call that failed. */
static gboolean
fail_as_gimp (GError     **error,
              const char  *message)
{
  const char *last = gimp_pdb_get_last_error (gimp_get_pdb ());

  return fail (error, last && *last ? last : message);
}

static gboolean
is_of_size (GimpLayer *layer,
            GimpImage *image)
{
  return gimp_drawable_get_width (GIMP_DRAWABLE (layer)) == gimp_image_get_width (image) &&
         gimp_drawable_get_height (GIMP_DRAWABLE (layer)) == gimp_image_get_height (image);
}

/* Whether GIMP made @layer, the second page of a TIFF file, as a copy of the first one.  Their
 * sizes may be equal; what GIMP reads as such a copy has alpha.
 */
static gboolean
is_copy (GimpDrawable *layer,
         GimpDrawable *original)
{
  int width       = gimp_drawable_get_width (original);
  int height      = gimp_drawable_get_height (original);
  int longer      = MAX (width, height);
  int copy_width  = MAX ((int) ((gint64) width * COPY_SIDE / longer), 1);
  int copy_height = MAX ((int) ((gint64) height * COPY_SIDE / longer), 1);

  return gimp_drawable_get_width (layer) == copy_width &&
         gimp_drawable_get_height (layer) == copy_height && gimp_drawable_has_alpha (layer) &&
         (longer != COPY_SIDE || ! gimp_drawable_has_alpha (original));
}

/* The copy of a small image is larger than that, and so is the image then. */
static void
remove_copy (GimpImage *image)
{
  g_autofree GimpLayer **layers = gimp_image_get_layers (image);
  GimpDrawable          *original;

  if (! layers[0] || ! layers[1] || layers[2] || gimp_image_get_xcf_file (image))
    return;
  original = GIMP_DRAWABLE (layers[1]);
  if (! is_copy (GIMP_DRAWABLE (layers[0]), original))
    return;
  gimp_image_remove_layer (image, layers[0]);
  gimp_image_resize (image, gimp_drawable_get_width (original), gimp_drawable_get_height (original),
                     0, 0);
}

/* Returns: (transfer container) (nullable): the layer to process, terminated by %NULL; of a stack
 * that of which the others are found
 */
static GimpDrawable **
find_drawables (GimpImage *image,
                gboolean   stack,
                GError   **error)
{
  g_autofree GimpLayer **layers = gimp_image_get_layers (image);
  GimpDrawable         **found  = g_new0 (GimpDrawable *, 2);
  guint                  n      = 0;

  for (gsize i = 0; layers[i]; i++)
    if (is_of_size (layers[i], image) || ! layers[1])
      {
        found[0] = found[0] ? found[0] : GIMP_DRAWABLE (layers[i]);
        n++;
      }
  if (n == 1 || (n > 1 && stack))
    {
      for (gsize i = 0; layers[i]; i++)
        if (n == 1 ? GIMP_DRAWABLE (layers[i]) != found[0] : ! is_of_size (layers[i], image))
          gimp_image_remove_layer (image, layers[i]);   /* small copies are no slices */
      return found;
    }
  fail (error, n == 0 ? _("The image has no layer of its size.")
                      : _("The image has several layers and is not processed as a stack."));
  g_free (found);
  return NULL;
}

/* Returns: (nullable): the image, with a layer for @drawables, or %NULL with @error set */
static GimpImage *
load (const WfFolderPictures  *pictures,
      GFile                   *file,
      GimpDrawable          ***drawables,
      GError                 **error)
{
  GimpImage *image = gimp_file_load (GIMP_RUN_NONINTERACTIVE, file);
  gboolean   stack;

  if (! image)
    {
      fail_as_gimp (error, _("The image cannot be read."));
      return NULL;
    }
  gimp_image_undo_disable (image);
  if (gimp_image_get_base_type (image) == GIMP_INDEXED)
    gimp_image_convert_rgb (image);
  remove_copy (image);
  g_object_get (pictures->config, "stack", &stack, NULL);
  *drawables = find_drawables (image, stack, error);
  if (*drawables)
    return image;
  gimp_image_delete (image);
  return NULL;
}


/*  Saving  */

static void
remove_others (GimpImage *image,
               GPtrArray *before)
{
  for (guint i = 0; i < before->len; i++)
    gimp_image_remove_layer (image, before->pdata[i]);
}

/* GIMP keeps the alpha of merged layers even where all is opaque. */
static void
make_one_layer (GimpImage *image)
{
  g_autofree GimpLayer **layers = gimp_image_get_layers (image);
  GimpLayer             *lowest = NULL;

  if (! layers[0] || (! layers[1] && ! gimp_item_is_group (GIMP_ITEM (layers[0])) &&
                      is_of_size (layers[0], image)))
    return;
  for (gsize i = 0; layers[i]; i++)
    if (gimp_item_get_visible (GIMP_ITEM (layers[i])))
      lowest = layers[i];
  if (lowest && is_of_size (lowest, image) && ! gimp_drawable_has_alpha (GIMP_DRAWABLE (lowest)))
    gimp_image_flatten (image);
  else if (lowest)
    gimp_image_merge_visible_layers (image, GIMP_CLIP_TO_IMAGE);
}

static gboolean
save (GimpImage  *image,
      GFile      *file,
      GError    **error)
{
  if (gimp_file_save (GIMP_RUN_NONINTERACTIVE, image, file, NULL))
    return TRUE;
  return fail_as_gimp (error, _("The result cannot be saved."));
}

static gboolean
save_layers (const WfFolderPictures  *pictures,
             GimpImage               *image,
             GPtrArray               *before,
             GFile                   *file,
             GError                 **error)
{
  const WfFolderKind *kind = pictures->run->procedure->folder;

  if (! file)
    return TRUE;
  if (wf_folder_makes_layers (kind, G_OBJECT (pictures->config)))
    {
      if (pictures->layers_only)
        remove_others (image, before);
      if (pictures->format != WF_FOLDER_XCF)
        make_one_layer (image);
    }
  return save (image, file, error);
}

static const GValue *
find_value (GimpProcedureConfig *config,
            GimpValueArray      *values,
            const char          *name)
{
  GimpProcedure  *procedure = gimp_procedure_config_get_procedure (config);
  int             n_specs;
  GParamSpec    **specs     = gimp_procedure_get_return_values (procedure, &n_specs);

  for (int i = 0; name && i < n_specs; i++)
    if (g_str_equal (specs[i]->name, name))
      return gimp_value_array_index (values, i + 1);
  return NULL;
}

static gboolean
save_results (const WfFolderPictures  *pictures,
              GimpImage               *image,
              GPtrArray               *before,
              GimpValueArray          *values,
              const WfFolderScratch   *scratch,
              gint64                  *n_objects,
              GError                 **error)
{
  const WfFolderKind *kind   = pictures->run->procedure->folder;
  const GValue       *made   = find_value (pictures->config, values, kind->image_value);
  const GValue       *count  = find_value (pictures->config, values, kind->count_value);
  GimpImage          *number = made ? g_value_get_object (made) : NULL;
  gboolean            saved;

  if (count)
    *n_objects = g_value_get_int (count);
  saved = (! number || ! scratch->files[WF_FOLDER_NUMBERS] ||
           save (number, scratch->files[WF_FOLDER_NUMBERS], error)) &&
          save_layers (pictures, image, before, scratch->files[WF_FOLDER_LAYERS], error);
  if (number)
    gimp_image_delete (number);
  return saved;
}


/*  All of it  */

static gboolean
check_values (GimpValueArray  *values,
              GError         **error)
{
  const int     status  = g_value_get_enum (gimp_value_array_index (values, 0));
  const GValue *message = gimp_value_array_length (values) > 1
                          ? gimp_value_array_index (values, 1) : NULL;

  if (status == GIMP_PDB_SUCCESS)
    return TRUE;
  if (status == GIMP_PDB_CANCEL)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _("Cancelled"));
  else
    fail (error, message && G_VALUE_HOLDS_STRING (message) && g_value_get_string (message)
                 ? g_value_get_string (message) : _("The procedure failed."));
  return FALSE;
}

static GPtrArray *
list_layers (GimpImage *image)
{
  g_autofree GimpLayer **layers = gimp_image_get_layers (image);
  GPtrArray             *list   = g_ptr_array_new ();

  for (gsize i = 0; layers[i]; i++)
    g_ptr_array_add (list, layers[i]);
  return list;
}

/* The settings are copied, as the run changes them for its image.  A table that is only joined is
 * no argument: the steps of a layer would name it, and replace the one of all images.
 */
static gboolean
process (const WfFolderPictures  *pictures,
         const WfFolderItem      *item,
         GimpImage               *image,
         GimpDrawable           **drawables,
         const WfFolderScratch   *scratch,
         gint64                  *n_objects,
         GError                 **error)
{
  const WfFolderKind              *kind   = pictures->run->procedure->folder;
  g_autoptr (GimpProcedureConfig)  config = copy_config (pictures->config);
  g_autoptr (GPtrArray)            before = list_layers (image);
  g_autoptr (GFile)                folder = NULL;
  GimpValueArray                  *values;
  WfRunWatch                       watch  = { pictures->progress, pictures->data,
                                              pictures->cancellable, NULL, NULL };
  gboolean                         success;

  for (int i = 0; i < WF_FOLDER_N_FILES && ! folder; i++)
    folder = scratch->files[i] ? g_file_get_parent (scratch->files[i]) : NULL;
  watch.scratch = folder;
  if (! item->results[WF_FOLDER_TABLE])
    watch.table = scratch->files[WF_FOLDER_TABLE];
  set_file (config, kind->table_argument, pictures->output, item->results[WF_FOLDER_TABLE]);
  set_file (config, kind->outlines_argument, pictures->output, item->results[WF_FOLDER_OUTLINES]);
  values  = wf_run_watched (image, drawables, config, pictures->run->procedure, &watch);
  success = check_values (values, error) &&
            save_results (pictures, image, before, values, scratch, n_objects, error);
  gimp_value_array_unref (values);
  return success;
}

/**
 * wf_folder_picture_process:
 * @pictures: how images are processed
 * @item: the image
 * @scratch: where its results are written
 * @n_objects: set to the number of objects, if they are counted
 * @error: %WF_ERROR_INVALID with GIMP's sentence or that of the procedure; %G_IO_ERROR_CANCELLED
 *
 * Returns: whether the results were written
 */
gboolean
wf_folder_picture_process (const WfFolderPictures  *pictures,
                           const WfFolderItem      *item,
                           const WfFolderScratch   *scratch,
                           gint64                  *n_objects,
                           GError                 **error)
{
  GimpPlugIn               *plug_in   = gimp_get_plug_in ();
  const GimpPDBErrorHandler handler   = gimp_plug_in_get_pdb_error_handler (plug_in);
  g_autofree GimpDrawable **drawables = NULL;
  GimpImage                *image;
  gboolean                  success   = FALSE;

  /* errors are sentences of the summary, and no messages of GIMP */
  gimp_plug_in_set_pdb_error_handler (plug_in, GIMP_PDB_ERROR_HANDLER_PLUGIN);
  image = load (pictures, item->input, &drawables, error);
  if (image)
    {
      success = process (pictures, item, image, drawables, scratch, n_objects, error);
      gimp_image_delete (image);
    }
  gimp_plug_in_set_pdb_error_handler (plug_in, handler);
  return success;
}
