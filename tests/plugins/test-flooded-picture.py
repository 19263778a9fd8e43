# SPDX-License-Identifier: GPL-3.0-or-later

"""The menu “Preview of” in the watershed's dialog: the pixels of each step to what is flooded, against
what the filters make of the same layer or the definition says, and the places and colors of the
markers on them, wherever these come from."""

import collections
import json
import math

from gimptest import *
from object_dialog import RIGHT, ROWS, SHOTS, TOP, ask
from pictures import Picture

WIDTH, HEIGHT = 380, 280
STEPS = ('picture', 'levels', 'smoothed', 'flooded')
CHOOSER = 'click:432,%d'   # the menu on its page
TOP_ENTRY = 317
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


def run(image, layer, name, step, **arguments):
    """The values of the procedure, after a look at a step."""
    below = STEPS.index(step)
    # of objects the letter w belongs to another control
    chosen = ([CHOOSER % TOP_ENTRY, CHOOSER % (TOP_ENTRY + 29 * below)] if arguments.get('input') == 'objects' else
              ['alt+w', *['Down'] * below])
    actions = ['alt+b', *chosen, f'look:{name}', 'alt+o']
    result = must(ask(image, layer, actions, lines_layer=False, label_image=True,
                      **{**FEW, **arguments}))
    for other in Gimp.get_images():
        if other != image:
            other.delete()
    return result


def look(image, layer, name, step, **arguments):
    run(image, layer, name, step, **arguments)
    return shown(name)


def look_anew(rows, name, step, **arguments):
    """In an image of its own, for an image keeps settings; in colors, on which lines are green."""
    image, layer = gray_image(rows, RGB)
    seen = look(image, layer, name, step, **arguments)
    image.delete()
    return seen


def is_gray(pixel):
    return pixel[0] == pixel[1] == pixel[2]


def places_of(rows, wanted):
    """Where pixels are as @wanted says."""
    return {(x, y) for y, row in enumerate(rows) for x, pixel in enumerate(row) if wanted(pixel)}


def check_all(rows, wanted, what, most=1):
    """All pixels that no line covers, which most are, have these levels."""
    wrong = [(x, y, pixel[0], wanted[y][x]) for y, row in enumerate(rows)
             for x, pixel in enumerate(row)
             if is_gray(pixel) and abs(pixel[0] - wanted[y][x]) > most]
    bare = len(places_of(rows, is_gray)) / (WIDTH * HEIGHT)
    tap.ok(not wrong and bare > 0.85, what, len(wrong), wrong[:5], bare)


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


def gaussian(rows, sigma):
    """The definition: weights up to three standard deviations, the last pixel repeated beyond the
    ends of an axis."""
    radius = math.ceil(3 * sigma)
    weights = [math.exp(-k * k / (2 * sigma * sigma)) for k in range(-radius, radius + 1)]
    weights = [weight / sum(weights) for weight in weights]

    def along(row):
        wide = [row[0]] * radius + list(row) + [row[-1]] * radius
        return [sum(w * v for w, v in zip(weights, wide[x:])) for x in range(len(row))]

    columns = zip(*(along(row) for row in rows))
    return [list(row) for row in zip(*(along(column) for column in columns))]


def smoothed():
    """Levels are rounded when they are smoothed, and then stretched."""
    wanted = gaussian(ROWS, 2)
    rows = look_anew(ROWS, 'smoothed', 'smoothed', smoothing=2.0)
    check_all(rows, stretched(wanted), 'the smoothed levels are shown', 2)
    other = share_of(rows, stretched(ROWS), 2)
    tap.ok(other < 0.5, 'and not the levels', other)
    rows = look_anew(ROWS, 'inverted', 'flooded', smoothing=2.0, valleys='bright')
    check_all(rows, stretched([[-v for v in row] for row in wanted]),
              'inverted, where bright regions are flooded', 2)
    rows = look_anew(ROWS, 'smoothed-of-bright', 'smoothed', smoothing=2.0, valleys='bright')
    check_all(rows, stretched(wanted), 'but not before', 2)


ABOVE = 80   # levels of objects are above it


def distances():
    """Objects are darkest where they are deepest; the background, which is not flooded, is white."""
    for side, objects in (('inside', 'light'), ('outside', 'dark')):
        deep, above = gray_image([[float(level > ABOVE) for level in row] for row in ROWS], GRAY,
                                 P.FLOAT_NON_LINEAR)
        made = levels(must(call(DISTANCE, deep, [above], threshold=0.5, automatic_threshold=False,
                                side=side, output='raw'))['layer'])
        inside = [v for row in made for v in row if v > 0]
        least, most = min(inside), max(inside)
        wanted = [[round(255 * (most - v) / (most - least)) if v > 0 else 255 for v in row]
                  for row in made]
        deep.delete()
        rows = look_anew(ROWS, f'distances-{side}', 'flooded', input='objects', objects=objects,
                         threshold=ABOVE / 255, automatic_threshold=False)
        check_all(rows, wanted, f'the distances are shown, {side}')
        tap.ok(share_of(rows, stretched(ROWS)) < 0.5, f'and not the picture, {side}')


