# SPDX-License-Identifier: GPL-3.0-or-later

"""Layers larger than the memory that a procedure may take: the results are those that it makes with
all in memory, bit for bit, and the plug-in never has more memory than its limit.

SIDE, LIMIT and WHAT in the environment choose another size, limit and list of runs, for a run by
hand: SIDE=40000 LIMIT=2048 WHAT=distance,fill-holes.  Results of more than COMPARED pixels a side are
not compared.
"""

import os
import signal
import threading
import time

from gi.repository import Gio

from gimptest import *
from processes import processes
from scenes import cells, large_image

PLUG_INS = os.environ['WORK'] + '/plug-ins/wavefront-'
TABLE = os.environ['WORK'] + '/table.csv'
SIDE = int(os.environ.get('SIDE', 4000))
# of the image of slow runs that need more memory
SMALL = SIDE * 3 // 5
COMPARED = 12000
# the limit in MiB beyond what a plug-in takes for a tiny image: less than the images of any run
# here, and enough for two rows of tiles
WORK_MEMORY = 24
# what conversions of colors leave behind, and sums of colors of many basins take
FURTHER = 18
# babl chooses conversions by their speed, and GEGL writes tiles when it has time for it: on a busy
# machine that takes some MiB more now and then, but not each time
RUNS_AT_MOST = 3


class Watch(threading.Thread):
    """What a plug-in has, read every few milliseconds until done(): the most memory in MiB, and
    whether it has images in the swap."""

    def __init__(self):
        super().__init__(daemon=True)
        self.most = 0
        self.swapped = False
        self.is_done = False
        self.start()

    def run(self):
        seen = []
        while not self.is_done:
            seen = [number for number in seen if self.read(number)] or processes(PLUG_INS)
            time.sleep(0.005)

    def read(self, number):
        try:
            with open(f'/proc/{number}/status', encoding='ascii') as file:
                peaks = [line for line in file if line.startswith('VmHWM:')]
            with open(f'/proc/{number}/maps', encoding='utf-8') as file:
                self.swapped |= any(line.endswith(' (deleted)\n') and '/wavefront-' in line
                                    for line in file)
        except OSError:
            return False
        for line in peaks:
            self.most = max(self.most, int(line.split()[1]) / 1024)
        return bool(peaks)

    def done(self):
        self.is_done = True
        self.join()
        return self


def run(name, image, layer, **arguments):
    """The result of a call, what the plug-in had, and the seconds."""
    watch = Watch()
    start = time.monotonic()
    result = call(name, image, [layer], **arguments)
    return result, watch.done(), time.monotonic() - start


def smallest(name, **arguments):
    """What a plug-in takes in MiB for a tiny image."""
    image, layer = gray_image([[0, 9, 200], [255, 3, 0]])
    result, watch, _ = run(name, image, layer, **arguments)
    must(result)
    image.delete()
    return watch.most


def made(result, image):
    """The pixels of all that a call has made, its table, what is selected, and its other values;
    deletes them."""
    values = {'selection': stored(image.get_selection())}
    if os.path.exists(TABLE):
        with open(TABLE, encoding='utf-8') as file:
            values['table'] = hash(file.read())
        os.remove(TABLE)
    for name, value in result.values.items():
        if isinstance(value, Gimp.Image):
            values[name] = [stored(layer) for layer in value.get_layers()]
            value.delete()
        elif isinstance(value, Gimp.Layer):
            values[name] = stored(value)
        elif name != 'layers':
            values[name] = value
    for layer in result['layers']:
        layer.get_image().remove_layer(layer)
    return values


def stored(layer):
    """The bytes as they are stored, a number for each row of tiles."""
    buffer, width, height = layer.get_buffer(), layer.get_width(), layer.get_height()
    return [hash(bytes(buffer.get(Gegl.Rectangle.new(0, y, width, min(128, height - y)), 1.0, None,
                                  Gegl.AbyssPolicy.NONE))) for y in range(0, height, 128)]


def limit_of(what):
    """In MiB."""
    if 'LIMIT' in os.environ or what in PLAIN:
        return LIMIT
    if what == 'closing':   # more than its levels and results take, less than all its images
        return LIMIT + 8 * SIDE * SIDE // 2 ** 20
    return LIMIT + (2 if what == 'watershed' else 1) * FURTHER


