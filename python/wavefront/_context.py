# SPDX-License-Identifier: GPL-3.0-or-later
"""Contexts: device, threads, memory limit, progress and cancelling.

The library calls its progress function about twenty times a second in the thread of the operation.
There Python runs the handlers of signals that have come meanwhile, so Ctrl+C raises its exception
there: it is kept, the operation is cancelled, and the exception goes on when it has returned.
"""
import contextlib
import contextvars
import inspect
import threading
import typing
import weakref

from ._library import PROGRESS, call, gio, gobject, lib, text
from ._options import OptionList


class Step(typing.NamedTuple):
    """A step of an operation: what it took, and how often it went over its pixels (0: once)."""
    name: str
    seconds: float
    rounds: int


class Report(typing.NamedTuple):
    """What the last operation of a context did."""
    device: str
    algorithm: typing.Optional[str]
    threads: int
    seconds: float
    device_seconds: float
    executions: int
    no_background: bool
    notice: typing.Optional[str]
    reason: typing.Optional[str]
    steps: typing.Tuple[Step, ...] = ()
    queued_first: int = 0
    queued: int = 0


_OPTIONS = OptionList(lib.wf_context_get_options())
# The context of the innermost block, and likewise that around it: each thread has its own.
_current = contextvars.ContextVar("wavefront.context", default=None)
_own = threading.local()


class Context:
    """Where and how operations run.

    A context runs one operation at a time; other threads wait for it. Memory on a GPU is kept from
    one operation to the next as long as the context lives. `with Context(...):` makes it that of
    all operations in the block that are not given another one; without any, each thread has its
    own with the default options.

    Parameters
    ----------
    {options}
    memory_limit : int or None
        The most main memory in bytes that an operation may take beyond its images; one that needs
        more is refused before it starts. None: what the machine has available.
    progress : callable, object with update() such as a tqdm bar, or None
        A callable gets the part that is done, from 0 to 1. A bar is moved from 0 to its total, or
        to 1 if it has none, by each operation. What it raises ends the operation.
    stream : int
        The CUDA stream that arrays on a GPU were last written on; 0 for the default stream.
    partial_outputs : bool
        Whether an operation that fails or is cancelled may leave arrays that were given for its
        results partly written. By default it leaves them as they were, which takes the memory of
        another array and the time to copy it. Arrays that are made for results need neither.
    """

    def __init__(self, *, memory_limit=None, progress=None, stream=0, partial_outputs=False,
                 **options):
        unknown = set(options) - set(_OPTIONS.options)
        if unknown:
            raise TypeError(f"Context has no argument {', '.join(sorted(unknown))}")
        self._pointer = None
        self._lock = threading.Lock()
        self._runner = None
        self._options = {name: _OPTIONS.default(name) for name in _OPTIONS.options}
        self.progress = progress
        self.partial_outputs = partial_outputs
        self._failure = None
        self._report_progress = None
        self._callback = PROGRESS(_without_cycle(self._on_progress))
        self._cancellable = gio.g_cancellable_new()
        self._pointer = lib.wf_context_new()
        lib.wf_context_set_cancellable(self._pointer, self._cancellable)
        lib.wf_context_set_progress(self._pointer, self._callback, None)
        self.memory_limit = memory_limit
        self.stream = stream
        self.configure(**options)

    def __del__(self):
        # __init__ may have failed before
        if getattr(self, "_pointer", None):
            lib.wf_context_unref(self._pointer)
            gobject.g_object_unref(self._cancellable)

    def __repr__(self):
        return f"Context({', '.join(f'{name}={value!r}' for name, value in self._options.items())})"

    def configure(self, **options):
        """Changes device, threads and tiles; a device that is not there changes nothing."""
        wanted = {**self._options, **options}
        with self._running():
            call(lib.wf_context_configure, self._pointer, _OPTIONS.make(wanted))
        self._options = wanted

    @property
    def device(self):
        """What was asked for: "auto", "cpu", or the name of a GPU."""
        return self._options["device"]

    @property
    def memory_limit(self):
        return self._memory_limit

    @memory_limit.setter
    def memory_limit(self, limit):
        if limit is not None and limit <= 0:
            raise ValueError(f"A memory limit of {limit} bytes leaves nothing to work with.")
        lib.wf_context_set_memory_limit(self._pointer, limit or 0)
        self._memory_limit = limit

    @property
    def stream(self):
        return self._stream

    @stream.setter
    def stream(self, stream):
        lib.wf_context_set_stream(self._pointer, stream or None)
        self._stream = stream

    @property
    def report(self):
        """What the last operation did; None before the first one."""
        found = lib.wf_context_get_report(self._pointer).contents
        if found.device is None:
            return None
        return Report(text(found.device), text(found.algorithm), found.threads, found.seconds,
                      found.device_seconds, found.executions, bool(found.no_background),
                      text(found.notice), text(found.reason),
                      tuple(Step(text(step.name), step.seconds, step.rounds)
                            for step in found.steps[:found.n_steps]),
                      found.queued_first, found.queued)

    def cancel(self):
        """Ends the operation that runs, in another thread: it raises Cancelled there."""
        gio.g_cancellable_cancel(self._cancellable)

    def __enter__(self):
        _current.set((self, _current.get()))
        return self

    def __exit__(self, *_exception):
        _current.set(_current.get()[1])

    @contextlib.contextmanager
    def _running(self):
        if self._runner == threading.get_ident():
            raise RuntimeError("The context runs an operation already, in this thread.")
        with self._lock:
            self._runner = threading.get_ident()
            try:
                yield
            finally:
                self._runner = None

    def _on_progress(self, fraction, _data):
        try:
            if self._report_progress and not self._failure:
                self._report_progress(fraction)
        except BaseException as failure:  # KeyboardInterrupt, too: it goes on in run()
            self._failure = failure
            self.cancel()

    @contextlib.contextmanager
    def _following(self, stream):
        """The block follows another stream than the context's; None: the context's."""
        if stream is not None:
            lib.wf_context_set_stream(self._pointer, stream)
        try:
            yield
        finally:
            if stream is not None:
                lib.wf_context_set_stream(self._pointer, self._stream or None)

    def run(self, function, *arguments, stream=None, outputs=()):
        """Calls a function of the library whose first argument is the context.

        Outputs that only this call knows may be written while the operation runs.
        """
        own = bool(outputs) and all(output.is_own for output in outputs)
        with self._running(), self._following(stream):
            lib.wf_context_set_partial_outputs(self._pointer, self.partial_outputs or own)
            gio.g_cancellable_reset(self._cancellable)
            self._failure = None
            self._report_progress = _follower(self.progress)
            try:
                result = call(function, self._pointer, *arguments)
            except BaseException:
                failure, self._failure = self._failure, None
                if failure is not None:
                    raise failure from None
                raise
            finally:
                self._report_progress = None
            failure, self._failure = self._failure, None
            if failure is not None:
                raise failure
            return result


