# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers to the claims of paper A that are about cores, queues and the order of propagation."""
from paper_answers import NEARLY, Missing, answer, figures, growing, pairs, ratio

NEVER = {
    "A3": "The processor's counters are not read.",
    "A10": "The distance map by propagation has one kind of queue.",
    "A37": "The project does not have the downhill filter.",
    "A39": "Compare-and-swap remains for pixels of less than four bytes only, which no other "
           "variant has.",
}


# ---------------------------------------------------------------- threads

def thread_gains(results, what):
    counts = results.values("threads", "threads")
    one = results.ms("threads", what=what, threads=1)
    return counts, [one / results.ms("threads", what=what, threads=n) for n in counts]


def why_threads(results):
    """What one thread loses without tiles, and what further threads bring."""
    counts, gains = thread_gains(results, "non-tiled")
    loss = results.ms("threads", what="non-tiled", threads=1) / results.ms("cpu", what="hybrid")
    return (f"One thread without tiles takes {loss:.2f} times as long as the hybrid algorithm, and "
            f"{counts[-1]} threads are {gains[-1]:.1f} times as fast as one: "
            + ("threads do not hinder each other as much as on the paper's processors."
               if gains[-1] > loss else "further threads do not make up for it."))


def a1(results):
    sequential = results.ms("cpu", what="hybrid")
    counts = results.values("threads", "threads")
    slower = [n for n in counts if results.ms("threads", what="non-tiled", threads=n) > sequential]
    return answer(2 * len(slower) > len(counts),
                  f"slower with {', '.join(map(str, slower)) or 'no number'} of "
                  f"{', '.join(map(str, counts))} threads", why_threads(results))


def a2(results):
    sequential = results.ms("cpu", what="hybrid")
    gains = {n: sequential / results.ms("threads", what="non-tiled", threads=n)
             for n in results.values("threads", "threads")}
    if 8 not in gains:
        raise Missing("8 threads")
    best = max(gains, key=gains.get)
    return answer(best == 8 and 1 < gains[8] < 2,
                  "times the hybrid algorithm, by threads: "
                  + ", ".join(f"{n}: {gain:.2f}" for n, gain in gains.items()),
                  f"The most is reached with {best} threads, {gains[best]:.2f} times. "
                  + why_threads(results))


def a4(results):
    counts, gains = thread_gains(results, "tiled")
    if 12 not in counts:
        raise Missing("12 threads")
    gain = gains[counts.index(12)]
    own = results.ms("threads", what="auto", threads=1) / results.ms("threads", what="auto",
                                                                     threads=12)
    return answer(gain >= NEARLY * 7.5, f"12 threads: {gain:.1f} times",
                  f"The project's default gains {own:.1f} times. The gains of the tiles are "
                  + pairs(counts, gains, "", 1) + " (threads: times); twelve of the paper's threads "
                  "had two processors with a memory of their own each.")


def a5(results):
    counts, gains = thread_gains(results, "tiled")
    if counts[-1] < 4:
        raise Missing("four threads")
    return answer(gains[-1] < counts[-1], f"{counts[-1]} threads: {gains[-1]:.1f} times",
                  "A tile fits the cache of one core, and more cores have more cache: "
                  + pairs(counts, gains, "", 1) + " (threads: times).")


def a36(results):
    hybrid = results.ms("cpu", what="hybrid")
    ratios = [results.ms("cpu", what=what) / hybrid for what in ("sequential", "queue")]
    return answer(min(ratios) >= NEARLY * 10,
                  f"sequential takes {ratios[0]:.1f} times as long, queue {ratios[1]:.1f} times",
                  "The gain depends on the image: the sequential algorithm repeats its scans as often "
                  "as the longest path turns, and the one with a queue begins with every border of "
                  "the marker. The project's default is "
                  f"{hybrid / results.ms('cpu', what='auto'):.1f} times as fast as the hybrid "
                  "algorithm, on one thread as well.")


# ---------------------------------------------------------------- queues

KINDS = ("queue-naive", "queue-prefix", "queue")


def queue_times(results):
    """The times of the phase of queues alone, as in the paper."""
    scans = results.values("queues", "scans")
    return scans, {what: [results.step_ms("queues", "queues", what=what, scans=n) for n in scans]
                   for what in KINDS}


