# SPDX-License-Identifier: GPL-3.0-or-later

"""Pictures with objects, for tests of the preview and for long runs."""

import math
import random

from gimptest import GRAY, Gegl, Gimp, new_image


def cells(width, height, seed=4):
    """Bright round cells on a dark background, some touching, and noise."""
    source = random.Random(seed)
    rows = [[int(25 + 8 * math.sin(x * .03)) for x in range(width)] for _ in range(height)]
    for _ in range(width * height // 900):
        middle_x, middle_y = source.uniform(0, width), source.uniform(0, height)
        radius = source.uniform(9, 20)
        for y in range(max(0, int(middle_y - radius)), min(height, int(middle_y + radius + 1))):
            for x in range(max(0, int(middle_x - radius)), min(width, int(middle_x + radius + 1))):
                far = math.hypot(x - middle_x, y - middle_y) / radius
                rows[y][x] = max(rows[y][x], int(40 + 170 * (1 - far * far)) if far < 1 else 0)
    return [[min(255, max(0, level + source.randrange(-6, 7))) for level in row] for row in rows]


def large_image(side, rows):
    """A square gray image of this side, tiled with @rows, and its layer."""
    image = new_image(side, side)
    layer = Gimp.Layer.new(image, 'layer', side, side, Gimp.ImageType.GRAY_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    lines = [(bytes(row) * (side // len(row) + 1))[:side] for row in rows]
    buffer = layer.get_buffer()
    for top in range(0, side, 1024):
        rows = range(top, min(top + 1024, side))
        buffer.set(Gegl.Rectangle.new(0, top, side, len(rows)), "Y' u8",
                   b''.join(lines[y % len(lines)] for y in rows))
    buffer.flush()
    layer.update(0, 0, side, side)
    image.clean_all()
    return image, layer