def within_limit(what, watch, seconds):
    limit = limit_of(what)
    tap.ok(watch.swapped, f'{what}: in parts')
    tap.ok(watch.most <= limit, f'{what}: within {limit} MiB', f'{watch.most:.0f} MiB')
    tap.write(f'# {what}: {watch.most:.0f} MiB, {seconds:.1f} s')


def compare(what, name, image, layer, select, **arguments):
    """The same with and without a limit."""
    select(image)
    free, watch, seconds = run(name, image, layer, **arguments)
    expected = made(must(free), image)
    tap.ok(not watch.swapped, f'{what}: in memory')
    tap.write(f'# {what}: {watch.most:.0f} MiB, {seconds:.1f} s')
    for left in reversed(range(RUNS_AT_MOST)):
        select(image)
        limited, watch, seconds = run(name, image, layer, memory_limit=limit_of(what), **arguments)
        got = made(must(limited), image)
        wrong = [key for key in expected if got.get(key) != expected[key]]
        if wrong or not left or watch.most <= limit_of(what):
            break
        tap.write(f'# {what}: {watch.most:.0f} MiB, once more')
    tap.ok(not wrong, f'{what}: the same result', wrong, shown(got), shown(expected))
    within_limit(what, watch, seconds)


def measure(what, name, image, layer, select, **arguments):
    """Only with the limit."""
    select(image)
    result, watch, seconds = run(name, image, layer, memory_limit=limit_of(what), **arguments)
    for made_layer in must(result)['layers']:
        image.remove_layer(made_layer)
    within_limit(what, watch, seconds)


def all_selected(image):
    Gimp.Selection.none(image)


def selected(image):
    side = image.get_width()
    image.select_ellipse(Gimp.ChannelOps.REPLACE, 9, 30, side - 20, side - 70)


def with_selection(image):
    side = image.get_width()
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 100, 5, side - 300, side - 9)


