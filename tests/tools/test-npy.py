#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of NumPy against the wavefront command: test-npy.py COMMAND

The command reads what NumPy has written, of all types, byte orders and versions, in memory and in
blocks; NumPy reads what the command writes; headers that are wrong are refused. Prints TAP.
"""
import os
import random
import subprocess
import sys
import tempfile

import numpy

COMMAND = os.path.abspath(sys.argv[1])
LONG = 'WAVEFRONT_TEST_LONG' in os.environ
QUICK = os.environ.get('WAVEFRONT_TEST_TIER', 'quick') == 'quick'
SEED = os.environ.get('WAVEFRONT_TEST_SEED') or str(random.randrange(2 ** 32))
BLOCKS = ('--blocks', 'auto', '--memory-limit', '16M', '--threads', '2')
TYPES = ('|b1', '|u1', '|i1', '<u2', '>u2', '<i2', '>i2', '<u4', '>u4', '<i4', '>i4', '<u8', '>i8',
         '<f4', '>f4', '<f8', '>f8')
SHAPES = ((1, 1), (3, 5), (64, 33), (2, 3, 4), (5, 1, 7))
count = failed = 0
chance = random.Random(SEED)


def report(passed, name, why=''):
    global count, failed
    count += 1
    failed += not passed
    print('%s %d %s' % ('ok' if passed else 'not ok', count, name), flush=True)
    if not passed and why:
        print('# ' + why)


def run(*words):
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True)


def pixels(shape, dtype):
    """Levels that floats of 32 bits hold."""
    dtype = numpy.dtype(dtype)
    if dtype.kind == 'b':
        values = [chance.random() < 0.5 for _ in range(numpy.prod(shape))]
    elif dtype.kind == 'f':
        values = [float(numpy.float32(chance.uniform(-9, 9))) for _ in range(numpy.prod(shape))]
    else:
        lowest = 0 if dtype.kind == 'u' else max(numpy.iinfo(dtype).min, -2 ** 23)
        highest = min(int(numpy.iinfo(dtype).max), 2 ** 23)
        values = [chance.randint(lowest, highest) for _ in range(numpy.prod(shape))]
    return numpy.array(values, dtype=dtype).reshape(shape)


def as_engine(array):
    if array.dtype.kind == 'b' or (array.dtype.kind == 'u' and array.dtype.itemsize == 1):
        return array.astype('|u1')
    return array.astype('<u2' if array.dtype.kind == 'u' and array.dtype.itemsize == 2 else '<f4')


def save(name, array, version=None):
    with open(name, 'wb') as file:
        numpy.lib.format.write_array(file, array, version=version)


def reads():
    """An image is what is reconstructed from itself."""
    for dtype in TYPES:
        for shape in chance.sample(SHAPES, 2) if QUICK else SHAPES:
            version = chance.choice(((1, 0), (2, 0), (3, 0)))
            array = pixels(shape, dtype)
            save('in.npy', array, version)
            done = run('reconstruct', 'in.npy', 'in.npy', '-o', 'out.npy')
            found = numpy.load('out.npy') if done.returncode == 0 else None
            right = as_engine(array)
            report(found is not None and found.dtype == right.dtype and found.shape == shape
                   and (found == right).all(), 'read %s %s %s' % (dtype, shape, version),
                   done.stderr)


def labels():
    for dtype in ('|b1', '|u1', '<u2', '>u2', '<u4', '>u4', '<i8', '<f8'):
        array = pixels((20, 30), '<u4').astype(dtype)
        save('labels.npy', array)
        done = run('relabel', 'labels.npy', '-o', 'out.npy')
        right = numpy.unique(numpy.append(array.astype('<u4'), 0), return_inverse=True)[1][:-1]
        found = numpy.load('out.npy') if done.returncode == 0 else None
        report(found is not None and found.dtype == numpy.dtype('<u4')
               and (found.ravel() == right.ravel()).all(), 'labels of ' + dtype, done.stderr)


def blocks():
    for dtype in ('|u1', '<u2', '<f4', '<f8', '|b1'):
        for shape in ((1500, 1700), (9, 300, 310)):
            array = (numpy.arange(numpy.prod(shape)) * 7919 % 251).reshape(shape).astype(dtype)
            save('in.npy', array)
            words = ('dilation', 'in.npy', '--radius', 2, '-o')
            whole, part = run(*words, 'whole.npy'), run(*words, 'part.npy', *BLOCKS)
            report(whole.returncode == part.returncode == 0
                   and open('whole.npy', 'rb').read() == open('part.npy', 'rb').read(),
                   'blocks of %s %s' % (dtype, shape), whole.stderr + part.stderr)
    save('in.npy', numpy.zeros((40, 50), '>u2'))
    done = run('dilation', 'in.npy', '-o', 'refused.npy', '--blocks', 'auto')
    report(done.returncode == 1 and 'in.npy' in done.stderr and not os.path.exists('refused.npy'),
           'blocks of the other byte order', done.stderr)


def results():
    array = numpy.zeros((7, 9), '|u1')
    array[1:3, 1:3] = array[5, 5:8] = 1
    save('in.npy', array)
    for words, dtype in ((('label', 'in.npy'), '<u4'), (('distance', 'in.npy'), '<f4'),
                         (('distance', 'in.npy', '--metric', 'squared'), '<u8'),
                         (('dilation', 'in.npy'), '|u1')):
        done = run(*words, '-o', 'out.npy')
        found = numpy.load('out.npy') if done.returncode == 0 else None
        report(found is not None and found.dtype == numpy.dtype(dtype) and found.shape == (7, 9),
               'write %s' % ' '.join(words), done.stderr)
        report(open('out.npy', 'rb').read().index(b'\n') % 64 == 63, 'pixels are aligned')
    with open('in.npy', 'rb') as file:
        done = subprocess.run([COMMAND, 'dilation', '-', '-o', '-', '--format', 'npy'], stdin=file,
                              capture_output=True)
    run('dilation', 'in.npy', '-o', 'out.npy')
    report(done.returncode == 0 and done.stdout == open('out.npy', 'rb').read(), 'streams')


def header(text, version=b'\x01\x00', size=None, magic=b'\x93NUMPY'):
    text = text.encode('latin-1')
    width = 2 if version[:1] == b'\x01' else 4
    return magic + version + (len(text) if size is None else size).to_bytes(width, 'little') + text


DICT = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }\n"
GOOD = (
    header(DICT) + b'123456',
    header('{"shape":(2,3),"descr":"|u1","fortran_order":False}') + b'123456',
    header("{'descr': '<u1', 'fortran_order': False, 'shape': (2L, 3L), }\n") + b'123456',
    header(DICT, b'\x03\x00') + b'123456',
)
BAD = {
    'empty': b'',
    'magic alone': b'\x93NUMPY',
    'no length': b'\x93NUMPY\x01\x00',
    'other magic': header(DICT, magic=b'\x93NUMPX') + b'123456',
    'version 0': header(DICT, b'\x00\x00') + b'123456',
    'version 4': header(DICT, b'\x04\x00') + b'123456',
    'version 1.1': header(DICT, b'\x01\x01') + b'123456',
    'length beyond the file': header(DICT, size=60000) + b'123456',
    'length of 4 GiB': header(DICT, b'\x02\x00', size=2 ** 32 - 1) + b'123456',
    'length 0': header('') + b'123456',
    'no text': header('\0' * 20) + b'123456',
    'open': header(DICT.replace('}', ' ')) + b'123456',
    'text behind': header(DICT + 'x') + b'123456',
    'key twice': header(DICT.replace("{", "{'descr': '|u1', ")) + b'123456',
    'key unknown': header(DICT.replace("{", "{'order': 'C', ")) + b'123456',
    'key missing': header(DICT.replace("'fortran_order': False, ", '')) + b'123456',
    'quote open': header(DICT.replace("'shape'", "'shape")) + b'123456',
    'escape': header(DICT.replace("|u1", "\\x7cu1")) + b'123456',
    'negative side': header(DICT.replace('2,', '-2,')) + b'123456',
    'side 0': header(DICT.replace('2,', '0,')),
    'huge side': header(DICT.replace('2,', '9' * 40 + ',')) + b'123456',
    'overflow': header(DICT.replace('2, 3', '1073741824, 1073741824, 1073741824')) + b'123456',
    'side of a name': header(DICT.replace('2,', 'n,')) + b'123456',
    'no comma': header(DICT.replace('2,', '2')) + b'123456',
    'many sides': header(DICT.replace('2,', '1,' * 100)) + b'123456',
    'one side': header(DICT.replace('2, 3', '6,')) + b'123456',
    'no side': header(DICT.replace('2, 3', '')) + b'1',
    'four sides': header(DICT.replace('2, 3', '1, 1, 2, 3')) + b'123456',
    'columns first': header(DICT.replace('False', 'True')) + b'123456',
    'no truth': header(DICT.replace('False', '0')) + b'123456',
    'no type': header(DICT.replace('|u1', '')) + b'123456',
    'complex': header(DICT.replace('|u1', '<c8')) + bytes(48),
    'half': header(DICT.replace('|u1', '<f2')) + bytes(12),
    'quadruple': header(DICT.replace('|u1', '<f16')) + bytes(96),
    'text type': header(DICT.replace('|u1', '<U1')) + bytes(24),
    'objects': header(DICT.replace('|u1', '|O')) + b'123456',
    'dates': header(DICT.replace('|u1', '<M8[ns]')) + bytes(48),
    'no byte order': header(DICT.replace('|u1', '|u2')) + bytes(12),
    'long type': header(DICT.replace('|u1', '|u' + '1' * 200)) + b'123456',
    'records': header(DICT.replace("'|u1'", "[('r', '|u1'), ('g', '|u1')]")) + bytes(12),
    'too short': header(DICT) + b'12345',
    'too long': header(DICT) + b'1234567',
}


def hostile():
    for number, contents in enumerate(GOOD):
        open('good.npy', 'wb').write(contents)
        done = run('erosion', 'good.npy', '--radius', 0, '-o', 'out.raw')
        report(done.returncode == 0 and open('out.raw', 'rb').read() == b'123456',
               'good header %d' % number, done.stderr)
    for name, contents in BAD.items():
        open('bad.npy', 'wb').write(contents)
        both = (), ('--blocks', 'auto')
        for more in (chance.choice(both),) if QUICK else both:
            done = run('dilation', 'bad.npy', '-o', 'none.raw', *more)
            report(done.returncode == 1 and 'bad.npy' in done.stderr
                   and done.stderr.count('\n') == 1 and not os.path.exists('none.raw'),
                   'refuse %s%s' % (name, ' in blocks' if more else ''), done.stderr)


def mutations():
    """Any bytes: read or refused, in one sentence."""
    good = header(DICT + ' ' * 20) + b'123456'
    passed = True
    for _ in range(60 if QUICK else 2000 if LONG else 400):
        contents = bytearray(good)
        for _ in range(chance.randint(1, 4)):
            contents[chance.randrange(len(contents))] = chance.randrange(256)
        contents = contents[:chance.randint(0, len(contents))] if chance.random() < 0.2 else contents
        open('mutant.npy', 'wb').write(contents)
        done = run('dilation', 'mutant.npy', '-o', 'mutant.raw')
        if done.returncode not in (0, 1) or done.stderr.count('\n') != done.returncode:
            passed = False
            print('# %r: %d %s' % (bytes(contents), done.returncode, done.stderr))
    report(passed, 'mutated headers')


def main():
    print('# seed ' + SEED)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for part in (reads, labels, blocks, results, hostile, mutations):
            part()
        os.chdir('/')
    print('1..%d' % count)
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
