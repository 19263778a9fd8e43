# SPDX-License-Identifier: GPL-3.0-or-later

"""Tests that need GIMP with its windows: one undo removes all that a run has added, and one redo
restores it; a dialog does not lock the image.

A script cannot undo, so the test presses a key.
"""

from desk import image_window
from gimptest import *
from person import Person, press, wait_for
import reference
from screen import settle

ROWS = random_rows(12, 9, 255, 'undo', steps=5)


def state(image):
    """All parts of an image that a procedure may change; None while they are changing."""
    try:
        return ([(layer.get_name(), raw_bytes(layer)) for layer in image.get_layers()],
                [path.get_name() for path in image.get_paths()],
                read(image.get_selection(), 'Y', 'u8', 'B', 1),
                [channel.get_name() for channel in image.get_channels()])
    except AttributeError:   # an item was deleted after it was listed
        return None


def undo(name, window, image, layers, **arguments):
    before, there = [raw_bytes(layer) for layer in layers], layer_names(image)
    must(call(name, image, layers, **arguments))
    Gimp.displays_flush()
    added = layer_names(image)
    name = f"{name}{' of several' * (len(layers) > 1)} {arguments or ''}"
    tap.ok(len(added) > len(there) and added[-1] == 'layer', f'layers are added, {name}', added)

    press(window, 'ctrl+z')
    wait_for(lambda: layer_names(image) != added)
    settle()
    tap.same(layer_names(image), there, f'one undo removes them, {name}')
    tap.ok([raw_bytes(layer) for layer in layers] == before,
           f'and restores the layers, {name}')

    press(window, 'ctrl+y')
    wait_for(lambda: layer_names(image) == added)
    tap.same(layer_names(image), added, f'one redo restores them, {name}')
    press(window, 'ctrl+z')
    wait_for(lambda: layer_names(image) == there)


def undo_of_several(window, image, layer):
    """The results for several layers, or the group for a stack, are one step, too."""
    second = new_layer(image, random_rows(12, 9, 255, 'second', steps=5), name='second')
    undo(WATERSHED, window, image, [layer, second])
    undo(FILTER % 'fill-holes', window, image, [layer, second])
    undo(FILTER % 'fill-holes', window, image, [layer, second], stack=True)
    image.remove_layer(second)
    image.set_selected_layers([layer])


def undo_of_everything(window, image, layer):
    """Layers, a path and a selection for two layers at once are one step, too."""
    second = new_layer(image, random_rows(12, 9, 255, 'second', steps=5), name='second')
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 4, 3, 2, 2)
    before = state(image)
    must(call(WATERSHED, image, [layer], mean_layer=True, lines_path=True, select_basins=True,
              tolerance=0.3))
    after = state(image)
    tap.ok(len(after[0]) == 5 and len(after[1]) == 1 and after[2] != before[2],
           'layers, a path and a selection are made', shown(after))
    Gimp.displays_flush()
    press(window, 'ctrl+z')
    wait_for(lambda: state(image) == before)
    tap.ok(state(image) == before, 'one undo removes all of it', shown(state(image)))
    press(window, 'ctrl+y')
    wait_for(lambda: state(image) == after)
    tap.ok(state(image) == after, 'and one redo restores all of it', shown(state(image)))
    press(window, 'ctrl+z')
    wait_for(lambda: state(image) == before)

    Gimp.Selection.none(image)
    before = state(image)
    must(call(WATERSHED, image, [layer, second], lines_path=True))
    tap.same((len(image.get_layers()), len(image.get_paths())), (6, 2),
             'several layers have layers and paths')
    Gimp.displays_flush()
    press(window, 'ctrl+z')
    wait_for(lambda: state(image) == before)
    tap.ok(state(image) == before, 'one undo removes those of both', shown(state(image)))
    image.remove_layer(second)
    image.set_selected_layers([layer])


def after_an_error(window, image, layer):
    """A failed run leaves no undo group open, which would contain the next steps."""
    refused = call(WATERSHED, image, [layer], lines_layer=False, basins_layer=False)
    tap.same(refused.status, 'calling-error', 'a run fails')
    must(call(DISTANCE, image, [layer]))
    must(call(RECONSTRUCT, image, [layer]))
    Gimp.displays_flush()
    press(window, 'ctrl+z')
    wait_for(lambda: len(layer_names(image)) < 3)
    settle()
    tap.same(layer_names(image), ['Distance map of layer', 'layer'],
             'two runs are two undo steps')


def selected_meanwhile(window, image, layer):
    """The run uses the selection at the time when the dialog is accepted."""
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 2, 2, 4, 3)
    Gimp.displays_flush()
    person = Person('Distance Map', [f'{window}:ctrl+shift+a', 'Return'], closes=True)
    result = call(DISTANCE, image, [layer], Gimp.RunMode.INTERACTIVE)
    person.join()
    largest = max(d for row in reference.distance(ROWS, 128) for d in row)
    tap.ok(result and result['layer'].get_width() == 12
           and abs(result['maximum'] - largest) < 1e-6,
           'a selection removed while the dialog is open has no effect', result)
    image.remove_layer(result['layer'])


def deleted_meanwhile(window, image):
    """A layer that is deleted while the dialog is open is an error: of the run, or, as soon as the
    preview has noticed it, of the preview, which makes OK insensitive.  Which one comes first
    depends on how busy the machine is.
    """
    for noticed in (False, True):
        second = new_layer(image, ROWS, name='second')
        image.set_selected_layers([second])
        Gimp.displays_flush()
        actions = ['Tab', 'Return', 'Escape'] if noticed else ['Return']
        person = Person('Distance Map', [f'{window}:ctrl+z', *actions], closes=True,
                        otherwise='Escape')
        before = layer_names(image)
        result = call(DISTANCE, image, [second], Gimp.RunMode.INTERACTIVE)
        person.join()
        failed = result.status == 'calling-error' and 'deleted' in result.message
        tap.ok((result.status == 'cancel' or failed) and layer_names(image) == before[1:],
               f"a layer deleted while the dialog is open is an error{', seen' * noticed}",
               result, layer_names(image))


def all_of_it():
    image, layer = gray_image(ROWS, RGB)
    display = Gimp.Display.new(image)
    Gimp.displays_flush()
    window = image_window()
    if not tap.ok(window is not None, 'GIMP shows the image'):
        return
    settle()
    for name in (RECONSTRUCT, DISTANCE, WATERSHED):
        undo(name, window, image, [layer])
    undo_of_several(window, image, layer)
    undo_of_everything(window, image, layer)
    after_an_error(window, image, layer)
    selected_meanwhile(window, image, layer)
    deleted_meanwhile(window, image)
    image.clean_all()
    display.delete()


tap.group(all_of_it)
tap.done()
