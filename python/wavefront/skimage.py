# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions with the names and arguments of scikit-image, on libwavefront.

`from wavefront.skimage import watershed` in place of `from skimage.segmentation import watershed`;
docs/python.md lists the differences. An argument that the library has no counterpart for raises
NotImplementedError; none is ignored. Levels may be of any type (_peers.py).
"""
import math
import warnings

import numpy as np

import wavefront

from . import _neighbors
from ._neighbors import connectivity_of, neighborhood, of_library
from ._peers import boxes_of, check_axes, in_main_memory, near_levels, ranked, unranked
from ._regionprops import regionprops_table
from ._relabel import LabelMap, relabel_sequential
from ._trees import open_by_tree
from .ndimage import binary_fill_holes, distance_transform_cdt, distance_transform_edt

__all__ = ["LabelMap", "area_closing", "area_opening", "binary_fill_holes", "clear_border",
           "distance_transform_cdt", "distance_transform_edt", "expand_labels", "find_boundaries",
           "h_maxima", "h_minima", "label", "local_maxima", "local_minima", "reconstruction",
           "regionprops_table", "relabel_sequential", "remove_small_holes", "remove_small_objects",
           "watershed"]


# ---------------------------------------------------------------- skimage.morphology

@in_main_memory("reconstruct")
def reconstruction(seed, mask, method="dilation", footprint=None, offset=None):
    """skimage.morphology.reconstruction"""
    seed, mask = np.asarray(seed), np.asarray(mask)
    if seed.shape != mask.shape:
        raise ValueError(f"seed has the shape {seed.shape}, but mask {mask.shape}")
    if method not in ("dilation", "erosion"):
        raise ValueError(f"Reconstruction method can be one of 'erosion' or 'dilation'. "
                         f"Got '{method}'.")
    if method == "dilation" and np.any(seed > mask):
        raise ValueError("Intensity of seed image must be less than that of the mask image for "
                         "reconstruction by dilation.")
    if method == "erosion" and np.any(seed < mask):
        raise ValueError("Intensity of seed image must be greater than that of the mask image for "
                         "reconstruction by erosion.")
    check_axes(seed)
    dtype = np.result_type(seed.dtype, mask.dtype)
    found = _reconstruct(seed.astype(dtype, copy=False), mask.astype(dtype, copy=False), method,
                         neighborhood(footprint, seed.shape, _center(footprint, offset, seed.ndim)))
    if np.issubdtype(dtype, np.floating):
        return found.astype(np.result_type(dtype, np.float32), copy=False)
    return found.astype(np.float64)


def _center(footprint, offset, n):
    """The place of a footprint's center, or None for its middle."""
    if offset is None:
        return None
    offset = np.asarray(offset)
    if offset.shape != (n,):
        raise ValueError(f"offset has the shape {offset.shape}; it must be ({n},)")
    sides = np.shape(footprint) or (3,) * n
    if any(not 0 <= place < side for place, side in zip(offset, sides)):
        raise ValueError(f"the offset {offset} is outside the footprint of {sides}")
    return offset


def _reconstruct(seed, mask, method, neighbors):
    """Of two images of one type, of which it is."""
    (ranks, limits), levels = ranked(seed, mask)
    found = _neighbors.reconstruct(limits, ranks, method, neighbors)
    return unranked(found, levels, mask.dtype)


@in_main_memory("h_maxima")
def h_maxima(image, h, footprint=None):
    """skimage.morphology.h_maxima"""
    return _h_extrema(np.asarray(image), h, footprint, "dilation", -1)


@in_main_memory("h_minima")
def h_minima(image, h, footprint=None):
    """skimage.morphology.h_minima"""
    return _h_extrema(np.asarray(image), h, footprint, "erosion", 1)


def _h_extrema(image, h, footprint, method, sign):
    """Where reconstruction from the image, moved by h, comes no nearer to it than h."""
    check_axes(image)
    neighbors = neighborhood(footprint, image.shape)
    is_whole = image.dtype.kind in "iu"
    if image.dtype == bool:
        image = image.view(np.uint8)
    if h <= 0:
        raise ValueError(f"h is {h}; for 0 there are local_maxima() and local_minima()")
    if image.size == 0 or h > image.max().item() - image.min().item():
        return np.zeros(image.shape, np.uint8)
    if image.dtype.kind == "f":
        # so that rounding puts no seed nearer than it is
        moved = np.nextafter((image + sign * h).astype(image.dtype), image.dtype.type(sign * np.inf))
        found = _reconstruct(moved, image, method, neighbors)
        return (sign * (found - image) >= h).view(np.uint8)
    if is_whole and h != math.ceil(h):
        warnings.warn("possible precision loss converting image and h to one type: for whole numbers "
                      f"h={h} counts as {math.ceil(h)}", stacklevel=4)
    # whole numbers have no other heights; a level so near to the end of the range that its seed
    # would lie beyond is nearer than h to the farthest level, and has no extremum
    h, limits = math.ceil(h), np.iinfo(image.dtype)
    inner = np.maximum(image, limits.min + h) if sign < 0 else np.minimum(image, limits.max - h)
    moved = (inner.astype(object) + sign * h).astype(image.dtype) if h > limits.max else \
        inner + image.dtype.type(h) if sign > 0 else inner - image.dtype.type(h)
    found = _reconstruct(moved, image, method, neighbors)
    return ((found == moved) & (inner == image)).view(np.uint8)


