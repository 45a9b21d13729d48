"""Helpers for the tests of scripts. Importing this lets them import the scripts from any working directory."""

import sys
import unittest
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


def main() -> None:
    unittest.main(verbosity=2)
