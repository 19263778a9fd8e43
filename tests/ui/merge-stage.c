/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "merge-stage.h"


static void
cut_changed (WfMergeSlider *slider,
             guint          count,
             Stage         *stage)
{
  stage->n_cuts++;
  stage->last_count = count;
}

void
stage_init (Stage  *stage,
            WfType  type)
{
  GtkWidget *slider = wf_merge_slider_new (type);
  GtkGrid   *grid   = GTK_GRID (slider);

  *stage = (Stage) { .slider  = WF_MERGE_SLIDER (slider),
                     .window  = gtk_window_new (GTK_WINDOW_TOPLEVEL),
                     .counted = gtk_grid_get_child_at (grid, 0, 0),
                     .scale   = gtk_grid_get_child_at (grid, 0, 1),
                     .combo   = gtk_grid_get_child_at (grid, 0, 2),
                     .entry   = gtk_grid_get_child_at (grid, 1, 2) };
  gtk_container_set_border_width (GTK_CONTAINER (stage->window), 12);
  gtk_container_add (GTK_CONTAINER (stage->window), slider);
  g_signal_connect (slider, "cut-changed", G_CALLBACK (cut_changed), stage);
  gtk_widget_show (slider);
  gtk_window_set_default_size (GTK_WINDOW (stage->window), 480, -1);
  gtk_widget_show (stage->window);
  gtk_test_widget_wait_for_draw (stage->window);
}

void
stage_set_hierarchy (const Scene *scene,
                     const Stage *stage)
{
  WfMeasure measure = wf_merge_by_measure (wf_merge_slider_get_by (stage->slider));

  wf_merge_slider_set_hierarchy (stage->slider, measure, scene->hierarchies[measure]);
}
