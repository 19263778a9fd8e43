# SPDX-License-Identifier: GPL-3.0-or-later

"""Each operation's pixels, at every precision, on gray and color layers with and without alpha,
compared with the definitions in reference.py.
"""

import math

from gimptest import *
import reference

# integers up to 16 bits are processed unchanged, all others as 32-bit floats
PRECISIONS = (P.U8_NON_LINEAR, P.U8_LINEAR, P.U8_PERCEPTUAL, P.U16_NON_LINEAR, P.U16_LINEAR,
              P.HALF_LINEAR, P.FLOAT_LINEAR, P.FLOAT_NON_LINEAR, P.DOUBLE_LINEAR)
KINDS = ((GRAY, False), (GRAY, True), (RGB, False), (RGB, True))
ALL_KINDS = (P.U8_NON_LINEAR, P.U16_LINEAR, P.FLOAT_NON_LINEAR)
SIZE = (13, 9)
# not a level of a floating-point picture: a color conversion may change levels slightly
THRESHOLD = 0.74


def close(got, expected, tolerance):
    return all(abs(g - e) <= tolerance or g == e
               for pair in zip(got, expected) for g, e in zip(*pair))


def compare(got, expected, image, name):
    """Compares levels: integers exactly, floats with a tolerance for color conversions in RGB."""
    if isinstance(maximum(image), int):
        tap.same(got, expected, name)
    else:
        tap.ok(close(got, expected, 2e-6), name, shown(got), shown(expected))


def label(precision, base, alpha):
    return f"{precision.value_nick} {base.value_nick}{' with alpha' if alpha else ''}"


def pictures():
    for precision in cases(ALL_KINDS, PRECISIONS):
        all_kinds = precision in cases(ALL_KINDS[:1], ALL_KINDS)
        for base, alpha in KINDS if all_kinds else KINDS[1:3]:
            seed = f'{precision.value_nick} {base.value_nick} {alpha}'
            image = new_image(*SIZE, base, precision)
            rows = random_rows(*SIZE, maximum(image), seed, steps=12)
            layer = new_layer(image, rows, alpha)
            yield image, layer, rows, label(precision, base, alpha)
            image.delete()


def level(fraction, image):
    top = maximum(image)
    return math.floor(fraction * top + 0.5) if isinstance(top, int) else fraction


def check_type(image, layer, result, what, name, alpha=False):
    components = (1 if image.get_base_type() == GRAY else 3)
    size = layer.get_bpp() // (components + layer.has_alpha())
    tap.same((result.type(), result.get_bpp()),
             (layer_type(image, alpha), size * (components + alpha)),
             f'the {what} is of the image’s kind and precision, {name}')


def check_reconstruct(image, layer, rows, name):
    top = maximum(image)
    before = raw_bytes(layer)
    for by, sign, connectivity, steps in (('dilation', -1, '4', reference.FOUR),
                                          ('erosion', 1, '8', reference.EIGHT)):
        result = must(call(RECONSTRUCT, image, [layer], by=by, height=0.375,
                           connectivity=connectivity))
        marker = reference.lowered(rows, sign * level(0.375, image), top)
        compare(levels(result['layer']), reference.reconstruct(rows, marker, by, steps), image,
                f'reconstruct by {by}, {connectivity}, {name}')
        check_type(image, layer, result['layer'], 'reconstruction', name, layer.has_alpha())
        tap.same(seen(result['layer']), seen(layer), f'alpha is kept, {by}, {name}')
        image.remove_layer(result['layer'])
    tap.ok(raw_bytes(layer) == before, f'reconstruct leaves its layer unchanged, {name}')


def check_marker(image, layer, rows, name):
    marker_rows = random_rows(SIZE[0] + 4, SIZE[1] + 3, maximum(image), name, steps=5)
    marker = new_layer(image, marker_rows, False, 'marker', -2, -1)
    result = must(call(RECONSTRUCT, image, [layer], marker=marker))
    inside = [row[2:2 + SIZE[0]] for row in marker_rows[1:1 + SIZE[1]]]
    compare(levels(result['layer']), reference.reconstruct(rows, inside), image,
            f'reconstruct from a marker layer, {name}')
    image.remove_layer(result['layer'])
    image.remove_layer(marker)


