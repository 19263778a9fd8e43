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
    tiles = sorted(results.values("tiles", "tile"))
    return tiles, [results.call_ms("tiles", what=what, tile=tile) for tile in tiles]


def squares(tiles, times):
    return pairs([f"{tile}²" for tile in tiles], times, " ms", 0)


def why_tiles(results):
    tiles, own = tile_times(results, "auto")
    return (f"Uploads, work and downloads of different tiles overlap here, so that a call with small "
            f"tiles hides its transfers and one with a single tile cannot. The project's default "
            f"algorithm in the same tiles: {squares(tiles, own)}; the project's default, which "
            f"chooses the tiles as well: {results.call_ms('tiles', what='auto', tile='—'):.0f} ms.")


def a11(results):
    tiles, times = tile_times(results, "queue")
    if 16384 not in tiles or tiles[-1] == 16384:
        raise Missing("a tile of 16384 × 16384 and a larger one")
    best = tiles.index(16384)
    grows = growing(times[best::-1])
    return answer(grows and min(times[best:]) >= NEARLY * times[best], squares(tiles, times),
                  f"The best tile is {tiles[times.index(min(times))]}². " + why_tiles(results))


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
    core = results.ms("tiles", what="core")
    gain, own = core / min(queues), core / results.call_ms("tiles", what="auto", tile="—")
    return answer(gain >= NEARLY * 14.3,
                  f"{gain:.1f} times, the project's default {own:.1f} times, with transfers",
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
                  "no rounds between tiles; uploads, work and downloads of different tiles overlap, "
                  f"and {tiles[times.index(min(times))]}² is best.")


def a16(results):
    _, queues = tile_times(results, "queue")
    _, times = distance_times(results)
    spreads = max(times) / min(times), max(queues) / min(queues)
    return answer(spreads[0] < spreads[1], f"slowest to fastest tile: distance {spreads[0]:.2f}, "
                                           f"reconstruction {spreads[1]:.2f}",
                  "Uploads, work and downloads of different tiles overlap in both; the distance map's "
                  "result has four bytes a pixel, so more of its time is a download, which a single "
                  "tile cannot overlap with anything.")


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
    core = coverage_times(results, operation, "core")
    return "Milliseconds from 25 to 100 %: " + "; ".join(
        f"{what} {figures(coverage_times(results, operation, what))}"
        for what in ("core", *whats)) + ". " + (
            "The core, too, is faster where it finds little to do." if core[0] < 0.9 * core[-1] else
            "The core's time hardly depends on coverage, so the gain is what the GPU's time makes it.")


def a17(results):
    queue = coverage_ratio(results, "reconstruct", "core", "queue")
    raster = coverage_ratio(results, "reconstruct", "core", "raster")
    return answer(growing(queue) and growing(raster),
                  f"queue {figures(queue, 1)} times, raster {figures(raster, 1)} times",
                  why_coverage(results, "reconstruct", "queue", "raster"))


def a18(results):
    ratios = coverage_ratio(results, "reconstruct", "raster", "queue")
    return answer(min(ratios) > 1 and max(ratios) <= 3.1 / NEARLY, f"{figures(ratios)} times",
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
                  + " (The core computes the exact distance.)")


# ---------------------------------------------------------------- overflow

def overflow_rows(results, executions):
    """Of the queues with so many executions, the longest first."""
    rows = [row for row in results.find("overflow", what="queue") if row["executions"] == executions]
    if not rows:
        raise Missing("a queue of that length")
    return sorted(rows, key=lambda row: -row["places"])


def milliseconds(row):
    return 1e3 * row.get("device_seconds", row["seconds"])[1]


def overflow_answer(results, executions, most):
    """The cost beside the shortest queue that does not overflow."""
    first, again = overflow_rows(results, 1)[-1], overflow_rows(results, executions)[0]
    cost = 100 * (milliseconds(again) / milliseconds(first) - 1)
    return answer(cost <= most, f"{cost:.0f} % with {again['places']} places a block",
                  f"With {first['places']} places it does not overflow and takes "
                  f"{milliseconds(first):.2f} ms. An execution more goes over the whole image for its "
                  "first pixels and ends with a launch that waits for the slowest block; that weighs "
                  "more where the queues themselves take less time.")


