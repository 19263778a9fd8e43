# SPDX-License-Identifier: GPL-3.0-or-later

"""A thread that operates a dialog while the call of the procedure waits for it.  The thread must
not call GIMP: the waiting call occupies the connection.
"""

import subprocess
import threading
import time

from screen import screen, settle


CLIPBOARD = '''
import gi
gi.require_version('Gtk', '3.0')
from gi.repository import Gdk, Gtk
print(Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD).wait_for_text() or '', end='')
'''


def output(*arguments):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def clipboard():
    """The text on the clipboard."""
    return output('python3', '-c', CLIPBOARD).decode()


def windows(title):
    """The visible windows with this title."""
    return screen().windows(title)


def has_drawn(window):
    """Whether the window shows more than a background."""
    return screen().colors(window) > 30


def press(window, key):
    output('xdotool', 'windowfocus', '--sync', window, 'key', '--clearmodifiers', key)


def wait_for(condition, seconds=10, pause=0.03):
    """Waits for @condition; whether it holds within @seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


class Person(threading.Thread):
    """Waits for the window, then does the actions: the name of a key to press, 'look:NAME' for
    a picture of the window, 'screen:NAME' for one of the whole screen, 'click:X,Y' for the mouse
    at this place of the window, 'drag:X,Y,U,V' for the mouse from there to another place, 'again' to wait for a new window with the same title, or
    'WINDOW:KEY' for a key in another window.  @closes: whether the last one closes the window: a
    key may get lost while the focus goes from one window to another, and is then pressed again.
    @otherwise: a key that closes the window where the last one may be refused.
    """

    def __init__(self, title, actions, pictures=None, closes=False, otherwise=None):
        super().__init__()
        self.title, self.actions, self.pictures = title, actions, pictures
        self.closes, self.otherwise = closes, otherwise
        self.window, self.heights = None, []
        self.start()

    def find(self, old=None):
        found = []
        wait_for(lambda: found.extend(w for w in windows(self.title) if w != old) or found, 60,
                 0.05)
        return found[-1] if found else None

    def run(self):
        self.window = self.find()
        if not self.window:
            # the thread has failed: end the procedure's wait
            output('xdotool', 'key', 'Escape')
            return
        # the window exists before it is drawn
        wait_for(lambda: has_drawn(self.window))
        settle()
        settled = True
        for action in self.actions:
            if not settled:
                settle()
            settled = self.do(*action.rpartition(':')[::2])
        for _ in range(3):
            if not self.closes or wait_for(lambda: self.window not in windows(self.title), 20):
                return
            settle()
            press(self.window, self.otherwise or self.actions[-1])

    def do(self, what, name):
        """Does an action; returns whether it leaves the screen unchanged."""
        if what == 'look':
            screen().save(self.pictures % name, self.window)
            self.heights.append(screen().place(self.window)[3])
        elif what == 'screen':
            screen().save(self.pictures % name)
        elif what == 'click':
            output('xdotool', 'mousemove', '--window', self.window, *name.split(','), 'click', '1')
        elif what == 'drag':
            x, y, u, v = (int(n) for n in name.split(','))
            output('xdotool', 'mousemove', '--window', self.window, str(x), str(y), 'mousedown', '1')
            for i in range(1, 5):
                output('xdotool', 'mousemove', '--window', self.window, str(x + (u - x) * i // 4),
                       str(y + (v - y) * i // 4))
            output('xdotool', 'mouseup', '1')
        elif name == 'again':
            self.window = self.find(self.window)
            wait_for(lambda: has_drawn(self.window))
        else:
            press(what or self.window, name)
        return what in ('look', 'screen')


class Hasty(Person):
    """Accepts the dialog as soon as it accepts keys, without a picture."""

    def __init__(self, title):
        super().__init__(title, [])

    def run(self):
        self.window = self.find()
        for _ in range(20):
            if not windows(self.title):
                return
            press(self.window, 'Return')
            wait_for(lambda: not windows(self.title), 0.7)
