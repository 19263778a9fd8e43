# SPDX-License-Identifier: GPL-3.0-or-later

"""The contents of the X server's screen, read in this process, and waiting until it is final.

Starting a program for each picture would take longer than the picture.
"""

import ctypes
import re
import threading
import time
import zlib

import pictures
from processes import work_done

ALL_PLANES, Z_PIXMAP, IS_VIEWABLE, ANY_TYPE = 0xffffffff, 2, 2, 0
# Seconds without work after which a screen is final: longer than any timer of a dialog.
QUIET = 0.15
POLL = 0.04

Display, Window, Int, UInt = ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_uint
ErrorHandler = ctypes.CFUNCTYPE(Int, Display, ctypes.c_void_p)


class Attributes(ctypes.Structure):
    _fields_ = [('place', Int * 4), ('border', Int), ('depth', Int), ('visual', ctypes.c_void_p),
                ('root', Window), ('kind', Int), ('gravities', Int * 2), ('backing', Int),
                ('planes', Window * 2), ('save_under', Int), ('colormap', Window),
                ('installed', Int), ('map_state', Int), ('masks', ctypes.c_long * 3),
                ('redirect', Int), ('screen', ctypes.c_void_p)]


class XImage(ctypes.Structure):
    _fields_ = [('width', Int), ('height', Int), ('xoffset', Int), ('format', Int),
                ('data', ctypes.c_void_p)]   # further fields are not used


class Cursor(ctypes.Structure):
    _fields_ = [('x', ctypes.c_short), ('y', ctypes.c_short), ('width', ctypes.c_ushort),
                ('height', ctypes.c_ushort), ('left', ctypes.c_ushort), ('top', ctypes.c_ushort),
                ('serial', ctypes.c_ulong), ('pixels', ctypes.POINTER(ctypes.c_ulong))]


FUNCTIONS = {
    'XOpenDisplay': (Display, [ctypes.c_char_p]),
    'XDefaultRootWindow': (Window, [Display]),
    'XGetGeometry': (Int, [Display, Window] + [ctypes.c_void_p] * 7),
    'XTranslateCoordinates': (Int, [Display, Window, Window, Int, Int] + [ctypes.c_void_p] * 3),
    'XGetWindowAttributes': (Int, [Display, Window, ctypes.POINTER(Attributes)]),
    'XQueryTree': (Int, [Display, Window] + [ctypes.c_void_p] * 4),
    'XInternAtom': (Window, [Display, ctypes.c_char_p, Int]),
    'XGetWindowProperty': (Int, [Display, Window, Window, ctypes.c_long, ctypes.c_long, Int, Window]
                           + [ctypes.c_void_p] * 5),
    'XGetImage': (ctypes.POINTER(XImage), [Display, Window, Int, Int, UInt, UInt, Window, Int]),
    'XFree': (Int, [ctypes.c_void_p]),
    'XSetErrorHandler': (ctypes.c_void_p, [ErrorHandler]),
}


@ErrorHandler
def ignore(display, event):
    """Ignores X errors: a window may have been closed before it is queried."""
    return 0


