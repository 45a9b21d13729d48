#!/usr/bin/env python3
"""Compares the speed of mpsbench's input pipeline with that of Python's.

Both make batches of the same random 32x32 images in memory: resize to 256, random crop of 224, scale to [0, 1],
normalise. Python uses torch's DataLoader, PIL and torchvision's transforms; mpsbench uses src/input/pipeline. Both
have the same number of workers and take turns over several rounds. First the script checks that both make the same
batch with centre crops. Prints one JSON line. A ratio is mpsbench's images per second divided by Python's in the same
round, counted from the end of the first batch to the last, so that starting Python's workers does not count.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for mpsbench_py

from mpsbench_py import environment, torchvision_models

environment.require("torch", "torchvision", "numpy", "PIL", cure="scripts/test sets it up")

import numpy as np  # noqa: E402
import torch  # noqa: E402

torchvision_models.make_importable()

import PIL  # noqa: E402
import torchvision  # noqa: E402
from torchvision import transforms  # noqa: E402

BUILDS = ("dev", "quick")
SHAPE = (3, 32, 32)
GREY_LEVEL = 2 / 255  # after normalising to -1 to 1


class ComparisonError(Exception):
    """One side did not run, or the sides disagree. The message is one line for the user."""


class Images(torch.utils.data.Dataset):
    """Stores images as torchvision's CIFAR10 does: one array, channels last. Each access makes an image of PIL."""

    def __init__(self, planes: np.ndarray, crop: torch.nn.Module):
        self.pixels = np.ascontiguousarray(planes.transpose(0, 2, 3, 1))
        normalise = transforms.Normalize((0.5,) * 3, (0.5,) * 3)
        self.transform = transforms.Compose([transforms.Resize((256, 256)), crop, transforms.ToTensor(), normalise])

    def __len__(self) -> int:
        return len(self.pixels)

    def __getitem__(self, row: int) -> tuple[torch.Tensor, int]:
        return self.transform(PIL.Image.fromarray(self.pixels[row])), row % 10


class Comparison:
    def __init__(self, arguments: argparse.Namespace, file: Path):
        self.arguments = arguments
        self.file = file
        rng = np.random.default_rng(arguments.seed)
        self.planes = rng.integers(0, 256, (arguments.images, *SHAPE), dtype=np.uint8)
        file.write_bytes(self.planes.tobytes())

    def ask_tool(self, *words: object) -> bytes:
        try:
            command = [str(self.arguments.tool), *map(str, words)]
            done = subprocess.run(command, check=False, capture_output=True)
        except OSError as error:
            raise ComparisonError(f"{error.filename}: {error.strerror}; scripts/test builds this program") from error
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
            raise ComparisonError(f"{self.arguments.tool}, exit {done.returncode}: {said[-1]}")
        return done.stdout

    def difference(self) -> float:
        """The largest difference between the first batches of both sides, with centre crops."""
        size = self.arguments.batch_size
        data = Images(self.planes[:size], transforms.CenterCrop((224, 224)))
        theirs = torch.stack([data[row][0] for row in range(size)]).numpy()
        ours = np.frombuffer(self.ask_tool("print", self.file, size), np.float32)
        if ours.size != theirs.size:
            raise ComparisonError(f"mpsbench's batch has {ours.size} values, Python's {theirs.size}: not the same work")
        difference = float(np.abs(ours.reshape(theirs.shape) - theirs).max())
        if not difference <= GREY_LEVEL * 1.001:
            raise ComparisonError(f"the batches differ by {difference:.3g}: not the same work")
        return difference

    def time_mpsbench(self) -> float:
        words = ("rate", self.file, self.arguments.batch_size, self.arguments.workers)
        answer = json.loads(self.ask_tool(*words))
        return answer["images"] / answer["seconds"]

    def time_python(self) -> float:
        batch_size, workers = self.arguments.batch_size, self.arguments.workers
        data = Images(self.planes, transforms.RandomCrop((224, 224)))
        loader = torch.utils.data.DataLoader(data, batch_size, shuffle=True, num_workers=workers, drop_last=True)
        batches = iter(loader)
        next(batches)
        start = time.perf_counter()
        count = sum(len(labels) for _, labels in batches)
        return count / (time.perf_counter() - start)

    def run(self) -> dict:
        difference = self.difference()
        sides = {"mpsbench": self.time_mpsbench, "python": self.time_python}
        rates: dict[str, list[float]] = {side: [] for side in sides}
        load = os.getloadavg()[0]
        for number in range(self.arguments.rounds):
            for side in list(sides) if number % 2 == 0 else reversed(sides):  # the sides take turns in going first
                rates[side].append(sides[side]())
            sys.stderr.write(
                f"round {number + 1}: " + ", ".join(f"{side} {rates[side][-1]:.0f} images/s" for side in sides) + "\n"
            )
        ratios = [ours / theirs for ours, theirs in zip(rates["mpsbench"], rates["python"], strict=True)]
        return {
            "batch_size": self.arguments.batch_size,
            "workers": self.arguments.workers,
            "images": self.arguments.images,
            "largest_difference": difference,
            **{f"{side}_images_per_second": statistics.median(values) for side, values in rates.items()},
            "round_images_per_second": rates,
            "ratio": {"median": statistics.median(ratios), "min": min(ratios), "max": max(ratios)},
            "load_before": load,
            "versions": {"torch": torch.__version__, "torchvision": torchvision.__version__, "pillow": PIL.__version__},
        }


def default_tool() -> Path:
    tools = [environment.ROOT / "build" / build / "bin" / "pipeline_rate" for build in BUILDS]
    return next((tool for tool in tools if tool.is_file()), tools[0])


def parse(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--images", type=int, default=6400)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tool", type=Path, default=default_tool(), help="pipeline_rate, which scripts/test builds")
    arguments = parser.parse_args(words)
    if min(arguments.batch_size, arguments.workers, arguments.rounds) < 1:
        parser.error("--batch-size, --workers and --rounds must be at least 1")
    if arguments.images < 2 * arguments.batch_size:
        parser.error("--images must be at least two batches: the first one is not timed")
    return arguments


def main(words: list[str] | None = None) -> int:
    arguments = parse(words)
    with tempfile.TemporaryDirectory() as folder:
        try:
            result = Comparison(arguments, Path(folder) / "images.bin").run()
        except ComparisonError as error:
            print(json.dumps({"error": str(error)}))
            return 1
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
