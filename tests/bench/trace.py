#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws a trace of `wavefront --trace FILE`: tests/bench/trace.py TRACE.json PICTURE.svg TITLE

A row for each lane, a bar for each upload, computation and download; time goes to the right.
"""
import html
import json
import sys

WIDTH, LEFT, RIGHT, TOP = 960, 90, 16, 64
ROW, BAR = 34, 24
COLORS = {"upload": "#8ab4d8", "download": "#7fbf8e", "read": "#d8c27a", "write": "#d8c27a"}
COMPUTING = "#c9555a"
TICKS = 8


def read(path):
    """The lanes' names, and (lane, what, begin, end) in milliseconds."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    names = {event["tid"]: event["args"]["name"] for event in events
             if event["name"] == "thread_name"}
    spans = [(event["tid"], event["name"], event["ts"] / 1e3,
              (event["ts"] + event["dur"]) / 1e3) for event in events if event["ph"] == "X"]
    return names, spans


def rectangle(x, y, width, height, color, title):
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.5):.1f}" height="{height}" '
            f'fill="{color}"><title>{html.escape(title)}</title></rect>')


def text(x, y, words, anchor="start", size=13):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
            f'fill="#222222">{html.escape(words)}</text>')


def step_of(length):
    """A round number of milliseconds, of which about TICKS fit."""
    step = 1.0
    for factor in (2, 2.5, 2) * 8:
        if length / step <= TICKS:
            break
        step *= factor
    return step


def legend(spans):
    kinds = []
    for _, what, _, _ in spans:
        kind = what if what in COLORS else f"computation ({what})"
        if kind not in kinds:
            kinds.append(kind)
    order = {"upload": 0, "download": 2, "read": 3, "write": 4}
    return sorted(kinds, key=lambda kind: order.get(kind, 1))


def draw(names, spans, title):
    begin = min(span[2] for span in spans)
    length = max(span[3] for span in spans) - begin
    lanes = sorted(names)
    bottom = TOP + len(lanes) * ROW
    scale = (WIDTH - LEFT - RIGHT) / length
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom + 40}" '
             'font-family="sans-serif">',
             '<!-- SPDX-License-Identifier: GPL-3.0-or-later -->',
             f'<rect width="{WIDTH}" height="{bottom + 40}" fill="#ffffff"/>',
             text(LEFT, 22, title, size=15)]
    x = LEFT
    for kind in legend(spans):
        lines.append(rectangle(x, 36, 14, 14, COLORS.get(kind, COMPUTING), kind))
        lines.append(text(x + 20, 48, kind))
        x += 44 + 7.5 * len(kind)
    step = step_of(length)
    tick = 0.0
    while tick <= length:
        x = LEFT + tick * scale
        lines.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}" '
                     'stroke="#dddddd"/>')
        lines.append(text(x, bottom + 18, f"{tick:g}", "middle"))
        tick += step
    lines.append(text(WIDTH - RIGHT, bottom + 34, "milliseconds", "end"))
    for row, lane in enumerate(lanes):
        y = TOP + row * ROW
        lines.append(text(LEFT - 10, y + BAR - 4, names[lane], "end"))
        for _, what, start, end in sorted(span for span in spans if span[0] == lane):
            lines.append(rectangle(LEFT + (start - begin) * scale, y + (ROW - BAR) / 2,
                                   (end - start) * scale, BAR, COLORS.get(what, COMPUTING),
                                   f"{what}, {end - start:.1f} ms"))
    return "\n".join(lines + ["</svg>"]) + "\n"


def main():
    source, picture, title = sys.argv[1:4]
    names, spans = read(source)
    with open(picture, "w", encoding="utf-8") as out:
        out.write(draw(names, spans, title))


if __name__ == "__main__":
    main()
