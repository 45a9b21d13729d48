#!/usr/bin/env python3
"""Checks that the tests find the faults of scripts/dev/planted_faults.json.

All faults are compiled into one build of a copy of the sources, without LibTorch. For each, the tests of its folder run
with the variable PLANTED_FAULT, which chooses it. A fault is found if they fail or do not end in time.

A row of the list has `name`, `folder` of src, `old` (a text that is there once in the folder's sources) and `new` (what
the fault makes of it). Usually both are expressions. Where FAULT is part of `new`, it says whether the fault is chosen,
and `new` takes the place of the whole text. `"tests": NAME` names the test of ctest that runs instead of the folder's
program, such as e2e.commands; it must not need LibTorch, and then all targets are built. `"missed": true` marks what
the tests are known not to find.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_suffix(".json")
HEADER = """#pragma once
#include <cstdlib>
#include <cstring>
inline bool mpsbench_chosen_fault_is(const char* name) {
  static const char* const chosen = std::getenv("PLANTED_FAULT");
  return chosen != nullptr && std::strcmp(chosen, name) == 0;
}
constexpr bool mpsbench_fault(const char* name) {
  return !__builtin_is_constant_evaluated() && mpsbench_chosen_fault_is(name);
}
"""


class FaultError(Exception):
    """The message is one line for the user."""


def read_faults() -> list[dict]:
    faults = json.loads(LIST.read_text(encoding="utf-8"))
    names = [fault["name"] for fault in faults]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise FaultError(f"{LIST.name}: these names stand twice: {', '.join(sorted(twice))}")
    return faults


def place_of(fault: dict, root: Path) -> Path:
    """The only source that has the fault's text."""
    files = (file for file in sorted((root / "src" / fault["folder"]).rglob("*")) if file.suffix in (".cpp", ".hpp"))
    places = [file for file in files for _ in range(file.read_text(encoding="utf-8").count(fault["old"]))]
    if len(places) != 1:
        where = f": {', '.join(str(file.relative_to(root)) for file in places)}" if places else ""
        raise FaultError(f"{fault['name']}: src/{fault['folder']} has {len(places)} times {fault['old']!r}{where}")
    return places[0]


def check_anchors(faults: list[dict], root: Path) -> list[str]:
    problems = []
    for fault in faults:
        try:
            place_of(fault, root)
        except FaultError as problem:
            problems.append(str(problem))
    return problems


def planted(fault: dict) -> str:
    is_chosen = f'mpsbench_fault("{fault["name"]}")'
    if "FAULT" in fault["new"]:
        return fault["new"].replace("FAULT", is_chosen)
    return f"({is_chosen} ? ({fault['new']}) : ({fault['old']}))"


def copy_tree(folder: Path, faults: list[dict]) -> None:
    """Copies the sources with all faults. Leaves files that are already equal, so that little is compiled again."""
    fresh = folder.with_name(f"{folder.name}-fresh")
    shutil.rmtree(fresh, ignore_errors=True)
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0"):
        if (ROOT / name).is_file():
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, fresh / name)
    for fault in faults:
        file = place_of(fault, fresh)
        file.write_text(file.read_text(encoding="utf-8").replace(fault["old"], planted(fault)), encoding="utf-8")
    (fresh / "fault.hpp").write_text(HEADER, encoding="utf-8")
    for file in fresh.rglob("*"):
        before = folder / file.relative_to(fresh)
        if file.is_file() and before.is_file() and file.read_bytes() == before.read_bytes():
            shutil.copystat(before, file)
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)


def program_of(fault: dict) -> str:
    return f"{Path(fault['folder']).name}_tests"


def targets_of(faults: list[dict]) -> list[str]:
    if any("tests" in fault for fault in faults):
        return ["all"]
    return sorted({program_of(fault) for fault in faults})


def command_of(fault: dict, tree: Path, limit: float) -> tuple[str, ...]:
    """Runs the tests that must find the fault."""
    if "tests" in fault:
        only = f"^{re.escape(fault['tests'])}$"
        return "ctest", "--test-dir", str(tree), "-R", only, "--no-tests=error", "--timeout", str(limit)
    return str(tree / "bin" / program_of(fault)), "--gtest_brief=1", "--gtest_fail_fast"


def build(source: Path, tree: Path, targets: Iterable[str], options: list[str]) -> None:
    configure = ["cmake", "-S", source, "--preset", "quick", "-B", tree, "-DMPSBENCH_WERROR=OFF"]
    configure += ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", *options]
    configure.append(f"-DCMAKE_CXX_FLAGS=-include {source / 'fault.hpp'}")
    if ccache := shutil.which("ccache"):
        configure.append(f"-DCMAKE_CXX_COMPILER_LAUNCHER={ccache}")
    for command in (configure, ["cmake", "--build", tree, "--target", *targets]):
        done = subprocess.run([*map(str, command)], cwd=source, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise FaultError(f"cannot build the faults:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def fails(tree: Path, command: tuple[str, ...], name: str, limit: float) -> bool:
    """Whether COMMAND fails or does not end in time with the fault NAME."""
    env = os.environ | {"PLANTED_FAULT": name}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        # ctest, which has the limit itself, ends its test first.
        return subprocess.run(command, env=env, cwd=tree, timeout=limit + 5, check=False, **quiet).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def run(faults: list[dict], tree: Path, limit: float, jobs: int) -> int:
    """Returns the number of faults that are not found although they should be."""
    commands = [command_of(fault, tree, limit) for fault in faults]
    for command in sorted(set(commands)):
        if fails(tree, command, "", limit):
            raise FaultError(f"without any fault, this fails: {' '.join(command)}")
    found = lost = 0
    with ThreadPoolExecutor(jobs) as pool:
        names = [fault["name"] for fault in faults]
        outcomes = pool.map(lambda command, name: fails(tree, command, name, limit), commands, names)
    for fault, is_found in zip(faults, outcomes, strict=True):
        found += is_found
        is_lost = not is_found and not fault.get("missed", False)
        lost += is_lost
        word = "found" if is_found else "NOT FOUND" if is_lost else "missed, as before"
        print(f"{fault['name']:40} {word}", flush=True)
    print(f"{found} of {len(faults)} faults found, {lost} lost")
    return lost


def parse(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--anchors", action="store_true", help="only check that each text is there once")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these faults, or those of these folders")
    parser.add_argument("--limit", type=float, default=120, metavar="SECONDS", help="for each run of a test program")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="runs at once")
    parser.add_argument("--cmake", action="append", default=[], metavar="OPTION", help="an option for CMake")
    return parser.parse_args(words)


def chosen(faults: list[dict], only: list[str] | None) -> list[dict]:
    if not only:
        return faults
    unknown = set(only) - {fault[key] for fault in faults for key in ("name", "folder")}
    if unknown:
        raise FaultError(f"--only: no fault and no folder with faults is {', '.join(sorted(unknown))}")
    return [fault for fault in faults if fault["name"] in only or fault["folder"] in only]


def main(words: list[str]) -> int:
    arguments = parse(words)
    try:
        faults = chosen(read_faults(), arguments.only)
        problems = check_anchors(faults, ROOT)
        if problems or arguments.anchors:
            print("\n".join(problems) or f"{len(faults)} faults, each with its place")
            return 2 if problems else 0
        folder = ROOT / "build" / "faults"
        copy_tree(folder / "source", faults)
        build(folder / "source", folder / "tree", targets_of(faults), arguments.cmake)
        return 1 if run(faults, folder / "tree", arguments.limit, arguments.jobs) else 0
    except FaultError as problem:
        print(f"planted_faults.py: {problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
