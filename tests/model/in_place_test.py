"""The planner refuses an in-place layer exactly where PyTorch cannot train the network, or where in training or in
inference a layer would read what an in-place layer has overwritten.

Makes networks of two to six layers: every ordered pair of layer types, wired in several ways, with views between them,
chains of three, and random graphs. Trains each for one step in PyTorch, runs its inference, and compares that with
`mpsbench validate`.
"""

import itertools
import json
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "compiler"), str(ROOT / "tests")]

import wanted  # noqa: E402

wanted.packages("torch")

import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from layers import FUNCTIONS, Layer  # noqa: E402

MPSBENCH = sys.argv.pop(1)
BATCH, SIZE = 2, 4
IMAGE = (BATCH, SIZE, SIZE, SIZE)
HEAD = 3  # outputs of the network

# What PyTorch's own modules do with inplace=True.
IN_PLACE = {
    "relu": lambda layer, x: F.relu(x[0], inplace=True),
    "relu6": lambda layer, x: F.relu6(x[0], inplace=True),
    "leaky_relu": lambda layer, x: F.leaky_relu(x[0], layer["negative_slope"], inplace=True),
    "silu": lambda layer, x: F.silu(x[0], inplace=True),
    "hardswish": lambda layer, x: F.hardswish(x[0], inplace=True),
    "hardsigmoid": lambda layer, x: F.hardsigmoid(x[0], inplace=True),
    "dropout": lambda layer, x: F.dropout(x[0], layer["p"], training=True, inplace=True),
    "add": lambda layer, x: x[0].add_(x[1]),
}
PLAIN = ["gelu", "sigmoid", "tanh", "scale", "stochastic_depth"]
ONE_INPUT = ["softmax", "linear", "layer_norm", "rms_norm", "flatten", "unflatten", "mean", "mean_all"]
OF_MAPS = ["group_norm", "transpose", "permute", "select", "split", "roll", "rope"]
OF_IMAGES = ["conv2d", "batch_norm2d", "max_pool2d", "avg_pool2d", "adaptive_avg_pool2d", "adaptive_to_1"]
SEVERAL_INPUTS = {"add": 2, "mul": 2, "matmul": 2, "cat": 2, "scaled_dot_product_attention": 3}
FIRST_ONLY = {"embedding", "position_ids", "sinusoidal_embedding", "padding_mask"}
FIRST_ONLY |= {"torchscript", "aotinductor"}  # not trained at all
NOT_TRIED = {"conv1d", "conv_transpose2d"}  # they keep what conv2d does
NOT_TRIED |= {"parameter", "moe", "relative_position_bias", "window_position_bias"}  # they need inputs of their own
VIEWS = ["flatten", "unflatten", "transpose", "permute", "select", "split", "no_dropout"]
MAY_COPY = {"flatten", "unflatten", "linear", "matmul", "scaled_dot_product_attention", "group_norm"}

TYPE = {"adaptive_to_1": "adaptive_avg_pool2d", "no_dropout": "dropout", "mean_all": "mean"}
Step = tuple[str, bool, tuple[int, ...]]  # a layer: its kind, whether it is in place, and the values that it reads


