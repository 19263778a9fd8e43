# SPDX-License-Identifier: GPL-3.0-or-later

"""The distance map's inputs, units and outputs."""

import array
import math

from gimptest import *
import reference
import wavefront_command

WIDTH, HEIGHT = 23, 17
ROWS = random_rows(WIDTH, HEIGHT, 255, 'distance outputs', steps=7)
THRESHOLD = 100 / 255


def single(value):
    return array.array('f', [value])[0]


def singles(rows):
    return [[single(v) for v in row] for row in rows]


def inside(threshold=100):
    return reference.distance(ROWS, threshold)


def outside(threshold=100):
    return reference.distance([[1 if v <= threshold else 0 for v in row] for row in ROWS], 0.5)


def numbers(result):
    """The distances in the new image of @result."""
    image = result['distance-image']
    tap.same((image.get_precision(), image.get_base_type(), len(image.get_layers())),
             (P.FLOAT_LINEAR, GRAY, 1), 'numbers are an image in 32-bit floating point')
    rows = levels(image.get_layers()[0])
    image.delete()
    return rows


def sides():
    image, layer = gray_image(ROWS)
    for side, expected in (('inside', inside()), ('outside', outside())):
        result = must(call(DISTANCE, image, [layer], threshold=THRESHOLD, side=side,
                           output='image'))
        tap.same(numbers(result), singles(expected), f'distances {side}')
        tap.ok(result['layer'] is None and layer_names(image) == ['layer']
               and abs(result['threshold-used'] - THRESHOLD) < 1e-9,
               f'and nothing else, {side}', result, layer_names(image))
        tap.same(result['maximum'], single(max(map(max, expected))), f'their maximum, {side}')

        both = must(call(DISTANCE, image, [layer], threshold=THRESHOLD, side=side, signed=True,
                         output='image'))
        i, o = (inside(), outside()) if side == 'inside' else (outside(), inside())
        tap.same(numbers(both), singles([[a - b for a, b in zip(*r)] for r in zip(i, o)]),
                 f'signed distances {side}')

    border = must(call(DISTANCE, image, [layer], threshold=THRESHOLD, side='outside',
                       border_background=True, output='image'))
    tap.same(numbers(border), singles(outside()), 'pixels outside the layer are background')
    image.delete()


def otsu(rows, top):
    counts = [0] * (top + 1)
    for row in rows:
        for v in row:
            counts[v] += 1
    best, cuts = -1, []
    for cut in range(top):
        low, high = counts[:cut + 1], counts[cut + 1:]
        n, m = sum(low), sum(high)
        if not n or not m:
            continue
        a = sum(i * c for i, c in enumerate(low)) / n
        b = sum((cut + 1 + i) * c for i, c in enumerate(high)) / m
        between = n * m * (a - b) ** 2
        if between > best * (1 + 1e-12):
            best, cuts = between, [cut]
        elif between > best * (1 - 1e-12):
            cuts.append(cut)
    return cuts[0] + (cuts[-1] - cuts[0]) // 2


def automatic():
    for base in (GRAY, RGB):
        image, layer = gray_image(ROWS, base)
        found = otsu(ROWS, 255)
        result = must(call(DISTANCE, image, [layer], automatic_threshold=True, threshold=0.9,
                           output='image'))
        tap.same(numbers(result), singles(inside(found)), f'Otsu’s threshold, {base.value_nick}')
        tap.ok(abs(result['threshold-used'] - found / 255) < 1e-9, 'is returned', result,
               found / 255)
        image.delete()


def units():
    image, layer = gray_image(ROWS)
    image.set_resolution(100, 50)
    for unit, per_inch in ((Gimp.Unit.mm(), 25.4), (Gimp.Unit.inch(), 1)):
        image.set_unit(unit)
        spacing = (per_inch / 100, per_inch / 50)
        result = must(call(DISTANCE, image, [layer], threshold=THRESHOLD, unit='image',
                           spacing='7,9', output='image'))
        resolution = result['distance-image'].get_resolution()
        expected = reference.distance(ROWS, 100, spacing=spacing)
        got = numbers(result)
        worst = max(abs(a - b) for r in zip(got, expected) for a, b in zip(*r))
        tap.ok(worst < 1e-6 * max(map(max, expected)),
               f'distances in {unit.get_name()}', worst)
        tap.same(list(resolution)[1:], [100, 50], 'the new image has the resolution')
    image.delete()


def clipped():
    for precision in (P.U8_NON_LINEAR, P.FLOAT_LINEAR):
        top = 255 if precision == P.U8_NON_LINEAR else 1.0
        rows = ROWS if top == 255 else [[v / 255 for v in row] for row in ROWS]
        image, layer = gray_image(rows, precision=precision)
        result = must(call(DISTANCE, image, [layer], threshold=THRESHOLD, output='clipped',
                           maximum=2.0))
        wanted = [[min(d / 2, 1) * top for d in row] for row in inside()]
        if top == 255:
            wanted = [[math.floor(v + 0.5) for v in row] for row in wanted]
            tap.same(levels(result['layer']), wanted, 'clipped, 8 bits')
        else:
            worst = max(abs(a - b) for r in zip(levels(result['layer']), wanted)
                        for a, b in zip(*r))
            tap.ok(worst < 1e-6, 'clipped, real numbers', worst)
        image.delete()


