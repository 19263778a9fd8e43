/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A merging slider in a window. */

#pragma once

#include <gtk/gtk.h>

#include "merge-scene.h"
#include "ui/merge/slider.h"

G_BEGIN_DECLS

typedef struct
{
  GtkWidget     *window;
  WfMergeSlider *slider;
  GtkWidget     *combo;
  GtkWidget     *scale;
  GtkWidget     *entry;
  GtkWidget     *counted;
  int            n_cuts;
  guint32        last_count;
} Stage;

void stage_init          (Stage       *stage,
                          WfType       type);
void stage_set_hierarchy (const Scene *scene,
                          const Stage *stage);

G_END_DECLS
