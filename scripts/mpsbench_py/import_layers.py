"""Turns a network's operations into mpsbench's layers, one for one, and notes those that mpsbench does not have."""

import math
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor, nn

from mpsbench_py import import_patterns as patterns
from mpsbench_py.import_graph import Operation, Trace, operations_in


class NotOursError(Exception):
    """mpsbench has no layer for this. The message names the operation and, where it helps, why."""


@dataclass(eq=False)
class Layer:
    """A layer or an input of the network. NAME is that in the state dict, if there is one; MODULE is where it runs."""

    type: str
    shape: tuple[int, ...]
    options: dict[str, Any] = field(default_factory=dict)
    inputs: list["Layer"] = field(default_factory=list)
    name: str = ""
    module: str = ""
    kind: str = ""
    order: tuple[float, int] = (-1, 0)  # of execution; inputs come first
    weight_from: "Layer | None" = None
    problem: str = ""


_VIEWS = ("flatten", "unflatten", "transpose", "permute", "split", "select")
_IN_PLACE = ("relu", "relu6", "leaky_relu", "silu", "hardswish", "hardsigmoid", "dropout", "add")
# What backward passes read, as in PyTorch.
_KEEP_OUTPUT = ("relu", "sigmoid", "tanh", "softmax", "scaled_dot_product_attention")
_KEEP_NOTHING = (*_VIEWS, *_KEEP_OUTPUT[:-1], "add", "scale", "cat", "mean", "dropout", "stochastic_depth", "parameter")
_EPS = {"layer_norm": 1e-5, "group_norm": 1e-5, "batch_norm2d": 1e-5, "rms_norm": 1e-6}


class Inits:
    """Finds out how tensors were initialised. Spreads that are nearly equal become equal."""

    def __init__(self) -> None:
        self.known: list[tuple[str, float, float]] = []  # kind, spread, and the number that stands for it

    def of(self, tensor: Tensor, fan_in: int, fan_out: int, usual: float = 0) -> Any:
        """The initialisation that TENSOR seems to have, or None for torch.nn's own: uniform by FAN_IN or, without fans,
        normal with the deviation USUAL.
        """
        tensor = tensor.detach()
        least, most, spread = float(tensor.min()), float(tensor.max()), float(tensor.std(correction=0))
        if least == most:
            return {0: "zeros", 1: "ones"}.get(least, {"constant": float(f"{least:.6g}")})
        most = max(-least, most)
        bound = 1 / math.sqrt(fan_in) if fan_in else 0
        if most <= 1.0001 * bound and (spread > 0.3 * bound or tensor.numel() < 16):
            return None
        if fan_out and abs(spread / math.sqrt(2 / fan_out) - 1) < 0.05 and tensor.dim() > 1:
            return "kaiming_normal_fan_out"
        if tensor.numel() > 1000 and abs(spread * math.sqrt(3) / most - 1) < 0.02:
            return {"uniform": self.number("uniform", most, 0.03)}
        if abs(spread - usual) < 0.1 * usual:
            return None
        return {"normal": self.number("normal", spread, 0.03 + 2 / math.sqrt(tensor.numel()))}

    def number(self, kind: str, spread: float, tolerance: float) -> float:
        """SPREAD, rounded as far as TOLERANCE, a share of it, allows."""
        for known, first, number in self.known:
            if known == kind and abs(spread / first - 1) < tolerance:
                return number
        rounded = float(f"{spread:.1g}")
        self.known.append((kind, spread, rounded if abs(rounded / spread - 1) < tolerance else float(f"{spread:.2g}")))
        return self.known[-1][2]


