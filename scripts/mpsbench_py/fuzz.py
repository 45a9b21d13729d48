"""Builds the harnesses of tests/fuzz and runs them. Exits with 1 if an input crashed one or took too long.

Such inputs stay in build/fuzz/crashers. To run one again: `build/fuzz/bin/NAME_fuzz FILE`.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mpsbench_py import fuzz_seeds

ROOT = fuzz_seeds.ROOT
TREE = ROOT / "build" / "fuzz"
CRASHERS = TREE / "crashers"
# For each harness, its share of all inputs, so that each harness runs for about the same time; and the size of its
# largest input in bytes.
HARNESSES = {
    "model": (0.06, 8192),
    "report": (0.04, 16384),
    "compare": (0.07, 16384),
    "suite": (0.06, 4096),
    "import": (0.02, 8192),
    "journal": (0.05, 16384),
    "dataset": (0.3, 8192),
    "text": (0.2, 2048),
    "safetensors": (0.2, 4096),
}
JSON = {"report", "compare", "journal", "import", "model", "suite"}
SECONDS_AN_INPUT = 5
MEGABYTES_AT_ONCE = 256  # no reader needs more than this in one allocation for inputs of these sizes
MEGABYTES_IN_ALL = 3000


def parse(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/dev/fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=1_000_000, metavar="N", help="inputs of all harnesses (1,000,000)")
    parser.add_argument("--only", default="", metavar="NAME,...", help=f"only these of {', '.join(HARNESSES)}")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="default: 1")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="at a time (default: all cores)"
    )
    arguments = parser.parse_args(argv)
    arguments.names = [name for name in arguments.only.split(",") if name] or list(HARNESSES)
    unknown = set(arguments.names) - set(HARNESSES)
    if unknown:
        parser.error(f"--only: unknown harness {unknown.pop()!r}; choose from {', '.join(HARNESSES)}")
    if arguments.runs < 1 or arguments.jobs < 1:
        parser.error("--runs and --jobs must be at least 1")
    return arguments


def build(names: list[str], jobs: int) -> bool:
    if shutil.which("clang++") is None:
        print("scripts/dev/fuzz: clang++ is missing; apt-get install clang libclang-rt-14-dev", file=sys.stderr)
        return False
    targets = [f"{name}_fuzz" for name in names]
    cache = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    commands = [["cmake", "--preset", "fuzz", *cache]]
    commands.append(["cmake", "--build", str(TREE), "--parallel", str(jobs), "--target", *targets])
    for command in commands:
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            print(done.stdout[-4000:], file=sys.stderr)
            print(f"scripts/dev/fuzz: {' '.join(command[:3])} failed", file=sys.stderr)
            return False
    return True


def write_seeds(names: list[str]) -> None:
    for name, contents in fuzz_seeds.seeds().items():
        if name not in names:
            continue
        folder = TREE / "seeds" / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for index, content in enumerate(contents):
            (folder / f"{index:03}").write_bytes(content)


def fuzz(name: str, arguments: argparse.Namespace) -> tuple[int, int]:
    """Runs one harness. Returns the number of inputs and of crashes; libFuzzer stops at the first crash."""
    share = HARNESSES[name][0] / sum(HARNESSES[one][0] for one in arguments.names)
    corpus = TREE / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    command = [
        TREE / "bin" / f"{name}_fuzz",
        corpus,
        TREE / "seeds" / name,
        f"-runs={-(-arguments.runs * share // 1):.0f}",
        f"-seed={arguments.seed}",
        f"-max_len={HARNESSES[name][1]}",
        f"-timeout={SECONDS_AN_INPUT}",
        f"-malloc_limit_mb={MEGABYTES_AT_ONCE}",
        f"-rss_limit_mb={MEGABYTES_IN_ALL}",
        f"-artifact_prefix={CRASHERS / name}-",
        "-print_final_stats=1",
        "-close_fd_mask=3",
    ]
    if name in JSON:
        command.append(f"-dict={ROOT / 'tests' / 'fuzz' / 'json.dict'}")
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        done = subprocess.run(
            command,
            env={**os.environ, "TMPDIR": folder},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    (TREE / f"{name}.log").write_text(done.stdout, encoding="utf-8")
    executed = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stdout)
    inputs = int(executed[1]) if executed else 0
    crashes = 0 if done.returncode == 0 and executed else 1
    verdict = (
        "ok" if crashes == 0 else f"CRASH: see {TREE.relative_to(ROOT) / name}.log and {CRASHERS.relative_to(ROOT)}"
    )
    print(f"{name}: {inputs:,} inputs, {verdict}", flush=True)
    return inputs, crashes


def main(argv: list[str] | None = None) -> int:
    arguments = parse(argv)
    if not build(arguments.names, arguments.jobs):
        return 2
    write_seeds(arguments.names)
    CRASHERS.mkdir(exist_ok=True)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda name: fuzz(name, arguments), arguments.names))
    crashes = sum(found for _, found in results)
    print(f"{sum(inputs for inputs, _ in results):,} inputs, {crashes} crashes")
    return 1 if crashes else 0
