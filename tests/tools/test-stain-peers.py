#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The option --stain beside scikit-image: test-stain-peers.py COMMAND

separate_stains() gives amounts in units of the densest color that it tells from black, by
directions of any length; the command gives what the slide lets through, 10^-amount, by directions
of length 1. Pictures are scikit-image's own slide, or random colors where it is not there. Prints
TAP. WAVEFRONT_PACKAGES=bench gives ./dev an environment with scikit-image.
"""
import os
import subprocess
import sys
import tempfile

COMMAND = sys.argv[1]

try:
    import numpy as np
    from skimage.color import separate_stains
except ImportError as missing:
    print(f'1..0 # SKIP {missing}; ./dev has it with WAVEFRONT_PACKAGES=bench')
    sys.exit(0)

H_OF_HE, E_OF_HE = (0.65, 0.70, 0.29), (0.07, 0.99, 0.11)
H_OF_DAB, DAB = (0.650, 0.704, 0.286), (0.268, 0.570, 0.776)
NAMED = {'hematoxylin': (H_OF_HE, E_OF_HE), 'eosin': (E_OF_HE, H_OF_HE),
         'hematoxylin-dab': (H_OF_DAB, DAB), 'dab': (DAB, H_OF_DAB)}
OWN = [(0.65, 0.70, 0.29), (0.07, 0.99, 0.11), (0.27, 0.57, 0.78)]
LEAST = 6   # scikit-image's unit: the densest color is 10^-6
SEED = int(''.join(filter(str.isdigit, os.environ.get('WAVEFRONT_TEST_SEED', '')))[:9] or 7)
count = 0


def ok(holds, what, *more):
    global count
    count += 1
    print(f'{"ok" if holds else "not ok"} {count} - {what}', *more, flush=True)


def make_picture(random, size):
    """Two stains in random amounts, with noise."""
    amounts = random.gamma(1, 0.3, size=(*size, 2))
    density = amounts @ np.array([H_OF_DAB, DAB]) + random.normal(size=(*size, 3)) * 0.02
    return np.rint(255 * np.clip(10 ** -density, 0, 1)).astype(np.uint8)


def write_ppm(path, picture):
    with open(path, 'wb') as out:
        out.write(b'P6\n%d %d\n255\n' % (picture.shape[1], picture.shape[0]))
        out.write(picture.tobytes())


def read_levels(folder, stain, shape):
    """The levels that the command takes, eroded by single pixels."""
    done = subprocess.run([COMMAND, 'erosion', f'{folder}/in.ppm', '-o', f'{folder}/out.raw',
                           '--radius', '0', '--stain', stain], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return np.fromfile(f'{folder}/out.raw', np.uint8).reshape(shape)


def expected(picture, vectors):
    """scikit-image's amounts, whose unit is the length of the stain's direction."""
    rows = np.array(vectors, float)
    if len(rows) == 2:
        rows = np.vstack([rows, np.cross(rows[0], rows[1])])
    amounts = separate_stains(picture, np.linalg.inv(rows))[..., 0]
    return 255 * 10 ** -(LEAST * amounts * np.linalg.norm(rows[0]))


def main():
    random = np.random.default_rng(SEED)
    picture = make_picture(random, (150, 200))
    with tempfile.TemporaryDirectory() as folder:
        write_ppm(f'{folder}/in.ppm', picture)
        cases = list(NAMED.items())
        cases += [(';'.join(','.join(map(str, OWN[(first + i) % 3])) for i in range(n)),
                   [OWN[(first + i) % 3] for i in range(n)]) for first in range(3) for n in (2, 3)]
        for stain, vectors in cases:
            levels = read_levels(folder, stain, picture.shape[:2])
            difference = np.abs(levels - expected(picture, vectors))
            ok(difference.max() <= 0.5 + 1e-3, f'{stain}: as scikit-image',
               f'({difference.max():.4f})')
            ok(np.std(levels) > 5, f'{stain}: there is something to see')
    print(f'1..{count}')


main()
