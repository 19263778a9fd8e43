# SPDX-License-Identifier: GPL-3.0-or-later

"""Distance maps and watersheds with random arguments: they succeed or fail with a sentence, and a
failed call leaves the image unchanged.
"""

import array

from gi.repository import Gio

from gimptest import *

CALLS = cases(8, 20, 60)
WORK = os.environ['WORK']

NUMBERS = {'threshold': (0.0, 0.4, 1.0, 1.5, -0.1), 'tolerance': (0.0, 0.1, 1.0, 2.0),
           'smoothing': (0.0, 0.7, 30.0, 257.0, -1.0), 'maximum': (0.0, 5.0, 1e9, 2e9, -3.0),
           'step': (0.0, 0.001, 3.0, 1e9), 'line-opacity': (0.0, 50.0, 100.0, 200.0),
           'split-tolerance': (0.0, 1.0, 1e6, -2.0), 'merge-value': (0.0, 0.01, 3.0, 1e12, -5.0),
           'gradient': (0, 1, 5, 2000, -1), 'threads': (0, 1, 2, 5000), 'tile-size': (0, 7, 64, -1),
           'reduction-rate': (0, 2, 1, 1048577)}
TEXTS = {'output': ('normalized', 'raw', 'clipped', 'image', 'contours', 'nearest', ''),
         'side': ('inside', 'outside', 'both'), 'unit': ('spacing', 'image', '1'),
         'metric': ('euclidean', 'squared', 'city-block', 'chessboard', '8'),
         'spacing': ('1,1', '0.5,2', '0,1', 'wide', '1e300,1e-300'),
         'connectivity': ('auto', 'auto', '4', '8', '8', '6', '5'), 'algorithm': ('auto', 'steepest', 'x'),
         'input': ('levels', 'gradient', 'objects', 'x'), 'valleys': ('dark', 'bright', 'gray'),
         'objects': ('light', 'dark', ''), 'background': ('none', 'dark', 'bright', 'x'),
         'block-size': ('auto', '64', '65'),
         'markers': ('minima', 'minima', 'minima', 'layer', 'path', 'guides', 'strokes', 'x'),
         'marker-strokes': ('[{"object":[[0,0],[5,4]],"width":3}]',
                            '[{"object":[[0,0]]}, {"background":[[16,3]],"width":9}, {"object":[[9,8]]}]',
                            '[{"object"'),
         'merge-by': ('dynamics', 'area', 'volume', 'count', 'x'),
         'corrections': ('', '', '[{"join":[[0,0],[5,4]]}, {"delete":[[3,3]]}]',
                         '[{"split":[[0,5],[16,4]]}, {"seed":[[8,6]]}, {"keep":[[40,2]]}]', '[{"join"'),
         'table-measures': ('', '', 'area,feret,mean', 'all', 'area,volume'),
         'device': ('auto', 'cpu', 'cpu', 'all', 'cuda:77')}


def value(source, spec, image, layers, paths):
    if spec.name in ('run-mode', 'image', 'drawables', 'line-color', 'source', 'stack'):
        return None
    if spec.name == 'marker-layer':
        return source.choice([None, *layers])
    if spec.name == 'marker-path':
        return source.choice([None, *paths])
    if spec.name == 'table-file':
        return source.choice([None, None, Gio.File.new_for_path(WORK + '/random.csv'),
                              Gio.File.new_for_path('/no/such/random.csv')])
    if spec.name in TEXTS:
        # most of these calls must succeed
        return source.choice(TEXTS[spec.name][:-1] if source.random() < 0.95 else
                             TEXTS[spec.name])
    if spec.name in NUMBERS:
        return source.choice(NUMBERS[spec.name][:2] if source.random() < 0.9 else
                             NUMBERS[spec.name])
    if spec.value_type.name == 'gboolean':
        return source.random() < 0.5
    return None


def landscape(source, width, height, top):
    if isinstance(top, int):
        return [[source.randrange(top + 1) for _ in range(width)] for _ in range(height)]
    return [[source.random() for _ in range(width)] for _ in range(height)]


def scene(source):
    base, precision = source.choice((GRAY, RGB)), source.choice(
        (P.U8_NON_LINEAR, P.U16_LINEAR, P.FLOAT_LINEAR, P.HALF_NON_LINEAR))
    width, height = source.choice(((1, 1), (17, 9), (1, 12), (40, 30)))
    top = 1.0 if precision == P.HALF_NON_LINEAR else MAXIMUM[ENCODINGS[precision][1]]
    image, layer = gray_image(landscape(source, width, height, top), base, precision,
                              source.random() < 0.5)
    other = new_layer(image, landscape(source, width, height, top), True, 'other',
                      source.randrange(-3, 4), source.randrange(-3, 4))
    path = Gimp.Path.new(image, 'path')
    path.stroke_new_from_points(Gimp.PathStrokeType.BEZIER, [3.0, 4.0] * 3 + [8.0, 1.0] * 3, False)
    image.insert_path(path, None, 0)
    image.add_vguide(width // 2)
    image.add_hguide(height // 2)
    if source.random() < 0.5:
        image.select_rectangle(Gimp.ChannelOps.REPLACE, 0, 0, width // 2 + 1, height)
    return image, layer, [layer, other], [path]


def state(image, layer):
    return (layer_names(image), [p.get_name() for p in image.get_paths()],
            len(image.get_channels()), len(Gimp.get_images()), raw_bytes(layer))


def colors(layer):
    """Red, green, blue and alpha of a layer, from 0 to 1 where its levels are."""
    trc = encoding(layer.get_image())[0]
    area = Gegl.Rectangle.new(0, 0, layer.get_width(), layer.get_height())
    pixels = layer.get_buffer().get(area, 1.0, f'R{trc}G{trc}B{trc}A float', Gegl.AbyssPolicy.NONE)
    return array.array('f', bytes(pixels))


def are_near(one, other):
    """Whether colors differ by less than a level of 8 bits, which GIMP's conversion may cost."""
    return len(one) == len(other) and all(abs(a - b) < 1 / 255 * max(1, abs(a))
                                          for a, b in zip(one, other))


def random_calls(name):
    source = random.Random(f'{SEED} {name}')
    procedure = Gimp.get_pdb().lookup_procedure(name)
    done, bad = 0, []
    for number in range(CALLS):
        image, layer, layers, paths = scene(source)
        arguments = {}
        for spec in procedure.get_arguments():
            chosen = value(source, spec, image, layers, paths)
            if chosen is not None and source.random() < 0.6:
                arguments[spec.name] = chosen
        before, shown, gray = state(image, layer), colors(layer), layer.is_gray()
        result = call(name, image, [layer], **arguments)
        if result:
            done += 1
        elif result.status != 'calling-error' or len(result.message) < 15 \
                or 'no return values' in result.message or state(image, layer) != before:
            bad.append((number, arguments, result))
        if gray and layer.is_rgb():
            kept = arguments.get('convert-to-rgb') and are_near(colors(layer), shown)
        else:
            kept = raw_bytes(layer) == before[-1]
        if not kept:
            bad.append((number, arguments, 'changed its layer'))
        for made in Gimp.get_images():
            made.delete()
    tap.ok(not bad, f'{CALLS} calls of {name}', f'seed {SEED}', *bad)
    tap.ok(CALLS // 5 < done and (done < CALLS or CALLS < 30),
           f'some are refused and some are not, {name}', f'seed {SEED}', done)


for procedure in (DISTANCE, WATERSHED):
    tap.group(lambda: random_calls(procedure))
tap.done()
