# SPDX-License-Identifier: GPL-3.0-or-later
"""A function for each operation of the library, made from its record.

Names, arguments, defaults, choices and help are those of the record that the command and GIMP's
procedures are made of, too; there is no list of operations here.
"""
import collections
import ctypes
import inspect
import itertools
import textwrap

from . import _arrays
from ._context import current
from ._library import Image, byref, c_uint32, lib, text
from ._options import OptionList, python_name

# WfContent: what pixels mean, for docstrings
_CONTENTS = ("Gray levels", "Pixels that are not 0 are marked", "Labels, 0 for none", "Distances",
             "Linear indices of pixels; the largest number where there is none",
             "Depths at which boundaries disappear")
_MARKS = 1

_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_CONTEXT_HELP = ["context : Context or None",
                 "    Where and how; by default that of the block around the call, or the thread's own."]


def indent(sentence):
    """A sentence as the description of an argument."""
    return textwrap.wrap(sentence, 76, initial_indent="    ", subsequent_indent="    ")


class Operand:
    """An image that an operation reads or writes."""

    def __init__(self, operand):
        self.name = python_name(operand.name.decode())
        self.content, self.types = operand.content, operand.types
        self.optional, self.same_type = bool(operand.optional), bool(operand.same_type)

    def kinds(self):
        if self.same_type:
            return "the same type as the first image"
        return ", ".join(_arrays.type_names(self.types))

    def input_help(self):
        return [f"{self.name} : array of {self.kinds()}" + (", optional" if self.optional else ""),
                *indent(_CONTENTS[self.content] + ".")]

    def output_help(self):
        meaning = "255 where a pixel is marked, else 0" if self.content == _MARKS \
            else _CONTENTS[self.content]
        return [f"{self.name} : array of {self.kinds()}", *indent(meaning + ".")]


class Operation:
    """What there is to know of an operation to call it."""

    def __init__(self, info):
        self.number = info.operation
        self.options = OptionList(info.options)
        group = info.options.contents
        self.name = python_name(group.name.decode())
        self.title, self.blurb = text(group.title), text(group.blurb)
        self.inputs = [Operand(info.inputs[i]) for i in range(info.n_inputs)]
        self.outputs = [Operand(info.outputs[i]) for i in range(info.n_outputs)]
        self.counts = text(info.counts)
        self.result = result_class(self.name, [output.name for output in self.outputs], self.counts)
        self.signature = self._make_signature()

    def _make_signature(self):
        """The images, then by keywords the options, the outputs and the context."""
        parameters = [inspect.Parameter(
            operand.name, inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=None if operand.optional else inspect.Parameter.empty,
            annotation="ArrayLike | None" if operand.optional else "ArrayLike")
            for operand in self.inputs]
        parameters += self.options.parameters(required=True)
        parameters += self.options.parameters(required=False)
        kind = "Array | bool | None" if self.outputs[0].optional else "Array | None"
        parameters.append(inspect.Parameter("out", _KEYWORD, default=None, annotation=kind))
        for operand in self.outputs[1:]:
            parameters.append(inspect.Parameter(operand.name, _KEYWORD, default=False,
                                                annotation="Array | bool"))
        parameters.append(context_parameter())
        returned = self.result.__name__ if self.counts else "Array"
        if self.result and not self.counts:
            returned += f" | {self.result.__name__}"
        return inspect.Signature(parameters, return_annotation=returned)

    def documentation(self):
        lines = [f"{self.title}: {self.blurb[0].lower()}{self.blurb[1:]}.", "", "Parameters",
                 "----------"]
        for operand in self.inputs:
            lines += operand.input_help()
        lines += self.options.help()
        lines.append("out : array or None" + (" or False" if self.outputs[0].optional else ""))
        lines += indent("Takes the result; by default an array is made." +
                        (" False: it is not wanted." if self.outputs[0].optional else ""))
        for operand in self.outputs[1:]:
            lines.append(f"{operand.name} : array or bool")
            lines += indent(f"Takes it, or whether it is wanted: {_CONTENTS[operand.content][0].lower()}"
                            f"{_CONTENTS[operand.content][1:]}.")
        lines += _CONTEXT_HELP + ["", "Returns", "-------"]
        for operand in self.outputs:
            lines += operand.output_help()
        if self.counts:
            lines += [f"{self.counts} : int", *indent("How many there are.")]
        elif self.result:
            lines += ["", "A named tuple, or the first array alone if no other one is wanted."]
        return "\n".join(lines) + "\n"

    def call(self, arguments):
        context = current(arguments["context"])
        given = [None if arguments[operand.name] is None else
                 _arrays.take(arguments[operand.name], operand.name, context)
                 for operand in self.inputs]
        first = given[0]
        if first is None:
            raise TypeError(f"{self.name}() needs the array {self.inputs[0].name}")
        for array, operand in zip(given, self.inputs):
            if array is None and not operand.optional:
                raise TypeError(f"{self.name}() needs the array {operand.name}")
            if array is not None:
                check_shape(array, operand.name, first, self.inputs[0].name)
        options = self.options.make({name: arguments[name] for name in self.options.options},
                                    first.ndim)
        inputs = [None if array is None else _arrays.View(array, operand.name)
                  for array, operand in zip(given, self.inputs)]
        wanted = [arguments["out"], *(arguments[operand.name] for operand in self.outputs[1:])]
        outputs = []
        for number, (want, operand) in enumerate(zip(wanted, self.outputs)):
            if want is False:
                if not operand.optional:
                    raise TypeError(f"the output {operand.name} cannot be left out")
                outputs.append(None)
                continue
            number_of_type = lib.wf_operation_get_output_type(self.number, number,
                                                              inputs[0].image.type, options)
            outputs.append(Output(None if want is True else want,
                                  operand.name if number else "out", first, number_of_type,
                                  context))
        count = c_uint32()
        context.run(lib.wf_operation_run, self.number, _pointers(inputs), _pointers(outputs),
                    byref(count), options,
                    outputs=[output for output in outputs if output is not None])
        found = [None if output is None else output.finish() for output in outputs]
        if self.counts:
            return self.result(*found, count.value)
        return self.result(*found) if any(want is not False for want in wanted[1:]) else found[0]


