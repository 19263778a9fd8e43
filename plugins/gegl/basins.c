/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The watershed: its lines over the image or alone, and its basins in their mean colors. */

#include "config.h"

#include <string.h>

#include <glib/gi18n-lib.h>

#include "buffers.h"
#include "flooded.h"
#include "names.h"
#include "plugins/common/input/expand.h"
#include "plugins/common/input/formats.h"
#include "plugins/common/input/level-reader.h"
#include "plugins/watershed/basin-colors.h"
#include "plugins/watershed/boundary.h"
#include "ui/merge/cut.h"

/* Mean colors that are converted together. */
#define COLORS_AT_ONCE 1024


/**
 * Basins:
 * @work: with the pixels that are kept
 * @labels: of the basins
 * @objects: (nullable): 0 where label 0 is background and not a line
 * @lines: whether label 0 is a line between basins
 * @diagonals: whether pixels that touch at a corner are neighbors
 * @colors: in the format of the output, of each basin
 * @size: of one, in bytes
 */
typedef struct
{
  WfGeglWork     work;
  WfGeglFlooded *flooded;
  const WfImage *labels;
  const WfImage *objects;
  gboolean       lines;
  gboolean       diagonals;
  guint8        *colors;
  gsize          size;
} Basins;

static gboolean
basins_init (Basins            *basins,
             const WfGeglWork  *work,
             GError           **error)
{
  const WfWatershedOptions *options = work->options;

  *basins = (Basins) { .work = *work, .flooded = wf_gegl_flooded_new (work, error) };
  if (! basins->flooded)
    return FALSE;
  basins->work.pixels = wf_gegl_flooded_get_pixels (basins->flooded);
  basins->labels    = wf_gegl_flooded_get_basins (basins->flooded);
  basins->objects   = wf_gegl_flooded_get_objects (basins->flooded);
  basins->lines     = options->lines;
  basins->diagonals = wf_boundary_has_diagonals (options->connectivity);
  return TRUE;
}

static void
basins_clear (Basins *basins)
{
  if (basins->flooded)
    wf_gegl_flooded_keep (basins->flooded, &basins->work);
  g_free (basins->colors);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Basins, basins_clear)


/*  Lines  */

static void
mark_row (gint64    y,
          guint8   *marks,
          gpointer  data)
{
  const Basins *basins = data;

  wf_boundary_mark_row (basins->labels, basins->objects, NULL, (int) y, basins->lines,
                        basins->diagonals, marks);
}

static gboolean
compute_lines (const WfGeglWork  *work,
               GError           **error)
{
  const WfGeglBasinOptions *own    = work->own_options;
  g_auto (Basins)           basins = { .flooded = NULL };

  if (! basins_init (&basins, work, error))
    return FALSE;
  wf_gegl_write_lines (&basins.work, own->transparent, mark_row, &basins);
  return TRUE;
}

static gboolean
are_lines_alone (gconstpointer options,
                 gconstpointer own_options)
{
  return ((const WfGeglBasinOptions *) own_options)->transparent;
}


/*  Mean colors  */

static void
add_pixels (const Basins  *basins,
            WfMeanColors  *means)
{
  const WfGeglWork *work   = &basins->work;
  const int         width  = work->region.width;
  const guint32    *labels = basins->labels->data;
  g_autofree float *colors = NULL;

  if (work->pixels && gegl_buffer_get_format (work->input) == work->own &&
      wf_colors_can_expand (work->own, wf_format_find_color (work->own, TRUE, WF_TYPE_F32)))
    {
      wf_mean_colors_add (means, labels, WF_TYPE_U8, work->pixels,
                          babl_format_get_n_components (work->own),
                          (gint64) width * work->region.height);
      return;
    }
  colors = g_new (float, 4 * (gsize) width * WF_STRIP_ROWS);
  for (int y = 0; y < work->region.height; y += WF_STRIP_ROWS)
    {
      const int n_rows = MIN (WF_STRIP_ROWS, work->region.height - y);

      wf_gegl_read_colors (work, y, n_rows, colors);
      wf_mean_colors_add (means, labels + (gsize) y * width, WF_TYPE_F32, colors, 4,
                          (gint64) n_rows * width);
    }
}

