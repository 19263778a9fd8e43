/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "wavefront.h"


/**
 * wf_version:
 *
 * Gives the version of the library that is loaded, which may be later than that of the
 * header.  The string is static.
 *
 * Returns: the version of the library that is running, as in "0.1.0".
 */
const char *
wf_version (void)
{
  return G_STRINGIFY (WF_MAJOR_VERSION) "." G_STRINGIFY (WF_MINOR_VERSION) "."
         G_STRINGIFY (WF_MICRO_VERSION);
}

/**
 * wf_check_version:
 * @major: a major version
 * @minor: a minor version
 * @micro: a micro version
 *
 * The same question as %WF_CHECK_VERSION, of the library and not of the header.
 *
 * Returns: whether the library that is running is of this version or of a later one.
 */
gboolean
wf_check_version (guint major,
                  guint minor,
                  guint micro)
{
  const guint library[] = { WF_MAJOR_VERSION, WF_MINOR_VERSION, WF_MICRO_VERSION };
  const guint wanted[]  = { major, minor, micro };

  for (guint i = 0; i < G_N_ELEMENTS (library); i++)
    if (library[i] != wanted[i])
      return library[i] > wanted[i];
  return TRUE;
}
