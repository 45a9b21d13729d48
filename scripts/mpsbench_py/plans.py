"""The network plans that mpsbench makes of definitions."""

import json
import os
import subprocess
from pathlib import Path

from mpsbench_py.runner import RunError


def planned(program: str, model: str, mode: str, batch: int, folder: Path) -> dict:
    """The request for a launch on the CPU, with the network's plan at "plan". A worker that only keeps its request
    tells it. Files go to FOLDER.
    """
    worker, kept = folder / "worker", folder / "request.json"
    worker.write_text(f'#!/bin/sh\nhead -n 1 >"{kept}"\n', encoding="utf-8")
    worker.chmod(0o755)
    kept.unlink(missing_ok=True)
    command = [program, "run", "-m", model, "--mode", mode, "-d", "cpu", "-b", str(batch), "-r", "1"]
    ran = subprocess.run(
        [*command, "--export-json", str(folder / "report.json")],
        env=os.environ | {"MPSBENCH_WORKER": str(worker)},
        capture_output=True,
        text=True,
    )
    if not kept.exists():
        raise RunError(f"{model}: mpsbench has not planned the network: {ran.stderr}")
    return json.loads(kept.read_text(encoding="utf-8"))
