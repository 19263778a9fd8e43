# SPDX-License-Identifier: GPL-3.0-or-later

"""Shared by the tests that run inside GIMP: images made from lists of levels, and calls of
procedures.

A picture is a list of rows of levels in the units of its precision: integers for 8, 16 and 32
bits, real numbers from 0 to 1 for the others.
"""

import array
import glob
import os
import random

import gi

gi.require_version('Gimp', '3.0')
gi.require_version('Gegl', '0.4')
from gi.repository import Gegl, Gimp

from results import DAY, IS_LONG, SEED, TIER, cases, of_today, shown, tap, turns

RECONSTRUCT = 'plug-in-wavefront-reconstruct'
DISTANCE = 'plug-in-wavefront-distance-map'
WATERSHED = 'plug-in-wavefront-watershed'
# arguments that return another object than was set, for the same item
ITEMS = ('line-color', 'marker', 'marker-layer', 'marker-path', 'table-file',
         'outline-file', 'measure-on')
# one of the operations by reconstruction
FILTER = 'plug-in-wavefront-%s'

# titles of the dialogs in English
TITLES = {RECONSTRUCT: 'Reconstruction', DISTANCE: 'Distance Map',
          FILTER % 'geodesic-distance': 'Geodesic Distance',
          WATERSHED: 'Watershed', FILTER % 'fill-holes': 'Fill Holes',
          FILTER % 'clear-border': 'Clear Border', FILTER % 'h-maxima': 'H-Maxima',
          FILTER % 'h-minima': 'H-Minima', FILTER % 'regional-maxima': 'Regional Maxima',
          FILTER % 'regional-minima': 'Regional Minima',
          FILTER % 'extended-maxima': 'Extended Maxima',
          FILTER % 'extended-minima': 'Extended Minima',
          FILTER % 'opening-by-reconstruction': 'Opening by Reconstruction',
          FILTER % 'closing-by-reconstruction': 'Closing by Reconstruction',
          FILTER % 'white-top-hat-by-reconstruction': 'White Top-Hat by Reconstruction',
          FILTER % 'black-top-hat-by-reconstruction': 'Black Top-Hat by Reconstruction',
          FILTER % 'white-top-hat': 'White Top-Hat', FILTER % 'black-top-hat': 'Black Top-Hat',
          **{FILTER % name: name.title()
             for name in ('erosion', 'dilation', 'opening', 'closing', 'gradient', 'median',
                          'threshold')},
          **{FILTER % f'{attribute}-{way}': f'{attribute} {way}'.title()
             for attribute in ('area', 'height', 'volume') for way in ('opening', 'closing')},
          FILTER % 'remove-small': 'Remove Small Regions',
          FILTER % 'keep-largest': 'Keep Largest Regions',
          FILTER % 'expand-labels': 'Expand Labels', FILTER % 'relabel': 'Relabel'}
# those that take a gray layer of 8 or 16 bits only
LABEL_TOOLS = ('remove-small', 'keep-largest', 'expand-labels', 'relabel')

GRAY, RGB = Gimp.ImageBaseType.GRAY, Gimp.ImageBaseType.RGB
P = Gimp.Precision

# precision: the letter of the model, the type of a component, its letter for array
ENCODINGS = {
    P.U8_LINEAR: ('', 'u8', 'B'),
    P.U8_NON_LINEAR: ("'", 'u8', 'B'),
    P.U8_PERCEPTUAL: ('~', 'u8', 'B'),
    P.U16_LINEAR: ('', 'u16', 'H'),
    P.U16_NON_LINEAR: ("'", 'u16', 'H'),
    P.U16_PERCEPTUAL: ('~', 'u16', 'H'),
    P.U32_LINEAR: ('', 'u32', 'I'),
    P.U32_NON_LINEAR: ("'", 'u32', 'I'),
    P.HALF_LINEAR: ('', 'float', 'f'),
    P.HALF_NON_LINEAR: ("'", 'float', 'f'),
    P.FLOAT_LINEAR: ('', 'float', 'f'),
    P.FLOAT_NON_LINEAR: ("'", 'float', 'f'),
    P.FLOAT_PERCEPTUAL: ('~', 'float', 'f'),
    P.DOUBLE_LINEAR: ('', 'double', 'd'),
    P.DOUBLE_NON_LINEAR: ("'", 'double', 'd'),
}
MAXIMUM = {'u8': 255, 'u16': 65535, 'u32': 4294967295, 'float': 1.0, 'double': 1.0}


