# SPDX-License-Identifier: GPL-3.0-or-later
"""The operations of the command by their definitions, on arrays of numpy, for small pictures."""

import numpy

EIGHT = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
FOUR = [(dy, dx) for dy, dx in EIGHT if dy == 0 or dx == 0]


def disc(radius):
    reach = range(-radius, radius + 1)
    return [(dy, dx) for dy in reach for dx in reach if dy * dy + dx * dx <= radius * radius]


def square(radius):
    reach = range(-radius, radius + 1)
    return [(dy, dx) for dy in reach for dx in reach]


def line_45(radius):
    return [(-k, k) for k in range(-radius, radius + 1)]


def shifted(image, dy, dx, outside):
    """The image moved by a step; pixels from outside have that value."""
    height, width = image.shape
    moved = numpy.full(image.shape, outside, image.dtype)
    moved[max(dy, 0):height + min(dy, 0), max(dx, 0):width + min(dx, 0)] = \
        image[max(-dy, 0):height - max(dy, 0), max(-dx, 0):width - max(dx, 0)]
    return moved


def dilate(image, element):
    return numpy.maximum.reduce([shifted(image, *step, -numpy.inf) for step in element])


def erode(image, element):
    return -dilate(-image, element)


def median(image, radius):
    """Of the square around each pixel; beyond the ends the pixel at the end is repeated."""
    wide = numpy.pad(image, radius, 'edge')
    windows = numpy.lib.stride_tricks.sliding_window_view(wide, (2 * radius + 1,) * 2)
    return numpy.median(windows, axis=(2, 3))


def reconstruct(mask, marker, steps=tuple(EIGHT)):
    """Geodesic dilations until nothing changes."""
    now = numpy.minimum(mask, marker)
    while True:
        after = numpy.minimum(mask, dilate(now, steps))
        if (after == now).all():
            return now
        now = after


def h_maxima(image, height):
    return reconstruct(image, image - height)


def h_minima(image, height):
    return -h_maxima(-image, height)


def regional_maxima(image):
    return image > reconstruct(image, numpy.nextafter(image, -numpy.inf))


def regional_minima(image):
    return regional_maxima(-image)


def opening(image, element):
    return reconstruct(image, erode(image, element))


def closing(image, element):
    return -opening(-image, element)


def border_marker(image, inside):
    """The image on its border, and that value elsewhere."""
    marker = numpy.full(image.shape, inside, float)
    for edge in (numpy.s_[0, :], numpy.s_[-1, :], numpy.s_[:, 0], numpy.s_[:, -1]):
        marker[edge] = image[edge]
    return marker


def clear_border(image):
    return image - reconstruct(image, border_marker(image, -numpy.inf))


def fill_holes(image, steps):
    return -reconstruct(-image, border_marker(-image, -numpy.inf), steps)


def component(image, place, level):
    """The pixels not below the level that are connected to the place, and their highest neighbor."""
    front, inside, around = [place], {place}, -numpy.inf
    while front:
        y, x = front.pop()
        for dy, dx in EIGHT:
            next_to = (y + dy, x + dx)
            if next_to in inside or not (0 <= next_to[0] < image.shape[0] and
                                         0 <= next_to[1] < image.shape[1]):
                continue
            if image[next_to] >= level:
                inside.add(next_to)
                front.append(next_to)
            else:
                around = max(around, image[next_to])
    return numpy.array([image[place] for place in inside]), around


def is_opened(image, opened, stays, places):
    """Whether each place has the highest level, not above its own, at which its component stays."""
    for place in places:
        level = opened[place]
        above = image[(image > level) & (image <= image[place])]
        pixels, around = component(image, place, level)
        if level > image[place] or not (around == -numpy.inf or stays(pixels, around)):
            return False
        if above.size:
            pixels, around = component(image, place, above.min())
            if around == -numpy.inf or stays(pixels, around):
                return False
    return True


def gaussian(image, sigma):
    """Weighted means up to three times sigma away, the border repeated outside."""
    reach = int(numpy.ceil(3 * sigma))
    weights = numpy.exp(-numpy.arange(-reach, reach + 1) ** 2 / (2 * sigma * sigma))
    weights /= weights.sum()
    for axis in (0, 1):
        wide = numpy.pad(image, [(reach, reach) if a == axis else (0, 0) for a in (0, 1)],
                         mode='edge')
        image = numpy.apply_along_axis(numpy.convolve, axis, wide, weights, 'valid')
    return image


def gradient(image):
    return dilate(image, EIGHT) - erode(image, EIGHT)


def distance(inside):
    """From each pixel inside to the nearest one that is not."""
    out = numpy.argwhere(~inside)
    result = numpy.zeros(inside.shape)
    for y, x in numpy.argwhere(inside):
        result[y, x] = ((out - (y, x)) ** 2).sum(axis=1).min()
    return numpy.sqrt(result)