def contours():
    image, layer = gray_image(ROWS, RGB)
    expected, line = inside(), (0x33, 0x66, 0xcc)

    def color_on(level):
        if max(abs(part - level) for part in line) >= 96:
            return line + (255,)
        return (255, 255, 255, 255) if level < 128 else (0, 0, 0, 255)
    for step in (1.0, 1.5):
        result = must(call(DISTANCE, image, [layer], threshold=THRESHOLD, output='contours',
                           step=step, line_color=Gegl.Color.new('#3366cc')))

        def band(y, x):
            return math.floor(expected[y][x] / step)
        wanted = [[color_on(ROWS[y][x])
                   if any(band(y, x) > band(v, u)
                          for v, u in reference.neighbors(ROWS, y, x, reference.FOUR))
                   else (0, 0, 0, 0) for x in range(WIDTH)] for y in range(HEIGHT)]
        tap.same(colors(result['layer']), wanted, f'contour lines at {step}')
    tap.same(layer_names(image)[:2], ['Contour lines of layer #1', 'Contour lines of layer'],
             'their layers’ names, the later one on top')
    image.delete()


def color_layer(image, seed, alpha):
    """A layer with arbitrary colors, and its stored pixels."""
    source = random.Random(seed)
    trc, kind, letter = encoding(image)
    layer = Gimp.Layer.new(image, 'colors', WIDTH, HEIGHT, layer_type(image, alpha), 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    n = 4 if alpha else 3
    top = MAXIMUM[kind]
    values = [source.randrange(top + 1) if i % 4 < 3 or source.random() < 0.5 else top
              for i in range(n * WIDTH * HEIGHT)]
    layer.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT),
                           f"R{trc}G{trc}B{trc}{'A' if alpha else ''} {kind}",
                           array.array(letter, values).tobytes())
    layer.update(0, 0, WIDTH, HEIGHT)
    return layer


def stored(layer):
    trc, kind, letter = encoding(layer.get_image())
    return read(layer, f'R{trc}G{trc}B{trc}A', kind, letter, 4)


def nearest_of(ground, y, x):
    return min(ground, key=lambda p: ((p[0] - y) ** 2 + (p[1] - x) ** 2, p[1], p[0]))


def nearest():
    for precision in (P.U8_NON_LINEAR, P.U8_LINEAR, P.U16_NON_LINEAR, P.U16_PERCEPTUAL):
        image = new_image(WIDTH, HEIGHT, RGB, precision)
        layer = color_layer(image, f'nearest {precision.value_nick}', False)
        mapped = must(call(DISTANCE, image, [layer], threshold=0.5, output='image'))
        far = numbers(mapped)
        ground = [(y, x) for y in range(HEIGHT) for x in range(WIDTH) if far[y][x] == 0]
        pixels = stored(layer)
        result = must(call(DISTANCE, image, [layer], threshold=0.5, output='nearest'))
        wanted = [[pixels[v][u] for v, u in (nearest_of(ground, y, x) for x in range(WIDTH))]
                  for y in range(HEIGHT)]
        tap.ok(1 < len(ground) < WIDTH * HEIGHT - 1 and stored(result['layer']) == wanted,
               f'nearest colors, {precision.value_nick}', len(ground),
               shown(stored(result['layer'])), shown(wanted))
        image.delete()

    image, layer = gray_image([[255] * 4] * 3)
    result = must(call(DISTANCE, image, [layer], output='nearest'))
    tap.ok(result['no-background'] and alphas(result['layer']) == [[0] * 4] * 3,
           'without a nearest pixel there is no color', result)
    image.delete()


def stack():
    image = new_image(WIDTH, HEIGHT)
    slices = [random_rows(WIDTH, HEIGHT, 255, f'slice {i}', steps=5) for i in range(3)]
    layers = [new_layer(image, rows, name=f'slice {i}') for i, rows in enumerate(slices)]
    result = must(call(DISTANCE, image, layers, stack=True, threshold=THRESHOLD, output='image'))
    made = result['distance-image']
    got = [levels(layer) for layer in reversed(made.get_layers())]
    if wavefront_command.is_there():
        tap.ok(got == wavefront_command.run('distance', slices, 'u8', 'f', '--threshold', '100'),
               'numbers of a stack equal the command’s')
    made.delete()
    image.delete()


def refused():
    image, layer = gray_image(ROWS)
    for arguments, part in (({'output': 'clipped', 'maximum': 0.0}, 'white'),
                            ({'output': 'contours', 'step': 0.0}, 'contour'),
                            ({'output': 'contours', 'step': -1.0}, 'step'),
                            ({'output': 'levels'}, 'levels'),
                            ({'side': 'beside'}, 'beside'),
                            ({'unit': 'mile'}, 'mile')):
        before = len(Gimp.get_images())
        result = call(DISTANCE, image, [layer], **arguments)
        tap.ok(result.status == 'calling-error' and part in result.message
               and layer_names(image) == ['layer'] and len(Gimp.get_images()) == before,
               f'{arguments} is refused', result)
    image.delete()


for group in (sides, automatic, units, clipped, contours, nearest, stack, refused):
    tap.group(group)
tap.done()
