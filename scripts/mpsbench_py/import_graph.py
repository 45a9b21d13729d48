"""The operations of a torch.nn module, traced by torch.export in training mode, in the order of execution."""

import logging
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import torch
from torch import Tensor, nn
from torch.export.graph_signature import InputKind
from torch.fx import GraphModule
from torch.fx.node import map_aggregate, map_arg

SAMPLES = 3
# They return their input if its type fits.
_ALIASES = ("to", "type_as", "alias", "lift_fresh_copy", "_assert_tensor_metadata")


@dataclass(eq=False)
class Operation:
    """ARGUMENTS are by the schema's names. What depends only on whole numbers and constants has SAMPLES: its values for
    some random inputs, or one if it is constant. A name "input" is an input of the network, "state" a tensor of it.
    """

    name: str
    shape: tuple[int, ...] = ()
    arguments: dict[str, Any] = field(default_factory=dict)
    module: str = ""  # the name of the module that it belongs to
    kind: str = ""  # and its class
    order: float = 0
    inplace: bool = False
    samples: list[Any] | None = None
    states: list[str] = field(default_factory=list)  # names in the state dict; more than one if tied
    tensor: Tensor | None = None
    problem: str = ""


def operations_in(value: object) -> list[Operation]:
    found: list[Operation] = []
    map_aggregate(value, lambda one: found.append(one) if isinstance(one, Operation) else None)
    return found


def _bound(target: Any, args: tuple, kwargs: dict) -> dict[str, Any]:
    if not isinstance(target, torch._ops.OpOverload):
        return {str(i): one for i, one in enumerate(args)} | kwargs
    given = dict(zip((one.name for one in target._schema.arguments), args, strict=False)) | kwargs
    return {one.name: given.get(one.name, one.default_value) for one in target._schema.arguments}


def _is_view(target: Any) -> bool:
    if not isinstance(target, torch._ops.OpOverload) or not target._schema.arguments:
        return False
    alias = target._schema.arguments[0].alias_info
    return alias is not None and not alias.is_write


def _samples(target: Callable, args: tuple, kwargs: dict, writes: bool) -> list[Any] | None:
    """The results of TARGET, if they can be computed without the network's float inputs and parameters."""
    used = operations_in((args, kwargs))
    if any(one.samples is None for one in used) or torch.Tag.nondeterministic_seeded in getattr(target, "tags", ()):
        return None
    results = []
    for i in range(max((len(one.samples) for one in used), default=1)):

        def pick(one: object, i: int = i) -> object:
            return one.samples[i % len(one.samples)] if isinstance(one, Operation) else one

        chosen = list(map_aggregate(args, pick))
        if writes:
            chosen[0] = chosen[0].clone()
        results.append(target(*chosen, **map_aggregate(kwargs, pick)))
    return results


class Trace:
    """What the graph of an exported program does. In-place operations give a new value; later ones read that."""

    def __init__(self, program: torch.export.ExportedProgram, module: nn.Module, samples: dict[str, list[Tensor]]):
        self.operations: list[Operation] = []
        self.numbers = count()
        self.replaced: dict[Operation, Operation] = {}
        self.roots: dict[Operation, Operation] = {}
        self.stale: set[Operation] = set()
        names: dict[int, list[str]] = {}
        for name, tensor in module.state_dict(keep_vars=True).items():
            names.setdefault(id(tensor), []).append(name)
        tensors = dict(module.named_parameters(remove_duplicate=False)) | dict(module.named_buffers())
        values = []
        for spec in program.graph_signature.input_specs:
            if spec.kind == InputKind.USER_INPUT:
                values.append(Operation("input", states=[spec.arg.name], samples=samples.get(spec.arg.name)))
                continue
            tensor = tensors.get(spec.target, program.constants.get(spec.target))
            known = None if spec.kind == InputKind.PARAMETER else [tensor]
            state = names.get(id(tensor), [spec.target])
            values.append(Operation("state", tuple(tensor.shape), samples=known, states=state, tensor=tensor))
        self.inputs = {one.states[0]: one for one in values if one.name == "input"}
        outputs = self.walk(program.graph_module, values, "")
        tree = torch.utils._pytree.tree_unflatten(list(outputs), program.call_spec.out_spec)
        self.output = _logits(tree)

    def walk(self, graph: GraphModule, values: list, barrier: str) -> tuple:
        """BARRIER is the name of the higher operation that runs this graph: an operation in it may only be constant."""
        known: dict[Any, Any] = {}
        given = iter(values)
        for node in graph.graph.nodes:
            if node.op == "placeholder":
                known[node] = next(given)
                value = node.meta.get("val")
                if isinstance(value, Tensor):
                    known[node].shape = tuple(value.shape)
            elif node.op == "get_attr":
                value = getattr(graph, node.target)
                known[node] = value if isinstance(value, GraphModule) else Operation("state", samples=[value])
            elif node.op == "call_function":
                args, kwargs = map_arg((node.args, node.kwargs), lambda one: known[one])
                inner = next((i for i, one in enumerate(args) if isinstance(one, GraphModule)), None)
                if inner is not None:
                    known[node] = self.walk(args[inner], list(args[inner + 1 :]), str(node.target))
                elif node.target is operator.getitem and isinstance(args[0], tuple):
                    known[node] = args[0][args[1]]
                else:
                    known[node] = self.call(node, args, kwargs, barrier)
            else:
                return map_aggregate(map_arg(node.args[0], lambda one: known[one]), self.latest)
        raise ValueError("a graph without output")

    def latest(self, one: object) -> object:
        while isinstance(one, Operation) and one in self.replaced:
            one = self.replaced[one]
        return one

    def call(self, node: torch.fx.Node, args: tuple, kwargs: dict, barrier: str) -> Operation:
        args, kwargs = map_aggregate((args, kwargs), self.latest)
        full = node.target.__name__.split(".")[0]
        writes = full.endswith("_") and not full.startswith("__")
        value = node.meta.get("val")
        if full in _ALIASES and args[0].shape == getattr(value, "shape", args[0].shape) and _same_type(node, value):
            return args[0]
        stack = list((node.meta.get("nn_module_stack") or {}).values())
        path, kind = stack[-1] if stack else ("", "")
        one = Operation(full.rstrip("_") if writes else full, inplace=writes, order=next(self.numbers))
        one.module, one.kind = path.split("@")[0], str(getattr(kind, "__name__", kind)).rpartition(".")[2]
        one.shape = tuple(value.shape) if isinstance(value, Tensor) else ()
        one.arguments = _bound(node.target, args, kwargs)
        if any(used in self.stale for used in operations_in((args, kwargs))):
            one.problem = "that reads a view of what an in-place operation changed"
        else:
            one.samples = _samples(node.target, args, kwargs, writes)
        if barrier and one.samples is None:
            one.problem = f"in {barrier}"
        if writes or _is_view(node.target):
            self.note_memory(one, args[0], writes)
        self.operations.append(one)
        return one

    def note_memory(self, one: Operation, source: Operation, writes: bool) -> None:
        root = self.roots[one] = self.roots.setdefault(source, source)
        if writes:
            self.stale |= {other for other, place in self.roots.items() if place is root and other is not one}
            self.stale.discard(source)
            self.replaced[source] = one


