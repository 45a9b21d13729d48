"""Makes reports of any size for the chart tests, with the same keys as mpsbench's reports."""

import random
import statistics

MODELS = (
    "vgg16",
    "resnet50",
    "bert-base",
    "mlp",
    "lenet5",
    "alexnet",
    "resnet152",
    "vgg19_bn",
    "bert-tiny",
    "mlp-mnist",
)
ROW_SECONDS = (0.12, 0.05, 0.2, 2e-6, 3e-5, 0.01, 0.15, 0.16, 4e-4, 1e-6)


def _launch(rng: random.Random, index: int, step: float, samples: int, steps_per_sample: int) -> dict:
    level = step * rng.gauss(1, 0.01)
    drift = rng.choice((0, 0, 0.06))
    values = [level * (1 + drift * n / samples) * (1 + rng.expovariate(80)) for n in range(samples)]
    return {
        "status": "ok",
        "failure": None,
        "index": index,
        "order": index,
        "started_at": "2026-11-21T10:02:03Z",
        "wall_seconds": sum(values),
        "samples_seconds": values,
        "steps_per_sample": steps_per_sample,
        "latency_samples_seconds": [],
        "warmup_samples_seconds": [level * (1 + 0.8 / (n + 1)) for n in range(6)],
        "first_step_seconds": level * 9,
        "setup_seconds": {"load": 0.2, "device": 0.0, "model": 0.1, "data": 0.01},
        "stopped_by": "max-noise",
        "unmet": [],
        "losses": [2.3, 2.2],
        "epochs": [],
        "peak_resident_bytes": 400_000_000,
        "peak_device_bytes": None,
        "peak_reserved_bytes": None,
        "sensors": [],
    }


def _times(values: list[float]) -> dict:
    keys = ("median", "mean", "stddev", "min", "max", "p90", "p99", "ci95")
    if not values:
        return {**dict.fromkeys(keys), "count": 0}
    middle = statistics.median(values)
    return {
        "median": middle,
        "mean": statistics.fmean(values),
        "stddev": statistics.pstdev(values),
        "min": min(values),
        "max": max(values),
        "p90": None,
        "p99": None,
        "ci95": [middle * 0.985, middle * 1.02],
        "count": len(values),
    }


def _case(rng: random.Random, name: str, row_seconds: float, mode: str, device: str, batch: int, samples: int) -> dict:
    step = row_seconds * (3 if mode == "train" else 1) * (0.3 + batch) / (1 if device == "cpu" else 9)
    launches = [_launch(rng, index, step, samples, 1 if step > 1e-3 else 64) for index in range(3)]
    steps = _times([statistics.median(launch["samples_seconds"]) for launch in launches])
    low, high = steps["ci95"]
    rate = {"value": batch / steps["median"], "ci95": [batch / high, batch / low], "kind": "median-step"}
    epoch = {"value": None, "ci95": None, "kind": "projected"}
    return {
        "id": f"{name}/{mode}/{device}/b{batch}/fp32/eager/synthetic",
        "definition_sha256": "0" * 64,
        "spec": {"model": name, "mode": mode, "device": device, "batch_size": batch, "precision": "fp32"},
        "status": "ok",
        "failure": None,
        "launches": launches,
        "metrics": {
            "step_seconds": steps,
            "latency_seconds": _times([]),
            "rows_per_second": rate,
            "epoch_seconds": epoch,
        },
        "flags": ["drifting", "noisy"] if rng.random() < 0.2 else [],
        "notes": {},
    }


def fail(case: dict, status: str) -> None:
    """Removes the results of CASE."""
    case.update(status=status, failure={"kind": status, "message": status, "detail": ""}, launches=[])
    case["metrics"].update(
        step_seconds=_times([]), rows_per_second={"value": None, "ci95": None, "kind": "median-step"}
    )


def make(
    models: int = 1,
    modes: tuple[str, ...] = ("train", "infer"),
    batches: tuple[int, ...] = (4,),
    devices: tuple[str, ...] = ("cpu",),
    samples: int = 60,
    host: str = "amd-epyc-3f2a",
) -> dict:
    rng = random.Random(7)
    chosen = list(zip(MODELS, ROW_SECONDS, strict=True))[:models]
    cases = [
        _case(rng, name, row_seconds, mode, device, batch, samples)
        for name, row_seconds in chosen
        for mode in modes
        for device in devices
        for batch in batches
    ]
    return {
        "schema_version": 1,
        "tool": {"name": "mpsbench", "version": "0.1.0"},
        "run": {
            "id": "r",
            "started_at": "2026-11-21T10:02:03Z",
            "suite": "quick",
            "plan": [c["id"] for c in cases],
        },
        "host": {
            "name": host,
            "cpu": {"model": "AMD EPYC 9V74 80-Core Processor"},
            "accelerators": [],
            "libtorch": {"version": "2.13.0+cpu"},
        },
        "cases": cases,
    }
