#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the examples of docs/python.md one after the other, as a reader would: test-document.py FILE

Each block in Python sees the names of those before it. A block whose modules are not installed is
skipped. Prints TAP.
"""
import re
import sys
import traceback

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
blocks = [(text.count("\n", 0, match.start()) + 2, match[1])
          for match in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)]
names = {}
failed = not blocks
for number, (line, block) in enumerate(blocks, 1):
    # so that a traceback has the lines of the document
    code = compile("\n" * (line - 1) + block, sys.argv[1], "exec")
    try:
        exec(code, names)
    except ModuleNotFoundError as missing:
        print(f"ok {number} - line {line} # SKIP {missing}")
    except Exception:
        failed = True
        print(f"not ok {number} - line {line}")
        print("# " + traceback.format_exc().replace("\n", "\n# "))
    else:
        asserts = block.count("assert")
        failed |= not asserts
        print(f"{'ok' if asserts else 'not ok'} {number} - line {line}: {asserts} assertions")
print(f"1..{len(blocks)}")
sys.exit(failed)
