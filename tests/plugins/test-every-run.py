# SPDX-License-Identifier: GPL-3.0-or-later

"""All runs: each procedure in each run mode on each type of image gives the result of the
wavefront command for the same levels, and changes nothing else.  The quick tier tests one type
per procedure.

The script's run and the dialog get values other than the defaults; the run with last values gets
none and uses those of the accepted dialog.
"""

import math

from by_reconstruction import *
from gimptest import *
from person import Hasty
import wavefront_command

SCRIPT, DIALOG, AGAIN = (Gimp.RunMode.NONINTERACTIVE, Gimp.RunMode.INTERACTIVE,
                         Gimp.RunMode.WITH_LAST_VALS)
THRESHOLD, TOLERANCE = 0.4, 0.05


def engine_level(fraction, kind):
    """Converts a fraction of the range to the engine's levels."""
    return wavefront_command.level(fraction, MAXIMUM[kind] if kind in ('u8', 'u16') else 1.0)


def numbers(image):
    """The levels of a result that is a new image."""
    rows = levels(image.get_layers()[0])
    image.delete()
    return rows


class ByReconstruction:
    """One of the twelve procedures with one input and one output image."""

    is_exact = False
    types = TYPES

    def __init__(self, operation):
        self.name, self.operation = FILTER % operation, operation
        self.marks = BY_RECONSTRUCTION[operation][2]

    def arguments(self, image, rows):
        return arguments_of(self.operation)

    def expected(self, rows, kind):
        return by_command(self.operation, rows, kind, self.marks,
                          options_for(self.operation, kind))

    def made(self, result):
        return levels(result['layer'])


class LabelTool(ByReconstruction):
    """A tool for labels, for gray layers of 8 and 16 bits, whose levels are the labels."""

    is_exact = True
    types = NUMBERS

    def __init__(self, operation):
        self.name, self.operation = FILTER % operation, operation

    def arguments(self, image, rows):
        return OF_LABELS[self.operation]

    def expected(self, rows, kind):
        return by_command_of_labels(self.operation, [rows])[0]


class Reconstruct:
    """Reconstruction from a marker layer, which a dialog remembers by its name."""

    is_exact = False
    types = TYPES
    name, operation = RECONSTRUCT, 'reconstruct'

    def marker(self, rows):
        """Equal to the levels at scattered pixels, and 0 elsewhere."""
        return [[v if (x * 5 + y * 3) % 11 == 0 else type(v)(0) for x, v in enumerate(row)]
                for y, row in enumerate(rows)]

    def arguments(self, image, rows):
        return {'marker': new_layer(image, self.marker(rows), name='marker'),
                'connectivity': '4'}

    def expected(self, rows, kind):
        seen, engine_kind = worked_on(rows, kind)
        made = wavefront_command.run('reconstruct', [seen], engine_kind,
                                     wavefront_command.LETTERS[engine_kind],
                                     '--connectivity', '4', marker=[self.marker(seen)])[0]
        return [[v * MAXIMUM[kind] for v in row] for row in made] if kind == 'u32' else made

    def made(self, result):
        return levels(result['layer'])


class DistanceMap:
    """The distance map as an image of numbers, which the layer's precision does not limit."""

    is_exact = True
    types = TYPES
    name, operation = DISTANCE, 'distance-map'

    def arguments(self, image, rows):
        return {'threshold': THRESHOLD, 'metric': 'city-block', 'output': 'image'}

    def expected(self, rows, kind):
        seen, engine_kind = worked_on(rows, kind)
        return wavefront_command.run('distance', [seen], engine_kind, 'f', '--threshold',
                                     engine_level(THRESHOLD, kind), '--metric',
                                     'city-block')[0]

    def made(self, result):
        return numbers(result['distance-image'])


def comparable(rows):
    """Infinite distances as −1: they have no difference."""
    return [[-1 if v == math.inf else v for v in row] for row in rows]


class Geodesic(Reconstruct):
    """Geodesic distances from a marker layer, as an image of numbers."""

    is_exact = True
    name, operation = FILTER % 'geodesic-distance', 'geodesic-distance'

    def arguments(self, image, rows):
        return {'marker': new_layer(image, self.marker(rows), name='marker'),
                'threshold': THRESHOLD, 'metric': 'chamfer-3-4', 'output': 'image'}

    def expected(self, rows, kind):
        seen, engine_kind = worked_on(rows, kind)
        return comparable(wavefront_command.run(
            'geodesic-distance', [seen], engine_kind, 'f', '--threshold',
            engine_level(THRESHOLD, kind), '--metric', 'chamfer-3-4',
            marker=[self.marker(seen)])[0])

    def made(self, result):
        return comparable(numbers(result['distance-image']))


class Watershed:
    """The watershed as an image of labels."""

    is_exact = True
    types = TYPES
    name, operation = WATERSHED, 'watershed'

    def arguments(self, image, rows):
        return {'tolerance': TOLERANCE, 'connectivity': '4', 'lines': True,
                'label_image': True, 'lines_layer': False, 'basins_layer': False}

    def expected(self, rows, kind):
        seen, engine_kind = worked_on(rows, kind)
        return wavefront_command.run('watershed', [seen], engine_kind, 'I', '--tolerance',
                                     engine_level(TOLERANCE, kind), '--connectivity', '4',
                                     '--lines')[0]

    def made(self, result):
        return numbers(result['label-image'])


def run(case, mode, image, layer, arguments):
    person = Hasty(TITLES[case.name]) if mode == DIALOG else None
    result = must(call(case.name, image, [layer], mode,
                       **({} if mode == AGAIN else arguments)))
    if person:
        person.join()
    return result


def check_layer(result, image, alpha, name):
    made = result['layer']
    tap.ok(made.has_alpha() == alpha and made.type() == layer_type(image, alpha)
           and result['layers'] == [made], f'alpha is kept: {name}', made.type(), result)


def one_type(case, precision, base, alpha, tolerance):
    kind = ENCODINGS[precision][1]
    rows = landscape(MAXIMUM[kind], precision.value_nick)
    expected = case.expected(rows, kind)
    image, layer = gray_image(rows, base, precision, alpha)
    before = raw_bytes(layer)
    arguments = case.arguments(image, rows)
    forget()
    for mode in (SCRIPT, DIALOG, AGAIN):
        name = (f"{case.operation}, {mode.value_nick}, {precision.value_nick} {base.value_nick}"
                f"{' with alpha' * alpha}")
        result = run(case, mode, image, layer, arguments)
        if result.values.get('layer'):
            check_layer(result, image, alpha, name)
        got = case.made(result)
        tap.ok(near(got, expected, 0 if case.is_exact else tolerance),
               f'as the command does: {name}', shown(got), shown(expected))
    tap.ok(len({v for row in expected for v in row}) > 1
           and expected != worked_on(rows, kind)[0] and raw_bytes(layer) == before,
           f'the result is not empty, and the layer stays: {case.operation}, '
           f'{precision.value_nick}')
    image.delete()


CASES = [Reconstruct(), DistanceMap(), Geodesic(), Watershed(),
         *map(ByReconstruction, BY_RECONSTRUCTION), *map(LabelTool, OF_LABELS)]
if wavefront_command.is_there():
    for number, case in enumerate(CASES):
        for kind_of_image in turns(number, case.types):
            tap.group(lambda: one_type(case, *kind_of_image))
else:
    tap.skip('all runs and the command', 'the command was not built')
tap.done()
