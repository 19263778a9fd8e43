# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions with the names and arguments of scipy.ndimage, on libwavefront.

`from wavefront.ndimage import distance_transform_edt` in place of `from scipy.ndimage import
distance_transform_edt`; docs/python.md lists the differences. An argument that the library has no
counterpart for raises NotImplementedError; none is ignored.
"""
import numpy as np

import wavefront

from . import _neighbors
from ._neighbors import neighborhood
from ._peers import check_axes, in_main_memory

__all__ = ["binary_fill_holes", "distance_transform_cdt", "distance_transform_edt", "label"]

_CITY_BLOCK = ("taxicab", "cityblock", "manhattan")


@in_main_memory("label")
def label(input, structure=None, output=None):
    """scipy.ndimage.label"""
    image = np.asarray(input)
    if np.iscomplexobj(image):
        raise TypeError("complex numbers are no marks")
    into = output if isinstance(output, np.ndarray) else None
    if into is not None and into.shape != image.shape:
        raise ValueError(f"output has the shape {into.shape}, but input {image.shape}")
    if structure is not None:
        structure = np.asarray(structure, bool)
        if structure.ndim != image.ndim:
            raise RuntimeError(f"structure has {structure.ndim} axes, but input {image.ndim}")
        if any(side != 3 for side in structure.shape):
            raise ValueError(f"structure has the shape {structure.shape}; each side must be 3")
    if image.size == 0 or image.ndim == 0:
        found, n = image != 0, int(image.any())
    else:
        check_axes(image)
        neighbors = neighborhood(1 if structure is None else structure, image.shape)
        found, n = _neighbors.label(image != 0, neighbors)
    dtype = np.dtype(np.int32 if output is None else output if into is None else into.dtype)
    if dtype.kind in "biu" and n > (1 if dtype.kind == "b" else np.iinfo(dtype).max):
        raise RuntimeError(f"{n} labels are more than {dtype} can number")
    if into is None:
        return found.astype(dtype), n
    into[...] = found
    return n


@in_main_memory("distance")
def distance_transform_edt(input, sampling=None, return_distances=True, return_indices=False,
                           distances=None, indices=None):
    """scipy.ndimage.distance_transform_edt"""
    _check_outputs(return_distances, return_indices, distances, indices)
    image = np.atleast_1d(np.asarray(input) != 0)
    check_axes(image)
    # squared distances are whole numbers, or of 64 bits: their roots are SciPy's
    found = wavefront.distance(image, metric="squared", spacing=sampling, nearest=return_indices)
    squared, nearest = found if return_indices else (found, None)
    if image.all():
        raise NotImplementedError("an image without background, which has no distances")
    return _distances_and_indices(
        np.sqrt(squared.astype(np.float64)) if return_distances else None, nearest, distances, indices)


@in_main_memory("distance")
def distance_transform_cdt(input, metric="chessboard", return_distances=True, return_indices=False,
                           distances=None, indices=None):
    """scipy.ndimage.distance_transform_cdt"""
    _check_outputs(return_distances, return_indices, distances, indices)
    image = np.asarray(input) != 0
    check_axes(image)
    if isinstance(metric, str):
        if metric not in ("chessboard", *_CITY_BLOCK):
            raise ValueError(f"invalid metric provided: {metric}")
        ours = "chessboard" if metric == "chessboard" else "city-block"
    else:
        ours = _metric_of(np.asarray(metric), image.ndim)
    if distances is not None and (distances.dtype != np.int32 or distances.shape != image.shape):
        raise ValueError(f"distances must be int32, of the shape {image.shape}")
    if image.all():
        if return_indices:
            raise NotImplementedError("an image without background, which has no nearest pixels")
        found, nearest = np.full(image.shape, -1, np.int32), None
    else:
        found = wavefront.distance(image, metric=ours, nearest=return_indices)
        found, nearest = found if return_indices else (found, None)
        found = found.astype(np.int32)
    return _distances_and_indices(found if return_distances else None, nearest, distances, indices)


def _metric_of(structure, n):
    if structure.shape != (3,) * n:
        raise ValueError(f"metric has the shape {structure.shape}; it must be {(3,) * n}")
    steps = np.abs(np.indices(structure.shape) - 1).sum(axis=0)
    if np.array_equal(structure != 0, steps <= 1):
        return "city-block"
    if structure.all():
        return "chessboard"
    raise NotImplementedError("steps other than those of the metrics that have names")


def _check_outputs(return_distances, return_indices, distances, indices):
    if not (return_distances or return_indices):
        raise RuntimeError("at least one of return_distances and return_indices must be true")
    if distances is not None and not return_distances:
        raise RuntimeError("distances is given, but return_distances is false")
    if indices is not None and not return_indices:
        raise RuntimeError("indices is given, but return_indices is false")


def _distances_and_indices(found, nearest, distances, indices):
    """What was asked for and has no array of the caller's."""
    results = []
    if found is not None:
        if distances is None:
            results.append(found)
        else:
            distances[...] = found
    if nearest is not None:
        places = np.array(np.unravel_index(nearest.astype(np.int64), nearest.shape), np.int32)
        if indices is None:
            results.append(places)
        else:
            indices[...] = places
    return tuple(results) if len(results) > 1 else results[0] if results else None


@in_main_memory("fill_holes")
def binary_fill_holes(input, structure=None, output=None, origin=0, *, axes=None):
    """scipy.ndimage.binary_fill_holes"""
    image = np.asarray(input) != 0
    check_axes(image)
    axes = _check_axes_of(axes, image.ndim)
    found = _neighbors.fill_holes(image, _structure_neighbors(structure, origin, axes, image.shape),
                                  axes)
    if output is None:
        return found
    if not isinstance(output, np.ndarray):
        return found.astype(output)
    output[...] = found
    return None


def _check_axes_of(axes, n):
    """The numbers of axes, from 0 on."""
    if axes is None:
        return list(range(n))
    axes = np.atleast_1d(axes).tolist()
    if any(not -n <= axis < n for axis in axes):
        raise ValueError(f"axes are {axes}, and an image has {n}")
    found = [axis % n for axis in axes]
    if len(set(found)) != len(found):
        raise ValueError(f"axes are {axes}; each must be there once")
    return found


def _structure_neighbors(structure, origin, axes, shape):
    """The neighborhood of a structure along some axes, whose center is moved by an origin."""
    n = len(axes)
    # the structure has its axes in the order of the image, the origin in that of the argument
    origin = [shift for _, shift in sorted(zip(axes, np.broadcast_to(origin, n).tolist()))]
    structure = _neighbors.near(1, n).footprint(n) if structure is None else \
        np.asarray(structure) != 0
    if structure.ndim != n:
        raise RuntimeError(f"the structure has {structure.ndim} axes, and {n} are filled along")
    center = [side // 2 + shift for side, shift in zip(structure.shape, origin)]
    if any(not 0 <= place < side for place, side in zip(center, structure.shape)):
        raise ValueError(f"the origin {origin} is outside the structure of {structure.shape}")
    steps = neighborhood(structure, [shape[axis] for axis in sorted(axes)], center)
    return steps.along(sorted(axes), len(shape)) if isinstance(steps, _neighbors.Steps) else steps
