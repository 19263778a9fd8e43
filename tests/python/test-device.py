#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays in the memory of a GPU: the library's own, and by the protocols of others: test-device.py [kernels]

With "kernels" the device is the CUDA module that is compiled for the CPU, whose memory this process
can read; else it is a real GPU. Prints TAP.
"""
import ctypes
import gc
import sys

import numpy as np
import wavefront
from gpu_packages import ByDlpack, ByInterface
from setting import SEED, done, ok, refuses, same, spots

generator = np.random.default_rng(SEED)
IMAGE = spots(generator, (40, 50), np.uint8)
STACK = spots(generator, (5, 20, 24), np.uint16)


def test_own(context):
    on_device = wavefront.to_device(IMAGE)
    ok(on_device.shape == IMAGE.shape and on_device.dtype == np.uint8 and on_device.device == 0,
       "an array on the device", repr(on_device))
    ok(same(on_device.get(), IMAGE), "there and back")
    right = wavefront.fill_holes(IMAGE, context=wavefront.Context(device="cpu"))
    found = wavefront.fill_holes(on_device)
    ok(isinstance(found, wavefront.DeviceArray) and same(found.get(), right),
       "an operation on it gives one")
    ok(context.report.device == "cuda:0", "the device has done it", context.report.device)
    labels, n = wavefront.label(on_device, threshold=30)
    right = wavefront.label(IMAGE, threshold=30, context=wavefront.Context(device="cpu"))
    ok(n == right.components and same(labels.get(), right.labels), "labels and their number")
    table = wavefront.measure(labels, on_device, measures=["area", "mean"])
    on_cpu = wavefront.measure(right.labels, IMAGE, measures=["area", "mean"],
                               context=wavefront.Context(device="cpu"))
    ok(all(np.array_equal(table[name], on_cpu[name]) for name in on_cpu), "measurements of them")
    ok(wavefront.find_threshold(on_device) == wavefront.find_threshold(IMAGE), "its threshold")
    out = np.empty_like(IMAGE)
    ok(wavefront.fill_holes(on_device, out=out) is out and
       same(out, wavefront.fill_holes(IMAGE)), "an output in main memory")
    stack = wavefront.to_device(STACK)
    ok(same(wavefront.gaussian(stack, sigma=1).get(), wavefront.gaussian(STACK, sigma=1)), "a stack")
    for _ in range(50):
        wavefront.fill_holes(wavefront.to_device(IMAGE))


def test_packages():
    right = wavefront.fill_holes(IMAGE, context=wavefront.Context(device="cpu"))
    own = wavefront.to_device(IMAGE)
    other = ByDlpack(own)
    found = wavefront.fill_holes(other)
    ok(same(found.get(), right) and other.streams == [1], "an array by DLPack, on the default stream")
    with wavefront.Context(device="cuda:0") as context:
        context.stream = 2
        wavefront.fill_holes(other)
        ok(other.streams[-1] == 2, "and on the stream of the context")
    ok(same(wavefront.fill_holes(ByInterface(own)).get(), right),
       "an array by __cuda_array_interface__")
    part = ByInterface(own, (20, 30), (50, 1))
    ok(same(wavefront.fill_holes(part).get(), wavefront.fill_holes(IMAGE[:20, :30])),
       "a part of it, by its strides")
    refuses(ValueError, lambda: wavefront.fill_holes(ByInterface(own, (20, 25), (50, 2))),
            "columns apart are refused", "image", "strides")
    refuses(ValueError, lambda: wavefront.fill_holes(own, out=ByInterface(own, read_only=True)),
            "a read-only output is refused", "out", "read-only")
    target = wavefront.to_device(np.zeros_like(IMAGE))
    given = ByDlpack(target)
    ok(wavefront.fill_holes(own, out=given) is given and same(target.get(), right),
       "an output by DLPack")
    refuses(ValueError, lambda: own.__dlpack__(stream=0), "a consumer's stream 0 is refused", "stream 0")
    taken = np.zeros((3, 3), np.uint8)
    outside = {"shape": taken.shape, "typestr": "|u1", "version": 3, "strides": None,
               "data": (taken.ctypes.data, False)}
    stranger = type("Stranger", (), {"__cuda_array_interface__": outside})()
    refuses(wavefront.InvalidError, lambda: wavefront.fill_holes(stranger),
            "an address that is not on a device is refused", "cuda:")


def test_lives(is_readable):
    """What is given away outlives the array; what nobody takes is given back."""
    from wavefront import _dlpack
    own = wavefront.to_device(IMAGE)
    capsule = own.__dlpack__()
    ok(len(_dlpack._given) == 1, "a capsule keeps the array")
    del capsule
    _dlpack.sweep()
    ok(not _dlpack._given, "a capsule that nobody took gives it back")
    try:
        np.from_dlpack(own)
        refused = None
    except (BufferError, RuntimeError, ValueError) as problem:
        refused = problem
    _dlpack.sweep()
    ok(refused is not None and not _dlpack._given, "NumPy refuses it with an error of its own")
    taken = _dlpack.Taken(own.__dlpack__())
    ok(taken.shape == IMAGE.shape and taken.dtype == np.uint8 and taken.strides == (50, 1),
       "shape, type and strides of a tensor")
    del own
    gc.collect()
    if is_readable:
        pixels = (ctypes.c_uint8 * IMAGE.size).from_address(taken.address)
        ok(bytes(pixels) == IMAGE.tobytes(), "its pixels live as long as it is in use")
    del taken
    gc.collect()
    ok(not _dlpack._given, "then they are given back")


def main():
    if len(wavefront.devices()) < 2:
        print("1..0 # SKIP no device")
        return
    with wavefront.Context(device="cuda:0") as context:
        test_own(context)
        test_packages()
        test_lives(sys.argv[1:] == ["kernels"])
    done()


main()
