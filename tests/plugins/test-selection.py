# SPDX-License-Identifier: GPL-3.0-or-later

"""The input is what is selected of the layer, by at least half of a pixel; results have the size of
its bounding box, and are visible where the input is.
"""

import csv
import math
import os
import tempfile

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


def half(wanted):
    """What counts as selected of pixels with soft edges, and how opaque results are."""
    inside = [[cover >= 128 for cover in row] for row in wanted]
    return inside, [[cover if cover >= 128 else 0 for cover in row] for row in wanted]


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
        box = part(ROWS, x1, y1, x2 - x1, y2 - y1)
        mask, opacity = half(wanted)

        result = must(call(DISTANCE, image, [layer], output='raw'))['layer']
        tap.same(place(result), ([x1, y1], x2 - x1, y2 - y1), f'the bounding box of a {name}')
        seen = [[pixel[3] for pixel in row] for row in colors(result)]
        tap.same(seen, opacity, f'visible as far as selected by half: {name}')
        got = levels(result)
        far = distances([[level if inside else 255 for level, inside in zip(*rows)]
                         for rows in zip(box, mask)])
        tap.ok(all(g == w for rows in zip(got, far, mask) for g, w, inside in zip(*rows) if inside),
               f'distances within a {name}', got, far)
        if antialias:
            tap.ok(soft, f'which has soft edges: {name}')

        result = must(call(WATERSHED, image, [layer], label_image=True))
        labels, count = reference.watershed_within(box, mask)
        marks = reference.boundary(labels, mask=mask)
        tap.same(result['basins'], count, f'the basins of a {name}')
        tap.same([[pixel[3] for pixel in row] for row in colors(result['lines-layer'])],
                 [[c if mark else 0 for c, mark in zip(*rows)] for rows in zip(opacity, marks)],
                 f'lines within a {name}')
        tap.same([[pixel[3] for pixel in row] for row in colors(result['basins-layer'])], opacity,
                 f'basins within a {name}')
        numbers = result['label-image']
        tap.same(levels(numbers.get_layers()[0]), labels,
                 f'numbers within a {name}, 0 outside')
        numbers.delete()
        image.delete()
    Gimp.context_set_antialias(True)
    Gimp.context_set_feather(False)


def selection_stays():
    image, layer = gray_image(ROWS)
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
        image, layer = gray_image(random_rows(WIDTH, HEIGHT, top, 'fine', steps=6),
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
        wanted = [[cover if cover >= top / 2 else 0 for cover in row] for row in wanted]
        tap.ok(all(abs(g - w) <= (0 if kind == 'u16' else 1e-6)
                   for rows in zip(got, wanted) for g, w in zip(*rows)),
               f'from half on, alpha is the selection, {precision.value_nick}', shown(got), shown(wanted))
        image.delete()


def squares(image, *places):
    """Selects squares that do not touch."""
    Gimp.Selection.none(image)
    for x, y, size in places:
        image.select_rectangle(Gimp.ChannelOps.ADD, x, y, size, size)


def levels_outside_do_not_matter():
    """All that the procedures make of what is selected is the same, whatever lies around it."""
    results = []
    for around in (0, 130, 255):
        image = new_image(WIDTH, HEIGHT)
        rows = [[ROWS[y][x] if 2 <= x < 8 and 2 <= y < 8 or 11 <= x < 17 and 4 <= y < 10 else around
                 for x in range(WIDTH)] for y in range(HEIGHT)]
        layer = new_layer(image, rows)
        squares(image, (2, 2, 6), (11, 4, 6))
        made = []
        for name, more in ((WATERSHED, {'input': 'objects'}), (WATERSHED, {'input': 'gradient'}),
                           (WATERSHED, {'smoothing': 1.5}),
                           (WATERSHED, {'merge_by': 'area', 'merge_value': 1000.0}),
                           (DISTANCE, {'automatic_threshold': True}),
                           (DISTANCE, {'signed': True, 'output': 'image'}),
                           ('plug-in-wavefront-opening-by-reconstruction', {'radius': 2}),
                           (RECONSTRUCT, {'height': 0.2})):
            result = must(call(name, image, [layer], **more))
            for value in result.values.values():
                if isinstance(value, Gimp.Layer):
                    made.append(colors(value))
                elif isinstance(value, Gimp.Image):
                    made.append(raw_bytes(value.get_layers()[0]))
                    value.delete()
                elif isinstance(value, (int, float)):
                    made.append(value)
        results.append(made)
        image.delete()
    tap.ok(len(results[0]) > 12, 'all results were read', len(results[0]))
    tap.same(results[1], results[0], 'dark or gray around: the same results')
    tap.same(results[2], results[0], 'dark or white around: the same results')


def separate_parts():
    """Parts that do not touch are merged separately, whatever number of basins is asked for."""
    image, layer = gray_image(ROWS)
    squares(image, (1, 1, 5), (9, 2, 6))
    tap.same(must(call(WATERSHED, image, [layer], merge_by='dynamics', merge_value=1e6))['basins'],
             2, 'merged by depth, each part is a basin')
    tap.same(must(call(WATERSHED, image, [layer], merge_by='area', merge_value=1e6))['basins'],
             2, 'by area as well')
    tap.same(must(call(WATERSHED, image, [layer], merge_by='count', merge_value=1.0))['basins'],
             2, 'merged to one basin, each part is one')
    image.delete()


def table_of_what_is_selected():
    image, layer = gray_image(ROWS)
    Gimp.context_set_antialias(True)
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 3, 2, 13, 10)
    n = sum(cover >= 128 for row in coverage(image, 0, 0, WIDTH, HEIGHT) for cover in row)
    path = os.path.join(tempfile.mkdtemp(), 'basins.csv')
    result = must(call(WATERSHED, image, [layer], table_file=Gio.File.new_for_path(path)))
    with open(path, encoding='utf-8') as table:
        lines = list(csv.DictReader(table))
    tap.same(sum(int(line['area']) for line in lines), n, 'the areas add up to what is selected')
    tap.same(len(lines), result['basins'], 'a line for each basin')
    image.delete()


def hardly_selected():
    """GIMP shows no outline of a selection whose pixels are all selected by less than half."""
    image, layer = gray_image(ROWS)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 9, 6, 1, 1)
    Gimp.Selection.feather(image, 12)
    refused = call(WATERSHED, image, [layer])
    tap.ok(not refused and 'half' in refused.message, 'nothing is selected by half', refused)
    image.delete()


def selected_stack():
    """The selection applies to every slice."""
    rows = [random_rows(WIDTH, HEIGHT, 255, f'slice {i}', steps=5) for i in range(3)]
    image = new_image(WIDTH, HEIGHT)
    for i in range(3):
        new_layer(image, rows[i], name=f'slice {i}')
    squares(image, (1, 1, 5), (9, 2, 6))
    mask = [[cover >= 128 for cover in row] for row in coverage(image, 1, 1, 14, 7)]
    result = must(call(WATERSHED, image, image.get_layers()[:1], stack=True, label_image=True,
                       merge_by='area', merge_value=1e6))
    tap.same(result['basins'], 2, 'two parts through all slices')
    numbers = result['label-image']
    tap.ok(all([[number > 0 for number in row] for row in levels(slice_)] == mask
               for slice_ in numbers.get_layers()), 'which is 0 outside in every slice')
    numbers.delete()
    image.delete()


for group in (no_selection, rectangle, beyond_the_layer, marker_under_a_selection, ellipse,
              selection_stays, precise_selection, levels_outside_do_not_matter, separate_parts,
              table_of_what_is_selected, hardly_selected, selected_stack):
    tap.group(group)
tap.done()
