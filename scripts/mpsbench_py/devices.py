"""What Python's side of a comparison does differently from device to device."""

from collections.abc import Callable
from dataclasses import dataclass

import torch


def _no_cuda() -> str:
    return "" if torch.cuda.is_available() else "this PyTorch finds no CUDA device here"


def _no_mps() -> str:
    if not torch.backends.mps.is_built():
        return "this PyTorch is built without MPS; the one for a Mac with Apple silicon has it"
    return "" if torch.backends.mps.is_available() else "this PyTorch finds no MPS device here"


@dataclass(frozen=True)
class Device:
    missing: Callable[[], str]  # why the device cannot be used here; empty where it can
    synchronize: Callable[[], None]
    queues: bool  # a call returns before its work is done
    has_graph: bool  # mpsbench's graph engine


# torch's functions are looked up when they are called.
DEVICES = {
    "cpu": Device(lambda: "", lambda: None, queues=False, has_graph=False),
    "cuda": Device(_no_cuda, lambda: torch.cuda.synchronize(), queues=True, has_graph=True),
    "mps": Device(_no_mps, lambda: torch.mps.synchronize(), queues=True, has_graph=False),
}
