# SPDX-License-Identifier: GPL-3.0-or-later
"""Packages whose arrays are in the memory of a GPU, as the tests use them.

CuPy and PyTorch need a real GPU. With the CUDA module that is compiled for the CPU, whose streams
have no effect, a package of ours stands for them: what is queued on its streams is done when the
library follows that stream.
"""
import ctypes
import importlib
import time

import numpy as np
import wavefront
from wavefront import _library

# What is queued on a stream sleeps first, so that whoever does not wait reads what was there before.
SLEEP = 0.3


class ByInterface:
    """An array of a package that has only __cuda_array_interface__."""

    def __init__(self, array, shape=None, strides=None, read_only=False, **more):
        self.array = array
        found = array.__cuda_array_interface__
        self.__cuda_array_interface__ = {
            "shape": shape or found["shape"], "typestr": found["typestr"], "version": 3,
            "data": (found["data"][0], read_only), "strides": strides, **more}


class ByDlpack:
    """An array of a package that has only DLPack."""

    def __init__(self, array):
        self.array, self.streams = array, []

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        return self.array.__dlpack__(stream=stream)


class StandIn:
    """Of the library's own arrays."""

    name = "a stand-in"

    def __init__(self):
        self.n_streams, self.queues, self.followed = 0, {}, {}
        set_stream = _library.lib.wf_context_set_stream

        def follow(context, stream):
            self.followed[context] = stream
            set_stream(context, stream)

        _library.lib.wf_context_set_stream = follow
        for name in "wf_image_copy", "wf_operation_run":
            setattr(_library.lib, name, self._after_queue(getattr(_library.lib, name)))

    def _after_queue(self, function):
        def run(context, *arguments):
            for work in self.queues.pop(self.followed.get(context), ()):
                work()
            return function(context, *arguments)
        return run

    def count_gpus(self):
        return 1

    def put(self, pixels, device=0):
        return wavefront.to_device(pixels, device)

    def get(self, array):
        return array.get()

    def take(self, result):
        return result

    def make_stream(self):
        self.n_streams += 1
        return 1000 + self.n_streams

    def number(self, stream):
        return stream

    def change(self, array, pixels, stream):
        """Queues on a stream that the array gets other pixels."""
        self.queues.setdefault(stream, []).append(
            lambda: ctypes.memmove(array.image.data, pixels.ctypes.data, pixels.nbytes))

    def finish(self, stream):
        for work in self.queues.pop(stream, ()):
            work()


class Cupy:
    name = "CuPy"

    def __init__(self):
        self.cupy = importlib.import_module("cupy")
        self.cupy.cuda.runtime.getDevice()
        self.kept = []      # what streams still read

    def count_gpus(self):
        return self.cupy.cuda.runtime.getDeviceCount()

    def put(self, pixels, device=0):
        with self.cupy.cuda.Device(device):
            array = self.cupy.asarray(pixels)
            self.cupy.cuda.get_current_stream().synchronize()
        return array

    def get(self, array):
        return self.cupy.asnumpy(array)

    def take(self, result):
        return self.cupy.asarray(result)

    def make_stream(self):
        return self.cupy.cuda.Stream(non_blocking=True)

    def number(self, stream):
        return stream.ptr

    def change(self, array, pixels, stream):
        other = self.put(pixels)
        stream.launch_host_func(time.sleep, SLEEP)
        array.data.copy_from_device_async(other.data, array.nbytes, stream)
        self.kept.append(other)

    def finish(self, stream):
        stream.synchronize()


class Torch:
    name = "PyTorch"

    def __init__(self):
        self.torch = importlib.import_module("torch")
        if not self.torch.cuda.is_available():
            raise ImportError("PyTorch has no GPU")
        self.kept = []      # what streams still read

    def count_gpus(self):
        return self.torch.cuda.device_count()

    def put(self, pixels, device=0):
        array = self.torch.from_numpy(pixels.copy()).to(f"cuda:{device}")
        self.torch.cuda.current_stream(device).synchronize()
        return array

    def get(self, array):
        return array.cpu().numpy()

    def take(self, result):
        return self.torch.from_dlpack(result)

    def make_stream(self):
        return self.torch.cuda.Stream()

    def number(self, stream):
        return stream.cuda_stream

    def change(self, array, pixels, stream):
        other = self.put(pixels)
        with self.torch.cuda.stream(stream):
            # cycles of the GPU's clock, which has less than 2.5 GHz
            self.torch.cuda._sleep(int(SLEEP * 2.5e9))
            array.copy_(other)
        self.kept.append(other)

    def finish(self, stream):
        stream.synchronize()


def real_packages():
    """Those that are here and have a GPU."""
    for kind in Cupy, Torch:
        try:
            yield kind()
        except Exception as problem:   # a package of another version of CUDA has its own errors
            print(f"# {kind.name} cannot be used: {problem}".replace("\n", " "))
