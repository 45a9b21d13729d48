"""How each operation of PyTorch becomes a layer of mpsbench."""

import math
from typing import Any

import torch

from mpsbench_py import import_patterns as patterns
from mpsbench_py.import_graph import Operation
from mpsbench_py.import_layers import Converter, Layer, NotOursError

_SAME = ("contiguous", "clone", "to", "_to_copy", "identity")
_RESHAPES = ("view", "reshape", "flatten", "unflatten", "unsqueeze", "squeeze", "_unsafe_view")
_ACTIVATIONS = ("relu", "relu6", "silu", "hardswish", "hardsigmoid", "sigmoid", "tanh")
_USUAL = {"stride": 1, "padding": 0, "dilation": 1, "groups": 1}
_USUAL |= {"ceil_mode": False, "count_include_pad": True, "keepdim": False}


def _list(sizes: Any) -> list:
    return list(sizes) if isinstance(sizes, (list, tuple)) else [sizes]


def _pair(sizes: Any) -> Any:
    sizes = _list(sizes)
    return sizes[0] if len(set(sizes)) == 1 else sizes


def _plain(value: float) -> float:
    return int(value) if isinstance(value, float) and value == int(value) else value


def _number(value: object) -> object:
    """The number in VALUE, if that is a constant of one number."""
    if isinstance(value, Operation) and value.samples and len(value.samples) == 1 and value.samples[0].numel() == 1:
        return value.samples[0].item()
    return value


def _unusual(**options: Any) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value != _USUAL.get(key)}


