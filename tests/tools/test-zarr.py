#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of the Python package zarr against the wavefront command: test-zarr.py COMMAND

The command reads arrays that the package has written, by all codecs, types, byte orders and names
of chunks, and the package reads what the command writes, as a whole and in blocks. Prints TAP.
"""
import os
import subprocess
import sys
import tempfile

import numcodecs
import numpy
import zarr

COMMAND = sys.argv[1]
QUICK = os.environ.get('WAVEFRONT_TEST_TIER', 'quick') == 'quick'
LONG = 'WAVEFRONT_TEST_LONG' in os.environ
BLOCKS = ('--blocks', 'auto', '--memory-limit', '20M', '--threads', '2')
SHAPES = {2: ((1300, 700), (256, 300)), 3: ((7, 90, 70), (3, 32, 70))}
CODECS = {
    'plain': None,
    'zlib': numcodecs.Zlib(1),
    'gzip': numcodecs.GZip(1),
    'zstd': numcodecs.Zstd(1),
    'blosc zstd': numcodecs.Blosc('zstd', 3, 1),
    'blosc lz4': numcodecs.Blosc('lz4', 5, 2),
    'blosc blosclz': numcodecs.Blosc('blosclz', 5, 0),
    'blosc zlib': numcodecs.Blosc('zlib', 1, 1),
}
count = failed = 0


def report(passed, name):
    global count, failed
    count += 1
    failed += not passed
    print('%s %d %s' % ('ok' if passed else 'not ok', count, name), flush=True)


def run(*words):
    done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        print('# %s: %s' % (' '.join(map(str, words)), done.stderr.strip()))
    return done.returncode == 0


def write(name, levels, chunks, codec, separator, fill=0):
    array = zarr.create_array(name, shape=levels.shape, chunks=chunks, dtype=levels.dtype,
                              compressors=codec, zarr_format=2, order='C', fill_value=fill,
                              chunk_key_encoding={'name': 'v2', 'separator': separator})
    array[...] = levels
    return array


def level(name, number):
    return zarr.open_group(name, mode='r', zarr_format=2)[str(number)][...]


def as_engine(levels):
    """As the engine has them: u8, u16 or floats."""
    if levels.dtype.kind == 'b':
        return levels.astype('|u1')
    return levels.astype(levels.dtype.newbyteorder('=')
                         if levels.dtype.kind == 'u' and levels.dtype.itemsize < 4 else '<f4')


def reads(number, levels, chunks, codec, separator, name):
    """An image is what is reconstructed from itself."""
    source, right = 'in%d.zarr' % number, as_engine(levels)
    write(source, levels, chunks, codec, separator)
    for more in ((), BLOCKS):
        made = run('reconstruct', source, source, '-o', 'out.zarr', *more)
        found = level('out.zarr', 0) if made else None
        report(made and found.dtype == right.dtype and (found == right).all(),
               'read %s%s' % (name, ' in blocks' if more else ''))


def all_codecs(random):
    number = 0
    for dtype in ('|u1', '<u2', '>u2', '<f4', '>f4', '<f8', '<i2', '>u4', '<i8', '|b1'):
        for index, (name, codec) in enumerate(CODECS.items()):
            number += 1
            if not LONG and (index + number) % 3 and dtype not in ('|u1', '>u2', '<f4'):
                continue
            shape, chunks = SHAPES[3 if number % 4 == 0 else 2]
            levels = random.integers(0, 2 if dtype == '|b1' else 200, shape).astype(dtype)
            reads(number, levels, chunks, codec, './'[index % 2],
                  '%s, %s, %d-D' % (dtype, name, len(shape)))


def missing_chunks(random):
    """Chunks that hold the fill value only may have no file."""
    array = zarr.create_array('few.zarr', shape=(500, 400), chunks=(100, 100), dtype='<u2',
                              compressors=numcodecs.Blosc(), zarr_format=2, fill_value=77,
                              config={'write_empty_chunks': False})
    array[120:180, 30:350] = random.integers(0, 999, (60, 320)).astype('<u2')
    report(len([file for file in os.listdir('few.zarr') if '.' in file.strip('.')]) < 20 and
           run('reconstruct', 'few.zarr', 'few.zarr', '-o', 'few.raw') and
           (numpy.fromfile('few.raw', '<u2').reshape(500, 400) == array[...]).all(),
           'missing chunks')


def labels(random):
    """Labels are 32-bit numbers, and overviews of them have no others."""
    levels = random.integers(0, 256, (1100, 1300)).astype('|u1')
    write('cells.zarr', levels, (512, 512), numcodecs.Blosc(), '/')
    for more in ((), BLOCKS):
        made = run('label', 'cells.zarr', '--threshold', 180, '-o', 'labels.zarr', *more) and \
            run('label', 'cells.zarr', '--threshold', 180, '-o', 'labels.raw')
        name = ' in blocks' if more else ''
        right = numpy.fromfile('labels.raw', '<u4').reshape(levels.shape)
        found = level('labels.zarr', 0)
        report(made and found.dtype == numpy.dtype('<u4') and (found == right).all(),
               'labels' + name)
        report((level('labels.zarr', 1) == right[::2, ::2]).all() and
               (level('labels.zarr', 2) == right[::4, ::4]).all(), 'overviews' + name)
        attributes = dict(zarr.open_group('labels.zarr', mode='r', zarr_format=2).attrs)
        report('image-label' in attributes and
               [axis['name'] for axis in attributes['multiscales'][0]['axes']] == ['y', 'x'] and
               len(attributes['multiscales'][0]['datasets']) == 3, 'attributes' + name)


def stack(random):
    """A stack has three axes; its overviews have all slices."""
    levels = random.random((5, 601, 333)).astype('<f4')
    write('stack.zarr', levels, (2, 128, 128), numcodecs.Zstd(1), '.')
    made = run('reconstruct', 'stack.zarr', 'stack.zarr', '-o', 'out.zarr')
    report(made and (level('out.zarr', 0) == levels).all() and
           level('out.zarr', 1).shape == (5, 301, 167), 'a stack and its overviews')


def damaged(random):
    """Each byte of a chunk may be another one: a sentence, or other pixels, but no crash."""
    levels = random.integers(0, 4, (64, 64)).astype('|u1')
    for name, codec in CODECS.items():
        folder = 'damaged-%s.zarr' % name.replace(' ', '-')
        write(folder, levels, (64, 64), codec, '.')
        chunk = os.path.join(folder, '0.0')
        with open(chunk, 'rb') as file:
            good = file.read()
        worst = 0
        for turn in range(20 if QUICK else 60):
            bad = bytearray(good)
            if turn % 2:
                bad[random.integers(0, min(len(bad), 64 if turn % 4 == 1 else len(bad)))] ^= \
                    1 << random.integers(0, 8)
            else:
                del bad[random.integers(0, len(bad)):]
            with open(chunk, 'wb') as file:
                file.write(bad)
            done = subprocess.run([COMMAND, 'label', folder, '-o', 'none.raw'],
                                  capture_output=True, text=True)
            worst = max(worst, abs(done.returncode))
            if done.returncode == 1 and chunk not in done.stderr:
                worst = 2
        report(worst <= 1, 'damaged %s' % name)


def main():
    random = numpy.random.default_rng(int(os.environ.get('WAVEFRONT_TEST_NUMBER', '1')))
    with tempfile.TemporaryDirectory(prefix='wavefront-zarr-') as folder:
        os.chdir(folder)
        for test in (all_codecs, missing_chunks, labels, stack, damaged):
            test(random)
        os.chdir('/')
    print('1..%d' % count)
    return failed > 0


if __name__ == '__main__':
    if int(zarr.__version__.split('.')[0]) < 3:
        print('1..0 # SKIP the package zarr is older than 3')
        sys.exit(0)
    sys.exit(main())
