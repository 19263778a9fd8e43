# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers to the claims of paper B: reconstruction by size and neighborhood."""
from paper_answers import NEARLY, Missing, answer, figures, ratio


def size_ratios(results, slower, faster):
    sides = results.values("sizes", "side")
    return sides, {n: [results.ms("sizes", what=slower, neighbors=n, side=side)
                       / results.ms("sizes", what=faster, neighbors=n, side=side)
                       for side in sides] for n in (4, 8)}


def by_neighbors(ratios, digits=None):
    return "; ".join(f"{n} neighbors {figures(values, digits)}" for n, values in ratios.items())


def times(results, what):
    """The times of all sizes, for both neighborhoods."""
    sides = results.values("sizes", "side")
    return {n: [results.ms("sizes", what=what, neighbors=n, side=side) for side in sides]
            for n in (4, 8)}


def why_times(results, *whats):
    sides = results.values("sizes", "side")
    return (f"Milliseconds for {', '.join(f'{side}²' for side in sides)}: "
            + "; ".join(f"{what}: {by_neighbors(times(results, what))}" for what in whats) + ".")


def steps(results, neighbors):
    """Of the queues, the times of scans and queues by size."""
    sides = results.values("sizes", "side")
    return sides, *([results.step_ms("sizes", name, what="queue", neighbors=neighbors, side=side)
                     for side in sides] for name in ("scans", "queues"))


def why_steps(results, neighbors):
    _, scans, queues = steps(results, neighbors)
    return (f"With {neighbors} neighbors the two passes of scans take {figures(scans)} ms and the "
            f"queues {figures(queues)} ms.")


def b1(results):
    _, ratios = size_ratios(results, "raster", "queue")
    return answer(min(ratios[4] + ratios[8]) > 1, by_neighbors(ratios) + " times",
                  f"{why_times(results, 'raster', 'queue')} {why_steps(results, 8)} Scans alone are "
                  "as fast where few passes are enough; the queues gain where levels propagate on "
                  "ways with many turns.")


def b2(results):
    queue, raster = (size_ratios(results, "core", what)[1] for what in ("queue", "raster"))
    return answer(all(more > few for gains in (queue, raster)
                      for few, more in zip(gains[4], gains[8])),
                  f"queue: {by_neighbors(queue)}; raster: {by_neighbors(raster)} times one core",
                  why_times(results, "core", "queue", "raster") + " A gain grows only if the core "
                  "gets slower, or less faster, than the GPU with twice the neighbors.")


def b3(results):
    _, ratios = size_ratios(results, "core", "queue")
    _, own = size_ratios(results, "core", "auto")
    return answer(max(ratios[4] + ratios[8]) >= NEARLY * 19.44,
                  f"queue {max(ratios[4] + ratios[8]):.0f} times, the project's default "
                  f"{max(own[4] + own[8]):.0f} times", why_times(results, "core", "queue"))


def rate(results, what, neighbors, side):
    """Million visits of neighbors a second, if each pixel looks at its neighbors once."""
    return neighbors * side * side / results.ms("sizes", what=what, neighbors=neighbors,
                                                side=side) / 1e3


def b4(results):
    side = results.values("sizes", "side")[0]
    gpu, core = (rate(results, what, 8, side) / rate(results, what, 4, side)
                 for what in ("queue", "core"))
    return answer(gpu > core, f"{gpu:.2f} times on the GPU, {core:.2f} times on the core",
                  why_times(results, "core", "queue") + " Visits are counted once a pixel here, as "
                  "the paper does not define them.")


def b5(results):
    side = results.values("sizes", "side")[-1]
    raster, queue = (results.ms("sizes", what=what, neighbors=4, side=side)
                     / results.ms("sizes", what=what, neighbors=8, side=side)
                     for what in ("raster", "queue"))
    return answer(raster > queue, f"time with 4 to time with 8: scans {raster:.2f}, queues "
                                  f"{queue:.2f}",
                  why_times(results, "raster", "queue") + " With 8 neighbors fewer passes are "
                  "needed, but each pass looks at more.")


def rates(results, what):
    sides = results.values("sizes", "side")
    return [rate(results, what, 8, side) for side in sides]


def b6(results):
    found = rates(results, "queue")
    if len(found) < 2:
        raise Missing("two sides")
    return answer(found[1] >= NEARLY * 1.25 * found[0], f"{found[1] / found[0]:.2f} times",
                  f"{figures(found, 0)} million visits a second, by size: the GPU "
                  + ("is not yet filled by the smallest image, but nearly." if found[1] > 1.05 * found[0] else
                     "is filled by the smallest image already.") + " " + why_steps(results, 8))


def b7(results):
    found = rates(results, "queue")
    if len(found) < 3:
        raise Missing("three sides")
    return answer(max(found[2:]) < found[1] / NEARLY, f"{figures(found, 0)} million visits a second",
                  "The GPU has more multiprocessors than the paper's, and it takes a larger image to "
                  "fill them. " + why_steps(results, 8))


def b8(results):
    sides, scans, queues = steps(results, 8)
    if len(sides) < 3:
        raise Missing("three sides")
    pixels = sides[-1] ** 2 / sides[1] ** 2
    gains = [pixels * ratio(values[1], values[-1]) for values in (scans, queues)]
    return answer(gains[0] > 1 and gains[0] > gains[1],
                  f"from {sides[1]}² to {sides[-1]}² a pixel of the scans is {gains[0]:.2f} times as "
                  f"fast, one of the queues {gains[1]:.2f} times",
                  why_steps(results, 8) + (" Neither gains beyond." if max(gains) <= 1 else
                                           " The queues gain more."))


def b9(results):
    found = rates(results, "core")
    if len(found) < 2:
        raise Missing("two sides")
    return answer(found[-1] < 1.1 * found[0], f"{figures(found, 0)} million visits a second",
                  why_times(results, "core"))


def b10(results):
    sides = results.values("sizes", "side")
    slower = [(what, side) for what in ("core", "raster", "queue") for side in sides
              if results.ms("sizes", what=what, neighbors=8, side=side)
              >= results.ms("sizes", what=what, neighbors=4, side=side)]
    return answer(not slower, "slower with 8: " + (", ".join(f"{what} {side}²" for what, side
                                                             in slower) or "none"),
                  why_times(results, *dict.fromkeys(what for what, _ in slower))
                  + " Twice the neighbors are twice the work of a pass; that is made up for only "
                  "where diagonal ways save enough passes or queued pixels.")


ANSWERS = {"B1": b1, "B2": b2, "B3": b3, "B4": b4, "B5": b5, "B6": b6, "B7": b7, "B8": b8, "B9": b9,
           "B10": b10}
