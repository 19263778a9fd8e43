/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The state of a merging slider, without the widget.
 *
 * The value is what counts, as in a script.  It may lie between two stops, and is kept when
 * the image or its basins change.  The number of basins follows from the value and the
 * hierarchy.
 *
 * When the user chooses another measure the number of basins is kept instead, as that is
 * what the user sees.  The value that leaves this number is found at once, or, if the
 * hierarchy of that measure is still missing, when it is set; until then the number is
 * kept as wished.
 */

#include "config.h"

#include <math.h>

#include <glib/gi18n-lib.h>

#include "ui/options/level-entry.h"
#include "state.h"


static void
forget_hierarchy (WfMergeState *state)
{
  g_clear_pointer (&state->hierarchy, wf_hierarchy_unref);
  g_clear_pointer (&state->stops, g_array_unref);
}

static void
list_stops (WfMergeState *state)
{
  g_clear_pointer (&state->stops, g_array_unref);
  if (state->hierarchy)
    state->stops = wf_merge_list_stops (state->hierarchy, state->by, state->type,
                                        WF_MERGE_MOST_STOPS);
}

static void
count (WfMergeState *state)
{
  state->count = state->hierarchy
                 ? wf_merge_count (state->hierarchy, state->by, state->value, state->type) : 0;
}

/* Drops the hierarchy if it is of another measure than @by needs. */
static void
change_by (WfMergeState *state,
           WfMergeBy     by)
{
  gboolean same_measure = wf_merge_by_measure (by) == wf_merge_by_measure (state->by);

  state->by = by;
  if (! same_measure)
    forget_hierarchy (state);
  list_stops (state);
}

/**
 * wf_merge_state_clear:
 * @state: a state
 *
 * Drops its hierarchy.
 */
void
wf_merge_state_clear (WfMergeState *state)
{
  forget_hierarchy (state);
}

/**
 * wf_merge_state_set_type:
 * @state: a state
 * @type: of another image, in whose range depths are fractions
 *
 * Drops the hierarchy.
 */
void
wf_merge_state_set_type (WfMergeState *state,
                         WfType        type)
{
  state->type = type;
  forget_hierarchy (state);
  count (state);
}

/**
 * wf_merge_state_set_hierarchy:
 * @state: a state
 * @hierarchy: (nullable): the present basins, of the measure of @state
 *
 * Keeps the value, unless a number of basins was wished; that of the whole image waits for the
 * hierarchy of the whole image.
 */
void
wf_merge_state_set_hierarchy (WfMergeState *state,
                              WfHierarchy  *hierarchy)
{
  if (hierarchy)
    wf_hierarchy_ref (hierarchy);
  forget_hierarchy (state);
  state->hierarchy = hierarchy;
  list_stops (state);
  if (hierarchy && state->wished > 0 && ! state->part)
    {
      state->value  = wf_merge_find_value (hierarchy, state->by, state->wished, state->type);
      state->wished = 0;
    }
  count (state);
}

/**
 * wf_merge_state_set_part:
 * @state: a state
 * @part: whether the hierarchy that is set next belongs to a part of the image
 *
 * A number of basins of a part is described as such, and not kept for another measure.
 */
void
wf_merge_state_set_part (WfMergeState *state,
                         gboolean      part)
{
  state->part = part;
}

/**
 * wf_merge_state_set_by:
 * @state: a state
 * @by: by what basins are merged
 *
 * Keeps the value.
 */
void
wf_merge_state_set_by (WfMergeState *state,
                       WfMergeBy     by)
{
  state->wished = 0;
  change_by (state, by);
  count (state);
}

/**
 * wf_merge_state_set_value:
 * @state: a state
 * @value: what wf_merge_count() takes
 */
void
wf_merge_state_set_value (WfMergeState *state,
                          double        value)
{
  state->wished = 0;
  state->value  = value;
  count (state);
}

/**
 * wf_merge_state_choose_by:
 * @state: a state
 * @by: by what basins are merged
 *
 * Keeps the number of basins, now or when the hierarchy of @by is set; not that of a part of the
 * image, which is not the number of the whole.
 */
void
wf_merge_state_choose_by (WfMergeState *state,
                          WfMergeBy     by)
{
  guint32 wished = state->wished;

  if (state->hierarchy && ! state->part &&
      state->count < wf_hierarchy_get_n_basins (state->hierarchy))
    wished = state->count;
  change_by (state, by);
  state->value  = state->hierarchy && wished > 0
                  ? wf_merge_find_value (state->hierarchy, by, wished, state->type) : 0;
  state->wished = state->hierarchy ? 0 : wished;
  count (state);
}

/**
 * wf_merge_state_go_to:
 * @state: a state
 * @position: among the stops, from 0
 *
 * Takes the value of the nearest stop, if there are stops.
 */
void
wf_merge_state_go_to (WfMergeState *state,
                      double        position)
{
  guint i;

  if (! state->stops)
    return;
  i = (guint) CLAMP (round (position), 0, state->stops->len - 1);
  wf_merge_state_set_value (state, g_array_index (state->stops, WfMergeStop, i).value);
}

/**
 * wf_merge_state_step:
 * @state: a state
 * @direction: 1 to merge more, -1 to merge less
 *
 * Takes the value of the next stop in that direction.
 */
void
wf_merge_state_step (WfMergeState *state,
                     int           direction)
{
  double position = wf_merge_state_get_position (state);

  wf_merge_state_go_to (state, direction > 0 ? floor (position) + 1 : ceil (position) - 1);
}

/**
 * wf_merge_state_get_position:
 * @state: a state
 *
 * Returns: the position of the value among the stops; 0 without stops.
 */
double
wf_merge_state_get_position (const WfMergeState *state)
{
  return state->stops ? wf_merge_find_stop (state->stops, state->count) : 0;
}


/*  Words  */

/**
 * wf_merge_state_describe_count:
 * @state: a state
 *
 * Returns: (transfer full): the number of basins left, in words.
 */
char *
wf_merge_state_describe_count (const WfMergeState *state)
{
  guint32 n;

  if (! state->hierarchy)
    return g_strdup (_("The basins are not computed yet"));

  n = wf_hierarchy_get_n_basins (state->hierarchy);
  if (state->part)
    /* TRANSLATORS: as below, in the part of the image that the preview shows */
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                         "%'u of %'u basin in this view",
                                         "%'u of %'u basins in this view", n),
                            state->count, n);
  /* TRANSLATORS: how many basins are left when some are merged, as in "59 of 1,204" */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE,
                                       "%'u of %'u basin", "%'u of %'u basins", n),
                          state->count, n);
}

/**
 * wf_merge_state_describe_unit:
 * @state: a state
 *
 * Returns: (transfer full): the unit of the value, and the value in the image's own units
 *   if these differ.
 */
char *
wf_merge_state_describe_unit (const WfMergeState *state)
{
  switch (state->by)
    {
    case WF_MERGE_BY_DYNAMICS:
      return state->distances ? g_strdup (_("pixels"))
                              : wf_level_describe_unit (state->value, state->type,
                                                         state->linear);
    case WF_MERGE_BY_AREA:
      return g_strdup (_("pixels"));
    case WF_MERGE_BY_VOLUME:
      /* TRANSLATORS: the unit of a volume: as deep as from black to white, on one pixel; of
       * distances, one pixel deep on one pixel
       */
      return g_strdup (state->distances ? _("pixels × pixels")
                       : state->linear ? _("white × pixels, linear light") : _("white × pixels"));
    default:
      return g_strdup (_("basins"));
    }
}
