"""Compiles the forward pass of a network, or its two passes in generation."""

from typing import Any

import torch
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


class _Token(_Forward):
    def forward(self, tensors: list[Tensor], cached: list[Tensor], place: int | Tensor, ids: Tensor) -> Tensor:
        with self.autocast:
            return self.network.generate(tensors, cached, place, ids)


class _Prompt(_Token):
    def forward(self, tensors: list[Tensor], cached: list[Tensor], ids: Tensor) -> Tensor:
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

    prompt: [*tensors, *cached, ids] -> [logits]; token: [*tensors, *cached, place, id] -> [logits].
    """
    place = torch.full([1], prompt.size(1), device=prompt.device)
    with torch.no_grad():
        files = {}
        for name, module, inputs in (
            ("prompt", _Prompt(network, autocast), (tensors, cached, prompt)),
            ("token", _Token(network, autocast), (tensors, cached, place, prompt[:, :1].contiguous())),
        ):
            stage(f"compiling {name}")
            program = torch.export.export(module, inputs)
            files[name] = compile_exported(program.module(), inputs, options)
    return files
