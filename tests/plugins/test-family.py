# SPDX-License-Identifier: GPL-3.0-or-later

"""The procedures that are one operation from an image to an image: on every type of
image their pixels are what the wavefront command makes of the same ones.
"""

from gimptest import *
import wavefront_command

WIDTH, HEIGHT = 37, 26
FRACTION = 0.1

# operation: its options in GIMP, whether it takes a height, whether it gives marks
FAMILY = {
    'fill-holes': ({'connectivity': '4'}, False, False),
    'clear-border': ({}, False, False),
    'h-maxima': ({}, True, False),
    'h-minima': ({'connectivity': '4'}, True, False),
    'regional-maxima': ({'connectivity': '4'}, False, True),
    'regional-minima': ({}, False, True),
    'extended-maxima': ({}, True, True),
    'extended-minima': ({'connectivity': '4'}, True, True),
    'opening': ({'radius': 2, 'element': 'disc'}, False, False),
    'closing': ({'radius': 3}, False, False),
    'white-top-hat': ({'radius': 2}, False, False),
    'black-top-hat': ({'radius': 2, 'element': 'disc', 'connectivity': '4'}, False, False),
}
# precision, grey or colour, alpha, how far a level may be off
TYPES = ((P.U8_NON_LINEAR, GRAY, False, 0), (P.U8_LINEAR, RGB, True, 0),
         (P.U8_PERCEPTUAL, GRAY, True, 0), (P.U16_NON_LINEAR, RGB, False, 0),
         (P.U16_LINEAR, GRAY, True, 0), (P.U32_LINEAR, GRAY, False, 600),
         (P.HALF_LINEAR, GRAY, False, 1e-3), (P.FLOAT_LINEAR, GRAY, True, 0),
         (P.FLOAT_NON_LINEAR, RGB, False, 2e-6), (P.DOUBLE_LINEAR, GRAY, False, 1e-7))


