/* SPDX-License-Identifier: GPL-3.0-or-later */

/* .zattrs has images under "multiscales", each with its levels, from the largest to the smallest.
 * In versions before 0.4 axes are names, or those of five dimensions.  A folder that was converted
 * by bioformats2raw has its images in folders that are called 0, 1, ….
 *
 * Source: Next-generation file formats of OME, version 0.4.
 */

#include "config.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <glib/gi18n.h>

#include "json.h"
#include "ome.h"
#include "tools/message.h"

#define ATTRIBUTES ".zattrs"

/* No pixel is larger; twice as much for each level is a number, too. */
#define MAX_SCALE 1e100

/* The names of arrays that are not described, from the last one on. */
static const char * const usual_axes[ZARR_MAX_AXES] = { "t", "c", "z", "y", "x" };


/*  Reading  */

static gboolean
refuse (const char  *folder,
        const char  *reason,
        GError     **error)
{
  g_autofree char *path = g_build_filename (folder, ATTRIBUTES, NULL);

  return refuse_to_read (path, reason, error);
}

/* Multiplies the sizes by those of a list of transformations. */
static void
take_scale (ZarrLevel  *level,
            JsonObject *object)
{
  JsonArray  *transformations = zarr_json_get_array (object, "coordinateTransformations");
  JsonObject *first           = zarr_json_get_object (transformations, 0);
  JsonArray  *scale           = zarr_json_get_array (first, "scale");

  if (! scale || g_strcmp0 (zarr_json_get_string (first, "type"), "scale") != 0 ||
      json_array_get_length (scale) != level->n_axes)
    return;
  for (guint i = 0; i < level->n_axes; i++)
    {
      double factor = 0.0;

      if (zarr_json_get_number (json_array_get_element (scale, i), &factor) && factor > 0.0 &&
          level->axes[i].scale * factor < MAX_SCALE)
        level->axes[i].scale *= factor;
    }
}

/* The axes of an image of @n dimensions. */
static gboolean
take_axes (ZarrLevel   *level,
           JsonObject  *image,
           const char  *folder,
           GError     **error)
{
  JsonArray *axes = zarr_json_get_array (image, "axes");
  guint      n    = axes ? json_array_get_length (axes) : 0;

  if (n > ZARR_MAX_AXES)
    return refuse (folder, _("its image has more than 5 axes"), error);
  level->n_axes = n;
  for (guint i = 0; i < n; i++)
    {
      JsonNode   *node = json_array_get_element (axes, i);
      JsonObject *axis = zarr_json_get_object (axes, i);
      const char *name = axis ? zarr_json_get_string (axis, "name")
                              : JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;

      if (! name)
        return refuse (folder, _("one of its axes has no name"), error);
      level->axes[i] = (ZarrAxis) { g_strdup (name), g_strdup (zarr_json_get_string (axis, "unit")),
                                    1.0 };
    }
  return TRUE;
}

/* A path from the file must stay in the folder. */
static gboolean
is_inside (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  return path[0] != '\0' && ! g_path_is_absolute (path) &&
         ! g_strv_contains ((const char * const *) parts, "..");
}

static gboolean
take_level (ZarrLevel   *level,
            JsonObject  *image,
            const char  *folder,
            guint        number,
            GError     **error)
{
  JsonObject *dataset = zarr_json_get_object (zarr_json_get_array (image, "datasets"), number);
  const char *path    = zarr_json_get_string (dataset, "path");

  if (! path)
    return refuse (folder, _("a level of its pyramid has no “path”"), error);
  if (! is_inside (path))
    return refuse (folder, _("the path of a level of its pyramid leads out of the folder"), error);
  if (! take_axes (level, image, folder, error))
    return FALSE;
  take_scale (level, dataset);
  take_scale (level, image);
  level->folder = g_build_filename (folder, path, NULL);
  return TRUE;
}