# ---------------------------------------------------------------- images

def encoding(image):
    return ENCODINGS[image.get_precision()]


def maximum(image):
    return MAXIMUM[encoding(image)[1]]


def new_image(width, height, base=GRAY, precision=P.U8_NON_LINEAR):
    return Gimp.Image.new_with_precision(width, height, base, precision)


def layer_type(image, alpha):
    if image.get_base_type() == GRAY:
        return Gimp.ImageType.GRAYA_IMAGE if alpha else Gimp.ImageType.GRAY_IMAGE
    return Gimp.ImageType.RGBA_IMAGE if alpha else Gimp.ImageType.RGB_IMAGE


def is_plain(drawable):
    """Whether a layer has one component, the level.  Its levels are written and read in the stored
    format: babl chooses conversions by their speed, and not all of them are exact."""
    return (isinstance(drawable, Gimp.Layer) and not drawable.has_alpha()
            and drawable.get_image().get_base_type() == GRAY)


def write_gray(drawable, image, rows, alpha=None):
    """Writes levels unchanged, and the given alpha or a varying one."""
    trc, kind, letter = encoding(image)
    height, width = len(rows), len(rows[0])
    plain = is_plain(drawable)
    pixels = array.array(letter)
    for y, row in enumerate(rows):
        for x, level in enumerate(row):
            pixels.append(level)
            if not plain:
                share = (x * 7 + y * 3) % 5 / 4 if alpha is None else alpha
                pixels.append(type(level)(share * MAXIMUM[kind]))
    buffer = drawable.get_buffer()
    buffer.set(Gegl.Rectangle.new(0, 0, width, height), f"Y{trc}{'' if plain else 'A'} {kind}",
               pixels.tobytes())
    buffer.flush()
    drawable.update(0, 0, width, height)


def new_layer(image, rows, alpha=False, name='layer', x=0, y=0):
    layer = Gimp.Layer.new(image, name, len(rows[0]), len(rows), layer_type(image, alpha),
                           100, Gimp.LayerMode.NORMAL)
    layer.set_offsets(x, y)
    image.insert_layer(layer, None, 0)
    write_gray(layer, image, rows)
    return layer


def gray_image(rows, base=GRAY, precision=P.U8_NON_LINEAR, alpha=False):
    """An image with one layer of these levels, and the layer."""
    image = new_image(len(rows[0]), len(rows), base, precision)
    return image, new_layer(image, rows, alpha)


def read(drawable, model, kind, letter, components):
    """Pixels converted to the model; to None, as they are stored."""
    width, height = drawable.get_width(), drawable.get_height()
    data = drawable.get_buffer().get(Gegl.Rectangle.new(0, 0, width, height), 1.0,
                                     model and f'{model} {kind}', Gegl.AbyssPolicy.NONE)
    values = array.array(letter)
    values.frombytes(bytes(data))
    if components == 1:
        return [list(values[y * width:(y + 1) * width]) for y in range(height)]
    pixels = [tuple(values[i:i + components]) for i in range(0, len(values), components)]
    return [pixels[y * width:(y + 1) * width] for y in range(height)]


