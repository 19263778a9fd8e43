/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "ui/preview/preview.h"

G_BEGIN_DECLS

/**
 * WfObstacle:
 * @WF_OBSTACLE_REFUSED: the preview says why the settings cannot work
 * @WF_OBSTACLE_WAITING: a setting is not known yet
 * @WF_OBSTACLE_STAIN: the colors of stains cannot be told apart
 *
 * Why a dialog cannot be accepted, as bits.
 */
typedef enum
{
  WF_OBSTACLE_REFUSED = 1 << 0,
  WF_OBSTACLE_WAITING = 1 << 1,
  WF_OBSTACLE_STAIN   = 1 << 2
} WfObstacle;

void wf_obstacle_set         (GtkWidget  *widget,
                              WfObstacle  obstacle,
                              gboolean    present);
void wf_obstacle_set_user    (GtkWidget  *window,
                              GtkWidget  *button);
void wf_obstacle_follow      (WfPreview  *preview);
void wf_obstacle_add_message (GtkWidget  *window,
                              const char *message);

G_END_DECLS
