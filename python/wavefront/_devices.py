# SPDX-License-Identifier: GPL-3.0-or-later
"""The devices that can work."""
import ctypes
import functools
import typing

from ._library import ERROR, Device as DeviceStruct, byref, glib, lib, text


class Device(typing.NamedTuple):
    """A device that can work; memory in bytes."""
    name: str
    description: str
    n_units: int
    memory_total: int
    memory_free: int


def devices():
    """The devices that can work, the CPU first.

    Returns
    -------
    list of Device
        The name is what a Context takes: "cpu" or "cuda:0".
    """
    problem = ERROR()
    array = lib.wf_list_devices(byref(problem))
    if problem:
        # why there is no GPU, which is no failure
        glib.g_error_free(problem)
    found = []
    for i in range(array.contents.n):
        device = ctypes.cast(array.contents.items[i], ctypes.POINTER(DeviceStruct)).contents
        found.append(Device(text(device.name), text(device.description), device.n_units,
                            device.memory_total, device.memory_free))
    glib.g_ptr_array_unref(array)
    return found


@functools.lru_cache(maxsize=None)
def count_gpus():
    """How many GPUs there are, which does not change while the process lives."""
    return sum(device.name.startswith("cuda:") for device in devices())
