#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The script docs/cells-of-a-folder on 50 pictures: test-cells-of-a-folder.py COMMAND SCRIPT GENERATOR

The table must have as many cells of each picture as were drawn, and the outlines their areas,
whether a picture has a size of pixels or not. README must show the same steps.
"""
import collections
import csv
import json
import os
import subprocess
import sys
import tempfile

COMMAND, SCRIPT, GENERATOR = (os.path.abspath(word) for word in sys.argv[1:4])
N_PICTURES = 50
SIZE = 0.5  # of a pixel, in those pictures that have one
count = failed = 0


def report(passed, name, *why):
    global count, failed
    count += 1
    failed += not passed
    print('%s %d %s' % ('ok' if passed else 'not ok', count, name), flush=True)
    if not passed:
        print('#', *why)


def area(rings):
    """By the shoelace formula: holes run the other way."""
    return sum((a[0] * b[1] - b[0] * a[1]) / 2 for ring in rings for a, b in zip(ring, ring[1:]))


def area_of(geometry):
    polygons = geometry['coordinates']
    return sum(map(area, polygons if geometry['type'] == 'MultiPolygon' else [polygons]))


def steps_of(path):
    with open(path, encoding='utf-8') as file:
        return file.read().partition(" run '\n")[2].partition("'")[0]


def main():
    readme = os.path.join(os.path.dirname(SCRIPT), '..', 'README.md')
    report(steps_of(SCRIPT) and steps_of(SCRIPT) == steps_of(readme), 'README shows its steps')
    with open(SCRIPT, encoding='utf-8') as file:
        report(len(file.readlines()) <= 20, 'it has at most twenty lines')
    with tempfile.TemporaryDirectory() as folder:
        pictures, results = os.path.join(folder, 'my pictures'), os.path.join(folder, 'results')
        os.mkdir(pictures)
        made = subprocess.run([sys.executable, GENERATOR, pictures, str(N_PICTURES)], check=True,
                              capture_output=True, text=True).stdout
        drawn = dict(line.rsplit(' ', 1) for line in made.splitlines())
        done = subprocess.run([SCRIPT, pictures, results], capture_output=True, text=True,
                              env=dict(os.environ, WAVEFRONT=COMMAND))
        report(done.returncode == 0, 'the script succeeds', done.stderr)
        with open(os.path.join(results, 'cells.csv'), encoding='utf-8') as file:
            lines = list(csv.DictReader(file))
        found = collections.Counter(line['file'] for line in lines)
        areas = collections.defaultdict(dict)
        for line in lines:
            areas[line['file']][int(line['label'])] = float(line['pixels'] or line['area'])
        sized = [line for line in lines if line['unit']]
        report(0 < len({line['file'] for line in sized}) < N_PICTURES
               and all(float(line['area']) == float(line['pixels']) * SIZE ** 2 for line in sized),
               'areas are in the units of the pictures', len(sized))
        report(len(found) == len(drawn) == N_PICTURES, 'all pictures are in the table', len(found))
        for path, n in drawn.items():
            name = os.path.splitext(os.path.basename(path))[0]
            with open(os.path.join(results, 'outlines', name + '.geojson'),
                      encoding='utf-8') as file:
                features = json.load(file)['features']
            outlines = {feature['properties']['label']: area_of(feature['geometry'])
                        for feature in features}
            report(found[path] == int(n) and outlines == areas[path], name, found[path], n)
    print('1..%d' % count)
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
