"""Helpers for the tests of the compiler. Importing this lets them import its files and the scripts."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILER = ROOT / "compiler"
sys.path[:0] = [str(COMPILER), str(ROOT / "scripts" / "dev")]
sys.path.append(str(ROOT / "tests"))
