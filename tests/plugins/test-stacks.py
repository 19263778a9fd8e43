# SPDX-License-Identifier: GPL-3.0-or-later

"""Layers as the slices of a stack: their choice, their order, the results, and that these equal
the results of the wavefront command for a volume.
"""

from gimptest import *
import reference
import wavefront_command

WIDTH, HEIGHT, DEPTH = 19, 14, 4
FILL = FILTER % 'fill-holes'
LETTERS = wavefront_command.LETTERS


def volume(top, seed, depth=DEPTH):
    """Blocks that extend over several slices."""
    source = random.Random(seed)
    coarse = [[[source.randrange(9) for _ in range(WIDTH)] for _ in range(HEIGHT)]
              for _ in range(depth)]
    fine = [[[coarse[z // 2][y // 3][x // 3] * 6 + source.randrange(4) for x in range(WIDTH)]
             for y in range(HEIGHT)] for z in range(depth)]
    if isinstance(top, float):
        return [[[v / 64 for v in row] for row in rows] for rows in fine]
    return [[[v * top // 64 for v in row] for row in rows] for rows in fine]


def add_slice(image, rows, name, parent=None, x=0, y=0, alpha=False):
    """Adds a slice above the existing ones."""
    layer = Gimp.Layer.new(image, name, len(rows[0]), len(rows), layer_type(image, alpha), 100,
                           Gimp.LayerMode.NORMAL)
    layer.set_offsets(x, y)
    image.insert_layer(layer, parent, 0)
    write_gray(layer, image, rows)
    return layer


def stack_image(slices, base=GRAY, precision=P.U8_NON_LINEAR, alpha=False):
    image = new_image(WIDTH, HEIGHT, base, precision)
    return image, [add_slice(image, rows, f'slice {z}', alpha=alpha)
                   for z, rows in enumerate(slices)]


def lowest_first(group):
    return list(reversed(group.get_children()))


def pictures(group):
    return [levels(layer) for layer in lowest_first(group)]


def as_the_command_does():
    tests = (('fill-holes', {}, {}), ('fill-holes', {'connectivity': '26'}, {}),
             ('clear-border', {'connectivity': '26'}, {}), ('h-maxima', {}, {'height': 0.1}),
             ('h-minima', {'connectivity': '6'}, {'height': 0.1}),
             ('opening-by-reconstruction', {'radius': 1}, {}),
             ('closing-by-reconstruction', {'radius': 1, 'element': 'disc'}, {}),
             ('white-top-hat-by-reconstruction', {'radius': 1}, {}),
             ('black-top-hat-by-reconstruction', {'radius': 1}, {}),
             ('white-top-hat', {'radius': 1}, {}),
             ('black-top-hat', {'radius': 1, 'element': 'disc'}, {}), ('gradient', {}, {}),
             ('area-opening', {'area': 9}, {}),
             ('height-closing', {'connectivity': '6'}, {'height': 0.1}),
             ('regional-maxima', {'connectivity': '6'}, {}), ('regional-minima', {}, {}),
             ('extended-maxima', {}, {'height': 0.1}),
             ('extended-minima', {'connectivity': '6'}, {'height': 0.1}))
    types = ((P.U8_NON_LINEAR, RGB, True), (P.U16_LINEAR, GRAY, False),
             (P.FLOAT_LINEAR, GRAY, True))
    for precision, base, alpha in cases(types[:1], types):
        kind = ENCODINGS[precision][1]
        top = MAXIMUM[kind]
        slices = volume(top, kind)
        image, layers = stack_image(slices, base, precision, alpha)
        for operation, options, heights in tests:
            texts = [t for key, value in options.items() for t in (f'--{key}', str(value))]
            for key, value in heights.items():
                texts += [f'--{key}', wavefront_command.level(value, top)]
            marks = 'regional' in operation or 'extended' in operation
            wanted = wavefront_command.run(operation, slices, kind,
                                           'B' if marks else LETTERS[kind], *texts)
            if marks:
                wanted = [[[top if v else type(top)(0) for v in row] for row in rows]
                          for rows in wanted]
            result = must(call(FILTER % operation, image, [layers[0]], stack=True, **options,
                               **heights))
            flat = must(call(FILTER % operation, image, [layers[1]], **heights,
                             **{k: v for k, v in options.items() if k != 'connectivity'}))
            name = f'{operation} {options}, {kind}'
            tap.ok(pictures(result['layer']) == wanted, f'as the command does: {name}')
            tap.ok(levels(flat['layer']) != wanted[1], f'and not slice by slice: {name}')
            for made in result['layers'] + flat['layers']:
                image.remove_layer(made)
        image.delete()


def what_comes_of_it():
    slices = volume(255, 'group')
    image, layers = stack_image(slices, alpha=True)
    layers[1].set_name('the second')
    before = [raw_bytes(layer) for layer in layers]
    image.set_selected_layers([layers[0]])
    result = must(call(FILL, image, [layers[0]], stack=True))
    group = result['layer']
    tap.ok(isinstance(group, Gimp.GroupLayer) and result['layers'] == [group],
           'the result is a group', result)
    tap.same([layer.get_name() for layer in lowest_first(group)],
             [f'{name} with holes filled'
              for name in ('slice 0', 'the second', 'slice 2', 'slice 3')],
             'with a layer for each slice, the lowest first')
    tap.same(image.get_layers()[1:], layers[::-1], 'above the highest slice')
    tap.same([alphas(layer) for layer in lowest_first(group)],
             [alphas(layer) for layer in layers], 'each with the alpha of its slice')
    tap.ok([raw_bytes(layer) for layer in layers] == before, 'the slices are unchanged')
    tap.same(image.get_selected_layers(), [layers[0]], 'and stay selected')
    image.delete()


def which_layers():
    """One layer selects all visible layers of its group; several layers select themselves."""
    slices = volume(255, 'which', 6)
    image, layers = stack_image(slices)
    layers[2].set_visible(False)
    group = Gimp.GroupLayer.new(image, 'the group')
    image.insert_layer(group, None, 3)
    inside = [add_slice(image, rows, f'inside {z}', group)
              for z, rows in enumerate(volume(255, 'inside', 3))]

    def made_of(*sources):
        return wavefront_command.run('fill-holes', list(sources), 'u8', 'B')

    visible = [slices[z] for z in (0, 1, 3, 4, 5)]
    for layer in (layers[3], layers[2]):
        result = must(call(FILL, image, [layer], stack=True))['layer']
        tap.same(pictures(result), made_of(*visible),
                 f'the visible layers beside {layer.get_name()}, without the group')
        again = must(call(FILL, image, [layer], stack=True))['layer']
        tap.same(pictures(again), made_of(*visible), 'nor the previous result')
    chosen = [layers[4], layers[1], layers[2]]
    result = must(call(FILL, image, chosen, stack=True))['layer']
    tap.same(pictures(result), made_of(slices[1], slices[2], slices[4]),
             'several selected layers, from the lowest, visible or not')

    wanted = made_of(*volume(255, 'inside', 3))
    result = must(call(FILL, image, [group], stack=True))['layer']
    tap.same((pictures(result), result.get_parent(), result.get_name()),
             (wanted, None, 'the group with holes filled'), 'the layers in a group')
    tap.same(image.get_item_position(result), 0, 'above all layers')
    for layer in image.get_layers():
        if layer != group:
            image.remove_layer(layer)
    result = must(call(FILL, image, [inside[1]], stack=True))['layer']
    tap.same((pictures(result), result.get_parent()), (wanted, group),
             'those beside a layer in a group')
    image.delete()


def selection():
    slices = volume(255, 'selection')
    image, layers = stack_image(slices)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 3, 2, 10, 9)
    result = must(call(FILL, image, [layers[0]], stack=True))['layer']
    inside = [[row[3:13] for row in rows[2:11]] for rows in slices]
    tap.same((pictures(result), list(result.get_offsets()[1:])),
             (wavefront_command.run('fill-holes', inside, 'u8', 'B'), [3, 2]),
             'the part of each slice that is selected')
    image.delete()


def refusals():
    slices = volume(255, 'refusals')
    image, layers = stack_image(slices)
    channel = Gimp.Channel.new(image, 'channel', WIDTH, HEIGHT, 50, Gegl.Color.new('red'))
    image.insert_channel(channel, None, 0)
    image.set_selected_layers([layers[0]])
    image.clean_all()

    def refused(what, words, drawables=(layers[0],), name=FILL, **arguments):
        result = call(name, image, list(drawables), stack=True, **arguments)
        tap.ok(result.status == 'calling-error' and all(w in result.message for w in words),
               f'refused: {what}', result)

    for connectivity in ('4', '8'):
        refused(f'{connectivity} neighbors', [connectivity], connectivity=connectivity)
    refused('a channel', ['channel'], [channel])
    refused('a channel among layers', ['channel'], [layers[0], channel])
    tap.same((image.is_dirty(), image.get_layers()), (False, layers[::-1]),
             'errors leave the image unchanged')

    layers[2].set_offsets(1, 0)
    refused('a slice at another position', ['slice 2', 'slice 0', '1, 0'])
    layers[2].set_offsets(0, 0)
    small = add_slice(image, [[1, 2], [3, 4]], 'small')
    refused('a slice of another size', ['small', '2 × 2', f'{WIDTH} × {HEIGHT}'])
    small.set_visible(False)
    tap.ok(call(FILL, image, [layers[0]], stack=True), 'a hidden layer does not matter')
    for layer in layers[1:]:
        layer.set_visible(False)
    refused('one layer only', ['two', '1'])
    image.delete()

    image, layers = stack_image([[[0.5] * WIDTH] * HEIGHT, [[float('nan')] * WIDTH] * HEIGHT],
                                precision=P.FLOAT_LINEAR)
    image.clean_all()
    result = call(FILL, image, [layers[0]], stack=True)
    tap.ok(not result and 'NaN' in result.message and len(image.get_layers()) == 2
           and not image.is_dirty(), 'a stack that fails leaves nothing', result)
    image.delete()


def reconstructions():
    slices, seeds = volume(255, 'mask', 3), volume(200, 'seeds', 3)
    image, layers = stack_image(slices)

    def wanted(marker, *options):
        return wavefront_command.run('reconstruct', slices, 'u8', 'B', *options, marker=marker)

    result = must(call(RECONSTRUCT, image, [layers[0]], stack=True, height=0.2))['layer']
    lower = [[[max(v - 51, 0) for v in row] for row in rows] for rows in slices]
    tap.same(pictures(result), wanted(lower), 'a stack lowered by a height')

    marker = add_slice(image, seeds[0], 'one marker')
    result = must(call(RECONSTRUCT, image, layers, stack=True, marker=marker, by='erosion'))
    tap.same(pictures(result['layer']), wanted([seeds[0]] * 3, '--by', 'erosion'),
             'one marker for all slices')

    group = Gimp.GroupLayer.new(image, 'markers')
    image.insert_layer(group, None, 0)
    for z, rows in enumerate(seeds):
        add_slice(image, rows, f'marker {z}', group)
    result = must(call(RECONSTRUCT, image, layers, stack=True, marker=group, connectivity='6'))
    tap.same(pictures(result['layer']), wanted(seeds, '--connectivity', '6'),
             'a marker for each slice')
    group.get_children()[0].set_visible(False)
    refused = call(RECONSTRUCT, image, layers, stack=True, marker=group)
    tap.ok(not refused and 'markers' in refused.message and '2' in refused.message
           and '3' in refused.message, 'too few markers', refused)

    image.select_rectangle(Gimp.ChannelOps.REPLACE, 4, 3, 5, 5)
    least = min(v for rows in slices for row in rows for v in row)
    chosen = [[[v if 4 <= x < 9 and 3 <= y < 8 else least for x, v in enumerate(row)]
               for y, row in enumerate(rows)] for rows in slices]
    result = must(call(RECONSTRUCT, image, layers, stack=True, from_selection=True))
    tap.same(pictures(result['layer']), wanted(chosen), 'the selection through all slices')
    image.delete()


def distances_and_basins():
    slices = volume(255, 'other operations')
    image, layers = stack_image(slices)
    result = must(call(DISTANCE, image, [layers[0]], stack=True, output='raw'))
    made = wavefront_command.run('distance', slices, 'u8', 'f', '--threshold', '128')
    tap.same(pictures(result['layer']),
             [[[min(int(v + 0.5), 255) for v in row] for row in rows] for rows in made],
             'distances through the slices')
    image.remove_layer(result['layer'])
    for connectivity in ('6', '26'):
        labels = wavefront_command.run('watershed', slices, 'u8', 'I', '--connectivity',
                                       connectivity)
        result = must(call(WATERSHED, image, [layers[0]], stack=True, connectivity=connectivity))
        tap.same((result['basins'], len(result['layers']),
                  [len(group.get_children()) for group in result['layers']]),
                 (max(v for rows in labels for row in rows for v in row), 2, [DEPTH] * 2),
                 f'basins through the slices, {connectivity}')
        drawn = [[[pixel[3] > 0 for pixel in row] for row in colors(layer)]
                 for layer in lowest_first(result['lines-layer'])]
        tap.same(drawn, [reference.boundary(rows, connectivity == '26') for rows in labels],
                 f'lines in the slices, {connectivity}')
        for group in result['layers']:
            image.remove_layer(group)
    image.delete()


if wavefront_command.is_there():
    for group in (as_the_command_does, what_comes_of_it, which_layers, selection, refusals,
                  reconstructions, distances_and_basins):
        tap.group(group)
else:
    tap.skip('stacks', 'the command was not built')
tap.done()
