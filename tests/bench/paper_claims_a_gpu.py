# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers to the claims of paper A that are about tiles, coverage, overflow and several devices."""
import statistics

from paper_answers import NEARLY, Missing, answer, figures, growing, pairs, ratio

NEVER = {
    "A28": "The machines have one GPU on each side, or do not say where it is.",
    "A30": "The project has no CPU group of sequential workers beside GPUs; its CPU group shares "
           "each block.",
}


# ---------------------------------------------------------------- tiles

def tile_times(results, what):
    tiles = sorted({row["tile"] for row in results.find("tiles", what=what)})
    return tiles, [results.call_ms("tiles", what=what, tile=tile) for tile in tiles]


def squares(tiles, times):
    return pairs([f"{tile}²" for tile in tiles], times, " ms", 0)


def why_tiles(results):
    tiles, own = tile_times(results, "auto")
    return (f"Uploads, work and downloads of different tiles overlap here, so that a call with small "
            f"tiles hides its transfers and one with a single tile cannot. The project's default: "
            f"{squares(tiles, own)}.")


def a11(results):
    tiles, times = tile_times(results, "queue")
    if len(tiles) < 3:
        raise Missing("three tiles")
    best = times.index(min(times))
    return answer(best >= len(tiles) - 2, squares(tiles, times),
                  f"The best tile is {tiles[best]}². " + why_tiles(results))


def a12(results):
    _, scans = tile_times(results, "raster")
    _, queues = tile_times(results, "queue")
    ratios = [a / b for a, b in zip(scans, queues)]
    return answer(min(ratios) > 1 and statistics.mean(ratios) >= NEARLY * 2.6,
                  f"{figures(ratios)} times",
                  "These are times of whole calls, as in the paper. " + why_scans(results))


def why_scans(results):
    """Scans and queues compared without transfers, on the image of the experiment on coverage."""
    scans, queues = (results.ms("coverage", operation="reconstruct", what=what, coverage=100)
                     for what in ("raster", "queue"))
    return (f"Without transfers the scans take {scans:.1f} ms and the queues {queues:.1f} ms for the "
            f"image of the experiment on coverage, {scans / queues:.2f} times: what the queues save "
            "depends on how many passes the image needs beyond those before the queues.")


def a13(results):
    _, queues = tile_times(results, "queue")
    gain = results.ms("tiles", what="core") / min(queues)
    return answer(gain >= NEARLY * 14.3, f"{gain:.1f} times, with transfers",
                  f"One core takes {results.ms('tiles', what='core'):.0f} ms for the whole. "
                  + why_scans(results) + " The rest of a call is transfers.")


def a14(results):
    side = results.values("sizes", "side")[-1]
    scans, queues = (results.step_ms("sizes", name, what="queue", neighbors=8, side=side)
                     for name in ("scans", "queues"))
    share = 100 * ratio(scans, scans + queues)
    return answer(38 <= share <= 48, f"{share:.0f} %, for {side}² and two passes",
                  f"The scans take {scans:.2f} ms and the queues {queues:.2f} ms. The share depends "
                  "on the number of passes, which the paper does not state.")


def distance_times(results):
    tiles = results.values("distance-tiles", "tile")
    return tiles, [results.call_ms("distance-tiles", what="auto", tile=tile) for tile in tiles]


def a15(results):
    tiles, times = distance_times(results)
    if len(tiles) < 3:
        raise Missing("three tiles")
    return answer(min(times[-2:]) == min(times) and max(times[1:]) <= 1.02 * min(times),
                  squares(tiles, times),
                  "This is the project's default, as its propagation does not work in tiles. It needs "
                  "no rounds between tiles, so the time is that of transfers, which overlap with the "
                  f"work the better the smaller the tiles are: the best is "
                  f"{tiles[times.index(min(times))]}².")


