/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

const char * wf_gegl_translate (const char *text);
