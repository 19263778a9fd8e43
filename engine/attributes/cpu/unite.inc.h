/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The steps of an attribute opening (opening.c), for one type of keys and one of positions.
 * Defines:
 *
 *   WF_KEY           the type of keys
 *   WF_PLACE         a signed type that counts all positions of the frame
 *   WF_NAME(name)    the name of a function of this case
 *
 * It gets WF_NAME (fill), WF_NAME (sort), WF_NAME (unite), WF_NAME (write), and of heights
 * WF_NAME (choose).
 */

/* A row of keys; those around it are 0, from the beginning. */
static gboolean
WF_NAME (fill) (gpointer data,
                WfRow    row)
{
  const Frame          *frame = data;
  const WfAttributeTask *task = frame->task;
  gconstpointer         from  = wf_image_row (task->image, row.number);
  WF_KEY               *to    = (WF_KEY *) frame->keys + frame_row (frame, row.number);

  for (gint64 x = 0; x < task->shape.width; x++)
    to[x] = (WF_KEY) key_of (from, x, task->type, task->closing);
  return TRUE;
}

/* Writes the positions, by one digit of their keys, the highest first; equal digits stay in the
 * order of @from, or, without it, in raster order.  @mask: of the digit, after @shift
 */
static gboolean
WF_NAME (sort_digit) (const Frame    *frame,
                      int             shift,
                      guint32         mask,
                      guint32         n_digits,
                      const WF_PLACE *from,
                      WF_PLACE       *to,
                      gint64         *starts)
{
  const WF_KEY *keys   = frame->keys;
  const gint64  width  = frame->task->shape.width;
  gint64        before = 0;

  memset (starts, 0, n_digits * sizeof *starts);
  for (gint64 row = 0; row < frame->n_rows; row++)
    {
      const WF_KEY *first = keys + frame_row (frame, row);

      for (gint64 x = 0; x < width; x++)
        starts[first[x] >> shift & mask]++;
      if (! wf_run_advance (frame->run, width))
        return FALSE;
    }
  for (guint32 i = n_digits; i-- > 0;)
    {
      const gint64 n = starts[i];

      starts[i] = before;
      before   += n;
    }
  for (gint64 row = 0; row < frame->n_rows; row++)
    {
      const gint64 first = from ? row * width : frame_row (frame, row);

      for (gint64 i = first; i < first + width; i++)
        {
          const gint64 p = from ? (gint64) from[i] : i;

          to[starts[keys[p] >> shift & mask]++] = (WF_PLACE) p;
        }
      if (! wf_run_advance (frame->run, width))
        return FALSE;
    }
  return TRUE;
}

/* The positions of all pixels into @frame's order: those with the highest key first, those of equal
 * keys in raster order.
 */
static gboolean
WF_NAME (sort) (const Frame *frame,
                gint64      *starts)
{
  const guint32 n_levels = frame->task->type == WF_TYPE_U8 ? G_MAXUINT8 + 1 : G_MAXUINT16 + 1;

  if (frame->task->type != WF_TYPE_F32)
    return WF_NAME (sort_digit) (frame, 0, G_MAXUINT32, n_levels + 1, NULL, frame->order, starts);
  return WF_NAME (sort_digit) (frame, 0, G_MAXUINT16, N_DIGITS, NULL, frame->parents, starts) &&
         WF_NAME (sort_digit) (frame, DIGIT_BITS, G_MAXUINT16, N_DIGITS, frame->parents,
                               frame->order, starts);
}

static inline __attribute__ ((always_inline)) WF_PLACE
WF_NAME (find) (WF_PLACE *parents,
                WF_PLACE  p)
{
  WF_PLACE parent = parents[p];

  while (parent >= 0)
    {
      const WF_PLACE next = parents[parent];

      if (next < 0)
        return parent;
      parents[p] = next;
      p          = next;
      parent     = parents[p];
    }
  return p;
}

/* Whether the component of @root, which is about to become part of one of level @key, is kept. */
static inline __attribute__ ((always_inline)) gboolean
WF_NAME (is_kept) (const Frame       *frame,
                   const WfAttribute  attribute,
                   WF_PLACE           root,
                   WF_KEY             key)
{
  const WF_PLACE state = ((const WF_PLACE *) frame->parents)[root];

  if (attribute == WF_ATTRIBUTE_AREA)
    return -state >= (WF_PLACE) frame->least_area;
  if (attribute == WF_ATTRIBUTE_HEIGHT)
    return FALSE;   /* depends on what is lower: choose */
  return state == KEPT ||
         volume_above (frame, root, (gint64) ((const WF_PLACE *) frame->areas)[root], key)
         >= frame->task->least;
}

