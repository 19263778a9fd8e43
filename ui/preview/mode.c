/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a preview shows, as a type of properties. */

#include "config.h"

#include "mode.h"


GType
wf_preview_mode_get_type (void)
{
  static const GEnumValue values[] =
  {
    { WF_PREVIEW_IMAGE,            "WF_PREVIEW_IMAGE",            "image" },
    { WF_PREVIEW_RESULT,           "WF_PREVIEW_RESULT",           "result" },
    { WF_PREVIEW_LINES,            "WF_PREVIEW_LINES",            "lines" },
    { WF_PREVIEW_BASINS,           "WF_PREVIEW_BASINS",           "basins" },
    { WF_PREVIEW_LINES_AND_BASINS, "WF_PREVIEW_LINES_AND_BASINS", "lines-and-basins" },
    { 0, NULL, NULL }
  };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("WfPreviewMode", values));
  return type;
}
