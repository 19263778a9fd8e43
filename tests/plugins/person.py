# SPDX-License-Identifier: GPL-3.0-or-later

"""A thread that plays the person in front of a dialog, while the call of the procedure
waits for an answer.  It must not call GIMP: the call that waits has the line.
"""

import subprocess
import threading
import time

from screen import screen, settle


def output(*arguments):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def windows(title):
    """Those that can be seen, of this title."""
    return screen().windows(title)


def has_drawn(window):
    """Whether there is more than a background."""
    return screen().colors(window) > 30


def press(window, key):
    output('xdotool', 'windowfocus', '--sync', window, 'key', '--clearmodifiers', key)


def wait_for(condition, seconds=10, pause=0.03):
    """Whether @condition has come true within @seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


class Person(threading.Thread):
    """Waits for the window, then does the actions: a key's name, 'look:NAME' for a
    picture of that name, 'screen:NAME' for one of the whole screen, or 'WINDOW:KEY' for a
    key in another window.
    """

    def __init__(self, title, actions, pictures=None):
        super().__init__()
        self.title, self.actions, self.pictures = title, actions, pictures
        self.window, self.heights = None, []
        self.start()

    def find(self):
        found = []
        wait_for(lambda: found.extend(windows(self.title)) or found, 60, 0.05)
        return found[-1] if found else None

    def run(self):
        self.window = self.find()
        if not self.window:
            # nobody answers any more: end the wait of the procedure
            output('xdotool', 'key', 'Escape')
            return
        # it is there before it has drawn itself
        wait_for(lambda: has_drawn(self.window))
        settle()
        settled = True
        for action in self.actions:
            if not settled:
                settle()
            settled = self.do(*action.rpartition(':')[::2])

    def do(self, what, name):
        """Returns whether the screen stays as it is."""
        if what == 'look':
            screen().save(self.pictures % name, self.window)
            self.heights.append(screen().place(self.window)[3])
        elif what == 'screen':
            screen().save(self.pictures % name)
        else:
            press(what or self.window, name)
        return what in ('look', 'screen')


class Hasty(Person):
    """Accepts the dialog as soon as it takes a key, without a look at it."""

    def __init__(self, title):
        super().__init__(title, [])

    def run(self):
        self.window = self.find()
        for _ in range(20):
            if not windows(self.title):
                return
            press(self.window, 'Return')
            wait_for(lambda: not windows(self.title), 0.7)
