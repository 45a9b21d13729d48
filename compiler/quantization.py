"""Weights of linear layers as whole numbers, in the layouts that src/nn/quantization.cpp makes."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor


def add_scales(plan: dict[str, Any]) -> None:
    """Plans the scales of each quantized weight, behind it."""
    for node in plan["nodes"]:
        for place, weight in reversed(list(enumerate(node["tensors"]))):
            if "quantized" not in weight:
                continue
            weight["rows"], weight["columns"] = weight["shape"][:: -1 if node["options"]["transposed"] else 1]
            scales = {"name": weight["name"] + ".scales", "role": "scales", "is_shared": False, "scales_of": weight}
            node["tensors"].insert(place + 1, scales)
            node["quantized"] = weight["quantized"]


def example_weight(weight: dict[str, Any], device: str) -> Tensor:
    rows, columns = weight["rows"], weight["columns"]
    if weight["quantized"]["bits"] == 8:
        return torch.ones(rows, columns, dtype=torch.int8, device=device)
    tiles = next((tiles for tiles in (8, 4) if columns % (16 * tiles) == 0), 2)
    if device == "cpu":
        ones = torch.ones(rows, columns, dtype=torch.int32)
        return torch.ops.aten._convert_weight_to_int4pack_for_cpu(ones, tiles)
    ones = torch.ones(rows, columns // 2, dtype=torch.uint8, device=device)
    return torch.ops.aten._convert_weight_to_int4pack(ones, tiles)


def example_scales(weight: dict[str, Any], dtype: torch.dtype, device: str) -> Tensor:
    how = weight["quantized"]
    shape = [weight["rows"]] if how["bits"] == 8 else [weight["columns"] // how["group"], weight["rows"], 2]
    return torch.ones(shape, dtype=dtype, device=device)


def linear(x: Tensor, packed: Tensor, scales: Tensor, how: dict[str, int]) -> Tensor:
    if how["bits"] == 8:
        return F.linear(x, packed.to(x.dtype)) * scales  # Inductor reads the numbers in the product's own loop
    product = torch.ops.aten._weight_int4pack_mm
    if x.device.type == "cpu":
        product = torch.ops.aten._weight_int4pack_mm_for_cpu
    return product(x.flatten(0, -2).contiguous(), packed, how["group"], scales).unflatten(0, x.shape[:-1])
