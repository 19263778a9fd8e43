# SPDX-License-Identifier: GPL-3.0-or-later
"""Neighborhoods of scikit-image and SciPy: those of the library, and others by NumPy.

The library has the pixels that share a side, and all neighbors. With any other steps to neighbors
the same is found here by NumPy, exactly, but many times slower.
"""
import itertools

import numpy as np

import wavefront


class Steps:
    """The steps from a pixel to its neighbors, each a number for each axis."""

    def __init__(self, steps):
        self.steps = [tuple(map(int, step)) for step in steps if any(step)]

    def is_symmetric(self):
        return set(self.steps) == {tuple(-a for a in step) for step in self.steps}

    def demand_symmetry(self):
        if not self.is_symmetric():
            raise NotImplementedError("neighbors that do not have each other as neighbors")

    def margin(self, n):
        """How far they go along each of the axes."""
        return [max((abs(step[axis]) for step in self.steps), default=0) for axis in range(n)]

    def footprint(self, n):
        """The pixels around the center that they lead to, and the center, 3 to a side."""
        found = np.zeros((3,) * n, bool)
        for step in [(0,) * n, *self.steps]:
            found[tuple(1 + a for a in step)] = True
        return found

    def along(self, axes, n):
        """The same along some of n axes."""
        return Steps([step[axes.index(axis)] if axis in axes else 0 for axis in range(n)]
                     for step in self.steps)

    def pairs(self, shape):
        """For each step the pixels that have such a neighbor, and these neighbors, as slices."""
        for step in self.steps:
            yield (tuple(slice(max(-a, 0), max(side - max(a, 0), 0)) for a, side in zip(step, shape)),
                   tuple(slice(max(a, 0), max(side - max(-a, 0), 0)) for a, side in zip(step, shape)))


def library_neighbors(value, shape):
    """The library's connectivity for so many orthogonal steps; None if it has none."""
    n = len(shape)
    if n == 3 and shape[0] > 1:
        return {1: 6, 3: 26}.get(value)
    if value == 1 < n:
        return 4
    return 8


def near(value, n):
    """The steps to the neighbors that are so many orthogonal steps away, one along each axis."""
    return Steps(step for step in itertools.product((-1, 0, 1), repeat=n)
                 if sum(map(abs, step)) <= value)


def connectivity_of(value, shape):
    """The library's neighborhood or the Steps for scikit-image's connectivity; None: all neighbors."""
    n = len(shape)
    if value is None:
        value = n
    if not 1 <= value <= n:
        raise ValueError(f"connectivity is {value}; it must be from 1 to {n}")
    return library_neighbors(value, shape) or near(value, n)