def _extrema(image, footprint, connectivity, indices, allow_borders, function, name):
    image = np.asarray(image)
    check_axes(image)
    if image.dtype == np.float16:
        raise TypeError("image is of float16 which is not supported; image.astype(np.float32) is")
    if np.ndim(footprint) == image.ndim and any(side != 3 for side in np.shape(footprint)):
        raise ValueError(f"the dimension size of a footprint is 3, not {np.shape(footprint)}")
    if not allow_borders and min(image.shape) < 3:
        warnings.warn(f"{name} can't exist inside an image with any dimension smaller 3 whose borders "
                      "are not allowed", stacklevel=4)
    neighbors = neighborhood(connectivity if footprint is None else footprint, image.shape)
    if image.size == 0 or image.min() == image.max():
        # scikit-image finds no extremum in an image without any
        found = np.zeros(image.shape, bool)
    else:
        (ranks,), _ = ranked(image)
        found = function(ranks, neighbors)
        if not allow_borders:
            labels, _ = _neighbors.label(found, neighbors)
            found &= ~np.isin(labels, np.unique(labels[_rim(image.shape, 1)]))
    return np.nonzero(found) if indices else found


def _rim(shape, width):
    """The pixels that are not further than so many from the outside."""
    rim = np.ones(shape, bool)
    rim[(slice(width, -width),) * len(shape)] = False
    return rim


@in_main_memory("regional_maxima")
def local_maxima(image, footprint=None, connectivity=None, indices=False, allow_borders=True):
    """skimage.morphology.local_maxima"""
    return _extrema(image, footprint, connectivity, indices, allow_borders,
                    _neighbors.regional_maxima, "maxima")


@in_main_memory("regional_minima")
def local_minima(image, footprint=None, connectivity=None, indices=False, allow_borders=True):
    """skimage.morphology.local_minima"""
    return _extrema(image, footprint, connectivity, indices, allow_borders,
                    _neighbors.regional_minima, "minima")


@in_main_memory("area_opening")
def area_opening(image, area_threshold=64, connectivity=1, parent=None, tree_traverser=None):
    """skimage.morphology.area_opening"""
    return _by_area(image, area_threshold, connectivity, wavefront.area_opening, parent,
                    tree_traverser)


@in_main_memory("area_closing")
def area_closing(image, area_threshold=64, connectivity=1, parent=None, tree_traverser=None):
    """skimage.morphology.area_closing"""
    return _by_area(image, area_threshold, connectivity, wavefront.area_closing, parent,
                    tree_traverser)


def _by_area(image, area, connectivity, function, parent, tree_traverser):
    image = np.asarray(image)
    check_axes(image)
    if parent is not None and tree_traverser is not None:
        # the order of the pixels is that of their depths
        return open_by_tree(image, area, parent)
    (ranks,), levels = ranked(image)
    found = function(ranks, area=area, connectivity=of_library(connectivity_of(connectivity, image.shape)))
    return unranked(found, levels, image.dtype)


def _check_labels(image):
    if image.dtype != bool and image.dtype.kind not in "iu":
        raise TypeError(f"labels are bool or whole numbers, not {image.dtype}")
    check_axes(image)


@in_main_memory("remove_small")
def remove_small_objects(ar, min_size=64, connectivity=1, *, out=None):
    """skimage.morphology.remove_small_objects"""
    image = np.asarray(ar)
    _check_labels(image)
    if out is None:
        out = image.copy()
    else:
        out[...] = image
    if min_size == 0 or image.size == 0:
        return out
    if out.dtype == bool:
        out[...] = _neighbors.opening(out, min_size, connectivity_of(connectivity, image.shape))
        return out
    if out.min() < 0:
        raise ValueError("labels must not be negative")
    if out.max() >= 1 << 32:
        raise NotImplementedError("labels beyond 32 bits")
    if out.max() == 1:
        warnings.warn("Only one label was provided: did you mean to use a boolean array?",
                      stacklevel=3)
    out[wavefront.remove_small(out.astype(np.uint32), area=min_size).labels == 0] = 0
    return out


