"""Runs the mpsbench program and reads its reports."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


class RunError(Exception):
    """mpsbench is missing or failed. The message is the end of what it printed."""


def default_program() -> str:
    built = ROOT / "build" / "release" / "bin" / "mpsbench"
    return str(built) if built.is_file() else "mpsbench"


def bundled_models() -> list[str]:
    return sorted(path.stem for path in (ROOT / "models").glob("*.json"))


def run_case(program: str, options: list[str], report: Path) -> dict:
    """Runs `mpsbench run OPTIONS` and returns the only case of its report, which is written to REPORT."""
    if shutil.which(program) is None:
        raise RunError(f"no program '{program}': build it with scripts/mpsbench, or name it with --mpsbench PATH")
    command = [program, "run", *options, "--export-json", str(report), "--quiet", "--no-progress"]
    done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    cases = json.loads(report.read_text(encoding="utf-8"))["cases"] if report.is_file() else []
    for case in cases:
        if case["failure"]:
            raise RunError(f"{case['id']}: {case['status']}: {case['failure']['message']}")
    if done.returncode != 0 or len(cases) != 1:
        words = done.stderr.strip().splitlines() or ["no message"]
        raise RunError(f"exit {done.returncode}, {len(cases)} cases: {' / '.join(words[-2:])}")
    return cases[0]


def parameters_of(model: str) -> dict[str, Any]:
    """The parameters of the bundled definition MODEL."""
    path = ROOT / "models" / f"{model}.json"
    if not path.is_file():
        raise RunError(f"no model '{model}' in {path.parent}")
    return json.loads(path.read_text(encoding="utf-8")).get("parameters", {})


def dropout_options(model: str, dropout: float | None) -> list[str]:
    """The options that give MODEL this DROPOUT if it has any. None keeps its own; 0 is also for what else drops out."""
    parameters = parameters_of(model)
    options = ["--dropout", str(dropout)] if dropout is not None and "dropout" in parameters else []
    others = [name for name in ("stochastic_depth", "auxiliary_dropout") if name in parameters]
    return options + (["--set", ",".join(f"{name}=0" for name in others)] if others and dropout == 0 else [])
