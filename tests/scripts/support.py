"""How these test files are run by ctest: from anywhere."""

import sys
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
sys.path.append(str(SCRIPTS.parent / "tests"))


def make_fake_mpsbench(folder: Path) -> Path:
    """A program in FOLDER that runs fake_mpsbench.py."""
    path = folder / "mpsbench"
    script = Path(__file__).with_name("fake_mpsbench.py")
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def main() -> None:
    unittest.main(verbosity=2)
