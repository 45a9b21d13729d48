"""The bundled decoders in transformers. Their sizes are the parameters of mpsbench's definition."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from torch import nn

from mpsbench_py import torchvision_models

ROOT = Path(__file__).resolve().parents[2]
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


def _phi3(sizes: Sizes) -> dict:
    padding = 32000 if sizes["vocabulary"] > 32000 else None
    return _llama(sizes, _rope(1e4), 1e-5, False, pad_token_id=padding, sliding_window=sizes["window"])


# The names of transformers' classes, and the settings of a configuration.
_DECODERS: dict[str, tuple[str, Callable[[Sizes], dict]]] = {
    "gpt2": ("GPT2", _gpt2),
    "smollm2-135m": ("Llama", lambda sizes: _llama(sizes, _rope(1e5), 1e-5, True)),
    "llama-3.2-1b": ("Llama", lambda sizes: _llama(sizes, _llama3(32.0), 1e-5, True)),
    "llama-3.1-8b": ("Llama", lambda sizes: _llama(sizes, _llama3(8.0), 1e-5, False)),
    "qwen2.5-0.5b": ("Qwen2", lambda sizes: _llama(sizes, _rope(1e6), 1e-6, True)),
    "qwen3-0.6b": ("Qwen3", lambda sizes: _llama(sizes, _rope(1e6), 1e-6, True)),
    "gemma-3-270m": ("Gemma3", _gemma),
    "mistral-7b": ("Mistral", lambda sizes: _llama(sizes, _rope(1e6), 1e-5, False, sliding_window=None)),
    "phi-3-mini-4k": ("Phi3", _phi3),
}

# Networks whose step needs more memory than most machines have.
LARGE = ("llama-3.1-8b", "mistral-7b", "phi-3-mini-4k")


def definition_of(model: str) -> Path:
    """The file of MODEL, which is a bundled definition's name or a file."""
    return Path(model) if model.endswith(".json") else ROOT / "models" / f"{model}.json"


def is_decoder(model: str) -> bool:
    return definition_of(model).stem in _DECODERS


def build(model: str, dropout: float | None) -> nn.Module:
    """The decoder of a definition. A file has other sizes, and the name of a bundled definition."""
    torchvision_models.make_importable()
    import transformers

    file = definition_of(model)
    sizes = json.loads(file.read_text(encoding="utf-8"))["parameters"]
    if dropout is not None:
        sizes["dropout"] = dropout
    family, settings = _DECODERS[file.stem]
    config = getattr(transformers, {"Gemma3": "Gemma3TextConfig"}.get(family, f"{family}Config"))
    head = {"GPT2": "GPT2LMHeadModel"}.get(family, f"{family}ForCausalLM")
    return getattr(transformers, head)(config(use_cache=False, attn_implementation="sdpa", **settings(sizes)))


def unshared(tensors: dict) -> dict:
    """TENSORS of a state dict, each tied one once: safetensors refuses two names for one tensor."""
    first = {tensor.data_ptr(): name for name, tensor in reversed(tensors.items())}
    return {name: tensor.contiguous() for name, tensor in tensors.items() if first[tensor.data_ptr()] == name}
