/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The formats of a table, by the suffix of its file. */

#pragma once

#include "wavefront.h"

/**
 * TableFormat:
 * @suffix: without a dot
 * @format: of the library
 */
typedef struct
{
  const char    *suffix;
  WfTableFormat  format;
} TableFormat;

const TableFormat * table_format_find   (const char  *suffix);
gboolean            table_format_refuse (const char  *suffix,
                                         GError     **error);
const TableFormat * table_format_choose (const char  *path,
                                         const char  *format,
                                         GError     **error);
