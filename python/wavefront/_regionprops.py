# SPDX-License-Identifier: GPL-3.0-or-later
"""skimage.measure.regionprops_table, of the library's measurements.

Properties that are defined otherwise here, such as the convex area, raise NotImplementedError; moments
and levels of float64 are summed by NumPy (_region_pixels.py). scikit-image counts pixels from their
centers, the library from their corners; and a pixel is a point to scikit-image's ellipse, which
takes 1/12 of its squared side from the library's second moments.
"""
import functools
import inspect

import numpy as np

import wavefront

from ._peers import boxes_of, exact_levels, in_main_memory
from ._region_pixels import Moments, RegionPixels, measure_levels
from .ndimage import binary_fill_holes

_OLD_NAMES = {"bbox_area": "area_bbox", "equivalent_diameter": "equivalent_diameter_area",
              "local_centroid": "centroid_local", "major_axis_length": "axis_major_length",
              "minor_axis_length": "axis_minor_length", "max_intensity": "intensity_max",
              "mean_intensity": "intensity_mean", "min_intensity": "intensity_min",
              "std_intensity": "intensity_std", "weighted_centroid": "centroid_weighted",
              "weighted_local_centroid": "centroid_weighted_local",
              "filled_area": "area_filled", "filled_image": "image_filled",
              "intensity_image": "image_intensity", "weighted_moments": "moments_weighted",
              "weighted_moments_central": "moments_weighted_central",
              "weighted_moments_hu": "moments_weighted_hu",
              "weighted_moments_normalized": "moments_weighted_normalized"}
# The measures of the library that depend on levels.
_OF_LEVELS = {"mean", "minimum", "maximum", "standard-deviation", "weighted-centroid"}


class _Regions:
    """What is measured, as the properties take it: columns by scikit-image's axes and places."""

    def __init__(self, labels, levels, spacing, measures):
        n = labels.ndim
        self.labels, self.levels = labels, levels
        self.spacing = np.broadcast_to(1.0 if spacing is None else spacing, n).astype(float)
        self.axes = "zyx"[-n:]
        self.n = n
        exact = exact_levels(levels) if levels is not None and measures & _OF_LEVELS else None
        by_numpy = measures & _OF_LEVELS if exact is None else set()
        if by_numpy:
            measures = (measures - by_numpy) | {"bounding-box"}
        self.table = wavefront.measure(labels, exact, measures=sorted(measures),
                                       connectivity=8 if n == 2 else "auto",
                                       spacing=None if spacing is None else self.spacing)
        if by_numpy:
            self.table.update(measure_levels(self.region_pixels, self.region_pixels.levels(levels),
                                             self.axes))

    @functools.cached_property
    def region_pixels(self):
        return RegionPixels(self.labels, self.table["label"], self.box()[0], self.spacing)

    @functools.cached_property
    def moments(self):
        return Moments(self.region_pixels)

    @functools.cached_property
    def moments_weighted(self):
        return Moments(self.region_pixels, self.region_pixels.levels(self.levels))

    def columns(self, name):
        """A column for each axis, of zeros for the only slice of a stack."""
        zeros = np.zeros(len(self.table["label"]))
        return [self.table.get(f"{name}_{axis}", zeros) for axis in self.axes]

    def box(self):
        """First and end of each axis."""
        zeros = np.zeros(len(self.table["label"]), np.int64)
        names = {"z": ("first", "slices"), "y": ("top", "height"), "x": ("left", "width")}
        starts = [self.table.get(names[axis][0], zeros) for axis in self.axes]
        return starts, [start + self.table.get(names[axis][1], zeros + 1)
                        for start, axis in zip(starts, self.axes)]

    def places(self, name):
        """From the center of the first pixel; slices are counted so already."""
        return [column if axis == "z" else column - side / 2
                for column, axis, side in zip(self.columns(name), self.axes, self.spacing)]

    def local(self, name):
        return [place - start * side for place, start, side in
                zip(self.places(name), self.box()[0], self.spacing)]

    def pixels(self):
        # the column is there with a spacing only
        return self.table.get("pixels", self.table["area"])

    def box_area(self):
        starts, ends = self.box()
        return np.prod([(end - start) * side for start, end, side in
                        zip(starts, ends, self.spacing)], axis=0)

    def ellipse(self):
        """The second moments along the axes of the ellipse, without those of a pixel."""
        if len(set(self.spacing)) > 1:
            return list(self.moments.principal())
        side = self.spacing[0]
        sums = []
        for name in "ellipse_major", "ellipse_minor":
            moment = self.table[name] ** 2 / 16 - side ** 2 / 12
            # what rounding leaves of 0
            sums.append(np.where(moment < 1e-12 * side ** 2, 0, moment))
        return sums

    def eccentricity(self):
        major, minor = self.ellipse()
        return np.sqrt(1 - np.divide(minor, major, out=np.ones_like(major), where=major > 0))

    def orientation(self):
        """From the rows' axis, from −π/2 to π/2."""
        self.isotropic("the orientation")
        return np.radians(self.table["orientation"] - 90)

    def isotropic(self, what):
        if len(set(self.spacing)) > 1:
            raise NotImplementedError(f"{what} of pixels that are not square")
        return self.spacing[0]

    def ellipsoid(self, *signs):
        """The longest or the shortest axis of the ellipsoid with the same moments."""
        squared = 10 * sum(sign * value for sign, value in zip(signs, self.moments.principal()))
        return np.sqrt(np.maximum(squared, 0))      # of a flat region rounding may leave less

    def perimeter(self):
        self.isotropic("the perimeter")
        return self.table["perimeter"]


