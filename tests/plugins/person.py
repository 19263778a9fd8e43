# SPDX-License-Identifier: GPL-3.0-or-later

"""A thread that plays the person in front of a dialog, while the call of the procedure
waits for an answer.  It must not call GIMP: the call that waits has the line.
"""

import hashlib
import subprocess
import threading
import time


def output(*arguments):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def press(window, key):
    output('xdotool', 'windowfocus', '--sync', window, 'key', '--clearmodifiers', key)


class Person(threading.Thread):
    """Waits for the window, then does the actions: a key's name, 'look:NAME' for a
    picture of that name, or 'WINDOW:KEY' for a key in another window.
    """

    def __init__(self, title, actions, pictures=None):
        super().__init__()
        self.title, self.actions, self.pictures = title, actions, pictures
        self.window, self.heights = None, []
        self.start()

    def find(self):
        for _ in range(200):
            found = output('xdotool', 'search', '--onlyvisible', '--name',
                           f'^{self.title}$').split()
            if found:
                return found[-1].decode()
            time.sleep(0.1)
        return None

    def settle(self):
        """Until two pictures in a row are the same."""
        previous = None
        for _ in range(40):
            time.sleep(0.15)
            now = hashlib.sha256(output('import', '-window', 'root', 'rgb:-')).digest()
            if now == previous:
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
        time.sleep(0.4)   # it is there before it has drawn itself
        for action in self.actions:
            self.settle()
            if action.startswith('look:'):
                path = self.pictures % action[len('look:'):]
                output('import', '-window', self.window, path)
                self.heights.append(self.height())
            else:
                window, _, key = action.rpartition(':')
                press(window or self.window, key)
