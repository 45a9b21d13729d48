"""Tells the program that started this one what is being done."""

import contextlib
import os

_descriptor = -1  # of no file


def tell_stages(descriptor: int) -> None:
    """From now on, stages are written to DESCRIPTOR, if it is open."""
    global _descriptor
    _descriptor = descriptor


def stage(name: str) -> None:
    with contextlib.suppress(OSError):
        os.write(_descriptor, f"{name}\n".encode())
