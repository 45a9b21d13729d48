"""What several operations compose, as in transformers: RMS norm, GELU by tanh, rotary positions and others."""

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from mpsbench_py.import_graph import Operation

_SQUARES = (("pow", "?x", 2), ("mul", "?x", "?x"))
_NORMED = [("mul", "?x", ("rsqrt", ("add", ("mean", square, [-1], True), "?eps"))) for square in _SQUARES]
_NORMED += [("div", "?x", ("sqrt", ("add", ("mean", square, [-1], True), "?eps"))) for square in _SQUARES]
_CUBIC = ("mul", ("add", "?x", ("mul", ("pow", "?x", 3), 0.044715)), math.sqrt(2 / math.pi))
_GELU = ("mul", ("mul", "?x", 0.5), ("add", ("tanh", _CUBIC), 1))
_DROPPED_ROWS = (
    ("mul", "?x", ("div", ("bernoulli", "?random", "?kept"), "?kept")),
    ("mul", ("div", "?x", "?kept"), ("floor", ("add", "?random", "?kept"))),
)
_TURNED = ("cat", [("neg", ("slice", "?x", "?dim", "?half", "?end")), ("slice", "?x", "?dim", 0, "?half")], -1)
_ROPE = ("add", ("mul", "?x", "?cos"), ("mul", _TURNED, "?sin"))
_PART = ("slice", "?whole", "?dim", 0, "?size")
_REPEATED = ("expand", ("unsqueeze", "?x", 2), "?sizes")

Found = dict[str, Any]


def match(value: object, pattern: object, found: Found) -> Found | None:
    """FOUND with what the ?names in PATTERN stand for, or None. A tuple is an operation and its first arguments."""
    if isinstance(pattern, str) and pattern.startswith("?"):
        if pattern not in found:
            return found | {pattern: value}
        known = found[pattern]
        return found if known is value or (not isinstance(value, Operation) and known == value) else None
    if isinstance(pattern, tuple):
        if not isinstance(value, Operation) or value.name != pattern[0] or value.problem:
            return None
        arguments, wanted = list(value.arguments.values()), list(pattern[1:])
        orders = [arguments]
        if pattern[0] in ("add", "mul"):
            orders.append([arguments[1], arguments[0], *arguments[2:]])
        return next((one for order in orders if (one := _match_all(order, wanted, found)) is not None), None)
    if isinstance(pattern, list):
        same = isinstance(value, (list, tuple)) and len(value) == len(pattern)
        return _match_all(list(value), pattern, found) if same else None
    both = isinstance(pattern, (int, float)) and isinstance(value, (int, float))
    return found if (math.isclose(pattern, value, rel_tol=1e-6) if both else pattern == value) else None


def _match_all(values: list, patterns: list, found: Found | None) -> Found | None:
    for value, pattern in zip(values, patterns, strict=False):
        if found is not None:
            found = match(value, pattern, found)
    return found


@dataclass
class Composed:
    """A layer of TYPE that several operations compose."""

    type: str
    input: Operation
    options: dict[str, Any]
    weight: Operation | None = None


def composed(one: Operation, scalings: list[dict]) -> Composed | None:
    """The layer that ONE computes as the last of several operations. SCALINGS are Llama 3.1's ones of rotary positions
    that the network may have.
    """
    if one.name not in ("add", "mul", "cat") or one.problem:
        return None
    return _rms_norm(one) or _gelu(one) or _stochastic_depth(one) or _rope(one, scalings)


def _rms_norm(one: Operation) -> Composed | None:
    for normed in _NORMED:
        for offset, weight in ((1, ("add", "?w", 1)), (0, "?w")):
            found = match(one, ("mul", weight, normed), {})
            if found and isinstance(found["?w"], Operation) and found["?w"].name == "state":
                options = {"eps": found["?eps"]} | ({"offset": offset} if offset else {})
                return Composed("rms_norm", found["?x"], options, found["?w"])
    return None


def _gelu(one: Operation) -> Composed | None:
    found = match(one, _GELU, {})
    return Composed("gelu", found["?x"], {"approximate": "tanh"}) if found else None


def _stochastic_depth(one: Operation) -> Composed | None:
    """It drops whole rows of the batch."""
    found = next((found for pattern in _DROPPED_ROWS if (found := match(one, pattern, {}))), None)
    random = found["?random"] if found else None
    if not random or random.name not in ("empty", "new_empty", "rand") or any(size != 1 for size in random.shape[1:]):
        return None
    return Composed("stochastic_depth", found["?x"], {"p": round(1 - found["?kept"], 12)})


def repeated_heads(one: Operation) -> Operation:
    """What ONE repeats for groups of queries, or ONE."""
    if one.name not in ("reshape", "view"):
        return one
    found = match(one.arguments["self"], _REPEATED, {})
    if not found or found["?x"].shape[0] != one.shape[0] or found["?x"].shape[2:] != one.shape[2:]:
        return one
    return found["?x"]