def landscape(top, seed):
    """Blocks of even level, so that there are plateaux, holes and objects at the border."""
    source = random.Random(seed)
    coarse = [[source.randrange(9) for _ in range(WIDTH)] for _ in range(HEIGHT)]
    fine = [[coarse[y // 3][x // 3] * 6 + source.randrange(4) for x in range(WIDTH)]
            for y in range(HEIGHT)]
    if isinstance(top, float):
        return [[v / 64 for v in row] for row in fine]
    return [[v * top // 64 for v in row] for row in fine]


def worked_on(rows, kind):
    """The levels and the type that the engine sees."""
    if kind in ('u8', 'u16'):
        return rows, kind
    top = MAXIMUM[kind]
    return [[v / top for v in row] for row in rows], 'float'


def by_command(operation, rows, kind, marks, options):
    """Its result in the units of the image."""
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


def arguments_of(operation):
    options, height, _ = FAMILY[operation]
    return dict(options, height=FRACTION) if height else dict(options)


def options_for(operation, kind):
    """The same for the command."""
    options, height, _ = FAMILY[operation]
    if height:
        engine_top = MAXIMUM[kind] if kind in ('u8', 'u16') else 1.0
        return dict(options, height=wavefront_command.level(FRACTION, engine_top))
    return options


def near(got, expected, tolerance):
    return all(abs(g - e) <= tolerance for rows in zip(got, expected) for g, e in zip(*rows))


def every_type(operation):
    _, _, marks = FAMILY[operation]
    for precision, base, alpha, tolerance in TYPES:
        kind = ENCODINGS[precision][1]
        rows = landscape(MAXIMUM[kind], precision.value_nick)
        image, layer = grey_image(rows, base, precision, alpha)
        before = raw_bytes(layer)
        name = f"{operation}, {precision.value_nick} {base.value_nick}{' with alpha' * alpha}"

        result = must(call(FILTER % operation, image, [layer], **arguments_of(operation)))
        expected = by_command(operation, rows, kind, marks, options_for(operation, kind))
        got = levels(result['layer'])
        tap.ok(near(got, expected, tolerance) and result['layers'] == [result['layer']],
               f'as the command does: {name}', shown(got), shown(expected))
        tap.ok(any(v != w for rows in zip(expected, worked_on(rows, kind)[0])
                   for v, w in zip(*rows)), f'which changes something: {name}')
        tap.ok(raw_bytes(layer) == before and result['layer'].has_alpha() == alpha
               and result['layer'].type() == layer_type(image, alpha),
               f'the layer stays, and alpha: {name}')
        image.delete()


def last_values(operation):
    """Without a dialog before them, the last values are those that are given."""
    rows = landscape(255, 'last values')
    image, layer = grey_image(rows)
    result = must(call(FILTER % operation, image, [layer], Gimp.RunMode.WITH_LAST_VALS,
                       **arguments_of(operation)))
    tap.same(levels(result['layer']),
             by_command(operation, rows, 'u8', FAMILY[operation][2],
                        options_for(operation, 'u8')), f'with last values: {operation}')
    image.delete()


def residues():
    """What is cut off or filled is what the command calls domes and basins."""
    for operation, residue, command in (('h-maxima', 'dome', 'h-dome'),
                                        ('h-minima', 'basin', 'h-basin')):
        for precision in (P.U8_NON_LINEAR, P.U16_LINEAR, P.FLOAT_LINEAR):
            kind = ENCODINGS[precision][1]
            top = MAXIMUM[kind]
            rows = landscape(top, residue)
            image, layer = grey_image(rows, precision=precision)
            height = {'height': wavefront_command.level(FRACTION, top)}
            filtered = by_command(operation, rows, kind, False, height)
            rest = by_command(command, rows, kind, False, height)
            name = f'{operation}, {precision.value_nick}'

            both = must(call(FILTER % operation, image, [layer], height=FRACTION,
                             **{residue: True}))
            tap.same((levels(both['layer']), levels(both[residue + '-layer'])),
                     (filtered, rest), f'both layers of {name}')
            tap.same(both['layers'], [both['layer'], both[residue + '-layer']],
                     f'in the order of “layers”: {name}')
            only = must(call(FILTER % operation, image, [layer], height=FRACTION,
                             filtered=False, **{residue: True}))
            tap.same((only['layer'], levels(only[residue + '-layer'])), (None, rest),
                     f'only the {residue} of {name}')
            image.delete()
        image, layer = grey_image([[1, 2]])
        none = call(FILTER % operation, image, [layer], filtered=False)
        tap.ok(none.status == 'calling-error' and 'asked for' in none.message
               and layer_names(image) == ['layer'], f'nothing asked of {operation}', none)
        image.delete()


def refusals():
    image, layer = grey_image(landscape(255, 'refusals'))
    image.clean_all()
    for operation in FAMILY:
        name = FILTER % operation
        cases = [dict(connectivity='6'), dict(connectivity='five'), dict(device='gpu'),
                 dict(source='hue'), dict(algorithm='envelope'), dict(threads=-1)]
        if FAMILY[operation][1]:
            cases += [dict(height=-0.1), dict(height=1.5)]
        if 'radius' in FAMILY[operation][0]:
            cases += [dict(radius=-1), dict(element='star')]
        for arguments in cases:
            result = call(name, image, [layer], **arguments)
            tap.ok(result.status == 'calling-error' and result.message,
                   f'{operation} refuses {arguments}', result)
    tap.ok(layer_names(image) == ['layer'] and not image.is_dirty(),
           'refusals leave the image as it was')
    image.delete()


def names():
    """Each name says what was done, and to which layer."""
    image, layer = grey_image([[1, 2, 3]])
    layer.set_name('100 %s')
    for operation in FAMILY:
        must(call(FILTER % operation, image, [layer], **arguments_of(operation)))
    made = layer_names(image)[:-1]
    tap.ok(len(set(made)) == len(FAMILY) and all('100 %s' in name for name in made),
           'every procedure names its layer', made)
    image.delete()


if wavefront_command.is_there():
    for operation in FAMILY:
        tap.group(lambda: every_type(operation))
        tap.group(lambda: last_values(operation))
    tap.group(residues)
else:
    tap.skip('the family and the command', 'the command is not there')
tap.group(refusals)
tap.group(names)
tap.done()
