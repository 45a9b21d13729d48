"""Makes reports with any number of cases from one measured case, to test pages."""

import copy
import random

MODES = {"train": 3.0, "infer": 1.0}  # the relative time of a step
BATCHES = tuple(2**power for power in range(8))


def _launches(source: list[dict], rng: random.Random, factor: float, launches: int, samples: int) -> list[dict]:
    made = []
    for index in range(launches):
        launch = copy.deepcopy(source[index % len(source)])
        level = factor * rng.gauss(1, 0.01)
        times = launch["samples_seconds"]
        launch |= {
            "index": index,
            "samples_seconds": [level * times[i % len(times)] * (1 + rng.expovariate(60)) for i in range(samples)],
            "warmup_samples_seconds": [level * one for one in launch["warmup_samples_seconds"]],
            "latency_samples_seconds": launch["latency_samples_seconds"][:samples],
            "losses": launch["losses"][:samples],
        }
        made.append(launch)
    return made


def multiplied(report: dict, cases: int, launches: int = 3, samples: int = 300, seed: int = 0, host: str = "") -> dict:
    """A report with CASES cases of made-up networks. Their times are those of REPORT's first good case, scaled."""
    rng = random.Random(seed)
    source = next(case for case in report["cases"] if case["status"] == "ok" and case["launches"])
    planned = next(one for one in report["run"]["planned"] if one["id"] == source["id"])
    result = copy.deepcopy(report)
    result["run"] |= {"id": f"{seed:016x}", "plan": [], "planned": []}
    result["host"]["name"] = host or result["host"]["name"]
    result["cases"] = []
    device = source["spec"]["device"]
    for number in range(cases):
        batch = BATCHES[number % len(BATCHES)]
        mode = list(MODES)[number // len(BATCHES) % len(MODES)]
        model = f"network{number // (len(BATCHES) * len(MODES))}"
        name = f"{model}/{mode}/{device}/b{batch}/fp32/eager/synthetic"
        spec = {**source["spec"], "model": model, "mode": mode, "batch_size": batch, "engine": "eager"}
        factor = MODES[mode] * (4 + batch) / 4 * (1 + 0.3 * seed)
        step = source["metrics"]["step_seconds"]
        metrics = copy.deepcopy(source["metrics"])
        metrics["step_seconds"] |= {
            key: [factor * one for one in value] if key == "ci95" else factor * value
            for key, value in step.items()
            if value is not None and key != "count"
        }
        made = _launches(source["launches"], rng, factor, launches, samples)
        result["cases"].append({**source, "id": name, "spec": spec, "metrics": metrics, "launches": made})
        result["run"]["planned"].append({**planned, "id": name, "spec": spec})
        result["run"]["plan"].append(name)
    return result
