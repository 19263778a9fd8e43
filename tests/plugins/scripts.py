# SPDX-License-Identifier: GPL-3.0-or-later

"""The scripts that are made of a call: run in GIMP, or by a shell with the wavefront command."""

import array
import os
import subprocess

from gi.repository import Gio

from gimptest import *

HISTORY = FILTER % 'history'
COMMAND = os.environ.get('WAVEFRONT_COMMAND')
WORK = os.environ['WORK']
KINDS = ('python-fu', 'script-fu', 'command')


def history(image, item):
    """The values of the procedure for a layer, a channel or a path."""
    return must(call(HISTORY, image, image.get_layers()[:1], item=item))


def run_script(kind, text):
    """Runs a script in GIMP; an exception if it fails."""
    if kind == 'python-fu':
        exec(compile(text, 'a script', 'exec'), {})
        return
    evaluate = Gimp.get_pdb().lookup_procedure('plug-in-script-fu-eval')
    config = evaluate.create_config()
    config.set_property('run-mode', Gimp.RunMode.NONINTERACTIVE)
    config.set_property('script', text)
    values = evaluate.run(config)
    if values.index(0) != Gimp.PDBStatusType.SUCCESS:
        raise AssertionError(f'{Gimp.get_pdb().get_last_error()}\n{text}')


def made_by(image, make):
    """What a function makes: new layers from bottom to top, new images, paths, the selection."""
    layers, images = image.get_layers(), Gimp.get_images()
    paths = len(image.get_paths())
    make()
    new = [layer for layer in image.get_layers() if layer not in layers][::-1]
    others = [other for other in Gimp.get_images() if other not in images]
    return {
        'layers': [(layer.get_name().split('#')[0].strip(), layer.get_offsets()[1:],
                    [stored(part) for part in layer.get_children()]
                    if layer.is_group() else stored(layer)) for layer in new],
        'images': [[stored(layer) for layer in other.get_layers()] for other in others],
        'paths': len(image.get_paths()) - paths,
        'selection': Gimp.Selection.bounds(image)[1:],
    }, new, others


def stored(layer):
    """The bytes of a layer as they are stored: not all conversions are exact."""
    area = Gegl.Rectangle.new(0, 0, layer.get_width(), layer.get_height())
    return bytes(layer.get_buffer().get(area, 1.0, None, Gegl.AbyssPolicy.NONE))


def export(layer, path):
    """A file with the pixels of a layer."""
    image = layer.get_image()
    alone = Gimp.Image.new_with_precision(layer.get_width(), layer.get_height(),
                                          image.get_base_type(), image.get_precision())
    copy = Gimp.Layer.new_from_drawable(layer, alone)
    alone.insert_layer(copy, None, 0)
    copy.set_offsets(0, 0)
    alone.set_resolution(*image.get_resolution()[1:])
    Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, alone, Gio.File.new_for_path(path), None)
    alone.delete()


def run_lines(text, folder):
    """Runs the lines of the command in a folder."""
    programs = f'{WORK}/programs'
    os.makedirs(programs, exist_ok=True)
    if not os.path.exists(f'{programs}/wavefront'):
        os.symlink(COMMAND, f'{programs}/wavefront')
    result = subprocess.run(['sh', '-e', '-c', text], cwd=folder, capture_output=True, text=True,
                            env={**os.environ, 'PATH': f"{programs}:{os.environ['PATH']}"})
    if result.returncode != 0:
        raise AssertionError(f'{result.stderr}\n{text}')


def run_command(text, folder, letter, width, height):
    """Runs the lines of the command in a folder; the numbers that it writes, row by row, of a
    result in colors the red ones."""
    out = 'out.npy' if '--colors' in text else 'out.raw'   # raw has one level a pixel
    run_lines(text.replace('-o out.tif', f'-o {out}'), folder)
    values = array.array(letter)
    with open(f'{folder}/{out}', 'rb') as file:
        data = file.read()
    values.frombytes(data[10 + int.from_bytes(data[8:10], 'little'):] if out == 'out.npy' else data)
    values = values[::len(values) // (width * height)]
    return [list(values[y * width:(y + 1) * width]) for y in range(height)]
