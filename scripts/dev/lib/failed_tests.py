"""Prints the end of each failed test's output, read from ctest's results files (JUnit). .ci/run shows this last.

failed_tests.py RESULTS...
"""

import re
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

LINES_IN_ALL = 60  # about one screen, minus the list of names that follows
MOST_LINES = 30
MOST_TESTS = 8
GOOGLETEST_FRAME = re.compile(
    r"\[(==+|--+|  PASSED  | RUN      )\]|\[  FAILED  \] (\d+ tests?, listed|[^(]*$)"
    r"|Note: Google Test|Running main\(\)| *\d+ FAILED"
)


def failed_tests(results: Path) -> list[tuple[str, list[str]]]:
    """The name and the output lines of each failed test. Empty if there is no results file."""
    if not results.exists():
        return []
    tests = []
    for case in xml.parse(results).iter("testcase"):
        if case.get("status") == "fail":
            lines = (case.findtext("system-out") or "").splitlines()
            kept = [line for line in lines if line.strip() and not GOOGLETEST_FRAME.match(line)]
            reason = case.find("failure").get("message")  # Timeout, SEGFAULT, or nothing
            tests.append((f"{results.parent.name}: {case.get('name')} {reason}".rstrip(), kept or ["(no output)"]))
    return tests


def main() -> None:
    tests = [test for results in sys.argv[1:] for test in failed_tests(Path(results))]
    shown = tests[:MOST_TESTS]
    for name, lines in shown:
        print(f"\n== {name}")
        print(*lines[-min(MOST_LINES, LINES_IN_ALL // len(shown) - 2) :], sep="\n")
    if len(tests) > len(shown):
        print(f"\n({len(tests) - len(shown)} more failed)")


if __name__ == "__main__":
    main()
