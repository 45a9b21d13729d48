"""Makes reports from figures that others published, which are in published_figures.json."""

import json
from pathlib import Path

from mpsbench_py.published_cases import cases_of_run, definition_of, result_of, sha256_of


def host_of(host: dict, torch: str | None) -> dict:
    system = {
        "name": host.get("os", ""),
        "version": host.get("os_version", ""),
        "kernel": "",
        "arch": host.get("arch", ""),
    }
    accelerators = host.get("accelerators", {})
    return {
        "name": host["name"],
        "os": system,
        "cpu": {
            "model": host.get("cpu", ""),
            "physical_cores": host.get("physical_cores"),
            "performance_cores": None,
            "efficiency_cores": None,
            "logical_cores": host.get("logical_cores", 0),
            "features": [],
            "governor": None,
        },
        "memory_bytes": host.get("memory_gib", 0) << 30,
        "swap_used_bytes": None,
        "disk_free_bytes": None,
        "disk_total_bytes": host.get("disk_terabytes", 0) * 10**12 or None,
        "gpu_cores": host.get("gpu_cores"),
        "load_average": None,
        "accelerators": [
            {"device": device, "name": name, "memory_bytes": host.get("gpu_memory_gib", 0) << 30 or None}
            for device, name in accelerators.items()
        ],
        "ceilings": [],
        "libtorch": torch
        and {
            "version": torch,
            "cuda": None,
            "cudnn": None,
            "blas": None,
            "architecture": host.get("arch", ""),
            "size_bytes": None,
            "intra_op_threads": 0,
            "inter_op_threads": 0,
            "openmp_runtimes": [],
            "worker_build_type": "",
        },
        "power": {"source": None, "mode": None},
        "environment": {},
    }


def planned_of(result: dict) -> dict:
    measure = {"warmup": "auto", "min_time_seconds": 0.0, "max_time_seconds": 0.0, "max_noise": 0.0, "min_samples": 1}
    return {
        **{key: result[key] for key in ("id", "definition_sha256", "spec")},
        "measure": measure,
        "repeats": 0,
        "timeout_seconds": 0.0,
        "cooldown_seconds": 0.0,
        "is_bound": False,
        **dict.fromkeys(("weights_path", "data_path", "vocabulary_path", "dump_first_step_path")),
    }


def report_of(name: str, entry: dict, hosts: dict, workloads: dict) -> dict:
    cases = list(entry.get("cases", []))
    for run in entry.get("runs", []):
        cases += cases_of_run(run, workloads[run["workload"]])
    results = [result_of(workloads[case["workload"]], case) for case in cases]
    definitions = [definition_of(workloads[case["workload"]], case) for case in cases]
    return {
        "schema_version": 1,
        "tool": {"name": "make_published.py", "version": "1", "git_commit": None, "build_type": "", "compiler": ""},
        "run": {
            "id": f"published-{name}",
            "started_at": "",
            "finished_at": None,
            "status": "complete",
            "argv": [],
            "seed": 0,
            "suite": "published",
            "strict": False,
            "plan": [result["id"] for result in results],
            "planned": [planned_of(result) for result in results],
            "definitions": {sha256_of(definition): definition for definition in definitions},
        },
        "host": host_of(hosts[entry["host"]], entry["torch"]),
        "cases": results,
    }


def reports(figures: Path) -> dict[str, str]:
    """The JSON text of each report, by the report's name."""
    data = json.loads(figures.read_text(encoding="utf-8"))
    made = {name: report_of(name, entry, data["hosts"], data["workloads"]) for name, entry in data["reports"].items()}
    return {name: json.dumps(report, indent=1, ensure_ascii=False) + "\n" for name, report in made.items()}
