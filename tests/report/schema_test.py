"""Checks that the report's JSON Schema and the C++ reader agree on good and on broken reports.

Usage: schema_test.py SAMPLE_REPORT_PROGRAM REPORT_SCHEMA
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import wanted

wanted.packages("jsonschema")
from jsonschema import Draft202012Validator  # noqa: E402

DELETE = object()
CASE = ["cases", 0]
LAUNCH = [*CASE, "launches", 0]
METRICS = [*CASE, "metrics"]
PUBLISHED = ["cases", 3, "published"]
CAUTIONS = (
    *("mislabelled-workload", "older-script-variant", "tf32-by-default", "unstated-work", "invalid-accuracy"),
    *("diverged", "not-learning", "no-synchronise", "read-off-chart", "disagreeing-sources", "coarse-resolution"),
)

# The path of a value, its new value, and whether the report is still valid after the change.
CHANGES = [
    (["schema_version"], 2, False),
    (["schema_version"], "1", False),
    (["schema_version"], DELETE, False),
    (["surprise"], 1, False),
    (["tool", "git_commit"], "0123abc", True),
    (["tool", "git_commit"], DELETE, False),
    (["tool", "has_uncommitted_changes"], True, True),
    (["tool", "has_uncommitted_changes"], "yes", False),
    (["tool", "has_uncommitted_changes"], DELETE, False),
    (["run", "status"], "done", False),
    (["run", "finished_at"], None, True),
    (["run", "seed"], -1, False),
    (["run", "seed"], 2**63, False),
    (["run", "argv"], "mpsbench run", False),
    (["run", "planned", 0, "measure", "warmup"], "2s", True),
    (["run", "planned", 0, "measure", "warmup"], "soon", False),
    (["run", "planned", 0, "measure", "min_samples"], 0, False),
    (["run", "planned", 0, "timeout_seconds"], None, False),
    (["run", "planned", 0, "rendezvous_timeout_seconds"], DELETE, False),
    (["run", "planned", 0, "spec", "scaling"], "linear", False),
    (["run", "planned", 0, "spec", "bucket_bytes"], 0, False),
    (["cases", 1, "launches", 0, "communication", "buckets"], -1, False),
    (["cases", 1, "launches", 0, "communication"], DELETE, True),
    (["cases", 1, "launches", 0, "ranks", 1, "host"], 5, False),
    (["cases", 1, "launches", 0, "ranks", 0, "samples_seconds"], DELETE, True),
    (["cases", 1, "launches", 0, "ranks", 0, "device_name"], 5, False),
    (["cases", 1, "launches", 0, "ranks", 1, "sensors", 0, "value"], None, False),
    (["cases", 1, "launches", 0, "ranks", 1, "sensor_notes"], DELETE, True),
    (["cases", 1, "launches", 0, "ranks", 0, "compute_step_seconds"], -1, False),
    (["run", "definitions"], [], False),
    (["host", "cpu", "logical_cores"], 2.5, False),
    (["host", "cpu", "physical_cores"], None, True),
    (["host", "cpu", "features"], [1], False),
    (["host", "libtorch"], None, True),
    (["host", "libtorch", "version"], None, False),
    (["host", "environment", "OMP_NUM_THREADS"], 4, False),
    (["host", "accelerators", 0, "memory_bytes"], 1 << 34, True),
    (["host", "disk_total_bytes"], DELETE, False),
    (["host", "disk_total_bytes"], None, True),
    (["host", "disk_total_bytes"], -1, False),
    (["host", "gpu_cores"], DELETE, False),
    (["host", "gpu_cores"], 7.5, False),
    (["host", "interconnect"], DELETE, False),
    (["host", "interconnect"], None, True),
    (["host", "interconnect", "numa_nodes", 0], -1, False),
    (["host", "interconnect", "pairs", 0, "path"], "nvlink", True),
    (["host", "interconnect", "pairs", 0, "path"], "string", False),
    (["host", "interconnect", "pairs", 0, "nvlinks"], DELETE, False),
    (["host", "interconnect", "pairs", 0, "peer_access"], False, True),
    (["host", "interconnect", "pairs", 0, "peer_access"], 1, False),
    (["host", "network"], DELETE, False),
    (["host", "network"], None, True),
    (["host", "network", "interface"], None, False),
    (["host", "network", "bits_per_second"], 1e9, True),
    (["host", "network", "infiniband", 0, "bits_per_second"], None, True),
    (["host", "network", "infiniband", 0, "port"], "1", False),
    (["host", "ceilings"], DELETE, False),
    (["host", "ceilings"], None, False),
    (["host", "ceilings"], {}, False),
    (["host", "ceilings", 0, "threads"], None, True),
    (["host", "ceilings", 0, "bytes_per_second"], 0, False),
    (["host", "ceilings", 0, "matmul_flops_per_second", "fp32"], -1, False),
    (["host", "ceilings", 0, "matmul_flops_per_second", "bf16"], None, True),
    (["host", "ceilings", 0, "device"], DELETE, False),
    (["cases"], {}, False),
    ([*CASE, "status"], "fine", False),
    ([*CASE, "failure"], {"kind": "signal", "message": "killed", "detail": ""}, True),
    ([*CASE, "failure"], {"kind": "signal", "message": "killed"}, False),
    ([*CASE, "failure"], "killed", False),
    ([*CASE, "flags"], "noisy", False),
    ([*CASE, "notes", "metrics.ceiling_share"], None, False),
    ([*CASE, "definition_sha256"], DELETE, False),
    ([*CASE, "published"], DELETE, False),
    ([*CASE, "published"], "a file", False),
    ([*PUBLISHED, "url"], None, True),
    ([*PUBLISHED, "source"], None, False),
    *(([*PUBLISHED, "cautions", 0], caution, True) for caution in CAUTIONS),
    ([*PUBLISHED, "cautions", 0], "odd", False),
    ([*PUBLISHED, "speed_up"], None, True),
    ([*PUBLISHED, "speed_up"], 0, False),
    ([*PUBLISHED, "figures", "total_minutes"], "long", False),
    ([*CASE, "spec", "mode"], "test", False),
    ([*CASE, "spec", "batch_size"], 0, False),
    ([*CASE, "spec", "batch_size"], True, False),
    ([*CASE, "spec", "dropout"], 0.5, True),
    ([*CASE, "spec", "dropout"], 1.5, False),
    ([*CASE, "spec", "optimizer", "lr"], "fast", False),
    ([*CASE, "spec", "optimizer", "name"], DELETE, False),
    ([*CASE, "spec", "colour"], "red", False),
    ([*LAUNCH, "samples_seconds", 3], None, False),
    ([*LAUNCH, "samples_seconds"], DELETE, False),
    ([*LAUNCH, "losses", 0], None, True),
    ([*LAUNCH, "losses", 0], "nan", False),
    ([*LAUNCH, "setup_seconds"], None, True),
    ([*LAUNCH, "setup_seconds", "load"], DELETE, False),
    *(
        ([*LAUNCH, "setup_seconds", key], bad, False)
        for key in ("load", "device", "model", "data")
        for bad in (-1, 2e9)
    ),
    *(([*LAUNCH, "samples_seconds", 0], bad, False) for bad in (-1e-9, 2e9)),
    *(([*LAUNCH, "wall_seconds"], bad, False) for bad in (-1, 2e9)),
    *((["cases", 2, "launches", 0, "epochs", 0, "seconds"], bad, False) for bad in (-1, 2e9)),
    ([*LAUNCH, "wall_seconds"], "4", False),
    ([*LAUNCH, "peak_resident_bytes"], -5, False),
    ([*LAUNCH, "sensors", 0, "value"], None, False),
    ([*LAUNCH, "sensors", 0, "max"], 0.5, True),
    ([*LAUNCH, "sensors", 0, "max"], "hot", False),
    ([*LAUNCH, "sensor_notes"], DELETE, False),
    ([*LAUNCH, "sensor_notes"], {"cpu_energy": "no RAPL here"}, True),
    ([*LAUNCH, "sensor_notes"], {"cpu_energy": 1}, False),
    ([*METRICS, "step_seconds", "ci95"], [1], False),
    ([*METRICS, "step_seconds", "ci95"], [1, 2], True),
    ([*METRICS, "step_seconds", "ci95"], None, True),
    ([*METRICS, "step_seconds", "median"], "fast", False),
    ([*METRICS, "epoch_seconds", "kind"], "guessed", False),
    ([*METRICS, "energy_joules_per_row"], 1.5, True),
    ([*METRICS, "energy_method"], DELETE, False),
    ([*METRICS, "ceiling_share"], 1.02, True),
    ([*METRICS, "parameters"], None, True),
    ([*METRICS, "p50"], 1, False),
]


def changed(report: dict, path: list, value: object) -> dict:
    result = copy.deepcopy(report)
    place = result
    for key in path[:-1]:
        place = place[key]
    if value is DELETE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return result


def main() -> int:
    program, schema_file = sys.argv[1:3]
    schema = json.loads(pathlib.Path(schema_file).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    sample = json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "report.json"
        for path, value, good in [([], None, True), *CHANGES]:
            report = changed(sample, path, value) if path else sample
            file.write_text(json.dumps(report), encoding="utf-8")
            read = subprocess.run([program, file], capture_output=True, text=True)
            errors = [f"{e.json_path}: {e.message[:80]}" for e in validator.iter_errors(report)]
            if (read.returncode == 0) != good or read.returncode not in (0, 2) or (not errors) != good:
                wrong += 1
                print(f"{path} = {value!r}: should be {'good' if good else 'refused'}")
                print(f"  reader {read.returncode}: {read.stderr.strip()}\n  schema: {errors}")
    print(f"{len(CHANGES) + 1} reports, {wrong} judged wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
