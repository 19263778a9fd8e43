# SPDX-License-Identifier: GPL-3.0-or-later
"""The experiments of the path-reducing watershed: variants over a folder of images, blocks,
reduction rates, stacks.
"""
import numpy

import inputs

VARIANTS = ("sync", "async", "balanced")
SHAPES = ((8, 4000, 4000), (512, 500, 500), (1250, 320, 320))
RATES = (2, 3, 4, 5, 6, 8, 10, 16, 32, 64)
BLOCKS = (32, 64, 128, 256, 512, 1024)


def folder(setting):
    """Figures 6 and 7 of D: each image with each variant."""
    for number, image in enumerate(setting.parts()):
        basins = set()
        for what in (*VARIANTS, "auto"):
            row, labels = setting.time("folder", what, setting.context(), "watershed", [image],
                                       {"algorithm": what, "connectivity": 4},
                                       reference=f"image {number}", image=number)
            row["basins"] = int(labels.max())
            basins.add(row["basins"])
        setting.rows[-1]["same"] = len(basins) == 1


def over_folder(setting, experiment, option, values):
    """The sum over all images, for values of an option of the variant "balanced"."""
    context, images = setting.context(), setting.parts()
    for value in values:
        runs = [context.watershed(image, numpy.zeros(image.shape, numpy.uint32),
                                  algorithm="balanced", connectivity=4, **{option: value})
                for image in images]
        runs[0]()
        times = []
        for _ in range(setting.rounds):
            times.append(0)
            for run in runs:
                run()
                times[-1] += context.device_seconds()
        setting.add(experiment, "balanced", times, times, **{option.replace("_", " "): value})


def blocks(setting):
    """Figure 10 of D: threads of a block."""
    over_folder(setting, "blocks", "block_size", BLOCKS[::3] if setting.quick else BLOCKS)


def reduction(setting):
    """Figure 11 of D: the reduction rate."""
    over_folder(setting, "reduction", "reduction_rate", RATES[::4] if setting.quick else RATES)


def stack(setting, shape):
    """Tissue in each slice, moved from slice to slice, so that plateaux and basins are deep."""
    if setting.quick:
        shape = tuple(max(3, side // 100) for side in shape)
    depth, height, width = shape
    tile = setting.tissue(max(height, width) + depth)
    return numpy.stack([tile[z // 2:z // 2 + height, z // 3:z // 3 + width] // 8
                        for z in range(depth)])


def named(shape):
    return "×".join(map(str, shape[::-1]))


def stacks(setting):
    """Tables 1 and 2 and Figures 12 and 13 of D."""
    for shape in SHAPES:
        image = stack(setting, shape)
        for what in (*VARIANTS, "auto"):
            setting.time("stacks", what, setting.context(), "watershed", [image],
                         {"algorithm": what, "connectivity": 6},
                         reference=named(shape), shape=named(shape))
        for rate in RATES[::4] if setting.quick else RATES:
            setting.time("stack-reduction", "balanced", setting.context(), "watershed", [image],
                         {"algorithm": "balanced", "connectivity": 6, "reduction-rate": rate},
                         reference=named(shape), shape=named(shape), rate=rate)
        for size in BLOCKS[::3] if setting.quick else BLOCKS:
            setting.time("stack-blocks", "balanced", setting.context(), "watershed", [image],
                         {"algorithm": "balanced", "connectivity": 6, "block-size": size},
                         reference=named(shape), shape=named(shape), block=size)


def plateaux(setting):
    """What of balanced's gain comes from plateaux: images of few levels."""
    tissue = setting.tissue(setting.side(4096))
    for levels in (256, 32, 8, 4):
        image = tissue // numpy.uint8(256 // levels)
        for what in (*VARIANTS, "auto"):
            setting.time("plateaux", what, setting.context(), "watershed", [image],
                         {"algorithm": what, "connectivity": 4}, reference=f"levels {levels}",
                         levels=levels)


ON_GPU = {"folder": folder, "blocks": blocks, "reduction": reduction, "stacks": stacks,
          "plateaux": plateaux}
