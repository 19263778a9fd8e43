/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "estimate.h"

/* Bytes that the operation takes beyond its images on the CPU; 0 with @error set. */
guint64
estimate_memory (WfOperation     operation,
                 const WfImage  *image,
                 gconstpointer   options,
                 GError        **error)
{
  g_autoptr (WfContext)  context  = wf_context_new ();
  g_autoptr (WfForecast) forecast = NULL;
  WfContextOptions       where;

  wf_option_group_init (wf_context_get_options (), &where);
  where.device = "cpu";
  g_assert_true (wf_context_configure (context, &where, NULL));
  forecast = wf_context_forecast (context, operation, image, options, error);
  return forecast ? forecast->memory_needed : 0;
}
