# SPDX-License-Identifier: GPL-3.0-or-later
"""Options from the library's tables: their structs, their place in signatures, their help."""
import ctypes
import inspect
import math
import operator
import textwrap
import typing

from ._library import byref, call, glib, lib

# WfOptionKind
BOOLEAN, INT, CHOICE, NAME, DEVICE, REAL, SPACING = range(7)


def python_name(name):
    """The name of an operation, an option or an image as Python has it."""
    return name.replace("-", "_")


class OptionList:
    """The options of a WfOptionGroup, by their names in Python."""

    def __init__(self, group):
        self.group = group
        described = group.contents
        self.options = {python_name(described.options[i].name.decode()): described.options[i]
                        for i in range(described.n_options)}
        self._defaults = self._allocate()

    def _allocate(self):
        size = self.group.contents.size
        struct = ctypes.create_string_buffer(size)
        lib.wf_option_group_init_sized(self.group, struct, size)
        return struct

    def make(self, given, n_dimensions=2):
        """A struct with the given values; those that are None keep their defaults."""
        struct = self._allocate()
        for name, value in given.items():
            if value is not None:
                option = self.options[name]
                call(lib.wf_option_parse, byref(option), struct,
                     _write(name, option.kind, value, n_dimensions).encode())
        return struct

    def default(self, name):
        """The default as Python shows it; None where there is none, or for a spacing of 1."""
        option = self.options[name]
        written = lib.wf_option_format(byref(option), self._defaults)
        value = ctypes.string_at(written).decode()
        glib.g_free(written)
        if option.kind == SPACING or value == "":
            return None
        if option.kind == BOOLEAN:
            return value == "true"
        if option.kind in (INT, REAL):
            return int(value) if option.kind == INT else float(value)
        return _choice_value(value)

    def parameters(self, required):
        """The options that are required, or the others, as parameters of a signature."""
        for name, option in self.options.items():
            if bool(option.required) == required:
                yield inspect.Parameter(
                    name, inspect.Parameter.KEYWORD_ONLY,
                    default=inspect.Parameter.empty if required else self.default(name),
                    annotation=self.annotation(name))

    def annotation(self, name):
        option = self.options[name]
        if option.kind == BOOLEAN:
            return bool
        if option.kind == INT:
            return int
        if option.kind == DEVICE:
            return str
        if option.kind == SPACING:
            return typing.Optional[typing.Sequence[float]]
        if option.kind == REAL:
            return float if option.required or self.default(name) is not None \
                else typing.Optional[float]
        return typing.Literal[tuple(_choice_value(name) for name in choice_names(option))]

    def help(self):
        """The lines of a docstring, an entry for each option."""
        lines = []
        for name, option in self.options.items():
            lines.append(f"{name} : {annotation_text(self.annotation(name))}")
            blurb = option.blurb.decode()
            if option.kind == SPACING:
                blurb = "Size of a pixel along each axis of the array"
            lines += textwrap.wrap(f"{blurb}.{_range(option)}", 76, initial_indent="    ",
                                   subsequent_indent="    ")
        return lines


def choice_names(option):
    """The names of an option's choices."""
    names = []
    while option.choices[len(names)].name is not None:
        names.append(option.choices[len(names)].name.decode())
    return names


def annotation_text(annotation):
    """An annotation as it is written in a program."""
    if isinstance(annotation, type):
        return annotation.__name__
    return str(annotation).replace("typing.", "").replace("NoneType", "None")


def _choice_value(name):
    """Choices that are numbers, as those of connectivity, are numbers in Python."""
    return int(name) if name.isdigit() else name


def _range(option):
    if option.kind not in (INT, REAL):
        return ""
    # numbers of which the library limits only the type have no range that says anything
    low, high = abs(option.minimum) < 1e30, abs(option.maximum) < 1e30
    if option.kind == INT and option.maximum >= 2 ** 31 - 1:
        high = False
    if low and high:
        return f" From {option.minimum:.15g} to {option.maximum:.15g}."
    return f" At least {option.minimum:.15g}." if low else ""


def _write(name, kind, value, n_dimensions):
    """A value as wf_option_parse() reads it, which checks it."""
    if kind == BOOLEAN:
        return "true" if value else "false"
    if kind == INT:
        try:
            return str(operator.index(value))
        except TypeError:
            raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if kind == REAL:
        return _write_real(name, value)
    if kind == SPACING:
        return _write_spacing(name, value, n_dimensions)
    return value if isinstance(value, str) else str(operator.index(value))


def _write_real(name, value):
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    # what Python and GLib call them is not the same
    return repr(number) if math.isfinite(number) else str(number)


def _write_spacing(name, value, n_dimensions):
    """Numbers along the axes of an array, the last of which is x."""
    try:
        numbers = [float(value)] * n_dimensions
    except TypeError:
        numbers = [float(number) for number in value]
    if len(numbers) != n_dimensions:
        raise ValueError(f"{name} has {len(numbers)} numbers, "
                         f"but the array has {n_dimensions} axes")
    numbers = numbers[::-1] + [1.0] * (2 - n_dimensions)
    return ",".join(map(repr, numbers))
