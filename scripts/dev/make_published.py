#!/usr/bin/env python3
"""Writes the figures of mpsbench_py/published_figures.json as reports, one per machine and PyTorch build."""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for mpsbench_py

from mpsbench_py import published

SCRIPTS = Path(__file__).resolve().parents[1]
FIGURES = SCRIPTS / "mpsbench_py" / "published_figures.json"
FOLDER = SCRIPTS.parent / "results" / "published"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=FOLDER, metavar="DIR", help="default: results/published")
    folder = parser.parse_args(argv).output
    for name, text in published.reports(FIGURES).items():
        path = folder / f"{name}.json"
        path.write_text(text, encoding="utf-8")
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
