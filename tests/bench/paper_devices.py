# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures 15 and 16 of A: one to all GPUs, with the cores and without, and what of their work is
transfer. Images are in pinned memory, if CUDA's driver is there.
"""
import contextlib

import devices
import gpu

SIDES = {"reconstruct": 98304, "distance": 65536}


@contextlib.contextmanager
def pinned(work):
    """Pins the images of @work; yields how their memory is called."""
    try:
        driver = gpu.Driver()
    except (OSError, RuntimeError):
        yield "plain"
        return
    work.pin(driver)
    try:
        yield "pinned"
    finally:
        work.unpin(driver)


def measure(setting, work, operation, memory):
    given = {"connectivity": 8} if operation == "reconstruct" else {}
    same = {"operation": operation, "side": work.side, "memory": memory}
    setting.time("devices", "core", setting.core(), operation, work.arrays, given, exact=False,
                 rounds=1, out=work.out, **same)
    for _, names in devices.lists(setting.library):
        context = setting.context(names)
        row, _ = setting.time("devices", names, context, operation, work.arrays, given,
                              reference=operation, out=work.out, **same)
        workers = [worker for worker in context.workers() if worker.device != b"cpu"]
        row["upload"] = sum(one.upload_seconds for one in workers)
        row["download"] = sum(one.download_seconds for one in workers)
        row["compute"] = sum(one.compute_seconds for one in workers)


def shared(setting):
    for operation, side in SIDES.items():
        work = devices.Work(operation, setting, setting.side(side))
        with pinned(work) as memory:
            measure(setting, work, operation, memory)


ON_GPU = {"devices": shared}
