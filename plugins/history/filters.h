/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

G_BEGIN_DECLS

/**
 * WfHistoryFilter:
 * @operation: its name in GEGL
 * @title: (nullable): of an operation of ours, in the user's language
 * @visible: whether it is applied
 * @opacity: from 0 to 1
 * @mode: how it is blended with what is below it: the name of a mode of layers in scripts
 * @arguments: (nullable) (element-type WfCallValue): of an operation of ours
 *
 * A filter that stays in a layer.
 */
typedef struct
{
  char       *operation;
  const char *title;
  gboolean    visible;
  double      opacity;
  const char *mode;
  GPtrArray  *arguments;
} WfHistoryFilter;

GPtrArray * wf_history_filters_read    (GimpItem  *item);
char *      wf_history_filters_to_json (GPtrArray *filters);

G_END_DECLS
