/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The state of a merging slider: what is kept when basins, measures and images change, and
 * where steps lead.
 */

#include <math.h>
#include <string.h>

#include "merge-scene.h"
#include "ui/merge/state.h"
#include "tests/support/tiers.h"


static void
set_hierarchy (WfMergeState *state,
               const Scene  *scene)
{
  wf_merge_state_set_hierarchy (state, scene_get_hierarchy (scene, state->by));
}

/* The count is the one of the engine for the value. */
static void
check_count (const WfMergeState *state,
             const Scene        *scene)
{
  g_assert_cmpuint (state->count, ==, wf_merge_count (scene_get_hierarchy (scene, state->by),
                                                      state->by, state->value, state->type));
}

static void
test_value_is_kept (void)
{
  g_auto (Scene) first  = { 0 };
  g_auto (Scene) second = { 0 };
  WfMergeState   state  = { .type = WF_TYPE_U8 };

  scene_init (&first, WF_TYPE_U8, 90);
  scene_init (&second, WF_TYPE_U8, 120);
  wf_merge_state_set_value (&state, 0.0213);
  g_assert_cmpuint (state.count, ==, 0);
  g_assert_cmpfloat (wf_merge_state_get_position (&state), ==, 0);
  wf_merge_state_step (&state, 1);
  g_assert_cmpfloat (state.value, ==, 0.0213);

  set_hierarchy (&state, &first);
  check_count (&state, &first);
  g_assert_cmpuint (state.count, <, first.n_basins);
  set_hierarchy (&state, &second);
  check_count (&state, &second);
  wf_merge_state_set_hierarchy (&state, NULL);
  g_assert_true (state.count == 0 && ! state.stops);
  g_assert_cmpfloat (state.value, ==, 0.0213);
  wf_merge_state_clear (&state);
}

/* Each step merges less or more, also from a value between two stops. */
static void
test_steps (void)
{
  g_auto (Scene) scene = { 0 };
  WfMergeState   state = { .type = WF_TYPE_F32 };
  guint32        before;

  scene_init (&scene, WF_TYPE_F32, 120);
  set_hierarchy (&state, &scene);
  wf_merge_state_set_value (&state, 0.03);
  before = state.count;
  wf_merge_state_step (&state, -1);
  check_count (&state, &scene);
  g_assert_cmpuint (state.count, >, before);
  g_assert_cmpfloat (wf_merge_state_get_position (&state), ==,
                     round (wf_merge_state_get_position (&state)));
  for (before = state.count; before > 1; before = state.count)
    {
      wf_merge_state_step (&state, 1);
      check_count (&state, &scene);
      g_assert_cmpuint (state.count, <, before);
    }
  wf_merge_state_step (&state, 1);
  g_assert_cmpuint (state.count, ==, 1);
  wf_merge_state_go_to (&state, -7);
  g_assert_cmpuint (state.count, ==, scene.n_basins);
  wf_merge_state_clear (&state);
}

/* Choosing another measure keeps the number of basins; setting it keeps the value. */
static void
test_measures (void)
{
  g_auto (Scene) scene = { 0 };
  WfMergeState   state = { .type = WF_TYPE_U16 };
  guint32        count;

  scene_init (&scene, WF_TYPE_U16, 120);
  set_hierarchy (&state, &scene);
  wf_merge_state_go_to (&state, 5);
  count = state.count;

  wf_merge_state_choose_by (&state, WF_MERGE_BY_COUNT);
  g_assert_true (state.count == count && state.value == count && state.wished == 0);

  wf_merge_state_choose_by (&state, WF_MERGE_BY_AREA);
  g_assert_true (! state.hierarchy && state.count == 0 && state.wished == count);
  wf_merge_state_set_hierarchy (&state, NULL);
  wf_merge_state_choose_by (&state, WF_MERGE_BY_VOLUME);
  g_assert_cmpuint (state.wished, ==, count);
  set_hierarchy (&state, &scene);
  g_assert_cmpuint (state.wished, ==, 0);
  g_assert_cmpfloat (state.value, ==,
                     wf_merge_find_value (scene_get_hierarchy (&scene, WF_MERGE_BY_VOLUME),
                                          WF_MERGE_BY_VOLUME, count, WF_TYPE_U16));
  check_count (&state, &scene);

  wf_merge_state_choose_by (&state, WF_MERGE_BY_AREA);
  wf_merge_state_set_value (&state, 12);
  g_assert_cmpuint (state.wished, ==, 0);
  wf_merge_state_set_by (&state, WF_MERGE_BY_DYNAMICS);
  g_assert_cmpfloat (state.value, ==, 12);
  wf_merge_state_clear (&state);
}

/* If nothing is merged no number is wished, as another measure may have more basins. */
static void
test_nothing_merged (void)
{
  g_auto (Scene) scene = { 0 };
  WfMergeState   state = { .type = WF_TYPE_U8 };

  scene_init (&scene, WF_TYPE_U8, 90);
  set_hierarchy (&state, &scene);
  wf_merge_state_choose_by (&state, WF_MERGE_BY_AREA);
  g_assert_true (state.wished == 0 && state.value == 0);
  set_hierarchy (&state, &scene);
  g_assert_cmpuint (state.count, ==, scene.n_basins);

  wf_merge_state_set_type (&state, WF_TYPE_F32);
  g_assert_true (! state.hierarchy && ! state.stops && state.count == 0);
}