def check_distance(image, layer, rows, name):
    top = maximum(image)
    expected = reference.distance(rows, level(THRESHOLD, image))
    largest = max(d for row in expected for d in row)
    raw = must(call(DISTANCE, image, [layer], threshold=THRESHOLD, output='raw'))
    if isinstance(top, int):
        wanted = [[min(math.floor(d + 0.5), top) for d in row] for row in expected]
        stretched = [[math.floor(d / largest * top + 0.5) for d in row] for row in expected]
        same, near = 0, 0
    else:
        wanted = expected
        stretched = [[d / largest for d in row] for row in expected]
        same, near = 2e-3 if 'half' in name else 2e-6, 1e-3 if 'half' in name else 2e-6
    tap.ok(close(levels(raw['layer']), wanted, same), f'raw distances, {name}',
           shown(levels(raw['layer'])), shown(wanted))
    normal = must(call(DISTANCE, image, [layer], threshold=THRESHOLD))
    tap.ok(close(levels(normal['layer']), stretched, near), f'normalized distances, {name}',
           shown(levels(normal['layer'])), shown(stretched))
    tap.ok(abs(raw['maximum'] - largest) < 1e-6 and not raw['no-background'],
           f'the largest distance is returned, {name}', raw)
    check_type(image, layer, raw['layer'], 'distance map', name, layer.has_alpha())
    for result in (raw, normal):
        image.remove_layer(result['layer'])


def seen(layer):
    """The alpha of each pixel, in 8 bits."""
    return [[pixel[3] for pixel in row] for row in colors(layer)]


def same_partition(labels, colored):
    """Whether labels and colors correspond one to one, regardless of alpha."""
    pairs = {(label, color[:3]) for pair in zip(labels, colored) for label, color in zip(*pair)}
    return len(pairs) == len({p[0] for p in pairs}) == len({p[1] for p in pairs})


def check_watershed(image, layer, rows, name):
    connectivity, steps = (('4', reference.FOUR) if 'rgb' in name else ('auto', reference.EIGHT))
    labels, count = reference.watershed(rows, steps)
    result = must(call(WATERSHED, image, [layer], connectivity=connectivity))
    wanted = [[mark and alpha for mark, alpha in zip(*rows)]
              for rows in zip(reference.boundary(labels, connectivity == 'auto'), seen(layer))]
    tap.same((result['basins'], seen(result['lines-layer'])), (count, wanted),
             f'watershed lines, {connectivity}, {name}')
    if image.get_base_type() == RGB:
        tap.ok(same_partition(labels, colors(result['basins-layer'])),
               f'basins in colors of their own, {name}',
               labels, colors(result['basins-layer']))
    check_type(image, layer, result['lines-layer'], 'layer of lines', name, alpha=True)
    check_type(image, layer, result['basins-layer'], 'layer of basins', name, layer.has_alpha())
    for value in ('lines-layer', 'basins-layer'):
        image.remove_layer(result[value])


