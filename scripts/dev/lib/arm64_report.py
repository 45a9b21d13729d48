"""Checks that a report is from Linux on Arm and that each case and launch in it is ok."""

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
    sys.exit(f"{sys.argv[1]}: the report says {found}; expected {expected}")