def a16(results):
    _, queues = tile_times(results, "queue")
    _, times = distance_times(results)
    spreads = max(times) / min(times), max(queues) / min(queues)
    return answer(spreads[0] < spreads[1], f"slowest to fastest tile: distance {spreads[0]:.2f}, "
                                           f"reconstruction {spreads[1]:.2f}",
                  "Both are bound by transfers here. The result of the distance map has four bytes a "
                  "pixel, so it has more to hide behind the work of other tiles.")


# ---------------------------------------------------------------- coverage

COVERAGES = (25, 50, 75, 100)


def coverage_ratio(results, operation, slower, faster):
    return [results.ms("coverage", operation=operation, what=slower, coverage=percent)
            / results.ms("coverage", operation=operation, what=faster, coverage=percent)
            for percent in COVERAGES]


def coverage_times(results, operation, what):
    return [results.ms("coverage", operation=operation, what=what, coverage=percent)
            for percent in COVERAGES]


def why_coverage(results, operation, *whats):
    return "Milliseconds from 25 to 100 %: " + "; ".join(
        f"{what} {figures(coverage_times(results, operation, what), 1)}"
        for what in ("core", *whats)) + "."


def a17(results):
    queue = coverage_ratio(results, "reconstruct", "core", "queue")
    raster = coverage_ratio(results, "reconstruct", "core", "raster")
    return answer(growing(queue) and growing(raster),
                  f"queue {figures(queue, 1)} times, raster {figures(raster, 1)} times",
                  why_coverage(results, "reconstruct", "queue", "raster")
                  + " The core, too, is faster where it finds nothing to raise.")


def a18(results):
    ratios = coverage_ratio(results, "reconstruct", "raster", "queue")
    return answer(min(ratios) > 1 and max(ratios) <= 3.1, f"{figures(ratios)} times",
                  ("The queues are slower at some coverage. " if min(ratios) <= 1 else
                   "The queues gain more than the paper says. ")
                  + why_coverage(results, "reconstruct", "queue", "raster"))


def a19(results):
    ratios = coverage_ratio(results, "reconstruct", "raster", "queue")
    return answer(growing(ratios[::-1]), f"{figures(ratios)} times from 25 to 100 %",
                  why_coverage(results, "reconstruct", "queue", "raster")
                  + " The passes before the queues go over every pixel as well, and so does the "
                  "search for the first pixels.")


def a20(results):
    ratios = coverage_ratio(results, "distance", "core", "propagation")
    return answer(growing(ratios), f"{figures(ratios, 1)} times from 25 to 100 %",
                  why_coverage(results, "distance", "propagation")
                  + " The core computes the exact distance by lines, so its time hardly depends on "
                  "how far something propagates.")


# ---------------------------------------------------------------- overflow

def overflow_cost(results, executions):
    first = results.ms("overflow", what="queue", executions=1)
    again = [row for row in results.find("overflow", what="queue")
             if row["executions"] == executions]
    if not again:
        raise Missing("a queue of that length")
    time = 1e3 * again[0].get("device_seconds", again[0]["seconds"])[1]
    return 100 * (time / first - 1), again[0]["places"]


def overflow_answer(results, executions, most):
    cost, places = overflow_cost(results, executions)
    first = results.ms("overflow", what="queue", executions=1)
    return answer(cost <= most, f"{cost:.0f} % with {places} places a block",
                  f"Without overflow it takes {first:.2f} ms. An execution more goes over the whole "
                  "image for its first pixels and ends with a launch that waits for the slowest "
                  "block; that weighs more where the queues themselves take less time.")


def a21(results):
    return overflow_answer(results, 2, 6 / NEARLY)


def a22(results):
    return overflow_answer(results, 3, 9 / NEARLY)


def a24(results):
    rows = results.find("overflow", what="queue")
    return answer(True, f"{len(rows)} lengths of the queue, each with the CPU's bits", "")


# ---------------------------------------------------------------- devices

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


def why_devices(results, operation):
    counts, _ = gains_of_gpus(results, operation)
    times = [device_ms(results, operation, n) for n in (1, *counts)]
    return (f"Milliseconds with {', '.join(map(str, (1, *counts)))} GPUs: {figures(times, 0)}. The "
            "images come from plain memory and go back there, so the memory of the host and its "
            "links are most of the time, and all devices share them.")


