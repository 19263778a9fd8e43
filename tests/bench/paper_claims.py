# SPDX-License-Identifier: GPL-3.0-or-later
"""The answers to the papers' claims, from rows of results.

An answer is HOLDS, FAILS or UNKNOWN, and a sentence with the figures. A claim is answered from the
rows of its experiment alone; without them it is UNKNOWN, and the sentence says what is missing.
"""
import statistics

HOLDS, FAILS, UNKNOWN = "holds", "does not hold here", "not measurable here"

# What can be found on no machine with what the project has.
NEVER = {
    "A3": "The processor's counters are not read.",
    "A10": "The distance map by propagation has one kind of queue.",
    "A14": "The report has no times of the steps.",
    "A23": "The report has no number of queued pixels.",
    "A28": "The machines have one GPU on each side, or do not say where it is.",
    "A30": "The project has no CPU group of sequential workers beside GPUs; its CPU group shares "
           "each block.",
    "A37": "The project does not have the downhill filter.",
    "A39": "Compare-and-swap remains for pixels of less than four bytes only, which no other "
           "variant has.",
    "B8": "The report has no times of the steps.",
    "C4": "The machine has one kind of GPU.",
    "C5": "The report has no times of the steps.",
    "C6": "The report has no times of the steps.",
    "C10": "The report has no times of the steps.",
    "C14": "Only the best of the four older orders is built, “proximate-strided”.",
    "C15": "The CPU's algorithm is another: it works in tiles in the cache, in either order.",
    "D4": "The report has no times of the steps.",
    "D5": "The report has no times of the steps.",
    "D8": "The watershed of Körbes et al. is not in the project.",
    "D9": "The watershed of Körbes et al. is not in the project.",
    "D11": "A block has a number of threads here, and no width and height.",
    "D14": "Reduction rates end at 64.",
    "D15": "The report has no number of rounds.",
    "D16": "A block has a number of threads here, and no width, height and depth.",
    "D17": "A block has a number of threads here, and no width, height and depth.",
    "D23": "The report has no times of the steps.",
    "D24": "The report has no times of the steps.",
}


class Missing(Exception):
    """There are no rows for this answer."""


class Results:
    """Rows of one run, by experiment and parameters."""

    def __init__(self, rows):
        self.rows = rows

    def find(self, experiment, **wanted):
        found = [row for row in self.rows if row["experiment"] == experiment
                 and all(row.get(key) == value for key, value in wanted.items())]
        if not found:
            raise Missing(experiment)
        return found

    def ms(self, experiment, **wanted):
        """The median of one row: of the kernels, where they were timed, else of the call."""
        row = self.find(experiment, **wanted)[0]
        return 1e3 * row.get("device_seconds", row["seconds"])[1]

    def call_ms(self, experiment, **wanted):
        return 1e3 * self.find(experiment, **wanted)[0]["seconds"][1]

    def values(self, experiment, key):
        return list(dict.fromkeys(row[key] for row in self.find(experiment) if key in row))


def answer(condition, sentence):
    return (HOLDS if condition else FAILS), sentence


def figures(values, digits=2):
    return ", ".join(f"{value:.{digits}f}" for value in values)


def growing(values):
    return all(a < b for a, b in zip(values, values[1:]))


# ---------------------------------------------------------------- A: threads

def thread_gains(results, what):
    counts = results.values("threads", "threads")
    one = results.ms("threads", what=what, threads=1)
    return counts, [one / results.ms("threads", what=what, threads=n) for n in counts]


def a1(results):
    sequential = results.ms("cpu", what="hybrid")
    counts = results.values("threads", "threads")
    slower = [n for n in counts if results.ms("threads", what="non-tiled", threads=n) > sequential]
    return answer(2 * len(slower) > len(counts),
                  f"slower with {', '.join(map(str, slower)) or 'no number'} of "
                  f"{', '.join(map(str, counts))} threads")


def a2(results):
    sequential = results.ms("cpu", what="hybrid")
    gains = {n: sequential / results.ms("threads", what="non-tiled", threads=n)
             for n in results.values("threads", "threads")}
    if 8 not in gains:
        raise Missing("8 threads")
    return answer(gains[8] == max(gains.values()) and 1 < gains[8] < 2,
                  "times the hybrid algorithm: "
                  + ", ".join(f"{n} threads {gain:.2f}" for n, gain in gains.items()))