def _rope(one: Operation, scalings: list[dict]) -> Composed | None:
    parts = [part for part in one.arguments["tensors"] if 0 not in part.shape] if one.name == "cat" else []
    if len(parts) == 1:
        return _rope(parts[0], scalings)
    if len(parts) == 2:  # of a part of the last dimension
        turned, rest = parts
        inner = _rope(turned, scalings)
        part = match(inner.input, _PART, {}) if inner else None
        if not part or match(rest, ("slice", "?whole", "?dim", "?size"), part) is None:
            return None
        size = {} if part["?size"] == part["?whole"].shape[-1] else {"size": part["?size"]}
        return Composed("rope", part["?whole"], inner.options | size)
    found = match(one, _ROPE, {})
    if not found or len(found["?x"].shape) != 4 or found["?x"].shape[-1] != 2 * found["?half"]:
        return None
    tables = [found[name].samples for name in ("?cos", "?sin") if isinstance(found[name], Operation)]
    if len(tables) != 2 or any(not one or len(one) != 1 for one in tables):
        return None
    options = _rotation(*(one[0] for one in tables), found["?x"].shape, scalings)
    return None if options is None else Composed("rope", found["?x"], options)


def _frequencies(theta: float, size: int, llama3: list[float] | None) -> Tensor:
    one = 1 / theta ** (torch.arange(0, size, 2, dtype=torch.float64) / size)
    if not llama3:
        return one
    factor, low, high, original = llama3
    wave = 2 * math.pi / one
    share = ((original / wave - low) / (high - low)).clamp(0, 1)
    return (1 - share) * one / factor + share * one


def _rotation(cosines: Tensor, sines: Tensor, shape: tuple[int, ...], scalings: list[dict]) -> dict | None:
    """The options whose angles are in these tables for an input of SHAPE."""
    tokens, size = shape[2:]
    if any(one.dim() != 4 or one.shape[1:] != (1, tokens, size) or tokens < 2 for one in (cosines, sines)):
        return None
    at_one = torch.atan2(sines[0, 0, 1], cosines[0, 0, 1])[: size // 2].double()
    thetas = [float(at_one[-1]) ** (-size / (size - 2))] if size > 2 and at_one[-1] > 0 else [1e4]
    choices: list[tuple[float, list | None]] = [(float(f"{theta:.5g}"), None) for theta in thetas]
    choices += [(one["rope_theta"], one["llama3"]) for one in scalings]
    for theta, llama3 in choices:
        frequencies = _frequencies(theta, size, llama3)
        angles = torch.arange(tokens, dtype=torch.float64)[:, None] * frequencies.repeat(2)
        close = all(
            torch.allclose(found.double(), wanted.expand_as(found), atol=1e-4)
            for found, wanted in ((cosines, angles.cos()), (sines, angles.sin()))
        )
        if close and torch.allclose(at_one, frequencies, rtol=1e-4):
            plain = int(theta) if theta == int(theta) else theta
            return ({} if plain == 10000 else {"theta": plain}) | ({"llama3": llama3} if llama3 else {})
    return None


def first_position(samples: list[Tensor], tokens: int, padding: int) -> int | None:
    """The first of consecutive numbers in each row of SAMPLES. RoBERTa's begin after PADDING and leave out padding in
    the inputs; for rows with padding at their end, that is the same where there are tokens.
    """
    rows = [one.reshape(-1, one.shape[-1]) for one in samples if one.dim() and one.shape[-1] == tokens]
    if len(rows) != len(samples):
        return None
    start = int(rows[0][0, 0])
    if len(rows) == 1:
        return start if (rows[0] == torch.arange(start, start + tokens)).all() else None
    is_token = [one != padding for one in rows]
    skipping = [one.cumsum(1) * one + padding for one in is_token]
    return padding + 1 if padding >= 0 and all(map(torch.equal, rows, skipping)) else None


def mask_kind(samples: list[Tensor], inputs: dict[str, list[Tensor]]) -> tuple[str, Any] | None:
    """What an attention mask is: ("none", None), ("causal" or "window", window or 0) or ("padding", name of
    the input).
    """
    allowed = []
    for one in samples:
        if one.dtype != torch.bool and not ((one == 0) | (one < -1e4)).all():
            return None
        allowed.append(one if one.dtype == torch.bool else one == 0)
    first = allowed[0]
    if len(allowed) == 1:
        if first.all():
            return "none", None
        queries, keys = first.shape[-2:]
        behind = torch.arange(queries)[:, None] - torch.arange(keys)
        window = int(first.flatten(0, -3)[0][-1].sum()) if first.dim() > 2 else int(first[-1].sum())
        if queries == keys and (first == (behind >= 0) & (behind < window)).all():
            return "causal", 0 if window == keys else window
        fits = queries == keys and (first == (behind.abs() < window)).all()
        return ("window", window) if fits else None
    for name, values in inputs.items():
        wanted = [one.bool()[:, None, None, :] for one in values if one.dim() == 2]
        if len(wanted) == len(allowed) and all(
            mask.dim() == 4 and mask.shape[-1] == one.shape[-1] and (mask == one).all()
            for mask, one in zip(allowed, wanted, strict=True)
        ):
            return "padding", name
    return None
