# SPDX-License-Identifier: GPL-3.0-or-later

"""The non-destructive filters of a layer beside the steps that made it: in the order in which they
are applied, with their titles, options, visibility and opacity, as a script gets them and as the
window shows them; of filters of others the operation.
"""

import json

from eyes import Eyes
from gimptest import *
from person import Person
from scripts import *

WINDOW = 'How Was This Made.'
SHOTS = os.environ['SHOTS']
INNER = [[0, 0, 0, 0, 0], [0, 9, 9, 9, 0], [0, 9, 3, 7, 0], [0, 9, 9, 9, 0], [0, 0, 0, 0, 0]]
PREFIX = 'wavefront:'


def applied(image, item):
    return json.loads(history(image, item)['filters'])


def add(layer, operation, visible=True, opacity=1.0, mode=None, **values):
    made = Gimp.DrawableFilter.new(layer, operation, operation)
    for name, value in values.items():
        made.get_config().set_property(name.replace('_', '-'), value)
    made.set_opacity(opacity)
    if mode is not None:
        made.set_blend_mode(mode)
    made.set_visible(visible)
    made.update()
    layer.append_filter(made)
    return made


def without_defaults(filters):
    return [{key: value for key, value in one.items() if key != 'defaults'} for one in filters]


def told(operation, title=None, visible=True, opacity=1.0, mode='replace', arguments=None):
    """What is expected of a filter."""
    return {'operation': operation, **({'title': title} if title else {}), 'visible': visible,
            'opacity': opacity, 'mode': mode, **({'arguments': arguments or {}} if title else {})}


def shown(image):
    layer = Gimp.Layer.new_from_visible(image, image, 'visible')
    image.insert_layer(layer, None, 0)
    rows = levels(layer)
    image.remove_layer(layer)
    return rows


def in_their_order():
    """Filling the hole and then eroding leaves a pixel, the other order none."""
    results = []
    for names in (('fill-holes', 'erosion'), ('erosion', 'fill-holes')):
        image, layer = gray_image(INNER)
        expected = layer
        for name in names:
            expected = must(call(FILTER % name, image, [expected]))['layer']
        wanted = levels(expected)
        results.append(wanted)
        for other in image.get_layers()[:-1]:
            image.remove_layer(other)
        for name in names:
            add(layer, PREFIX + name)
        made = applied(image, layer)
        tap.same(shown(image), wanted, f'the second filter is applied last: {names}')
        tap.same([one['operation'] for one in made], [PREFIX + name for name in names],
                 f'the filters are in this order: {names}')
        image.delete()
    tap.ok(results[0] != results[1], 'the order makes a difference', results)


def with_all_they_have():
    image, layer = gray_image(INNER)
    tap.same(applied(image, layer), [], 'a layer without filters')
    opened = must(call(FILTER % 'area-opening', image, [layer], area=7))['layer']
    add(opened, PREFIX + 'h-maxima', height=0.25, connectivity='4')
    add(opened, 'gegl:invert-linear', opacity=0.25)
    add(opened, PREFIX + 'watershed-lines', visible=False, opacity=0.5, smoothing=1.5,
        mode=Gimp.LayerMode.MULTIPLY, transparent=True, relief='gradient', line_color=color('red'))
    add(opened, PREFIX + 'fill-holes')
    values = history(image, opened)
    filters = json.loads(values['filters'])
    tap.same(without_defaults(filters), [
        told(PREFIX + 'h-maxima', 'H-Maxima', arguments={'height': 0.25, 'connectivity': '4'}),
        told('gegl:invert-linear', opacity=0.25),
        told(PREFIX + 'watershed-lines', 'Watershed Lines', False, 0.5, 'multiply',
             {'smoothing': 1.5, 'transparent': True, 'relief': 'gradient',
              'line-color': {'color': '#ff0000'}}),
        told(PREFIX + 'fill-holes', 'Fill Holes')], 'title, visibility, opacity, mode and options')
    configs = {one.get_operation_name(): one.get_config() for one in opened.get_filters()}
    for one in filters:
        if 'title' in one:
            tap.same({*one['arguments'], *one['defaults']},
                     {spec.name for spec in configs[one['operation']].list_properties()},
                     f'all options: {one["operation"]}')
            tap.ok(all(same(configs[one['operation']].get_property(name), value)
                       for name, value in one['defaults'].items()),
                   f'with the defaults that they have: {one["operation"]}', one)
    tap.ok('defaults' not in filters[1] and 'arguments' not in filters[1],
           'of a filter of others there are no values', filters[1])
    tap.same((values['steps'], [step['operation'] for step in json.loads(values['history'])]),
             (1, ['area-opening']), 'the steps are as before')
    tap.ok(all('h-maxima' not in values[kind] for kind in KINDS),
           'a script makes the steps only', values)
    tap.same(applied(image, layer), [], 'the layer below has none')
    window(image, opened)
    image.delete()