# The measures that a property takes, and what it makes of them: a column, or a list of columns.
_PROPERTIES = {
    "label": ((), lambda found: found.table["label"]),
    "area": (("area",), lambda found: found.table["area"].astype(float)),
    "num_pixels": (("area",), lambda found: found.pixels().astype(int)),
    "bbox": (("bounding-box",), lambda found: sum(found.box(), [])),
    "area_bbox": (("bounding-box",), lambda found: found.box_area()),
    "extent": (("extent",), lambda found: found.table["extent"]),
    "centroid": (("centroid",), lambda found: found.places("centroid")),
    "centroid_local": (("centroid", "bounding-box"), lambda found: found.local("centroid")),
    "equivalent_diameter_area": (("equivalent-diameter",),
                                 lambda found: found.table["equivalent_diameter"]),
    "intensity_mean": (("mean",), lambda found: found.table["mean"]),
    "intensity_min": (("minimum",), lambda found: found.table["minimum"]),
    "intensity_max": (("maximum",), lambda found: found.table["maximum"]),
    "intensity_std": (("standard-deviation",), lambda found: found.table["standard_deviation"]),
    "centroid_weighted": (("weighted-centroid",), lambda found: found.places("weighted_centroid")),
    "centroid_weighted_local": (("weighted-centroid", "bounding-box"),
                                lambda found: found.local("weighted_centroid")),
    "inertia_tensor": (("bounding-box",), lambda found: _nested(found.moments.inertia())),
}
_OF_IMAGES = {   # not of stacks
    "euler_number": (("euler-number",), lambda found: found.table["euler_number"]),
    "perimeter_crofton": (("perimeter",), lambda found: found.perimeter()),
    "axis_major_length": (("ellipse", "bounding-box"), lambda found: 4 * np.sqrt(found.ellipse()[0])),
    "axis_minor_length": (("ellipse", "bounding-box"), lambda found: 4 * np.sqrt(found.ellipse()[1])),
    "inertia_tensor_eigvals": (("ellipse", "bounding-box"), lambda found: found.ellipse()),
    "eccentricity": (("ellipse", "bounding-box"), lambda found: found.eccentricity()),
    "orientation": (("orientation",), lambda found: found.orientation()),
}
_OF_STACKS = {
    "inertia_tensor_eigvals": (("bounding-box",), lambda found: list(found.moments.principal())),
    "axis_major_length": (("bounding-box",), lambda found: found.ellipsoid(1, 1, -1)),
    "axis_minor_length": (("bounding-box",), lambda found: found.ellipsoid(-1, 1, 1)),
}


for _mass in "moments", "moments_weighted":
    for _kind, _suffix in ("raw", ""), ("central", "_central"), ("normalized", "_normalized"), \
            ("hu", "_hu"):
        (_OF_IMAGES if _kind == "hu" else _PROPERTIES)[_mass + _suffix] = (
            ("bounding-box",), lambda found, mass=_mass, kind=_kind:
            _nested(getattr(getattr(found, mass), kind)()))