def a4(results):
    counts, gains = thread_gains(results, "tiled")
    if 12 not in counts:
        raise Missing("12 threads")
    gain = gains[counts.index(12)]
    return answer(gain >= 7, f"12 threads: {gain:.1f} times")


def a5(results):
    counts, gains = thread_gains(results, "tiled")
    if counts[-1] < 4:
        raise Missing("four threads")
    return answer(gains[-1] < counts[-1], f"{counts[-1]} threads: {gains[-1]:.1f} times")


def a36(results):
    hybrid = results.ms("cpu", what="hybrid")
    ratios = [results.ms("cpu", what=what) / hybrid for what in ("sequential", "queue")]
    return answer(min(ratios) >= 8, f"sequential takes {ratios[0]:.1f} times as long, queue "
                                    f"{ratios[1]:.1f} times")


# ---------------------------------------------------------------- A: queues

def queue_times(results):
    scans = [n for n in results.values("queues", "scans") if n != "—"]
    return scans, {what: [results.ms("queues", what=what, scans=n) for n in scans]
                   for what in ("queue-naive", "queue-prefix", "queue")}


def a6(results):
    _, times = queue_times(results)
    return answer(all(naive > prefix > own for naive, prefix, own in
                      zip(times["queue-naive"], times["queue-prefix"], times["queue"])),
                  "; ".join(f"{what} {figures(values)} ms" for what, values in times.items()))


def ratio_of_sums(results, slower, faster):
    _, times = queue_times(results)
    return sum(times[slower]) / sum(times[faster])


def a7(results):
    ratio = ratio_of_sums(results, "queue-naive", "queue-prefix")
    return answer(ratio >= 2, f"{ratio:.2f} times, scans included")


def a8(results):
    ratio = ratio_of_sums(results, "queue-prefix", "queue")
    return answer(ratio >= 1.15, f"{ratio:.2f} times, scans included")


def a9(results):
    scans, times = queue_times(results)
    return answer(growing(times["queue"][::-1]),
                  f"after {', '.join(map(str, scans))} passes of scans {figures(times['queue'])} "
                  "ms, scans included")


# ---------------------------------------------------------------- A: tiles, coverage, overflow

def tile_times(results, what):
    tiles = sorted({row["tile"] for row in results.find("tiles", what=what)})
    return tiles, [results.call_ms("tiles", what=what, tile=tile) for tile in tiles]


def a11(results):
    tiles, times = tile_times(results, "queue")
    if len(tiles) < 3:
        raise Missing("three tiles")
    best = times.index(min(times))
    return answer(best >= len(tiles) - 2,
                  ", ".join(f"{tile}²: {time:.0f} ms" for tile, time in zip(tiles, times)))


def a12(results):
    _, scans = tile_times(results, "raster")
    _, queues = tile_times(results, "queue")
    ratios = [a / b for a, b in zip(scans, queues)]
    return answer(min(ratios) > 1, f"{figures(ratios)} times")


def a13(results):
    _, queues = tile_times(results, "queue")
    gain = results.ms("tiles", what="core") / min(queues)
    return answer(gain >= 14.3, f"{gain:.1f} times, with transfers")


def a15(results):
    tiles = results.values("distance-tiles", "tile")
    if len(tiles) < 3:
        raise Missing("three tiles")
    times = [results.call_ms("distance-tiles", what="auto", tile=tile) for tile in tiles]
    return answer(min(times[-2:]) == min(times) and max(times[1:]) <= 1.02 * min(times),
                  ", ".join(f"{tile}²: {time:.0f} ms" for tile, time in zip(tiles, times)))


def a16(results):
    _, queues = tile_times(results, "queue")
    tiles = results.values("distance-tiles", "tile")
    times = [results.call_ms("distance-tiles", what="auto", tile=tile) for tile in tiles]
    spreads = max(times) / min(times), max(queues) / min(queues)
    return answer(spreads[0] < spreads[1], f"slowest to fastest tile: distance {spreads[0]:.2f}, "
                                           f"reconstruction {spreads[1]:.2f}")


def coverage_ratio(results, operation, slower, faster):
    return [results.ms("coverage", operation=operation, what=slower, coverage=percent)
            / results.ms("coverage", operation=operation, what=faster, coverage=percent)
            for percent in (25, 50, 75, 100)]


def a17(results):
    queue = coverage_ratio(results, "reconstruct", "core", "queue")
    raster = coverage_ratio(results, "reconstruct", "core", "raster")
    return answer(growing(queue) and growing(raster),
                  f"queue {figures(queue, 1)} times, raster {figures(raster, 1)} times")