def color(name):
    return Gegl.Color.new(name)


def same(value, recorded):
    if isinstance(recorded, dict):
        return value.get_rgba()[:3] == color(recorded['color']).get_rgba()[:3]
    return value == recorded


class Reader(Person):
    """Reads the window."""

    def do(self, what, name):
        if name == 'read':
            self.seen = Eyes().texts(WINDOW)
            return True
        return super().do(what, name)


def look(image, item, picture):
    person = Reader(WINDOW, [f'look:{picture}', 'read', 'Escape'], f'{SHOTS}/%s.png')
    result = call(HISTORY, image, image.get_layers()[:1], Gimp.RunMode.INTERACTIVE, item=item)
    person.join()
    return result, max(person.seen, key=len)


def window(image, layer):
    result, text = look(image, layer, 'history-filters')
    tap.ok(result, 'the window is closed', result)
    places = [text.find(part) for part in (
        '1. Area Opening  Wavefront', 'area = 7', '2. H-Maxima  non-destructive',
        'height = 0.25', '3. gegl:invert-linear  non-destructive opacity: 25 %',
        '4. Watershed Lines  non-destructive not visible opacity: 50 % mode: multiply',
        'relief = gradient', '5. Fill Holes  non-destructive with the default settings')]
    tap.ok(-1 not in places and places == sorted(places), 'the window shows all of it', places, text)
    tap.ok('encoding' not in text, 'but no defaults', text)


def without_steps():
    image, layer = gray_image(INNER)
    layer.set_name('cells')
    add(layer, 'gegl:invert-linear')
    text = look(image, layer, 'history-filter-of-others')[1]
    tap.ok(text.startswith('“cells” was not made by a filter of Wavefront.  1. gegl:invert-linear'),
           'a filter of others alone', text)
    add(layer, PREFIX + 'fill-holes')
    text = look(image, layer, 'history-filter')[1]
    tap.ok(text.startswith('1. gegl:invert-linear') and '2. Fill Holes' in text,
           'without steps, but with a filter', text)
    mask = layer.create_mask(Gimp.AddMaskType.WHITE)
    layer.add_mask(mask)
    path = Gimp.Path.new(image, 'path')
    image.insert_path(path, None, 0)
    tap.same([applied(image, item) for item in (mask, path)], [[], []],
             'a mask and a path have none')
    image.delete()


def in_a_file():
    image, layer = gray_image(INNER)
    add(layer, PREFIX + 'h-maxima', visible=False, opacity=0.5, height=0.25)
    made = applied(image, layer)
    file = Gio.File.new_for_path(f'{WORK}/filters.xcf')
    Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, image, file, None)
    image.delete()
    loaded = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, file)
    tap.same(applied(loaded, loaded.get_layers()[0]), made, 'the filters of an XCF file')
    loaded.delete()


def by_their_titles():
    """Every operation has the title that GEGL has."""
    image, layer = gray_image(INNER)
    Gegl.init(None)
    operations = [name for name in Gegl.list_operations() if name.startswith(PREFIX)]
    tap.ok(len(operations) > 20, 'the operations are there', operations)
    for name in operations:
        if name == PREFIX + 'reconstruct':   # GIMP keeps none with a second input
            continue
        made = add(layer, name)
        tap.same([one['title'] for one in applied(image, layer)],
                 [Gegl.Operation.get_key(name, 'title')], name)
        made.delete()
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
for group in (in_their_order, with_all_they_have, without_steps, in_a_file, by_their_titles):
    tap.group(group)
tap.done()
