# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the Python package share: TAP, the seed, random images."""
import os
import random
import sys

import numpy as np

QUICK = os.environ.get("WAVEFRONT_TEST_TIER", "quick") == "quick"
_given = os.environ.get("WAVEFRONT_TEST_SEED")
SEED = int("".join(filter(str.isdigit, _given))[:9]) if _given else random.randrange(2 ** 31)

_count = _failed = 0


def ok(holds, name, why=""):
    global _count, _failed
    _count += 1
    _failed += not holds
    print(f"{'ok' if holds else 'not ok'} {_count} - {name}", flush=True)
    if not holds:
        print(f"# {why} (WAVEFRONT_TEST_SEED={SEED})".replace("\n", " "), flush=True)


def refuses(kind, call, name, *words):
    """Whether a call raises an exception of this kind whose sentence has these words."""
    try:
        call()
    except kind as refusal:
        missing = [word for word in words if word not in str(refusal)]
        ok(not missing, name, f"“{refusal}” lacks {missing}")
    except Exception as other:
        ok(False, name, f"{type(other).__name__}: {other}")
    else:
        ok(False, name, "nothing was raised")


def same(found, right):
    """Whether two arrays have the same type, shape and bits."""
    return (isinstance(found, np.ndarray) and found.dtype == right.dtype
            and found.shape == right.shape
            and np.ascontiguousarray(found).tobytes() == np.ascontiguousarray(right).tobytes())


def spots(generator, shape, dtype):
    """Smooth levels with plateaux, minima and maxima of many sizes."""
    image = generator.normal(size=shape)
    for axis in range(len(shape)):
        for _ in range(3):
            image = image + np.roll(image, 1, axis) + np.roll(image, -1, axis)
    image -= image.min()
    image /= image.max()
    if dtype == np.float32:
        return image.astype(dtype)
    return np.rint(image * 60).astype(dtype) * (1 if dtype == np.uint8 else 900)


def done():
    print(f"1..{_count}")
    sys.exit(_failed > 0)
