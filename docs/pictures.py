# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the pictures of README.md and docs/tutorial.md; docs/make-pictures runs it inside GIMP.

PICTURES  the folder with coins.png, ihc.png and cells.png
OUT       the folder for the new pictures
MODE      "results": the results of the tutorial's steps; "dialogs": GIMP's screen with an
          open dialog, in the theme GIMP_SCHEME
"""
import os
import pathlib
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.environ["DOCS"])

import gi
gi.require_version("Gimp", "3.0")
gi.require_version("Gegl", "0.4")
from gi.repository import Gegl, Gimp, Gio

from steps import STEPS

BATCH = Gimp.RunMode.NONINTERACTIVE
PICTURES = pathlib.Path(os.environ["PICTURES"])
OUT = pathlib.Path(os.environ["OUT"])
SCREEN = (1280, 800)
# parts of the tissue and of the cells that are shown enlarged: left, top, width, height
GLAND = (245, 298, 150, 214)
TOUCHING = (200, 210, 250, 230)
DIALOG = (20, 58, 1238, 700)
PATIENCE = 60       # seconds after which a screen that still changes is used as it is
# the middle of the preview, as fractions of the dialog
MIDDLE = (0.74, 0.4)
# the menu of what the preview shows
SHOW = (0.575, 0.641)


def procedure_of(step):
    return Gimp.get_pdb().lookup_procedure("plug-in-wavefront-" + step.procedure)


def run(step, image, layer, mode=BATCH, **more):
    """Calls the step's procedure; returns a function from names to return values."""
    procedure = procedure_of(step)
    config = procedure.create_config()
    config.set_property("run-mode", mode)
    config.set_property("image", image)
    config.set_core_object_array("drawables", [layer])
    for name, value in {**step.arguments, **more}.items():
        config.set_property(name.replace("_", "-"), value)
    result = procedure.run(config)
    names = ["status"] + [spec.name for spec in procedure.get_return_values()]
    status = result.index(0)
    if status not in (Gimp.PDBStatusType.SUCCESS, Gimp.PDBStatusType.CANCEL):
        raise RuntimeError(f"{step.name}: {Gimp.get_pdb().get_last_error()}")
    return lambda name: result.index(names.index(name))


def load(name):
    image = Gimp.file_load(BATCH, Gio.File.new_for_path(str(PICTURES / f"{name}.png")))
    if image.get_base_type() != Gimp.ImageBaseType.RGB:
        image.convert_rgb()     # the lines are colored
    return image, image.get_layers()[0]


def find(name):
    return next(step for step in STEPS if step.name == name)


# ---------------------------------------------------------------- results

def save(image, layers, name, scale=1, area=None):
    """Writes the composition of the layers; enlarges lines sharply and pictures smoothly."""
    copy = image.duplicate()
    copy.undo_disable()
    Gimp.Selection.none(copy)
    shown = [layer.get_name() for layer in layers]
    for layer in copy.get_layers():
        layer.set_visible(layer.get_name() in shown)
    if area:
        copy.crop(area[2], area[3], area[0], area[1])
    for layer in copy.get_layers():
        picture = layer.get_name() == image.get_layers()[-1].get_name()
        Gimp.context_set_interpolation(Gimp.InterpolationType.CUBIC if picture
                                       else Gimp.InterpolationType.NONE)
        x, y = layer.get_offsets()[1:]
        layer.scale(layer.get_width() * scale, layer.get_height() * scale, False)
        layer.set_offsets(x * scale, y * scale)
    copy.resize(copy.get_width() * scale, copy.get_height() * scale, 0, 0)
    copy.merge_visible_layers(Gimp.MergeType.CLIP_TO_IMAGE)
    Gimp.file_save(BATCH, copy, Gio.File.new_for_path(str(OUT / f"{name}.png")), None)
    copy.delete()


def select_gland(image, layer):
    """Runs the step of the tutorial that selects the gland; returns its values."""
    step = find("glands")
    image.select_ellipse(Gimp.ChannelOps.REPLACE, *step.selection)
    return run(step, image, layer)


def coins():
    image, layer = load("coins")
    save(image, [layer], "coins-before")
    ground = run(find("ground"), image, layer)("layer")
    save(image, [ground], "ground")
    filled = run(find("filled"), image, ground)("layer")
    save(image, [filled], "filled")
    values = run(find("coins"), image, layer)
    save(image, [layer, values("lines-layer")], "coins", scale=2)
    print("coins", values("basins"), flush=True)
    image.delete()


def cells():
    image, layer = load("cells")
    save(image, [layer], "cells-before", 2, TOUCHING)
    distances = run(find("contours"), image, layer)
    save(image, [layer, distances("layer")], "contours", 2, TOUCHING)
    print("contours", distances("maximum"), flush=True)
    values = run(find("cells"), image, layer)
    save(image, [layer, values("lines-layer")], "cells-lines")
    save(image, [values("basins-layer")], "cells-basins")
    print("cells", values("basins"), flush=True)
    image.delete()


