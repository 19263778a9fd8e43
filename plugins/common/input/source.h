/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <libgimp/gimp.h>

#include "slice.h"
#include "wavefront.h"

G_BEGIN_DECLS

/**
 * WfSourceOptions:
 * @source: a #WfComponent: what of a pixel counts as its level
 * @stack: whether the layers are the slices of a stack
 *
 * What every procedure asks about the pixels that it works on.
 */
typedef struct
{
  gsize    size;
  int      source;
  gboolean stack;
} WfSourceOptions;

/**
 * WfSource:
 * @slices: what is worked on together: one drawable, or the layers of a stack
 * @n_slices: how many
 * @region: the part of each that is worked on
 * @type: of the pixels
 * @component: what of them is worked on
 * @anchor: the item that the results go above
 * @name: of the drawable, or of the stack
 *
 * What one pass of a procedure works on.
 */
typedef struct
{
  WfSlice      *slices;
  guint         n_slices;
  WfRegion      region;
  WfType        type;
  WfComponent   component;
  GimpItem     *anchor;
  char         *name;
} WfSource;

const WfOptionGroup * wf_source_get_options    (void);

GPtrArray *           wf_sources_open          (GimpImage              *image,
                                                GimpDrawable          **drawables,
                                                gboolean                selected,
                                                const WfSourceOptions  *options,
                                                GError                **error);
gboolean              wf_sources_copy          (GPtrArray              *sources,
                                                GError                **error);
gboolean              wf_source_read           (const WfSource         *source,
                                                WfImage                *image,
                                                GError                **error);
gboolean              wf_source_has_alpha      (const WfSource         *source);
gboolean              wf_source_is_transparent (const WfSource         *source);
void                  wf_source_read_coverage  (const WfSource         *source,
                                                guint                   slice,
                                                int                     row,
                                                int                     n_rows,
                                                float                  *coverage);
double                wf_source_n_pixels       (const WfSource         *source);

G_END_DECLS
