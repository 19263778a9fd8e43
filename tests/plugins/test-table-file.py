# SPDX-License-Identifier: GPL-3.0-or-later

"""The file of the watershed's table: chosen anew for every run, and replaced only after a
question."""

import glob

from gi.repository import Gio

from gimptest import *
from person import Person, output, press, wait_for, windows
from screen import screen, settle

SHOTS = os.environ['SHOTS']
WORK = os.environ['WORK']
INTERACTIVE, AGAIN = Gimp.RunMode.INTERACTIVE, Gimp.RunMode.WITH_LAST_VALS
ROWS = random_rows(40, 30, 255, 'table file', steps=7)
TABLE = f'{WORK}/cells.csv'
OLD = 'an older table\n'
QUESTION = 'Replace the File'
# in the dialog: the middle of the column of buttons, and below the last row
RIGHT, LOWEST = 545, 455
CHOOSE = ['alt+p', 'choose']
TABLE_KEY = 'alt+a'


class Chooser(Person):
    """Also chooses TABLE in the dialog of files, and presses keys in the question."""

    def open_chooser(self):
        """Clicks the button at the right of the last row of the page, from below."""
        before = set(windows('.*'))
        for y in range(LOWEST, LOWEST - 200, -12):
            output('xdotool', 'mousemove', '--window', self.window, str(RIGHT), str(y), 'click', '1')
            if wait_for(lambda: set(windows('.*')) - before, 0.4):
                settle()
                return (set(windows('.*')) - before).pop()

    def do(self, what, name):
        if what == 'question':
            wait_for(lambda: windows(QUESTION))
            press(windows(QUESTION)[-1], name)
            return False
        if name == 'type':
            press(self.window, TABLE_KEY)
            output('xdotool', 'type', '--delay', '5', TABLE)
            press(self.window, 'Tab')
            return False
        if name != 'choose':
            return super().do(what, name)
        chooser = self.open_chooser()
        press(chooser, 'ctrl+a')
        output('xdotool', 'type', '--delay', '5', TABLE)
        settle()
        screen().save(f'{SHOTS}/table-chooser.png')
        # the first Return may accept the completion of the name
        for _ in range(3):
            press(chooser, 'Return')
            if wait_for(lambda: chooser not in windows('.*'), 2):
                break
        return False


def ask(image, layer, actions, **arguments):
    person = Chooser(TITLES[WATERSHED], actions, f'{SHOTS}/%s.png')
    result = call(WATERSHED, image, [layer], INTERACTIVE, **arguments)
    person.join()
    return result


def contents():
    try:
        with open(TABLE) as file:
            return file.read()
    except FileNotFoundError:
        return None


def put(text):
    with open(TABLE, 'w') as file:
        file.write(text)

def settings():
    """What GIMP keeps of the last dialogs."""
    texts = []
    for path in glob.glob(os.environ['GIMP3_DIRECTORY'] + '/plug-in-settings/*'):
        with open(path) as file:
            texts.append(file.read())
    return '\n'.join(texts)


def question():
    """OK asks before it replaces a file; Cancel returns to the dialog with its settings."""
    image, layer = gray_image(ROWS)
    put(OLD)
    result = ask(image, layer, CHOOSE + ['look:table-chosen', 'alt+o', 'screen:table-question',
                                         'question:Return', 'look:table-back', 'Escape'])
    tap.ok(result.status == 'cancel' and contents() == OLD and layer_names(image) == ['layer'],
           'Return in the question keeps the file and the dialog', result, contents())
    result = ask(image, layer, CHOOSE + ['alt+o', 'question:alt+r'])
    tap.ok(result.status == 'success' and contents().startswith('index,'),
           'Replace writes the table', result, contents())
    image.delete()