class Operations(Converter):
    """A method on_NAME turns the operation NAME, whose arguments are A, into a layer."""

    def unknown(self, one: Operation, a: dict) -> Layer:
        x = next(iter(a.values()), None)
        if one.name in _RESHAPES:
            return self.reshape(one, x)
        if one.name in _ACTIVATIONS:
            return self.elementwise(one, one.name)
        same = isinstance(x, Operation) and not isinstance(a.get("dtype"), torch.dtype)
        if one.name in _SAME and same:
            return self.found[x] if x in self.found else self.value(x, one)
        raise NotOursError(one.name)

    def elementwise(self, one: Operation, kind: str, /, **options: Any) -> Layer:
        x = self.value(next(iter(one.arguments.values())), one, merged=True)
        return self.add(one, kind, [x], shape=x.shape, **options)

    # What follows is called by the names of operations.

    def on_hardtanh(self, one: Operation, a: dict) -> Layer:
        if (a["min_val"], a["max_val"]) != (0, 6):
            raise NotOursError("hardtanh other than from 0 to 6")
        return self.elementwise(one, "relu6")

    def on_leaky_relu(self, one: Operation, a: dict) -> Layer:
        slope = a["negative_slope"]
        return self.elementwise(one, "leaky_relu", **({} if slope == 0.01 else {"negative_slope": slope}))

    def on_gelu(self, one: Operation, a: dict) -> Layer:
        return self.elementwise(one, "gelu", **({} if a["approximate"] == "none" else {"approximate": "tanh"}))

    def on_dropout(self, one: Operation, a: dict) -> Layer:
        if not a["p"] or not a["train"]:
            return self.value(a["input"] if "input" in a else a["self"], one, merged=True)
        return self.elementwise(one, "dropout", p=a["p"])

    def on_linear(self, one: Operation, a: dict) -> Layer:
        x = self.value(a["input"], one, merged=True)
        out, fan_in = a["weight"].shape
        options = {"shape": (*x.shape[:-1], out), "out_features": out} | ({} if a["bias"] else {"bias": False})
        return self.weighted(one, "linear", x, (a["weight"], a["bias"]), (fan_in, out), **options)

    def on_addmm(self, one: Operation, a: dict) -> Layer:
        if (
            not isinstance(a["mat2"], Operation)
            or a["mat2"].name != "state"
            or (a.get("beta", 1), a.get("alpha", 1)) != (1, 1)
        ):
            raise NotOursError("addmm")
        x = self.value(a["mat1"], one, merged=True)
        fan_in, out = a["mat2"].shape
        bias = {} if a["self"] else {"bias": False}
        options = {"shape": (*x.shape[:-1], out), "out_features": out, "transposed": True} | bias
        return self.weighted(one, "linear", x, (a["mat2"], a["self"]), (fan_in, out), **options)

    def convolution(self, one: Operation, a: dict, rank: int) -> Layer:
        padding, kernel, dilation = a["padding"], a["weight"].shape[2:], a["dilation"]
        if len(one.shape) != rank + 2:
            raise NotOursError(f"{one.name} without a batch")
        if isinstance(padding, str):
            whole = [d * (k - 1) for d, k in zip(dilation, kernel, strict=False)]
            if padding == "same" and any(one % 2 for one in whole):
                raise NotOursError(f"{one.name} with padding on one side")
            padding = [size // 2 for size in whole] if padding == "same" else 0
        options = {"out_channels": a["weight"].shape[0], "kernel_size": _pair(kernel)}
        options |= _unusual(stride=_pair(a["stride"]), padding=_pair(padding), dilation=_pair(dilation))
        options |= _unusual(groups=a["groups"]) | ({} if a["bias"] else {"bias": False})
        fans = (math.prod(a["weight"].shape[1:]), a["weight"].shape[0] * math.prod(kernel))
        x, states = self.value(a["input"], one), (a["weight"], a["bias"])
        return self.weighted(one, f"conv{rank}d", x, states, fans, **options)

    def on_conv1d(self, one: Operation, a: dict) -> Layer:
        return self.convolution(one, a, 1)

    def on_conv2d(self, one: Operation, a: dict) -> Layer:
        return self.convolution(one, a, 2)

    def on_conv_transpose2d(self, one: Operation, a: dict) -> Layer:
        weight = a["weight"]
        if (
            len(one.shape) != 4
            or a["groups"] != 1
            or {*_list(a["output_padding"])} != {0}
            or {*_list(a["dilation"])} != {1}
        ):
            raise NotOursError("conv_transpose2d with groups, output_padding or dilation, or without a batch")
        options = {"out_channels": weight.shape[1], "kernel_size": _pair(weight.shape[2:])}
        options |= _unusual(stride=_pair(a["stride"]), padding=_pair(a["padding"])) | (
            {} if a["bias"] else {"bias": False}
        )
        fans = (math.prod(weight.shape[1:]), weight.shape[0] * math.prod(weight.shape[2:]))
        return self.weighted(one, "conv_transpose2d", self.value(a["input"], one), (weight, a["bias"]), fans, **options)

    def on_embedding(self, one: Operation, a: dict) -> Layer:
        rows, width = a["weight"].shape
        samples = getattr(a["indices"], "samples", None) or []
        if len(samples) == 1 and torch.equal(samples[0].flatten(), torch.arange(rows)) and not self.tokens():
            return self.parameter(a["weight"], one, expand=False)  # all rows as they are
        ids = self.ids(a["indices"], one, a["padding_idx"])
        options = {"num_embeddings": rows, "embedding_dim": width}
        if a["padding_idx"] >= 0:
            options["padding_idx"] = a["padding_idx"]
        return self.weighted(one, "embedding", ids, (a["weight"], None), (0, 0), shape=(*ids.shape, width), **options)

    def tokens(self) -> Layer | None:
        return next((value for value in self.inputs.values() if value.options["dtype"] == "int64"), None)

    def ids(self, one: Operation, user: Operation, padding: int) -> Layer:
        """The input, or the layer of position numbers, that has the values of ONE."""
        samples = one.samples or []
        for name, value in self.trace.inputs.items():
            same = value.samples and len(samples) == len(value.samples)
            if same and all(map(torch.equal, samples, value.samples)):
                return self.inputs[name]
        tokens = self.tokens()
        if not samples or not tokens or len(tokens.shape) != 2:
            raise NotOursError(f"{user.name} of computed numbers")
        start = patterns.first_position(samples, tokens.shape[1], padding)
        if start is None:
            raise NotOursError(f"{user.name} of other numbers than an input's or positions")
        if ("positions", start) not in self.shared:
            place = one if one.name != "state" else Operation("", module=user.module, order=user.order - 0.5)
            options = {"start": start} if start else {}
            positions = self.add(place, "position_ids", [tokens], shape=(1, tokens.shape[1]), **options)
            self.shared["positions", start] = positions
        return self.shared["positions", start]

    def on_batch_norm(self, one: Operation, a: dict) -> Layer:
        if len(one.shape) != 4:
            raise NotOursError(f"batch_norm of {len(one.shape)} dimensions")
        roles = ("weight", "bias", "running_mean", "running_var")
        if not a["training"] or any(a[role] is None for role in roles):
            raise NotOursError("batch_norm without weight, bias or statistics, or only for inference")
        options = {"eps": a["eps"]} | ({} if a["momentum"] == 0.1 else {"momentum": a["momentum"]})
        names = self.named(one, **{role: a[role] for role in roles})
        return self.add(one, "batch_norm2d", [self.value(a["input"], one)], **names, **options)

    def on_layer_norm(self, one: Operation, a: dict) -> Layer:
        shape = list(a["normalized_shape"])
        options = {} if len(shape) == 1 else {"normalized_shape": shape}
        names = {}
        if a["weight"] is None:
            options["elementwise_affine"] = False
        else:
            options |= {} if a["bias"] else {"bias": False}
            names = self.named(one, weight=a["weight"], bias=a["bias"])
        x = self.value(a["input"], one, merged=len(shape) == 1)
        return self.add(one, "layer_norm", [x], **names, **options, shape=x.shape, eps=a["eps"])

    def on_group_norm(self, one: Operation, a: dict) -> Layer:
        if a["weight"] is None or a["bias"] is None:
            raise NotOursError("group_norm without weight and bias")
        names = self.named(one, weight=a["weight"], bias=a["bias"])
        x = self.value(a["input"], one)
        return self.add(one, "group_norm", [x], **names, num_groups=a["num_groups"], eps=a["eps"])

    def on_rms_norm(self, one: Operation, a: dict) -> Layer:
        if a["weight"] is None or len(a["normalized_shape"]) != 1:
            raise NotOursError("rms_norm without weight, or of several dimensions")
        eps = torch.finfo(torch.float32).eps if a["eps"] is None else a["eps"]
        return self.add(one, "rms_norm", [self.value(a["input"], one)], **self.named(one, weight=a["weight"]), eps=eps)

    def window(self, one: Operation, kind: str, a: dict, /, **others: Any) -> Layer:
        if len(one.shape) != 4:
            raise NotOursError(f"{one.name} without a batch")
        kernel = _pair(a["kernel_size"])
        stride = _pair(a["stride"]) if a["stride"] else kernel
        options = {"kernel_size": kernel} | ({} if stride == kernel else {"stride": stride})
        options |= _unusual(padding=_pair(a["padding"]), ceil_mode=a["ceil_mode"], **others)
        return self.add(one, kind, [self.value(a["self"], one)], **options)

    def on_max_pool2d(self, one: Operation, a: dict) -> Layer:
        return self.window(one, "max_pool2d", a, dilation=_pair(a["dilation"]))

    def on_avg_pool2d(self, one: Operation, a: dict) -> Layer:
        if a["divisor_override"]:
            raise NotOursError("avg_pool2d with divisor_override")
        return self.window(one, "avg_pool2d", a, count_include_pad=a["count_include_pad"])

    def on_adaptive_avg_pool2d(self, one: Operation, a: dict) -> Layer:
        if len(one.shape) != 4:
            raise NotOursError("adaptive_avg_pool2d without a batch")
        return self.add(one, "adaptive_avg_pool2d", [self.value(a["self"], one)], output_size=_pair(one.shape[2:]))

    def on_mean(self, one: Operation, a: dict) -> Layer:
        x = self.value(a["self"], one)
        dims = [dim % len(x.shape) for dim in a.get("dim") or [0]]
        if 0 in dims:
            raise NotOursError("mean over the batch")
        options = _unusual(keepdim=a["keepdim"])
        return self.add(one, "mean", [x], dims=dims[0] if len(dims) == 1 else dims, **options)

    def on_softmax(self, one: Operation, a: dict) -> Layer:
        if a["dim"] % len(one.shape) == 0:
            raise NotOursError("softmax over the batch")
        return self.add(one, "softmax", [self.value(a["self"], one)], dim=a["dim"])

    def on_add(self, one: Operation, a: dict) -> Layer:
        if a.get("alpha", 1) != 1:
            raise NotOursError("add with a factor")
        if isinstance(offset := _number(a["other"]), (int, float)):
            return self.add(one, "scale", [self.value(a["self"], one)], offset=_plain(offset))
        return self.two(one, "add", a["self"], a["other"])

    def on_mul(self, one: Operation, a: dict) -> Layer:
        for x, other in ((a["self"], a["other"]), (a["other"], a["self"])):
            if isinstance(factor := _number(other), (int, float)):
                return self.scaled(one, x, factor)
        return self.two(one, "mul", a["self"], a["other"])

    def on_div(self, one: Operation, a: dict) -> Layer:
        divisor = _number(a["other"])
        if not isinstance(divisor, (int, float)) or a.get("rounding_mode"):
            raise NotOursError("div by a tensor")
        return self.scaled(one, a["self"], 1 / divisor)

    def on_neg(self, one: Operation, a: dict) -> Layer:
        return self.scaled(one, a["self"], -1)

    def scaled(self, one: Operation, x: object, factor: float) -> Layer:
        layer = self.value(x, one, merged=True)
        return layer if factor == 1 else self.add(one, "scale", [layer], shape=layer.shape, factor=_plain(factor))

    def on_matmul(self, one: Operation, a: dict) -> Layer:
        x, weight = list(a.values())[:2]
        turned = isinstance(weight, Operation) and weight.name in ("t", "numpy_T", "transpose")
        state = weight.arguments["self"] if turned else weight
        has_weight = isinstance(state, Operation) and state.name == "state" and state.samples is None
        if has_weight and len(state.shape) == 2 and state.states[0].endswith("weight"):
            if turned:
                return self.on_linear(one, {"input": x, "weight": state, "bias": None})
            return self.on_addmm(one, {"mat1": x, "mat2": state, "self": None})
        inputs = [self.value(x, one) for x in list(a.values())[:2]]
        if len(inputs[1].shape) < 2:
            raise NotOursError(f"{one.name} with a vector")
        return self.add(one, "matmul", inputs)

    on_bmm = on_matmul

    def on_cat(self, one: Operation, a: dict) -> Layer:
        dim = a["dim"] % len(one.shape)
        if dim == 0:
            raise NotOursError("cat along the batch")
        return self.add(one, "cat", [self.value(x, one) for x in a["tensors"]], **({} if dim == 1 else {"dim": dim}))

    # Views

    def on_permute(self, one: Operation, a: dict) -> Layer:
        dims = [dim % len(one.shape) for dim in a["dims"]]
        if dims[0] != 0:
            raise NotOursError("permute that moves the batch")
        x = self.value(a["self"], one)
        return x if dims == sorted(dims) else self.add(one, "permute", [x], dims=dims)

    def on_transpose(self, one: Operation, a: dict) -> Layer:
        dims = [a["dim0"] % len(one.shape), a["dim1"] % len(one.shape)]
        if 0 in dims:
            raise NotOursError("transpose that moves the batch")
        return self.add(one, "transpose", [self.value(a["self"], one)], dim0=min(dims), dim1=max(dims))

    def on_select(self, one: Operation, a: dict) -> Layer:
        x = self.value(a["self"], one)
        dim = a["dim"] % len(x.shape)
        if dim == 0:
            raise NotOursError("select of rows of the batch")
        return self.add(one, "select", [x], dim=dim, index=a["index"])

    def part(self, one: Operation, x: Layer, dim: int, sizes: list[int], part: int) -> Layer:
        """One of the parts of these SIZES. The last size is written as -1: the rest."""
        if len(sizes) == 1:
            return x
        if dim % len(x.shape) == 0:
            raise NotOursError(f"{one.name} of rows of the batch")
        return self.add(one, "split", [x], dim=dim % len(x.shape), sizes=[*sizes[:-1], -1], part=part)

    def on_slice(self, one: Operation, a: dict) -> Layer:
        x = self.value(a["self"], one)
        if a["step"] != 1:
            raise NotOursError("slice with a step")
        size = x.shape[a["dim"]]
        start = min(max((a["start"] or 0) + (size if (a["start"] or 0) < 0 else 0), 0), size)
        length = one.shape[a["dim"]]
        if not length:
            raise NotOursError("slice of nothing")
        sizes = [one for one in (start, length, size - start - length) if one]
        return self.part(one, x, a["dim"], sizes, 1 if start else 0)

    def on_narrow(self, one: Operation, a: dict) -> Layer:
        return self.on_slice(one, {"step": 1} | a)

    def several(self, one: Operation, a: dict) -> Layer:
        return self.value(a["self"], one)  # on_getitem takes the part

    on_split = on_split_with_sizes = on_chunk = on_unbind = several

    def on_getitem(self, one: Operation, a: dict) -> Layer:
        source, index = a["0"], a["1"]
        if not isinstance(source, Operation) or source.name not in ("split", "split_with_sizes", "chunk", "unbind"):
            return self.found[source] if source in self.found else self.unknown(one, a)
        x = self.found[source]
        if x.problem:
            return x
        dim = source.arguments["dim"] % len(x.shape)
        if source.name == "unbind":
            return self.on_select(one, {"self": source.arguments["self"], "dim": dim, "index": index})
        size = x.shape[dim]
        sizes = source.arguments.get("split_sizes") or source.arguments.get("split_size")
        if source.name == "chunk":
            sizes = -(-size // source.arguments["chunks"])
        if isinstance(sizes, int):
            sizes = [min(sizes, size - start) for start in range(0, size, sizes)]
        return self.part(one, x, dim, list(sizes), index)

    def on_expand(self, one: Operation, a: dict) -> Layer:
        x = a["self"]
        is_parameter = isinstance(x, Operation) and x.name == "state" and x.samples is None
        if is_parameter and x.shape[:1] == (1,) and one.shape == (self.batch, *x.shape[1:]):
            return self.parameter(x, one, expand=True)
        layer = self.value(x, one)
        if layer.shape != one.shape:
            raise NotOursError(one.name)
        return layer

    on_repeat = on_expand

    def on_roll(self, one: Operation, a: dict) -> Layer:
        dims = [dim % len(one.shape) for dim in _list(a["dims"])]
        if not dims or 0 in dims:
            raise NotOursError("roll of all dimensions or of the batch")
        return self.add(one, "roll", [self.value(a["self"], one)], shifts=_list(a["shifts"]), dims=dims)

    def reshape(self, one: Operation, x: object) -> Layer:
        layer = self.value(x, one) if x not in self.found else self.found[x]
        if layer.problem or one.shape == layer.shape:
            return layer
        keeps_batch = one.shape[:1] == layer.shape[:1]
        if one.shape[-1:] == layer.shape[-1:] and len(one.shape) == 2 and len(layer.shape) > 2 and not keeps_batch:
            return layer  # rows joined with the batch: value() knows who may read it
        groups = regrouped(layer.shape, one.shape)
        if groups is None or not keeps_batch or groups[0] != ([0], [one.shape[0]]):
            raise NotOursError(f"{one.name} that changes the batch")
        shape = layer.shape
        for old, new in reversed(groups[1:]):
            first, last = old[0], old[-1]
            if last > first:
                shape = (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :])
                end = {} if last == len(layer.shape) - 1 else {"end_dim": last}
                start = {} if first == 1 else {"start_dim": first}
                layer = self.add(one, "flatten", [layer], shape=shape, **start, **end)
            if len(new) > 1:
                shape = (*shape[:first], *new, *shape[first + 1 :])
                layer = self.add(one, "unflatten", [layer], shape=shape, dim=first, sizes=new)
        return layer

    def on_scaled_dot_product_attention(self, one: Operation, a: dict) -> Layer:
        inputs = [self.value(a["query"], one)]
        inputs += [self.value(patterns.repeated_heads(a[name]), one) for name in ("key", "value")]
        if len(one.shape) != 4:
            raise NotOursError("scaled_dot_product_attention without heads")
        options = {"dropout_p": a["dropout_p"]} if a["dropout_p"] else {}
        if a["is_causal"]:
            options["is_causal"] = True
        if a["scale"] and not math.isclose(a["scale"], inputs[0].shape[-1] ** -0.5, rel_tol=1e-6):
            options["scale"] = a["scale"]
        if a["attn_mask"] is not None:
            mask = a["attn_mask"]
            known = {name: value.samples for name, value in self.trace.inputs.items() if value.samples}
            kind, detail = (patterns.mask_kind(mask.samples, known) if mask.samples else None) or (None, None)
            if kind in ("causal", "window"):
                options |= ({"is_causal": True} if kind == "causal" else {}) | ({"window": detail} if detail else {})
            elif kind == "padding":
                inputs.append(self.padding_mask(mask, detail))
            elif kind is None:
                raise NotOursError("scaled_dot_product_attention with another mask than a causal or padding one")
        return self.add(one, "scaled_dot_product_attention", inputs, **options)

    def padding_mask(self, mask: Operation, name: str) -> Layer:
        if ("mask", name) not in self.shared:
            source = self.inputs[name]
            shape = (source.shape[0], 1, 1, source.shape[1])
            self.shared["mask", name] = self.add(mask, "padding_mask", [source], shape=shape)
        return self.shared["mask", name]


def regrouped(old: tuple[int, ...], new: tuple[int, ...]) -> list[tuple[list[int], list[int]]] | None:
    """Pairs of dimensions of OLD and sizes of NEW that have the same product, as few as possible of each."""
    groups: list[tuple[list[int], list[int]]] = []
    i = j = 0
    while i < len(old) and j < len(new):
        before, after = [i], [new[j]]
        product, wanted = old[i], new[j]
        i, j = i + 1, j + 1
        while product != wanted:
            if product < wanted and i < len(old):
                product *= old[i]
                before.append(i)
                i += 1
            elif product > wanted and j < len(new):
                wanted *= new[j]
                after.append(new[j])
                j += 1
            else:
                return None
        groups.append((before, after))
    if not groups or math.prod(old[i:]) != 1 or math.prod(new[j:]) != 1:
        return None
    groups[-1][0].extend(range(i, len(old)))
    groups[-1][1].extend(new[j:])
    return groups
