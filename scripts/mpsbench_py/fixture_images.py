"""Made-up images of ten classes, in the file formats of CIFAR-10 and MNIST.

Each class has a coarse random pattern. Each image shows its pattern at a slightly different place, under noise that is
stronger than the pattern.
"""

from pathlib import Path

import numpy as np

CLASSES = 10
CELLS = 7  # a pattern is a square of CELLS * CELLS random values
CONTRAST = 40  # how far the pattern's grey levels are from the middle
NOISE = 64  # the most by which noise changes a grey level
SHIFT = 2  # the most pixels by which a pattern is moved
BLOCK_ROWS = 5_000  # the number of images made together
CIFAR_FILES = 5


def patterns(rng: np.random.Generator, channels: int, side: int) -> np.ndarray:
    """Grey levels [class, shift, channels, side, side]: each pattern is made too large, then cut out at every shift."""
    wide = side + 2 * SHIFT
    cells = rng.choice([-CONTRAST, CONTRAST], size=(CLASSES, channels, CELLS, CELLS))
    cell_of = np.arange(wide) * CELLS // wide
    pattern = cells[:, :, cell_of][:, :, :, cell_of]
    offsets = [(y, x) for y in range(2 * SHIFT + 1) for x in range(2 * SHIFT + 1)]
    shifted = [pattern[:, :, y : y + side, x : x + side] for y, x in offsets]
    return np.stack(shifted, axis=1).astype(np.int16)


def make_rows(rng: np.random.Generator, known: np.ndarray, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels and images, as uint8. KNOWN is the result of patterns()."""
    labels = rng.integers(CLASSES, size=rows, dtype=np.uint8)
    images = np.empty((rows, *known.shape[2:]), dtype=np.uint8)
    for first in range(0, rows, BLOCK_ROWS):
        some = labels[first : first + BLOCK_ROWS]
        shifts = rng.integers(known.shape[1], size=len(some))
        levels = rng.integers(128 - NOISE, 128 + NOISE, size=(len(some), *known.shape[2:]), dtype=np.int16)
        levels += known[some, shifts]
        images[first : first + BLOCK_ROWS] = np.clip(levels, 0, 255)
    return labels, images


def write_cifar10(folder: Path, rows: int, test_rows: int, seed: int) -> list[Path]:
    """Writes the batch files in cifar-10-batches-bin."""
    if rows < CIFAR_FILES:
        raise ValueError(f"cifar10 needs at least {CIFAR_FILES} rows, one for each training file")
    rng = np.random.default_rng(seed)
    known = patterns(rng, 3, 32)
    contents = {}
    for index in range(CIFAR_FILES):
        share = (rows + CIFAR_FILES - 1 - index) // CIFAR_FILES
        contents[f"data_batch_{index + 1}.bin"] = cifar_records(rng, known, share)
    contents["test_batch.bin"] = cifar_records(rng, known, test_rows)
    contents["batches.meta.txt"] = "".join(f"class{index}\n" for index in range(CLASSES)).encode() + b"\n"
    return write_files(folder / "cifar-10-batches-bin", contents)


def cifar_records(rng: np.random.Generator, known: np.ndarray, rows: int) -> bytes:
    labels, images = make_rows(rng, known, rows)
    return np.concatenate([labels[:, None], images.reshape(rows, -1)], axis=1).tobytes()


def write_mnist(folder: Path, rows: int, test_rows: int, seed: int) -> list[Path]:
    rng = np.random.default_rng(seed)
    known = patterns(rng, 1, 28)
    contents = {}
    for stem, split_rows in (("train", rows), ("t10k", test_rows)):
        labels, images = make_rows(rng, known, split_rows)
        contents[f"{stem}-images-idx3-ubyte"] = idx_bytes(images[:, 0])
        contents[f"{stem}-labels-idx1-ubyte"] = idx_bytes(labels)
    return write_files(folder, contents)


def idx_bytes(values: np.ndarray) -> bytes:
    return np.array([0x0800 + values.ndim, *values.shape], dtype=">u4").tobytes() + values.tobytes()


def write_files(folder: Path, contents: dict[str, bytes]) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, content in contents.items():
        files.append(folder / name)
        files[-1].write_bytes(content)
    return files
