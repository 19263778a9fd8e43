# SPDX-License-Identifier: GPL-3.0-or-later

"""The operations for GEGL as non-destructive filters: each gives the bits of the plug-in of the same
name, and in colors also those of the command; a filter follows what is painted below it, and is
saved, loaded and changed.
"""

import array
import os

from gimptest import *
from by_reconstruction import (BY_RECONSTRUCTION, FRACTION, HEIGHT, TYPES, WIDTH, arguments_of,
                               landscape, options_for)
import reference
import wavefront_command

LINES = {'lines_layer': True, 'basins_layer': False}
MEANS = {'lines_layer': False, 'basins_layer': False, 'mean_layer': True}

# options whose names are those of GEGL's pads
RENAMED = {'input': 'relief', 'output': 'result'}

# operation, procedure, options of both, those of the operation, those of the procedure, its return
# value, whether the result is transparent
OTHERS = (
    ('reconstruct', 'reconstruct', {'height': 0.2, 'by': 'erosion', 'connectivity': '4'},
     {}, {}, 'layer', False),
    ('distance-map', 'distance-map', {'automatic_threshold': True}, {}, {}, 'layer', False),
    ('distance-map', 'distance-map', {'signed': True, 'output': 'raw', 'metric': 'city-block'},
     {}, {}, 'layer', False),
    ('distance-map', 'distance-map', {'side': 'outside', 'output': 'clipped', 'maximum': 3},
     {'spacing_x': 2.0, 'spacing_y': 0.5}, {'spacing': '2,0.5'}, 'layer', False),
    ('distance-map', 'distance-map', {'output': 'nearest', 'border_background': False},
     {}, {}, 'layer', True),
    ('watershed-lines', 'watershed', {'tolerance': 0.1}, {'transparent': True}, LINES,
     'lines-layer', True),
    ('watershed-lines', 'watershed', {'lines': True, 'connectivity': '4', 'valleys': 'bright'},
     {'transparent': True}, LINES, 'lines-layer', True),
    ('watershed-lines', 'watershed', {'input': 'objects', 'split_tolerance': 0.5},
     {'transparent': True}, LINES, 'lines-layer', True),
    ('watershed-lines', 'watershed', {'background': 'dark', 'lines': True, 'smoothing': 0.8},
     {'transparent': True}, LINES, 'lines-layer', True),
    ('watershed-means', 'watershed', {'input': 'gradient', 'background': 'bright'}, {}, MEANS,
     'mean-layer', True),
    ('watershed-means', 'watershed', {'smoothing': 0.8, 'merge_by': 'count', 'merge_value': 6},
     {}, MEANS, 'mean-layer', False),
    ('watershed-means', 'watershed', {'input': 'gradient', 'gradient': 1, 'tolerance': 0.05,
                                      'source': 'red'}, {}, MEANS, 'mean-layer', False),
    ('watershed-means', 'watershed', {'input': 'objects', 'lines': True}, {}, MEANS,
     'mean-layer', True),
)


def new_filter(layer, operation, options):
    made = Gimp.DrawableFilter.new(layer, f'wavefront:{operation}', operation)
    config = made.get_config()
    for name, value in options.items():
        name = RENAMED.get(name, name.replace('_', '-'))
        config.set_property(name, value)
        if config.get_property(name) != value:
            raise AssertionError(f'GIMP did not accept {name} = {value}')
    made.update()
    return made


def merge(layer, operation, options):
    """GIMP does not keep filters with a second input."""
    made = new_filter(layer, operation, {**options, 'encoding': 'stored'})
    if operation == 'reconstruct':
        layer.merge_filter(made)
    else:
        layer.append_filter(made)
        layer.merge_filters()


def components(layer):
    """All components of the pixels, alpha included."""
    values = array.array(encoding(layer.get_image())[2])
    values.frombytes(raw_bytes(layer))
    return values


def images(kind, seed, alpha):
    precision, base, own_alpha, _ = kind
    rows = landscape(MAXIMUM[ENCODINGS[precision][1]], seed)
    return [gray_image(rows, base, precision, own_alpha or alpha) for _ in range(2)]


