"""Whether the report of a run on Linux on Arm says so, and that each launch ended well."""

import json
import sys
from pathlib import Path

report = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
found = {
    "processor": report["host"]["os"]["arch"],
    "LibTorch's processor": report["host"]["libtorch"]["architecture"],
    "cases": [case["status"] for case in report["cases"]],
    "launches": [launch["status"] for case in report["cases"] for launch in case["launches"]],
}
expected = {"processor": "aarch64", "LibTorch's processor": "arm64", "cases": ["ok"], "launches": ["ok"]}
if found != expected:
    sys.exit(f"the report says {found}, not {expected}")