/* To choose how to convert takes longer than to convert one color. */
static void
convert_means (const WfMeanColors *means,
               guint32             highest,
               const Basins       *basins)
{
  const WfGeglWork *work     = &basins->work;
  const Babl       *encoding = wf_format_find_color (work->own, TRUE, WF_TYPE_F32);
  float             colors[COLORS_AT_ONCE][4];
  guint32           n;

  for (guint32 first = 1; first <= highest; first += n)
    {
      n = MIN (COLORS_AT_ONCE, highest - first + 1);
      for (guint32 i = 0; i < n; i++)
        wf_mean_colors_get (means, first + i, colors[i]);
      wf_gegl_convert (work, encoding, colors[0], n, basins->colors + first * basins->size);
      wf_gegl_convert_to_light (work, basins->colors + first * basins->size, n);
    }
}

/* A pixel of each basin; that of no basin is transparent. */
static gboolean
make_colors (Basins   *basins,
             GError  **error)
{
  const guint32            highest = wf_basin_labels_get_highest (basins->labels);
  g_autoptr (WfMeanColors) means   = wf_basin_means_new (basins->work.context, highest, error);

  if (! means)
    return FALSE;
  add_pixels (basins, means);
  basins->size   = (gsize) babl_format_get_bytes_per_pixel (basins->work.format);
  basins->colors = wf_basin_data_new (highest, basins->size, error);
  if (! basins->colors)
    return FALSE;
  convert_means (means, highest, basins);
  return TRUE;
}

static inline __attribute__ ((always_inline)) void
copy_colors (const guint8  *colors,
             const guint32 *labels,
             gint64         n,
             guint8        *pixels,
             gsize          size)
{
  for (gint64 x = 0; x < n; x++)
    memcpy (pixels + (gsize) x * size, colors + labels[x] * size, size);
}

/* Opaque basins keep the alpha of the input. */
static void
set_colors_below_alpha (const Basins  *basins,
                        const guint32 *labels,
                        gint64         n,
                        guint8        *pixels)
{
  static const guint8 none[sizeof (float)] = { 0 };
  const gsize         size  = basins->size;
  const gsize         shown = size - wf_type_size (basins->work.type);

  for (gint64 x = 0; x < n; x++, pixels += size)
    {
      const guint8 *color = basins->colors + labels[x] * size;

      memcpy (pixels, color, memcmp (color + shown, none, size - shown) != 0 ? shown : size);
    }
}

static void
set_colors (gint64    y,
            int       x,
            int       n,
            guint8   *pixels,
            gpointer  data)
{
  const Basins  *basins = data;
  const guint32 *labels = (const guint32 *) basins->labels->data + y * basins->labels->width + x;

  if (babl_format_has_alpha (basins->work.format) &&
      basins->work.component != WF_COMPONENT_ALPHA)
    set_colors_below_alpha (basins, labels, n, pixels);
  else if (basins->size == 3)
    copy_colors (basins->colors, labels, n, pixels, 3);
  else
    copy_colors (basins->colors, labels, n, pixels, basins->size);
}

static gboolean
compute_means (const WfGeglWork  *work,
               GError           **error)
{
  g_auto (Basins) basins = { .flooded = NULL };

  if (! basins_init (&basins, work, error) || ! make_colors (&basins, error))
    return FALSE;
  wf_gegl_write_pieces (&basins.work, work->light ? work->light : work->format, set_colors,
                        &basins);
  return TRUE;
}

static gboolean
has_label_0 (gconstpointer options,
             gconstpointer own_options)
{
  const WfWatershedOptions *watershed = options;
  const WfGeglBasinOptions *own       = own_options;

  return watershed->lines || wf_basin_options_find_objects (&own->basin);
}


/*  Options  */

#define N_FURTHER 2

