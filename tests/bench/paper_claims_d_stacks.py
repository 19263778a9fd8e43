# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers to the claims of paper D about stacks. Their shapes are in the order of their slices."""
import statistics

from paper_answers import NEARLY, answer, figures, growing, pairs
from paper_claims_d import SAME_PLATEAUX, VARIANTS


def shapes_of(results):
    return results.values("stacks", "shape")


def stack_times(results, what):
    shapes = shapes_of(results)
    return shapes, [results.ms("stacks", what=what, shape=shape) for shape in shapes]


def step_times(results, what, *names):
    return [results.step_ms("stacks", *names, what=what, shape=shape)
            for shape in shapes_of(results)]


def stack_gains(results, what):
    shapes, sync = stack_times(results, "sync")
    return shapes, [a / b for a, b in zip(sync, stack_times(results, what)[1])]


def why_stacks(results):
    lines = []
    for what in VARIANTS:
        rounds = [results.rounds("stacks", "plateaux", what=what, shape=shape)
                  for shape in shapes_of(results)]
        lines.append(f"{what} {figures(step_times(results, what, 'plateaux'), 1)} ms in "
                     f"{', '.join(map(str, rounds))} rounds")
    fronts, own = (stack_times(results, what)[1] for what in ("balanced, fronts", "auto"))
    return (f"Plateaux of {', '.join(shapes_of(results))} take: {'; '.join(lines)}. {SAME_PLATEAUX} "
            f"Balanced with fronts over plateaux takes {figures(fronts, 1)} ms for all, and the "
            f"project's default {figures(own, 1)} ms.")


def d19(results):
    means = {what: statistics.mean(stack_gains(results, what)[1]) for what in ("async", "balanced")}
    return answer(means["async"] >= NEARLY * 2.164 and means["balanced"] >= NEARLY * 1.95, ", ".join(
        f"{what} {mean:.2f} times" for what, mean in means.items()), why_stacks(results))


def d20(results):
    fast = [1e3 * row["seconds"][1] for row in results.find("stacks")
            if row["what"] in ("async", "balanced")]
    sync = [1e3 * row["seconds"][1] for row in results.find("stacks", what="sync")]
    return answer(1200 <= max(fast) <= 2200 and max(fast) < min(sync),
                  f"{min(fast):.0f} to {max(fast):.0f} ms with transfers, sync {min(sync):.0f} to "
                  f"{max(sync):.0f} ms",
                  ("They are faster: the machine is another. " if max(fast) < 1200 else
                   "They take longer. " if max(fast) > 2200 else "")
                  + ("All runs of both take less time than each of sync, as in the paper. "
                     if max(fast) < min(sync) else "Sync does not take longer than all of them: "
                     "transfers are a large part of each call here. ") + why_stacks(results))


def d21(results):
    shapes, gains = stack_gains(results, "balanced")
    return answer(growing(gains), pairs(shapes, gains, ""), why_stacks(results))


def d22(results):
    _, fast = stack_times(results, "async")
    costs = [100 * (b / a - 1) for a, b in zip(fast, stack_times(results, "balanced")[1])]
    return answer(all(5 <= cost <= 20 for cost in costs), f"{figures(costs, 0)} %",
                  SAME_PLATEAUX + " Paths take async "
                  f"{figures(step_times(results, 'async', 'paths'), 1)} ms and balanced "
                  f"{figures(step_times(results, 'balanced', 'paths'), 1)} ms.")


def parts(results, what="balanced"):
    """Milliseconds of each shape: copies, the paper's S1, and its S2 to S4 and labels."""
    copies = [1e3 * (row["seconds"][1] - row["device_seconds"][1])
              for row in results.find("stacks", what=what)]
    return (copies, step_times(results, what, "borders", "arrows"),
            *(step_times(results, what, name) for name in ("plateaux", "paths", "minima", "labels")))


def why_parts(results):
    names = ("copies", "S1", "S2", "S3", "S4", "labels")
    return "Milliseconds of balanced: " + "; ".join(
        f"{shape}: {pairs(names, values, '', 1)}"
        for shape, *values in zip(shapes_of(results), *parts(results))) + "."


def d23(results):
    copies, first, second, third, fourth, _ = parts(results)
    longest = [b + c + d > max(a, s1) for a, s1, b, c, d in
               zip(copies, first, second, third, fourth)]
    return answer(all(longest), why_parts(results),
                  "Copies from and to plain memory take longer than all kernels where that is not "
                  "so.")


def d24(results):
    _, times = stack_times(results, "balanced")
    plateaux = step_times(results, "balanced", "plateaux")
    whole = max(times) - min(times)
    part = plateaux[times.index(max(times))] - plateaux[times.index(min(times))]
    share = 100 * part / whole if whole > 0 else 0
    return answer(share >= 50, f"{share:.0f} % of the difference between the fastest and the slowest "
                               "stack", why_parts(results))


def d25(results):
    shapes, times = stack_times(results, "balanced")
    return answer(growing(times), pairs(shapes, times, " ms", 1),
                  why_parts(results) + " The stacks are one tissue, moved from slice to slice.")


# ---------------------------------------------------------------- blocks and rates

def block_times(results, shape):
    found = results.values("stack-blocks", "block")
    return found, [results.ms("stack-blocks", what="balanced", shape=shape, block=block)
                   for block in found]


def why_blocks(results):
    lines = []
    for shape in results.values("stack-blocks", "shape"):
        found, times = block_times(results, shape)
        own = results.ms("stack-blocks", what="auto", shape=shape)
        lines.append(f"{shape}: {pairs(found, times, ' ms', 1)} (default {own:.1f} ms)")
    return "; ".join(lines) + ("." if lines else "")


def d16(results):
    best = {}
    for shape in results.values("stack-blocks", "shape"):
        found, times = block_times(results, shape)
        best[shape] = found[times.index(min(times))]
    flat, *deep = best
    return answer(best[flat] == "16×8×8" and all(best[shape] == "8×8×8" for shape in deep),
                  ", ".join(f"{shape}: {block}" for shape, block in best.items()),
                  why_blocks(results))


def d17(results):
    worst = {}
    for shape in results.values("stack-blocks", "shape")[1:]:
        found, times = block_times(results, shape)
        worst[shape] = found[times.index(max(times))]
    return answer(all(block == "16×16×1" for block in worst.values()), "slowest: " + ", ".join(
        f"{shape}: {block}" for shape, block in worst.items()), why_blocks(results))


def d18(results):
    lines, best = [], []
    for shape in results.values("stack-reduction", "shape"):
        found = [n for n in results.values("stack-reduction", "rate") if n != "unbounded"]
        times = [results.step_ms("stack-reduction", "paths", what="balanced", shape=shape, rate=n)
                 for n in found]
        last = results.step_ms("stack-reduction", "paths", what="balanced", shape=shape,
                               rate="unbounded")
        best.append(found[times.index(min(times))])
        lines.append(f"{shape}: {pairs(found, times, ' ms', 1)}, unbounded {last:.1f} ms")
    shapes = results.values("stack-reduction", "shape")
    return answer(all(5 <= rate <= 10 for rate in best),
                  ", ".join(f"{shape}: best {rate}" for shape, rate in zip(shapes, best)),
                  f"Paths alone: {'; '.join(lines)}.")


ANSWERS = {"D16": d16, "D17": d17, "D18": d18, "D19": d19, "D20": d20, "D21": d21, "D22": d22,
           "D23": d23, "D24": d24, "D25": d25}
