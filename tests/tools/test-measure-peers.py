#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command measure beside scikit-image's regionprops: test-measure-peers.py COMMAND

What both define in the same way must agree; of the axes of the ellipse, to which scikit-image adds
no moment of the pixels themselves, that is added first. Prints TAP. WAVEFRONT_PACKAGES=bench gives
./dev an environment with scikit-image.
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
SEED = int(''.join(filter(str.isdigit, os.environ.get('WAVEFRONT_TEST_SEED', '')))[:9] or 7)
SAME = {
    'area': 'area', 'left': 'bbox-1', 'top': 'bbox-0', 'extent': 'extent',
    'equivalent_diameter': 'equivalent_diameter_area', 'perimeter': 'perimeter_crofton',
    'euler_number': 'euler_number', 'mean': 'intensity_mean', 'minimum': 'intensity_min',
    'maximum': 'intensity_max', 'standard_deviation': 'intensity_std',
}
CENTERS = {'centroid_x': 'centroid-1', 'centroid_y': 'centroid-0',
           'weighted_centroid_x': 'centroid_weighted-1',
           'weighted_centroid_y': 'centroid_weighted-0'}
AXES = {'ellipse_major': 'axis_major_length', 'ellipse_minor': 'axis_minor_length'}
PROPERTIES = ('label', 'area', 'bbox', 'extent', 'equivalent_diameter_area', 'perimeter_crofton',
              'euler_number', 'intensity_mean', 'intensity_min', 'intensity_max', 'intensity_std',
              'centroid', 'centroid_weighted', 'axis_major_length', 'axis_minor_length',
              'orientation', 'feret_diameter_max', 'area_convex')
count = 0


def ok(holds, what, *more):
    global count
    count += 1
    print(f'{"ok" if holds else "not ok"} {count} - {what}', *more, flush=True)


def measure(folder, labels, levels):
    labels.astype('<u4').tofile(f'{folder}/labels.raw')
    levels.tofile(f'{folder}/levels.raw')
    kind = {'uint8': 'u8', 'uint16': 'u16', 'float32': 'f32'}[levels.dtype.name]
    subprocess.run([COMMAND, 'measure', f'{folder}/labels.raw', '--image', f'{folder}/levels.raw',
                    '--raw', f'{labels.shape[1]}x{labels.shape[0]}:{kind}',
                    '-o', f'{folder}/table.json'], check=True, capture_output=True)
    with open(f'{folder}/table.json', encoding='utf-8') as file:
        lines = json.load(file)['regions']
    return {name: np.array([np.nan if line[name] is None else line[name] for line in lines], float)
            for name in lines[0]}


def compare(what, mine, theirs):
    def close(one, other, tolerance=1e-9):
        return np.allclose(one, other, rtol=tolerance, atol=tolerance)

    ok(np.array_equal(mine['label'], theirs['label']), f'{what}: labels')
    for name, other in SAME.items():
        # of float32 levels scikit-image's means are float32, too
        rounded = what == 'float32' and name in ('mean', 'standard_deviation')
        ok(close(mine[name], theirs[other], 1e-5 if rounded else 1e-9), f'{what}: {name}')
    for name, other in CENTERS.items():
        ok(close(mine[name], theirs[other] + 0.5), f'{what}: {name}')
    for name, other in AXES.items():
        # the square root of a rounded 0 is some 1e-8
        ok(np.allclose(mine[name] ** 2 / 16 - 1 / 12, theirs[other] ** 2 / 16, rtol=1e-9,
                       atol=1e-7), f'{what}: {name}')
    inner = mine['label'][mine['touches_border'] == 0]
    if what != 'noise':
        # of regions in one piece; scikit-image keeps the inner pieces of others
        ok(np.array_equal(inner, np.unique(clear_border(labels))[1:]), f'{what}: touches_border')
    turned = np.abs(mine['orientation'] - 90 - np.degrees(theirs['orientation'])) % 180
    long = theirs['axis_major_length'] > 1.05 * theirs['axis_minor_length']
    ok(np.all(np.minimum(turned, 180 - turned)[long] < 1e-6), f'{what}: orientation')
    # scikit-image measures to the middle of the pixels' sides, and counts pixels in the hull
    ok(np.all(np.abs(mine['feret_max'] - theirs['feret_diameter_max']) < 1), f'{what}: feret_max')
    large = theirs['area'] > 300
    ok(np.all(np.abs(mine['convex_area'] / theirs['area_convex'] - 1)[large] < 0.1),
       f'{what}: convex_area')


random = np.random.default_rng(SEED)
with tempfile.TemporaryDirectory() as scratch:
    for kind in (np.uint8, np.uint16, np.float32):
        ground = ndimage.gaussian_filter(random.standard_normal(SIZE), 3)
        labels = label(ground > 0.02).astype(np.uint32)
        levels = random.integers(1, 250, SIZE).astype(kind)
        compare(np.dtype(kind).name, measure(scratch, labels, levels),
                regionprops_table(labels, levels, properties=PROPERTIES))
    noise = random.integers(0, 30, SIZE).astype(np.uint32)
    levels = random.integers(1, 60000, SIZE).astype(np.uint16)
    compare('noise', measure(scratch, noise, levels),
            regionprops_table(noise, levels, properties=PROPERTIES))
print(f'1..{count}')
