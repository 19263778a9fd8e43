# SPDX-License-Identifier: GPL-3.0-or-later

"""The menu “Preview of” in the watershed's dialog: the pixels of each step to what is flooded, and the
markers on them, against what the filters make of the same layer."""

from gimptest import *
from object_dialog import RIGHT, ROWS, SHOTS, TOP, ask
from pictures import Picture

WIDTH, HEIGHT = 380, 280
STEPS = ('picture', 'levels', 'smoothed', 'flooded')
MARKS = ((40, 200), (200, 60), (300, 250))
# few lines cover the picture
FEW = {'merge_by': 'count', 'merge_value': 20.0}


def shown(name):
    """The rows of pixels in the preview, each red, green and blue."""
    picture = Picture(f'{SHOTS}/objects-{name}.png')
    rows = [picture.part(picture.width - RIGHT, TOP + y, WIDTH, 1) for y in range(HEIGHT)]
    return [[tuple(row[x:x + 3]) for x in range(0, len(row), 3)] for row in rows]


def share_of(rows, wanted, most=1):
    """How many of the pixels are gray and differ by at most so much from the levels."""
    equal = sum(r == g == b and abs(r - level) <= most
                for row, levels_of_row in zip(rows, wanted)
                for (r, g, b), level in zip(row, levels_of_row))
    return equal / (WIDTH * HEIGHT)


def stretched(rows):
    """From black at the lowest level to white at the highest."""
    low, high = min(map(min, rows)), max(map(max, rows))
    return [[round(255 * (v - low) / (high - low)) for v in row] for row in rows]


def look(image, layer, name, step, **arguments):
    must(ask(image, layer, ['alt+b', 'alt+w', *['Down'] * STEPS.index(step), f'look:{name}', 'alt+o'],
             lines_layer=False, label_image=True, **{**FEW, **arguments}))
    for other in Gimp.get_images():
        if other != image:
            other.delete()
    return shown(name)


def made(image, layer, operation, **arguments):
    result = must(call(FILTER % operation, image, [layer], **arguments))['layer']
    rows = levels(result)
    image.remove_layer(result)
    return rows


def gradient():
    image, layer = gray_image(ROWS)
    wanted = stretched(made(image, layer, 'gradient'))
    rows = look(image, layer, 'gradient', 'flooded', input='gradient')
    share = share_of(rows, wanted)
    tap.ok(share > 0.9, 'the gradient is shown but for the lines', share)
    other = share_of(rows, stretched(ROWS))
    tap.ok(other < 0.2, 'and not the picture', other)
    image.delete()


def stain():
    """The levels of a stain are those that a filter has."""
    pixels = bytes(v for y, row in enumerate(ROWS) for x, level in enumerate(row)
                   for v in (255 - level, 255 - level // 2, (x * 5 + y * 3) % 256))
    for source in ('hematoxylin', 'luminance'):
        image, layer = gray_image(ROWS, RGB)
        area = Gegl.Rectangle.new(0, 0, len(ROWS[0]), len(ROWS))
        layer.get_buffer().set(area, "R'G'B' u8", pixels)
        layer.update(0, 0, area.width, area.height)
        wanted = stretched(made(image, layer, 'h-maxima', source=source, height=0.0))
        share = share_of(look(image, layer, source, 'levels', source=source), wanted, 2)
        tap.ok(share > 0.9, f'the levels of {source} are shown but for the lines', share)
        image.delete()


def markers():
    """Markers lie on what is flooded, each in a color."""
    marks = [[0] * len(ROWS[0]) for _ in ROWS]
    for number, (x, y) in enumerate(MARKS, 1):
        for v in range(y - 4, y + 5):
            marks[v][x - 4:x + 5] = [80 * number] * 9
    colors = []
    for name in ('minima', 'layer'):
        image, layer = gray_image(ROWS, RGB)
        more = {'marker_layer': new_layer(image, marks, name='marks')} if name == 'layer' else {}
        rows = look(image, layer, name, 'flooded', smoothing=1.0, markers=name, **more)
        colors.append([rows[y][x] for x, y in MARKS])
        image.delete()
    tap.ok(all(len(set(color)) == 1 for color in colors[0]), 'places without markers are gray', colors)
    tap.ok(all(len(set(color)) > 1 for color in colors[1]) and len(set(colors[1])) == 3,
           'three markers have three colors', colors)


for group in (gradient, stain, markers):
    tap.group(group)
tap.done()