def neighborhood(footprint, shape, center=None):
    """The same for a footprint, whose center is in its middle unless it is given."""
    n = len(shape)
    if footprint is None and center is None:
        return connectivity_of(None, shape)
    if footprint is None:
        footprint = np.ones((3,) * n, bool)
    elif np.isscalar(footprint):
        # as scipy.ndimage.generate_binary_structure() has it
        return connectivity_of(min(footprint, n), shape)
    footprint = np.asarray(footprint) != 0
    if footprint.ndim != n:
        raise ValueError(f"the number of dimensions of the footprint is {footprint.ndim}, and that of "
                         f"the image {n}")
    if center is None:
        if any(side % 2 == 0 for side in footprint.shape):
            raise ValueError(f"a footprint of {footprint.shape} has no center")
        center = [side // 2 for side in footprint.shape]
    found = Steps(np.argwhere(footprint) - center)
    for value in 1, n:
        if set(found.steps) == set(near(value, n).steps):
            return connectivity_of(value, shape)
    return found


def of_library(neighbors):
    """Neighborhoods for what only the library does."""
    if isinstance(neighbors, Steps):
        raise NotImplementedError("neighbors other than those that share a side, or all neighbors")
    return neighbors


# ---------------------------------------------------------------- what both can do

def label(marks, neighbors):
    """Components of marked pixels, in the order of their first pixels, and how many."""
    if not isinstance(neighbors, Steps):
        return wavefront.label(marks, connectivity=neighbors)
    return components(marks, marks, neighbors)


def reconstruct(mask, seed, by, neighbors):
    """By dilation or erosion, of two images of one type of the library."""
    if not isinstance(neighbors, Steps):
        return wavefront.reconstruct(mask, seed, by=by, connectivity=neighbors)
    if by == "dilation":
        return _reconstruct(mask, seed, neighbors)
    return _reversed(_reconstruct(_reversed(mask), _reversed(seed), neighbors))


def regional_maxima(image, neighbors):
    """Where a plateau has no higher neighbor."""
    if not isinstance(neighbors, Steps):
        return wavefront.regional_maxima(image, connectivity=neighbors) != 0
    plateaux, n = components(image, np.ones(image.shape, bool), neighbors)
    is_highest = np.ones(n + 1, bool)
    for pixels, others in neighbors.pairs(image.shape):
        is_highest[plateaux[pixels][image[others] > image[pixels]]] = False
    return is_highest[plateaux]


def regional_minima(image, neighbors):
    if not isinstance(neighbors, Steps):
        return wavefront.regional_minima(image, connectivity=neighbors) != 0
    return regional_maxima(_reversed(image), neighbors)


def fill_holes(marks, neighbors, axes):
    """Marks what is not reached from outside along some axes."""
    rest = [axis for axis in range(marks.ndim) if axis not in axes]
    if not isinstance(neighbors, Steps):
        # to the library, a row lies beside the outside, and a single slice does not
        if len(axes) == 1:
            neighbors = near(1, 1).along(axes, marks.ndim)
        elif len(axes) == 3 and len(marks) == 1:
            return marks.copy()
    if isinstance(neighbors, Steps):
        margin = [(side, side) if axis in axes else (0, 0)
                  for axis, side in enumerate(neighbors.margin(marks.ndim))]
        seed = np.pad(np.zeros(marks.shape, bool), margin, constant_values=True)
        free = np.pad(~marks, margin, constant_values=True)
        inside = tuple(slice(a, side - b) for (a, b), side in zip(margin, free.shape))
        return ~_reconstruct(free, seed, neighbors)[inside]
    if not rest:
        return wavefront.fill_holes(marks, connectivity=neighbors).view(bool)
    found = np.empty_like(marks)
    for place in itertools.product(*(range(marks.shape[axis]) for axis in rest)):
        part = tuple(place[rest.index(axis)] if axis in rest else slice(None)
                     for axis in range(marks.ndim))
        found[part] = wavefront.fill_holes(marks[part], connectivity=neighbors).view(bool)
    return found


def opening(marks, area, neighbors):
    """The components of so many pixels or more."""
    if marks.size < area:
        return np.zeros_like(marks)     # the library keeps an image that is one component
    if not isinstance(neighbors, Steps):
        return wavefront.area_opening(marks, area=area, connectivity=neighbors).view(bool)
    labels, _ = label(marks, neighbors)
    is_large = np.bincount(labels.ravel()) >= area
    is_large[0] = False
    return is_large[labels]


def highest_near(image, neighbors):
    """The highest level among a pixel and its neighbors."""
    if not isinstance(neighbors, Steps):
        return wavefront.dilation(image, element=_element(neighbors), radius=1)
    return _extreme_near(image, neighbors, np.maximum)


def lowest_near(image, neighbors):
    if not isinstance(neighbors, Steps):
        return wavefront.erosion(image, element=_element(neighbors), radius=1)
    return _extreme_near(image, neighbors, np.minimum)


def _element(neighbors):
    return "disc" if neighbors in (4, 6) else "square"


# ---------------------------------------------------------------- by NumPy

def _extreme_near(image, neighbors, function):
    found = image.copy()
    for pixels, others in neighbors.pairs(image.shape):
        found[pixels] = function(found[pixels], image[others])
    return found


def components(image, marks, neighbors):
    """Components of equal levels among marked pixels, in the order of their first pixels."""
    neighbors.demand_symmetry()
    numbers = np.arange(marks.size).reshape(marks.shape)
    first, second = [numbers[:0].ravel()], [numbers[:0].ravel()]
    for pixels, others in neighbors.pairs(marks.shape):
        joined = marks[pixels] & marks[others] & (image[pixels] == image[others]) & \
            (numbers[pixels] < numbers[others])
        first.append(numbers[pixels][joined])
        second.append(numbers[others][joined])
    first, second = np.concatenate(first), np.concatenate(second)
    # each tree hangs itself below the lowest root beside it; the lowest pixel of all stays a root
    parents = numbers.ravel().copy()
    while True:
        low, high = parents[first], parents[second]
        open_edges = low != high
        if not open_edges.any():
            break
        first, second = low[open_edges], high[open_edges]
        np.minimum.at(parents, np.maximum(first, second), np.minimum(first, second))
        above = parents[parents]
        while not np.array_equal(above, parents):
            parents, above = above, above[above]
    is_root = (parents == numbers.ravel()) & marks.ravel()
    labels = np.where(marks.ravel(), np.cumsum(is_root)[parents], 0)
    return labels.astype(np.uint32).reshape(marks.shape), int(is_root.sum())


def _reconstruct(mask, seed, neighbors):
    """By dilation: what has risen raises its neighbors, until nothing rises."""
    if mask.size == 0:
        return mask.copy()
    margin = [(side, side) for side in neighbors.margin(mask.ndim)]
    lowest = min(mask.min(), seed.min())
    limits = np.pad(mask, margin, constant_values=lowest)
    levels = np.pad(np.minimum(seed, mask), margin, constant_values=lowest)
    inside = tuple(slice(a, side - b) for (a, b), side in zip(margin, limits.shape))
    risen = np.arange(limits.size).reshape(limits.shape)[inside].ravel()
    sides = np.cumprod((limits.shape[1:] + (1,))[::-1])[::-1]
    # np.pad() keeps the order of axes in memory
    found, limits = levels.ravel(), limits.ravel()
    while len(risen):
        changed = []
        for step in neighbors.steps:
            others = risen + int(np.dot(step, sides))
            raised = np.minimum(found[risen], limits[others])
            rises = raised > found[others]
            changed.append(others[rises])
            found[changed[-1]] = raised[rises]
        risen = np.unique(np.concatenate(changed)) if changed else risen[:0]
    return found.reshape(levels.shape)[inside]


def _reversed(image):
    """Levels in the other order."""
    if image.dtype == bool:
        return ~image
    return -image if image.dtype.kind == "f" else np.iinfo(image.dtype).max - image