def a18(results):
    ratios = coverage_ratio(results, "reconstruct", "raster", "queue")
    return answer(min(ratios) > 1 and max(ratios) <= 3.1, f"{figures(ratios)} times")


def a19(results):
    ratios = coverage_ratio(results, "reconstruct", "raster", "queue")
    return answer(growing(ratios[::-1]), f"{figures(ratios)} times from 25 to 100 %")


def a20(results):
    ratios = coverage_ratio(results, "distance", "core", "propagation")
    return answer(growing(ratios), f"{figures(ratios, 1)} times from 25 to 100 %")


def overflow_cost(results, executions):
    rows = results.find("overflow")
    first = results.ms("overflow", executions=1)
    again = [row for row in rows if row["executions"] == executions]
    if not again:
        raise Missing("a queue of that length")
    time = 1e3 * again[0].get("device_seconds", again[0]["seconds"])[1]
    return 100 * (time / first - 1), again[0]["places"]


def a21(results):
    cost, places = overflow_cost(results, 2)
    return answer(cost <= 12, f"{cost:.0f} % with {places} places a block")


def a22(results):
    cost, places = overflow_cost(results, 3)
    return answer(cost <= 18, f"{cost:.0f} % with {places} places a block")


def a24(results):
    rows = results.find("overflow")
    return answer(True, f"{len(rows)} lengths of the queue, each with the CPU's bits")


# ---------------------------------------------------------------- A: order

def a38(results):
    rows = results.find("order")
    differs = max(row["differs"] for row in rows)
    return answer(differs == 0,
                  "reconstruction always gives the bits of the sequential algorithm; the distance "
                  f"by propagation differs with the order in up to {differs} of {rows[0]['pixels']} "
                  f"pixels, is wrong in up to {max(row['wrong'] for row in rows)}, by "
                  f"{max(row['error'] for row in rows):.3f} at most")


# ---------------------------------------------------------------- A: devices

def device_ms(results, operation, n, cpu=False):
    names = ",".join(f"cuda:{i}" for i in range(n)) + (",cpu" if cpu else "")
    return results.call_ms("devices", operation=operation, what=names)


def gains_of_gpus(results, operation):
    one = device_ms(results, operation, 1)
    counts = [n for n in (2, 3, 4) if any(row["what"] == ",".join(f"cuda:{i}" for i in range(n))
                                          for row in results.find("devices"))]
    if not counts:
        raise Missing("several GPUs")
    return counts, [one / device_ms(results, operation, n) for n in counts]


def a25(results):
    core = results.ms("devices", operation="reconstruct", what="core")
    counts, gains = gains_of_gpus(results, "reconstruct")
    one = core / device_ms(results, "reconstruct", 1)
    return answer(one >= 16 and all(one * gain >= 15 * n for n, gain in zip(counts, gains)),
                  f"one GPU {one:.0f} times, " + ", ".join(
                      f"{n} GPUs {one * gain:.0f}" for n, gain in zip(counts, gains)))


def sublinear(operation):
    def found(results):
        counts, gains = gains_of_gpus(results, operation)
        return answer(all(gain < n for n, gain in zip(counts, gains)), ", ".join(
            f"{n} GPUs {gain:.2f} times one" for n, gain in zip(counts, gains)))
    return found


def beside(operation, least):
    def found(results):
        counts, _ = gains_of_gpus(results, operation)
        gain = (device_ms(results, operation, counts[-1])
                / device_ms(results, operation, counts[-1], cpu=True))
        return answer(gain >= least, f"{gain:.2f} times with the cores beside {counts[-1]} GPUs")
    return found


def takes(operation, side, seconds):
    """Whether it still takes as long as the paper says, within a tenth."""
    def found(results):
        rows = [row for row in results.find("devices", operation=operation)
                if row["what"] != "core" and row["side"] == side]
        if not rows:
            raise Missing(f"an image of {side} × {side}")
        best = min(row["seconds"][1] for row in rows)
        return answer(0.9 * seconds <= best <= 1.1 * seconds,
                      f"{best:.2f} s here, {seconds / best:.0f} times as fast")
    return found


