/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Checks of a refusal: it returns FALSE and sets the right error with one sentence as its
 * message.
 */

#pragma once

#include <string.h>

#include "wavefront.h"

G_BEGIN_DECLS

#define assert_sentence(message)                                              \
  G_STMT_START                                                                \
    {                                                                         \
      const char *sentence = (message);                                       \
                                                                              \
      g_assert_nonnull (sentence);                                            \
      g_assert_true (g_utf8_validate (sentence, -1, NULL));                   \
      g_assert_true (g_unichar_isupper (g_utf8_get_char (sentence)));         \
      g_assert_true (g_str_has_suffix (sentence, "."));                       \
      g_assert_null (strchr (sentence, '\n'));                                \
    }                                                                         \
  G_STMT_END

/* @call: a call that passes &refusal as its GError ** */
#define assert_refused_with(call, domain, code)                               \
  G_STMT_START                                                                \
    {                                                                         \
      GError   *refusal   = NULL;                                             \
      gboolean  succeeded = (call);                                           \
                                                                              \
      g_assert_false (succeeded);                                             \
      g_assert_error (refusal, domain, code);                                 \
      assert_sentence (refusal->message);                                     \
      g_clear_error (&refusal);                                               \
    }                                                                         \
  G_STMT_END

#define assert_refused(call, code) assert_refused_with (call, WF_ERROR, code)

#define N_VIEW_FAULTS 14

/* Makes a stack's @view invalid, in one of several ways. */
static inline void
spoil_view (WfImage *view,
            int      fault)
{
  switch (fault)
    {
    case 0: view->width--; break;
    case 1: view->height--; break;
    case 2: view->depth--; break;
    case 3: view->width = 0; break;
    case 4: view->width = WF_MAX_SIDE + 1; break;
    case 5: view->height = 0; break;
    case 6: view->height = -3; break;
    case 7: view->depth = 0; break;
    case 8: view->row_stride = view->width - 1; break;
    case 9: view->row_stride = -view->row_stride; break;
    case 10: view->row_stride = G_MAXINT64 / 2; break;
    case 11: view->slice_stride = 1; break;
    case 12: view->data = NULL; break;
    case 13: view->pixel_stride = 1; break;
    }
}

G_END_DECLS
