#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command measure beside scikit-image's regionprops: test-measure-peers.py COMMAND

What both define in the same way must agree, of images and stacks, with pixels of any size; to the
moments of the ellipse scikit-image adds none of the pixels themselves, so that is added first. Feret
diameters and convex areas, which are defined otherwise, must be close. Prints TAP.
WAVEFRONT_PACKAGES=bench gives ./dev an environment with scikit-image.
"""
import json
import os
import subprocess
import sys
import tempfile

COMMAND = sys.argv[1]

try:
    import numpy as np
    from scipy import ndimage
    from skimage.measure import label, regionprops_table
    from skimage.segmentation import clear_border
except ImportError as missing:
    print(f'1..0 # SKIP {missing}; ./dev has it with WAVEFRONT_PACKAGES=bench')
    sys.exit(0)

SIZE = 120, 150
STACK = 20, 30, 40
SEED = int(''.join(filter(str.isdigit, os.environ.get('WAVEFRONT_TEST_SEED', '')))[:9] or 7)
# Of images and stacks.
SAME = {'area': 'area', 'pixels': 'num_pixels', 'extent': 'extent',
        'equivalent_diameter': 'equivalent_diameter_area'}
# Of images whose pixels are squares.
SQUARE = {'perimeter': 'perimeter_crofton', 'euler_number': 'euler_number'}
LEVELS = {'mean': 'intensity_mean', 'minimum': 'intensity_min', 'maximum': 'intensity_max',
          'standard_deviation': 'intensity_std', 'median': 'median', 'sum': 'total'}
# From the last axis of an array to the first.
STARTS, SIZES = ('left', 'top', 'first'), ('width', 'height', 'slices')
PROPERTIES = ('label', 'area', 'num_pixels', 'bbox', 'extent', 'equivalent_diameter_area',
              'intensity_mean', 'intensity_min', 'intensity_max', 'intensity_std', 'centroid',
              'centroid_weighted')
FLAT = ('euler_number', 'inertia_tensor', 'feret_diameter_max', 'area_convex')
count = 0


def ok(holds, what, *more):
    global count
    count += 1
    print(f'{"ok" if holds else "not ok"} {count} - {what}', *more, flush=True)


def median(mask, levels):
    return np.median(levels[mask])


def total(mask, levels):
    return levels[mask].sum(dtype=float)


def measure(folder, labels, levels, spacing):
    labels.astype('<u4').tofile(f'{folder}/labels.raw')
    levels.tofile(f'{folder}/levels.raw')
    kind = {'uint8': 'u8', 'uint16': 'u16', 'float32': 'f32'}[levels.dtype.name]
    subprocess.run([COMMAND, 'measure', f'{folder}/labels.raw', '--image', f'{folder}/levels.raw',
                    '--raw', 'x'.join(map(str, labels.shape[::-1])) + f':{kind}',
                    '--spacing', ','.join(map(str, spacing[::-1])), '-o', f'{folder}/table.json'],
                   check=True, capture_output=True)
    with open(f'{folder}/table.json', encoding='utf-8') as file:
        lines = json.load(file)['regions']
    return {name: np.array([np.nan if line[name] is None else line[name] for line in lines], float)
            for name in lines[0]}


def measure_by_peer(labels, levels, spacing):
    names = PROPERTIES
    if labels.ndim == 2:
        names += FLAT
        # of others it is not defined
        names += ('perimeter_crofton',) if spacing[0] == spacing[1] else ()
    return regionprops_table(labels, levels, names, spacing=spacing, extra_properties=(median, total))


def close(one, other, tolerance=1e-9):
    return np.allclose(one, other, rtol=tolerance, atol=tolerance)


def compare(what, labels, levels, spacing=None):
    spacing = spacing or (1,) * labels.ndim
    mine = measure(scratch, labels, levels, spacing)
    theirs = measure_by_peer(labels, levels, spacing)
    ok(np.array_equal(mine['label'], theirs['label']), f'{what}: labels')
    # there is no column for the same number twice
    mine.setdefault('pixels', mine['area'])
    for name, other in SAME.items():
        ok(close(mine[name], theirs[other]), f'{what}: {name}')
    for name, other in LEVELS.items():
        # of float32 levels scikit-image's means are float32, too
        rounded = levels.dtype == np.float32 and name in ('mean', 'standard_deviation')
        ok(close(mine[name], theirs[other], 1e-5 if rounded else 1e-9), f'{what}: {name}')
    compare_places(what, mine, theirs, spacing)
    if labels.ndim == 2:
        compare_shapes(what, mine, theirs, spacing)


def compare_places(what, mine, theirs, spacing):
    """Pixels are boxes in slices, and the first corner of the first slice is the origin; theirs is
    the center of the first pixel.
    """
    n = len(spacing)
    for i, side in enumerate(spacing[::-1]):
        axis, half = n - 1 - i, side / 2 if i < 2 else 0
        ok(np.array_equal(mine[STARTS[i]], theirs[f'bbox-{axis}']) and
           np.array_equal(mine[STARTS[i]] + mine[SIZES[i]], theirs[f'bbox-{axis + n}']),
           f'{what}: bounding box along {"xyz"[i]}')
        for name, other in ('centroid', 'centroid'), ('weighted_centroid', 'centroid_weighted'):
            ok(close(mine[f'{name}_{"xyz"[i]}'], theirs[f'{other}-{axis}'] + half),
               f'{what}: {name}_{"xyz"[i]}')


def ellipses(theirs, spacing):
    """The eigenvalues of their moments, with those of the pixels themselves, the larger one first."""
    tensors = np.array([[theirs[f'inertia_tensor-{i}-{j}'] for i in range(2)] for j in range(2)])
    # that of rows has the moments along columns
    for i, side in enumerate(spacing[::-1]):
        tensors[i, i] += side ** 2 / 12
    return np.linalg.eigvalsh(tensors.transpose(2, 0, 1)).T[::-1], tensors


def compare_shapes(what, mine, theirs, spacing):
    (major, minor), tensors = ellipses(theirs, spacing)
    ok(close(mine['ellipse_major'], 4 * np.sqrt(major)), f'{what}: ellipse_major')
    ok(close(mine['ellipse_minor'], 4 * np.sqrt(minor)), f'{what}: ellipse_minor')
    # the square root of a rounded 0 is some 1e-8
    ok(np.allclose(mine['eccentricity'] ** 2, 1 - minor / major, rtol=1e-9, atol=1e-7),
       f'{what}: eccentricity')
    # counter-clockwise, where rows go down
    angles = np.degrees(np.arctan2(2 * tensors[0, 1], tensors[0, 0] - tensors[1, 1])) / 2
    turned = np.abs(mine['orientation'] - angles) % 180
    ok(np.all(np.minimum(turned, 180 - turned)[major > 1.1 * minor] < 1e-6), f'{what}: orientation')
    for name, other in SQUARE.items():
        if other in theirs:
            ok(close(mine[name], theirs[other]), f'{what}: {name}')
    # scikit-image measures to the middle of the pixels' sides, and counts pixels in the hull
    ok(np.all(np.abs(mine['feret_max'] - theirs['feret_diameter_max']) < max(spacing)),
       f'{what}: feret_max')
    large = theirs['num_pixels'] > 300
    ok(np.all(np.abs(mine['convex_area'] / theirs['area_convex'] - 1)[large] < 0.1),
       f'{what}: convex_area')


def compare_borders(what, labels, levels):
    """Of regions in one piece; scikit-image keeps the inner pieces of others."""
    mine = measure(scratch, labels, levels, (1,) * labels.ndim)
    ok(np.array_equal(mine['label'][mine['touches_border'] == 0],
                      np.unique(clear_border(labels))[1:]), f'{what}: touches_border')


def blobs(size, radius):
    ground = ndimage.gaussian_filter(random.standard_normal(size), radius)
    return label(ground > 0.02).astype(np.uint32)


random = np.random.default_rng(SEED)
with tempfile.TemporaryDirectory() as scratch:
    for kind in (np.uint8, np.uint16, np.float32):
        labels = blobs(SIZE, 3)
        levels = random.integers(1, 250, SIZE).astype(kind)
        compare(np.dtype(kind).name, labels, levels)
        compare_borders(np.dtype(kind).name, labels, levels)
        compare(f'{np.dtype(kind).name}, pixels of 0.5', labels, levels, (0.5, 0.5))
        compare(f'{np.dtype(kind).name}, pixels of 0.4 × 1.5', labels, levels, (1.5, 0.4))
        labels = blobs(STACK, 2)
        levels = random.integers(1, 250, STACK).astype(kind)
        compare(f'stack of {np.dtype(kind).name}', labels, levels)
        compare_borders(f'stack of {np.dtype(kind).name}', labels, levels)
        compare(f'stack of {np.dtype(kind).name}, spacing', labels, levels, (2.5, 0.4, 0.3))
    noise = random.integers(0, 30, SIZE).astype(np.uint32)
    levels = random.integers(1, 60000, SIZE).astype(np.uint16)
    compare('noise', noise, levels)
print(f'1..{count}')
