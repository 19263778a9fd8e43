/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Images: sizes, types and refusals. */

#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

static const struct
{
  WfType      type;
  const char *name;
  gsize       size;
} types[] =
{
  { WF_TYPE_U8, "u8", 1 },   { WF_TYPE_U16, "u16", 2 }, { WF_TYPE_F32, "f32", 4 },
  { WF_TYPE_U32, "u32", 4 }, { WF_TYPE_U64, "u64", 8 }, { WF_TYPE_F64, "f64", 8 },
};

static void
assert_empty (const WfImage *image)
{
  g_assert_null (image->data);
  g_assert_null (image->allocated);
  g_assert_cmpint (image->width, ==, 0);
  g_assert_cmpint (image->height, ==, 0);
  g_assert_cmpint (image->depth, ==, 0);
  g_assert_cmpint (wf_image_n_pixels (image), ==, 0);
}

static void
test_types (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_assert_cmpstr (wf_type_name (types[i].type), ==, types[i].name);
      g_assert_cmpuint (wf_type_size (types[i].type), ==, types[i].size);
    }
  g_assert_cmpuint (wf_type_size ((WfType) 0), ==, 0);
  g_assert_cmpuint (wf_type_size ((WfType) 7), ==, 0);
  g_assert_null (wf_type_name ((WfType) 0));
  g_assert_null (wf_type_name ((WfType) 7));
}

static void
test_version (void)
{
  g_assert_nonnull (wf_version ());
  g_assert_true (g_ascii_isdigit (wf_version ()[0]));
  g_assert_nonnull (strchr (wf_version (), '.'));
}

static void
test_init (void)
{
  guint8   data[24];
  WfImage  image;
  GError  *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_assert_true (wf_image_init (&image, types[i].type, 2, 3, 4, data, &error));
      g_assert_no_error (error);
      g_assert_cmpint (image.type, ==, types[i].type);
      g_assert_cmpint (image.width, ==, 2);
      g_assert_cmpint (image.height, ==, 3);
      g_assert_cmpint (image.depth, ==, 4);
      g_assert_cmpint (image.row_stride, ==, 2);
      g_assert_cmpint (image.slice_stride, ==, 6);
      g_assert_true (image.data == data);
      g_assert_null (image.allocated);
      g_assert_cmpint (wf_image_n_pixels (&image), ==, 24);
      wf_image_clear (&image);
      assert_empty (&image);
    }

  g_assert_true (wf_image_init (&image, WF_TYPE_U8, WF_MAX_SIDE, 1, 1, data, NULL));
  g_assert_cmpint (wf_image_n_pixels (&image), ==, WF_MAX_SIDE);
}

static void
test_init_refusals (void)
{
  const gint64 max = WF_MAX_SIDE;
  const gint64 bad[][3] =
  {
    { 0, 1, 1 }, { 1, 0, 1 }, { 1, 1, 0 }, { 0, 0, 0 },
    { -1, 1, 1 }, { 1, -1, 1 }, { 1, 1, -1 }, { -2, -3, 1 }, { -2, -3, -1 },
    { max + 1, 1, 1 }, { 1, max + 1, 1 }, { 1, 1, max + 1 },
    { G_MAXINT64, 1, 1 }, { 1, G_MAXINT64, 1 }, { 1, 1, G_MAXINT64 },
    { G_MININT64, 1, 1 }, { G_MININT64, G_MININT64, G_MININT64 },
    { G_MAXINT64, G_MAXINT64, G_MAXINT64 },
    { max, max, max }, { max, max, 16 }, { 16, max, max }, { max, 16, max },
    /* Sizes whose products overflow 64 bits and wrap to small numbers. */
    { G_GINT64_CONSTANT (1) << 32, G_GINT64_CONSTANT (1) << 32, 1 },
    { G_GINT64_CONSTANT (1) << 22, G_GINT64_CONSTANT (1) << 21, G_GINT64_CONSTANT (1) << 21 },
  };
  guint8  data[64];
  WfImage image;

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    for (guint k = 0; k < G_N_ELEMENTS (types); k++)
      {
        assert_refused (wf_image_init (&image, types[k].type, bad[i][0], bad[i][1], bad[i][2],
                                       data, &refusal), WF_ERROR_INVALID);
        assert_empty (&image);
        assert_refused (wf_image_allocate (&image, types[k].type, bad[i][0], bad[i][1],
                                           bad[i][2], &refusal), WF_ERROR_INVALID);
        assert_empty (&image);
      }

  assert_refused (wf_image_init (&image, WF_TYPE_U8, 2, 2, 1, NULL, &refusal), WF_ERROR_INVALID);
  assert_empty (&image);
  assert_refused (wf_image_init (&image, (WfType) 0, 2, 2, 1, data, &refusal), WF_ERROR_INVALID);
  assert_refused (wf_image_init (&image, (WfType) 7, 2, 2, 1, data, &refusal), WF_ERROR_INVALID);
  assert_refused (wf_image_init (&image, (WfType) -1, 2, 2, 1, data, &refusal), WF_ERROR_INVALID);
  assert_refused (wf_image_allocate (&image, (WfType) 99, 2, 2, 1, &refusal), WF_ERROR_INVALID);

  /* The same without a GError to set. */
  g_assert_false (wf_image_init (&image, WF_TYPE_U8, 0, 1, 1, data, NULL));
  g_assert_false (wf_image_allocate (&image, WF_TYPE_U8, 0, 1, 1, NULL));
}

static void
test_allocate (void)
{
  GError *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_auto (WfImage) image = { 0 };

      g_assert_true (wf_image_allocate (&image, types[i].type, 5, 4, 3, &error));
      g_assert_no_error (error);
      g_assert_nonnull (image.data);
      g_assert_cmpint (image.type, ==, types[i].type);
      g_assert_cmpint (image.row_stride, ==, 5);
      g_assert_cmpint (image.slice_stride, ==, 20);
      g_assert_cmpint (wf_image_n_pixels (&image), ==, 60);
      /* All of the memory can be written; a sanitizer or valgrind detects if it cannot. */
      memset (image.data, 0x5a, 60 * types[i].size);
      wf_image_clear (&image);
      assert_empty (&image);
      wf_image_clear (&image);
    }
}

/* Sizes that can be addressed but exceed the memory of any machine. */
static void
test_allocate_too_much (void)
{
  WfImage image;

  assert_refused (wf_image_allocate (&image, WF_TYPE_U8, WF_MAX_SIDE, 1 << 20, 1, &refusal),
                  WF_ERROR_MEMORY);
  assert_empty (&image);
  assert_refused (wf_image_allocate (&image, WF_TYPE_F64, WF_MAX_SIDE, 1 << 20, 1 << 9, &refusal),
                  WF_ERROR_MEMORY);
  assert_empty (&image);
}

int
main (int    argc,
      char **argv)
{
  tests_begin (&argc, &argv);

  g_test_add_func ("/image/types", test_types);
  g_test_add_func ("/image/version", test_version);
  g_test_add_func ("/image/init", test_init);
  g_test_add_func ("/image/init-refusals", test_init_refusals);
  g_test_add_func ("/image/allocate", test_allocate);
  g_test_add_func ("/image/allocate-too-much", test_allocate_too_much);

  return g_test_run ();
}
