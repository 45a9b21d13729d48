"""Helpers for the tests of scripts. Importing this lets them import the scripts from any working directory."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "dev")]
sys.path.append(str(SCRIPTS.parent / "tests"))


def make_fake_mpsbench(folder: Path) -> Path:
    """Makes a program in FOLDER that runs fake_mpsbench.py."""
    path = folder / "mpsbench"
    script = Path(__file__).with_name("fake_mpsbench.py")
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def run_on_reports(script_main: Callable[[list[str]], int], *reports: dict) -> tuple[int, str, str]:
    """Runs SCRIPT_MAIN with the files 0.json, 1.json, ... Returns its exit code, stdout and stderr."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, report in enumerate(reports):
            paths.append(Path(folder) / f"{number}.json")
            paths[-1].write_text(json.dumps(report), encoding="utf-8")
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = script_main([*map(str, paths)])
        return code, out.getvalue(), err.getvalue()


def main() -> None:
    unittest.main(verbosity=2)