class Output:
    """An array that takes a result: the caller's, or a new one."""

    def __init__(self, want, what, model, type_number, context):
        self.given = want
        self.model = model
        if want is None:
            array = _arrays.allocate(model, type_number, context)
        else:
            array = _arrays.take_output(want, what, type_number, context)
            check_shape(array, what, model, "input")
        self.view = _arrays.View(array, what, is_output=True)

    @property
    def image(self):
        return self.view.image

    @property
    def is_own(self):
        """Whether nobody else has the pixels that are written."""
        return self.given is None or self.view.pixels is not self.view.original

    def finish(self):
        self.view.write_back()
        if self.given is not None:
            return self.given
        return _arrays.wrap(self.model, self.view.original)


def check_shape(array, what, first, first_what):
    if array.shape != first.shape:
        raise ValueError(f"{what} has the shape {array.shape}, but {first_what} {first.shape}")


def context_parameter():
    return inspect.Parameter("context", _KEYWORD, default=None, annotation="Context | None")


def result_class(name, outputs, counts):
    """The named tuple that a function returns which may have several results."""
    fields = outputs + ([counts] if counts else [])
    if len(fields) < 2:
        return None
    words = "".join(word.capitalize() for word in name.split("_"))
    found = collections.namedtuple(words + "Result", fields, module="wavefront")
    found.__doc__ = f"What {name}() returns: {', '.join(fields)}."
    found.__annotations__ = {field: "int" if field == counts else "Array" for field in fields}
    return found


def _pointers(views):
    pointers = (ctypes.POINTER(Image) * len(views))()
    for i, view in enumerate(views):
        if view is not None:
            pointers[i] = ctypes.pointer(view.image)
    return pointers


def make_function(name, signature, documentation, call):
    """A function of that name whose arguments are bound by a signature."""
    def function(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return call(bound.arguments)

    function.__name__ = function.__qualname__ = name
    function.__module__ = "wavefront"
    function.__doc__ = documentation
    function.__signature__ = signature
    return function


def operations():
    """All operations of the library that runs."""
    for number in itertools.count():
        info = lib.wf_operation_describe(number)
        if not info:
            return
        yield Operation(info.contents)


def functions():
    """Their functions and the tuples that these return, by name."""
    found = {}
    for operation in operations():
        found[operation.name] = make_function(operation.name, operation.signature,
                                              operation.documentation(), operation.call)
        if operation.result:
            found[operation.result.__name__] = operation.result
    return found
