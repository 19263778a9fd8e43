# SPDX-License-Identifier: GPL-3.0-or-later
"""The peers: the installed Leptonica, libvips, OpenCV, SciPy and scikit-image.

Each is a function that takes the arrays and returns (prepare, run, result): prepare () is called
before each run and not timed, run () is timed, result () returns the output of run (). All of them
use one thread and, if possible, write into memory allocated before.
"""
import ctypes
from ctypes import c_char_p, c_float, c_int, c_int32, c_void_p

import numpy

import libvips


def nothing():
    pass


class Peers:
    """The peers on this machine; a missing one is None, with the reason in missing."""

    def __init__(self):
        self.missing = {}
        self.cv2 = self._import("OpenCV", "cv2")
        self.ndimage = self._import("SciPy", "scipy.ndimage")
        self.morphology = self._import("scikit-image", "skimage.morphology")
        self.graph = self._import("scikit-image", "skimage.graph")
        self.measure = self._import("scikit-image", "skimage.measure")
        self.segmentation = self._import("scikit-image", "skimage.segmentation")
        self.leptonica = self._load_leptonica()
        self.libvips = self._load_libvips()
        if self.cv2:
            self.cv2.setNumThreads(1)

    def _import(self, title, name):
        try:
            return __import__(name, fromlist=["x"])
        except ImportError as problem:
            self.missing[title] = str(problem)
            return None

    def _load_leptonica(self):
        for name in ("libleptonica.so.6", "liblept.so.5"):
            try:
                library = ctypes.CDLL(name)
            except OSError as problem:
                self.missing["Leptonica"] = str(problem)
                continue
            self.missing.pop("Leptonica", None)
            for name in ("pixCreate", "pixGetData", "pixErodeGray", "pixOpenGray",
                         "pixMedianFilter", "pixSelectByArea"):
                getattr(library, name).restype = c_void_p
            library.pixSelectByArea.argtypes = [c_void_p, c_float, c_int32, c_int32, c_void_p]
            library.getLeptonicaVersion.restype = c_char_p
            return library
        return None

    def _load_libvips(self):
        try:
            return libvips.Libvips()
        except OSError as problem:
            self.missing["libvips"] = str(problem)
            return None

    def versions(self):
        """[(title, version)] of the available peers."""
        found = []
        if self.leptonica:
            found.append(("Leptonica", self.leptonica.getLeptonicaVersion().decode()
                          .replace("leptonica-", "")))
        if self.libvips:
            found.append(("libvips", self.libvips.version()))
        if self.cv2:
            found.append(("OpenCV", self.cv2.__version__))
        for title, module, package in (("SciPy", self.ndimage, "scipy"),
                                       ("scikit-image", self.morphology, "skimage")):
            if module:
                found.append((title, __import__(package).__version__))
        return found

    # ------------------------------------------------------------ reconstruction

    def leptonica_reconstruct(self, mask, marker, connectivity):
        seed, limit = LeptonicaImage(self.leptonica, marker), LeptonicaImage(self.leptonica, mask)
        start = seed.pixels.copy()

        def prepare():
            seed.pixels[...] = start

        def run():
            if self.leptonica.pixSeedfillGray(seed.pix, limit.pix, connectivity) != 0:
                raise RuntimeError("pixSeedfillGray failed")

        return prepare, run, seed.result

    def skimage_reconstruct(self, mask, marker, connectivity):
        ones = numpy.ones((3, 3), bool)
        footprint = ones if connectivity == 8 else self.ndimage.generate_binary_structure(2, 1)
        return self._returning(lambda: self.morphology.reconstruction(
            marker, mask, method="dilation", footprint=footprint))

    # ------------------------------------------------------------ distance

    def opencv_distance(self, image):
        out = numpy.zeros(image.shape, numpy.float32)

        def run():
            self.cv2.distanceTransform(image, self.cv2.DIST_L2, self.cv2.DIST_MASK_PRECISE,
                                       dst=out)

        return nothing, run, lambda: out

    def scipy_distance(self, image):
        return self._returning(lambda: self.ndimage.distance_transform_edt(image))

    # ------------------------------------------------------------ watershed and labels

    def opencv_watershed(self, image, seeds):
        colors = self.cv2.merge([image] * 3)
        start = seeds.astype(numpy.int32)
        labels = numpy.empty_like(start)

        def prepare():
            labels[...] = start

        return prepare, lambda: self.cv2.watershed(colors, labels), lambda: labels

    def skimage_watershed(self, image, connectivity):
        return self._returning(lambda: self.segmentation.watershed(
            image, connectivity=1 if connectivity == 4 else 2))

    def opencv_label(self, image, connectivity):
        labels = numpy.zeros(image.shape, numpy.int32)

        def run():
            self.cv2.connectedComponents(image, labels, connectivity, self.cv2.CV_32S)

        return nothing, run, lambda: labels

    def scipy_label(self, image, connectivity):
        structure = self.ndimage.generate_binary_structure(2, 1 if connectivity == 4 else 2)
        labels = numpy.zeros(image.shape, numpy.int32)
        return (nothing, lambda: self.ndimage.label(image, structure, output=labels),
                lambda: labels)

    @staticmethod
    def _returning(compute):
        made = []

        def prepare():
            made.clear()

        return prepare, lambda: made.append(compute()), lambda: made[0]


class LeptonicaImage:
    """A Pix of 8 bits or of one; its bytes are packed into 32-bit words, the first byte most
    significant.
    """

    def __init__(self, library, array, depth=8):
        height, width = array.shape
        pix = library.pixCreate(c_int(width), c_int(height), c_int32(depth))
        self._take(library, pix, array.shape, depth)
        content = numpy.packbits(array != 0, axis=1) if depth == 1 else array
        padded = numpy.zeros((height, 4 * self.pixels.shape[1]), numpy.uint8)
        padded[:, :content.shape[1]] = content
        self.pixels[...] = padded.view(">u4")

    def _take(self, library, pix, shape, depth):
        self.pix = c_void_p(pix)
        if not pix:
            raise MemoryError("Leptonica made no image")
        self.library, self.shape, self.depth = library, shape, depth
        words = -(-shape[1] * depth // 32)
        memory = (ctypes.c_uint32 * (words * shape[0])).from_address(library.pixGetData(self.pix))
        self.pixels = numpy.frombuffer(memory, numpy.uint32).reshape(shape[0], words)

    def made(self, name, *given):
        """The image that a function of Leptonica makes of this one."""
        image = LeptonicaImage.__new__(LeptonicaImage)
        image._take(self.library, getattr(self.library, name)(self.pix, *given), self.shape,
                    self.depth)
        return image

    def __del__(self):
        self.library.pixDestroy(ctypes.byref(self.pix))

    def result(self):
        found = self.pixels.astype(">u4").view(numpy.uint8)
        if self.depth == 1:
            found = numpy.unpackbits(found, axis=1) * numpy.uint8(255)
        return found[:, :self.shape[1]]