/* The chosen image and level of those that are listed. */
static gboolean
take_image (ZarrLevel     *level,
            JsonArray     *images,
            const char    *folder,
            const Choice  *choice,
            GString       *notes,
            GError       **error)
{
  g_autoptr (GError)  problem  = NULL;
  const guint         n_images = json_array_get_length (images);
  const int           series   = choice_take ("series", choice->series, (int) n_images, &problem);
  JsonObject         *image    = series < 0 ? NULL : zarr_json_get_object (images, (guint) series);
  JsonArray          *datasets = zarr_json_get_array (image, "datasets");
  const guint         n        = datasets ? json_array_get_length (datasets) : 0;
  const int           number   = image ? choice_take ("level", choice->level, (int) n, &problem)
                                       : -1;

  if (problem && (n > 0 || ! image))
    return refuse_to_read (folder, problem->message, error);
  if (n == 0)
    return refuse (folder, _("its “multiscales” has no image"), error);
  if (choice->series < 0 && n_images > 1)
    choice_add_note (notes, _("of its %d series only number 0 is read (--series)"),
                     (int) n_images);
  if (choice->level < 0 && n > 1)
    choice_add_note (notes, _("of the %d levels of its pyramid only number 0 is read (--level)"),
                     (int) n);
  return take_level (level, image, folder, (guint) number, error);
}

/* Of a folder of images that has no list of them. */
static gboolean
take_numbered (ZarrLevel     *level,
               const char    *folder,
               const Choice  *choice,
               GString       *notes,
               GError       **error)
{
  g_autofree char *number = g_strdup_printf ("%d", MAX (choice->series, 0));
  g_autofree char *inner  = g_build_filename (folder, number, NULL);
  g_autofree char *second = g_build_filename (folder, "1", NULL);
  Choice           rest   = *choice;

  rest.series = -1;
  if (choice->series < 0 && zarr_json_is_there (second, ATTRIBUTES))
    choice_add_note (notes, _("of its series only number 0 is read (--series)"));
  if (! zarr_json_is_there (inner, ATTRIBUTES))
    return refuse_to_read (inner, _("it is no OME-Zarr image"), error);
  return zarr_level_find (level, inner, &rest, notes, error);
}

/* Looks for an array among the levels of the image that it may belong to. */
static void
find_in_parent (ZarrLevel *level)
{
  g_autofree char       *parent = g_path_get_dirname (level->folder);
  g_autofree char       *name   = g_path_get_basename (level->folder);
  g_autoptr (JsonNode)   root   = zarr_json_is_there (parent, ATTRIBUTES)
                                  ? zarr_json_read (parent, ATTRIBUTES, NULL) : NULL;
  JsonObject            *image;
  JsonArray             *datasets;

  if (! root)
    return;
  image    = zarr_json_get_object (zarr_json_get_array (json_node_get_object (root), "multiscales"),
                                   0);
  datasets = zarr_json_get_array (image, "datasets");
  for (guint i = 0; datasets && i < json_array_get_length (datasets); i++)
    {
      JsonObject *dataset = zarr_json_get_object (datasets, i);

      if (g_strcmp0 (zarr_json_get_string (dataset, "path"), name) != 0)
        continue;
      if (! take_axes (level, image, parent, NULL))
        zarr_level_clear (level);
      take_scale (level, dataset);
      take_scale (level, image);
      return;
    }
}

/* The folder is that of an array. */
static gboolean
take_array (ZarrLevel     *level,
            const char    *folder,
            const Choice  *choice,
            GError       **error)
{
  g_autoptr (GError) problem = NULL;

  if (choice_take ("series", choice->series, 1, &problem) < 0 ||
      choice_take ("level", choice->level, 1, &problem) < 0)
    return refuse_to_read (folder, problem->message, error);
  level->folder = g_strdup (folder);
  find_in_parent (level);
  if (! level->folder)
    level->folder = g_strdup (folder);
  return TRUE;
}

/**
 * zarr_level_find:
 * @level: filled; to be cleared whatever the result
 * @folder: of an image, of a folder of images, or of an array
 * @choice: which image and level are read
 * @notes: gets what is left out, in words
 * @error: %TOOL_ERROR_FILE
 *
 * Returns: whether there is what is chosen
 */
