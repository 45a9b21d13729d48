"""Checks that every header of apps and src is compiled on its own. The source of the same name must include it first.
For a header without such a source, CMake makes one (mpsbench_headers in cmake/layers.cmake).

    headers_check.py [ROOT]

Prints each header for which this is not so, and exits with 1 if there is any.
"""

import re
import sys
from pathlib import Path

FOLDERS = ("apps", "src")
INCLUDE = re.compile(r'^\s*#\s*(?:include|import)\s*["<]([^">]+)[">]', re.MULTILINE)
MAKES_SOURCES = re.compile(r"^mpsbench_(?:layer|headers)\(", re.MULTILINE)


def first_include(source: Path) -> str | None:
    found = INCLUDE.search(source.read_text(encoding="utf-8"))
    return found.group(1) if found else None


def names_of(header: Path, root: Path) -> set[str]:
    """The names that an include may use for HEADER: its path in src, or its file name."""
    inside = header.relative_to(root)
    return {header.name, "/".join(inside.parts[1:])}


def problem_of(header: Path, root: Path) -> str | None:
    """Why HEADER is not compiled on its own. None if it is."""
    if any(first_include(source) in names_of(header, root) for source in header.parent.glob("*.cpp")):
        return None
    if header.with_suffix(".cpp").exists():
        return f"{header.stem}.cpp does not include it first"
    commands = header.with_name("CMakeLists.txt")
    if commands.exists() and MAKES_SOURCES.search(commands.read_text(encoding="utf-8")):
        return None
    return "it has no source, and no CMakeLists.txt next to it calls mpsbench_headers"


def check(root: Path) -> tuple[int, list[str]]:
    """The number of headers, and a message for each that is not compiled on its own."""
    headers = sorted(header for folder in FOLDERS for header in (root / folder).rglob("*.hpp"))
    problems = ((header, problem_of(header, root)) for header in headers)
    return len(headers), [f"{header.relative_to(root)}: {problem}" for header, problem in problems if problem]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    count, problems = check(root)
    for problem in problems:
        print(problem)
    print(f"headers: {count}, {len(problems)} of them not compiled on their own")
    return 1 if problems or not count else 0


if __name__ == "__main__":
    sys.exit(main())
