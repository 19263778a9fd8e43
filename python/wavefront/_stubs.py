# SPDX-License-Identifier: GPL-3.0-or-later
"""Types for editors and type checkers: python -m wavefront._stubs FILE

Writes the signatures of the functions that are made from the library's records, with their
documentation: wavefront/__init__.pyi, which the build installs beside the package.
"""
import inspect
import re
import sys

import wavefront

_HEAD = '''\
# SPDX-License-Identifier: GPL-3.0-or-later
# Made by wavefront/_stubs.py from the library's records of operations.
from typing import Any, Literal, NamedTuple, Optional, Protocol, Sequence, Union, overload

import numpy
from numpy.typing import ArrayLike

from ._context import Context as Context, Report as Report
from ._device import DeviceArray as DeviceArray, to_device as to_device
from ._devices import Device as Device, devices as devices
from ._hierarchy import Hierarchy as Hierarchy
from ._library import (
    Cancelled as Cancelled, DeviceError as DeviceError, Error as Error,
    InvalidError as InvalidError, LabelsError as LabelsError,
    OutOfMemoryError as OutOfMemoryError, RankError as RankError,
    UnsupportedError as UnsupportedError)
from ._threshold import find_threshold as find_threshold

class _ByInterface(Protocol):
    @property
    def __cuda_array_interface__(self) -> Any: ...


class _ByDlpack(Protocol):
    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> Any: ...


_Input = Union[ArrayLike, DeviceArray, _ByInterface, _ByDlpack]
_Output = Union[numpy.ndarray[Any, Any], DeviceArray, _ByInterface, _ByDlpack]
# A DeviceArray where the first array is on a GPU, which only the program knows.
Array = Union[numpy.ndarray[Any, Any], Any]

__version__: str
'''


def _annotation(annotation):
    if isinstance(annotation, str):
        return annotation
    return inspect.formatannotation(annotation).replace("typing.", "")


def _input(annotation):
    """What an argument takes: arrays of NumPy and of GPUs."""
    return re.sub(r"\bArray\b", "_Output", re.sub(r"\bArrayLike\b", "_Input", annotation))


def _function(name, function):
    """A function; one for each kind of result, where a further output makes it a tuple."""
    signature = inspect.signature(function)
    returned = _annotation(signature.return_annotation)
    array, _, result = returned.partition(" | ")
    further = [] if not result else [field for field in wavefront._functions[result]._fields
                                     if field in signature.parameters]
    if len(further) != 1:
        return _definition(name, function, {}, returned)
    return ("@overload\n" + _definition(name, function, {further[0]: "Literal[False] = False"}, array) +
            "\n\n@overload\n" +
            _definition(name, function, {further[0]: "_Output | Literal[True]"}, result))


def _definition(name, function, instead, returned):
    """With other types, and defaults, of some arguments."""
    parameters, by_keyword = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind == parameter.KEYWORD_ONLY and not by_keyword:
            by_keyword = True
            parameters.append("*")
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        kind = instead.get(parameter.name) or _input(_annotation(parameter.annotation)) + default
        parameters.append(f"{parameter.name}: {kind}")
    lines = "".join(f"    {parameter},\n" for parameter in parameters)
    document = "\n".join(f"    {line}".rstrip() for line in function.__doc__.splitlines()).lstrip()
    return f"def {name}(\n{lines}) -> {returned}:\n    \"\"\"{document}\n    \"\"\"\n"


def _tuple(name, kind):
    fields = "".join(f"    {field}: {annotation}\n"
                     for field, annotation in kind.__annotations__.items())
    return f"class {name}(NamedTuple):\n{fields}"


def text():
    """The whole file."""
    parts = [_HEAD]
    # the tuples first, as the functions name them
    for is_class in True, False:
        for name, made in wavefront._functions.items():
            if inspect.isclass(made) == is_class:
                parts.append(_tuple(name, made) if is_class else _function(name, made))
    return "\n\n".join(parts)


if __name__ == "__main__":
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text())