def a27(results):
    counts, _ = gains_of_gpus(results, "reconstruct")
    shares = []
    for n in counts:   # one GPU alone reports no shares
        row = results.find("devices", operation="reconstruct",
                           what=",".join(f"cuda:{i}" for i in range(n)))[0]
        if row["transfer"] + row["compute"] == 0:
            raise Missing("shares of the work")
        shares.append(100 * row["transfer"] / (row["transfer"] + row["compute"]))
    if len(shares) < 2:
        raise Missing("three GPUs")
    return answer(growing(shares), f"transfers are {figures(shares, 0)} % of the GPUs' work with "
                                   f"{', '.join(map(str, counts))} GPUs")


def a34(results):
    counts, _ = gains_of_gpus(results, "distance")
    gain = (results.ms("devices", operation="distance", what="core")
            / device_ms(results, "distance", counts[-1], cpu=True))
    return answer(gain >= 85.6, f"{gain:.0f} times one core of this machine, with {counts[-1]} GPUs")


def a40(results):
    tiles, alone = tile_times(results, "queue")
    _, beside_cores = tile_times(results, "queue, cores")
    best = [tiles[times.index(min(times))] for times in (alone, beside_cores)]
    return answer(best[0] > best[1], f"best tile alone {best[0]}², with cores {best[1]}²")


# ---------------------------------------------------------------- B

def size_ratios(results, slower, faster):
    sides = results.values("sizes", "side")
    return sides, {n: [results.ms("sizes", what=slower, neighbors=n, side=side)
                       / results.ms("sizes", what=faster, neighbors=n, side=side)
                       for side in sides] for n in (4, 8)}


def by_neighbors(ratios):
    return "; ".join(f"{n} neighbors {figures(values)}" for n, values in ratios.items())


def b1(results):
    _, ratios = size_ratios(results, "raster", "queue")
    return answer(min(ratios[4] + ratios[8]) > 1, by_neighbors(ratios) + " times")


def b2(results):
    queue, raster = (size_ratios(results, "core", what)[1] for what in ("queue", "raster"))
    return answer(all(more > few for gains in (queue, raster)
                      for few, more in zip(gains[4], gains[8])),
                  f"queue: {by_neighbors(queue)}; raster: {by_neighbors(raster)} times one core")


def b3(results):
    _, ratios = size_ratios(results, "core", "queue")
    _, own = size_ratios(results, "core", "auto")
    return answer(max(ratios[4] + ratios[8]) >= 19.4,
                  f"queue {max(ratios[4] + ratios[8]):.0f} times, the project's default "
                  f"{max(own[4] + own[8]):.0f} times")


def rate(results, what, neighbors, side):
    """Million visits of neighbors a second, if each pixel looks at its neighbors once."""
    return neighbors * side * side / results.ms("sizes", what=what, neighbors=neighbors,
                                                side=side) / 1e3


def b4(results):
    side = results.values("sizes", "side")[0]
    gpu, core = (rate(results, what, 8, side) / rate(results, what, 4, side)
                 for what in ("queue", "core"))
    return answer(gpu > core, f"{gpu:.2f} times on the GPU, {core:.2f} times on the core")


def b5(results):
    side = results.values("sizes", "side")[-1]
    raster, queue = (results.ms("sizes", what=what, neighbors=4, side=side)
                     / results.ms("sizes", what=what, neighbors=8, side=side)
                     for what in ("raster", "queue"))
    return answer(raster > queue, f"time with 4 to time with 8: scans {raster:.2f}, queues "
                                  f"{queue:.2f}")


def rates(results, what):
    sides = results.values("sizes", "side")
    return [rate(results, what, 8, side) for side in sides]


def b6(results):
    found = rates(results, "queue")
    if len(found) < 2:
        raise Missing("two sides")
    return answer(found[1] > 1.1 * found[0], f"{found[1] / found[0]:.2f} times")


def b7(results):
    found = rates(results, "queue")
    if len(found) < 3:
        raise Missing("three sides")
    return answer(max(found[2:]) < 1.05 * found[1], f"{figures(found, 0)} million visits a second")


def b9(results):
    found = rates(results, "core")
    if len(found) < 2:
        raise Missing("two sides")
    return answer(max(found) < 1.1 * found[0], f"{figures(found, 0)} million visits a second")


def b10(results):
    sides = results.values("sizes", "side")
    slower = [(what, side) for what in ("core", "raster", "queue") for side in sides
              if results.ms("sizes", what=what, neighbors=8, side=side)
              >= results.ms("sizes", what=what, neighbors=4, side=side)]
    return answer(not slower, "slower with 8: " + (", ".join(f"{what} {side}²" for what, side
                                                             in slower) or "none"))


