# SPDX-License-Identifier: GPL-3.0-or-later

"""The button of a dialog that copies a script: what is on the clipboard does what the dialog then
does; and the window with the steps of a layer, which has the same button.
"""

import os

from gimptest import *
from person import Person, clipboard, wait_for
from scenes import cells
from scripts import *

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
INTERACTIVE = Gimp.RunMode.INTERACTIVE
ROWS = cells(160, 120)
# entries of the menu, from the top
ENTRIES = {'python-fu': 0, 'script-fu': 1, 'command': 2}


class Copier(Person):
    """Also takes what is on the clipboard: 'copied:KIND'."""

    def __init__(self, *arguments):
        self.copied = {}
        super().__init__(*arguments)

    def do(self, what, name):
        if what != 'copied':
            return super().do(what, name)
        before = set(self.copied.values())
        wait_for(lambda: clipboard() not in {'', *before}, 20, 0.2)
        self.copied[name] = clipboard()
        return False


def copy_keys(kind, key='ctrl+shift+c'):
    return [key, *['Down'] * ENTRIES[kind], 'Return', f'copied:{kind}']


def ask(name, title, image, drawable, actions, **arguments):
    forget()
    person = Copier(title, actions, f'{SHOTS}/%s{LOOK}.png')
    result = call(name, image, [drawable], INTERACTIVE, **arguments)
    person.join()
    return person, result


def dialogs():
    """In each dialog; the scripts that were copied make what OK made."""
    for name, title in of_today(list(TITLES.items()), (WATERSHED, TITLES[WATERSHED])):
        image, layer = gray_image(ROWS)
        layer.set_name('cells')
        marker = new_layer(image, [[255 if x == y else 0 for x in range(160)]
                                   for y in range(120)], name='marks')
        given = {'marker': marker} if name == FILTER % 'geodesic-distance' else {}
        results = []
        keys = [key for kind in KINDS for key in copy_keys(kind)]

        def run():
            results.extend(ask(name, title, image, layer,
                               [*keys, f'look:copy-{name}', 'alt+o'], **given))
        made, new, others = made_by(image, run)
        person, result = results
        tap.ok(result and len(person.copied) == 3 and made['layers'],
               f'{title}: three scripts are copied', result, person.copied)
        for kind in KINDS[:2]:
            again, _, more = made_by(image, lambda: run_script(kind, person.copied[kind]))
            tap.same(again, made, f'{title}: {kind} makes what the dialog made')
        text = history(image, new[0])
        tap.same(person.copied.get('command'), text['command'],
                 f'{title}: the command is that which is kept with the layer')
        for other in Gimp.get_images():
            other.delete()


def changed():
    """Settings that were changed in the dialog are in the script."""
    image, layer = gray_image(ROWS)
    person, result = ask(WATERSHED, 'Watershed', image, layer,
                         ['alt+b', 'alt+y', *['Right'] * 9, *copy_keys('python-fu'), 'look:copied', 'alt+o'])
    text = person.copied['python-fu']
    merged = history(image, result['basins-layer'])['python-fu']
    tap.ok("'merge-value'" in text and text == merged, 'changed settings are in the script',
           text, merged)
    image.delete()


def steps():
    image, layer = gray_image(ROWS)
    layer.set_name('cells')
    filtered = must(call(FILTER % 'area-opening', image, [layer], area=12.5))['layer']
    basins = must(call(WATERSHED, image, [filtered], merge_by='count',
                       merge_value=20))['basins-layer']
    person, result = ask(HISTORY, 'How Was This Made.', image, basins,
                         ['look:history', *copy_keys('script-fu'), 'Escape'])
    tap.same((bool(result), person.copied), (True, {'script-fu': result['script-fu']}),
             'the window copies what a call returns')
    person, result = ask(HISTORY, 'How Was This Made.', image, layer,
                         ['look:history-none', 'Escape'])
    tap.ok(result and result['steps'] == 0, 'a layer without steps has a window, too', result)
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
for group in (dialogs, changed, steps):
    tap.group(group)
tap.done()
