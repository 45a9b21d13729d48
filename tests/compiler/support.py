"""Helpers for the tests of the compiler. Importing this lets them import its files."""

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
COMPILER = ROOT / "compiler"
sys.path.insert(0, str(COMPILER))


def node(
    name: str, kind: str, slot: int, tensors: dict[str, list[int]] | None = None, **options: Any
) -> dict[str, Any]:
    """A layer of a plan, which reads slot SLOT and writes the next one. TENSORS has the shapes of what it trains."""
    usual = {"dtype": "float32", "trainable": True, "is_shared": False}
    own = [{"name": f"{name}.{role}", "role": role, "shape": shape, **usual} for role, shape in (tensors or {}).items()]
    planned = {"linear": {"transposed": False}}.get(kind, {}) | options
    return {"name": name, "type": kind, "options": planned, "tensors": own, "inputs": [slot], "output": slot + 1}


def request(rows: list[int], nodes: list[dict[str, Any]], target: list[int], **changes: Any) -> dict[str, Any]:
    """A request to compile NODES for inputs of the shape ROWS on the CPU."""
    plan = {
        "inputs": [{"dtype": "float32", "shape": rows}],
        "nodes": nodes,
        "output": len(nodes),
        "auxiliary": [],
        "target_dtype": "float32",
        "target_shape": target,
    }
    made = {"network_plan": plan, "mode": "infer", "device": "cpu", "precision": "fp32", "channels_last": False}
    made |= {"drops_out": False, "loss": "mse", "compile_mode": "default", "threads": 1}
    return made | changes