def some_selected(image):
    side = image.get_width()
    image.select_rectangle(Gimp.ChannelOps.REPLACE, side // 3, side // 4, side // 2, side // 9)


def add_markers(image):
    """A layer with squares of many grays, as far apart as cells are, and a path with a few points
    that is selected."""
    side = image.get_width()
    layer = Gimp.Layer.new(image, 'markers', side, side, Gimp.ImageType.GRAYA_IMAGE, 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 1)
    buffer = layer.get_buffer()
    for number, (top, left) in enumerate((y, x) for y in range(20, side - 20, 200)
                                         for x in range(20, side - 20, 120)):
        buffer.set(Gegl.Rectangle.new(left, top, 9, 9), "Y'A u8",
                   bytes((number * 7 % 256, 255)) * 81)
    buffer.flush()
    layer.update(0, 0, side, side)
    path = Gimp.Path.new(image, 'points')
    image.insert_path(path, None, 0)
    for x, y in ((0.1, 0.1), (0.9, 0.2), (0.4, 0.5), (0.2, 0.95), (0.8, 0.8)):
        path.stroke_new_from_points(Gimp.PathStrokeType.BEZIER, [x * side, y * side] * 3, False)
    image.set_selected_paths([path])
    image.clean_all()


# name: the procedure, its arguments, what is selected before
RUNS = {
    'distance': (DISTANCE, {}, None),
    'distance-signed': (DISTANCE, {'signed': True, 'side': 'outside', 'automatic_threshold': True,
                                   'output': 'image'}, selected),
    'distance-contours': (DISTANCE, {'output': 'contours', 'metric': 'squared'},
                          with_selection),
    'distance-nearest': (DISTANCE, {'output': 'nearest'}, None),
    'distance-nearest-selection': (DISTANCE, {'output': 'nearest', 'signed': True}, selected),
    'fill-holes': (FILTER % 'fill-holes', {}, None),
    'clear-border': (FILTER % 'clear-border', {}, selected),
    'h-maxima': (FILTER % 'h-maxima', {'dome': True}, None),
    'regional-minima': (FILTER % 'regional-minima', {}, None),
    'extended-maxima': (FILTER % 'extended-maxima', {}, selected),
    'opening': (FILTER % 'opening-by-reconstruction', {'radius': 7}, None),
    'closing': (FILTER % 'closing-by-reconstruction', {'radius': 3, 'element': 'square'},
                selected),
    'white-top-hat': (FILTER % 'white-top-hat-by-reconstruction', {'radius': 4}, selected),
    'black-top-hat': (FILTER % 'black-top-hat-by-reconstruction', {'radius': 2}, None),
    'threshold': (FILTER % 'threshold', {'automatic_threshold': True}, None),
    'threshold-gaussian': (FILTER % 'threshold', {'method': 'gaussian'}, selected),
    'reconstruction': (RECONSTRUCT, {}, None),
    'reconstruction-selection': (RECONSTRUCT, {'from_selection': True, 'by': 'erosion'}, selected),
    'watershed': (WATERSHED, {'mean_layer': True, 'label_image': True, 'valleys': 'bright'}, None),
    'watershed-lines': (WATERSHED, {'lines': True}, with_selection),
    'watershed-gradient': (WATERSHED, {'input': 'gradient', 'smoothing': 1.5, 'tolerance': 0.02},
                           None),
    'watershed-smooth': (WATERSHED, {'input': 'levels', 'smoothing': 2.0, 'tolerance': 0.05},
                         None),
    'watershed-bright-edges': (WATERSHED, {'input': 'gradient', 'valleys': 'bright',
                                           'tolerance': 0.02}, None),
    'watershed-selection': (WATERSHED, {'tolerance': 0.02, 'lines': True}, selected),
    'watershed-selection-edges': (WATERSHED, {'input': 'gradient', 'smoothing': 1.5,
                                              'tolerance': 0.02}, selected),
    'watershed-merged': (WATERSHED, {'merge_value': 0.1, 'smoothing': 1.0, 'input': 'levels',
                                     'table_file': Gio.File.new_for_path(TABLE)}, None),
    'watershed-merged-objects': (WATERSHED, {'input': 'objects', 'merge_value': 300,
                                             'merge_by': 'count', 'lines': True}, selected),
    'watershed-select': (WATERSHED, {'select_basins': True, 'tolerance': 0.02,
                                     'table_file': Gio.File.new_for_path(TABLE)}, some_selected),
    'watershed-markers': (WATERSHED, {'markers': 'layer'}, None),
    'watershed-points': (WATERSHED, {'markers': 'path', 'input': 'gradient', 'smoothing': 1.0,
                                     'lines': True}, None),
    'watershed-objects': (WATERSHED, {'input': 'objects', 'smoothing': 1.0, 'mean_layer': True},
                          None),
    'watershed-background': (WATERSHED, {'input': 'gradient', 'background': 'dark',
                                         'smoothing': 1.0, 'tolerance': 0.02}, selected),
    'watershed-objects-markers': (WATERSHED, {'input': 'objects', 'markers': 'layer',
                                              'lines': True}, selected),
}
# those without a conversion of colors
PLAIN = ('distance', 'fill-holes', 'h-maxima', 'regional-minima', 'opening', 'black-top-hat',
         'threshold', 'reconstruction')
# those of the smaller image
OF_SMALL = ('distance-nearest-selection', 'watershed-bright-edges', 'watershed-selection',
            'watershed-selection-edges', 'watershed-merged', 'watershed-merged-objects',
            'watershed-select', 'watershed-markers', 'watershed-points', 'watershed-objects',
            'watershed-objects-markers', 'watershed-background')
# what the quick tier has of them
QUICK = ('distance', 'distance-signed', 'fill-holes', 'extended-maxima', 'opening', 'closing',
         'threshold-gaussian', 'watershed', 'watershed-gradient', 'watershed-objects-markers',
         'distance-nearest-selection', 'watershed-merged', 'watershed-select')


def all_runs():
    chosen = os.environ.get('WHAT', ','.join(cases(QUICK, of_today(RUNS, *QUICK[:4])))).split(',')
    for side, runs in ((SIDE, [what for what in chosen if what not in OF_SMALL]),
                       (SMALL, [what for what in chosen if what in OF_SMALL])):
        if runs:
            runs_of_image(side, runs)


def runs_of_image(side, chosen):
    image, layer = large_image(side, cells(500, 400))
    add_markers(image)
    for what in chosen:
        name, arguments, select = RUNS[what]
        if arguments.get('markers') == 'layer':
            arguments = arguments | {'marker_layer': image.get_layer_by_name('markers')}
        check = compare if SIDE <= COMPARED else measure
        tap.group(lambda: check(what, name, image, layer, select or all_selected, **arguments))
    image.delete()


def number_image():
    """A large layer of 16 bits, without labels."""
    image = new_image(SIDE, SIDE, precision=P.U16_NON_LINEAR)
    layer = Gimp.Layer.new(image, 'labels', SIDE, SIDE, layer_type(image, False), 100,
                           Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    return image, layer


def refused():
    """What cannot be computed in parts is said in one sentence, and nothing is made."""
    image, layer = large_image(SIDE, cells(500, 400))
    result = call(WATERSHED, image, [layer], memory_limit=LIMIT, lines_path=True)
    tap.ok(not result and 'path of the lines' in result.message.lower()
           and 'memory' in result.message and result.message.count('. ') == 0,
           'Path of the lines: refused', repr(result))
    result = call(WATERSHED, image, [layer], memory_limit=LIMIT, table_measures='area,feret',
                  table_file=Gio.File.new_for_path(f'{TABLE}.chosen'))
    tap.ok(not result and 'Columns' in result.message and not os.path.exists(f'{TABLE}.chosen'),
           'chosen columns: refused', repr(result))
    for what in ('area-opening', 'height-closing', 'volume-opening'):
        result = call(FILTER % what, image, [layer], memory_limit=LIMIT)
        tap.ok(not result and what.replace('-', ' ').title() in result.message
               and 'memory' in result.message and result.message.count('. ') == 0,
               f'{what}: refused', repr(result))
    numbers, number_layer = number_image()
    for what in LABEL_TOOLS:
        result = call(FILTER % what, numbers, [number_layer], memory_limit=LIMIT)
        tap.ok(not result and TITLES[FILTER % what] in result.message
               and 'memory' in result.message and result.message.count('. ') == 0
               and layer_names(numbers) == ['labels'], f'{what}: refused', repr(result))
    numbers.delete()
    add_markers(image)
    result = call(WATERSHED, image, [layer], memory_limit=LIMIT, markers='layer', compactness=0.1,
                  marker_layer=image.get_layer_by_name('markers'))
    tap.ok(not result and 'Compactness' in result.message and 'memory' in result.message,
           'Compactness: refused', repr(result))
    image.remove_layer(image.get_layer_by_name('markers'))
    result = call(FILTER % 'fill-holes', image, [layer], memory_limit=1)
    tap.ok(not result and 'memory' in result.message, 'a limit of 1 MiB: refused', repr(result))
    result = call(FILTER % 'fill-holes', image, [layer], memory_limit=-1)
    tap.same(result.status, 'calling-error', 'a limit below 0: refused')
    tap.same(layer_names(image), ['layer'], 'nothing was made')
    image.delete()


class Killer(Watch):
    """Ends the plug-in, as Cancel does, when it has images in the swap."""

    def read(self, number):
        there = super().read(number)
        if self.swapped and not self.is_done:
            os.kill(number, signal.SIGTERM)
            self.is_done = True
        return there


def files():
    return {os.path.join(folder, name) for folder, _, names in os.walk(os.environ['WORK'])
            for name in names if name.startswith('wavefront-')}


def killed():
    """What is ended meanwhile leaves no file and changes nothing."""
    image, layer = large_image(SIDE, cells(500, 400))
    there = files()
    killer = Killer()
    result = call(DISTANCE, image, [layer], memory_limit=LIMIT)
    killer.done()
    tap.ok(killer.swapped and not result, 'ended at work', repr(result))
    tap.same(files(), there, 'ended at work: no file is left')
    tap.same(layer_names(image), ['layer'], 'ended at work: nothing was made')
    image.delete()


LIMIT = int(os.environ.get('LIMIT') or smallest(FILTER % 'fill-holes') + WORK_MEMORY)
tap.group(all_runs)
if 'WHAT' not in os.environ:
    tap.group(refused)
    tap.group(killed)
tap.done()
