# SPDX-License-Identifier: GPL-3.0-or-later

"""Each dialog in use: shown (pictures are saved in the folder $SHOTS), accepted with Return,
closed with Escape, operated by mnemonics, and its values remembered.

A thread operates the dialog while the call of the procedure waits for it.
"""

import os
import threading

from by_reconstruction import thin_circle
from gimptest import *
from person import Person, output, wait_for
from pictures import Picture
import reader
import reference

SHOTS = os.environ['SHOTS']
LOOK = os.environ.get('LOOK', '')
GERMAN = os.environ.get('LC_ALL', '').startswith('de')
INTERACTIVE, AGAIN = Gimp.RunMode.INTERACTIVE, Gimp.RunMode.WITH_LAST_VALS

NAMES = {RECONSTRUCT: ('reconstruct', TITLES[RECONSTRUCT]),
         DISTANCE: ('distance-map', TITLES[DISTANCE]),
         WATERSHED: ('watershed', TITLES[WATERSHED])}
if GERMAN:
    NAMES = {RECONSTRUCT: ('reconstruct', 'Rekonstruktion'),
             DISTANCE: ('distance-map', 'Abstandskarte'),
             WATERSHED: ('watershed', 'Wasserscheide')}
OPEN_ADVANCED = ({RECONSTRUCT: 'alt+t', DISTANCE: 'alt+e', WATERSHED: 'alt+e'} if GERMAN
                 else {RECONSTRUCT: 'alt+a', DISTANCE: 'alt+n', WATERSHED: 'alt+v'})
ACCEPT = 'alt+o' if GERMAN else 'Return'

ROWS = random_rows(40, 30, 255, 'dialogs', steps=7)


