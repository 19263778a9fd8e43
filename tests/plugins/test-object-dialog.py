# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of the watershed's dialog for the objects that are kept: ranges by keys and by the mouse,
the hatch in the preview, and what OK makes of them.

Pictures are saved in the folder $SHOTS.
"""

from gimptest import *
from person import Person
from pictures import Picture
from scenes import cells

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
INTERACTIVE = Gimp.RunMode.INTERACTIVE
PAGE = ('alt+j',)
ROWS = cells(400, 300)
OBJECTS = {'input': 'objects', 'smoothing': 1.0, 'label_image': True}


def ask(image, layer, actions, **arguments):
    forget()
    person = Person(TITLES[WATERSHED], actions, f'{SHOTS}/objects-%s{LOOK}.png', closes=True)
    result = call(WATERSHED, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return result


def previewed(name):
    return Picture(f'{SHOTS}/objects-{name}{LOOK}.png').upper_right(380, 280, 30, 20)


def areas(result):
    """Of the objects, in the order of their numbers."""
    image = result['label-image']
    found = {}
    for row in levels(image.get_layers()[0]):
        for v in row:
            if v:
                found[int(v)] = found.get(int(v), 0) + 1
    image.delete()
    return [found[n] for n in sorted(found)]


def by_keys():
    """The lower limit of the area goes up by a tenth of the axis at a time."""
    image, layer = gray_image(ROWS, RGB)
    every = areas(must(call(WATERSHED, image, [layer], **OBJECTS)))
    result = ask(image, layer, [*PAGE, 'look:all', 'alt+a', *['Page_Up'] * 7, 'look:large',
                                'alt+o'], **OBJECTS)
    kept = areas(must(result))
    tap.ok(0 < len(kept) < len(every) and result['basins'] == len(kept)
           and kept == [area for area in every if area >= min(kept)],
           'keys: the large objects are kept', kept, every)
    tap.ok(previewed('all') != previewed('large'), 'keys: the preview shows what is left out')

    result = ask(image, layer, [*PAGE, 'alt+a', 'Home', *['shift+Page_Down'] * 3, 'look:small', 'alt+o'],
                 **OBJECTS)
    small = areas(must(result))
    tap.ok(0 < len(small) < len(every)
           and small == [area for area in every if area <= max(small)],
           'keys: with Shift the small objects are kept', small, every)

    result = ask(image, layer, [*PAGE, 'alt+a', *['Page_Up'] * 3, 'Home', 'End', 'alt+o'],
                 **OBJECTS)
    tap.same(areas(must(result)), every, 'keys: at its end a limit is none')
    image.delete()


def by_mouse():
    """A line of the circularity is dragged; the preview shows colors, and bright and dark pixels."""
    image = new_image(400, 300, RGB)
    layer = Gimp.Layer.new(image, 'layer', 400, 300, Gimp.ImageType.RGB_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    pixels = bytes(v for y, row in enumerate(ROWS) for x, level in enumerate(row)
                   for v in ((min(level + 120, 255), level, level // 2) if x < 200
                             else (level, min(level + 60, 255), 255)))
    layer.get_buffer().set(Gegl.Rectangle.new(0, 0, 400, 300), "R'G'B' u8", pixels)
    layer.update(0, 0, 400, 300)
    result = ask(image, layer, [*PAGE, 'click:400,165', 'look:colors', 'alt+o'],
                 **{**OBJECTS, 'input': 'levels', 'smoothing': 3.0})
    tap.ok(0 < len(areas(must(result))) == result['basins'], 'a click moves the nearer line', result)
    image.delete()


def table():
    """The table below the preview: a click selects an object's row, and keys another row; the table
    is there again the next time."""
    image, layer = gray_image(ROWS, RGB)
    result = ask(image, layer, [*PAGE, 'alt+t', 'look:table', 'alt+o'], **OBJECTS)
    every = areas(must(result))
    result = ask(image, layer, [*PAGE, 'look:table-again', 'alt+a', *['Page_Up'] * 5,
                                'look:table-of-large', 'click:870,100', 'look:table-selected',
                                'click:750,528', 'look:table-sorted', 'alt+o'], **OBJECTS)
    kept = areas(must(result))
    tap.ok(0 < len(kept) < len(every), 'the table and a limit', kept, every)
    shots = [Picture(f'{SHOTS}/objects-{name}{LOOK}.png')
             for name in ('all', 'table', 'table-again', 'table-of-large')]
    tap.ok(shots[1].height > shots[0].height, 'there is room for the table', shots[1].height)
    tap.ok(shots[2].height > shots[0].height, 'it is remembered', shots[2].height)
    right = [shot.upper_right(440, 380, 30, 180) for shot in shots[2:]]
    tap.ok(right[0] != right[1], 'the table has the objects that are kept')
    shots = [Picture(f'{SHOTS}/objects-{name}{LOOK}.png')
             for name in ('table-of-large', 'table-selected', 'table-sorted')]
    tap.ok(shots[0].part(660, 20, 480, 310) != shots[1].part(660, 20, 480, 310),
           'the object that is clicked is outlined')
    right = [shot.upper_right(440, 250, 30, 500) for shot in shots]
    tap.ok(right[0] != right[1], 'its row is selected')
    tap.ok(right[1] != right[2], 'a click on a title sorts the table')
    result = ask(image, layer, [*PAGE, 'alt+t', 'alt+a', 'Home', 'alt+o'], **OBJECTS)
    tap.same(areas(must(result)), every, 'the table is hidden again')
    image.delete()


def seen():
    """What is flooded, and the numbers of the objects, are seen in the preview when they are wanted;
    the dialog remembers the former."""
    image, layer = gray_image(ROWS, RGB)
    every = areas(must(call(WATERSHED, image, [layer], **OBJECTS)))
    result = ask(image, layer, ['alt+b', 'look:picture', 'click:48,311', 'look:flooded', 'alt+o'],
                 **OBJECTS)
    tap.same(areas(must(result)), every, 'what is shown changes no result')
    tap.ok(previewed('picture') != previewed('flooded'), 'what is flooded is shown')
    result = ask(image, layer, ['alt+b', 'look:again', 'click:48,311', *PAGE, 'look:plain',
                                'click:48,415', 'look:numbers', 'alt+o'], **OBJECTS)
    tap.same(areas(must(result)), every, 'numbers change no result')
    tap.ok(previewed('again') == previewed('flooded') != previewed('plain'),
           'what is flooded is shown again')
    tap.ok(result['numbers-layer'] and previewed('numbers') != previewed('plain'),
           'numbers are shown')
    image.delete()


by_keys()
by_mouse()
seen()
table()
tap.done()
