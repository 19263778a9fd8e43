/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a value that is known at run time to the instance of a template that is compiled
 * for it, on the host:
 *
 *   return wf_dispatch_pixels (task->type, [&] (auto pixel)
 *     {
 *       return label_tiles<decltype (pixel)> (cuda, task, error);
 *     });
 *
 *   return wf_dispatch_value<4, 8> (task->connectivity, [&] (auto connectivity) -> gboolean
 *     {
 *       sweep<decltype (connectivity)::value><<<blocks, threads, 0, cuda->stream>>> (images);
 *       WF_CUDA_CHECK_LAUNCH ();
 *       return TRUE;
 *     });
 *
 * Every call multiplies what its body instantiates, so dispatch over what a kernel's inner
 * loop depends on, and pass the rest to the kernel as arguments.
 */

#pragma once

#include <type_traits>

#include "wavefront.h"

/* Calls @body with a value of the type of the pixels: guint8, guint16 or float. */
template <typename Body>
static inline auto
wf_dispatch_pixels (WfType type,
                    Body   body)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return body (guint8 ());
    case WF_TYPE_U16:
      return body (guint16 ());
    default:
      return body (float ());
    }
}

/* The same for labels, and for what takes the bits of an f32 (ordered-key.cuh): guint8, guint16 or
 * guint32.
 */
template <typename Body>
static inline auto
wf_dispatch_keys (WfType type,
                  Body   body)
{
  switch (type)
    {
    case WF_TYPE_U8:
      return body (guint8 ());
    case WF_TYPE_U16:
      return body (guint16 ());
    default:
      return body (guint32 ());
    }
}

/* Calls @body with a std::integral_constant of @value, which is one of the numbers that are
 * the template's arguments; any other counts as the last of them.
 */
template <int FIRST, int... OTHERS, typename Body>
static inline auto
wf_dispatch_value (int  value,
                   Body body)
{
  if constexpr (sizeof... (OTHERS) > 0)
    {
      if (value != FIRST)
        return wf_dispatch_value<OTHERS...> (value, body);
    }
  return body (std::integral_constant<int, FIRST> ());
}
