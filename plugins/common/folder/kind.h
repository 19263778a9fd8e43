/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

#include "plugins/common/procedure/run.h"

G_BEGIN_DECLS

/**
 * WfFolderKind:
 * @check: (nullable): refuses settings that belong to the image of the dialog, and adds to
 *   @left_out a translated sentence for each that is left out
 * @clear: (nullable): takes what is left out from a copy of the settings
 * @list_columns: (nullable): the first lines that its table may have
 * @makes_layers: (nullable): whether the image gets layers; without it, it does
 * @makes_paths: (nullable): whether it gets paths
 * @makes_image: (nullable): whether a new image is made
 * @image_value: the return value that is this image
 * @image_suffix: what follows the name of the image in that of its file
 * @table_argument: (nullable): the argument that is the file of a table
 * @outlines_argument: (nullable): the argument that is a file of outlines
 * @count_value: (nullable): the return value that counts objects
 *
 * What a procedure makes of each image of a folder.
 */
typedef struct
{
  gboolean   (* check)        (WfJob      *run,
                               GPtrArray  *left_out,
                               GError    **error);
  void       (* clear)        (GObject    *config);
  char **    (* list_columns) (GObject    *config);
  gboolean   (* makes_layers) (GObject    *config);
  gboolean   (* makes_paths)  (GObject    *config);
  gboolean   (* makes_image)  (GObject    *config);
  const char *  image_value;
  const char *  image_suffix;
  const char *  table_argument;
  const char *  outlines_argument;
  const char *  count_value;
} WfFolderKind;

extern const WfFolderKind wf_folder_of_layers;

gboolean wf_folder_makes_layers (const WfFolderKind *kind,
                                 GObject            *config);

G_END_DECLS
