# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers to the claims of paper C: the exact distance map, by access to memory and by density."""
from paper_answers import NEARLY, answer, figures, growing, pairs, ratio

NEVER = {
    "C4": "The machine has one kind of GPU.",
    "C14": "Only the best of the four older orders is built, “proximate-strided”.",
    "C15": "The CPU's algorithm is another: it works in tiles in the cache, in either order.",
}


FEW = 4    # that are listed


def step_gains(results):
    """What coalesced access gains in the columns and in the rows."""
    return [ratio(results.step_ms("access", name, what="proximate-strided"),
                  results.step_ms("access", name, what="proximate")) for name in ("columns", "rows")]


def core_of(results, experiment):
    """What one core ran that is nearest to the paper's."""
    rows = results.find(experiment)
    return next((name for name in ("core, envelope",) if any(row["what"] == name for row in rows)),
                "core")


def why_core(results):
    like, core, own = (results.ms("access", what=what)
                       for what in (core_of(results, "access"), "core", "auto"))
    return (f"The core takes {like:.0f} ms here with scans of columns and envelopes of rows, which is "
            "the paper's algorithm in another form, and works in tiles that fit the cache; "
            "the paper's took 11161 ms and strides through memory. The project's default takes "
            f"{core:.0f} ms on the core and {own:.2f} ms on the GPU, {core / own:.0f} times as fast.")


def why_steps(results):
    lines = []
    for what in ("proximate-strided", "proximate"):
        columns, rows = (results.step_ms("access", name, what=what) for name in ("columns", "rows"))
        lines.append(f"{what}: columns {columns:.2f} ms, rows {rows:.2f} ms")
    return "; ".join(lines) + "."


def project_gain(results):
    core, own = (results.ms("access", what=what) for what in ("core", "auto"))
    return f"the project's default on the GPU is {core / own:.0f} times as fast as on one core"


def c1(results):
    gain = (results.ms("access", what=core_of(results, "access"))
            / results.ms("access", what="proximate"))
    return answer(gain >= 20, f"{gain:.0f} times one core; {project_gain(results)}", why_core(results))


def c2(results):
    gain = (results.ms("access", what=core_of(results, "access"))
            / results.call_ms("access", what="proximate"))
    whole, kernels = (time("access", what="proximate") for time in (results.call_ms, results.ms))
    return answer(gain >= 10, f"{gain:.0f} times, from and to plain memory",
                  f"Of {whole:.0f} ms the kernels take {kernels:.1f} ms. " + why_core(results))


def c3(results):
    gain = results.ms("access", what="proximate-strided") / results.ms("access", what="proximate")
    return answer(gain >= NEARLY * 1.4, f"{gain:.2f} times", why_steps(results)
                  + " Strided access costs less than it did: a GPU of today has tens of megabytes of "
                  "second-level cache, the paper's had 768 KB or none; the transposition costs "
                  + ("as much as before." if gain > 1 else "more than what is left to save."))


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
    most = max(coalesced / strided for _, _, strided, coalesced in both)
    return answer(not slower, f"slower at {len(slower)} of {len(both)} densities, at most {most:.2f} "
                              "times as slow" + (": " + ", ".join(slower) if len(slower) <= FEW else ""),
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
    middle = found.index(40) if 40 in found else len(found) // 2
    below, above = times[:middle], times[middle:]
    return answer(max(below) < times[middle] and growing(above[::-1]), shown(found, times),
                  ("It is shorter below 40 %, but does not fall steadily above. "
                   if max(below) < times[middle] else "It is not always shorter below 40 %. ")
                  + f"The longest time is at {found[times.index(max(times))]} %; from 10 % on the times "
                  "differ little. Without any background (0 %) no row has a point, and with all of "
                  "it (100 %) no pixel has a distance.")


def c10(results):
    spreads, ranges = [], []
    for name in ("columns", "rows"):
        times = [results.step_ms("density", name, spread=s, what="proximate", density=d)
                 for s in ("random", "regular") for d in results.values("density", "density")]
        spreads.append(ratio(max(times), min(times)))
        ranges.append(f"{figures([min(times), max(times)])} ms")
    return answer(spreads[0] <= 1.1 < spreads[1],
                  f"slowest to fastest density: columns {spreads[0]:.2f}, rows {spreads[1]:.2f}",
                  f"Least and most: columns {ranges[0]}, rows {ranges[1]}. "
                  + ("The columns' time differs by more than a tenth, though they are read and "
                     "written in the same order whatever they hold." if spreads[0] > 1.1 else
                     "Neither depends on the content by more than a tenth."))


def c11(results):
    found, times = densities(results, "random", core_of(results, "density"))
    return answer(max(times) < 1.5 * min(times), f"slowest to fastest {max(times) / min(times):.1f}",
                  f"One core: {shown(found, times)}. A row of an image with much background has "
                  "short distances, which the core finds with fewer comparisons.")


def c12(results):
    core = core_of(results, "density")
    gains = [results.ms("density", spread=s, what=core, density=d)
             / results.ms("density", spread=s, what="proximate", density=d)
             for s in ("random", "regular") for d in results.values("density", "density")]
    found, times = densities(results, "random", core)
    return answer(min(gains) >= 40, f"{min(gains):.0f} to {max(gains):.0f} times",
                  f"One core with random background: {shown(found, times)}. "
                  + why_core(results))


def c13(results):
    found, random = densities(results, "random", "proximate")
    _, regular = densities(results, "regular", "proximate")
    worse = [n for n, even, odd in zip(found, regular, random) if even > odd / NEARLY]
    return answer(max(regular) > max(random) / NEARLY,
                  f"longest: evenly spread {max(regular):.2f} ms, random {max(random):.2f} ms",
                  f"The two differ by less than a twentieth. Evenly spread: {shown(found, regular)}; "
                  f"random: {figures(random)} ms. Evenly spread pixels cost more at "
                  f"{', '.join(f'{n} %' for n in worse) or 'no density'}, and less at most others, where "
                  "the threads of a warp push and pop at like times.")


ANSWERS = {"C1": c1, "C2": c2, "C3": c3, "C5": c5, "C6": c6, "C7": c7, "C8": c8, "C9": c9,
           "C10": c10, "C11": c11, "C12": c12, "C13": c13}
