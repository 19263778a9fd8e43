# SPDX-License-Identifier: GPL-3.0-or-later

"""The watershed's number image: its name, what it looks like, and its numbers after export."""

import os

from gi.repository import Gio

from desk import Desk
from gimptest import *
from person import output, wait_for, windows
from pictures import Picture
from screen import screen, settle

SHOTS = os.environ['SHOTS']
WORK = os.environ['WORK']
NOTHING = {'lines_layer': False, 'basins_layer': False}
WIDTH, HEIGHT = 300, 200


def cells(size):
    """Squares of this size, each with a basin."""
    return [[abs(x % size - size // 2) + abs(y % size - size // 2) for x in range(WIDTH)]
            for y in range(HEIGHT)]


def named(rows, name):
    """An image that is a file."""
    image, layer = gray_image(rows)
    file = Gio.File.new_for_path(f'{WORK}/{name}.xcf')
    Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, image, file, None)
    image.set_file(file)   # as File ▸ Save does
    return image, layer


def numbers(image):
    return levels(image.get_layers()[0])


def make(image, layer, **arguments):
    return must(call(WATERSHED, image, [layer], **NOTHING, label_image=True,
                     **arguments))['label-image']


def name():
    """The file is named after the source and lies beside it; no file or image has that name."""
    image, layer = named(cells(20), 'coins')
    made = [make(image, layer)]
    tap.same(made[0].get_file().get_path(), f'{WORK}/Basins in coins.xcf', 'named after the file')
    made.append(make(image, layer))
    tap.same(made[1].get_file().get_path(), f'{WORK}/Basins in coins 2.xcf',
             'another image gets another name')
    with open(f'{WORK}/Basins in coins 3.xcf', 'w'):
        made.append(make(image, layer))
    tap.same(made[2].get_file().get_path(), f'{WORK}/Basins in coins 4.xcf', 'and so beside a file')
    other, other_layer = gray_image(cells(20))
    other_layer.set_name('a/b')
    made.append(make(other, other_layer))
    tap.same(made[3].get_file().get_basename(), 'Basins in a-b.xcf',
             'without a file it is named after the layer')
    for each in [image, other] + made:
        each.delete()


def export():
    """Numbers up to 65535 are 16-bit integers, which PNG and TIFF hold."""
    image, layer = gray_image(cells(20))
    made = make(image, layer)
    wanted = numbers(made)
    highest = max(map(max, wanted))
    tap.ok(made.get_precision() == P.U16_NON_LINEAR and highest == 150 and min(map(min, wanted)) == 1,
           '16-bit integers', made.get_precision(), highest)
    for kind in 'png', 'tif':
        file = Gio.File.new_for_path(f'{WORK}/numbers.{kind}')
        Gimp.file_save(Gimp.RunMode.NONINTERACTIVE, made, file, None)
        loaded = Gimp.file_load(Gimp.RunMode.NONINTERACTIVE, file)
        tap.ok(numbers(loaded) == wanted, f'the same numbers from a {kind} file')
        loaded.delete()
    image.delete()
    made.delete()


def many():
    """More than 65535 numbers are floating-point numbers."""
    rows = [[(x + y) % 2 * 9 for x in range(600)] for y in range(300)]
    image, layer = gray_image(rows)
    made = make(image, layer, connectivity='4')
    found = numbers(made)
    tap.ok(made.get_precision() == P.FLOAT_LINEAR and max(map(max, found)) == 90000,
           '32-bit numbers', made.get_precision(), max(map(max, found)))
    image.delete()
    made.delete()


def view():
    """On the screen the numbers are shades from a dark gray to white, under the image's name."""
    image, layer = named(cells(50), 'tissue')
    desk = Desk(image, layer)
    made = make(image, layer, lines=True)
    display = Gimp.Display.new(made)
    Gimp.displays_flush()
    settle()
    wait_for(lambda: windows('.*Basins in tissue.*'))
    titles = [output('xdotool', 'getwindowname', str(w)).decode() for w in windows('.*tissue.*')]
    tap.ok(any('Basins in tissue.xcf' in t for t in titles), 'the title has the name', titles)
    settle()
    screen().save(f'{SHOTS}/number-image.png')
    picture = Picture(f'{SHOTS}/number-image.png')
    middle = picture.rgb
    grays = {}
    for i in range(0, len(middle), 3):
        if middle[i] == middle[i + 1] == middle[i + 2]:
            grays[middle[i]] = grays.get(middle[i], 0) + 1
    shades = sorted(shade for shade, n in grays.items() if n >= 1000)
    tap.ok(len(shades) >= 20 and max(shades) == 255, 'readable shades', shades)
    display.delete()
    made.clean_all()
    desk.close()
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
for group in (name, export, many, view):
    tap.group(group)
tap.done()
