# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums over regions in float64, by NumPy: of levels that float32 cannot hold, and moments.

The library measures levels of uint8, uint16 and float32; scikit-image's images are float64 mostly.
"""
import functools
import itertools

import numpy as np

# Labels up to so many times the pixels are looked up in a table.
_TABLE = 4


class RegionPixels:
    """The pixels of all regions, in the order of memory: whose they are, and where in its box."""

    def __init__(self, labels, numbers, starts, spacing):
        self.n, self.n_axes = len(numbers), labels.ndim
        self.starts, self.spacing = starts, spacing
        self.flat = np.flatnonzero(labels)
        self.index = _places(labels.ravel()[self.flat], numbers, labels.size)
        self.counts = np.bincount(self.index, minlength=self.n)
        self.places = [(axis - start[self.index]) * side for axis, start, side in
                       zip(np.unravel_index(self.flat, labels.shape), starts, spacing)]

    def levels(self, image):
        return image.ravel()[self.flat].astype(np.float64)

    def sum(self, values):
        return np.bincount(self.index, values, self.n)


def _places(labels, numbers, n_pixels):
    """Where the labels of pixels are among the increasing labels that there are."""
    if len(numbers) == 0 or numbers[-1] > _TABLE * n_pixels:
        return np.searchsorted(numbers, labels)
    table = np.zeros(int(numbers[-1]) + 1, np.intp)
    table[numbers] = np.arange(len(numbers))
    return table[labels]


def measure_levels(pixels, levels, axes):
    """The columns of wavefront.measure() that depend on levels."""
    mean = pixels.sum(levels) / pixels.counts
    lowest, highest = np.full(pixels.n, np.inf), np.full(pixels.n, -np.inf)
    with np.errstate(invalid="ignore"):     # NaN is that of its region
        np.minimum.at(lowest, pixels.index, levels)
        np.maximum.at(highest, pixels.index, levels)
    away = levels - mean[pixels.index]
    spread = np.sqrt(pixels.sum(away * away) / pixels.counts)
    columns = {"mean": mean, "minimum": lowest, "maximum": highest, "standard_deviation": spread}
    with np.errstate(invalid="ignore", divide="ignore"):
        for axis, places, start, side in zip(axes, pixels.places, pixels.starts, pixels.spacing):
            local = pixels.sum(levels * places) / pixels.sum(levels)
            # from the corner of the image, but for slices
            columns[f"weighted_centroid_{axis}"] = local + side * (start + (axis != "z") / 2)
    return columns


class Moments:
    """The moments up to the third along each axis, of the pixels or of their levels.

    The arrays have an axis for the power of each axis, and the last one for the regions.
    """

    ORDER = 3

    def __init__(self, pixels, levels=None):
        self.pixels = pixels
        self.levels = np.ones(len(pixels.index)) if levels is None else levels
        self.powers = list(itertools.product(range(self.ORDER + 1), repeat=pixels.n_axes))

    def _around(self, centers):
        """Around a point of each region."""
        found = np.empty((self.ORDER + 1,) * len(centers) + (self.pixels.n,))
        self._sum(found, self.levels, [axis - center[self.pixels.index] for axis, center in
                                       zip(self.pixels.places, centers)])
        return found

    def _sum(self, found, weights, places):
        """Of weights times all powers of the places along these axes."""
        if not places:
            found[:] = self.pixels.sum(weights)
            return
        for power in range(self.ORDER + 1):
            self._sum(found[power], weights, places[1:])
            weights = weights * places[0]

    def raw(self):
        """Around the first pixel of the box."""
        return self._around([np.zeros(self.pixels.n)] * self.pixels.n_axes)

    def _first(self, axis):
        return tuple(int(axis == other) for other in range(self.pixels.n_axes))

    def central(self):
        """Around the centroid."""
        return self._central

    @functools.cached_property
    def _central(self):
        with np.errstate(invalid="ignore", divide="ignore"):
            return self._around([self.pixels.sum(self.levels * axis) / self.pixels.sum(self.levels)
                                 for axis in self.pixels.places])

    def normalized(self):
        """Central ones that do not depend on size; NaN below the second order."""
        central, smallest = self.central(), min(self.pixels.spacing)
        found = np.full_like(central, np.nan)
        mass = central[(0,) * self.pixels.n_axes]
        with np.errstate(invalid="ignore", divide="ignore"):
            for powers in self.powers:
                order = sum(powers)
                if order >= 2:
                    found[powers] = central[powers] / smallest ** order \
                        / mass ** (order / self.pixels.n_axes + 1)
        return found

    def hu(self):
        """Hu's seven, which do not depend on position, size and direction."""
        if any(side != 1 for side in self.pixels.spacing):
            raise NotImplementedError("Hu's moments of pixels that are not of side 1")
        eta = self.normalized()
        a, b = eta[3, 0] + eta[1, 2], eta[2, 1] + eta[0, 3]
        c, d = eta[3, 0] - 3 * eta[1, 2], 3 * eta[2, 1] - eta[0, 3]
        difference, mixed = eta[2, 0] - eta[0, 2], eta[1, 1]
        # of the third order: parts that turn by three angles
        u, v = a * (a * a - 3 * b * b), b * (3 * a * a - b * b)
        return np.stack([eta[2, 0] + eta[0, 2], difference ** 2 + 4 * mixed ** 2,
                         c * c + d * d, a * a + b * b, c * u + d * v,
                         difference * (a * a - b * b) + 4 * mixed * a * b, d * u - c * v])

    def inertia(self):
        """The tensor of inertia: an array of axes, axes and regions."""
        central, n = self.central(), self.pixels.n_axes
        mass = central[(0,) * n]
        found = np.empty((n, n, self.pixels.n))
        for a, b in itertools.product(range(n), repeat=2):
            powers = tuple(p + q for p, q in zip(self._first(a), self._first(b)))
            found[a, b] = -central[powers] / mass
        spread = -np.trace(found)
        for a in range(n):
            found[a, a] += spread
        return found

    def principal(self):
        """The eigenvalues of the tensor of inertia, the largest first."""
        values = np.linalg.eigvalsh(np.moveaxis(self.inertia(), 2, 0))
        return np.maximum(values, 0).T[::-1]
