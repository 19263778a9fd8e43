/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The runtime of the simulated device.  Device memory is memory of the program: each allocation
 * has its own pages, lies as close to their end as its alignment allows, and is filled with a
 * random byte; the pages before and after it are inaccessible.  WAVEFRONT_KERNELS_MEMORY is the
 * size of the memory in bytes, by default a gigabyte.  With WAVEFRONT_KERNELS_GUARD=1 all of it is
 * inaccessible but for the time of a copy or a launch: the program ends where host code touches it.
 */

#include "cuda_runtime.h"

#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <map>
#include <mutex>

#define N_UNITS          3
#define THREADS_A_UNIT   1024
#define MAX_SHARED_BYTES (64 << 10)
#define L2_BYTES         (1 << 20)
#define ALIGNMENT        256

struct KernelsStream
{
};

struct KernelsEvent
{
  double milliseconds;
};

struct KernelsPool
{
  size_t used;
  bool   destroyed;
};

struct Allocation
{
  size_t       bytes;
  char        *pages;
  size_t       n_pages;
  char         filling;
  KernelsPool *pool;
};

/* By their start addresses. */
typedef std::map<const char *, Allocation> Allocations;

static std::mutex  lock;
static Allocations on_device;
static Allocations on_host;      /* pinned */
static size_t      in_use;
static int         n_orphaned;   /* pools that were destroyed before all their memory was freed */

/* Copies and launches that are under way. */
static int         n_entered;

static thread_local cudaError_t last_error;


/*  Errors  */

static cudaError_t
finish (cudaError_t status)
{
  if (status != cudaSuccess)
    last_error = status;
  return status;
}

cudaError_t
cudaGetLastError ()
{
  const cudaError_t status = last_error;

  last_error = cudaSuccess;
  return status;
}

const char *
cudaGetErrorString (cudaError_t status)
{
  switch (status)
    {
    case cudaErrorMemoryAllocation:
      return "out of memory";
    case cudaErrorInvalidValue:
      return "invalid argument";
    case cudaErrorInvalidConfiguration:
      return "invalid configuration argument";
    case cudaErrorNoDevice:
      return "no CUDA-capable device is detected";
    case cudaErrorInvalidDevice:
      return "invalid device ordinal";
    default:
      return "no error";
    }
}

bool
kernels_can_launch (const KernelsLaunch &launch)
{
  const dim3     grid      = launch.grid;
  const dim3     block     = launch.block;
  const uint64_t n_threads = (uint64_t) block.x * block.y * block.z;
  const bool     fits      = grid.x > 0 && grid.y > 0 && grid.z > 0 && grid.x <= 0x7fffffff &&
                             grid.y <= 65535 && grid.z <= 65535 && n_threads > 0 &&
                             n_threads <= 1024 && block.z <= 64 &&
                             launch.shared_bytes <= MAX_SHARED_BYTES;

  if (! fits)
    fprintf (stderr, "%s: no launch of %u,%u,%u blocks of %u,%u,%u threads with %zu bytes\n",
             launch.name, grid.x, grid.y, grid.z, block.x, block.y, block.z,
             launch.shared_bytes);
  return finish (fits ? cudaSuccess : cudaErrorInvalidConfiguration) == cudaSuccess;
}


/*  The device  */

cudaError_t
cudaGetDeviceCount (int *n)
{
  *n = 1;
  return cudaSuccess;
}

cudaError_t
cudaDriverGetVersion (int *version)
{
  *version = 12000;
  return cudaSuccess;
}

cudaError_t
cudaGetDevice (int *device)
{
  *device = 0;
  return cudaSuccess;
}

