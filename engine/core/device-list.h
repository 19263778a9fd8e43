/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which devices a user names: one, several, or none in particular. */

#pragma once

#include "engine/wavefront.h"

/* The CUDA module uses no more. */
#define WF_MAX_GPUS 64

/**
 * WfDeviceList:
 * @automatic: any device: "auto"
 * @all: all devices that there are: "all"
 * @cpu: whether the CPU is named
 * @gpus: the numbers of the GPUs that are named, each once
 * @n_gpus: how many are
 */
typedef struct
{
  gboolean automatic;
  gboolean all;
  gboolean cpu;
  guint    gpus[WF_MAX_GPUS];
  guint    n_gpus;
} WfDeviceList;

gboolean wf_device_list_parse (const char   *text,
                               WfDeviceList *list);
guint    wf_device_list_share (WfDeviceList *list,
                               guint         n_there,
                               guint         rank,
                               guint         n_ranks);
