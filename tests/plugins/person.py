# SPDX-License-Identifier: GPL-3.0-or-later

"""A thread that plays the person in front of a dialog, while the call of the procedure
waits for an answer.  It must not call GIMP: the call that waits has the line.
"""

import hashlib
import os
import pathlib
import subprocess
import threading
import time


def output(*arguments):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def windows(title):
    """Those that can be seen, of this title."""
    return output('xdotool', 'search', '--onlyvisible', '--name', f'^{title}$').decode().split()


def has_drawn(window):
    """Whether there is more than a background."""
    colours = output('import', '-window', window, '-format', '%k', 'info:-')
    return int(colours or 0) > 30


def press(window, key):
    output('xdotool', 'windowfocus', '--sync', window, 'key', '--clearmodifiers', key)


def wait_for(condition, seconds=10, pause=0.1):
    """Whether @condition has come true within @seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(pause)
    return True


def processes(program):
    """The numbers of those whose command line names @program."""
    found = []
    for number in filter(str.isdigit, os.listdir('/proc')):
        try:
            words = pathlib.Path('/proc', number, 'cmdline').read_bytes()
        except OSError:
            continue
        if os.fsencode(program) in words:
            found.append(int(number))
    return found


class StopAt:
    """While this lasts, a plug-in with progress-listener.c stops when it is so far."""

    def __init__(self, share):
        self.file = pathlib.Path(os.environ['WORK'], 'stop')
        self.share = share

    def __enter__(self):
        self.file.write_text(str(self.share), encoding='ascii')

    def __exit__(self, *_):
        self.file.unlink()


def stopped(program):
    """The numbers of those whose command line names @program and that are stopped."""
    found = []
    for number in processes(program):
        try:
            state = pathlib.Path('/proc', str(number), 'stat').read_text(encoding='utf-8')
        except OSError:
            continue
        if state.rpartition(')')[2].split()[0] == 'T':
            found.append(number)
    return found


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
        wait_for(lambda: found.extend(windows(self.title)) or found, 30)
        return found[-1] if found else None

    def settle(self, patience=1):
        """Until so many pictures more are the same as the one before."""
        previous, same = None, 0
        for _ in range(40):
            time.sleep(0.15)
            now = hashlib.sha256(output('import', '-window', 'root', 'rgb:-')).digest()
            same = same + 1 if now == previous else 0
            if same == patience:
                return
            previous = now

    def height(self):
        shape = output('xdotool', 'getwindowgeometry', '--shell', self.window).decode()
        return int(dict(line.split('=') for line in shape.split())['HEIGHT'])

    def run(self):
        self.window = self.find()
        if not self.window:
            # nobody answers any more: end the wait of the procedure
            output('xdotool', 'key', 'Escape')
            return
        # it is there before it has drawn itself
        wait_for(lambda: has_drawn(self.window))
        self.settle(4)
        for action in self.actions:
            self.settle()
            kind, _, name = action.partition(':')
            if kind == 'look':
                output('import', '-window', self.window, self.pictures % name)
                self.heights.append(self.height())
            elif kind == 'screen':
                output('import', '-window', 'root', self.pictures % name)
            else:
                window, _, key = action.rpartition(':')
                press(window or self.window, key)


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
