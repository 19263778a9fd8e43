#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrays of other packages in the memory of a GPU, their streams and devices: test-interop.py [kernels]

With "kernels" the device is the CUDA module that is compiled for the CPU, and a stand-in takes the
place of the packages; else CuPy and PyTorch are used, where they are, on a real GPU. Prints TAP.
"""
import sys

import numpy as np
import wavefront.ndimage
import wavefront.skimage as ours
from gpu_packages import ByDlpack, ByInterface, StandIn, real_packages
from setting import SEED, done, ok, refuses, same, spots
from wavefront import _arrays, _device, _library

generator = np.random.default_rng(SEED)
IMAGE = spots(generator, (60, 80), np.uint8)
RIGHT = wavefront.fill_holes(IMAGE, context=wavefront.Context(device="cpu"))


def test_arrays(package):
    array = package.put(IMAGE)
    found = wavefront.fill_holes(array)
    ok(isinstance(found, wavefront.DeviceArray) and same(found.get(), RIGHT),
       f"{package.name}: an array comes in")
    ok(same(package.get(package.take(found)), RIGHT), "the result goes out")
    target = package.put(np.zeros_like(IMAGE))
    ok(wavefront.fill_holes(array, out=target) is target and same(package.get(target), RIGHT),
       "an array takes the result")
    for name, kind in ("DLPack", ByDlpack), ("__cuda_array_interface__", ByInterface):
        ok(same(wavefront.fill_holes(kind(array)).get(), RIGHT), f"by {name} alone")


def test_streams(package):
    array = package.put(IMAGE)
    for stream in None, 1, 2:
        ok(same(wavefront.fill_holes(ByInterface(array, stream=stream)).get(), RIGHT),
           f"{package.name}: an array of the stream {stream}")
    refuses(ValueError, lambda: wavefront.fill_holes(ByInterface(array, stream=0)),
            "the stream 0 is refused", "stream 0", "ambiguous")
    refuses(TypeError, lambda: wavefront.fill_holes(ByInterface(array, stream="1")),
            "and one that is no number")
    stream, other = package.make_stream(), package.make_stream()
    for context in wavefront.Context(), wavefront.Context(stream=package.number(stream)):
        array = package.put(np.zeros_like(IMAGE))
        package.change(array, IMAGE, stream)
        given = ByInterface(array, stream=package.number(stream))
        ok(same(wavefront.fill_holes(given, context=context).get(), RIGHT),
           f"what is queued on its stream is done first, with the context's stream {context.stream}")
    marker, mask = package.put(np.full_like(IMAGE, 255)), package.put(np.zeros_like(IMAGE))
    package.change(marker, np.minimum(IMAGE, 20), stream)
    package.change(mask, IMAGE, other)
    found = wavefront.reconstruct(ByInterface(mask, stream=package.number(other)),
                                  ByInterface(marker, stream=package.number(stream)))
    ok(same(found.get(), wavefront.reconstruct(IMAGE, np.minimum(IMAGE, 20))),
       "two arrays of two streams")
    package.change(target := package.put(np.zeros_like(IMAGE)), np.full_like(IMAGE, 7), stream)
    wavefront.fill_holes(IMAGE, out=ByInterface(target, stream=package.number(stream)))
    package.finish(stream)
    ok(same(package.get(target), RIGHT), "what is queued on the stream of an output is done first")
    context = wavefront.Context(stream=package.number(other))
    wavefront.fill_holes(ByInterface(array, stream=package.number(stream)), context=context)
    package.change(array, np.zeros_like(IMAGE), other)
    found = wavefront.fill_holes(ByInterface(array, stream=None), context=context)
    ok(not found.get().any() and context.stream == package.number(other),
       "the context follows its own stream again")


def test_peers(package):
    """What has the names of others takes no array on a GPU."""
    array = package.put(IMAGE)
    for name, instead in ("watershed", "wavefront.watershed()"), ("regionprops_table", "measure()"), \
            ("find_boundaries", "copy it"):
        refuses(TypeError, lambda: getattr(ours, name)(array), f"{package.name}: {name}()",
                f"{name}()", "on a GPU", instead)
    refuses(TypeError, lambda: ours.watershed(IMAGE, markers=array), "an argument that is named", "markers")
    refuses(TypeError, lambda: wavefront.ndimage.distance_transform_edt(array), "one of SciPy's",
            "distance_transform_edt()", "input", "wavefront.distance()")
    for name in ours.__all__:
        function = getattr(ours, name)
        if not isinstance(function, type):
            refuses(TypeError, lambda: function(array, array), f"{name}() names itself", f"{name}()")


def located(array, context):
    return _device.DeviceArray.from_array(array, "image", context).device


def test_devices(package):
    """The GPU of an array that does not say on which it is."""
    with wavefront.Context() as context:
        for number in range(package.count_gpus()):
            array = package.put(IMAGE, number)
            ok(located(ByInterface(array), context) == number and
               same(wavefront.fill_holes(ByInterface(array)).get(), RIGHT),
               f"{package.name}: an array on the GPU {number} is found there")


def test_second_device(package):
    """Of two GPUs the first refuses what is on the second, which is the only one here."""
    copy, refused = _library.lib.wf_image_copy, np.zeros(1, np.uint8)

    def copy_from_second(context, source, target, error):
        image = source._obj
        if image.memory == 1:
            image.data = refused.ctypes.data
        image.memory = 1
        return copy(context, source, target, error)

    own = package.put(IMAGE)
    outside = {"shape": (1,), "typestr": "|u1", "version": 3, "data": (refused.ctypes.data, False)}
    stranger = type("Stranger", (), {"__cuda_array_interface__": outside})()
    count, _device.count_gpus = _device.count_gpus, lambda: 2
    with wavefront.Context() as context:
        try:
            ok(located(ByInterface(own), context) == 0, "an array on the first of two GPUs")
            _library.lib.wf_image_copy = copy_from_second
            ok(located(ByInterface(own), context) == 1, "an array on the second of two GPUs")
            refuses(wavefront.InvalidError, lambda: _arrays.take(stranger, "image", context),
                    "an array on none of them", "cuda:0")
        finally:
            _device.count_gpus, _library.lib.wf_image_copy = count, copy


def main():
    if len(wavefront.devices()) < 2:
        print("1..0 # SKIP no device")
        return
    kernels = sys.argv[1:] == ["kernels"]
    packages = [StandIn()] if kernels else list(real_packages())
    if not packages:
        print("1..0 # SKIP neither CuPy nor PyTorch")
        return
    for package in packages:
        test_arrays(package)
        test_streams(package)
        test_devices(package)
        test_peers(package)
    if kernels:
        test_second_device(packages[0])
    done()


main()
