# SPDX-License-Identifier: GPL-3.0-or-later

"""The scripts of a call, for random settings of each procedure: Python-Fu and Script-Fu make the
same as the call, and the command writes the same pixels.
"""

import csv
import random
import tempfile

from gimptest import *
import reference
from scripts import *
import wavefront_command

CALLS = cases(2, 2, 4)
WIDTH, HEIGHT = 41, 30
ODD_NAME = 'it’s \'a\' "lay\\er" (1)'
GEODESIC = FILTER % 'geodesic-distance'
OF_LABELS = [FILTER % tool for tool in LABEL_TOOLS]
source = random.Random()

# made anew in each call, or with nothing that could be compared
FIXED = ('run-mode', 'image', 'drawables', 'device', 'threads', 'fallback', 'algorithm', 'stack',
         'table-file', 'outline-file', 'measure-on', 'measure-source', 'memory-limit', 'marker',
         'marker-layer', 'marker-path', 'from-selection')
# the luminance of colors in floating point, and colors that are drawn there, depend on the
# conversions that babl finds fastest
KINDS_OF_IMAGES = ((P.U8_NON_LINEAR, GRAY), (P.U8_NON_LINEAR, RGB), (P.U16_NON_LINEAR, GRAY),
                   (P.U16_NON_LINEAR, RGB), (P.U8_LINEAR, RGB), (P.FLOAT_LINEAR, GRAY))
GRAY_KINDS = KINDS_OF_IMAGES[:3:2]
WORDS_OF_TWO_DIMENSIONS = ('6', '26')
NUMBERS = {'line-opacity': (0, 100), 'percent': (0, 100),
           'smoothing': (0, 2), 'area': (1, 60), 'volume': (0.1, 5), 'sigma': (0.5, 4),
           'maximum': (1, 30), 'distance': (0, 5), 'step': (1, 9), 'split-tolerance': (0, 3), 'k': (0, 1)}


def words_of(spec):
    start = spec.blurb.rfind('(')
    words = spec.blurb[start + 1:].rstrip(')').split(', ')
    return [word for word in words if word not in WORDS_OF_TWO_DIMENSIONS]


CORRECTIONS = ('', '', '[{"join":[[3,3],[12,9]]}, {"delete":[[7,2]]}]',
               '[{"split":[[2,2],[20,14]]}, {"delete":[[9,9]]}, {"seed":[[14,4]]}]')


STROKES = ('[{"object":[[3,3],[12,9]],"width":3}]',
           '[{"object":[[3,3],[12,9]]}, {"object":[[30,20]],"width":7}, {"background":[[0,29],[40,0]]}]',
           '[{"object":[[2,2],[38,4]],"width":2}, {"erase":[[20,0],[20,9]],"width":3}]',
           '[{"object":[[6,4]]}, {"object":[[12,6]],"width":2}, {"object":[[17,15]]}, '
           '{"object":[[30,9],[33,12]]}, {"object":[[24,24]]}, {"object":[[7,22]]}, '
           '{"background":[[0,29],[40,0]]}]')


def random_value(spec):
    kind = spec.value_type.name
    if kind == 'gboolean':
        return source.random() < 0.5
    if kind == 'gint':
        return source.choice((0, 1, 2, 3))
    if kind == 'gdouble':
        return source.uniform(*NUMBERS.get(spec.name, (0, 0.5)))
    if spec.name == 'merge-by':
        return source.choice(('dynamics', 'area', 'volume', 'count'))
    if spec.name == 'reduction-rate':
        return source.choice((0, 2, 3))
    if spec.name == 'merge-value':    # of depths, areas or numbers
        return source.choice((0.0, source.uniform(0, 0.3), source.uniform(1, 30)))
    if spec.name == 'source':
        return source.choice(('luminance', 'luminance', 'red', 'green'))
    if spec.name == 'stain':
        return source.choice(('', '#6b3fa0', reference.OWN_STAIN))
    if spec.name == 'spacing':
        return source.choice(('1,1', '0.5,2', '1.25,0.1'))
    if spec.name == 'corrections':
        return source.choice(CORRECTIONS)
    if spec.name == 'table-measures':
        return source.choice(('', 'all', 'area,feret'))
    if spec.name == 'marker-strokes':
        return source.choice(STROKES)
    if kind == 'gchararray':
        return source.choice(words_of(spec))
    if kind == 'GeglColor':
        return Gegl.Color.new(source.choice(('#c02010', 'white', '#0380ff')))
    return NotImplemented


