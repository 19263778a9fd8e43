# SPDX-License-Identifier: GPL-3.0-or-later

"""test-gegl-command.py GEGL WAVEFRONT

The command of GEGL with the operations on a file gives the levels of the wavefront command.
"""

import random
import subprocess
import sys
import tempfile

GEGL, WAVEFRONT = sys.argv[1:]
WIDTH, HEIGHT = 83, 47

# arguments of gegl, those of wavefront
CALLS = (
    (['wavefront:fill-holes'], ['fill-holes']),
    (['wavefront:h-maxima', 'height=0.2', 'connectivity=4'],
     ['h-maxima', '--height=51', '--connectivity=4']),
    (['wavefront:opening-by-reconstruction', 'radius=2', 'element=disc'],
     ['opening-by-reconstruction', '--radius=2', '--element=disc']),
    (['wavefront:white-top-hat', 'radius=2', 'element=line', 'angle=30'],
     ['white-top-hat', '--radius=2', '--element=line', '--angle=30']),
    (['wavefront:area-opening', 'area=30'], ['area-opening', '--area=30']),
    (['wavefront:h-minima', 'height=0.4'], ['h-minima', '--height=102']),
    (['wavefront:opening', 'radius=3', 'element=disc'], ['opening', '--radius=3', '--element=disc']),
    (['wavefront:closing', 'radius=2'], ['closing', '--radius=2']),
    (['wavefront:black-top-hat', 'radius=3'], ['black-top-hat', '--radius=3']),
    (['wavefront:gradient', 'radius=2', 'element=disc'],
     ['gradient', '--radius=2', '--element=disc']),
    (['wavefront:median', 'radius=3', 'wavefront:clear-border'], None),
)


def write_gray(path, levels):
    with open(path, 'wb') as file:
        file.write(b'P5\n%d %d\n255\n' % (WIDTH, HEIGHT) + bytes(levels))


def read(path):
    """The levels, as bytes, of a file of gray pixels, or of colors that are gray."""
    with open(path, 'rb') as file:
        words, pixels = [], file.read()
    while len(words) < 4:
        line, pixels = pixels.split(b'\n', 1)
        words += line.split(b'#')[0].split()
    if words[1:3] != [b'%d' % WIDTH, b'%d' % HEIGHT]:
        raise ValueError(f'{path}: {words}')
    if words[3] == b'65535':
        if pixels[0::2] != pixels[1::2]:
            raise ValueError(f'{path} has levels between those of 8 bits')
        pixels = pixels[0::2]
    if words[0] == b'P5':
        return pixels
    if pixels[0::3] != pixels[1::3] or pixels[0::3] != pixels[2::3]:
        raise ValueError(f'{path} is not gray')
    return pixels[0::3]


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=60)


def expected(folder, arguments):
    """The levels by the wavefront command."""
    if arguments:
        run(WAVEFRONT, *arguments, f'{folder}/in.pgm', '-o', f'{folder}/expected.pgm')
    else:
        run(WAVEFRONT, 'median', '--radius=3', f'{folder}/in.pgm', '-o', f'{folder}/step.pgm')
        run(WAVEFRONT, 'clear-border', f'{folder}/step.pgm', '-o', f'{folder}/expected.pgm')
    return read(f'{folder}/expected.pgm')


def main():
    source = random.Random(5)
    coarse = [source.randrange(256) for _ in range(WIDTH * HEIGHT)]
    levels = [coarse[y // 5 * WIDTH + x // 5] for y in range(HEIGHT) for x in range(WIDTH)]
    failed = False
    print(f'1..{len(CALLS)}')
    with tempfile.TemporaryDirectory() as folder:
        write_gray(f'{folder}/in.pgm', levels)
        for number, (operations, arguments) in enumerate(CALLS, 1):
            run(GEGL, f'{folder}/in.pgm', '-o', f'{folder}/out.ppm', '--', *operations)
            good = read(f'{folder}/out.ppm') == expected(folder, arguments)
            failed = failed or not good
            print('ok' if good else 'not ok', number, '-', ' '.join(operations))
    sys.exit(failed)


main()
