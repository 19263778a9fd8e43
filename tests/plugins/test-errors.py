# SPDX-License-Identifier: GPL-3.0-or-later

"""Errors of the procedures: their status and message, and that the image is unchanged.
"""

import math

from gimptest import *

image, layer = gray_image(random_rows(12, 8, 255, 'errors'))
other_image, other_layer = gray_image([[1, 2, 3]])
image.clean_all()
before = raw_bytes(layer)

ALL = (RECONSTRUCT, DISTANCE, WATERSHED)


def refused(name, words, status='calling-error', images=None, drawables=None, **arguments):
    """@words: texts that the message must contain."""
    target = images or image
    result = call(name, target, [layer] if drawables is None else drawables, **arguments)
    shown_arguments = ', '.join(f'{k.rstrip("_")}={v!r}' for k, v in arguments.items()
                                if k != 'marker')
    tap.ok(result.status == status and all(word in result.message for word in words),
           f"{name[len('plug-in-wavefront-'):]} refuses {shown_arguments or words[0]}",
           result, f'expected {status} with {words}')


def untouched(what):
    tap.ok(layer_names(image) == ['layer'] and raw_bytes(layer) == before
           and not image.is_dirty() and image.get_selected_layers() == [layer],
           f'{what} leave the image unchanged', layer_names(image), image.is_dirty())


def words():
    """A misspelt choice is an error; it is not replaced by the default."""
    for name in ALL:
        refused(name, ['connectivity', '5', '4', '8'], connectivity='5')
        refused(name, ['connectivity', 'eight'], connectivity='eight')
        refused(name, ['connectivity'], connectivity='')
        refused(name, ['6'], connectivity='6')
        refused(name, ['26'], connectivity='26')
        refused(name, ['algorithm', 'quick'], algorithm='quick')
        refused(name, ['gpu'], device='gpu')
        refused(name, ['cuda:x'], device='cuda:x')
        refused(name, ['cuda:999'], device='cuda:999')
    refused(RECONSTRUCT, ['by', 'dilatation', 'dilation', 'erosion'], by='dilatation')
    refused(DISTANCE, ['metric', 'euclid', 'euclidean', 'city-block'], metric='euclid')
    refused(DISTANCE, ['output', 'log', 'normalized', 'raw'], output='log')
    for spacing in ('1', '1,0', '1,-2', 'a,b', '1,2,3,4', '', 'nan,1', 'inf,1'):
        refused(DISTANCE, ['spacing'], spacing=spacing)
    untouched('misspelt choices')


def numbers():
    """A number out of range is an error; it is not clamped or replaced."""
    for name in ALL:
        refused(name, ['threads', '-1'], threads=-1)
        refused(name, ['threads', '5000'], threads=5000)
        refused(name, ['tile-size', '-4'], tile_size=-4)
        refused(name, ['tile-size'], tile_size=1 << 30)
    for value in (-0.01, 1.01, 128.0):
        refused(RECONSTRUCT, ['height'], height=value)
        refused(DISTANCE, ['threshold'], threshold=value)
        refused(WATERSHED, ['tolerance'], tolerance=value)
    untouched('numbers out of range')


def algorithms():
    """An algorithm that exists but belongs to another operation."""
    refused(RECONSTRUCT, ['algorithm', 'envelope'], algorithm='envelope')
    refused(DISTANCE, ['algorithm', 'steepest'], algorithm='steepest')
    refused(WATERSHED, ['algorithm', 'hybrid'], algorithm='hybrid')
    untouched('algorithms of other operations')


def comparisons():
    """Algorithms for comparison are in no dialog, but scripts may ask for them."""
    for name, algorithm in ((RECONSTRUCT, 'queue'), (DISTANCE, 'propagation')):
        own_image, own_layer = gray_image([[1, 2, 3]])
        result = call(name, own_image, [own_layer], algorithm=algorithm)
        tap.ok(result.status == 'success', f"{name[len('plug-in-wavefront-'):]} takes {algorithm}",
               result)


def nothing_asked_for():
    refused(WATERSHED, ['lines', 'basins'], lines_layer=False, basins_layer=False)
    untouched('watersheds without outputs')


def markers():
    def marker(width, height, x, y, name):
        drawable = Gimp.Layer.new(image, name, width, height, Gimp.ImageType.GRAY_IMAGE, 100,
                                  Gimp.LayerMode.NORMAL)
        drawable.set_offsets(x, y)
        image.insert_layer(drawable, None, 1)
        return drawable

    for n, (width, height, x, y) in enumerate(((11, 8, 0, 0), (11, 8, 1, 0), (12, 7, 0, 1),
                                               (12, 8, 1, 0), (12, 8, 0, -1))):
        drawable = marker(width, height, x, y, f'short {n}')
        refused(RECONSTRUCT, [f'short {n}', '12 × 8'], marker=drawable)
        image.remove_layer(drawable)
    refused(RECONSTRUCT, ['layer', 'another image'], marker=other_layer)
    enough = marker(12, 8, 0, 0, 'enough')
    tap.ok(call(RECONSTRUCT, image, [layer], marker=enough), 'a marker of the layer’s size')
    image.remove_layer(image.get_layers()[0])
    image.remove_layer(enough)
    image.set_selected_layers([layer])
    image.clean_all()
    untouched('markers that do not fit')


def selections():
    """A selection outside the layer is an error."""
    small = new_layer(image, [[1, 2], [3, 4]], name='small', x=1, y=1)
    image.select_rectangle(Gimp.ChannelOps.REPLACE, 6, 4, 3, 3)
    for name in ALL:
        refused(name, ['small', 'selection'], drawables=[small])
    Gimp.Selection.none(image)
    image.remove_layer(small)
    image.set_selected_layers([layer])
    image.clean_all()
    untouched('selections that miss the layer')


def layers():
    for name in ALL:
        refused(name, ['no layer'], drawables=[])
        refused(name, ['another image'], drawables=[other_layer])
        refused(name, ['another image'], drawables=[layer, other_layer])
    untouched('no layers, and those of others,')


def indexed():
    picture, _ = gray_image([[0, 100, 200]], RGB)
    picture.convert_indexed(Gimp.ConvertDitherType.NONE, Gimp.ConvertPaletteType.GENERATE, 3,
                            False, False, '')
    target = picture.get_layers()[0]
    for name in ALL:
        refused(name, ['indexed', 'RGB'], images=picture, drawables=[target])
    tap.same(layer_names(picture), ['layer'], 'an indexed image stays unchanged')
    picture.delete()


def nan_in_the_image():
    picture, target = gray_image([[0.0, math.nan, 0.5]], precision=P.FLOAT_LINEAR)
    for name in ALL:
        refused(name, ['NaN'], images=picture, drawables=[target])
    tap.same(layer_names(picture), ['layer'], 'an image with NaN stays unchanged')
    picture.delete()


for group in (words, numbers, algorithms, comparisons, nothing_asked_for, markers, selections,
              layers, indexed, nan_in_the_image):
    tap.group(group)
tap.done()
