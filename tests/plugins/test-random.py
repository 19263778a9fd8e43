# SPDX-License-Identifier: GPL-3.0-or-later

"""Random calls of every procedure, with valid and invalid values: each succeeds or fails with a
sentence, no plug-in crashes, and a failed call leaves the image unchanged.

PART: 0/2 for the first of two parts of the procedures, which can run at the same time.
"""

import math
import os

from gimptest import *

CALLS = cases(5, 14, 40)
PART, PARTS = map(int, os.environ.get('PART', '0/1').split('/'))
source = random.Random()

PRECISIONS = (P.U8_NON_LINEAR, P.U8_LINEAR, P.U16_NON_LINEAR, P.U16_LINEAR, P.U32_LINEAR,
              P.HALF_LINEAR, P.FLOAT_LINEAR, P.FLOAT_NON_LINEAR, P.DOUBLE_LINEAR)
# set by the call itself, or always at their defaults
NOT_RANDOM = ('run-mode', 'image', 'drawables', 'device', 'threads', 'csv-file', 'table')
ODD_TEXTS = ('', 'auto', '4', '8', '6', '26', '7', 'nonsense', 'ä', '1,2', '0,0', '-1,1', 'nan')
ODD_NUMBERS = (0.0, 0.1, 0.5, 1.0, -0.1, 1.5, 1e300, -1e300, math.inf, math.nan)
ODD_INTEGERS = (0, 1, 2, 3, 7, 64, -1, 4096, 2 ** 31 - 1, -2 ** 31)


def random_image():
    precision = source.choice(PRECISIONS)
    image = new_image(source.randrange(1, 40), source.randrange(1, 30),
                      source.choice((GRAY, RGB)), precision)
    shapes = [(image.get_width(), image.get_height(), 0, 0)] * source.randrange(1, 4)
    if source.random() < 0.2:
        shapes.append((source.randrange(1, 9), source.randrange(1, 9), -3, 2))
    layers = [new_layer(image, random_rows(w, h, maximum(image), source.random(),
                                           steps=source.choice((None, 2, 5))),
                        source.random() < 0.5, f'layer {i}', x, y)
              for i, (w, h, x, y) in enumerate(shapes)]
    if source.random() < 0.2:
        layers[0].add_mask(layers[0].create_mask(Gimp.AddMaskType.BLACK))
    if source.random() < 0.3:
        image.select_ellipse(Gimp.ChannelOps.REPLACE, 2, 1, source.randrange(1, 20), 9)
    if source.random() < 0.2:
        layers[-1].append_filter(Gimp.DrawableFilter.new(layers[-1], 'gegl:invert-gamma', ''))
    if source.random() < 0.1:
        channel = Gimp.Channel.new(image, 'channel', image.get_width(), image.get_height(), 50,
                                   Gegl.Color.new('red'))
        image.insert_channel(channel, None, 0)
        layers.append(channel)
    if source.random() < 0.05 and image.get_base_type() == RGB \
            and precision == P.U8_NON_LINEAR and isinstance(layers[-1], Gimp.Layer):
        image.convert_indexed(Gimp.ConvertDitherType.NONE, Gimp.ConvertPaletteType.GENERATE, 8,
                              False, False, '')
        layers = image.get_layers()
    return image, layers


def words_of(spec):
    """The values of a string argument, from the brackets at the end of its description."""
    start = spec.blurb.rfind('(')
    return tuple(spec.blurb[start + 1:].rstrip(')').split(', ')) if start >= 0 else ()


def random_value(spec, layers):
    kind, odd = spec.value_type.name, source.random() < 0.2
    if kind == 'gboolean':
        return source.random() < 0.5
    if kind == 'gint':
        return source.choice(ODD_INTEGERS) if odd else source.randrange(6)
    if kind == 'gdouble':
        return source.choice(ODD_NUMBERS) if odd else source.random()
    if kind == 'gchararray':
        return source.choice(ODD_TEXTS if odd else words_of(spec) or ODD_TEXTS)
    if kind in ('GimpDrawable', 'GimpLayer', 'GimpItem'):
        return source.choice([None] + [l for l in layers if isinstance(l, Gimp.Layer)])
    return NotImplemented


def random_arguments(procedure, layers):
    """Random values for a few arguments: of many invalid values only the first would be checked."""
    values = {}
    specs = [spec for spec in procedure.get_arguments() if spec.name not in NOT_RANDOM]
    for spec in source.sample(specs, source.randrange(min(5, len(specs)))):
        value = random_value(spec, layers)
        if value is not NotImplemented:
            values[spec.name] = value
    return values


def contents(image):
    """The layers, their pixels, the selection and the number of paths."""
    return ([(layer.get_id(), raw_bytes(layer)) for layer in image.get_layers()]
            if image.get_base_type() != Gimp.ImageBaseType.INDEXED else layer_names(image),
            Gimp.Selection.bounds(image)[1:], len(image.get_paths()))


def call_randomly(procedure, image, layers):
    config = procedure.create_config()
    config.set_property('run-mode', source.choice((Gimp.RunMode.NONINTERACTIVE,) * 4
                                                  + (Gimp.RunMode.WITH_LAST_VALS,)))
    config.set_property('image', image)
    config.set_core_object_array('drawables',
                                 source.sample(layers, source.randrange(1, len(layers) + 1)))
    values = random_arguments(procedure, layers)
    for name, value in values.items():
        config.set_property(name, value)
    return Result(procedure, procedure.run(config)), values


def calls_of(name):
    """Each procedure has its own random numbers, independent of earlier calls."""
    source.seed(f'{SEED} {name}')
    procedure = Gimp.get_pdb().lookup_procedure(name)
    counts = {'success': 0, 'calling-error': 0, 'execution-error': 0}
    wrong = []
    for number in range(CALLS):
        image, layers = random_image()
        before, images = contents(image), len(Gimp.get_images())
        result, values = call_randomly(procedure, image, layers)
        counts[result.status] = counts.get(result.status, 0) + 1
        said = f'call {number} with {values}: {result}'
        if 'returned no return values' in (result.message or ''):
            wrong.append('a crash: ' + said)
        elif not result and not result.message:
            wrong.append('no message: ' + said)
        elif not result and (contents(image) != before or len(Gimp.get_images()) != images):
            wrong.append('something left behind: ' + said)
        for other in Gimp.get_images():
            other.delete()
    tap.ok(not wrong, f'{CALLS} random calls of {name}: {counts}', f'seed {SEED}', *wrong)
    tap.ok(counts['success'] > 0 or CALLS < 10, f'some of which succeed: {name}', f'seed {SEED}',
           counts)


names = sorted(Gimp.get_pdb().query_procedures('plug-in-wavefront-.*', *['.*'] * 7))
tap.ok(len(names) >= 15, 'GIMP knows the procedures', names)
for name in names[PART::PARTS]:
    tap.group(lambda: calls_of(name))
with open(os.environ['WORK'] + '/log', encoding='utf-8', errors='replace') as log:
    bad = [line for line in log
           if 'wavefront' in line and ('CRITICAL' in line or 'Segmentation' in line
                                       or 'fatal error' in line or 'Aborted' in line)]
tap.ok(not bad, 'no critical messages in the output', ''.join(bad))
tap.done()
