#!/usr/bin/env python3
"""Compares mpsbench's BERT tokenizer with Hugging Face's, which is written in Rust (PyPI's `tokenizers`).

    compare_tokenizers.py            are the ids of random texts the same?
    compare_tokenizers.py --tables   where do the two Unicode tables differ?
    compare_tokenizers.py --speed    which tokenizer is faster on one thread?

The script makes the vocabulary and the texts from --seed; --vocab FILE uses your own vocabulary. It first asks both
tokenizers about each code point. Texts then contain only code points that both treat alike. Needs tokenize_lines,
which is built with the tests (scripts/test). Exit code 1: some ids differ.

Speed: the tokenizers take turns over several rounds. A ratio is the seconds of the Rust tokenizer divided by ours in
the same round: above 1, mpsbench is faster. The Rust tokenizer is called from Python, for single texts (encode) and
for all texts in one call (encode_batch, and encode_batch_fast, which leaves out offsets).
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for mpsbench_py

from mpsbench_py import environment, tokenizer_texts

environment.require("tokenizers", cure="scripts/test sets it up")

import tokenizers  # noqa: E402

MAX_LENGTHS = (512, 12)  # the second truncates most texts


class Rust:
    def __init__(self, vocabulary: list[str]):
        self.tokenizer = tokenizers.BertWordPieceTokenizer({piece: id for id, piece in enumerate(vocabulary)})

    def words(self, text: str) -> list[str]:
        normalised = self.tokenizer.normalizer.normalize_str(text)
        return [word for word, _ in self.tokenizer.pre_tokenizer.pre_tokenize_str(normalised)]

    def ids(self, texts: list[str], max_length: int) -> list[list[int]]:
        self.tokenizer.enable_truncation(max_length)
        return [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]

    def seconds(self, texts: list[str], max_length: int) -> dict[str, float]:
        self.tokenizer.enable_truncation(max_length)
        seconds = {}
        for name in ("encode", "encode_batch", "encode_batch_fast"):
            inner = self.tokenizer._tokenizer
            call = getattr(inner, name)
            begin = time.perf_counter()
            if name == "encode":
                for text in texts:
                    call(text)
            else:
                call(texts)
            seconds[name] = time.perf_counter() - begin
        return seconds


class Ours:
    def __init__(self, program: str, vocabulary: Path):
        self.program = program
        self.vocabulary = str(vocabulary)

    def ask(self, *arguments: str, texts: Iterable[str] = ()) -> str:
        lines = "".join(json.dumps(text) + "\n" for text in texts)
        done = subprocess.run([self.program, *arguments], input=lines, check=False, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr.strip() or f"{self.program}: exit code {done.returncode}")
        return done.stdout

    def words(self, texts: Iterable[str]) -> list[list[str]]:
        return [json.loads(line) for line in self.ask("words", texts=texts).splitlines()]

    def ids(self, texts: list[str], max_length: int) -> list[list[int]]:
        answer = self.ask("ids", self.vocabulary, str(max_length), texts=texts)
        return [json.loads(line) for line in answer.splitlines()]

    def seconds(self, texts: list[str], max_length: int) -> float:
        return float(self.ask("seconds", self.vocabulary, str(max_length), texts=texts))


def probe(code_point: int) -> str:
    """A text that shows how the code point is cleaned, split, decomposed, lower-cased, and ordered among marks of the
    combining classes 224 and 216.
    """
    c = chr(code_point)
    return f"a{c}b\u302e{c}\U0001d165d"


def effect(code_point: int, words: list[str]) -> str:
    """What the tokenizer made of CODE_POINT in the first part of its probe."""
    c = chr(code_point)
    text = " ".join(words).partition("b")[0].removeprefix("a")
    names = {"": "dropped", " ": "a blank", f" {c} ": "a separate word", c: "kept"}
    return names.get(text, "becomes " + " ".join(f"U+{ord(one):04X}" for one in text))


def differences(ours: Ours, rust: Rust, code_points: list[int]) -> dict[int, tuple[str, str]]:
    """The CODE_POINTS that the two treat differently, and what each makes of them."""
    found = {}
    for c, our_words in zip(code_points, ours.words(map(probe, code_points)), strict=True):
        rust_words = rust.words(probe(c))
        if our_words != rust_words:
            found[c] = (effect(c, our_words), effect(c, rust_words))
    return found


def print_tables(found: dict[int, tuple[str, str]]) -> None:
    """Prints a line for each range of neighbours that are treated alike, with the name of the first."""
    print(f"\ncode points  category (Python's Unicode {unicodedata.unidata_version})  mpsbench / Rust  name")
    runs: list[tuple[int, int, tuple[str, str, str]]] = []
    for c, effects in found.items():
        kind = (unicodedata.category(chr(c)), *effects)
        if runs and runs[-1][1] == c - 1 and runs[-1][2] == kind:
            runs[-1] = (runs[-1][0], c, kind)
        else:
            runs.append((c, c, kind))
    for first, last, (category, ours, rust) in runs:
        span = f"U+{first:04X}" + (f"..{last:04X}" if last > first else "")
        kinds = f"{ours} / {rust}" if ours != rust else "another order among marks"
        print(f"{span}  {category}  {kinds}  {unicodedata.name(chr(first), '')}".rstrip())


def compare_ids(arguments: argparse.Namespace, ours: Ours, rust: Rust, texts: list[str]) -> int:
    differing = 0
    for max_length in MAX_LENGTHS:
        answers = zip(texts, ours.ids(texts, max_length), rust.ids(texts, max_length), strict=True)
        for text, our_ids, rust_ids in answers:
            if our_ids != rust_ids:
                differing += 1
                if differing <= 5:
                    print(f"max length {max_length}, {json.dumps(text)}\n  mpsbench {our_ids}\n  Rust     {rust_ids}")
    lengths = " and ".join(map(str, MAX_LENGTHS))
    print(f"{len(texts)} texts from seed {arguments.seed}, truncated to {lengths} ids: {differing} differ")
    return 1 if differing else 0


def compare_speed(arguments: argparse.Namespace, ours: Ours, rust: Rust, vocabulary: list[str]) -> None:
    kinds = {
        "questions (10 words, ASCII)": tokenizer_texts.questions(arguments.seed, 20_000, vocabulary, 10, False),
        "questions (10 words, accents)": tokenizer_texts.questions(arguments.seed, 20_000, vocabulary, 10, True),
        "pages (400 words, ASCII)": tokenizer_texts.questions(arguments.seed, 500, vocabulary, 400, False),
    }
    print(f"{arguments.rounds} rounds. mpsbench: median microseconds per text. Rust: ratio, median (lowest to highest)")
    for name, texts in kinds.items():
        our_seconds, ratios = [], {}
        for _ in range(arguments.rounds):
            our_seconds.append(ours.seconds(texts, MAX_LENGTHS[0]))
            for call, seconds in rust.seconds(texts, MAX_LENGTHS[0]).items():
                ratios.setdefault(call, []).append(seconds / our_seconds[-1])
        print(f"{name}: mpsbench {statistics.median(our_seconds) / len(texts) * 1e6:.2f}")
        for call, values in ratios.items():
            print(f"  Rust {call:<18} {statistics.median(values):6.1f} ({min(values):.1f} to {max(values):.1f})")


def parse_arguments(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--tables", action="store_true")
    mode.add_argument("--speed", action="store_true")
    parser.add_argument("--texts", type=int, default=100_000)
    parser.add_argument("--code-points", type=int, default=0x110000, help="only those below this number")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--vocab", type=Path)
    parser.add_argument("--program", default=str(environment.ROOT / "build/dev/bin/tokenize_lines"))
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    arguments = parse_arguments(words)
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    all_of_them = [c for c in range(arguments.code_points) if not 0xD800 <= c < 0xE000]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vocab.txt"
        ours = Ours(arguments.program, file)
        print(f"tokenizers {tokenizers.__version__}, utf8proc with Unicode {ours.ask('unicode').strip()}")
        found = {} if arguments.speed else differences(ours, Rust(list(tokenizer_texts.SPECIAL)), all_of_them)
        agreed = [c for c in all_of_them if c not in found]
        if not arguments.speed:
            print(f"of {len(all_of_them)} code points {len(found)} are treated differently", flush=True)
        if arguments.tables:
            print_tables(found)
            return 0
        if arguments.vocab:
            vocabulary = arguments.vocab.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        else:
            vocabulary = tokenizer_texts.make_vocabulary(arguments.seed, agreed)
        file.write_text("".join(piece + "\n" for piece in vocabulary), encoding="utf-8")
        rust = Rust(vocabulary)
        if arguments.speed:
            compare_speed(arguments, ours, rust, vocabulary)
            return 0
        texts = tokenizer_texts.random_texts(arguments.seed, arguments.texts, vocabulary, agreed)
        return compare_ids(arguments, ours, rust, texts)


if __name__ == "__main__":
    sys.exit(main())
