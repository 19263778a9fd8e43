# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the cost of GIMP's part of a procedure; runs inside GIMP, started by tests/bench/gimp.

A procedure logs its time, and the engine logs its own; the difference is GIMP's part.  In turns
with it, a plug-in reads the same pixels once and writes the same layers once.  The times to start
and to end processes are not included in either.

On a busy machine wall-clock times are not reliable.  There, processor time is measured instead, of
all threads of the plug-in and of GIMP itself, which transfers the pixels: the time that a machine
with one processor would need.
"""
import json
import os
import re
import statistics
import sys
import threading
import time

import gi
import numpy

gi.require_version('Gimp', '3.0')
gi.require_version('Gegl', '0.4')
from gi.repository import Gegl, Gimp

SIZE = int(os.environ['BENCH_SIZE'])
ROUNDS = int(os.environ['BENCH_ROUNDS'])
ONLY = [word for word in os.environ.get('BENCH_ONLY', '').split(',') if word]
BY_PROCESSORS = os.environ['BENCH_CLOCK'] == 'cpu'
LOG = os.environ['WORK'] + '/log'
COPY = 'plug-in-wavefront-bench-copy'
SMALL = 16
PERIOD = 96    # pixels between the points of the landscape's grid
NOISE = 3
T = Gimp.ImageType
GRAY, RGB = Gimp.ImageBaseType.GRAY, Gimp.ImageBaseType.RGB

# type: type of image, precision, type of layer, its format, number and type of its components
TYPES = {
    'gray, 8 bits': (GRAY, Gimp.Precision.U8_NON_LINEAR, T.GRAY_IMAGE, "Y' u8", 1, 'uint8'),
    'gray, 32-bit float': (GRAY, Gimp.Precision.FLOAT_LINEAR, T.GRAY_IMAGE, 'Y float', 1,
                           'float32'),
    'RGB, 8 bits': (RGB, Gimp.Precision.U8_NON_LINEAR, T.RGB_IMAGE, "R'G'B' u8", 3, 'uint8'),
    'RGB and alpha, 8 bits': (RGB, Gimp.Precision.U8_NON_LINEAR, T.RGBA_IMAGE, "R'G'B'A u8", 4,
                              'uint8'),
}
WITH_ALPHA = {T.GRAY_IMAGE: T.GRAYA_IMAGE, T.RGB_IMAGE: T.RGBA_IMAGE}

# operation: procedure, arguments, its new layers: of the source's type, or with alpha
OPERATIONS = {
    'fill holes': ('plug-in-wavefront-fill-holes', {}, ['same']),
    'distance map': ('plug-in-wavefront-distance-map', {'threshold': 0.5}, ['same']),
    'watershed: lines and basins': ('plug-in-wavefront-watershed',
                                    {'lines-layer': True, 'basins-layer': True},
                                    ['alpha', 'same']),
}


def landscape(first, n_rows, size, n_components, kind):
    """Smooth hills with noise, about as rough as a micrograph; rows from @first on."""
    points = size // PERIOD + 2
    random = numpy.random.RandomState(5)
    grid = random.randint(20, 230, (points, points)).astype('float32')
    at = numpy.arange(size) / PERIOD
    left = at.astype(int)
    share = (at - left).astype('float32')
    share = share * share * (3 - 2 * share)
    across = grid[:, left] * (1 - share) + grid[:, left + 1] * share
    rows = slice(first, first + n_rows)
    down = share[rows, None]
    levels = across[left[rows]] * (1 - down) + across[left[rows] + 1] * down
    levels += numpy.random.RandomState(first).randint(-NOISE, NOISE + 1, levels.shape)
    pixels = numpy.repeat(numpy.clip(levels, 0, 255)[:, :, None], n_components, axis=2)
    if n_components == 4:
        pixels[:, :, 3] = 255
    return (pixels / 255 if kind == 'float32' else pixels).astype(kind)


def new_image(size, base, precision, layer_type, format_name, n_components, kind):
    image = Gimp.Image.new_with_precision(size, size, base, precision)
    image.undo_disable()
    layer = Gimp.Layer.new(image, 'layer', size, size, layer_type, 100, Gimp.LayerMode.NORMAL)
    image.insert_layer(layer, None, 0)
    buffer = layer.get_buffer()
    for first in range(0, size, 512):
        n_rows = min(512, size - first)
        pixels = landscape(first, n_rows, size, n_components, kind)
        buffer.set(Gegl.Rectangle.new(0, first, size, n_rows), format_name, pixels.tobytes())
    buffer.flush()
    layer.update(0, 0, size, size)
    return image, layer


def remove_results(image, layer):
    for other in image.get_layers():
        if other.get_id() != layer.get_id():
            image.remove_layer(other)


def call(name, image, layer, **arguments):
    """Calls a procedure; returns its return values."""
    procedure = Gimp.get_pdb().lookup_procedure(name)
    config = procedure.create_config()
    if name != COPY:
        config.set_property('run-mode', Gimp.RunMode.NONINTERACTIVE)
        config.set_property('image', image)
        config.set_core_object_array('drawables', [layer])
    for key, value in arguments.items():
        config.set_property(key.replace('_', '-'), value)
    values = procedure.run(config)
    if values.index(0) != Gimp.PDBStatusType.SUCCESS:
        raise RuntimeError(f'{name}: {Gimp.get_pdb().get_last_error()}')
    return values


class Log:
    """The times of procedures and of the engine in GIMP's log."""

    def __init__(self):
        self.file = open(LOG, encoding='utf-8', errors='replace')

    def seconds(self):
        """Seconds of the procedures and of the engine since the previous call."""
        procedures = engine = 0
        for line in self.file.read().splitlines():
            found = re.search(r'wavefront-DEBUG: [^ ]+: (.*): ([0-9.]+) s, processors ([0-9.]+) s$',
                              line)
            if found and found[1].startswith('plug-in-'):
                procedures += float(found[2 + BY_PROCESSORS])
            elif found:
                engine += float(found[2 + BY_PROCESSORS])
        return procedures, engine


