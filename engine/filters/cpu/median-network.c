/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The network of comparisons that finds the medians of a radius.
 *
 * A comparison takes two rows of pixels and gives the row of their minima and that of their
 * maxima; it is the same for all pixels, so vectors do it, whatever the levels are.  A list is
 * some rows such that row i has at each x the level of rank i in the window that begins there.  A
 * row of the image is the list of windows of one pixel.  Two lists merged are the list of the
 * windows of both, and a list that is read some pixels further on is that of the windows beside.
 *
 *   columns    pixels above each other are merged, then pairs of them, and so on
 *   windows    so are columns beside each other.  A list is made once for all windows that have it
 *   medians    are found for some rows together.  The rows of the image that are in the windows of
 *              all of them have one list, the core.  It is merged with that of the rows which all
 *              windows of the upper half of the medians have besides, which gives the core of
 *              these; so is that of the lower half, and so on to the list of one window
 *
 * What has so many before it in its list, or behind it, that it cannot be the median of a whole
 * window is left out of the list.  Of a whole window one entry is left.  Then the comparisons and
 * the halves of comparisons that it does not depend on are left out, too.
 *
 * Lists are merged as Batcher did: the entries of even numbers, and those of odd numbers, are
 * merged, and then neighbours are compared.  The last two layers of comparisons of a merge are
 * done together as far as possible: four comparisons are a step that reads and writes five rows,
 * where each alone would read and write two.
 *
 * Sources: Batcher, Sorting networks and their applications, AFIPS Spring Joint Computer
 * Conference 32 (1968); Adams, Fast median filters using separable sorting networks, ACM
 * Transactions on Graphics 40 (2021).
 */

#include "config.h"

#include "median-network.h"

/* Row @value, read from pixel @at on.  Values are the rows of the image and what comparisons
 * give.  Each is found once, and later has one of the network's rows.
 */
typedef struct
{
  gint value;
  gint at;
} Entry;

/* Of windows of @total pixels the levels of the ranks from @least on. */
typedef struct
{
  const Entry *entries;
  gint         n;
  gint         least;
  gint         total;
} List;

/* Every @step-th of some entries, @n in all. */
typedef struct
{
  const Entry *entries;
  gint         n;
  gint         step;
} Part;

/* The values @less and @greater are the minima and maxima of @a and @b.  @four: a number that
 * four comparisons have in common if they can be one step, else 0
 */
typedef struct
{
  Entry a;
  Entry b;
  gint  less;
  gint  greater;
  gint  four;
} Comparison;

typedef struct
{
  gint        side;                             /* of the window */
  gint        n_results;
  gint        results[WF_MEDIAN_TOGETHER];      /* values */
  gint        n_values;
  gint        n_fours;
  GArray     *comparisons;
  GHashTable *windows;                          /* lists by rows and columns */
  GPtrArray  *memory;                           /* of the lists */
  gsize       bytes;                            /* of that */
} Builder;


/*  Merging  */

/* The values begin at pixel @at of the windows. */
static void
compare_from (Builder *builder,
              gint     at,
              Entry    a,
              Entry    b,
              gint     four,
              Entry   *less,
              Entry   *greater)
{
  const Comparison comparison = {
    .a       = { a.value, a.at - at },
    .b       = { b.value, b.at - at },
    .less    = builder->n_values,
    .greater = builder->n_values + 1,
    .four    = four,
  };

  g_array_append_val (builder->comparisons, comparison);
  builder->n_values += 2;
  *less    = (Entry) { comparison.less, at };
  *greater = (Entry) { comparison.greater, at };
}

static void
compare (Builder *builder,
         Entry    a,
         Entry    b,
         Entry   *less,
         Entry   *greater)
{
  compare_from (builder, MIN (a.at, b.at), a, b, 0, less, greater);
}

static Part
even (Part part)
{
  return (Part) { part.entries, (part.n + 1) / 2, 2 * part.step };
}

static Part
odd (Part part)
{
  return (Part) { part.entries + part.step, part.n / 2, 2 * part.step };
}

