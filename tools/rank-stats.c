/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <inttypes.h>

#include "rank-stats.h"
#include "ranks.h"
#include "stats.h"


/* What each rank tells. */
typedef struct
{
  char         host[64];
  double       seconds;
  guint64      peak_memory;
  WfRankReport messages;
} RankStats;

/**
 * rank_stats_format:
 * @seconds: that the operation took in this rank
 * @error: of the other ranks
 *
 * Is called by all ranks.
 *
 * Returns: (transfer full) (nullable): a JSON member, with a comma in front of it: what each rank
 *   has done; an empty text in a process alone, and in all ranks but the first; %NULL if a rank
 *   has failed
 */
char *
rank_stats_format (double   seconds,
                   GError **error)
{
  GString              *text  = g_string_new (NULL);
  const guint           n     = ranks_count ();
  g_autofree RankStats *ranks = g_new0 (RankStats, n);
  RankStats             own   = { .seconds = seconds, .peak_memory = stats_peak_memory () };

  if (n == 1)
    return g_string_free (text, FALSE);
  g_strlcpy (own.host, g_get_host_name (), sizeof own.host);
  own.messages = *wf_communicator_get_report (ranks_get ());
  if (! wf_communicator_gather (ranks_get (), &own, sizeof own, ranks, error))
    {
      g_string_free (text, TRUE);
      return NULL;
    }
  if (! ranks_is_first ())
    return g_string_free (text, FALSE);
  g_string_append (text, ",\"ranks\":[");
  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (text, "%s{\"rank\":%u,\"host\":\"%s\"", i > 0 ? "," : "", i,
                              ranks[i].host);
      stats_append_seconds (text, "operation", ranks[i].seconds);
      stats_append_seconds (text, "waited", ranks[i].messages.waited_seconds);
      g_string_append_printf (text, ",\"sent_bytes\":%" PRIu64 ",\"received_bytes\":%" PRIu64
                                    ",\"peak_rss_bytes\":%" PRIu64 "}",
                              ranks[i].messages.sent_bytes, ranks[i].messages.received_bytes,
                              ranks[i].peak_memory);
    }
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}