class Converter:
    """The layers of TRACE, whose inputs are INPUTS. SCALINGS are Llama 3.1's scalings of rotary positions."""

    def __init__(self, trace: Trace, inputs: list[Layer], scalings: list[dict]):
        self.scalings, self.trace, self.inits = scalings, trace, Inits()
        self.layers: list[Layer] = []
        self.shared: dict[Any, Layer] = {}  # parameters, positions and masks
        self.claimed: set[str] = set()  # names of tensors that layers have
        self.found: dict[Operation, Layer] = {trace.inputs[one.name]: one for one in inputs}
        self.inputs = {one.name: one for one in inputs}
        self.batch = inputs[0].shape[0]
        needed, composed = self.needed(trace.output)
        for one in trace.operations:
            if one in needed:
                self.found[one] = self.convert(one, composed.get(one))
        if trace.output not in self.found:
            raise NotOursError("an output that does not depend on the inputs")
        self.output = self.found[trace.output]

    def needed(self, output: Operation) -> tuple[set[Operation], dict[Operation, patterns.Composed]]:
        """The operations that the output needs without those that others are composed of, and the composed ones."""
        needed: set[Operation] = set()
        found: dict[Operation, patterns.Composed] = {}
        waiting = [output]
        while waiting:
            one = waiting.pop()
            if one in needed or one.samples is not None or one.name == "state":
                continue
            needed.add(one)
            if composed := patterns.composed(one, self.scalings):
                found[one] = composed
                waiting.append(composed.input)
            elif one.name == "scaled_dot_product_attention" and not one.problem:
                a = one.arguments
                waiting += [a["query"], patterns.repeated_heads(a["key"]), patterns.repeated_heads(a["value"])]
            else:
                waiting += operations_in(one.arguments)
        return needed, found

    def convert(self, one: Operation, composed: patterns.Composed | None) -> Layer:
        try:
            if one.problem:
                raise NotOursError(f"{one.name} {one.problem}")
            if composed:
                x = self.value(composed.input, one, merged=composed.type != "rope")
                names = self.named(one, weight=composed.weight) if composed.weight else {}
                return self.add(one, composed.type, [x], shape=x.shape, **names, **composed.options)
            return getattr(self, f"on_{one.name}", self.unknown)(one, one.arguments)
        except NotOursError as problem:
            values = [self.found[used] for used in operations_in(one.arguments) if used in self.found]
            return self.add(one, "", values, shape=one.shape, problem=str(problem))

    def add(self, one: Operation, kind: str, inputs: list[Layer], /, **others: Any) -> Layer:
        """A new layer for ONE. OTHERS are members of Layer; the rest are options."""
        members = {key: others.pop(key) for key in ("shape", "name", "weight_from", "problem") if key in others}
        order = (others.pop("order", one.order), len(self.layers))
        members = {"shape": one.shape, "order": order, "module": one.module, "kind": one.kind} | members
        if one.inplace and kind in _IN_PLACE:
            others["inplace"] = True
        if "eps" in others and others["eps"] == _EPS[kind]:
            del others["eps"]
        self.layers.append(Layer(kind, options=others, inputs=inputs, **members))
        return self.layers[-1]

    def value(self, one: object, user: Operation, merged: bool = False) -> Layer:
        """The layer that computes ONE, whose shape is right. With MERGED, its first dimensions may be seen as one."""
        if not isinstance(one, Operation):
            raise NotOursError(f"{user.name} of a number")
        if one.name == "state" and one.tensor is not None and one.samples is None:
            return self.parameter(one, user, expand=False)
        if one not in self.found:
            raise NotOursError(f"{user.name} of a constant" if one.samples else f"{user.name} of {one.name}")
        layer = self.found[one]
        joined = layer.shape[-1:] == one.shape[-1:] and math.prod(layer.shape) == math.prod(one.shape)
        if layer.shape == one.shape or layer.problem or (merged and joined):
            return layer
        positions = layer.shape in ((1, *one.shape), (1, *one.shape[1:])) or one.shape == (1, *layer.shape)
        if user.name in ("add", "mul") and positions:
            return layer  # the same in each row
        raise NotOursError(f"{user.name} of rows that are joined with the batch")

    def two(self, one: Operation, kind: str, x: object, y: object) -> Layer:
        """A layer of two inputs, element by element."""
        known = [self.found[value] for value in (x, y) if isinstance(value, Operation) and value in self.found]
        if len(known) == 2 and known[0].shape == known[1].shape and x.shape == y.shape:
            return self.add(one, kind, known, shape=known[0].shape)
        return self.add(one, kind, [self.value(x, one), self.value(y, one)])

    def parameter(self, one: Operation, user: Operation, expand: bool) -> Layer:
        name = one.states[0]
        known = self.shared.get((name, expand))
        if known:
            return known
        self.claim(name, user)
        init = self.inits.of(one.tensor, 0, 0)
        init = {} if init == "zeros" else {"init": init}
        shape = (self.batch, *one.shape[1:]) if expand else one.shape
        layer = self.add(user, "parameter", [], shape=shape, name=name, order=user.order - 0.5)
        layer.options = {"shape": list(one.shape)} | ({"expand": True} if expand else {}) | init
        self.shared[name, expand] = layer
        return layer

    def claim(self, name: str, one: Operation) -> None:
        if name in self.claimed:
            raise NotOursError(f"{one.name} with weights that an earlier layer has")
        self.claimed.add(name)

    def named(self, one: Operation, separators: str = ".", **states: Operation | None) -> dict[str, Any]:
        """The members of a layer that the names of its tensors decide. STATES are the tensors by their roles."""
        found: list[tuple[str, str]] = []
        members: dict[str, Any] = {}
        for role, state in states.items():
            if state is None:
                continue
            if state.name != "state" or state.tensor is None:
                raise NotOursError(f"{one.name} with a computed {role}")
            if role in ("weight", "bias") and not isinstance(state.tensor, nn.Parameter):
                raise NotOursError(f"{one.name} whose {role} is not trained")
            own = f"{one.module}.{role}"
            full = own if own in state.states else state.states[0]
            owner = self.shared.get((state.states[0], "weight"))
            can_share = owner and not owner.options.get("transposed") and owner.type in ("embedding", "linear")
            if role == "weight" and can_share and one.name == "linear" and full == own:
                members["weight_from"] = owner
            else:
                self.claim(state.states[0], one)
            if len(full) <= len(role) or not full.endswith(role) or full[-len(role) - 1] not in separators:
                raise NotOursError(f"{one.name} whose {role} is called '{full}'")
            found.append((full[: -len(role) - 1], full[-len(role) - 1]))
        if len(set(found)) != 1:
            raise NotOursError(f"{one.name} without weight" if not found else f"{one.name} with tensors of two modules")
        members["name"] = found[0][0]
        return members | ({"separator": "_"} if found[0][1] == "_" else {})

    def weighted(
        self, one: Operation, kind: str, x: Layer, states: tuple, fans: tuple[int, int], /, **options: Any
    ) -> Layer:
        """A layer whose STATES are a weight and perhaps a bias, and their initialisation. FANS: of input and output."""
        weight, bias = states
        names = self.named(one, "._" if kind == "linear" else ".", weight=weight, bias=bias)
        if "weight_from" not in names and (init := self.inits.of(weight.tensor, *fans, 0 if fans[0] else 1)):
            options["weight_init"] = init
        if bias and (init := self.inits.of(bias.tensor, fans[0], 0)):
            options["bias_init"] = init
        layer = self.add(one, kind, [x], **names, **options)
        self.shared.setdefault((weight.states[0], "weight"), layer)
        return layer


