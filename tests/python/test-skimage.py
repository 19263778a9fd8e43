#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of wavefront.skimage and wavefront.ndimage beside their definitions in NumPy.

Their peers' own tests are run by test-peers.py, where the peers are installed. Prints TAP.
"""
import heapq
import warnings

import numpy as np
import wavefront.ndimage
import wavefront.skimage as ours
from definitions import components, steps
from setting import SEED, done, ok, refuses, same, spots

generator = np.random.default_rng(SEED)


def moved(image, step, outside):
    """The image whose pixels are the neighbors by this step."""
    wide = np.pad(image, 1, constant_values=outside)
    return wide[tuple(slice(1 + a, 1 + a + side) for a, side in zip(step, image.shape))]


def random_labels(shape, n, dtype=np.int64):
    image = generator.integers(0, n, shape)
    for axis in range(len(shape)):
        image = image.repeat(2, axis)
    return image.astype(dtype)


def test_label():
    for shape, connectivity in ((9, 12), 1), ((9, 12), 2), ((4, 5, 6), 1), ((4, 5, 6), 3), ((30,), 1):
        image = random_labels(shape, 4) - 1
        right, n = components(image, 0, steps(image.ndim, connectivity))
        found = ours.label(image, return_num=True, connectivity=connectivity)
        ok(found[1] == n and np.array_equal(found[0], right), f"label: {image.shape}, {connectivity}")
        marks = image > 0
        right, n = components(marks, False, steps(marks.ndim, 1))
        found, count = wavefront.ndimage.label(marks)
        ok(count == n and same(found, right), f"scipy.ndimage.label: {image.shape}")
    into = np.zeros((2, 3), np.uint8)
    ok(wavefront.ndimage.label([[5, 0, 5], [0, 0, 5]], output=into) == 2 and
       into.tolist() == [[1, 0, 2], [0, 0, 2]], "scipy.ndimage.label into an array")
    dots = np.zeros((40, 40), bool)
    dots[::2, ::2] = True
    refuses(RuntimeError, lambda: wavefront.ndimage.label(dots, output=np.uint8),
            "labels that a type cannot number", "400", "uint8")
    refuses(NotImplementedError, lambda: ours.watershed(np.ones((2, 2, 2), int), connectivity=2),
            "18 neighbors in a watershed", "share a side")


def test_heights():
    warnings.filterwarnings("ignore", "possible precision loss")
    for dtype in np.uint8, np.int8, np.int64, np.float32, np.float64:
        image = spots(generator, (10, 12), np.uint8).astype(dtype)
        if dtype == np.int8:
            image *= 4      # to both ends of the range
            image -= 120
        for h in 3, 0.5, 40:
            marks = ours.h_maxima(image, h)
            # a pixel counts if nothing higher is reached without going down by h
            right = np.zeros(image.shape, np.uint8)
            if h <= float(image.max()) - float(image.min()):
                for place in np.ndindex(image.shape):
                    above, _ = components(image > float(image[place]) - h, False, steps(2, 2))
                    right[place] = image[above == above[place]].max() == image[place]
            ok(same(marks, right), f"h_maxima: {np.dtype(dtype)}, {h}")
            if dtype != np.uint8:
                turned = (-1 if dtype == np.int8 else 0) - image
                ok(same(ours.h_minima(turned, h), right), f"h_minima: {np.dtype(dtype)}, {h}")
    refuses(ValueError, lambda: ours.h_maxima(image, 0), "h_maxima of the height 0", "local_maxima")


def test_sizes():
    for connectivity in 1, 2:
        marks = generator.random((20, 30)) < 0.5
        labels, _ = components(marks, False, steps(2, connectivity))
        large = np.bincount(labels.ravel()) >= 7
        ok(same(ours.remove_small_objects(marks, 7, connectivity), marks & large[labels]),
           f"remove_small_objects: marks, {connectivity}")
        ok(same(ours.remove_small_holes(~marks, 7, connectivity), ~(marks & large[labels])),
           f"remove_small_holes: {connectivity}")
    labels = random_labels((10, 15), 40, np.int32) * 1000
    right = np.where(np.isin(labels, [v for v, n in zip(*np.unique(labels, return_counts=True))
                                      if n < 17]), 0, labels)
    whole = np.ones((5, 5), bool)
    ok(not ours.remove_small_objects(whole, 64).any() and ours.remove_small_objects(whole, 25).all(),
       "remove_small_objects: one object in the whole image")
    ok(ours.remove_small_holes(~whole, 64).all() and not ours.remove_small_holes(~whole, 25).any(),
       "remove_small_holes: one hole in the whole image")
    ok(same(ours.remove_small_objects(labels, 17), right), "remove_small_objects: labels")
    out = np.zeros_like(labels)
    ok(ours.remove_small_objects(labels, 17, out=out) is out and same(out, right), "into an array")
    refuses(TypeError, lambda: ours.remove_small_objects(labels / 2), "fractions are no labels", "float64")
    refuses(ValueError, lambda: ours.remove_small_objects(-labels), "negative labels", "negative")
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        ours.remove_small_holes(labels)
    ok(len(heard) == 1, "remove_small_holes of labels warns")


def test_borders():
    for width in 0, 2:
        image = random_labels((12, 14), 5)
        labels, _ = components(image, 0, steps(2, 2))
        rim = np.ones(image.shape, bool)
        rim[width + 1:-width - 1, width + 1:-width - 1] = False
        right = np.where(np.isin(labels, labels[rim]), 0, image)
        ok(same(ours.clear_border(image, width), right), f"clear_border: {width}")
    ok(same(ours.clear_border(image, mask=~rim, bgval=-3),
            np.where(np.isin(labels, labels[rim]), -3, image)), "clear_border: a mask")
    for connectivity, n in (1, 2), (2, 2), (1, 3), (3, 3):
        image = random_labels((8, 9) if n == 2 else (3, 4, 5), 4, np.uint8)
        around = [moved(image.astype(int), step, -1) for step in steps(n, connectivity)]
        differs = np.any([(level != image) & (level >= 0) for level in around], axis=0)
        ok(same(ours.find_boundaries(image, connectivity), differs), f"thick boundaries: {n} axes")
        ok(same(ours.find_boundaries(image, connectivity, "inner"), differs & (image > 0)), "inner ones")
        near = [moved(image.astype(int), step, -1) for step in steps(n, n)]
        other = np.any([(level != image) & (level > 0) for level in near], axis=0)
        ok(same(ours.find_boundaries(image, connectivity, "outer"), differs & ((image == 0) | other)),
           "outer ones")
    image = random_labels((3, 4), 3, np.uint8)
    found = ours.find_boundaries(image, mode="subpixel")
    right = np.zeros(found.shape, bool)
    for y, x in np.ndindex(found.shape):
        part = image[y // 2:(y + 1) // 2 + 1, x // 2:(x + 1) // 2 + 1]
        right[y, x] = (y % 2 or x % 2) and len(np.unique(part)) > 1
    # between two pixels of a row, those of the rows beside count as well
    ok(found[1::2, 1::2].tolist() == right[1::2, 1::2].tolist() and not found[::2, ::2].any() and
       found[right].all(), "boundaries between pixels")


def test_numbers():
    image = generator.choice([0, 4, 9, 255], (6, 7)).astype(np.uint8)
    found, forward, back = ours.relabel_sequential(image, 254)
    values = np.unique(image)
    expected = {0: 0, **{int(v): 254 + i for i, v in enumerate(values[values > 0])}}
    ok(found.dtype == np.uint16 and np.array_equal(found, np.vectorize(expected.get)(image)),
       "relabel_sequential, in a type that holds the labels")
    ok(np.array_equal(forward[image], found) and np.array_equal(back(found), image) and
       len(forward) == 256 and np.array_equal(np.asarray(forward)[image], found), "its maps")
    ok(forward[5] == 0 and back[[1, 2]].tolist() == [0, 0], "what has no label becomes 0")


def test_distances():
    marks = generator.random((15, 20)) < 0.9
    marks[3, 4] = False
    places = np.argwhere(~marks)
    for metric, measure in ("taxicab", lambda d: d.sum(axis=-1)), ("chessboard", lambda d: d.max(axis=-1)):
        all_places = np.moveaxis(np.indices(marks.shape), 0, -1)
        right = measure(np.abs(all_places[:, :, None] - places)).min(axis=-1).astype(np.int32)
        found, nearest = wavefront.ndimage.distance_transform_cdt(marks, metric, return_indices=True)
        away = measure(np.abs(nearest.transpose(1, 2, 0) - all_places))
        ok(same(found, right) and np.array_equal(away, right) and not marks[tuple(nearest)].any(),
           f"distance_transform_cdt: {metric}")
    ok((wavefront.ndimage.distance_transform_cdt(np.ones((3, 4))) == -1).all(), "−1 without background")


def test_table():
    labels = np.where(generator.random((20, 30)) < 0.7, random_labels((10, 15), 6), 0)
    levels = generator.integers(0, 255, labels.shape).astype(np.uint8)
    names = ["label", "num_pixels", "bbox", "centroid", "intensity_mean", "centroid_weighted", "extent",
             "axis_major_length", "orientation", "image_intensity", "coords"]

    def share(marks, of=1):
        return marks.sum() / of

    ok(same(ours.regionprops_table(np.eye(3, dtype=int), properties=(),
                                   extra_properties=[share])["share"], np.array([3.0])),
       "a property with a parameter that has a default")

    def median(marks, image):
        return np.median(image[marks])

    table = ours.regionprops_table(labels, levels, names, extra_properties=[median])
    ok(table["label"].tolist() == np.unique(labels)[1:].tolist(), "regionprops_table has all labels")
    for i, label in enumerate(table["label"]):
        marks = labels == label
        y, x = places = np.nonzero(marks)
        box = [y.min(), x.min(), y.max() + 1, x.max() + 1]
        weights = levels[marks].astype(float)
        spread = np.linalg.eigh(np.cov(places, bias=True))
        turned = np.arctan2(*spread[1][::-1, -1]) - table["orientation"][i]
        right = {"num_pixels": marks.sum(), **{f"bbox-{j}": box[j] for j in range(4)},
                 "centroid-0": y.mean(), "centroid-1": x.mean(), "intensity_mean": weights.mean(),
                 "centroid_weighted-0": (y * weights).sum() / weights.sum(),
                 "centroid_weighted-1": (x * weights).sum() / weights.sum(),
                 "extent": marks.sum() / ((box[2] - box[0]) * (box[3] - box[1])),
                 "axis_major_length": 4 * np.sqrt(spread[0][-1]), "median": np.median(weights)}
        wrong = [name for name, value in right.items() if not np.isclose(table[name][i], value, rtol=1e-9)]
        ok(not wrong and abs(np.sin(turned)) < 1e-6, f"properties of the region {label}",
           f"{wrong}, turned by {turned}")
        part = tuple(slice(a, b) for a, b in zip(box[:2], box[2:]))
        ok(np.array_equal(table["image_intensity"][i], (levels * marks)[part]) and
           np.array_equal(table["coords"][i], np.argwhere(marks)), "its pixels")
    test_moments(labels, levels)
    refuses(NotImplementedError, lambda: ours.regionprops_table(labels, properties=["solidity"]),
            "a property that is defined otherwise", "solidity")
    refuses(AttributeError, lambda: ours.regionprops_table(labels, properties=["intensity_mean"]),
            "a property of levels without levels", "intensity_mean")


def test_moments(labels, levels):
    """Of pixels and of levels that float32 cannot hold, by their definition, with a spacing."""
    levels, spacing = levels / 7, np.array([2, 0.5])
    channels = np.stack([levels, levels ** 2], axis=-1)
    names = ["moments", "moments_weighted", "moments_central", "moments_normalized", "inertia_tensor",
             "area_filled", "axis_major_length"]
    table = ours.regionprops_table(labels, levels, names, spacing=spacing)
    for i, label in enumerate(np.unique(labels)[1:]):
        places = np.nonzero(labels == label)
        y, x = ((axis - axis.min()) * side for axis, side in zip(places, spacing))
        away = y - y.mean(), x - x.mean()
        spread = np.cov(away, bias=True)
        central = (away[0] ** 2 * away[1]).sum()
        right = {"moments-0-0": y.size, "moments-1-2": (y * x * x).sum(),
                 "moments_weighted-2-1": (y * y * x * levels[places]).sum(),
                 "moments_central-2-1": central,
                 "moments_normalized-2-1": central / 0.5 ** 3 / y.size ** 2.5,
                 "inertia_tensor-0-0": spread[1, 1], "inertia_tensor-1-0": -spread[0, 1],
                 "axis_major_length": 4 * np.sqrt(np.linalg.eigvalsh(spread)[-1])}
        wrong = [name for name, value in right.items() if not np.isclose(table[name][i], value)]
        ok(not wrong and np.isnan(table["moments_normalized-0-1"][i]), f"moments of {label}", str(wrong))
    filled = [wavefront.ndimage.binary_fill_holes(labels == label, np.ones((3, 3))).sum()
              for label in np.unique(labels)[1:]]
    ok(table["area_filled"].tolist() == filled, "filled areas, in a spacing of the area 1")
    turned = [ours.regionprops_table(np.rot90(labels, n), properties=["moments_hu"]) for n in range(2)]
    ok(all(np.allclose(turned[0][name], turned[1][name]) for name in turned[0]) and len(turned[0]) == 7,
       "Hu's moments do not depend on the direction")
    names = ["intensity_mean", "intensity_min", "intensity_max", "intensity_std", "centroid_weighted",
             "moments_weighted"]
    table = ours.regionprops_table(labels, channels, names)
    for i, label in enumerate(np.unique(labels)[1:]):
        y, x = places = np.nonzero(labels == label)
        weights = channels[places][:, 1]
        right = {"intensity_mean-1": weights.mean(), "intensity_std-1": weights.std(),
                 "centroid_weighted-0-1": (y * weights).sum() / weights.sum(),
                 "moments_weighted-0-1-1": ((x - x.min()) * weights).sum()}
        ok(all(np.isclose(table[name][i], value, rtol=1e-12) for name, value in right.items()) and
           table["intensity_min-1"][i] == weights.min() and
           table["intensity_max-1"][i] == weights.max(), f"levels of float64 of {label}")
    holes = np.where(labels == labels.max(), np.nan, levels)
    table = ours.regionprops_table(labels, holes, ["intensity_mean", "intensity_max"])
    ok(all(np.isnan(column).tolist() == [label == labels.max() for label in np.unique(labels)[1:]]
           for column in table.values()), "NaN is that of its region")
    far = ours.regionprops_table(labels.astype(np.int64) * 700000000, channels, names)
    table = ours.regionprops_table(labels, channels, names)
    ok(all(same(far[name], table[name]) for name in far), "labels that are larger than any table")
    stack = np.stack([labels] * 3)
    table = ours.regionprops_table(stack, properties=["inertia_tensor_eigvals", "axis_minor_length"])
    for i, label in enumerate(np.unique(labels)[1:]):
        tensor = np.cov(np.nonzero(stack == label), bias=True)
        values = np.linalg.eigvalsh(np.trace(tensor) * np.eye(3) - tensor)
        ok(np.allclose([table[f"inertia_tensor_eigvals-{j}"][i] for j in range(3)], values[::-1]) and
           np.isclose(table["axis_minor_length"][i], np.sqrt(10 * (values[0] + values[1] - values[2]))),
           f"the ellipsoid of {label}")


def test_watershed():
    for dtype in np.float64, np.int32:
        # levels that are all different leave no tie
        image = generator.permutation(600).reshape(20, 30).astype(dtype) / (7 if dtype == float else 1)
        markers = np.zeros(image.shape, np.int16)
        markers[3, 4], markers[15, 20], markers[6, 25] = 7, -2, 300
        mask = generator.random(image.shape) < 0.9
        mask[markers != 0] = True
        right = flood(image, markers, mask)
        found = ours.watershed(image, markers, mask=mask)
        ok(same(found, right), f"watershed: {np.dtype(dtype)}")
    # neither a constant nor what float32 rounds to a part of the range divides compact basins otherwise
    exact = generator.integers(0, 100, image.shape).astype(float)
    right = ours.watershed(exact, markers, compactness=0.1)
    ok(same(ours.watershed(exact + 1e9 + 1 / 3, markers, compactness=0.1), right),
       "compact basins of levels that float32 cannot hold")
    many = ours.watershed(image, 6)
    ok(set(np.unique(many)) == set(range(1, 7)), "markers on a grid", str(np.unique(many)))
    own = ours.watershed(spots(generator, (30, 40), np.float32))
    ok(own.min() == 1 and own.dtype == np.int32, "markers of the minima")


def flood(image, markers, mask):
    """The lowest pixel beside a basin is taken first; no two are at one level."""
    labels = np.where(mask, markers, 0).astype(markers.dtype)
    edge = [(image[place], place) for place in zip(*np.nonzero(labels))]
    heapq.heapify(edge)
    while edge:
        _, place = heapq.heappop(edge)
        for step in steps(2, 1):
            there = tuple(map(sum, zip(place, step)))
            if all(0 <= a < side for a, side in zip(there, image.shape)) and mask[there] and \
                    not labels[there]:
                labels[there] = labels[place]
                heapq.heappush(edge, (image[there], there))
    return labels


def test_many_levels():
    """More levels than 16 bits can number, and than float32 has between 0 and 1."""
    image = 1 + generator.permutation(300 * 400).reshape(300, 400) * 2.0 ** -50
    seed = np.where(generator.random(image.shape) < 0.001, image, 1)
    levels, ranks = np.unique(image, return_inverse=True)
    ranks = ranks.reshape(image.shape).astype(np.float32)
    right = wavefront.reconstruct(ranks, np.where(seed == image, ranks, 0).astype(np.float32))
    ok(same(ours.reconstruction(seed, image), levels[right.astype(int)]), "levels of float64 are kept")


for test in (test_label, test_heights, test_sizes, test_borders, test_numbers, test_distances,
             test_table, test_watershed, test_many_levels):
    test()
done()
