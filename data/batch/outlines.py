# SPDX-License-Identifier: GPL-3.0-or-later

"""Outlines of the objects in a folder of pictures, and one table of all objects:

    PYTHONPATH=FOLDER-OF-THIS-FILE gimp-console -idf --quit --batch-interpreter=python-fu-eval \\
      -b 'from outlines import outlines; outlines("pictures", "results", input="objects")'

For each picture RESULTS gets NAME.xcf, the picture with a layer of lines, NAME.png, both together,
and NAME.geojson, the outlines of the objects; objects.csv has a line for each object.  Further
arguments are those of plug-in-wavefront-watershed, with _ for -.  A picture that fails is reported,
and the others are done; an error at the end names those that failed.
"""

import csv
import os
import tempfile

from gi.repository import Gio

from wavefront_files import list_pictures, load, save, watershed


def stem_of(name):
    return os.path.splitext(name)[0]


def check_stems(folder, names):
    """An error if two pictures would have results of one name, in any file system."""
    stems = set()
    for stem in map(stem_of, names):
        if stem.casefold() in stems:
            raise ValueError(f'Two pictures in “{folder}” have the name “{stem}”.')
        stems.add(stem.casefold())


def check_results(folder, results):
    """An error if results would replace pictures."""
    if os.path.exists(results) and os.path.samefile(folder, results):
        raise ValueError(f'The results cannot be in “{folder}”, the folder of the pictures.')


def outline(path, stem, table, settings):
    """Divides one picture; writes its results and its table."""
    image, layer = load(path)
    try:
        watershed(image, [layer], {'lines_layer': True, 'basins_layer': False,
                                   'table_file': Gio.File.new_for_path(table),
                                   'outline_file': Gio.File.new_for_path(stem + '.geojson'),
                                   **settings})
        save(image, stem + '.xcf')
        image.flatten()
        save(image, stem + '.png')
    finally:
        image.delete()


def merge(columns, names):
    """Adds those that are new, each behind the one that it follows: pictures with a unit have more."""
    place = 0
    for name in names:
        if name not in columns:
            columns.insert(place, name)
        place = columns.index(name) + 1


def write_table(columns, rows, path):
    """Replaces the file when all is written; what a picture has not stays empty."""
    with open(path + '.part', 'w', encoding='utf-8', newline='') as file:
        writer = csv.DictWriter(file, columns, lineterminator='\n')
        if columns:
            writer.writeheader()
        writer.writerows(rows)
    os.replace(path + '.part', path)


def outlines(folder, results, **settings):
    names = list_pictures(folder)
    check_stems(folder, names)
    check_results(folder, results)
    os.makedirs(results, exist_ok=True)
    columns, rows, failures = [], [], []
    with tempfile.TemporaryDirectory() as scratch:
        table = os.path.join(scratch, 'table.csv')
        for name in names:
            try:
                outline(os.path.join(folder, name), os.path.join(results, stem_of(name)), table,
                        settings)
                with open(table, encoding='utf-8', newline='') as file:
                    table_rows = csv.DictReader(file)
                    lines = [{'file': name, **row} for row in table_rows]
            except (RuntimeError, OSError) as error:
                failures.append(f'{name}: {error}')
                continue
            merge(columns, ['file', *table_rows.fieldnames])
            rows += lines
    write_table(columns, rows, os.path.join(results, 'objects.csv'))
    print(f'{len(names) - len(failures)} of {len(names)} pictures, {len(rows)} objects')
    if failures:
        raise RuntimeError('\n'.join(failures))
