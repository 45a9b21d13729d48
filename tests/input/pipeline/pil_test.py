"""Compares the pipeline's resize with PIL's bilinear one. If PIL resizes the columns and then the rows in two calls,
all bytes are equal; for squares this also holds for a single call. Otherwise a single call may differ by one grey
level, because Pillow 13 does the rows first if the height shrinks much more than the width.

Usage: pil_test.py RESIZE_PROGRAM
"""

import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
import wanted

wanted.packages("numpy", "PIL")
import numpy as np  # noqa: E402
import PIL  # noqa: E402
from PIL import Image  # noqa: E402

# Height and width before and after the resize.
SIZES = (
    ((32, 32), (256, 256)),
    ((32, 32), (224, 224)),
    ((28, 28), (32, 32)),
    ((28, 28), (28, 28)),
    ((37, 37), (11, 11)),
    ((256, 256), (32, 32)),
    ((1, 1), (7, 5)),
    ((9, 6), (1, 1)),
    ((1, 40), (40, 1)),
    ((500, 333), (256, 256)),
    ((31, 64), (64, 31)),
    ((3, 1000), (2, 3)),
)


def planes(rng, height, width):
    """Noise, extreme values only, and all white. White stays white only if the weights add up."""
    yield rng.integers(0, 256, (height, width), dtype=np.uint8)
    yield rng.choice(np.array([0, 255], np.uint8), (height, width))
    yield np.full((height, width), 255, np.uint8)


def resized(program, images, size, window):
    height, width = images[0].shape
    numbers = [str(number) for number in (height, width, *size, *window)]
    bytes_in = b"".join(image.tobytes() for image in images)
    bytes_out = subprocess.run([program, *numbers], input=bytes_in, check=True, capture_output=True).stdout
    return np.frombuffer(bytes_out, np.uint8).reshape(len(images), window[2], window[3])


def in_pil(images, *sizes):
    """Resizes each image to each of SIZES in turn. As in PIL, a size is width and height."""
    for size in sizes:
        images = [np.asarray(Image.fromarray(image).resize(size, Image.BILINEAR)) for image in images]
    return np.stack(images).astype(int)


def check(program, rng, before, after):
    images = [plane for _ in range(4) for plane in planes(rng, *before)]
    expected = in_pil(images, (after[1], before[0]), after[::-1])
    whole = resized(program, images, after, (0, 0, *after))
    assert np.array_equal(whole, expected), f"{before} to {after}: {np.count_nonzero(whole != expected)} pixels differ"
    in_one_call = np.abs(whole - in_pil(images, after[::-1])).max()
    square = before[0] == before[1] and after[0] == after[1]
    assert in_one_call <= (0 if square else 1), f"{before} to {after}: {in_one_call} grey levels from PIL"
    top, left = (int(rng.integers(0, side)) for side in after)
    height, width = int(rng.integers(1, after[0] - top + 1)), int(rng.integers(1, after[1] - left + 1))
    part = resized(program, images, after, (top, left, height, width))
    cut = expected[:, top : top + height, left : left + width]
    assert np.array_equal(part, cut), f"{before} to {after}: the window {(top, left, height, width)} differs"


def main():
    rng = np.random.default_rng(5)
    drawn = [tuple(map(tuple, rng.integers(1, 120, (2, 2)).tolist())) for _ in range(60)]
    for before, after in [*SIZES, *drawn]:
        check(sys.argv[1], rng, before, after)
    print(f"{len(SIZES) + len(drawn)} pairs of sizes equal PIL {PIL.__version__} in every byte")


if __name__ == "__main__":
    main()
