"""Reads files of scripts/make_fixture.py with src/input/dataset and with numpy and compares. Then breaks them.

Usage: fixtures_test.py SHOW_DATASET
"""

import contextlib
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(SOURCE / "scripts"), str(SOURCE / "tests")]
import wanted  # noqa: E402

wanted.packages("numpy")
import make_fixture  # noqa: E402
import numpy as np  # noqa: E402
from mpsbench_py import checksums  # noqa: E402
from mpsbench_py.datasets import DATASETS  # noqa: E402

SHOW = sys.argv.pop(1)
# More than the program and its parent's pages need (AddressSanitizer included), but much less than a header claims.
MOST_RESIDENT_BYTES = 250 << 20
MNIST_LABELS, MNIST_IMAGES = 2049, 2051
CLASS_NAMES = "batches.meta.txt"  # no reader needs this file of cifar10


def make(*arguments: object) -> list[Path]:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(sys.stdout):
        code = make_fixture.main([str(one) for one in arguments])
    if code != 0:
        raise AssertionError(f"make_fixture.py {arguments}: exit code {code}")
    return [Path(line) for line in said.getvalue().splitlines()]


def show(*arguments: object) -> subprocess.CompletedProcess:
    return subprocess.run([SHOW, *map(str, arguments)], capture_output=True, text=True, check=False)


class DataTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def read(self, *arguments: object) -> dict:
        done = show(*arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def refuse(self, *arguments: object) -> str:
        done = show(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def expect_images(self, read: dict, pixels: np.ndarray, labels: np.ndarray) -> None:
        self.assertEqual(read["shape"], list(pixels.shape))
        self.assertEqual(read["labels"], labels.tolist())
        self.assertEqual(read["pixels_sha256"], hashlib.sha256(pixels.tobytes()).hexdigest())


class Fixtures(DataTest):
    def test_cifar10(self) -> None:
        make("cifar10", "--rows", 23, "--test-rows", 7, "--out", self.folder)
        inner = self.folder / "cifar-10-batches-bin"
        for split, names in (("train", [f"data_batch_{i}.bin" for i in range(1, 6)]), ("test", ["test_batch.bin"])):
            records = np.frombuffer(b"".join((inner / name).read_bytes() for name in names), np.uint8)
            records = records.reshape(-1, 3073)
            for place in (self.folder, inner):
                read = self.read("cifar10", split, place)
                self.expect_images(read, records[:, 1:].reshape(-1, 3, 32, 32), records[:, 0])
            self.assertEqual(len(records), 23 if split == "train" else 7)

    def test_mnist(self) -> None:
        make("mnist", "--rows", 31, "--test-rows", 9, "--out", self.folder)
        for split, stem in (("train", "train"), ("test", "t10k")):
            pixels = np.fromfile(self.folder / f"{stem}-images-idx3-ubyte", np.uint8)[16:]
            labels = np.fromfile(self.folder / f"{stem}-labels-idx1-ubyte", np.uint8)[8:]
            read = self.read("mnist", split, self.folder)
            self.expect_images(read, pixels.reshape(-1, 1, 28, 28), labels)

    def test_trec(self) -> None:
        make("trec", "--rows", 300, "--test-rows", 20, "--out", self.folder)
        lines = (self.folder / "train_5500.label").read_bytes().replace(b"\xf0", b" ").decode().splitlines()
        first = ["DESC", "ENTY", "ABBR", "HUM", "NUM", "LOC"]
        second = ["ABBR", "ENTY", "DESC", "HUM", "LOC", "NUM"]
        for order, version in ((first, []), (second, ["2.0.0"])):
            read = self.read("trec", "train", self.folder, *version)
            expected = [(order.index(line.split(":")[0]), line.partition(" ")[2]) for line in lines]
            self.assertEqual([tuple(one) for one in read], expected)
            self.assertEqual({coarse for coarse, _ in read}, set(range(6)))
        self.assertEqual((self.folder / "train_5500.label").read_bytes().count(b"\xf0"), 1)
        self.assertEqual(len(self.read("trec", "test", self.folder)), 20)

    def test_vocab(self) -> None:
        make("trec", "--rows", 300, "--out", self.folder, "--seed", 5)
        make("vocab", "--rows", 2000, "--out", self.folder, "--seed", 5)
        lines = (self.folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
        self.assertEqual(lines.pop(), "")
        self.assertEqual((len(lines), len(set(lines))), (2000, 2000))
        specials = {"[PAD]": 0, "[UNK]": 100, "[CLS]": 101, "[SEP]": 102, "[MASK]": 103}
        self.assertEqual({token: lines.index(token) for token in specials}, specials)
        questions = (self.folder / "train_5500.label").read_bytes().replace(b"\xf0", b" ").decode()
        words = {word for line in questions.splitlines() for word in line.partition(" ")[2].lower().split()}
        self.assertEqual(words - set(lines), set())
        self.assertGreater(sum(line.startswith("##") for line in lines), 300)

    def test_the_seed_makes_the_files(self) -> None:
        made = []
        for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
            made.append([])
            for name in ("cifar10", "mnist", "trec", "vocab"):
                rows = ["--rows", 1000 if name == "vocab" else 20]
                test_rows = [] if name == "vocab" else ["--test-rows", 5]
                files = make(name, *rows, *test_rows, "--seed", seed, "--out", self.folder / folder)
                made[-1] += [checksums.sha256_of(file) for file in files if file.name != CLASS_NAMES]
        self.assertEqual(made[0], made[1])
        self.assertEqual(set(made[0]) & set(made[2]), set())

    def test_classes_can_be_told_apart(self) -> None:
        make("mnist", "--rows", 2000, "--test-rows", 500, "--out", self.folder)

        def load(stem: str) -> tuple[np.ndarray, np.ndarray]:
            pixels = np.fromfile(self.folder / f"{stem}-images-idx3-ubyte", np.uint8)[16:].reshape(-1, 784) / 255.0
            return pixels, np.fromfile(self.folder / f"{stem}-labels-idx1-ubyte", np.uint8)[8:]

        pixels, labels = load("train")
        means = np.stack([pixels[labels == label].mean(axis=0) for label in range(10)])
        pixels, labels = load("t10k")
        nearest = ((pixels[:, None] - means[None]) ** 2).sum(axis=2).argmin(axis=1)
        self.assertGreater((nearest == labels).mean(), 0.95)

    def test_sizes_that_cannot_be(self) -> None:
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            for arguments in (["cifar10", "--rows", "4"], ["vocab", "--rows", "104"]):
                self.assertEqual(make_fixture.main([*arguments, "--out", str(self.folder)]), 2)
            for rows in ("0", "-1", "many"):
                with self.assertRaises(SystemExit) as ended:
                    make_fixture.main(["mnist", "--rows", rows, "--out", str(self.folder)])
                self.assertEqual(ended.exception.code, 2)
        self.assertIn("cifar10 needs at least 5 rows", said.getvalue())
        self.assertIn("vocab needs at least ", said.getvalue())


class PackedFiles(DataTest):
    def test_the_command_in_the_refusal_unpacks(self) -> None:
        for name, split in (("cifar10", "train"), ("mnist", "test"), ("trec", "test")):
            folder = self.folder / name
            files = make(name, "--rows", 20, "--test-rows", 5, "--out", folder)
            expected = self.read(name, split, folder)
            self.pack(folder, files)
            commands = 0
            while (done := show(name, split, folder)).returncode != 0:
                refusal = re.fullmatch(r".*gz: is packed; unpack it with '(.*)'\n", done.stderr)
                self.assertIsNotNone(refusal, done.stderr)
                subprocess.run(refusal[1], shell=True, check=True)
                commands += 1
            self.assertEqual(commands, {"cifar10": 1, "mnist": 2, "trec": 1}[name])
            self.assertEqual(json.loads(done.stdout), expected)

    def pack(self, folder: Path, files: list[Path]) -> None:
        """Replaces FILES by what is published: an archive, or each file packed."""
        inner = files[0].parent
        if inner != folder:
            with tarfile.open(folder / "cifar-10-binary.tar.gz", "w:gz") as archive:
                archive.add(inner, inner.name)
            shutil.rmtree(inner)
            return
        for file in files:
            (folder / (file.name + ".gz")).write_bytes(gzip.compress(file.read_bytes()))
            file.unlink()


class Catalog(DataTest):
    def test_knows_the_files_that_fetch_data_fetches(self) -> None:
        fetched = {name: [[one.name, one.size_bytes, one.sha256] for one in files] for name, files in DATASETS.items()}
        del fetched["vocab"]  # not a data set, but a file that trec's models need
        self.assertEqual(self.read("catalog"), fetched)


class BrokenFiles(DataTest):
    def test_one_flipped_byte(self) -> None:
        """This holds for any file and any byte."""
        for name in ("cifar10", "mnist", "trec"):
            folder = self.folder / name
            for file in make(name, "--rows", 10, "--test-rows", 5, "--out", folder):
                if file.name == CLASS_NAMES:
                    continue
                split = "test" if file.name.startswith(("test", "t10k", "TREC")) else "train"
                good = file.read_bytes()
                for place in (4, len(good) // 2, len(good) - 1):
                    file.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
                    said = self.refuse(name, split, folder)
                    self.assertIn(f"{file}: is damaged: its SHA-256 is ", said)
                file.write_bytes(good)
                self.read(name, split, folder)

    def expect_cheap_refusal(self, name: str) -> str:
        """Reading the training files takes less memory than they claim."""
        # A sanitizer would not release freed memory.
        environment = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"}
        with tempfile.TemporaryFile() as said:
            command = [SHOW, name, "train", str(self.folder)]
            child = subprocess.Popen(command, stdout=said, stderr=said, env=environment)
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            said.seek(0)
            text = said.read().decode()
        self.assertEqual(child.returncode, 2, text)
        resident = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        self.assertLess(resident, MOST_RESIDENT_BYTES, text)
        return text

    def write_mnist(self, pixels: bytes, rows: int) -> None:
        images = struct.pack(">4I", MNIST_IMAGES, rows, 28, 28) + pixels
        (self.folder / "train-images-idx3-ubyte").write_bytes(images)
        labels = struct.pack(">2I", MNIST_LABELS, rows)
        (self.folder / "train-labels-idx1-ubyte").write_bytes(labels + bytes(10))

    def test_rows_that_are_only_claimed(self) -> None:
        for rows in (10**9, 2**32 - 1):
            with self.subTest(rows=rows):
                self.write_mnist(bytes(7840), rows)
                said = self.expect_cheap_refusal("mnist")
                self.assertIn(f"its header claims {rows * 784} values", said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
