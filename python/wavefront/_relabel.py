# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers without gaps for labels, and what they stand for."""
import numpy as np

from ._peers import in_main_memory


class LabelMap:
    """What becomes of labels, used like an array with an entry for each; others become 0.

    It keeps only the labels that there are, so that large ones take no memory, unless it is made
    an array of.
    """

    def __init__(self, labels, values):
        self.in_values, self.out_values = labels, values

    @property
    def dtype(self):
        return self.out_values.dtype

    def __len__(self):
        return int(self.in_values[-1]) + 1 if len(self.in_values) else 0

    def __array__(self, dtype=None, copy=None):
        found = np.zeros(len(self), dtype or self.dtype)
        found[self.in_values] = self.out_values
        return found

    def __getitem__(self, labels):
        if isinstance(labels, slice):
            labels = np.arange(*labels.indices(len(self)))
        labels = np.asarray(labels)
        if labels.dtype == bool:
            labels = np.flatnonzero(labels)
        # in one type, so that none is rounded to another
        known, labels = self.in_values.astype(np.uint64), labels.astype(np.uint64)
        places = np.minimum(np.searchsorted(known, labels), len(known) - 1)
        return np.where(known[places] == labels, self.out_values[places], self.dtype.type(0))[()]

    __call__ = __getitem__

    def __setitem__(self, labels, values):
        changed = dict(zip(self.in_values.tolist(), self.out_values.tolist()))
        labels, values = np.broadcast_arrays(labels, values)
        changed.update(zip(labels.ravel().tolist(), values.ravel().tolist()))
        self.in_values = np.array(sorted(changed), self.in_values.dtype)
        self.out_values = np.array([changed[label] for label in sorted(changed)], self.dtype)

    def __repr__(self):
        return f"LabelMap({self.in_values!r}, {self.out_values!r})"


@in_main_memory("relabel")
def relabel_sequential(label_field, offset=1):
    """skimage.segmentation.relabel_sequential"""
    image = np.asarray(label_field)
    if offset <= 0:
        raise ValueError(f"offset is {offset}; it must be positive")
    if image.dtype.kind not in "iu":
        raise TypeError(f"labels are whole numbers, not {image.dtype}")
    if image.size and image.min() < 0:
        raise ValueError("labels must not be negative")
    labels, places = np.unique(image, return_inverse=True)
    new = np.arange(len(labels), dtype=np.uint64) + np.uint64(offset)
    if len(labels) and labels[0] == 0:
        new = np.concatenate([np.zeros(1, np.uint64), new[:-1]])
    largest = int(new[-1]) if len(new) else 0
    dtype = image.dtype if largest <= np.iinfo(image.dtype).max else np.min_scalar_type(largest)
    new = new.astype(dtype)
    known = labels if not len(labels) or labels[0] == 0 else \
        np.concatenate([np.zeros(1, labels.dtype), labels])
    values = new if known is labels else np.concatenate([np.zeros(1, dtype), new])
    return (new[places].reshape(image.shape), LabelMap(known, values), LabelMap(values, known))
