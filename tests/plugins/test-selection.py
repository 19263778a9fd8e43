# SPDX-License-Identifier: GPL-3.0-or-later

"""The input is the bounding box of the selection within the layer; the visible part of the results
is the selection.
"""

import math

from gimptest import *
import reference

WIDTH, HEIGHT = 20, 14
ROWS = random_rows(WIDTH, HEIGHT, 255, 'selection', steps=6)


def part(rows, x, y, width, height):
    return [row[x:x + width] for row in rows[y:y + height]]


def distances(rows):
    return [[min(math.floor(d + 0.5), 255) for d in row] for row in reference.distance(rows, 128)]


def place(layer):
    return (list(layer.get_offsets()[1:]), layer.get_width(), layer.get_height())


def no_selection():
    image = new_image(WIDTH + 8, HEIGHT + 8)
    layer = new_layer(image, ROWS, x=5, y=3)
    result = must(call(DISTANCE, image, [layer], output='raw'))['layer']
    tap.same(place(result), ([5, 3], WIDTH, HEIGHT), 'without a selection the whole layer')
    tap.same(levels(result), distances(ROWS), 'with all its pixels')
    tap.ok(not result.has_alpha(), 'and opaque')
    image.delete()


def rectangle():
    image = new_image(WIDTH + 8, HEIGHT + 8)
    layer = new_layer(image, ROWS, x=5, y=3)
    before = raw_bytes(layer)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 9, 6, 7, 5)
    inside = part(ROWS, 4, 3, 7, 5)

    result = must(call(DISTANCE, image, [layer], output='raw'))['layer']
    tap.same((place(result), result.has_alpha()), (([9, 6], 7, 5), False),
             'a rectangle has the size and the place of the selection')
    tap.same(levels(result), distances(inside), 'and nothing outside it has an effect')

    result = must(call(RECONSTRUCT, image, [layer], height=0.2))['layer']
    tap.same((place(result), levels(result)),
             (([9, 6], 7, 5),
              reference.reconstruct(inside, reference.lowered(inside, -51, 255))),
             'a reconstruction within a rectangle')

    result = must(call(WATERSHED, image, [layer]))
    labels, count = reference.watershed(inside)
    drawn = [[alpha == 255 for alpha in row] for row in alphas(result['lines-layer'])]
    tap.same((result['basins'], place(result['lines-layer']), place(result['basins-layer']),
              drawn), (count, ([9, 6], 7, 5), ([9, 6], 7, 5), reference.boundary(labels)),
             'a watershed within a rectangle')
    tap.ok(raw_bytes(layer) == before, 'the layer is unchanged')
    image.delete()


def beyond_the_layer():
    """For a selection partly outside the layer, the input is the intersection."""
    image = new_image(WIDTH + 8, HEIGHT + 8)
    layer = new_layer(image, ROWS, x=-3, y=4)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 0, 0, 6, 9)
    result = must(call(DISTANCE, image, [layer], output='raw'))['layer']
    tap.same((place(result), levels(result)), (([0, 4], 6, 5), distances(part(ROWS, 3, 0, 6, 5))),
             'the part of the layer that is selected')
    image.delete()


def marker_under_a_selection():
    """The marker must cover only the region, and its offset is respected."""
    image = new_image(WIDTH + 8, HEIGHT + 8)
    layer = new_layer(image, ROWS, x=5, y=3)
    seeds = random_rows(9, 7, 255, 'seeds', steps=3)
    marker = new_layer(image, seeds, name='marker', x=8, y=5)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 9, 6, 7, 5)
    result = must(call(RECONSTRUCT, image, [layer], marker=marker))['layer']
    tap.same(levels(result), reference.reconstruct(part(ROWS, 4, 3, 7, 5),
                                                   part(seeds, 1, 1, 7, 5)),
             'a marker of another size and place')
    image.delete()


def coverage(image, x, y, width, height):
    selection = image.get_selection()
    rows = read(selection, 'Y', 'u8', 'B', 1)   # GIMP's selections are linear
    return part(rows, x, y, width, height)


