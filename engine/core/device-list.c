/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "device-list.h"


static gboolean
add_gpu (WfDeviceList *list,
         const char   *digits)
{
  guint64 number;

  if (! g_ascii_string_to_unsigned (digits, 10, 0, 9999, &number, NULL))
    return FALSE;
  for (guint i = 0; i < list->n_gpus; i++)
    if (list->gpus[i] == number)
      return TRUE;
  if (list->n_gpus == WF_MAX_GPUS)
    return FALSE;
  list->gpus[list->n_gpus++] = (guint) number;
  return TRUE;
}

static gboolean
add_device (WfDeviceList *list,
            const char   *name)
{
  if (strcmp (name, "cpu") == 0)
    return list->cpu = TRUE;
  return g_str_has_prefix (name, "cuda:") && add_gpu (list, name + strlen ("cuda:"));
}

/* Whether @text has the form of "auto", "all", "cpu", "cuda:N", or a list of the last two with
 * commas; whether there are such devices is another question.  @list may be NULL.
 */
gboolean
wf_device_list_parse (const char   *text,
                      WfDeviceList *list)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);
  WfDeviceList   own;

  if (! list)
    list = &own;
  *list = (WfDeviceList) { .automatic = strcmp (text, "auto") == 0,
                           .all       = strcmp (text, "all") == 0 };
  if (list->automatic || list->all)
    return TRUE;
  for (char **name = names; *name; name++)
    if (! add_device (list, *name))
      return FALSE;
  return names[0] != NULL;
}

/* Leaves the GPUs that one of @n_ranks processes of a host takes, the one with number @rank: of
 * those that are named, or of the @n_there of this machine where none is, each @n_ranks-th; one
 * where there are fewer GPUs than processes.  Returns how many processes take the same ones.
 */
guint
wf_device_list_share (WfDeviceList *list,
                      guint         n_there,
                      guint         rank,
                      guint         n_ranks)
{
  guint n_all;
  guint n = 0;

  if (list->automatic || list->all)
    for (list->n_gpus = 0; list->n_gpus < MIN (n_there, WF_MAX_GPUS); list->n_gpus++)
      list->gpus[list->n_gpus] = list->n_gpus;
  list->all = FALSE;
  n_all     = list->n_gpus;
  if (n_all == 0)
    return 1;

  for (guint i = rank % n_all; i < n_all; i += n_ranks)
    list->gpus[n++] = list->gpus[i];
  list->n_gpus = n;
  return n_all < n_ranks ? n_ranks / n_all + (rank % n_all < n_ranks % n_all) : 1;
}