@in_main_memory("area_closing")
def remove_small_holes(ar, area_threshold=64, connectivity=1, *, out=None):
    """skimage.morphology.remove_small_holes"""
    image = np.asarray(ar)
    _check_labels(image)
    if image.dtype != bool:
        warnings.warn("Labels are returned as a boolean array: did you mean to use a boolean array?",
                      stacklevel=3)
    if out is None:
        out = np.empty(image.shape, bool)
    elif out.dtype != bool:
        raise TypeError(f"out must be bool, not {out.dtype}")
    out[...] = image != 0
    if area_threshold and image.size:
        out[...] = ~_neighbors.opening(~out, area_threshold,
                                       connectivity_of(connectivity, image.shape))
    return out


# ---------------------------------------------------------------- skimage.measure

@in_main_memory("label")
def label(label_image, background=None, return_num=False, connectivity=None):
    """skimage.measure.label"""
    image = np.asarray(label_image)
    check_axes(image)
    neighbors = connectivity_of(connectivity, image.shape)
    background = 0 if background is None else background
    if image.dtype == bool or image.size == 0:
        labels, n = _label_marks(image != background, neighbors)
    else:
        labels, n = _label_values(image, background, neighbors)
    return (labels, n) if return_num else labels


def _label_marks(marks, neighbors):
    if marks.size == 0:
        return np.zeros(marks.shape, np.int32), 0
    found, n = _neighbors.label(marks, neighbors)
    return found.astype(np.int32), n


def _label_values(image, background, neighbors):
    """Pixels of different values are in different components: each value in the box around it."""
    values, ranks = np.unique(image, return_inverse=True)
    kept = np.flatnonzero(values != background)
    if len(kept) <= 1:
        return _label_marks(image != background, neighbors)
    if isinstance(neighbors, _neighbors.Steps):
        found, n = _neighbors.components(image, image != background, neighbors)
        return found.astype(np.int32), n
    numbers = np.zeros(len(values), np.uint32)
    numbers[kept] = np.arange(1, len(kept) + 1)
    numbers = numbers[ranks].reshape(image.shape)
    labels, n = np.zeros(image.shape, np.int32), 0
    for value, box in zip(*boxes_of(numbers)):
        # the box of a plane of a stack has the neighbors of an image
        part = numbers[box] == value
        flat = {6: 4, 26: 8}.get(neighbors, neighbors) if part.ndim < 3 or len(part) == 1 else neighbors
        found, more = wavefront.label(part, connectivity=flat)
        labels[box] += np.where(found, found.astype(np.int32) + n, 0)
        n += more
    # in the raster order of the first pixels of all
    found, first = np.unique(labels, return_index=True)
    first = first[found > 0]
    order = np.zeros(n + 1, np.int32)
    order[np.argsort(first) + 1] = np.arange(1, n + 1)
    return order[labels], n


# ---------------------------------------------------------------- skimage.segmentation

@in_main_memory("watershed")
def watershed(image, markers=None, connectivity=1, offset=None, mask=None, compactness=0,
              watershed_line=False):
    """skimage.segmentation.watershed"""
    image = np.asarray(image)
    check_axes(image)
    connectivity = 1 if connectivity is None else connectivity
    neighbors = of_library(neighborhood(connectivity, image.shape))
    if offset is not None and list(offset) != [1] * image.ndim:
        raise NotImplementedError("an offset of the footprint")
    if compactness and watershed_line:
        raise NotImplementedError("lines between compact basins")
    flooded = np.ones(image.shape, bool) if mask is None else np.asarray(mask, bool)
    if flooded.shape != image.shape:
        raise ValueError(f"mask has the shape {flooded.shape}, but image {image.shape}")
    if markers is None:
        minima = local_minima(image, connectivity=connectivity) & flooded
        markers = _label_marks(minima, neighbors)[0]
    elif np.ndim(markers) == 0:
        markers = _regular_markers(image.shape, int(markers * image.size / max(flooded.sum(), 1)))
    markers = np.asarray(markers)
    if markers.shape != image.shape:
        raise ValueError(f"markers has the shape {markers.shape}, but image {image.shape}")
    markers = np.where(flooded, markers, np.zeros((), markers.dtype))
    names, numbers = np.unique(markers, return_inverse=True)
    if image.size == 0 or not names.any():
        return markers
    # from 1 on, with 0 where there is no marker
    order = np.zeros(len(names), np.uint32)
    order[names != 0] = np.arange(1, np.count_nonzero(names) + 1)
    levels = near_levels(image) if compactness else ranked(image)[0][0]
    found = wavefront.watershed(levels, order[numbers].reshape(image.shape),
                                None if mask is None else flooded, connectivity=neighbors,
                                lines=bool(watershed_line), compactness=compactness).labels
    return np.concatenate([np.zeros(1, names.dtype), names[names != 0]])[found]


