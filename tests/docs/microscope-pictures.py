#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures as of a microscope, of cells whose number is known: microscope-pictures.py FOLDER N

Discs with soft rims in uneven light, some of them in touching pairs, specks of dust, noise: levels
of 8 and of 16 bits, some of these with the size of a pixel, and colors. Prints a line for each
picture: its file and the number of cells.
"""
import os
import struct
import sys
import zlib

import numpy as np

SIDE = 240, 320
KINDS = 'gray', 'deep', 'color'
SIZE = 0.5  # of a pixel, in µm


def place_cells(random):
    """Centers and radii that keep their distance; pairs touch."""
    cells = []
    for _ in range(400):
        radius = random.uniform(8, 12)
        y, x = random.uniform(30, SIDE[0] - 30), random.uniform(30, SIDE[1] - 30)
        if all(np.hypot(y - v, x - u) > 2.6 * (radius + r) for v, u, r in cells):
            cells.append((y, x, radius))
        if len(cells) == 12:
            break
    for y, x, radius in cells[:3]:
        angle = random.uniform(0, 2 * np.pi)
        cells.append((y + 1.7 * radius * np.sin(angle), x + 1.7 * radius * np.cos(angle), radius))
    return cells


def draw(random):
    """Levels from 0 to 1, and the number of cells."""
    y, x = np.mgrid[:SIDE[0], :SIDE[1]]
    cells = place_cells(random)
    levels = 0.1 + 0.15 * x / SIDE[1] + 0.1 * y / SIDE[0]
    bright = np.zeros(SIDE)
    for v, u, radius in cells:
        bright = np.maximum(bright, np.clip((radius - np.hypot(y - v, x - u)) / 2, 0, 1))
    levels = levels + 0.5 * bright
    for _ in range(8):
        v, u = random.integers(0, SIDE[0] - 2), random.integers(0, SIDE[1] - 2)
        levels[v:v + 2, u:u + 2] += 0.4
    return np.clip(levels + random.normal(0, 0.02, SIDE), 0, 1), len(cells)


def chunk(name, data):
    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))


def write_png(path, pixels):
    """u8, gray or of three bands."""
    kind = 2 if pixels.ndim == 3 else 0
    rows = b''.join(b'\0' + row.tobytes() for row in pixels)
    header = struct.pack('>IIBBBBB', pixels.shape[1], pixels.shape[0], 8, kind, 0, 0, 0)
    with open(path, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header)
                   + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))


def describe(pixels):
    """As OME-TIFF has it."""
    height, width = pixels.shape
    return ('<?xml version="1.0"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06">'
            '<Image ID="Image:0"><Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint16" '
            f'SizeX="{width}" SizeY="{height}" SizeZ="1" SizeC="1" SizeT="1" '
            f'PhysicalSizeX="{SIZE}" PhysicalSizeXUnit="µm" PhysicalSizeY="{SIZE}" '
            'PhysicalSizeYUnit="µm"><Channel ID="Channel:0:0" SamplesPerPixel="1"/><TiffData/>'
            '</Pixels></Image></OME>').encode() + b'\0'


def write_tiff(path, pixels, sized):
    """u16, one strip."""
    data = pixels.astype('<u2').tobytes()
    text = describe(pixels) if sized else b''
    tags = [(256, 4, 1, pixels.shape[1]), (257, 4, 1, pixels.shape[0]), (258, 3, 1, 16),
            (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8), (277, 3, 1, 1),
            (278, 4, 1, pixels.shape[0]), (279, 4, 1, len(data))]
    if sized:
        tags.insert(5, (270, 2, len(text), 8 + len(data)))
    with open(path, 'wb') as file:
        file.write(struct.pack('<2sHI', b'II', 42, 8 + len(data) + len(text)) + data + text
                   + struct.pack('<H', len(tags))
                   + b''.join(struct.pack('<HHII', *tag) for tag in tags) + struct.pack('<I', 0))


def main():
    folder, n = sys.argv[1], int(sys.argv[2])
    for number in range(n):
        random = np.random.default_rng(number)
        levels, cells = draw(random)
        kind = KINDS[number % len(KINDS)]
        name = '%s-%02d.%s' % (kind, number, 'tif' if kind == 'deep' else 'png')
        path = os.path.join(folder, name)
        if kind == 'deep':
            write_tiff(path, np.round(levels * 4095), number % 2 == 0)
        elif kind == 'gray':
            write_png(path, np.round(levels * 255).astype('u1'))
        else:
            green = np.stack([levels * 0.2, levels, levels * 0.3], 2)
            write_png(path, np.round(green * 255).astype('u1'))
        print(path, cells)


if __name__ == '__main__':
    main()