/* The comparisons of neighbours that end a merge, from number @i on. */
static void
interleave (Builder     *builder,
            const Entry *evens,
            gint         n_even,
            const Entry *odds,
            gint         n_odd,
            gint         i,
            Entry       *merged)
{
  merged[0] = evens[0];
  for (; i < MIN (n_odd, n_even - 1); i++)
    compare (builder, odds[i], evens[i + 1], &merged[2 * i + 1], &merged[2 * i + 2]);
  for (gint k = i + 1; k < n_even; k++)
    merged[i + k] = evens[k];
  for (gint k = i; k < n_odd; k++)
    merged[i + 1 + k] = odds[k];
}

static void merge_parts (Builder *builder, Part a, Part b, Entry *merged);

static Entry *
merged_parts (Builder *builder,
              Part     a,
              Part     b)
{
  Entry *merged = g_new (Entry, a.n + b.n);

  merge_parts (builder, a, b, merged);
  return merged;
}

static void
merge_halves (Builder *builder,
              Part     a,
              Part     b,
              Entry   *merged)
{
  g_autofree Entry *evens = merged_parts (builder, even (a), even (b));
  g_autofree Entry *odds  = merged_parts (builder, odd (a), odd (b));

  interleave (builder, evens, even (a).n + even (b).n, odds, odd (a).n + odd (b).n, 0, merged);
}

/* One half of a merge. */
typedef struct
{
  Entry *evens;
  gint   n_even;
  Entry *odds;
  gint   n_odd;
  Entry *merged;
} Half;

static Half
half_begin (Builder *builder,
            Part     a,
            Part     b)
{
  Half half = {
    .evens  = merged_parts (builder, even (a), even (b)),
    .n_even = even (a).n + even (b).n,
    .odds   = merged_parts (builder, odd (a), odd (b)),
    .n_odd  = odd (a).n + odd (b).n,
    .merged = g_new (Entry, a.n + b.n),
  };

  half.merged[0] = half.evens[0];
  return half;
}

static void
half_end (Builder *builder,
          Half    *half,
          gint     i)
{
  interleave (builder, half->evens, half->n_even, half->odds, half->n_odd, i, half->merged);
  g_free (half->evens);
  g_free (half->odds);
}

/* Comparison @i of both halves, and those of the whole that follow. */
static void
compare_four (Builder    *builder,
              const Half *first,
              const Half *second,
              gint        i,
              Entry      *merged)
{
  const Entry from[WF_MEDIAN_MOST] = { second->merged[2 * i], first->odds[i], first->evens[i + 1],
                                       second->odds[i], second->evens[i + 1] };
  Entry      *evens = first->merged + 2 * i + 1;
  Entry      *odds  = second->merged + 2 * i + 1;
  const gint  four  = ++builder->n_fours;
  gint        at    = from[0].at;

  for (int k = 1; k < WF_MEDIAN_MOST; k++)
    at = MIN (at, from[k].at);
  compare_from (builder, at, from[1], from[2], four, &evens[0], &evens[1]);
  compare_from (builder, at, from[3], from[4], four, &odds[0], &odds[1]);
  compare_from (builder, at, from[0], evens[0], four, &merged[4 * i + 1], &merged[4 * i + 2]);
  compare_from (builder, at, odds[0], evens[1], four, &merged[4 * i + 3], &merged[4 * i + 4]);
}

static void
merge_quarters (Builder *builder,
                Part     a,
                Part     b,
                Entry   *merged)
{
  Half       first  = half_begin (builder, even (a), even (b));
  Half       second = half_begin (builder, odd (a), odd (b));
  const gint n      = MAX (0, MIN (MIN (first.n_odd, first.n_even - 1),
                                   MIN (second.n_odd, second.n_even - 1)));

  for (gint i = 0; i < n; i++)
    compare_four (builder, &first, &second, i, merged);
  half_end (builder, &first, n);
  half_end (builder, &second, n);
  interleave (builder, first.merged, first.n_even + first.n_odd, second.merged,
              second.n_even + second.n_odd, 2 * n, merged);
  g_free (first.merged);
  g_free (second.merged);
}

/* Shorter lists have no four comparisons for one step. */
#define LEAST_OF_QUARTERS 6

