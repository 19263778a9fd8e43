# SPDX-License-Identifier: GPL-3.0-or-later
"""Thresholds that follow from the levels of an image."""
from . import _arrays, _device
from ._context import current
from ._library import byref, c_double, c_int, call, lib


def find_threshold(image, method="otsu", context=None):
    """The level above which pixels are foreground, from how often each level occurs.

    Parameters
    ----------
    image : array of uint8, uint16, float32
        Gray levels. An array on a GPU is copied into main memory.
    method : str
        "otsu" has the least variance within both parts, "li" the least cross entropy, "triangle" is
        farthest below a line from the peak to the end of the longer tail; of "30%" so many of the
        pixels do not lie above it.
    context : Context or None
        What copies an array on a GPU.

    Returns
    -------
    float
        For `threshold=` of the operations.
    """
    number, percent = c_int(), c_double()
    if not lib.wf_threshold_parse(method.encode(), byref(number), byref(percent)):
        raise ValueError(f"method is {method!r}; it must be otsu, li, triangle, or a percentage as 30%")
    context = current(context)
    array = _arrays.take(image, "image", context)
    if isinstance(array, _device.DeviceArray):
        array = array.get(context)
    view = _arrays.View(array, "image")
    histogram = call(lib.wf_histogram_new, byref(view.image))
    try:
        return lib.wf_histogram_find_threshold(histogram, number.value, percent.value)
    finally:
        lib.wf_histogram_free(histogram)
