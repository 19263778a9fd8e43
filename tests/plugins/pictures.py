# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads the PNG files of windows that the tests save, in this process."""

import gi

gi.require_version('GdkPixbuf', '2.0')
from gi.repository import GdkPixbuf, GLib


def save(path, rgb, width, height):
    picture = GdkPixbuf.Pixbuf.new_from_bytes(GLib.Bytes.new(rgb), GdkPixbuf.Colorspace.RGB, False,
                                              8, width, height, width * 3)
    picture.savev(path, 'png', ['compression'], ['1'])


class Picture:
    """The pixels of a file, 3 bytes each, row by row; no pixels if the file is missing."""

    def __init__(self, path):
        try:
            picture = GdkPixbuf.Pixbuf.new_from_file(path)
        except GLib.Error:
            self.width = self.height = 0
            self.rgb = b''
            return
        self.width, self.height = picture.get_width(), picture.get_height()
        step, skip = picture.get_n_channels(), picture.get_rowstride()
        data = picture.read_pixel_bytes().get_data()
        rows = (data[y * skip:y * skip + self.width * step] for y in range(self.height))
        self.rgb = b''.join(row if step == 3 else drop_fourth(row) for row in rows)

    def part(self, left, top, width, height):
        """A part, cropped to the picture."""
        first, last = max(left, 0), min(left + width, self.width)
        return b''.join(self.rgb[(y * self.width + first) * 3:(y * self.width + last) * 3]
                        for y in range(max(top, 0), min(top + height, self.height)))

    def upper_right(self, width, height, right, top):
        """The part at these distances from the right edge and the upper edge."""
        return self.part(self.width - right - width, top, width, height)

    def colors(self):
        return len({self.rgb[i:i + 3] for i in range(0, len(self.rgb), 3)})

    def brightness(self):
        """The mean brightness, from 0 to 1."""
        return sum(self.rgb) / (255 * len(self.rgb)) if self.rgb else -1


def drop_fourth(row):
    kept = bytearray(len(row) // 4 * 3)
    kept[0::3], kept[1::3], kept[2::3] = row[0::4], row[1::4], row[2::4]
    return bytes(kept)
