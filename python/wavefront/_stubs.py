# SPDX-License-Identifier: GPL-3.0-or-later
"""Types for editors and type checkers: python -m wavefront._stubs FILE

Writes the signatures of the functions that are made from the library's records, with their
documentation: wavefront/__init__.pyi, which the build installs beside the package.
"""
import inspect
import sys

import wavefront

_HEAD = '''\
# SPDX-License-Identifier: GPL-3.0-or-later
# Made by wavefront/_stubs.py from the library's records of operations.
from typing import Literal, NamedTuple, Optional, Sequence, Union

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

Array = Union[numpy.ndarray, DeviceArray]

__version__: str
'''


def _annotation(annotation):
    if isinstance(annotation, str):
        return annotation
    return inspect.formatannotation(annotation).replace("typing.", "")


def _function(name, function):
    signature = inspect.signature(function)
    parameters, by_keyword = [], False
    for parameter in signature.parameters.values():
        if parameter.kind == parameter.KEYWORD_ONLY and not by_keyword:
            by_keyword = True
            parameters.append("*")
        default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
        parameters.append(f"{parameter.name}: {_annotation(parameter.annotation)}{default}")
    lines = "".join(f"    {parameter},\n" for parameter in parameters)
    document = "\n".join(f"    {line}".rstrip() for line in function.__doc__.splitlines()).lstrip()
    return (f"def {name}(\n{lines}) -> {_annotation(signature.return_annotation)}:\n"
            f'    """{document}\n    """\n')


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
