#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a large tissue as a BigTIFF of compressed tiles, faster than it could be compressed.

The tissue is that of inputs.py. Tiles with the same place in the picture share a few patterns of
noise, which are compressed once; which of them a tile has is drawn from a fixed seed.
"""
import argparse
import ctypes
import sys
import zlib

import numpy

import inputs

SIDE = 256          # of a tile
PATTERNS = 64       # of noise, for each place in the picture

# tags and values of TIFF
WIDTH, HEIGHT, BITS, COMPRESSION, PHOTOMETRIC, SAMPLES = 256, 257, 258, 259, 262, 277
TILE_WIDTH, TILE_HEIGHT = 322, 323
DEFLATE, BLACK_IS_ZERO = 8, 1


def make_patterns(picture):
    """The compressed tiles: [row][column][number], for one period of the mirrored picture."""
    height, width = 2 * picture.shape[0], 2 * picture.shape[1]
    if height % SIDE or width % SIDE:
        raise ValueError(f"the sides of the picture must be multiples of {SIDE // 2}")
    tile = numpy.block([[picture, picture[:, ::-1]], [picture[::-1], picture[::-1, ::-1]]])
    random = numpy.random.RandomState(inputs.SEED)

    def pattern(y, x):
        noise = random.randint(-inputs.NOISE, inputs.NOISE + 1, (SIDE, SIDE))
        levels = tile[y:y + SIDE, x:x + SIDE].astype(numpy.int32) + noise
        return zlib.compress(numpy.clip(levels, 0, 255).astype(numpy.uint8).tobytes(), 1)

    return [[[pattern(y, x) for _ in range(PATTERNS)] for x in range(0, width, SIDE)]
            for y in range(0, height, SIDE)]


def write(path, side, patterns):
    tiff = ctypes.CDLL("libtiff.so.6")
    tiff.TIFFOpen.restype = ctypes.c_void_p
    tiff.TIFFWriteRawTile.restype = ctypes.c_int64
    opened = ctypes.c_void_p(tiff.TIFFOpen(path.encode(), b"w8"))
    if not opened:
        raise OSError(f"{path} cannot be written")
    for tag, value in ((WIDTH, side), (HEIGHT, side), (BITS, 8), (SAMPLES, 1),
                       (COMPRESSION, DEFLATE), (PHOTOMETRIC, BLACK_IS_ZERO), (TILE_WIDTH, SIDE),
                       (TILE_HEIGHT, SIDE)):
        tiff.TIFFSetField(opened, tag, ctypes.c_int(value))

    across = -(-side // SIDE)
    random = numpy.random.RandomState(inputs.SEED + 1)
    for row in range(across):
        numbers = random.randint(0, PATTERNS, across)
        places = patterns[row % len(patterns)]
        for column in range(across):
            data = places[column % len(places)][numbers[column]]
            if tiff.TIFFWriteRawTile(opened, ctypes.c_uint32(row * across + column), data,
                                     ctypes.c_int64(len(data))) < 0:
                raise OSError(f"{path} cannot be written")
    tiff.TIFFClose(opened)


def main(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("file", help="the TIFF file to make")
    parser.add_argument("side", type=int, help="of the square image, in pixels")
    parser.add_argument("--picture", help="as for tests/bench/run", default=inputs.find_picture())
    arguments = parser.parse_args(words)
    if not arguments.picture:
        parser.error("scikit-image's ihc.png is missing: give a picture with --picture")
    write(arguments.file, arguments.side, make_patterns(inputs.read_picture(arguments.picture)))


if __name__ == "__main__":
    main(sys.argv[1:])
