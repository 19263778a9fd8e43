# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures 15 and 16 of A: one to all GPUs, with the cores and without, and what of their work is
transfer.
"""
import devices

SIDES = {"reconstruct": 98304, "distance": 65536}


def shared(setting):
    for operation, side in SIDES.items():
        work = devices.Work(operation, setting, setting.side(side))
        given = {"connectivity": 8} if operation == "reconstruct" else {}
        setting.time("devices", "core", setting.core(), operation, work.arrays, given, exact=False,
                     rounds=1, operation=operation, side=work.side)
        for _, names in devices.lists(setting.library):
            context = setting.context(names)
            row, _ = setting.time("devices", names, context, operation, work.arrays, given,
                                  reference=operation, operation=operation, side=work.side)
            workers = [worker for worker in context.workers() if worker.device != b"cpu"]
            row["upload"] = sum(one.upload_seconds for one in workers)
            row["download"] = sum(one.download_seconds for one in workers)
            row["compute"] = sum(one.compute_seconds for one in workers)


ON_GPU = {"devices": shared}
