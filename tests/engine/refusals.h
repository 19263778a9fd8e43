/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What every refusal must be: FALSE, the right error, one sentence as its message. */

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

G_END_DECLS
