/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The contexts in which a result must be the same. */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * Configuration:
 * @context: %NULL: the defaults
 * @name: for messages
 * @device: that must be used, or %NULL: any
 * @threads: at most; 0: any number
 * @tile_size: side of the tiles; 0: automatic
 */
typedef struct
{
  WfContext *context;
  char      *name;
  char      *device;
  int        threads;
  int        tile_size;
} Configuration;

typedef struct
{
  Configuration *items;
  guint          n;
} Configurations;

Configurations *      configurations_new           (const char           *device);
void                  configurations_free          (Configurations       *configurations);
const Configuration * configurations_pick          (const Configurations *configurations);
const Configuration * configurations_pick_coarse   (const Configurations *configurations);
char *                configuration_describe       (const Configuration  *configuration);
void                  configuration_note           (const Configuration  *configuration);
gboolean              configuration_report_is_sane (const Configuration  *configuration,
                                                    WfOperation           operation,
                                                    const char           *algorithm);

gboolean              is_of_gpus                   (const char           *algorithm);
void                  fix_algorithm                (const char           *algorithm);
const char *          random_algorithm             (WfOperation           operation);
gboolean              is_refused_algorithm         (const char           *algorithm,
                                                    const GError         *error);
void                  count_run                    (GHashTable           *runs,
                                                    const char           *algorithm);
void                  assert_algorithms_ran        (const Configurations *configurations,
                                                    WfOperation           operation,
                                                    GHashTable           *runs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Configurations, configurations_free)

G_END_DECLS
