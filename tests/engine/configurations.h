/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The contexts in which a result must be the same. */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * Configuration:
 * @context: %NULL: the defaults
 * @name: for messages
 * @device: that it must work on, or %NULL: any
 * @threads: that it may use at most; 0: any number
 */
typedef struct
{
  WfContext *context;
  char      *name;
  char      *device;
  int        threads;
} Configuration;

typedef struct
{
  Configuration *items;
  guint          n;
} Configurations;

Configurations *      configurations_new          (const char           *device);
void                  configurations_free         (Configurations       *configurations);
const Configuration * configurations_pick         (const Configurations *configurations);
gboolean              configuration_report_is_sane (const Configuration  *configuration,
                                                   WfOperation           operation);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Configurations, configurations_free)

G_END_DECLS