static inline __attribute__ ((always_inline)) void
WF_NAME (begin) (const Frame       *frame,
                 const WfAttribute  attribute,
                 WF_PLACE           p,
                 WF_KEY             key)
{
  ((WF_PLACE *) frame->parents)[p] = -1;
  if (attribute == WF_ATTRIBUTE_HEIGHT)
    {
      ((WF_KEY *) frame->tops)[p]    = key;
      ((WF_PLACE *) frame->links)[p] = -1;
    }
  if (attribute == WF_ATTRIBUTE_VOLUME)
    {
      ((WF_PLACE *) frame->areas)[p] = 1;
      begin_sum (frame, p, key);
    }
}

/* @root's component becomes part of that of @other, a root that is not above it. */
static inline __attribute__ ((always_inline)) void
WF_NAME (join) (const Frame       *frame,
                const WfAttribute  attribute,
                WF_PLACE           root,
                WF_PLACE           other)
{
  WF_PLACE *parents = frame->parents;

  if (attribute == WF_ATTRIBUTE_AREA)
    parents[other] = (WF_PLACE) MAX (parents[other] + parents[root],
                                     -(WF_PLACE) frame->least_area);
  if (attribute == WF_ATTRIBUTE_HEIGHT)
    {
      WF_KEY *tops = frame->tops;

      tops[other] = MAX (tops[other], tops[root]);
      ((WF_PLACE *) frame->links)[root] = other;
    }
  if (attribute == WF_ATTRIBUTE_VOLUME)
    {
      ((WF_PLACE *) frame->areas)[other] += ((WF_PLACE *) frame->areas)[root];
      join_sum (frame, root, other);
    }
  parents[root] = other;
}

static inline __attribute__ ((always_inline)) void
WF_NAME (visit) (const Frame       *frame,
                 const WfAttribute  attribute,
                 const gint64      *steps,
                 const int          n_steps,
                 WF_PLACE           p)
{
  const WF_PLACE  kept    = attribute == WF_ATTRIBUTE_AREA ? -(WF_PLACE) frame->least_area : KEPT;
  const WF_KEY   *keys    = frame->keys;
  WF_PLACE       *parents = frame->parents;
  const WF_KEY    key     = keys[p];
  WF_PLACE        own     = p;      /* the root of p */

  WF_NAME (begin) (frame, attribute, p, key);
  for (int i = 0; i < n_steps; i++)
    {
      const WF_PLACE q = (WF_PLACE) (p + steps[i]);
      WF_PLACE       root;

      /* What comes before p is higher, or as high and before it in raster order. */
      if (keys[q] < key || (keys[q] == key && i >= n_steps / 2))
        continue;
      root = WF_NAME (find) (parents, q);
      if (root == own)
        continue;
      if (keys[root] != key)
        {
          if (WF_NAME (is_kept) (frame, attribute, root, key))
            parents[own] = kept;
          else
            WF_NAME (join) (frame, attribute, root, own);
        }
      /* Links lead to what is visited later. */
      else if (attribute == WF_ATTRIBUTE_HEIGHT)
        WF_NAME (join) (frame, attribute, root, own);
      /* Of equal level: those that are kept need not become one. */
      else if (parents[root] == kept)
        parents[own] = kept;
      else if (parents[own] == kept)
        parents[root] = kept;
      else if (own == p)
        {
          WF_NAME (join) (frame, attribute, p, root);
          own = root;
        }
      else
        WF_NAME (join) (frame, attribute, root, own);
    }
}