def _regular_markers(shape, n):
    """About n markers on a grid whose sides are as equal as the image allows."""
    steps = [0.0] * len(shape)
    left, size = len(shape), math.prod(shape)
    for axis in np.argsort(shape, kind="stable"):
        # an axis that is shorter than a step has one marker, and the others share the rest
        step = max((size / max(n, 1)) ** (1 / left), 1.0)
        steps[axis] = min(step, shape[axis])
        if step > shape[axis]:
            size //= shape[axis]
            left -= 1
    places = tuple(slice(int(step // 2), None, round(step)) for step in steps)
    markers = np.zeros(shape, int)
    grid = markers[places]
    grid[...] = np.arange(1, grid.size + 1).reshape(grid.shape)
    return markers


@in_main_memory("clear_border")
def clear_border(labels, buffer_size=0, bgval=0, mask=None, *, out=None):
    """skimage.segmentation.clear_border"""
    image = np.asarray(labels)
    check_axes(image)
    if mask is None:
        if any(buffer_size >= side for side in image.shape):
            raise ValueError(f"a border of {buffer_size + 1} pixels leaves nothing of {image.shape}")
        rim = _rim(image.shape, buffer_size + 1)
    else:
        mask = np.asarray(mask)
        if mask.shape != image.shape:
            raise ValueError(f"mask has the shape {mask.shape}, but labels {image.shape}")
        if mask.dtype != bool:
            raise TypeError(f"mask must be bool, not {mask.dtype}")
        rim = ~mask
    objects, n = label(image, background=0, return_num=True)
    touching = np.zeros(n + 1, bool)
    touching[objects[rim]] = True
    if out is None:
        out = image.copy()
    elif out is not labels:
        out[...] = image
    out[touching[objects]] = bgval
    return out


@in_main_memory(None)
def find_boundaries(label_img, connectivity=1, mode="thick", background=0):
    """skimage.segmentation.find_boundaries"""
    image = np.asarray(label_img)
    check_axes(image)
    if mode == "subpixel":
        return _find_between(image)
    if mode not in ("thick", "inner", "outer"):
        raise ValueError(f"the mode is “{mode}”; it must be thick, inner, outer or subpixel")
    (ranks,), _ = ranked(image)
    found = _differs(ranks, ranks, connectivity_of(connectivity, image.shape))
    is_object = image != background
    if mode == "inner":
        found &= is_object
    elif mode == "outer":
        # an object's pixel belongs to the boundary of another object that it touches
        highest = np.where(is_object, ranks, ranks.dtype.type(0))
        lowest = np.where(is_object, ranks, ranks.max())
        found &= ~is_object | _differs(highest, lowest, connectivity_of(None, image.shape))
    return found


def _differs(highest, lowest, neighbors):
    """Whether the highest level among a pixel and its neighbors is not the lowest one."""
    return _neighbors.highest_near(highest, neighbors) != _neighbors.lowest_near(lowest, neighbors)


def _find_between(image):
    """In the image with a place between each two pixels: the places that divide labels."""
    _, numbers = np.unique(image, return_inverse=True)
    numbers = numbers.reshape(image.shape)
    (ranks,), _ = ranked(numbers.astype(np.int64) + 1)
    shape = tuple(2 * side - 1 for side in image.shape)
    between = np.ones(shape, bool)
    pixels = (slice(None, None, 2),) * image.ndim
    between[pixels] = False
    highest = np.full(shape, ranks.min(), ranks.dtype)
    lowest = np.full(shape, ranks.max(), ranks.dtype)
    highest[pixels] = lowest[pixels] = ranks
    return between & _differs(highest, lowest, connectivity_of(None, shape))


@in_main_memory("expand_labels")
def expand_labels(label_image, distance=1, spacing=1):
    """skimage.segmentation.expand_labels"""
    image = np.asarray(label_image)
    check_axes(image)
    if np.any(np.asarray(spacing) != 1):
        squared, nearest = wavefront.distance(image == 0, metric="squared", spacing=spacing,
                                              nearest=True)
        near = squared <= distance ** 2
        found = np.zeros_like(image)
        found[near] = image.ravel()[nearest[near].astype(np.int64)]
        return found
    if image.size and (image.min() < 0 or image.max() >= 1 << 32):
        raise NotImplementedError("labels beyond 32 bits")
    found = wavefront.expand_labels(image.astype(np.uint32), distance=distance).labels
    return found.astype(image.dtype)
