# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of the watershed's dialog for the objects that are kept: ranges by keys and by the mouse,
the hatch in the preview, and what OK makes of them; and the tools below the preview: corrections
by clicks, strokes and keys, and strokes of markers, which the image keeps.

Pictures are saved in the folder $SHOTS.
"""

import json

from gi.repository import Gio

from gimptest import *
from person import Person, clipboard, output
from pictures import Picture
from scenes import cells, large_image

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
INTERACTIVE = Gimp.RunMode.INTERACTIVE
PAGE = ('alt+j',)
LOWEST_SCREEN = 720   # that every dialog must fit
ROWS = cells(400, 300)
OBJECTS = {'input': 'objects', 'smoothing': 1.0, 'label_image': True}


class Copying(Person):
    """With 'copied:NAME' for what is on the clipboard, and 'size:WIDTH,HEIGHT' for another size of the
    window."""

    def do(self, what, name):
        if what == 'copied':
            copied[name] = clipboard()
        elif what == 'size':
            output('xdotool', 'windowsize', self.window, *name.split(','))
        else:
            return super().do(what, name)
        return what == 'copied'


copied = {}


def ask(image, layer, actions, fresh=True, **arguments):
    """@fresh: without what the last dialog has left."""
    if fresh:
        forget()
    person = Copying(TITLES[WATERSHED], actions, f'{SHOTS}/objects-%s{LOOK}.png', closes=True)
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


def rows_of(result):
    image = result['label-image']
    rows = [[int(v) for v in row] for row in levels(image.get_layers()[0])]
    image.delete()
    return rows


def kept_list(image, name='wavefront-corrections'):
    """Of the corrections or strokes that are kept with the image."""
    parasite = image.get_parasite(name)
    if not parasite:
        return None
    width, height, text = bytes(parasite.get_data()).decode().split(' ', 2)
    tap.same((int(width), int(height)), (400, 300), 'the size of the image is kept')
    return json.loads(text)


def kinds(corrections):
    return [kind for one in corrections or () for kind in one]


# the places of the image's first pixel in the window, and of objects and backgrounds in the image
LEFT, TOP = 702, 23
RIGHT = 453   # from the first pixel to the right edge of the window
EMPTY, ONE, OTHER, LARGE, LAST = (60, 170), (168, 74), (197, 74), (310, 20), (378, 52)
DARK = (130, 40)


def at(*places, left=LEFT):
    return ','.join(f'{x + left},{y + TOP}' for x, y in places)


def corrections():
    """Two objects are joined by clicks, one is split by a stroke, one deleted, one seeded; the last
    correction is undone.  A repetition, and a dialog that is opened again, go on from them."""
    image, layer = gray_image(ROWS, RGB)
    every = rows_of(must(call(WATERSHED, image, [layer], **OBJECTS)))
    result = ask(image, layer, [f'click:{at(EMPTY)}', 'look:uncorrected', 'j', f'click:{at(ONE)}',
                                'look:first', f'click:{at(OTHER)}', 'look:joined', 'x',
                                f'drag:{at((310, 2), (310, 38))}', 'look:split', 'd',
                                f'click:{at(LAST)}', 'look:deleted', 'e', f'click:{at(ONE)}',
                                'ctrl+z', 'ctrl+z', 'ctrl+shift+z', 'l', f'click:{at(LARGE)}',
                                'look:corrected', 'alt+o'], **OBJECTS)
    rows = rows_of(must(result))
    made = kept_list(image)
    tap.same(kinds(made), ['join', 'split', 'delete'], 'the list of the image')

    def label(rows, place):
        return rows[place[1]][place[0]]
    tap.ok(label(every, ONE) != label(every, OTHER) and label(rows, ONE) == label(rows, OTHER) != 0,
           'two objects are one')
    tap.ok(label(rows, (304, 20)) != label(rows, (316, 20)), 'one is split')
    tap.ok(label(every, LAST) != 0 == label(rows, LAST), 'one is left out')
    tap.same(result['basins'], max(v for row in every for v in row) - 1, 'the number of objects')
    shots = [previewed(name) for name in ('uncorrected', 'first', 'joined', 'split', 'deleted')]
    tap.ok(all(a != b for a, b in zip(shots, shots[1:])), 'each is seen in the preview')

    text = json.dumps(made)
    tap.same(rows_of(must(call(WATERSHED, image, [layer], **OBJECTS, corrections=text))), rows,
             'a call with the list does the same')
    result = ask(image, layer, [f'click:{at(EMPTY)}', 'look:again', 'ctrl+z', 'ctrl+z', 'alt+o'],
                 **OBJECTS)
    tap.same(kinds(kept_list(image)), ['join'], 'the dialog goes on from them')
    tap.ok(previewed('again') != shots[0], 'and shows them')
    rows = rows_of(must(result))
    tap.ok(label(rows, ONE) == label(rows, OTHER) and label(rows, LAST) != 0, 'after two undos')

    ask(image, layer, [f'click:{at(EMPTY)}', 'ctrl+z', 'Escape'], **OBJECTS)
    tap.same(kept_list(image), None, 'what is undone is not kept')
    image.delete()


def reopened(image):
    """The image after it was saved as XCF and loaded, and its layer."""
    file = Gio.File.new_for_path(f"{os.environ['WORK']}/kept.xcf")
    Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, image, file, None)
    image.delete()
    loaded = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, file)
    return loaded, loaded.get_layers()[-1]


def corrections_in_a_file():
    """Corrections stay where the slider merges more; they are in the file of the image, and a dialog
    goes on from them."""
    image, layer = gray_image(ROWS, RGB)
    merging = {**OBJECTS, 'split_tolerance': 0.0, 'lines_layer': False, 'basins_layer': False}
    made = [f'click:{at(EMPTY)}', 'j', f'click:{at(ONE)}', f'click:{at(OTHER)}', 'd',
            f'click:{at(LAST)}']
    counts = []
    for steps in (0, 12):
        slider = ['alt+b', 'alt+y'] + ['Right'] * steps
        result = ask(image, layer, [*(made if steps == 0 else ()), *slider, f'look:merged-{steps}',
                                    'alt+o'], **merging)
        rows = rows_of(must(result))
        counts.append(result['basins'])
        tap.ok(rows[ONE[1]][ONE[0]] == rows[OTHER[1]][OTHER[0]] != 0,
               f'{steps} steps of the slider: two objects are one')
        tap.same(rows[LAST[1]][LAST[0]], 0, f'{steps} steps of the slider: one is left out')
    tap.ok(counts[0] > counts[1] > 1, 'the slider merges', counts)
    tap.ok(previewed('merged-0') != previewed('merged-12'), 'and is seen in the preview')

    before = kept_list(image)
    tap.same(kinds(before), ['join', 'delete'], 'the list is kept')
    image, layer = reopened(image)
    tap.same(kept_list(image), before, 'it is in the file')
    rows = rows_of(must(ask(image, layer, ['alt+o'], **merging)))
    tap.ok(rows[ONE[1]][ONE[0]] == rows[OTHER[1]][OTHER[0]] != 0 == rows[LAST[1]][LAST[0]],
           'corrections go on at the same places')
    rows = rows_of(must(ask(image, layer, [f'click:{at(EMPTY)}', 'ctrl+z', 'alt+o'], **merging)))
    tap.ok(rows[LAST[1]][LAST[0]] != 0, 'the last one can be undone')
    tap.same(kinds(kept_list(image)), ['join'], 'the others stay')
    image.delete()


def lines():
    """Objects that are divided by lines, one of them by hand, have these lines in the preview as in the
    result, and nothing around them; so have basins of 4 neighbors of which some are left out."""
    image, layer = gray_image(ROWS, RGB)
    split = [f'click:{at(DARK)}', 'x', f'drag:{at((310, 2), (310, 38))}', 'l', f'click:{at(DARK)}']
    for name, actions, values in (
            ('divided', split, OBJECTS),
            ('of-4', [], {'input': 'levels', 'background': 'dark', 'smoothing': 1.0,
                          'connectivity': '4', 'merge_value': 0.1, 'min_area': 400.0})):
        result = ask(image, layer, [*actions, f'look:{name}', 'alt+o'], lines=True, **values)
        if values is OBJECTS:
            must(result)['label-image'].delete()
        picture = Picture(f'{SHOTS}/objects-{name}{LOOK}.png')
        pixels = picture.part(picture.width - RIGHT, TOP, 400, 300)
        shown = {i for i in range(400 * 300) if pixels[3 * i + 1] > pixels[3 * i] + 40}
        drawn = {400 * y + x for y, row in enumerate(colors(must(result)['lines-layer']))
                 for x, pixel in enumerate(row) if pixel[3]}
        tap.ok(len(drawn) > 100 and (400 * 20 + 310 in drawn or not actions),
               f'{name}: objects are divided', len(drawn))
        tap.ok(drawn == shown, f'{name}: the preview has the lines of the result',
               len(drawn - shown), len(shown - drawn))
        for made in (result['lines-layer'], result['basins-layer']):
            image.remove_layer(made)
    image.delete()


def strokes():
    """Two objects and the background are marked by the pen; a third stroke is undone.  A call with the
    list, and a dialog that is opened again, go on from them."""
    def on(*places):   # there are fewer controls beside the preview
        return at(*places, left=614)

    image, layer = gray_image(ROWS, RGB)
    drawing = {'markers': 'strokes', 'valleys': 'bright', 'smoothing': 1.0, 'label_image': True}
    result = ask(image, layer, ['look:unmarked', f'drag:{on((160, 74), (172, 78))}', 'look:one',
                                f'click:{on(OTHER)}', 'b', f'drag:{on((100, 20), (100, 280))}',
                                'look:marked', 'o', f'click:{on(LARGE)}', 'ctrl+z', 'r',
                                f'click:{on((100, 250))}', 'l', 'look:looked', 'alt+o'], **drawing)
    made = kept_list(image, 'wavefront-strokes')
    rows = rows_of(must(result))
    tap.same([kind for stroke in made for kind in stroke if kind != 'width'],
             ['object', 'object', 'background', 'erase'], 'the list of the image')
    tap.same({stroke['width'] for stroke in made}, {3}, 'the width of the pen')
    tap.same(result['basins'], 2, 'two objects')
    tap.ok(0 != rows[74][168] != rows[OTHER[1]][OTHER[0]] != 0, 'one for each stroke')
    tap.same(rows[150][100], 0, 'the background is none')
    shots = [previewed(name) for name in ('unmarked', 'one', 'marked', 'looked')]
    tap.ok(all(a != b for a, b in zip(shots, shots[1:])), 'each is seen in the preview')
    tap.same(rows_of(must(call(WATERSHED, image, [layer], **drawing,
                               marker_strokes=json.dumps(made)))), rows,
             'a call with the list does the same')

    result = ask(image, layer, ['look:remarked', f'click:{on(LARGE)}', 'bracketright',
                                f'click:{on(LAST)}', 'alt+o'], **drawing)
    must(result)['label-image'].delete()
    tap.same([stroke['width'] for stroke in kept_list(image, 'wavefront-strokes')[-2:]], [3, 4],
             'the dialog goes on from them; a key makes the pen wider')
    tap.same(result['basins'], 4, 'a click is an object')
    result = ask(image, layer, [f'click:{on(ONE)}', 'alt+o'], fresh=False, **drawing)
    must(result)['label-image'].delete()
    tap.same(kept_list(image, 'wavefront-strokes')[-1]['width'], 4, 'the next dialog has its width')

    before = kept_list(image, 'wavefront-strokes')
    image, layer = reopened(image)
    tap.same(kept_list(image, 'wavefront-strokes'), before, 'the strokes are in the file')
    rows = rows_of(must(ask(image, layer, ['alt+o'], fresh=False, **drawing)))
    tap.same(rows_of(must(call(WATERSHED, image, [layer], **drawing,
                               marker_strokes=json.dumps(before)))), rows,
             'the dialog goes on from those of the file')
    tap.same(rows_of(must(call(WATERSHED, image, [layer], Gimp.RunMode.WITH_LAST_VALS))), rows,
             'so does a repetition')
    ask(image, layer, [f'click:{on(EMPTY)}', *['ctrl+z'] * 8, 'Escape'], **drawing)
    tap.same(kept_list(image, 'wavefront-strokes'), None, 'what is undone is not kept')
    image.delete()


def strokes_in_a_stack():
    """A stroke belongs to the slice that is shown, and is seen there only."""
    image, layer = gray_image(ROWS)
    layers = [layer, new_layer(image, ROWS), new_layer(image, ROWS)]
    drawing = {'markers': 'strokes', 'valleys': 'bright', 'smoothing': 1.0, 'stack': True}
    forget()
    person = Person(TITLES[WATERSHED],
                    [f'click:{at(ONE, left=614)}', 'look:slice', 'Page_Up', 'look:next-slice',
                     'Page_Down', 'look:slice-again', 'Page_Up', f'click:{at(LARGE, left=614)}',
                     'alt+o'], f'{SHOTS}/objects-%s{LOOK}.png', closes=True)
    result = call(WATERSHED, image, layers, INTERACTIVE, **drawing)
    person.join()
    made = kept_list(image, 'wavefront-strokes') or []
    slices = [(stroke['object'][0] + [0])[2] for stroke in made]
    tap.ok(result and len(slices) == 2 and slices[1] == slices[0] + 1, 'each has its slice', made)
    tap.same(must(result)['basins'], 2, 'both are objects')
    tap.ok(previewed('slice') == previewed('slice-again') != previewed('next-slice'),
           'a stroke is seen in its slice')
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
corrections()
corrections_in_a_file()
lines()
strokes()
strokes_in_a_stack()
numbers_with_gaps()
tap.done()
