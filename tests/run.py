"""Runs the unittest cases of a file: run.py FILE [ARGUMENTS OF THE FILE...] [ARGUMENTS OF UNITTEST...]

The file takes its own arguments out of sys.argv. It can import what is beside it, in this folder, and in scripts.
"""

import sys
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent

if __name__ == "__main__":
    file = Path(sys.argv.pop(1)).resolve()
    scripts = TESTS.parent / "scripts"
    sys.path[:0] = [str(file.parent), str(TESTS), str(scripts), str(scripts / "dev")]
    unittest.main(module=file.stem, verbosity=2)