/* The numbers of a view are described as such and are not kept; one of the whole image waits for
 * the whole image.
 */
static void
test_part (void)
{
  g_auto (Scene) view  = { 0 };
  g_auto (Scene) whole = { 0 };
  WfMergeState   state = { .type = WF_TYPE_U8 };
  guint32        count;

  scene_init (&view, WF_TYPE_U8, 90);
  scene_init (&whole, WF_TYPE_U8, 240);
  wf_merge_state_set_part (&state, TRUE);
  set_hierarchy (&state, &view);
  wf_merge_state_set_value (&state, 0.02);
  check_count (&state, &view);
  {
    g_autofree char *expected = g_strdup_printf ("%u of %u basins in this view", state.count,
                                                 view.n_basins);
    g_autofree char *words    = wf_merge_state_describe_count (&state);

    g_assert_cmpstr (words, ==, expected);
  }
  wf_merge_state_choose_by (&state, WF_MERGE_BY_AREA);
  g_assert_true (state.wished == 0 && state.value == 0);

  wf_merge_state_set_by (&state, WF_MERGE_BY_DYNAMICS);
  wf_merge_state_set_value (&state, 0.02);
  wf_merge_state_set_part (&state, FALSE);
  set_hierarchy (&state, &whole);
  check_count (&state, &whole);
  count = state.count;
  {
    g_autofree char *expected = g_strdup_printf ("%u of %u basins", count, whole.n_basins);
    g_autofree char *words    = wf_merge_state_describe_count (&state);

    g_assert_cmpstr (words, ==, expected);
  }

  wf_merge_state_choose_by (&state, WF_MERGE_BY_AREA);
  wf_merge_state_set_part (&state, TRUE);
  set_hierarchy (&state, &view);
  g_assert_cmpuint (state.wished, ==, count);
  wf_merge_state_set_part (&state, FALSE);
  set_hierarchy (&state, &whole);
  g_assert_cmpuint (state.wished, ==, 0);
  g_assert_cmpuint (state.count, <=, count);
  g_assert_cmpfloat (state.value, >, 0);
  wf_merge_state_clear (&state);
}

static void
test_words (void)
{
  g_auto (Scene)   scene    = { 0 };
  WfMergeState     state    = { .type = WF_TYPE_U8 };
  g_autofree char *none     = wf_merge_state_describe_count (&state);
  g_autofree char *level    = NULL;
  g_autofree char *left     = NULL;
  g_autofree char *unit     = NULL;
  g_autofree char *expected = NULL;

  scene_init (&scene, WF_TYPE_U8, 90);
  g_assert_nonnull (strstr (none, "not computed"));
  wf_merge_state_set_value (&state, 0.5);
  level = wf_merge_state_describe_unit (&state);
  g_assert_cmpstr (level, ==, "of white (128 of 255)");

  wf_merge_state_set_by (&state, WF_MERGE_BY_COUNT);
  wf_merge_state_set_value (&state, 7);
  set_hierarchy (&state, &scene);
  left     = wf_merge_state_describe_count (&state);
  unit     = wf_merge_state_describe_unit (&state);
  expected = g_strdup_printf ("7 of %u basins", scene.n_basins);
  g_assert_cmpstr (left, ==, expected);
  g_assert_cmpstr (unit, ==, "basins");
  wf_merge_state_clear (&state);
}

static void
check_unit (WfMergeBy   by,
            gboolean    distances,
            gboolean    linear,
            const char *expected)
{
  WfMergeState     state = { .type = WF_TYPE_F32, .distances = distances, .linear = linear,
                             .by   = by };
  g_autofree char *unit  = wf_merge_state_describe_unit (&state);

  g_assert_cmpstr (unit, ==, expected);
}

/* The value of each measure has a unit: of levels, also of linear light, and of distances. */
static void
test_units (void)
{
  check_unit (WF_MERGE_BY_DYNAMICS, FALSE, FALSE, "of white");
  check_unit (WF_MERGE_BY_DYNAMICS, FALSE, TRUE, "of white, linear light");
  check_unit (WF_MERGE_BY_DYNAMICS, TRUE, FALSE, "pixels");
  check_unit (WF_MERGE_BY_DYNAMICS, TRUE, TRUE, "pixels");
  check_unit (WF_MERGE_BY_AREA, FALSE, TRUE, "pixels");
  check_unit (WF_MERGE_BY_AREA, TRUE, FALSE, "pixels");
  check_unit (WF_MERGE_BY_VOLUME, FALSE, FALSE, "white × pixels");
  check_unit (WF_MERGE_BY_VOLUME, FALSE, TRUE, "white × pixels, linear light");
  check_unit (WF_MERGE_BY_VOLUME, TRUE, TRUE, "pixels × pixels");
  check_unit (WF_MERGE_BY_COUNT, FALSE, TRUE, "basins");
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/merge-state/value-is-kept", test_value_is_kept);
  g_test_add_func ("/merge-state/steps", test_steps);
  g_test_add_func ("/merge-state/measures", test_measures);
  g_test_add_func ("/merge-state/nothing-merged", test_nothing_merged);
  g_test_add_func ("/merge-state/part", test_part);
  g_test_add_func ("/merge-state/words", test_words);
  g_test_add_func ("/merge-state/units", test_units);
  return g_test_run ();
}
