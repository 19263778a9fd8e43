# SPDX-License-Identifier: GPL-3.0-or-later

"""The scripts for batches, in Python and in Script-Fu: both write the same for generated pictures,
which is what the procedures make of each; failures are named, and the rest is done.

BATCH: the folder of the scripts.
"""

import contextlib
import csv
import io
import os
import subprocess
import sys

from gi.repository import Gio

from gimptest import *
from scenes import cells
from scripts import export, run_script, stored

BATCH = os.environ['BATCH']
WORK = os.environ['WORK']
sys.path.insert(0, BATCH)
SETTINGS = {'input': 'objects', 'smoothing': 1.0}
SIZES = {'a, "b".png': (90, 70), 'c.tif': (64, 80), 'd.png': (50, 50)}
COLUMNS = ['file', 'index', 'area', 'pixels', 'centroid_x', 'centroid_y', 'left', 'top', 'width',
           'height', 'minimum', 'mean', 'depth', 'unit']
UNITS = {'d.png': ('µm', 2)}   # and the side of a pixel; the others have none


def in_python(line):
    """Runs a line as the documentation has it; returns what it prints."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        exec(line, {})
    return told.getvalue()


def in_scheme(scripts, line):
    loads = ' '.join(f'(load "{BATCH}/{script}.scm")' for script in ['files', *scripts])
    run_script('script-fu', f'(begin {loads} {line})')


def make_pictures():
    folder = f'{WORK}/pictures'
    os.makedirs(folder)
    for number, (name, (width, height)) in enumerate(SIZES.items()):
        image, layer = gray_image(cells(width, height, number) if cells.__code__.co_argcount > 2
                                  else cells(width, height), RGB if number == 1 else GRAY)
        per_inch = 25400 / UNITS[name][1] if name in UNITS else 72
        image.set_resolution(per_inch, per_inch)
        export(layer, f'{folder}/{name}')
        image.delete()
    return folder


def read_table(path):
    with open(path, encoding='utf-8', newline='') as file:
        return list(csv.reader(file))


def load(path):
    """The image of a file, without the copy that GIMP adds to TIFF files in colors."""
    image = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, Gio.File.new_for_path(path))
    if image is None:
        raise AssertionError(Gimp.get_pdb().get_last_error())
    if path.endswith('.tif'):
        *copies, layer = image.get_layers()
        for copy in copies:
            image.remove_layer(copy)
        image.resize(layer.get_width(), layer.get_height(), 0, 0)
    return image


def pixels(path):
    """Names and bytes of all layers in a file."""
    image = load(path)
    found = [(layer.get_name(), [stored(part) for part in layer.get_children()]
              if layer.is_group() else stored(layer)) for layer in image.get_layers()]
    image.delete()
    return found


def fails(call_it):
    try:
        call_it()
    except Exception as error:
        return str(error)
    return ''


def results_of(path, name):
    """The lines of the table and the outlines that the procedure itself writes for a picture."""
    image = load(path)
    table, drawn = f'{WORK}/one.csv', f'{WORK}/one.geojson'
    must(call(WATERSHED, image, image.get_layers(), table_file=Gio.File.new_for_path(table),
              outline_file=Gio.File.new_for_path(drawn), **SETTINGS))
    image.delete()
    with open(table, encoding='utf-8', newline='') as file:
        rows = [{**row, 'file': name} for row in csv.DictReader(file)]
    unit, side = UNITS.get(name, (None, 1))
    tap.ok(all(row.get('unit') == unit and
               abs(float(row['area']) - float(row.get('pixels', row['area'])) * side * side) < 1e-6
               for row in rows), f'the unit of {name}', rows)
    with open(drawn, 'rb') as file:
        return [[row.get(column, '') for column in COLUMNS] for row in rows], file.read()


def outlines():
    told = in_python(f"from outlines import outlines; outlines({PICTURES!r}, '{WORK}/py', **{SETTINGS!r})")
    in_scheme(['outlines'], f'(outlines "{PICTURES}" "{WORK}/scm" #:input "objects" '
                            '#:smoothing 1)')
    own = {name: results_of(f'{PICTURES}/{name}', name) for name in sorted(SIZES)}
    wanted = [COLUMNS] + [row for rows, _ in own.values() for row in rows]
    for kind in ('py', 'scm'):
        tap.same(read_table(f'{WORK}/{kind}/objects.csv'), wanted,
                 f'the table has the objects of all pictures: {kind}')
        tap.same(sorted(os.listdir(f'{WORK}/{kind}')),
                 sorted(['objects.csv'] + [os.path.splitext(name)[0] + suffix for name in SIZES
                                           for suffix in ('.geojson', '.png', '.xcf')]),
                 f'each picture has its results, and nothing else is there: {kind}')
        for name, (_, outlined) in own.items():
            with open(f'{WORK}/{kind}/{os.path.splitext(name)[0]}.geojson', 'rb') as file:
                tap.ok(file.read() == outlined and b'Polygon' in outlined,
                       f'the outlines are those of the objects: {kind}, {name}', outlined)
    tap.ok(f'3 of 3 pictures, {len(wanted) - 1} objects' in told and len(wanted) > 10,
           'the numbers are told', told)
    for name in SIZES:
        stem = os.path.splitext(name)[0]
        image = load(f'{PICTURES}/{name}')
        must(call(WATERSHED, image, image.get_layers(), basins_layer=False, **SETTINGS))
        layers = [(layer.get_name(), stored(layer)) for layer in image.get_layers()]
        flat = stored(image.flatten())
        image.delete()
        for kind in ('py', 'scm'):
            tap.ok(pixels(f'{WORK}/{kind}/{stem}.xcf') == layers,
                   f'the XCF has the picture and its lines: {kind}, {name}')
            tap.ok(pixels(f'{WORK}/{kind}/{stem}.png')[0][1] == flat,
                   f'the PNG has them in one: {kind}, {name}')
    tap.ok(not Gimp.get_images(), 'no image stays open', Gimp.get_images())


def thumbnails():
    """The copy in a TIFF file is not taken for the picture, which may be smaller or as large."""
    from wavefront_files import load as load_picture
    for width, height in ((3, 2), (64, 80), (256, 256), (300, 20)):
        path = f'{WORK}/small.tif'
        image, layer = gray_image(cells(width, height), RGB)
        export(layer, path)
        loaded, picture = load_picture(path)
        tap.ok((loaded.get_width(), loaded.get_height()) == (width, height) and
               loaded.get_layers() == [picture] and stored(picture) == stored(layer),
               f'the picture, not its copy, of {width} × {height} pixels', loaded.get_layers())
        for other in (image, loaded):
            other.delete()
        message = fails(lambda: in_scheme(
            [], f'''(let* ((image (car (gimp-file-load RUN-NONINTERACTIVE "{path}")))
                           (layer (single-layer image)))
                      (if (not (and (= (vector-length (car (gimp-image-get-layers image))) 1)
                                    (= (car (gimp-image-get-width image)) {width})
                                    (same-size? layer {width} {height})))
                          (error "not the picture"))
                      (gimp-image-delete image))'''))
        tap.same(message, '', f'in Script-Fu, too: {width} × {height}')
    os.remove(path)


def failures():
    folder = f'{WORK}/broken'
    os.makedirs(folder)
    for name in ('a.png', 'c.png'):
        os.link(f'{PICTURES}/d.png', f'{folder}/{name}')
    with open(f'{folder}/b.png', 'w', encoding='utf-8') as file:
        file.write('no picture')
    message = fails(lambda: in_python(f"from outlines import outlines; outlines({folder!r}, '{WORK}/py2')"))
    tap.ok('b.png' in message and 'a.png' not in message, 'the failed picture is named', message)
    message = fails(lambda: in_scheme(['outlines'], f'(outlines "{folder}" "{WORK}/scm2")'))
    tap.ok('b.png' in message.splitlines()[0], 'in Script-Fu, too', message)
    for kind in ('py2', 'scm2'):
        tap.same({row[0] for row in read_table(f'{WORK}/{kind}/objects.csv')[1:]},
                 {'a.png', 'c.png'}, f'the others are done: {kind}')
    os.link(f'{folder}/a.png', f'{folder}/a.tif')
    os.makedirs(f'{WORK}/empty')
    for what, word in ((folder, 'the name “a”'), (f'{WORK}/empty', 'no pictures')):
        message = fails(lambda: in_python(f"from outlines import outlines; outlines({what!r}, '{WORK}/none')"))
        tap.ok(word in message, f'refused: {word}', message)
        message = fails(lambda: in_scheme(['outlines'], f'(outlines "{what}" "{WORK}/none")'))
        tap.ok(word in message, f'refused in Script-Fu: {word}', message)
    tap.ok(not os.path.exists(f'{WORK}/none'), 'before anything is made')
    tap.ok(not Gimp.get_images(), 'no image stays open', Gimp.get_images())


def contents(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(f'{folder}/{name}', 'rb') as file:
            found[name] = file.read()
    return found


def overwriting():
    """No result may replace a picture or another result."""
    own, equal = f'{WORK}/own', f'{WORK}/equal'
    for folder, names in ((own, ['d.png']), (equal, ['cell.jpg', 'cell.mask.png', 'Cell.png'])):
        os.makedirs(folder)
        for name in names:
            os.link(f'{PICTURES}/d.png', f'{folder}/{name}')
    os.symlink(own, f'{WORK}/link')
    before = contents(own)
    for folder, results, word in ((own, own, 'the folder of the pictures'),
                                  (own, f'{WORK}/link', 'the folder of the pictures'),
                                  (own, f'{own}/../own/', 'the folder of the pictures'),
                                  (equal, f'{WORK}/none', 'Two pictures')):
        message = fails(lambda: in_python(
            f'from outlines import outlines; outlines({folder!r}, {results!r})'))
        tap.ok(word in message, f'refused: {word}', message)
        message = fails(lambda: in_scheme(['outlines'], f'(outlines "{folder}" "{results}")'))
        tap.ok(word in message, f'refused in Script-Fu: {word}', message)
    tap.ok(contents(own) == before and not os.path.exists(f'{WORK}/none'),
           'the pictures are as they were', os.listdir(own))
    in_scheme(['outlines'], f'(outlines "{own}" "{WORK}/scm" #:input "objects")')
    tap.ok(os.path.exists(f'{WORK}/scm/d.png'), 'a folder that exists may get the results')


def stacks():
    folder = f'{WORK}/slices'
    os.makedirs(folder)
    for z in range(4):
        image, layer = gray_image(random_rows(30, 20, 255, f'slice {z}', steps=4))
        export(layer, f'{folder}/z{z:02}.png')
        image.delete()
    in_python(f"from stack import stack; stack({folder!r}, '{WORK}/py-stack', tolerance=0.1)")
    in_scheme(['stack'], f'(stack "{folder}" "{WORK}/scm-stack" #:tolerance 0.1)')
    image = load(f'{folder}/z00.png')
    for z in range(1, 4):
        image.insert_layer(Gimp.file_load_layer(
            Gimp.RunMode.NONINTERACTIVE, image, Gio.File.new_for_path(f'{folder}/z{z:02}.png')),
            None, 0)
    table = f'{WORK}/stack.csv'
    result = must(call(WATERSHED, image, image.get_layers(), stack=True, tolerance=0.1,
                       basins_layer=False, label_image=True,
                       table_file=Gio.File.new_for_path(table)))
    wanted = [[stored(layer) for layer in result['label-image'].get_layers()],
              [stored(layer) for layer in result['lines-layer'].get_children()],
              read_table(table)]
    for kind in ('py', 'scm'):
        tap.ok([[part for _, part in pixels(f'{WORK}/{kind}-stack-numbers.xcf')],
                pixels(f'{WORK}/{kind}-stack.xcf')[0][1],
                read_table(f'{WORK}/{kind}-stack.csv')] == wanted,
               f'numbers, lines and table of a stack: {kind}')
    tap.ok(result['basins'] > 3 and len(wanted[0]) == 4, 'which has several basins', result)
    for other in Gimp.get_images():
        other.delete()


def sheets():
    in_python('from contact_sheet import contact_sheet; '
              f"contact_sheet({PICTURES!r}, '{WORK}/py.png', 2, 60)")
    in_scheme(['contact-sheet'],
              f'(contact-sheet "{PICTURES}" "{WORK}/scm.png" 2 60)')
    (_, first), = pixels(f'{WORK}/py.png')
    (_, second), = pixels(f'{WORK}/scm.png')
    tap.ok(first == second, 'both sheets are equal')
    sheet = load(f'{WORK}/py.png')
    tap.same((sheet.get_width(), sheet.get_height()), (8 + 2 * 68, 8 + 2 * 68),
             'three pictures in two columns')
    single = load(f'{PICTURES}/d.png')
    single.convert_rgb()
    part = colors(sheet.get_layers()[0])
    tap.same([[pixel[:3] for pixel in row[13:63]] for row in part[81:131]],
             [[pixel[:3] for pixel in row] for row in colors(single.get_layers()[0])],
             'a picture that fits is not scaled, and lies in the middle of its square')
    tap.ok(all(pixel[:3] == (255, 255, 255) for row in part[76:] for pixel in row[76:]),
           'the last square is empty')
    for other in Gimp.get_images():
        other.delete()


def as_documented():
    """The command line of the documentation, with fonts: the names are on the sheet."""
    done = subprocess.run(
        ['gimp-console', '-id', '--quit', '--batch-interpreter=python-fu-eval', '-b',
         'from contact_sheet import contact_sheet; '
         f'contact_sheet("{PICTURES}", "{WORK}/named.png", 3, 60)'],
        env={**{key: value for key, value in os.environ.items() if key != 'GEGL_PATH'},
             'PYTHONPATH': BATCH},
        capture_output=True, text=True, timeout=200, check=False)
    tap.ok(done.returncode == 0 and '3 pictures' in done.stdout, 'GIMP made the sheet',
           done.stdout, done.stderr)
    sheet = load(f'{WORK}/named.png')
    rows = colors(sheet.get_layers()[0])
    dark = sum(sum(pixel[:3]) < 200 for row in rows[70:86] for pixel in row)
    tap.ok(sheet.get_height() == 8 + 88 and dark > 15, 'the names are below the pictures',
           sheet.get_height(), dark)
    sheet.delete()


PICTURES = make_pictures()
for group in (outlines, thumbnails, failures, overwriting, stacks, sheets, as_documented):
    tap.group(group)
tap.done()