class _Objects:
    """Properties whose size is that of the region."""

    def __init__(self, labels, image, spacing):
        self.labels, self.image = labels, image
        self.spacing = np.broadcast_to(1.0 if spacing is None else spacing, labels.ndim).astype(float)
        self.numbers, self.boxes = boxes_of(labels)

    def column(self, one):
        found = np.empty(len(self.numbers), object)
        for i, (number, box) in enumerate(zip(self.numbers, self.boxes)):
            found[i] = one(box, self.labels[box] == number)
        return found

    def levels(self, box, marks):
        if self.image is None:
            raise AttributeError("the levels of regions need an intensity image")
        return self.image[box] * marks.reshape(marks.shape + (1,) * (self.image.ndim - marks.ndim))

    def make(self, name):
        if name == "slice":
            return self.column(lambda box, marks: box)
        if name == "image":
            return self.column(lambda box, marks: marks)
        if name == "image_intensity":
            return self.column(self.levels)
        if name == "image_filled":
            return self.column(self.filled)
        if name == "area_filled":
            return self.column(lambda box, marks: self.filled(box, marks).sum() * self.spacing.prod()
                               ).astype(float)
        scale = self.spacing if name == "coords_scaled" else 1
        return self.column(lambda box, marks: scale * (np.argwhere(marks) +
                                                       [part.start for part in box]))

    def filled(self, box, marks):
        return binary_fill_holes(marks, np.ones((3,) * marks.ndim))

    def call(self, function):
        """Of a property of the caller's: of the marks, and of the levels if it takes them."""
        needed = [one for one in inspect.signature(function).parameters.values()
                  if one.default is one.empty
                  and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
        if len(needed) == 1:
            return self.column(lambda box, marks: function(marks))
        return self.column(lambda box, marks: function(marks, self.levels(box, marks)))


_OBJECTS = ("slice", "image", "image_intensity", "image_filled", "area_filled", "coords",
            "coords_scaled")


@in_main_memory("measure")
def regionprops_table(label_image, intensity_image=None, properties=("label", "bbox"), *, cache=True,
                      separator="-", extra_properties=None, spacing=None):
    """skimage.measure.regionprops_table"""
    image = np.asarray(label_image)
    if image.ndim not in (2, 3):
        raise TypeError(f"labels have {image.ndim} axes; they must have 2 or 3")
    if image.dtype.kind not in "iu":
        raise TypeError(f"labels are whole numbers, not {image.dtype}")
    if image.size and image.max() >= 1 << 32:
        raise NotImplementedError("labels beyond 32 bits")
    labels = np.maximum(image, 0).astype(np.uint32)
    levels = None if intensity_image is None else np.asarray(intensity_image)
    channels = _channels(labels, levels)
    wanted = {name: _OLD_NAMES.get(name, name) for name in properties}
    known = {**_PROPERTIES, **(_OF_IMAGES if labels.ndim == 2 else _OF_STACKS)}
    for name in wanted.values():
        if name not in known and name not in _OBJECTS:
            raise NotImplementedError(f"the property {name}" + " of a stack" * (name in _OF_IMAGES))
        if levels is None and _is_of_levels(name):
            raise AttributeError(f"the property {name} needs an intensity image")
    measured = _measure(labels, channels, spacing, known, set(wanted.values()))
    objects = _Objects(labels, levels, spacing) if extra_properties or set(wanted.values()) & set(_OBJECTS) \
        else None
    table = {}
    for given, name in wanted.items():
        _put(table, given, objects.make(name) if name in _OBJECTS else measured[name], separator)
    for function in extra_properties or ():
        _put(table, function.__name__, _unpacked(objects.call(function)), separator)
    return table


def _channels(labels, levels):
    """The images of levels, one for each channel of the last axis, and whether there is that axis."""
    if levels is None:
        return None
    if levels.shape == labels.shape:
        return levels
    if levels.shape[:-1] == labels.shape:
        return [levels[..., i] for i in range(levels.shape[-1])]
    raise ValueError(f"the intensity image has the shape {levels.shape}, but labels {labels.shape}")


def _measure(labels, channels, spacing, known, names):
    """The columns of the properties; those of levels for each channel, if there are several."""
    names = {name for name in names if name in known}
    of_levels = {name for name in names if _is_of_levels(name)}

    def make(chosen, levels):
        measures = {measure for name in chosen for measure in known[name][0]} | {"area"}
        found = _Regions(labels, levels, spacing, measures)
        return {name: known[name][1](found) for name in chosen}

    if not isinstance(channels, list):
        return make(names, channels if of_levels else None)
    columns = make(names - of_levels, None)
    parts = [make(of_levels, channel) for channel in channels] if of_levels else []
    for name in of_levels:
        columns[name] = _beside([part[name] for part in parts])
    return columns


def _is_of_levels(name):
    return "intensity" in name or "weighted" in name


def _beside(channels):
    """The columns of several channels, axes before channels."""
    if not isinstance(channels[0], list):
        return channels
    return [_beside(list(parts)) for parts in zip(*channels)]


def _nested(array):
    """Lists of columns for an array whose last axis is that of the regions."""
    return array if array.ndim == 1 else [_nested(part) for part in array]


def _put(table, name, columns, separator):
    """A column, or one for each entry of a list, of lists, of them."""
    if isinstance(columns, list):
        for i, column in enumerate(columns):
            _put(table, f"{name}{separator}{i}", column, separator)
    else:
        table[name] = columns


def _unpacked(column):
    """Numbers instead of objects where they are; a column for each, where all have as many."""
    kinds = {np.shape(value) if isinstance(value, (np.ndarray, np.generic)) or np.isscalar(value)
             else None for value in column}
    if len(kinds) != 1 or None in kinds:
        return column
    found = np.array(column.tolist())
    return _nested(np.moveaxis(found, 0, -1))
