# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays in the memory of a GPU: those of other packages, and the library's own.

Other packages' arrays come by DLPack, whose producer makes our stream wait for what it has queued,
or by __cuda_array_interface__, whose stream is waited for here. Results are complete when a call
returns, so what takes them need not wait. The library compares addresses with the memory of the GPU
and refuses what is not there.
"""
import math

import numpy as np

from . import _dlpack, _streams
from ._devices import count_gpus
from ._library import Image, InvalidError, byref, call, lib


def is_on_device(value):
    """Whether an argument is an array in the memory of a GPU."""
    if isinstance(value, np.ndarray):
        return False
    if isinstance(value, DeviceArray) or hasattr(value, "__cuda_array_interface__"):
        return True
    place = getattr(value, "__dlpack_device__", None)
    return place is not None and place()[0] in _dlpack.CUDA


class DeviceArray:
    """An array in the memory of a GPU.

    CuPy, PyTorch, Numba and others take it without a copy by `__dlpack__` or
    `__cuda_array_interface__`. Operations take it, and give one for it.

    Attributes
    ----------
    shape : tuple of int
    dtype : numpy.dtype
    strides : tuple of int
        In bytes.
    device : int
        The number of the GPU.
    """

    def __init__(self, shape, dtype, strides, device, image, keep=None, is_own=False):
        self.shape, self.dtype, self.strides = tuple(shape), np.dtype(dtype), tuple(strides)
        self.device, self.image = device, image
        self._keep, self._is_own = keep, is_own

    def __del__(self):
        if getattr(self, "_is_own", False):
            lib.wf_image_clear(byref(self.image))

    def __repr__(self):
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, device={self.device})"

    @property
    def ndim(self):
        return len(self.shape)

    @classmethod
    def allocate(cls, shape, dtype, device, context):
        """An array of the library's own memory; its pixels are not set."""
        from ._arrays import TYPES
        _dlpack.sweep()
        dtype = np.dtype(dtype)
        depth, height, width = (1,) * (3 - len(shape)) + tuple(shape)
        image = Image()
        context.run(lib.wf_image_allocate_on, byref(image), device + 1, TYPES[dtype.name], width,
                    height, depth)
        return cls(shape, dtype, _packed(shape, dtype), device, image, is_own=True)

    @classmethod
    def from_array(cls, value, what, context, is_output=False):
        """A view of another package's array."""
        if isinstance(value, cls):
            return value
        if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
            tensor = _dlpack.take(value, _streams.followed(context))
            return cls._view(what, tensor.shape, tensor.dtype, tensor.strides, tensor.device,
                             tensor.address, tensor)
        found = value.__cuda_array_interface__
        address, read_only = found["data"]
        if read_only and is_output:
            raise ValueError(f"{what} is read-only")
        stream = _streams.check(found.get("stream"))
        view = cls._view(what, found["shape"], np.dtype(found["typestr"]), found.get("strides"), 0,
                         address, value)
        view._locate(context)
        # every operation waits for the context's stream
        if stream not in (None, _streams.followed(context)):
            view._copy_first_pixel(context, stream)
        return view

    @classmethod
    def _view(cls, what, shape, dtype, strides, device, address, keep):
        from ._arrays import find_strides, type_of
        if not 1 <= len(shape) <= 3:
            raise ValueError(f"{what} has {len(shape)} axes; it must have 1 to 3")
        strides = strides or _packed(shape, dtype)
        apart = find_strides(shape, strides, dtype.itemsize)
        if apart is None:
            raise ValueError(f"{what} has strides of {strides} bytes; on a GPU the pixels of a row "
                             "must lie beside each other")
        depth, height, width = (1,) * (3 - len(shape)) + tuple(shape)
        image = Image()
        call(lib.wf_image_init, byref(image), type_of(dtype, what), width, height, depth, address)
        image.row_stride, image.slice_stride = apart
        image.memory = device + 1
        return cls(shape, dtype, strides, device, image, keep)

    def _locate(self, context):
        """Finds the GPU; managed memory is on all, so on that of the context."""
        if count_gpus() < 2:
            return
        for number in sorted(range(count_gpus()), key=lambda n: f"cuda:{n}" != context.device):
            self.device, self.image.memory = number, number + 1
            try:
                self._copy_first_pixel(context, _streams.LEGACY)
                return
            except InvalidError as refusal:
                problem = refusal
        raise problem

    def _copy_first_pixel(self, context, stream):
        """Returns when all is done that was queued on a stream; refuses what is not on the GPU."""
        first, target = Image(), Image()
        pixel = np.empty(1, self.dtype)
        for image, address in (first, self.image.data), (target, pixel.ctypes.data):
            call(lib.wf_image_init, byref(image), self.image.type, 1, 1, 1, address)
        first.memory = self.image.memory
        context.run(lib.wf_image_copy, byref(first), byref(target), stream=stream)

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.image.data, False),
                "strides": self.strides, "stream": None, "version": 3}

    def __dlpack_device__(self):
        return _dlpack.CUDA[0], self.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        # -1: the consumer waits for nothing
        _streams.check(None if stream == -1 else stream)
        if copy:
            raise BufferError("a DeviceArray gives its pixels without a copy only")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError(f"the pixels are in the memory of cuda:{self.device}")
        return _dlpack.give(self)

    def get(self, context=None):
        """The pixels as an array in main memory."""
        from ._context import current
        array = np.empty(self.shape, self.dtype)
        _copy(self, array, current(context))
        return array


def to_device(array, device=0, context=None):
    """An array in the memory of a GPU with the pixels of an array.

    Parameters
    ----------
    array : array
        In main memory.
    device : int
        The number of the GPU, as in the name cuda:0.
    context : Context or None
        What keeps the memory on the GPU.

    Returns
    -------
    DeviceArray
    """
    from ._arrays import DTYPES, take, type_of
    from ._context import current
    context = current(context)
    taken = take(array, "array", context)
    dtype = DTYPES[type_of(taken.dtype, "array")]
    found = DeviceArray.allocate(taken.shape, dtype, device, context)
    _copy(taken, found, context)
    return found


def _copy(source, target, context):
    from ._arrays import View
    source, target = View(source, "array"), View(target, "array", is_output=True)
    context.run(lib.wf_image_copy, byref(source.image), byref(target.image))


def _packed(shape, dtype):
    return tuple(dtype.itemsize * math.prod(shape[i + 1:]) for i in range(len(shape)))
