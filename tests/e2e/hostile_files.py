"""Contents of models, suites and other files that must be refused."""

import copy
import json

from support import TINY

NUMBERS = (-1, 0, 1.5, "3", True, [], {}, None, 10**15, 2**63, -(2**63), 10**30)


def changed(document, path, value):
    """A copy with VALUE at PATH, for example "a.0.b"."""
    document = copy.deepcopy(document)
    place = document
    *parents, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    for key in parents:
        place = place[key]
    place[last] = value
    return document


LINEAR = {"type": "linear", "name": "fc", "out_features": 8}
MODELS = {
    "an input as large as the world": changed(TINY, "inputs.0.shape", [2**31 - 1, 2**31 - 1, 2**31 - 1]),
    "a negative size": changed(TINY, "inputs.0.shape", [-4]),
    "no dimension's size": changed(TINY, "inputs.0.shape", [0]),
    "a layer of 10^15": changed(TINY, "layers.1.out_features", 10**15),
    "no layers": changed(TINY, "layers", []),
    "no inputs": changed(TINY, "inputs", []),
    "an unknown layer": changed(TINY, "layers.1.type", "linaer"),
    "an unknown key": changed(TINY, "layers.1.out_feature", 3),
    "an input that does not exist": changed(TINY, "layers.1.input", "nothing"),
    "an input that is itself": changed(TINY, "layers.1.input", "fc"),
    "a block in itself": {**TINY, "blocks": {"b": {"layers": [{"block": "b"}]}}, "layers": [{"block": "b"}]},
    "two blocks in each other": {
        **TINY,
        "blocks": {"a": {"layers": [{"block": "b"}]}, "b": {"layers": [{"block": "a"}]}},
        "layers": [{"block": "a"}],
    },
    "a repeat without end": changed(TINY, "layers.1", {**LINEAR, "name": "fc{i}", "repeat": 10**9}),
    "repeats of repeats": {
        **TINY,
        "blocks": {
            f"b{n}": {"layers": [{"block": f"b{n - 1}", "repeat": 60} if n else {"type": "relu", "repeat": 60}]}
            for n in range(40)
        },
        "layers": [{"block": "b39"}, LINEAR],
    },
    "memory without end": {**TINY, "layers": [{**LINEAR, "name": "fc{i}", "out_features": 2**20, "repeat": 9000}]},
    "shapes that do not fit": changed(TINY, "layers.0", {"type": "conv2d", "out_channels": 3, "kernel_size": 3}),
    "a kernel larger than the image": {
        **TINY,
        "inputs": [{"name": "x", "dtype": "float32", "shape": [3, 4, 4]}],
        "layers": [{"type": "max_pool2d", "kernel_size": 5}, {"type": "flatten"}, LINEAR],
    },
    "a network of text": changed(TINY, "layers", "conv, relu"),
    "the whole is a list": [TINY],
    "the whole is a number": 7,
    "a batch larger than memory": changed(TINY, "batch_size", 2**40),
}
for key in ("batch_size", "rows", "layers.1.out_features", "parameters.classes", "inputs.0.shape.0"):
    for number in NUMBERS:
        if not (key == "rows" and number in (10**15,)):
            MODELS[f"{key} = {number!r}"] = changed(TINY, key, number)

SUITE = {"name": "s", "matrices": [{"model": "tiny.json"}]}
SUITES = {
    "no matrices": changed(SUITE, "matrices", []),
    "a matrix that is text": changed(SUITE, "matrices.0", "mlp"),
    "an unknown key": {**SUITE, "batch-sise": 8},
    "an unknown key of a matrix": changed(SUITE, "matrices.0.bacth-size", 8),
    "no name": {"matrices": [{}]},
    "a name that is a path": changed(SUITE, "name", "../../x"),
    "an empty list": changed(SUITE, "matrices.0.mode", []),
    "a list in a list": changed(SUITE, "matrices.0.mode", [["train"]]),
    "an unknown model": changed(SUITE, "matrices.0.model", "vgg17"),
    "a batch larger than memory": changed(SUITE, "matrices.0.batch-size", 10**13),
    "a huge range": changed(SUITE, "matrices.0.batch-size", "1-9000000000000000000"),
    "a plan without end": {
        **SUITE,
        "matrices": [{"model": "tiny.json", "batch-size": "1-1000", "seed": n} for n in range(500)],
    },
    "a huge number": changed(SUITE, "matrices.0.seed", 10**400),
}


