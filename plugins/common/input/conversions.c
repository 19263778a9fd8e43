/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Conversions of the pixels of a drawable, as they are stored, to levels and colours.
 *
 * babl finds the fastest exact conversion by trying many when a pair of formats is requested
 * for the first time: this takes up to a second, until the result is
 * in the user's cache.  For many pixels of 3 bytes it also makes a table of all possible
 * pixels, which takes a tenth of a second in each process.  So a thread of its own requests the
 * conversions, and converts the first pixels, while a dialog is being opened; colours that
 * only lack alpha are copied without babl.
 */

#include "config.h"

#include "conversions.h"

/* From this number of pixels on babl makes a table. */
#define MANY_PIXELS (1 << 16)

/* From stored pixels to those of the picker, from these to luminance, to colours. */
enum { TO_PICK, TO_GREY, TO_COLORS, N_STEPS };

/**
 * WfConversions:
 * @picker: takes the levels
 * @formats: of each step, from and to
 * @fishes: babl's conversions, valid if @known
 * @lacks_alpha: whether pixels differ from colors only by the missing alpha
 * @scratch: pixels in the format of @picker
 */
struct _WfConversions
{
  WfLevelPicker    picker;
  const Babl      *formats[N_STEPS][2];
  const Babl      *fishes[N_STEPS];
  gboolean         lacks_alpha;
  GByteArray      *scratch;
  GMutex           lock;
  GCond            changed;
  gboolean         known;
  gatomicrefcount  n_references;
};


/* Makes babl create its tables. */
static void
convert_many (WfConversions *conversions)
{
  const Babl *const  *formats = conversions->formats[TO_COLORS];
  g_autofree gpointer pixels  = g_malloc0_n (MANY_PIXELS,
                                             babl_format_get_bytes_per_pixel (formats[0]));
  g_autofree gpointer out     = g_malloc_n (MANY_PIXELS,
                                            babl_format_get_bytes_per_pixel (formats[1]));

  wf_conversions_get_levels (conversions, pixels, MANY_PIXELS, out);
  wf_conversions_get_colors (conversions, pixels, MANY_PIXELS, out);
}

static gpointer
find_fishes (gpointer data)
{
  WfConversions *conversions = data;

  for (int i = 0; i < N_STEPS; i++)
    if (i != TO_COLORS || ! conversions->lacks_alpha)
      conversions->fishes[i] = babl_fish (conversions->formats[i][0],
                                          conversions->formats[i][1]);
  convert_many (conversions);

  g_mutex_lock (&conversions->lock);
  conversions->known = TRUE;
  g_cond_signal (&conversions->changed);
  g_mutex_unlock (&conversions->lock);
  wf_conversions_unref (conversions);
  return NULL;
}

/**
 * wf_conversions_new:
 * @own: the format of the stored pixels
 * @type: of the levels
 * @component: the component that is the level
 * @colors: the format of colors, at least as large as a level
 * @like: (nullable): conversions of the same type and component to the same colors, which are
 *   shared if @own is the same, too
 *
 * Returns: (transfer full): the conversions, which a thread makes known
 */
WfConversions *
wf_conversions_new (const Babl    *own,
                    WfType         type,
                    WfComponent    component,
                    const Babl    *colors,
                    WfConversions *like)
{
  WfConversions *conversions;

  if (like && like->formats[TO_PICK][0] == own)
    {
      g_atomic_ref_count_inc (&like->n_references);
      return like;
    }

  conversions = g_new0 (WfConversions, 1);
  wf_level_picker_init (&conversions->picker, own, type, component);
  conversions->formats[TO_PICK][0]   = own;
  conversions->formats[TO_PICK][1]   = conversions->picker.format;
  conversions->formats[TO_GREY][0]   = conversions->picker.format;
  conversions->formats[TO_GREY][1]   = conversions->picker.grey;
  conversions->formats[TO_COLORS][0] = own;
  conversions->formats[TO_COLORS][1] = colors;
  conversions->lacks_alpha = own == babl_format ("R'G'B' u8") &&
                             colors == babl_format ("R'G'B'A u8");
  conversions->scratch     = g_byte_array_new ();
  g_mutex_init (&conversions->lock);
  g_cond_init (&conversions->changed);
  g_atomic_ref_count_init (&conversions->n_references);

  g_atomic_ref_count_inc (&conversions->n_references);
  g_thread_unref (g_thread_new ("wavefront-formats", find_fishes, conversions));
  return conversions;
}

/**
 * wf_conversions_unref:
 * @conversions: (transfer full): conversions
 */
void
wf_conversions_unref (WfConversions *conversions)
{
  if (! g_atomic_ref_count_dec (&conversions->n_references))
    return;

  g_byte_array_unref (conversions->scratch);
  g_mutex_clear (&conversions->lock);
  g_cond_clear (&conversions->changed);
  g_free (conversions);
}

/**
 * wf_conversions_await:
 * @conversions: conversions
 * @until: the monotonic time at which to stop waiting
 *
 * Returns: whether they are known
 */
gboolean
wf_conversions_await (WfConversions *conversions,
                      gint64         until)
{
  gboolean known;

  g_mutex_lock (&conversions->lock);
  while (! conversions->known &&
         g_cond_wait_until (&conversions->changed, &conversions->lock, until))
    ;
  known = conversions->known;
  g_mutex_unlock (&conversions->lock);
  return known;
}

/**
 * wf_conversions_get_levels:
 * @conversions: known conversions
 * @pixels: as the drawable stores them
 * @n: the number of pixels
 * @levels: set to the levels
 */
void
wf_conversions_get_levels (WfConversions *conversions,
                           gconstpointer  pixels,
                           gsize          n,
                           gpointer       levels)
{
  const WfLevelPicker *picker = &conversions->picker;
  const Babl          *fish   = conversions->fishes[TO_PICK];

  if (picker->direct)
    {
      babl_process (fish, pixels, levels, (long) n);
      return;
    }
  g_byte_array_set_size (conversions->scratch,
                         (guint) n * babl_format_get_bytes_per_pixel (picker->format));
  babl_process (fish, pixels, conversions->scratch->data, (long) n);
  wf_level_picker_take (picker, conversions->scratch->data, n, levels);
}

static void
add_alpha (const guint8 *pixels,
           gsize         n,
           guint8       *colors)
{
  for (gsize i = 0; i < n; i++)
    {
      colors[4 * i]     = pixels[3 * i];
      colors[4 * i + 1] = pixels[3 * i + 1];
      colors[4 * i + 2] = pixels[3 * i + 2];
      colors[4 * i + 3] = G_MAXUINT8;
    }
}

/**
 * wf_conversions_get_colors:
 * @conversions: known conversions
 * @pixels: as the drawable stores them
 * @n: the number of pixels
 * @colors: set to the colors
 */
void
wf_conversions_get_colors (WfConversions *conversions,
                           gconstpointer  pixels,
                           gsize          n,
                           gpointer       colors)
{
  if (conversions->lacks_alpha)
    add_alpha (pixels, n, colors);
  else
    babl_process (conversions->fishes[TO_COLORS], pixels, colors, (long) n);
}
