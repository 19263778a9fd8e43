# SPDX-License-Identifier: GPL-3.0-or-later
"""The measurements of regions."""
import inspect
import itertools

import numpy as np

from . import _arrays
from ._context import current
from ._library import byref, c_uint64, call, lib, text
from ._operations import _CONTEXT_HELP, check_shape, context_parameter, indent, make_function
from ._options import OptionList, python_name

_POSITIONAL, _KEYWORD = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY


def _sentences(group):
    return f"{text(group.title)}: {text(group.blurb)[0].lower()}{text(group.blurb)[1:]}."


class Measuring:
    """The table of regions."""

    def __init__(self):
        group = lib.wf_regions_get_options()
        self.options = OptionList(group)
        self.name = python_name(text(group.contents.name))
        self.blurb = _sentences(group.contents)
        self.signature = inspect.Signature(
            [inspect.Parameter("labels", _POSITIONAL, annotation="ArrayLike"),
             inspect.Parameter("image", _POSITIONAL, default=None, annotation="ArrayLike | None"),
             inspect.Parameter("measures", _KEYWORD, default="all",
                               annotation="str | Sequence[str]"),
             *self.options.parameters(required=False), context_parameter()],
            return_annotation="dict[str, numpy.ndarray[Any, Any]]")

    def documentation(self):
        lines = [self.blurb, "", "Parameters", "----------", "labels : array of uint32",
                 *indent("Labels, 0 for none."), "image : array of uint8, uint16, float32, optional",
                 *indent("Gray levels, for measures of levels."), "measures : str or list of str",
                 *indent('Names, or "all": all that are defined for these images. They are:')]
        for measure in _measures():
            lines.append(f"    {text(measure.name)}")
            lines += ["    " + line for line in indent(text(measure.blurb) + ".")]
        lines += [*self.options.help(), *_CONTEXT_HELP, "", "Returns", "-------", "dict of arrays",
                  *indent("A column for each name, an entry for each region by increasing label. "
                          "Whole numbers are int64, others float64, NaN where a measure has none.")]
        return "\n".join(lines) + "\n"

    def call(self, arguments):
        context = current(arguments["context"])
        labels = _arrays.take(arguments["labels"], "labels", context)
        levels = arguments["image"]
        if levels is not None:
            levels = _arrays.take(levels, "image", context)
            check_shape(levels, "image", labels, "labels")
        options = self.options.make({name: arguments[name] for name in self.options.options},
                                    labels.ndim)
        names = arguments["measures"]
        wanted = c_uint64()
        call(lib.wf_region_measures_parse,
             (names if isinstance(names, str) else ",".join(names)).encode(), byref(wanted))
        view = _arrays.View(labels, "labels")
        level_view = None if levels is None else _arrays.View(levels, "image")
        regions = context.run(lib.wf_regions_measure, byref(view.image),
                              None if levels is None else byref(level_view.image), wanted.value,
                              options)
        try:
            return _table(regions)
        finally:
            lib.wf_regions_free(regions)


def _measures():
    for number in itertools.count():
        found = lib.wf_region_measure_describe(number)
        if not found:
            return
        yield found.contents


def _table(regions):
    """The columns of a table as arrays of their own."""
    n = lib.wf_regions_get_n_regions(regions)
    table = {}
    for i in range(lib.wf_regions_get_n_columns(regions)):
        column = lib.wf_regions_get_column(regions, i).contents
        kind = np.int64 if column.is_whole else np.float64
        if n == 0:
            table[text(column.name)] = np.empty(0, kind)
            continue
        values = lib.wf_regions_get_values(regions, i)
        array = np.ctypeslib.as_array(values, (n,))
        if column.is_whole and np.isnan(array).any():
            kind = np.float64
        table[text(column.name)] = array.astype(kind)
    return table


def functions():
    """The function, by its name."""
    measuring = Measuring()
    return {measuring.name: make_function(measuring.name, measuring.signature,
                                          measuring.documentation(), measuring.call)}
