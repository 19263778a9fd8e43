# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions with the names and arguments of scikit-image and SciPy, on libwavefront.

`from wavefront.skimage import reconstruction` in place of `from skimage.morphology import
reconstruction`; docs/python.md lists the differences. An argument that the library has no
counterpart for raises NotImplementedError; none is ignored.

The library works on uint8, uint16 and float32. Levels of other types are replaced by their ranks
for what depends on their order only, so no level is rounded; that takes a sort of the levels.
"""
import numpy as np

import wavefront

_DIRECT = (np.uint8, np.uint16, np.float32)


def _ranked(*images):
    """The images as the library takes them, in the same order of levels, and the levels, or None."""
    kinds = {image.dtype.type for image in images}
    if len(kinds) == 1 and kinds <= {*_DIRECT, np.bool_}:
        return [image.view(np.uint8) if image.dtype == bool else image for image in images], None
    levels, ranks = np.unique(np.concatenate([image.ravel() for image in images]),
                              return_inverse=True)
    if len(levels) and levels[-1] != levels[-1]:
        raise ValueError("NaN has no place in the order of levels")
    if len(levels) > 1 << 24:
        raise NotImplementedError(f"{len(levels)} different levels are more than float32 can number")
    kind = np.uint16 if len(levels) <= 1 << 16 else np.float32
    parts = np.split(ranks.ravel().astype(kind), np.cumsum([image.size for image in images])[:-1])
    return [part.reshape(image.shape) for part, image in zip(parts, images)], levels


def _unranked(result, levels, dtype):
    """Levels for ranks, in the type that the function gives."""
    if levels is None:
        return result.view(dtype) if dtype == np.bool_ else result.astype(dtype, copy=False)
    return levels[result.astype(np.intp)].astype(dtype, copy=False)


def _check_axes(array):
    if not 1 <= array.ndim <= 3:
        raise NotImplementedError(f"images have 1 to 3 axes here, not {array.ndim}")


def _connectivity(value, shape):
    """Ours for scikit-image's, which counts orthogonal steps; None for all neighbors."""
    n = len(shape)
    if value is None:
        value = n
    if not 1 <= value <= n:
        raise ValueError(f"connectivity is {value}; it must be from 1 to {n}")
    if n == 3 and value == 2:
        raise NotImplementedError("neighbors by edges but not by corners (18 in a stack)")
    is_stack = n == 3 and shape[0] > 1
    if value == n:
        return 26 if is_stack else 8
    return 6 if is_stack else 4


def _neighborhood(footprint, shape):
    """Ours for a footprint of 3 pixels to a side."""
    n = len(shape)
    if footprint is None:
        return _connectivity(None, shape)
    if np.isscalar(footprint):
        # as scipy.ndimage.generate_binary_structure() has it
        return _connectivity(min(footprint, n), shape)
    footprint = np.asarray(footprint) != 0
    if footprint.ndim != n or any(side % 2 == 0 for side in footprint.shape):
        raise ValueError(f"a footprint of {footprint.shape} has no center in {n} axes")
    if footprint.shape == (3,) * n:
        steps = np.abs(np.indices(footprint.shape) - 1).sum(axis=0)
        for value in 1, n:
            if np.array_equal(footprint, steps <= value):
                return _connectivity(value, shape)
    raise NotImplementedError("footprints other than the pixels that share a side, or all neighbors")


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
    _check_axes(seed)
    if offset is not None and list(offset) != [1] * seed.ndim:
        raise NotImplementedError("an offset of the footprint")
    connectivity = _neighborhood(footprint, seed.shape)
    dtype = np.result_type(seed.dtype, mask.dtype)
    (seed, mask), levels = _ranked(seed.astype(dtype, copy=False), mask.astype(dtype, copy=False))
    found = wavefront.reconstruct(mask, seed, by=method, connectivity=connectivity)
    if np.issubdtype(dtype, np.floating):
        return _unranked(found, levels, np.result_type(dtype, np.float32))
    return _unranked(found, levels, dtype).astype(np.float64)


def _extrema(image, footprint, connectivity, indices, allow_borders, function):
    image = np.asarray(image)
    _check_axes(image)
    neighbors = _neighborhood(connectivity if footprint is None else footprint, image.shape)
    if image.size == 0 or image.min() == image.max():
        # scikit-image finds no extremum in an image without any
        found = np.zeros(image.shape, bool)
    else:
        (ranks,), _ = _ranked(image)
        found = function(ranks, connectivity=neighbors) != 0
        if not allow_borders:
            labels, _ = wavefront.label(found, connectivity=neighbors)
            rim = np.ones(image.shape, bool)
            rim[(slice(1, -1),) * image.ndim] = False
            found &= ~np.isin(labels, np.unique(labels[rim]))
    return np.nonzero(found) if indices else found


