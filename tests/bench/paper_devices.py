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


def ways(setting, operation):
    """The lists of devices, each with the project's default; and GPUs alone with the paper's
    queues, as its propagation does not work in parts."""
    named = [name for _, name in devices.lists(setting.library)]
    yield from ((name, "auto") for name in named)
    if operation == "reconstruct":
        yield from ((name, "queue") for name in named if "cpu" not in name)


def measure(setting, work, operation, memory):
    options = {"connectivity": 8} if operation == "reconstruct" else {}
    same = {"operation": operation, "side": work.side, "memory": memory}
    setting.time("devices", "core", setting.core(), operation, work.arrays, options, exact=False,
                 rounds=1, out=work.out, **same)
    for names, algorithm in ways(setting, operation):
        context = setting.context(names)
        row, _ = setting.time("devices", names, context, operation, work.arrays,
                              {**options, "algorithm": algorithm}, reference=operation,
                              out=work.out, algorithm=algorithm, **same)
        workers = [worker for worker in context.workers() if worker.device != b"cpu"]
        row["upload"] = sum(one.upload_seconds for one in workers)
        row["download"] = sum(one.download_seconds for one in workers)
        row["compute"] = sum(one.compute_seconds for one in workers)
        setting.keep()


def one_in_blocks(setting, work, memory):
    """What of the work of one GPU is transfer: it reports that where it works in blocks, and they
    are as large as those of two."""
    context = setting.context()
    work.out.fill(1)
    run = context.reconstruct_blocks(*work.arrays, work.out, 0, way="queue", in_memory=True,
                                     connectivity=8)
    times = [setting.timed(run, context)[0] for _ in range(setting.rounds + 1)][1:]
    row = setting.add("devices", "cuda:0 in blocks", times, operation="reconstruct",
                      algorithm="auto", side=work.side, memory=memory)
    for name in ("upload", "download", "compute"):
        row[name] = sum(getattr(worker, f"{name}_seconds") for worker in context.workers())
    setting.compare(work.out, "reconstruct", work.arrays, {"connectivity": 8}, "reconstruct",
                    "devices, cuda:0 in blocks")
    setting.keep()


def shared(setting):
    for operation, side in SIDES.items():
        work = devices.Work(operation, setting, setting.side(side))
        with pinned(work) as memory:
            measure(setting, work, operation, memory)
            if operation == "reconstruct":
                one_in_blocks(setting, work, memory)


ON_GPU = {"devices": shared}
