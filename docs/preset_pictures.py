#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a picture for each preset of the watershed, in which the number of objects is known:
preset_pictures.py FOLDER

Objects keep a distance, or touch by a known part; light is uneven where it is so in photographs,
and all pictures have noise. The same seed gives the same picture. Prints a line for each picture:
the preset, its file and the number of objects.
"""
import pathlib
import struct
import sys
import zlib

import numpy as np

SIDE = 384
HEMATOXYLIN, EOSIN, DAB = (0.65, 0.70, 0.29), (0.07, 0.99, 0.11), (0.268, 0.570, 0.776)


# ---------------------------------------------------------------- parts of pictures

def grid():
    return np.mgrid[:SIDE, :SIDE].astype(float)


def blurred(levels, sigma):
    """By a Gaussian; beyond an edge the picture is mirrored."""
    margin = 64
    wide = np.pad(levels, margin, 'symmetric')
    factor = np.exp(-2 * (np.pi * sigma * np.fft.fftfreq(len(wide))) ** 2)
    wide = np.fft.ifft2(np.fft.fft2(wide) * factor[:, None] * factor[None, :]).real
    return wide[margin:-margin, margin:-margin]


def clouds(random, sigma):
    """Smooth, of mean 0 and standard deviation 1."""
    levels = blurred(random.normal(size=(SIDE, SIDE)), sigma)
    return (levels - levels.mean()) / levels.std()


def spread(random, n, radii, apart, margin=4):
    """Centers and radii, with a distance of at least that factor of the sum of two radii."""
    found = []
    for _ in range(200 * n):
        radius = random.uniform(*radii)
        y, x = random.uniform(radius + margin, SIDE - radius - margin, 2)
        if all(np.hypot(y - v, x - u) > apart * (radius + r) for v, u, r in found):
            found.append((y, x, radius))
        if len(found) == n:
            break
    return found


def add_neighbors(random, found, share, overlap):
    """Gives that share of the objects a neighbor that touches it, and no other."""
    for v, u, r in list(found)[:round(share * len(found))]:
        for _ in range(200):
            radius = r * random.uniform(0.85, 1.15)
            angle = random.uniform(0, 2 * np.pi)
            y, x = v + overlap * (r + radius) * np.sin(angle), u + overlap * (r + radius) * np.cos(angle)
            inside = radius + 4 < y < SIDE - radius - 4 and radius + 4 < x < SIDE - radius - 4
            others = [other for other in found if other != (v, u, r)]
            if inside and all(np.hypot(y - w, x - t) > 1.25 * (radius + s) for w, t, s in others):
                found.append((y, x, radius))
                break
    return found


def discs(found, edge, random=None, oblong=0.0):
    """1 inside, 0 outside; the edge is so many pixels wide. Oblong ones have random directions."""
    levels = np.zeros((SIDE, SIDE))
    for v, u, radius in found:
        reach = radius * (1 + oblong / 2) + edge + 1
        top, left = max(int(v - reach), 0), max(int(u - reach), 0)
        part = levels[top:int(v + reach) + 2, left:int(u + reach) + 2]
        y, x = np.indices(part.shape) + np.array([top, left])[:, None, None]
        along, across, angle = radius, radius, 0.0
        if oblong:
            along, across = radius * (1 + oblong / 2), radius * (1 - oblong / 2)
            angle = random.uniform(0, np.pi)
        a = (np.cos(angle) * (x - u) + np.sin(angle) * (y - v)) / along
        b = (np.cos(angle) * (y - v) - np.sin(angle) * (x - u)) / across
        part[:] = np.maximum(part, np.clip((1 - np.hypot(a, b)) * radius / edge + 0.5, 0, 1))
    return levels


def stained(amounts):
    """The colors of a slide with these amounts of stains."""
    density = sum(amount[..., None] * np.array(stain) / np.linalg.norm(stain)
                  for stain, amount in amounts)
    return 10 ** -density


# ---------------------------------------------------------------- kinds of pictures

def draw_fluorescence(random):
    found = add_neighbors(random, spread(random, 34, (10, 15), 1.3), 0.4, 0.85)
    y, x = grid()
    light = 0.08 + 0.06 * x / SIDE + 0.03 * y / SIDE
    nuclei = blurred(discs(found, 3, random, 0.2), 1) * (0.45 + 0.05 * clouds(random, 4))
    return light + nuclei + random.normal(0, 0.015, (SIDE, SIDE)), len(found)


def draw_tissue(random, beside, amount):
    found = add_neighbors(random, spread(random, 50, (8, 12), 1.3), 0.3, 0.88)
    nuclei = blurred(discs(found, 2, random, 0.3), 0.8) * (0.55 + 0.04 * clouds(random, 2))
    colors = stained(((HEMATOXYLIN, nuclei + 0.04),
                      (beside, np.maximum(amount * (1 + 0.5 * clouds(random, 20)), 0))))
    return colors * 0.95 + random.normal(0, 0.012, colors.shape), len(found)


def draw_he(random):
    return draw_tissue(random, EOSIN, 0.22)


def draw_dab(random):
    return draw_tissue(random, DAB, 0.15)


def draw_membranes(random):
    """The parts of the plane that are nearest to points of a shaken grid."""
    step, n = 32, SIDE // 32
    points = [((i + 0.5 + random.uniform(-0.28, 0.28)) * step,
               (k + 0.5 + random.uniform(-0.28, 0.28)) * step) for i in range(n) for k in range(n)]
    y, x = grid()
    near, far = np.full((2, SIDE, SIDE), np.inf)
    for v, u in points:
        distance = np.hypot(y - v, x - u)
        far = np.minimum(far, np.maximum(near, distance))
        near = np.minimum(near, distance)
    membrane = np.exp(-((far - near) / 3) ** 2)
    levels = 0.12 + 0.03 * clouds(random, 12) + membrane * (0.5 + 0.06 * clouds(random, 6))
    return levels + random.normal(0, 0.03, (SIDE, SIDE)), len(points)


def draw_coins(random):
    found = spread(random, 22, (18, 28), 1.2)
    y, x = grid()
    light = 0.22 - 0.10 * x / SIDE - 0.05 * y / SIDE
    relief = 0.45 + 0.08 * clouds(random, 3)
    return light + discs(found, 2) * relief + random.normal(0, 0.02, (SIDE, SIDE)), len(found)


def draw_pores(random):
    found = spread(random, 14, (14, 22), 1.2)
    found = add_neighbors(random, found, 0.3, 0.85)
    for y, x, radius in spread(random, 120, (3, 8), 1.4):
        if all(np.hypot(y - v, x - u) > 1.3 * (radius + r) for v, u, r in found):
            found.append((y, x, radius))
    matrix = 0.7 + 0.05 * clouds(random, 8)
    levels = matrix - discs(found, 1.5) * 0.5
    return levels + random.normal(0, 0.03, (SIDE, SIDE)), len(found)


def draw_particles(random):
    """Each touches one before it, if there is room."""
    found = spread(random, 12, (7, 11), 3)
    for _ in range(20000):
        v, u, r = found[random.integers(len(found))]
        radius, angle = random.uniform(7, 11), random.uniform(0, 2 * np.pi)
        y, x = v + 0.98 * (r + radius) * np.sin(angle), u + 0.98 * (r + radius) * np.cos(angle)
        if (radius + 3 < min(y, x) and max(y, x) < SIDE - radius - 3 and
                all(np.hypot(y - w, x - t) > 0.97 * (radius + s) for w, t, s in found)):
            found.append((y, x, radius))
        if len(found) == 130:
            break
    levels = 0.1 + 0.65 * discs(found, 1)
    return levels + random.normal(0, 0.03, (SIDE, SIDE)), len(found)


def draw_terrain(random):
    """Slopes towards the nearest of the hollows, whose floors are not equally deep."""
    step, n = 64, SIDE // 64
    hollows = [((i + 0.5 + random.uniform(-0.25, 0.25)) * step,
                (k + 0.5 + random.uniform(-0.25, 0.25)) * step, random.uniform(0, 0.12))
               for i in range(n) for k in range(n)]
    y, x = grid()
    floor = np.min([depth + 0.016 * np.hypot(y - v, x - u) for v, u, depth in hollows], axis=0)
    levels = blurred(floor, 1.5) + 0.004 * clouds(random, 3)
    return 0.05 + 0.9 * (levels - levels.min()) / np.ptp(levels), len(hollows)


KINDS = {'nuclei-fluorescence': draw_fluorescence, 'nuclei-he': draw_he, 'nuclei-h-dab': draw_dab,
         'membranes': draw_membranes, 'coins': draw_coins, 'pores': draw_pores,
         'particles': draw_particles, 'terrain': draw_terrain}


# ---------------------------------------------------------------- files

def chunk(name, data):
    return struct.pack('>I', len(data)) + name + data + struct.pack('>I', zlib.crc32(name + data))


def write_png(path, pixels):
    kind = 2 if pixels.ndim == 3 else 0
    rows = b''.join(b'\0' + row.tobytes() for row in pixels)
    header = struct.pack('>IIBBBBB', pixels.shape[1], pixels.shape[0], 8, kind, 0, 0, 0)
    pathlib.Path(path).write_bytes(
        b'\x89PNG\r\n\x1a\n' + chunk(b'IHDR', header) +
        chunk(b'IDAT', zlib.compress(rows, 9)) + chunk(b'IEND', b''))


def draw(name, seed):
    """u8 pixels, gray or of three bands, and the number of objects."""
    levels, n = KINDS[name](np.random.default_rng(seed))
    return np.round(255 * np.clip(levels, 0, 1)).astype(np.uint8), n


def main():
    folder = pathlib.Path(sys.argv[1])
    for name in KINDS:
        pixels, n = draw(name, 1)
        write_png(folder / f'{name}.png', pixels)
        print(name, f'{name}.png', n)


if __name__ == '__main__':
    main()
