/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each stain of a slide absorbs, from the colors of a picture of it.
 *
 * A pixel with the components v (white is 1) has the optical densities d = −log10 (max (v, 10⁻⁶)),
 * for red, green and blue.  Each stain has a direction s in the space of these densities, of length
 * 1.  The densities are taken for a sum of stains, d = Σ aᵢ sᵢ; the amounts a are those of least
 * squares, which for three stains is the solution.  The level of a stain is what the slide would
 * let through with this stain alone, 10^−max (a, 0): white without it, darker the more of it there
 * is.  Integer levels are the nearest to that, times white.
 *
 * Components are those of sRGB as they are encoded, for which the directions were measured: of
 * linear ones the caller makes these first.
 *
 * Source: Ruifrok, Johnston, Quantification of histochemical staining by color deconvolution,
 * Analytical and Quantitative Cytology and Histology 23 (2001), with its directions of hematoxylin
 * and eosin; those of hematoxylin and DAB are Landini's, of Colour Deconvolution for ImageJ.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include <glib/gi18n-lib.h>

#include "engine/wavefront.h"

#define MAX_STAINS 3

/* The least component that is told from black. */
#define LEAST 1e-6

/* Directions with a smaller determinant of their scalar products are taken for equal. */
#define LEAST_DETERMINANT 1e-4

/* Parts of the range of amounts, for the search of a level, for each level. */
#define PARTS_OF_A_LEVEL 4

/* Components of picked pixels count as at least half a level of 8 bits: black has no density. */
#define LEAST_PICKED (0.5 / G_MAXUINT8)

/**
 * Table:
 * @densities: at each level
 * @limits: the largest amount of each level
 * @starts: the highest level of each part of the range of amounts
 * @scale: parts for an amount of 1
 *
 * The same for all stains.
 */
typedef struct
{
  double  *densities;
  double  *limits;
  guint16 *starts;
  double   scale;
  gsize    n_parts;
} Table;

/* Digits that tell any double from all others. */
#define MOST_DIGITS 17

/**
 * WfStain:
 * @weights: of the optical densities in the amount
 */
struct _WfStain
{
  double weights[3];
};

typedef struct
{
  double vectors[2][3];   /* of the stain, and of the one beside it */
} Named;

#define H_OF_HE  { 0.65, 0.70, 0.29 }
#define E_OF_HE  { 0.07, 0.99, 0.11 }
#define H_OF_DAB { 0.650, 0.704, 0.286 }
#define DAB      { 0.268, 0.570, 0.776 }

/* In the order of the choices. */
static const Named named[] =
{
  { { H_OF_HE, E_OF_HE } },
  { { E_OF_HE, H_OF_HE } },
  { { H_OF_DAB, DAB } },
  { { DAB, H_OF_DAB } },
};

static const WfChoice choices[] =
{
  { "hematoxylin",     0, N_("Hematoxylin (of H&E)"), FALSE },
  { "eosin",           1, N_("Eosin (of H&E)"), FALSE },
  { "hematoxylin-dab", 2, N_("Hematoxylin (of H-DAB)"), FALSE },
  { "dab",             3, N_("DAB (of H-DAB)"), FALSE },
  { NULL,              0, NULL, FALSE }
};


/*  Directions  */

static double
multiply (const double *one,
          const double *other)
{
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

static double
density_of (double component)
{
  return -log10 (component < LEAST ? LEAST : component);
}

/* Reads #RRGGBB, the color of a stained part. */
static gboolean
parse_color (const char *text,
             double     *vector)
{
  if (text[0] != '#' || strlen (text) != 7)
    return FALSE;
  for (int i = 0; i < 3; i++)
    {
      const int high = g_ascii_xdigit_value (text[1 + 2 * i]);
      const int low  = g_ascii_xdigit_value (text[2 + 2 * i]);

      if (high < 0 || low < 0)
        return FALSE;
      vector[i] = density_of ((16 * high + low) / 255.0);
    }
  return TRUE;
}

/* Reads R,G,B, optical densities. */
static gboolean
parse_densities (const char *text,
                 double     *vector)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  if (g_strv_length (parts) != 3)
    return FALSE;
  for (int i = 0; i < 3; i++)
    {
      char *end = NULL;

      vector[i] = g_ascii_strtod (g_strstrip (parts[i]), &end);
      if (end == parts[i] || *end != '\0' || ! isfinite (vector[i]))
        return FALSE;
    }
  return TRUE;
}