def ellipse():
    for base, antialias, feather in ((GRAY, False, 0), (RGB, False, 0), (RGB, True, 0),
                                     (GRAY, True, 4)):
        image = new_image(WIDTH, HEIGHT, base)
        layer = new_layer(image, ROWS)
        Gimp.context_set_antialias(antialias)
        Gimp.context_set_feather(feather > 0)
        Gimp.context_set_feather_radius(feather, feather)
        image.select_ellipse(Gimp.ChannelOps.REPLACE, 4, 3, 11, 8)
        _, _, x1, y1, x2, y2 = Gimp.Selection.bounds(image)
        wanted = coverage(image, x1, y1, x2 - x1, y2 - y1)
        soft = any(0 < v < 255 for row in wanted for v in row)
        name = f"{'feathered' if feather else 'smooth' if antialias else 'hard'} ellipse, " \
               f'{base.value_nick}'
        inside = part(ROWS, x1, y1, x2 - x1, y2 - y1)

        result = must(call(DISTANCE, image, [layer], output='raw'))['layer']
        tap.same(place(result), ([x1, y1], x2 - x1, y2 - y1), f'the bounding box of a {name}')
        seen = [[pixel[3] for pixel in row] for row in colors(result)]
        tap.same(seen, wanted, f'visible as far as selected: {name}')
        got, all_levels = levels(result), distances(inside)
        tap.ok(all(g == w for rows in zip(got, all_levels, wanted)
                   for g, w, cover in zip(*rows) if cover),
               f'distances in the bounding box of a {name}', got, all_levels)
        if antialias:
            tap.ok(soft, f'which has soft edges: {name}')

        result = must(call(WATERSHED, image, [layer]))
        labels, _ = reference.watershed(inside)
        marks = reference.boundary(labels)
        tap.same([[pixel[3] for pixel in row] for row in colors(result['lines-layer'])],
                 [[c if mark else 0 for c, mark in zip(*rows)] for rows in zip(wanted, marks)],
                 f'lines within a {name}')
        tap.same([[pixel[3] for pixel in row] for row in colors(result['basins-layer'])], wanted,
                 f'basins within a {name}')
        image.delete()
    Gimp.context_set_antialias(True)
    Gimp.context_set_feather(False)


def selection_stays():
    image, layer = grey_image(ROWS)
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 4, 3, 11, 8)
    before = coverage(image, 0, 0, WIDTH, HEIGHT)
    for name in (RECONSTRUCT, DISTANCE, WATERSHED):
        must(call(name, image, [layer]))
    tap.same(coverage(image, 0, 0, WIDTH, HEIGHT), before, 'the selection stays')
    image.delete()


def precise_selection():
    """At 16 bits and in floating point, alpha has the precision of the selection."""
    for precision in (P.U16_NON_LINEAR, P.FLOAT_LINEAR):
        top = MAXIMUM[ENCODINGS[precision][1]]
        image, layer = grey_image(random_rows(WIDTH, HEIGHT, top, 'fine', steps=6),
                                  precision=precision)
        Gimp.context_set_feather(True)
        Gimp.context_set_feather_radius(5, 5)
        image.select_ellipse(Gimp.ChannelOps.REPLACE, 4, 3, 11, 8)
        Gimp.context_set_feather(False)
        _, _, x1, y1, x2, y2 = Gimp.Selection.bounds(image)
        kind, letter = ENCODINGS[precision][1:]
        wanted = part(read(image.get_selection(), 'Y', kind, letter, 1),
                      x1, y1, x2 - x1, y2 - y1)
        result = must(call(DISTANCE, image, [layer]))['layer']
        got = alphas(result)
        tap.ok(len({v for row in wanted for v in row}) > 20, 'a selection of many shades')
        tap.ok(all(abs(g - w) <= (0 if kind == 'u16' else 1e-6)
                   for rows in zip(got, wanted) for g, w in zip(*rows)),
               f'alpha is the selection, {precision.value_nick}', shown(got), shown(wanted))
        image.delete()


for group in (no_selection, rectangle, beyond_the_layer, marker_under_a_selection, ellipse,
              selection_stays, precise_selection):
    tap.group(group)
tap.done()
