#!/usr/bin/env python3
"""Writes made-up files in the formats of the real data sets, of any size, for tests and when the real data is missing.

A network can learn the classes: each class has its own pattern under strong noise, or its own words. The same arguments
always produce the same files. SHA256SUMS next to them lists their checksums, which mpsbench verifies.
"""

import argparse
import sys
from pathlib import Path

from mpsbench_py import environment

environment.require("numpy", cure="scripts/test sets it up, or pip install numpy")
from mpsbench_py import fixture_images, fixture_text  # noqa: E402
from mpsbench_py.checksums import write_sums  # noqa: E402

# The default number of training and test rows: as many as the real data sets have.
ROWS = {"cifar10": (50_000, 10_000), "mnist": (60_000, 10_000), "trec": (5_452, 500), "vocab": (30_522, None)}
WRITERS = {
    "cifar10": fixture_images.write_cifar10,
    "mnist": fixture_images.write_mnist,
    "trec": fixture_text.write_trec,
}


def count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    kinds = parser.add_subparsers(dest="name", required=True, metavar="cifar10|mnist|trec|vocab")
    for name, (rows, test_rows) in ROWS.items():
        kind = kinds.add_parser(name)
        what = "training rows" if test_rows else "lines"
        kind.add_argument("--rows", type=count, default=rows, metavar="N", help=f"{what} (default: {rows})")
        kind.add_argument("--seed", type=int, default=1, metavar="N", help="default: 1")
        kind.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write to")
        if test_rows:
            kind.add_argument("--test-rows", type=count, default=test_rows, metavar="N", help=f"default: {test_rows}")
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    arguments = parse(argv)
    try:
        arguments.out.mkdir(parents=True, exist_ok=True)
        if arguments.name == "vocab":
            files = fixture_text.write_vocab(arguments.out, arguments.rows, arguments.seed)
        else:
            write = WRITERS[arguments.name]
            files = write(arguments.out, arguments.rows, arguments.test_rows, arguments.seed)
        write_sums(files)
    except (ValueError, OSError) as error:
        sys.stderr.write(f"make_fixture.py: {error}\n")
        return 2
    for file in files:
        print(file)
    return 0


if __name__ == "__main__":
    sys.exit(main())