class Screen:
    """The X server $DISPLAY, usable from any thread."""

    def __init__(self):
        self.x11 = ctypes.CDLL('libX11.so.6')
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(self.x11, name)
            function.restype, function.argtypes = result, arguments
        self.x11.XSetErrorHandler(ignore)
        self.display = self.x11.XOpenDisplay(None)
        if not self.display:
            raise OSError('no X server')
        self.lock = threading.Lock()
        self.root = self.x11.XDefaultRootWindow(self.display)
        self.net_wm_name = self.x11.XInternAtom(self.display, b'_NET_WM_NAME', 0)
        self.size = self.place(self.root)[2:]

    def children(self, window):
        root, parent, count = Window(), Window(), UInt()
        found = ctypes.POINTER(Window)()
        if not self.x11.XQueryTree(self.display, window, *map(ctypes.byref, (root, parent, found,
                                                                             count))):
            return []
        children = found[:count.value] if found else []
        self.x11.XFree(ctypes.cast(found, ctypes.c_void_p))
        return children

    def is_seen(self, window):
        attributes = Attributes()
        return (self.x11.XGetWindowAttributes(self.display, window, ctypes.byref(attributes))
                and attributes.map_state == IS_VIEWABLE)

    def name(self, window):
        kind, form, length, rest = Window(), Int(), Window(), Window()
        value = ctypes.c_char_p()
        self.x11.XGetWindowProperty(self.display, window, self.net_wm_name, 0, 1024, 0, ANY_TYPE,
                                    *map(ctypes.byref, (kind, form, length, rest, value)))
        name = (value.value or b'').decode()
        self.x11.XFree(ctypes.cast(value, ctypes.c_void_p))
        return name

    def windows(self, pattern):
        """The numbers, as strings, of the visible windows with a matching title."""
        found = []
        with self.lock:
            waiting = [self.root]
            while waiting:
                window = waiting.pop(0)
                waiting += self.children(window)
                if re.fullmatch(pattern, self.name(window)) and self.is_seen(window):
                    found.append(str(window))
        return found

    def place(self, window):
        """Left, top, width, height on the screen; all 0 if there is no such window."""
        window = int(window)
        unused, child = Window(), Window()
        x, y, left, top = Int(), Int(), Int(), Int()
        width, height, border, depth = UInt(), UInt(), UInt(), UInt()
        with self.lock:
            known = self.x11.XGetGeometry(
                self.display, window, *map(ctypes.byref, (unused, x, y, width, height, border,
                                                          depth)))
            if not known:
                return 0, 0, 0, 0
            self.x11.XTranslateCoordinates(self.display, window, self.root, 0, 0,
                                           *map(ctypes.byref, (left, top, child)))
        return left.value, top.value, width.value, height.value

    def read(self, left, top, width, height):
        """The visible pixels, 4 bytes each (blue, green, red, unused), and the width and height of
        the part on the screen."""
        right, bottom = min(left + width, self.size[0]), min(top + height, self.size[1])
        left, top = max(left, 0), max(top, 0)
        width, height = right - left, bottom - top
        if width <= 0 or height <= 0:
            return b'', 0, 0
        with self.lock:
            image = self.x11.XGetImage(self.display, self.root, left, top, width, height,
                                       ALL_PLANES, Z_PIXMAP)
            pixels = ctypes.string_at(image.contents.data, width * height * 4)
            self.x11.XFree(image.contents.data)
            self.x11.XFree(ctypes.cast(image, ctypes.c_void_p))
        return pixels, width, height

    def checksum(self):
        return zlib.adler32(self.read(0, 0, *self.size)[0])

    def colors(self, window):
        """The number of colors in a window."""
        return len(set(memoryview(self.read(*self.place(window))[0]).cast('I')))

    def pointer(self):
        """The pixels of the mouse pointer: place on the screen, and red, green, blue and alpha, which
        the colors are multiplied with."""
        fixes = ctypes.CDLL('libXfixes.so.3')
        fixes.XFixesGetCursorImage.restype = ctypes.POINTER(Cursor)
        fixes.XFixesGetCursorImage.argtypes = [Display]
        with self.lock:
            major, minor = Int(), Int()
            fixes.XFixesQueryVersion(ctypes.c_void_p(self.display), ctypes.byref(major),
                                     ctypes.byref(minor))
            found = fixes.XFixesGetCursorImage(self.display)
            if not found:
                return
            cursor = found.contents
            left, top = cursor.x - cursor.left, cursor.y - cursor.top
            for i in range(cursor.width * cursor.height):
                value = cursor.pixels[i] & 0xffffffff
                if value >> 24:
                    yield (left + i % cursor.width, top + i // cursor.width,
                           (value >> 16 & 255, value >> 8 & 255, value & 255), value >> 24)
            self.x11.XFree(ctypes.cast(found, ctypes.c_void_p))

    def draw_pointer(self, rgb, place, width, height):
        for x, y, color, alpha in self.pointer():
            x, y = x - place[0], y - place[1]
            if 0 <= x < width and 0 <= y < height:
                at = (y * width + x) * 3
                for i in range(3):
                    rgb[at + i] = min(rgb[at + i] * (255 - alpha) // 255 + color[i], 255)

    def save(self, path, window=None, place=None, pointer=False):
        """Saves a picture of a window, of a place (left, top, width, height), or of the whole
        screen; with the mouse pointer, if wanted."""
        place = place or self.place(window or self.root)
        pixels, width, height = self.read(*place)
        rgb = bytearray(width * height * 3)
        rgb[0::3], rgb[1::3], rgb[2::3] = pixels[2::4], pixels[1::4], pixels[0::4]
        if pointer:
            self.draw_pointer(rgb, (max(place[0], 0), max(place[1], 0)), width, height)
        if rgb:
            pictures.save(path, bytes(rgb), width, height)


known = None


def screen():
    global known
    known = known or Screen()
    return known


def settle(quiet=QUIET, patience=120):
    """Waits until no process has worked and the screen has not changed for @quiet seconds, at most
    @patience seconds."""
    end = time.monotonic() + patience
    work, seen, since = None, None, 0
    while time.monotonic() < end:
        before, work = work, work_done()
        if work is None or work != before:
            seen = None
        elif seen is None:
            seen, since = screen().checksum(), time.monotonic()
        elif time.monotonic() - since >= quiet:
            last, seen = seen, screen().checksum()
            if seen == last:
                return
            since = time.monotonic()
        time.sleep(POLL)
