# SPDX-License-Identifier: GPL-3.0-or-later

"""The menu of presets in the watershed's dialog: what it sets is what the call with the preset's
values gives; a value that is changed is said, and the preset chosen again.

Pictures are saved in the folder $SHOTS.
"""

from gimptest import *
from person import Person
from pictures import Picture
from scenes import cells
from screen import screen

SHOTS = os.environ['SHOTS']
INTERACTIVE = Gimp.RunMode.INTERACTIVE
ROWS = cells(400, 300)
FLUORESCENCE = {'input': 'objects', 'smoothing': 2.0, 'split_tolerance': 1.0, 'min_area': 50.0}
PORES = {'input': 'objects', 'objects': 'dark', 'smoothing': 1.0, 'split_tolerance': 1.0,
         'min_area': 10.0}
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


check('nuclei', 1, FLUORESCENCE, [])
# a gray picture has no stains: none, nuclei, membranes, coins, pores
image, layer = gray_image(ROWS)
expected = must(call(WATERSHED, image, [layer], **PORES))['basins']
tap.same(ask(layer, ['preset:4', 'look:pores', 'alt+o'])['basins'], expected,
         'pores: a gray layer is offered no stains')
image.delete()
changed()
tap.done()
