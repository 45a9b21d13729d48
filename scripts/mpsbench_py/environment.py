"""Restarts scripts in an environment that has their packages: .venv of the checkout or one in the user's cache."""

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"  # scripts/test makes it


def has(modules: tuple[str, ...]) -> bool:
    return all(importlib.util.find_spec(module) is not None for module in modules)


def python_of(environment: Path) -> str:
    return str(environment / "bin/python")


def has_there(environment: Path, modules: tuple[str, ...]) -> bool:
    """Whether ENVIRONMENT exists and has MODULES. False in ENVIRONMENT itself, so that no script restarts for ever."""
    if not Path(python_of(environment)).exists() or Path(sys.prefix).resolve() == environment.resolve():
        return False
    probe = [python_of(environment), "-c", "import " + ", ".join(modules)]
    return subprocess.run(probe, check=False, capture_output=True).returncode == 0


def go_to(environment: Path) -> None:
    os.execv(python_of(environment), [python_of(environment), *sys.argv])


def cache_folder() -> Path:
    """The same folder as src/report/host/machine_cache.cpp has."""
    chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
    usual = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return (chosen if chosen.is_absolute() else usual) / "mpsbench"


def own_environment(name: str, requirements: Path) -> Path:
    """Where the environment NAME is kept: another one for each Python and each version of the file REQUIREMENTS."""
    key = hashlib.sha256(requirements.read_bytes() + sys.version.encode()).hexdigest()[:8]
    return cache_folder() / f"{name}-{key}"


def make(environment: Path, requirements: Path, modules: tuple[str, ...]) -> None:
    """Makes ENVIRONMENT with REQUIREMENTS, whose packages have MODULES. Others see it only when it is complete."""
    environment.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=environment.parent) as folder:
        part = Path(folder) / "part"
        commands = [[sys.executable, "-m", "venv", str(part)]]
        commands.append([python_of(part), "-m", "pip", "install", "--quiet", "-r", str(requirements)])
        for command in commands:
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            if done.returncode != 0:
                words = (done.stderr or done.stdout).strip().splitlines() or ["no message"]
                raise OSError(words[-1])
        if not has_there(environment, modules):  # otherwise, another process was faster
            shutil.rmtree(environment, ignore_errors=True)
            part.rename(environment)


def require(*modules: str, cure: str) -> None:
    """Makes sure that MODULES can be imported: restarts the script in .venv if they are missing here. If .venv lacks
    them, too, prints CURE and exits.
    """
    if has(modules):
        return
    if has_there(VENV, modules):
        go_to(VENV)
    give_up(modules, cure)


def require_own(*modules: str, name: str, requirements: str) -> None:
    """Like require(), but if .venv lacks MODULES, too, makes the environment NAME in the user's cache, and says so. On
    failure, prints pip's last line and the command with which users can install REQUIREMENTS themselves, and exits.
    """
    if has(modules):
        return
    path = ROOT / "scripts" / requirements
    own = own_environment(name, path)
    for environment in (VENV, own):
        if has_there(environment, modules):
            go_to(environment)
    cure = f"pip install -r {path}"
    if Path(sys.prefix).resolve() == own.resolve():
        give_up(modules, cure)
    sys.stderr.write(f"installing {', '.join(modules)} into an environment of this script's own, {own}\n")
    try:
        make(own, path, modules)
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        give_up(modules, cure)
    go_to(own)


def give_up(modules: tuple[str, ...], cure: str) -> None:
    missing = [module for module in modules if not has((module,))]
    are = "are" if len(missing) > 1 else "is"
    sys.stderr.write(f"{Path(sys.argv[0]).name}: {', '.join(missing)} {are} missing: {cure}\n")
    sys.exit(2)
