# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs the wavefront command on raw pixels, to compare results."""

import array
import math
import os
import subprocess

COMMAND = os.environ.get('WAVEFRONT_COMMAND')
WORK = os.environ['WORK']
LETTERS = {'u8': 'B', 'u16': 'H', 'u32': 'I', 'float': 'f'}
# what it calls them; raw files of labels are u32, whatever the type that is named
TYPES = {'u32': 'u8', 'float': 'f32'}


def is_there():
    return bool(COMMAND) and os.access(COMMAND, os.X_OK)


def store(name, slices, letter):
    path = f'{WORK}/{name}.raw'
    with open(path, 'wb') as file:
        array.array(letter, [v for rows in slices for row in rows for v in row]).tofile(file)
    return path


def run(operation, slices, kind, out, *options, marker=None, labels=None):
    """The command's results for @slices, lists of rows of levels; @kind: the type of a level,
    @out: the letter of the result's type."""
    depth, height, width = len(slices), len(slices[0]), len(slices[0][0])
    files = [store('in', slices, LETTERS[kind])]
    if marker:
        files.append(store('marker', marker, LETTERS[kind]))
    if labels:
        files.append(store('labels', labels, 'I'))
    path = f'{WORK}/out.raw'
    size = f'{width}x{height}' if depth == 1 else f'{width}x{height}x{depth}'
    subprocess.run([COMMAND, operation, *files, '-o', path, '--device', 'cpu', '--raw',
                    f'{size}:{TYPES.get(kind, kind)}', *options],
                   check=True, stdout=subprocess.DEVNULL)
    with open(path, 'rb') as file:
        values = array.array(out)
        values.frombytes(file.read())
    return [[list(values[(z * height + y) * width:(z * height + y + 1) * width])
             for y in range(height)] for z in range(depth)]


def store_colors(name, data, width, height, letter):
    """An array of NumPy of red, green, blue and alpha."""
    path = f'{WORK}/{name}.npy'
    header = "{'descr': '<%s', 'fortran_order': False, 'shape': (%d, %d, 4), }" % (
        {'B': 'u1', 'H': 'u2', 'f': 'f4'}[letter], height, width)
    header += ' ' * (-(len(header) + 11) % 64) + '\n'
    with open(path, 'wb') as file:
        file.write(b'\x93NUMPY\x01\x00' + len(header).to_bytes(2, 'little') + header.encode()
                   + data)
    return path


def run_colors(operation, files, *options):
    """The bytes of the command's result."""
    path = f'{WORK}/colors-out.npy'
    subprocess.run([COMMAND, operation, *files, '-o', path, '--device', 'cpu', *options],
                   check=True, stdout=subprocess.DEVNULL)
    with open(path, 'rb') as file:
        data = file.read()
    return data[10 + int.from_bytes(data[8:10], 'little'):]


def level(fraction, top):
    """The value for the command that equals a fraction of the range in the plug-ins."""
    if isinstance(top, int):
        return repr(math.floor(fraction * top + 0.5))
    return repr(fraction)
