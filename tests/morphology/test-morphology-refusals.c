/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Arguments that the operations by reconstruction refuse. */

#include <math.h>
#include <string.h>

#include "tests/support/guarded-image.h"
#include "morphology-call.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

static gboolean
gives_marks (WfOperation operation)
{
  return operation >= WF_OPERATION_REGIONAL_MAXIMA && operation <= WF_OPERATION_EXTENDED_MINIMA;
}

typedef struct
{
  WfOperation          operation;
  GuardedImage        *image;
  GuardedImage        *markers;
  GuardedImage        *out;
  WfMorphologyOptions  options;
} Arguments;

/* Valid arguments; each test makes one of them invalid. */
static void
arguments_init (Arguments   *a,
                WfOperation  operation,
                gint64       depth)
{
  const RefSize size   = { 4, 3, depth };
  const double  zero[] = { [3 * 4 * 3 - 1] = 0 };
  const double  one[]  = { 1, [3 * 4 * 3 - 1] = 0 };

  a->operation = operation;
  a->image     = guarded_image_new_levels (WF_TYPE_F32, &size, zero);
  a->markers   = guarded_image_new_levels (WF_TYPE_F32, &size, one);
  a->out       = guarded_image_new (gives_marks (operation) ? WF_TYPE_U8 : WF_TYPE_F32, &size,
                                    FALSE);
  a->options   = morphology_options (operation);
  if (wf_option_group_find (wf_operation_get_options (operation), "height"))
    a->options.height = 1;
}

static void
arguments_clear (Arguments *a)
{
  guarded_image_free (a->image);
  guarded_image_free (a->markers);
  guarded_image_free (a->out);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arguments, arguments_clear)

static gboolean
call (Arguments  *a,
      GError    **error)
{
  return operation_call (a->operation, NULL, &a->image->view, &a->markers->view, &a->out->view,
                          &a->options, error);
}

#define assert_arguments_refused(a)                                 \
  G_STMT_START                                                      \
    {                                                               \
      assert_refused (call (a, &refusal), WF_ERROR_INVALID);        \
      g_assert_true (guarded_image_is_untouched ((a)->out));        \
    }                                                               \
  G_STMT_END

static void
test_refuses_images (gconstpointer data)
{
  static const WfType types[]   = { WF_TYPE_U32, WF_TYPE_F64 };
  const WfOperation   operation = (WfOperation) GPOINTER_TO_INT (data);

  for (int which = 0; which < 2; which++)
    {
      for (int fault = 0; fault < N_VIEW_FAULTS; fault++)
        {
          g_auto (Arguments) a = { 0 };

          arguments_init (&a, operation, 2);
          spoil_view (which == 0 ? &a.image->view : &a.out->view, fault);
          assert_arguments_refused (&a);
        }
      for (guint i = 0; i < G_N_ELEMENTS (types); i++)
        {
          g_auto (Arguments) a = { 0 };

          arguments_init (&a, operation, 2);
          (which == 0 ? a.image : a.out)->view.type = types[i];
          assert_arguments_refused (&a);
        }
    }
  for (int index = 0; index < 12; index++)
    {
      g_auto (Arguments) a = { 0 };

      arguments_init (&a, operation, 1);
      guarded_image_set_float (a.image, index, index % 2 ? NAN : -NAN);
      assert_arguments_refused (&a);
    }
}

static void
test_refuses_options (gconstpointer data)
{
  const WfOperation     operation = (WfOperation) GPOINTER_TO_INT (data);
  const WfOptionGroup  *group     = wf_operation_get_options (operation);
  g_auto (Arguments)    a         = { 0 };
  WfMorphologyOptions   fine;
  GError               *error     = NULL;

  arguments_init (&a, operation, 1);
  fine = a.options;
  a.options.connectivity = 6;
  assert_arguments_refused (&a);
  a.options.connectivity = 5;
  assert_arguments_refused (&a);
  a.options = fine;
  a.options.algorithm = "steepest";
  assert_arguments_refused (&a);
  a.options = fine;
  if (wf_option_group_find (group, "height"))
    {
      const double heights[] = { NAN, -1, -1e-300, INFINITY, -INFINITY };

      for (guint i = 0; i < G_N_ELEMENTS (heights); i++)
        {
          a.options.height = heights[i];
          assert_arguments_refused (&a);
        }
      assert_refused (operation_call (operation, NULL, &a.image->view, NULL, &a.out->view, NULL,
                                       &refusal), WF_ERROR_INVALID);
      a.options = fine;
    }
  if (wf_option_group_find (group, "radius"))
    {
      a.options.radius = -1;
      assert_arguments_refused (&a);
      a.options.radius = (1 << 20) + 1;
      assert_arguments_refused (&a);
      a.options = fine;
      a.options.element = 2;
      assert_arguments_refused (&a);
      a.options = fine;
    }

  g_assert_true (call (&a, &error));
  g_assert_no_error (error);
}

static void
test_refuses_markers (void)
{
  static const WfType types[] = { WF_TYPE_U64, WF_TYPE_F64, (WfType) 0, (WfType) 7 };

  for (int change = 0; change < 6; change++)
    {
      g_auto (Arguments)  a    = { 0 };
      WfImage            *view = NULL;

      arguments_init (&a, WF_OPERATION_IMPOSE_MINIMA, 2);
      view = &a.markers->view;
      switch (change)
        {
        case 0: view->width--; break;
        case 1: view->row_stride = 1; break;
        case 2: view->data = NULL; break;
        case 3: guarded_image_set_float (a.markers, 7, NAN); break;
        case 4: guarded_image_set_float (a.markers, 0, 0.0f); break;
        case 5: guarded_image_set_float (a.markers, 0, -0.0f); break;
        }
      assert_arguments_refused (&a);
    }
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_auto (Arguments) a = { 0 };

      arguments_init (&a, WF_OPERATION_IMPOSE_MINIMA, 1);
      a.markers->view.type = types[i];
      assert_arguments_refused (&a);
    }
  {
    g_auto (Arguments) a = { 0 };

    arguments_init (&a, WF_OPERATION_IMPOSE_MINIMA, 1);
    assert_refused (wf_impose_minima (NULL, &a.image->view, NULL, &a.out->view, NULL, &refusal),
                    WF_ERROR_INVALID);
  }
}

static void
add (const char    *path,
     WfOperation    operation,
     GTestDataFunc  test)
{
  g_autofree char *full = g_strdup_printf ("/morphology/%s/%s", path,
                                           wf_operation_get_options (operation)->name);

  g_test_add_data_func (full, GINT_TO_POINTER (operation), test);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  for (int i = 0; i < WF_N_OPERATIONS; i++)
    if (wf_operation_describe ((WfOperation) i)->flags & WF_WORKS_BY_RECONSTRUCTION)
      {
        add ("refuses-images", (WfOperation) i, test_refuses_images);
        add ("refuses-options", (WfOperation) i, test_refuses_options);
      }
  g_test_add_func ("/morphology/refuses-markers", test_refuses_markers);

  return g_test_run ();
}
