# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers to the claims of paper C: the exact distance map, by access to memory and by density."""
from paper_answers import NEARLY, answer, figures, pairs, ratio

NEVER = {
    "C4": "The machine has one kind of GPU.",
    "C14": "Only the best of the four older orders is built, “proximate-strided”.",
    "C15": "The CPU's algorithm is another: it works in tiles in the cache, in either order.",
}


def step_gains(results):
    """What coalesced access gains in the columns and in the rows."""
    return [ratio(results.step_ms("access", name, what="proximate-strided"),
                  results.step_ms("access", name, what="proximate")) for name in ("columns", "rows")]


def why_core(results):
    core, own = (results.ms("access", what=what) for what in ("core", "auto"))
    return (f"The core runs the project's own algorithm, which takes {core:.0f} ms for all; the "
            "paper's took 11161 ms with one that strides through memory. The project's default on "
            f"the GPU takes {own:.2f} ms, {core / own:.0f} times as fast as the core.")


def why_steps(results):
    lines = []
    for what in ("proximate-strided", "proximate"):
        columns, rows = (results.step_ms("access", name, what=what) for name in ("columns", "rows"))
        lines.append(f"{what}: columns {columns:.2f} ms, rows {rows:.2f} ms")
    return "; ".join(lines) + "."


def c1(results):
    gain = results.ms("access", what="core") / results.ms("access", what="proximate")
    return answer(gain >= 20, f"{gain:.0f} times one thread of the project's own CPU algorithm",
                  why_core(results))


def c2(results):
    gain = results.ms("access", what="core") / results.call_ms("access", what="proximate")
    whole, kernels = (time("access", what="proximate") for time in (results.call_ms, results.ms))
    return answer(gain >= 10, f"{gain:.0f} times, from and to plain memory",
                  f"Of {whole:.0f} ms the kernels take {kernels:.1f} ms. " + why_core(results))


def c3(results):
    gain = results.ms("access", what="proximate-strided") / results.ms("access", what="proximate")
    return answer(gain >= NEARLY * 1.4, f"{gain:.2f} times", why_steps(results)
                  + (" The second-level cache of this GPU holds what neighboring threads read, so "
                     "strided access costs less than it did." if gain > 1 else
                     " Transposing costs more than it saves."))


def c5(results):
    columns, rows = step_gains(results)
    return answer(columns > 1.5 * rows, f"columns {columns:.2f} times, rows {rows:.2f} times",
                  why_steps(results) + " Only the strided side of each step gains, and it has to "
                  "pay for the transposition.")


def c6(results):
    columns, rows = (results.step_ms("access", name, what="proximate")
                     for name in ("columns", "rows"))
    share = 100 * ratio(rows, columns + rows)
    return answer(88 <= share <= 97, f"{share:.0f} %", why_steps(results)
                  + " The rows push and pop at places that differ between threads; the columns read "
                  "and write in order.")


def densities(results, spread, what):
    found = sorted({row["density"] for row in results.find("density", spread=spread)})
    return found, [results.ms("density", spread=spread, what=what, density=n) for n in found]


def shown(found, times):
    return pairs([f"{n} %" for n in found], times, " ms")


def c7(results):
    both = [(s, d, results.ms("density", spread=s, what="proximate-strided", density=d),
             results.ms("density", spread=s, what="proximate", density=d))
            for s in ("random", "regular") for d in results.values("density", "density")]
    slower = [f"{s} {d} % ({coalesced:.2f} ms against {strided:.2f} ms)"
              for s, d, strided, coalesced in both if coalesced >= strided]
    return answer(not slower, "slower at: " + (", ".join(slower) or "none"),
                  f"At {len(slower)} of {len(both)} densities the transposition costs more than it "
                  "saves. " + why_steps(results) + " (That is for the tissue.)")


def why_density(results):
    found, times = densities(results, "random", "proximate")
    _, strided = densities(results, "random", "proximate-strided")
    return (f"With coalesced access {shown(found, times)}; with strided access "
            f"{shown(found, strided)}.")


def c8(results):
    found, times = densities(results, "random", "proximate")
    worst = found[times.index(max(times))]
    return answer(30 <= worst <= 50, f"longest at {worst} %", why_density(results)
                  + " What a density costs is how many points threads of a warp keep on their stacks "
                  "at different places, and how much of that the caches hold.")


def c9(results):
    found, times = densities(results, "random", "proximate")
    top = times.index(max(times))
    rises = all(a < b for a, b in zip(times[:top], times[1:top + 1]))
    falls = all(a > b for a, b in zip(times[top:], times[top + 1:]))
    return answer(rises and falls and 0 < top < len(times) - 1, shown(found, times),
                  f"The longest time is at {found[top]} %. Without any background (0 %) no row has "
                  "a point, and with all of it (100 %) no column has a distance; in between the "
                  "order of the times is that of the caches' misses, which depend on the GPU.")


def c10(results):
    spreads = []
    for name in ("columns", "rows"):
        times = [results.step_ms("density", name, spread=s, what="proximate", density=d)
                 for s in ("random", "regular") for d in results.values("density", "density")]
        spreads.append(ratio(max(times), min(times)))
    return answer(spreads[0] <= 1.1 < spreads[1],
                  f"slowest to fastest density: columns {spreads[0]:.2f}, rows {spreads[1]:.2f}",
                  ("The columns' time depends on the content, too." if spreads[0] > 1.1 else
                   "Neither depends on the content by more than a tenth.")
                  + " Columns are read and written in the same order whatever they hold.")


def c11(results):
    found, times = densities(results, "random", "core")
    return answer(max(times) < 1.5 * min(times), f"slowest to fastest {max(times) / min(times):.1f}",
                  f"One core: {shown(found, times)}. The project's algorithm skips what is near "
                  "background, which is most of the image at high densities.")


def c12(results):
    gains = [results.ms("density", spread=s, what="core", density=d)
             / results.ms("density", spread=s, what="proximate", density=d)
             for s in ("random", "regular") for d in results.values("density", "density")]
    found, times = densities(results, "random", "core")
    return answer(min(gains) >= 40, f"{min(gains):.0f} to {max(gains):.0f} times",
                  f"The core's time, {shown(found, times)}, falls where that of the GPU does not. "
                  + why_core(results))


def c13(results):
    _, random = densities(results, "random", "proximate")
    found, regular = densities(results, "regular", "proximate")
    return answer(max(regular) > max(random), f"longest: evenly spread {max(regular):.2f} ms, "
                                              f"random {max(random):.2f} ms",
                  f"Evenly spread: {shown(found, regular)}. Threads of a warp then push and pop at "
                  "like times, which is coalesced; with random pixels they drift apart. "
                  f"Random: {figures(random)} ms.")


ANSWERS = {"C1": c1, "C2": c2, "C3": c3, "C5": c5, "C6": c6, "C7": c7, "C8": c8, "C9": c9,
           "C10": c10, "C11": c11, "C12": c12, "C13": c13}
