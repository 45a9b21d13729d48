"""How these test files are run by ctest: from anywhere, and skipped with a reason where a package is missing."""

import importlib.util
import sys
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

SKIPPED = 77  # SKIP_RETURN_CODE in cmake/python_tests.cmake


def require(*packages: str) -> None:
    """Ends the test program as skipped when one of PACKAGES is missing; call it before the imports that need them."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {sys.executable} has no {', '.join(missing)}")
        sys.exit(SKIPPED)


def make_fake_mpsbench(folder: Path) -> Path:
    """A program in FOLDER that runs fake_mpsbench.py."""
    path = folder / "mpsbench"
    script = Path(__file__).with_name("fake_mpsbench.py")
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def main() -> None:
    unittest.main(verbosity=2)