def luminance():
    """The level of a color layer is its luminance, in its own encoding, that of linear light at
    every precision that the image is converted to."""
    width, height = 16, 16
    image = new_image(width, height, RGB, P.U8_NON_LINEAR)
    layer = Gimp.Layer.new(image, 'colors', width, height, Gimp.ImageType.RGB_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    source = random.Random('colors')
    pixels = [[tuple(source.randrange(256) for _ in range(3)) for _ in range(width)]
              for _ in range(height)]
    layer.get_buffer().set(Gegl.Rectangle.new(0, 0, width, height), "R'G'B' u8",
                           bytes(c for row in pixels for p in row for c in p))

    def linear(v):
        v /= 255
        return v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4

    def encoded(v):
        return v * 12.92 if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055

    # the rows of the sRGB matrix that GIMP uses, adapted to D50
    light = [[0.22248840 * linear(r) + 0.71690369 * linear(g) + 0.06060791 * linear(b)
              for r, g, b in row] for row in pixels]
    for precision in (P.U8_NON_LINEAR, P.U16_NON_LINEAR, P.FLOAT_NON_LINEAR, P.FLOAT_LINEAR,
                      P.U16_LINEAR):
        if precision != image.get_precision():
            image.convert_precision(precision)
        trc, kind, _ = encoding(image)
        white = MAXIMUM[kind]
        expected = [[white * (encoded(y) if trc else y) for y in row] for row in light]
        # lowered by 0, a layer is its own reconstruction
        result = must(call(RECONSTRUCT, image, [layer], height=0.0))
        tap.ok(close(levels(result['layer']), expected, 1.1 if white > 1 else 1e-5),
               f'the level of a color is its luminance, {label(precision, RGB, False)}',
               shown(levels(result['layer'])), shown(expected))
        image.remove_layer(result['layer'])
    image.delete()


def every_gray():
    """No conversion changes a level or merges two levels."""
    for precision, kind in ((P.U8_NON_LINEAR, 'u8'), (P.U16_NON_LINEAR, 'u16'),
                            (P.U16_LINEAR, 'u16')):
        top = MAXIMUM[kind]
        rows = [list(range(y * 256, y * 256 + 256)) for y in range((top + 1) // 256)]
        for base in (GRAY, RGB):
            image, layer = gray_image(rows, base, precision, alpha=True)
            result = must(call(RECONSTRUCT, image, [layer], height=0.0))
            tap.ok(levels(result['layer']) == rows,
                   f'every gray level is preserved, {label(precision, base, True)}')
            image.delete()


def many_rows():
    """An image with more rows than one strip."""
    rows = random_rows(5, 203, 255, 'many rows')
    image, layer = gray_image(rows)
    result = must(call(DISTANCE, image, [layer], threshold=0.9, output='raw'))
    expected = [[math.floor(d + 0.5) for d in row]
                for row in reference.distance(rows, math.floor(0.9 * 255 + 0.5))]
    tap.same(levels(result['layer']), expected, 'an image of many rows')
    image.delete()


def distance_options():
    rows = random_rows(17, 11, 255, 'options', steps=3)
    plain = [[v / 255 for v in row] for row in rows]
    image, layer = gray_image(plain, precision=P.FLOAT_LINEAR)
    for metric in ('euclidean', 'squared', 'city-block', 'chessboard'):
        for border in (False, True):
            for text, spacing in (('1,1,1', (1, 1)), ('0.5,3', (0.5, 3))):
                result = must(call(DISTANCE, image, [layer], metric=metric, spacing=text,
                                   border_background=border, output='raw'))
                expected = reference.distance(plain, 0.5, metric, border, spacing)
                largest = max(d for row in expected for d in row)
                tap.ok(close(levels(result['layer']), expected, 1e-5)
                       and abs(result['maximum'] - largest) < 1e-5,
                       f'{metric}, border {border}, spacing {text}',
                       shown(levels(result['layer'])), shown(expected))
                image.remove_layer(result['layer'])
    image.delete()


def signed_distances():
    """Raw: negative distances become 0 if levels are integers; normalized: the lowest distance
    is black."""
    for precision in (P.U8_NON_LINEAR, P.U16_LINEAR, P.FLOAT_LINEAR):
        top = MAXIMUM[ENCODINGS[precision][1]]
        whole = isinstance(top, int)
        rows = random_rows(14, 10, top, f'signed {precision.value_nick}', steps=6)
        image, layer = gray_image(rows, precision=precision)
        expected = reference.signed_distance(rows, level(THRESHOLD, image))
        least, largest = (f(d for row in expected for d in row) for f in (min, max))
        for output in ('raw', 'normalized'):
            if output == 'raw':
                wanted = expected
            else:
                wanted = [[(d - least) * (top / (largest - least)) for d in row]
                          for row in expected]
            if whole:
                wanted = [[min(max(math.floor(d + 0.5), 0), top) for d in row] for row in wanted]
            result = must(call(DISTANCE, image, [layer], threshold=THRESHOLD, signed=True,
                               output=output))
            tap.ok(close(levels(result['layer']), wanted, 0 if whole else 2e-6),
                   f'signed distances, {output}, {precision.value_nick}',
                   shown(levels(result['layer'])), shown(wanted))
            tap.ok(abs(result['minimum'] - least) < 1e-5
                   and abs(result['maximum'] - largest) < 1e-5,
                   f'the range of signed distances, {output}, {precision.value_nick}', result)
            image.remove_layer(result['layer'])
        refused = call(DISTANCE, image, [layer], signed=True, metric='squared')
        tap.ok(not refused and 'quared' in refused.message,
               f'squared distances have no sign, {precision.value_nick}', refused)
        image.delete()


def clipped():
    """A raw distance above the precision's largest level becomes that level."""
    rows = [[0] + [255] * 299]
    image, layer = gray_image(rows)
    result = must(call(DISTANCE, image, [layer], output='raw'))
    tap.same(levels(result['layer']), [[min(x, 255) for x in range(300)]],
             'raw distances end at white')
    tap.same(result['maximum'], 299.0, 'the largest distance is returned unclamped')
    image.delete()


def no_background():
    for precision, raw in ((P.U8_NON_LINEAR, 255), (P.U16_LINEAR, 65535),
                           (P.FLOAT_LINEAR, math.inf)):
        top = MAXIMUM[ENCODINGS[precision][1]]
        image, layer = gray_image([[top] * 6] * 4, precision=precision)
        for output, wanted in (('raw', raw), ('normalized', raw)):
            result = must(call(DISTANCE, image, [layer], output=output))
            tap.same((levels(result['layer']), result['maximum'], result['no-background']),
                     ([[wanted] * 6] * 4, 0.0, True),
                     f'no background, {output}, {precision.value_nick}')
        image.delete()
    image, layer = gray_image([[0] * 6] * 4)
    result = must(call(DISTANCE, image, [layer]))
    tap.same((levels(result['layer']), result['maximum'], result['no-background']),
             ([[0] * 6] * 4, 0.0, False), 'nothing but background')
    image.delete()


def fraction_of_range():
    """A threshold is the same fraction at every precision, rounded to a level."""
    for precision, below, above in ((P.U8_NON_LINEAR, 51, 52), (P.U16_NON_LINEAR, 13107, 13108),
                                    (P.FLOAT_NON_LINEAR, 0.2, 0.2001)):
        image, layer = gray_image([[below, above, above]], precision=precision)
        result = must(call(DISTANCE, image, [layer], threshold=0.2, output='raw'))
        got = levels(result['layer'])
        tap.ok(close(got, [[0, 1, 2]], 1e-6), f'threshold 0.2, {precision.value_nick}', got)
        image.delete()


def height_stops_at_the_end():
    rows = [[3, 10, 250, 255, 100]]
    image, layer = gray_image(rows)
    for by, sign in (('dilation', -1), ('erosion', 1)):
        result = must(call(RECONSTRUCT, image, [layer], by=by, height=1.0))
        marker = reference.lowered(rows, sign * 255, 255)
        tap.same(levels(result['layer']), reference.reconstruct(rows, marker, by),
                 f'a height of the whole range, {by}')
    image.delete()


def tolerance():
    """Minima of depths 10, 30 and 200 merge when the tolerance reaches their depth."""
    rows = [[200, 190, 200, 170, 200, 0, 200]]
    image, layer = gray_image(rows)
    counts = [must(call(WATERSHED, image, [layer], tolerance=t / 255))['basins']
              for t in (0, 9, 10, 29, 30, 255)]
    tap.same(counts, [3, 3, 2, 2, 1, 1], 'the tolerance merges shallower basins')
    image.delete()


def lines_of_the_watershed():
    """With line pixels, basins never touch; each pixel is visible in one of both layers."""
    rows = random_rows(23, 17, 255, 'lines', steps=9)
    image, layer = gray_image(rows, RGB)
    for connectivity, steps in (('4', reference.FOUR), ('8', reference.EIGHT)):
        plain = must(call(WATERSHED, image, [layer], connectivity=connectivity))
        result = must(call(WATERSHED, image, [layer], connectivity=connectivity, lines=True))
        lines, basins = colors(result['lines-layer']), colors(result['basins-layer'])
        tap.ok(all((a[3], b[3]) in ((255, 0), (0, 255))
                   for pair in zip(lines, basins) for a, b in zip(*pair)),
               f'a pixel is a line’s or a basin’s, {connectivity}')
        apart = all(basins[v][u] == basins[y][x] for y in range(17) for x in range(23)
                    for v, u in reference.neighbors(basins, y, x, steps)
                    if basins[y][x][3] and basins[v][u][3])
        tap.ok(apart, f'basins do not touch, {connectivity}')
        tap.same(result['basins'], plain['basins'], f'no basin is lost, {connectivity}')
    image.delete()


def line_color():
    black, white = (0, 0, 0, 255), (255, 255, 255, 255)
    for base, level, text, wanted in (
            (RGB, 9, 'red', (255, 0, 0, 255)), (RGB, 240, '#102030', (16, 32, 48, 255)),
            (RGB, 240, 'black', black), (RGB, 9, None, (0, 224, 90, 255)),
            (GRAY, 9, 'white', white),
            # not readable there: white on dark, black on bright
            (RGB, 9, '#102030', white), (RGB, 200, 'white', black), (GRAY, 240, 'white', black),
            # colors that a gray image cannot hold
            (GRAY, 9, None, white), (GRAY, 240, 'red', black)):
        image, layer = gray_image([[0, level, 0]], base)
        arguments = {'line_color': Gegl.Color.new(text)} if text else {}
        result = must(call(WATERSHED, image, [layer], **arguments))
        drawn = [pixel for pixel in colors(result['lines-layer'])[0] if pixel[3]]
        tap.same(drawn, [wanted], f'line color {text} on {level}, {base.value_nick}')
        image.delete()


def last_index():
    rows = random_rows(15, 15, 255, 'last', steps=4)
    image, layer = gray_image(rows, RGB)
    result = must(call(WATERSHED, image, [layer], last_index=True))
    labels, count = reference.watershed(rows, reference.EIGHT, last=True)
    tap.ok(result['basins'] == count and same_partition(labels, colors(result['basins-layer'])),
           'the last of equals')
    first, _ = reference.watershed(rows, reference.EIGHT)
    tap.ok(first != labels, 'which is not the first of them')
    image.delete()


for picture in pictures():
    for check in (check_reconstruct, check_marker, check_distance, check_watershed):
        tap.group(lambda: check(*picture))
for group in (luminance, every_gray, many_rows, distance_options, signed_distances, clipped,
              no_background, fraction_of_range, height_stops_at_the_end, tolerance,
              lines_of_the_watershed, line_color, last_index):
    tap.group(group)
tap.done()
