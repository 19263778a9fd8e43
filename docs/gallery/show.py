# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures for the examples of the gallery: docs/make-gallery writes them where GALLERY_OUT says.

photograph() reads one of scikit-image's pictures, from the folder GALLERY_PHOTOGRAPHS; drawn() is one
of docs/preset_pictures.py. show() writes panels beside each other, at one height.
"""
import os
import pathlib
import sys
import zlib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import preset_pictures

SPACE = 8       # pixels between panels
HEIGHT = 330    # of the panels, about
HEAT = np.array([(12, 14, 46), (64, 26, 110), (150, 44, 118), (224, 92, 82), (250, 170, 92), (252, 246, 196)],
                float)


class NoPhotograph(Exception):
    """The picture is not there."""


def photograph(name):
    """A picture of scikit-image's package: u8, of three bands if it has colors."""
    path = pathlib.Path(os.environ.get("GALLERY_PHOTOGRAPHS", ".")) / f"{name}.png"
    if not path.exists():
        raise NoPhotograph(f"data/get-pictures FOLDER fetches {path.name}")
    return read_png(path.read_bytes())


def drawn(name, seed=1):
    """A drawn picture, and the number of objects in it."""
    return preset_pictures.draw(name, seed)


def read_png(data):
    """Pixels of 8 bits, without palette, alpha or interlacing."""
    place, packed = 8, b""
    while place < len(data):
        size, kind = int.from_bytes(data[place:place + 4], "big"), data[place + 4:place + 8]
        chunk = data[place + 8:place + 8 + size]
        if kind == b"IHDR":
            width, height = (int.from_bytes(chunk[i:i + 4], "big") for i in (0, 4))
            bands = {0: 1, 2: 3}[chunk[9]]
        elif kind == b"IDAT":
            packed += chunk
        place += size + 12
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * bands)
    pixels = np.zeros((height + 1, (width + 1) * bands), np.uint8)
    for y, row in enumerate(rows):
        undo_filter(row[0], row[1:].tolist(), pixels[y], pixels[y + 1], bands)
    return pixels[1:, bands:].reshape(height, width, bands).squeeze()


def undo_filter(kind, row, above, out, bands):
    """A row, whose pixels differ from what those before and above predict; out begins with a pixel of 0."""
    if kind == 0:
        out[bands:] = row
        return
    above, found = above.tolist(), [0] * bands + row
    for i in range(bands, len(found)):
        left, up, corner = found[i - bands], above[i], above[i - bands]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            guess = min((abs(up - corner), 0, left), (abs(left - corner), 1, up),
                        (abs(left + up - 2 * corner), 2, corner))[2]
        found[i] = found[i] + guess & 255
    out[:] = found


# ---------------------------------------------------------------- colors

def gray(levels):
    """From black to white; marks as they are."""
    levels = np.asarray(levels, float)
    low, high = levels.min(), levels.max()
    return np.repeat((255 * (levels - low) / max(high - low, 1e-9)).astype(np.uint8)[..., None], 3, axis=2)


def heat(values, mask=None):
    """From dark to light; black where the mask is 0 or there is no number."""
    values = np.asarray(values, float)
    shown = np.isfinite(values) & (True if mask is None else np.asarray(mask) != 0)
    place = np.where(shown, values, 0) / max(values[shown].max(), 1e-9) * (len(HEAT) - 1)
    below = np.minimum(place.astype(int), len(HEAT) - 2)
    part = (place - below)[..., None]
    found = (1 - part) * HEAT[below] + part * HEAT[below + 1]
    found[~shown] = 0
    return found.astype(np.uint8)


def colors(labels):
    """A color for each label, black for none."""
    hue = np.asarray(labels, float) * 0.618034 % 1
    shade = 0.72 + 0.28 * (np.asarray(labels) * 7 % 5 / 4)
    bands = [np.clip(np.abs((hue * 6 + shift) % 6 - 3) - 1, 0, 1) for shift in (0, 4, 2)]
    found = 255 * shade[..., None] * (0.35 + 0.65 * np.stack(bands, axis=-1))
    found[np.asarray(labels) == 0] = 0
    return found.astype(np.uint8)


def outlined(image, labels, color=(255, 216, 0)):
    """The image with lines where labels differ."""
    found = image.copy() if image.ndim == 3 else gray(image)
    edge = np.zeros(labels.shape, bool)
    edge[:, :-1] |= labels[:, :-1] != labels[:, 1:]
    edge[:-1] |= labels[:-1] != labels[1:]
    found[edge] = color
    return found


def marked(image, marks, color=(255, 60, 60), size=2):
    """The image with a square around each pixel that is marked."""
    found = image.copy() if image.ndim == 3 else gray(image)
    for y, x in zip(*np.nonzero(marks)):
        found[max(y - size, 0):y + size + 1, max(x - size, 0):x + size + 1] = color
    return found


# ---------------------------------------------------------------- the picture

def show(*panels):
    """Writes the panels beside each other, at one height, to a file with the example's name."""
    name = pathlib.Path(sys.argv[0]).stem
    panels = [panel if panel.ndim == 3 else gray(panel) for panel in panels]
    height = max(panel.shape[0] * max(round(HEIGHT / panel.shape[0]), 1) for panel in panels)
    parts = []
    for panel in panels:
        times = max(round(HEIGHT / panel.shape[0]), 1)
        panel = panel.repeat(times, axis=0).repeat(times, axis=1)
        parts += [np.pad(panel, ((0, height - len(panel)), (0, 0), (0, 0)), constant_values=255),
                  np.full((height, SPACE, 3), 255, np.uint8)]
    out = pathlib.Path(os.environ.get("GALLERY_OUT", "."))
    preset_pictures.write_png(out / f"gallery-{name.replace('_', '-')}.png", np.hstack(parts[:-1]))
