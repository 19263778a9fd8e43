# SPDX-License-Identifier: GPL-3.0-or-later

"""The threshold: found from the histogram, local ones by their definition and as the command has
them; selections, stacks, several layers, and what is refused.
"""

import math
import random

from gimptest import *
import reference
from scenes import cells
import wavefront_command

THRESHOLD = FILTER % 'threshold'
METHODS = {'otsu': 'otsu', 'li': 'li', 'triangle': 'triangle', 'percent': '30%'}


def marked(layer):
    """Which pixels are white; all others are black."""
    top = maximum(layer.get_image())
    rows = levels(layer)
    if {v for row in rows for v in row} - {type(top)(0), top}:
        raise AssertionError('gray pixels in a layer of marks')
    return [[v == top for v in row] for row in rows]


def scaled(rows, top):
    if isinstance(top, int):
        return [[v * top // 255 for v in row] for row in rows]
    return [[v / 256 for v in row] for row in rows]


def by_command(rows, kind, *options):
    made = wavefront_command.run('threshold', [rows], kind, 'B', *options)[0]
    return [[v == 255 for v in row] for row in made]


def above(rows, level):
    return [[v > level for v in row] for row in rows]


def level_used(result, top):
    return round(result['threshold-used'] * top) if isinstance(top, int) \
        else result['threshold-used']


# ---------------------------------------------------------------- from the histogram

def automatic():
    for precision in (P.U8_NON_LINEAR, P.U16_LINEAR, P.FLOAT_LINEAR):
        kind = ENCODINGS[precision][1]
        top = MAXIMUM[kind]
        rows = scaled(cells(120, 90), top)
        image, layer = gray_image(rows, precision=precision)
        for method, text in METHODS.items():
            name = f'{method}, {kind}'
            result = must(call(THRESHOLD, image, [layer], automatic_threshold=True,
                               automatic_method=method, percent=30.0))
            found = marked(result['layer'])
            tap.ok(found == by_command(rows, kind, '--threshold', text), f'as the command: {name}')
            tap.ok(found == above(rows, level_used(result, top)),
                   f'and the threshold is returned: {name}', result)
            tap.ok(0 < sum(map(sum, found)) < 120 * 90, f'it divides the image: {name}')
            opposite = must(call(THRESHOLD, image, [layer], automatic_threshold=True,
                                 automatic_method=method, percent=30.0, below=True))
            tap.same(marked(opposite['layer']), [[not v for v in row] for row in found],
                     f'below it are the others: {name}')
        image.delete()


def percentages():
    """The least level that so many per cent do not exceed, by sorting."""
    source = random.Random(f'{SEED} percentages')
    for _ in range(cases(5, 14, 40)):
        rows = random_rows(source.randrange(1, 12), source.randrange(1, 9), 255, source.random(),
                           steps=source.choice((None, 4)))
        percent = source.choice((0.0, 100.0, source.uniform(0, 100), source.randrange(101) / 1.0))
        order = sorted(v for row in rows for v in row)
        least = max(math.ceil(len(order) * percent / 100 - 1e-9), 1)
        image, layer = gray_image(rows)
        result = must(call(THRESHOLD, image, [layer], automatic_threshold=True,
                           automatic_method='percent', percent=percent))
        tap.same(level_used(result, 255), order[least - 1], f'{percent} per cent of {len(order)}')
        image.delete()


def given():
    rows = random_rows(15, 11, 255, 'given')
    image, layer = gray_image(rows, RGB, alpha=True)
    for fraction in (0.0, 0.3, 1.0):
        result = must(call(THRESHOLD, image, [layer], threshold=fraction))
        tap.same(marked(result['layer']), above(rows, math.floor(fraction * 255 + 0.5)),
                 f'a threshold of {fraction}')
    result = must(call(THRESHOLD, image, [layer], threshold=0.3, source='alpha'))
    tap.ok(not result['layer'].has_alpha(), 'a threshold of alpha is opaque')
    image.delete()


# ---------------------------------------------------------------- local ones

def local():
    source = random.Random(f'{SEED} local')
    for number in range(cases(12, 28, 80)):
        precision = (P.U8_NON_LINEAR, P.U16_LINEAR)[number % 2]
        top = MAXIMUM[ENCODINGS[precision][1]]
        rows = random_rows(source.randrange(1, 14), source.randrange(1, 11), top, source.random(),
                           steps=source.choice((None, 3)))
        method, radius = source.choice(('mean', 'sauvola')), source.randrange(6)
        share, k, below = source.randrange(-50, 51) / 100, source.randrange(-4, 9) / 10, \
            source.random() < 0.5
        image, layer = gray_image(rows, precision=precision)
        result = must(call(THRESHOLD, image, [layer], method=method, radius=radius, k=k,
                           offset=share, below=below, automatic_threshold=True))
        lowered = math.copysign(math.floor(abs(share) * top + 0.5), share)
        spread = math.floor(0.5 * top + 0.5)
        tap.same(marked(result['layer']),
                 reference.threshold(rows, method, radius, lowered, k, spread, below),
                 f'{method}, radius {radius}, offset {share}, k {k}, {top}, below {below}')
        tap.same(result['threshold-used'], 0.0, 'no level is that of all pixels')
        image.delete()


def smooth():
    for kind, precision in (('u8', P.U8_NON_LINEAR), ('u16', P.U16_LINEAR),
                            ('float', P.FLOAT_LINEAR)):
        top = MAXIMUM[kind]
        rows = scaled(cells(60, 50), top)
        image, layer = gray_image(rows, precision=precision)
        for sigma, share in ((2.0, 0.0), (5.5, -0.125)):
            result = must(call(THRESHOLD, image, [layer], method='gaussian', sigma=sigma,
                               offset=share))
            lowered = -math.floor(-share * top + 0.5) if isinstance(top, int) else share
            tap.ok(marked(result['layer']) ==
                   by_command(rows, kind, '--method', 'gaussian', '--sigma', str(sigma),
                              f'--offset={lowered}'), f'Gaussian {sigma}, offset {share}, {kind}')
        image.delete()


def same_at_every_precision():
    """Sauvola's range is a part of white, too."""
    rows = [[v * 16 for v in row] for row in random_rows(20, 15, 15, 'precision')]
    found = []
    for precision, factor in ((P.U8_NON_LINEAR, 1), (P.U16_NON_LINEAR, 257),
                              (P.FLOAT_NON_LINEAR, 1 / 255)):
        image, layer = gray_image([[v * factor for v in row] for row in rows], precision=precision)
        for spread in (0.0, 0.5):
            result = must(call(THRESHOLD, image, [layer], method='sauvola', radius=4, k=0.43,
                               range=spread))
            found.append(marked(result['layer']))
        image.delete()
    tap.ok(all(one == found[0] for one in found), 'Sauvola marks the same pixels at 8, 16 and 32 '
           'bits, by a range of 0.5 and by none')


# ---------------------------------------------------------------- what is worked on

def selected_rectangle():
    rows = cells(60, 50)
    part = [row[10:45] for row in rows[5:35]]
    image, layer = gray_image(rows)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 10, 5, 35, 30)
    for arguments in ({'automatic_threshold': True}, {'method': 'mean', 'radius': 6},
                      {'method': 'sauvola'}, {'method': 'gaussian'}):
        other, whole = gray_image(part)
        result = must(call(THRESHOLD, image, [layer], **arguments))
        tap.same(levels(result['layer']), levels(must(call(THRESHOLD, other, [whole],
                                                           **arguments))['layer']),
                 f'a selected rectangle is like an image of its own: {arguments}')
        other.delete()
    image.delete()


def selected_shape():
    """Only what is selected counts for an automatic threshold, and the rest is transparent."""
    rows = [[255 if x < 12 else v // 2 for x, v in enumerate(row)] for row in cells(60, 50)]
    image, layer = gray_image(rows)
    Gimp.context_set_antialias(True)
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 14, 3, 40, 44)
    selection = [[v >= 128 for v in row]
                 for row in read(image.get_selection(), 'Y', 'u8', 'B', 1)]
    inside = [v for pair in zip(rows, selection) for v, there in zip(*pair) if there]
    one_row, row_layer = gray_image([inside])
    for method in METHODS:
        arguments = dict(automatic_threshold=True, automatic_method=method, percent=60.0)
        result = must(call(THRESHOLD, image, [layer], **arguments))
        wanted = must(call(THRESHOLD, one_row, [row_layer], **arguments))
        tap.same(result['threshold-used'], wanted['threshold-used'],
                 f'{method} of what is selected')
    made = result['layer']
    left, top = made.get_offsets()[-2:]
    level = level_used(result, 255)
    wrong = [(x, y) for y, row in enumerate(levels(made)) for x, v in enumerate(row)
             if selection[y + top][x + left] and (v == 255) != (rows[y + top][x + left] > level)]
    tap.same(wrong, [], 'what is selected is divided by it')
    local_result = must(call(THRESHOLD, image, [layer], method='mean', radius=5))
    for y in range(len(rows)):
        for x in range(60):
            if not selection[y][x]:
                rows[y][x] = 255 - rows[y][x]
    write_gray(layer, image, rows)
    again = must(call(THRESHOLD, image, [layer], method='mean', radius=5))
    tap.same(levels(again['layer']), levels(local_result['layer']),
             'local thresholds do not depend on what is not selected')
    one_row.delete()
    image.delete()


def stack():
    slices = [random_rows(9, 7, 255, f'slice {z}', steps=6) for z in range(4)]
    image, layer = gray_image(slices[0])
    for rows in slices[1:]:
        new_layer(image, rows)
    for arguments, options in (
            ({'automatic_threshold': True}, ('--threshold', 'otsu')),
            ({'method': 'mean', 'radius': 2}, ('--method', 'mean', '--radius', '2')),
            ({'method': 'gaussian', 'sigma': 1.5}, ('--method', 'gaussian', '--sigma', '1.5'))):
        result = must(call(THRESHOLD, image, [layer], stack=True, **arguments))
        made = [levels(child) for child in result['layer'].get_children()][::-1]
        tap.same(made, wavefront_command.run('threshold', slices, 'u8', 'B', *options),
                 f'a stack as the command has it: {arguments}')
        image.remove_layer(result['layer'])
    image.delete()


def several_layers():
    """Each has its own automatic threshold."""
    dark = [[v // 3 for v in row] for row in cells(40, 30)]
    image, layer = gray_image(dark)
    second = new_layer(image, cells(40, 30), name='second')
    result = must(call(THRESHOLD, image, [layer, second], automatic_threshold=True))
    for one, source in zip(result['layers'], (layer, second)):
        alone = must(call(THRESHOLD, image, [source], automatic_threshold=True))
        tap.same(levels(one), levels(alone['layer']), f'{source.get_name()}: as alone')
    image.delete()


def refusals():
    image, layer = gray_image([[1, 2, 3]])
    image.clean_all()
    for arguments, word in (({'percent': 101.0}, 'percent'), ({'percent': -1.0}, 'percent'),
                            ({'automatic_method': 'huang'}, 'huang'), ({'method': 'local'}, 'local'),
                            ({'offset': -1.01, 'method': 'mean'}, '−1'), ({'threshold': -0.1}, '0'),
                            ({'radius': 501}, '501'), ({'sigma': -1.0}, 'sigma')):
        result = call(THRESHOLD, image, [layer], **arguments)
        tap.ok(result.status == 'calling-error' and word in result.message
               and result.message.count('. ') == 0, f'{arguments} is refused', result)
    tap.ok(layer_names(image) == ['layer'] and not image.is_dirty(), 'nothing was changed')
    image.delete()


groups = [percentages, given, local, same_at_every_precision, selected_rectangle, selected_shape,
          several_layers, refusals]
if wavefront_command.is_there():
    groups += [automatic, smooth, stack]
else:
    tap.skip('the threshold and the command', 'the command was not built')
for group in groups:
    tap.group(group)
tap.done()
