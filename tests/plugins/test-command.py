# SPDX-License-Identifier: GPL-3.0-or-later

"""The plug-ins and the command give equal results: on raw pixels of larger images every level and
every label is equal.
"""

import array
import math

from gimptest import *
import reference
import wavefront_command

WIDTH, HEIGHT = 161, 97
TYPES = {'u8': 'B', 'u16': 'H', 'float': 'f'}


def blobs(top, seed):
    """A relief of smooth hills and valleys instead of noise."""
    source = random.Random(seed)
    hills = [(source.uniform(0, WIDTH), source.uniform(0, HEIGHT), source.uniform(4, 15),
              source.uniform(0.2, 1)) for _ in range(60)]
    rows = []
    for y in range(HEIGHT):
        row = []
        for x in range(WIDTH):
            v = sum(a * math.exp(-((x - u) ** 2 + (y - w) ** 2) / (2 * s * s))
                    for u, w, s, a in hills)
            v = min(v / 2, 1)
            row.append(int(v * top) if isinstance(top, int) else round(v * 1024) / 1024)
        rows.append(row)
    return rows


def command(operation, rows, kind, letter, *options, marker=None):
    return wavefront_command.run(operation, [rows], kind, letter, *options,
                                 marker=marker and [marker])[0]


def check(precision):
    kind = ENCODINGS[precision][1]
    top = MAXIMUM[kind]
    rows = blobs(top, kind)
    image, layer = gray_image(rows, precision=precision)
    marker_rows = random_rows(WIDTH, HEIGHT, top, kind + ' marker')
    marker = new_layer(image, marker_rows, name='marker')

    for by in ('dilation', 'erosion'):
        result = must(call(RECONSTRUCT, image, [layer], marker=marker, by=by, connectivity='4'))
        tap.ok(levels(result['layer']) == command('reconstruct', rows, kind, TYPES[kind],
                                                  '--by', by, '--connectivity', '4',
                                                  marker=marker_rows),
               f'reconstruct by {by} as the command does, {kind}')

    level = math.floor(0.4 * top + 0.5) if isinstance(top, int) else 0.4
    distances = command('distance', rows, kind, 'f', '--threshold', repr(level))
    result = must(call(DISTANCE, image, [layer], threshold=0.4, output='raw'))
    wanted = [[min(math.floor(d + 0.5), top) for d in row] for row in distances] \
        if isinstance(top, int) else distances
    tap.ok(levels(result['layer']) == wanted, f'distances equal the command’s, {kind}')

    for lines, tolerance in ((False, 0.0), (False, 0.1), (True, 0.1)):
        height = math.floor(tolerance * top + 0.5) if isinstance(top, int) \
            else single(tolerance)
        options = ['--tolerance', repr(height)] + (['--lines'] if lines else [])
        labels = command('watershed', rows, kind, 'I', *options)
        result = must(call(WATERSHED, image, [layer], tolerance=tolerance, lines=lines))
        count = len({v for row in labels for v in row} - {0})
        marks = [[v == 0 for v in row] for row in labels] if lines \
            else reference.boundary(labels)
        drawn = [[bool(a) for a in row] for row in alphas(result['lines-layer'])]
        tap.ok(count > 1 and result['basins'] == count and drawn == marks,
               f'a watershed equals the command’s, lines {lines}, tolerance {tolerance}, {kind}',
               result['basins'], count)
    image.delete()


def single(value):
    return array.array('f', [value])[0]


if wavefront_command.is_there():
    for precision in (P.U8_NON_LINEAR, P.U16_LINEAR, P.FLOAT_LINEAR):
        tap.group(lambda: check(precision))
else:
    tap.skip('the plug-ins and the command', 'the command was not built')
tap.done()
