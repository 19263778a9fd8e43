/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The functions of CUDA's runtime that cuda/ uses.  Launches and copies are complete when they
 * return, so streams have no effect.
 */

#pragma once

typedef enum
{
  cudaSuccess                    = 0,
  cudaErrorInvalidValue          = 1,
  cudaErrorMemoryAllocation      = 2,
  cudaErrorInvalidConfiguration  = 9,
  cudaErrorNoDevice              = 100,
  cudaErrorInvalidDevice         = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady              = 600
} cudaError_t;

typedef enum
{
  cudaDevAttrComputeCapabilityMajor,
  cudaDevAttrComputeCapabilityMinor,
  cudaDevAttrMultiProcessorCount,
  cudaDevAttrMaxThreadsPerMultiProcessor,
  cudaDevAttrMaxSharedMemoryPerBlockOptin,
  cudaDevAttrL2CacheSize,
  cudaDevAttrMemoryPoolsSupported
} cudaDeviceAttr;

typedef enum
{
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice
} cudaMemcpyKind;

typedef enum
{
  cudaFuncAttributeMaxDynamicSharedMemorySize,
  cudaFuncAttributePreferredSharedMemoryCarveout
} cudaFuncAttribute;

typedef enum
{
  cudaMemPoolAttrReleaseThreshold,
  cudaMemPoolAttrReservedMemCurrent,
  cudaMemPoolAttrUsedMemCurrent
} cudaMemPoolAttr;

typedef enum
{
  cudaMemoryTypeUnregistered,
  cudaMemoryTypeHost,
  cudaMemoryTypeDevice,
  cudaMemoryTypeManaged
} cudaMemoryType;
typedef enum { cudaMemAllocationTypePinned = 1 } cudaMemAllocationType;
typedef enum { cudaMemLocationTypeDevice = 1 } cudaMemLocationType;

enum { cudaSharedmemCarveoutDefault = -1, cudaSharedmemCarveoutMaxShared = 100 };
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };

typedef struct
{
  char name[256];
  int  multiProcessorCount;
} cudaDeviceProp;

typedef struct
{
  cudaMemoryType type;
  int            device;
} cudaPointerAttributes;

typedef struct
{
  cudaMemAllocationType allocType;
  struct
  {
    cudaMemLocationType type;
    int                 id;
  } location;
} cudaMemPoolProps;

typedef struct KernelsStream *cudaStream_t;
typedef struct KernelsEvent  *cudaEvent_t;
typedef struct KernelsPool   *cudaMemPool_t;

cudaError_t  cudaGetLastError          ();
const char * cudaGetErrorString        (cudaError_t            status);

cudaError_t  cudaGetDeviceCount        (int                   *n);
cudaError_t  cudaDriverGetVersion      (int                   *version);
cudaError_t  cudaGetDevice             (int                   *device);
cudaError_t  cudaSetDevice             (int                    device);
cudaError_t  cudaGetDeviceProperties   (cudaDeviceProp        *properties,
                                        int                    device);
cudaError_t  cudaDeviceGetAttribute    (int                   *value,
                                        cudaDeviceAttr         attribute,
                                        int                    device);

cudaError_t  cudaMemGetInfo            (size_t                *free_bytes,
                                        size_t                *total_bytes);
cudaError_t  kernels_malloc            (void                 **memory,
                                        size_t                 bytes);
cudaError_t  cudaFree                  (void                  *memory);
cudaError_t  cudaMallocFromPoolAsync   (void                 **memory,
                                        size_t                 bytes,
                                        cudaMemPool_t          pool,
                                        cudaStream_t           stream);
cudaError_t  cudaFreeAsync             (void                  *memory,
                                        cudaStream_t           stream);
cudaError_t  kernels_malloc_host       (void                 **memory,
                                        size_t                 bytes);
cudaError_t  cudaFreeHost              (void                  *memory);
cudaError_t  cudaPointerGetAttributes  (cudaPointerAttributes *attributes,
                                        const void            *memory);

cudaError_t  cudaMemPoolCreate         (cudaMemPool_t         *pool,
                                        const cudaMemPoolProps *properties);
cudaError_t  cudaMemPoolDestroy        (cudaMemPool_t          pool);
cudaError_t  cudaMemPoolSetAttribute   (cudaMemPool_t          pool,
                                        cudaMemPoolAttr        attribute,
                                        void                  *value);
cudaError_t  cudaMemPoolGetAttribute   (cudaMemPool_t          pool,
                                        cudaMemPoolAttr        attribute,
                                        void                  *value);
cudaError_t  cudaMemPoolTrimTo         (cudaMemPool_t          pool,
                                        size_t                 bytes);

cudaError_t  cudaMemsetAsync           (void                  *memory,
                                        int                    value,
                                        size_t                 bytes,
                                        cudaStream_t           stream = NULL);
cudaError_t  cudaMemcpyAsync           (void                  *to,
                                        const void            *from,
                                        size_t                 bytes,
                                        cudaMemcpyKind         kind,
                                        cudaStream_t           stream = NULL);
cudaError_t  cudaMemcpy2DAsync         (void                  *to,
                                        size_t                 to_pitch,
                                        const void            *from,
                                        size_t                 from_pitch,
                                        size_t                 width,
                                        size_t                 height,
                                        cudaMemcpyKind         kind,
                                        cudaStream_t           stream = NULL);

cudaError_t  cudaStreamCreateWithFlags (cudaStream_t          *stream,
                                        unsigned int           flags);
cudaError_t  cudaStreamDestroy         (cudaStream_t           stream);
cudaError_t  cudaStreamSynchronize     (cudaStream_t           stream);
cudaError_t  cudaEventCreate           (cudaEvent_t           *event);
cudaError_t  cudaEventCreateWithFlags  (cudaEvent_t           *event,
                                        unsigned int           flags);
cudaError_t  cudaEventDestroy          (cudaEvent_t            event);
cudaError_t  cudaEventRecord           (cudaEvent_t            event,
                                        cudaStream_t           stream = NULL);
cudaError_t  cudaEventSynchronize      (cudaEvent_t            event);
cudaError_t  cudaEventQuery            (cudaEvent_t            event);
cudaError_t  cudaStreamWaitEvent       (cudaStream_t           stream,
                                        cudaEvent_t            event,
                                        unsigned int           flags = 0);
cudaError_t  cudaEventElapsedTime      (float                 *milliseconds,
                                        cudaEvent_t            begin,
                                        cudaEvent_t            end);

template <typename T>
static inline cudaError_t
cudaMalloc (T      **memory,
            size_t   bytes)
{
  return kernels_malloc ((void **) memory, bytes);
}

template <typename T>
static inline cudaError_t
cudaMallocHost (T      **memory,
                size_t   bytes)
{
  return kernels_malloc_host ((void **) memory, bytes);
}

template <typename Kernel>
static inline cudaError_t
cudaFuncSetAttribute (Kernel,
                      cudaFuncAttribute,
                      int)
{
  return cudaSuccess;
}

template <typename Kernel>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor (int    *n,
                                               Kernel,
                                               int,
                                               size_t)
{
  *n = 2;
  return cudaSuccess;
}
