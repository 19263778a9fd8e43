# SPDX-License-Identifier: GPL-3.0-or-later
"""DLPack: arrays of a GPU between packages, as capsules of Python.

A capsule holds a DLManagedTensor; who takes it renames it, and calls its deleter when done. The
structs are those of dlpack.h, version 0, which all packages give when no newer one is asked for.
"""
import ctypes
import itertools
import sys

import numpy as np

# kDLCUDA and kDLCUDAManaged
CUDA = (2, 13)
_NAME, _USED = b"dltensor", b"used_dltensor"
# DLDataTypeCode
_CODES = {"i": 0, "u": 1, "f": 2}
_BOOL = 6


class _Device(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("number", ctypes.c_int32)]


class _Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Device), ("ndim", ctypes.c_int32),
                ("dtype", _Type), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    pass


_DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _DELETER)]

_api = ctypes.pythonapi
_DESTRUCTOR = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_new = _api.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, _DESTRUCTOR]
_is_valid = _api.PyCapsule_IsValid
_is_valid.restype, _is_valid.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
_get_pointer = _api.PyCapsule_GetPointer
_get_pointer.restype = ctypes.POINTER(_Managed)
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_set_name = _api.PyCapsule_SetName
_set_name.restype, _set_name.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
# the same functions on the address of a capsule that is being destroyed


class Taken:
    """A tensor of another package, given back when this goes."""

    def __init__(self, capsule):
        self._managed = None
        if not _is_valid(capsule, _NAME):
            raise BufferError("the array gave no DLPack tensor")
        managed = _get_pointer(capsule, _NAME)
        _set_name(capsule, _USED)
        self._managed = managed
        tensor = managed.contents.tensor
        self.device = tensor.device.number
        self.shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
        self.dtype = _dtype(tensor.dtype)
        self.strides = None
        if tensor.strides:
            self.strides = tuple(tensor.strides[i] * self.dtype.itemsize for i in range(tensor.ndim))
        self.address = (tensor.data or 0) + tensor.offset

    def __del__(self):
        if self._managed and self._managed.contents.deleter:
            self._managed.contents.deleter(self._managed)


def take(array, stream):
    """The tensor of an array, which waits on our stream for what its package has queued."""
    return Taken(array.__dlpack__(stream=stream))


def _dtype(kind):
    if kind.lanes == 1 and kind.code == _BOOL:
        return np.dtype(bool)
    for letter, code in _CODES.items():
        if kind.lanes == 1 and kind.code == code:
            return np.dtype(f"{letter}{kind.bits // 8}")
    raise TypeError(f"the array has pixels of the DLPack type {kind.code} of {kind.bits} bits")


# What has been given away, by a number, until its deleter is called.
_given = {}
_numbers = itertools.count(1)


@_DELETER
def _delete(managed):
    _given.pop(managed.contents.context, None)


def sweep():
    """Gives back the tensors that nobody has taken: their capsules are known here alone.

    A destructor of the capsule would do so at once, but it would be Python's, and run while the
    exception of who refused the capsule is on its way, which it would replace.
    """
    for number, kept in list(_given.items()):
        # the tuple and the argument
        if sys.getrefcount(kept[-1]) == 2 and _is_valid(kept[-1], _NAME):
            _given.pop(number, None)


def give(array):
    """A capsule with the tensor of a DeviceArray, which lives as long as the tensor is in use."""
    sweep()
    n = array.ndim
    shape = (ctypes.c_int64 * n)(*array.shape)
    strides = (ctypes.c_int64 * n)(*(step // array.dtype.itemsize for step in array.strides))
    kind = _Type(_BOOL if array.dtype == bool else _CODES[array.dtype.kind],
                 8 * array.dtype.itemsize, 1)
    number = next(_numbers)
    managed = _Managed(_Tensor(array.image.data, _Device(CUDA[0], array.device), n, kind,
                               ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64)),
                               ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64)), 0),
                       number, _delete)
    capsule = _new(ctypes.addressof(managed), _NAME, _DESTRUCTOR(0))
    _given[number] = managed, shape, strides, array, capsule
    return capsule
