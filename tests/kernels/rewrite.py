#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates CUDA C++ to C++: rewrite.py SOURCE OUTPUT DEPFILE

Rewrites CUDA's extensions of the grammar, which macros cannot remove:

  kernel<<<grid, block, shared, stream>>> (a, b);      a launch
  __shared__ int room[32];                             filled again for each block
  extern __shared__ int room[];                        the memory that the launch allocates
  asm ("prmt.b32 %0, %1, 0, %2;" : "=r" (x) : …);      x = ptx_prmt_b32 (…);
  asm ("atom… %0, [%1], %2;" : … : … : "memory");      the same; [%1] is a pointer
  __noinline__                                         a name that C++ headers use

The .cuh files that SOURCE includes are inserted, once each: by name from the same folder,
otherwise by path from the project's top. All other text stays, line by line, so that
compilers report correct line numbers.
"""
import pathlib
import re
import sys

OPENING = {")": "(", "]": "[", "}": "{", ">": "<"}
CLOSING = {opening: closing for closing, opening in OPENING.items()}


def end_of_group(text, start):
    """The index after the bracket that closes the bracket at start."""
    depth = 0
    for i in range(start, len(text)):
        if text[i] == text[start]:
            depth += 1
        elif text[i] == CLOSING[text[start]]:
            depth -= 1
            if depth == 0:
                return i + 1
    raise ValueError("a bracket is not closed: " + text[start:start + 60])


def start_of_group(text, end):
    """The index of the bracket that is closed by the bracket before end."""
    depth = 0
    for i in range(end - 1, -1, -1):
        if text[i] == text[end - 1]:
            depth += 1
        elif text[i] == OPENING[text[end - 1]]:
            depth -= 1
            if depth == 0:
                return i
    raise ValueError("a bracket is not opened: " + text[max(0, end - 60):end])


def split(text, separator=","):
    """The parts of the text between separators, outside brackets and strings."""
    parts, depth, quoted = [""], 0, False
    for i, c in enumerate(text):
        if c == '"' and text[i - 1:i] != "\\":
            quoted = not quoted
        elif not quoted and c in "([{":
            depth += 1
        elif not quoted and c in ")]}":
            depth -= 1
        if c == separator and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts]


def start_of_kernel(text, end):
    """The start of the expression before <<<: name, name<…> or (…)."""
    while text[end - 1].isspace():
        end -= 1
    if text[end - 1] == ")":
        return start_of_group(text, end)
    if text[end - 1] == ">":
        end = start_of_group(text, end)
    while re.match(r"[\w:]", text[end - 1]):
        end -= 1
    return end


def rewrite_launches(text):
    """Evaluates the arguments once and copies them for each thread, as a launch does."""
    done = 0
    result = ""
    while (at := text.find("<<<", done)) >= 0:
        start = start_of_kernel(text, at)
        end = text.index(">>>", at)
        opening = text.index("(", end)
        closing = end_of_group(text, opening)
        kernel = text[start:at].strip()
        grid, block, *rest = split(text[at + 3:end])
        arguments = re.sub(r"\bNULL\b", "nullptr", text[opening + 1:closing - 1])
        call = (f"kernels_launch ({{ \"{' '.join(kernel.split())}\", {grid}, {block}, "
                f"{rest[0] if rest else 0} }}, "
                f"[&] (auto ...arguments) {{ {kernel} (arguments...); }}, {arguments})")
        lost = text.count("\n", start, closing) - call.count("\n")
        result += text[done:start] + call + "\n" * lost
        done = closing
    return result + text[done:]


def rewrite_shared(text):
    text = re.sub(r"extern __shared__ (?:__align__ ?\(\d+\) )?([\w ]+?) (\w+)\[\];",
                  r"\1 *\2 = (\1 *) kernels_dynamic_memory ();", text)
    return re.sub(r"__shared__ ([^;]*?)(\w+)((?:\[[^;]*\])?);",
                  r"static \1\2\3; static uint64_t \2_owner; "
                  r"kernels_enter_shared (&\2, sizeof \2, &\2_owner);", text)


def rewrite_assembly(text):
    """Turns a PTX instruction into a call with its operands, %1 and so on, as arguments."""
    done = 0
    result = ""
    for match in re.finditer(r"\basm (?:volatile )?(?=\()", text):
        end = end_of_group(text, match.end())
        code, *groups = split(text[match.end() + 1:end - 1], ":")
        instruction = re.match(r'"([\w.]+) %0, (.*);"$', code)
        if not instruction:
            continue     # an empty one, a barrier for the compiler
        operands = [re.match(r'"[^"]*" \((.*)\)$', operand, re.DOTALL).group(1)
                    for group in groups[:2] for operand in split(group)]
        name = "ptx_" + instruction.group(1).replace(".", "_")
        arguments = re.sub(r"%(\d)", lambda digit: f"({operands[int(digit.group(1))]})",
                           re.sub(r"\[(%\d)\]", r"\1", instruction.group(2)).replace("%%", "ptx_"))
        result += text[done:match.start()] + f"{operands[0]} = {name} ({arguments})"
        done = end
    return result + text[done:]


def rewrite(text):
    text = text.replace("__noinline__", "__attribute__ ((noinline))")
    return rewrite_launches(rewrite_shared(rewrite_assembly(text)))


TOP = pathlib.Path(__file__).resolve().parents[2]


def expand(path, seen):
    """The text of the file, with its .cuh files inserted."""
    seen.append(path)
    lines = [f'#line 1 "{path}"']
    for number, line in enumerate(rewrite(path.read_text(encoding="utf-8")).split("\n"), 1):
        match = re.match(r'#include "([\w/.-]+\.cuh)"', line)
        if not match:
            lines.append("" if line == "#pragma once" else line)
            continue
        name = match.group(1)
        included = TOP / name if "/" in name else path.parent / name
        if included not in seen:
            lines += [expand(included, seen), f'#line {number + 1} "{path}"']
        else:
            lines.append("")
    return "\n".join(lines)


def main():
    source, output, depfile = sys.argv[1:]
    seen = []
    text = expand(pathlib.Path(source).resolve(), seen)
    pathlib.Path(output).write_text(text + "\n", encoding="utf-8")
    pathlib.Path(depfile).write_text(f"{output}: {' '.join(map(str, seen))}\n", encoding="utf-8")


main()