def _without_cycle(method):
    """A function that calls a method, and does not keep its object."""
    weak = weakref.WeakMethod(method)

    def call_method(fraction, data):
        bound = weak()
        if bound:
            bound(fraction, data)

    return call_method


def _follower(progress):
    """A function of the fraction for a callable, or for a bar with update(), as tqdm has it."""
    update = getattr(progress, "update", None)
    if update is None:
        return progress or (lambda fraction: None)
    total = getattr(progress, "total", None)
    if total is None:
        total = 1.0
        with contextlib.suppress(AttributeError):
            progress.total = total
    done = 0.0

    def follow(fraction):
        nonlocal done
        step = fraction * total - done
        if step > 0:
            done += step
            update(step)

    return follow


def current(context=None):
    """The context that was given, that of the block around the call, or the thread's own."""
    if context is not None:
        return context
    block = _current.get()
    found = block[0] if block else None
    if found is None:
        found = getattr(_own, "context", None)
        if found is None:
            found = _own.context = Context()
    return found


def _describe():
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD),
                  *_OPTIONS.parameters(False)]
    for name, default in ("memory_limit", None), ("progress", None), ("stream", 0):
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default))
    Context.__init__.__signature__ = inspect.Signature(parameters)
    # Python 3.13 takes the indentation off by itself
    Context.__doc__ = inspect.cleandoc(Context.__doc__).replace("{options}",
                                                                "\n".join(_OPTIONS.help()))


_describe()
