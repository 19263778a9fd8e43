# SPDX-License-Identifier: GPL-3.0-or-later
"""The hierarchy of basins: cuts at a depth or to a number of regions."""
import ctypes
import math
import operator

from . import _arrays
from ._context import current
from ._library import byref, lib
from ._operations import Output, check_shape
from ._options import OptionList, python_name

_U32 = _arrays.TYPES["uint32"]


def _count(n_regions):
    count = operator.index(n_regions)
    if not 1 <= count < 1 << 32:
        raise ValueError(f"{count} regions cannot be left; there is at least one, and at most 2^32 − 1")
    return count


def _find_options():
    """Those of the operation that writes the saliency map of a hierarchy."""
    number = 0
    while info := lib.wf_operation_describe(number):
        if python_name(info.contents.options.contents.name.decode()) == "hierarchy":
            return OptionList(info.contents.options)
        number += 1
    raise ImportError("The Wavefront library has no hierarchy of basins.")


class Hierarchy:
    """The order in which the basins of an image are merged, the least significant first.

    It keeps neither the image nor the labels, and never changes. `wavefront.hierarchy()` gives its
    saliency map alone.

    Parameters
    ----------
    image : array of uint8, uint16, float32
        Gray levels.
    labels : array of uint32
        Its basins, 0 for lines between them.
    mask : array of uint8, uint16, float32, uint32, optional
        Nothing is merged across pixels that are 0.
    measure, connectivity, algorithm
        As of `wavefront.hierarchy()`.
    context : Context or None
    """

    _options = _find_options()

    def __init__(self, image, labels, mask=None, *, context=None, **options):
        unknown = set(options) - set(self._options.options)
        if unknown:
            raise TypeError(f"Hierarchy has no argument {', '.join(sorted(unknown))}")
        self._pointer = None
        context = current(context)
        views = _views(context, image=image, labels=labels, mask=mask)
        self._pointer = context.run(
            lib.wf_hierarchy_new_masked, *(_image(views.get(name))
                                           for name in ("image", "labels", "mask")),
            self._options.make(options))

    def __del__(self):
        if getattr(self, "_pointer", None):
            lib.wf_hierarchy_unref(self._pointer)

    @property
    def n_basins(self):
        """How many basins there are."""
        return lib.wf_hierarchy_get_n_basins(self._pointer)

    def depth(self, n_regions):
        """The least depth at which a cut leaves no more than so many regions."""
        return lib.wf_hierarchy_get_depth(self._pointer, _count(n_regions))

    def cut(self, labels, *, depth=None, n_regions=None, mask=None, out=None, context=None):
        """The partition after all basins up to a depth are merged, or until so many are left.

        Parameters
        ----------
        labels : array of uint32
            The basins that the hierarchy was made of.
        depth : float
            In the unit of the measure: gray levels, pixels, or both multiplied.
        n_regions : int
            Instead of a depth.
        mask : array, optional
            That of the hierarchy.
        out : array or None
            Takes the regions; by default an array is made.

        Returns
        -------
        array of uint32, int
            The regions, numbered from 1 in the order of their first basins, and how many they are.
        """
        if (depth is None) == (n_regions is None):
            raise TypeError("a cut needs either depth or n_regions")
        context = current(context)
        regions = (ctypes.c_uint32 * self.n_basins)()
        if depth is not None and math.isnan(depth):
            raise ValueError("the depth of a cut is not a number")
        if depth is not None:
            n = lib.wf_hierarchy_cut_at_depth(self._pointer, depth, regions)
        else:
            n = lib.wf_hierarchy_cut_to_count(self._pointer, _count(n_regions), regions)
        views = _views(context, labels=labels, mask=mask)
        result = Output(out, "out", views["labels"].original, _U32, context)
        context.run(lib.wf_hierarchy_relabel_masked, self._pointer, regions,
                    _image(views["labels"]), _image(views.get("mask")), byref(result.image),
                    outputs=[result])
        return result.finish(), n


def _views(context, **arrays):
    """Views of the arrays that are given, all of one shape."""
    taken = {name: _arrays.take(array, name, context) for name, array in arrays.items()
             if array is not None}
    first = next(iter(taken))
    for name, array in taken.items():
        check_shape(array, name, taken[first], first)
    return {name: _arrays.View(array, name) for name, array in taken.items()}


def _image(view):
    return None if view is None else byref(view.image)
