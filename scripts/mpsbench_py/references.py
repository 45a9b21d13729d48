"""The bundled networks in Python, by mpsbench's names: from torchvision, transformers or a few lines of torch.nn."""

import re
from collections import OrderedDict
from typing import Any

import torch
from torch import nn

from mpsbench_py import own_networks, torchvision_models, transformers_models

_TORCHVISION = re.compile(r"alexnet|vgg(11|13|16|19)(_bn)?|resnet(18|34|50|101|152)")
_BERT_SIZES = {
    "bert-base": {},
    "bert-large": {
        "hidden_size": 1024,
        "num_hidden_layers": 24,
        "num_attention_heads": 16,
        "intermediate_size": 4096,
    },
    "bert-tiny": {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 512},
}
_BERT_CLASSES = 6


class UnknownError(Exception):
    """There is no Python reference for a model, loss or optimizer of this name."""


def _chain(**layers: nn.Module) -> nn.Module:
    return nn.Sequential(OrderedDict(layers))


def _mlp() -> nn.Module:
    return _chain(
        fc1=nn.Linear(1024, 512), relu1=nn.ReLU(), fc2=nn.Linear(512, 256), relu2=nn.ReLU(), fc3=nn.Linear(256, 10)
    )


def _mlp_mnist() -> nn.Module:
    layers: list[nn.Module] = []
    for inputs, outputs in ((784, 256), (256, 128), (128, 64)):
        layers += [nn.Linear(inputs, outputs, bias=False), nn.ReLU()]
    return _chain(flatten=nn.Flatten(), classifier=nn.Sequential(*layers, nn.Linear(64, 10)))


