# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays in the memory of a GPU: those of other packages, and the library's own.

Other packages' arrays come by DLPack, whose producer makes our stream wait for what it has queued,
or by __cuda_array_interface__. Results are complete when a call returns, so what takes them need
not wait. The library compares addresses with the memory of the GPU and refuses what is not there.
"""
import math

import numpy as np

from . import _dlpack
from ._library import Image, byref, call, lib


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
            tensor = _dlpack.take(value, context.stream)
            return cls._view(what, tensor.shape, tensor.dtype, tensor.strides, tensor.device,
                             tensor.address, tensor)
        found = value.__cuda_array_interface__
        address, read_only = found["data"]
        if read_only and is_output:
            raise ValueError(f"{what} is read-only")
        dtype = np.dtype(found["typestr"])
        return cls._view(what, found["shape"], dtype, found.get("strides"), 0, address, value)

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

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (self.image.data, False),
                "strides": self.strides, "stream": None, "version": 3}

    def __dlpack_device__(self):
        return _dlpack.CUDA[0], self.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
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
