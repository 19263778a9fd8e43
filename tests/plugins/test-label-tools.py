# SPDX-License-Identifier: GPL-3.0-or-later

"""The tools for labels, by their definitions: on gray layers of 8 and 16 bits in every encoding, on
what is selected, on stacks, on the watershed's image of numbers, and what is refused.
"""

import array
import math
import random

from by_reconstruction import OF_LABELS
from gimptest import *
import reference
from scenes import cells

ENCODED = (P.U8_NON_LINEAR, P.U16_NON_LINEAR, P.U8_LINEAR, P.U16_LINEAR, P.U8_PERCEPTUAL,
           P.U16_PERCEPTUAL)


def labels_of(width, height, top, source):
    """Blocks of few and of many labels, of all sizes, the highest and the lowest among them."""
    share = source.choice((0.2, 0.6, 0.9))
    numbers = [1, top, *(source.randrange(1, top + 1) for _ in range(source.choice((3, 12, 40))))]
    side = source.choice((1, 2, 4))
    rows = [[0 if source.random() < share else source.choice(numbers)
             for _ in range(width)] for _ in range(height)]
    return [[rows[y // side][x // side] for x in range(width)] for y in range(height)]


def tools_of(source):
    """Each tool: its arguments, and its result by the definition for the slices of an image."""
    area, count = source.choice((2, 5.5, 17)), source.choice((1, 3, 7))
    distance = source.choice((0.0, 1.0, 2.3))
    return {'remove-small': ({'area': area}, lambda s: reference.remove_small(s, area)),
            'keep-largest': ({'count': count}, lambda s: reference.keep_largest(s, count)),
            'expand-labels': ({'distance': distance},
                              lambda s: reference.expand_labels(s, distance or math.inf)),
            'relabel': ({}, reference.relabel)}


def whole_layers():
    source = random.Random(f'{SEED} whole layers')
    for number in range(cases(12, 24, 60)):
        precision = ENCODED[number % len(ENCODED)]
        top = MAXIMUM[ENCODINGS[precision][1]]
        alpha = source.random() < 0.3
        rows = labels_of(source.randrange(1, 30), source.randrange(1, 24), top, source)
        image, layer = gray_image(rows, precision=precision, alpha=alpha)
        before = raw_bytes(layer)
        for tool, (arguments, define) in tools_of(source).items():
            result = must(call(FILTER % tool, image, [layer], **arguments))
            wanted = define([rows])
            name = f'{tool} {arguments}, {precision.value_nick}, alpha {alpha}'
            tap.same([levels(result['layer'])], wanted, f'by the definition: {name}')
            tap.same(result['n-regions'], len(reference.areas(wanted)), f'so many regions: {name}')
            tap.ok(result['layer'].type() == layer_type(image, alpha)
                   and result['layers'] == [result['layer']], f'a layer of the same type: {name}')
        tap.ok(raw_bytes(layer) == before, f'the layer stays: {precision.value_nick}')
        image.delete()


def selected_shape(image, source, width, height):
    """Selects an ellipse; whether each pixel is selected."""
    Gimp.context_set_antialias(True)
    image.select_ellipse(Gimp.ChannelOps.REPLACE, source.randrange(width // 3),
                         source.randrange(height // 3), width // 2 + 1, height // 2 + 1)
    return [[v >= 128 for v in row] for row in read(image.get_selection(), 'Y', 'u8', 'B', 1)]


def selections():
    """What is not selected is background, before and after."""
    source = random.Random(f'{SEED} selections')
    for number in range(cases(6, 12, 30)):
        precision = ENCODED[number % len(ENCODED)]
        width, height = source.randrange(12, 30), source.randrange(12, 24)
        rows = labels_of(width, height, MAXIMUM[ENCODINGS[precision][1]], source)
        image, layer = gray_image(rows, precision=precision)
        inside = selected_shape(image, source, width, height)
        seen = [[v if there else 0 for v, there in zip(*pair)] for pair in zip(rows, inside)]
        for tool, (arguments, define) in tools_of(source).items():
            result = must(call(FILTER % tool, image, [layer], **arguments))
            wanted = [[v if there else 0 for v, there in zip(*pair)]
                      for pair in zip(define([seen])[0], inside)]
            made = result['layer']
            left, top = made.get_offsets()[-2:]
            got = levels(made)
            name = f'{tool} {arguments}, {precision.value_nick}'
            tap.same(got, [row[left:left + len(got[0])] for row in wanted[top:top + len(got)]],
                     f'within a selection: {name}')
            tap.same(result['n-regions'], len(reference.areas([wanted])),
                     f'the regions within it are counted: {name}')
        image.delete()


def stacks():
    source = random.Random(f'{SEED} stacks')
    for precision in (P.U8_NON_LINEAR, P.U16_LINEAR):
        top = MAXIMUM[ENCODINGS[precision][1]]
        numbers = random.Random(f'{SEED} {top}')
        slices = [labels_of(11, 9, top, numbers) for _ in range(3)]
        slices[1] = [[a or b for a, b in zip(*pair)] for pair in zip(*slices[:2])]
        image, layer = gray_image(slices[0], precision=precision)
        for rows in slices[1:]:
            new_layer(image, rows)
        for tool, (arguments, define) in tools_of(source).items():
            result = must(call(FILTER % tool, image, [layer], stack=True, **arguments))
            made = [levels(child) for child in result['layer'].get_children()][::-1]
            wanted = define(slices)
            tap.same(made, wanted, f'a stack: {tool} {arguments}, {precision.value_nick}')
            tap.same(result['n-regions'], len(reference.areas(wanted)), f'its regions: {tool}')
            image.remove_layer(result['layer'])
        image.delete()


def several_layers():
    """Each has regions of its own; the number is that of the first."""
    source = random.Random(f'{SEED} several')
    first, second = (labels_of(20, 16, 255, source) for _ in range(2))
    image, layer = gray_image(first)
    other = new_layer(image, second, name='second')
    result = must(call(FILTER % 'keep-largest', image, [layer, other], count=2))
    tap.same([levels(made) for made in result['layers']],
             [reference.keep_largest([rows], 2)[0] for rows in (first, second)],
             'several layers, one after the other')
    image.delete()


def numbers_of_basins():
    """The watershed's image of numbers is what they take."""
    image, layer = gray_image(cells(120, 90))
    made = must(call(WATERSHED, image, [layer], input='objects', label_image=True,
                     lines_layer=False, basins_layer=False))
    numbers = made['label-image']
    basins = numbers.get_layers()[0]
    rows = levels(basins)
    found = reference.areas([rows])
    area = sorted(found.values())[len(found) // 2]
    result = must(call(FILTER % 'remove-small', numbers, [basins], area=area))
    tap.ok(0 < result['n-regions'] < len(found) == made['basins'],
           'small objects of a watershed are removed', result, made)
    tap.same([levels(result['layer'])], reference.remove_small([rows], area), 'by their areas')
    after = must(call(FILTER % 'relabel', numbers, [result['layer']]))
    tap.same((after['n-regions'], max(map(max, levels(after['layer'])))),
             (result['n-regions'], result['n-regions']), 'and the others numbered anew')
    numbers.delete()
    image.delete()


def refusals():
    """What has no labels is refused by one sentence that names it, and nothing is made."""
    rows = [[0, 1, 2], [2, 2, 0]]
    for base, precision, word in ((RGB, P.U8_NON_LINEAR, 'colors'),
                                  (RGB, P.U16_LINEAR, 'colors'),
                                  (GRAY, P.U32_LINEAR, '32 bits'),
                                  (GRAY, P.FLOAT_LINEAR, 'floating point'),
                                  (GRAY, P.HALF_NON_LINEAR, 'floating point'),
                                  (GRAY, P.DOUBLE_LINEAR, 'floating point')):
        top = MAXIMUM[ENCODINGS[precision][1]]
        image, layer = gray_image([[type(top)(v) for v in row] for row in rows], base, precision)
        layer.set_name('100 %s')
        for stack in (False, True):
            new_layer(image, [[type(top)(v) for v in row] for row in rows], name='second')
        image.clean_all()
        for tool in OF_LABELS:
            for arguments in ({}, {'stack': True}):
                result = call(FILTER % tool, image, [layer], **arguments)
                tap.ok(result.status == 'calling-error' and '“100 %s”' in result.message
                       and word in result.message and '8 or 16 bits' in result.message
                       and result.message.count('. ') == 0,
                       f'{tool} {arguments} refuses {base.value_nick} {precision.value_nick}',
                       result)
        tap.ok(len(image.get_layers()) == 3 and not image.is_dirty(), 'nothing was changed')
        image.delete()

    image, layer = gray_image(rows, RGB)
    channel = Gimp.Channel.new(image, 'channel', 3, 2, 50, Gegl.Color.new('red'))
    image.insert_channel(channel, None, 0)
    image.clean_all()
    result = call(FILTER % 'relabel', image, [channel])
    tap.ok(result.status == 'calling-error' and '“channel”' in result.message
           and 'image in color' in result.message and not image.is_dirty(),
           'a channel of an image in color is refused', result)
    image.delete()


def wrong_values():
    image, layer = gray_image([[1, 2, 3]])
    image.clean_all()
    for tool, arguments, word in (('remove-small', {'area': -1.0}, 'area'),
                                  ('keep-largest', {'count': 0}, 'count'),
                                  ('expand-labels', {'distance': -0.5}, 'distance'),
                                  ('relabel', {'algorithm': 'nearest'}, 'nearest')):
        result = call(FILTER % tool, image, [layer], **arguments)
        tap.ok(result.status == 'calling-error' and word in result.message
               and result.message.count('. ') == 0, f'{tool} refuses {arguments}', result)
    tap.ok(layer_names(image) == ['layer'] and not image.is_dirty(), 'nothing was changed')
    image.delete()


def channels_of_gray_images():
    """A channel and a mask have levels of the image's precision."""
    rows = [[0, 300, 300, 7], [7, 65535, 0, 7]]
    image, layer = gray_image([[0] * 4] * 2, precision=P.U16_NON_LINEAR)
    channel = Gimp.Channel.new(image, 'channel', 4, 2, 50, Gegl.Color.new('red'))
    image.insert_channel(channel, None, 0)
    channel.get_buffer().set(Gegl.Rectangle.new(0, 0, 4, 2), 'Y u16',
                             array.array('H', [v for row in rows for v in row]).tobytes())
    result = must(call(FILTER % 'relabel', image, [channel]))
    tap.same(([levels(result['layer'])], result['n-regions']), (reference.relabel([rows]), 3),
             'the labels of a channel')
    image.delete()


for group in (whole_layers, selections, stacks, several_layers, numbers_of_basins, refusals,
              wrong_values, channels_of_gray_images):
    tap.group(group)
tap.done()