def shown_queues(times):
    return "; ".join(f"{what} {figures(values)} ms" for what, values in times.items())


def why_queues(results):
    """How much of the whole the queues are."""
    scans, times = queue_times(results)
    shares = [100 * ratio(times["queue"][i], results.ms("queues", what="queue", scans=n))
              for i, n in enumerate(scans)]
    return (f"With queues for threads the phase of queues is {figures(shares, 0)} % of the time. "
            "The three differ in how a pixel gets its place in the queue; raising the neighbors is "
            "alike. GPUs since the paper's have atomic operations in the hardware of shared memory "
            "and of the second-level cache, so that a place costs less, whoever takes it.")


def a6(results):
    _, times = queue_times(results)
    return answer(all(naive > prefix > own for naive, prefix, own in
                      zip(*(times[kind] for kind in KINDS))), shown_queues(times),
                  why_queues(results))


def ratio_of_sums(results, slower, faster):
    _, times = queue_times(results)
    return ratio(sum(times[slower]), sum(times[faster]))


def a7(results):
    gain = ratio_of_sums(results, "queue-naive", "queue-prefix")
    return answer(gain >= NEARLY * 2.31, f"{gain:.2f} times", why_queues(results))


def a8(results):
    gain = ratio_of_sums(results, "queue-prefix", "queue")
    return answer(gain >= NEARLY * 1.24, f"{gain:.2f} times", why_queues(results))


def a9(results):
    scans, times = queue_times(results)
    first, total = ([results.find("queues", what="queue", scans=n)[0].get(key, 0) for n in scans]
                    for key in ("queued_first", "queued"))
    fewer = growing(first[::-1]) and growing(total[::-1])
    return answer(fewer and all(growing(values[::-1]) for values in times.values()),
                  f"after {', '.join(map(str, scans))} passes {figures(first, 0)} pixels are queued "
                  f"at first and {figures(total, 0)} in all; {shown_queues(times)}",
                  ("The pixels become fewer, but the time does not follow: " if fewer else
                   "The pixels do not become fewer with each pass: ")
                  + "a launch, and the search for the first pixels over the whole image, take as "
                  "long however few there are.")


# ---------------------------------------------------------------- order

def shown_orders(rows):
    return "; ".join(f"{row['image']}, {row['neighbors']} neighbors, {row['what']}: {row['wrong']} of "
                     f"{row['pixels']} wrong" for row in rows)


def a38(results):
    free = results.find("orders")
    rounds = [row for row in results.find("order") if row["what"] != "auto"]
    differs, n_rounds = (sum(row["differs"] for row in rows) for rows in (free, rounds))
    ways = len({row["what"] for row in rounds})
    worst = max(free, key=lambda row: row["error"])
    return answer(
        differs + n_rounds == 0,
        "reconstruction always gives the bits of the sequential algorithm; the distance by the "
        f"paper's propagation differs between two orders in {differs} pixels, and is wrong by up to "
        f"{worst['error']:.3f}; by the project's propagation in rounds it differs in {n_rounds} pixels "
        f"between {ways} numbers of threads, tiles and devices",
        "Reconstruction is a fixpoint, and has one result whatever the order. The distance by "
        "propagation has none: a pixel keeps the nearest background pixel that one of its neighbors "
        "knows, and passes on only what it keeps. If a nearer one arrives later, the neighbors may "
        "keep what they have, because for them the first one is as near; then pixels behind them "
        "never learn of the other. The paper argues that ties have equal distances, but pixels "
        "behind a tie are nearer to one of the two. Its example of an error, √170 instead of 13, "
        "arises in one order and not in the other: "
        f"{shown_orders(free)}. So the project propagates in rounds, in which each pixel takes "
        "the best that its neighbors had after the round before. That has one result; with all "
        "neighbors it is exact ("
        + ", ".join(f"{n} neighbors: {max(row['wrong'] for row in rounds if row['neighbors'] == n)} of "
                    f"{rounds[0]['pixels']} wrong" for n in (8, 4)) + ").")


ANSWERS = {"A1": a1, "A2": a2, "A4": a4, "A5": a5, "A6": a6, "A7": a7, "A8": a8, "A9": a9,
           "A36": a36, "A38": a38}
