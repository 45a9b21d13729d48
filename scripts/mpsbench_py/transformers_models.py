"""The bundled networks that transformers has. Their sizes are the parameters of mpsbench's definition."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from mpsbench_py import runner, torchvision_models

Sizes = dict[str, Any]


def _rope(theta: float, **scaling: Any) -> dict:
    return {"rope_type": "default", "rope_theta": theta} | scaling


def _llama3(factor: float) -> dict:
    scaling = {"factor": factor, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    return _rope(5e5, rope_type="llama3", original_max_position_embeddings=8192, **scaling)


def _gpt2(sizes: Sizes) -> dict:
    widths = {"n_embd": sizes["hidden"], "n_inner": sizes["intermediate"], "n_positions": sizes["positions"]}
    counts = {"vocab_size": sizes["vocabulary"], "n_layer": sizes["layers"], "n_head": sizes["heads"]}
    return widths | counts | dict.fromkeys(("resid_pdrop", "embd_pdrop", "attn_pdrop"), sizes["dropout"])


def _llama(sizes: Sizes, rope: dict, eps: float, tied: bool, **others: Any) -> dict:
    usual = {
        "vocab_size": sizes["vocabulary"],
        "hidden_size": sizes["hidden"],
        "num_hidden_layers": sizes["layers"],
        "num_attention_heads": sizes["heads"],
        "num_key_value_heads": sizes["kv_heads"],
        "head_dim": sizes["head_dim"],
        "intermediate_size": sizes["intermediate"],
        "attention_dropout": sizes["dropout"],
        "rms_norm_eps": eps,
        "rope_parameters": rope,
        "tie_word_embeddings": tied,
    }
    return usual | dict.fromkeys(("pad_token_id", "bos_token_id", "eos_token_id")) | others


def _gemma(sizes: Sizes) -> dict:
    types = ["full_attention" if layer % 6 == 5 else "sliding_attention" for layer in range(sizes["layers"])]
    rope = {"sliding_attention": _rope(1e4), "full_attention": _rope(1e6)}
    return _llama(
        sizes,
        rope,
        1e-6,
        True,
        pad_token_id=0,
        layer_types=types,
        sliding_window=sizes["window"],
        query_pre_attn_scalar=sizes["head_dim"],
        hidden_activation="gelu_pytorch_tanh",
    )


def _padding(sizes: Sizes, token: int) -> int | None:
    """TOKEN, or None if a small vocabulary lacks it."""
    return token if token < sizes["vocabulary"] else None


def _phi3(sizes: Sizes) -> dict:
    padding = _padding(sizes, 32000)
    return _llama(sizes, _rope(1e4), 1e-5, False, pad_token_id=padding, sliding_window=sizes["window"])


def _experts(sizes: Sizes, rope: dict, eps: float, tied: bool, **others: int | float) -> dict:
    counts = {"num_experts_per_tok": sizes["top_k"]}
    return _llama(sizes, rope, eps, tied) | counts | others


def _olmoe(sizes: Sizes) -> dict:
    return _experts(sizes, _rope(1e4), 1e-5, False, num_experts=sizes["experts"], pad_token_id=1)


def _granite(sizes: Sizes) -> dict:
    factors = {"embedding_multiplier": 12.0, "residual_multiplier": 0.22, "logits_scaling": 6.0}
    others = {"num_local_experts": sizes["experts"], "attention_multiplier": 0.015625, "pad_token_id": 0}
    return _experts(sizes, _rope(1.5e6), 1e-6, True, **factors, **others)


def _encoder(sizes: Sizes, dropouts: tuple[str, ...], **others: int | float | None) -> dict:
    usual = {
        "vocab_size": sizes["vocabulary"],
        "hidden_size": sizes["hidden"],
        "num_hidden_layers": sizes["layers"],
        "num_attention_heads": sizes["heads"],
        "intermediate_size": sizes["intermediate"],
    }
    return usual | dict.fromkeys(dropouts, sizes["dropout"]) | others


def _distilbert(sizes: Sizes) -> dict:
    widths = {"max_position_embeddings": sizes["positions"], "hidden_dim": sizes["intermediate"]}
    return _encoder(sizes, ("dropout", "attention_dropout"), **widths)


def _roberta(sizes: Sizes) -> dict:
    dropouts = ("hidden_dropout_prob", "attention_probs_dropout_prob")
    others = {"max_position_embeddings": sizes["positions"], "type_vocab_size": 1, "layer_norm_eps": 1e-5}
    return _encoder(sizes, dropouts, **others)


def _modernbert(sizes: Sizes) -> dict:
    dropouts = ("embedding_dropout", "attention_dropout", "mlp_dropout")
    others = {"local_attention": 2 * (sizes["window"] - 1), "pad_token_id": _padding(sizes, 50283)}
    return _encoder(sizes, dropouts, **others)


def _vit(sizes: Sizes) -> dict:
    images = {"image_size": sizes["image"], "patch_size": sizes["patch"], "num_labels": sizes["classes"]}
    usual = _encoder({"vocabulary": None} | sizes, ("hidden_dropout_prob", "attention_probs_dropout_prob"))
    return usual | images


def _both(name: str, value: int) -> dict:
    return {f"encoder_{name}": value, f"decoder_{name}": value}


def _whisper(sizes: Sizes) -> dict:
    layers = _both("layers", sizes["layers"]) | _both("attention_heads", sizes["heads"])
    others = {"max_source_positions": sizes["source_positions"], "max_target_positions": sizes["positions"]}
    others |= {"num_mel_bins": sizes["mel_bins"], "pad_token_id": _padding(sizes, 50257), "d_model": sizes["hidden"]}
    dropouts = dict.fromkeys(("dropout", "attention_dropout", "activation_dropout"), sizes["dropout"])
    vocabulary = {"vocab_size": sizes["vocabulary"]}
    return vocabulary | layers | _both("ffn_dim", sizes["intermediate"]) | others | dropouts


def _t5(sizes: Sizes) -> dict:
    widths = {"d_model": sizes["hidden"], "d_kv": sizes["head_dim"], "d_ff": sizes["intermediate"]}
    counts = {"num_layers": sizes["layers"], "num_heads": sizes["heads"], "dropout_rate": sizes["dropout"]}
    others = {"vocab_size": sizes["vocabulary"], "relative_attention_num_buckets": sizes["distances"]}
    return widths | counts | others


# The names of transformers' classes, and the settings of a configuration.
_NETWORKS: dict[str, tuple[str, Callable[[Sizes], dict]]] = {
    "gpt2": ("GPT2", _gpt2),
    "smollm2-135m": ("Llama", lambda sizes: _llama(sizes, _rope(1e5), 1e-5, True)),
    "llama-3.2-1b": ("Llama", lambda sizes: _llama(sizes, _llama3(32.0), 1e-5, True)),
    "llama-3.1-8b": ("Llama", lambda sizes: _llama(sizes, _llama3(8.0), 1e-5, False)),
    "qwen2.5-0.5b": ("Qwen2", lambda sizes: _llama(sizes, _rope(1e6), 1e-6, True)),
    "qwen3-0.6b": ("Qwen3", lambda sizes: _llama(sizes, _rope(1e6), 1e-6, True)),
    "gemma-3-270m": ("Gemma3", _gemma),
    "mistral-7b": ("Mistral", lambda sizes: _llama(sizes, _rope(1e6), 1e-5, False, sliding_window=None)),
    "phi-3-mini-4k": ("Phi3", _phi3),
    "olmoe-1b-7b": ("Olmoe", _olmoe),
    "granite-3.1-1b-a400m": ("GraniteMoe", _granite),
    "distilbert": ("DistilBert", _distilbert),
    "roberta-base": ("Roberta", _roberta),
    "modernbert-base": ("ModernBert", _modernbert),
    "whisper-tiny": ("Whisper", _whisper),
    "t5-small": ("T5", _t5),
    "deit-tiny": ("ViT", _vit),
}
_HEADS = {"GPT2": "LMHeadModel", "ViT": "ForImageClassification"}
_HEADS |= dict.fromkeys(("Whisper", "T5"), "ForConditionalGeneration")
_HEADS |= dict.fromkeys(("DistilBert", "Roberta", "ModernBert"), "ForMaskedLM")

# Networks whose step needs more memory than most machines have.
LARGE = ("llama-3.1-8b", "mistral-7b", "phi-3-mini-4k", "olmoe-1b-7b")


def has(model: str) -> bool:
    return model in _NETWORKS


def _number_all_positions(model: nn.Module) -> None:
    """RoBERTa in transformers leaves padding tokens out when it numbers positions; random tokens are no padding."""

    def number(_module: nn.Module, inputs: tuple, named: dict) -> tuple[tuple, dict]:
        tokens = named["input_ids"]
        positions = torch.arange(2, 2 + tokens.size(1), device=tokens.device)
        return inputs, named | {"position_ids": positions.unsqueeze(0)}

    model.register_forward_pre_hook(number, with_kwargs=True)


def build(model: str, changes: Sizes) -> nn.Module:
    """The network of a bundled definition with CHANGES of its parameters."""
    torchvision_models.make_importable()
    import transformers

    sizes = runner.parameters_of(model) | changes
    family, settings = _NETWORKS[model]
    config = getattr(transformers, {"Gemma3": "Gemma3TextConfig"}.get(family, f"{family}Config"))
    head = getattr(transformers, family + _HEADS.get(family, "ForCausalLM"))
    network = head(config(use_cache=False, attn_implementation="sdpa", **settings(sizes)))
    if family == "Roberta":
        _number_all_positions(network)
    return network


def unshared(tensors: dict) -> dict:
    """TENSORS of a state dict, each tied one once: safetensors refuses two names for one tensor."""
    first = {tensor.data_ptr(): name for name, tensor in reversed(tensors.items())}
    return {name: tensor.contiguous() for name, tensor in tensors.items() if first[tensor.data_ptr()] == name}