/* Makes the length 1; FALSE for a color that absorbs no light in all. */
static gboolean
normalize (double *vector)
{
  const double largest = MAX (fabs (vector[0]), MAX (fabs (vector[1]), fabs (vector[2])));
  double       length;

  for (int i = 0; i < 3 && largest > 0; i++)
    vector[i] /= largest;
  length = sqrt (multiply (vector, vector));
  for (int i = 0; i < 3 && largest > 0; i++)
    vector[i] /= length;
  return vector[0] + vector[1] + vector[2] > 0;
}

/* The weights of the densities in the amount of the first of @n stains, by least squares: the first
 * row of the inverse of their scalar products, applied to the directions.  FALSE if directions are
 * the same, or about so.
 */
static gboolean
find_weights (double  (*vectors)[3],
              guint    n,
              double   *weights)
{
  double product[MAX_STAINS][MAX_STAINS];
  double inverse[MAX_STAINS] = { 1, 0, 0 };
  double determinant;

  for (guint i = 0; i < MAX_STAINS; i++)
    for (guint j = 0; j < MAX_STAINS; j++)
      product[i][j] = i < n && j < n ? multiply (vectors[i], vectors[j]) : i == j;

  for (guint j = 0; j < MAX_STAINS; j++)   /* cofactors of the first column */
    {
      const guint k = (j + 1) % MAX_STAINS;
      const guint l = (j + 2) % MAX_STAINS;

      inverse[j] = product[k][1] * product[l][2] - product[k][2] * product[l][1];
    }
  determinant = product[0][0] * inverse[0] + product[1][0] * inverse[1] +
                product[2][0] * inverse[2];
  if (determinant < LEAST_DETERMINANT)
    return FALSE;

  for (int c = 0; c < 3; c++)
    {
      weights[c] = 0;
      for (guint i = 0; i < n; i++)
        weights[c] += inverse[i] / determinant * vectors[i][c];
    }
  return TRUE;
}

static guint
parse_name (const char *text,
            double     *densities)
{
  for (const WfChoice *choice = choices; choice->name; choice++)
    if (g_str_equal (text, choice->name))
      {
        memcpy (densities, named[choice->value].vectors, sizeof named[choice->value].vectors);
        return G_N_ELEMENTS (named[choice->value].vectors);
      }
  return 0;
}

/* Reads up to three colors or densities. */
static guint
parse_vectors (const char  *text,
               double      *densities,
               GError     **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ";", -1);
  guint          n     = g_strv_length (parts);

  for (guint i = 0; i < n && n <= MAX_STAINS; i++)
    {
      const char *part   = g_strstrip (parts[i]);
      double     *vector = densities + 3 * i;
      double      direction[3];

      if (! parse_color (part, vector) && ! parse_densities (part, vector))
        {
          n = 0;
          break;
        }
      memcpy (direction, vector, sizeof direction);
      if (! normalize (direction))
        {
          g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
                       _("The stain “%s” absorbs no light."), part);
          return 0;
        }
    }
  if (n > 0 && n <= MAX_STAINS)
    return n;
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The stain “%s” is not known: it is hematoxylin, eosin, hematoxylin-dab, dab, or "
                 "up to three colors #RRGGBB, or optical densities R,G,B, with “;” between them."),
               text);
  return 0;
}


/*  Stains  */

/**
 * wf_stain_get_choices:
 *
 * The stains that have names.
 *
 * Returns: (transfer none): a list that a %NULL name ends
 */
const WfChoice *
wf_stain_get_choices (void)
{
  return choices;
}

