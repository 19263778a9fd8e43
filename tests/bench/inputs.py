# SPDX-License-Identifier: GPL-3.0-or-later
"""The benchmark's inputs: a tissue, made from one picture, and synthetic hard contents.

The tissue is scikit-image's picture "ihc" (immunohistochemical staining of colonic glands),
luminance inverted so that nuclei are bright, tiled with its mirror images, with noise of ±3 gray
levels. All random numbers come from fixed seeds and NumPy's frozen generator, so the inputs are the
same on every machine.
"""
import os

import numpy

SEED = 20120
NOISE = 3
MARKER_DEPTH = 40
SIGMA = 1.5
ROWS = 512    # processed at a time

# How many levels of a type make one level of the picture.
SCALES = {"uint8": 1, "uint16": 256, "float32": numpy.float32(1 / 256)}


def find_picture():
    """The picture in scikit-image's package, or None."""
    try:
        import skimage
    except ImportError:
        return None
    path = os.path.join(skimage.__path__[0], "data", "ihc.png")
    return path if os.path.exists(path) else None


def read_picture(path):
    """The inverted luminance of a PNG, or the bytes of a gray file NAME-WIDTHxHEIGHT.raw."""
    if path.endswith(".raw"):
        width, height = path[:-4].split("-")[-1].split("x")
        return numpy.fromfile(path, numpy.uint8).reshape(int(height), int(width))
    colors = read_colors(path).astype(numpy.float64)
    luminance = colors @ (0.299, 0.587, 0.114)
    return (255 - numpy.floor(luminance + 0.5)).astype(numpy.uint8)


def read_colors(path):
    try:
        from PIL import Image
        return numpy.asarray(Image.open(path).convert("RGB"))
    except ImportError:
        import cv2
        return cv2.imread(path, cv2.IMREAD_COLOR)[:, :, ::-1]


def tissue(picture, size, dtype="uint8"):
    """The picture mirror-tiled to size × size, with noise in the type's resolution."""
    height, width = picture.shape
    tile = numpy.block([[picture, picture[:, ::-1]], [picture[::-1], picture[::-1, ::-1]]])
    columns = numpy.arange(size) % (2 * width)
    random = numpy.random.RandomState(SEED)
    scale = SCALES[dtype]
    out = numpy.empty((size, size), dtype)
    for y in range(0, size, ROWS):
        rows = numpy.arange(y, min(y + ROWS, size)) % (2 * height)
        levels = tile[rows][:, columns]
        if dtype == "float32":
            noise = random.uniform(-NOISE, NOISE, levels.shape)
            out[y:y + ROWS] = (levels + noise) * scale
        else:
            noise = random.randint(-NOISE * scale, NOISE * scale + 1, levels.shape)
            out[y:y + ROWS] = numpy.clip(levels.astype(numpy.int32) * scale + noise,
                                         0, 256 * int(scale) - 1)
    return out


def marker_of(mask):
    """max (mask − 40, 0)"""
    depth = MARKER_DEPTH * SCALES[mask.dtype.name]
    return numpy.maximum(mask, mask.dtype.type(depth)) - mask.dtype.type(depth)


def otsu_threshold(image):
    """The threshold with the largest variance between classes, for a u8 image (Otsu 1979)."""
    counts = numpy.bincount(image.ravel(), minlength=256).astype(numpy.float64)
    below = numpy.cumsum(counts)
    sums = numpy.cumsum(counts * numpy.arange(256))
    above = below[-1] - below
    with numpy.errstate(divide="ignore", invalid="ignore"):
        between = below * above * (sums / below - (sums[-1] - sums) / above) ** 2
    return int(numpy.nanargmax(between))


def binary_of(image):
    """255 above the Otsu threshold, 0 elsewhere."""
    return numpy.where(image > otsu_threshold(image), numpy.uint8(255), numpy.uint8(0))


def random_background(size, share):
    """255, except for a share of random pixels."""
    random = numpy.random.RandomState(SEED + 1)
    out = numpy.empty((size, size), numpy.uint8)
    for y in range(0, size, ROWS):
        rows = min(ROWS, size - y)
        out[y:y + rows] = numpy.where(random.random_sample((rows, size)) < share, 0, 255)
    return out