static void
merge_parts (Builder *builder,
             Part     a,
             Part     b,
             Entry   *merged)
{
  if (a.n == 0 || b.n == 0)
    {
      const Part part = a.n > 0 ? a : b;

      for (gint i = 0; i < part.n; i++)
        merged[i] = part.entries[i * part.step];
    }
  else if (a.n == 1 && b.n == 1)
    compare (builder, a.entries[0], b.entries[0], &merged[0], &merged[1]);
  else if (a.n + b.n >= LEAST_OF_QUARTERS && a.n > 1 && b.n > 1)
    merge_quarters (builder, a, b, merged);
  else
    merge_halves (builder, a, b, merged);
}


/*  Lists  */

/* Memory until the network is made. */
static gpointer
take (Builder *builder,
      gsize    n,
      gsize    size)
{
  gpointer taken = g_malloc_n (n, size);

  builder->bytes += n * size;
  g_ptr_array_add (builder->memory, taken);
  return taken;
}

/* Leaves out what cannot be the median of a whole window. */
static List
pruned (const Builder *builder,
        List           list)
{
  const gint before = (builder->side * builder->side - 1) / 2;
  const gint least  = MAX (list.least, list.total - 1 - before);
  const gint most   = MIN (list.least + list.n - 1, before);

  return (List) { list.entries + (least - list.least), most + 1 - least, least, list.total };
}

static List
merge (Builder *builder,
       List     a,
       List     b)
{
  Entry *merged = take (builder, a.n + b.n, sizeof (Entry));

  merge_parts (builder, (Part) { a.entries, a.n, 1 }, (Part) { b.entries, b.n, 1 }, merged);
  return pruned (builder, (List) { merged, a.n + b.n, a.least + b.least, a.total + b.total });
}

/* The list of the windows @at pixels further on. */
static List
beside (Builder *builder,
        List     list,
        gint     at)
{
  Entry *entries = take (builder, list.n, sizeof (Entry));

  for (gint i = 0; i < list.n; i++)
    entries[i] = (Entry) { list.entries[i].value, list.entries[i].at + at };
  list.entries = entries;
  return list;
}

static List window (Builder *builder, gint y0, gint y1, gint width);

static List
make_window (Builder *builder,
             gint     y0,
             gint     y1,
             gint     width)
{
  const gint y     = (y0 + y1 + 1) / 2;
  gint       first = 1;
  Entry     *pixel;

  while (2 * first < width)
    first *= 2;
  if (width > 1)
    return merge (builder, window (builder, y0, y1, first),
                  beside (builder, window (builder, y0, y1, width - first), first));
  if (y1 - y0 > 1)
    return merge (builder, window (builder, y0, y, 1), window (builder, y, y1, 1));
  pixel  = take (builder, 1, sizeof (Entry));
  *pixel = (Entry) { y0, 0 };
  return (List) { .entries = pixel, .n = 1, .total = 1 };
}

/* The list of windows of rows @y0 to @y1 - 1 of the image and @width columns. */
static List
window (Builder *builder,
        gint     y0,
        gint     y1,
        gint     width)
{
  const gpointer key  = GINT_TO_POINTER ((y0 << 8 | y1) << 8 | width);
  List          *list = g_hash_table_lookup (builder->windows, key);

  if (list == NULL)
    {
      const List made = make_window (builder, y0, y1, width);

      list  = take (builder, 1, sizeof (List));
      *list = made;
      g_hash_table_insert (builder->windows, key, list);
    }
  return *list;
}

/* The medians of rows @first to @end - 1.  @core is the list of rows @y0 to @y1 - 1 of the image,
 * which all their windows have.
 */
static void
find_medians (Builder *builder,
              List     core,
              gint     y0,
              gint     y1,
              gint     first,
              gint     end)
{
  const gint side   = builder->side;
  const gint middle = (first + end) / 2;

  if (end - first == 1)
    {
      builder->results[first] = core.entries[0].value;
      return;
    }
  find_medians (builder, merge (builder, core, window (builder, middle - 1, y0, side)),
                middle - 1, first + side, first, middle);
  find_medians (builder, merge (builder, core, window (builder, y1, middle + side, side)),
                end - 1, middle + side, middle, end);
}


