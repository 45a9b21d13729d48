#!/usr/bin/env python3
"""Writes a network of torchvision, transformers or your own Python file as a definition for mpsbench.

SOURCE is one of

  torchvision:resnet18             a network of torchvision.models
  transformers:FOLDER/config.json  the class in "architectures" of a configuration of the Hugging Face Hub
  transformers:LlamaForCausalLM    a class of transformers with its usual configuration
  mymodule.py:make_model           a function or class in a Python file that returns an nn.Module without arguments

--set KEY=VALUE changes the configuration, or is an argument of torchvision's function. An input is [NAME=]SHAPE without
the batch, such as 3,224,224, or [NAME=]SHAPE:HIGH for whole numbers below HIGH, such as input_ids=128:30522.

The operations are those of torch.export in training mode, and the names those of the state dict. If mpsbench does not
have an operation, all such operations are listed, nothing is written, and the script exits with 1. Weights are not
written: mpsbench run takes those by --weights. The code of a Python file is run.
"""

import argparse
import json
import re
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from mpsbench_py import environment

environment.require("torch", cure="scripts/test sets it up, or pip install torch")
from mpsbench_py import import_graph  # noqa: E402
from mpsbench_py.import_layers import Layer, NotOursError, reachable  # noqa: E402
from mpsbench_py.import_names import Namer, text_of  # noqa: E402
from mpsbench_py.import_operations import Operations  # noqa: E402
from mpsbench_py.import_sources import Input, InputError, Network, network_of, one_line, scalings_of  # noqa: E402

LOSSES = ("cross_entropy", "token_cross_entropy", "next_token_cross_entropy", "bce_with_logits", "mse", "mean")
SMALL_BATCHES = (2, 3)  # a definition must hold for both
AFTER_CLASSES = ("linear", "conv2d", "relu", "adaptive_avg_pool2d", "avg_pool2d", "flatten", "mean")


class MissingError(Exception):
    """mpsbench lacks operations. The message has a line for each."""


def input_of(text: str) -> Input:
    found = re.fullmatch(r"(?:(\w+)=)?(\d+(?:[,x]\d+)*)(?::(\d+))?", text, re.ASCII)
    shape = [int(one) for one in re.split("[,x]", found[2])] if found else [0]
    if not found or 0 in shape or found[3] == "0":
        raise argparse.ArgumentTypeError(f"'{text}' is not an input; write 3,224,224 or NAME=128:30522")
    return Input(found[1] or "", shape, int(found[3] or 0))


