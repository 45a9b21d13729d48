"""Runs clang-tidy on the sources of a build tree that changed, or that include one of our headers that changed.

Few sources are read one by one, which shows that each includes what it uses. Many are read a library at a time, which
takes a tenth of the time.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from changed import ROOT, changed_files

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
MOST_ALONE = 40  # sources that are read one by one
# The compile commands are made for g++.
FOR_CLANG = [f"--extra-arg=-Wno-{one}" for one in ("unknown-warning-option", "unused-command-line-argument")]


def is_concerned(source: Path, changed: set[Path]) -> bool:
    """Whether SOURCE or a header that it includes changed."""
    endings = tuple(f"/{name}" for name in INCLUDE.findall(source.read_text(encoding="utf-8")))
    return source in changed or any(file.as_posix().endswith(endings) for file in changed)


def sources_to_check(build: Path, all_of_them: bool) -> list[Path]:
    entries = json.loads((build / "compile_commands.json").read_text())
    if not entries:
        sys.exit(f"{build}/compile_commands.json lists no sources; configure the tree again")
    sources = {Path(entry["file"]) for entry in entries}
    changed = None if all_of_them else changed_files()
    if changed is None or ROOT / ".clang-tidy" in changed:
        return sorted(sources)
    return sorted(source for source in sources if is_concerned(source, changed))


def units_of(layers: Path, sources: list[Path]) -> list[Path]:
    """What is to be read of the tree LAYERS so that clang-tidy sees all SOURCES."""
    named = {str(source) for source in sources}
    units = [Path(entry["file"]) for entry in json.loads((layers / "compile_commands.json").read_text())]
    return sorted(unit for unit in units if str(unit) in named or named & set(INCLUDE.findall(unit.read_text())))


def check(clang_tidy: str, build: Path, source: Path) -> tuple[Path, int, str]:
    done = subprocess.run(
        [clang_tidy, "-p", str(build), "--quiet", *FOR_CLANG, str(source)], capture_output=True, text=True
    )
    return source, done.returncode, done.stdout + (done.stderr if done.returncode else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang-tidy", required=True)
    parser.add_argument("--build", type=Path, required=True, help="a configured tree with compile_commands.json")
    parser.add_argument("--layers", type=Path, required=True, help="the same with MPSBENCH_UNITY")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="check every source")
    which.add_argument("--changed", action="store_true", help="check the sources that changed (default)")
    options = parser.parse_args()

    build, sources = options.build, sources_to_check(options.build, options.all)
    said = f"{len(sources)} sources"
    if len(sources) > MOST_ALONE:
        build, sources = options.layers, units_of(options.layers, sources)
        said += f", as {len(sources)} units"
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for source, status, output in pool.map(lambda one: check(options.clang_tidy, build, one), sources):
            if status:
                failed += 1
                print(f"{source.relative_to(ROOT)}\n{output}")
    print(f"clang-tidy: {said}, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
