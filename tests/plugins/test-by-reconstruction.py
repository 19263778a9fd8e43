# SPDX-License-Identifier: GPL-3.0-or-later

"""The procedures with one input and one output image: their additional layers, their errors and
the names of their layers; test-every-run.py tests the pixels.
"""

from by_reconstruction import *
from gimptest import *
import wavefront_command


def last_values(operation):
    """Without an earlier dialog, a run with last values uses the given values."""
    rows = landscape(255, 'last values')
    image, layer = gray_image(rows)
    result = must(call(FILTER % operation, image, [layer], Gimp.RunMode.WITH_LAST_VALS,
                       **arguments_of(operation)))
    tap.same(levels(result['layer']),
             by_command(operation, rows, 'u8', BY_RECONSTRUCTION[operation][2],
                        options_for(operation, 'u8')), f'with last values: {operation}')
    image.delete()


def residues():
    """The layer of changes equals the command's h-dome or h-basin."""
    for operation, residue, command in (('h-maxima', 'dome', 'h-dome'),
                                        ('h-minima', 'basin', 'h-basin')):
        for precision in cases((P.U8_NON_LINEAR,), (P.U8_NON_LINEAR, P.U16_LINEAR,
                                                    P.FLOAT_LINEAR)):
            kind = ENCODINGS[precision][1]
            top = MAXIMUM[kind]
            rows = landscape(top, residue)
            image, layer = gray_image(rows, precision=precision)
            height = {'height': wavefront_command.level(FRACTION, top)}
            filtered = by_command(operation, rows, kind, False, height)
            rest = by_command(command, rows, kind, False, height)
            name = f'{operation}, {precision.value_nick}'

            both = must(call(FILTER % operation, image, [layer], height=FRACTION,
                             **{residue: True}))
            tap.same((levels(both['layer']), levels(both[residue + '-layer'])),
                     (filtered, rest), f'both layers of {name}')
            tap.same(both['layers'], [both[residue + '-layer'], both['layer']],
                     f'in the order of “layers”, the filtered one on top: {name}')
            only = must(call(FILTER % operation, image, [layer], height=FRACTION,
                             filtered=False, **{residue: True}))
            tap.same((only['layer'], levels(only[residue + '-layer'])), (None, rest),
                     f'only the {residue} of {name}')
            image.delete()
        image, layer = gray_image([[1, 2]])
        none = call(FILTER % operation, image, [layer], filtered=False)
        tap.ok(none.status == 'calling-error' and 'requested' in none.message
               and layer_names(image) == ['layer'], f'no output of {operation}', none)
        image.delete()


def refusals():
    image, layer = gray_image(landscape(255, 'refusals'))
    image.clean_all()
    for operation in cases(list(BY_RECONSTRUCTION)[::3], BY_RECONSTRUCTION):
        name = FILTER % operation
        refused = [dict(device='gpu'), dict(source='hue'), dict(algorithm='envelope'),
                   dict(threads=-1)]
        if operation not in WINDOWS:
            refused += [dict(connectivity='6'), dict(connectivity='five')]
        refused += [{name: value} for name in BY_RECONSTRUCTION[operation][1]
                    for value in (-1.1, 1.5)]
        if 'radius' in BY_RECONSTRUCTION[operation][0]:
            refused += [dict(radius=-1)]
            if operation not in ('median', 'threshold'):
                refused += [dict(element='star')]
        for arguments in refused:
            result = call(name, image, [layer], **arguments)
            tap.ok(result.status == 'calling-error' and result.message,
                   f'{operation} refuses {arguments}', result)
    tap.ok(layer_names(image) == ['layer'] and not image.is_dirty(),
           'errors leave the image unchanged')
    image.delete()


def names():
    """The name of a new layer contains the operation and the source layer."""
    image, layer = gray_image([[1, 2, 3]])
    layer.set_name('100 %s')
    for operation in BY_RECONSTRUCTION:
        must(call(FILTER % operation, image, [layer], **arguments_of(operation)))
    made = layer_names(image)[:-1]
    tap.ok(len(set(made)) == len(BY_RECONSTRUCTION) and all('100 %s' in name for name in made),
           'every procedure names its layer', made)
    image.delete()


def holes_in_thin_lines():
    """White pixels that touch at corners enclose a hole, unless 8 dark neighbors are chosen."""
    circle, disc = thin_circle(18)
    image, layer = gray_image(circle)
    results = {c: levels(must(call(FILTER % 'fill-holes', image, [layer], connectivity=c))['layer'])
               for c in ('auto', '4', '8')}
    plain = levels(must(call(FILTER % 'fill-holes', image, [layer]))['layer'])
    tap.same((plain, results['auto'], results['4']), (disc, disc, disc),
             'a thin circle is filled by default')
    tap.same(results['8'], circle, 'and open at its corners with 8 neighbors')
    image.delete()


if wavefront_command.is_there():
    for operation in BY_RECONSTRUCTION:
        tap.group(lambda: last_values(operation))
    tap.group(residues)
else:
    tap.skip('the filters by reconstruction and the command', 'the command was not built')
tap.group(holes_in_thin_lines)
tap.group(refusals)
tap.group(names)
tap.done()
