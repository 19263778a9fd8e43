/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The operations from an image of levels to another one, or to marks: each is a row. */

#include "config.h"

#include "buffers.h"
#include "colors.h"
#include "kept.h"
#include "plugins/reconstruction/notes.h"


/* Of WfGeglFilterFunc. */
static gboolean
run (const WfGeglWork  *work,
     WfComponent        component,
     WfImage           *levels,
     GError           **error)
{
  const WfImage *inputs[]  = { levels };
  WfImage       *outputs[] = { levels };

  return wf_operation_run (work->context, work->kind->operation, inputs, outputs, NULL,
                           work->options, error);
}

static gboolean
compute (const WfGeglWork  *work,
         GError           **error)
{
  return wf_gegl_filter (work, run, error);
}

static gboolean
open_by_tree (const WfGeglWork  *work,
              GError           **error)
{
  return wf_gegl_filter (work, wf_gegl_kept_open, error);
}

static gboolean
mark (const WfGeglWork  *work,
      GError           **error)
{
  g_auto (WfImage)  levels    = { 0 };
  g_auto (WfImage)  marked    = { 0 };
  const WfImage    *inputs[]  = { &levels };
  WfImage          *outputs[] = { &marked };

  if (! wf_gegl_read_levels (work, &levels, error) ||
      ! wf_image_allocate (&marked, WF_TYPE_U8, levels.width, levels.height, 1, error) ||
      ! wf_operation_run (work->context, work->kind->operation, inputs, outputs, NULL,
                          work->options, error))
    return FALSE;
  wf_gegl_write_marks (work, &marked);
  return TRUE;
}

/* Other results than gray ones have no choice of the level. */
static const WfGeglSensitivity of_gray[] =
{
  { "source", "colors {gray}" },
  { NULL, NULL }
};

/* Marks are white and black, whatever the colors are. */
#define MARKS(which, its_notes) \
  { .operation = WF_OPERATION_##which, .notes = its_notes, .compute = mark }
#define KIND(which) \
  { .operation = WF_OPERATION_##which, .sensitive = of_gray, .takes_colors = TRUE, \
    .compute = compute }
#define KIND_WITH_NOTES(which, its_notes) \
  { .operation = WF_OPERATION_##which, .notes = its_notes, .sensitive = of_gray, \
    .takes_colors = TRUE, .compute = compute }

#define ATTRIBUTE(which) \
  { .operation = WF_OPERATION_##which, .notes = wf_attribute_notes, .sensitive = of_gray, \
    .takes_colors = TRUE, .compute = open_by_tree }

/* An angle is that of a line. */
static const WfGeglSensitivity of_a_line[] =
{
  { "angle", "element {line}" },
  { "source", "colors {gray}" },
  { NULL, NULL }
};

#define KIND_WITH_ANGLE(which) \
  { .operation = WF_OPERATION_##which, .sensitive = of_a_line, .takes_colors = TRUE, \
    .compute = compute }

static const WfGeglKind kinds[] =
{
  KIND (FILL_HOLES),
  KIND (CLEAR_BORDER),
  KIND_WITH_NOTES (H_MAXIMA, wf_height_notes),
  KIND_WITH_NOTES (H_MINIMA, wf_height_notes),
  MARKS (REGIONAL_MAXIMA, NULL),
  MARKS (REGIONAL_MINIMA, NULL),
  MARKS (EXTENDED_MAXIMA, wf_height_notes),
  MARKS (EXTENDED_MINIMA, wf_height_notes),
  KIND (OPENING_BY_RECONSTRUCTION),
  KIND (CLOSING_BY_RECONSTRUCTION),
  KIND (WHITE_TOP_HAT_BY_RECONSTRUCTION),
  KIND (BLACK_TOP_HAT_BY_RECONSTRUCTION),
  ATTRIBUTE (AREA_OPENING),
  ATTRIBUTE (AREA_CLOSING),
  ATTRIBUTE (HEIGHT_OPENING),
  ATTRIBUTE (HEIGHT_CLOSING),
  ATTRIBUTE (VOLUME_OPENING),
  ATTRIBUTE (VOLUME_CLOSING),
  KIND_WITH_ANGLE (EROSION),
  KIND_WITH_ANGLE (DILATION),
  KIND_WITH_ANGLE (OPENING),
  KIND_WITH_ANGLE (CLOSING),
  KIND_WITH_ANGLE (WHITE_TOP_HAT),
  KIND_WITH_ANGLE (BLACK_TOP_HAT),
  KIND (GRADIENT),
  KIND (MEDIAN),
};

const WfGeglKinds wf_gegl_levels = { kinds, G_N_ELEMENTS (kinds) };