# ---------------------------------------------------------------- C

def c1(results):
    gain = results.ms("access", what="core") / results.ms("access", what="proximate")
    return answer(gain >= 20, f"{gain:.0f} times one thread of the project's own CPU algorithm")


def c2(results):
    gain = results.ms("access", what="core") / results.call_ms("access", what="proximate")
    return answer(gain >= 10, f"{gain:.0f} times, from and to plain memory")


def c3(results):
    gain = results.ms("access", what="proximate-strided") / results.ms("access", what="proximate")
    return answer(gain >= 1.4, f"{gain:.2f} times")


def densities(results, spread, what):
    found = sorted(results.values("density", "density"))
    return found, [results.ms("density", spread=spread, what=what, density=n) for n in found]


def c7(results):
    pairs = [(s, d, results.ms("density", spread=s, what="proximate-strided", density=d),
              results.ms("density", spread=s, what="proximate", density=d))
             for s in ("random", "regular") for d in results.values("density", "density")]
    slower = [f"{s} {d} %" for s, d, strided, coalesced in pairs if coalesced >= strided]
    return answer(not slower, "slower at: " + (", ".join(slower) or "none"))


def c8(results):
    found, times = densities(results, "random", "proximate")
    worst = found[times.index(max(times))]
    return answer(30 <= worst <= 50, f"longest at {worst} %")


def c9(results):
    found, times = densities(results, "random", "proximate")
    return answer(times[0] < max(times) and times[-1] == min(times),
                  ", ".join(f"{n} %: {time:.2f} ms" for n, time in zip(found, times)))


def c11(results):
    _, times = densities(results, "random", "core")
    return answer(max(times) < 1.5 * min(times), f"slowest to fastest {max(times) / min(times):.1f}")


def c12(results):
    gains = [results.ms("density", spread=s, what="core", density=d)
             / results.ms("density", spread=s, what="proximate", density=d)
             for s in ("random", "regular") for d in results.values("density", "density")]
    return answer(min(gains) >= 40, f"{min(gains):.0f} to {max(gains):.0f} times")


def c13(results):
    _, random = densities(results, "random", "proximate")
    _, regular = densities(results, "regular", "proximate")
    return answer(max(regular) > max(random), f"longest: evenly spread {max(regular):.2f} ms, "
                                              f"random {max(random):.2f} ms")


# ---------------------------------------------------------------- D

def per_image(results):
    images = results.values("folder", "image")
    return {what: [results.ms("folder", what=what, image=image) for image in images]
            for what in ("sync", "async", "balanced")}


def d1(results):
    sums = {what: sum(times) for what, times in per_image(results).items()}
    return answer(sums["async"] < sums["balanced"] < sums["sync"], ", ".join(
        f"{what} {total:.1f} ms" for what, total in sums.items()))


def d2(results):
    times = per_image(results)
    n = sum(a < b for a, b in zip(times["async"], times["balanced"]))
    return answer(n == len(times["async"]), f"on {n} of {len(times['async'])} images")


def d3(results):
    times = per_image(results)
    spans = {what: max(values) / min(values) for what, values in times.items()}
    easiest = min(range(len(times["sync"])), key=times["sync"].__getitem__)
    best = times["sync"][easiest] < min(times["async"][easiest], times["balanced"][easiest])
    return answer(spans["sync"] == max(spans.values()) and best, "slowest to fastest image: "
                  + ", ".join(f"{what} {span:.1f}" for what, span in spans.items()))


def d6(results):
    results.find("folder")
    return answer(False, "the variants of the project give the same bits: its definition decides "
                         "to whom a pixel of a plateau belongs, and all variants keep it")


def d7(results):
    rows = [row for row in results.find("folder") if "same" in row]
    return answer(all(row["same"] for row in rows), f"on {len(rows)} images")


def d10(results):
    sizes = results.values("blocks", "block size")
    times = [results.ms("blocks", **{"block size": size}) for size in sizes]
    return answer(sizes[times.index(min(times))] == 256,
                  ", ".join(f"{size} threads {time:.1f} ms" for size, time in zip(sizes, times)))


def d12(results):
    sizes = results.values("blocks", "block size")
    times = [results.ms("blocks", **{"block size": size}) for size in sizes]
    near = [size for size, time in zip(sizes, times) if time <= 1.02 * min(times)]
    return answer(2 * len(near) <= len(sizes), f"within 2 %: {', '.join(map(str, near))} threads")


