/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Memory that the caller has from CUDA, and the order of an operation after what the caller has
 * queued: on the stream of the context, or on the default stream.  What is queued sleeps first, so
 * that an operation that does not wait reads what was there before.  CUDA's driver is called by its
 * own names, as the tests are built without it.
 */

#include <dlfcn.h>
#include <string.h>

#include "tests/support/device-calls.h"
#include "tests/support/refusals.h"
#include "tests/support/tiers.h"

#define SIDE    64
#define BYTES   (SIDE * SIDE)
#define BEFORE  3
#define AFTER   77

/* Microseconds. */
#define SLEEP   200000

/* Flags of CUDA's driver. */
#define NON_BLOCKING 1
#define GLOBAL       1

typedef int CudaResult;
typedef void *CudaStream;
typedef guint64 CudaPointer;

static struct
{
  CudaResult (* init)         (unsigned int flags);
  CudaResult (* retain)       (gpointer *context, int device);
  CudaResult (* set_current)  (gpointer context);
  CudaResult (* allocate)     (CudaPointer *memory, gsize bytes);
  CudaResult (* allocate_managed) (CudaPointer *memory, gsize bytes, unsigned int flags);
  CudaResult (* free)         (CudaPointer memory);
  CudaResult (* create)       (CudaStream *stream, unsigned int flags);
  CudaResult (* destroy)      (CudaStream stream);
  CudaResult (* synchronize)  (CudaStream stream);
  CudaResult (* call_host)    (CudaStream stream, void (* function) (gpointer data), gpointer data);
  CudaResult (* set)          (CudaPointer memory, unsigned char value, gsize n, CudaStream stream);
  CudaResult (* copy_to_host) (gpointer host, CudaPointer memory, gsize bytes);
} cuda;

static const struct
{
  const char *name;
  gpointer    function;
} symbols[] =
{
  { "cuInit", &cuda.init },
  { "cuDevicePrimaryCtxRetain", &cuda.retain },
  { "cuCtxSetCurrent", &cuda.set_current },
  { "cuMemAlloc_v2", &cuda.allocate },
  { "cuMemAllocManaged", &cuda.allocate_managed },
  { "cuMemFree_v2", &cuda.free },
  { "cuStreamCreate", &cuda.create },
  { "cuStreamDestroy_v2", &cuda.destroy },
  { "cuStreamSynchronize", &cuda.synchronize },
  { "cuLaunchHostFunc", &cuda.call_host },
  { "cuMemsetD8Async", &cuda.set },
  { "cuMemcpyDtoH_v2", &cuda.copy_to_host },
};

static gboolean
load_driver (void)
{
  void     *library = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  gpointer  context;

  for (guint i = 0; library && i < G_N_ELEMENTS (symbols); i++)
    {
      void *found = dlsym (library, symbols[i].name);

      if (! found)
        return FALSE;
      memcpy (symbols[i].function, &found, sizeof found);
    }
  return library && cuda.init (0) == 0 && cuda.retain (&context, 0) == 0 &&
         cuda.set_current (context) == 0;
}

#define check(call) g_assert_cmpint ((call), ==, 0)

static void
sleep_there (gpointer data)
{
  g_usleep (SLEEP);
}

/* The pixels become AFTER, but not soon. */
static void
queue_change (CudaPointer memory,
              CudaStream  stream)
{
  check (cuda.call_host (stream, sleep_there, NULL));
  check (cuda.set (memory, AFTER, BYTES, stream));
}

static WfImage
view_of (CudaPointer memory)
{
  WfImage view;

  g_assert_true (wf_image_init (&view, WF_TYPE_U8, SIDE, SIDE, 1, (gpointer) (guintptr) memory,
                                NULL));
  view.memory = WF_MEMORY_CUDA (0);
  return view;
}

/* Fills the holes of an image that has none. */
static void
run (WfContext   *context,
     CudaPointer  from,
     CudaPointer  to)
{
  const WfImage  image = view_of (from);
  WfImage        out   = view_of (to);
  GError        *error = NULL;

  wf_fill_holes (context, &image, &out, NULL, &error);
  g_assert_no_error (error);
}

