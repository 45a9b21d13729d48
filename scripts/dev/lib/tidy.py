"""Runs clang-tidy on the sources of a build tree that changed, or that include one of our headers that changed.

Not on all sources, because that takes longer than building them.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
FOR_CLANG = ["--extra-arg=-Wno-unknown-warning-option"]  # because the compile commands are made for g++


def git(*arguments: str) -> str | None:
    """What git prints, or None if it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def base_commit() -> str | None:
    """The commit to compare with, or None if there is none."""
    head = git("rev-parse", "HEAD")
    candidates = [
        os.environ.get("MPSBENCH_LINT_BASE"),
        git("merge-base", "HEAD", "origin/main"),
        git("rev-parse", "HEAD~1"),
    ]
    return next((commit for commit in candidates if commit and commit != head), None)


def changed_files() -> set[Path] | None:
    """The files that differ from the base commit, including uncommitted ones. None if there is no base."""
    base = base_commit()
    if base is None:
        return None
    changed = git("diff", "--name-only", base)
    untracked = git("ls-files", "--others", "--exclude-standard")
    if changed is None or untracked is None:
        return None
    return {ROOT / name for name in (changed + "\n" + untracked).splitlines() if name}


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


def check(clang_tidy: str, build: Path, source: Path) -> tuple[Path, int, str]:
    done = subprocess.run(
        [clang_tidy, "-p", str(build), "--quiet", *FOR_CLANG, str(source)], capture_output=True, text=True
    )
    return source, done.returncode, done.stdout + (done.stderr if done.returncode else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang-tidy", required=True)
    parser.add_argument("--build", type=Path, required=True, help="a configured tree with compile_commands.json")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_true", help="check every source")
    which.add_argument("--changed", action="store_true", help="check the sources that changed (default)")
    options = parser.parse_args()

    sources = sources_to_check(options.build, options.all)
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for source, status, output in pool.map(lambda one: check(options.clang_tidy, options.build, one), sources):
            if status:
                failed += 1
                print(f"{source.relative_to(ROOT)}\n{output}")
    print(f"clang-tidy: {len(sources)} sources, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