def compare(kind, seed, operation, procedure, both, its, own, value, alpha):
    (image, layer), (other, other_layer) = images(kind, seed, alpha)
    made = must(call(FILTER % procedure, image, [layer], **both, **own))[value]
    merge(other_layer, operation, {**both, **its})
    differences = [abs(one - other) for one, other in zip(components(other_layer),
                                                          components(made))]
    # babl chooses conversions to and from other types than the engine's by their speed
    tap.ok(max(differences) <= kind[3],
           f'{operation} of {kind[0].value_nick} {kind[1].value_nick}'
           f'{" with alpha" if kind[2] else ""}', max(differences))
    image.delete()
    other.delete()


def bits_are_those_of_the_plug_ins():
    table = [(name, name, {**options, **{level: FRACTION for level in levels_of}}, {}, {},
              'layer', False)
             for name, (options, levels_of, _) in BY_RECONSTRUCTION.items() if name != 'threshold']
    table += OTHERS
    for number, row in enumerate(table):
        for kind in turns(number, TYPES):
            compare(kind, number, *row)


def own_stain():
    """A stain that is described by its color; without a description the picture stays."""
    source = random.Random('slide')
    image = new_image(40, 30, RGB)
    slides = [Gimp.Layer.new(image, name, 40, 30, layer_type(image, False), 100,
                             Gimp.LayerMode.NORMAL) for name in ('slide', 'other', 'same')]
    pixels = bytes(source.randrange(256) for _ in range(40 * 30 * 3))
    for slide in slides:
        image.insert_layer(slide, None, 0)
        slide.get_buffer().set(Gegl.Rectangle.new(0, 0, 40, 30), "R'G'B' u8", pixels)
    options = {'source': 'own-stain', 'stain': reference.OWN_STAIN, 'height': 51 / 255}
    made = must(call(FILTER % 'h-maxima', image, slides[:1], **options))['layer']
    merge(slides[1], 'h-maxima', options)
    tap.same(colors(slides[1]), colors(made), 'an own stain')
    merge(slides[2], 'h-maxima', {**options, 'stain': 'purple'})
    tap.same(colors(slides[2]), colors(slides[0]), 'a text that is no stain changes nothing')
    image.delete()


# in colors: without marks, which are white and black
IN_COLORS = {name: row for name, row in BY_RECONSTRUCTION.items() if not row[2]}
WAYS = ('components', 'luminance')
# how much a residue of the procedure differs from its command
RESIDUES = {'h-maxima': ('dome', 'h-dome'), 'h-minima': ('basin', 'h-basin')}


