# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of the watershed's dialog for the objects that are kept: ranges by keys and by the mouse,
the table, the hatch in the preview, and what OK makes of them.

Pictures are saved in the folder $SHOTS.
"""

from gimptest import *
from object_dialog import *
from scenes import large_image

PAGE = ('alt+j',)
LOWEST_SCREEN = 720   # that every dialog must fit


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
                                'look:table-of-large', 'click:880,67', 'look:table-selected',
                                'click:783,467', 'look:table-sorted', 'alt+o'], **OBJECTS)
    kept = areas(must(result))
    tap.ok(0 < len(kept) < len(every), 'the table and a limit', kept, every)
    shots = [Picture(f'{SHOTS}/objects-{name}{LOOK}.png')
             for name in ('all', 'table', 'table-again', 'table-of-large')]
    tap.ok(shots[1].height > shots[0].height, 'there is room for the table', shots[1].height)
    tap.ok(shots[2].height > shots[0].height, 'it is remembered', shots[2].height)
    tap.ok(max(shot.height for shot in shots) <= LOWEST_SCREEN, 'the dialog fits a low screen',
           [shot.height for shot in shots])
    right = [shot.upper_right(440, 380, 30, 180) for shot in shots[2:]]
    tap.ok(right[0] != right[1], 'the table has the objects that are kept')
    shots = [Picture(f'{SHOTS}/objects-{name}{LOOK}.png')
             for name in ('table-of-large', 'table-selected', 'table-sorted')]
    tap.ok(shots[0].part(660, 14, 480, 210) != shots[1].part(660, 14, 480, 210),
           'the object that is clicked is outlined')
    right = [shot.upper_right(440, 120, 30, 455) for shot in shots]
    tap.ok(right[0] != right[1], 'its row is selected')
    tap.ok(right[1] != right[2], 'a click on a title sorts the table')
    result = ask(image, layer, [*PAGE, 'alt+t', 'alt+a', 'Home', 'alt+o'], **OBJECTS)
    tap.same(areas(must(result)), every, 'the table is hidden again')
    image.delete()


def columns():
    """The table that is shown and copied has the columns that are chosen, all of which can be left out,
    and the next dialog has them, too."""
    image, layer = gray_image(ROWS, RGB)
    copy, choose = 'click:790,599', 'click:706,599'
    ask(image, layer, [*PAGE, 'alt+t', copy, 'copied:first', 'look:columns', choose,
                       'look:columns-choice', 'space', 'Tab', 'space', 'Escape', copy,
                       'copied:other', 'look:columns-other', 'alt+o'], **OBJECTS)
    ask(image, layer, [*PAGE, copy, 'copied:again', 'Escape'], fresh=False, **OBJECTS)
    names = {name: text.partition('\n')[0].split('\t') for name, text in copied.items()}
    tap.same(names['first'], ['label', 'area', 'centroid_x', 'centroid_y', 'equivalent_diameter',
                              'circularity', 'mean'], 'the columns at first')
    tap.same(names['other'], ['label', 'left', 'top', 'width', 'height', *names['first'][2:]],
             'without the area, with the box')
    tap.same(names['again'], names['other'], 'the columns are remembered')
    lines = [[line.split('\t') for line in copied[name].splitlines()] for name in ('first', 'other')]
    tap.ok(len(lines[0]) > 10 and [line[2:] for line in lines[0]] == [line[5:] for line in lines[1]],
           'the values of the others stay', *lines)
    shots = [Picture(f'{SHOTS}/objects-{name}{LOOK}.png') for name in ('columns', 'columns-other')]
    tap.ok(shots[0].upper_right(400, 20, 30, 456) != shots[1].upper_right(400, 20, 30, 456),
           'the table has other titles')
    image.delete()


def white_rows(name):
    """The height of the table's rows: of the longest white part of a column of pixels beside text."""
    picture = Picture(f'{SHOTS}/objects-{name}{LOOK}.png')
    left = picture.width - 480
    column = ''.join('w' if picture.part(left, y, 1, 1) == b'\xff\xff\xff' else ' '
                     for y in range(300, picture.height))
    return max(map(len, column.split()), default=0)


def enlarged():
    """Of a higher window the preview and the table have shares, which a person changes by dragging; a
    low one shows as much as before."""
    image, layer = gray_image(ROWS, RGB)
    ask(image, layer, [*PAGE, 'alt+t', 'look:low', 'size:1155,1000', 'look:high',
                       'drag:900,568,900,460', 'look:dragged', 'Escape'], **OBJECTS)
    low, high, dragged = map(white_rows, ('low', 'high', 'dragged'))
    tap.ok(70 < low < 120 and low + 60 < high, 'a higher window shows more rows', low, high)
    tap.ok(high < 500, 'the preview has its share, too', high)
    tap.ok(dragged > high + 40, 'and may leave more to the table', high, dragged)
    for name in Gimp.get_parasite_list():   # the size, with which the next dialog would open
        if name.startswith('wavefront-dialog-size:'):
            Gimp.detach_parasite(name)
    image.delete()


