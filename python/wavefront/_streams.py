# SPDX-License-Identifier: GPL-3.0-or-later
"""CUDA's streams by the numbers that DLPack and __cuda_array_interface__ have in common.

1 is the legacy default stream, 2 that of each thread, others are a cudaStream_t. 0 is none of these:
it would leave open which of the default streams is meant.
"""
import operator

LEGACY = 1


def check(stream):
    """The number of a stream, or None."""
    if stream is None:
        return None
    number = operator.index(stream)
    if number == 0:
        raise ValueError("the stream 0 is ambiguous; 1 is CUDA's legacy default stream, 2 that of "
                         "each thread")
    if number < 0:
        raise ValueError(f"the stream {number} is none of CUDA")
    return number


def followed(context):
    """The stream whose work every operation of a context waits for."""
    return context.stream or LEGACY