/**
 * wf_stain_parse:
 * @text: stains, as wf_stain_new() takes them
 * @densities: (out caller-allocates) (array fixed-size=9): set to the optical densities for red,
 *   green and blue of each stain, as they are given
 * @error: %WF_ERROR_INVALID
 *
 * Reads the optical densities of stains, which are not compared.
 *
 * Returns: how many stains there are, 1 to 3; 0 with @error set
 */
guint
wf_stain_parse (const char  *text,
                double      *densities,
                GError     **error)
{
  guint n;

  g_return_val_if_fail (text != NULL, 0);

  n = parse_name (text, densities);
  return n > 0 ? n : parse_vectors (text, densities, error);
}

/* With as few digits as read the same number again. */
static void
append_number (GString *text,
               double   number)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  char format[8];

  for (int n = 1; n <= MOST_DIGITS; n++)
    {
      g_snprintf (format, sizeof format, "%%.%dg", n);
      g_ascii_formatd (digits, sizeof digits, format, number);
      if (g_ascii_strtod (digits, NULL) == number)
        break;
    }
  g_string_append (text, digits);
}

/**
 * wf_stain_format:
 * @densities: (array): optical densities for red, green and blue of each stain
 * @n: how many stains
 *
 * Writes optical densities for wf_stain_new(), with as few digits as keep them to the bit.
 *
 * Returns: (transfer full): the text, to be freed by g_free()
 */
char *
wf_stain_format (const double *densities,
                 guint         n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < 3 * n; i++)
    {
      g_string_append (text, i == 0 ? "" : i % 3 == 0 ? ";" : ",");
      append_number (text, densities[i]);
    }
  return g_string_free (text, FALSE);
}

/**
 * wf_stain_new:
 * @text: the name of a stain, or its color, #RRGGBB, or the optical densities R,G,B of its color;
 *   after “;” those of one or two stains beside it
 * @error: %WF_ERROR_INVALID
 *
 * The stain of a slide, whose amount is found in the colors of a picture.
 *
 * Returns: (transfer full) (nullable): the stain; to be freed by wf_stain_free()
 */
WfStain *
wf_stain_new (const char  *text,
              GError     **error)
{
  double       vectors[MAX_STAINS][3] = { { 0 } };
  const guint  n                      = wf_stain_parse (text, vectors[0], error);
  WfStain     *stain;

  if (n == 0)
    return NULL;
  for (guint i = 0; i < n; i++)
    normalize (vectors[i]);

  stain = g_new0 (WfStain, 1);
  if (find_weights (vectors, n, stain->weights))
    return stain;
  g_free (stain);
  g_set_error (error, WF_ERROR, WF_ERROR_INVALID,
               _("The stains “%s” cannot be told apart: their colors are too much alike."), text);
  return NULL;
}

/**
 * wf_stain_free:
 * @stain: (transfer full) (nullable): a stain
 *
 * Frees a stain.
 */
void
wf_stain_free (WfStain *stain)
{
  g_free (stain);
}


/*  Densities of a picture  */

/**
 * wf_stain_pick:
 * @type: u8, u16 or f32
 * @colors: pixels that begin with red, green and blue, encoded as in sRGB; white is 255, 65535 or 1
 * @n_components: of each of them, 3 or more
 * @n: how many there are, 1 or more
 * @densities: (out caller-allocates) (array fixed-size=3): set to the means of the optical
 *   densities for red, green and blue, where a component counts as at least half a level of 8 bits;
 *   NaN if a component is
 *
 * Finds what pixels of a picture absorb, such as those where there is one stain alone.
 */
void
wf_stain_pick (WfType         type,
               gconstpointer  colors,
               guint          n_components,
               gint64         n,
               double        *densities)
{
  g_return_if_fail (n_components >= 3 && n > 0);
  g_return_if_fail (type == WF_TYPE_U8 || type == WF_TYPE_U16 || type == WF_TYPE_F32);

  for (guint c = 0; c < 3; c++)
    {
      double sum = 0.0;

      for (gint64 i = 0; i < n; i++)
        {
          const gint64 k     = i * n_components + c;
          const double value = type == WF_TYPE_U8 ? ((const guint8 *) colors)[k] / 255.0
                               : type == WF_TYPE_U16 ? ((const guint16 *) colors)[k] / 65535.0
                                                     : ((const float *) colors)[k];

          sum += density_of (value < LEAST_PICKED ? LEAST_PICKED : value);
        }
      densities[c] = sum / (double) n;
    }
}


