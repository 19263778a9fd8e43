# SPDX-License-Identifier: GPL-3.0-or-later

"""The progress that a run reports to GIMP: increasing fractions of the whole, from the beginning
to the end, for one layer, for several, and for every kind of result.
"""

from gimptest import *
from scenes import cells, large_image

NOTES = os.environ['WORK'] + '/progress'   # of progress-listener.c
UNNOTICED = 0.25    # seconds: a shorter step may take most of a short run


def noted():
    """Reads and deletes the notes: for each call its name, time and argument."""
    try:
        with open(NOTES, encoding='utf-8') as file:
            notes = [line.rstrip('\n').split(' ', 2) for line in file]
    except OSError:
        return []
    os.remove(NOTES)
    return notes


def reported(name, image, layers, what, **arguments):
    """Runs a procedure; returns the fractions that it reported."""
    noted()
    must(call(name, image, layers, **arguments))
    notes = noted()
    values = [float(value) for word, _, value in notes if word == 'update']
    tap.ok(notes and notes[0][0] == 'init' and len(notes[0][2]) > 3 and notes[-1][0] == 'end'
           and len(notes) == len(values) + 2, f'{what}: it begins, sends fractions, and ends',
           notes[:3], notes[-3:])
    tap.ok(all(0 <= v <= 1 for v in values)
           and all(b >= a - 1e-9 for a, b in zip(values, values[1:])),
           f'{what}: fractions grow within 0 and 1', values)
    times = [float(when) for _, when, _ in notes]
    steps = zip([0.0] + values, values + [1.0], times, times[1:])
    tap.ok(all(after - before < 0.75 or end - start < UNNOTICED
               for before, after, start, end in steps)
           and len({v for v in values if 0.01 < v < 0.99}) >= 5,
           f'{what}: they are reported during the work', [(when, v) for _, when, v in notes])
    return values


def each_procedure():
    image, layer = large_image(2000, cells(400, 300))
    for name, arguments in (
            (RECONSTRUCT, {'height': 0.3}),
            (FILTER % 'h-maxima', {'height': 0.3}),
            (FILTER % 'opening-by-reconstruction', {'radius': 20, 'element': 'disc'}),
            (DISTANCE, {}),
            (DISTANCE, {'output': 'image', 'signed': True}),
            (WATERSHED, {}),
            (WATERSHED, {'smoothing': 3.0, 'mean_layer': True, 'label_image': True}),
            (WATERSHED, {'input': 'objects'})):
        reported(name, image, [layer],
                 f"{name.removeprefix('plug-in-wavefront-')} {arguments or ''}", **arguments)
        for made in Gimp.get_images():
            if made != image:
                made.delete()
    image.delete()


def several():
    """The whole consists of all layers, each with a share in proportion to its size."""
    image, layer = large_image(1600, cells(400, 300))
    small = new_layer(image, cells(400, 300), name='small')
    reported(WATERSHED, image, [layer, small], 'a large layer and a small one')
    share = 400 * 300 / (400 * 300 + 1600 * 1600)
    values = reported(WATERSHED, image, [small, layer], 'a small layer and a large one')
    tap.ok(any(abs(v - share) < 1e-6 for v in values)
           and sum(v < share for v in values) > 3,
           'each has a share in proportion to its size', share, values)
    image.delete()


for group in (each_procedure, several):
    tap.group(group)
tap.done()