def _lenet5() -> nn.Module:
    features = nn.Sequential(
        nn.Conv2d(1, 6, 5), nn.Tanh(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.Tanh(), nn.MaxPool2d(2)
    )
    classifier = nn.Sequential(nn.Linear(400, 120), nn.Tanh(), nn.Linear(120, 84), nn.Tanh(), nn.Linear(84, 10))
    return _chain(features=features, flatten=nn.Flatten(), classifier=classifier)


_SMALL = {"mlp": _mlp, "mlp-mnist": _mlp_mnist, "lenet5": _lenet5, "unet": own_networks.UNet}
_SMALL |= {"dit-b-2": own_networks.DiT}


def _bert(name: str, dropout: float | None) -> nn.Module:
    torchvision_models.make_importable()
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(num_labels=_BERT_CLASSES, attn_implementation="sdpa", **_BERT_SIZES[name])
    if dropout is not None:
        config.hidden_dropout_prob = dropout
        config.attention_probs_dropout_prob = dropout
    return BertForSequenceClassification(config)


# torchvision's name, what is called dropout there, and other settings.
_AUXILIARY = ("inception-v3", "googlenet")
_INITIALISED = {"init_weights": True}
_RENAMED: dict[str, tuple[str, tuple[str, ...], dict[str, Any]]] = {
    "vit-b-16": ("vit_b_16", ("dropout", "attention_dropout"), {}),
    "convnext-tiny": ("convnext_tiny", (), {}),
    "swin-tiny": ("swin_t", (), {}),
    "efficientnet-b0": ("efficientnet_b0", ("dropout",), {}),
    "mobilenet-v2": ("mobilenet_v2", ("dropout",), {}),
    "mobilenet-v3-small": ("mobilenet_v3_small", ("dropout",), {}),
    "densenet121": ("densenet121", ("drop_rate",), {}),
    "regnet-y-400mf": ("regnet_y_400mf", (), {}),
    "squeezenet1_1": ("squeezenet1_1", ("dropout",), {}),
    "shufflenet-v2": ("shufflenet_v2_x1_0", (), {}),
    "inception-v3": ("inception_v3", ("dropout",), _INITIALISED),
    "googlenet": ("googlenet", ("dropout", "dropout_aux"), _INITIALISED),
}


def _torchvision(name: str, dropout: float | None, training: bool = True) -> nn.Module:
    original, called, others = _RENAMED.get(name, (name, () if name.startswith("resnet") else ("dropout",), {}))
    options = others if dropout is None else others | dict.fromkeys(called, dropout)
    if name in _AUXILIARY:
        options = options | {"aux_logits": training}
    network = torchvision_models.load().get_model(original, weights=None, **options)
    for module in network.modules():
        if dropout == 0 and type(module).__name__ == "StochasticDepth":
            module.p = 0.0
    return network


def _vgg16_bn_cifar10(dropout: float | None) -> nn.Module:
    """The network of the article's script, which replaces the last layer."""
    network = _torchvision("vgg16_bn", dropout)
    network.classifier[6] = nn.Linear(4096, 10)
    return network


def build(
    name: str,
    seed: int,
    dropout: float | None = None,
    changes: dict[str, float] | None = None,
    training: bool = True,
) -> nn.Module:
    """The network NAME with random weights from SEED. If it has dropout, DROPOUT sets it; None keeps the original's.
    CHANGES are those of --set, for networks that transformers has. Auxiliary heads are only for TRAINING.
    """
    torch.manual_seed(seed)
    if name in _SMALL:
        return _SMALL[name]()
    if name in _BERT_SIZES:
        return _bert(name, dropout)
    if name == "vgg16_bn-cifar10":
        return _vgg16_bn_cifar10(dropout)
    if transformers_models.has(name):
        return transformers_models.build(name, (changes or {}) | ({} if dropout is None else {"dropout": dropout}))
    if name in _RENAMED or _TORCHVISION.fullmatch(name):
        return _torchvision(name, dropout, training)
    raise UnknownError(f"no Python reference for the model '{name}'")


def spread_constants(model: nn.Module, seed: int) -> None:
    """Changes weights and statistics that are constant at first, so that a test notices if two of them are swapped."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, tensor in model.state_dict().items():
            if not tensor.is_floating_point() or tensor.min() != tensor.max():
                continue
            if name.endswith("running_var"):
                tensor.mul_(torch.empty_like(tensor).uniform_(0.5, 1.5, generator=generator))
            else:
                tensor.add_(torch.empty_like(tensor).normal_(0, 0.05, generator=generator))


def is_input(name: str) -> bool:
    """Whether the tensor NAME in a dumped first step is an input of the network."""
    return name not in ("target", "logits", "loss") and not name.startswith("grad.")


# A network's auxiliary outputs add this part of their loss, as in the papers.
_FACTORS = {"InceptionOutputs": 0.4, "GoogLeNetOutputs": 0.3}


def run(model: nn.Module, inputs: dict[str, torch.Tensor]) -> Any:
    """The logits of one forward pass, and auxiliary outputs if there are any. INPUTS have mpsbench's names."""
    output = model(inputs["input"]) if "input" in inputs else model(**inputs)
    return output if isinstance(output, torch.Tensor) or type(output).__name__ in _FACTORS else output.logits


def logits(output: Any) -> torch.Tensor:
    """The logits of what run() returns."""
    return output if isinstance(output, torch.Tensor) else output.logits


def _next_token(output: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return nn.functional.cross_entropy(output[:, :-1].flatten(0, 1), target[:, 1:].flatten())


def loss(kind: str, output: Any, target: torch.Tensor) -> torch.Tensor:
    """The loss of what run() returns."""
    if not isinstance(output, torch.Tensor):
        first, *others = (loss(kind, one, target) for one in output)
        return first + _FACTORS[type(output).__name__] * sum(others)
    losses = {
        "cross_entropy": nn.functional.cross_entropy,
        "next_token_cross_entropy": _next_token,
        "token_cross_entropy": lambda output, target: nn.functional.cross_entropy(
            output.flatten(0, 1), target.flatten()
        ),
        "bce_with_logits": nn.functional.binary_cross_entropy_with_logits,
        "mse": nn.functional.mse_loss,
        "mean": lambda output, _: output.mean(),
    }
    if kind not in losses:
        raise UnknownError(f"no Python reference for the loss '{kind}'")
    return losses[kind](output, target)


def optimizer(kind: str, settings: dict[str, float], model: nn.Module, fused: bool) -> torch.optim.Optimizer:
    """torch.optim's optimizer with mpsbench's SETTINGS, in its default or its fused implementation."""
    options = dict(settings)
    for switch in ("nesterov", "amsgrad", "maximize"):
        if switch in options:
            options[switch] = bool(options[switch])
    if "beta1" in options:
        options["betas"] = (options.pop("beta1"), options.pop("beta2"))
    classes = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
    if kind not in classes:
        raise UnknownError(f"no Python reference for the optimizer '{kind}'")
    return classes[kind](model.parameters(), **options, **({"fused": True} if fused else {}))
