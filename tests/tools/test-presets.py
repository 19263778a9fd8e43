#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The presets of the watershed count right: test-presets.py COMMAND PICTURES GET

PICTURES is docs/preset_pictures.py, which draws a picture for each preset and knows how many
objects it has; GET is data/get-pictures: photographs are counted where they can be had. Besides, a
preset is the same as its options, and those that are given win. Prints TAP.
"""
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

COMMAND, PICTURES, GET = sys.argv[1:4]
SEEDS = 1, 2
# the part of the objects that may be missed, or found twice
TOLERANCE = 0.05
# photographs: their size, how many objects a person counts, how many more or less are accepted, and
# the part that is looked at: left, top, width, height
PHOTOGRAPHS = {'coins': ('coins', (384, 303), 24, 1, (0, 0, 384, 303)),
               'ihc': ('nuclei-h-dab', (512, 512), 17, 3, (170, 240, 120, 80))}
count = 0


def ok(holds, what, *more):
    global count
    count += 1
    print(f'{"ok" if holds else "not ok"} {count} - {what}', flush=True)
    for line in more if not holds else ():
        print('#', str(line).strip().replace('\n', '\n# '))


def skip(what, reason):
    global count
    count += 1
    print(f'ok {count} - {what} # SKIP {reason}')


def import_pictures():
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location('preset_pictures', PICTURES)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(folder, *words):
    return subprocess.run([COMMAND, *words], cwd=folder, capture_output=True, text=True,
                          check=False)


def count_objects(folder, picture, *options):
    done = run(folder, 'watershed', picture, '-o', 'labels.tif', *options)
    return int(done.stdout) if done.returncode == 0 else done.stderr


def labels_of(folder, picture, *options):
    done = run(folder, 'watershed', picture, '-o', 'labels.raw', *options)
    return done.stdout + done.stderr, (pathlib.Path(folder) / 'labels.raw').read_bytes()


def read_presets(folder):
    """The options of each preset, as the command lists them."""
    presets = {}
    for paragraph in run(folder, 'presets').stdout.split('\n\n'):
        lines = paragraph.strip().splitlines()
        presets[lines[0].split(':')[0]] = lines[-1].split()
    return presets


def check_counts(folder, pictures, presets):
    ok(sorted(presets) == sorted(pictures.KINDS), 'each preset has a picture', sorted(presets))
    for name in presets:
        found = []
        for seed in SEEDS:
            pixels, n = pictures.draw(name, seed)
            pictures.write_png(folder / f'{name}.png', pixels)
            found.append((count_objects(folder, f'{name}.png', '--preset', name), n))
        ok(all(isinstance(k, int) and abs(k - n) <= TOLERANCE * n for k, n in found),
           f'{name} counts {found[0][1]} objects, and those of other pictures', found)


def check_options(folder, presets):
    for name, options in presets.items():
        picture = f'{name}.png'
        given = labels_of(folder, picture, *options)
        ok(labels_of(folder, picture, '--preset', name) == given,
           f'{name} is the same as {" ".join(options)}', options)


def check_own_values(folder, presets):
    options = presets['pores']
    at = options.index('--smoothing')
    changed = options[:at] + ['--smoothing', '3.5'] + options[at + 2:]
    own = labels_of(folder, 'pores.png', *changed)
    ok(labels_of(folder, 'pores.png', '--preset', 'pores', '--smoothing', '3.5') == own and
       own != labels_of(folder, 'pores.png', *options), 'a smoothing that is given wins')
    ok(count_objects(folder, 'coins.png', '--preset', 'coins', '--min-area', '1e6') == 0,
       'and a least area')
    ok(labels_of(folder, 'coins.png', '--preset', 'coins', '--threshold', '90') ==
       labels_of(folder, 'coins.png', '--input', 'objects', '--threshold', '90', '--smoothing',
                 '2', '--tolerance', '1.5', '--min-area', '150', '--min-circularity', '0.6'),
       'and a threshold')
    ok(labels_of(folder, 'coins.png', '--preset', 'coins', '--input', 'objects') ==
       labels_of(folder, 'coins.png', '--preset', 'coins'),
       'the input of the preset, given once more, changes nothing')
    ok(labels_of(folder, 'terrain.png', '--preset', 'terrain', '--tolerance', '30') ==
       labels_of(folder, 'terrain.png', '--smoothing', '1', '--tolerance', '30'),
       'and a tolerance')
    ok(labels_of(folder, 'nuclei-he.png', '--preset', 'nuclei-he', '--stain', 'eosin') ==
       labels_of(folder, 'nuclei-he.png', '--stain', 'eosin', '--input', 'objects', '--threshold',
                 'otsu', '--invert', '--smoothing', '1', '--tolerance', '0.75', '--min-area',
                 '20'),
       'and a stain')


def write_pgm(path, pixels):
    """Of 16 bits, with white where it is white in 8."""
    deep = (pixels.astype('>u2') * 257).tobytes()
    path.write_bytes(b'P5 %d %d 65535\n' % pixels.shape[::-1] + deep)


def check_depths(folder, pictures):
    pixels, _ = pictures.draw('membranes', 1)
    write_pgm(folder / 'deep.pgm', pixels)
    ok(count_objects(folder, 'deep.pgm', '--preset', 'membranes') ==
       count_objects(folder, 'membranes.png', '--preset', 'membranes'),
       'as many objects in 16 bits')


def check_ways(folder):
    whole = labels_of(folder, 'terrain.png', '--preset', 'terrain')
    ok(labels_of(folder, 'terrain.png', '--preset', 'terrain', '--blocks', 'auto') == whole,
       'in blocks, without limits')
    done = run(folder, 'watershed', 'pores.png', '--preset', 'pores', '--blocks', 'auto', '-o',
               'labels.raw')
    ok(done.returncode == 2 and '--min-area' in done.stderr, 'limits are not for blocks',
       done.stderr)
    done = run(folder, 'run', 'watershed --preset pores', 'pores.png', '-o', 'chain.raw')
    ok(done.returncode == 0 and (folder / 'chain.raw').read_bytes() ==
       labels_of(folder, 'pores.png', '--preset', 'pores')[1], 'in a step', done.stderr)
    done = run(folder, 'run', 'watershed --preset nuclei-he', 'nuclei-he.png', '-o', 'chain.raw')
    ok(done.returncode == 2 and '--stain hematoxylin' in done.stderr,
       'a step has no stain of its own', done.stderr)


def check_refusals(folder):
    (folder / 'none.tif').unlink(missing_ok=True)
    done = run(folder, 'watershed', 'coins.png', '--preset', 'coin', '-o', 'none.tif')
    ok(done.returncode == 2 and '“coin”' in done.stderr and 'coins' in done.stderr and
       done.stderr.count('\n') == 1 and not (folder / 'none.tif').exists(), 'an unknown name',
       done.stderr)
    done = run(folder, 'watershed', 'coins.png', '--preset', 'nuclei-he', '-o', 'none.tif')
    ok(done.returncode == 1 and 'coins.png' in done.stderr and done.stderr.count('\n') == 1 and
       not (folder / 'none.tif').exists(), 'a gray picture has no stain', done.stderr)


def find_photographs():
    cache = os.environ.get('WAVEFRONT_CACHE')
    if not cache:
        return None
    folder = pathlib.Path(cache) / 'pictures'
    if os.environ.get('WAVEFRONT_TEST_TIER') == 'all':
        subprocess.run([GET, folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=False)
    return folder


def count_inside(labels, part):
    """Objects whose centroid is in the part."""
    left, top, width, height = part
    n = np.maximum(np.bincount(labels.ravel()), 1)
    y, x = (np.bincount(labels.ravel(), places.ravel()) / n for places in np.indices(labels.shape))
    inside = (left <= x) & (x < left + width) & (top <= y) & (y < top + height)
    return int(np.count_nonzero(inside[1:]))


def check_photographs(folder):
    photographs = find_photographs()
    for name, (preset, size, n, more_or_less, part) in PHOTOGRAPHS.items():
        path = photographs / f'{name}.png' if photographs else None
        if not path or not path.exists():
            skip(f'{preset} in a photograph', 'it is not there')
            continue
        said, raw = labels_of(folder, path, '--preset', preset)
        found = count_inside(np.frombuffer(raw, np.uint32).reshape(size[::-1]), part)
        ok(abs(found - n) <= more_or_less, f'{preset} in a photograph of {n}', found, said)


def main():
    pictures = import_pictures()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        presets = read_presets(folder)
        check_counts(folder, pictures, presets)
        check_options(folder, presets)
        check_own_values(folder, presets)
        check_depths(folder, pictures)
        check_ways(folder)
        check_refusals(folder)
        check_photographs(folder)
    print(f'1..{count}')


main()
