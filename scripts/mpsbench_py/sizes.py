"""Sizes in bytes, as options and the names of mpsbench ops have them."""

import argparse
import re

BYTES = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def byte_size(text: str) -> int:
    """Reads a size as --bucket-size has it: 25MiB, 512KiB or a number of bytes."""
    match = re.fullmatch(r"([0-9]+)([KMG]iB)?", text)
    if not match or int(match[1]) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 25MiB, 512KiB or a number of bytes")
    return int(match[1]) * BYTES.get(match[2], 1)