def filled(before, item, after):
    """Returns a function that makes a text with comma-separated ITEMs, as long as a model or suite may be."""
    count = (4 * 2**20 - len(before) - len(after)) // (len(item) + 1)
    return lambda: before + (item + b",") * (count - 1) + item + after


def tiny_filled(path, item):
    before, after = json.dumps(changed(TINY, path, "HERE")).encode().split(b'"HERE"')
    return filled(before + b"[", item, b"]" + after)


# Files that become much larger in memory. They are made when needed: a child's peak memory starts at its parent's.
SWOLLEN = {
    "matrices of numbers": filled(b'{"name":"s","matrices":[', b"0", b"]}"),
    "empty matrices": filled(b'{"name":"s","matrices":[', b"{}", b"]}"),
    "a list of numbers": filled(b'{"name":"s","batch-size":[', b"1", b'],"matrices":[{"model":"mlp"}]}'),
    "a list of texts": filled(b'{"name":"s","matrices":[{"model":[', b'"a"', b"]}]}"),
    "a text of items": filled(b'{"name":"s","matrices":[{"model":"', b"a", b'"}]}'),
    "a list of objects": filled(b'{"name":"s","mode":[', b"{}", b'],"matrices":[{}]}'),
    "layers of nothing": tiny_filled("layers", b"{}"),
    "layers": tiny_filled("layers", b'{"type":"relu"}'),
    "inputs of nothing": tiny_filled("inputs", b"{}"),
    "a shape": tiny_filled("inputs.0.shape", b"1"),
    "an option of numbers": tiny_filled("layers.1.out_features", b"1"),
    "an option of objects": tiny_filled("layers.1.out_features", b"{}"),
    "an option of lists of lists": tiny_filled("layers.1.out_features", b"[[[]]]"),
    "a list of lists": filled(b"[", b"[]", b"]"),
    "a list of objects, not closed": filled(b"[", b"{}", b""),
}
HEADERS = {
    "numbers": filled(b'{"w":[', b"0", b"]}"),
    "objects": filled(b'{"w":[', b"{}", b"]}"),
    "a shape": filled(b'{"w":{"dtype":"F32","data_offsets":[0,4],"shape":[', b"1", b"]}}"),
}

TEXTS = {
    "nothing": b"",
    "blanks": b" \n\t",
    "not JSON": b"models: [vgg16]",
    "half of it": json.dumps(TINY).encode()[:-20],
    "text behind": json.dumps(TINY).encode() + b"}",
    "not UTF-8": json.dumps(TINY).replace("tiny", "tin\u00ff").encode("latin-1"),
    "UTF-16": json.dumps(TINY).encode("utf-16"),
    "zero bytes": bytes(5000),
    "random bytes": bytes((i * 7919 + i // 13) % 256 for i in range(5000)),
    "nested 200,000 deep": b"[" * 200_000 + b"]" * 200_000,
    "objects 200,000 deep": b'{"a":' * 200_000 + b"1" + b"}" * 200_000,
    "nested and never closed": b"[" * 200_000,
    "layers 200,000 deep": json.dumps(changed(TINY, "layers", "HERE"))
    .encode()
    .replace(b'"HERE"', b'[{"layers":' * 200_000 + b"[]" + b"}]" * 200_000),
    "NaN": json.dumps(changed(TINY, "optimizer.lr", float("nan"))).encode(),
    "a number without end": json.dumps(TINY).encode().replace(b"1000", b"1" * 100_000),
    "1e999": json.dumps(TINY).encode().replace(b"1000", b"1e999"),
    "a key twice": json.dumps(TINY).encode().replace(b'"rows"', b'"rows": 5, "rows"'),
    "a long text": json.dumps(changed(TINY, "name", "x" * 1_000_000)).encode(),
    "a long key": json.dumps({**TINY, "y" * 1_000_000: 1}).encode(),
    "line breaks in a key": json.dumps({**TINY, "a\nb\x1b[2J": 1}).encode(),
    "a null in the text": json.dumps(TINY).encode() + b"\0 and more",
}
