/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The options of the context, and what the options and images of several operations have
 * in common.
 */

#include "config.h"

#include "record.h"


#define CONNECTIVITIES(automatic) \
  { "auto", 0,  automatic }, \
  { "4",    4,  N_("4 neighbors") }, \
  { "8",    8,  N_("8 neighbors") }, \
  { "6",    6,  N_("6 neighbors (stacks)") }, \
  { "26",   26, N_("26 neighbors (stacks)") }, \
  { NULL,   0,  NULL }

const WfChoice wf_connectivities[] =
{
  CONNECTIVITIES (N_("All neighbors (8, or 26 in a stack)"))
};

const WfChoice wf_dual_connectivities[] =
{
  CONNECTIVITIES (N_("Neighbors with a common side (4, or 6 in a stack)"))
};

const WfChoice wf_elements[] =
{
  { "square", WF_ELEMENT_SQUARE, N_("Square") },
  { "disc",   WF_ELEMENT_DISC,   N_("Disc") },
  { NULL,     0,                 NULL }
};

const WfOperand wf_one_image[] =
{
  { .name = "image", .content = WF_CONTENT_LEVELS, .types = WF_LEVELS },
  { NULL }
};

const WfOperand wf_one_result[] =
{
  { .name = "result", .content = WF_CONTENT_LEVELS, .types = WF_LEVELS, .same_type = TRUE },
  { NULL }
};

static const WfChoice fallbacks[] =
{
  { "auto", WF_FALLBACK_AUTO, N_("Continue on the CPU if chosen automatically") },
  { "cpu",  WF_FALLBACK_CPU,  N_("Continue on the CPU") },
  { "none", WF_FALLBACK_NONE, N_("Stop") },
  { NULL,   0,                NULL }
};

static const WfOption context_options[] =
{
  {
    .name          = "device",
    .kind          = WF_OPTION_DEVICE,
    .offset        = G_STRUCT_OFFSET (WfContextOptions, device),
    .label         = N_("_Device"),
    .blurb         = N_("Device that computes the result; several, as in cpu,cuda:0, share large "
                        "images"),
    .placeholder   = "auto|cpu|cuda:N|all",
  },
  {
    .name          = "fallback",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WfContextOptions, fallback),
    .label         = N_("If the device _fails"),
    .blurb         = N_("Whether the CPU replaces a device that is missing or fails; by default "
                        "only if the device was chosen automatically"),
    .placeholder   = "auto|cpu|none",
    .default_value = WF_FALLBACK_AUTO,
    .choices       = fallbacks,
  },
  {
    .name          = "threads",
    .kind          = WF_OPTION_INT,
    .offset        = G_STRUCT_OFFSET (WfContextOptions, threads),
    .label         = N_("T_hreads"),
    .blurb         = N_("Number of CPU threads; 0 for one per processor"),
    .placeholder   = "N",
    .maximum       = 4096,
  },
  {
    .name          = "tile-size",
    .kind          = WF_OPTION_INT,
    .meaning       = WF_OPTION_SIZE,
    .offset        = G_STRUCT_OFFSET (WfContextOptions, tile_size),
    .label         = N_("Tile si_ze"),
    .blurb         = N_("Side length of the tiles into which the work is divided, in pixels; 0 for "
                        "automatic"),
    .placeholder   = "N",
    .maximum       = 1 << 20,
  },
};

static const WfOptionGroup context_group =
{
  .name      = "context",
  .title     = N_("Devices and Tiles"),
  .blurb     = N_("Device and division of the work; the result does not depend on them"),
  .options   = context_options,
  .n_options = G_N_ELEMENTS (context_options),
  .size      = sizeof (WfContextOptions),
};


/**
 * wf_context_get_options:
 *
 * Describes the options of wf_context_configure(), as wf_operation_get_options() does those of
 * an operation.
 *
 * Returns: the description of #WfContextOptions, constant.
 */
const WfOptionGroup *
wf_context_get_options (void)
{
  return &context_group;
}
