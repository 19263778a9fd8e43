/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files of paces, as WAVEFRONT_PACE names them. */

#pragma once

#include "wavefront.h"

G_BEGIN_DECLS

/* Writes a temporary file by which every algorithm of every operation does @cpu pixels a second on
 * the CPU with any number of threads, and @gpu on the first GPU, whose link transfers @link bytes
 * a second, and makes this process use it.
 */
void pace_file_use    (double cpu,
                       double gpu,
                       double link);

/* Removes it. */
void pace_file_remove (void);

G_END_DECLS
