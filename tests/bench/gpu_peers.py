# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers on a GPU: CuPy and NPP, timed by CUDA events, on memory allocated before."""
import ctypes
import statistics

import numpy


class CuPy:
    """CuPy's functions on arrays on the device; each returns milliseconds and the result."""

    name = "CuPy"
    largest = {}

    def __init__(self, rounds):
        self.rounds = rounds
        try:
            import cupy
            import cupyx.scipy.ndimage
            self.cupy, self.ndimage = cupy, cupyx.scipy.ndimage
            self.reason = None
        except ImportError as problem:
            self.cupy, self.reason = None, str(problem)

    def time(self, function):
        times = []
        for i in range(self.rounds + 1):
            begin, end = self.cupy.cuda.Event(), self.cupy.cuda.Event()
            begin.record()
            result = function()
            end.record()
            end.synchronize()
            times.append(self.cupy.cuda.get_elapsed_time(begin, end))
            if i < self.rounds:
                del result
        result = self.cupy.asnumpy(result)
        self.cupy.get_default_memory_pool().free_all_blocks()
        return statistics.median(times[1:]), result

    def distance(self, image):
        on_device = self.cupy.asarray(image)
        return self.time(lambda: self.ndimage.distance_transform_edt(on_device))

    def label(self, image, connectivity):
        on_device = self.cupy.asarray(image)
        structure = self.cupy.asarray(numpy.ones((3, 3)) if connectivity == 8
                                      else [[0, 1, 0], [1, 1, 1], [0, 1, 0]])
        return self.time(lambda: self.ndimage.label(on_device, structure)[0])


class Npp:
    """NVIDIA's Performance Primitives, on memory allocated by CuPy."""

    name = "NPP"
    largest = {"watershed": 4096}       # larger ones take seconds

    def __init__(self, cupy, rounds):
        """cupy: a usable CuPy."""
        self.array, self.rounds, self.cupy = cupy.cupy, rounds, cupy
        self.library = load("libnppif.so")
        device = self.array.cuda.Device()
        facts, capability = device.attributes, device.compute_capability
        self.context = StreamContext(
            None, device.id, facts["MultiProcessorCount"], facts["MaxThreadsPerMultiProcessor"],
            facts["MaxThreadsPerBlock"], facts["MaxSharedMemoryPerBlock"],
            int(capability[:-1]), int(capability[-1]), 0, 0)

    def check(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            raise RuntimeError(f"{name} failed with status {status}")

    def scratch(self, name, size, kind=ctypes.c_size_t):
        wanted = kind()
        self.check(name, size, ctypes.byref(wanted))
        return self.array.empty(wanted.value, numpy.uint8)

    def distance(self, image):
        """By the parallel banding algorithm, as float32."""
        size = Size(image.shape[1], image.shape[0])
        on_device = self.array.asarray(image)
        out = self.array.empty(image.shape, numpy.float32)
        scratch = self.scratch("nppiDistanceTransformPBAGetBufferSize", size)

        def run():
            self.check("nppiDistanceTransformPBA_8u32f_C1R_Ctx", pointer(on_device),
                       image.shape[1], ctypes.c_ubyte(0), ctypes.c_ubyte(0), None, 0, None, 0,
                       None, 0, pointer(out), 4 * image.shape[1], size, pointer(scratch),
                       self.context)
            return out
        return self.cupy.time(run)

    def watershed(self, image, connectivity):
        size = Size(image.shape[1], image.shape[0])
        original = self.array.asarray(image)
        work = self.array.empty_like(original)
        labels = self.array.zeros(image.shape, numpy.uint32)
        scratch = self.scratch("nppiSegmentWatershedGetBufferSize_8u_C1R", size)

        def run():
            work[...] = original                # it works in place
            self.check("nppiSegmentWatershed_8u_C1IR_Ctx", pointer(work), image.shape[1],
                       pointer(labels), 4 * image.shape[1], norm(connectivity), 0, size,
                       pointer(scratch), self.context)
            return labels
        return self.cupy.time(run)

    def label(self, image, connectivity):
        size = Size(image.shape[1], image.shape[0])
        on_device = self.array.asarray(image)
        out = self.array.empty(image.shape, numpy.uint32)
        scratch = self.scratch("nppiLabelMarkersUFGetBufferSize_32u_C1R", size, ctypes.c_int)

        def run():
            self.check("nppiLabelMarkersUF_8u32u_C1R_Ctx", pointer(on_device), image.shape[1],
                       pointer(out), 4 * image.shape[1], size, norm(connectivity),
                       pointer(scratch), self.context)
            return out
        return self.cupy.time(run)


class Size(ctypes.Structure):
    """NppiSize"""
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


class StreamContext(ctypes.Structure):
    """NppStreamContext"""
    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int), ("units", ctypes.c_int),
                ("threads_per_unit", ctypes.c_int), ("threads_per_block", ctypes.c_int),
                ("shared_bytes", ctypes.c_size_t), ("major", ctypes.c_int),
                ("minor", ctypes.c_int), ("flags", ctypes.c_uint), ("reserved", ctypes.c_int)]


def pointer(array):
    return ctypes.c_void_p(array.data.ptr)


def norm(connectivity):
    """NppiNorm: infinity is 0, L1 is 1."""
    return 0 if connectivity == 8 else 1


def load(name):
    """Loads a library, with or without a version in its name, from the default path or CUDA's."""
    folders = ["", "/usr/local/cuda/lib64/"]
    for path in [folder + name + version for folder in folders
                 for version in ("", ".13", ".12", ".11")]:
        try:
            return ctypes.CDLL(path)
        except OSError as found:
            problem = found
    raise problem


def find(rounds):
    """The available peers, and a remark on each missing one."""
    found, reasons = [], []
    cupy = CuPy(rounds)
    if cupy.reason:
        return found, [f"CuPy: left out: {cupy.reason}", "NPP: left out: it needs CuPy"]
    found.append(cupy)
    try:
        found.append(Npp(cupy, rounds))
    except (OSError, AttributeError, KeyError) as problem:
        reasons.append(f"NPP: left out: {problem}")
    return found, reasons
