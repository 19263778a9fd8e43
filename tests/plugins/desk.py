# SPDX-License-Identifier: GPL-3.0-or-later

"""GIMP with its windows, one of which shows an image."""

from gimptest import Gimp
from person import Person, output, press, wait_for, windows
from screen import settle


def image_window():
    found = []
    wait_for(lambda: found.extend(windows('.*GIMP')) or found, 60)
    return found[-1] if found else None


class Desk:
    """GIMP's window with one image in it."""

    def __init__(self, image, layer):
        self.image, self.layer = image, layer
        self.display = Gimp.Display.new(image)
        Gimp.displays_flush()
        image.set_selected_layers([layer])
        image.clean_all()
        self.window = image_window()
        output('xdotool', 'windowsize', self.window, '1240', '960')
        settle()

    def close(self):
        self.image.clean_all()
        self.display.delete()

    def search(self, words):
        press(self.window, 'slash')
        settle()
        output('xdotool', 'type', '--delay', '5', words)
        settle()
        output('xdotool', 'key', 'Return')

    def ask(self, words, title, actions, pictures):
        """Opens the dialog with this title by searching for these words, and does the actions;
        returns the Person."""
        self.search(words)
        person = Person(title, actions, pictures)
        person.join()
        return person

    def has(self, number):
        """Waits for this number of layers; whether it is reached."""
        return wait_for(lambda: len(self.image.get_layers()) == number, 30)

    def remove_results(self):
        for layer in self.image.get_layers():
            if layer != self.layer:
                self.image.remove_layer(layer)
        self.image.set_selected_layers([self.layer])
        self.image.clean_all()
        Gimp.displays_flush()