def a21(results):
    return overflow_answer(results, 2, 6 / NEARLY)


def a22(results):
    return overflow_answer(results, 3, 9 / NEARLY)


def a23(results):
    rows = [row for row in overflow_rows(results, 1) if "room" in row]
    again = [row for row in overflow_rows(results, 2) if "room" in row]
    if not rows or not again:
        raise Missing("the number of blocks that have queues")
    least, most = (100 * (row["room"] / row["queued_first"] - 1) for row in (again[0], rows[-1]))
    return answer(most <= 10 / NEARLY,
                  f"{most:.0f} % more than its first content suffice, {least:.0f} % more do not",
                  "A queue belongs to a block here: one may be full while others have room, and how "
                  f"full each is depends on the image. ({rows[-1]['places']} places a block suffice, "
                  f"{rows[-1]['room']} in all; {rows[-1]['queued_first']} pixels are queued at first.)")


def a24(results):
    rows = results.find("overflow", what="queue")
    again = [row["executions"] for row in rows if row["executions"] > 1]
    if not again:
        raise Missing("a queue that overflows")
    return answer(True, f"{len(again)} of {len(rows)} lengths of the queue overflow, with up to "
                        f"{max(again)} executions, and all give the CPU's bits", "")


# ---------------------------------------------------------------- devices

def names_of(n, cpu=False):
    return ",".join(f"cuda:{i}" for i in range(n)) + (",cpu" if cpu else "")


def device_ms(results, operation, n, cpu=False, algorithm="auto"):
    return results.call_ms("devices", operation=operation, what=names_of(n, cpu),
                           algorithm=algorithm)


def gains_of_gpus(results, operation, algorithm="auto"):
    one = device_ms(results, operation, 1, algorithm=algorithm)
    rows = results.find("devices", operation=operation, algorithm=algorithm)
    counts = [n for n in (2, 3, 4) if any(row["what"] == names_of(n) for row in rows)]
    if not counts:
        raise Missing("several GPUs")
    return counts, [one / device_ms(results, operation, n, algorithm=algorithm) for n in counts]


def why_devices(results, operation, algorithms=("auto",)):
    counts, _ = gains_of_gpus(results, operation)
    times = "; ".join((f"{algorithm} " if len(algorithms) > 1 else "") + figures(
        [device_ms(results, operation, n, algorithm=algorithm) for n in (1, *counts)], 0)
        for algorithm in algorithms)
    memory = results.find("devices", operation=operation)[0].get("memory", "plain")
    return (f"Milliseconds with {', '.join(map(str, (1, *counts)))} GPUs: {times}. The "
            f"images come from {memory} memory and go back there, and all devices share it.")


def a25(results):
    core = results.ms("devices", operation="reconstruct", what="core")
    shown, reached = [], []
    for algorithm in ("queue", "auto"):
        counts, gains = gains_of_gpus(results, "reconstruct", algorithm)
        one = core / device_ms(results, "reconstruct", 1, algorithm=algorithm)
        shown.append(f"{algorithm} " + ", ".join(f"{one * gain:.0f}" for gain in (1, *gains)))
        reached.append(one >= NEARLY * 16 and all(
            one * gain >= NEARLY * {2: 30, 3: 43}.get(n, 43) for n, gain in zip(counts, gains)))
    return answer(reached[0], f"times one core with {', '.join(map(str, (1, *counts)))} GPUs: "
                              f"{'; '.join(shown)}", why_devices(results, "reconstruct"))


def sublinear(operation):
    def found(results):
        counts, gains = gains_of_gpus(results, operation)
        return answer(all(gain < n for n, gain in zip(counts, gains)), ", ".join(
            f"{n} GPUs {gain:.2f} times one" for n, gain in zip(counts, gains)),
            why_devices(results, operation))
    return found


