#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a picture of cells: data/make-cells.py OUT.png [--size PIXELS] [--seed NUMBER]

Blurred, round, touching cells on an uneven background with slight noise, 8-bit gray, as in
fluorescence microscopy: a free test picture for the watershed. The same seed gives the same
picture.
"""
import argparse
import math
import random
import struct
import zlib

CELL_RADIUS = (13.0, 26.0)
# neighbors in a cluster overlap by up to a fifth: they touch, but remain two maxima
CLOSEST = 0.82
NOISE = 3.5


def place_cells(size, chance):
    """Clusters of cells, as (x, y, radius, brightness)."""
    cells = []
    wanted = max(1, size * size // 3200)
    tries = 0
    while len(cells) < wanted and tries < 200 * wanted:
        tries += 1
        radius = chance.uniform(*CELL_RADIUS)
        if not cells or chance.random() < 0.15:
            x, y = chance.uniform(0, size), chance.uniform(0, size)
        else:
            # beside an existing cell
            near = chance.choice(cells)
            angle = chance.uniform(0, 2 * math.pi)
            reach = (near[2] + radius) * chance.uniform(CLOSEST, 0.98)
            x, y = near[0] + reach * math.cos(angle), near[1] + reach * math.sin(angle)
        inside = 0 <= x < size and 0 <= y < size
        apart = all(math.hypot(x - cx, y - cy) >= CLOSEST * (radius + cr)
                    for cx, cy, cr, _ in cells)
        if inside and apart:
            cells.append((x, y, radius, chance.uniform(95, 165)))
    return cells


def background(size):
    """Illumination that decreases towards one corner, plus a wave of long period."""
    return [[22 + 26 * (x + y) / (2 * size) + 7 * math.sin(3.1 * x / size + 5.3 * y / size)
             for x in range(size)] for y in range(size)]


def draw_cell(rows, light, cell):
    x, y, radius, brightness = cell
    size = len(rows)
    reach = radius * 1.25
    for row in range(max(0, int(y - reach)), min(size, int(y + reach) + 2)):
        for column in range(max(0, int(x - reach)), min(size, int(x + reach) + 2)):
            far = math.hypot(column - x, row - y) / radius
            # a dome with a soft edge
            edge = 1 / (1 + math.exp(14 * (far - 0.95)))
            dome = 0.6 + 0.4 * max(0.0, 1 - far * far)
            level = light[row][column] + brightness * dome * edge
            rows[row][column] = max(rows[row][column], level)


def make_cells(size, seed):
    chance = random.Random(seed)
    light = background(size)
    rows = [row[:] for row in light]
    for cell in place_cells(size, chance):
        draw_cell(rows, light, cell)
    return [bytes(min(255, max(0, round(level + chance.gauss(0, NOISE)))) for level in row)
            for row in rows]


def write_png(path, rows):
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
                   chunk(b"IDAT", pixels) + chunk(b"IEND", b""))


def main():
    parser = argparse.ArgumentParser(description="Makes a picture of cells.")
    parser.add_argument("out")
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.size < 1:
        parser.error("--size must be at least 1")
    write_png(options.out, make_cells(options.size, options.seed))


if __name__ == "__main__":
    main()