log = Log()


def gimp_seconds():
    """Processor time of GIMP's own process."""
    if not BY_PROCESSORS:
        return 0
    with open(f'/proc/{os.getppid()}/stat', encoding='ascii') as stat:
        fields = stat.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def copy_once(image, layer, layer_type, layers):
    kinds = {'same': layer_type, 'alpha': WITH_ALPHA.get(layer_type, layer_type)}
    numbers = ','.join(str(int(kinds[name])) for name in layers)
    gimp = gimp_seconds()
    values = call(COPY, image, layer, drawable=layer, types=numbers,
                  by_processors=BY_PROCESSORS)
    gimp = gimp_seconds() - gimp
    made = sorted(int(other.type()) for other in image.get_layers()
                  if other.get_id() != layer.get_id())
    remove_results(image, layer)
    return values.index(1), values.index(2), gimp, made


def work_once(image, layer, operation):
    """Total seconds, seconds of the engine, and the types of the new layers."""
    name, arguments, _ = OPERATIONS[operation]
    log.seconds()
    gimp = gimp_seconds()
    call(name, image, layer, **arguments)
    gimp = gimp_seconds() - gimp
    whole, engine = log.seconds()
    made = sorted(int(other.type()) for other in image.get_layers()
                  if other.get_id() != layer.get_id())
    remove_results(image, layer)
    return whole + gimp, engine, made


class Peak(threading.Thread):
    """Polls the peak resident memory of our plug-ins while they run."""

    def __init__(self):
        super().__init__(daemon=True)
        self.bytes = 0
        self.going = True
        self.start()

    def run(self):
        while self.going:
            for entry in os.listdir('/proc'):
                if entry.isdigit():
                    self.look(entry)
            time.sleep(0.01)

    def look(self, entry):
        try:
            with open(f'/proc/{entry}/status', encoding='ascii', errors='replace') as status:
                lines = dict(line.split(':', 1) for line in status if ':' in line)
        except OSError:
            return
        if lines['Name'].strip().startswith('wavefront-') and 'VmHWM' in lines:
            self.bytes = max(self.bytes, 1024 * int(lines['VmHWM'].split()[0]))

    def stop(self):
        self.going = False
        self.join()
        return self.bytes


def peak_of(image, layer, operation):
    peak = Peak()
    work_once(image, layer, operation)
    return peak.stop()


def measure(type_name, operation):
    layer_type = TYPES[type_name][2]
    layers = OPERATIONS[operation][2]
    small = new_image(SMALL, *TYPES[type_name])
    large = new_image(SIZE, *TYPES[type_name])
    plain, engines, parts, ratios = ([] for _ in range(4))
    for turn in range(1 + ROUNDS):
        read_once, written_once, gimp, copied = copy_once(*large, layer_type, layers)
        whole, engine, made = work_once(*large, operation)
        if copied != made:
            raise RuntimeError(f'{operation} makes layers {made}, the copy makes {copied}')
        if turn == 0:
            continue
        once = read_once + written_once + gimp
        for figures, figure in ((plain, once), (engines, engine), (parts, whole - engine),
                                (ratios, (whole - engine) / once)):
            figures.append(figure)
    base = peak_of(*small, operation)
    held = (peak_of(*large, operation) - base) / SIZE ** 2
    for image, _ in (small, large):
        image.delete()
    median = statistics.median
    return {'type': type_name, 'operation': operation, 'once': median(plain),
            'engine': median(engines), 'part': median(parts), 'ratio': median(ratios),
            'held': held}


def main():
    number = 0
    with open(os.environ['TAP'], 'w', encoding='utf-8') as tap, \
            open(os.environ['BENCH_RESULTS'], 'w', encoding='utf-8') as results:
        for type_name in TYPES:
            for operation in OPERATIONS:
                case = f'{operation}; {type_name}'
                if ONLY and not any(word in case for word in ONLY):
                    continue
                number += 1
                figures = measure(type_name, operation)
                print(json.dumps(figures), file=results, flush=True)
                # on a busy machine times have no limits, but they must be present
                good = all(figures[name] > 0 for name in ('once', 'engine', 'part'))
                print(f"{'ok' if good else 'not ok'} {number} - {case}: "
                      f"{figures['part']:.2f} s, {figures['ratio']:.2f} x", file=tap, flush=True)
        print(f'1..{number}', file=tap)


main()
sys.stdout.flush()