def color_bytes(seed, kind, letter):
    """Red, green, blue and alpha in blocks of few colors."""
    top = MAXIMUM[kind]
    planes = [landscape(top, f'{seed} {c}') for c in range(3)]
    source = random.Random(seed)
    return array.array(letter, [v for y in range(HEIGHT) for x in range(WIDTH) for v in (
        *(plane[y][x] for plane in planes), source.choice((0, top // 3, top, top)))]).tobytes()


def color_image(seed, precision):
    """An image with a layer of colors, and its bytes."""
    trc, kind, letter = ENCODINGS[precision]
    image = new_image(WIDTH, HEIGHT, RGB, precision)
    layer = Gimp.Layer.new(image, 'colors', WIDTH, HEIGHT, layer_type(image, True), 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    layer.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT), f'R{trc}G{trc}B{trc}A {kind}',
                           color_bytes(seed, kind, letter))
    return image, layer


def color_command(operation, files, way, options):
    texts = [text for key, value in options.items() for text in (f'--{key}', str(value))]
    return wavefront_command.run_colors(operation, files, '--colors', way, *texts)


def colors_by_three(number, operation):
    precision = (P.U8_NON_LINEAR, P.U16_NON_LINEAR)[number % 2]
    kind, letter = ENCODINGS[precision][1:]
    way = random.Random(f'{SEED} {operation}').choice(WAYS)
    name = f'{operation}, {way}, {kind}'
    image, layer = color_image(number, precision)
    other, other_layer = color_image(number, precision)
    given = arguments_of(operation)
    made = must(call(FILTER % operation, image, [layer], colors=way, **given))['layer']
    merge(other_layer, operation, {**given, 'colors': way})
    tap.same(raw_bytes(other_layer), raw_bytes(made), f'the filter and the procedure: {name}')
    if wavefront_command.is_there():
        source = wavefront_command.store_colors('colors', raw_bytes(layer), WIDTH, HEIGHT, letter)
        tap.same(color_command(operation, [source], way, options_for(operation, kind)),
                 raw_bytes(made), f'and the command: {name}')
        if operation in RESIDUES:
            residue, command = RESIDUES[operation]
            both = must(call(FILTER % operation, image, [layer], colors=way, **given,
                             **{residue: True}))
            tap.same(raw_bytes(both['layer']), raw_bytes(made), f'with its change: {name}')
            tap.same(color_command(command, [source], way, options_for(operation, kind)),
                     raw_bytes(both[residue + '-layer']), f'the change: {name}')
    image.delete()
    other.delete()


def reconstruction_in_colors():
    """From a marker of colors."""
    for way in WAYS:
        image, layer = color_image('mask', P.U8_NON_LINEAR)
        marker = color_image('marker', P.U8_NON_LINEAR)[1]
        marker = Gimp.Layer.new_from_drawable(marker, image)
        image.insert_layer(marker, None, 1)
        made = must(call(RECONSTRUCT, image, [layer], marker=marker, by='erosion',
                         colors=way))['layer']
        if wavefront_command.is_there():
            files = [wavefront_command.store_colors(name, raw_bytes(drawable), WIDTH, HEIGHT, 'B')
                     for name, drawable in (('mask', layer), ('marker', marker))]
            tap.same(color_command('reconstruct', files, way, {'by': 'erosion'}), raw_bytes(made),
                     f'a reconstruction in colors and the command: {way}')
        for other in Gimp.get_images():
            other.delete()


def filter_with_a_marker_is_merged():
    """GIMP keeps no filter with a second input: it is refused, and merging has the plug-in's bits,
    wherever the marker lies in the image."""
    image, layer = color_image('mask', P.U8_NON_LINEAR)
    marker = Gimp.Layer.new_from_drawable(color_image('marker', P.U8_NON_LINEAR)[1], image)
    image.insert_layer(marker, None, 1)
    expected = raw_bytes(must(call(RECONSTRUCT, image, [layer], marker=marker, by='erosion',
                                   colors='components'))['layer'])
    marker.set_offsets(40, -25)
    made = new_filter(layer, 'reconstruct', {'by': 'erosion', 'colors': 'components',
                                             'encoding': 'stored'})
    made.set_aux_input('aux', marker)
    made.update()
    before = raw_bytes(layer)
    layer.append_filter(made)
    tap.same([], layer.get_filters(), 'a filter with a marker is not kept')
    tap.same(before, raw_bytes(layer), 'what is refused changes nothing')
    layer.merge_filter(made)
    tap.same(expected, raw_bytes(layer), 'a marker of a filter and one of the plug-in')
    for other in Gimp.get_images():
        other.delete()


def colors_are_those_of_all_three():
    for number, operation in enumerate(cases(list(IN_COLORS)[::3], IN_COLORS)):
        colors_by_three(number, operation)
    reconstruction_in_colors()
    filter_with_a_marker_is_merged()


def gray_has_one_way():
    rows = landscape(255, 'gray')
    image, layer = gray_image(rows)
    plain = must(call(FILTER % 'fill-holes', image, [layer]))['layer']
    for way in WAYS:
        made = must(call(FILTER % 'fill-holes', image, [layer], colors=way))['layer']
        tap.same(levels(made), levels(plain), f'a gray layer has one way: {way}')
    refused = call(FILTER % 'fill-holes', image, [layer], colors='hue')
    tap.ok(refused.status == 'calling-error' and 'hue' in refused.message,
           'a way that there is not is refused', refused)
    image.delete()


def shown(image):
    """The levels that are seen."""
    layer = Gimp.Layer.new_from_visible(image, image, 'visible')
    image.insert_layer(layer, None, 0)
    rows = levels(layer)
    image.remove_layer(layer)
    return rows


RING = [[0, 0, 0, 0, 0], [0, 9, 9, 9, 0], [0, 9, 3, 9, 0], [0, 9, 9, 9, 0], [0, 0, 0, 0, 0]]


def changed(rows, x, y, level):
    rows = [list(row) for row in rows]
    rows[y][x] = level
    return rows


def follows_what_is_painted_below():
    image, layer = gray_image(RING)
    layer.append_filter(new_filter(layer, 'fill-holes', {}))
    tap.same(shown(image), changed(RING, 2, 2, 9), 'a hole is filled')
    write_gray(layer, image, changed(RING, 2, 1, 5))
    tap.same(shown(image), changed(changed(RING, 2, 1, 5), 2, 2, 5),
             'it is filled up to the gap that was painted into the ring')
    tap.same(levels(layer), changed(RING, 2, 1, 5), 'the layer itself keeps its pixels')
    image.delete()


def counts_as_alone_above_another():
    """GIMP gives linear light to the upper filter: a height means the same there."""
    rows = landscape(255, 3)
    for precision in (P.U8_NON_LINEAR, P.U8_LINEAR):
        (image, layer), (other, alone) = (gray_image(rows, GRAY, precision) for _ in range(2))
        layer.append_filter(new_filter(layer, 'erosion', {'radius': 0}))
        layer.append_filter(new_filter(layer, 'h-maxima', {'height': 51 / 255}))
        alone.append_filter(new_filter(alone, 'h-maxima', {'height': 51 / 255}))
        seen, expected = shown(image), shown(other)
        difference = max(abs(a - b) for one, two in zip(seen, expected) for a, b in zip(one, two))
        tap.ok(difference <= 1 and seen != rows,
               f'a filter above another one, {precision.value_nick}', difference)
        image.delete()
        other.delete()


def to_linear(level):
    share = level / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def from_linear(share):
    return round(255 * (12.92 * share if share <= 0.0031308 else 1.055 * share ** (1 / 2.4) - 0.055))


def as_stored_is_not_as_the_plug_in_above_another():
    """The input is linear light there, in an image that is not: levels as the input has them are other
    levels than the plug-in's, so that no default can give those of the plug-in everywhere."""
    rows = landscape(255, 3)
    height = {'height': 51 / 255}
    (image, layer), (own, same) = (gray_image(rows) for _ in range(2))
    (linear, light) = gray_image([[to_linear(v) for v in row] for row in rows], GRAY,
                                 P.FLOAT_LINEAR)
    layer.append_filter(new_filter(layer, 'erosion', {'radius': 0}))
    layer.append_filter(new_filter(layer, 'h-maxima', {**height, 'encoding': 'stored'}))
    seen = shown(image)
    plain = levels(must(call(FILTER % 'h-maxima', own, [same], **height))['layer'])
    wanted = [[from_linear(v) for v in row] for row in
              levels(must(call(FILTER % 'h-maxima', linear, [light], **height))['layer'])]

    def most(one, other):
        return max(abs(a - b) for pair in zip(one, other) for a, b in zip(*pair))

    tap.ok(most(seen, wanted) <= 1, 'as the plug-in in an image of linear light', most(seen, wanted))
    tap.ok(most(seen, plain) > 8, 'and not as in the image itself', most(seen, plain))
    for other in (image, own, linear):
        other.delete()


def is_saved_loaded_and_changed():
    file = Gio.File.new_for_path(os.environ['WORK'] + '/filter.xcf')
    image, layer = gray_image(RING)
    layer.append_filter(new_filter(layer, 'h-maxima', {'height': 4 / 255, 'connectivity': '4'}))
    Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, image, file, None)
    image.delete()

    image = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, file)
    layer = image.get_layers()[0]
    loaded = layer.get_filters()
    config = loaded[0].get_config()
    tap.same([one.get_operation_name() for one in loaded], ['wavefront:h-maxima'],
             'the filter is loaded')
    tap.same((round(config.get_property('height') * 255), config.get_property('connectivity')),
             (4, '4'), 'with its options')
    tap.same(max(map(max, shown(image))), 5, 'it is seen')
    config.set_property('height', 7 / 255)
    loaded[0].update()
    tap.same(max(map(max, shown(image))), 2, 'a change is seen')
    loaded[0].set_visible(False)
    tap.same(shown(image), RING, 'without the filter the layer is as it was')
    image.delete()


tap.group(bits_are_those_of_the_plug_ins)
tap.group(own_stain)
tap.group(colors_are_those_of_all_three)
tap.group(gray_has_one_way)
tap.group(follows_what_is_painted_below)
tap.group(counts_as_alone_above_another)
tap.group(as_stored_is_not_as_the_plug_in_above_another)
tap.group(is_saved_loaded_and_changed)
tap.done()
