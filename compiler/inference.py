"""Compiles the forward pass of a network, or its two passes in generation."""

import math
from typing import Any

import torch
import torch.nn.functional as F
from network import Network
from packaging_files import compile_exported
from progress import stage
from torch import Tensor


class _Forward(torch.nn.Module):
    def __init__(self, network: Network, autocast: torch.autocast):
        super().__init__()
        self.network = network
        self.autocast = autocast

    def forward(self, tensors: list[Tensor], inputs: list[Tensor]) -> Tensor:
        with self.autocast:
            return self.network(tensors, inputs)


def compile_inference(
    network: Network, tensors: list[Tensor], inputs: list[Tensor], autocast: torch.autocast, options: dict[str, Any]
) -> dict[str, list[Any]]:
    """Returns the files of one function: [*tensors, *inputs] -> [logits]."""
    with torch.no_grad():
        stage("tracing")
        program = torch.export.export(_Forward(network, autocast), (tensors, inputs))
        stage("compiling forward")
        return {"forward": compile_exported(program.module(), (tensors, inputs), options)}


def likeliest(logits: Tensor) -> Tensor:
    """argmax in two steps: Inductor's kernel for one would use one block of threads for each row."""
    step = 256
    groups = F.pad(logits, (0, -logits.size(-1) % step), value=-math.inf).unflatten(-1, (-1, step))
    values, places = groups.max(-1)
    group = values.argmax(-1, keepdim=True)
    return (group * step + places.gather(-1, group)).squeeze(-1)


class _Token(_Forward):
    def forward(
        self, tensors: list[Tensor], cached: list[Tensor], place: int | Tensor, ids: Tensor
    ) -> tuple[Tensor, Tensor]:
        with self.autocast:
            logits = self.network.generate(tensors, cached, place, ids)
        return logits, likeliest(logits)


class _Prompt(_Token):
    def forward(self, tensors: list[Tensor], cached: list[Tensor], ids: Tensor) -> tuple[Tensor, Tensor]:
        return super().forward(tensors, cached, self.network.plan["cache"]["filled"], ids)


def compile_generation(
    network: Network,
    tensors: list[Tensor],
    cached: list[Tensor],
    prompt: Tensor,
    autocast: torch.autocast,
    options: dict[str, Any],
) -> dict[str, list[Any]]:
    """Returns the files of two functions, which write keys and values into CACHED.

    prompt: [*tensors, *cached, ids] -> [logits, next]; token: [*tensors, *cached, place, id] -> [logits, next].
    """
    place = torch.full([1], prompt.size(1), device=prompt.device)
    # With it, Inductor also writes the products with one row, and they reach the memory's bandwidth.
    tuned = {"coordinate_descent_tuning": True} if prompt.is_cuda and prompt.size(0) == 1 else {}
    with torch.no_grad():
        files = {}
        for name, module, inputs, own in (
            ("prompt", _Prompt(network, autocast), (tensors, cached, prompt), {}),
            ("token", _Token(network, autocast), (tensors, cached, place, prompt[:, :1].contiguous()), tuned),
        ):
            stage(f"compiling {name}")
            program = torch.export.export(module, inputs)
            files[name] = compile_exported(program.module(), inputs, options | own)
    return files
