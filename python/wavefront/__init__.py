# SPDX-License-Identifier: GPL-3.0-or-later
"""Morphological reconstruction, distance maps and the watershed, on arrays of NumPy and of GPUs.

Every operation of the library is a function of this module; `help(wavefront.watershed)` has its
arguments. Arrays have 2 or 3 axes, (y, x) or (z, y, x), and are of uint8, uint16 or float32, labels
of uint32. They are worked on where they lie.

>>> import numpy, wavefront
>>> image = numpy.array([[0, 9, 0, 9], [9, 9, 0, 9]], numpy.uint8)
>>> labels, n = wavefront.label(image)
>>> n
2
"""
from . import _operations, _regions
from ._context import Context, Report
from ._device import DeviceArray, to_device
from ._devices import Device, devices
from ._hierarchy import Hierarchy
from ._library import (Cancelled, DeviceError, Error, InvalidError, LabelsError, OutOfMemoryError,
                       RankError, UnsupportedError, lib, text)
from ._threshold import find_threshold

__version__ = text(lib.wf_version())

_functions = {**_operations.functions(), **_regions.functions()}
globals().update(_functions)

__all__ = ["Cancelled", "Context", "Device", "DeviceArray", "DeviceError", "Error", "Hierarchy",
           "InvalidError", "LabelsError", "OutOfMemoryError", "RankError", "Report", "UnsupportedError",
           "devices", "find_threshold", "to_device", *_functions]

del lib, text
