#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Filters that keep colors: test-colors.py COMMAND

Each component is what the same command makes of that band alone; with the luminance, pixels whose
level stays are unchanged, and the others have the level that the filter makes of the luminance.
Alpha stays, files of all formats hold the same pixels, and what cannot have colors is refused with
one sentence. Prints TAP.
"""
import os
import random
import subprocess
import sys
import tempfile

import numpy

COMMAND = os.path.abspath(sys.argv[1])
SEED = os.environ.get('WAVEFRONT_TEST_SEED') or str(random.randrange(2 ** 32))
FILTERS = (['fill-holes'], ['clear-border', '--invert'], ['h-maxima', '--height', '60'],
           ['h-basin', '--height', '20'], ['opening-by-reconstruction', '--radius', '1'],
           ['black-top-hat-by-reconstruction', '--radius', '2'], ['area-closing', '--area', '9'],
           ['dilation', '--element', 'disc', '--radius', '2'], ['median', '--radius', '1'],
           ['gaussian', '--sigma', '1.5'], ['gradient'], ['fill-holes', '--invert'])
REFUSED = (
    (['median', 'a.npy', '-o', 'x.jpg'], 'alpha'),
    (['median', 'a.npy', '-o', 'x.pgm'], 'PGM'),
    (['median', 'a.npy', '-o', 'x.pfm'], 'PFM'),
    (['median', 'a.npy', '-o', 'x.raw'], 'raw'),
    (['median', 'b.pnm', '-o', 'x.png', '--channel', '1'], '--channel'),
    (['median', 'b.pnm', '-o', 'x.png', '--stain', 'dab'], '--stain'),
    (['median', 'b.pnm', '-o', 'x.png', '--blocks', 'auto'], '--blocks'),
    (['median', 'b.pnm', '-o', 'x.png', '--raw', '9x9:u8'], '--raw'),
    (['median', 'b.pnm', '-o', 'x.png', '--memory-limit', '4K'], '--memory-limit'),
    (['median', 'd.npy', '-o', 'x.npy'], 'NaN'),
    (['reconstruct', 'b.pnm', 'c.npy', '-o', 'x.png'], 'c.npy'),
    (['run', 'median --radius 1 --colors luminance', 'b.pnm', '-o', 'x.png', '--channel', '1'],
     '--channel'),
    (['run', 'median --radius 1 --colors luminance; relabel', 'b.pnm', '-o', 'x.png'], 'labels'),
    (['run', 'median --radius 1 --colors components', 'a.npy', '-o', 'x.jpg'], 'alpha'),
    (['run', 'median --radius 1 --colors components', 'b.pnm', '-o', 'x.pgm'], 'PGM'),
    (['label', 'b.pnm', '-o', 'x.png'], '--colors'),
    (['regional-maxima', 'b.pnm', '-o', 'x.png'], '--colors'),
    (['impose-minima', 'b.pnm', 'b.pnm', '-o', 'x.png'], '--colors'),
)
count = failed = 0
chance = numpy.random.default_rng(int(SEED))


def report(passed, name, why=''):
    global count, failed
    count += 1
    failed += not passed
    print('%s %d %s' % ('ok' if passed else 'not ok', count, name), flush=True)
    if not passed and why:
        print('# ' + str(why).replace('\n', '\n# '))


def run(*words):
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True)


def must(*words):
    done = run(*words)
    if done.returncode or done.stderr:
        raise SystemExit(f'{words}: {done.stderr}')


def make(*words):
    must(*words, '-o', 'made.npy')
    return numpy.load('made.npy')


def picture(n_components, top=255, dtype=numpy.uint8, size=(31, 43)):
    """Blocks, with a little noise."""
    coarse = chance.integers(0, 7, ((size[0] + 3) // 4, (size[1] + 3) // 4, n_components))
    fine = coarse.repeat(4, 0).repeat(4, 1)[:size[0], :size[1]] * 10
    fine = fine + chance.integers(0, 4, fine.shape)
    return (fine * top / 64).astype(dtype)


def each_component(words, source, array):
    """Alone: files of one band."""
    planes = []
    for c in range(3):
        numpy.save('plane.npy', array[..., c].copy())
        planes.append(make(words[0], 'plane.npy', *words[1:]))
    got = make(words[0], source, *words[1:], '--colors', 'components')
    report(numpy.array_equal(got[..., :3], numpy.stack(planes, -1)) and
           numpy.array_equal(got[..., 3:], array[..., 3:]), ' '.join(words) + ', each component')


def level_of(array):
    """As the command takes it from a picture."""
    with open('level.pnm', 'wb') as file:
        file.write(b'P6\n%d %d\n255\n' % array.shape[1::-1] + array[..., :3].tobytes())
    return make('median', 'level.pnm', '--radius', '0')


def luminance(words, source, array):
    got = make(words[0], source, *words[1:], '--colors', 'luminance')
    before = level_of(array)
    numpy.save('plane.npy', before)
    after = make(words[0], 'plane.npy', *words[1:])
    same = before == after
    difference = numpy.abs(level_of(got).astype(int) - after)[~same]
    report(numpy.array_equal(got[same], array[same]) and
           numpy.array_equal(got[..., 3:], array[..., 3:]) and (difference <= 2).all(),
           ' '.join(words) + ', luminance', difference.max(initial=0))


def formats():
    for dtype, top, names in ((numpy.uint8, 255, ('png', 'tif', 'v')),
                              (numpy.uint16, 65535, ('png', 'tif')), (numpy.float32, 1, ('tif',))):
        for n in (3, 4):
            array = picture(n, top, dtype)
            numpy.save('in.npy', array)
            for name in names + (('pnm',) if n == 3 and dtype != numpy.float32 else ()):
                must('median', 'in.npy', '--radius', '1', '--colors', 'components', '-o',
                     f'out.{name}')
                direct = make('median', 'in.npy', '--radius', '1', '--colors', 'components')
                again = make('median', f'out.{name}', '--radius', '0', '--colors', 'luminance')
                report(direct.dtype == dtype and numpy.array_equal(again, direct),
                       f'{name} holds {n} components of {numpy.dtype(dtype)}')


def other_ways(source, array):
    once = make('h-maxima', source, '--height', 30, '--colors', 'luminance')
    thrice = make('h-maxima', source, '--height', 30, '--colors', 'luminance', '--repeat', 3,
                  '--threads', 2)
    report(numpy.array_equal(once, thrice), 'a repetition begins with the input')
    with open('b.pnm', 'rb') as file:
        done = subprocess.run([COMMAND, 'h-maxima', '-', '--height', '30', '--colors', 'luminance',
                               '--format', 'npy', '-o', '-'], stdin=file, capture_output=True)
    with open('piped.npy', 'wb') as file:
        file.write(done.stdout)
    report(numpy.array_equal(numpy.load('piped.npy'),
                             make('h-maxima', 'b.pnm', '--height', 30, '--colors', 'luminance')),
           'standard input and output', done.stderr)
    gray = array[..., 0].copy()
    numpy.save('gray.npy', gray)
    ways = [make('fill-holes', 'gray.npy', '--colors', way)
            for way in ('gray', 'components', 'luminance')]
    report(all(numpy.array_equal(way, ways[0]) for way in ways), 'a gray file has one way')
    must('median', 'b.pnm', source, '--colors', 'components', '--radius', 1, '-o', '{name}-of.npy')
    report(os.path.exists('a-of.npy') and os.path.exists('b-of.npy'), 'several inputs')


def chains(source):
    """As the same commands with files between them."""
    first = make('median', source, '--radius', 1, '--colors', 'components')
    numpy.save('first.npy', first)
    steps = 'median --radius 1 --colors components'
    expected = make('h-maxima', 'first.npy', '--height', 30, '--colors', 'luminance')
    got = make('run', steps + ' -o between.npy; h-maxima --height 30 --colors luminance', source)
    report(numpy.array_equal(got, expected) and
           numpy.array_equal(numpy.load('between.npy'), first), 'a chain hands on colors')
    got = make('run', steps + '; gradient', source)
    numpy.save('level.npy', level_of(first))
    report(numpy.array_equal(got, make('gradient', 'level.npy')),
           'a step without colors has the luminance')
    marker = make('erosion', source, '--element', 'square', '--radius', 2, '--colors', 'components')
    numpy.save('marker.npy', marker)
    got = make('run', 'erosion --element square --radius 2 --colors components = m; '
               'reconstruct @in @m --colors luminance', source)
    report(numpy.array_equal(got, make('reconstruct', source, 'marker.npy', '--colors',
                                       'luminance')), 'a named result is a marker of colors')
    numpy.save('gray.npy', first[..., 0].copy())
    report(numpy.array_equal(make('run', steps + '; gradient --colors luminance', 'gray.npy'),
                             make('run', 'median --radius 1; gradient', 'gray.npy')),
           'a chain of a gray file is gray')


def encodings():
    """What is linear light stays so, and what is not does not become it."""
    array = picture(3, 1, numpy.float32)
    numpy.save('in.npy', array)
    must('median', 'in.npy', '--radius', '0', '--colors', 'components', '-o', 'srgb.v')
    report(numpy.array_equal(make('h-maxima', 'srgb.v', '--height', 0.2, '--colors', 'luminance'),
                             make('h-maxima', 'in.npy', '--height', 0.2, '--colors', 'luminance')),
           'floating point in .v is encoded as it was')
    with open('light.v', 'wb') as file:     # a file of libvips that says scRGB
        header = numpy.zeros(16, '<u4')
        header[:4] = 0x08f2a6b6, array.shape[1], array.shape[0], 3
        header[5:8] = 6, 0, 28
        header[8:10] = numpy.array([1, 1], '<f4').view('<u4')
        file.write(header.tobytes() + array.tobytes())
    levels = make('median', 'light.v', '--radius', 0)
    for name in 'light.tif', 'again.v':
        must('median', 'light.v', '--radius', '0', '--colors', 'components', '-o', name)
        report(numpy.array_equal(make('median', name, '--radius', 0), levels),
               'linear light is read back from ' + name)
    report(not numpy.array_equal(make('median', 'srgb.v', '--radius', 0), levels),
           'light has another luminance')
    done = run('median', 'light.v', '--radius', 0, '--colors', 'components', '-o', 'light.npy')
    report(done.returncode == 0 and 'linear light' in done.stderr and
           done.stderr.count('\n') == 1, 'told where the file cannot say it', done.stderr)


def reconstructions(source, array):
    marker = picture(4)
    numpy.save('marker.npy', marker)
    planes = []
    for c in range(3):
        numpy.save('plane.npy', array[..., c].copy())
        numpy.save('seed.npy', marker[..., c].copy())
        planes.append(make('reconstruct', 'plane.npy', 'seed.npy'))
    got = make('reconstruct', source, 'marker.npy', '--colors', 'components')
    report(numpy.array_equal(got[..., :3], numpy.stack(planes, -1)), 'a marker of colors')
    numpy.save('seed.npy', marker[..., 0].copy())
    got = make('reconstruct', source, 'seed.npy', '--colors', 'components')
    numpy.save('plane.npy', array[..., 1].copy())
    report(numpy.array_equal(got[..., 1], make('reconstruct', 'plane.npy', 'seed.npy')),
           'a gray marker is that of each component')


def refusals():
    numpy.save('c.npy', picture(3, size=(5, 7)))
    with_nan = picture(3, 1, numpy.float32)
    with_nan[2, 3, 1] = numpy.nan
    numpy.save('d.npy', with_nan)
    for words, culprit in REFUSED:
        given = [] if words[0] == 'run' else ['--colors', 'components']
        done = run(*words, *given)
        report(done.returncode and culprit in done.stderr and done.stderr.count('\n') == 1 and
               not os.path.exists(words[-1] if words[-2] == '-o' else words[words.index('-o') + 1]),
               'refused: ' + ' '.join(words), done.stderr)


print('# seed ' + SEED)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pixels = picture(4)
    numpy.save('a.npy', pixels)
    with open('b.pnm', 'wb') as out:
        out.write(b'P6\n%d %d\n255\n' % pixels.shape[1::-1] + pixels[..., :3].tobytes())
    if 'no libvips' in run('median', 'b.pnm', '--colors', 'components', '-o', 'first.npy').stderr:
        print('1..0 # SKIP the command was built without libvips')
        sys.exit()
    for filter_words in (FILTERS if 'WAVEFRONT_TEST_LONG' in os.environ
                         else random.Random(SEED).sample(FILTERS, 5)):
        each_component(filter_words, 'a.npy', pixels)
        luminance(filter_words, 'a.npy', pixels)
    formats()
    other_ways('a.npy', pixels)
    reconstructions('a.npy', pixels)
    chains('a.npy')
    encodings()
    refusals()
    os.chdir('/')
print('1..%d' % count)
sys.exit(failed > 0)
