/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The JSON files of a Zarr folder. */

#pragma once

#include <json-glib/json-glib.h>

gboolean     zarr_json_is_there   (const char   *folder,
                                   const char   *name);
JsonNode *   zarr_json_read       (const char   *folder,
                                   const char   *name,
                                   GError      **error);
gboolean     zarr_json_write      (int           root,
                                   const char   *name,
                                   JsonBuilder  *builder,
                                   GError      **error);
gboolean     zarr_json_get_number (JsonNode     *node,
                                   double       *number);
const char * zarr_json_get_string (JsonObject   *object,
                                   const char   *name);
JsonArray *  zarr_json_get_array  (JsonObject   *object,
                                   const char   *name);
JsonObject * zarr_json_get_object (JsonArray    *array,
                                   guint         i);
