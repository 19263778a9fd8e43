/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A table as text, cell by cell (table-text.c). */

#pragma once

#include "wavefront.h"

/* The centre of a pixel, from its edge. */
#define WF_PIXEL_CENTER 0.5

/**
 * WfTableText:
 * @text: so far
 * @format: of the table
 * @digits: of real numbers
 * @names: of the columns, for JSON
 *
 * A table that is being written.
 */
typedef struct
{
  GString       *text;
  WfTableFormat  format;
  int            digits;
  GPtrArray     *names;
  guint          cell;        /* the next one of the line */
  gint64         n_lines;
} WfTableText;

WfTablePlace
         wf_table_place_take      (const WfTablePlace  *place);
void     wf_table_text_begin      (WfTableText         *table,
                                   WfTableFormat        format,
                                   int                  digits);
void     wf_table_text_add_name   (WfTableText         *table,
                                   const char          *name);
void     wf_table_text_begin_line (WfTableText         *table);
void     wf_table_text_add_whole  (WfTableText         *table,
                                   gint64               number);
void     wf_table_text_add_real   (WfTableText         *table,
                                   double               number);
void     wf_table_text_add_string (WfTableText         *table,
                                   const char          *string);
void     wf_table_text_end_line   (WfTableText         *table);
char *   wf_table_text_end        (WfTableText         *table);
void     wf_table_text_append_json_string
                                  (GString             *text,
                                   const char          *string);
gboolean wf_table_text_write      (GFile               *file,
                                   const char          *text,
                                   GError             **error);
