#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the types of the package in this folder: make-stubs.py LIBRARY FILE"""
import os
import pathlib
import runpy
import sys

library, target = sys.argv[1:]
os.environ["WAVEFRONT_LIBRARY"] = os.path.abspath(library)
sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent))
sys.argv = ["_stubs", target]
runpy.run_module("wavefront._stubs", run_name="__main__")
