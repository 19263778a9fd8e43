#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stacks whose slices are files: test-sequences.py COMMAND [zarr]

A name that stands for several files must give what one file with all slices gives, in memory and
in blocks, in every format; files that do not fit are refused before anything is written. Prints
TAP.
"""
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

COMMAND = os.path.abspath(sys.argv[1])
FORMATS = ['pgm', 'png', 'tif', 'npy', 'raw'] + ['zarr'] * ('zarr' in sys.argv)
SEED = os.environ.get('WAVEFRONT_TEST_SEED') or str(random.randrange(2 ** 32))
WIDTH, HEIGHT, DEPTH = 53, 41, 12
BLOCKS = ('--blocks', 'auto', '--memory-limit', '16M', '--threads', '2')
WHOLE = ('whole.raw', '--raw', '%dx%dx%d:u8' % (WIDTH, HEIGHT, DEPTH))
count = failed = 0
chance = random.Random(SEED)


def report(passed, name, *why):
    global count, failed
    count += 1
    failed += not passed
    print('%s %d %s' % ('ok' if passed else 'not ok', count, name), flush=True)
    if not passed:
        print('#', *(str(word).replace('\n', '\n# ') for word in why))


def run(*words):
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True)


def read(name):
    with open(name, 'rb') as file:
        return file.read()


def write(name, content):
    with open(name, 'wb') as file:
        file.write(content)


def raw_options(form, depth=1):
    return ('--raw', '%dx%dx%d:u8' % (WIDTH, HEIGHT, depth)) if form == 'raw' else ()


def write_slices(stem, pixels):
    """A file of each slice in each format, numbered from 8: the names have one and two digits."""
    for i in range(DEPTH):
        part = pixels[i * WIDTH * HEIGHT:(i + 1) * WIDTH * HEIGHT]
        names = ['%s%d.%s' % (stem, 8 + i, form) for form in FORMATS]
        write(names[0], b'P5\n%d %d\n255\n' % (WIDTH, HEIGHT) + part)
        write('%s%d.raw' % (stem, 8 + i), part)
        for name in names[1:]:
            if not name.endswith('.raw'):
                # a reconstruction from the image itself is the image
                run('reconstruct', names[0], names[0], '-o', name)


def same(name, result, expected):
    report(result.returncode == 0 and read('out.raw') == expected, name, result.stderr)
    if os.path.exists('out.raw'):
        os.unlink('out.raw')


def whole(*words):
    done = run(words[0], *WHOLE, *words[1:], '-o', 'one.raw')
    report(done.returncode == 0, 'one file, ' + words[0], done.stderr)
    return read('one.raw')


def formats():
    for words in [('fill-holes',), ('distance', '--threshold', 120), ('label', '--threshold', 90)]:
        expected = whole(*words)
        for form in FORMATS:
            name = 'z*.' + form
            same('%s of %s' % (words[0], name),
                 run(words[0], name, *raw_options(form), *words[1:], '-o', 'out.raw'), expected)
            if form != 'pgm':   # which is no format for blocks
                same('%s of %s in blocks' % (words[0], name),
                     run(words[0], name, *raw_options(form), *words[1:], *BLOCKS, '-o', 'out.raw'),
                     expected)


def files_of_several_slices():
    for i in range(0, DEPTH, 3):
        write('s%d.raw' % (i + 1), read('whole.raw')[i * WIDTH * HEIGHT:(i + 3) * WIDTH * HEIGHT])
    for more in (), BLOCKS:
        same('files of three slices, %d words more' % len(more),
             run('fill-holes', 's*.raw', *raw_options('raw', 3), *more, '-o', 'out.raw'),
             whole('fill-holes'))


def other_inputs():
    """Markers and masks, steps and batches."""
    n = WIDTH * HEIGHT
    labels = [chance.randrange(1, 99) if chance.random() < 0.01 else 0 for _ in range(n * DEPTH)]
    write('labels.raw', struct.pack('<%dI' % len(labels), *labels))
    for i in range(DEPTH):
        write('m%d.raw' % (i + 1), struct.pack('<%dI' % n, *labels[i * n:(i + 1) * n]))
    expected = whole('watershed', '--markers', 'labels.raw')
    for more in (), BLOCKS:
        same('markers', run('watershed', 'z*.raw', *raw_options('raw'), '--markers', 'm*.raw',
                            *more, '-o', 'out.raw'), expected)
    same('a chain', run('run', 'fill-holes; watershed', 'z*.png', '-o', 'out.raw'),
         whole_chain())
    done = run('fill-holes', 'z?.pgm', 'z1?.pgm', '-o', 'b-{name}-{n}.raw')
    report(done.returncode == 0 and len(read('b-z-1.raw')) == 2 * n
           and len(read('b-z1-2.raw')) == (DEPTH - 2) * n, 'a batch of stacks', done.stderr)
    done = run('watershed', 'z*.raw', *raw_options('raw'), '--resume', '-o', 'out.raw')
    same('a run that could go on', done, whole('watershed'))


def whole_chain():
    run('run', 'fill-holes; watershed', *WHOLE, '-o', 'one.raw')
    return read('one.raw')


def names():
    """A file that has such a name is meant itself."""
    shutil.copy('z9.pgm', 'q*.pgm')
    shutil.copy('z8.pgm', 'q1.pgm')
    done = run('fill-holes', 'q*.pgm', '-o', 'out.raw')
    report(done.returncode == 0 and len(read('out.raw')) == WIDTH * HEIGHT, 'a file with a star')
    os.unlink('out.raw')


def more_names():
    """Brackets are no pattern; options of libvips are those of each file; names of results."""
    for folder in ('run[2]', 'run2', 'set'):
        os.mkdir(folder)
    for i in (8, 9):
        shutil.copy('z%d.tif' % i, 'run[2]')
        shutil.copy('z%d.tif' % (i + 2), 'run2/z%d.tif' % i)
        shutil.copy('z%d.tif' % i, 'set/%d.tif' % i)
    run('fill-holes', 'z?.tif', '-o', 'expected.raw')
    expected = read('expected.raw')
    same('a folder with brackets', run('fill-holes', 'run[2]/z*.tif', '-o', 'out.raw'), expected)
    for more in (), BLOCKS:
        same('options of libvips', run('fill-holes', 'z?.tif[page=0]', *more, '-o', 'out.raw'),
             expected)
    done = run('fill-holes', 'set/*.tif', '-o', 'result-{name}.raw')
    report(done.returncode == 0 and read('result-set.raw') == expected, 'the name of the folder',
           done.stderr)
    os.mkdir('z7.tif.unfinished')
    same('a result that is not finished', run('fill-holes', 'z?.*i*', '-o', 'out.raw'), expected)
    # 0.1 has no f32
    write('r1.npy', npy_of(2.0))
    write('r2.npy', npy_of(0.1))
    for more in (), BLOCKS:
        done = run('gaussian', 'r*.npy', '--sigma', 1, *more, '-o', 'out.raw')
        report(done.returncode == 0 and 'r2.npy' in done.stderr, 'rounding is told', done.stderr)
        os.unlink('out.raw')


def npy_of(value):
    """An array of 2 x 2 numbers of 64 bits."""
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }"
    header += ' ' * (117 - len(header)) + '\n'
    return b'\x93NUMPY\x01\x00' + struct.pack('<H', len(header)) + header.encode() + \
        struct.pack('<4d', *[value] * 4)


def refuse(name, words, *parts):
    before = sorted(os.listdir('.'))
    for more in (), BLOCKS:
        done = run(*words, *more)
        report(done.returncode in (1, 2) and done.stderr.count('\n') == 1
               and all(part in done.stderr for part in parts)
               and sorted(os.listdir('.')) == before,
               name + (' in blocks' if more else ''), done.returncode, done.stderr)


def refusals():
    refuse('no file', ('fill-holes', 'none*.pgm', '-o', 'x.raw'), 'none*.pgm', 'no file')
    for name, content in [('d1', b'P5\n2 2\n255\nabcd'), ('d2', b'P5\n2 3\n255\nabcdef'),
                          ('e1', b'P5\n2 2\n255\nabcd'), ('e2', b'P5\n2 2\n65535\nabcdefgh')]:
        write(name + '.pgm', content)
        run('reconstruct', name + '.pgm', name + '.pgm', '-o', name + '.png')
    refuse('other size', ('fill-holes', 'd*.png', '-o', 'x.raw'), 'd1.png', 'd2.png', '2 × 3')
    refuse('other type', ('fill-holes', 'e*.png', '-o', 'x.raw'), 'e1.png', 'e2.png', 'u16', 'u8')
    write('f1.raw', struct.pack('<4f', 1, 2, 3, 4))
    write('f2.raw', struct.pack('<4f', 1, 2, float('nan'), 4))
    refuse('no number', ('fill-holes', 'f*.raw', '--raw', '2x2:f32', '-o', 'x.raw'), 'f2.raw',
           '0, 1, 0')
    done = run('fill-holes', 'z*.pgm', '--memory-limit', '16K', '-o', 'x.raw')
    report(done.returncode == 1 and 'z*.pgm' in done.stderr and not os.path.exists('x.raw'),
           'too little memory', done.stderr)
    done = run('fill-holes', 'z8.pgm', 'z9.pgm', '-o', 'x.raw')
    report(done.returncode == 2 and 'z*.tif' in done.stderr, 'advice', done.stderr)


def main():
    print('# WAVEFRONT_TEST_SEED=' + SEED)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pixels = bytes(chance.randrange(256) // 8 * 8 for _ in range(WIDTH * HEIGHT * DEPTH))
        write('whole.raw', pixels)
        write_slices('z', pixels)
        formats()
        files_of_several_slices()
        other_inputs()
        names()
        more_names()
        refusals()
        os.chdir('/')
    print('1..%d' % count)
    sys.exit(failed > 0)


main()