# not near each other
POINTS = ((168, 74), (310, 20), (130, 40), (60, 170), (230, 220))
GUIDES = (60, 168, 310), (40, 170)
# on which the lines between basins are far from the markers
EVEN = [[100] * 400 for _ in range(300)]


def check_points(image, layer, markers, points, **more):
    """Each point is one pixel in the color of its basin; all others are gray, or lines in one
    color."""
    result = run(image, layer, markers, 'flooded', markers=markers, **more)
    rows = shown(markers)
    basins = colors(result['basins-layer'])
    line = collections.Counter(pixel for row in rows for pixel in row
                               if not is_gray(pixel)).most_common(1)[0][0]
    found = places_of(rows, lambda pixel: not is_gray(pixel) and pixel != line)
    tap.same(sorted(found), sorted(points), f'{markers}: the places of the markers')
    tap.same([rows[y][x] for x, y in points], [tuple(basins[y][x][:3]) for x, y in points],
             f'{markers}: in the colors of their basins')
    tap.same((result['basins'], len({rows[y][x] for x, y in points})),
             (len(points), len(points)), f'{markers}: one marker each')
    image.delete()


def points_of_a_path():
    """The points of both strokes, not the curve between them."""
    image, layer = gray_image(EVEN, RGB)
    path = Gimp.Path.new(image, 'points')
    image.insert_path(path, None, 0)
    for points in (POINTS[:3], POINTS[3:]):
        controls = [v for x, y in points
                    for v in (x - 9.0, y + 7.0, x + 0.25, y + 0.75, x + 9.0, y - 7.0)]
        path.stroke_new_from_points(Gimp.PathStrokeType.BEZIER, controls, False)
    check_points(image, layer, 'path', POINTS, marker_path=path)


def crossings_of_guides():
    image, layer = gray_image(EVEN, RGB)
    for x in GUIDES[0]:
        image.add_vguide(x)
    for y in GUIDES[1]:
        image.add_hguide(y)
    check_points(image, layer, 'guides', [(x, y) for x in GUIDES[0] for y in GUIDES[1]])


WIDE = 9
# two objects, the second of which an eraser divides, and a background, along rows and columns
STROKES = ({'object': [[150, 74], [180, 74]], 'width': WIDE},
           {'object': [[310, 10], [310, 50]], 'width': WIDE},
           {'background': [[20, 200], [20, 260], [90, 260]], 'width': WIDE},
           {'erase': [[300, 30], [320, 30]], 'width': WIDE})


def reach(stroke):
    """For each pixel near the line of a stroke, the distance to it."""
    points = next(value for key, value in stroke.items() if key != 'width')
    near = {}
    for (x, y), (u, v) in zip(points, points[1:]):
        line = [(a, b) for a in range(min(x, u), max(x, u) + 1)
                for b in range(min(y, v), max(y, v) + 1)]
        for a, b in line:
            for c in range(a - WIDE, a + WIDE + 1):
                for d in range(b - WIDE, b + WIDE + 1):
                    far = math.hypot(c - a, d - b)
                    near[c, d] = min(far, near.get((c, d), far))
    return near


def drawn():
    """What the strokes make of each pixel, and the pixels that no stroke is near."""
    kinds, touched = {}, set()
    for stroke in STROKES:
        kind = next(key for key in stroke if key != 'width')
        for place, far in reach(stroke).items():
            if 2 * far < WIDE:
                kinds[place] = kind
            if far < WIDE / 2 + 3:
                touched.add(place)
    return kinds, touched


def strokes():
    """The pixels that the engine makes markers have the color of what they mark, in the preview of
    what is flooded as on the picture; an eraser takes it away."""
    kinds, touched = drawn()
    for step in ('flooded', 'picture'):
        image, layer = gray_image(ROWS, RGB)
        text = f'400 300 {json.dumps(STROKES)}'.encode()
        image.attach_parasite(Gimp.Parasite.new('wavefront-strokes', 0, list(text)))
        result = run(image, layer, f'strokes-{step}', step, smoothing=1.0, markers='strokes',
                     valleys='bright')
        rows = shown(f'strokes-{step}')
        blue = places_of(rows, lambda pixel: pixel[2] > max(pixel[0] + 60, pixel[1]))
        orange = places_of(rows, lambda pixel: pixel[0] > pixel[2] + 60)
        for kind, found in (('object', blue), ('background', orange)):
            wanted = {place for place, what in kinds.items() if what == kind}
            tap.ok(wanted and not wanted - found, f'{step}: the {kind} is marked',
                   sorted(wanted - found)[:9])
            beside = {place for place in found if kinds.get(place) == 'erase' or
                      place not in touched}
            tap.ok(not beside, f'{step}: only where it was drawn: {kind}', sorted(beside)[:9])
        tap.same(result['basins'], 3, f'{step}: three objects')
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


for group in (gradient, stain, smoothed, distances, markers, points_of_a_path,
              crossings_of_guides, strokes):
    tap.group(group)
tap.done()
