"""How the Python side of a comparison handles each device."""

from collections.abc import Callable
from dataclasses import dataclass

import torch


def _no_cuda() -> str:
    return "" if torch.cuda.is_available() else "this PyTorch finds no CUDA device here"


def _no_mps() -> str:
    if not torch.backends.mps.is_built():
        return "this PyTorch is built without MPS; install the one for a Mac with Apple silicon"
    return "" if torch.backends.mps.is_available() else "this PyTorch finds no MPS device here"


@dataclass(frozen=True)
class Device:
    missing: Callable[[], str]  # why the device cannot be used here; empty if it can
    synchronize: Callable[[], None]
    queues: bool  # whether a call returns before its work is done
    engines: tuple[str, ...]  # mpsbench's engines on the device


# The lambdas look up torch's functions only when they are called.
DEVICES = {
    "cpu": Device(lambda: "", lambda: None, queues=False, engines=("eager", "compiled")),
    "cuda": Device(
        _no_cuda,
        lambda: torch.cuda.synchronize(),
        queues=True,
        engines=("eager", "graph", "compiled", "compiled-graph"),
    ),
    "mps": Device(_no_mps, lambda: torch.mps.synchronize(), queues=True, engines=("eager",)),
}