def new_file():
    """A file that does not exist needs no question.  It has the columns that the dialog has."""
    image, layer = gray_image(ROWS)
    os.remove(TABLE)
    forget()
    result = ask(image, layer, CHOOSE + ['alt+o'], table_measures='mean,area')
    tap.ok(result.status == 'success' and contents().startswith('label,area,mean\n'),
           'a new file is written without a question', result, contents())
    image.delete()


def by_key():
    """The mnemonic of the row reaches its entry; the dialog remembers the columns."""
    image, layer = gray_image(ROWS, RGB)
    os.remove(TABLE)
    result = ask(image, layer, ['alt+p', 'type', 'look:table-typed', 'alt+o'])
    tap.ok(result.status == 'success' and (contents() or '').startswith('label,area,mean\n'),
           'the file is chosen with the keyboard alone', result, contents())
    image.delete()


def next_image():
    """Neither the next dialog nor a repetition touches the table of the image before."""
    image, layer = gray_image(random_rows(40, 30, 255, 'next image', steps=5))
    put(OLD)
    tap.ok('cells.csv' not in settings() and 'table-written' in settings(),
           'the last values have no path', settings())
    result = must(call(WATERSHED, image, [layer], AGAIN))
    tap.ok(result['basins'] > 1 and contents() == OLD, 'a repetition writes no table', result)
    result = ask(image, layer, ['alt+p', 'look:table-empty', 'alt+o'])
    tap.ok(result.status == 'success' and contents() == OLD,
           'the next dialog has no file', result, contents())
    image.delete()


def older_values():
    """A path that an older version has kept is not used."""
    image, layer = gray_image(ROWS)
    put(OLD)
    paths = glob.glob(os.environ['GIMP3_DIRECTORY'] + '/plug-in-settings/*watershed*.last')
    for path in paths:
        with open(path) as file:
            text = file.read()
        with open(path, 'w') as file:
            file.write(text.replace('(table-file NULL)', f'(table-file "file://{TABLE}")'))
    tap.ok('cells.csv' in settings(), 'last values with a path', settings())
    must(call(WATERSHED, image, [layer], AGAIN))
    tap.same(contents(), OLD, 'a repetition does not write there')
    result = ask(image, layer, ['alt+o'])
    tap.ok(result.status == 'success' and contents() == OLD, 'nor does a dialog', result)
    image.delete()


def older_item():
    """Of an item whose kind an older version has not kept, the one that can be the argument is
    taken, whatever else has its name.
    """
    image, layer = gray_image(ROWS)
    layer.set_name('seeds')
    path = Gimp.Path.new(image, 'seeds')
    for x in (8.5, 25.5):
        path.stroke_new_from_points(Gimp.PathStrokeType.BEZIER, [x, 9.5] * 3, False)
    image.insert_path(path, None, 0)
    for name in glob.glob(os.environ['GIMP3_DIRECTORY'] + '/plug-in-settings/*watershed*.last'):
        with open(name) as file:
            text = file.read()
        for before, after in (('(markers "minima")', '(markers "path")'),
                              ('(marker-path-name "")', '(marker-path-name "seeds")')):
            tap.ok(before in text, f'the last values have {before}', text)
            text = text.replace(before, after)
        with open(name, 'w') as file:
            file.write(text)
    result = call(WATERSHED, image, [layer], AGAIN)
    tap.ok(result and result['basins'] == 2, 'the path of the name is found', result)
    image.delete()


def script():
    """A script names the file in its call, which is the permission to replace it."""
    image, layer = gray_image(ROWS)
    put(OLD)
    must(call(WATERSHED, image, [layer]))
    tap.same(contents(), OLD, 'a call without the file writes none')
    must(call(WATERSHED, image, [layer], table_file=Gio.File.new_for_path(TABLE)))
    tap.ok(contents().startswith('index,'), 'a call with the file replaces it', contents())
    must(call(WATERSHED, image, [layer]))
    image.delete()


os.makedirs(SHOTS, exist_ok=True)
for group in (question, new_file, by_key, next_image, older_values, older_item, script):
    tap.group(group)
tap.done()
