"""Made-up questions in the file format of TREC, and a WordPiece vocabulary that contains their words."""

import string
from pathlib import Path

import numpy as np

from mpsbench_py.fixture_images import write_files

# TREC's labels: six coarse ones, and the fine labels of each.
FINE = {
    "ABBR": "abb exp",
    "ENTY": "animal body color cremat currency dismed event food instru lang letter other plant product religion "
    "sport substance symbol techmeth termeq veh word",
    "DESC": "def desc manner reason",
    "HUM": "gr ind title desc",
    "LOC": "city country mount other state",
    "NUM": "code count date dist money ord other period perc speed temp volsize weight",
}
QUESTION_WORDS = ["what", "who", "where", "when", "how", "which", "why", "is", "the", "a", "of", "in", "does", "many"]
WORDS_OF_A_CLASS = 12
NEUTRAL_WORDS = 200
ODD_BYTE = b"\xf0"  # not valid UTF-8; the real training file has it once, inside a word

UNUSED = 99  # as in bert-base-uncased, [PAD] is line 0, [UNK] 100, [CLS] 101, [SEP] 102, [MASK] 103
SPECIALS = ["[PAD]", *(f"[unused{index}]" for index in range(UNUSED)), "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# Beyond ASCII: Latin, Greek and Cyrillic small letters, kana, Hangul and CJK.
OTHER_LETTERS = ((0xDF, 0x100), (0x3B1, 0x3CA), (0x430, 0x450), (0x3041, 0x30FF), (0x1100, 0x1113), (0x4E00, 0x4E80))


def make_word(rng: np.random.Generator) -> str:
    syllables = rng.integers(2, 5)
    letters = [rng.choice(list("bcdfghklmnprstvwz")) + rng.choice(list("aeiou")) for _ in range(syllables)]
    return "".join(letters)


def make_words(seed: int) -> tuple[list[list[str]], list[str]]:
    """The words of each coarse class, and words of no class. All words are different."""
    rng = np.random.default_rng(seed)
    words: dict[str, None] = {}
    total = len(FINE) * WORDS_OF_A_CLASS + NEUTRAL_WORDS
    while len(words) < total:
        words[make_word(rng)] = None
    every = list(words)
    classes = [every[index * WORDS_OF_A_CLASS :][:WORDS_OF_A_CLASS] for index in range(len(FINE))]
    return classes, every[len(FINE) * WORDS_OF_A_CLASS :]


def make_line(rng: np.random.Generator, classes: list[list[str]], neutral: list[str]) -> str:
    """A labelled question: one to three words of its class among other words, so that the class is not always shown at
    the same place.
    """
    number = int(rng.integers(len(FINE)))
    coarse = list(FINE)[number]
    fine = rng.choice(FINE[coarse].split())
    words = list(rng.choice(classes[number], size=rng.integers(1, 4), replace=False))
    words += list(rng.choice(neutral, size=rng.integers(2, 9), replace=False))
    rng.shuffle(words)
    return f"{coarse}:{fine} {rng.choice(QUESTION_WORDS).capitalize()} {' '.join(words)} ?"


def write_trec(folder: Path, rows: int, test_rows: int, seed: int) -> list[Path]:
    classes, neutral = make_words(seed)
    rng = np.random.default_rng([seed, 1])
    train = [make_line(rng, classes, neutral).encode() for _ in range(rows)]
    middle = len(train) // 2
    train[middle] = train[middle].replace(b" ?", ODD_BYTE + b"city ?")
    test = [make_line(rng, classes, neutral).encode() for _ in range(test_rows)]
    contents = {"train_5500.label": train, "TREC_10.label": test}
    return write_files(folder, {name: b"\n".join(lines) + b"\n" for name, lines in contents.items()})


def write_vocab(folder: Path, rows: int, seed: int) -> list[Path]:
    """Writes a vocabulary: special tokens, characters on their own and as pieces (##), the words that write_trec uses
    with this SEED, then made-up words.
    """
    classes, neutral = make_words(seed)
    letters = string.ascii_lowercase + string.digits
    symbols = string.punctuation
    others = [chr(point) for first, end in OTHER_LETTERS for point in range(first, end)]
    lines = dict.fromkeys(SPECIALS + list(symbols + letters) + ["##" + letter for letter in letters])
    lines |= dict.fromkeys(QUESTION_WORDS + [word for words in classes for word in words] + neutral + ["city"])
    if rows < len(lines):
        raise ValueError(f"vocab needs at least {len(lines)} lines (--rows)")
    for token in others + ["##" + letter for letter in others]:
        if len(lines) < rows:
            lines[token] = None
    rng = np.random.default_rng([seed, 2])
    while len(lines) < rows:
        word = make_word(rng)
        lines[word if rng.random() < 0.5 else "##" + word[: rng.integers(2, len(word) + 1)]] = None
    return write_files(folder, {"vocab.txt": "".join(line + "\n" for line in lines).encode()})