/*  Steps  */

/* What is known of each value, and the rows of the network that are given back. */
typedef struct
{
  gint    *margins;     /* pixels that are needed beyond the medians of a row; -1: none at all */
  gint    *last;        /* the comparison that reads it last; -1: its row is given back */
  guint16 *rows;
  GArray  *unused;
  guint16  spare;       /* the row of what is found but not needed */
} Places;

/* The comparisons that the medians depend on, in their order. */
static GArray *
needed_comparisons (const Builder *builder,
                    gint          *margins)
{
  const Comparison *all    = (const Comparison *) builder->comparisons->data;
  const Comparison *end    = all + builder->comparisons->len;
  GArray           *needed = g_array_new (FALSE, FALSE, sizeof (Comparison));

  for (gint i = 0; i < builder->n_values; i++)
    margins[i] = -1;
  for (gint i = 0; i < builder->n_results; i++)
    margins[builder->results[i]] = 0;
  for (const Comparison *one = end; one-- > all;)
    {
      const gint margin = MAX (margins[one->less], margins[one->greater]);

      if (margin < 0)
        continue;
      margins[one->a.value] = MAX (margins[one->a.value], one->a.at + margin);
      margins[one->b.value] = MAX (margins[one->b.value], one->b.at + margin);
    }
  for (const Comparison *one = all; one < end; one++)
    if (margins[one->less] >= 0 || margins[one->greater] >= 0)
      g_array_append_val (needed, *one);
  return needed;
}

/* How many of @n comparisons are one step, the first. */
static gint
count_together (const Comparison *first,
                gint              n)
{
  if (first->four == 0 || n < 4)
    return 1;
  for (int i = 1; i < 4; i++)
    if (first[i].four != first->four)
      return 1;
  return 4;
}

/* The row that was given back last is most likely in the cache. */
static guint16
take_row (WfMedianNetwork *network,
          GArray          *unused)
{
  guint16 row;

  if (unused->len == 0)
    return (guint16) network->n_rows++;
  row = g_array_index (unused, guint16, unused->len - 1);
  g_array_set_size (unused, unused->len - 1);
  return row;
}

/* Reads @n values, which give back their rows unless a comparison from number @next on reads
 * them, and finds @n values.
 */
static void
add_step (WfMedianNetwork *network,
          Places          *places,
          WfMedianKind     kind,
          const Entry     *from,
          const gint      *to,
          int              n,
          gint             next)
{
  WfMedianStep *step = &network->steps[network->n_steps++];
  int           k    = 0;

  *step = (WfMedianStep) { .kind = kind };
  for (int i = 0; i < n; i++)
    {
      step->from[i] = places->rows[from[i].value];
      step->at[i]   = (guint8) from[i].at;
      step->margin  = (guint8) MAX (step->margin, places->margins[to[i]]);
    }
  for (int i = 0; i < n; i++)
    if (places->last[from[i].value] >= 0 && places->last[from[i].value] < next)
      {
        g_array_append_val (places->unused, step->from[i]);
        places->last[from[i].value] = -1;
      }
  for (int i = 0; i < n; i++)
    if (places->margins[to[i]] >= 0)
      step->to[k++] = places->rows[to[i]] = take_row (network, places->unused);
    else if (kind == WF_MEDIAN_FOUR)
      step->to[k++] = places->spare;
}

static void
add_one (WfMedianNetwork  *network,
         Places           *places,
         const Comparison *one,
         gint              next)
{
  const Entry        from[] = { one->a, one->b };
  const gint         to[]   = { one->less, one->greater };
  const WfMedianKind kind   = places->margins[one->less] < 0      ? WF_MEDIAN_GREATER
                              : places->margins[one->greater] < 0 ? WF_MEDIAN_LESS
                                                                  : WF_MEDIAN_BOTH;

  add_step (network, places, kind, from, to, G_N_ELEMENTS (from), next);
}

