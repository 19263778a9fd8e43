/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfPointForm:
 * @names: (array length=n_names): of the kinds, in JSON
 * @n_names: how many kinds there are
 * @expected: the names as an error lists them
 * @widest: the largest width; 0 if entries have none
 * @refuse: sets the error for a text that is no list: at a character, counted from 1, something
 *   else is expected
 * @refuse_points: sets the error for a list of more than so many points
 *
 * What a list is of.
 */
typedef struct
{
  const char *const *names;
  guint              n_names;
  const char        *expected;
  int                widest;
  void            (* refuse)        (guint        place,
                                     const char  *expected,
                                     GError     **error);
  void            (* refuse_points) (int          most,
                                     GError     **error);
} WfPointForm;

/**
 * WfPointEntry:
 * @kind: the place of its name in the form
 * @width: 1 where the form has none
 * @first: its first point in the list
 * @n: how many points it has, at least 1
 */
typedef struct
{
  guint kind;
  int   width;
  guint first;
  guint n;
} WfPointEntry;

/**
 * WfPointList:
 * @entries: (element-type WfPointEntry)
 * @points: (element-type WfPixelPlace): of all, one after the other
 */
typedef struct
{
  GArray *entries;
  GArray *points;
} WfPointList;

void     wf_point_list_init      (WfPointList         *list);
void     wf_point_list_copy      (const WfPointList   *list,
                                  WfPointList         *copy);
void     wf_point_list_clear     (WfPointList         *list);
void     wf_point_list_add       (WfPointList         *list,
                                  guint                kind,
                                  int                  width,
                                  const WfPixelPlace  *points,
                                  guint                n_points);
void     wf_point_list_truncate  (WfPointList         *list,
                                  guint                n);
void     wf_point_list_transform (WfPointList         *list,
                                  int                  widest,
                                  double               scale,
                                  gint64               x,
                                  gint64               y,
                                  gint64               z);
char *   wf_point_list_print     (const WfPointList   *list,
                                  const WfPointForm   *form);
gboolean wf_point_list_parse     (WfPointList         *list,
                                  const WfPointForm   *form,
                                  const char          *text,
                                  GError             **error);

static inline const WfPointEntry *
wf_point_list_get (const WfPointList   *list,
                   guint                i,
                   const WfPixelPlace **points)
{
  const WfPointEntry *entry = &g_array_index (list->entries, WfPointEntry, i);

  *points = &g_array_index (list->points, WfPixelPlace, entry->first);
  return entry;
}

G_END_DECLS