gboolean
zarr_level_find (ZarrLevel     *level,
                 const char    *folder,
                 const Choice  *choice,
                 GString       *notes,
                 GError       **error)
{
  g_autoptr (JsonNode)  root = NULL;
  JsonObject           *attributes;
  JsonArray            *images;

  *level = (ZarrLevel) { 0 };
  if (access (folder, R_OK | X_OK) != 0)
    return refuse_to_read (folder, g_strerror (errno), error);
  if (zarr_array_is_there (folder))
    return take_array (level, folder, choice, error);
  if (zarr_json_is_there (folder, "zarr.json"))
    return refuse_to_read (folder, _("it is of version 3 of Zarr; version 2 is read"), error);
  if (! zarr_json_is_there (folder, ATTRIBUTES))
    return refuse_to_read (folder, _("it is no OME-Zarr image"), error);
  root = zarr_json_read (folder, ATTRIBUTES, error);
  if (! root)
    return FALSE;

  attributes = json_node_get_object (root);
  images     = zarr_json_get_array (attributes, "multiscales");
  if (images)
    return take_image (level, images, folder, choice, notes, error);
  if (json_object_has_member (attributes, "bioformats2raw.layout"))
    return take_numbered (level, folder, choice, notes, error);
  return refuse_to_read (folder, _("it is no OME-Zarr image"), error);
}

void
zarr_level_clear (ZarrLevel *level)
{
  g_free (level->folder);
  for (guint i = 0; i < ZARR_MAX_AXES; i++)
    {
      g_free (level->axes[i].name);
      g_free (level->axes[i].unit);
    }
  *level = (ZarrLevel) { 0 };
}


/*  Writing  */

static void
begin_member (JsonBuilder *builder,
              const char  *name,
              gboolean     is_array)
{
  json_builder_set_member_name (builder, name);
  if (is_array)
    json_builder_begin_array (builder);
  else
    json_builder_begin_object (builder);
}

static void
add_string (JsonBuilder *builder,
            const char  *name,
            const char  *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_axes (JsonBuilder     *builder,
          guint            n_axes,
          const PixelSize *size)
{
  begin_member (builder, "axes", TRUE);
  for (guint axis = n_axes; axis-- > 0;)
    {
      json_builder_begin_object (builder);
      add_string (builder, "name", usual_axes[ZARR_MAX_AXES - 1 - axis]);
      add_string (builder, "type", "space");
      if (size->unit[axis])
        add_string (builder, "unit", size->unit[axis]);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

/* Slices stay as they are; rows and columns are halved from level to level. */
static void
add_dataset (JsonBuilder     *builder,
             guint            level,
             guint            n_axes,
             const PixelSize *size)
{
  g_autofree char *path = g_strdup_printf ("%u", level);

  json_builder_begin_object (builder);
  add_string (builder, "path", path);
  begin_member (builder, "coordinateTransformations", TRUE);
  json_builder_begin_object (builder);
  add_string (builder, "type", "scale");
  begin_member (builder, "scale", TRUE);
  for (guint axis = n_axes; axis-- > 0;)
    json_builder_add_double_value (builder, ldexp (size->size[axis], axis < 2 ? (int) level : 0));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

static void
add_image (JsonBuilder     *builder,
           const char      *name,
           guint            n_axes,
           guint            n_levels,
           const PixelSize *size)
{
  begin_member (builder, "multiscales", TRUE);
  json_builder_begin_object (builder);
  add_string (builder, "version", "0.4");
  add_string (builder, "name", name);
  add_axes (builder, n_axes, size);
  begin_member (builder, "datasets", TRUE);
  for (guint k = 0; k < n_levels; k++)
    add_dataset (builder, k, n_axes, size);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
}

static gboolean
write_group (int      root,
             GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "zarr_format");
  json_builder_add_int_value (builder, 2);
  json_builder_end_object (builder);
  return zarr_json_write (root, ".zgroup", builder, error);
}

/**
 * zarr_ome_write:
 * @root: descriptor of the image's folder, whose arrays are called 0, 1, …
 * @name: of the image
 * @stack: whether the arrays have three axes, not two
 * @labels: whether they hold labels
 * @n_levels: how many arrays there are
 * @size: of a pixel of the first
 * @error: %TOOL_ERROR_FILE, the reason alone
 *
 * Returns: success
 */
gboolean
zarr_ome_write (int               root,
                const char       *name,
                gboolean          stack,
                gboolean          labels,
                guint             n_levels,
                const PixelSize  *size,
                GError          **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  if (labels)
    {
      begin_member (builder, "image-label", FALSE);
      add_string (builder, "version", "0.4");
      json_builder_end_object (builder);
    }
  add_image (builder, name, stack ? 3 : 2, n_levels, size);
  json_builder_end_object (builder);
  return write_group (root, error) &&
         zarr_json_write (root, ATTRIBUTES, builder, error);
}