def tissue():
    image, layer = load("ihc")
    values = select_gland(image, layer)
    save(image, [layer, values("lines-layer")], "glands")
    print("glands", values("basins"), flush=True)
    values = run(find("gland"), image, layer, mean_layer=True)
    save(image, [layer, values("lines-layer")], "gland", 3, GLAND)
    save(image, [layer, values("mean-layer")], "gland-means", 3, GLAND)
    print("gland", values("basins"), flush=True)
    image.delete()


# ---------------------------------------------------------------- dialogs

def xdotool(*arguments):
    return subprocess.run(["xdotool", *map(str, arguments)], capture_output=True, text=True,
                          check=False).stdout.split()


def look():
    return subprocess.run(["import", "-window", "root", "-crop", f"{SCREEN[0]}x{SCREEN[1]}+0+0",
                           "+repage", "rgb:-"], capture_output=True, check=False).stdout


def settle():
    """Waits until nothing has changed for two seconds."""
    end, since, before = time.monotonic() + PATIENCE, time.monotonic(), None
    while time.monotonic() < end:
        now = look()
        if now != before:
            before, since = now, time.monotonic()
        elif time.monotonic() - since > 2:
            return
        time.sleep(0.3)


def wait_for_window(title):
    for _ in range(600):
        found = xdotool("search", "--onlyvisible", "--name", title)
        if found:
            return found[-1]
        time.sleep(0.1)
    raise RuntimeError(f"no window {title} appeared")


class Person(threading.Thread):
    """A thread that operates a dialog while the call of its procedure waits: resizes the dialog,
    does the actions, takes a picture of the screen, and closes the dialog."""

    def __init__(self, title, name, actions):
        super().__init__()
        self.title, self.name_of_picture, self.actions = title, name, actions
        self.start()

    def run(self):
        window = wait_for_window(f"^{self.title}$")
        time.sleep(5)
        settle()
        xdotool("windowsize", window, DIALOG[2], DIALOG[3])
        xdotool("windowmove", window, DIALOG[0], DIALOG[1])
        settle()
        for action, *values in self.actions:
            if action == "key":
                xdotool("windowfocus", "--sync", window, "key", "--clearmodifiers", *values)
            elif action == "choose":    # in the menu that is open
                xdotool("key", "--delay", 300, *values)
            elif action in ("point", "click"):
                xdotool("mousemove", DIALOG[0] + int(values[0] * DIALOG[2]),
                        DIALOG[1] + int(values[1] * DIALOG[3]))
                if action == "click":
                    xdotool("click", 1)
            elif action == "wheel":
                xdotool("click", "--repeat", values[0], "--delay", 300, 4)
            settle()
        subprocess.run(["import", "-window", "root", "-crop", f"{SCREEN[0]}x{SCREEN[1]}+0+0",
                        "+repage", str(OUT / f"{self.name_of_picture}.png")], check=True)
        xdotool("windowfocus", "--sync", window, "key", "Escape")


def show(name, picture, step, title, actions, prepare=None):
    image, layer = load(picture)
    if prepare:
        prepare(image, layer)
    # the title of a saved image is its name, without the picture's folder
    file = Gio.File.new_for_path(str(pathlib.Path(os.environ["WORK"]) / f"{picture}.xcf"))
    Gimp.file_save(BATCH, image, file, None)
    image.set_file(file)
    image.clean_all()
    display = Gimp.Display.new(image)
    image.set_selected_layers([layer])
    Gimp.displays_flush()
    window = wait_for_window("GIMP$")
    xdotool("windowmove", window, 0, 0)
    xdotool("windowsize", window, SCREEN[0], SCREEN[1] - 24)
    xdotool("mousemove", SCREEN[0] - 1, SCREEN[1] - 1)
    time.sleep(2)
    person = Person(title, name, actions)
    run(step, image, layer, Gimp.RunMode.INTERACTIVE)
    person.join()
    image.clean_all()
    display.delete()


def dialogs():
    if os.environ.get("GIMP_SCHEME") == "dark":
        show("dialog-gland", "ihc", find("gland"), "Watershed",
             [("key", "alt+b"), ("click", *SHOW), ("choose", "Down", "Down", "Return"),
              ("point", .777, .43)], select_gland)
        return
    show("dialog-coins", "coins", find("coins"), "Watershed",
         [("key", "alt+b"), ("point", *MIDDLE), ("wheel", 1), ("point", .823, .272)])
    show("dialog-distance", "cells", find("contours"), "Distance Map", [])


def main():
    if os.environ["MODE"] == "dialogs":
        dialogs()
    else:
        coins()
        cells()
        tissue()
    with open(os.environ["TAP"], "w", encoding="utf-8") as tap:
        tap.write("1..1\nok 1 - pictures\n")


main()