def setting_of(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals:
        raise argparse.ArgumentTypeError(f"'{text}' is not KEY=VALUE")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def name_of(text: str) -> str:
    if not re.fullmatch(r"[\w.-]{1,100}", text):
        raise argparse.ArgumentTypeError(f"'{text}' is not a name of 1 to 100 letters, digits, _, - and .")
    return text


def batch_size(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 1 on")
    return int(text)


def parse(argv: list[str] | None) -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("source", metavar="SOURCE", help="torchvision:NAME, transformers:NAME or FILE.py:FUNCTION")
    parser.add_argument("--input", type=input_of, action="append", default=[], metavar="[NAME=]SHAPE[:HIGH]")
    parser.add_argument("--set", type=setting_of, action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--name", type=name_of, help="the network's name (default: that of SOURCE)")
    parser.add_argument("--loss", choices=LOSSES, help="(default: by the shape of the logits)")
    parser.add_argument("--batch-size", type=batch_size, default=32, metavar="N", help="(default: 32)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.json", help="(default: the standard output)")
    return parser.parse_args(argv)


def input_layers(network: Network, batch: int) -> list[Layer]:
    """The inputs by the names that forward has for them. In a definition, a module's name gets an ending."""
    taken = {name.split(".")[0] for name in network.module.state_dict()} | {"in"}
    layers = []
    for one in network.inputs:
        definition = one.definition() | {"name": f"{one.name}_input" if one.name in taken else one.name}
        layers.append(Layer("input", (batch, *one.shape), definition, name=one.name))
    return layers


def layers_of(network: Network, batch: int) -> tuple[list[Layer], list[Layer], list[str]]:
    """The layers in order, the inputs that they read, and the names of parameters that they do not have."""
    given = {one.name: one.example(batch) for one in network.inputs}
    highs = {one.name: one.high for one in network.inputs if one.high}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            trace = import_graph.trace(network.module, given, highs)
    except Exception as error:
        words = f"{network.source}: torch.export cannot trace it; perhaps it needs another --input"
        raise InputError(f"{words}: {one_line(error)}") from error
    inputs = input_layers(network, batch)
    converter = Operations(trace, inputs, scalings_of(network.config))
    layers = reachable(converter.output)
    require_ours(layers)
    for one, asked in zip(inputs, network.inputs, strict=True):
        one.name = one.options["name"]
        if one not in layers and not asked.optional:
            raise InputError(f"--input {asked.name}: the output does not depend on it; leave it out")
    unused = [name for name, _ in network.module.named_parameters() if name not in converter.claimed]
    layers = [one for one in layers if one.type != "input"]
    if not layers:
        raise InputError(f"{network.source}: its output is its input; it needs a layer")
    return layers, [one for one in inputs if any(one in layer.inputs for layer in layers)], unused


def require_ours(layers: list[Layer]) -> None:
    lines = []
    for problem, count in Counter(one.problem for one in layers if one.problem).most_common():
        places = [one for one in layers if one.problem == problem]
        kinds = ", ".join(dict.fromkeys(one.kind or "the network" for one in places))
        first = f"; first in '{places[0].module}'" if places[0].module else ""
        lines.append(f"  {count} x {problem}, in {kinds}{first}")
    if lines:
        raise MissingError("\n".join(lines))


def set_parameters(layers: list[Layer], loss: str) -> dict:
    """Makes the number of classes and the dropout parameters of the network, and returns those."""
    parameters: dict[str, Any] = {}
    last = next((i for i in reversed(range(len(layers))) if layers[i].type in ("linear", "conv2d")), None)
    if last is not None and loss == "cross_entropy" and not layers[last].weight_from:
        options = layers[last].options
        key = "out_features" if "out_features" in options else "out_channels"
        after = {one.type for one in layers[last:]}
        if after <= set(AFTER_CLASSES) and options[key] == layers[-1].shape[1]:
            parameters["classes"], options[key] = options[key], "$classes"
    kinds = {"dropout": "p", "scaled_dot_product_attention": "dropout_p"}
    places = [one for one in layers if one.options.get(kinds.get(one.type, ""))]
    if len({one.options[kinds[one.type]] for one in places}) == 1:
        parameters["dropout"] = places[0].options[kinds[places[0].type]]
        for one in places:
            one.options[kinds[one.type]] = "$dropout"
    return parameters


def usual_loss(layers: list[Layer], inputs: list[Layer]) -> str:
    shape, has_tokens = layers[-1].shape, inputs[0].options["dtype"] == "int64"
    if len(shape) == 2 or (len(shape) == 4 and not has_tokens):
        return "cross_entropy"
    if len(shape) != 3 or not has_tokens or layers[-1].type != "linear":
        return "mse"
    is_causal = any(one.options.get("is_causal") for one in layers)
    return "next_token_cross_entropy" if is_causal and shape[1] == inputs[0].shape[1] else "token_cross_entropy"


def definition_of(network: Network, arguments: argparse.Namespace, batch: int) -> tuple[dict, list[str]]:
    layers, inputs, unused = layers_of(network, batch)
    loss = arguments.loss or usual_loss(layers, inputs)
    parameters = set_parameters(layers, loss)
    entries = Namer(layers, inputs).entries()
    shapes = ", ".join(f"{one.name} {'x'.join(map(str, one.shape[1:]))}" for one in inputs)
    optimizer: dict[str, Any] = {"name": "sgd", "lr": 0.001, "momentum": 0.9}
    if any(one.options["dtype"] == "int64" for one in inputs):
        optimizer = {"name": "adamw", "lr": 0.0001, "weight_decay": 0.01}
    definition = {
        "name": arguments.name or network.name,
        "description": f"{network.name} for {shapes}",
        "source": f"layers and names as {network.origin}",
        "parameters": parameters,
        "inputs": [one.options for one in inputs],
        "layers": entries,
        "loss": loss,
        "optimizer": optimizer,
        "batch_size": arguments.batch_size,
        "rows": 50000,
    }
    return definition, unused


def set_tokens(definition: dict, network: Network, arguments: argparse.Namespace) -> bool:
    """Makes the length of the inputs of whole numbers a parameter, if the layers are the same for another one."""
    lengths = {one.shape[0] for one in network.inputs if one.high}
    # A window that is longer than the inputs leaves no trace in the layers.
    if len(lengths) != 1 or min(lengths) < 3 or getattr(network.config, "sliding_window", None):
        return False
    tokens = lengths.pop()
    try:
        other, _ = definition_of(network.with_tokens(tokens - 1), arguments, SMALL_BATCHES[1])
    except (InputError, MissingError, NotOursError):
        return False
    if any(other[key] != definition[key] for key in ("layers", "parameters", "loss")):
        return False
    definition["parameters"]["tokens"] = tokens
    for one in definition["inputs"]:
        if one["dtype"] == "int64":
            one["shape"] = ["$tokens", *one["shape"][1:]]
    return True


def checked_definition(network: Network, arguments: argparse.Namespace) -> tuple[dict, list[str]]:
    """The definition, if it holds for two batch sizes, and the names of parameters that the layers do not have."""
    import_graph.prepare(network.module)
    definition, unused = definition_of(network, arguments, SMALL_BATCHES[0])
    if not set_tokens(definition, network, arguments):
        other, _ = definition_of(network, arguments, SMALL_BATCHES[1])
        if other != definition:
            raise NotOursError("a number that depends on the batch size")
    if not definition["parameters"]:
        del definition["parameters"]
    return definition, unused


def main(argv: list[str] | None = None) -> int:
    arguments = parse(argv)
    try:
        network = network_of(arguments.source, dict(arguments.set), arguments.input)
        definition, unused = checked_definition(network, arguments)
        text = text_of(definition) + "\n"
        if arguments.output:
            arguments.output.write_text(text, encoding="utf-8")
        else:
            sys.stdout.write(text)
    except (MissingError, NotOursError) as problem:
        lines = str(problem) if isinstance(problem, MissingError) else f"  {problem}"
        sys.stderr.write(f"import_network.py: {arguments.source}: mpsbench has no layers for\n{lines}\n")
        return 1
    except (InputError, OSError) as error:
        sys.stderr.write(f"import_network.py: {error}\n")
        return 2
    if unused:
        names = ", ".join(unused[:3]) + (f" and {len(unused) - 3} others" if len(unused) > 3 else "")
        sys.stderr.write(f"import_network.py: note: the output does not depend on {names}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
