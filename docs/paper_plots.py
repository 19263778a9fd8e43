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

from matplotlib import pyplot, ticker

# One color for a variant in all plots, of middle lightness.
COLORS = {"auto": "#d9601a", "queue": "#2f86d4", "raster": "#2e9e6b", "queue-prefix": "#9467c8",
          "queue-naive": "#b8860b", "core": "#7f7f7f", "tiled": "#2f86d4", "non-tiled": "#2e9e6b",
          "propagation": "#9467c8", "proximate": "#2f86d4", "proximate-strided": "#2e9e6b",
          "sync": "#2e9e6b", "async": "#2f86d4", "balanced": "#9467c8",
          "balanced, fronts": "#b8860b", "auto, cores": "#9467c8"}
# For parts and for parameters.
STEP_COLORS = ("#2e9e6b", "#2f86d4", "#b8860b", "#9467c8", "#d9601a", "#c4557f")
NAMES = {"auto": "auto (the project's default)", "core": "one core"}


def median(row):
    return 1e3 * row.get("device_seconds", row["seconds"])[1]


def whole(row):
    """The time of the call, with transfers."""
    return 1e3 * row["seconds"][1]


def step(name):
    """The time of one step instead of the whole."""
    def found(row):
        return 1e3 * row.get("steps", {}).get(name, 0.0)
    return found


def lines(axes, rows, key, whats=None, value=median, style="o-", label=None):
    """A line for what ran, over the values of a parameter."""
    for what in whats or dict.fromkeys(row["what"] for row in rows):
        points = [(row[key], value(row)) for row in rows
                  if row["what"] == what and isinstance(row.get(key), (int, float))]
        if points:
            axes.plot(*zip(*sorted(points)), style, color=COLORS.get(what), markersize=4,
                      label=NAMES.get(what, what) if label is None else label)


def default_line(axes, rows, value=median, label=NAMES["auto"]):
    """What has no parameter here: a level for the project's default."""
    for row in rows:
        if row["what"] == "auto":
            axes.axhline(value(row), color=COLORS["auto"], linestyle="--", label=label)


def scale(axes, values, name="x"):
    """Logarithmic, with these values as ticks."""
    values = sorted(set(values))
    axis = getattr(axes, f"{name}axis")
    getattr(axes, f"set_{name}scale")("log", base=2)
    axis.set_major_locator(ticker.FixedLocator(values))
    axis.set_major_formatter(ticker.FixedFormatter([str(value) for value in values]))
    axis.set_minor_locator(ticker.NullLocator())


def plain(axes):
    """Times on a logarithmic axis, without exponents."""
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(ticker.NullFormatter())


def from_zero(axes):
    """Times from 0 on, with room above the highest."""
    axes.set_ylim(0, 1.08 * max(axes.get_ylim()[1], 1e-9) / 1.05)


def threads(axes, rows):
    one = median(next(row for row in rows if row["what"] == "tiled"))
    counts = [row["threads"] for row in rows]
    lines(axes, rows, "threads")
    axes.plot(sorted(set(counts)), [one / n for n in sorted(set(counts))], ":", color="#7f7f7f",
              label="tiled, in proportion")
    scale(axes, counts)
    plain(axes)
    axes.set(xlabel="threads", ylabel="ms")


def queues(left, right, rows):
    lines(left, rows, "scans", value=step("queues"))
    left.set(xlabel="passes of scans before the queues", ylabel="ms of the queues")
    for key, label, style in (("queued_first", "at first", "o-"), ("queued", "in all", "s--")):
        lines(right, [row for row in rows if key in row], "scans", ["queue"],
              lambda row, key=key: row[key], style, label)
    right.set(xlabel="passes of scans before the queues", ylabel="pixels that “queue” queues")
    if any(row.get("queued_first") for row in rows):
        right.set_yscale("log")
        right.yaxis.set_major_formatter(ticker.EngFormatter(sep="\N{THIN SPACE}"))


def tiles(axes, rows):
    rows = [row for row in rows if row["what"] != "core"]
    lines(axes, rows, "tile", value=whole)
    default_line(axes, [row for row in rows if row["tile"] == "—"], whole,
                 label="auto, tiles of its own choice")
    scale(axes, [row["tile"] for row in rows if row["tile"] != "—"])
    axes.set(xlabel="side of the tile, pixels", ylabel="ms, with transfers")


def coverage(left, right, rows):
    for axes, operation, title in ((left, "reconstruct", "reconstruction"),
                                   (right, "distance", "distance map")):
        lines(axes, [row for row in rows if row["operation"] == operation and row["what"] != "core"],
              "coverage")
        axes.set(xlabel="coverage by tissue, %", ylabel=f"ms, {title}",
                 xticks=sorted({row["coverage"] for row in rows}))


def overflow(axes, rows):
    """Points of another color where the queue overflowed."""
    bounded = [row for row in rows if row["what"] == "queue"]
    lines(axes, bounded, "places", style="-", label="")
    for color, executions in zip((COLORS["queue"], *STEP_COLORS[2:]),
                                 sorted({row["executions"] for row in bounded})):
        points = [(row["places"], median(row)) for row in bounded if row["executions"] == executions]
        axes.plot(*zip(*points), "o", markersize=5, color=color,
                  label=f"queue, {executions} execution{'s' if executions > 1 else ''}")
    default_line(axes, rows)
    axes.set_xscale("log", base=2)
    axes.set(xlabel="places of a block's queue", ylabel="ms")


