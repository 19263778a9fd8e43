# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers to the claims of paper D about images: variants, blocks, reduction rates, plateaux."""
import statistics

from paper_answers import Missing, answer, growing, pairs, share_of_variance

NEVER = {
    "D8": "The watershed of Körbes et al. is not in the project.",
    "D9": "The watershed of Körbes et al. is not in the project.",
}
VARIANTS = ("sync", "async", "balanced")
STEPS = ("borders", "plateaux", "arrows", "paths", "minima", "labels")
# Async and balanced differ in this project in how paths are reduced.
SAME_PLATEAUX = ("In this project async and balanced cross plateaux alike, because the definition "
                 "divides plateaux evenly, which the paper's async does not do; they differ in how "
                 "paths are reduced.")


# ---------------------------------------------------------------- a folder of images

def images_of(results):
    return results.values("folder", "image")


def per_image(results):
    return {what: [results.ms("folder", what=what, image=image) for image in images_of(results)]
            for what in VARIANTS}


def steps_per_image(results, what, *names):
    return [results.step_ms("folder", *names, what=what, image=image)
            for image in images_of(results)]


def step_sums(results):
    """{variant: {step: milliseconds of all images}}"""
    return {what: {name: sum(steps_per_image(results, what, name)) for name in STEPS}
            for what in VARIANTS}


def why_variants(results):
    sums = step_sums(results)
    rounds = {what: statistics.mean(results.rounds("folder", "plateaux", what=what, image=image)
                                    for image in images_of(results)) for what in VARIANTS}
    fronts = sum(results.ms("folder", what="balanced, fronts", image=image)
                 for image in images_of(results))
    own = sum(results.ms("folder", what="auto", image=image) for image in images_of(results))
    return ("Plateaux take " + ", ".join(
        f"{what} {sums[what]['plateaux']:.1f} ms in {rounds[what]:.1f} rounds an image"
        for what in VARIANTS) + "; paths take " + ", ".join(
        f"{sums[what]['paths']:.1f}" for what in VARIANTS) + f" ms. {SAME_PLATEAUX} Balanced with "
        f"fronts over plateaux takes {fronts:.1f} ms, and the project's default {own:.1f} ms.")


def d1(results):
    sums = {what: sum(times) for what, times in per_image(results).items()}
    return answer(sums["async"] < sums["balanced"] < sums["sync"], ", ".join(
        f"{what} {total:.1f} ms" for what, total in sums.items()), why_variants(results))


def d2(results):
    times = per_image(results)
    n = sum(a < b for a, b in zip(times["async"], times["balanced"]))
    return answer(n == len(times["async"]), f"on {n} of {len(times['async'])} images",
                  why_variants(results))


def d3(results):
    times = per_image(results)
    spans = {what: max(values) / min(values) for what, values in times.items()}
    easiest = min(range(len(times["sync"])), key=times["sync"].__getitem__)
    least = {what: values[easiest] for what, values in times.items()}
    varies = spans["sync"] == max(spans.values())
    return answer(varies and least["sync"] == min(least.values()), "slowest to fastest image: "
                  + ", ".join(f"{what} {span:.1f}" for what, span in spans.items())
                  + "; the easiest: " + ", ".join(f"{what} {time:.2f} ms"
                                                  for what, time in least.items()),
                  ("Sync does vary most, but is not the fastest on the easiest image. " if varies
                   else "Sync does not vary most. ")
                  + "An image costs as many launches as it has rounds, whichever variant makes "
                  "them. " + why_variants(results))


def d4(results):
    sums = step_sums(results)["sync"]
    share = share_of_variance(steps_per_image(results, "sync", "plateaux"), per_image(results)["sync"])
    return answer(sums["plateaux"] == max(sums.values()) and share >= 0.7,
                  "sync: " + ", ".join(f"{name} {time:.1f} ms" for name, time in sums.items())
                  + f"; plateaux have {100 * share:.0f} % of the variance",
                  "Each round of plateaux and of paths is a launch and an answer that the host waits "
                  "for, whatever the work in it. " + why_variants(results))


def d5(results):
    rest = {what: steps_per_image(results, what, *(name for name in STEPS if name != "plateaux"))
            for what in VARIANTS}
    means = {what: statistics.mean(times) for what, times in rest.items()}
    spans = {what: max(times) / min(times) for what, times in rest.items()}
    return answer(max(spans.values()) <= 1.3 and means["balanced"] == max(means.values()),
                  "mean and slowest to fastest image: " + ", ".join(
                      f"{what} {means[what]:.2f} ms, {spans[what]:.2f}" for what in VARIANTS),
                  "The rounds of paths depend on the longest path of an image."
                  if max(spans.values()) > 1.3 else "The times are steady, but balanced, which the "
                  "paper has slightly above the others, is not: it lists unfinished pixels only.")


def d6(results):
    results.find("folder")
    return answer(False, "the variants of the project give the same bits",
                  "The project's definition says to whom a pixel of a plateau belongs: to the basin "
                  "whose lower border is nearest, and among equals to the smallest index. All "
                  "variants keep it, so they divide plateaux as fairly as the paper's sync and "
                  "balanced, and none divides them as the paper's async. Each of "
                  f"{len(images_of(results))} images was compared with the CPU's bits.")