/* Those of compare_four(). */
static void
add_four (WfMedianNetwork  *network,
          Places           *places,
          const Comparison *four,
          gint              next)
{
  const Entry from[] = { four[2].a, four[0].a, four[0].b, four[1].a, four[1].b };
  const gint  to[]   = { four[2].less, four[2].greater, four[3].less, four[3].greater,
                         four[1].greater };

  add_step (network, places, WF_MEDIAN_FOUR, from, to, G_N_ELEMENTS (from), next);
}

static void
make_steps (WfMedianNetwork *network,
            const Builder   *builder)
{
  g_autofree gint    *margins     = g_new (gint, builder->n_values);
  g_autofree gint    *last        = g_new0 (gint, builder->n_values);
  g_autofree guint16 *rows        = g_new0 (guint16, builder->n_values);
  g_autoptr (GArray)  unused      = g_array_new (FALSE, FALSE, sizeof (guint16));
  g_autoptr (GArray)  needed      = needed_comparisons (builder, margins);
  const Comparison   *comparisons = (const Comparison *) needed->data;
  const gint          n           = (gint) needed->len;
  const gint          n_lines     = builder->side + builder->n_results - 1;     /* of the image */
  Places              places      = { margins, last, rows, unused, (guint16) n_lines };
  gint                together;

  for (gint i = 0; i < n_lines; i++)
    rows[i] = (guint16) i;
  for (gint i = 0; i < n; i++)
    last[comparisons[i].a.value] = last[comparisons[i].b.value] = i;
  for (gint i = 0; i < builder->n_results; i++)
    last[builder->results[i]] = n;

  network->n_rows = n_lines + 1;
  network->steps  = g_new (WfMedianStep, n);
  for (gint i = 0; i < n; i += together)
    {
      together = count_together (comparisons + i, n - i);
      (together == 4 ? add_four : add_one) (network, &places, comparisons + i, i + together);
    }
  network->steps = g_renew (WfMedianStep, network->steps, network->n_steps);
  for (gint i = 0; i < builder->n_results; i++)
    network->results[i] = rows[builder->results[i]];
  network->bytes = builder->bytes + builder->n_values * (2 * sizeof (gint) + sizeof (guint16))
                   + 4 * builder->comparisons->len * sizeof (Comparison);   /* arrays double */
}


/*  Networks  */

/* With more rows there are fewer comparisons for each and more rows in the caches. */
static int
results_together (gint64 radius)
{
  return radius < 9 ? 4 : WF_MEDIAN_TOGETHER;
}

static WfMedianNetwork *
make_network (gint64 radius)
{
  WfMedianNetwork *network = g_new0 (WfMedianNetwork, 1);
  const gint       n       = results_together (radius);
  const gint       side    = (gint) (2 * radius + 1);
  Builder          builder = {
    .side        = side,
    .n_results   = n,
    .n_values    = side + n - 1,
    .comparisons = g_array_new (FALSE, FALSE, sizeof (Comparison)),
    .windows     = g_hash_table_new (NULL, NULL),
    .memory      = g_ptr_array_new_with_free_func (g_free),
  };

  network->radius    = radius;
  network->n_results = n;
  find_medians (&builder, window (&builder, n - 1, side, side), n - 1, side, 0, n);
  make_steps (network, &builder);
  g_array_unref (builder.comparisons);
  g_hash_table_unref (builder.windows);
  g_ptr_array_unref (builder.memory);
  return network;
}

/* The network of @radius, from 2 to WF_MEDIAN_NETWORK.  It is made once, in about a millisecond
 * of radius 10 and less of smaller ones, and kept.
 */
const WfMedianNetwork *
wf_median_network (gint64 radius)
{
  static WfMedianNetwork *networks[WF_MEDIAN_NETWORK + 1];
  static GMutex           mutex;
  const WfMedianNetwork  *network;

  g_mutex_lock (&mutex);
  if (networks[radius] == NULL)
    networks[radius] = make_network (radius);
  network = networks[radius];
  g_mutex_unlock (&mutex);
  return network;
}

/* The functions for this processor. */
const WfNetworkSteps *
wf_network_steps (void)
{
  static const WfNetworkSteps * const tables[WF_N_SIMD] = WF_SIMD_TABLES (wf_network);

  return tables[wf_simd_level ()];
}