def local_maxima(image, footprint=None, connectivity=None, indices=False, allow_borders=True):
    """skimage.morphology.local_maxima"""
    return _extrema(image, footprint, connectivity, indices, allow_borders,
                    wavefront.regional_maxima)


def local_minima(image, footprint=None, connectivity=None, indices=False, allow_borders=True):
    """skimage.morphology.local_minima"""
    return _extrema(image, footprint, connectivity, indices, allow_borders,
                    wavefront.regional_minima)


def area_opening(image, area_threshold=64, connectivity=1, parent=None, tree_traverser=None):
    """skimage.morphology.area_opening"""
    return _by_area(image, area_threshold, connectivity, wavefront.area_opening, parent,
                    tree_traverser)


def area_closing(image, area_threshold=64, connectivity=1, parent=None, tree_traverser=None):
    """skimage.morphology.area_closing"""
    return _by_area(image, area_threshold, connectivity, wavefront.area_closing, parent,
                    tree_traverser)


def _by_area(image, area, connectivity, function, *trees):
    if any(tree is not None for tree in trees):
        raise NotImplementedError("a tree that was made before")
    image = np.asarray(image)
    _check_axes(image)
    (ranks,), levels = _ranked(image)
    found = function(ranks, area=area, connectivity=_connectivity(connectivity, image.shape))
    return _unranked(found, levels, image.dtype)


def label(label_image, background=None, return_num=False, connectivity=None):
    """skimage.measure.label; the pixels are labelled once for each value beside the background"""
    image = np.asarray(label_image)
    _check_axes(image)
    neighbors = _connectivity(connectivity, image.shape)
    values = np.unique(image)
    values = values[values != (0 if background is None else background)]
    labels, n = np.zeros(image.shape, np.int32), 0
    for value in values:
        found, more = wavefront.label(image == value, connectivity=neighbors)
        labels += np.where(found, found.astype(np.int32) + n, 0)
        n += more
    if len(values) > 1:
        # in the raster order of the first pixels of all
        _, first = np.unique(labels[labels > 0], return_index=True)
        ranks = np.zeros(n + 1, np.int32)
        ranks[np.argsort(first) + 1] = np.arange(1, n + 1)
        labels = ranks[labels]
    return (labels, n) if return_num else labels


def expand_labels(label_image, distance=1, spacing=1):
    """skimage.segmentation.expand_labels"""
    image = np.asarray(label_image)
    _check_axes(image)
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


def distance_transform_edt(input, sampling=None, return_distances=True, return_indices=False,
                           distances=None, indices=None):
    """scipy.ndimage.distance_transform_edt"""
    if not (return_distances or return_indices):
        raise RuntimeError("at least one of return_distances and return_indices must be true")
    image = np.asarray(input) != 0
    _check_axes(image)
    # squared distances are whole numbers, or of 64 bits: their roots are SciPy's
    found = wavefront.distance(image, metric="squared", spacing=sampling, nearest=return_indices)
    squared, nearest = found if return_indices else (found, None)
    if image.all():
        raise NotImplementedError("an image without background, which has no distances")
    results = []
    if return_distances:
        roots = np.sqrt(squared.astype(np.float64))
        if distances is None:
            results.append(roots)
        else:
            distances[...] = roots
    if return_indices:
        places = np.array(np.unravel_index(nearest.astype(np.int64), image.shape), np.int32)
        if indices is None:
            results.append(places)
        else:
            indices[...] = places
    return tuple(results) if len(results) > 1 else results[0] if results else None


def binary_fill_holes(input, structure=None, output=None, origin=0, *, axes=None):
    """scipy.ndimage.binary_fill_holes"""
    image = np.asarray(input) != 0
    _check_axes(image)
    if np.any(np.asarray(origin) != 0):
        raise NotImplementedError("an origin of the structure")
    if axes is not None and len(np.atleast_1d(axes)) != image.ndim:
        raise NotImplementedError("some of the axes")
    connectivity = _neighborhood(1 if structure is None else structure, image.shape)
    found = wavefront.fill_holes(image, connectivity=connectivity).view(bool)
    if output is None:
        return found
    if not isinstance(output, np.ndarray):
        return found.astype(output)
    output[...] = found
    return None