cudaError_t
cudaSetDevice (int device)
{
  return finish (device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t
cudaGetDeviceProperties (cudaDeviceProp *properties,
                         int             device)
{
  memset (properties, 0, sizeof *properties);
  strcpy (properties->name, "CUDA kernels, run by the CPU");
  properties->multiProcessorCount = N_UNITS;
  return cudaSetDevice (device);
}

cudaError_t
cudaDeviceGetAttribute (int            *value,
                        cudaDeviceAttr  attribute,
                        int             device)
{
  switch (attribute)
    {
    case cudaDevAttrComputeCapabilityMajor:
      *value = KERNELS_CAPABILITY / 10;
      break;
    case cudaDevAttrComputeCapabilityMinor:
      *value = KERNELS_CAPABILITY % 10;
      break;
    case cudaDevAttrMultiProcessorCount:
      *value = N_UNITS;
      break;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = THREADS_A_UNIT;
      break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = MAX_SHARED_BYTES;
      break;
    case cudaDevAttrL2CacheSize:
      *value = L2_BYTES;
      break;
    case cudaDevAttrMemoryPoolsSupported:
      *value = 1;
      break;
    }
  return cudaSetDevice (device);
}


/*  Memory  */

static size_t
round_up (size_t bytes,
          size_t to)
{
  return (bytes + to - 1) / to * to;
}

static size_t
memory_bytes ()
{
  const char *text = getenv ("WAVEFRONT_KERNELS_MEMORY");

  return text ? strtoull (text, NULL, 10) : (size_t) 1 << 30;
}

static bool
is_guarded ()
{
  static const char *const text = getenv ("WAVEFRONT_KERNELS_GUARD");

  return text && strcmp (text, "1") == 0;
}

/* Makes an allocation on the device accessible, or not. */
static void
set_access (const Allocation &allocation,
            int               access)
{
  const size_t page = sysconf (_SC_PAGESIZE);

  if (mprotect (allocation.pages + page, allocation.n_pages * page, access) != 0)
    abort ();
}

/* The device works from here to leave. */
void
kernels_enter ()
{
  std::lock_guard<std::mutex> locked (lock);

  if (is_guarded () && n_entered++ == 0)
    for (const auto &each : on_device)
      set_access (each.second, PROT_READ | PROT_WRITE);
}

void
kernels_leave ()
{
  std::lock_guard<std::mutex> locked (lock);

  if (is_guarded () && --n_entered == 0)
    for (const auto &each : on_device)
      set_access (each.second, PROT_NONE);
}

struct Entered
{
  Entered ()  { kernels_enter (); }
  ~Entered () { kernels_leave (); }
};

/* A pool lives on until all that was allocated from it is freed. */
static void
give_back (KernelsPool *pool,
           size_t       bytes)
{
  pool->used -= bytes;
  if (! pool->destroyed || pool->used > 0)
    return;
  n_orphaned--;
  delete pool;
}

static cudaError_t
allocate (void         **memory,
          size_t         bytes,
          Allocations   *allocations,
          KernelsPool   *pool)
{
  const size_t page    = sysconf (_SC_PAGESIZE);
  const size_t n_pages = round_up (bytes, page) / page;
  char        *pages;
  char        *start;
  char         filling;

  *memory = NULL;
  if (allocations == &on_device && bytes > memory_bytes () - in_use)
    return finish (cudaErrorMemoryAllocation);
  pages = (char *) mmap (NULL, (n_pages + 2) * page, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED ||
      mprotect (pages + page, n_pages * page, PROT_READ | PROT_WRITE) != 0)
    return finish (cudaErrorMemoryAllocation);

  filling = allocations == &on_device ? (char) kernels_random () : 0;
  start   = pages + (n_pages + 1) * page - round_up (bytes, ALIGNMENT);
  if (filling)
    memset (pages + page, filling, n_pages * page);
  (*allocations)[start] = { bytes, pages, n_pages, filling, pool };
  if (allocations == &on_device)
    in_use += bytes;
  if (allocations == &on_device && is_guarded () && n_entered == 0)
    set_access ((*allocations)[start], PROT_NONE);
  *memory = start;
  return cudaSuccess;
}

/* The bytes around the allocation in its pages must be unchanged. */
static void
check_surroundings (const char       *start,
                    const Allocation &allocation)
{
  const size_t page  = sysconf (_SC_PAGESIZE);
  const char  *first = allocation.pages + page;
  const char  *end   = first + allocation.n_pages * page;

  for (const char *c = first; c < end; c++)
    {
      if (c == start)
        c += allocation.bytes;
      if (c < end && *c != allocation.filling)
        {
          fprintf (stderr, "An allocation of %zu bytes was overrun at byte %td\n",
                   allocation.bytes, c - start);
          abort ();
        }
    }
}

static cudaError_t
release (void        *memory,
         Allocations *allocations)
{
  const size_t page  = sysconf (_SC_PAGESIZE);
  const auto   found = allocations->find ((const char *) memory);

  if (! memory)
    return cudaSuccess;
  if (found == allocations->end ())
    return finish (cudaErrorInvalidValue);

  const Allocation allocation = found->second;

  if (allocations == &on_device && is_guarded ())
    set_access (allocation, PROT_READ | PROT_WRITE);
  check_surroundings (found->first, allocation);
  if (allocations == &on_device)
    in_use -= allocation.bytes;
  if (allocation.pool)
    give_back (allocation.pool, allocation.bytes);
  munmap (allocation.pages, (allocation.n_pages + 2) * page);
  allocations->erase (found);
  return cudaSuccess;
}

static bool
lies_in (const Allocations &allocations,
         const void        *memory,
         size_t             bytes)
{
  auto   after = allocations.upper_bound ((const char *) memory);
  size_t start;

  if (after == allocations.begin ())
    return false;
  --after;
  start = (size_t) ((const char *) memory - after->first);
  return start < (after->second.bytes ? after->second.bytes : 1) &&
         bytes <= after->second.bytes - start;
}

cudaError_t
cudaMemGetInfo (size_t *free_bytes,
                size_t *total_bytes)
{
  std::lock_guard<std::mutex> locked (lock);

  *free_bytes  = memory_bytes () - in_use;
  *total_bytes = memory_bytes ();
  return cudaSuccess;
}

cudaError_t
kernels_malloc (void   **memory,
                size_t   bytes)
{
  std::lock_guard<std::mutex> locked (lock);

  return allocate (memory, bytes, &on_device, NULL);
}

cudaError_t
cudaFree (void *memory)
{
  std::lock_guard<std::mutex> locked (lock);

  return release (memory, &on_device);
}

cudaError_t
cudaMallocFromPoolAsync (void          **memory,
                         size_t          bytes,
                         cudaMemPool_t   pool,
                         cudaStream_t    stream)
{
  std::lock_guard<std::mutex> locked (lock);
  const cudaError_t           status = allocate (memory, bytes, &on_device, pool);

  if (status == cudaSuccess)
    pool->used += bytes;
  return status;
}

cudaError_t
cudaFreeAsync (void         *memory,
               cudaStream_t  stream)
{
  return cudaFree (memory);
}

cudaError_t
kernels_malloc_host (void   **memory,
                     size_t   bytes)
{
  std::lock_guard<std::mutex> locked (lock);

  return allocate (memory, bytes, &on_host, NULL);
}

cudaError_t
cudaFreeHost (void *memory)
{
  std::lock_guard<std::mutex> locked (lock);

  return release (memory, &on_host);
}

cudaError_t
cudaPointerGetAttributes (cudaPointerAttributes *attributes,
                          const void            *memory)
{
  std::lock_guard<std::mutex> locked (lock);

  attributes->device = 0;
  attributes->type = lies_in (on_device, memory, 1) ? cudaMemoryTypeDevice
                     : lies_in (on_host, memory, 1) ? cudaMemoryTypeHost
                                                    : cudaMemoryTypeUnregistered;
  return cudaSuccess;
}

cudaError_t
cudaMemPoolCreate (cudaMemPool_t          *pool,
                   const cudaMemPoolProps *properties)
{
  *pool = new KernelsPool ();
  return cudaSuccess;
}

/* All memory of a pool that was destroyed must have been freed when the program ends. */
struct LeakCheck
{
  ~LeakCheck ()
  {
    if (n_orphaned == 0)
      return;
    fprintf (stderr, "The device memory of %d pools was not freed\n", n_orphaned);
    abort ();
  }
};

static LeakCheck leak_check;

cudaError_t
cudaMemPoolDestroy (cudaMemPool_t pool)
{
  std::lock_guard<std::mutex> locked (lock);

  n_orphaned++;
  pool->destroyed = true;
  give_back (pool, 0);
  return cudaSuccess;
}

cudaError_t
cudaMemPoolSetAttribute (cudaMemPool_t    pool,
                         cudaMemPoolAttr  attribute,
                         void            *value)
{
  return cudaSuccess;
}

/* The pool reserves nothing. */
cudaError_t
cudaMemPoolGetAttribute (cudaMemPool_t    pool,
                         cudaMemPoolAttr  attribute,
                         void            *value)
{
  std::lock_guard<std::mutex> locked (lock);

  *(uint64_t *) value = pool->used;
  return cudaSuccess;
}

cudaError_t
cudaMemPoolTrimTo (cudaMemPool_t pool,
                   size_t        bytes)
{
  return cudaSuccess;
}


/*  Copies  */

static bool
is_right_side (const void *memory,
               size_t      bytes,
               bool        device)
{
  return device ? lies_in (on_device, memory, bytes)
                : ! lies_in (on_device, memory, 1);
}

cudaError_t
cudaMemsetAsync (void         *memory,
                 int           value,
                 size_t        bytes,
                 cudaStream_t  stream)
{
  {
    std::lock_guard<std::mutex> locked (lock);

    if (bytes > 0 && ! lies_in (on_device, memory, bytes))
      return finish (cudaErrorInvalidValue);
  }

  Entered entered;

  memset (memory, value, bytes);
  return cudaSuccess;
}

cudaError_t
cudaMemcpyAsync (void           *to,
                 const void     *from,
                 size_t          bytes,
                 cudaMemcpyKind  kind,
                 cudaStream_t    stream)
{
  return cudaMemcpy2DAsync (to, bytes, from, bytes, bytes, 1, kind, stream);
}

cudaError_t
cudaMemcpy2DAsync (void           *to,
                   size_t          to_pitch,
                   const void     *from,
                   size_t          from_pitch,
                   size_t          width,
                   size_t          height,
                   cudaMemcpyKind  kind,
                   cudaStream_t    stream)
{
  if (width == 0 || height == 0)
    return cudaSuccess;
  {
    std::lock_guard<std::mutex> locked (lock);

    if (to_pitch < width || from_pitch < width ||
        ! is_right_side (to, (height - 1) * to_pitch + width,
                         kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) ||
        ! is_right_side (from, (height - 1) * from_pitch + width,
                         kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice))
      return finish (cudaErrorInvalidValue);
  }

  Entered entered;

  for (size_t y = 0; y < height; y++)
    memcpy ((char *) to + y * to_pitch, (const char *) from + y * from_pitch, width);
  return cudaSuccess;
}


/*  Streams and events  */

cudaError_t
cudaStreamCreateWithFlags (cudaStream_t *stream,
                           unsigned int  flags)
{
  *stream = new KernelsStream ();
  return cudaSuccess;
}

cudaError_t
cudaStreamDestroy (cudaStream_t stream)
{
  delete stream;
  return cudaSuccess;
}

cudaError_t
cudaStreamSynchronize (cudaStream_t stream)
{
  return cudaSuccess;
}

cudaError_t
cudaEventCreate (cudaEvent_t *event)
{
  *event = new KernelsEvent ();
  return cudaSuccess;
}

cudaError_t
cudaEventCreateWithFlags (cudaEvent_t  *event,
                          unsigned int  flags)
{
  return cudaEventCreate (event);
}

cudaError_t
cudaEventDestroy (cudaEvent_t event)
{
  delete event;
  return cudaSuccess;
}

cudaError_t
cudaEventRecord (cudaEvent_t  event,
                 cudaStream_t stream)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  event->milliseconds = now.tv_sec * 1e3 + now.tv_nsec / 1e6;
  return cudaSuccess;
}

cudaError_t
cudaEventSynchronize (cudaEvent_t event)
{
  return cudaSuccess;
}

cudaError_t
cudaEventQuery (cudaEvent_t event)
{
  return cudaSuccess;
}

/* There is only one order of work: streams have no effect. */
cudaError_t
cudaStreamWaitEvent (cudaStream_t stream,
                     cudaEvent_t  event,
                     unsigned int flags)
{
  return cudaSuccess;
}

cudaError_t
cudaEventElapsedTime (float       *milliseconds,
                      cudaEvent_t  begin,
                      cudaEvent_t  end)
{
  *milliseconds = (float) (end->milliseconds - begin->milliseconds);
  return cudaSuccess;
}
