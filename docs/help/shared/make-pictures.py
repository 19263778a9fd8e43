#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the pictures of the help pages: make-pictures.py WAVEFRONT MAKE-CELLS OUT

Each shows, side by side, a generated picture and the result of the operation, computed
by the wavefront command.
"""
import importlib.util
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

SIZE = 200
SEED = 5
GAP = 12
MARK = (240, 112, 0)
LINE = (0, 224, 90)
FOREGROUND = 92     # between the cells and the background
FAINT = 70          # of specks; still below the cells
# in two groups of cells of the picture with this seed
MARKERS = ((43, 55), (83, 188))
# of the watershed of that picture
CORRECTIONS = ('[{"join": [[83, 186], [113, 187]]}, {"split": [[83, 8], [83, 64]]}, '
               '{"delete": [[43, 55]]}]')
SPECKS = ((20, 30), (55, 12), (104, 18), (150, 40), (185, 25), (12, 96), (188, 120), (30, 188),
          (120, 186), (176, 176))


class Command:
    """The wavefront command, on raw files."""

    def __init__(self, path, folder):
        self.path = path
        self.folder = pathlib.Path(folder)

    def run(self, operation, image, *options, kind="u8", marker=None):
        files = []
        for name, pixels in (("image", image), ("marker", marker)):
            if pixels is not None:
                files.append(self.folder / f"{name}.raw")
                files[-1].write_bytes(pixels)
        out = self.folder / "out.raw"
        subprocess.run([self.path, operation, *files, "-o", out, "--device", "cpu",
                        "--raw", f"{SIZE}x{SIZE}:{kind}", *options], check=True)
        return out.read_bytes()


def read_module(path):
    spec = importlib.util.spec_from_file_location("make_cells", path)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


# ---------------------------------------------------------------- pictures

def chunk(kind, data):
    return (struct.pack(">I", len(data)) + kind + data +
            struct.pack(">I", zlib.crc32(kind + data)))


def save(path, left, right):
    """Two pictures, lists of SIZE × SIZE colors, side by side with a gap."""
    rows = bytearray()
    for y in range(SIZE):
        rows.append(0)
        for picture in (left, right):
            for color in picture[y * SIZE:(y + 1) * SIZE]:
                rows += bytes((*color, 255))
            if picture is left:
                rows += bytes(4 * GAP)
    header = struct.pack(">IIBBBBB", 2 * SIZE + GAP, SIZE, 8, 6, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
                     chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def gray(pixels):
    return [(level, level, level) for level in pixels]


def invert(pixels):
    return bytes(255 - level for level in pixels)


def laid_over(pixels, marks, color):
    """The picture with the marked pixels in a color."""
    return [color if mark else (level, level, level) for level, mark in zip(pixels, marks)]


def thicken(marks):
    """Enlarges marks: single pixels would hardly be visible."""
    wide = bytearray(len(marks))
    for place, mark in enumerate(marks):
        y, x = divmod(place, SIZE)
        if mark:
            for row in range(max(0, y - 1), min(SIZE, y + 2)):
                for column in range(max(0, x - 1), min(SIZE, x + 2)):
                    wide[row * SIZE + column] = 1
    return bytes(wide)


def add_discs(pixels, places, radius, level):
    changed = bytearray(pixels)
    for x, y in places:
        for row in range(y - radius, y + radius + 1):
            for column in range(x - radius, x + radius + 1):
                inside = (row - y) ** 2 + (column - x) ** 2 <= radius * radius + 1
                if inside and 0 <= row < SIZE and 0 <= column < SIZE:
                    changed[row * SIZE + column] = level
    return bytes(changed)


def draw_maze():
    """Light ways between dark walls, which have gaps above and below in turn."""
    walls = range(24, SIZE, 26)
    return bytes(60 if any(wall <= x < wall + 4 and (y >= 26 if i % 2 else y < SIZE - 26)
                           for i, wall in enumerate(walls)) else 230
                 for y in range(SIZE) for x in range(SIZE))


def darken(pixels):
    """Uneven illumination: darker to the right, down to two fifths."""
    return bytes(level * (5 * SIZE - 3 * (place % SIZE)) // (5 * SIZE)
                 for place, level in enumerate(pixels))


# ---------------------------------------------------------------- operations

def show_reconstruction(command, cells):
    smooth = command.run("gaussian", cells, "--sigma", "1")
    mask = bytes(235 if level > FOREGROUND else 20 for level in smooth)
    marker = add_discs(bytes(SIZE * SIZE), MARKERS, 4, 255)
    yield "reconstruct", laid_over(mask, marker, MARK), gray(
        command.run("reconstruct", mask, marker=bytes(map(min, mask, marker))))


def show_holes(command, cells):
    smooth = command.run("gaussian", cells, "--sigma", "1.5")
    steps = command.run("gradient", smooth, "--radius", "2")
    rings = bytes(min(255, 2 * level) for level in steps)
    yield "fill-holes", gray(rings), gray(command.run("fill-holes", rings))
    yield "clear-border", gray(cells), gray(command.run("clear-border", cells))


def show_extrema(command, cells):
    smooth = command.run("gaussian", cells, "--sigma", "3")
    for kind, turn in (("maxima", bytes), ("minima", invert)):
        picture, even = turn(cells), turn(smooth)
        yield f"h-{kind}", gray(picture), gray(
            command.run(f"h-{kind}", picture, "--height", "60"))
        marks = thicken(command.run(f"regional-{kind}", even))
        yield f"regional-{kind}", gray(even), laid_over(even, marks, MARK)
        marks = command.run(f"extended-{kind}", picture, "--height", "25")
        yield f"extended-{kind}", gray(picture), laid_over(picture, marks, MARK)


def show_openings(command, cells):
    specks = add_discs(cells, SPECKS, 2, 230)
    disc = ("--element", "disc", "--radius", "6")
    for operation, hat, turn in (("opening", "white-top-hat", bytes),
                                 ("closing", "black-top-hat", invert)):
        operation, hat = f"{operation}-by-reconstruction", f"{hat}-by-reconstruction"
        picture = turn(specks)
        yield operation, gray(picture), gray(command.run(operation, picture, *disc))
        yield hat, gray(picture), gray(command.run(hat, picture, *disc))


def show_attributes(command, cells):
    specks = add_discs(cells, SPECKS, 2, 230)
    beside = [(x, y) for x, y in SPECKS if cells[y * SIZE + x] < FAINT - 20]
    faint = add_discs(cells, beside, 2, FAINT)
    for attribute, least, shown in (("area", "60", specks), ("height", "51", faint),
                                    ("volume", "5100", specks)):
        for operation, turn in (("opening", bytes), ("closing", invert)):
            picture = turn(shown)
            yield f"{attribute}-{operation}", gray(picture), gray(
                command.run(f"{attribute}-{operation}", picture, f"--{attribute}", least))


def show_windows(command, cells):
    specks = add_discs(cells, SPECKS, 2, 230)
    for operation, radius, turn in (("erosion", "4", bytes), ("dilation", "4", invert),
                                    ("opening", "6", bytes), ("closing", "6", invert)):
        picture = turn(specks)
        yield operation, gray(picture), gray(
            command.run(operation, picture, "--element", "disc", "--radius", radius))
    yield "gradient", gray(specks), gray(
        command.run("gradient", specks, "--element", "disc", "--radius", "2"))
    yield "median", gray(specks), gray(command.run("median", specks, "--radius", "4"))
    uneven = darken(cells)
    for hat, turn in (("white-top-hat", bytes), ("black-top-hat", invert)):
        picture = turn(uneven)
        yield hat, gray(picture), gray(
            command.run(hat, picture, "--element", "disc", "--radius", "30"))
    yield "threshold", gray(uneven), gray(
        command.run("threshold", uneven, "--method", "mean", "--radius", "45", "--offset", "-11"))


def show_distances(command, cells):
    smooth = command.run("gaussian", cells, "--sigma", "1")
    inside = bytes(level > FOREGROUND for level in smooth)
    raw = command.run("distance", inside)
    distances = struct.unpack(f"<{SIZE * SIZE}f", raw)
    most = max(distances)
    yield "distance-map", gray(cells), gray(bytes(round(255 * d / most) for d in distances))

    entrance = add_discs(bytes(SIZE * SIZE), ((8, 8),), 4, 255)
    maze = draw_maze()
    raw = command.run("geodesic-distance", maze, "--threshold", "128", marker=entrance)
    ways = struct.unpack(f"<{SIZE * SIZE}f", raw)
    most = max(way for way in ways if way < math.inf)
    yield "geodesic-distance", laid_over(maze, entrance, MARK), gray(
        bytes(round(255 * way / most) if way < math.inf else 0 for way in ways))

    relief = struct.pack(f"<{SIZE * SIZE}f", *(-distance for distance in distances))
    raw = command.run("watershed", relief, "--tolerance", "1", kind="f32")
    labels = struct.unpack(f"<{SIZE * SIZE}I", raw)
    yield "watershed", gray(cells), laid_over(cells, thicken(boundary(labels, inside)), LINE)


def show_labels(command, cells):
    """Labels as gray levels: the left picture, and what a tool makes of it."""
    smooth = command.run("gaussian", cells, "--sigma", "1")
    raw = command.run("watershed", smooth, "--input", "objects", "--threshold", str(FOREGROUND))
    labels = [80 + 37 * label % 175 if label else 0
              for label in struct.unpack(f"<{SIZE * SIZE}I", raw)]

    def tool(name, numbers, *options):
        """The result, which is u32 as its input is."""
        return struct.unpack(f"<{SIZE * SIZE}I", command.run(
            name, struct.pack(f"<{SIZE * SIZE}I", *numbers), *options))
    for name, *options in (("remove-small", "--area", "700"), ("keep-largest", "--count", "10"),
                           ("expand-labels", "--distance", "4")):
        yield name, gray(labels), gray(tool(name, labels, *options))
    few = tool("keep-largest", labels, "--count", "4")
    yield "relabel", gray(few), gray([50 * label for label in tool("relabel", few)])


def show_corrections(command, cells):
    outlines = []
    for more in (), ("--corrections", CORRECTIONS):
        raw = command.run("watershed", cells, "--input", "objects", "--threshold", str(FOREGROUND),
                          "--tolerance", "1", *more)
        labels = struct.unpack(f"<{SIZE * SIZE}I", raw)
        outlines.append(laid_over(cells, thicken(boundary(labels, labels)), LINE))
    yield "watershed-correcting", *outlines


def boundary(labels, inside):
    """The pixels at the edge of an object, or of a basin within it."""
    parts = [label if within else 0 for label, within in zip(labels, inside)]
    return bytes((x + 1 < SIZE and parts[i] != parts[i + 1]) or
                 (i + SIZE < SIZE * SIZE and parts[i] != parts[i + SIZE])
                 for i, x in ((i, i % SIZE) for i in range(SIZE * SIZE)))


def main():
    path, cells_path, out = sys.argv[1:]
    cells = b"".join(read_module(cells_path).make_cells(SIZE, SEED))
    with tempfile.TemporaryDirectory() as folder:
        command = Command(path, folder)
        for show in (show_reconstruction, show_holes, show_extrema, show_openings,
                     show_attributes, show_windows, show_distances, show_labels,
                     show_corrections):
            for name, left, right in show(command, cells):
                save(pathlib.Path(out) / f"{name}.png", left, right)


if __name__ == "__main__":
    main()