def _same_type(node: torch.fx.Node, value: object) -> bool:
    before = node.args[0].meta.get("val") if isinstance(node.args[0], torch.fx.Node) else None
    return not isinstance(value, Tensor) or (before is not None and before.dtype == value.dtype)


def _logits(outputs: Any) -> Any:
    """The output that counts: the logits if one has this name, or else the first."""
    if isinstance(outputs, dict):
        return outputs["logits"] if "logits" in outputs else _logits(list(outputs.values()))
    return _logits(outputs[0]) if isinstance(outputs, (list, tuple)) else outputs


def _attention(self: nn.MultiheadAttention, query: Tensor, key: Tensor, value: Tensor, **options: Any) -> tuple:
    """nn.MultiheadAttention's self-attention without moving the batch, which its own forward does."""
    heads = self.num_heads
    parts = nn.functional.linear(query, self.in_proj_weight, self.in_proj_bias).chunk(3, -1)
    query, key, value = (one.unflatten(-1, (heads, -1)).transpose(1, 2) for one in parts)
    mask, weights, dropout = options.get("attn_mask"), None, self.dropout if self.training else 0.0
    if mask is not None and mask.dtype == torch.bool:
        mask = torch.zeros_like(mask, dtype=query.dtype).masked_fill_(mask, -torch.inf)
    if mask is not None and mask.dim() == 3:
        mask = mask.unflatten(0, (-1, heads))
    if options.get("need_weights", True):
        scores = (query * self.head_dim**-0.5) @ key.transpose(2, 3)
        weights = (scores if mask is None else scores + mask).softmax(-1)
        out = nn.functional.dropout(weights, dropout, self.training) @ value
        weights = weights.mean(1) if options.get("average_attn_weights", True) else weights
    else:
        out = nn.functional.scaled_dot_product_attention(query, key, value, mask, dropout)
    return self.out_proj(out.transpose(1, 2).flatten(2)), weights


def _forward_of(attention: nn.MultiheadAttention) -> Callable:
    plain = attention.forward

    def forward(query: Tensor, key: Tensor, value: Tensor, *others: Any, **options: Any) -> tuple:
        names = ("key_padding_mask", "need_weights", "attn_mask", "average_attn_weights", "is_causal")
        options |= dict(zip(names, others, strict=False))
        ours = attention.in_proj_weight is not None and attention.bias_k is None and not attention.add_zero_attn
        ours = ours and attention.batch_first and query is key is value and options.get("key_padding_mask") is None
        return _attention(attention, query, key, value, **options) if ours else plain(query, key, value, **options)

    return forward


def prepare(module: nn.Module) -> None:
    module.train().float()
    for one in module.modules():
        if isinstance(one, nn.MultiheadAttention):
            one.forward = _forward_of(one)


def trace(module: nn.Module, inputs: dict[str, Tensor], highs: dict[str, int]) -> Trace:
    """Traces MODULE, which prepare() changed. The whole numbers of an input are below its number in HIGHS."""
    generator = torch.Generator().manual_seed(1)
    samples = {
        name: [torch.randint(high, inputs[name].shape, generator=generator) for _ in range(SAMPLES)]
        for name, high in highs.items()
    }
    logging.disable(logging.CRITICAL)  # the exception has what counts
    try:
        program = torch.export.export(module, (), inputs, strict=False)
    finally:
        logging.disable(logging.NOTSET)
    return Trace(program, module, samples)
