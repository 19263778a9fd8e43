# SPDX-License-Identifier: GPL-3.0-or-later

"""A person who reads what is on the screen and uses the mouse and the keyboard: finds buttons,
menus and numbers by their labels.  dialog-reader.c, loaded into GIMP and its plug-ins, tells the
texts and their places.
"""

import collections
import glob
import os
import re
import time

from person import output, wait_for
from screen import settle

WORK = os.environ['WORK']
Widget = collections.namedtuple('Widget', 'kind window name text left top width height sensitive')


def fits(text, label):
    """Whether a label is called so: "Gradient" is "Gradient: basins are …"."""
    return text == label or text.startswith(label + ':')


class NotFound(Exception):
    """There is no such thing on the screen."""


def read_widget(line):
    kind, window, name, text, *place, sensitive = line.split('\t')
    return Widget(kind, window, name, text, *map(int, place), sensitive == 'yes')


class Eyes:
    def __init__(self):
        self.asked = 0

    def look(self):
        """All that is visible now, of every process that answers."""
        settle()
        self.asked += 1
        with open(f'{WORK}/question', 'w', encoding='utf-8') as file:
            file.write(str(self.asked))
        answers = []
        wait_for(lambda: self.all_answered(answers), 5, 0.02)
        return [read_widget(line) for _, *lines in answers for line in lines]

    def all_answered(self, answers):
        """Reads the answers; whether each process that has answered before has answered now."""
        answers.clear()
        for path in glob.glob(f'{WORK}/answer-*'):
            if os.path.exists('/proc/' + path.rpartition('-')[2]):
                with open(path, encoding='utf-8') as file:
                    answers.append(file.read().splitlines())
        return answers and all(number == str(self.asked) for number, *_ in answers)

    def find(self, window, wanted, seconds=20):
        """The first widget in windows with this title that fits."""
        end = time.monotonic() + seconds
        while True:
            seen = [one for one in self.look() if re.fullmatch(window, one.window)]
            found = [one for one in seen if wanted(one)]
            if found:
                return found[0]
            if time.monotonic() > end:
                raise NotFound('\n'.join(f'{one.kind} {one.name}: {one.text}' for one in seen))

    def point(self, widget, *more):
        output('xdotool', 'mousemove', str(widget.left + widget.width // 2),
               str(widget.top + widget.height // 2), *more)

    def click(self, widget):
        self.point(widget, 'click', '1')

    # what is written on a thing, and what stands beside it

    def labelled(self, window, kinds, label, seconds=20):
        """A widget whose label is this."""
        return self.find(window, lambda one: one.kind in kinds and any(
            fits(text, label) for text in (one.name, one.text, one.text.rpartition('=')[0])), seconds)

    def press(self, window, label):
        self.click(self.labelled(window, ('button', 'check', 'item', 'text'), label))

    def menu(self, window, *labels, look=None):
        """Opens a menu of the menu bar and the menus within it; the last label is that of an
        entry of the last menu: others may have an entry with the same label.  @look is called
        while the mouse is on it."""
        before = []
        for label in labels:
            entry = self.find('' if before else window, lambda one: one.kind == 'item' and (
                one not in before and fits(one.text, label)))
            if label in labels[1:-1]:
                before = self.look()
                self.point(entry)       # opens it; a click would close it
            else:
                before = before or self.look()
                if look and label == labels[-1]:
                    self.point(entry)
                    settle()
                    look()
                self.click(entry)

    def choose(self, window, label, value):
        chooser = self.labelled(window, ('choice', 'check'), label)
        if fits(chooser.text, value):
            return
        for seconds in 3, 20:   # a window that has just been opened may miss the first click
            self.click(self.labelled(window, ('choice', 'check'), label))
            try:
                self.click(self.labelled('.*', ('item', 'check'), value, seconds))
                return
            except NotFound:
                if seconds == 20:
                    raise

    def type(self, window, label, value):
        entry = self.labelled(window, ('entry',), label)
        # in its left part, for it may have buttons at its right
        self.click(entry._replace(width=min(entry.width, 40)))
        output('xdotool', 'key', 'ctrl+a')
        output('xdotool', 'type', '--delay', '10', value)
        output('xdotool', 'key', 'Tab')

    def check(self, window, label, value='on'):
        box = self.labelled(window, ('check',), label)
        if not box.text.endswith('=' + value):
            self.click(box)

    def texts(self, window):
        return [one.text for one in self.look() if re.fullmatch(window, one.window)]