def reachable(output: Layer) -> list[Layer]:
    """The layers that OUTPUT needs, in order of execution."""
    found: set[Layer] = set()
    waiting = [output]
    while waiting:
        layer = waiting.pop()
        if layer not in found:
            found.add(layer)
            waiting += layer.inputs
    layers = sorted(found, key=lambda one: one.order)
    keep_safe_in_place(layers)
    return layers


def keep_safe_in_place(layers: list[Layer]) -> None:
    """Leaves layers in-place only where nothing else needs what they overwrite: the network may have copied that."""
    roots: dict[Layer, Layer] = {}  # whose memory a layer's output is in
    needed: set[Layer] = set()
    for i, layer in enumerate(layers):
        if layer.options.get("inplace"):
            root = roots[layer.inputs[0]]
            older = {one for one in layers[:i] if roots[one] is root}
            is_read = any(one in older for user in layers[i + 1 :] for one in user.inputs)
            if is_read or root in needed or root.type == "input":
                del layer.options["inplace"]
        is_in_place = layer.options.get("inplace")
        roots[layer] = roots[layer.inputs[0]] if layer.type in _VIEWS or is_in_place else layer
        if layer.type not in _KEEP_NOTHING and not is_in_place:
            needed |= {roots[one] for one in layer.inputs}
        if layer.type in _KEEP_OUTPUT:
            needed.add(roots[layer])
