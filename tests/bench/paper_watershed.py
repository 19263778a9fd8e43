# SPDX-License-Identifier: GPL-3.0-or-later
"""The experiments of the path-reducing watershed: variants over a folder of images, blocks,
reduction rates, stacks.

The paper's systems have blocks of a shape, in which plateaux are crossed. "balanced, fronts" is the
project's form of it, and "auto" its default. A rate of n reduces a path n times in a round, which
joins n + 1 paths; the last rate of all follows each path to its end.
"""
import numpy


VARIANTS = ("sync", "async", "balanced")
SHAPES = ((8, 4000, 4000), (512, 500, 500), (1250, 320, 320))
UNBOUNDED = 1 << 20
RATES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 45, 60, UNBOUNDED - 1)
STACK_RATES = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, UNBOUNDED - 1)
BLOCKS = [(width, height) for width in (8, 16, 32, 64, 128, 256, 512)
          for height in (1, 2, 4, 8, 16) if width * height <= 1024] + [(16, 14)]
STACK_BLOCKS = ((8, 8, 8), (8, 8, 16), (8, 16, 8), (16, 8, 8), (16, 16, 1), (16, 16, 2), (16, 16, 3),
                (16, 16, 4))


def of_paper(block, rate, neighbors):
    """The options of the paper's systems, with blocks of this width, height and depth."""
    sides = dict(zip(("block-width", "block-height", "block-depth"), block))
    return {**sides, "reduction-rate": rate + 1, "connectivity": neighbors}


def ways(block, rate, neighbors):
    """What is compared with what: (name, options)."""
    for what in VARIANTS:
        yield what, {"algorithm": what, **of_paper(block, rate, neighbors)}
    yield "balanced, fronts", {"algorithm": "balanced", "connectivity": neighbors}
    yield "auto", {"connectivity": neighbors}


def named(shape):
    return "×".join(map(str, shape))


def named_rate(rate):
    return "unbounded" if rate + 1 == UNBOUNDED else rate


def folder(setting):
    """Figures 6 and 7 of D: each image with each variant."""
    context = setting.context()
    for number, image in enumerate(setting.parts()):
        basins = set()
        for what, given in ways((16, 16), 5, 4):
            row, labels = setting.time("folder", what, context, "watershed", [image], given,
                                       reference=f"image {number}", image=number)
            row["basins"] = int(labels.max())
            basins.add(row["basins"])
        setting.rows[-1]["same"] = len(basins) == 1


def over_folder(setting, experiment, values):
    """The sums over all images, for values of a parameter: (parameters, name, options)."""
    context, images = setting.context(), setting.parts()
    expected = []
    for image in images:
        expected.append(numpy.zeros(image.shape, numpy.uint32))
        setting.context("cpu").watershed(image, expected[-1], connectivity=4)()
    for parameters, what, given in values:
        labels = [numpy.ones(image.shape, numpy.uint32) for image in images]
        runs = [context.watershed(image, out, **given) for image, out in zip(images, labels)]
        runs[0]()
        times, device_times, steps = [], [], []
        for _ in range(setting.rounds):
            sums = [setting.timed(run, context) for run in runs]
            times.append(sum(one[0] for one in sums))
            device_times.append(sum(one[1] for one in sums))
            steps.append(setting.sum_steps([one[2] for one in sums]))
        setting.add(experiment, what, times, device_times, steps, **parameters)
        setting.check_equal(zip(labels, expected), f"{experiment}, {what}, {parameters}")


def blocks(setting):
    """Figure 10 of D: the shape of blocks."""
    shapes = BLOCKS[::16] + BLOCKS[-1:] + [(16, 8), (16, 16)] if setting.quick else BLOCKS
    over_folder(setting, "blocks", [
        *(({"block": named(block)}, "balanced", {"algorithm": "balanced", **of_paper(block, 5, 4)})
          for block in shapes),
        ({"block": "—"}, "balanced, fronts", {"algorithm": "balanced", "connectivity": 4}),
        ({"block": "—"}, "auto", {"connectivity": 4})])


def reduction(setting):
    """Figure 11 of D: the reduction rate."""
    rates = RATES[::5] if setting.quick else RATES
    over_folder(setting, "reduction", [
        *(({"rate": named_rate(rate)}, "balanced",
           {"algorithm": "balanced", **of_paper((16, 16), rate, 4)}) for rate in rates),
        ({"rate": "—"}, "auto", {"connectivity": 4})])


def stack(setting, shape):
    """Tissue in each slice, moved from slice to slice, so that plateaux and basins are deep."""
    if setting.quick:
        shape = tuple(max(3, side // 100) for side in shape)
    depth, height, width = shape
    tile = setting.tissue(max(height, width) + depth)
    return numpy.stack([tile[z // 2:z // 2 + height, z // 3:z // 3 + width] // 8
                        for z in range(depth)])


def each_stack(setting, experiment, values):
    """All shapes, for values of a parameter: (parameters, name, options)."""
    for shape in SHAPES:
        image = stack(setting, shape)
        for parameters, what, given in values:
            setting.time(experiment, what, setting.context(), "watershed", [image], given,
                         reference=named(shape[::-1]), shape=named(shape[::-1]), **parameters)


def stacks(setting):
    """Table 2 and Figure 13 of D."""
    each_stack(setting, "stacks", [({}, what, given) for what, given in ways((8, 8, 8), 6, 6)])


def stack_blocks(setting):
    """Table 1 of D."""
    shapes = STACK_BLOCKS[::4] if setting.quick else STACK_BLOCKS
    each_stack(setting, "stack-blocks", [
        *(({"block": named(block)}, "balanced", {"algorithm": "balanced", **of_paper(block, 5, 6)})
          for block in shapes),
        ({"block": "—"}, "auto", {"connectivity": 6})])


def stack_reduction(setting):
    """Figure 12 of D."""
    rates = STACK_RATES[2::3] if setting.quick else STACK_RATES
    each_stack(setting, "stack-reduction", [
        *(({"rate": named_rate(rate)}, "balanced",
           {"algorithm": "balanced", **of_paper((8, 8, 8), rate, 6)}) for rate in rates),
        ({"rate": "—"}, "auto", {"connectivity": 6})])


def plateaux(setting):
    """What of balanced's gain comes from plateaux: images of few levels."""
    tissue = setting.tissue(setting.side(4096))
    for levels in (256, 32, 8, 4):
        image = tissue // numpy.uint8(256 // levels)
        for what, given in ways((16, 16), 5, 4):
            setting.time("plateaux", what, setting.context(), "watershed", [image], given,
                         reference=f"levels {levels}", levels=levels)


ON_GPU = {"folder": folder, "blocks": blocks, "reduction": reduction, "stacks": stacks,
          "stack-blocks": stack_blocks, "stack-reduction": stack_reduction, "plateaux": plateaux}