static inline __attribute__ ((always_inline)) gboolean
WF_NAME (unite_by) (const Frame       *frame,
                    const WfAttribute  attribute)
{
  const WF_PLACE *order   = frame->order;
  const WF_KEY   *keys    = frame->keys;
  const WF_PLACE *parents = frame->parents;
  const gint64    n       = frame->n_pixels;
  const int       n_steps = frame->n_steps;
  gint64          steps[26];

  memcpy (steps, frame->steps, sizeof steps);
  for (gint64 first = 0; first < n; first += PIXELS_TO_A_LOOK)
    {
      const gint64 end = MIN (n, first + PIXELS_TO_A_LOOK);

      for (gint64 i = first; i < end; i++)
        {
          const WF_PLACE ahead = order[MIN (i + PIXELS_AHEAD, n - 1)];

          __builtin_prefetch (&keys[ahead - frame->pitch]);
          __builtin_prefetch (&keys[ahead]);
          __builtin_prefetch (&keys[ahead + frame->pitch]);
          __builtin_prefetch (&parents[ahead - frame->pitch]);
          __builtin_prefetch (&parents[ahead], 1);
          __builtin_prefetch (&parents[ahead + frame->pitch]);
          if (n_steps == 4)
            WF_NAME (visit) (frame, attribute, steps, 4, order[i]);
          else if (n_steps == 8)
            WF_NAME (visit) (frame, attribute, steps, 8, order[i]);
          else
            WF_NAME (visit) (frame, attribute, steps, n_steps, order[i]);
        }
      if (! wf_run_advance (frame->run, end - first))
        return FALSE;
    }
  return TRUE;
}

/* Joins each component that the opening removes with the one around it: after this each pixel's
 * root has the level that the pixel gets.
 */
static gboolean
WF_NAME (unite) (const Frame *frame)
{
  switch (frame->attribute)
    {
    case WF_ATTRIBUTE_AREA:
      return WF_NAME (unite_by) (frame, WF_ATTRIBUTE_AREA);
    case WF_ATTRIBUTE_HEIGHT:
      return WF_NAME (unite_by) (frame, WF_ATTRIBUTE_HEIGHT);
    default:
      return WF_NAME (unite_by) (frame, WF_ATTRIBUTE_VOLUME);
    }
}

/* Of heights: of all components at a pixel's level, which the links lead to, the highest have what
 * those at the lower level have; the others are kept if they rise high enough above that level.
 * From the lowest up; links become those to the first of the component at the pixel's level, and
 * parents what write() expects.
 */
static gboolean
WF_NAME (choose) (const Frame *frame)
{
  const WF_PLACE *order   = frame->order;
  const WF_KEY   *keys    = frame->keys;
  const WF_KEY   *tops    = frame->tops;
  WF_PLACE       *links   = frame->links;
  WF_PLACE       *parents = frame->parents;

  for (gint64 i = frame->n_pixels - 1; i >= 0; i--)
    {
      const WF_PLACE p    = order[i];
      const WF_PLACE next = links[p];
      const WF_PLACE own  = next < 0 ? p : links[next];       /* of next */
      const WF_PLACE root = parents[own] < 0 ? own : parents[own];

      links[p]   = next >= 0 && keys[next] == keys[p] ? own : p;
      parents[p] = root;
      if (next < 0 ||
          (keys[next] != keys[p] &&
           (tops[p] == tops[own] ? root == own
            : height_between (frame, tops[p], keys[own]) >= frame->task->least)))
        parents[p] = -1;
      if (i % PIXELS_TO_A_LOOK == 0 && ! wf_run_advance (frame->run, PIXELS_TO_A_LOOK))
        return FALSE;
    }
  return TRUE;
}

/* Several threads shorten paths at once: each store leads further along the same path. */
static inline WF_PLACE
WF_NAME (find_shared) (WF_PLACE *parents,
                       WF_PLACE  p)
{
  WF_PLACE root = p;
  WF_PLACE parent;

  while ((parent = __atomic_load_n (&parents[root], __ATOMIC_RELAXED)) >= 0)
    root = parent;
  while (p != root)
    {
      parent = __atomic_load_n (&parents[p], __ATOMIC_RELAXED);
      __atomic_store_n (&parents[p], root, __ATOMIC_RELAXED);
      p = parent;
    }
  return root;
}

static gboolean
WF_NAME (write) (gpointer data,
                 WfRow    row)
{
  const Frame    *frame   = data;
  const WfType    type    = frame->task->type;
  const gboolean  closing = frame->task->closing;
  const gint64    width   = frame->task->shape.width;
  const WF_KEY   *keys    = frame->keys;
  const gint64    first   = frame_row (frame, row.number);
  gpointer        to      = wf_image_row (frame->task->out, row.number);

  for (gint64 x = 0; x < width; x++)
    {
      const WF_PLACE root = WF_NAME (find_shared) (frame->parents, (WF_PLACE) (first + x));

      set_level (to, x, type, closing, keys[root]);
    }
  return TRUE;
}

#undef WF_KEY
#undef WF_PLACE
#undef WF_NAME
