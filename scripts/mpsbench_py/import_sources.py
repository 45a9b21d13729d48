"""The networks that import_network.py takes: of torchvision, transformers or a Python file."""

import importlib.util
import inspect
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from mpsbench_py import environment, torchvision_models

_TOKENS = 128
_FORMS = "SOURCE is torchvision:NAME, transformers:NAME or FILE.py:FUNCTION"


class InputError(Exception):
    """What the user gave does not work. The message is one line."""


@dataclass
class Input:
    name: str
    shape: list[int]
    high: int = 0  # 0: floats
    optional: bool = False  # may be left out if nothing reads it

    def example(self, batch: int) -> torch.Tensor:
        shape = (batch, *self.shape)
        return torch.zeros(shape, dtype=torch.int64) if self.high else torch.randn(shape)

    def definition(self) -> dict:
        one = {"name": self.name, "dtype": "int64" if self.high else "float32", "shape": self.shape}
        if not self.high:
            return one | {"fill": "normal"}
        if fill := {"attention_mask": "ones", "token_type_ids": "zeros"}.get(self.name):
            return one | {"fill": fill}
        return one | {"fill": "integers", "high": self.high}


@dataclass
class Network:
    source: str
    module: nn.Module
    name: str
    origin: str  # what has the same layers and names
    inputs: list[Input]
    config: Any = None  # of transformers

    def with_tokens(self, tokens: int) -> "Network":
        """The same network with inputs of another length."""
        inputs = [replace(one, shape=[tokens, *one.shape[1:]]) if one.high else one for one in self.inputs]
        return replace(self, inputs=inputs)


def one_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def _made(source: str, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except Exception as error:
        raise InputError(f"{source}: {type(error).__name__}: {one_line(error)}") from error


def _from_torchvision(source: str, name: str, settings: dict) -> Network:
    environment.require("torchvision", cure="scripts/test sets it up, or pip install torchvision")
    models = torchvision_models.load()
    if name not in models.list_models():
        raise InputError(f"{source}: torchvision.models has no such network; torchvision.models.list_models() has them")
    taken = inspect.signature(models.get_model_builder(name)).parameters
    settings = {key: None for key in ("weights", "weights_backbone") if key in taken} | settings
    module = _made(source, lambda: models.get_model(name, **settings))
    size = settings.get("image_size", 224)
    return Network(source, module, name, f"torchvision's {name}", [Input("", [3, size, size])])


def _from_transformers(source: str, name: str, settings: dict) -> Network:
    environment.require("transformers", cure="scripts/test sets it up, or pip install transformers")
    torchvision_models.make_importable()
    import transformers

    transformers.logging.set_verbosity_error()
    given: dict = {}
    if Path(name).exists():
        file = Path(name) / "config.json" if Path(name).is_dir() else Path(name)
        given = _made(str(file), lambda: json.loads(file.read_text(encoding="utf-8")))
        classes = given.get("architectures") if isinstance(given, dict) else None
        if not isinstance(classes, list) or not classes:
            raise InputError(f'{file}: "architectures" is missing; add the name of a class, such as ["BertModel"]')
        name = str(classes[0])
    kind = getattr(transformers, name, None) if re.fullmatch(r"\w+", name) else None
    if getattr(kind, "config_class", None) is None:
        raise InputError(f"{source}: '{name}' is neither a file nor a network's class in transformers")
    usual = kind.config_class()
    if unknown := next((key for key in settings if not hasattr(usual, key)), None):
        raise InputError(f"--set {unknown}: {type(usual).__name__} has no such setting")
    config = _made(source, lambda: kind.config_class.from_dict(given | settings))
    config.use_cache = False
    module = _made(source, lambda: kind(config))
    return Network(source, module, name, f"transformers' {name}", _usual_inputs(module, config), config)


def _usual_inputs(module: nn.Module, config: Any) -> list[Input]:
    taken = inspect.signature(module.forward).parameters
    if "pixel_values" in taken:
        size = getattr(config, "image_size", 224)
        sides = list(size) if isinstance(size, (list, tuple)) else [size, size]
        return [Input("pixel_values", [getattr(config, "num_channels", 3), *sides])]
    tokens = min(_TOKENS, getattr(config, "max_position_embeddings", None) or _TOKENS)
    inputs = [Input("input_ids", [tokens], getattr(config, "vocab_size", None) or 1)]
    if "token_type_ids" in taken and getattr(config, "type_vocab_size", 0):
        inputs += [Input("attention_mask", [tokens], 2, True), Input("token_type_ids", [tokens], 2, True)]
    return inputs


def _from_file(source: str, settings: dict) -> Network:
    file, _, function = source.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise InputError(f"{source}: there is no file '{file}'; {_FORMS}")
    if settings:
        raise InputError(f"--set: {file} takes no settings; write them into {function}")
    spec = importlib.util.spec_from_file_location(path.stem, path.resolve())
    if spec is None:
        raise InputError(f"{file}: the name of a Python file ends in .py; {_FORMS}")
    own = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    _made(file, lambda: spec.loader.exec_module(own))
    if not callable(getattr(own, function, None)):
        raise InputError(f"{file}: has no function or class '{function}'; {_FORMS}")
    module = _made(source, getattr(own, function))
    if not isinstance(module, nn.Module):
        raise InputError(f"{source}: returns a {type(module).__name__}; it must return an nn.Module")
    name = path.stem if function in ("make_model", "model", "Model") else function
    return Network(source, module, name, f"{function} of {path.name}", [])


def network_of(source: str, settings: dict, inputs: list[Input]) -> Network:
    """The network of SOURCE with random weights and the INPUTS, or its usual ones if there are none."""
    torch.manual_seed(0)
    library, _, name = source.partition(":")
    readers = {"torchvision": _from_torchvision, "transformers": _from_transformers}
    reader = readers.get(library)
    network = reader(source, name, settings) if reader else _from_file(source, settings)
    parameters = inspect.signature(network.module.forward).parameters.values()
    names = [one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    network.inputs = [replace(one) for one in inputs or network.inputs]
    if not network.inputs:
        raise InputError(f"{source}: its inputs are unknown; give --input with the shape of a row, such as 3,224,224")
    for one in network.inputs:
        free = [name for name in names if name not in {other.name for other in network.inputs}]
        if (one.name and one.name not in names) or not (one.name or free):
            raise InputError(f"--input {one.name}: forward takes {', '.join(names) or 'no inputs with a name'}")
        one.name = one.name or free[0]
    return network


def scalings_of(config: Any) -> list[dict]:
    """Llama 3.1's scalings of rotary positions in a configuration of transformers."""
    rope = getattr(config, "rope_parameters", None) or {}
    found = [one for one in (rope, *rope.values()) if isinstance(one, dict) and one.get("rope_type") == "llama3"]
    keys = ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings")
    return [{"rope_theta": one["rope_theta"], "llama3": [one[key] for key in keys]} for one in found]
