"""What changed since the commit that a change is compared with.

changed.py REGEX: exits with 0 if the name of a changed file matches, or if there is no such commit, otherwise with 1.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


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


if __name__ == "__main__":
    files = changed_files()
    concerned = files is None or any(re.match(sys.argv[1], str(file.relative_to(ROOT))) for file in files)
    sys.exit(0 if concerned else 1)
