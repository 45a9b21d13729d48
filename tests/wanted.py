"""Handles packages and programs that a test needs besides the build, and that the set-up scripts install. If one is
missing, the test is skipped. In CI (if the variable MPSBENCH_CI is set), which runs the set-up, the test fails instead.

If a test needs something that no set-up can install (a GPU, root, another system), skip it in the usual way.
"""

import importlib.util
import os
import shutil
import sys
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

SKIPPED = 77  # the same as SKIP_RETURN_CODE in cmake/python_tests.cmake


def in_ci() -> bool:
    return bool(os.environ.get("MPSBENCH_CI"))


def end(reason: object) -> NoReturn:
    """Ends the test program because something is missing."""
    print(f"{'missing in CI' if in_ci() else 'skipped'}: {reason} ({sys.executable})")
    sys.exit(1 if in_ci() else SKIPPED)


def packages(*names: str) -> None:
    """Ends the test program if one of the Python packages NAMES is missing. Call this before importing them."""
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    if missing:
        end(f"no Python package {', '.join(missing)}")


def skip(reason: object, can_fail: bool = True) -> NoReturn:
    """Ends one test or, in setUpClass, the tests of one class."""
    if can_fail and in_ci():
        raise AssertionError(f"missing in CI: {reason}")
    raise unittest.SkipTest(str(reason))


def program(name: str, path: Path | None = None) -> Callable:
    """A decorator for tests that need the program NAME, which may be in its own PATH. The set-up installs such programs
    on Linux only.
    """
    here = path.exists() if path else shutil.which(name)

    def decorate(test: Callable) -> Callable:
        def without(self: unittest.TestCase) -> None:
            skip(f"{name} is not installed", sys.platform == "linux")

        without.__name__, without.__doc__ = test.__name__, test.__doc__
        return test if here else without

    return decorate