def levels(drawable):
    """The levels of a gray layer, or of a color layer with gray pixels only."""
    image = drawable.get_image()
    trc, kind, letter = encoding(image)
    if is_plain(drawable):
        # a number image has a profile, with which levels would be converted
        return read(drawable, None if image.get_color_profile() else f'Y{trc}', kind, letter, 1)
    if image.get_base_type() == GRAY:
        return [[pixel[0] for pixel in row]
                for row in read(drawable, f'Y{trc}A', kind, letter, 2)]
    rows = read(drawable, f'R{trc}G{trc}B{trc}A', kind, letter, 4)
    for row in rows:
        for red, green, blue, _ in row:
            if not red == green == blue:
                raise AssertionError(f'{drawable.get_name()} is not gray: {red} {green} {blue}')
    return [[pixel[0] for pixel in row] for row in rows]


def alphas(drawable):
    trc, kind, letter = encoding(drawable.get_image())
    return [[pixel[1] for pixel in row] for row in read(drawable, f'Y{trc}A', kind, letter, 2)]


def colors(drawable):
    """Red, green, blue and alpha, in 8 bits of non-linear sRGB."""
    return read(drawable, "R'G'B'A", 'u8', 'B', 4)


def raw_bytes(drawable):
    """The stored bytes of a layer, to check that nothing has changed."""
    image = drawable.get_image()
    trc, kind, _ = encoding(image)
    model = f'Y{trc}A' if image.get_base_type() == GRAY else f'R{trc}G{trc}B{trc}A'
    area = Gegl.Rectangle.new(0, 0, drawable.get_width(), drawable.get_height())
    return bytes(drawable.get_buffer().get(area, 1.0, f'{model} {kind}', Gegl.AbyssPolicy.NONE))


def random_rows(width, height, top, seed, steps=None):
    """Levels from 0 to @top; @steps: how many different ones there are."""
    source = random.Random(seed)
    if isinstance(top, float):
        # multiples of 1/64 are exact in half precision
        return [[source.randrange(65) / 64 * top for _ in range(width)] for _ in range(height)]
    if steps:
        return [[source.randrange(steps) * top // (steps - 1) for _ in range(width)]
                for _ in range(height)]
    return [[source.randrange(top + 1) for _ in range(width)] for _ in range(height)]


# ---------------------------------------------------------------- calls

def value_of(values, index, spec):
    if isinstance(spec, Gimp.ParamCoreObjectArray):
        return list(values.get_core_object_array(index))
    return values.index(index)


class Result:
    """The result of a procedure: its status, its values by name, its message."""

    def __init__(self, procedure, values):
        self.status = values.index(0).value_nick
        self.message = Gimp.get_pdb().get_last_error()
        self.values = {}
        if values.index(0) == Gimp.PDBStatusType.SUCCESS:
            self.values = {spec.name: value_of(values, i + 1, spec)
                           for i, spec in enumerate(procedure.get_return_values())}

    def __getitem__(self, name):
        return self.values[name]

    def __bool__(self):
        return self.status == 'success'

    def __repr__(self):
        return f'{self.status}: {self.values or self.message}'


def call(name, image, drawables, mode=Gimp.RunMode.NONINTERACTIVE, **arguments):
    procedure = Gimp.get_pdb().lookup_procedure(name)
    if procedure is None:
        raise AssertionError(f'{name} is not registered')
    config = procedure.create_config()
    config.set_property('run-mode', mode)
    config.set_property('image', image)
    config.set_core_object_array('drawables', drawables)
    for key, value in arguments.items():
        key = key.rstrip('_').replace('_', '-')
        config.set_property(key, value)
        if key not in ITEMS and config.get_property(key) != value:
            raise AssertionError(f'GIMP did not accept {key} = {value}')
    return Result(procedure, procedure.run(config))


def images_open():
    return sorted(image.get_id() for image in Gimp.get_images())


def must(result):
    if not result:
        raise AssertionError(repr(result))
    return result


def forget():
    """Deletes last values and saved settings: in dialogs GIMP prefers them to a script's values."""
    for path in glob.glob(os.environ['GIMP3_DIRECTORY'] + '/plug-in-settings/*'):
        os.remove(path)


def begin():
    """Removes what an earlier script left in the same GIMP."""
    forget()
    for image in Gimp.get_images():
        image.delete()


def layer_names(image):
    return [layer.get_name() for layer in image.get_layers()]


begin()
