# SPDX-License-Identifier: GPL-3.0-or-later
"""libvips by its interface in C, on one thread and without its cache of results."""
import ctypes
from ctypes import c_char_p, c_int, c_size_t, c_void_p

import numpy

FORMATS = {"uint8": 0, "uint16": 2, "float32": 6}     # VipsBandFormat


class Libvips:
    """The installed library; OSError if there is none."""

    def __init__(self):
        self.library = ctypes.CDLL("libvips.so.42")
        self.library.vips_version_string.restype = c_char_p
        self.library.vips_image_new_from_memory.restype = c_void_p
        self.library.vips_image_write_to_memory.restype = c_void_p
        if self.library.vips_init(b"bench") != 0:
            raise OSError("libvips cannot be initialized")
        self.library.vips_concurrency_set(1)
        self.library.vips_cache_set_max(0)

    def version(self):
        return self.library.vips_version_string().decode()

    def rank(self, array, side, indices):
        """A function that takes that rank of the square of this side, for each index after the
        other, and returns the pixels.
        """
        height, width = array.shape

        def run():
            images = [c_void_p(self.library.vips_image_new_from_memory(
                c_void_p(array.ctypes.data), c_size_t(array.nbytes), c_int(width), c_int(height),
                c_int(1), c_int(FORMATS[array.dtype.name])))]
            for index in indices:
                out = c_void_p()
                if self.library.vips_rank(images[-1], ctypes.byref(out), c_int(side), c_int(side),
                                          c_int(index), c_void_p()) != 0:
                    raise RuntimeError("vips_rank failed")
                images.append(out)
            pixels = Pixels(self.library, images[-1], array)
            for image in reversed(images):
                self.library.g_object_unref(image)
            return pixels

        return run


class Pixels:
    """What an image has when all of it is computed."""

    def __init__(self, library, image, like):
        self.library = library
        self.like = like
        self.place = c_void_p(library.vips_image_write_to_memory(image,
                                                                 ctypes.byref(c_size_t())))
        if not self.place:
            raise RuntimeError("vips_image_write_to_memory failed")

    def __del__(self):
        self.library.g_free(self.place)

    def array(self):
        memory = (ctypes.c_char * self.like.nbytes).from_address(self.place.value)
        return numpy.frombuffer(memory, self.like.dtype).reshape(self.like.shape).copy()
