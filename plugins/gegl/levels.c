/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations from an image of levels to another one, or to marks: each is a row. */

#include "config.h"

#include "buffers.h"
#include "plugins/reconstruction/notes.h"


static gboolean
compute (const WfGeglWork  *work,
         GError           **error)
{
  const WfOperation operation = work->kind->operation;
  const gboolean    marks     = wf_operation_describe (operation)->outputs[0].content ==
                                WF_CONTENT_MARKS;
  g_auto (WfImage)  levels    = { 0 };
  g_auto (WfImage)  marked    = { 0 };
  const WfImage    *inputs[]  = { &levels };
  WfImage          *outputs[] = { marks ? &marked : &levels };

  if (! wf_gegl_read_levels (work, &levels, error) ||
      (marks && ! wf_image_allocate (&marked, WF_TYPE_U8, levels.width, levels.height, 1, error)) ||
      ! wf_operation_run (work->context, operation, inputs, outputs, NULL, work->options, error))
    return FALSE;
  if (marks)
    wf_gegl_write_marks (work, &marked);
  else
    wf_gegl_write_levels (work, &levels);
  return TRUE;
}

#define KIND(which) \
  { .operation = WF_OPERATION_##which, .compute = compute }
#define KIND_WITH_NOTES(which, its_notes) \
  { .operation = WF_OPERATION_##which, .notes = its_notes, .compute = compute }

/* An angle is that of a line. */
static const WfGeglSensitivity of_a_line[] =
{
  { "angle", "element {line}" },
  { NULL, NULL }
};

#define KIND_WITH_ANGLE(which) \
  { .operation = WF_OPERATION_##which, .sensitive = of_a_line, .compute = compute }

static const WfGeglKind kinds[] =
{
  KIND (FILL_HOLES),
  KIND (CLEAR_BORDER),
  KIND_WITH_NOTES (H_MAXIMA, wf_height_notes),
  KIND_WITH_NOTES (H_MINIMA, wf_height_notes),
  KIND (REGIONAL_MAXIMA),
  KIND (REGIONAL_MINIMA),
  KIND_WITH_NOTES (EXTENDED_MAXIMA, wf_height_notes),
  KIND_WITH_NOTES (EXTENDED_MINIMA, wf_height_notes),
  KIND (OPENING_BY_RECONSTRUCTION),
  KIND (CLOSING_BY_RECONSTRUCTION),
  KIND (WHITE_TOP_HAT_BY_RECONSTRUCTION),
  KIND (BLACK_TOP_HAT_BY_RECONSTRUCTION),
  KIND_WITH_NOTES (AREA_OPENING, wf_attribute_notes),
  KIND_WITH_NOTES (AREA_CLOSING, wf_attribute_notes),
  KIND_WITH_NOTES (HEIGHT_OPENING, wf_attribute_notes),
  KIND_WITH_NOTES (HEIGHT_CLOSING, wf_attribute_notes),
  KIND_WITH_NOTES (VOLUME_OPENING, wf_attribute_notes),
  KIND_WITH_NOTES (VOLUME_CLOSING, wf_attribute_notes),
  KIND_WITH_ANGLE (EROSION),
  KIND_WITH_ANGLE (DILATION),
  KIND_WITH_ANGLE (OPENING),
  KIND_WITH_ANGLE (CLOSING),
  KIND (GRADIENT),
  KIND (MEDIAN),
};

const WfGeglKinds wf_gegl_levels = { kinds, G_N_ELEMENTS (kinds) };
