# SPDX-License-Identifier: GPL-3.0-or-later

"""A dialog cannot be accepted while the preview says that the operation cannot work; after an error
that shows only later, it comes back with all its settings and the message.
"""

from gimptest import *
from person import Person
from pictures import Picture
from scenes import cells

SHOTS = os.environ['SHOTS']
WIDTH, HEIGHT = 200, 150
ROWS = cells(WIDTH, HEIGHT)


def ask(name, image, layer, actions, **arguments):
    forget()
    person = Person(TITLES[name], actions, f'{SHOTS}/refusal-%s.png')
    result = call(name, image, [layer], Gimp.RunMode.INTERACTIVE, **arguments)
    person.join()
    return result


def refused_by_the_preview():
    image, layer = gray_image(ROWS)
    result = ask(DISTANCE, image, layer,
                 ['look:step', 'look:step', 'alt+o', 'look:still-there', 'alt+e', 'alt+p',
                  'ctrl+a', '4', 'Tab', 'look:repaired', 'look:repaired', 'alt+o'],
                 output='contours', step=0.0, threshold=0.3)
    tap.ok(result and 'Contour lines of layer' in layer_names(image),
           'OK does nothing until the setting is repaired', result, layer_names(image))
    tap.ok(Picture(f'{SHOTS}/refusal-still-there.png').width > 0, 'the dialog was still there')
    image.delete()


def kept_after_an_error():
    image, layer = gray_image(ROWS)
    nothing = {'lines_layer': False, 'basins_layer': False}
    result = ask(WATERSHED, image, layer, ['alt+o', 'again', 'Escape'], **nothing)
    tap.ok(result.status == 'cancel' and layer_names(image) == ['layer'],
           'without any output the dialog comes back, and can be cancelled', result)
    result = ask(WATERSHED, image, layer,
                 ['alt+p', 'alt+o', 'again', 'look:again', 'alt+w', 'look:chosen', 'alt+o'],
                 smoothing=3.0, **nothing)
    tap.ok(result and result['basins-layer'] is not None, 'it has the same page', result)
    plain = must(call(WATERSHED, image, [layer], smoothing=3.0))
    tap.same(result.values.get('basins'), plain['basins'], 'and all its settings')
    image.delete()


def only_other_layer():
    """It is chosen as the markers' layer if it is one."""
    image, layer = gray_image(ROWS, RGB)
    photo = new_layer(image, ROWS, name='photo')
    result = ask(WATERSHED, image, layer, ['look:photo', 'look:photo', 'alt+o', 'Escape'],
                 markers='layer')
    tap.same((result.status, len(image.get_layers())), ('cancel', 2),
             'a picture is not chosen as markers, and OK waits for them')
    image.remove_layer(photo)

    seeds = Gimp.Layer.new(image, 'seeds', WIDTH, HEIGHT, Gimp.ImageType.RGBA_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(seeds, None, 0)
    painted = [bytes((255, 0, 0, 255)) if x < 20 else bytes((0, 0, 255, 255)) if x > 180
               else bytes(4) for _ in range(HEIGHT) for x in range(WIDTH)]
    seeds.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT), "R'G'B'A u8",
                           b''.join(painted))
    seeds.update(0, 0, WIDTH, HEIGHT)
    result = ask(WATERSHED, image, layer, ['look:seeds', 'look:seeds', 'alt+o'], markers='layer')
    tap.ok(result and result['basins'] == 2, 'the only layer of markers is chosen', result)
    result = ask(RECONSTRUCT, image, layer, ['look:reconstruct', 'alt+o'], height=0.2)
    script = must(call(RECONSTRUCT, image, [layer], height=0.2))
    tap.same(levels(must(result)['layer']), levels(script['layer']),
             'a reconstruction has no marker that nobody has chosen')
    image.delete()


for group in (refused_by_the_preview, kept_after_an_error, only_other_layer):
    tap.group(group)
tap.done()