/*  Levels  */

static Table *
table_new (guint highest)
{
  Table *table = g_new0 (Table, 1);
  guint  level = highest;

  table->n_parts   = (gsize) PARTS_OF_A_LEVEL * (highest + 1);
  table->densities = g_new (double, highest + 1);
  table->limits    = g_new (double, highest + 1);
  table->starts    = g_new (guint16, table->n_parts + 1);
  for (guint i = 0; i <= highest; i++)
    {
      table->densities[i] = density_of ((double) i / highest);
      table->limits[i]    = i > 0 ? -log10 ((i - 0.5) / highest) : INFINITY;
    }
  table->scale = table->n_parts / table->limits[1];
  for (gsize i = 0; i <= table->n_parts; i++)
    {
      while (i / table->scale > table->limits[level])
        level--;
      table->starts[i] = (guint16) level;
    }
  return table;
}

/* Made once, and kept. */
static const Table *
get_table (WfType type)
{
  static gsize  tables[2];
  const guint   highest = type == WF_TYPE_U8 ? G_MAXUINT8 : G_MAXUINT16;
  gsize        *made    = &tables[type == WF_TYPE_U8 ? 0 : 1];

  if (g_once_init_enter (made))
    g_once_init_leave (made, (gsize) table_new (highest));
  return (const Table *) *made;
}

static inline guint
find_level (const WfStain *stain,
            const Table   *table,
            guint          red,
            guint          green,
            guint          blue)
{
  const double sum    = stain->weights[0] * table->densities[red] +
                        stain->weights[1] * table->densities[green] +
                        stain->weights[2] * table->densities[blue];
  const double amount = MAX (sum, 0);
  guint        level  = table->starts[(gsize) MIN (amount * table->scale,
                                                   (double) table->n_parts)];

  while (amount > table->limits[level])
    level--;
  return level;
}

#define TAKE(Type, find) \
  for (gint64 i = 0; i < n; i++) \
    { \
      const Type *color = (const Type *) colors + i * n_components; \
                                                                     \
      ((Type *) levels)[i] = (Type) find; \
    }

/* NaN stays what it is. */
static inline double
find_real (const WfStain *stain,
           double         red,
           double         green,
           double         blue)
{
  const double amount = stain->weights[0] * density_of (red) +
                        stain->weights[1] * density_of (green) +
                        stain->weights[2] * density_of (blue);

  return pow (10, amount < 0 ? 0 : -amount);
}

/**
 * wf_stain_take_levels:
 * @stain: a stain
 * @type: u8, u16 or f32
 * @colors: pixels that begin with red, green and blue, encoded as in sRGB; white is 255, 65535 or 1
 * @n_components: of each of them, 3 or more
 * @n: how many there are
 * @levels: set to what they let through with this stain alone, of the same type
 *
 * Takes the levels of a stain from colors.
 */
void
wf_stain_take_levels (const WfStain *stain,
                      WfType         type,
                      gconstpointer  colors,
                      guint          n_components,
                      gint64         n,
                      gpointer       levels)
{
  const Table *table = NULL;

  g_return_if_fail (n_components >= 3);
  g_return_if_fail (type == WF_TYPE_U8 || type == WF_TYPE_U16 || type == WF_TYPE_F32);

  if (type != WF_TYPE_F32)
    table = get_table (type);
  if (type == WF_TYPE_U8)
    TAKE (guint8, find_level (stain, table, color[0], color[1], color[2]))
  else if (type == WF_TYPE_U16)
    TAKE (guint16, find_level (stain, table, color[0], color[1], color[2]))
  else
    TAKE (float, find_real (stain, color[0], color[1], color[2]))
}
