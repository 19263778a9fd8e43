#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Neighborhoods that the library does not have, in wavefront.skimage and wavefront.ndimage, beside
their definitions: footprints with any pixels and centers, 18 neighbors in a stack, trees that
scikit-image has made. Prints TAP.
"""
import warnings

import numpy as np
import wavefront.ndimage
import wavefront.skimage as ours
from definitions import components, steps
from setting import SEED, done, ok, refuses, same

generator = np.random.default_rng(SEED)
SHAPES = (25,), (9, 11), (5, 6, 7)


def random_footprint(n, is_symmetric):
    """A footprint, 3 to a side if it is symmetric, and the offsets of neighbors."""
    sides = (3,) * n if is_symmetric else tuple(generator.integers(2, 5, n))
    footprint = generator.random(sides) < 0.4
    if is_symmetric:
        footprint |= footprint[(slice(None, None, -1),) * n]
        footprint[(0,) * n] = footprint[(2,) * n] = True    # some
    center = np.ones(n, int) if is_symmetric else generator.integers(0, sides)
    offsets = [tuple(place) for place in np.argwhere(footprint) - center if any(place)]
    return footprint, center, offsets


def inside(place, step, shape):
    """The neighbor of a place, or None outside."""
    there = tuple(int(a + b) for a, b in zip(place, step))
    return there if all(0 <= a < side for a, side in zip(there, shape)) else None


def reconstructed(seed, mask, offsets):
    found, rises = seed.copy(), True
    while rises:
        rises = False
        for place in np.ndindex(mask.shape):
            for step in offsets:
                there = inside(place, step, mask.shape)
                if there and min(found[place], mask[there]) > found[there]:
                    found[there], rises = min(found[place], mask[there]), True
    return found


def test_reconstruction():
    for shape in SHAPES:
        for dtype in np.uint8, np.int64, np.float64:
            mask = generator.integers(0, 9, shape).astype(dtype)
            seed = np.where(generator.random(shape) < 0.1, mask, 0).astype(dtype)
            footprint, center, offsets = random_footprint(len(shape), False)
            right = reconstructed(seed, mask, offsets)
            found = ours.reconstruction(seed, mask, footprint=footprint, offset=center)
            name = f"{np.dtype(dtype)}, {shape}, {footprint.shape} around {center}"
            ok(np.array_equal(found, right), f"reconstruction: {name}")
            found = ours.reconstruction(9 - seed, 9 - mask, "erosion", footprint, center)
            ok(np.array_equal(9 - found, right), "by erosion")
            found = ours.reconstruction(np.asfortranarray(seed), np.asfortranarray(mask), "dilation",
                                        footprint, center)
            ok(np.array_equal(found, right), "of arrays with the other order of axes")
    image = np.zeros((3, 4))
    for offset in [3, 0], [1], [-1, 1]:
        refuses(ValueError, lambda: ours.reconstruction(image, image, offset=offset),
                f"the center {offset}", "offset")
    refuses(ValueError, lambda: ours.reconstruction(image, image, footprint=np.ones((2, 3))),
            "a footprint without a center", "center")


def test_extrema():
    for shape in SHAPES:
        footprint, _, offsets = random_footprint(len(shape), True)
        image = generator.integers(0, 4, shape)
        plateaux, n = components(image, -1, offsets)
        is_highest = np.ones(n + 1, bool)
        for place in np.ndindex(shape):
            for step in offsets:
                there = inside(place, step, shape)
                if there and image[there] > image[place]:
                    is_highest[plateaux[place]] = False
        right = is_highest[plateaux]
        ok(same(ours.local_maxima(image, footprint), right), f"local_maxima: {shape}")
        ok(same(ours.local_minima(-image, footprint), right), f"local_minima: {shape}")
        # of whole numbers every maximum has the height 1, but where nothing is lower
        heights = ours.h_maxima(image, 1, footprint) != 0
        rises = reconstructed(image - 1, image, offsets) < image
        ok(np.array_equal(heights, rises & right), f"h_maxima: {shape}")
        marks = image > 1
        right, n = components(marks, False, offsets)
        found, count = wavefront.ndimage.label(marks, footprint)
        ok(count == n and same(found, right), f"label: {shape}")
    one_way = np.array([[0, 0, 0], [0, 1, 1], [0, 0, 0]])
    refuses(NotImplementedError, lambda: wavefront.ndimage.label(marks[0], one_way),
            "neighbors of one direction have no components", "neighbors")


def test_stacks():
    image = generator.integers(0, 4, (6, 7, 8))
    offsets = steps(3, 2)
    labels, n = components(image, 0, offsets)
    found = ours.label(image, return_num=True, connectivity=2)
    ok(found[1] == n and same(found[0], labels), "label: 18 neighbors")
    marks = image > 2
    labels, _ = components(marks, False, offsets)
    large = (np.bincount(labels.ravel()) >= 4)[labels]
    ok(same(ours.remove_small_objects(marks, 4, 2), marks & large), "remove_small_objects")
    ok(same(ours.remove_small_holes(~marks, 4, 2), ~(marks & large)), "remove_small_holes")
    right = np.zeros(image.shape, bool)
    for place in np.ndindex(image.shape):
        around = (inside(place, step, image.shape) for step in offsets)
        right[place] = any(image[there] != image[place] for there in around if there)
    ok(same(ours.find_boundaries(image, 2), right), "find_boundaries")
    refuses(NotImplementedError, lambda: ours.area_opening(image, 4, 2), "area_opening",
            "share a side")


def filled(marks, offsets, axes):
    """What is not reached from outside along some axes."""
    reached = np.zeros(marks.shape, bool)
    rises = True
    while rises:
        before = reached.copy()
        for place in np.ndindex(marks.shape):
            for step in offsets:
                source = inside(place, [-a for a in step], marks.shape)
                if not marks[place] and (source is None or reached[source]):
                    reached[place] = True
        rises = not np.array_equal(before, reached)
    return ~reached


def test_holes():
    for shape in (*SHAPES, (1, 6, 7), (6, 1)):
        n = len(shape)
        marks = generator.random(shape) < 0.6
        ok(same(wavefront.ndimage.binary_fill_holes(marks), filled(marks, steps(n, 1), range(n))),
           f"binary_fill_holes: {shape}")
        for k in range(1, n + 1):
            axes = sorted(generator.permutation(n)[:k].tolist())
            along = [step for step in steps(n, 1) if all(step[axis] == 0 for axis in range(n)
                                                         if axis not in axes)]
            found = wavefront.ndimage.binary_fill_holes(marks, axes=axes)
            ok(same(found, filled(marks, along, axes)), f"along {axes}")
            structure, center, offsets = random_footprint(k, False)
            origin = [int(place - side // 2) for place, side in zip(center, structure.shape)]
            wide = [[step[axes.index(axis)] if axis in axes else 0 for axis in range(n)]
                    for step in offsets]
            found = wavefront.ndimage.binary_fill_holes(marks, structure, origin=origin, axes=axes)
            ok(same(found, filled(marks, wide, axes)), f"with a structure, moved by {origin}")
    into = np.zeros(shape, bool)
    ok(wavefront.ndimage.binary_fill_holes(marks, output=into, axes=0) is None and
       same(into, filled(marks, [(-1, 0), (1, 0)], [0])), "into an array")
    for axes in 2, (0, -2):
        refuses(ValueError, lambda: wavefront.ndimage.binary_fill_holes(marks, axes=axes),
                f"the axes {axes}", "axes")


def tree_of(image):
    """The parent of each pixel, which comes after it in the order of falling levels."""
    levels, n = image.ravel(), image.size
    parents, roots = np.arange(n), np.arange(n)
    known = np.zeros(n, bool)

    def root(place):
        while roots[place] != place:
            place = roots[place]
        return place

    order = np.argsort(-levels.astype(int), kind="stable")
    for place in order:
        known[place] = True
        at = np.unravel_index(place, image.shape)
        for step in steps(image.ndim, 1):
            there = inside(at, step, image.shape)
            other = None if there is None else int(np.ravel_multi_index(there, image.shape))
            if other is not None and known[other] and root(other) != place:
                parents[root(other)] = place
                roots[root(other)] = place
    # pixels of one level beside each other share the last of them
    for place in order[::-1]:
        if levels[parents[parents[place]]] == levels[parents[place]]:
            parents[place] = parents[parents[place]]
    return parents.reshape(image.shape), order[::-1]


def test_trees():
    image = generator.integers(0, 9, (12, 14)).astype(np.uint8)
    for area in 3, 20:
        parents, order = tree_of(image)
        ok(same(ours.area_opening(image, area, parent=parents, tree_traverser=order),
                ours.area_opening(image, area)), f"area_opening by a tree: {area}")
        parents, order = tree_of(8 - image)
        ok(same(ours.area_closing(image, area, parent=parents, tree_traverser=order),
                ours.area_closing(image, area)), f"area_closing: {area}")
    refuses(ValueError, lambda: ours.area_opening(image, 3, parent=parents[1:], tree_traverser=order),
            "a tree of another image", "parent")


def warned(call):
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in heard if one.filename == __file__]


def test_warnings():
    image = np.array([[1, 2], [2, 2]], np.uint8)
    said = warned(lambda: ours.local_minima(image, allow_borders=False))
    ok(len(said) == 1 and said[0].startswith("minima can't exist"), "no minimum inside", str(said))
    ok(not warned(lambda: ours.local_maxima(image)), "nothing is said of those at borders")
    said = warned(lambda: ours.h_maxima(image, 0.5))
    ok(len(said) == 1 and "h=0.5 counts as 1" in said[0], "heights that are no whole numbers", str(said))
    ok(not warned(lambda: ours.h_maxima(image.astype(float), 0.5)), "nothing is said of floats")
    for size in (2, 3), (5, 5):
        refuses(ValueError, lambda: ours.local_maxima(image, np.ones(size)), f"a footprint of {size}",
                "dimension size")
    refuses(ValueError, lambda: ours.local_maxima(image, np.ones(3)), "one of another image",
            "number of dimensions")
    found = wavefront.ndimage.distance_transform_edt(False)
    ok(same(found, np.zeros(1)), "the distance of a number")


for test in test_reconstruction, test_extrema, test_stacks, test_holes, test_trees, test_warnings:
    test()
done()
