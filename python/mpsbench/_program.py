"""Runs the program mpsbench."""

import re
import shutil
import subprocess
import sysconfig
import tempfile
import warnings
from pathlib import Path

from mpsbench._records import Record, load

# What the exit codes of a run mean that wrote its report.
_MEANINGS = {
    1: "a case is slower, worse or undecided",
    3: "a case cannot run here",
    5: "some launches did not finish or did not start, or an output is incomplete",
    130: "the run was interrupted",
}
_COLOUR = re.compile("\x1b\\[[0-9;]*m")


class ProgramError(RuntimeError):
    """mpsbench ended without a report. returncode is its exit code; stderr has what it said."""

    def __init__(self, returncode: int, stderr: str):
        super().__init__(stderr.strip() or f"mpsbench ended with exit code {returncode} and wrote no report")
        self.returncode = returncode
        self.stderr = stderr


def program() -> str:
    """Returns the path of the program: the one that pip installed with this package, otherwise the one on the PATH."""
    for scheme in (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user")):
        own = Path(sysconfig.get_path("scripts", scheme)) / "mpsbench"
        if own.is_file():
            return str(own)
    found = shutil.which("mpsbench")
    if found is None:
        raise FileNotFoundError("the program mpsbench is neither in this environment nor on the PATH")
    return found


def _wanted_report(words: list[str]) -> Path | None:
    """Returns the report that WORDS ask for with --export-json."""
    for at, word in enumerate(words):
        name, is_joined, value = word.partition("=")
        if name != "--export-json":
            continue
        if not is_joined and at + 1 == len(words):
            raise ValueError("--export-json: its value, the name of a file, is missing")
        return Path(value if is_joined else words[at + 1])
    return None


def _written_at(report: Path) -> int | None:
    return report.stat().st_mtime_ns if report.is_file() else None


def _call(words: list[str]) -> tuple[int, str]:
    """Runs the program. Returns its exit code and what it wrote to stderr."""
    process = subprocess.Popen([program(), *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        said = process.communicate()[1]
    except KeyboardInterrupt:
        process.communicate()  # Ctrl-C reached the program, too: it stops and writes its report
        raise
    return process.returncode, said


def _pass_on(code: int, said: str) -> None:
    """Warns the caller of run() as the program warned its user, and of an exit code other than 0."""
    lines = _COLOUR.sub("", said).splitlines()
    found = [line.removeprefix("warning: ") for line in lines if line.startswith("warning: ")]
    if code != 0:
        found.append(f"mpsbench ended with exit code {code}: {_MEANINGS.get(code, 'see its messages')}")
    for text in found:
        warnings.warn(text, RuntimeWarning, stacklevel=3)


def run(*arguments: object) -> list[Record]:
    """Runs `mpsbench run ARGUMENTS` and returns the records of its report, as load() does.

    Arguments that are not text, such as numbers and paths, become text. The report is kept only if ARGUMENTS have
    --export-json. The program's warnings become Python's (RuntimeWarning), and so does an exit code other than 0.
    Raises ProgramError if there is no report. After Ctrl-C it waits until the program has ended.
    """
    if any(isinstance(one, list | tuple) for one in arguments):
        raise TypeError("run() takes single words, such as run('-m', 'mlp'); write run(*words) for a list")
    words = [str(one) for one in arguments]
    with tempfile.TemporaryDirectory() as folder:
        path = _wanted_report(words)
        if path is None:
            path = Path(folder) / "report.json"
            words += ["--export-json", str(path)]
        earlier = _written_at(path)
        code, said = _call(["run", *words])
        if _written_at(path) in (None, earlier):
            raise ProgramError(code, said)
        records = load(path)
    _pass_on(code, said)
    return records