def a25(results):
    core = results.ms("devices", operation="reconstruct", what="core")
    counts, gains = gains_of_gpus(results, "reconstruct")
    one = core / device_ms(results, "reconstruct", 1)
    return answer(one >= 16 and all(one * gain >= 15 * n for n, gain in zip(counts, gains)),
                  f"one GPU {one:.0f} times, " + ", ".join(
                      f"{n} GPUs {one * gain:.0f}" for n, gain in zip(counts, gains)),
                  why_devices(results, "reconstruct"))


def sublinear(operation):
    def found(results):
        counts, gains = gains_of_gpus(results, operation)
        return answer(all(gain < n for n, gain in zip(counts, gains)), ", ".join(
            f"{n} GPUs {gain:.2f} times one" for n, gain in zip(counts, gains)),
            why_devices(results, operation))
    return found


def beside(operation, least):
    def found(results):
        counts, _ = gains_of_gpus(results, operation)
        gain = (device_ms(results, operation, counts[-1])
                / device_ms(results, operation, counts[-1], cpu=True))
        cores = results.call_ms("devices", operation=operation, what="cpu")
        return answer(gain >= least, f"{gain:.2f} times with the cores beside {counts[-1]} GPUs",
                      f"The cores alone take {cores:.0f} ms. They also serve the transfers of the "
                      "GPUs, which wait where the cores compute. " + why_devices(results, operation))
    return found


def takes(operation, side, seconds):
    """Whether it still takes as long as the paper says, within a tenth."""
    def found(results):
        rows = [row for row in results.find("devices", operation=operation)
                if row["what"] != "core" and row["side"] == side]
        if not rows:
            raise Missing(f"an image of {side} × {side}")
        best = min(rows, key=lambda row: row["seconds"][1])
        time = best["seconds"][1]
        return answer(0.9 * seconds <= time <= 1.1 * seconds,
                      f"{time:.2f} s here, {seconds / time:.0f} times as fast",
                      f"The machine is another: the fastest devices were {best['what']}.")
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
                                   f"{', '.join(map(str, counts))} GPUs",
                  "Each GPU has a link of its own. " + why_devices(results, "reconstruct"))


def a34(results):
    counts, _ = gains_of_gpus(results, "distance")
    gain = (results.ms("devices", operation="distance", what="core")
            / device_ms(results, "distance", counts[-1], cpu=True))
    return answer(gain >= NEARLY * 85.6,
                  f"{gain:.0f} times one core of this machine, with {counts[-1]} GPUs",
                  "The core computes the project's exact distance, which is faster than the paper's "
                  "propagation on one core. " + why_devices(results, "distance"))


def a40(results):
    tiles, alone = tile_times(results, "queue")
    _, beside_cores = tile_times(results, "queue, cores")
    best = [tiles[times.index(min(times))] for times in (alone, beside_cores)]
    return answer(best[0] > best[1], f"best tile alone {best[0]}², with cores {best[1]}²",
                  f"Alone {squares(tiles, alone)}; with cores {squares(tiles, beside_cores)}. "
                  "A single tile goes to one device, and the other has nothing to do then; but "
                  "small tiles are best for the GPU alone, too, as their transfers overlap.")


ANSWERS = {
    "A11": a11, "A12": a12, "A13": a13, "A14": a14, "A15": a15, "A16": a16, "A17": a17, "A18": a18,
    "A19": a19, "A20": a20, "A21": a21, "A22": a22, "A24": a24, "A25": a25, "A27": a27, "A34": a34,
    "A40": a40,
    "A26": sublinear("reconstruct"),
    "A29": beside("reconstruct", NEARLY * 1.17), "A31": takes("reconstruct", 98304, 21),
    "A32": sublinear("distance"), "A33": beside("distance", NEARLY * 1.07),
    "A35": takes("distance", 65536, 4.1),
}
