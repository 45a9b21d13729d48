"""Runs clang-tidy over the sources of a build tree: all that do without LibTorch, and of the others those that changed.

A LibTorch source takes clang-tidy ten times as long as another, so they are looked at when they change.
"""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOR_CLANG = ["--extra-arg=-Wno-unknown-warning-option"]  # the command lines are those of g++


def git(*arguments: str) -> str | None:
    """What git prints, None where it fails."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def base_commit() -> str | None:
    """The commit that changes are counted from."""
    head = git("rev-parse", "HEAD")
    candidates = [
        os.environ.get("MPSBENCH_LINT_BASE"),
        git("merge-base", "HEAD", "origin/main"),
        git("rev-parse", "HEAD~1"),
    ]
    return next((commit for commit in candidates if commit and commit != head), None)


def changed_files() -> set[Path] | None:
    """The files that differ from the base, with those not yet committed; None when no base is known."""
    base = base_commit()
    if base is None:
        return None
    changed = git("diff", "--name-only", base)
    untracked = git("ls-files", "--others", "--exclude-standard")
    if changed is None or untracked is None:
        return None
    return {ROOT / name for name in (changed + "\n" + untracked).splitlines() if name}


def uses_torch(entry: dict) -> bool:
    return "torch/include" in entry.get("command", "")


def is_concerned(source: Path, changed: set[Path]) -> bool:
    """Whether SOURCE or its own header changed."""
    return source in changed or source.with_suffix(".hpp") in changed


def sources_to_check(build: Path, all_of_them: bool) -> list[Path]:
    entries = json.loads((build / "compile_commands.json").read_text())
    changed = None if all_of_them else changed_files()
    chosen = set()
    for entry in entries:
        source = Path(entry["file"])
        if not uses_torch(entry) or changed is None or is_concerned(source, changed):
            chosen.add(source)
    return sorted(chosen)


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
    which.add_argument("--all", action="store_true", help="every source")
    which.add_argument("--changed", action="store_true", help="LibTorch sources only where they changed (default)")
    options = parser.parse_args()

    sources = sources_to_check(options.build, options.all)
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for source, status, output in pool.map(lambda one: check(options.clang_tidy, options.build, one), sources):
            if status:
                failed += 1
                print(f"{source.relative_to(ROOT)}\n{output}")
    print(f"clang-tidy: {len(sources)} sources, {failed} with findings")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
