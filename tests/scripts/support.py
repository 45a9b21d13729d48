"""Helpers for the tests of scripts."""

import contextlib
import io
import sys
from collections.abc import Callable
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


def make_fake_mpsbench(folder: Path) -> Path:
    """Makes a program in FOLDER that runs fake_mpsbench.py."""
    path = folder / "mpsbench"
    script = Path(__file__).with_name("fake_mpsbench.py")
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{SCRIPTS}" exec "{sys.executable}" "{script}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)
    return path


def run(script_main: Callable[[list[str]], object], *words: object) -> tuple[object, str, str]:
    """Calls SCRIPT_MAIN with WORDS as arguments. Returns what it returns or exits with, stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = script_main([str(word) for word in words])
        except SystemExit as end:
            code = end.code
    return code, out.getvalue(), err.getvalue()
