"""Compares packages, which the compiler makes for the engine `compiled`, with eager PyTorch: logits, loss, gradients
and their strides, statistics of batch norm, and the losses of 20 steps. Prints a line for each case. The exit code is 1
if a package disagrees.

A number agrees if it is as near to the same network in double precision as the tolerance, or as twice what eager
PyTorch itself is away, be it with these weights or with others that differ in the last bit. Gradients that are almost
zero count relative to a thousandth of the largest gradient.
In deep networks rounding can turn a ReLU on or off, which changes the gradients before it, and the losses of 20 steps
can grow apart. --precisions fp64 tells this from a wrong package: it compiles the network in double precision, in which
rounding hides nothing. (A package returns its loss in fp32, so that has fp32's last bits.)
"""

import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from mpsbench_py import plans  # noqa: E402
from mpsbench_py.package_sides import COMPILER, Eager, Packaged  # noqa: E402

TOLERANCE = {"fp64": 1e-6, "fp32": 1e-4, "tf32": 1e-2, "bf16": 5e-2, "fp16": 1e-2}
STEPS = 20
# Runs the compiler, whose path is the argument, with examples in double precision, so that it compiles for them.
IN_DOUBLE = """
import runpy, sys
sys.argv = sys.argv[1:]
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
import network
make = network._example
network._example = lambda *of, **more: t.double() if (t := make(*of, **more)).is_floating_point() else t
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="names or definitions (default: all bundled networks)")
    parser.add_argument("--mpsbench", default=ROOT / "build/dev/bin/mpsbench", help="the program that plans networks")
    parser.add_argument("--modes", default="train,infer")
    parser.add_argument("--precisions", default="fp32", help="of fp64, fp32, tf32, bf16 and fp16 (default: fp32)")
    parser.add_argument("--layouts", default="contiguous", help="contiguous, channels-last or both")
    parser.add_argument("--compile-mode", default="default")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    chosen = parser.parse_args(words)
    torch.set_num_threads(chosen.threads)
    kinds = itertools.product(*(text.split(",") for text in (chosen.modes, chosen.precisions, chosen.layouts)))
    failed = 0
    for model, (mode, precision, layout) in itertools.product(chosen.models or _bundled(), list(kinds)):
        with tempfile.TemporaryDirectory() as folder:
            request = _request(chosen, Path(folder), model, mode, precision, layout)
            complaints, figures = _compare(request, Path(folder))
        name = "/".join([Path(model).stem, mode, f"b{chosen.batch}", precision, layout])
        print(f"DISAGREES {name}: {'; '.join(complaints)}" if complaints else f"agrees {name}: {figures}", flush=True)
        failed += bool(complaints)
    return 1 if failed else 0


def _bundled() -> list[str]:
    return sorted(path.stem for path in (ROOT / "models").glob("*.json"))


def _request(chosen: Any, folder: Path, model: str, mode: str, precision: str, layout: str) -> dict[str, Any]:
    planned = plans.planned(str(chosen.mpsbench), model, mode, chosen.batch, folder)
    return {
        "network_plan": planned["plan"],
        "mode": mode,
        "device": chosen.device,
        "precision": precision,
        "channels_last": layout == "channels-last",
        "drops_out": False,
        "loss": planned["spec"]["loss"],
        "compile_mode": chosen.compile_mode,
        "threads": chosen.threads,
        "libtorch": torch.__version__,
        "package": str(folder / "package.pt2"),
        "torch_folder": None,
        "front": os.getpid(),
    }


def _compare(request: dict[str, Any], folder: Path) -> tuple[list[str], str]:
    """Returns what disagrees and, in words, how far the package is from double precision."""
    program = COMPILER / "compile_package.py"
    ran = subprocess.run(
        [sys.executable, "-I", *(["-c", IN_DOUBLE] if request["precision"] == "fp64" else []), program],
        input=json.dumps(request),
        env={"TORCHINDUCTOR_CACHE_DIR": str(folder / "inductor"), "TRITON_CACHE_DIR": str(folder / "triton")}
        | os.environ,
        capture_output=True,
        text=True,
    )
    if ran.returncode:
        return [ran.stderr.strip().splitlines()[-1]], ""
    allowed = request["precision"] == "tf32"
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = allowed
    start = Eager(request).in_double() if request["precision"] == "fp64" else Eager(request)
    package, eager, exact, nudged = Packaged(request, start), start, start.in_double(), start.with_other_last_bits()
    sides = (package, exact, eager, nudged)
    if request["mode"] == "infer":
        return _judge(request["precision"], *({"logits": side.logits()} for side in sides))
    complaints, figures = _judge(request["precision"], *(side.first_step() for side in sides))
    complaints += package.complaints
    theirs = eager.losses(STEPS)
    apart, explained = (_furthest(side.losses(STEPS), theirs) for side in (package, nudged))
    if not apart <= max(10 * TOLERANCE[request["precision"]], 2 * explained):
        complaints.append(f"losses of {STEPS} steps differ by {apart:.2g}, with other last bits by {explained:.2g}")
    return complaints, f"{figures}, losses {apart:.2g}"


def _furthest(losses: list[float], wanted: list[float]) -> float:
    return max(abs(one - two) / max(abs(two), 1e-3) for one, two in zip(losses, wanted, strict=True))


def _judge(precision: str, package: dict, exact: dict, *eager: dict) -> tuple[list[str], str]:
    largest = (
        max(float(value.norm()) for name, value in exact.items() if name.startswith("gradient"))
        if len(exact) > 1
        else 0
    )
    complaints, worst = [], {}
    for name, wanted in exact.items():
        scale = max(float(wanted.norm()), 1e-3 * largest if name.startswith("gradient") else 0, 1e-30)
        ours, *others = (float((side[name].double() - wanted).norm()) / scale for side in (package, *eager))
        theirs = max(others)
        kind = name.split()[0]
        worst[kind] = max(worst.get(kind, 0.0), ours)
        if not ours <= max(TOLERANCE[precision], 2 * theirs):
            complaints.append(f"{name} is {ours:.2g} away from double precision, eager {theirs:.2g}")
    return complaints, ", ".join(f"{kind} {value:.2g}" for kind, value in worst.items())


if __name__ == "__main__":
    sys.exit(main())
