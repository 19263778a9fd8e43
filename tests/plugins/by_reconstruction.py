# SPDX-License-Identifier: GPL-3.0-or-later

"""The procedures with one input and one output image, and the results of the wavefront command
for the same levels, in the units of GIMP's image.
"""

import random

from gimptest import *
import wavefront_command

WIDTH, HEIGHT = 37, 26
FRACTION = 0.1

# operation: its options in GIMP, those that are levels, whether its output is binary
BY_RECONSTRUCTION = {
    'fill-holes': ({'connectivity': '8'}, (), False),
    'clear-border': ({}, (), False),
    'h-maxima': ({}, ('height',), False),
    'h-minima': ({'connectivity': '4'}, ('height',), False),
    'regional-maxima': ({'connectivity': '4'}, (), True),
    'regional-minima': ({}, (), True),
    'extended-maxima': ({}, ('height',), True),
    'extended-minima': ({'connectivity': '4'}, ('height',), True),
    'opening-by-reconstruction': ({'radius': 2, 'element': 'disc'}, (), False),
    'closing-by-reconstruction': ({'radius': 3}, (), False),
    'white-top-hat-by-reconstruction': ({'radius': 2}, (), False),
    'black-top-hat-by-reconstruction': ({'radius': 2, 'element': 'disc', 'connectivity': '4'},
                                        (), False),
    'area-opening': ({'area': 20}, (), False),
    'area-closing': ({'area': 33.5, 'connectivity': '4'}, (), False),
    'height-opening': ({'connectivity': '4'}, ('height',), False),
    'height-closing': ({}, ('height',), False),
    'volume-opening': ({'volume': 1.5}, (), False),
    'volume-closing': ({'volume': 3, 'connectivity': '4'}, (), False),
    'erosion': ({'radius': 2, 'element': 'line', 'angle': 30}, (), False),
    'dilation': ({'radius': 3}, (), False),
    'opening': ({'radius': 2, 'element': 'disc'}, (), False),
    'closing': ({'radius': 3, 'element': 'line', 'angle': -60}, (), False),
    'white-top-hat': ({'radius': 2, 'element': 'line', 'angle': 45}, (), False),
    'black-top-hat': ({'radius': 3, 'element': 'disc'}, (), False),
    'gradient': ({'radius': 2, 'element': 'disc'}, (), False),
    'median': ({'radius': 3}, (), False),
    'threshold': ({'method': 'sauvola', 'radius': 3, 'k': 0.3}, ('range', 'offset'), True),
}
# those of them that look at the pixels within a radius only
WINDOWS = ('erosion', 'dilation', 'opening', 'closing', 'white-top-hat', 'black-top-hat',
           'gradient', 'median', 'threshold')
# a tool for labels: its options in GIMP and in the command
OF_LABELS = {'remove-small': {'area': 20}, 'keep-largest': {'count': 5},
             'expand-labels': {'distance': 1.5}, 'relabel': {}}
# precision, gray or color, alpha, tolerance of a level
TYPES = ((P.U8_NON_LINEAR, GRAY, False, 0), (P.U8_LINEAR, RGB, True, 0),
         (P.U8_PERCEPTUAL, GRAY, True, 0), (P.U16_NON_LINEAR, RGB, False, 0),
         (P.U16_LINEAR, GRAY, True, 0), (P.U32_LINEAR, GRAY, False, 600),
         (P.HALF_LINEAR, GRAY, False, 1e-3), (P.FLOAT_LINEAR, GRAY, True, 0),
         (P.FLOAT_NON_LINEAR, RGB, False, 2e-6), (P.DOUBLE_LINEAR, GRAY, False, 1e-6))
# those of labels
NUMBERS = tuple((precision, GRAY, alpha, 0)
                for precision, alpha in ((P.U16_NON_LINEAR, False), (P.U8_PERCEPTUAL, True),
                                         (P.U16_LINEAR, True), (P.U8_NON_LINEAR, False),
                                         (P.U16_PERCEPTUAL, False), (P.U8_LINEAR, False)))


def landscape(top, seed):
    """Blocks of constant level: plateaux, holes and objects at the border."""
    source = random.Random(seed)
    coarse = [[source.randrange(9) for _ in range(WIDTH)] for _ in range(HEIGHT)]
    fine = [[coarse[y // 3][x // 3] * 6 + source.randrange(4) for x in range(WIDTH)]
            for y in range(HEIGHT)]
    if isinstance(top, float):
        return [[v / 64 for v in row] for row in fine]
    return [[v * top // 64 for v in row] for row in fine]


def thin_circle(radius):
    """A white circle of pixels that touch at corners (Bresenham's), and the disc inside it."""
    side = 2 * radius + 5
    middle = side // 2
    circle = [[0] * side for _ in range(side)]
    x, y, error = 0, radius, 1 - radius
    while x <= y:
        for across, down in ((x, y), (y, x)):
            for dx in (-across, across):
                for dy in (-down, down):
                    circle[middle + dy][middle + dx] = 255
        if error >= 0:
            error += 2 - 2 * y
            y -= 1
        error += 2 * x + 3
        x += 1
    disc = []
    for row in circle:
        white = [x for x, level in enumerate(row) if level] or [side, side - 1]
        disc.append([255 if white[0] <= x <= white[-1] else 0 for x in range(side)])
    return circle, disc


def worked_on(rows, kind):
    """The levels and the type that the plug-in passes to the engine."""
    if kind in ('u8', 'u16'):
        return rows, kind
    top = MAXIMUM[kind]
    return [[v / top for v in row] for row in rows], 'float'


def by_command(operation, rows, kind, marks, options):
    """The command's result in the units of the image."""
    levels_seen, engine_kind = worked_on(rows, kind)
    texts = [text for key, value in options.items() for text in (f'--{key}', str(value))]
    made = wavefront_command.run(operation, [levels_seen], engine_kind,
                                 'B' if marks else wavefront_command.LETTERS[engine_kind],
                                 *texts)[0]
    top = MAXIMUM[kind]
    if marks:
        return [[top if v else type(top)(0) for v in row] for row in made]
    if kind == 'u32':
        return [[v * top for v in row] for row in made]
    return made


def by_command_of_labels(operation, slices):
    """The command's result for labels, of which raw files are u32."""
    texts = [text for key, value in OF_LABELS[operation].items()
             for text in (f'--{key}', str(value))]
    return wavefront_command.run(operation, slices, 'u32', 'I', *texts)


def arguments_of(operation):
    options, of_level, _ = BY_RECONSTRUCTION[operation]
    return options | {name: FRACTION for name in of_level}


def options_for(operation, kind):
    """The command's options for the same call."""
    options, of_level, _ = BY_RECONSTRUCTION[operation]
    engine_top = MAXIMUM[kind] if kind in ('u8', 'u16') else 1.0
    if 'volume' in options:
        return dict(options, volume=options['volume'] * engine_top)
    return options | {name: wavefront_command.level(FRACTION, engine_top) for name in of_level}


def near(got, expected, tolerance):
    return all(abs(g - e) <= tolerance for rows in zip(got, expected) for g, e in zip(*rows))
