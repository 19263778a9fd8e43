# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays as images: views where the library's strides allow it, else one copy.

The last axis of an array is x, the one before it y, the first of three z. A view needs pixels that
lie beside each other along x, rows that follow each other at whole pixels, and slices likewise;
columns apart, reversed axes, other byte orders and unaligned pixels need a copy, which is written
back if it is an output.
"""
import numpy as np

from . import _device
from ._library import Image, byref, call, lib

# WfType
TYPES = {"uint8": 1, "uint16": 2, "float32": 3, "uint32": 4, "uint64": 5, "float64": 6}
DTYPES = {number: np.dtype(name) for name, number in TYPES.items()}


def type_names(types):
    """The dtypes of a set of types, a bit for each."""
    return [name for name, number in TYPES.items() if types >> number & 1]


def take(value, what, context):
    """An argument as an array that stays where it is: of NumPy, or of a device."""
    if _device.is_on_device(value):
        return _device.DeviceArray.from_array(value, what, context)
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise TypeError(f"{what} has masked pixels, which the library knows nothing of")
    array = np.asanyarray(value)
    if not 1 <= array.ndim <= 3:
        raise ValueError(f"{what} has {array.ndim} axes; it must have 1 to 3")
    type_of(array.dtype, what)
    return array


def take_output(value, what, type_number, context):
    """The same of an array that takes a result of this type."""
    if _device.is_on_device(value):
        array = _device.DeviceArray.from_array(value, what, context, is_output=True)
    elif isinstance(value, np.ndarray):
        array = value
        if not array.flags.writeable:
            raise ValueError(f"{what} is read-only")
    else:
        raise TypeError(f"{what} is no array but a {type(value).__name__}")
    # an output may be of any type of the operation, which the library looks at; where there is one
    # type only, this names it in the words of NumPy
    if array.dtype == np.bool_ or array.dtype.name not in TYPES:
        raise TypeError(f"{what} has pixels of type {array.dtype}; "
                        f"they must be {DTYPES[type_number]}")
    return array


def type_of(dtype, what):
    """The library's type of a dtype; bool counts as uint8."""
    if dtype == np.bool_:
        return TYPES["uint8"]
    number = TYPES.get(dtype.name)
    if number is None:
        raise TypeError(f"{what} has pixels of type {dtype}; the library has "
                        f"{', '.join(TYPES)} and bool")
    return number


def find_strides(shape, strides, size):
    """Rows and slices apart, in pixels; None where a view cannot describe the array."""
    strides = (0,) * (3 - len(shape)) + tuple(strides)
    depth, height, width = (1,) * (3 - len(shape)) + tuple(shape)
    if width > 1 and strides[2] != size:
        return None
    row = strides[1] if height > 1 else width * size
    if row % size or row < width * size:
        return None
    between = strides[0] if depth > 1 else row * height
    if between % size or between < row * (height - 1) + width * size:
        return None
    return row // size, between // size


class View:
    """A WfImage of an array, and what keeps its pixels alive."""

    def __init__(self, array, what, is_output=False):
        self.original = self.pixels = array
        if isinstance(array, _device.DeviceArray):
            self.image = array.image
            return
        self.image = Image()
        strides = None
        if array.flags.aligned and array.dtype.isnative:
            strides = find_strides(array.shape, array.strides, array.itemsize)
        if strides is None:
            native = array.dtype.newbyteorder("=")
            self.pixels = np.empty(array.shape, native) if is_output else \
                np.array(array, native, order="C", subok=False)
            strides = find_strides(array.shape, self.pixels.strides, array.itemsize)
        shape = (1,) * (3 - array.ndim) + array.shape
        call(lib.wf_image_init, byref(self.image), type_of(array.dtype, what), shape[2], shape[1],
             shape[0], self.pixels.ctypes.data)
        self.image.row_stride, self.image.slice_stride = strides

    def write_back(self):
        """Brings what was written into a copy to where it was wanted."""
        if self.pixels is not self.original:
            self.original[...] = self.pixels


def allocate(model, type_number, context):
    """An array for an output beside its first input: of the same shape, where that lies."""
    if isinstance(model, _device.DeviceArray):
        return _device.DeviceArray.allocate(model.shape, DTYPES[type_number], model.device, context)
    return np.empty(model.shape, DTYPES[type_number])


def wrap(model, array):
    """An output as an array of the class of the first input, as NumPy's functions give it."""
    if type(model) is np.ndarray or not isinstance(model, np.ndarray):
        return array
    return model.__array_wrap__(array)
