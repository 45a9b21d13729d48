"""Checks that the report's JSON Schema and the C++ reader agree on a good report and on broken ones: each value of it
is removed, and replaced by others.

Usage: schema_test.py READ_REPORTS_PROGRAM ROOT
"""

import copy
import json
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import wanted

wanted.packages("jsonschema")
from jsonschema import Draft202012Validator  # noqa: E402

REMOVED = object()
OTHERS = (REMOVED, None, -1, 2.5, "x", {})
# What the golden report lacks.
RANK = json.loads(
    """{"rank": 1, "device": "cuda:1", "device_name": "NVIDIA H100", "host": "other", "status": "oom",
    "failure": {"kind": "oom", "message": "needs 14 GiB", "detail": ""}, "first_step_seconds": 0.25,
    "working_threads": {"count": 2, "cpus": "0-1"}, "peak_resident_bytes": 1000, "peak_device_bytes": 2000,
    "peak_reserved_bytes": 3000, "samples_seconds": [0.001, 0.002], "compute_step_seconds": 0.001,
    "sensors": [{"name": "gpu_energy", "unit": "J", "value": 640}], "sensor_notes": {"gpu_throttled": "too old"}}"""
)
COMMUNICATION = {"compute_step_seconds": 0.001, "average_seconds": 0.0005, "bytes": 4000, "buckets": 1}
PUBLISHED = json.loads(
    """{"source": "a file", "url": "https://example.org/a", "cautions": ["coarse-resolution"], "remark": "",
    "speed_up": 2.5, "figures": {"total_minutes": 51.44}}"""
)
# These stand a second time elsewhere.
TWICE = (["cases", 0, "spec"], ["cases", 0, "failure"], ["cases", 0, "metrics", "latency_seconds"])
# What a JSON Schema cannot say, or not as clearly.
BY_READER_ALONE = re.compile(
    r"must (name|have) the cases of|lacks this case's|does not match its SHA-256|, which the (key|purposes)"
    r"|unknown device|expected \[low, high\]"
)


def paths(value: object, path: list) -> Iterator[list]:
    if path in TWICE:
        return
    if path:
        yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, inner in entries:
        yield from paths(inner, [*path, key])


def changed(report: dict, path: list, value: object) -> dict:
    result = copy.deepcopy(report)
    place = result
    for key in path[:-1]:
        place = place[key]
    if value is REMOVED:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return result


def main(program: str, root: pathlib.Path) -> int:
    schema = json.loads((root / "configs/schema/report.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    report = json.loads((root / "tests/schema/golden/full.json").read_text(encoding="utf-8"))
    launch = report["cases"][0]["launches"][0]
    launch["ranks"], launch["communication"] = [RANK], COMMUNICATION
    second = copy.deepcopy(report["cases"][0]) | {"id": "published", "launches": [], "published": PUBLISHED}
    report["cases"].append(second)
    report["run"]["planned"].append(report["run"]["planned"][0] | {"id": "published"})
    report["run"]["plan"].append("published")
    reports = {"the report": report}
    for path in paths(report, []):
        for value in OTHERS:
            what = "removed" if value is REMOVED else f"= {json.dumps(value)}"
            reports[f"{'.'.join(map(str, path))} {what}"] = changed(report, path, value)
    reports["surprise"] = {**report, "surprise": 1}
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / f"{number}.json" for number in range(len(reports))]
        for file, one in zip(files, reports.values(), strict=True):
            file.write_text(json.dumps(one), encoding="utf-8")
        read = subprocess.run([program, *files], check=True, capture_output=True, text=True).stdout.splitlines()
    said = dict(zip(reports, read, strict=True))
    wrong = []
    for (what, one), line in zip(reports.items(), read, strict=True):
        error = next(validator.iter_errors(one), None)
        # The reader takes null for a missing key, where the key may be missing.
        is_null_as_missing = line == "ok" == said.get(what.removesuffix(" = null") + " removed")
        if (line == "ok") != (error is None) and not is_null_as_missing and not BY_READER_ALONE.search(line):
            wrong.append(f"{what}: the reader says {line}, the schema {error.message[:80] if error else 'ok'}")
    refused = sum(line != "ok" for line in read)
    print("\n".join([*wrong, f"{len(read)} reports, {refused} refused, {len(wrong)} judged differently"]))
    return 1 if wrong or read[0] != "ok" or refused < len(read) / 2 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
