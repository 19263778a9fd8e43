#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a picture of sand: data/make-grains.py OUT.png [--grains NUMBER] [--seed NUMBER]

Grains of sand on a dark plate, lit from the upper left, 8-bit gray with the noise of a camera, 20
pixels per millimeter: a free picture for the size distribution of grains. Sizes are log-normal, and
a third of the grains touch others. The same seed gives the same picture.
"""
import argparse
import math
import random
import struct
import zlib

import numpy as np

NUMBER, SEED = 180, 2
SIZE = (640, 480)
PER_MILLIMETER = 20
# of a grain with the area of a disc of this diameter: the median, and the deviation of its logarithm
DIAMETER, DEVIATION = 28.0, 0.25
LONG = (1.1, 1.75)      # length by width
TOUCHING = 0.35
OVERLAP = (4, 14)       # pixels where two grains touch
GAP = 3                 # pixels between others
LIGHT, STEEP = (-0.5, -0.6, 0.62), 1.6
SHADOW = (3.5, 4.5)
NOISE = 3.0
BLUR = (1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16)


class Grain:
    """An ellipse with a wavy edge, and the look of its surface."""

    def __init__(self, chance):
        diameter = DIAMETER * math.exp(chance.gauss(0, DEVIATION))
        elongation = chance.uniform(*LONG)
        self.axes = (diameter / 2 * math.sqrt(elongation), diameter / 2 / math.sqrt(elongation))
        self.angle = chance.uniform(0, math.pi)
        self.waves = [(order, chance.uniform(0, 0.18) / order, chance.uniform(0, math.tau))
                      for order in (2, 3, 4, 5)]
        self.brightness = chance.uniform(135, 205)
        self.spots = [(chance.uniform(0.15, 0.7), chance.uniform(0, math.tau),
                       chance.uniform(0, math.tau), chance.uniform(0.008, 0.025)) for _ in range(8)]
        self.center = (0.0, 0.0)

    def reach(self):
        return max(self.axes) * 1.25

    def depth(self, x, y):
        """0 in the middle, 1 at the edge."""
        x, y = x - self.center[0], y - self.center[1]
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        along, across = (x * cos + y * sin) / self.axes[0], (y * cos - x * sin) / self.axes[1]
        angle = np.arctan2(across, along)
        edge = 1 + sum(size * np.sin(order * angle + phase) for order, size, phase in self.waves)
        return np.hypot(along, across) / edge

    def place(self, margin=0):
        """The part of the picture around it, as an index, and the coordinates there."""
        reach = self.reach() + margin
        spans = [[min(max(at, 0), extent) for at in (int(middle - reach), int(middle + reach) + 2)]
                 for middle, extent in zip(self.center, SIZE)]
        y, x = np.mgrid[slice(*spans[1]), slice(*spans[0])]
        return (slice(*spans[1]), slice(*spans[0])), x, y

    def cover(self, grown=0):
        """The part around it, and which of its pixels are within it."""
        part, x, y = self.place(grown)
        return part, self.depth(x, y) < 1 + grown / min(self.axes)

    def levels(self, x, y):
        """Of its surface: a flat dome with spots."""
        slopes = [(self.depth(x + dx, y + dy) ** 3 - self.depth(x - dx, y - dy) ** 3) * STEEP
                  for dx, dy in ((0.5, 0), (0, 0.5))]
        light = (slopes[0] * LIGHT[0] + slopes[1] * LIGHT[1] + LIGHT[2]) / np.sqrt(
            slopes[0] ** 2 + slopes[1] ** 2 + 1)
        light = np.maximum(light, 0)
        spots = sum(size * np.sin(often * (x * math.cos(way) + y * math.sin(way)) + phase)
                    for often, way, phase, size in self.spots)
        return self.brightness * (0.52 + 0.6 * light + 0.25 * light ** 8 + spots)


def touch(grain, neighbor, way, covered):
    """Moves a grain towards another until both touch; whether it then touches this one only, and lies in
    the picture."""
    far = neighbor.reach() + grain.reach()
    while far > 0:
        grain.center = (neighbor.center[0] + far * math.cos(way),
                        neighbor.center[1] + far * math.sin(way))
        part, inside = grain.cover()
        below = covered[part][inside]
        common = np.count_nonzero(below)
        if common >= OVERLAP[0]:
            return (common <= OVERLAP[1] and len(set(below[below > 0])) == 1 and
                    all(0 <= at < extent for at, extent in zip(grain.center, SIZE)))
        far -= 0.5
    return False


def place_grains(number, chance):
    """The grains, and for each pixel the number of the one that covers it, from 1."""
    covered = np.zeros(SIZE[::-1], int)
    near = np.zeros(SIZE[::-1], bool)
    grains = []
    for _ in range(100 * number):
        if len(grains) == number:
            break
        grain = Grain(chance)
        if grains and chance.random() < TOUCHING:
            fits = touch(grain, chance.choice(grains), chance.uniform(0, math.tau), covered)
        else:
            grain.center = (chance.uniform(0, SIZE[0]), chance.uniform(0, SIZE[1]))
            part, inside = grain.cover()
            fits = not near[part][inside].any()
        if fits:
            grains.append(grain)
            part, inside = grain.cover()
            covered[part][inside & (covered[part] == 0)] = len(grains)
            part, inside = grain.cover(GAP)
            near[part] |= inside
    return grains, covered


def draw_shadow(levels, covered, grain):
    """Soft, on the plate only."""
    part, x, y = grain.place(8)
    depth = grain.depth(x - SHADOW[0], y - SHADOW[1])
    share = 1 - 0.6 / (1 + np.exp(np.minimum(9 * (depth - 1), 50)))
    levels[part] *= np.where(covered[part] > 0, 1, share)


def blur(levels):
    """By a binomial kernel in both directions, as a lens does."""
    for axis in 0, 1:
        padded = np.pad(levels, [(2, 2) if axis == one else (0, 0) for one in (0, 1)], mode='edge')
        levels = sum(weight * np.take(padded, range(i, i + levels.shape[axis]), axis)
                     for i, weight in enumerate(BLUR))
    return levels


def make_grains(number, seed):
    """The levels of the picture, the grains, and for each pixel the number of its grain."""
    grains, covered = place_grains(number, random.Random(seed))
    noise = np.random.default_rng(seed)
    y, x = np.mgrid[:SIZE[1], :SIZE[0]]
    # a dark plate, brighter in the middle, with a grain of its own
    levels = 44 - 12 * ((x / SIZE[0] - 0.45) ** 2 + (y / SIZE[1] - 0.45) ** 2)
    levels += noise.normal(0, 2.5, levels.shape)
    for grain in grains:
        draw_shadow(levels, covered, grain)
    for number, grain in enumerate(grains, 1):
        part, x, y = grain.place()
        levels[part] = np.where(covered[part] == number, grain.levels(x, y), levels[part])
    levels = blur(levels)
    levels += noise.normal(0, 1, levels.shape) * NOISE * (0.5 + levels / 200)
    return np.clip(np.rint(levels), 0, 255).astype(np.uint8), grains, covered


def write_png(path, rows):
    def chunk(kind, data):
        return (struct.pack('>I', len(data)) + kind + data +
                struct.pack('>I', zlib.crc32(kind + data)))

    header = struct.pack('>IIBBBBB', rows.shape[1], rows.shape[0], 8, 0, 0, 0, 0)
    size = struct.pack('>IIB', PER_MILLIMETER * 1000, PER_MILLIMETER * 1000, 1)   # by meter
    pixels = zlib.compress(b''.join(b'\0' + row.tobytes() for row in rows), 9)
    with open(path, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) + chunk(b'pHYs', size) +
                   chunk(b'IDAT', pixels) + chunk(b'IEND', b''))


def main():
    parser = argparse.ArgumentParser(description='Makes a picture of sand.')
    parser.add_argument('out')
    parser.add_argument('--grains', type=int, default=NUMBER)
    parser.add_argument('--seed', type=int, default=SEED)
    options = parser.parse_args()
    if options.grains < 1:
        parser.error('--grains must be at least 1')
    write_png(options.out, make_grains(options.grains, options.seed)[0])


if __name__ == '__main__':
    main()
