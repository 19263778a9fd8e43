# SPDX-License-Identifier: GPL-3.0-or-later

"""The menu of presets in the watershed's dialog: for each of them OK makes the layers and the
numbers that the call with the preset's values makes, and there are as many objects as were drawn; a
value that is changed is said, and the preset chosen again.

DRAWINGS: the folder of preset_pictures.py, which draws a picture for each preset, and knows how
many objects are in it.  Pictures of the dialog are saved in the folder $SHOTS.
"""

import sys

from gi.repository import Gio

from gimptest import *
from person import Person
from pictures import Picture
from scenes import cells
from screen import screen, settle

SHOTS = os.environ['SHOTS']
INTERACTIVE = Gimp.RunMode.INTERACTIVE
ROWS = cells(400, 300)
FLUORESCENCE = {'input': 'objects', 'smoothing': 2.0, 'split_tolerance': 1.0, 'min_area': 50.0}
NUCLEI = {'input': 'objects', 'objects': 'dark', 'smoothing': 1.0, 'split_tolerance': 0.75,
          'min_area': 20.0}
PORES = {'input': 'objects', 'objects': 'dark', 'smoothing': 1.0, 'split_tolerance': 1.0,
         'min_area': 10.0}
# in the order of the menu; a gray picture has no stains, and is not offered the presets of them
PRESETS = {
    'nuclei-fluorescence': FLUORESCENCE,
    'nuclei-he': {'source': 'hematoxylin', **NUCLEI},
    'nuclei-h-dab': {'source': 'hematoxylin-dab', **NUCLEI},
    'membranes': {'input': 'levels', 'smoothing': 2.0, 'tolerance': 0.05, 'min_area': 30.0},
    'coins': {'input': 'objects', 'smoothing': 2.0, 'split_tolerance': 1.5, 'min_area': 150.0,
              'min_circularity': 0.6},
    'pores': PORES,
    'particles': {'input': 'objects', 'smoothing': 1.0, 'split_tolerance': 0.5, 'min_area': 20.0},
    'terrain': {'input': 'levels', 'smoothing': 1.0, 'tolerance': 0.02},
}
OF_STAINS = 'nuclei-he', 'nuclei-h-dab'
# values that each preset has to replace, as others would be made with them
OTHERS = {'gradient': 3, 'merge_value': 0.25, 'max_area': 900.0, 'connectivity': '4'}
# the part of the objects that may be missed, or found twice
TOLERANCE = 0.05
# the menu's middle, from the lower right corner of the dialog
MENU = 100, 70
MORE_SMOOTHING = 'click:365,112'


class Chooser(Person):
    """Chooses from the menu with 'preset:N': the entry that is N below the present one."""

    def do(self, what, name):
        if what != 'preset':
            return super().do(what, name)
        width, height = screen().place(self.window)[2:]
        super().do('click', f'{width - MENU[0]},{height - MENU[1]}')
        settle()        # keys that are pressed before the menu is there are lost
        for key in ['Down'] * int(name) + ['Return']:
            super().do('', key)
        return False


def ask(layer, actions, **arguments):
    forget()
    image = layer.get_image()
    person = Chooser(TITLES[WATERSHED], actions, f'{SHOTS}/preset-%s.png', closes=True)
    result = call(WATERSHED, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return must(result)


def shown(name):
    """The menu in a picture."""
    picture = Picture(f'{SHOTS}/preset-{name}.png')
    return picture.part(picture.width - 240, picture.height - 90, 220, 36)


def numbers(result):
    image = result['label-image']
    found = [list(row) for row in levels(image.get_layers()[0])]
    image.delete()
    return result['basins'], found


def made(image, result):
    """The layers that were made, and the numbers of the objects; leaves the picture as it was."""
    layers = image.get_layers()[:-1]
    pixels = [(layer.get_name(), layer.get_offsets()[1:], raw_bytes(layer)) for layer in layers]
    for layer in layers:
        image.remove_layer(layer)
    return pixels, *numbers(result)


def draw(drawings, name):
    """An image of the preset's picture, its layer, and how many objects are drawn."""
    pixels, n = drawings.draw(name, 1)
    path = f"{os.environ['WORK']}/{name}.png"
    drawings.write_png(path, pixels)
    image = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, Gio.File.new_for_path(path))
    return image, image.get_layers()[0], n


def counts(drawings, preset):
    """Chosen in the dialog, a preset makes what its values make, of the picture that it is for."""
    image, layer, n = draw(drawings, preset)
    is_gray = image.get_base_type() == GRAY
    offered = [name for name in PRESETS if not is_gray or name not in OF_STAINS]
    more = {'label_image': True, 'mean_layer': True, 'lines_layer': True}
    expected = made(image, must(call(WATERSHED, image, [layer], **more, **PRESETS[preset])))
    others = made(image, must(call(WATERSHED, image, [layer], **more, **OTHERS)))
    got = made(image, ask(layer, [f'preset:{offered.index(preset) + 1}', f'look:{preset}',
                                  'alt+o'], **more, **OTHERS))
    tap.same([name for name, *_ in got[0]], [name for name, *_ in expected[0]],
             f'{preset}: the layers')
    tap.ok(len(got[0]) == 3 and got == expected and got != others,
           f'{preset}: what the call with its values makes', got[1], expected[1])
    tap.ok(abs(got[1] - n) <= TOLERANCE * n, f'{preset}: {n} objects are counted', got[1])
    image.delete()


def each_preset_counts():
    try:
        sys.path.insert(0, os.environ['DRAWINGS'])
        import preset_pictures as drawings
    except ImportError as error:
        tap.skip('presets of drawn pictures', error)
        return
    tap.same(list(drawings.KINDS), list(PRESETS), 'each preset has a picture')
    for preset in PRESETS:
        counts(drawings, preset)


def check(preset, below, wanted, actions):
    image, layer = gray_image(ROWS, RGB)
    expected = numbers(must(call(WATERSHED, image, [layer], label_image=True, **wanted)))
    got = numbers(ask(layer, [f'preset:{below}', 'look:chosen', *actions, 'alt+o'],
                      label_image=True, gradient=3, merge_value=0.25, max_area=900.0))
    tap.ok(got == expected and got[0] > 0, f'{preset}: as with its values', got[0], expected[0])
    image.delete()


def changed():
    """The smoothing is stepped up: the menu says so; chosen again, the preset is as before."""
    check('nuclei, changed and chosen again', 1, FLUORESCENCE,
          [MORE_SMOOTHING, 'look:changed', 'preset:1', 'look:again'])
    tap.ok(shown('chosen') != shown('changed'), 'a change is said')
    tap.ok(shown('chosen') == shown('again'), 'and no longer when the preset is chosen again')


def from_colors():
    """In colors nuclei have the first place, too."""
    check('nuclei', 1, FLUORESCENCE, [])


for group in (each_preset_counts, from_colors, changed):
    tap.group(group)
tap.done()