def options(kind: str, shape: tuple[int, ...], in_place: bool) -> dict[str, Any]:
    """All options, as a plan has them, for an input of SHAPE."""
    pair = {"stride": [1, 1], "padding": [1, 1]}
    found: dict[str, Any] = {
        "conv2d": {"out_channels": SIZE, "kernel_size": [3, 3], "dilation": [1, 1], "groups": 1, "bias": True, **pair},
        "linear": {"out_features": shape[-1]},
        "batch_norm2d": {"momentum": 0.1, "eps": 1e-5},
        "layer_norm": {"normalized_shape": [shape[-1]], "eps": 1e-5},
        "group_norm": {"num_groups": 2, "eps": 1e-5},
        "rms_norm": {"eps": 1e-6, "offset": 0},
        "scale": {"factor": 2, "offset": 0},
        "roll": {"shifts": [1], "dims": [1]},
        "stochastic_depth": {"p": 0.5},
        "rope": {"theta": 100, "size": shape[-1]},
        "split": {"dim": 1, "sizes": [1, -1], "part": 1},
        "leaky_relu": {"negative_slope": 0.1},
        "gelu": {"approximate": "none"},
        "softmax": {"dim": -1},
        "dropout": {"p": 0.5},
        "no_dropout": {"p": 0},
        "max_pool2d": {"kernel_size": [3, 3], "dilation": [1, 1], "ceil_mode": False, **pair},
        "avg_pool2d": {"kernel_size": [3, 3], "ceil_mode": False, "count_include_pad": True, **pair},
        "adaptive_avg_pool2d": {"output_size": list(shape[2:])},
        "adaptive_to_1": {"output_size": [1, 1]},
        "flatten": {"start_dim": 1, "end_dim": -1},
        "unflatten": {"dim": -1, "sizes": [2, shape[-1] // 2]},
        "transpose": {"dim0": 1, "dim1": 2},
        "permute": {"dims": [0, *reversed(range(1, len(shape)))]},
        "select": {"dim": 1, "index": -1},
        "cat": {"dim": 1},
        "mean": {"dims": [-1], "keepdim": True},
        "mean_all": {"dims": list(range(1, len(shape))), "keepdim": True},
        "scaled_dot_product_attention": {"dropout_p": 0, "is_causal": False},
    }.get(kind, {})
    return {**found, "inplace": True} if in_place else found


def planned(kind: str, shape: tuple[int, ...]) -> dict[str, Any]:
    """The options that the planner adds."""
    return {
        "linear": {"transposed": False},
        "scaled_dot_product_attention": {"window": 0, "scale": None},
        "rope": {"llama3": []},
        "split": {"start": 1, "length": shape[1] - 1},
    }.get(kind, {})


def fits(kind: str, shapes: list[tuple[int, ...]], in_place: bool) -> bool:
    shape = shapes[0]
    if kind in OF_IMAGES and (len(shape) != 4 or shape[1] != SIZE):
        return False
    if kind in OF_MAPS and (len(shape) < 3 or shape[1] % 2):
        return False
    if kind == "rope" and (len(shape) != 4 or shape[-1] % 2):
        return False
    if kind == "unflatten" and (shape[-1] % 2 or len(shape) > 5):
        return False
    if kind == "adaptive_avg_pool2d" and 1 in shape[2:]:
        return False
    if kind in ("matmul", "scaled_dot_product_attention"):
        square = len(shape) == 4 and shape[-1] == shape[-2]
        return square and len(set(shapes)) == 1
    if kind == "cat":
        return len(set(shapes)) == 1
    if kind in ("add", "mul"):
        try:
            joined = torch.broadcast_shapes(*shapes)
        except RuntimeError:
            return False
        return not in_place or tuple(joined) == shape
    return True


def make_weights(kind: str, shape: tuple[int, ...]) -> dict[str, torch.Tensor]:
    sizes = {
        "linear": {"weight": (shape[-1], shape[-1]), "bias": (shape[-1],)},
        "conv2d": {"weight": (SIZE, SIZE, 3, 3), "bias": (SIZE,)},
        "layer_norm": {"weight": (shape[-1],), "bias": (shape[-1],)},
        "rms_norm": {"weight": (shape[-1],)},
        "group_norm": {"weight": (shape[1],), "bias": (shape[1],)},
        "batch_norm2d": {"weight": (SIZE,), "bias": (SIZE,)},
    }.get(kind, {})
    made = {role: torch.randn(size, requires_grad=True) for role, size in sizes.items()}
    if kind == "batch_norm2d":
        made |= {"running_mean": torch.zeros(SIZE), "running_var": torch.ones(SIZE)}
        made["num_batches_tracked"] = torch.zeros((), dtype=torch.int64)
    return made


class Network:
    """A network as a definition and, at the same time, its first step in PyTorch."""

    def __init__(self, first: str, training: bool) -> None:
        self.training = training
        self.layers: list[dict[str, Any]] = []
        self.values: list[torch.Tensor] = []
        self.versions: list[int] = []
        self.unread: set[int] = set()
        self.problem = ""
        self.may_copy = False
        if first == "embedding":
            self.input = torch.randint(0, 9, (BATCH, SIZE * SIZE))
            self.inputs = [{"name": "x", "dtype": "int64", "shape": [SIZE * SIZE], "high": 9, "fill": "integers"}]
            self._take(F.embedding(self.input, torch.randn(9, SIZE, requires_grad=True)).unflatten(1, (SIZE, SIZE)))
            self.layers += [
                {"type": "embedding", "num_embeddings": 9, "embedding_dim": SIZE},
                {"type": "unflatten", "dim": 1, "sizes": [SIZE, SIZE], "name": "v0"},
            ]
            return
        self.input = torch.randn(IMAGE)
        self.inputs = [{"name": "x", "dtype": "float32", "shape": list(IMAGE[1:])}]
        if first == "input":
            self.layers.append({"type": "dropout", "p": 0, "name": "v0"})
            self._take(self.input)
        else:
            self._append((first, False, (-1,)))

    def _take(self, value: torch.Tensor) -> None:
        self.values.append(value)
        self.versions.append(value._version)
        self.unread.add(len(self.values) - 1)

    def append(self, step: Step) -> bool:
        """Whether the layer fits."""
        kind, in_place, reads = step
        if not fits(kind, [tuple(self.values[one].shape) for one in reads], in_place):
            return False
        self._append(step)
        return True

    def _append(self, step: Step) -> None:
        kind, in_place, reads = step
        inputs = [self.input if one < 0 else self.values[one] for one in reads]
        for one in reads:
            if one >= 0 and self.values[one]._version != self.versions[one]:
                self.problem = "reads what was overwritten"
        shape = tuple(inputs[0].shape)
        node = {"type": TYPE.get(kind, kind), **options(kind, shape, in_place)}
        name = f"v{len(self.values)}"
        self.layers.append({**node, "name": name, "inputs": ["x" if one < 0 else f"v{one}" for one in reads]})
        self.may_copy |= kind in MAY_COPY and not all(one.is_contiguous() for one in inputs)
        # On CUDA it keeps its input even if only its weight needs a gradient.
        self.may_copy |= kind == "rms_norm" and not inputs[0].requires_grad
        plan = {"name": name, "type": node["type"], "options": node | planned(kind, shape)}
        layer = Layer(plan, training=self.training, drops_out=self.training)
        overwrites = in_place and (self.training or kind != "dropout")
        try:
            made = IN_PLACE[kind](layer, inputs) if overwrites else layer(inputs, make_weights(kind, shape))
        except RuntimeError as error:  # an in-place layer that PyTorch refuses
            self.problem = str(error)
            made = inputs[0]
        self.unread -= set(reads)
        self._take(made)

    def finish(self) -> None:
        """Adds up what no layer reads, and does the backward pass."""
        total = None
        joined = ""
        for one in sorted(self.unread):
            value = self.values[one]
            if value._version != self.versions[one]:
                self.problem = "reads what was overwritten"
            flat, logits = f"flat{one}", f"logits{one}"
            self.layers += [
                {"type": "flatten", "input": f"v{one}", "name": flat},
                {"type": "linear", "out_features": HEAD, "name": logits},
            ]
            weight = torch.randn(HEAD, value[0].numel(), requires_grad=True)
            part = F.linear(value.flatten(1), weight)
            total = part if total is None else total + part
            if joined:
                self.layers.append({"type": "add", "inputs": [joined, logits], "name": f"sum{one}"})
            joined = f"sum{one}" if joined else logits
        if self.input._version:
            self.problem = "overwrites the input"
        if not self.training:
            return
        try:
            total.sum().backward()
        except RuntimeError as error:
            self.problem = self.problem or str(error)

    def definition(self) -> dict[str, Any]:
        return {
            "name": "pair",
            "inputs": self.inputs,
            "layers": self.layers,
            "loss": "cross_entropy",
            "optimizer": {"name": "sgd"},
            "batch_size": BATCH,
            "rows": 8,
        }


Variant = tuple[str, bool]
OVERWRITING: list[Variant] = [(kind, True) for kind in IN_PLACE]
ALL: list[Variant] = [
    *((kind, False) for kind in [*IN_PLACE, *PLAIN, *ONE_INPUT, *OF_MAPS, *OF_IMAGES, "no_dropout"]),
    *((kind, False) for kind in SEVERAL_INPUTS if kind not in IN_PLACE),
    *OVERWRITING,
]


def step(variant: Variant, *reads: int) -> Step:
    """VARIANT reading READS, the last one again where it needs more."""
    wanted_inputs = SEVERAL_INPUTS.get(variant[0], 1)
    return (*variant, tuple([*reads, *[reads[-1]] * wanted_inputs][:wanted_inputs]))


def pairs() -> list[tuple[str, list[Step]]]:
    """Every pair as a chain, both layers on one value, and with a view between them or beside them."""
    found = []
    for one, two in itertools.product(ALL, ALL):
        found.append(("conv2d", [step(one, 0), step(two, 1)]))
    for one, two in itertools.product(ALL, OVERWRITING):
        found.append(("conv2d", [step(one, 0), step(two, 0)]))
        found.append(("conv2d", [step(one, 0), step(two, 1, 0)]))  # a residual connection
        found.append(("conv2d", [step(("tanh", False), 0), step(one, 0, 1), step(two, 1)]))  # the other operand
        found.append(("tanh", [step(one, 0), step(two, 1)]))  # without a gradient at first
        found.append(("embedding", [step(one, 0), step(two, 1)]))
        for view in VIEWS:
            found.append(("conv2d", [step(one, 0), step((view, False), 1), step(two, 2)]))
            found.append(("conv2d", [step((view, False), 0), step(one, 1), step(two, 1)]))
    for two in OVERWRITING:
        found.append(("input", [step(two, 0)]))
        for view in VIEWS:
            found.append(("conv2d", [step((view, False), 0), step(two, 0, 1)]))  # a view of what is overwritten
            if view not in ("transpose", "permute"):  # twice is the first order again, which the planner does not see
                found.append(("conv2d", [step((view, False), 0), step((view, False), 1), step(two, 0, 2)]))
    return found


def triples() -> list[tuple[str, list[Step]]]:
    keepers: list[Variant] = [(kind, False) for kind in ("conv2d", "batch_norm2d", "linear", "mul", "add", "tanh")]
    return [
        ("conv2d", [step(one, 0), step(two, 1), step(three, 2)])
        for one, two, three in itertools.product([*OVERWRITING, *keepers], repeat=3)
    ]


def random_graphs(count: int, seed: int) -> list[tuple[str, list[Step]]]:
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        steps = []
        for made in range(1, rng.randint(3, 7)):
            variant = rng.choice(OVERWRITING if rng.random() < 0.4 else ALL)
            near = [rng.randrange(max(0, made - 3), made) for _ in range(3)]
            steps.append(step(variant, *near[: rng.randint(1, 3)]))
        found.append((rng.choice(["conv2d", "conv2d", "tanh", "embedding"]), steps))
    return found


def build(first: str, steps: list[Step], training: bool = True) -> Network | None:
    network = Network(first, training)
    for one in steps:
        if not network.append(one):
            return None
    network.finish()
    return network


def build_both(first: str, steps: list[Step]) -> Network | None:
    """The network in training, with the problem that it has there or in inference."""
    network = build(first, steps)
    if network and not network.problem:
        with torch.no_grad():
            network.problem = build(first, steps, training=False).problem
    return network


class InPlace(unittest.TestCase):
    def check(self, graphs: list[tuple[str, list[Step]]]) -> tuple[int, int]:
        """Returns how many networks were compared, and how many of them cannot be trained."""
        torch.manual_seed(0)
        torch.set_num_threads(1)
        networks = [one for one in (build_both(*graph) for graph in graphs) if one]
        verdicts = self.verdicts([one.definition() for one in networks])
        for network, message in zip(networks, verdicts, strict=True):
            if bool(message) == bool(network.problem):
                continue
            if message and network.may_copy and "in-place" in message:
                continue  # these layers may work on a copy of a rearranged tensor, depending on its memory format
            self.fail(f"mpsbench: {message or 'ok'}\nPyTorch: {network.problem or 'ok'}\n{json.dumps(network.layers)}")
        return len(networks), sum(1 for one in networks if one.problem)

    def verdicts(self, definitions: list[dict[str, Any]]) -> list[str]:
        """For each definition "", or why mpsbench refuses it."""
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for number, definition in enumerate(definitions):
                names.append(f"{number}.json")
                Path(folder, names[-1]).write_text(json.dumps(definition), encoding="utf-8")
            run = subprocess.run(
                [MPSBENCH, "validate", "-f", "json", *names], cwd=folder, capture_output=True, text=True, check=False
            )
        entries = json.loads(run.stdout)
        for entry in entries:
            if not entry["valid"]:
                self.assertIn("in-place layer", entry["message"])
        return ["" if entry["valid"] else entry["message"] for entry in entries]

    def test_it_knows_each_layer_type(self) -> None:
        known = {TYPE.get(kind, kind) for kind, _ in ALL} | FIRST_ONLY | NOT_TRIED
        self.assertEqual(known, set(FUNCTIONS) | {"torchscript", "aotinductor"})

    def test_every_pair(self) -> None:
        networks, refused = self.check(pairs())
        self.assertGreater(networks, 4000)
        self.assertGreater(refused, 1000)

    def test_chains_of_three(self) -> None:
        networks, refused = self.check(triples())
        self.assertGreater(networks, 2000)
        self.assertGreater(refused, 500)

    def test_random_graphs(self) -> None:
        networks, refused = self.check(random_graphs(3000, seed=1))
        self.assertGreater(networks, 500)
        self.assertGreater(refused, 100)


if __name__ == "__main__":
    unittest.main()