static void
assert_holds (CudaPointer memory,
              guint8      value)
{
  guint8 pixels[BYTES];
  guint8 expected[BYTES];

  memset (expected, value, BYTES);
  check (cuda.copy_to_host (pixels, memory, BYTES));
  g_assert_cmpmem (pixels, BYTES, expected, BYTES);
}

typedef struct
{
  WfContext   *context;
  CudaPointer  from;
  CudaPointer  to;
} Setting;

static void
setting_init (Setting *setting)
{
  setting->context = device_context_new ("cuda:0");
  check (cuda.allocate (&setting->from, BYTES));
  check (cuda.allocate (&setting->to, BYTES));
  check (cuda.set (setting->from, BEFORE, BYTES, NULL));
  run (setting->context, setting->from, setting->to);
  assert_holds (setting->to, BEFORE);
}

static void
setting_clear (Setting *setting)
{
  check (cuda.free (setting->from));
  check (cuda.free (setting->to));
  wf_context_unref (setting->context);
}

/* @flags: of the stream; @named: whether the context is told of it */
static void
check_order (unsigned int flags,
             gboolean     named)
{
  Setting    setting;
  CudaStream stream = NULL;
  WfImage    image;
  WfImage    here;
  guint8     pixels[BYTES];
  GError    *error = NULL;

  setting_init (&setting);
  check (cuda.create (&stream, flags));
  if (named)
    wf_context_set_stream (setting.context, stream);
  queue_change (setting.from, stream);
  run (setting.context, setting.from, setting.to);
  /* another stream, after the call */
  assert_holds (setting.to, AFTER);

  check (cuda.set (setting.from, BEFORE, BYTES, stream));
  queue_change (setting.from, stream);
  image = view_of (setting.from);
  wf_image_init (&here, WF_TYPE_U8, SIDE, SIDE, 1, pixels, NULL);
  wf_image_copy (setting.context, &image, &here, &error);
  g_assert_no_error (error);
  g_assert_cmpint (pixels[BYTES - 1], ==, AFTER);

  /* the CPU stands in: it waits, too */
  check (cuda.set (setting.from, BEFORE, BYTES, stream));
  queue_change (setting.from, stream);
  wf_median (setting.context, &image, &here, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (pixels[BYTES / 2], ==, AFTER);
  check (cuda.destroy (stream));
  setting_clear (&setting);
}

static void
test_own_stream (void)
{
  check_order (NON_BLOCKING, TRUE);
}

static void
test_blocking_stream (void)
{
  check_order (0, FALSE);
}

static void
test_default_stream (void)
{
  Setting setting;

  setting_init (&setting);
  queue_change (setting.from, NULL);
  run (setting.context, setting.from, setting.to);
  assert_holds (setting.to, AFTER);
  setting_clear (&setting);
}

static void
test_managed (void)
{
  Setting     setting;
  CudaPointer managed;

  setting_init (&setting);
  check (cuda.allocate_managed (&managed, BYTES, GLOBAL));
  memset ((gpointer) (guintptr) managed, AFTER, BYTES);
  run (setting.context, managed, setting.to);
  assert_holds (setting.to, AFTER);
  check (cuda.free (managed));
  setting_clear (&setting);
}

/* A view that ends beyond the caller's memory. */
static void
test_beyond (void)
{
  Setting  setting;
  WfImage  image;
  WfImage  out;

  setting_init (&setting);
  image        = view_of (setting.from);
  image.height = (gint64) 1 << 28;
  out          = image;
  assert_refused (wf_fill_holes (setting.context, &image, &out, NULL, &refusal),
                  WF_ERROR_INVALID);
  setting_clear (&setting);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char      *problem = NULL;
  g_autoptr (GPtrArray) names   = NULL;

  tests_begin (&argc, &argv);

  names = device_names (&problem);
  if (! problem && ! load_driver ())
    problem = g_strdup ("There is no driver of CUDA.");
  if (problem)
    g_test_add_data_func ("/device-stream/none", problem, device_test_none);
  else
    {
      g_test_add_func ("/device-stream/own", test_own_stream);
      g_test_add_func ("/device-stream/blocking", test_blocking_stream);
      g_test_add_func ("/device-stream/default", test_default_stream);
      g_test_add_func ("/device-stream/managed", test_managed);
      g_test_add_func ("/device-stream/beyond", test_beyond);
    }
  return g_test_run ();
}