def d7(results):
    rows = [row for row in results.find("folder") if "same" in row]
    return answer(all(row["same"] for row in rows), f"on {len(rows)} images",
                  "The numbers of basins differ.")


# ---------------------------------------------------------------- blocks

def block_times(results):
    found = results.values("blocks", "block")
    return found, [results.ms("blocks", what="balanced", block=block) for block in found]


def nearest_blocks(results, n=6):
    found, times = block_times(results)
    best = sorted(zip(times, found))[:n]
    return ", ".join(f"{block} {time:.1f} ms" for time, block in best)


def why_blocks(results):
    found, times = block_times(results)
    rounds = {block: results.rounds("blocks", "plateaux", what="balanced", block=block)
              for block in found}
    best = found[times.index(min(times))]
    few, many = min(rounds, key=rounds.get), max(rounds, key=rounds.get)
    own = results.ms("blocks", what="auto")
    return (f"The best is {best}, with {rounds[best]} rounds over plateaux for all images; the "
            f"fewest are {rounds[few]} with {few}, the most {rounds[many]} with {many}. "
            f"Fastest: {nearest_blocks(results)}. The project's default has no such blocks and takes "
            f"{own:.1f} ms.")


def d10(results):
    found, times = block_times(results)
    best = found[times.index(min(times))]
    return answer(best == "16×16", f"best {best}; {nearest_blocks(results)}", why_blocks(results))


def d11(results):
    wanted = ("16×8", "16×14", "16×16")
    times = [results.ms("blocks", what="balanced", block=block) for block in wanted]
    return answer(max(times) <= 1.01 * min(times), pairs(wanted, times, " ms", 1),
                  why_blocks(results))


def d12(results):
    found, times = block_times(results)
    near = [block for block, time in zip(found, times) if time <= 1.02 * min(times)]
    return answer(len(near) <= 7, f"within 2 % of the best, of {len(found)}: {', '.join(near)}",
                  why_blocks(results))


# ---------------------------------------------------------------- reduction rates

def reduction_times(results):
    """The paper's S3 alone, for the bounded rates and for the last."""
    found = [rate for rate in results.values("reduction", "rate") if rate != "unbounded"]
    return found, [results.step_ms("reduction", "paths", what="balanced", rate=n) for n in found]


def unbounded_time(results):
    return results.step_ms("reduction", "paths", what="balanced", rate="unbounded")


def why_rates(results):
    found, times = reduction_times(results)
    rounds = [results.rounds("reduction", "paths", what="balanced", rate=n) for n in found]
    return (f"Paths alone: {pairs(found, times, ' ms')}; unbounded {unbounded_time(results):.2f} ms. "
            f"Rounds for all images: {pairs(found, rounds, digits=0)}. In a warp the longest path of a "
            "round decides for all 32 threads, and a round costs a launch and an answer.")


def d13(results):
    found, times = reduction_times(results)
    return answer(times[0] == max(times) and times[-1] == min(times),
                  f"slowest {found[times.index(max(times))]}, fastest {found[times.index(min(times))]}",
                  why_rates(results))


def d14(results):
    found, times = reduction_times(results)
    last = unbounded_time(results)
    return answer(last < 0.9 * times[-1], f"rate {found[-1]} {times[-1]:.2f} ms, unbounded {last:.2f} ms; "
                                          "unbounded is one kernel here",
                  ("It is slightly faster, but not clearly: " if last < times[-1] else "It is not "
                   "faster: ") + f"a rate of {found[-1]} reduces nearly all paths in one round as well. "
                  + why_rates(results))


def d15(results):
    found, times = reduction_times(results)
    rounds = [results.rounds("reduction", "paths", what="balanced", rate=n) for n in found]
    both = [(i, k) for i in range(len(found)) for k in range(i) if rounds[i] != rounds[k]]
    if not both:
        raise Missing("rates with different rounds")
    agree = sum((rounds[i] < rounds[k]) == (times[i] < times[k]) for i, k in both)
    return answer(agree >= 0.9 * len(both), f"of {len(both)} pairs of rates with different numbers of "
                                            f"rounds, {agree} have the fewer rounds the faster",
                  why_rates(results))


# ---------------------------------------------------------------- plateaux

def d26(results):
    levels = results.values("plateaux", "levels")
    gains = [results.ms("plateaux", what="sync", levels=n)
             / results.ms("plateaux", what="balanced", levels=n) for n in levels]
    rounds = {what: [results.rounds("plateaux", "plateaux", what=what, levels=n) for n in levels]
              for what in ("sync", "balanced")}
    return answer(growing(gains), "sync to balanced: " + pairs([f"{n} levels" for n in levels],
                                                               gains, ""),
                  f"Rounds over plateaux: sync {', '.join(map(str, rounds['sync']))}, balanced "
                  f"{', '.join(map(str, rounds['balanced']))}. A round of balanced goes over a block "
                  "as often as something changes in it, so it saves rounds and not work.")


ANSWERS = {"D1": d1, "D2": d2, "D3": d3, "D4": d4, "D5": d5, "D6": d6, "D7": d7, "D10": d10,
           "D11": d11, "D12": d12, "D13": d13, "D14": d14, "D15": d15, "D26": d26}
