"""Restarts scripts in the project's own Python environment, .venv, if they were started with another one."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"


def has(modules: tuple[str, ...]) -> bool:
    return all(importlib.util.find_spec(module) is not None for module in modules)


def venv_has(modules: tuple[str, ...]) -> bool:
    probe = [str(VENV / "bin/python"), "-c", "import " + ", ".join(modules)]
    return subprocess.run(probe, check=False, capture_output=True).returncode == 0


def go_there() -> None:
    python = str(VENV / "bin/python")
    os.execv(python, [python, *sys.argv])


def install(requirements: str) -> None:
    """Installs packages into .venv, and makes .venv if it is missing. On failure, prints pip's last line and exits."""
    path = ROOT / "scripts" / requirements
    sys.stderr.write(f"installing what this script needs into {VENV}\n")
    commands = [[sys.executable, "-m", "venv", str(VENV)]] * (not VENV.exists())
    commands.append([str(VENV / "bin/python"), "-m", "pip", "install", "--quiet", "-r", str(path)])
    for command in commands:
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            words = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
            sys.stderr.write(f"{words[-1]}\nthis script needs the packages of {path}\n")
            sys.exit(2)


def require(*modules: str, requirements: str | None = None, cure: str = "") -> None:
    """Makes sure that MODULES can be imported: restarts the script in .venv if they are missing here. If .venv lacks
    them, too, installs the file REQUIREMENTS or, without one, prints CURE and exits.
    """
    if has(modules):
        return
    there = Path(sys.prefix).resolve() == VENV.resolve()
    if not there and VENV.is_dir() and venv_has(modules):
        go_there()
    if requirements is None or there:
        missing = ", ".join(module for module in modules if not has((module,)))
        sys.stderr.write(f"{Path(sys.argv[0]).name}: {missing} is missing: {cure}\n")
        sys.exit(2)
    install(requirements)
    go_there()
