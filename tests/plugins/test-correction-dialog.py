# SPDX-License-Identifier: GPL-3.0-or-later

"""The tools below the preview of the watershed: corrections by clicks, strokes and keys, and strokes
of markers, which the image keeps.

Pictures are saved in the folder $SHOTS.
"""

import json

from gi.repository import Gio

from gimptest import *
from object_dialog import *


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


def label(rows, place):
    return rows[place[1]][place[0]]


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


def other_corrections():
    """A click keeps an object that the limits leave out, a drag joins what it crosses, and a click seeds
    one of these, which is an object again."""
    image, layer = gray_image(ROWS, RGB)
    every = rows_of(must(call(WATERSHED, image, [layer], **OBJECTS)))
    sizes = sizes_of(every)
    smallest = min(sizes, key=sizes.get)
    inside = [(x, y) for y, row in enumerate(every) for x, v in enumerate(row) if v == smallest]
    little = inside[len(inside) // 2]
    limits = {**OBJECTS, 'min_area': sizes[smallest] + 1.0}
    result = ask(image, layer, [f'click:{at(EMPTY)}', 'look:limited', 'd', f'click:{at(little)}',
                                'look:kept', 'j', f'drag:{at(ONE, OTHER)}', 'look:crossed', 'e',
                                f'click:{at(ONE)}', 'look:seeded', 'alt+o'], **limits)
    rows = rows_of(must(result))
    made = kept_list(image)
    tap.same(kinds(made), ['keep', 'join-along', 'seed'], 'keys choose the other tools')
    shots = [previewed(name) for name in ('limited', 'kept', 'crossed', 'seeded')]
    tap.ok(all(a != b for a, b in zip(shots, shots[1:])), 'these are seen in the preview')

    before, after = [rows_of(must(call(WATERSHED, image, [layer], **limits,
                                       corrections=json.dumps(made[:n])))) for n in (2, 3)]
    tap.same(after, rows, 'a call with this list does the same')
    tap.ok(label(rows, little) != 0, 'what the limits left out is kept')
    tap.ok(label(before, ONE) == label(before, OTHER) != 0, 'the drag joins')
    tap.ok(0 != label(rows, ONE) != label(rows, OTHER) != 0, 'the seed divides')
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


corrections()
other_corrections()
corrections_in_a_file()
lines()
strokes()
strokes_in_a_stack()
tap.done()
