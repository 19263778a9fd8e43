#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command threshold beside scikit-image: test-threshold-peers.py COMMAND

Local thresholds against threshold_local() and threshold_sauvola(), which mirror the image at its
rim, where the command leaves out what lies outside: so means and deviations are compared where the
window lies inside. Gaussians repeat the pixels at the rim in both; scikit-image's ends at four
times sigma, the command's at three times, so it is also compared with scipy's that ends there.
Pixels at the threshold, to within the rounding of both, are left out. Prints TAP.
WAVEFRONT_PACKAGES=bench gives ./dev an environment with scikit-image.
"""
import math
import os
import subprocess
import sys
import tempfile

COMMAND = sys.argv[1]

try:
    import numpy as np
    from scipy import ndimage
    from skimage.filters import threshold_local, threshold_sauvola
except ImportError as missing:
    print(f'1..0 # SKIP {missing}; ./dev has it with WAVEFRONT_PACKAGES=bench')
    sys.exit(0)

SIZES = (130, 170), (24, 33, 41)
SEED = int(''.join(filter(str.isdigit, os.environ.get('WAVEFRONT_TEST_SEED', '')))[:9] or 7)
K = 0.06
HIGHEST = {np.uint8: 255, np.uint16: 65535, np.float32: 1}
count = 0


def ok(holds, what, *more):
    global count
    count += 1
    print(f'{"ok" if holds else "not ok"} {count} - {what}', *more, flush=True)


def make_image(random, size, kind):
    """Spots on a background that rises, with noise."""
    spots = ndimage.gaussian_filter(random.normal(size=size), 2)
    image = spots / np.abs(spots).max() + np.linspace(0, 1, size[-1])
    image += random.normal(size=size) / 50
    image = (image - image.min()) / np.ptp(image) * HIGHEST[kind]
    return (image if kind is np.float32 else np.rint(image)).astype(kind)


def mark(folder, image, *options):
    image.tofile(f'{folder}/in.raw')
    name = {'uint8': 'u8', 'uint16': 'u16', 'float32': 'f32'}[image.dtype.name]
    size = 'x'.join(str(n) for n in reversed(image.shape))
    subprocess.run([COMMAND, 'threshold', f'{folder}/in.raw', '--raw', f'{size}:{name}',
                    '-o', f'{folder}/out.raw', *(str(option) for option in options)],
                   check=True, capture_output=True)
    return np.fromfile(f'{folder}/out.raw', np.uint8).reshape(image.shape)


def compare(what, marks, image, thresholds, rounding, margin=0):
    """Compares what is further than the rounding from its threshold, and margin from the rim."""
    inside = tuple(slice(margin, n - margin) for n in image.shape)
    levels, thresholds = image[inside].astype(float), thresholds[inside]
    clear = np.abs(levels - thresholds) > rounding
    expected = np.where(levels > thresholds, 255, 0)
    wrong = int(np.sum((marks[inside] != expected) & clear))
    part = np.mean(expected[clear] > 0)
    ok(wrong == 0, f'{what}: pixels', f'({wrong} wrong)')
    # a comparison of few pixels, or of pixels that are all the same, would say nothing
    ok(np.mean(clear) > 0.5 and 0.02 < part < 0.98, f'{what}: most pixels are compared',
       f'({np.mean(clear):.3f} of them, {part:.3f} marked)')


def compare_windows(folder, image, radius, what):
    highest = HIGHEST[image.dtype.type]
    real = image.astype(float)
    offset = highest / 40
    sides = [2 * radius + 1] * image.ndim
    marks = mark(folder, image, '--method', 'mean', '--radius', radius, '--offset', offset)
    compare(f'{what} mean', marks, image, threshold_local(real, sides, 'mean', offset),
            highest * 1e-9, radius)
    marks = mark(folder, image, '--method', 'sauvola', '--radius', radius, '--k', K)
    # the range by the type of the image, as the command finds it
    half = {np.uint8: 127.5, np.uint16: 32767.5, np.float32: 0.5}[image.dtype.type]
    compare(f'{what} sauvola', marks, image, threshold_sauvola(real, sides, K, half),
            highest * 1e-7, radius)
    if image.dtype.type is not np.float32:
        # its own default; of floating point it is that of levels from −1
        compare(f'{what} sauvola, default range', marks, image,
                threshold_sauvola(image, sides, K), highest * 1e-7, radius)


def compare_gaussian(folder, image, sigma, what):
    highest = HIGHEST[image.dtype.type]
    real = image.astype(float)
    marks = mark(folder, image, '--method', 'gaussian', '--sigma', sigma)
    # of u8 the command keeps eight bits behind the point, of u16 none; f32 is rounded
    rounding = {np.uint8: 1 / 256, np.uint16: 1, np.float32: 1e-5}[image.dtype.type]
    compare(f'{what} gaussian', marks, image,
            ndimage.gaussian_filter(real, sigma, mode='nearest', truncate=3), rounding)
    # what the weights between three and four times sigma can make of the highest level
    beyond = 2 * (1 - math.erf(3 / math.sqrt(2)) ** image.ndim) * highest
    compare(f'{what} gaussian, four times sigma', marks, image,
            threshold_local(real, 3, 'gaussian', param=sigma, mode='nearest'), rounding + beyond)


random = np.random.default_rng(SEED)
with tempfile.TemporaryDirectory() as scratch:
    for kind in HIGHEST:
        for size in SIZES:
            picture = make_image(random, size, kind)
            name = f'{kind.__name__} {"x".join(str(n) for n in size)}'
            compare_windows(scratch, picture, 6 if len(size) == 2 else 3, name)
            # three times sigma is a whole number: scipy rounds it to the nearest
            compare_gaussian(scratch, picture, 4 if len(size) == 2 else 2, name)
print(f'1..{count}')