def sizes(left, right, rows):
    for axes, neighbors in ((left, 4), (right, 8)):
        lines(axes, [row for row in rows if row["neighbors"] == neighbors], "side")
        scale(axes, [row["side"] for row in rows])
        plain(axes)
        axes.set(xlabel=f"side of the image, pixels; {neighbors} neighbors", ylabel="ms")


def access(axes, rows):
    rows = [row for row in rows if not row["what"].startswith("core")]
    bars(axes, [(NAMES.get(row["what"], row["what"]), row) for row in rows], ("columns", "rows"))
    axes.set(xlabel="ms")


def bars(axes, named, names):
    """A bar for each row, divided by steps; what they leave is the last part."""
    colors = dict(zip(names, STEP_COLORS))
    for place, (label, row) in enumerate(named):
        left = 0.0
        for name in names:
            width = step(name)(row)
            axes.barh(place, width, left=left, color=colors[name])
            left += width
        if median(row) > left:
            axes.barh(place, median(row) - left, left=left, color="#7f7f7f")
    for name in names:
        axes.barh(0, 0, color=colors[name], label=name)
    axes.barh(0, 0, color="#7f7f7f", label="all else")
    axes.set_yticks(range(len(named)), [label for label, _ in named])
    axes.invert_yaxis()
    axes.grid(False, axis="y")


def density(left, right, rows):
    for axes, spread in ((left, "random"), (right, "regular")):
        lines(axes, [row for row in rows if row["spread"] == spread
                     and not row["what"].startswith("core")], "density")
        axes.set(xlabel=f"background, %, {spread}", ylabel="ms")


def devices(left, right, rows):
    for axes, operation, title in ((left, "reconstruct", "reconstruction"),
                                   (right, "distance", "distance map")):
        found = [row for row in rows if row["operation"] == operation and row["what"] != "core"
                 and "blocks" not in row["what"]]
        for place, row in enumerate(found):
            axes.barh(place, row["seconds"][1], color=COLORS[row["algorithm"]])
            axes.annotate(f"{row['seconds'][1]:.3g}", (row["seconds"][1], place), va="center",
                          textcoords="offset points", xytext=(3, 0), color="#7f7f7f")
        for algorithm in dict.fromkeys(row["algorithm"] for row in found):
            axes.barh(0, 0, color=COLORS[algorithm], label=NAMES.get(algorithm, algorithm))
        device_ticks(axes, found)
        axes.set(xlabel=f"s, {title}")
        axes.margins(x=0.15)


def device_ticks(axes, rows):
    axes.set_yticks(range(len(rows)), [devices_named(row["what"]) for row in rows])
    axes.invert_yaxis()
    axes.grid(False, axis="y")


def device_shares(left, right, rows):
    """Seconds of all GPUs together; transfers and work of different blocks overlap."""
    parts = ("upload", "compute", "download")
    for axes, operation, title in ((left, "reconstruct", "reconstruction"),
                                   (right, "distance", "distance map")):
        found = [row for row in rows if row["operation"] == operation and row.get("algorithm") == "auto"
                 and sum(row.get(part, 0) for part in parts) > 0]
        for place, row in enumerate(found):
            start = 0.0
            for color, part in zip(STEP_COLORS, parts):
                axes.barh(place, row[part], left=start, color=color)
                start += row[part]
        for color, part in zip(STEP_COLORS, parts):
            axes.barh(0, 0, color=color, label=part)
        device_ticks(axes, found)
        axes.set(xlabel=f"s of all GPUs, {title}")


def devices_named(names):
    """2 GPUs and the cores, for “cuda:0,cuda:1,cpu”."""
    gpus = names.count("cuda")
    parts = [f"{gpus} GPU{'s' if gpus > 1 else ''}"] if gpus else []
    return ", ".join(parts + ["cores"] * ("cpu" in names) + ["in blocks"] * ("blocks" in names))


def folder(left, right, rows):
    order = sorted({row["image"] for row in rows}, key=lambda image: next(
        median(row) for row in rows if row["image"] == image and row["what"] == "sync"))
    for axes, value, title in ((left, median, "ms"), (right, step("plateaux"), "ms, plateaux alone")):
        for what in dict.fromkeys(row["what"] for row in rows):
            times = {row["image"]: value(row) for row in rows if row["what"] == what}
            if max(times.values()) > 0:
                axes.plot(range(len(order)), [times[image] for image in order], color=COLORS[what],
                          label=NAMES.get(what, what))
        axes.set(xlabel="images, in the order of sync's time", ylabel=title)


