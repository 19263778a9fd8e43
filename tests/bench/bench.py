#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures libwavefront: speed against peers, threads, types, memory, growth, hard contents.

tests/bench/run builds the library and starts this program in the environment with the peers.
"""
import argparse
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")

import engine
import inputs
import measure
import report
import sections


def parse(words):
    parser = argparse.ArgumentParser(prog="tests/bench/run", description=__doc__.split("\n")[0],
                                     epilog="The sections: " + ", ".join(sections.SECTIONS)
                                     + "; by name only: " + ", ".join(sections.LARGE_SECTIONS) + ".")
    parser.add_argument("--library", required=True, metavar="FILE",
                        help="the libwavefront.so to measure (default: a new release build)")
    parser.add_argument("--picture", metavar="FILE",
                        help="the tissue: a PNG, or a file NAME-WIDTHxHEIGHT.raw of gray bytes "
                             "(default: ihc.png of scikit-image)")
    parser.add_argument("--size", type=int, default=4096, metavar="N",
                        help="side of the square images (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N",
                        help="timed runs of each contender; the result is the median "
                             "(default: %(default)s)")
    parser.add_argument("--quick", action="store_true",
                        help="small images, one minute: for a first look, not for publication")
    parser.add_argument("--only", metavar="WORD[,WORD…]", default="",
                        help="these sections or operations (reconstruct, distance, watershed, "
                             "label), or both")
    parser.add_argument("--devices-sides", type=lambda text: [int(side) for side in text.split(",")],
                        default=[16384, 32768], metavar="N[,N…]",
                        help="sides of the images that several devices share "
                             "(default: 16384,32768)")
    parser.add_argument("--cores", type=int, default=0, metavar="N",
                        help="threads at most, doubled from 1 on (default: all processors)")
    parser.add_argument("--cores-side", type=int, default=16384, metavar="N",
                        help="side of the image for many threads (default: %(default)s)")
    parser.add_argument("--files-side", type=int, default=16384, metavar="N",
                        help="side of the images in files (default: %(default)s)")
    parser.add_argument("--files-folder", metavar="FOLDER",
                        help="where they lie: 11 bytes a pixel (default: that for temporary files)")
    parser.add_argument("--ranks", type=int, default=2, metavar="N",
                        help="processes at most, doubled from 1 on (default: %(default)s)")
    parser.add_argument("--ranks-side", type=int, default=8192, metavar="N",
                        help="side of the image that they share, or rows a rank "
                             "(default: %(default)s)")
    parser.add_argument("--peers", metavar="NAME[,NAME…]",
                        help="only these of Leptonica, libvips, OpenCV, SciPy, scikit-image; or "
                             "“none”")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall",
                        help="cpu: processor time, for one thread on a busy machine")
    parser.add_argument("--tsv", metavar="FILE", help="write all results to FILE")
    parser.add_argument("--markdown", metavar="FILE", help="write the tables to FILE")
    parser.add_argument("--update", action="store_true",
                        help="replace the tables in docs/benchmarks.md")
    arguments = parser.parse_args(words)
    arguments.only = set(filter(None, arguments.only.split(",")))
    unknown = arguments.only - set(sections.SECTIONS) - set(sections.LARGE_SECTIONS) - set(engine.OPERATIONS)
    if unknown:
        parser.error(f"unknown section or operation: {', '.join(sorted(unknown))}")
    if arguments.quick:
        arguments.size = min(arguments.size, 1024)
    if arguments.rounds < 1 or arguments.size < 16:
        parser.error("--rounds must be at least 1, --size at least 16")
    if arguments.clock == "cpu" and not arguments.only:
        parser.error("--clock cpu suits some sections only: select them with --only")
    arguments.picture = arguments.picture or inputs.find_picture()
    if not arguments.picture:
        parser.error("scikit-image's ihc.png is missing: give a picture with --picture")
    return arguments


def main(words):
    arguments = parse(words)
    library = engine.Library(arguments.library)
    bench = sections.Bench(arguments, library)
    facts = report.machine() + [("libwavefront", library.version())]
    facts += bench.peers.versions()
    facts.append(("measured", f"{arguments.size} × {arguments.size} pixels unless stated, "
                  f"median of {arguments.rounds}, {arguments.clock} clock"))
    facts += [(title, f"left out: {reason}") for title, reason in bench.peers.missing.items()]
    bench.report = report.Report(facts)
    for name, section in {**sections.SECTIONS, **sections.LARGE_SECTIONS}.items():
        if bench.wants(name):
            section(bench)
    print(f"\n{bench.report.summary()}")
    if arguments.tsv:
        bench.report.write_tsv(arguments.tsv)
    if arguments.markdown:
        with open(arguments.markdown, "w", encoding="utf-8") as out:
            out.write(bench.report.markdown())
    if arguments.update:
        bench.report.update(os.path.join(measure.FOLDER, "..", "..", "docs", "benchmarks.md"))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