def ask(name, image, layer, actions, **arguments):
    person = Person(NAMES[name][1], actions, f'{SHOTS}/%s{LOOK}.png')
    result = call(name, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return result, person


def picture_is_real(path):
    """A picture of a dialog has many colors and a plausible size."""
    picture = Picture(path)
    return 600 <= picture.width <= 1280 and 350 <= picture.height <= 1024 and picture.colors() > 30


def accepted_with_return(name):
    short = NAMES[name][0]
    image, layer = gray_image(ROWS, RGB)
    image.set_selected_layers([layer])
    result, person = ask(name, image, layer,
                         [f'look:{short}', OPEN_ADVANCED[name], f'look:{short}-advanced', ACCEPT])
    tap.ok(person.window is not None, f'{short}: there is a dialog “{NAMES[name][1]}”')
    tap.ok(result, f'{short}: {ACCEPT} runs it', result)
    tap.ok(len(image.get_layers()) > 1, f'{short}: there are new layers', layer_names(image))
    tap.ok(all(picture_is_real(f'{SHOTS}/{short}{part}{LOOK}.png') for part in ('', '-advanced')),
           f'{short}: its pictures show a dialog')
    tap.ok(len(person.heights) == 2 and person.heights[1] > person.heights[0] + 20,
           f'{short}: {OPEN_ADVANCED[name]} expands “Advanced”', person.heights)
    image.delete()


def left_with_escape(name):
    short = NAMES[name][0]
    image, layer = gray_image(ROWS, GRAY)
    image.clean_all()
    before = raw_bytes(layer)
    result, person = ask(name, image, layer, ['Escape'])
    tap.ok(person.window is not None and result.status == 'cancel', f'{short}: Escape cancels',
           result)
    tap.ok(layer_names(image) == ['layer'] and raw_bytes(layer) == before
           and not image.is_dirty(), f'{short}: and leaves the image unchanged')
    image.delete()


def remembers():
    """The values of an accepted dialog become the last values, on this image and others."""
    image, layer = gray_image(ROWS)
    wanted = [[min(int(d + 0.5), 255) for d in row]
              for row in reference.distance(ROWS, 77, 'city-block', True)]
    result, _ = ask(DISTANCE, image, layer, ['Return'], metric='city-block', output='raw',
                    threshold=0.3, border_background=True)
    tap.same(levels(must(result)['layer']), wanted, 'a dialog uses the values given to it')
    again = must(call(DISTANCE, image, [layer], AGAIN))
    tap.same(levels(again['layer']), wanted, 'the last values apply to the same image')
    other, other_layer = gray_image(ROWS)
    again = must(call(DISTANCE, other, [other_layer], AGAIN))
    tap.same(levels(again['layer']), wanted, 'and to another image')
    result, _ = ask(DISTANCE, other, other_layer, ['Return'])
    tap.same(levels(must(result)['layer']), wanted, 'and to the next dialog')
    image.delete()
    other.delete()


def mnemonics():
    """One mnemonic opens a page, another switches an option on it: here it turns off the layer with
    the basins."""
    image, layer = gray_image(ROWS, RGB)
    switch = ['alt+p', 'alt+w', 'Return']
    result, _ = ask(WATERSHED, image, layer, switch)
    tap.ok(result and result['basins-layer'] is None and result['lines-layer'] is not None,
           'a mnemonic switches an option', result)
    result, _ = ask(WATERSHED, image, layer, switch)
    tap.ok(result and result['basins-layer'] is not None, 'and switches it back', result)
    image.delete()


def wrong_values_are_repaired():
    """A dialog shows only valid values, even if a script sets invalid ones."""
    image, layer = gray_image(ROWS)
    result, _ = ask(RECONSTRUCT, image, layer, ['Return'], connectivity='26', by='up',
                    height=7.0, threads=-3, device='gpu')
    expected = reference.reconstruct(ROWS, reference.lowered(ROWS, -38, 255))
    tap.ok(result and levels(result['layer']) == expected,
           'a dialog replaces invalid values by defaults', result)
    image.delete()


def marker_is_remembered():
    image, layer = gray_image(ROWS)
    seeds = random_rows(40, 30, 255, 'seeds', steps=4)
    marker = new_layer(image, seeds, name='seeds')
    expected = reference.reconstruct(ROWS, seeds)
    result, _ = ask(RECONSTRUCT, image, layer, ['look:reconstruct-marker', 'Return'],
                    marker=marker)
    tap.same(levels(must(result)['layer']), expected, 'the dialog uses a marker layer')
    again = must(call(RECONSTRUCT, image, [layer], AGAIN))
    tap.same(levels(again['layer']), expected, 'and is the marker when the filter is repeated')

    channel = Gimp.Channel.new(image, 'seeds', 40, 30, 50, Gegl.Color.new('red'))
    image.insert_channel(channel, None, 0)
    channel.get_buffer().set(Gegl.Rectangle.new(0, 0, 40, 30), 'Y u8',
                             bytes(v for row in seeds[::-1] for v in row))
    result, _ = ask(RECONSTRUCT, image, layer, ['Return'], marker=channel)
    by_channel = levels(must(result)['layer'])
    again = must(call(RECONSTRUCT, image, [layer], AGAIN))
    tap.ok(levels(again['layer']) == by_channel != expected,
           'a channel is not mistaken for a layer of the same name')

    other, other_layer = gray_image(ROWS)
    refused = call(RECONSTRUCT, other, [other_layer], AGAIN)
    tap.ok(refused.status == 'calling-error' and 'seeds' in refused.message
           and layer_names(other) == ['layer'],
           'an image without a layer of that name is not filtered with another marker', refused)
    result, _ = ask(RECONSTRUCT, other, other_layer, ['Return'])
    tap.ok(result, 'there a dialog continues without a marker', result)
    image.delete()
    other.delete()


BY_RECONSTRUCTION = [name.removeprefix('plug-in-wavefront-') for name in TITLES
                     if name not in NAMES
                     and name != FILTER % 'geodesic-distance']   # it needs a marker


def ask_filter(operation, image, layer, actions, **arguments):
    person = Person(TITLES[FILTER % operation], actions, f'{SHOTS}/%s{LOOK}.png')
    result = call(FILTER % operation, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return result, person


def filters():
    """A dialog and a script with the same values give equal results."""
    colored, colored_layer = gray_image(ROWS, RGB, alpha=True)
    gray, gray_layer = gray_image(ROWS, alpha=True)
    for operation in of_today(BY_RECONSTRUCTION):
        image, layer = (gray, gray_layer) if operation in LABEL_TOOLS else (colored, colored_layer)
        result, person = ask_filter(operation, image, layer, [f'look:{operation}', 'Return'])
        tap.ok(person.window is not None and picture_is_real(f'{SHOTS}/{operation}{LOOK}.png'),
               f'{operation}: there is a dialog')
        script = must(call(FILTER % operation, image, [layer]))
        tap.same(levels(must(result)['layer']), levels(script['layer']),
                 f'{operation}: Return does what a script does')
        again = must(call(FILTER % operation, image, [layer], AGAIN))
        tap.same(levels(again['layer']), levels(script['layer']),
                 f'{operation}: and so does a repetition')
    colored.delete()
    gray.delete()


def filters_in_the_dark():
    """Pictures of one dialog of each kind in the dark theme."""
    image, layer = gray_image(ROWS, RGB, alpha=True)
    for operation in ('fill-holes', 'h-maxima', 'opening-by-reconstruction'):
        result, person = ask_filter(operation, image, layer, [f'look:{operation}', 'Return'])
        tap.ok(result and picture_is_real(f'{SHOTS}/{operation}{LOOK}.png'),
               f'{operation}: a dialog in the dark', result)
    image.delete()


def slices():
    """Selecting a stack in the dialog enables the connectivities of stacks."""
    image, layer = gray_image(ROWS)
    for seed in ('second', 'third'):
        new_layer(image, random_rows(40, 30, 255, seed, steps=7), name=seed)
    wanted = call(FILTER % 'fill-holes', image, [layer], stack=True, connectivity='26')
    expected = [levels(child) for child in wanted['layer'].get_children()]
    result, _ = ask_filter('fill-holes', image, layer, ['alt+u', 'look:stack', 'Return'],
                           connectivity='8')
    tap.same([levels(child) for child in must(result)['layer'].get_children()], expected,
             '8 neighbors in a layer become 26 in a stack')
    again = must(call(FILTER % 'fill-holes', image, [layer], AGAIN))
    tap.same([levels(child) for child in again['layer'].get_children()], expected,
             'and both are remembered')

    other, other_layer = gray_image(ROWS)
    result, _ = ask_filter('fill-holes', other, other_layer, ['look:no-stack', 'Return'])
    tap.ok(result and not isinstance(result['layer'], Gimp.GroupLayer),
           'with one layer a dialog does not offer slices', result)
    image.delete()
    other.delete()


def holes_in_thin_lines():
    """Fill Holes, confirmed as it opens, fills a thin circle."""
    circle, disc = thin_circle(18)
    image, layer = gray_image(circle)
    result, _ = ask_filter('fill-holes', image, layer, ['look:circle', 'Return'])
    tap.same(levels(must(result)['layer']), disc, 'a dialog’s default fills a thin circle')
    image.delete()


def components():
    """A dialog resets the remembered component if the layer does not have it."""
    image, layer = gray_image(ROWS, RGB, alpha=True)
    result, _ = ask_filter('opening-by-reconstruction', image, layer, ['Return'], source='alpha')
    tap.ok(result and not result['layer'].has_alpha(), 'alpha is the source', result)
    other, other_layer = gray_image(ROWS, RGB)
    result, _ = ask_filter('opening-by-reconstruction', other, other_layer,
                           ['look:no-alpha', 'Return'])
    script = must(call(FILTER % 'opening-by-reconstruction', other, [other_layer]))
    tap.same(levels(must(result)['layer']), levels(script['layer']),
             'without alpha the luminance is')
    image.delete()
    other.delete()


def reds(picture):
    """How many pixels of a picture are red."""
    rgb = picture.rgb
    return sum(r > 180 and g < 70 and b < 70 for r, g, b in zip(rgb[0::3], rgb[1::3], rgb[2::3]))


def colors_in_the_preview():
    """A preview of kept colors shows them; levels, whatever they are, do not matter then."""
    image = new_image(160, 120, RGB)
    layer = Gimp.Layer.new(image, 'red', 160, 120, Gimp.ImageType.RGBA_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    pixels = bytes(v for y in range(120) for x in range(160)
                   for v in ((224, 10, 10, 255) if (x // 20 + y // 20) % 2 else (10, 10, 90, 255)))
    layer.get_buffer().set(Gegl.Rectangle.new(0, 0, 160, 120), "R'G'B'A u8", pixels)
    for operation, colors, source in (('h-maxima', 'components', 'own-stain'),
                                      ('area-opening', 'luminance', 'luminance'),
                                      ('area-closing', 'gray', 'luminance')):
        result, _ = ask_filter(operation, image, layer, [f'look:colors-{colors}', 'Return'],
                               colors=colors, source=source)
        found = reds(Picture(f'{SHOTS}/colors-{colors}{LOOK}.png'))
        tap.ok(result and (found < 200 if colors == 'gray' else found > 2000),
               f'the preview of {colors} shows what is made', result, found)
    image.delete()


def selection_as_marker():
    image, layer = gray_image(ROWS)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 10, 8, 6, 6)
    wanted = levels(must(call(RECONSTRUCT, image, [layer], from_selection=True))['layer'])
    result, _ = ask(RECONSTRUCT, image, layer, ['look:reconstruct-selection', 'Return'],
                    from_selection=True)
    tap.same(levels(must(result)['layer']), wanted, 'the selection is used as the marker')
    result, _ = ask(RECONSTRUCT, image, layer, ['Return'])
    tap.same(levels(must(result)['layer']), wanted, 'and remembered')
    image.delete()


def help_page():
    """The Help button opens a page installed with the plug-in; without pages there is no button."""
    image, layer = gray_image(ROWS)
    result, _ = ask_filter('closing-by-reconstruction', image, layer,
                           ['look:no-help', 'F1', 'Escape'])
    tap.ok(result.status == 'cancel', 'a dialog without a page')

    reader.install()
    page = reader.add_page('closing-by-reconstruction')
    reader.add_page('closing-by-reconstruction', 'de')
    result, _ = ask_filter('closing-by-reconstruction', image, layer,
                           ['look:help', 'alt+h', 'F1', 'Escape'])
    tap.same(result.status, 'cancel', 'Help does not close the dialog')
    wait_for(lambda: len(reader.opened()) == 2, 30)
    tap.same(reader.opened(), [page, page], 'the button and F1 open the page')
    image.delete()


def closed_window():
    image, layer = gray_image(ROWS)
    person = Person(NAMES[WATERSHED][1], [])
    closer = threading.Thread(target=lambda: (person.join(), output('xdotool', 'windowclose',
                                                                    person.window or '0')))
    closer.start()
    result = call(WATERSHED, image, [layer], INTERACTIVE)
    closer.join()
    tap.same((result.status, layer_names(image)), ('cancel', ['layer']),
             'a dialog whose window is destroyed is cancelled')
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
groups = [lambda name=name: accepted_with_return(name) for name in NAMES]
if not LOOK:
    groups += [lambda name=name: left_with_escape(name) for name in NAMES]
    groups += [mnemonics, wrong_values_are_repaired, remembers, marker_is_remembered,
               selection_as_marker, filters, colors_in_the_preview, slices, holes_in_thin_lines,
               components, help_page, closed_window]
if LOOK == '-dark':
    groups += [filters_in_the_dark]
for group in groups:
    forget()
    tap.group(group)
tap.done()