def a26(results):
    counts, gains = gains_of_gpus(results, "reconstruct", "queue")
    _, own = gains_of_gpus(results, "reconstruct")
    return answer(all(NEARLY * 2.67 / 3 * n <= gain < n for n, gain in zip(counts, gains)),
                  ", ".join(f"{n} GPUs {gain:.2f} times one (the project's default {best:.2f})"
                            for n, gain, best in zip(counts, gains, own)),
                  ("With queues one GPU takes the whole image, so that its transfers and its work do "
                   "not overlap, as those of the blocks that several GPUs share do. "
                   if any(gain >= n for n, gain in zip(counts, gains)) else "")
                  + why_devices(results, "reconstruct", ("queue", "auto")))


def beside(operation, least):
    def found(results):
        counts, _ = gains_of_gpus(results, operation)
        gain = (device_ms(results, operation, counts[-1])
                / device_ms(results, operation, counts[-1], cpu=True))
        cores = results.call_ms("devices", operation=operation, what="cpu")
        return answer(gain >= least, f"{gain:.2f} times with the cores beside {counts[-1]} GPUs",
                      f"The cores alone take {cores:.0f} ms, and they serve the transfers of the "
                      "GPUs as well. " + why_devices(results, operation))
    return found


def takes(operation, side, seconds):
    """Whether it still takes as long as the paper says, within a tenth."""
    def found(results):
        rows = [row for row in results.find("devices", operation=operation)
                if row["what"] not in ("core", "cuda:0 in blocks") and row["side"] == side]
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
    names = ["cuda:0 in blocks", *(names_of(n) for n in counts)]
    rows = [results.find("devices", operation="reconstruct", what=name, algorithm="auto")[0]
            for name in names]
    if any(row["upload"] + row["download"] == 0 for row in rows):
        raise Missing("shares of the work")
    transfers = [1e3 * (row["upload"] + row["download"]) for row in rows]
    work = [1e3 * row["compute"] for row in rows]
    return answer(transfers[-1] > 1.05 * transfers[0],
                  f"transfers of all blocks take {figures(transfers, 0)} ms in all with "
                  f"{', '.join(map(str, (1, *counts)))} GPUs, their work {figures(work, 0)} ms",
                  "Each GPU has a link of its own, so that a block's transfer takes as long however "
                  "many GPUs there are. " + why_devices(results, "reconstruct"))


def a34(results):
    counts, _ = gains_of_gpus(results, "distance")
    gain = (results.ms("devices", operation="distance", what="core")
            / device_ms(results, "distance", counts[-1], cpu=True))
    return answer(gain >= NEARLY * 85.6,
                  f"{gain:.0f} times one core of this machine, with {counts[-1]} GPUs",
                  "The core computes the project's exact distance, which is faster than the paper's "
                  "propagation on one core. " + why_devices(results, "distance"))


def a40(results):
    tiles, alone = tile_times(results, "auto")
    _, beside_cores = tile_times(results, "auto, cores")
    best = [tiles[times.index(min(times))] for times in (alone, beside_cores)]
    return answer(best[0] > best[1], f"best tile alone {best[0]}², with cores {best[1]}²",
                  f"Alone {squares(tiles, alone)}; with cores {squares(tiles, beside_cores)}. "
                  "A single tile goes to one device, and the other has nothing to do then."
                  + (" The GPU alone is not best with the largest tile either, as transfers of "
                     "smaller ones overlap with work." if best[0] < tiles[-1] else ""))


ANSWERS = {
    "A11": a11, "A12": a12, "A13": a13, "A14": a14, "A15": a15, "A16": a16, "A17": a17, "A18": a18,
    "A19": a19, "A20": a20, "A21": a21, "A22": a22, "A23": a23, "A24": a24, "A25": a25, "A27": a27, "A34": a34,
    "A40": a40,
    "A26": a26, "A29": beside("reconstruct", NEARLY * 1.17), "A31": takes("reconstruct", 98304, 21),
    "A32": sublinear("distance"), "A33": beside("distance", NEARLY * 1.07),
    "A35": takes("distance", 65536, 4.1),
}
