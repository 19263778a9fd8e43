/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Parses any text as the value of any option.  A refused text changes nothing; an accepted value
 * passes the checks, and formatting and parsing it gives the same text again.
 */

#include "bytes.h"
#include "wavefront.h"


static void
check_taken (const WfOptionGroup *group,
             const WfOption      *option,
             gpointer             options)
{
  g_autofree char     *text  = wf_option_format (option, options);
  g_autofree gpointer  again = g_malloc0 (group->size);
  g_autofree char     *after = NULL;
  GError              *error = NULL;

  wf_option_group_check (group, options, &error);
  g_assert_no_error (error);
  wf_option_group_init_sized (group, again, group->size);
  /* an unset value is formatted as an empty text, which cannot be parsed */
  if (! text || text[0] == '\0')
    return;
  wf_option_parse (option, again, text, &error);
  g_assert_no_error (error);
  after = wf_option_format (option, again);
  fuzz_assert (strcmp (text, after) == 0);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  FuzzBytes            bytes  = { data, size };
  guint                which  = fuzz_below (&bytes, WF_N_OPERATIONS + 1);
  const WfOptionGroup *group  = which < WF_N_OPERATIONS ? wf_operation_get_options (which)
                                                        : wf_context_get_options ();
  const WfOption      *option = &group->options[fuzz_below (&bytes, group->n_options)];
  g_autofree gpointer  options = g_malloc0 (group->size);
  g_autofree gpointer  before  = NULL;
  g_autofree char     *text    = g_strndup ((const char *) bytes.next, bytes.left);
  g_autoptr (GError)   error   = NULL;

  wf_option_group_init_sized (group, options, group->size);
  before = g_memdup2 (options, group->size);
  if (wf_option_parse (option, options, text, &error))
    {
      fuzz_assert (error == NULL);
      check_taken (group, option, options);
    }
  else
    {
      fuzz_assert (error != NULL && error->domain == WF_ERROR);
      fuzz_assert (memcmp (before, options, group->size) == 0);
    }
  return 0;
}
