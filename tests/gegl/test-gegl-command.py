# SPDX-License-Identifier: GPL-3.0-or-later

"""test-gegl-command.py GEGL WAVEFRONT

The command of GEGL with the operations on a file gives the levels of the wavefront command.
"""

import random
import struct
import subprocess
import sys
import tempfile

GEGL, WAVEFRONT = sys.argv[1:]
WIDTH, HEIGHT = 83, 47

# arguments of gegl, those of wavefront or a function of the folder and the levels
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


def expected(folder, arguments, levels):
    """The levels by the wavefront command."""
    if callable(arguments):
        return arguments(folder, levels)
    if arguments:
        run(WAVEFRONT, *arguments, f'{folder}/in.pgm', '-o', f'{folder}/expected.pgm')
    else:
        run(WAVEFRONT, 'median', '--radius=3', f'{folder}/in.pgm', '-o', f'{folder}/step.pgm')
        run(WAVEFRONT, 'clear-border', f'{folder}/step.pgm', '-o', f'{folder}/expected.pgm')
    return read(f'{folder}/expected.pgm')


def numbers(folder, code, *arguments):
    """The numbers in the result of the wavefront command, of a type of the module struct."""
    run(WAVEFRONT, *arguments, '-o', f'{folder}/numbers.raw')
    with open(f'{folder}/numbers.raw', 'rb') as file:
        return struct.unpack(f'<{WIDTH * HEIGHT}{code}', file.read())


def rounded(values):
    return bytes(min(int(value + 0.5), 255) for value in values)


def distances(folder, levels):
    return rounded(numbers(folder, 'f', 'distance', '--threshold=102', f'{folder}/in.pgm'))


def clipped_distances(folder, levels):
    """2 pixels, in city blocks, are white."""
    return rounded(distance * 255 / 2 for distance in numbers(
        folder, 'f', 'distance', '--threshold=90', '--metric=city-block', '--border-background',
        f'{folder}/in.pgm'))


def lines(folder, levels):
    """Black or white on levels that stay."""
    labels = numbers(folder, 'I', 'watershed', '--lines', '--tolerance=26', f'{folder}/in.pgm')
    if 0 not in labels:
        raise ValueError('the picture has no lines')
    return bytes(level if label else 255 if level < 128 else 0
                 for level, label in zip(levels, labels))


def means(folder, levels):
    labels = numbers(folder, 'I', 'watershed', '--tolerance=51', '--merge-area=40',
                     f'{folder}/in.pgm')
    sums, counts = [0] * (max(labels) + 1), [0] * (max(labels) + 1)
    for level, label in zip(levels, labels):
        sums[label] += level
        counts[label] += 1
    return rounded(sums[label] / counts[label] for label in labels)


def write_marker(folder, levels):
    """Levels of a marker, lower and higher than those of the picture."""
    source = random.Random(8)
    write_gray(f'{folder}/marker.pgm', [source.randrange(256) if source.random() < 0.03 else 0
                                        for _ in levels])


def reconstruction(folder, levels):
    run(WAVEFRONT, 'reconstruct', f'{folder}/in.pgm', f'{folder}/marker.pgm', '--connectivity=4',
        '-o', f'{folder}/expected.pgm')
    return read(f'{folder}/expected.pgm')


def lowered(folder, levels):
    """Without a second input the picture itself is the marker, lowered."""
    run(WAVEFRONT, 'h-maxima', '--height=51', f'{folder}/in.pgm', '-o', f'{folder}/expected.pgm')
    return read(f'{folder}/expected.pgm')


CALLS += (
    (['wavefront:distance-map', 'threshold=0.4', 'result=raw'], distances),
    (['wavefront:distance-map', 'threshold=0.3544', 'metric=city-block', 'result=clipped',
      'maximum=2', 'border-background=true'], clipped_distances),
    (['wavefront:watershed-lines', 'lines=true', 'tolerance=0.102'], lines),
    (['wavefront:watershed-means', 'tolerance=0.2', 'merge-by=area', 'merge-value=40'], means),
    (['wavefront:reconstruct', 'connectivity=4', 'aux=[', 'gegl:load', 'path=FOLDER/marker.pgm',
      ']'], reconstruction),
    (['wavefront:reconstruct', 'height=0.2'], lowered),
)


def main():
    source = random.Random(5)
    coarse = [source.randrange(256) for _ in range(WIDTH * HEIGHT)]
    levels = [coarse[y // 5 * WIDTH + x // 5] for y in range(HEIGHT) for x in range(WIDTH)]
    failed = False
    print(f'1..{len(CALLS)}')
    with tempfile.TemporaryDirectory() as folder:
        write_gray(f'{folder}/in.pgm', levels)
        write_marker(folder, levels)
        for number, (operations, arguments) in enumerate(CALLS, 1):
            run(GEGL, f'{folder}/in.pgm', '-o', f'{folder}/out.ppm', '--',
                *[word.replace('FOLDER', folder) for word in operations])
            good = read(f'{folder}/out.ppm') == expected(folder, arguments, levels)
            failed = failed or not good
            print('ok' if good else 'not ok', number, '-', ' '.join(operations))
    sys.exit(failed)


main()
