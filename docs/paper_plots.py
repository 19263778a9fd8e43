# SPDX-License-Identifier: GPL-3.0-or-later
"""The plots of docs/papers.md, as SVG that can be read on a light and on a dark ground."""
import os

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams.update({
    "svg.hashsalt": "wavefront", "svg.fonttype": "none", "font.size": 10,
    "text.color": "#7f7f7f", "axes.labelcolor": "#7f7f7f", "axes.edgecolor": "#7f7f7f",
    "xtick.color": "#7f7f7f", "ytick.color": "#7f7f7f", "legend.labelcolor": "#7f7f7f",
    "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False,
    "axes.grid": True, "grid.color": "#7f7f7f", "grid.alpha": 0.25, "lines.linewidth": 1.8,
})

from matplotlib import pyplot

# One color for a variant in all plots, of middle lightness.
COLORS = {"auto": "#d9601a", "queue": "#2f86d4", "raster": "#2e9e6b", "queue-prefix": "#9467c8",
          "queue-naive": "#b8860b", "core": "#7f7f7f", "tiled": "#2f86d4", "non-tiled": "#2e9e6b",
          "propagation": "#2f86d4", "proximate": "#2f86d4", "proximate-strided": "#2e9e6b",
          "sync": "#2e9e6b", "async": "#2f86d4", "balanced": "#9467c8"}
NAMES = {"auto": "auto (the project's default)", "core": "one core"}


def median(row):
    return 1e3 * row.get("device_seconds", row["seconds"])[1]


def lines(axes, rows, key, whats=None, style="o-"):
    """A line for what ran, over the values of a parameter."""
    for what in whats or dict.fromkeys(row["what"] for row in rows):
        points = [(row[key], median(row)) for row in rows
                  if row["what"] == what and isinstance(row.get(key), (int, float))]
        if points:
            axes.plot(*zip(*sorted(points)), style, color=COLORS.get(what), markersize=4,
                      label=NAMES.get(what, what))


def threads(axes, rows, papers):
    lines(axes, rows, "threads")
    axes.set(xlabel="threads", ylabel="ms", xscale="log", yscale="log")


def queues(axes, rows, papers):
    lines(axes, rows, "scans")
    axes.set(xlabel="passes of scans before the queues", ylabel="ms", ylim=(0, None))


def tiles(axes, rows, papers):
    lines(axes, [row for row in rows if row["what"] != "core"], "tile")
    axes.set(xlabel="side of the tile", ylabel="ms, transfers included", xscale="log", ylim=(0, None))


def coverage(axes, rows, papers):
    lines(axes, [row for row in rows if row["operation"] == "reconstruct" and row["what"] != "core"],
          "coverage")
    axes.set(xlabel="coverage by tissue, %", ylabel="ms", ylim=(0, None))


def sizes(axes, rows, papers):
    lines(axes, [row for row in rows if row["neighbors"] == 8], "side")
    axes.set(xlabel="side of the image, 8 neighbors", ylabel="ms", yscale="log")


def density(axes, rows, papers):
    lines(axes, [row for row in rows if row["spread"] == "random" and row["what"] != "core"],
          "density")
    axes.set(xlabel="background, %", ylabel="ms", ylim=(0, None))


def folder(axes, rows, papers):
    order = sorted({row["image"] for row in rows}, key=lambda image: next(
        median(row) for row in rows if row["image"] == image and row["what"] == "sync"))
    for what in ("sync", "async", "balanced", "auto"):
        times = {row["image"]: median(row) for row in rows if row["what"] == what}
        axes.plot(range(len(order)), [times[image] for image in order], color=COLORS[what],
                  label=NAMES.get(what, what))
    axes.set(xlabel="images, in the order of sync's time", ylabel="ms", ylim=(0, None))


def blocks(axes, rows, papers):
    lines(axes, rows, "block size")
    axes.set(xlabel="threads of a block", ylabel="ms, all images", xscale="log", ylim=(0, None))


def reduction(axes, rows, papers):
    lines(axes, rows, "reduction rate")
    axes.set(xlabel="reduction rate", ylabel="ms, all images", ylim=(0, None))


def stack_reduction(axes, rows, papers):
    for shape in dict.fromkeys(row["shape"] for row in rows):
        points = sorted((row["rate"], median(row)) for row in rows if row["shape"] == shape)
        axes.plot(*zip(*points), "o-", markersize=4, label=shape)
    axes.set(xlabel="reduction rate", ylabel="ms", ylim=(0, None))


PLOTS = {"threads": threads, "queues": queues, "tiles": tiles, "distance-tiles": tiles,
         "coverage": coverage, "sizes": sizes, "density": density, "folder": folder,
         "blocks": blocks, "reduction": reduction, "stack-reduction": stack_reduction}


def draw(found, papers, into):
    """Draws what has a plot; returns the names."""
    drawn = set()
    for name, plot in PLOTS.items():
        if name not in found:
            continue
        figure, axes = pyplot.subplots(figsize=(7, 3.6), layout="constrained")
        plot(axes, found[name], papers)
        axes.legend()
        os.makedirs(into, exist_ok=True)
        path = os.path.join(into, f"{name}.svg")
        figure.savefig(path, transparent=True, metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
        license_line(path)
        drawn.add(name)
    return drawn


def license_line(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    first, _, rest = text.partition("?>")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{first}?>\n<!-- SPDX-License-Identifier: GPL-3.0-or-later -->{rest}")