def random_settings(procedure):
    """Values for some of the arguments that have an effect."""
    specs = [spec for spec in procedure.get_arguments() if spec.name not in FIXED]
    values = {}
    for spec in source.sample(specs, source.randrange(len(specs) + 1)):
        value = random_value(spec)
        if value is not NotImplemented:
            values[spec.name] = value
    return values


def scene(name, precision, base):
    """An image with two layers: hills with plateaux, and some marks."""
    image = new_image(WIDTH, HEIGHT, base, precision)
    top = maximum(image)
    coarse = random_rows(WIDTH // 4 + 1, HEIGHT // 4 + 1, 15, source.random())
    fine = random_rows(WIDTH, HEIGHT, 2, source.random())
    scaled = [[(coarse[y // 4][x // 4] * 16 + fine[y][x]) for x in range(WIDTH)]
              for y in range(HEIGHT)]
    rows = [[v / 256 if isinstance(top, float) else v * top // 256 for v in row] for row in scaled]
    marks = [[type(top)(top if (x * 7 + y * 13) % 61 == 0 else 0) for x in range(WIDTH)]
             for y in range(HEIGHT)]
    marker = new_layer(image, marks, name='marks')
    path = Gimp.Path.new(image, ODD_NAME)
    for x, y in ((6.0, 4.0), (20.0, 9.0), (33.0, 22.0)):
        path.stroke_new_from_points(Gimp.PathStrokeType.BEZIER,
                                    [x, y] * 3 + [x + 3, y + 5] * 3, False)
    image.insert_path(path, None, 0)
    for x, y in ((9, 7), (30, 20)):
        image.add_vguide(x)
        image.add_hguide(y)
    return image, new_layer(image, rows, name=name), marker


def complete(name, values, marker, here=False):
    """Adds the items that the call needs, or may have; @here: also those that a file has not."""
    if name == GEODESIC or (name == RECONSTRUCT and source.random() < 0.5):
        values['marker'] = marker
    if name == WATERSHED:
        if source.random() < 0.3:
            values['markers'] = 'layer'
        if values.get('markers') == 'layer':
            values['marker-layer'] = marker
        elif values.get('markers') == 'path' and here:
            values['marker-path'] = marker.get_image().get_paths()[0]
        elif values.get('markers') in ('path', 'guides') and not here:
            values['markers'] = 'minima'
        elif values.get('markers') == 'strokes':
            values.setdefault('marker-strokes', STROKES[1])
        if here and source.random() < 0.4:
            values.update({'measure-on': marker, 'max-mean': source.uniform(0, 0.2)})
            values['table-measures'] = 'mean,sum'
    if name in (DISTANCE, GEODESIC) and values.get('unit'):
        values['unit'] = {'image': 'image'}.get(values['unit'], values['unit'])
    return values


def add_slices(image, layer, values):
    """Makes the call one of a stack: of three layers, with 6 or 26 neighbors."""
    for number in range(2):
        image.insert_layer(Gimp.Layer.new_from_drawable(layer, image), None, number)
    values['stack'] = True
    if 'connectivity' in values:
        values['connectivity'] = source.choice(WORDS_OF_TWO_DIMENSIONS)
    if 'spacing' in values:
        values['spacing'] += ',2'


def attempt(name, image, layer, values):
    """The result and what it made, or None if the call is refused."""
    results = []
    made, new, others = made_by(image, lambda: results.append(
        call(name, image, [layer], **{key.replace('-', '_'): v for key, v in values.items()})))
    return (results[0], made, new, others) if results[0] else None


def made_paths(image):
    """All but the path of the scene, which is the lowest."""
    return image.get_paths()[:-1]


def clean(image, new, others, bounds):
    for layer in new:
        image.remove_layer(layer)
    for other in others:
        other.delete()
    for path in made_paths(image):
        image.remove_path(path)
    if bounds[0]:
        image.select_rectangle(Gimp.ChannelOps.REPLACE, bounds[1], bounds[2],
                               bounds[3] - bounds[1], bounds[4] - bounds[2])
    else:
        Gimp.Selection.none(image)


def in_gimp(name):
    """Both scripts make the layers, images and paths that the call made."""
    source.seed(f'{SEED} {name} scripts')
    procedure = Gimp.get_pdb().lookup_procedure(name)
    n_compared, wrong = 0, []
    n_wanted = CALLS * (4 if name == WATERSHED else 1)    # markers of each kind
    for number in range(4 * n_wanted):
        if n_compared == n_wanted:
            break
        draws = name in (WATERSHED, DISTANCE, GEODESIC)
        kinds = (KINDS_OF_IMAGES[:-1] if draws else GRAY_KINDS if name in OF_LABELS
                 else KINDS_OF_IMAGES)
        image, layer, marker = scene(ODD_NAME, *source.choice(kinds))
        if source.random() < 0.4:
            image.select_rectangle(Gimp.ChannelOps.REPLACE, 3, 2, 30, 21)
        bounds = Gimp.Selection.bounds(image)[1:]
        values = complete(name, random_settings(procedure), marker, here=True)
        if any(spec.name == 'stack' for spec in procedure.get_arguments()) and source.random() < 0.2:
            add_slices(image, layer, values)
        tried = attempt(name, image, layer, values)
        if tried:
            result, made, new, others = tried
            items = new or [other.get_layers()[0] for other in others] or made_paths(image)
            texts = history(items[0].get_image(), items[0]) if items else None
            clean(image, new, others, bounds)
            if texts:
                n_compared += 1
                for kind in KINDS[:2]:
                    again, new, others = made_by(image, lambda: run_script(kind, texts[kind]))
                    if again != made:
                        wrong.append(f'{number} {image.get_precision().value_nick} '
                                     f'{image.get_base_type().value_nick} {bounds} {values}\n'
                                     f'{texts[kind]}\n{differences(made, again)}')
                    clean(image, new, others, bounds)
        for other in Gimp.get_images():
            other.delete()
    tap.ok(n_compared == n_wanted and not wrong, f'{n_compared} scripts of {name} make the same',
           f'seed {SEED}', *wrong)


def differences(made, again):
    return [key for key in made if made[key] != again[key]] + [
        [entry[:2] for entry in made['layers']], [entry[:2] for entry in again['layers']]]


def command_values(name, values):
    """Settings whose result can be compared with a file of numbers."""
    values = {key: v for key, v in values.items() if key not in ('filtered', 'select-basins')}
    if name in (DISTANCE, GEODESIC):
        values['output'] = 'image'
    if name == WATERSHED:
        values['label-image'] = True
        if values.get('markers') == 'layer':
            del values['markers'], values['marker-layer']
    return values


def expected(name, values, result, image):
    """The letter of the file's numbers, and the numbers."""
    if name in (DISTANCE, GEODESIC):
        layer = result['distance-image'].get_layers()[0]
        return 'd' if values.get('metric') == 'squared' else 'f', read(layer, None, 'float', 'f', 1)
    if name == WATERSHED:
        layer = result['label-image'].get_layers()[0]
        whole = result['label-image'].get_precision() != P.FLOAT_LINEAR
        rows = read(layer, None, 'u16' if whole else 'float', 'H' if whole else 'f', 1)
        return 'I', [[int(v) for v in row] for row in rows]
    top = maximum(image)
    rows = levels(result['layer'])
    if name in OF_LABELS:   # the command makes u32 of all labels
        return 'I', rows
    if name in (FILTER % 'threshold', *(FILTER % f'{kind}-{which}' for kind in
                                        ('regional', 'extended') for which in ('maxima', 'minima'))):
        return 'B', [[1 if v else 0 for v in row] for row in rows]
    return {255: 'B', 65535: 'H'}[top], rows


def same_numbers(got, wanted, letter, marks):
    if marks:
        got = [[1 if v else 0 for v in row] for row in got]
    if letter == 'd':    # squares are whole numbers, or as near as a float is
        return all(abs(a - b) <= 1e-6 * abs(b) for g, w in zip(got, wanted) for a, b in zip(g, w))
    return got == wanted


def by_command(name):
    """The command writes the same for the exported layers; what it cannot do is in comments."""
    source.seed(f'{SEED} {name} commands')
    procedure = Gimp.get_pdb().lookup_procedure(name)
    n_compared, wrong = 0, []
    # the command takes markers of geodesic distances from one band
    kinds = GRAY_KINDS if 'geodesic' in name or name in OF_LABELS else KINDS_OF_IMAGES[:4]
    for number in range(6 * CALLS):
        if n_compared == CALLS:
            break
        image, layer, marker = scene('layer', *source.choice(kinds))
        values = command_values(name, complete(name, random_settings(procedure), marker))
        tried = attempt(name, image, layer, values)
        if tried:
            result, _, new, others = tried
            item = new[0] if new else others[0].get_layers()[0]
            text = history(item.get_image(), item)['command']
            if 'In GIMP only: unit' not in text:
                n_compared += 1
                letter, wanted = expected(name, values, result, image)
                with tempfile.TemporaryDirectory() as folder:
                    export(layer, f'{folder}/in.png')
                    export(marker, f'{folder}/marker.png')
                    try:
                        got = run_command(text, folder, letter if values.get('metric') != 'squared'
                                          else 'd' if '--spacing' in text
                                          and '--spacing 1,1' not in text else 'Q',
                                          WIDTH, HEIGHT)
                    except AssertionError as error:
                        wrong.append(f'{number} {values}\n{error}')
                        got = wanted
                if not same_numbers(got, wanted, letter, letter == 'B' and wanted and max(
                        map(max, wanted)) <= 1):
                    wrong.append(f'{number} {values}\n{text}')
        for other in Gimp.get_images():
            other.delete()
    tap.ok(n_compared == CALLS and not wrong, f'{n_compared} commands for {name} write the same',
           f'seed {SEED}', *wrong)


LIMITS = ({'min_area': 5.0, 'max_area': 90.0}, {'min_circularity': 0.6, 'inside': True},
          {'max_circularity': 0.7}, {'corrections': CORRECTIONS[3], 'inside': True}, {'min_mean': 0.3, 'max_mean': 0.7},
          {'inside': True, 'input': 'objects', 'threshold': 0.3, 'min_area': 3.0},
          {'corrections': CORRECTIONS[2], 'merge_by': 'count', 'merge_value': 20.0},
          {'corrections': CORRECTIONS[3], 'merge_by': 'area', 'merge_value': 9.0, 'lines': False},
          {'markers': 'strokes', 'marker_strokes': STROKES[1], 'min_area': 5.0},
          {'corrections': CORRECTIONS[3], 'merge_by': 'dynamics', 'merge_value': 0.1,
           'last_index': True},
          {'markers': 'strokes', 'marker_strokes': STROKES[3], 'corrections': CORRECTIONS[3],
           'merge_by': 'count', 'merge_value': 3.0, 'last_index': True},
          {'markers': 'strokes', 'marker_strokes': STROKES[3], 'corrections': CORRECTIONS[2],
           'merge_by': 'area', 'merge_value': 60.0, 'lines': False},
          {'markers': 'strokes', 'marker_strokes': STROKES[3], 'merge_by': 'volume',
           'merge_value': 20.0, 'min_area': 5.0},
          {'input': 'objects', 'threshold': 0.3, 'split_tolerance': 0.0, 'merge_by': 'dynamics',
           'merge_value': 1.0, 'corrections': CORRECTIONS[3], 'last_index': True},
          {'input': 'gradient', 'smoothing': 1.0, 'merge_by': 'count', 'merge_value': 9.0,
           'min_area': 20.0, 'valleys': 'bright'},
          {'background': 'dark', 'automatic_threshold': False, 'threshold': 0.4, 'smoothing': 1.0,
           'merge_by': 'count', 'merge_value': 12.0, 'lines': False},
          {'input': 'gradient', 'background': 'bright', 'merge_by': 'area', 'merge_value': 9.0,
           'corrections': CORRECTIONS[3]},
          {'background': 'dark', 'markers': 'strokes', 'marker_strokes': STROKES[3],
           'valleys': 'bright', 'min_area': 4.0})


def own_stain():
    """The command takes the levels of the same stain."""
    source.seed(f'{SEED} stains')
    image, layer, _ = scene('layer', P.U8_NON_LINEAR, RGB)
    layer.get_buffer().set(Gegl.Rectangle.new(0, 0, WIDTH, HEIGHT), "R'G'B' u8",
                           bytes(source.randrange(256) for _ in range(WIDTH * HEIGHT * 3)))
    for stain in ('#6b3fa0', reference.OWN_STAIN, '0.3, 0.9, 0.2; #c08040'):
        made = must(call(FILTER % 'h-maxima', image, [layer], source='own-stain', stain=stain,
                         height=0.2))['layer']
        text = history(image, made)['command']
        with tempfile.TemporaryDirectory() as folder:
            export(layer, f'{folder}/in.png')
            got = run_command(text, folder, 'B', WIDTH, HEIGHT)
        tap.ok(got == levels(made) and '--stain' in text, f'the stain {stain} in the command', text)
    image.delete()


def read_columns(path):
    with open(path, encoding='utf-8') as file:
        return {name: [float(row[name]) if name != 'unit' else row[name] for row in rows]
                for rows in [list(csv.DictReader(file))] for name in rows[0]}


def tables():
    """Scripts write the table of chosen measures in the image's unit, also of another layer."""
    image, layer, marker = scene('layer', P.U8_NON_LINEAR, GRAY)
    image.set_resolution(12700, 6350)
    image.set_unit(Gimp.Unit.mm())
    with tempfile.TemporaryDirectory() as folder:
        table = f'{folder}/table.csv'   # as the line of the command has it
        export(layer, f'{folder}/in.png')
        export(marker, f'{folder}/measured.png')
        for more in ({}, {'measure_on': marker}):
            result = must(call(WATERSHED, image, [layer], basins_layer=False, smoothing=1.0,
                               table_measures='area,ellipse,centroid,mean,median',
                               table_file=Gio.File.new_for_path(table), **more))
            wanted = read_columns(table)
            texts = history(image, result['lines-layer'])
            image.remove_layer(result['lines-layer'])
            for kind in KINDS[:2]:
                os.remove(table)
                for made in made_by(image, lambda: run_script(kind, texts[kind]))[1]:
                    image.remove_layer(made)
                tap.same(read_columns(table), wanted, f'{kind} writes the same table')
            os.remove(table)
            run_lines(texts['command'].replace('measured.tif', 'measured.png'), folder)
            tap.same(read_columns(table), wanted, 'and so does the command')
        tap.ok(wanted['unit'][0] == 'µm' and wanted['area'][0] == 8 * wanted['pixels'][0],
               'in the unit', wanted)
    image.delete()


def limits():
    """The command leaves out the same basins."""
    for precision, base in KINDS_OF_IMAGES[:3]:
        image, layer, _ = scene('layer', precision, base)
        for values in LIMITS:
            result = must(call(WATERSHED, image, [layer], label_image=True, **values))
            item = result['label-image'].get_layers()[0]
            text = history(result['label-image'], item)['command']
            wanted = expected(WATERSHED, values, result, image)[1]
            with tempfile.TemporaryDirectory() as folder:
                export(layer, f'{folder}/in.png')
                got = run_command(text, folder, 'I', WIDTH, HEIGHT)
            tap.ok(got == wanted and 'In GIMP only' not in text
                   and (result['basins'] > 0 or 'inside' in values),
                   f'{precision.value_nick}, {base.value_nick}: {values}', text, result)
        for other in Gimp.get_images():
            other.delete()


names = sorted(name for name in Gimp.get_pdb().query_procedures('plug-in-wavefront-.*',
                                                               *['.*'] * 7) if name != HISTORY)
# what says its arguments to the command itself, and some of the others
own = [name for name in names if name in (WATERSHED, DISTANCE, GEODESIC, RECONSTRUCT)
       or name.endswith(('threshold', 'h-maxima', 'h-minima'))]
others = [name for name in names if name not in own]
random.Random(f'{SEED} names').shuffle(others)
names = own + cases(others[:5], of_today(others))
for name in names:
    tap.group(lambda: in_gimp(name))
if wavefront_command.is_there():
    tap.group(tables)
    tap.group(limits)
    tap.group(own_stain)
    for name in names:
        tap.group(lambda: by_command(name))
else:
    tap.skip('the scripts for the command', 'the command was not built')
tap.done()