def reduction_times(results):
    found = results.values("reduction", "reduction rate")
    return found, [results.ms("reduction", **{"reduction rate": n}) for n in found]


def d13(results):
    found, times = reduction_times(results)
    return answer(times[0] == max(times) and times[-1] == min(times), "whole watershed: " + ", ".join(
        f"{n}: {time:.1f} ms" for n, time in zip(found, times)))


def stack_times(results, what):
    shapes = results.values("stacks", "shape")
    return shapes, [results.ms("stacks", what=what, shape=shape) for shape in shapes]


def stack_gains(results, what):
    shapes, sync = stack_times(results, "sync")
    return shapes, [a / b for a, b in zip(sync, stack_times(results, what)[1])]


def d18(results):
    lines = []
    for shape in results.values("stack-reduction", "shape"):
        found = results.values("stack-reduction", "rate")
        times = [results.ms("stack-reduction", shape=shape, rate=n) for n in found]
        lines.append((shape, found[times.index(min(times))]))
    return answer(all(5 <= best <= 10 for _, best in lines),
                  ", ".join(f"{shape}: best {best}" for shape, best in lines))


def d19(results):
    means = {what: statistics.mean(stack_gains(results, what)[1]) for what in ("async", "balanced")}
    return answer(means["async"] >= 2 and means["balanced"] >= 1.8, ", ".join(
        f"{what} {mean:.2f} times" for what, mean in means.items()))


def d20(results):
    times = [1e3 * row["seconds"][1] for row in results.find("stacks")
             if row["what"] in ("async", "balanced")]
    return answer(max(times) <= 2000, f"{min(times):.0f} to {max(times):.0f} ms with transfers")


def d21(results):
    shapes, gains = stack_gains(results, "balanced")
    return answer(growing(gains), ", ".join(f"{shape} {gain:.2f}"
                                            for shape, gain in zip(shapes, gains)))


def d22(results):
    shapes, fast = stack_times(results, "async")
    costs = [100 * (b / a - 1) for a, b in zip(fast, stack_times(results, "balanced")[1])]
    return answer(all(5 <= cost <= 20 for cost in costs), f"{figures(costs, 0)} %")


def d25(results):
    shapes, times = stack_times(results, "balanced")
    return answer(growing(times), ", ".join(f"{shape} {time:.1f} ms"
                                            for shape, time in zip(shapes, times)))


def d26(results):
    levels = results.values("plateaux", "levels")
    gains = [results.ms("plateaux", what="sync", levels=n)
             / results.ms("plateaux", what="balanced", levels=n) for n in levels]
    return answer(growing(gains), ", ".join(f"{n} levels {gain:.2f}"
                                            for n, gain in zip(levels, gains)))


ANSWERS = {
    "A1": a1, "A2": a2, "A4": a4, "A5": a5, "A6": a6, "A7": a7, "A8": a8, "A9": a9, "A11": a11,
    "A12": a12, "A13": a13, "A15": a15, "A16": a16, "A17": a17, "A18": a18, "A19": a19, "A20": a20,
    "A21": a21, "A22": a22, "A24": a24, "A25": a25,
    "A27": a27, "A34": a34, "A40": a40,
    "A26": sublinear("reconstruct"),
    "A29": beside("reconstruct", 1.1), "A31": takes("reconstruct", 98304, 21),
    "A32": sublinear("distance"), "A33": beside("distance", 1.05),
    "A35": takes("distance", 65536, 4.1), "A36": a36, "A38": a38,
    "B1": b1, "B2": b2, "B3": b3, "B4": b4, "B5": b5, "B6": b6, "B7": b7, "B9": b9, "B10": b10,
    "C1": c1, "C2": c2, "C3": c3, "C7": c7, "C8": c8, "C9": c9, "C11": c11, "C12": c12, "C13": c13,
    "D1": d1, "D2": d2, "D3": d3, "D6": d6, "D7": d7, "D10": d10, "D12": d12, "D13": d13,
    "D18": d18, "D19": d19, "D20": d20, "D21": d21, "D22": d22, "D25": d25, "D26": d26,
}


def find_answer(number, claim, results):
    """(verdict, sentence) for the claim of this number."""
    if number in NEVER:
        return UNKNOWN, NEVER[number]
    try:
        return ANSWERS[number](results)
    except Missing as missing:
        return UNKNOWN, f"The machine did not run it: {missing} ({claim['experiment']})."