def one_background(size):
    """255, except for one pixel away from the middle."""
    out = numpy.full((size, size), 255, numpy.uint8)
    out[size // 3, 2 * size // 5] = 0
    return out


def gradient_of(image):
    """The morphological gradient, 3 × 3, after a Gaussian; in the image's type."""
    height = image.shape[0]
    radius = int(4 * SIGMA + 0.5)
    weights = numpy.exp(-0.5 * (numpy.arange(-radius, radius + 1) / SIGMA) ** 2)
    weights = (weights / weights.sum()).astype(numpy.float32)
    out = numpy.empty_like(image)
    for y in range(0, height, ROWS):
        rows = numpy.arange(y - radius - 1, min(y + ROWS, height) + radius + 1)
        part = image[numpy.clip(rows, 0, height - 1)].astype(numpy.float32)
        smooth = blur(part, weights, 1)
        smooth = blur(smooth, weights, 0)[radius:-radius]
        out[y:y + ROWS] = range_3x3(quantized(smooth, image.dtype))
    return out


def blur(image, weights, axis):
    radius = len(weights) // 2
    length = image.shape[axis]
    padding = [(0, 0), (0, 0)]
    padding[axis] = (radius, radius)
    padded = numpy.pad(image, padding, mode="edge")
    out = numpy.zeros_like(image)
    for i, weight in enumerate(weights):
        out += weight * (padded[:, i:i + length] if axis else padded[i:i + length])
    return out


def quantized(image, dtype):
    return image if dtype == numpy.float32 else numpy.floor(image + 0.5).astype(dtype)


def range_3x3(rows):
    """Maximum minus minimum of the 3 × 3 around each pixel, without the first and last row."""
    padded = numpy.pad(rows, ((0, 0), (1, 1)), mode="edge")
    width = rows.shape[1]
    high, low = rows, rows
    for pick in (slice(0, width), slice(2, width + 2)):
        high, low = numpy.maximum(high, padded[:, pick]), numpy.minimum(low, padded[:, pick])
    high = numpy.maximum(numpy.maximum(high[:-2], high[1:-1]), high[2:])
    low = numpy.minimum(numpy.minimum(low[:-2], low[1:-1]), low[2:])
    return high - low


# ---------------------------------------------------------------- hard contents

def corridor(size):
    """True on a serpentine path one pixel wide through the whole image."""
    way = numpy.zeros((size, size), bool)
    way[::2] = True
    way[1::4, -1] = True
    way[3::4, 0] = True
    return way


def spiral(size):
    """True on a spiral path one pixel wide from the corner to the middle."""
    way = numpy.zeros((size, size), bool)
    left, top, right, bottom = 0, 0, size - 1, size - 1
    way[0, 0] = True
    x = 0
    while left <= right and top <= bottom:
        way[top, x:right + 1] = True
        way[top:bottom + 1, right] = True
        way[bottom, left:right + 1] = True
        way[top + 2:bottom + 1, left] = True
        x = left
        left, top, right, bottom = left + 2, top + 2, right - 2, bottom - 2
    return way


def noise(size):
    random = numpy.random.RandomState(SEED + 2)
    return random.randint(0, 256, (size, size)).astype(numpy.uint8)


def checkerboard(size):
    y, x = numpy.ogrid[:size, :size]
    return (x + y) % 2 == 0


def one_pixel(size, value=255, other=0):
    out = numpy.full((size, size), other, numpy.uint8)
    out[0, 0] = value
    return out


def pick(condition, yes, no):
    return numpy.where(condition, numpy.uint8(yes), numpy.uint8(no))


def hard_reconstruction(size):
    """Yields (name, mask, marker)."""
    yield "serpentine", pick(corridor(size), 200, 3), one_pixel(size, 200)
    yield "spiral", pick(spiral(size), 200, 3), one_pixel(size, 200)
    constant = numpy.full((size, size), 128, numpy.uint8)
    yield "constant", constant, marker_of(constant)
    yield "plateau from one pixel", constant, one_pixel(size, 128)
    mask = noise(size)
    yield "noise", mask, marker_of(mask)
    yield "checkerboard", pick(checkerboard(size), 200, 3), one_pixel(size, 200)


def fill_holes(mask):
    """The marker whose reconstruction by erosion fills the holes: the image at its border."""
    marker = numpy.full_like(mask, numpy.iinfo(mask.dtype).max)
    for border in (numpy.s_[0], numpy.s_[-1], numpy.s_[:, 0], numpy.s_[:, -1]):
        marker[border] = mask[border]
    return marker


def points(mask, n):
    """The mask at n random pixels, 0 elsewhere."""
    random = numpy.random.RandomState(SEED + 3)
    places = tuple(random.randint(0, side, n) for side in mask.shape)
    marker = numpy.zeros_like(mask)
    marker[places] = mask[places]
    return marker


def long_ways(tissue):
    """Yields (name, mask, marker, options): levels propagate through the whole image."""
    size = len(tissue)
    yield "fill holes", tissue, fill_holes(tissue), {"by": "erosion"}
    yield "200 points", tissue, points(tissue, 200), {}
    yield "serpentine", pick(corridor(size), 200, 3), one_pixel(size, 200), {}
    yield "spiral", pick(spiral(size), 200, 3), one_pixel(size, 200), {}


def hard_distance(size):
    """Yields (name, image)."""
    y, x = numpy.ogrid[:size, :size]
    yield "serpentine", pick(corridor(size), 255, 0)
    yield "spiral", pick(spiral(size), 255, 0)
    yield "constant, no background", numpy.full((size, size), 255, numpy.uint8)
    yield "constant, no foreground", numpy.zeros((size, size), numpy.uint8)
    yield "plateau, one background pixel", one_background(size)
    yield "noise", pick(noise(size) < 128, 255, 0)
    yield "checkerboard", pick(checkerboard(size), 255, 0)
    radius = size // 2 - 2
    yield "disc", pick((x - size // 2) ** 2 + (y - size // 2) ** 2 <= radius ** 2, 255, 0)
    yield "diagonal", pick(x == y, 0, 255)


def hard_watershed(size):
    """Yields (name, image)."""
    for name, way in (("serpentine", corridor(size)), ("spiral", spiral(size))):
        image = pick(way, 10, 200)
        image[0, 0] = 0
        yield name, image
    yield "constant", numpy.full((size, size), 128, numpy.uint8)
    yield "plateau around one pixel", one_pixel(size, 0, 128)
    yield "noise", noise(size)
    yield "checkerboard", pick(checkerboard(size), 200, 3)
