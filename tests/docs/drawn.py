# SPDX-License-Identifier: GPL-3.0-or-later
"""The known answer of data/make-cells.py, and how well labels agree with it."""

import importlib.util
import os
import random
import subprocess
import sys

import numpy


class Cells:
    """The cells of a picture as they were drawn."""

    def __init__(self, make_cells, path, size=512, seed=1):
        subprocess.run([sys.executable, make_cells, path, '--size', str(size), '--seed',
                        str(seed)], check=True)
        spec = importlib.util.spec_from_file_location('make_cells', make_cells)
        module = importlib.util.module_from_spec(spec)
        sys.dont_write_bytecode = True
        spec.loader.exec_module(module)
        self.cells = module.place_cells(size, random.Random(seed))
        self.size = size
        self.owner = self.draw()

    def draw(self):
        """For each pixel the number of the cell it was drawn for, 0 in the background."""
        y, x = numpy.mgrid[0:self.size, 0:self.size]
        owner = numpy.zeros((self.size, self.size), int)
        nearest = numpy.full(owner.shape, 1.05)
        for number, (at_x, at_y, radius, _) in enumerate(self.cells, 1):
            far = numpy.hypot(x - at_x, y - at_y) / radius
            owner[far < nearest] = number
            nearest = numpy.minimum(nearest, far)
        return owner

    def at_centers(self, labels):
        last = self.size - 1
        return [int(labels[min(last, round(y)), min(last, round(x))])
                for x, y, _, _ in self.cells]

    def alone(self, labels):
        """How many cells have a label that no other cell has in its center."""
        centers = self.at_centers(labels)
        return sum(1 for label in centers if label and centers.count(label) == 1)

    def agreement(self, labels):
        """The part of the cells' pixels that have the label of their cell's center."""
        right = 0
        for number, label in enumerate(self.at_centers(labels), 1):
            if label:
                right += int(((self.owner == number) & (labels == label)).sum())
        return right / int((self.owner > 0).sum())


def largest(labels):
    """The part of the picture that the largest label covers."""
    return numpy.bincount(labels.ravel())[1:].max() / labels.size


def count(labels):
    return len(set(labels.ravel().tolist()) - {0})


def components(mask, diagonals=True):
    """The number of connected components, by flooding them one after the other."""
    steps = [(-1, 0), (0, -1), (0, 1), (1, 0)]
    if diagonals:
        steps += [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    left = {(int(y), int(x)) for y, x in zip(*numpy.nonzero(mask))}
    n = 0
    while left:
        front = [left.pop()]
        n += 1
        while front:
            y, x = front.pop()
            for dy, dx in steps:
                if (y + dy, x + dx) in left:
                    left.remove((y + dy, x + dx))
                    front.append((y + dy, x + dx))
    return n


class Command:
    """The command in a folder, and the pictures that it writes there."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def run(self, line):
        """Runs a line of a document as it stands; returns its status, output and messages."""
        script = f'wavefront () {{ "$WAVEFRONT_COMMAND" "$@"; }}\n{line}'
        done = subprocess.run(['sh', '-c', script], cwd=self.folder, capture_output=True,
                              text=True, check=False,
                              env={**os.environ, 'WAVEFRONT_COMMAND': self.program})
        return done.returncode, done.stdout.strip(), done.stderr.strip()

    def read(self, name, shape, *options):
        """The pixels of a picture in any format that the command reads."""
        subprocess.run([self.program, 'h-maxima', name, '--height', '0', '-o', 'read.raw', *options],
                       cwd=self.folder, check=True)
        with open(f'{self.folder}/read.raw', 'rb') as file:
            pixels = file.read()
        n = int(numpy.prod(shape))
        kind = {n: numpy.uint8, 2 * n: numpy.uint16, 4 * n: numpy.float32}[len(pixels)]
        return numpy.frombuffer(pixels, kind).reshape(shape)