def blocks(axes, rows):
    found = {}
    for row in rows:
        if row["block"] != "—":
            width, height = map(int, row["block"].split("×"))
            found.setdefault(height, []).append((width, median(row)))
    colors = [color for color in STEP_COLORS if color != COLORS["auto"]] + ["#7f7f7f"]
    for color, height in zip(colors, sorted(found)):
        axes.plot(*zip(*sorted(found[height])), "o-", markersize=4, color=color,
                  label=f"{height} row{'s' if height > 1 else ''}")
    scale(axes, [width for points in found.values() for width, _ in points])
    default_line(axes, rows)
    axes.set(xlabel="columns of a block", ylabel="ms, all images")


def rates(axes, rows, label, color):
    """The paths alone; unbounded behind the largest rate."""
    bounded = sorted((row["rate"], step("paths")(row)) for row in rows
                     if isinstance(row["rate"], (int, float)))
    last = [step("paths")(row) for row in rows if row["rate"] == "unbounded"]
    places = [*range(len(bounded)), len(bounded) + 0.5][:len(bounded) + len(last)]
    names = [*(str(rate) for rate, _ in bounded), *["∞"] * len(last)]
    axes.plot(places[:len(bounded)], [time for _, time in bounded], "o-", markersize=4, color=color,
              label=label)
    axes.plot(places[len(bounded):], last, "s", markersize=5, color=color)
    axes.set_xticks(places, names)
    axes.set(xlabel="reduction rate")


def reduction(axes, rows):
    rates(axes, rows, "balanced", COLORS["balanced"])
    axes.set(ylabel="ms, paths alone, all images")


def stack_reduction(axes, rows):
    for color, shape in zip(STEP_COLORS, dict.fromkeys(row["shape"] for row in rows)):
        rates(axes, [row for row in rows if row["shape"] == shape], shape, color)
    axes.set(ylabel="ms, paths alone")


def stacks(axes, rows):
    named = [(f"{row['shape']}, {row['what']}", row) for row in rows]
    bars(axes, named, ("borders", "plateaux", "arrows", "paths", "minima", "labels"))
    axes.set(xlabel="ms, without transfers")


def stack_blocks(axes, rows):
    shapes = list(dict.fromkeys(row["block"] for row in rows if row["block"] != "—"))
    for color, shape in zip(STEP_COLORS, dict.fromkeys(row["shape"] for row in rows)):
        times = {row["block"]: median(row) for row in rows if row["shape"] == shape}
        axes.plot(shapes, [times[block] for block in shapes], "o-", markersize=4, color=color,
                  label=shape)
        axes.axhline(times["—"], color=color, linestyle="--", linewidth=1)
    axes.plot([], [], "--", color="#7f7f7f", linewidth=1, label="auto, without blocks")
    axes.set(xlabel="block", ylabel="ms")


def plateaux(axes, rows):
    lines(axes, rows, "levels")
    scale(axes, [row["levels"] for row in rows])
    axes.invert_xaxis()
    axes.set(xlabel="gray levels", ylabel="ms")


# Experiment, what draws it, and in how many parts beside each other; what else the plot is called.
PLOTS = (("threads", threads, 1), ("queues", queues, 2), ("tiles", tiles, 1),
         ("distance-tiles", tiles, 1), ("coverage", coverage, 2), ("overflow", overflow, 1),
         ("devices", devices, 2), ("devices", device_shares, 2, "device-shares"), ("sizes", sizes, 2), ("access", access, 1), ("density", density, 2),
         ("folder", folder, 2), ("blocks", blocks, 1), ("reduction", reduction, 1),
         ("stacks", stacks, 1), ("stack-blocks", stack_blocks, 1),
         ("stack-reduction", stack_reduction, 1), ("plateaux", plateaux, 1))
# Of bars, a height for each.
BAR = 0.26


def draw(found, into):
    """Draws what has a plot; returns {experiment: [names of plots]}."""
    drawn = {}
    for name, plot, n, *called in PLOTS:
        if name not in found:
            continue
        rows = found[name]
        height = max(3.0, BAR * len(rows) + 1.2) if plot in (stacks,) else 3.6
        if plot in (access,):
            height = 2.2
        figure, axes = pyplot.subplots(1, n, figsize=(9 if n > 1 else 7, height),
                                       layout="constrained", squeeze=False)
        figure.get_layout_engine().set(w_pad=0.1, h_pad=0.08)
        plot(*axes[0], rows)
        named = {}
        for one in axes[0]:
            if one.get_yscale() == "linear" and plot not in (access, stacks, devices, device_shares):
                from_zero(one)
            for handle, label in zip(*one.get_legend_handles_labels()):
                named.setdefault(label, handle)
        if len(named) > 1:
            figure.legend(named.values(), named.keys(), loc="outside lower center",
                          ncols=min(4 if sum(map(len, named)) < 52 else 3, len(named)))
        os.makedirs(into, exist_ok=True)
        called = called[0] if called else name
        path = os.path.join(into, f"{called}.svg")
        figure.savefig(path, transparent=True, metadata={"Date": None, "Creator": None})
        pyplot.close(figure)
        license_line(path)
        drawn.setdefault(name, []).append(called)
    return drawn


def license_line(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    first, _, rest = text.partition("?>")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{first}?>\n<!-- SPDX-License-Identifier: GPL-3.0-or-later -->{rest}")
