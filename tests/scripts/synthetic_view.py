"""Makes views of any size for the chart tests, with the keys of the view that mpsbench writes into pages."""

import json
import random
import statistics

MODELS = ("vgg16", "resnet50", "bert-base", "mlp", "lenet5", "alexnet", "resnet152", "vgg19", "bert-tiny", "mlp-mnist")
MODES = {mode: {"speed": "rows_per_second"} for mode in ("train", "infer", "data")}
MODES["generate"] = {"speed": "tokens_per_second"}
ROW_SECONDS = (0.12, 0.05, 0.2, 2e-6, 3e-5, 0.01, 0.15, 0.16, 4e-4, 1e-6)


def figure(value: float, low: float | None, high: float | None) -> list:
    return [value, low, high, f"{value:.4g}", "±?" if low is None else "±2.0 %"]


def _launch(rng: random.Random, number: int, step: float, samples: int) -> dict:
    values = [step * (1 + rng.expovariate(80)) for _ in range(samples)]
    return {
        "name": str(number + 1),
        "cells": ["100 ms", "99 ms", "120 ms", f"{samples} × 1", "6", "900 ms", "max-noise"],
        "throttled": False,
        "samples": {"count": samples, "values": values},
        "warmup": {"count": 6, "values": [step * (1 + 0.8 / (n + 1)) for n in range(6)]},
    }


def set_step(case: dict, step: float) -> None:
    """Also sets the rate."""
    case["f"]["step_seconds"] = figure(step, 0.985 * step, 1.02 * step)
    rate = case["batch"] * case["ranks"] / step
    case["f"][MODES[case["mode"]]["speed"]] = figure(rate, rate / 1.02, rate / 0.985)


def make(models: int, modes=("train", "infer"), batches=(4,), samples: int = 40, machines=("AMD EPYC 9654",)) -> dict:
    """A view of all combinations. Each machine is twice as fast as the one before it."""
    rng = random.Random(7)
    cases = []
    for machine in range(len(machines)):
        for model, row in zip(MODELS[:models], ROW_SECONDS, strict=False):
            for mode in modes:
                for batch in batches:
                    step = row * (3 if mode == "train" else 1) * (0.3 + batch) / 2**machine
                    launches = [_launch(rng, number, step, samples) for number in range(3)]
                    medians = [statistics.median(launch["samples"]["values"]) for launch in launches]
                    distribution = {"low": 0, "high": 1, "counts": [[1]] * 3, "medians": medians}
                    case = {"m": machine, "model": model, "mode": mode, "precision": "fp32", "batch": batch, "ranks": 1}
                    case |= {"name": f"batch {batch}", "series": "", "remarks": "", "f": {}}
                    case["details"] = {"launches": launches, "distribution": distribution}
                    set_step(case, step)
                    cases.append(case)
    subtitle = f"{len(cases)} cases, 2026-11-21, LibTorch 2.13.0+cpu"
    view = {"title": " and ".join(machines), "subtitle": subtitle, "machines": list(machines), "modes": MODES}
    return view | {"cases": cases}


def fail(case: dict, remarks: str) -> None:
    case |= {"remarks": remarks, "f": {}, "details": {"launches": [], "distribution": None}}


def page(view: dict) -> str:
    return f'<script type="application/json" id="view">{json.dumps(view)}</script>'
