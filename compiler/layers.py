"""What each layer type of a network plan computes. The C++ side of this is src/nn/layers.cpp."""

import math
from collections.abc import Callable
from typing import Any

import quantization
import torch
import torch.nn.functional as F
from errors import CannotCompileError
from torch import Tensor


class Cache:
    """The keys and values that a network has read: [rows, heads, allocated positions, size] of each layer of attention.

    POSITION is that of the first input: a number, or a tensor [1] if there is one input at any position.
    """

    def __init__(self, layers: dict[str, tuple[Tensor, Tensor]], position: int | Tensor):
        self.layers = layers
        self.position = position
        self.turns: dict[Any, tuple[Tensor, Tensor]] = {}  # cosines and sines of rope's angles, by its options

    def places(self, length: int, device: torch.device) -> Tensor:
        """The positions of LENGTH inputs."""
        return torch.arange(length, device=device) + self.position

    def attend(self, layer: "Layer", query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        keys, values = self.layers[layer.name]
        places = self.places(query.size(2), query.device)
        keys.index_copy_(2, places, key.to(keys.dtype))
        values.index_copy_(2, places, value.to(values.dtype))
        shape = query.shape
        if isinstance(self.position, int):
            if self.position == 0:
                return _attend(layer, query, key, value)
            read, times = self.position + shape[2], shape[1] // key.size(1)
            # With a mask, kernels of CUDA have no shared heads.
            keys, values = (one[:, :, :read].repeat_interleave(times, 1) for one in (keys, values))
        else:
            query = query.reshape(shape[0], key.size(1), -1, shape[3])  # heads that share keys are queries of one
        distance = places[:, None] - torch.arange(keys.size(2), device=query.device)
        seen = (distance >= 0) & (distance < layer["window"]) if layer["window"] else distance >= 0
        query = query.to(keys.dtype)
        if query.is_cuda and query.size(1) < shape[1]:
            return products(layer, query, keys, values, seen).reshape(*shape[:3], -1)
        out = F.scaled_dot_product_attention(query, keys, values, attn_mask=seen, scale=layer["scale"])
        return out.reshape(*shape[:3], -1)


class Layer:
    """One layer of a plan. tensors has its parameters and buffers by role."""

    cache: Cache | None = None  # only while the network generates

    def __init__(self, node: dict[str, Any], training: bool, drops_out: bool):
        self.name = node["name"]
        self.type = node["type"]
        self.options = node["options"]
        self.quantized = node.get("quantized")
        self.training = training
        self.drops_out = drops_out
        if self.type not in FUNCTIONS:
            raise CannotCompileError(f"layer '{self.name}': the compiler does not know the type '{self.type}'")

    def __call__(self, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor | None:
        return FUNCTIONS[self.type](self, inputs, tensors)

    def __getitem__(self, option: str) -> Any:
        return self.options[option]


Function = Callable[[Layer, list[Tensor], dict[str, Tensor]], Tensor | None]


def _activation(function: Callable[[Tensor], Tensor]) -> Function:
    return lambda layer, inputs, tensors: function(inputs[0])


def _batch_norm(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    if layer.training:
        tensors["num_batches_tracked"].add_(1)
    return F.batch_norm(
        inputs[0],
        tensors["running_mean"],
        tensors["running_var"],
        tensors.get("weight"),
        tensors.get("bias"),
        layer.training,
        layer["momentum"],
        layer["eps"],
    )


def _embedding(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    padding = layer.options.get("padding_idx")
    return torch.ops.aten.embedding(tensors["weight"], inputs[0], -1 if padding is None else padding)


def _padding_mask(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor | None:
    if not layer.options.get("may_have_padding", False):
        return None  # it is all ones
    return inputs[0].to(torch.bool).unsqueeze(1).unsqueeze(1)


def _attention(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    return layer.cache.attend(layer, *inputs) if layer.cache else _attend(layer, *inputs)


def _attend(layer: Layer, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
    causal, window = layer["is_causal"], layer["window"]
    if mask is not None and mask.dtype != torch.bool:
        mask = mask.to(query.dtype)  # a bias
    if window:
        positions = torch.arange(query.size(2), device=query.device)
        distance = positions[:, None] - positions
        mask, causal = (distance < window) & (distance >= 0 if causal else distance > -window), False
    return F.scaled_dot_product_attention(
        query,
        key,
        value,
        attn_mask=mask,
        dropout_p=layer["dropout_p"] if layer.drops_out else 0.0,
        is_causal=causal,
        scale=layer["scale"],
        enable_gqa=query.size(1) != key.size(1),
    )


def products(layer: Layer, query: Tensor, keys: Tensor, values: Tensor, seen: Tensor) -> Tensor:
    """Attention by products of matrices, for heads that are too few for CUDA's kernels of attention."""
    scale = query.size(-1) ** -0.5 if layer["scale"] is None else layer["scale"]
    scores = ((query * scale) @ keys.transpose(-1, -2)).float()
    return scores.masked_fill(~seen, -math.inf).softmax(-1).to(values.dtype) @ values


def _relative_position_bias(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    (table, x), causal = inputs, layer["is_causal"]
    positions = torch.arange(x.size(1), device=table.device)
    ahead = positions - positions[:, None]
    each = table.size(0) if causal else table.size(0) // 2
    exact = each // 2
    distance = (-ahead).clamp(min=0) if causal else ahead.abs()
    growth = math.log(layer["max_distance"] / exact)
    ranges = (torch.log(distance.float() / exact) / growth * (each - exact)).long()
    rows = torch.where(distance < exact, distance, (exact + ranges).clamp(max=each - 1))
    bias = F.embedding(rows if causal else rows + (ahead > 0) * each, table).permute(2, 0, 1)
    return (bias.masked_fill(ahead > 0, -math.inf) if causal else bias).unsqueeze(0)


def _window_position_bias(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    table, windows = inputs
    (down, across, height, width), shift = windows.shape[1:5], layer["shift"]
    places = torch.arange(height * width, device=table.device)
    y, x = places // width, places % width
    rows = (y[:, None] - y + height - 1) * (2 * width - 1) + x[:, None] - x + width - 1
    below = torch.arange(down * height, device=table.device) >= down * height - shift[0]
    right = torch.arange(across * width, device=table.device) >= across * width - shift[1]
    part = 2 * below.view(down, 1, height, 1) + right.view(1, across, 1, width)
    part = part.flatten(2).flatten(0, 1)
    seams = (part[:, None] != part[:, :, None]).float() * -100
    return (F.embedding(rows, table).permute(2, 0, 1) + seams[:, None]).flatten(0, 1).unsqueeze(0)


def _rope_frequencies(layer: Layer, device: torch.device) -> Tensor:
    exponents = torch.arange(0, layer["size"], 2, device=device, dtype=torch.float32) / layer["size"]
    frequencies = 1.0 / layer["theta"] ** exponents
    if not layer["llama3"]:
        return frequencies
    factor, low, high, original = layer["llama3"]
    waves = 2 * math.pi / frequencies
    share = (original / waves - low) / (high - low)
    between = (1 - share) * frequencies / factor + share * frequencies
    stretched = torch.where(waves < original / high, frequencies, between)
    return torch.where(waves > original / low, frequencies / factor, stretched)


def _places(layer: Layer, length: int, device: torch.device) -> Tensor:
    return layer.cache.places(length, device) if layer.cache else torch.arange(length, device=device)


def _turns(layer: Layer, x: Tensor) -> tuple[Tensor, Tensor]:
    """The cosines and sines of X's positions."""
    made = layer.cache.turns if layer.cache else {}  # all layers of a pass share those of a cache
    options = (layer["size"], layer["theta"], tuple(layer["llama3"]))
    if options not in made:
        frequencies = _rope_frequencies(layer, x.device)
        angles = _places(layer, x.size(2), x.device).to(torch.float32)[:, None] * frequencies
        made[options] = (angles.cos(), angles.sin())
    return made[options]


def _rope(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    (x,), half = inputs, layer["size"] // 2
    cosines, sines = _turns(layer, x)
    first, second, rest = x.split([half, half, x.size(-1) - 2 * half], -1)
    turned = [first * cosines - second * sines, second * cosines + first * sines]
    return torch.cat([*(one.to(x.dtype) for one in turned), rest], -1)


def _rms_norm(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    weight = tensors["weight"] + layer["offset"] if layer["offset"] else tensors["weight"]
    return F.rms_norm(inputs[0].to(weight.dtype), weight.shape, weight, layer["eps"])


def _linear(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    x, bias = inputs[0], inputs[1] if len(inputs) > 1 else tensors.get("bias")
    if layer.cache and x.is_cuda and x.numel() == x.size(-1) > layer["out_features"]:
        # Inductor may write this product itself, and would then compute x anew for each result. This keeps x in memory.
        x = torch.ops.prims.inductor_force_stride_order(x, x.stride())
    if layer.quantized:
        out = quantization.linear(x, tensors["weight"], tensors["scales"], layer.quantized)
        return out if bias is None else out + bias
    return F.linear(x, tensors["weight"].t() if layer["transposed"] else tensors["weight"], bias)


def _dropout(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    return F.dropout(inputs[0], layer["p"], training=True) if layer.drops_out and layer["p"] else inputs[0]


def _stochastic_depth(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    kept = 1 - layer["p"]
    if not layer.drops_out or kept == 1:
        return inputs[0]
    noise = inputs[0].new_empty([inputs[0].size(0), *[1] * (inputs[0].dim() - 1)]).bernoulli_(kept)
    return inputs[0] * (noise / kept if kept > 0 else noise)


def _grouped(rows: Tensor, weights: Tensor, ends: Tensor) -> Tensor:
    """Autocast does not know this operation."""
    device = rows.device.type
    dtype = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else rows.dtype
    if dtype != torch.bfloat16:
        raise CannotCompileError("the compiler has the layer type 'moe' only for --precision bf16")
    return torch._grouped_mm(rows.to(dtype), weights.to(dtype).transpose(1, 2), offs=ends)


def _moe(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    states, logits, top_k = inputs[0].flatten(0, -2), inputs[1].flatten(0, -2).float(), layer["top_k"]
    if layer["router"] == "softmax_top_k":
        weights, chosen = torch.topk(torch.softmax(logits, -1), top_k)
    else:
        weights, chosen = torch.topk(logits, top_k)
        weights = torch.softmax(weights, -1)
    if layer["renormalize"]:
        weights = weights / weights.sum(-1, keepdim=True)
    ids, order = chosen.flatten().sort(stable=True)
    experts = torch.arange(logits.size(-1), device=ids.device)
    ends = torch.searchsorted(ids, experts, right=True).to(torch.int32)
    rows = states.index_select(0, order // top_k)
    gate, up = _grouped(rows, tensors["gate_up_proj"], ends).chunk(2, -1)
    out = _grouped(F.silu(gate) * up, tensors["down_proj"], ends)
    out = out * weights.flatten().index_select(0, order)[:, None].to(out.dtype)
    place = torch.empty_like(order).scatter_(0, order, torch.arange(order.numel(), device=order.device))
    return out.index_select(0, place).unflatten(0, (-1, top_k)).sum(1).view_as(inputs[0])


def _parameter(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    tensor = tensors[""]
    return tensor.expand(inputs[0].size(0), *tensor.shape[1:]) if layer["expand"] else tensor


def _position_ids(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    return (_places(layer, inputs[0].size(1), inputs[0].device) + layer["start"]).unsqueeze(0)


def _sinusoidal_embedding(layer: Layer, inputs: list[Tensor], tensors: dict[str, Tensor]) -> Tensor:
    half = layer["size"] // 2
    exponents = -math.log(layer["max_period"]) * torch.arange(half, device=inputs[0].device, dtype=torch.float32)
    angles = inputs[0][..., None] * torch.exp(exponents / half)
    return torch.cat([angles.cos(), angles.sin()], -1)


FUNCTIONS: dict[str, Function] = {
    "relu": _activation(F.relu),
    "relu6": _activation(F.relu6),
    "silu": _activation(F.silu),
    "hardswish": _activation(F.hardswish),
    "hardsigmoid": _activation(F.hardsigmoid),
    "sigmoid": _activation(torch.sigmoid),
    "tanh": _activation(torch.tanh),
    "leaky_relu": lambda layer, x, _: F.leaky_relu(x[0], layer["negative_slope"]),
    "gelu": lambda layer, x, _: F.gelu(x[0], approximate=layer["approximate"]),
    "softmax": lambda layer, x, _: torch.softmax(x[0], layer["dim"]),
    "add": lambda layer, x, _: x[0] + x[1],
    "mul": lambda layer, x, _: x[0] * x[1],
    "matmul": lambda layer, x, _: x[0] @ x[1],
    "scale": lambda layer, x, _: x[0] * layer["factor"] + layer["offset"],
    "sinusoidal_embedding": _sinusoidal_embedding,
    "cat": lambda layer, x, _: torch.cat(x, layer["dim"]),
    "position_ids": _position_ids,
    "padding_mask": _padding_mask,
    "scaled_dot_product_attention": _attention,
    "conv1d": lambda layer, x, t: F.conv1d(
        x[0], t["weight"], t.get("bias"), layer["stride"], layer["padding"], layer["dilation"], layer["groups"]
    ),
    "conv2d": lambda layer, x, t: F.conv2d(
        x[0], t["weight"], t.get("bias"), layer["stride"], layer["padding"], layer["dilation"], layer["groups"]
    ),
    "conv_transpose2d": lambda layer, x, t: F.conv_transpose2d(
        x[0], t["weight"], t.get("bias"), layer["stride"], layer["padding"]
    ),
    "relative_position_bias": _relative_position_bias,
    "window_position_bias": _window_position_bias,
    "rope": _rope,
    "linear": _linear,
    "embedding": _embedding,
    "max_pool2d": lambda layer, x, _: F.max_pool2d(
        x[0], layer["kernel_size"], layer["stride"], layer["padding"], layer["dilation"], layer["ceil_mode"]
    ),
    "avg_pool2d": lambda layer, x, _: F.avg_pool2d(
        x[0],
        layer["kernel_size"],
        layer["stride"],
        layer["padding"],
        layer["ceil_mode"],
        layer["count_include_pad"],
    ),
    "adaptive_avg_pool2d": lambda layer, x, _: F.adaptive_avg_pool2d(x[0], layer["output_size"]),
    "batch_norm2d": _batch_norm,
    "layer_norm": lambda layer, x, t: F.layer_norm(
        x[0], layer["normalized_shape"], t.get("weight"), t.get("bias"), layer["eps"]
    ),
    "group_norm": lambda layer, x, t: F.group_norm(
        x[0], layer["num_groups"], t.get("weight"), t.get("bias"), layer["eps"]
    ),
    "rms_norm": _rms_norm,
    "dropout": _dropout,
    "stochastic_depth": _stochastic_depth,
    "parameter": _parameter,
    "moe": _moe,
    "flatten": lambda layer, x, _: torch.flatten(x[0], layer["start_dim"], layer["end_dim"]),
    "unflatten": lambda layer, x, _: torch.unflatten(x[0], layer["dim"], layer["sizes"]),
    "transpose": lambda layer, x, _: torch.transpose(x[0], layer["dim0"], layer["dim1"]),
    "permute": lambda layer, x, _: torch.permute(x[0], layer["dims"]),
    "split": lambda layer, x, _: torch.narrow(x[0], layer["dim"], layer["start"], layer["length"]),
    "roll": lambda layer, x, _: torch.roll(x[0], layer["shifts"], layer["dims"]),
    "select": lambda layer, x, _: torch.select(x[0], layer["dim"], layer["index"]),
    "mean": lambda layer, x, _: torch.mean(x[0], layer["dims"], layer["keepdim"]),
}
