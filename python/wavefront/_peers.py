# SPDX-License-Identifier: GPL-3.0-or-later
"""What wavefront.skimage and wavefront.ndimage share: levels of all types, boxes, arrays on a GPU.

The library works on uint8, uint16 and float32. Levels of other types are replaced by their ranks
for what depends on their order only, so no level is rounded; that takes a sort of the levels.
"""
import functools
import inspect

import numpy as np

import wavefront

from . import _device

_DIRECT = (np.uint8, np.uint16, np.float32)
# Ranks beyond 16 bits are the bits of float32 from here on, whose order is that of their bits.
_FIRST_BITS, _LAST_BITS = 0x00800000, 0x7f7fffff


def in_main_memory(ours):
    """Makes a function refuse arrays on a GPU, which ours of wavefront takes, if there is one."""
    instead = f"use wavefront.{ours}(), which takes it there, or " * bool(ours)

    def decorate(function):
        names = list(inspect.signature(function).parameters)

        @functools.wraps(function)
        def checked(*args, **kwargs):
            for name, value in [*zip(names, args), *kwargs.items()]:
                if _device.is_on_device(value):
                    raise TypeError(f"{function.__name__}() takes arrays in main memory, and {name} "
                                    f"is on a GPU: {instead}copy it to main memory, by its get(), or "
                                    "cpu() in PyTorch")
            return function(*args, **kwargs)

        return checked
    return decorate


def ranked(*images):
    """The images as the library takes them, in the same order of levels, and the levels, or None."""
    kinds = {image.dtype.type for image in images}
    if len(kinds) == 1 and kinds <= {*_DIRECT, np.bool_}:
        return [image.view(np.uint8) if image.dtype == bool else image for image in images], None
    levels, ranks = np.unique(np.concatenate([image.ravel() for image in images]),
                              return_inverse=True)
    if len(levels) and levels[-1] != levels[-1]:
        raise ValueError("NaN has no place in the order of levels")
    if len(levels) > _LAST_BITS - _FIRST_BITS:
        raise NotImplementedError(f"{len(levels)} different levels are more than float32 can order")
    if len(levels) <= 1 << 16:
        ranks = ranks.ravel().astype(np.uint16)
    else:
        ranks = (ranks.ravel() + _FIRST_BITS).astype(np.uint32).view(np.float32)
    parts = np.split(ranks, np.cumsum([image.size for image in images])[:-1])
    return [part.reshape(image.shape) for part, image in zip(parts, images)], levels


def unranked(result, levels, dtype):
    """Levels for ranks, in the type that the function gives."""
    if levels is None:
        return result.view(dtype) if dtype == np.bool_ else result.astype(dtype, copy=False)
    if result.dtype == np.float32:
        result = result.view(np.uint32) - np.uint32(_FIRST_BITS)
    return levels[result.astype(np.intp)].astype(dtype, copy=False)


def exact_levels(image):
    """The same levels in a type of the library; None if float32 cannot hold them."""
    if image.dtype == np.bool_:
        return image.view(np.uint8)
    if image.dtype.type in _DIRECT:
        return image
    with np.errstate(over="ignore"):
        found = image.astype(np.float32)
    return found if np.array_equal(found, image) else None


def near_levels(image):
    """Levels in a type of the library, but for a constant that is added to all.

    Those that float32 cannot hold are rounded, to a part of their range and not of their size.
    """
    found = exact_levels(image)
    if found is not None:
        return found
    lowest, highest = float(image.min()), float(image.max())
    found = (image - (lowest + (highest - lowest) / 2)).astype(np.float32)
    if not np.isfinite(found).all():
        raise NotImplementedError("levels that are not finite, or beyond the range of float32")
    return found


def check_axes(array):
    if not 1 <= array.ndim <= 3:
        raise NotImplementedError(f"images have 1 to 3 axes here, not {array.ndim}")


def boxes_of(labels):
    """The labels of a label image of uint32, and the part of it that each lies in."""
    found = wavefront.measure(labels, measures="bounding-box")
    numbers = found["label"].tolist()
    sides = [("first", "slices"), ("top", "height"), ("left", "width")][-labels.ndim:]
    axes = []
    for start, size in sides:
        if start in found:
            starts = found[start].tolist()
            axes.append([slice(a, a + b) for a, b in zip(starts, found[size].tolist())])
        else:
            axes.append([slice(0, 1)] * len(numbers))   # of a stack with one slice
    return numbers, list(zip(*axes))
