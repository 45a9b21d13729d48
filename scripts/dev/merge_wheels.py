#!/usr/bin/env python3
"""Merges two wheels of mpsbench that were built for the same minor version of torch: one for its CPU build, one for its
CUDA build. The result has the programs for both, and the front runs those that fit the installed torch.

    merge_wheels.py WHEEL OTHER --output-dir FOLDER

Everything but the programs of OTHER comes from WHEEL. Merge before auditwheel gives the platform tag.
"""

import argparse
import filecmp
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SAME = ("mpsbench/torch_version", "mpsbench-*.dist-info/METADATA")


def unpacked(wheel: Path, folder: Path) -> Path:
    subprocess.run([sys.executable, "-m", "wheel", "unpack", "--dest", folder, wheel], check=True)
    (found,) = folder.iterdir()
    return found


def merge(target: Path, other: Path) -> None:
    for pattern in SAME:
        (one,), (two,) = target.glob(pattern), other.glob(pattern)
        if not filecmp.cmp(one, two, shallow=False):
            raise ValueError(
                f"{one.relative_to(target)} differs: build both wheels from one commit for one version of torch"
            )
    for build in (other / "mpsbench/bin").iterdir():
        if (target / "mpsbench/bin" / build.name).exists():
            raise ValueError(f"both wheels have mpsbench/bin/{build.name}: merge wheels for different builds of torch")
        shutil.copytree(build, target / "mpsbench/bin" / build.name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", metavar="WHEEL", type=Path)
    parser.add_argument("other", metavar="OTHER", type=Path)
    parser.add_argument("--output-dir", metavar="FOLDER", type=Path, required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folders = [Path(scratch) / name for name in ("wheel", "other")]
        for folder in folders:
            folder.mkdir()
        try:
            target = unpacked(options.wheel, folders[0])
            merge(target, unpacked(options.other, folders[1]))
        except ValueError as error:
            print(f"merge_wheels.py: {error}", file=sys.stderr)
            return 2
        options.output_dir.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "wheel", "pack", "--dest-dir", options.output_dir, target]
        return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
