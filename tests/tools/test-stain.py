#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The option --stain of the command: test-stain.py COMMAND

Levels by the definition at the top of engine/stain/stain.c, of PPM files of 8 and 16 bits and of a
PFM file, whole and in blocks, in a chain and beside a gray marker; what is refused. Prints TAP.
"""
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib

COMMAND = sys.argv[1]
WIDTH, HEIGHT = 37, 41
H_OF_HE, E_OF_HE = (0.65, 0.70, 0.29), (0.07, 0.99, 0.11)
H_OF_DAB, DAB = (0.650, 0.704, 0.286), (0.268, 0.570, 0.776)
STAINS = {'hematoxylin': (H_OF_HE, E_OF_HE), 'eosin': (E_OF_HE, H_OF_HE),
          'hematoxylin-dab': (H_OF_DAB, DAB), 'dab': (DAB, H_OF_DAB),
          '0.65,0.70,0.29; 0.07,0.99,0.11': (H_OF_HE, E_OF_HE),
          '#808080': ((1, 1, 1),)}
COLORS = random.Random(os.environ.get('WAVEFRONT_TEST_SEED', '1'))
count = 0


def ok(holds, what, *more):
    global count
    count += 1
    print(f'{"ok" if holds else "not ok"} {count} - {what}', *(more if not holds else ()),
          flush=True)


def times(one, other):
    return sum(a * b for a, b in zip(one, other))


def share(color, vectors):
    """What a color lets through with the first stain alone."""
    unit = [[a / math.sqrt(times(v, v)) for a in v] for v in vectors]
    density = [-math.log10(max(c, 1e-6)) for c in color]
    amount = times(unit[0], density)
    if len(unit) > 1:
        cosine = times(*unit)
        amount = (amount - cosine * times(unit[1], density)) / (1 - cosine * cosine)
    return 10 ** -max(amount, 0)


def encode(level):
    return 12.92 * level if level <= 0.0031308 else 1.055 * level ** (1 / 2.4) - 0.055


def run(folder, *words):
    return subprocess.run([COMMAND, *words], cwd=folder, capture_output=True, text=True, check=False)


def write(path, data):
    with open(path, 'wb') as out:
        out.write(data)


def read(folder, name, letter):
    with open(f'{folder}/{name}', 'rb') as opened:
        data = opened.read()
    return struct.unpack(f'<{len(data) // struct.calcsize(letter)}{letter}', data)


def levels(folder, name, letter, stain, *more):
    done = run(folder, 'erosion', name, '-o', 'out.raw', '--radius', '0', '--stain', stain, *more)
    return read(folder, 'out.raw', letter) if done.returncode == 0 else done.stderr


def png(pixels):
    def chunk(name, data):
        return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))
    rows = b''.join(b'\0' + bytes(c for p in pixels[WIDTH * y:WIDTH * (y + 1)] for c in p)
                    for y in range(HEIGHT))
    return (b'\x89PNG\r\n\x1a\n'
            + chunk(b'IHDR', struct.pack('>IIBBBBB', WIDTH, HEIGHT, 8, 2, 0, 0, 0))
            + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def pictures(folder):
    """PPM and PNG of 8 bits, PPM of 16 and PFM, which is linear light, of the same colors."""
    pixels = [tuple(COLORS.randrange(256) for _ in range(3)) for _ in range(WIDTH * HEIGHT)]
    pixels[:3] = [(0, 0, 0), (255, 255, 255), (0, 255, 0)]
    head = f'P6 {WIDTH} {HEIGHT} %d\n'
    write(f'{folder}/8.ppm', (head % 255).encode() + bytes(c for p in pixels for c in p))
    write(f'{folder}/8.png', png(pixels))
    write(f'{folder}/16.ppm', (head % 65535).encode()
          + struct.pack(f'>{3 * len(pixels)}H', *(c * 257 for p in pixels for c in p)))
    rows = [pixels[WIDTH * y:WIDTH * (y + 1)] for y in reversed(range(HEIGHT))]
    write(f'{folder}/linear.pfm', f'PF\n{WIDTH} {HEIGHT}\n-1.0\n'.encode()
          + struct.pack(f'<{3 * len(pixels)}f', *(c / 255 for row in rows for p in row for c in p)))
    write(f'{folder}/gray.pgm', f'P5 {WIDTH} {HEIGHT} 255\n'.encode() + bytes(len(pixels)))
    write(f'{folder}/gray.raw', bytes(len(pixels)))
    return pixels


def check_levels(folder, pixels):
    for stain, vectors in STAINS.items():
        exact = [share([c / 255 for c in p], vectors) for p in pixels]
        for name, letter, white in (('8.ppm', 'B', 255), ('16.ppm', 'H', 65535)):
            got = levels(folder, name, letter, stain)
            ok(not isinstance(got, str)
               and max(abs(a - white * b) for a, b in zip(got, exact)) <= 0.5 + 1e-6,
               f'{name}: {stain}', got)
        exact = [share([encode(c / 255) for c in p], vectors) for p in pixels]
        got = levels(folder, 'linear.pfm', 'f', stain)
        ok(not isinstance(got, str) and max(abs(a - b) for a, b in zip(got, exact)) <= 1e-5,
           f'linear.pfm: {stain}', got)


def check_ways(folder):
    """In blocks, in a chain, by several inputs, and beside what was made of it."""
    whole = levels(folder, '8.ppm', 'B', 'dab')
    fill = ['fill-holes', '8.png', '--stain', 'dab', '--stats', '-o']
    done = run(folder, *fill, 'blocks.raw', '--blocks', 'auto', '--memory-limit', '20M')
    ok(run(folder, *fill, 'whole.raw').returncode == 0 and '"blocks"' in done.stdout
       and read(folder, 'blocks.raw', 'B') == read(folder, 'whole.raw', 'B'), 'in blocks', done)
    done = run(folder, 'run', 'erosion --radius 0', '8.ppm', '-o', 'chain.raw', '--stain', 'dab')
    ok(done.returncode == 0 and read(folder, 'chain.raw', 'B') == whole, 'in a chain', done.stderr)
    done = run(folder, 'erosion', '8.ppm', '8.ppm', '-o', 'of-{n}.raw', '--radius', '0',
               '--stain', 'dab')
    ok(done.returncode == 0 and read(folder, 'of-1.raw', 'B') == read(folder, 'of-2.raw', 'B')
       == whole, 'of several inputs', done.stderr)
    done = run(folder, 'reconstruct', '8.ppm', 'gray.pgm', '-o', 'out.raw', '--stain', 'dab')
    ok(done.returncode == 0, 'beside a gray marker', done.stderr)


def check_refusals(folder):
    for what, words, name in (
            ('a gray image', ['gray.pgm', '--stain', 'dab'], 'gray.pgm'),
            ('a raw file', ['gray.raw', '--raw', f'{WIDTH}x{HEIGHT}:u8', '--stain', 'dab'],
             'gray.raw'),
            ('a band', ['8.ppm', '--stain', 'dab', '--channel', '0'], '--channel'),
            ('an unknown stain', ['8.ppm', '--stain', 'blue'], 'blue'),
            ('white', ['8.ppm', '--stain', '#ffffff'], '#ffffff')):
        done = run(folder, 'erosion', *words, '-o', 'none.raw')
        ok(done.returncode != 0 and name in done.stderr and done.stderr.count('\n') == 1
           and not os.path.exists(f'{folder}/none.raw'), f'refused: {what}', done.stderr)


def main():
    with tempfile.TemporaryDirectory() as folder:
        pixels = pictures(folder)
        check_levels(folder, pixels)
        check_ways(folder)
        check_refusals(folder)
    print(f'1..{count}')


main()