static const WfOption transparent_option =
{
  .name    = "transparent",
  .kind    = WF_OPTION_BOOLEAN,
  .offset  = G_STRUCT_OFFSET (WfGeglBasinOptions, transparent),
  .label   = N_("L_ines alone"),
  .blurb   = N_("Make all pixels transparent that lie on no line"),
  .maximum = 1,
};

/* Filled by wf_gegl_basins_init(). */
static WfOption      own_options[32];
static WfOptionGroup own_group = { "watershed", NULL, NULL, own_options, 0,
                                   sizeof (WfGeglBasinOptions) };

static WfOption
make_merge_by (void)
{
  return (WfOption) {
    .name          = "merge-by",
    .kind          = WF_OPTION_CHOICE,
    .offset        = G_STRUCT_OFFSET (WfGeglBasinOptions, merge_by),
    .label         = N_("Merge b_y"),
    .blurb         = N_("The measure of the merging: depth, area, volume, or by depth until a "
                        "number of basins is left"),
    .default_value = WF_MERGE_BY_DYNAMICS,
    .choices       = wf_merge_get_choices (),
  };
}

/**
 * wf_gegl_basins_init:
 *
 * Makes the own options of the kinds in %wf_gegl_basins: those of the plug-in, and further ones.
 */
void
wf_gegl_basins_init (void)
{
  const WfOptionGroup *group = &wf_basin_options_group;
  guint                n     = 0;

  g_assert (group->n_options + N_FURTHER <= G_N_ELEMENTS (own_options));

  for (guint i = 0; i < group->n_options; i++)
    {
      if (strcmp (group->options[i].name, "merge-value") == 0)
        own_options[n++] = make_merge_by ();
      own_options[n++] = group->options[i];
    }
  own_options[n++]    = transparent_option;
  own_group.n_options = n;
}

/* Markers come from other layers; the outputs of the plug-in are operations of their own. */
#define HIDDEN \
  "reduction-rate", "block-size", "compactness", "markers", "lines-layer", "line-opacity", \
  "basins-layer", "mean-layer", "label-image", "lines-path", "outline-paths", "numbers-layer", \
  "select-basins"

static const char * const hidden[]          = { HIDDEN, NULL };
static const char * const hidden_of_means[] = { HIDDEN, "transparent", NULL };

static const WfGeglSensitivity sensitive[] =
{
  { "valleys",             "! relief {objects}" },
  { "objects",             "relief {objects}" },
  { "background",          "! relief {objects}" },
  { "threshold",           "(relief {objects} | ! background {none}) & ! automatic-threshold" },
  { "automatic-threshold", "relief {objects} | ! background {none}" },
  { "split-tolerance",     "relief {objects}" },
  { "tolerance",           "! relief {objects}" },
  { "gradient",            "relief {gradient}" },
  { NULL,                  NULL }
};

static const WfGeglKind kinds[] =
{
  {
    .operation   = WF_OPERATION_WATERSHED,
    .name        = WF_GEGL_WATERSHED_LINES,
    .title       = WF_GEGL_WATERSHED_LINES_TITLE,
    .blurb       = N_("Draw the lines between the basins of the watershed"),
    .own         = &own_group,
    .notes       = wf_basin_options_notes,
    .hidden      = hidden,
    .sensitive   = sensitive,
    .has_lines   = TRUE,
    .leaves_gaps = are_lines_alone,
    .compute     = compute_lines,
  },
  {
    .operation   = WF_OPERATION_WATERSHED,
    .name        = WF_GEGL_WATERSHED_MEANS,
    .title       = WF_GEGL_WATERSHED_MEANS_TITLE,
    .blurb       = N_("Give every basin of the watershed the mean color of its pixels"),
    .own         = &own_group,
    .notes       = wf_basin_options_notes,
    .hidden      = hidden_of_means,
    .sensitive   = sensitive,
    .leaves_gaps = has_label_0,
    .compute     = compute_means,
  },
};

const WfGeglKinds wf_gegl_basins = { kinds, G_N_ELEMENTS (kinds) };
