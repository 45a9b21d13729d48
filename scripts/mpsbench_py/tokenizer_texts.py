"""Makes vocabularies and texts from a seed, to compare tokenizers."""

import random
import unicodedata
from collections.abc import Sequence

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
CONSONANTS, VOWELS = "bcdfghjklmnprstvwz", "aeiouy"
# Characters that tokenizers often get wrong: marks of several classes, ligatures, letters whose lower case is longer,
# ideographs inside and outside of BERT's blocks, all kinds of blanks and control characters, texts like special pieces.
AWKWARD = [
    *("\u0301", "\u0327\u0301", "\u0345", "\u034f", "\u302e", "\U0001d165", "\u093e\u094d", "\u200d", "\ufeff"),
    *("İ", "ẞ", "ſ", "Å", "Ω", "K", "ﬁ", "Ǆ", "ΑΣ", "½", "①", "؟", "。", "—", "…", "\u037e", "가", "각", "ｶﾞ"),
    *("你", "𠀀", "豈", "〇", "テ", "\U0002f800", "\t", "\n", "\r", "\x00", "\x0b", "\x7f", "\x85", "\xa0", "\xad"),
    *("\u2028", "\u2029", "\u3000", "\u200b", "\ufffd", "\ue000", "\u0378", "\U0010ffff", "😀", "👩\u200d🔬"),
    *SPECIAL,
    *("[MASK", "[mask]", "[[CLS]]", "[SEP]]", "##", "##a", "[", "]"),
]


def syllables(rng: random.Random, count: int) -> str:
    return "".join(rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(count))


def words_of_a_language(rng: random.Random, count: int) -> list[str]:
    """COUNT different words of one to five syllables, the short ones first: a language's frequent words are short."""
    words: dict[str, None] = {}
    while len(words) < count:
        words[syllables(rng, rng.choice((1, 2, 2, 3, 3, 3, 4, 4, 5))) + rng.choice(("", "", "n", "s", "t"))] = None
    return sorted(words, key=len)


def make_vocabulary(seed: int, code_points: Sequence[int], words: int = 20_000) -> list[str]:
    """Special pieces, characters, words, and pieces of random CODE_POINTS: about 1.5 * WORDS entries."""
    rng = random.Random(seed)
    pieces = dict.fromkeys(SPECIAL)
    for character in "abcdefghijklmnoprstuvwyz0123456789!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~":  # no q, x and \\
        pieces |= {character: None, f"##{character}": None}
    pieces |= dict.fromkeys(words_of_a_language(rng, words))
    pieces |= dict.fromkeys("##" + syllables(rng, rng.choice((1, 1, 2, 3))) for _ in range(words // 4))
    for _ in range(words // 4):
        text = "".join(chr(rng.choice(code_points)) for _ in range(rng.choice((1, 1, 1, 2, 3))))
        plain = "".join(c for c in unicodedata.normalize("NFD", text).lower() if unicodedata.category(c) != "Mn")
        if plain and not any(c.isspace() for c in plain):
            pieces |= {plain: None, f"##{plain}": None}
    return list(pieces)


def random_text(rng: random.Random, vocabulary: Sequence[str], code_points: Sequence[int]) -> str:
    """A text of up to 60 parts: pieces of the vocabulary or their beginnings, letters, any CODE_POINTS, awkward
    characters, and words of about 100 characters, the longest that BERT accepts.
    """
    parts = []
    for _ in range(rng.choice((0, 1, 2, 5, 12, 30, 60))):
        kind = rng.random()
        if kind < 0.35:
            piece = rng.choice(vocabulary).removeprefix("##")
            piece = piece[: rng.randint(1, len(piece))] if rng.random() < 0.3 else piece
            parts.append(piece.upper() if rng.random() < 0.2 else piece)
        elif kind < 0.6:
            parts.append(" " * rng.choice((1, 1, 1, 2)))
        elif kind < 0.75:
            parts.append(chr(rng.choice(code_points)))
        elif kind < 0.85:
            parts.append(chr(rng.randrange(0x20, 0x250)))
        elif kind < 0.995:
            parts.append(rng.choice(AWKWARD))
        else:
            parts.append(rng.choice(("a", "é", "e\u0301", "Ж", "\U0001f600")) * rng.choice((99, 100, 101)))
    return "".join(parts)


def random_texts(seed: int, count: int, vocabulary: Sequence[str], code_points: Sequence[int]) -> list[str]:
    """COUNT texts that contain only CODE_POINTS."""
    rng = random.Random(seed)
    allowed = set(code_points)
    texts = []
    while len(texts) < count:
        text = random_text(rng, vocabulary, code_points)
        texts.append("".join(c for c in text if ord(c) in allowed))
    return texts


def questions(seed: int, count: int, vocabulary: Sequence[str], word_count: int, accents: bool) -> list[str]:
    """Texts like English: frequent words appear more often, and one word in seven is not in VOCABULARY. With ACCENTS, a
    third of the words have accents.
    """
    rng = random.Random(seed)
    words = [piece for piece in vocabulary if piece.isascii() and piece.isalpha() and len(piece) > 1]
    texts = []
    for _ in range(count):
        chosen = [words[int(len(words) ** rng.random()) - 1] for _ in range(word_count)]
        for i in range(word_count):
            if rng.random() < 1 / 7:
                chosen[i] += syllables(rng, 2)
            if accents and rng.random() < 1 / 3:
                chosen[i] = chosen[i].translate({ord("a"): "á", ord("e"): "è", ord("o"): "ö", ord("y"): "語"})
        texts.append(" ".join(chosen).capitalize() + " ?")
    return texts
