# SPDX-License-Identifier: GPL-3.0-or-later
"""Openings by a tree of scikit-image's max_tree(): each pixel has a parent, the root itself."""
import numpy as np


def open_by_tree(image, area, parents):
    """The image with the level of the nearest ancestor whose component has the area."""
    if np.shape(parents) != image.shape:
        raise ValueError(f"parent has the shape {np.shape(parents)}, but image {image.shape}")
    parents = np.asarray(parents).ravel()
    sizes = _sizes(parents)
    above = np.where(sizes >= area, np.arange(parents.size), parents)
    while True:
        higher = above[above]
        if np.array_equal(higher, above):
            return image.ravel()[above].reshape(image.shape)
        above = higher


def _sizes(parents):
    """The pixels in the subtree of each, from the leaves up, one depth after the other."""
    sizes, depths = np.ones(parents.size, np.int64), _depths(parents)
    order = np.argsort(depths, kind="stable")
    ends = np.flatnonzero(np.diff(depths[order])) + 1
    for nodes in np.split(order, ends)[:0:-1]:
        np.add.at(sizes, parents[nodes], sizes[nodes])
    return sizes


def _depths(parents):
    """The steps from each pixel to the root, by jumps that double."""
    depths = (parents != np.arange(parents.size)).astype(np.int64)
    above = parents
    while True:
        farther = depths[above]
        if not farther.any():
            return depths
        depths, above = depths + farther, above[above]