OUTLINE = 'ffb000'   # of what is selected in the preview
SIDE = 1800          # of more than 2 megapixels


def outlined(name):
    """The columns of the preview in which there is an outline, from its middle."""
    picture = Picture(f'{SHOTS}/objects-{name}{LOOK}.png')
    width = 480
    rgb = picture.upper_right(width, 205, 15, 16)
    return sorted({i // 3 % width - width // 2 for i in range(0, len(rgb), 3)
                   if rgb[i:i + 3].hex() == OUTLINE})


def table_of_large():
    """Of an image so large that the preview computes the view, the table is of the whole image: rows
    and objects select each other nevertheless, also where the view moves, and at another scale."""
    image, layer = large_image(SIDE, ROWS)
    actions = [*PAGE, 'alt+t', 'click:720,60', '1', 'look:large', 'click:783,491',
               'look:large-row', 'click:783,560', 'look:large-far-row', 'click:960,150',
               'look:large-background', 'click:759,144', 'look:large-clicked', 'click:1130,289',
               'look:large-fit', 'Escape']
    ask(image, layer, actions, **OBJECTS)
    rows = 'large-row', 'large-far-row'
    names = 'large', *rows, 'large-background', 'large-clicked', 'large-fit'
    found = dict(zip(names, map(outlined, names)))
    for name in rows:   # these objects are 32 pixels wide
        tap.ok(len(found[name]) > 20 and max(map(abs, found[name])) < 24,
               f'{name}: the view moves to the object and outlines it', found[name])
    tap.ok(not found['large'] and not found['large-background'],
           'large: nothing is outlined at first, nor the background', found)
    tap.ok(found['large-clicked'] and max(abs(x + 147) for x in found['large-clicked']) < 30,
           'large: the object that is clicked is outlined', found)
    tap.ok(found['large-fit'], 'large: the outline stays at another scale', found)
    image.delete()


def entry(step):
    """Clicks that choose another entry of the menu “Preview of”, so many below the present one."""
    return 'click:432,317', f'click:432,{317 + 29 * step}'


def seen():
    """The steps to what is flooded, and the numbers of the objects, are seen in the preview when they
    are wanted; the dialog remembers the former."""
    image, layer = gray_image(ROWS, RGB)
    every = areas(must(call(WATERSHED, image, [layer], **OBJECTS)))
    steps = ('picture', 'levels', 'smoothed', 'flooded')
    result = ask(image, layer, ['alt+b', 'look:picture',
                                *(action for name in steps[1:]
                                  for action in (*entry(1), f'look:{name}')), 'alt+o'],
                 **OBJECTS)
    tap.same(areas(must(result)), every, 'what is shown changes no result')
    shots = [previewed(name) for name in steps]
    tap.ok(len(set(shots)) == 4, 'each step is shown')
    bright = [max(shot) for shot in shots]
    steep = [sum(abs(shot[i + 3] - shot[i]) for i in range(0, len(shot) - 3, 3))
             for shot in shots[1:3]]
    tap.ok(min(bright[1:]) > 250 and steep[1] < 0.9 * steep[0],
           'up to white; smoothed levels differ less from those beside them', bright, steep)
    result = ask(image, layer, ['alt+b', 'look:again', *entry(-3), *PAGE, 'look:plain',
                                'click:48,415', 'look:numbers', 'alt+o'], **OBJECTS)
    tap.same(areas(must(result)), every, 'numbers change no result')
    tap.ok(previewed('again') == previewed('flooded') != previewed('plain'),
           'what is flooded is shown again')
    tap.ok(result['numbers-layer'] and previewed('numbers') != previewed('plain'),
           'numbers are shown')
    image.delete()


def numbers_with_gaps():
    """A marker in the background gives no object, so that a number is missing, in the preview as in
    the results."""
    image, layer = gray_image(ROWS, RGB)
    shots, found = [], []
    for places in ((LARGE, DARK, ONE), (LARGE, ONE)):
        rows = [[0] * 400 for _ in range(300)]
        for i, (x, y) in enumerate(places):
            rows[y][x] = 60 * (i + 1)
        markers = new_layer(image, rows, name='markers')
        name = f'numbers-of-{len(places)}'
        result = ask(image, layer, [f'look:{name}', f'look:{name}', 'alt+o'], numbers_layer=True,
                     markers='layer', marker_layer=markers, **OBJECTS)
        found.append(sorted({v for row in rows_of(must(result)) for v in row}))
        shots.append(previewed(name))
        image.remove_layer(markers)
    tap.same(found, [[0, 1, 3], [0, 1, 2]], 'the numbers of the results')
    tap.ok(shots[0] != shots[1], 'the preview has them, too')
    image.delete()


by_keys()
by_mouse()
seen()
table()
columns()
enlarged()
table_of_large()
numbers_with_gaps()
tap.done()
